"""Cells of the papers' tables as studies that a visitor begins, and what came of them.

One study for all cells that need as many draws; its data sets are named so that its folds say
which cells they fill.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from lastviz.datasets import Dataset

from .paper_data import is_drawn, printed_data
from .published import PAPERS, Cell, Ours, printed_set
from .reproduction import (
    CHOOSING,
    FOLDS,
    RECIPES,
    figure_of_folds,
    why_not_run,
)
from .study import AlgorithmChoice, DataChoice, Study
from .tables import compared

__all__ = ["LARGEST", "can_run_here", "figure_in", "run_name", "studies_of", "why_not_here"]

LARGEST = 100_000  # rows of a data set that a study of a visitor keeps
TABLE = "table."  # how keys of data sets begin that a study keeps


def why_not_here(cell: Cell) -> str | None:
    """Return why a visitor cannot begin the study of a cell that can be computed; None if they can.

    None, too, where it cannot be computed at all: see :func:`.why_not_run`.
    """
    if why_not_run(cell) is not None:
        return None
    if (cell.paper, cell.algorithm) not in RECIPES:
        return "It is no cross-validation: the command computes it."
    if printed_set(cell.paper, cell.dataset).params.get("n_samples", 0) > LARGEST:
        return "Its rows are too many for this page: the command computes it."
    return None


def can_run_here(cell: Cell) -> bool:
    """Tell whether a visitor can begin the study of a cell."""
    return why_not_run(cell) is None and why_not_here(cell) is None


def run_name(cell: Cell) -> str:
    """Return how the name of a study begins that fills cells of the cell's table."""
    return f"{PAPERS[cell.paper].title}, table {cell.table}: "


def studies_of(
    cells: Sequence[Cell], protocol: str = "paper"
) -> list[tuple[Study, dict[str, tuple[Dataset, str]]]]:
    """Return the studies that fill cells of one table at the paper's protocol, or nested.

    Parameters
    ----------
    cells : sequence of Cell
        Of one table; none of those that :func:`why_not_here` names.
    protocol : {"paper", "nested"}

    Returns
    -------
    list of (Study, dict)
        With the data sets that it names, each with the printed name of its set.
    """
    groups: dict[int, dict[str, dict[str, None]]] = {}
    for cell in cells:
        draws = RECIPES[cell.paper, cell.algorithm].draws
        if printed_set(cell.paper, cell.dataset).params.get("n_samples", 0) >= LARGEST:
            draws = 1
        groups.setdefault(draws, {}).setdefault(cell.dataset, {})[cell.algorithm] = None
    return [
        study
        for draws, sets in groups.items()
        for drawn in (True, False)
        if (study := _study(cells[0], _of_kind(cells[0], sets, drawn), draws, drawn, protocol))
    ]


def _of_kind(like: Cell, sets: dict[str, dict[str, None]], drawn: bool) -> dict:
    """Return the sets that a generator draws, or the others."""
    return {n: a for n, a in sets.items() if is_drawn(printed_set(like.paper, n)) is drawn}


def _study(
    like: Cell, sets: dict[str, dict[str, None]], draws: int, drawn: bool, protocol: str
) -> tuple[Study, dict[str, tuple[Dataset, str]]] | None:
    """Return a study of all algorithms on all sets: divided anew, or drawn anew."""
    if not sets:
        return None
    given, choices = {}, []
    for name in sets:
        for draw in range(draws if drawn else 1):
            data = printed_data(like.paper, name, draw)
            key = TABLE + data.digest
            given[key] = data, name
            title = f"{name}, {draw + 1}" if drawn and draws > 1 else name
            choices.append(DataChoice(key, (), title))
    algorithms = dict.fromkeys(a for names in sets.values() for a in names)
    recipes = {a: RECIPES[like.paper, a] for a in algorithms}
    chosen = CHOOSING[protocol] if any(r.grid for r in recipes.values()) else "fixed"
    study = Study(
        run_name(like) + ", ".join(sets),
        tuple(AlgorithmChoice(r.key, r.params, r.grid, a, r.unlabelled)
              for a, r in recipes.items()),
        tuple(choices),
        repeats=1 if drawn else draws,
        folds=FOLDS[like.paper],
        protocol=chosen,
    )  # fmt: skip
    return study, given


def figure_in(folds: pd.DataFrame, study: Study, cell: Cell) -> Ours | tuple[int, int] | None:
    """Return what a study says of a cell: our figure, or how many of its folds are done.

    None where it is not about the cell.

    Parameters
    ----------
    folds : DataFrame
        See :meth:`lastviz.studies.store.Store.folds`.
    study : Study
    cell : Cell
    """
    titles = [d.name for d in study.datasets if d.name.rpartition(", ")[0] == cell.dataset]
    titles = titles or [d.name for d in study.datasets if d.name == cell.dataset]
    choice = next((a for a in study.algorithms if a.name == cell.algorithm), None)
    if not titles or choice is None:
        return None
    n_points = 1 if study.protocol == "nested" else len(choice.points())
    own = folds[(folds["algorithm"] == cell.algorithm) & folds["dataset"].isin(titles)]
    done = own[own["state"] == "done"]
    n_folds = len(titles) * study.repeats * study.folds * n_points
    if len(done) < n_folds:
        return len(done), n_folds
    protocol = "nested" if study.protocol == "nested" else "paper"
    recipe = RECIPES[cell.paper, cell.algorithm]
    return figure_of_folds(cell, protocol, compared(done), recipe.key)
