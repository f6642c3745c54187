"""Our figures for the cells of the papers, as ``python -m lastviz.studies papers`` found them."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from math import sqrt
from pathlib import Path

import pandas as pd

from lastviz._csv_writer import as_csv

from .cells import TABLES, CellKey, published_cells

FILE = Path(__file__).with_name("ours.csv")
DIGITS = 6  # significant, in the file
ALL_SETS = "all"  # what tables call a mean over all data sets


@dataclass(frozen=True)
class Ours:
    """A figure of ours in the place of a printed one."""

    paper: str  # which cell, see `.PrintedCell`
    table: int  # which cell, see `.PrintedCell`
    dataset: str  # which cell, see `.PrintedCell`
    algorithm: str  # which cell, see `.PrintedCell`
    metric: str  # which cell, see `.PrintedCell`
    setting: str  # which cell, see `.PrintedCell`
    # {"paper", "nested"}: as the paper has it, or with parameters chosen by the training rows
    # alone.
    protocol: str
    mean: float  # in the unit of the print; the standard deviation over the folds of a division
    spread: float  # in the unit of the print; the standard deviation over the folds of a division
    n_folds: int  # fits behind it, and divisions or draws that they belong to
    n_divisions: int  # fits behind it, and divisions or draws that they belong to
    results_version: int  # of the algorithm's figures, see `RESULTS_VERSION`
    date: str  # on which it was computed
    version: str  # of this package

    @property
    def key(self) -> CellKey:
        """Which cell of its table it is."""
        return self.dataset, self.algorithm, self.metric, self.setting

    @property
    def address(self) -> tuple[object, ...]:
        """What it is a figure of; two with the same address are one figure, computed twice."""
        return self.paper, self.table, *self.key, self.protocol


NUMBERS = {"table": int, "mean": float, "spread": float, "n_folds": int, "n_divisions": int,
           "results_version": int}  # fmt: skip


def read_ours(file: Path) -> list[Ours]:
    """Return the figures in a file.

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
def our_figures(paper: str, table: int, protocol: str = "paper") -> dict[CellKey, Ours]:
    """Return the figures that come with the project for a table, by cell.

    A mean over all data sets is one over those at hand, see :func:`sets_at_hand`.
    """
    found = {
        each.key: each
        for each in read_ours(FILE)
        if (each.paper, each.table, each.protocol) == (paper, table, protocol)
    }
    return found | _means(paper, table, protocol)


def sets_at_hand(paper: str, table: int) -> tuple[str, ...]:
    """Return the data sets over which a table of means over all has ours; () for another table.

    Those on which all of its algorithms have their figures in the other tables of the paper.
    """
    wanted = _of_all_sets(paper, table)
    ours = _of_single_sets(paper, "paper")
    names = dict.fromkeys(name for name, *_ in ours) if wanted else ()
    return tuple(
        name for name in names if all((name, a, metric, "") in ours for a, metric in wanted)
    )


def _of_all_sets(paper: str, table: int) -> list[tuple[str, str]]:
    """Return algorithm and metric of each mean over all data sets in a table."""
    if (paper, table) not in TABLES:
        return []
    cells = published_cells(paper, table)
    return [(cell.algorithm, cell.metric) for cell in cells if cell.dataset == ALL_SETS]


def _of_single_sets(paper: str, protocol: str) -> dict[CellKey, Ours]:
    return {
        each.key: each
        for each in read_ours(FILE)
        if each.paper == paper and each.table and each.protocol == protocol
    }


def _means(paper: str, table: int, protocol: str) -> dict[CellKey, Ours]:
    """Return means over the sets at hand; their deviation is that of such a mean over folds."""
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
