"""The page *compare*: the scene of a study, as far as the study has come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from lastviz.datasets import load_dataset
from lastviz.host.memory import remembered
from lastviz.host.turns import TURNS
from lastviz.plots import ThemeName
from lastviz.studies.example import EXAMPLE
from lastviz.studies.latex import comparable_folds
from lastviz.studies.memory import MEMORY
from lastviz.studies.metrics import METRICS, Metric
from lastviz.studies.statistics import (
    CannotTell,
    Friedman,
    Nemenyi,
    PairTests,
    Standings,
    Statement,
    StudyScores,
    compare_pairs,
    conclusion,
    friedman,
    nemenyi,
    standings,
    study_scores,
)
from lastviz.studies.study import DataChoice, Study
from lastviz.studies.tasks import TIMES, StudyStanding
from lastviz.ui.compute.studies import StudyStore, ask_about
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import language, t

MEASURES: dict[str, Metric] = {
    **METRICS,
    TIMES[0]: Metric(TIMES[0], "time to learn", "seconds", False),
    TIMES[1]: Metric(TIMES[1], "time to predict", "seconds", False),
    MEMORY: Metric(MEMORY, "memory of a fold", "megabytes", False),
}
"""All that is measured of a fold, by column."""

SMALL = {"share": 1.0, "count": 0.5, "megabytes": 0.5}  # differences too small to matter, as shown
SMALL_OTHERS = 0.01


@dataclass(frozen=True)
class SetSize:
    """Size of a data set; 0 where it could not be loaded."""

    n_samples: int
    n_features: int


@dataclass(frozen=True, eq=False)
class CompareScene:
    """A study with its results so far, and the user's choices about it."""

    study_id: str
    study: Study
    standing: StudyStanding
    cells: (
        pd.DataFrame
    )  # cell, algorithm, dataset, reason; see `lastviz.studies.store.StudyStore.cells`
    folds: pd.DataFrame  # see `lastviz.studies.store.StudyStore.folds`
    theme: ThemeName  # {"light", "dark"}
    metric: Metric
    rope: float  # in the unit that is shown
    sizes: dict[str, SetSize]  # of the data sets, by what they are called
    rivals: tuple[int, int] | None  # asked for
    cell: int | None  # asked for

    @property
    def factor(self) -> float:
        """Factor of a value for display: shares are per cent."""
        return 100.0 if self.metric.unit == "share" else 1.0

    @cached_property
    def runs(self) -> pd.DataFrame:
        """The folds that count, one row for each cell, repeat and fold."""
        if not (self.folds["state"] == "done").any():
            return self.folds.iloc[:0]
        return comparable_folds(self.folds)

    @cached_property
    def metrics(self) -> list[Metric]:
        """Metrics that were measured."""
        return [m for key, m in MEASURES.items() if self.runs[key].notna().any()]

    # Memory is not measured of every fold; those without it do not count.
    def table(self, key: str, factor: float = 1.0) -> pd.DataFrame:
        """Metric of every run that is planned; NaN where it is not known (yet)."""
        planned = self.cells.loc[self.cells["reason"] == "", ["algorithm", "dataset"]]
        n = self.study.repeats * self.study.folds
        every = planned.loc[planned.index.repeat(n)].reset_index(drop=True)
        every["repeat"] = np.tile(
            np.repeat(np.arange(self.study.repeats), self.study.folds), len(planned)
        )
        every["fold"] = np.tile(np.arange(self.study.folds), self.study.repeats * len(planned))
        known = self.runs[["algorithm", "dataset", "repeat", "fold", key]]
        found = every.merge(known.rename(columns={key: "value"}), how="left", indicator=True)
        if key == MEMORY:
            found = found[(found["_merge"] != "both") | found["value"].notna()]
        found = found.drop(columns="_merge")
        return found.assign(value=factor * found["value"].astype(np.float64))

    @cached_property
    def scores(self) -> StudyScores | None:
        """The metric, in the unit that is shown; None as long as nothing is known."""
        if not len(self.runs):
            return None
        table = self.table(self.metric.key, self.factor)
        table = table[table["algorithm"].isin(self.algorithms)]
        return study_scores(
            table,
            metric=t(self.metric.title),
            larger_is_better=self.metric.larger_is_better,
            algorithms=self.algorithms,
            datasets=self.datasets,
        )

    @cached_property
    def algorithms(self) -> list[str]:
        """Those that the metric is about, in the order of the study."""
        return self._about("algorithm", [a.name for a in self.study.algorithms])

    @cached_property
    def datasets(self) -> list[str]:
        """Those that the metric is about, in the order of the study."""
        return self._about("dataset", [d.name for d in self.study.datasets])

    def _about(self, part: str, names: list[str]) -> list[str]:
        """Names that fit anything and have the metric, or nothing yet."""
        fit = set(self.cells.loc[self.cells["reason"] == "", part])
        done = set(self.runs[part])
        measured = set(self.runs.loc[self.runs[self.metric.key].notna(), part])
        return [name for name in names if name in fit and (name in measured or name not in done)]

    # No interval exceeds the range of the metric.
    @cached_property
    def standings(self) -> Standings | None:
        """Standings of every algorithm on every data set."""
        if self.scores is None:
            return None
        found = standings(self.scores)
        if self.standing.goes_on:
            found = replace(found, p=np.full_like(found.p, np.nan))
        least, most = (self.factor * limit for limit in self.metric.limits)
        return replace(found, low=np.maximum(found.low, least), high=np.minimum(found.high, most))

    def verdict(self, question: Callable[[StudyScores], object]) -> object:
        """Answer of the scores to a question, or the reason for none.

        A study that still runs has no answer.

        Whoever looks at a test after each fold finds a difference sooner or later.
        """
        if self.scores is None:
            return CannotTell("There is nothing to compare yet.")
        if self.standing.goes_on:
            return CannotTell("The study still runs: tests and conclusions follow when it stops.")
        try:
            return question(self.scores)
        except CannotTell as reason:
            return reason

    @cached_property
    def ranks(self) -> tuple[Friedman, Nemenyi] | CannotTell:
        """Mean ranks with their critical difference, or why there are none."""

        def ranked(scores: StudyScores) -> tuple[Friedman, Nemenyi]:
            found = friedman(scores)
            return found, nemenyi(found)

        return self.verdict(ranked)

    @cached_property
    def pairs(self) -> PairTests | CannotTell:
        """All pairs of algorithms over data sets, or why there are none."""
        return self.verdict(compare_pairs)

    @cached_property
    def conclusion(self) -> tuple[Statement, ...] | CannotTell:
        """Conclusions of the study, or the reason for none."""
        found = self.verdict(lambda scores: conclusion(scores, rope=self.rope))
        known, n = self.standing.n_done + self.standing.n_failed, self.standing.n_folds
        if known == n or isinstance(found, CannotTell):
            return found
        so_far = Statement("So far, with {known} of {n} folds:", role="so", known=known, n=n)
        return (so_far, *found)

    # None if there are none.
    @cached_property
    def two(self) -> tuple[str, str] | None:
        """The two algorithms that are compared closely, by default the two best."""
        if self.scores is None or len(self.algorithms) < 2:
            return None
        if self.rivals is not None and max(self.rivals) < len(self.algorithms):
            return self.algorithms[self.rivals[0]], self.algorithms[self.rivals[1]]
        if self.standing.goes_on:  # the best may change with every fold
            return self.algorithms[0], self.algorithms[1]
        worth = np.nan_to_num(self.scores.sign * self.scores.means, nan=-np.inf).mean(axis=1)
        if not isinstance(self.ranks, CannotTell):
            worth = -self.ranks[0].mean_ranks
        first, second = np.argsort(-worth, kind="stable")[:2].tolist()
        return self.algorithms[first], self.algorithms[second]

    @property
    def at(self) -> int:
        """The cell that is looked at."""
        known = self.cells["cell"].tolist()
        return self.cell if self.cell in known else known[0]

    # Each division of a cell has its folds once per grid point.
    @property
    def n_points(self) -> dict[str, int]:
        """Number of grid points of each algorithm, 1 if the choice is nested."""
        nested = self.study.protocol == "nested"
        return {a.name: 1 if nested else len(a.points()) for a in self.study.algorithms}

    def seconds_left(self, n_workers: int) -> float | None:
        """Approximate seconds left in the study, None while a cell has no fold yet."""
        known = self.folds.groupby("cell")["seconds"].agg(["count", "median"])
        fit = self.cells.loc[self.cells["reason"] == "", "cell"]
        if not fit.isin(known.index).all():
            return None
        per_cell = self.cells.set_index("cell")["algorithm"].map(self.n_points)
        wanted = per_cell[known.index] * self.study.repeats * self.study.folds
        left = (wanted - known["count"]).clip(lower=0)
        return float((left * known["median"]).sum()) / n_workers

    def averages(self, key: str, how: str = "mean") -> np.ndarray:
        """Mean or "median" of a metric of each cell, (n_algorithms, n_datasets)."""
        found = self.runs.groupby(["algorithm", "dataset"])[key].agg(how).unstack()
        return found.reindex(index=self.algorithms, columns=self.datasets).to_numpy(np.float64)


def study_opened(selection: Selection, owner: str | None) -> Study | None:
    """Study that the selection names, None if this owner has no such study.

    Raises
    ------
    CannotShow
        If the store does not answer.
    """
    study_id = selection.compare.study
    if not study_id or not (owner or study_id == EXAMPLE):
        return None

    def look(line: StudyStore) -> Study | None:
        if line.state_for(study_id, owner) is None:
            return None
        return line.study(study_id, owner, line.tables(study_id))

    return ask_about(study_id, look)


def compare_scene(
    selection: Selection, study: Study, owner: str | None, theme: ThemeName
) -> CompareScene | None:
    """Scene of a study, None if it has been deleted."""
    view = selection.compare
    standing = ask_about(view.study, lambda line: line.standing(view.study, owner))
    if standing is None:
        return None
    choices = (view.metric, view.rope, view.rivals, view.study_cell, theme, language())
    key = f"{view.study}|{standing}|{choices}"
    return _scene(key, selection, study, standing, theme)


@remembered
def _scene(
    key: str, selection: Selection, study: Study, standing: StudyStanding, theme: ThemeName
) -> CompareScene:
    """Scene, which remembers its statistics: opening a box asks for it again."""
    view = selection.compare
    done = f"{view.study}|{standing.n_done}|{standing.n_failed}|{language()}"
    cells, folds = _results(done, view.study)
    metric = _metric(view.metric, folds)
    rope = view.rope if view.rope is not None else SMALL.get(metric.unit, SMALL_OTHERS)
    return CompareScene(
        *(view.study, study, standing, cells, folds, theme, metric, rope),
        _sizes(f"{view.study}|sizes|{language()}", view.study, study),
        *(view.rivals, view.study_cell),
    )


def _metric(wanted: str, folds: pd.DataFrame) -> Metric:
    """Metric asked for if it was measured, else the first that was."""
    measured = [key for key in MEASURES if folds[key].notna().any()]
    first = measured[0] if measured else next(iter(MEASURES))
    return MEASURES[wanted if wanted in measured else first]


@remembered
def _results(key: str, study_id: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    return ask_about(study_id, lambda line: (line.cells(study_id), line.folds(study_id)))


@remembered
def _sizes(key: str, study_id: str, study: Study) -> dict[str, SetSize]:
    given = ask_about(study_id, lambda line: line.sizes(study_id))
    with TURNS.away():
        return {choice.name: _size(choice, given.get(choice.key)) for choice in study.datasets}


def _size(choice: DataChoice, known: tuple[int, int] | None) -> SetSize:
    if known is not None:
        return SetSize(*known)
    try:
        dataset = load_dataset(choice.key, **dict(choice.params))
    except (ValueError, OSError):
        return SetSize(0, 0)
    return SetSize(dataset.n_samples, dataset.n_features)
