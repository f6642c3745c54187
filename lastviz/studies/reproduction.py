"""The tables of the papers computed anew: the study of each of their cells, and its result.

A column of a table is an algorithm with parameters or a grid, a row is a data set; together they
are a :class:`~.study.Study` at the paper's protocol, and honestly nested beside it where the paper
chooses by its test folds. The SVM tree's tables are in :mod:`.svm_divisions`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from math import nan, sqrt
from typing import TYPE_CHECKING

import pandas as pd

from lastviz import __version__
from lastviz._sentences import Statement
from lastviz.datasets import Dataset, all_datasets

from .candidates import RESULTS_VERSION
from .kept_data import is_drawn, printed_data
from .latex import comparable_folds
from .published import (
    ALL_SETS,
    CLAIMS,
    PAPERS,
    QUANTITIES,
    PrintedCell,
    our_figures,
    printed_set,
    published_cells,
)
from .published.cells import Ours
from .study import AlgorithmChoice, DataChoice, Study

if TYPE_CHECKING:
    from .store import StudyStore


W2 = (0.0025, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.05, 0.075, 0.1)
K = (2, 3, 5, 7, 10, 15, 20, 30)


@dataclass(frozen=True)
class PaperRecipe:
    """Counterpart of a paper's algorithm here."""

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


def why_not_run(cell: PrintedCell) -> str:
    """Reason why a printed figure cannot be computed here, and a remedy.

    "" where it can be computed.
    """
    return " ".join(reasons_of(cell))


def reasons_of(cell: PrintedCell) -> list[Statement]:
    """Sentences of :func:`why_not_run`."""
    if cell.metric == "sampling_seconds":
        return [
            Statement(
                "The time to draw rows is part of the running time and is not measured separately."
            )
        ]
    if cell.dataset == ALL_SETS:
        return [Statement("A mean over all data sets is computed from the other tables.")]
    if cell.paper != SVM and (cell.paper, cell.algorithm) not in RECIPES:
        return [Statement("This algorithm is not included in lastviz.")]
    known = printed_set(cell.paper, cell.dataset)
    if known.key or f"folder.{known.file}" in all_datasets():
        return []
    note = [Statement(known.note)] if known.note else []
    if not known.is_public:
        return note
    found = [Statement("Put {file}.csv into the folder that LASTVIZ_DATA names.", file=known.file)]
    if known.openml:
        found.append(Statement("OpenML has it as number {number}.", number=str(known.openml)))
    return [*found, *note]


def cells_to_fill(paper: str) -> tuple[PrintedCell, ...]:
    """Cells that can be computed.

    They are those printed and, in table 0, those that only claims need.
    """
    claims = (each for each in CLAIMS if each.paper == paper and each.table is None)
    keys = dict.fromkeys(key for claim in claims for key in claim.cells)
    beside = (PrintedCell(paper, 0, *key, nan, nan, 0) for key in keys)
    return tuple(cell for cell in (*published_cells(paper), *beside) if not reasons_of(cell))


def plans(
    paper: str, *, datasets: tuple[str, ...] = (), algorithms: tuple[str, ...] = ()
) -> Iterator[Plan]:
    """Yield the studies that fill the tables of a paper; () is all of them.

    Of a generated set each draw is a data set of the study, of another each repeat is a division.
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


def draws_and_divisions(paper: str, dataset: str, algorithm: str) -> tuple[int, int]:
    """Numbers of a study's draws of a data set, and of divisions of each into folds."""
    known, n = printed_set(paper, dataset), RECIPES[paper, algorithm].draws
    if not is_drawn(known):
        return 1, n
    return (1 if known.params.get("n_samples", 0) >= LARGE else n), 1


def _study(
    paper: str, dataset: str, algorithm: str, protocol: str
) -> tuple[Study, dict[str, Dataset]]:
    recipe = RECIPES[paper, algorithm]
    draws, repeats = draws_and_divisions(paper, dataset, algorithm)
    given = {f"{dataset}, draw {i}": printed_data(paper, dataset, i) for i in range(draws)}
    choice = AlgorithmChoice(recipe.key, recipe.params, recipe.grid, algorithm, recipe.unlabelled)
    study = Study(
        f"{PAPERS[paper].title}: {dataset}, {algorithm}",
        (choice,),
        tuple(DataChoice(key, (), key) for key in given),
        repeats=repeats,
        folds=FOLDS[paper],
        protocol=protocol,
    )
    return study, given


def figures_of(plan: Plan, store: StudyStore, study_id: str) -> list[Ours]:
    """Figures of a finished study for the cells that it fills.

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
    done = comparable_folds(folds)
    return [
        _figure_of_folds(cell, plan.protocol, done)
        for cell in cells_to_fill(plan.paper)
        if (cell.dataset, cell.algorithm) == (plan.dataset, plan.algorithm)
    ]


def _figure_of_folds(cell: PrintedCell, protocol: str, done: pd.DataFrame) -> Ours:
    """Our figure of a cell from the finished folds of its algorithm on its data set."""
    quantity = QUANTITIES[cell.metric]
    values = quantity.offset + quantity.factor * done[quantity.metric]
    divisions = values.groupby([done["dataset"], done["repeat"]])
    return Ours(
        *(cell.paper, cell.table, cell.dataset, cell.algorithm, cell.metric, cell.setting),
        protocol, float(values.mean()), float(divisions.std(ddof=1).mean()), len(values),
        divisions.ngroups, RESULTS_VERSION[RECIPES[cell.paper, cell.algorithm].key],
        f"{datetime.now(UTC):%Y-%m-%d}", __version__,
    )  # fmt: skip


def noise_between(one: Ours, other: Ours) -> float:
    """Two standard errors of a difference, corrected for training rows in common.

    Nadeau and Bengio (2003), Machine Learning 52: the variance of a mean over folds is the folds'
    times 1 / n + n_test / n_train. n counts the folds of one division.
    """
    variance = 0.0
    for each in (one, other):
        n = each.n_folds / each.n_divisions
        share = SVM_SHARE if each.paper == SVM else 1.0 / (n - 1.0)
        variance += each.spread**2 * (1.0 / each.n_folds + share)
    return 2.0 * sqrt(variance)


NOT_YET = "Not computed yet."


def gaps(paper: str, table: int) -> dict[str, list[PrintedCell]]:
    """Empty cells of a table by the reason why they are empty, a sentence or two."""
    ours, found = our_figures(paper, table), {}
    for cell in published_cells(paper, table):
        if cell.key not in ours:
            found.setdefault(why_not_run(cell) or NOT_YET, []).append(cell)
    return found
