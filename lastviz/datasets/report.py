"""A first look at a table, before any tree: its contents, and whatever would mislead a tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from lastviz.tables.target import TARGET_NAMES

from .column_roles import left_out
from .dataset import Dataset

N_BARS = 12
LOOKED_AT = 5000  # rows that suspects are sought on
MOST_CELLS = 500_000  # of these rows, over all columns
SUSPICIOUS = 0.9  # share of the errors of a guess that one column alone does away with
NEARLY = 0.99  # of the rows of a nearly constant column have one value
MANY_VALUES = 50  # different texts
RARE = 1 / 3  # a class with a smaller share of the largest one's rows is rare
# Rows in random order have no more neighbours of one class than expected and so many standard
# deviations; fewer than such a share of the pairs beyond mean little.
ORDERED, ORDERED_SHARE = 5.0, 0.1
CLASS_NAMES = {
    *("risk", "default", "churn", "churned", "survived", "fraud", "approved", "status", "grade"),
    *("quality", "rating", "type", "response", "subscribed", "purchased", "disease", "stage"),
}


@dataclass(frozen=True, eq=False)
class ColumnReport:
    """Report on one feature."""

    name: str
    kind: str
    n_missing: int  # rows without a value; different values
    n_distinct: int  # rows without a value; different values
    # top, top_share: object, float, the most frequent value (None if there is none) and its share
    # of the rows that have one
    top: object
    top_share: float
    # intp, rows in up to twelve intervals of equal width, or of up to twelve values, the most
    # frequent first or in their order.
    bars: np.ndarray
    reason: str  # why it is left out, see `lastviz.datasets.column_roles.left_out`; "" if it is not
    # Held-out share of right answers of a tree of this column alone; of a number to learn the share
    # of its variance that is explained. NaN if nothing was asked.
    alone: float


@dataclass(frozen=True)
class Suspect:
    """A column that gives the class away."""

    name: str
    # {"equal", "recoded", "decides", "predicts"}: it is the class; each of its values is one class
    # and each class one value; each of its values, seen often, has one class; a tree of it alone is
    # hardly ever wrong.
    how: str
    alone: float  # as in `ColumnReport`


@dataclass(frozen=True)
class Neighbours:
    """Rows whose class is that of the row before them, against rows in random order."""

    n_pairs: int
    n_alike: int  # pairs of neighbours of one class
    expected: float  # of them in random order
    deviation: float  # standard deviation of that number in random order
    n_runs: int  # stretches of rows of one class
    n_classes: int

    @property
    def are_in_order(self) -> bool:
        """Whether rows stand in the order of time, or in blocks; not if sorted by class."""
        apart = self.n_alike - self.expected
        is_far = apart > ORDERED * self.deviation and apart > ORDERED_SHARE * self.n_pairs
        return is_far and self.n_runs > self.n_classes


def neighbours(codes: np.ndarray) -> Neighbours:
    """Agreement of each row's class with that of the row before it.

    Parameters
    ----------
    codes : ndarray of intp, shape (n_samples,)
        Class indices, in the order of the rows.

    Notes
    -----
    Mean and deviation of the number of runs in random order: Mood, A. M. (1940), The distribution
    theory of runs, Annals of Mathematical Statistics 11, 367-392. O(n_samples).
    """
    n, counts = len(codes), np.bincount(codes).astype(np.float64)
    two, three = float(np.sum(counts**2)), float(np.sum(counts**3))
    alike = int(np.count_nonzero(codes[1:] == codes[:-1]))
    variance = (two * (two + n * (n + 1.0)) - 2.0 * n * three - n**3) / (n**2 * max(n - 1.0, 1.0))
    return Neighbours(
        n_pairs=n - 1,
        n_alike=alike,
        expected=(two - n) / n,
        deviation=float(np.sqrt(max(variance, 0.0))),
        n_runs=n - alike,
        n_classes=int(np.count_nonzero(counts)),
    )


@dataclass(frozen=True, eq=False)
class Report:
    """Findings of a first look at a table."""

    columns: tuple[ColumnReport, ...]
    n_samples: int
    # (n_samples,) intp, rows that are alike in every proposed feature and the class share a number,
    # from 0 on.
    alike: np.ndarray
    # Rows that are like another one in every proposed feature, but not in their class; 0 where
    # numbers are to be learnt.
    n_contradicting: int
    suspects: tuple[Suspect, ...]  # the most telling first
    # Share of right answers of the most frequent class among the rows that suspects were sought on
    # and held out; 0 where numbers are to be learnt.
    guess: float
    n_looked_at: int  # rows that suspects were sought on
    # tuple of (int or str, int) or None, the class with fewest rows and their number; None where
    # numbers are to be learnt.
    smallest: tuple[object, int] | None
    is_rare: bool  # whether that is less than a third of the largest class
    # Features called as class columns often are, where the class column is not.
    other_targets: tuple[str, ...]
    neighbours: Neighbours | None  # None where numbers are to be learnt

    @property
    def n_repeated(self) -> int:
        """Rows that are like an earlier one in every proposed feature and the class."""
        return self.n_samples - int(self.alike.max() + 1)

    @property
    def left_out(self) -> dict[str, str]:
        """The features left out unless somebody says otherwise, each with the reason."""
        return {column.name: column.reason for column in self.columns if column.reason}

    @property
    def constant(self) -> tuple[str, ...]:
        """The features with one value or none."""
        return tuple(column.name for column in self.columns if column.n_distinct < 2)

    @property
    def nearly_constant(self) -> tuple[str, ...]:
        """The features that have one value in nearly all rows."""
        return tuple(c.name for c in self.columns if c.n_distinct > 1 and c.top_share >= NEARLY)

    @property
    def sparse(self) -> tuple[str, ...]:
        """The nominal features in use with so many values that most say little."""
        return tuple(
            c.name
            for c in self.columns
            if not c.reason
            and c.kind == "nominal"
            and c.n_distinct > max(MANY_VALUES, (self.n_samples - c.n_missing) / 2)
        )


def report(dataset: Dataset) -> Report:
    """Findings of a first look at a table; suspects come from a sample of its rows.

    Parameters
    ----------
    dataset : Dataset
        As it was read: all columns.

    Notes
    -----
    O(n_samples n_features), and a small tree for each feature on at most 5,000 rows, fewer
    where there are more than a hundred features.
    """
    reasons = left_out(dataset)
    if len(reasons) == dataset.n_features:
        reasons = {}
    used = [name for name in dataset.feature_names if name not in reasons]
    rows = _looked_at(dataset)
    alone, guess = _alone(dataset, used, rows)
    columns = tuple(
        _column(dataset, name, reasons.get(name, ""), alone.get(name, np.nan))
        for name in dataset.feature_names
    )
    alike, contradicting = _alike(dataset, used)
    counts = dataset.class_counts
    least = None if dataset.is_regression else int(counts.argmin())
    return Report(
        columns=columns,
        n_samples=dataset.n_samples,
        alike=alike,
        n_contradicting=contradicting,
        suspects=_suspects(dataset, alone, guess),
        guess=guess,
        n_looked_at=len(rows),
        smallest=None if least is None else (dataset.class_order[least], int(counts[least])),
        is_rare=least is not None and bool(counts[least] < RARE * counts.max()),
        other_targets=_other_targets(dataset, used),
        neighbours=None if dataset.is_regression else neighbours(dataset.codes),
    )


def _column(dataset: Dataset, name: str, reason: str, alone: float) -> ColumnReport:
    column, kind = dataset.X[name], dataset.kinds[name]
    if kind == "numeric":
        values = column.to_numpy()
        known = values[~np.isnan(values)] if values.dtype == np.float64 else values
        counts = pd.Series(known).value_counts(sort=False)
        labels, n = counts.index.to_numpy(), counts.to_numpy()
        bars = np.histogram(known, bins=N_BARS)[0] if len(n) > N_BARS else n[np.argsort(labels)]
    else:
        n = np.bincount(column.cat.codes.to_numpy() + 1, minlength=len(column.cat.categories) + 1)
        n, labels = n[1:], column.cat.categories.to_numpy()
        bars = n[:N_BARS] if kind == "ordinal" else np.sort(n[n > 0])[::-1][:N_BARS]
    n_known = int(n.sum())
    top = int(np.argmax(n)) if n_known else None
    return ColumnReport(
        name=name,
        kind=kind,
        n_missing=dataset.n_samples - n_known,
        n_distinct=int((n > 0).sum()),
        top=None if top is None else labels[top : top + 1].tolist()[0],
        top_share=float(n[top] / n_known) if n_known else 0.0,
        bars=bars.astype(np.intp),
        reason=reason,
        alone=alone,
    )


# Rows that are alike


def _alike(dataset: Dataset, used: list[str]) -> tuple[np.ndarray, int]:
    """Groups of identical samples, class included, and the number of contradictions.

    Rows are compared by 64 bits made of all their values: two different ones are taken for
    alike once in about 10^8 tables of 200,000 rows.
    """
    mixed = np.zeros(dataset.n_samples, dtype=np.uint64)
    for name in used:
        column = dataset.X[name]
        numeric = dataset.kinds[name] == "numeric"
        values = column.to_numpy(np.float64) if numeric else column.cat.codes.to_numpy(np.float64)
        mixed = _stirred(mixed, values)
    groups = pd.factorize(mixed)[0]
    y = dataset.y.to_numpy(np.float64) if dataset.is_regression else dataset.codes
    alike = pd.factorize(_stirred(mixed, y.astype(np.float64)))[0]
    if dataset.is_regression:
        return alike, 0
    return alike, int((pd.Series(alike).groupby(groups).transform("nunique") > 1).sum())


def _stirred(mixed: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Running hash of rows with one more value; -0.0 is 0.0, any NaN the same NaN."""
    values = values + 0.0
    values[np.isnan(values)] = np.nan
    found = (mixed ^ values.view(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
    found = (found ^ (found >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return found ^ (found >> np.uint64(32))


# Columns that give the class away


def _looked_at(dataset: Dataset) -> np.ndarray:
    """Rows that suspects are sought on, in random order."""
    most = min(LOOKED_AT, max(200, MOST_CELLS // max(dataset.n_features, 1)))
    return np.random.default_rng(0).permutation(dataset.n_samples)[:most]


def _alone(dataset: Dataset, used: list[str], rows: np.ndarray) -> tuple[dict[str, float], float]:
    """Held-out score of each column by itself, and that of a guess."""
    learnt, held = rows[: round(0.7 * len(rows))], rows[round(0.7 * len(rows)) :]
    if len(held) < 5:
        return {}, 0.0
    if dataset.is_regression:
        y = dataset.y.to_numpy(np.float64)
        return {c: _explained(*_cells(dataset, c, y, learnt), y, learnt, held) for c in used}, 0.0
    y, n_classes = dataset.codes, dataset.n_classes
    common = int(np.bincount(y[learnt]).argmax())
    alone = {}
    for name in used:
        cell, n_cells = _cells(dataset, name, y, learnt)
        counts = np.bincount(cell[learnt] * n_classes + y[learnt], minlength=n_cells * n_classes)
        counts = counts.reshape(n_cells, n_classes)
        answer = np.where(counts.any(axis=1), counts.argmax(axis=1), common)
        alone[name] = float((answer[cell[held]] == y[held]).mean())
    return alone, float((y[held] == common).mean())


def _explained(
    cell: np.ndarray, n_cells: int, y: np.ndarray, learnt: np.ndarray, held: np.ndarray
) -> float:
    """Share of the held-out variance that the means of the cells explain."""
    n = np.bincount(cell[learnt], minlength=n_cells)
    sums = np.bincount(cell[learnt], weights=y[learnt], minlength=n_cells)
    mean = np.where(n > 0, sums / np.maximum(n, 1), y[learnt].mean())
    spread = float(y[held].var())
    return 1.0 - float(np.mean((y[held] - mean[cell[held]]) ** 2)) / spread if spread else 0.0


def _cells(
    dataset: Dataset, name: str, y: np.ndarray, learnt: np.ndarray
) -> tuple[np.ndarray, int]:
    """Leaf of each row in a tree of one column: a value, or an interval of numbers.

    Missing values are one more leaf.
    """
    from sklearn.tree import DecisionTreeRegressor  # only a report needs it

    column = dataset.X[name]
    if dataset.kinds[name] != "numeric":
        return column.cat.codes.to_numpy().astype(np.intp) + 1, len(column.cat.categories) + 1
    values = column.to_numpy(np.float64)
    missing = np.isnan(values)
    known = learnt[~missing[learnt]]
    if not len(known):
        return np.zeros(len(values), dtype=np.intp), 1
    most = 64 if dataset.is_regression else max(16, 4 * dataset.n_classes)
    tree = DecisionTreeRegressor(max_leaf_nodes=most, min_samples_leaf=3, random_state=0)
    target = y if dataset.is_regression else np.eye(dataset.n_classes)[y]
    tree.fit(values[known, None].astype(np.float32), target[known])
    cuts = np.sort(tree.tree_.threshold[tree.tree_.feature >= 0])
    return np.where(missing, len(cuts) + 1, np.searchsorted(cuts, values)), len(cuts) + 2


def _suspects(dataset: Dataset, alone: Mapping[str, float], guess: float) -> tuple[Suspect, ...]:
    found = []
    for name, share in alone.items():
        gain = (share - guess) / max(1.0 - guess, 1e-9)
        if gain < SUSPICIOUS:
            continue
        found.append(Suspect(name, _how(dataset, name), share))
    order = {"equal": 0, "recoded": 1, "decides": 2, "predicts": 3}
    return tuple(sorted(found, key=lambda suspect: (order[suspect.how], -suspect.alone)))


def _how(dataset: Dataset, name: str) -> str:
    """Way in which a column gives away the target, on all rows."""
    column = dataset.X[name]
    if column.isna().any():
        return "predicts"
    y = dataset.y
    if dataset.is_regression:
        equal = dataset.kinds[name] == "numeric" and bool((column.to_numpy() == y).all())
        return "equal" if equal else "predicts"
    codes, values = pd.factorize(column)
    n_pairs = len(pd.unique(codes.astype(np.int64) * dataset.n_classes + dataset.codes))
    if n_pairs > len(values) or len(values) > dataset.n_samples / 5:
        return "predicts"
    if len(values) > dataset.n_classes:
        return "decides"
    return "equal" if bool((column.astype(str) == y.astype(str)).all()) else "recoded"


def _other_targets(dataset: Dataset, used: list[str]) -> tuple[str, ...]:
    """Features that are called as a class is, unless the class column itself is."""
    telling = CLASS_NAMES.union(TARGET_NAMES)
    if str(dataset.y.name).casefold() in telling:
        return ()
    return tuple(c for c in used if c.casefold() in telling and 2 <= dataset.n_values[c] <= 20)
