"""The tables of the papers computed anew: which study each of their cells is, and what it gave.

A column of a table is an algorithm with parameters or a grid, a row is a data set; together they
are a :class:`~.study.Study` at the paper's protocol, and honestly nested beside it where the paper
chooses by its test folds. The SVM tree's tables are in :mod:`.svm_divisions`.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from math import nan, sqrt
from typing import TYPE_CHECKING

import pandas as pd

from lastviz import __version__
from lastviz.datasets import Dataset, all_datasets

from .candidates import RESULTS_VERSION
from .kept_data import Drawn, is_drawn, printed_data
from .latex import compared
from .published import (
    ALL_SETS,
    CLAIMS,
    FIGURES,
    PAPERS,
    QUANTITIES,
    TABLES,
    PrintedCell,
    our_figures,
    printed_set,
    published_cells,
)
from .published.cells import Ours
from .study import AlgorithmChoice, DataChoice, Study
from .tasks import Cell, plan

if TYPE_CHECKING:
    from .store import Store


W2 = (0.0025, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.05, 0.075, 0.1)
K = (2, 3, 5, 7, 10, 15, 20, 30)


@dataclass(frozen=True)
class PaperRecipe:
    """What an algorithm of a paper is here."""

    key: str  # of `lastviz.studies.candidates.candidates`
    params: tuple[tuple[str, object], ...] = ()
    grid: tuple[tuple[str, tuple], ...] = ()  # values among which the paper chooses
    unlabelled: bool = False  # whether the rows held out take part without their classes
    draws: int = 5  # draws of a generated set, or divisions of another; few where one takes long


def _hybrid(criterion: str, *chosen: str) -> PaperRecipe:
    values = {"w2": W2, "k": K}
    grid = tuple((name, values[name]) for name in sorted(chosen))
    return PaperRecipe("hybrid", (("criterion", criterion),), grid, draws=1)


RECIPES: dict[tuple[str, str], PaperRecipe] = {
    ("sodt", "C4.5"): PaperRecipe("c45"),
    ("sodt", "GSODT"): PaperRecipe("gsodt", unlabelled=True),
    **{
        ("sodt", f"LSODT-L{level}"): PaperRecipe("lsodt", (("levels", level),), unlabelled=True)
        for level in (1, 2, 3)
    },
    ("sodt", "OC1"): PaperRecipe("oc1", draws=1),
    ("sodt", "CART-LC"): PaperRecipe("cart_lc", draws=1),
    ("bnm_csn", "Gini"): _hybrid("gini"),
    ("bnm_csn", "BNM+Gini"): _hybrid("bnm", "w2"),
    ("bnm_csn", "CSN+Gini"): _hybrid("csn", "k"),
    ("bnm_csn", "BNM+CSN+Gini"): _hybrid("bnm+csn", "w2", "k"),
    ("bnm_csn", "C4.5"): _hybrid("gain_ratio"),
    ("bnm_csn", "Segment+C4.5"): _hybrid("segment", "k"),
    ("bnm_csn", "SPES"): _hybrid("spes", "k"),
    ("bnm_csn", "SPCE"): _hybrid("spce", "k"),
    ("mcdf", "MCDF"): PaperRecipe("mcdf"),
    ("mcdf", "AdaBoost.M1"): PaperRecipe("adaboost_m1"),
    ("mcdf", "REMT"): PaperRecipe("remt"),
}
"""By paper and algorithm as it is printed."""

LARGE = 100_000  # rows of a generated set that is drawn once
FIXED = {"paper": "fixed"}
CHOOSING = {"paper": "best_on_test", "nested": "nested"}
FOLDS = {"sodt": 10, "bnm_csn": 5, "mcdf": 10}
SVM = "svm_tree"
SVM_SHARE = 0.5  # test rows over training rows of a division


@dataclass(frozen=True)
class Plan:
    """A study that fills cells of a paper."""

    paper: str  # as they are printed
    dataset: str  # as they are printed
    algorithm: str  # as they are printed
    protocol: str  # {"paper", "nested"}
    study: Study
    given: dict[str, Dataset]  # the data sets that it names


def why_not_run(cell: PrintedCell) -> str | None:
    """Return why a printed figure cannot be computed here, None where it can.

    A sentence, and what to do about it where anything can be done.
    """
    found = reasons_of(cell)
    return " ".join(text.format(**values) for text, values in found) or None


def reasons_of(cell: PrintedCell) -> list[tuple[str, dict[str, object]]]:
    """Return the sentences of :func:`why_not_run`, each with the values of its places."""
    if cell.metric == "sampling_seconds":
        return [
            (
                "The time to draw rows is part of the running time and is not measured separately.",
                {},
            )
        ]
    if cell.dataset == ALL_SETS:
        return [("A mean over all data sets is computed from the other tables.", {})]
    if cell.paper != SVM and (cell.paper, cell.algorithm) not in RECIPES:
        return [("This algorithm is not included in lastviz.", {})]
    known = printed_set(cell.paper, cell.dataset)
    if known.key or f"folder.{known.file}" in all_datasets():
        return []
    note = [(known.note, {})] if known.note else []
    if not known.is_public:
        return note
    put = ("Put {file}.csv into the folder that LASTVIZ_DATA names.", {"file": known.file})
    there = ("OpenML has it as number {number}.", {"number": known.openml})
    return [put, *([there] if known.openml else []), *note]


def cells_to_fill(paper: str) -> tuple[PrintedCell, ...]:
    """Return the cells that can be computed: those printed, and what its claims and figures need.

    These stand in table 0, without a printed figure.
    """
    untold = [*(claim for claim in CLAIMS if claim.table is None), *FIGURES.values()]
    spoken = dict.fromkeys((each.paper, key) for each in untold for key in each.cells)
    beside = (PrintedCell(name, 0, *key, nan, nan, 0) for name, key in spoken if name == paper)
    return tuple(cell for cell in (*published_cells(paper), *beside) if why_not_run(cell) is None)


def plans(
    paper: str, *, datasets: tuple[str, ...] = (), algorithms: tuple[str, ...] = ()
) -> Iterator[Plan]:
    """Yield the studies that fill the tables of a paper; () is all of them.

    Of a generated set each draw is a data set of the
    study, of another each repeat is a division.
    """
    pairs = dict.fromkeys((cell.dataset, cell.algorithm) for cell in cells_to_fill(paper))
    for dataset, algorithm in pairs:
        if (datasets and dataset not in datasets) or (algorithms and algorithm not in algorithms):
            continue
        recipe = RECIPES[paper, algorithm]
        protocols = CHOOSING if recipe.grid else FIXED
        for name, protocol in protocols.items():
            study, given = _study(paper, dataset, algorithm, protocol)
            yield Plan(paper, dataset, algorithm, name, study, given)


def _study(
    paper: str, dataset: str, algorithm: str, protocol: str
) -> tuple[Study, dict[str, Dataset]]:
    recipe = RECIPES[paper, algorithm]
    known = printed_set(paper, dataset)
    drawn = is_drawn(known)
    large = known.params.get("n_samples", 0) >= LARGE
    draws = recipe.draws if drawn and not large else 1
    given = {f"{dataset}, draw {i}": printed_data(paper, dataset, i) for i in range(draws)}
    choice = AlgorithmChoice(recipe.key, recipe.params, recipe.grid, algorithm, recipe.unlabelled)
    study = Study(
        f"{PAPERS[paper].title}: {dataset}, {algorithm}",
        (choice,),
        tuple(DataChoice(key, (), key) for key in given),
        repeats=1 if drawn else recipe.draws,
        folds=FOLDS[paper],
        protocol=protocol,
    )
    return study, given


def figures_of(plan: Plan, store: Store, study_id: str) -> list[Ours]:
    """Return what a finished study says of the cells that it fills.

    The mean over all folds, and the standard deviation over the folds of a division, the mean over
    divisions and draws, as the papers print it. A study with a fold that failed says nothing.

    Raises
    ------
    ValueError
        If folds failed, with the reason of the first.
    """
    folds = store.folds(study_id)
    reasons = (*store.cells(study_id)["reason"], *folds["reason"].dropna())
    failed = [reason for reason in reasons if reason]
    if failed or not (folds["state"] == "done").all():
        raise ValueError(failed[0] if failed else "not all folds are computed")
    done = compared(folds)
    cells = {
        (cell.table, cell.metric): cell
        for cell in cells_to_fill(plan.paper)
        if (cell.dataset, cell.algorithm) == (plan.dataset, plan.algorithm)
    }
    recipe = RECIPES[plan.paper, plan.algorithm]
    found = [figure_of_folds(c, plan.protocol, done, recipe.key) for c in cells.values()]
    drawn = any(plan.algorithm in each.best_of for each in FIGURES.values())
    if plan.study.protocol == "best_on_test" and drawn and any(c.table for c in cells.values()):
        found += _best_values(plan, found[0], json.loads(done["params"].iloc[0]))
    return found


def _best_values(plan: Plan, like: Ours, point: dict[str, float]) -> list[Ours]:
    """Return the best point of the grid, a figure a parameter; one choice has no spread."""
    names = [name for name, _ in RECIPES[plan.paper, plan.algorithm].grid]
    return [
        replace(like, table=0, metric=f"best_{name}", setting="", mean=point[name], spread=nan)
        for name in names
    ]


def figure_of_folds(cell: PrintedCell, protocol: str, done: pd.DataFrame, key: str) -> Ours:
    """Return what finished folds of an algorithm, one for each division, say of a cell."""
    quantity = QUANTITIES[cell.metric]
    values = quantity.offset + quantity.factor * done[quantity.metric]
    divisions = values.groupby([done["dataset"], done["repeat"]])
    return Ours(
        *(cell.paper, cell.table, cell.dataset, cell.algorithm, cell.metric, cell.setting),
        protocol, float(values.mean()), float(divisions.std(ddof=1).mean()), len(values),
        divisions.ngroups, RESULTS_VERSION[key], f"{datetime.now(UTC):%Y-%m-%d}", __version__,
    )  # fmt: skip


def noise_between(one: Ours, other: Ours) -> float:
    """Return two standard errors of a difference, corrected for training rows in common.

    Nadeau and Bengio (2003), Machine Learning 52: the variance of a mean over folds is the folds'
    times 1 / n + n_test / n_train. n counts the folds of one division.
    """
    variance = 0.0
    for each in (one, other):
        n = each.n_folds / each.n_divisions
        share = SVM_SHARE if each.paper == SVM else 1.0 / (n - 1.0)
        variance += each.spread**2 * (1.0 / each.n_folds + share)
    return 2.0 * sqrt(variance)


# ---- Which cells of the papers' tables are empty, each with its reason


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


# ---- Cells of the papers' tables as studies that a visitor begins, and what came of them
#
# One study for all cells that need as many draws; its data sets are named so that its folds say
# which cells they fill.


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
        study = _runs_of(cells[0], sets, tables, draws, drawn, protocol)
        found.append(PlannedStudy(study, plan(study, given)[0], tables))
    return found


def _of_kind(like: PrintedCell, sets: dict[str, dict[str, None]], drawn: bool) -> dict:
    """Return the sets that a generator draws, or the others."""
    return {n: a for n, a in sets.items() if is_drawn(printed_set(like.paper, n)) is drawn}


def _runs_of(
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
