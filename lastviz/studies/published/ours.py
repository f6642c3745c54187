"""Our figures for the cells of the papers, as ``python -m lastviz.studies papers`` found them."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path

from .cells import CellKey

__all__ = ["Ours", "our_figures", "read_ours", "write_ours"]

FILE = Path(__file__).with_name("ours.csv")
DIGITS = 6  # significant, in the file


@dataclass(frozen=True)
class Ours:
    """A figure of ours in the place of a printed one.

    Attributes
    ----------
    paper, table, dataset, algorithm, metric, setting
        Which cell, see :class:`.Cell`.
    protocol : {"paper", "nested"}
        As the paper has it, or with parameters chosen by the training rows alone.
    mean, spread : float
        In the unit of the print; the standard deviation over the folds of a division.
    n_folds, n_divisions : int
        Fits behind it, and divisions or draws that they belong to.
    results_version : int
        Of the algorithm's figures, see ``RESULTS_VERSION``.
    date : str
        On which it was computed.
    version : str
        Of this package.
    """

    paper: str
    table: int
    dataset: str
    algorithm: str
    metric: str
    setting: str
    protocol: str
    mean: float
    spread: float
    n_folds: int
    n_divisions: int
    results_version: int
    date: str
    version: str

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
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, [field.name for field in fields(Ours)], lineterminator="\n")
        writer.writeheader()
        for each in ordered:
            row = asdict(each)
            writer.writerow(
                {
                    name: f"{value:.{DIGITS}g}" if isinstance(value, float) else value
                    for name, value in row.items()
                }
            )


@cache
def our_figures(paper: str, table: int, protocol: str = "paper") -> dict[CellKey, Ours]:
    """Return the figures that come with the project for a table, by cell."""
    return {
        each.key: each
        for each in read_ours(FILE)
        if (each.paper, each.table, each.protocol) == (paper, table, protocol)
    }
