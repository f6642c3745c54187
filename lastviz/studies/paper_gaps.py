"""Which cells of the papers' tables are empty, each with its reason."""

from __future__ import annotations

from dataclasses import dataclass

from .published import TABLES, PrintedCell, our_figures, published_cells
from .reproduction import why_not_run

NOT_YET = "Not computed yet."


@dataclass(frozen=True)
class Gap:
    """Cells of one table that are empty for the same reason."""

    paper: str
    table: int
    datasets: tuple[str, ...]  # as they are printed
    n_cells: int
    cell: PrintedCell  # one of them

    @property
    def reason(self) -> str:
        """A sentence or two: why, and what to do where anything can be done."""
        return why_not_run(self.cell) or NOT_YET


def gaps(paper: str | None = None, table: int | None = None) -> tuple[Gap, ...]:
    """Return the empty cells of all tables, of a paper's, or of one table."""
    found = []
    for name, number in TABLES:
        if (paper or name, table or number) == (name, number):
            found += _gaps_of(name, number)
    return tuple(found)


def _gaps_of(paper: str, table: int) -> list[Gap]:
    ours = our_figures(paper, table)
    empty = [cell for cell in published_cells(paper, table) if cell.key not in ours]
    reasons = [why_not_run(cell) or NOT_YET for cell in empty]
    found = []
    for reason in dict.fromkeys(reasons):
        own = [cell for cell, why in zip(empty, reasons, strict=True) if why == reason]
        names = tuple(dict.fromkeys(cell.dataset for cell in own))
        found.append(Gap(paper, table, names, len(own), own[0]))
    return found
