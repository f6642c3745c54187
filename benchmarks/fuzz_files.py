"""Thousands of damaged and of oddly written files: nothing but our sentences, no altered value.

``python -m benchmarks.fuzz_files [--mutations 10000] [--processes 2] [--seed 0]`` damages the
files of the zoo (bytes exchanged, cut, doubled, spliced, numbers blown up) and writes random tables
in random ways, which must come back value by value. Each part runs in a process of its own, so that
a crash or too much memory is seen, too.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import random
import resource
import subprocess
import sys
import time
import warnings
from collections import Counter
from functools import partial
from multiprocessing.pool import ThreadPool
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PART = 500  # mutations in one process
MOST_SECONDS = 5.0  # of processor time for one file, all of them smaller than 300 kB
MOST_MEMORY = 300  # MB that reading one file may take above what there was
ROOM = 3_000_000_000  # bytes of addresses above those of the process before
LAST = [0.0]  # MB that the last file took
READ = "digits.csv"  # a bomb that is read, its number as a text
GOOD = b"a,class\n1,x\n2,y\n"
MAKE = (
    "import sys; from tests.tables.bombs import BOMBS; "
    "sys.stdout.buffer.write(BOMBS[sys.argv[1]]())"
)
LARGEST = 300_000  # bytes of a seed
EXTREMES = [
    *(b"0", b"-1", b"1e999", b"9" * 40, b"NaN", b"inf", b"\x00", b"\xff", b"\r", b'"', b"'"),
    *(b",", b";", b"\t", b"|", b"{", b"[", b"<", b"=", b"%", b"\xe2\x82\xac", b"1.234,5", b"?"),
    *(b"\xef\xbb\xbf", b"\xff\xfe", b"PK\x03\x04", b"\x1f\x8b", b"PAR1", b"\n" * 50, b" " * 50),
    *(b"\x7f\xff\xff\xff", b"\x80\x00\x00\x00", b"\xff\xff\xff\xff\xff\xff\xff\x7f"),
]


def damaged(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """Return a file with one to five places changed."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 5))):
        place = rng.randrange(len(out) + 1) if out else 0
        length = rng.choice((1, 1, 2, 4, 8, 64, 512))
        how = rng.randrange(7)
        if how == 0 and out:
            out[min(place, len(out) - 1)] ^= 1 << rng.randrange(8)
        elif how == 1:
            out[place : place + length] = rng.randbytes(length)
        elif how == 2:
            del out[place : place + length]
        elif how == 3:
            out[place:place] = out[place : place + length] * rng.choice((1, 2, 50))
        elif how == 4:
            out[place : place + rng.choice((0, 1, length))] = rng.choice(EXTREMES)
        elif how == 5:
            other = rng.choice(others)
            begin = rng.randrange(len(other) + 1)
            out[place:place] = other[begin : begin + length * 8]
        else:
            del out[place:]
    return bytes(out)


def written_table(rng: random.Random) -> tuple[bytes, dict[str, list], list]:
    """Return a table of text in a random dialect, its features and its classes."""
    separator = rng.choice(",;\t|")
    decimal = rng.choice(".,")
    group = rng.choice(["", "", " ", "'", "," if decimal == "." else "."])
    end = rng.choice(["\n", "\r\n", "\r"])
    encoding = rng.choice(["utf-8", "utf-8-sig", "utf-16", "utf-32"])
    n = rng.randrange(6, 60)
    columns: dict[str, list] = {}
    cells: dict[str, list[str]] = {}
    for j in range(rng.randrange(1, 7)):
        name = rng.choice(["a", "größe", "花", "with blank", 'q"uote', "c,d;e"]) + str(j)
        make = rng.choice((_floats, _whole, _words, _percents))
        values, text = make(n, decimal, group, rng)
        if rng.random() < 0.3:
            gap = rng.choice(["", "NA", "?", "NaN"])
            for place in rng.sample(range(n), k=min(2, n - 4)):
                values[place], text[place] = None, gap
        columns[name], cells[name] = values, text
    y = [rng.choice(["ja", "nein", "Größe"]) for _ in range(n - 2)] + ["ja", "nein"]
    file = io.StringIO()
    if end == "\r":  # the writer leaves a line feed in a cell without quotation marks then
        end = "\n"
    quoting = rng.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL))
    writer = csv.writer(file, delimiter=separator, lineterminator=end, quoting=quoting)
    if rng.random() < 0.2:
        file.write("A title of the table" + end)
    writer.writerow([*cells, "class"])
    writer.writerows(zip(*cells.values(), y, strict=True))
    return file.getvalue().encode(encoding), columns, y


def _floats(n: int, decimal: str, group: str, rng: random.Random) -> tuple[list, list[str]]:
    """Return numbers with one, two or four decimals; the first says which mark is decimal."""
    digits = rng.choice((1, 2, 4))
    values = [round(rng.uniform(-1e6, 1e6), digits) + 0.0 for _ in range(n)]
    return values, [_number(f"{v:.{digits}f}", decimal, group) for v in values]


def _whole(n: int, decimal: str, group: str, rng: random.Random) -> tuple[list, list[str]]:
    values: list = [rng.randrange(-(10**9), 10**9) for _ in range(n)]
    return values, [_number(str(v), decimal, "") for v in values]


def _percents(n: int, decimal: str, group: str, rng: random.Random) -> tuple[list, list[str]]:
    values = [round(rng.uniform(1, 100), 1) for _ in range(n)]
    return values, [_number(f"{v:.1f}", decimal, "") + " %" for v in values]


def _words(n: int, decimal: str, group: str, rng: random.Random) -> tuple[list, list[str]]:
    kinds = ["red", "blue", "a,b", 'say "x"', "two\nlines", "übel", "花", "x;y"]
    values: list = [rng.choice(kinds) for _ in range(n)]
    return values, list(values)


def _number(text: str, decimal: str, group: str) -> str:
    whole, _, behind = text.partition(".")
    sign, digits = ("-", whole[1:]) if whole.startswith("-") else ("", whole)
    if group:
        digits = f"{int(digits):,}".replace(",", group)
    return sign + digits + (decimal + behind if behind else "")


def fault_of(data: bytes, name: str, *, apart: bool = False) -> tuple[str, str]:
    """Return how reading a file went ("read", "refused" or a fault) and what was said."""
    from lastviz._sentences import Refusal
    from lastviz.datasets import read_file
    from lastviz.datasets.apart import done_apart
    from lastviz.ui.compute.data import LIMITS

    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    before, begin = peak(), time.process_time()
    try:
        reader = partial(done_apart, name, read_file) if apart else read_file
        read = reader(data, name=name, task="auto", limits=LIMITS)
        how, said = "read", f"{read.dataset.n_samples} rows"
        read.dataset.n_values  # noqa: B018 (every cell is looked at)
    except ValueError as error:
        how, said = "refused", str(error)
        ours = said.startswith(name) or _of_the_data_set(said)
        if type(error) is not Refusal or not ours or "\n" in said or len(said) > 700:
            how = f"fault: {type(error).__name__}"
    except MemoryError:
        how, said = "fault: too much memory", ""
    except Exception as error:
        how, said = f"fault: {type(error).__name__}", str(error)[:300]
    if time.process_time() - begin > MOST_SECONDS:
        how = f"fault: {time.process_time() - begin:.1f} s"
    LAST[0] = peak() - before
    if LAST[0] > MOST_MEMORY:
        how = f"fault: {LAST[0]:.0f} MB"
    return how, said


def peak() -> float:
    """Return the most memory that this process had since it was asked to forget it, in MB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1e3


def _of_the_data_set(said: str) -> bool:
    """Tell whether a sentence is one of the checks of a data set, which know no file."""
    return said.startswith(("column ", "two columns", "at least two classes", "every column"))


def part(seed: int, first: int, n: int) -> dict[str, object]:
    """Run some mutations in this process."""
    from tests.tables.zoo import zoo

    seeds = [one for one in zoo() if 0 < len(one.data) < LARGEST]
    others = [one.data for one in seeds]
    size = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGESIZE")
    resource.setrlimit(resource.RLIMIT_AS, (size + ROOM, resource.RLIM_INFINITY))
    counts: Counter[str] = Counter()
    faults = []
    for number in range(first, first + n):
        rng = random.Random(f"{seed} {number}")
        Path(f"/tmp/fuzz_now.{os.getpid()}").write_text(str(number))
        if number % 4 == 0:
            data, columns, y = written_table(rng)
            how, said = altered(data, columns, y)
        else:
            one = rng.choice(seeds)
            data = damaged(one.data, others, rng)
            how, said = fault_of(data, one.name)
        counts[how.partition(" (")[0]] += 1
        if how.startswith("fault"):
            faults.append([number, how, said])
    os.unlink(f"/tmp/fuzz_now.{os.getpid()}")
    highest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    return {"counts": counts, "faults": faults, "peak": highest}


def bomb(name: str) -> dict[str, object]:
    """Read a file that decodes to gigabytes as the app does; it is to be refused."""
    data = subprocess.run(
        [sys.executable, "-c", MAKE, name], cwd=ROOT, capture_output=True, check=True
    ).stdout
    fault_of(GOOD, "good.csv")  # what is imported is no part of it
    begin = time.perf_counter()
    how, said = fault_of(data, name, apart=True)
    seconds = time.perf_counter() - begin
    if how != ("read" if name == READ else "refused"):
        how = f"fault: {how}"
    row = f"| {name} | {len(data) / 1e3:.0f} kB | {seconds:.2f} s | {LAST[0]:.0f} MB | {said} |"
    faults = [[name, how, said]] if how.startswith("fault") else []
    return {"counts": {f"bomb {how.partition(':')[0]}": 1}, "faults": faults, "peak": 0, "row": row}


def altered(data: bytes, columns: dict[str, list], y: list) -> tuple[str, str]:
    """Return how a table came back that must come back value by value."""
    import pandas as pd

    from lastviz.datasets import read_file

    try:
        read = read_file(data, name="t.csv", task="auto").dataset
    except Exception as error:
        return "fault: a good table refused", f"{type(error).__name__}: {error}"
    if list(read.X) != [" ".join(name.split()) for name in columns] or read.y.tolist() != y:
        return "fault: other names or classes", str([list(read.X), read.y.tolist()[:3]])
    for (name, values), found in zip(columns.items(), read.X.items(), strict=True):
        seen = [None if pd.isna(v) else v for v in found[1].astype(object)]
        if seen != values:
            wrong = next((a, b) for a, b in zip(values, seen, strict=True) if a != b)
            return "fault: altered value", f"{name}: {wrong}"
    return "came back", ""


def main() -> None:
    """Run all parts and print what happened."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutations", type=int, default=10_000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--part", type=int, nargs=2, metavar=("FIRST", "N"))
    parser.add_argument("--bomb")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    if given.part is not None or given.bomb is not None:
        print(json.dumps(bomb(given.bomb) if given.bomb else part(given.seed, *given.part)))
        return
    counts: Counter[str] = Counter()
    faults, peak_of_all = [], 0.0
    begin = time.perf_counter()
    parts = [
        ["--part", str(first), str(min(PART, given.mutations - first))]
        for first in range(0, given.mutations, PART)
    ]
    with ThreadPool(given.processes) as pool:
        for found in pool.imap(
            partial(_in_process, given.seed), [*(["--bomb", name] for name in bombs()), *parts]
        ):
            counts.update(found["counts"])
            faults += found["faults"]
            peak_of_all = max(peak_of_all, found["peak"])
            if "row" in found:
                print(found["row"], flush=True)
    for fault in faults:
        print(*fault)
    seconds = time.perf_counter() - begin
    print(f"{given.mutations} files in {seconds:.0f} s, peak of a process {peak_of_all:.0f} MB")
    print("| how it went | files |\n|---|---|")
    for how, n in counts.most_common():
        print(f"| {how} | {n} |")
    print("faults:", len(faults))
    sys.exit(bool(faults))


def bombs() -> list[str]:
    """Return the names of the files that decode to gigabytes."""
    from tests.tables.bombs import BOMBS

    return list(BOMBS)


def _in_process(seed: int, what: list[str]) -> dict[str, object]:
    """Return what came of one part or one bomb, in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.fuzz_files", "--seed", str(seed), *what]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
    answer, _ = process.communicate()
    if not process.returncode:
        return json.loads(answer)
    now = Path(f"/tmp/fuzz_now.{process.pid}")
    where = now.read_text() if now.exists() else " ".join(what)
    ended = [where, f"fault: process ended with {process.returncode}", ""]
    return {"counts": {"fault": 1}, "faults": [ended], "peak": 0.0}


if __name__ == "__main__":
    main()
