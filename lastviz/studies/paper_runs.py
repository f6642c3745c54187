"""Cells of the papers' tables as studies that a visitor begins, and what came of them.

One study for all cells that need as many draws; its data sets are named so that its folds say
which cells they fill.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from lastviz.datasets import Dataset

from .paper_data import Drawn, is_drawn, printed_data
from .published import PAPERS, Ours, PrintedCell, printed_set
from .reproduction import (
    CHOOSING,
    FOLDS,
    LARGE,
    RECIPES,
    SVM,
    figure_of_folds,
    why_not_run,
)
from .study import AlgorithmChoice, DataChoice, Study
from .tables import compared
from .tasks import Cell, plan

TABLE = "table."  # how keys of data sets begin that a study keeps
PrintedData = tuple[Dataset | Drawn, str]
"""The rows of a set, or how they are drawn again, and its printed name."""


@dataclass(frozen=True)
class PlannedStudy:
    """A study that can be begun."""

    study: Study
    cells: tuple[Cell, ...]  # see `lastviz.studies.tasks.plan`
    # mapping of str to (Dataset or Drawn, str), the data sets that it names: what is kept of them,
    # and the printed name.
    tables: Mapping[str, PrintedData]


def can_run_here(cell: PrintedCell) -> bool:
    """Tell whether a visitor can compute a cell."""
    return why_not_run(cell) is None


def is_study(cell: PrintedCell) -> bool:
    """Tell whether a cell is folds of a study; the SVM tree's are divisions of its own."""
    return cell.paper != SVM


def run_name(cell: PrintedCell) -> str:
    """Return how the name of a study begins that fills cells of the cell's table."""
    return f"{PAPERS[cell.paper].title}, table {cell.table}: "


def studies_in_steps(
    cells: Sequence[PrintedCell], protocol: str = "paper"
) -> Generator[float, None, list[PlannedStudy]]:
    """Return the studies that fill cells of one table at the paper's protocol, or nested.

    Yields the share of the data sets that are there: large ones take seconds to draw.

    Parameters
    ----------
    cells : sequence of PrintedCell
        Of one table; :func:`can_run_here` and :func:`is_study` hold for all.
    protocol : {"paper", "nested"}

    Returns
    -------
    list of PlannedStudy
    """
    groups: dict[int, dict[str, dict[str, None]]] = {}
    for cell in cells:
        draws = RECIPES[cell.paper, cell.algorithm].draws
        if printed_set(cell.paper, cell.dataset).params.get("n_samples", 0) >= LARGE:
            draws = 1
        groups.setdefault(draws, {}).setdefault(cell.dataset, {})[cell.algorithm] = None
    kinds = [
        (draws, of_kind, drawn)
        for draws, sets in groups.items()
        for drawn in (True, False)
        if (of_kind := _of_kind(cells[0], sets, drawn))
    ]
    n_sets = sum(len(sets) * (draws if drawn else 1) for draws, sets, drawn in kinds)
    found, n_done = [], 0
    for draws, sets, drawn in kinds:
        given, tables = {}, {}
        for name in sets:
            for draw in range(draws if drawn else 1):
                yield n_done / n_sets
                data = printed_data(cells[0].paper, name, draw)
                size = data.n_samples, data.n_features
                known = Drawn(cells[0].paper, name, draw, data.digest, *size)
                given[TABLE + data.digest] = data
                tables[TABLE + data.digest] = known if drawn else data, name
                n_done += 1
        study = _study(cells[0], sets, tables, draws, drawn, protocol)
        found.append(PlannedStudy(study, plan(study, given)[0], tables))
    return found


def _of_kind(like: PrintedCell, sets: dict[str, dict[str, None]], drawn: bool) -> dict:
    """Return the sets that a generator draws, or the others."""
    return {n: a for n, a in sets.items() if is_drawn(printed_set(like.paper, n)) is drawn}


def _study(
    like: PrintedCell,
    sets: dict[str, dict[str, None]],
    tables: Mapping[str, PrintedData],
    draws: int,
    drawn: bool,
    protocol: str,
) -> Study:
    """Return a study of all algorithms on all sets: divided anew, or drawn anew."""
    choices = [
        DataChoice(key, (), f"{name}, {known.draw + 1}" if drawn and draws > 1 else name)
        for key, (known, name) in tables.items()
    ]
    algorithms = dict.fromkeys(a for names in sets.values() for a in names)
    recipes = {a: RECIPES[like.paper, a] for a in algorithms}
    chosen = CHOOSING[protocol] if any(r.grid for r in recipes.values()) else "fixed"
    return Study(
        run_name(like) + ", ".join(sets),
        tuple(AlgorithmChoice(r.key, r.params, r.grid, a, r.unlabelled)
              for a, r in recipes.items()),
        tuple(choices),
        repeats=1 if drawn else draws,
        folds=FOLDS[like.paper],
        protocol=chosen,
    )  # fmt: skip


def figure_in(
    folds: pd.DataFrame, study: Study, cell: PrintedCell
) -> Ours | tuple[int, int] | None:
    """Return what a study says of a cell: our figure, or how many of its folds are done.

    None where it is not about the cell.

    Parameters
    ----------
    folds : DataFrame
        See :meth:`lastviz.studies.store.Store.folds`.
    study : Study
    cell : PrintedCell
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
