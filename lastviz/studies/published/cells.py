"""The papers, their tables, the quantities measured in them, and every printed figure."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from math import nan, sqrt
from pathlib import Path

import pandas as pd

from lastviz._csv_writer import as_csv

CellKey = tuple[str, str, str, str]
"""Data set, algorithm, metric and setting."""


@dataclass(frozen=True)
class Paper:
    """A paper whose tables are here."""

    key: str
    title: str
    citation: str
    protocol: str  # how its figures were found, in a sentence


@dataclass(frozen=True)
class Quantity:
    """Quantity that a printed figure measures."""

    key: str
    title: str
    unit: str  # {"percent", "share", "classes", "count", "seconds"}
    larger_is_better: bool
    # Of `lastviz.studies.METRICS`, or the time of a fit, from which it follows as `offset + factor
    # * value`; "" if from none.
    metric: str = ""
    factor: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True)
class PrintedTable:
    """A printed table."""

    paper: str  # key of `PAPERS`
    number: int
    title: str
    n_cells: int  # figures in it


@dataclass(frozen=True)
class PrintedCell:
    """A printed figure."""

    paper: str  # key of `PAPERS`
    table: int
    dataset: str  # as it is printed; "all" for a mean over all data sets
    algorithm: str  # as it is printed
    metric: str  # key of `QUANTITIES`
    setting: str  # what else the row fixes, such as "sigma 15"; "" for nothing
    mean: float  # in the unit that is printed
    spread: float  # standard deviation over the folds; NaN where none is printed
    digits: int  # decimals that are printed: the figure is rounded to them

    @property
    def key(self) -> CellKey:
        """Key of the cell in its table."""
        return self.dataset, self.algorithm, self.metric, self.setting


PAPERS: dict[str, Paper] = {
    "sodt": Paper(
        "sodt",
        "SODT: trees in latent spaces",
        "He, P., Xu, X. H., Chen, L. (2009). Latent attribute space tree classifiers. "
        "Journal of Software 20(7), 1735-1745",
        "Ten-fold cross-validation; the test rows, without their classes, take part in finding "
        "the latent space. Means and standard deviations over the folds.",
    ),
    "bnm_csn": Paper(
        "bnm_csn",
        "BNM and CSN: hybrid criteria",
        "Du, F., Chen, S. (2023). Journal of Nanjing University of Aeronautics and Astronautics "
        "55(3), doi 10.16356/j.1005-2615.2023.03.019",
        "Five-fold cross-validation; w2 and k of each data set are those that do best on the test "
        "folds.",
    ),
    "mcdf": Paper(
        "mcdf",
        "MCDF: monotone classification by a decision forest",
        "Xu, H., Wang, W., Ren, L. (2017). A method for monotonic classification based on "
        "decision forest",
        "Ten-fold cross-validation; means and standard deviations over the folds.",
    ),
    "svm_tree": Paper(
        "svm_tree",
        "The SVM decision tree",
        "Shi, Z., Wang, X., Zhao, S., Yang, J. (2006). An improved SVM decision tree "
        "classification algorithm. Article 1009-3516(2006)02-0032-04",
        "Three random divisions, two thirds of each class to learn from; means of the three.",
    ),
}

QUANTITIES: dict[str, Quantity] = {
    "error": Quantity("error", "test error", "percent", False, "accuracy", -100.0, 100.0),
    "accuracy": Quantity("accuracy", "accuracy", "share", True, "accuracy"),
    "accuracy_class_1": Quantity("accuracy_class_1", "accuracy of class 1", "percent", True),
    "accuracy_class_2": Quantity("accuracy_class_2", "accuracy of class 2", "percent", True),
    "accuracy_class_3": Quantity("accuracy_class_3", "accuracy of class 3", "percent", True),
    "mae": Quantity("mae", "mean absolute error", "classes", False, "mae"),
    "nodes": Quantity("nodes", "nodes", "count", False, "nodes"),
    "leaves": Quantity("leaves", "leaves", "count", False, "leaves"),
    "depth": Quantity("depth", "depth", "count", False, "depth"),
    "seconds": Quantity("seconds", "running time", "seconds", False, "fit_seconds"),
    "sampling_seconds": Quantity("sampling_seconds", "time to draw rows", "seconds", False),
}

TABLES: dict[tuple[str, int], PrintedTable] = {
    ("sodt", 2): PrintedTable("sodt", 2, "test error", 84),
    ("sodt", 3): PrintedTable("sodt", 3, "nodes", 84),
    ("sodt", 4): PrintedTable("sodt", 4, "time to build a tree, as far as it can be read", 6),
    ("bnm_csn", 2): PrintedTable("bnm_csn", 2, "accuracy", 168),
    ("bnm_csn", 3): PrintedTable("bnm_csn", 3, "depth and leaves", 168),
    ("bnm_csn", 4): PrintedTable("bnm_csn", 4, "means over all data sets", 12),
    ("mcdf", 2): PrintedTable("mcdf", 2, "accuracy and error in classes", 48),
    ("mcdf", 3): PrintedTable("mcdf", 3, "running time", 36),
    ("mcdf", 5): PrintedTable("mcdf", 5, "large data sets", 30),
    ("svm_tree", 1): PrintedTable("svm_tree", 1, "three spirals, accuracy by class", 18),
    ("svm_tree", 2): PrintedTable("svm_tree", 2, "wine, accuracy by class", 18),
}


@cache
def published_cells(paper: str, table: int | None = None) -> tuple[PrintedCell, ...]:
    """Printed figures of a paper, or of one of its tables, in the order of the print.

    Raises
    ------
    ValueError
        If there is no such table.
    """
    if paper not in PAPERS or (table is not None and (paper, table) not in TABLES):
        known = ", ".join(f"{name} {number}" for name, number in TABLES)
        raise ValueError(f"there is no table {paper} {table}; there are {known}")
    file = Path(__file__).with_name(f"{paper}.csv")
    with file.open(encoding="utf-8", newline="") as rows:
        cells = tuple(_cell(paper, row) for row in csv.DictReader(rows))
    return cells if table is None else tuple(cell for cell in cells if cell.table == table)


def _cell(paper: str, row: dict[str, str]) -> PrintedCell:
    printed = row["mean"]
    return PrintedCell(
        paper,
        int(row["table"]),
        row["dataset"],
        row["algorithm"],
        row["metric"],
        row["setting"],
        float(printed),
        float(row["spread"]) if row["spread"] else nan,
        len(printed.partition(".")[2]),
    )


# ---- Our figures for the cells of the papers, as ``python -m lastviz.studies papers`` found them


FILE = Path(__file__).with_name("ours.csv")
DIGITS = 6  # significant, in the file
ALL_SETS = "all"  # what tables call a mean over all data sets


@dataclass(frozen=True)
class Ours:
    """A figure of ours in the place of a printed one."""

    # Its cell, as in `PrintedCell`; table 0 for what no table prints and a claim needs.
    paper: str
    table: int
    dataset: str
    algorithm: str
    metric: str
    setting: str
    # {"paper", "nested"}: as the paper has it, or with parameters chosen by the training rows
    # alone.
    protocol: str
    mean: float  # in the unit of the print
    spread: float  # the standard deviation over the folds of a division
    n_folds: int  # fits behind it
    n_divisions: int  # divisions or draws that they belong to
    results_version: int  # of the algorithm's figures, see `RESULTS_VERSION`
    date: str  # on which it was computed
    version: str  # of this package

    @property
    def key(self) -> CellKey:
        """Key of the cell in its table."""
        return self.dataset, self.algorithm, self.metric, self.setting

    @property
    def address(self) -> tuple[object, ...]:
        """Identity of the figure: the same for one that was computed twice."""
        return self.paper, self.table, *self.key, self.protocol


NUMBERS = {"table": int, "mean": float, "spread": float, "n_folds": int, "n_divisions": int,
           "results_version": int}  # fmt: skip


def read_ours(file: Path) -> list[Ours]:
    """Figures in a file.

    Raises
    ------
    ValueError
        If it is not such a file.
    """
    with file.open(encoding="utf-8", newline="") as rows:
        found = csv.DictReader(rows)
        names = [field.name for field in fields(Ours)]
        if found.fieldnames != names:
            raise ValueError(f"{file} must have the columns {', '.join(names)}")
        return [
            Ours(**{name: NUMBERS.get(name, str)(text) for name, text in row.items()})
            for row in found
        ]


def write_ours(file: Path, figures: Iterable[Ours]) -> None:
    """Write figures into a file, in the order of the papers; it holds these alone."""
    ordered = sorted(figures, key=lambda each: tuple(map(str, each.address)))
    table = pd.DataFrame(map(asdict, ordered), columns=[field.name for field in fields(Ours)])
    for column in table.select_dtypes("float"):
        table[column] = [f"{value:.{DIGITS}g}" for value in table[column]]
    file.write_text(as_csv(table), encoding="utf-8", newline="")


@cache
def _in_file(paper: str, protocol: str) -> dict[int, dict[CellKey, Ours]]:
    """Figures of a paper that come with the project, by table and cell."""
    found: dict[int, dict[CellKey, Ours]] = {}
    for each in read_ours(FILE):
        if (each.paper, each.protocol) == (paper, protocol):
            found.setdefault(each.table, {})[each.key] = each
    return found


@cache
def our_figures(paper: str, table: int, protocol: str = "paper") -> dict[CellKey, Ours]:
    """Figures that come with the project for a table, by cell.

    A mean over all data sets is one over those at hand, see :func:`sets_at_hand`.
    """
    return _in_file(paper, protocol).get(table, {}) | _means(paper, table, protocol)


def sets_at_hand(paper: str, table: int) -> tuple[str, ...]:
    """Data sets over which a table of means over all has ours; () for another table.

    Those on which all of its algorithms have their figures in the other tables of the paper.
    """
    wanted = _of_all_sets(paper, table)
    ours = _of_single_sets(paper, "paper")
    names = dict.fromkeys(name for name, *_ in ours) if wanted else ()
    return tuple(
        name for name in names if all((name, a, metric, "") in ours for a, metric in wanted)
    )


def _of_all_sets(paper: str, table: int) -> list[tuple[str, str]]:
    """Algorithm and metric of each mean over all data sets in a table."""
    if (paper, table) not in TABLES:
        return []
    cells = published_cells(paper, table)
    return [(cell.algorithm, cell.metric) for cell in cells if cell.dataset == ALL_SETS]


def _of_single_sets(paper: str, protocol: str) -> dict[CellKey, Ours]:
    tables = _in_file(paper, protocol).items()
    return {key: each for table, own in tables if table for key, each in own.items()}


def _means(paper: str, table: int, protocol: str) -> dict[CellKey, Ours]:
    """Means over the sets at hand; their deviation is that of such a mean over folds."""
    names, ours = sets_at_hand(paper, table), _of_single_sets(paper, "paper")
    chosen = _of_single_sets(paper, protocol)
    found = {}
    for algorithm, metric in _of_all_sets(paper, table) if names else ():
        keys = [(name, algorithm, metric, "") for name in names]
        if protocol != "paper" and not any(key in chosen for key in keys):
            continue  # it has nothing to choose
        parts = [chosen.get(key, ours[key]) for key in keys]
        mean = sum(part.mean for part in parts) / len(parts)
        spread = sqrt(sum(part.spread**2 for part in parts)) / len(parts)
        of_all = replace(
            parts[0], table=table, dataset=ALL_SETS, protocol=protocol, mean=mean, spread=spread,
            date=max(part.date for part in parts),
        )  # fmt: skip
        found[of_all.key] = of_all
    return found
