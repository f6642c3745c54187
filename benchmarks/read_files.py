"""How long large files take to be read, and how much memory: python -m benchmarks.read_files."""

from __future__ import annotations

import argparse
import io
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

KINDS = ("csv", "csv.gz", "german.csv", "parquet", "json", "jsonl", "arff", "xlsx")


def content(kind: str, n_rows: int, n_columns: int) -> bytes:
    """Return a table of numbers and some words in a kind of file."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_columns)).round(4) * 1000
    table = pd.DataFrame(X, columns=[f"c{j}" for j in range(n_columns)])
    for j in range(0, n_columns, 10):
        table[f"c{j}"] = rng.choice(["red", "green", "blue"], n_rows)
    table["class"] = rng.choice(["ja", "nein"], n_rows)
    file = io.BytesIO()
    if kind.startswith("csv"):
        table.to_csv(file, index=False, compression="gzip" if kind.endswith("gz") else None)
    elif kind == "german.csv":
        numbers = table.select_dtypes("number").columns
        for c in numbers[:10]:
            table[c] = [f"{v:,.2f}".translate(str.maketrans(",.", ".,")) for v in table[c]]
        table.to_csv(file, index=False, sep=";", decimal=",")
    elif kind == "parquet":
        table.to_parquet(file)
    elif kind in ("json", "jsonl"):
        table.to_json(file, orient="records", lines=kind == "jsonl")
    elif kind == "arff":
        lines = [f"@attribute {c} {'string' if t == 'str' else 'numeric'}" for c, t in
                 table.dtypes.items()]  # fmt: skip
        file.write(("@relation t\n" + "\n".join(lines) + "\n@data\n").encode())
        table.to_csv(file, index=False, header=False)
    else:
        from tests.tables.spreadsheets import workbook

        return workbook([list(table), *table.to_numpy().tolist()])
    return file.getvalue()


def main() -> None:
    """Read one file of each kind in a process of its own and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--columns", type=int, default=50)
    parser.add_argument("--kinds", nargs="*", default=KINDS)
    parser.add_argument("--one")
    given = parser.parse_args()
    if given.one is None:
        print(
            "| file | MB | seconds | processor seconds | memory above the file | times its size |"
        )
        print("|---|---|---|---|---|---|", flush=True)
        for kind in given.kinds:
            size = ["--rows", str(given.rows), "--columns", str(given.columns)]
            subprocess.run(
                [sys.executable, "-m", "benchmarks.read_files", "--one", kind, *size], check=True
            )
        return
    from lastviz.datasets import read_file
    from lastviz.tables import Limits

    path = Path(tempfile.gettempdir()) / f"read_files.{given.one}.{given.rows}"
    if not path.exists():
        path.write_bytes(content(given.one, given.rows, given.columns))
        subprocess.run([sys.executable, "-m", *_again()], check=True)
        path.unlink()
        return
    data = path.read_bytes()
    limits = Limits(n_bytes=10**9)
    read_file(b"a,class\n1,x\n2,y\n")
    before = _peak()
    begin, busy = time.perf_counter(), time.process_time()
    read_file(data, limits=limits)
    took, busy = time.perf_counter() - begin, time.process_time() - busy
    peak = (_peak() - before) / 1e3
    mb = len(data) / 1e6
    print(f"| {given.one} | {mb:.0f} | {took:.1f} | {busy:.1f} | {peak:.0f} MB | {peak / mb:.1f} |")


def _peak() -> int:
    """Return the most memory that this process had, in kB; that of its parent does not count."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1])


def _again() -> list[str]:
    return ["benchmarks.read_files", *sys.argv[1:]]


if __name__ == "__main__":
    main()
