"""Write what Weka's J48 makes of small data sets: ``python -m benchmarks.j48_fixtures``.

Needs Java and Weka 3.6.14; WEKA_JAR names its weka.jar. Trees of the loan data and of eight
random nominal sets go to tests/fixtures/j48. With LASTVIZ_DATA, J48's predictions of every third
row of the numeric sets in that folder go there, too, without the data.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from lastviz.datasets import Dataset, all_datasets, load_dataset

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "fixtures" / "j48"
SIZES = (60, 100, 150, 200, 300, 400, 600, 800)
NUMERIC = (
    "banknote", "breast-w", "bupa", "diabetic", "divorce", "glass", "iris", "pima", "satellite",
    "sonar", "vowel", "wine",
)  # fmt: skip


def nominal_set(seed: int, n: int) -> pd.DataFrame:
    """Return six nominal features of two to four values and a class with 15 % of noise."""
    rng = np.random.default_rng(seed)
    n_values = rng.integers(2, 5, 6)
    codes = np.column_stack([rng.integers(0, k, n) for k in n_values])
    n_classes = 2 + seed % 2
    rule = rng.integers(0, n_classes, (int(n_values[0]), int(n_values[2]), int(n_values[4])))
    y = rule[codes[:, 0], codes[:, 2], codes[:, 4]]
    y = np.where(rng.random(n) < 0.15, rng.integers(0, n_classes, n), y)
    table = pd.DataFrame({f"a{f}": [f"v{c}" for c in codes[:, f]] for f in range(6)})
    return table.assign(**{"class": [f"c{k}" for k in y]})


def arff(table: pd.DataFrame, levels: dict[str, list[str]]) -> str:
    """Return a table as ARFF; columns without levels are numeric, the class is the last."""
    lines = ["@relation table"]
    for place, column in enumerate(table.columns):
        known = levels.get(column)
        values = "{" + ",".join(f"'{v}'" for v in known) + "}" if known else "numeric"
        lines.append(f"@attribute a{place} {values}")
    lines.append("@data")
    for row in table.itertuples(index=False):
        cells = zip(row, table.columns, strict=True)
        lines.append(",".join(_cell(value, column in levels) for value, column in cells))
    return "\n".join(lines) + "\n"


def _cell(value: object, nominal: bool) -> str:
    if pd.isna(value):
        return "?"
    return f"'{value}'" if nominal else repr(float(value))


def j48(*options: str) -> str:
    """Run J48 and return what it prints."""
    command = ["java", "-Djava.awt.headless=true", "-Xmx512m", "-cp", os.environ["WEKA_JAR"]]
    run = [*command, "weka.classifiers.trees.J48", *options]
    return subprocess.run(run, capture_output=True, check=True, text=True).stdout


def write_trees(folder: Path) -> None:
    """Write the nominal sets and J48's unpruned trees of them."""
    loan = load_dataset("loan")
    tables = {"loan": loan.X.astype(str).assign(**{"class": loan.y})}
    tables |= {f"nominal_{s}": nominal_set(s, n) for s, n in enumerate(SIZES)}
    for name, table in tables.items():
        table.to_csv(FOLDER / f"{name}.csv", index=False)
        path = folder / f"{name}.arff"
        path.write_text(arff(table, {c: sorted(table[c].unique()) for c in table.columns}))
        (FOLDER / f"{name}.dot").write_text(j48("-t", str(path), "-U", "-M", "1", "-g"))


def parted(dataset: Dataset) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows to learn from and every third row, to predict."""
    third = np.arange(dataset.n_samples) % 3 == 2
    return np.flatnonzero(~third), np.flatnonzero(third)


def write_predictions(folder: Path) -> None:
    """Write J48's predictions (default parameters) on the numeric sets that there are."""
    entries = all_datasets()
    for key in (key for key in NUMERIC if f"folder.{key}" in entries):
        dataset = load_dataset(f"folder.{key}")
        table = dataset.numeric_X.assign(**{"class": dataset.codes})
        levels = {"class": list(range(dataset.n_classes))}
        files = []
        for part, rows in zip(("train", "test"), parted(dataset), strict=True):
            files.append(folder / f"{key}_{part}.arff")
            files[-1].write_text(arff(table.iloc[rows], levels))
        printed = j48("-t", str(files[0]), "-T", str(files[1]), "-p", "0")
        cells = [line.split() for line in printed.splitlines() if line.strip()[:1].isdigit()]
        predicted = " ".join(line[2].split(":")[1] for line in cells)
        (FOLDER / f"{key}.predictions").write_text(predicted + "\n")


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        write_trees(Path(temporary))
        write_predictions(Path(temporary))
