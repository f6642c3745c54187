"""The scores of a study as arrays, and the rule for missing ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from lastviz._sentences import Refusal

COLUMNS = ("algorithm", "dataset", "repeat", "fold", "value")
DIGITS = 12  # what differs less is equal


class CannotTell(Refusal):
    """Reason why scores do not answer a question, as a sentence for users."""


@dataclass(frozen=True, eq=False)
class StudyScores:
    """One metric of every algorithm on every run (fold of a repeat) of every data set.

    What is missing: only runs that all algorithms of a comparison have on a data set count in
    it, so that none is judged by easier folds; an algorithm without any run on a data set does
    not keep the others from being compared there.
    """

    metric: str
    larger_is_better: bool
    algorithms: tuple[str, ...]
    datasets: tuple[str, ...]
    # (n_algorithms, n_datasets, n_runs) float64, NaN where a run is missing or its metric has no
    # value; data sets with fewer runs end with NaN.
    values: np.ndarray
    # (n_datasets,) intp, runs of each data set: those that any algorithm has, or has a row for.
    n_runs: np.ndarray
    n_folds: np.ndarray  # (n_datasets,) intp, folds of a repeat

    @property
    def sign(self) -> float:
        """1 if larger is better, else -1."""
        return 1.0 if self.larger_is_better else -1.0

    @cached_property
    def n_done(self) -> np.ndarray:
        """Runs that each algorithm has on each data set, shape (n_algorithms, n_datasets)."""
        return np.isfinite(self.values).sum(axis=2)

    @cached_property
    def common(self) -> np.ndarray:
        """Mask of the runs of a data set that all algorithms with any run on it have.

        Shape (n_datasets, n_runs).
        """
        has = np.isfinite(self.values)
        absent = ~has.any(axis=2, keepdims=True)
        return (has | absent).all(axis=0) & has.any(axis=0)

    @cached_property
    def means(self) -> np.ndarray:
        """Mean over the common runs, NaN where there is none.

        Shape (n_algorithms, n_datasets).
        """
        n = self.common.sum(axis=1)
        total = np.where(self.common, np.nan_to_num(self.values), 0.0).sum(axis=2)
        some = (n > 0) & (self.n_done > 0)
        mean = np.divide(total, n, out=np.full(total.shape, np.nan), where=some)
        return np.round(mean, DIGITS)

    @cached_property
    def complete(self) -> np.ndarray:
        """Mask of the data sets on which every algorithm has a mean, shape (n_datasets,)."""
        return np.isfinite(self.means).all(axis=0)

    def index(self, algorithm: str) -> int:
        """Place of an algorithm.

        Raises
        ------
        ValueError
            If the study does not have it.
        """
        if algorithm not in self.algorithms:
            known = ", ".join(self.algorithms)
            raise ValueError(f"there is no algorithm {algorithm!r} in the study, it has: {known}")
        return self.algorithms.index(algorithm)

    def differences(self, first: str, second: str, dataset: str) -> np.ndarray:
        """Advantage of `first` over `second` on each run that both have."""
        if dataset not in self.datasets:
            raise ValueError(f"there is no data set {dataset!r} in the study")
        of = self.datasets.index(dataset)
        both = self.values[[self.index(first), self.index(second)], of]
        away = np.round(self.sign * (both[0] - both[1]), DIGITS)
        return away[np.isfinite(away)]

    def mean_differences(self, first: str, second: str) -> np.ndarray:
        """Mean advantage of `first` on each data set, shape (n_datasets,).

        The mean over the runs that both have; NaN where they have none in common.
        """
        both = self.values[self.index(first)] - self.values[self.index(second)]
        n = np.isfinite(both).sum(axis=1)
        total = np.nansum(both, axis=1)
        mean = np.divide(total, n, out=np.full(len(n), np.nan), where=n > 0)
        return np.round(self.sign * mean, DIGITS)


def study_scores(
    table: pd.DataFrame,
    *,
    metric: str = "accuracy",
    larger_is_better: bool = True,
    algorithms: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> StudyScores:
    """Scores of a tidy table.

    Parameters
    ----------
    table : DataFrame
        With the columns algorithm, dataset, repeat, fold and value; a row a run. A value that
        is NaN is a run that is planned or has no value.
    metric : str, default "accuracy"
        What the values are.
    larger_is_better : bool, default True
    algorithms, datasets : sequence of str, optional
        Which are asked about, in this order; default all, in the order of their first rows.

    Raises
    ------
    ValueError
        If a column is missing, a run stands twice, a value is infinite, or a name is unknown.

    Notes
    -----
    O(rows).
    """
    lacking = [column for column in COLUMNS if column not in table]
    if lacking:
        raise ValueError(f"the table has no column {lacking[0]!r}; it needs {', '.join(COLUMNS)}")
    table = table.loc[:, list(COLUMNS)]
    names = {column: table[column].astype(str) for column in ("algorithm", "dataset")}
    table = table.assign(**names)  # numbers and categories are names, too
    algorithms = _chosen(table["algorithm"], algorithms, "algorithm")
    datasets = _chosen(table["dataset"], datasets, "dataset")
    table = table[table["algorithm"].isin(algorithms) & table["dataset"].isin(datasets)]
    twice = table.duplicated(list(COLUMNS[:4]))
    if twice.any():
        a, d, r, f = table.loc[twice, list(COLUMNS[:4])].iloc[0]
        raise ValueError(f"{a} on {d} stands twice in the table for repeat {r}, fold {f}")
    value = table["value"].to_numpy(np.float64)
    if np.isinf(value).any():
        row = table[np.isinf(value)].iloc[0]
        raise ValueError(f"{metric} of {row['algorithm']} on {row['dataset']} is infinite")
    of = pd.Index(datasets).get_indexer(table["dataset"])
    run, n_runs, n_folds = _runs(table, of, len(datasets))
    values = np.full((len(algorithms), len(datasets), int(n_runs.max(initial=0))), np.nan)
    values[pd.Index(algorithms).get_indexer(table["algorithm"]), of, run] = value
    return StudyScores(metric, larger_is_better, algorithms, datasets, values, n_runs, n_folds)


def _chosen(column: pd.Series, wanted: Sequence[str] | None, what: str) -> tuple[str, ...]:
    known = tuple(pd.unique(column))
    if wanted is None:
        return known
    strange = [name for name in wanted if name not in known]
    if strange:
        raise ValueError(f"the table has no {what} {strange[0]!r}")
    return tuple(wanted)


def _runs(
    table: pd.DataFrame, of: np.ndarray, n_sets: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Run of each row, counted within its data set, and runs and folds of each set."""
    keys = pd.DataFrame({
        "of": of, "repeat": table["repeat"].to_numpy(), "fold": table["fold"].to_numpy()
    })  # fmt: skip
    each = keys.drop_duplicates().sort_values(["of", "repeat", "fold"], ignore_index=True)
    each["run"] = each.groupby("of").cumcount()
    run = keys.merge(each, how="left", on=["of", "repeat", "fold"])["run"].to_numpy(np.intp)
    n_runs = np.bincount(each["of"], minlength=n_sets)
    folds = each.drop_duplicates(["of", "fold"])
    return run, n_runs.astype(np.intp), np.bincount(folds["of"], minlength=n_sets).astype(np.intp)
