"""Scores of a model on parts of the samples: by the values of any column."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import bdtr, ndtri, stdtrit

from lastviz.tree import Kind, Tree

if TYPE_CHECKING:
    import pandas as pd


ROUNDING = 1e-14  # of the largest number: what a mean of many equal float64 can be off


@dataclass(frozen=True, eq=False)
class Scores:
    """True against predicted classes of some rows."""

    # (n_classes, n_classes) intp, rows of each true class (first axis) by predicted class (second
    # axis).
    confusion: np.ndarray

    def __bool__(self) -> bool:
        """Whether there are any samples."""
        return self.n_samples > 0

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return int(self.confusion.sum())

    @property
    def n_right(self) -> int:
        """Number of rows whose predicted class is the true one."""
        return int(np.trace(self.confusion))

    @property
    def n_wrong(self) -> int:
        """Number of the other rows."""
        return self.n_samples - self.n_right

    @property
    def accuracy(self) -> float:
        """Share of rows that are right; NaN without rows."""
        return self.n_right / self.n_samples if self.n_samples else float("nan")

    def accuracy_interval(self, level: float = 0.95) -> tuple[float, float]:
        """Bounds of accuracy on new samples of the same kind, see :func:`share_interval`.

        It means something for rows that took no part in training.
        """
        return share_interval(self.n_right, self.n_samples, level)

    @property
    def mean_absolute_error(self) -> float:
        """Mean distance of true and predicted class in class order; NaN without samples.

        MCDF eq 18.
        """
        places = np.arange(len(self.confusion))
        distance = np.abs(places[:, None] - places)
        return float((self.confusion * distance).sum() / self.n_samples) if self else float("nan")

    @property
    def accuracy_by_class(self) -> np.ndarray:
        """Share of each true class that is right, shape (n_classes,); NaN without rows."""
        totals = self.confusion.sum(axis=1)
        right = np.diagonal(self.confusion).astype(np.float64)
        return np.divide(right, totals, out=np.full(len(totals), np.nan), where=totals > 0)


def share_interval(n_right: int, n_samples: int, level: float = 0.95) -> tuple[float, float]:
    """Wilson's interval of a share counted on independent samples.

    Parameters
    ----------
    n_right, n_samples : int
        Of how many rows how many are right.
    level : float, default 0.95
        How often such an interval holds the share that new rows would have, about.

    Returns
    -------
    low, high : float
        Between 0 and 1; NaN without rows.

    References
    ----------
    Wilson (1927), Probable inference, the law of succession, and statistical inference.
    """
    if not n_samples:
        return float("nan"), float("nan")
    z = float(ndtri((1.0 + level) / 2.0))
    share, more = n_right / n_samples, z * z / n_samples
    half = z * math.sqrt(share * (1.0 - share) / n_samples + more / (4.0 * n_samples))
    low, high = ((share + more / 2.0 + side) / (1.0 + more) for side in (-half, half))
    return (low if n_right else 0.0), (high if n_right < n_samples else 1.0)


def difference_interval(
    first: tuple[int, int], second: tuple[int, int], level: float = 0.95
) -> tuple[float, float]:
    """Interval of the difference of two shares counted on different rows.

    Parameters
    ----------
    first, second : (int, int)
        Of how many rows how many are right: (n_right, n_samples), n_samples > 0.
    level : float, default 0.95

    Notes
    -----
    Of Wilson's intervals of both; Newcombe (1998), Statistics in Medicine 17, 873-890, method 10.
    """
    (low_1, high_1), (low_2, high_2) = (share_interval(*part, level) for part in (first, second))
    one, two = (n_right / n for n_right, n in (first, second))
    low = one - two - math.hypot(one - low_1, high_2 - two)
    return low, one - two + math.hypot(high_1 - one, two - low_2)


def scores(y: np.ndarray, predicted: np.ndarray, n_classes: int) -> Scores:
    """Scores of predicted class indices against the true ones, `y`."""
    pairs = np.asarray(y, dtype=np.intp) * n_classes + np.asarray(predicted, dtype=np.intp)
    counts = np.bincount(pairs, minlength=n_classes * n_classes)
    return Scores(counts.reshape(n_classes, n_classes))


def baseline(training: Scores, part: Scores) -> Scores:
    """Scores on a part of always predicting the majority class of the training rows.

    Of equally frequent classes the first counts as the majority.
    """
    true, given = part.confusion.sum(axis=1), np.zeros_like(part.confusion)
    given[:, np.argmax(training.confusion.sum(axis=1))] = true
    return Scores(given)


@dataclass(frozen=True)
class NumberScores:
    """Predicted against true numbers of some rows."""

    n_samples: int
    rmse: float  # root of the mean squared error, in the unit of the numbers; NaN without rows
    # Share of the squared deviations from the mean of these rows that the prediction takes away, 1
    # at best, below 0 if it is worse than that mean; NaN where the rows do not differ.
    r2: float
    # Standard deviation of the squared errors (divisor n - 1); NaN of fewer than two rows.
    spread: float = float("nan")

    def rmse_interval(self, level: float = 0.95) -> tuple[float, float]:
        """Bounds of the RMSE on new samples of the same kind.

        It means something for rows that took no part in training.

        Parameters
        ----------
        level : float, default 0.95
            How often such an interval holds the error that many new rows would have, about.

        Returns
        -------
        low, high : float
            In the unit of the numbers; NaN of fewer than two rows, both 0 without any error.

        Notes
        -----
        The mean of squared errors has the standard error ``spread / sqrt(n)`` (Breiman et al.,
        Classification and Regression Trees, section 8.3). The interval is taken of its logarithm
        (delta method, quantile of Student's t), so it is above 0 and longer upwards, as the
        errors are: of 50 rows it holds the truth in 93 of 100 cases where errors are normal and
        in 88 where they are Student's with five degrees of freedom, the plain one in 92 and 85.
        """
        if self.n_samples < 2 or not self.rmse:
            bound = float("nan") if self.n_samples < 2 else 0.0
            return bound, bound
        error = self.spread / self.n_samples**0.5 / self.rmse**2
        reach = float(stdtrit(self.n_samples - 1, 0.5 + level / 2)) * error
        return self.rmse * math.exp(-reach / 2), self.rmse * math.exp(reach / 2)


def mcnemar(n: int, m: int) -> float:
    """p-value of McNemar's exact test.

    It is the probability that a fair coin splits ``n + m`` samples at least as unequally as `n`
    and `m`.

    `n` rows one model alone gets right, `m` another one alone: McNemar's exact test.
    """
    return min(1.0, 2.0 * float(bdtr(min(n, m), n + m, 0.5)))


def saving_interval(
    y: np.ndarray, dear: np.ndarray, cheap: np.ndarray, costs: np.ndarray, level: float = 0.95
) -> tuple[float, float]:
    """Interval of the cost that one model saves another one on as many new rows.

    Parameters
    ----------
    y, dear, cheap : ndarray of intp, shape (n_samples,)
        Class indices: the true ones, and those that either model predicts.
    costs : ndarray of float64, shape (n_classes, n_classes)
        Cost of a row of class i that is predicted class j.
    level : float, default 0.95

    Notes
    -----
    Bootstrap of the counts of classes and both predictions, 10,000 draws from seed 0: Margineantu
    and Dietterich (2000), ICML, 583-590. Four rows are added in equal parts (Laplace): without
    them 95 % intervals of 30 rows hold the truth in 50 of 100 cases where models rarely differ.
    """
    n_classes, n = len(costs), len(y)
    counts = np.bincount((y * n_classes + dear) * n_classes + cheap, minlength=n_classes**3)
    shares = (counts + 4.0 / n_classes**3) / (n + 4.0)
    saved = costs[:, :, None] - costs[:, None, :]
    draws = np.random.default_rng(0).multinomial(n, shares, 10_000) @ saved.ravel()
    low, high = np.quantile(draws, [(1.0 - level) / 2.0, (1.0 + level) / 2.0])
    return float(low), float(high)


def number_scores(y: np.ndarray, predicted: np.ndarray) -> NumberScores:
    """Scores of `predicted` for the true `y`, both of shape (n_samples,). O(n).

    A difference that a mean of equal numbers can have by rounding counts as none.
    """
    if not len(y):
        return NumberScores(0, float("nan"), float("nan"))
    off = y - predicted
    squares = np.where(np.abs(off) > ROUNDING * np.abs(y).max(), off, 0.0) ** 2
    lost, several = float(squares.sum()), len(y) > 1
    spread = float(np.sum((y - y.mean()) ** 2))
    r2 = 1.0 - lost / spread if np.ptp(y) > 0 else float("nan")
    deviation = float(squares.std(ddof=1)) if several else float("nan")
    return NumberScores(len(y), (lost / len(y)) ** 0.5, r2, deviation)


def spread_by_feature(tree: Tree) -> np.ndarray:
    """Decrease of squared error by the splits on each feature, shape (n_features,).

    A split takes away the squared distances of its branches' means from its own, one for each
    row (weighted); that of several features counts for them in equal parts. O(n_nodes).
    """
    child = np.flatnonzero(tree.parent >= 0)
    parent = tree.parent[child]
    apart = (tree.prediction[child] - tree.prediction[parent]) ** 2
    gained = tree.weighted_n_node_samples[child] * apart
    slanted = tree.kind[parent] == Kind.OBLIQUE
    alone = parent[~slanted]
    found = np.bincount(tree.feature[alone], gained[~slanted], minlength=tree.n_features)
    weighed = tree.oblique.weights[tree.split_row[parent[slanted]]] != 0
    shares = weighed / np.maximum(weighed.sum(axis=1, keepdims=True), 1)
    return found + gained[slanted] @ shares


# ---------------------------------------------------------------- groups


MOST_VALUES = 6  # of a column that are groups of their own; with more, the rarest are one
PARTS = 3  # of a numeric column, with about equally many rows each


@dataclass(frozen=True, eq=False)
class Group:
    """Rows that have something in common."""

    value: object  # the value that they share; None where they share more than one
    # low, high: bounds of a part of a numeric column, NaN otherwise: above the one, up to the other
    low: float
    high: float
    rows: np.ndarray  # (n,) intp, their places in the column
    is_missing: bool = False  # whether they have no value


def value_groups(column: pd.Series) -> list[Group]:
    """Rows of a column by its values, each row in one group.

    Parameters
    ----------
    column : Series, shape (n,)
        Numbers are cut into three parts of about equally many rows, where they have more than six
        values; of other columns with more than six values the rarest are one group.

    Returns
    -------
    list of Group
        Rising, or by the order of the categories; rows without a value are the last.

    Notes
    -----
    O(n log n).
    """
    known = column.notna().to_numpy()
    numeric = column.dtype.kind in "iuf"
    if numeric and column[known].nunique() > MOST_VALUES:
        groups = _parts(column.to_numpy(dtype=np.float64), known)
    else:
        groups = _values(column)
    if not known.all():
        groups.append(Group(None, np.nan, np.nan, np.flatnonzero(~known), is_missing=True))
    return groups


def _parts(values: np.ndarray, known: np.ndarray) -> list[Group]:
    shares = np.arange(1, PARTS) / PARTS
    inner = np.unique(np.quantile(values[known], shares, method="inverted_cdf"))
    ends = np.concatenate([[-np.inf], inner[inner < values[known].max()], [np.inf]])
    return [
        Group(None, low, high, np.flatnonzero(known & (values > low) & (values <= high)))
        for low, high in pairwise(ends)
    ]


def _values(column: pd.Series) -> list[Group]:
    counts = column.value_counts()
    counts = counts[counts > 0]
    frequent = counts.index if len(counts) <= MOST_VALUES else counts.index[: MOST_VALUES - 1]
    ordered = hasattr(column, "cat")
    order = column.cat.categories if ordered else sorted(frequent)
    values = column.to_numpy()
    groups = [
        Group(value, np.nan, np.nan, np.flatnonzero(values == value))
        for value in order
        if value in frequent
    ]
    if len(frequent) < len(counts):
        rest = column.notna() & ~column.isin(frequent)
        groups.append(Group(None, np.nan, np.nan, np.flatnonzero(rest.to_numpy())))
    return groups


def group_scores(groups: list[Group], y: np.ndarray, predicted: np.ndarray, k: int) -> pd.DataFrame:
    """Accuracy of a model in each group, and its errors about one class.

    Parameters
    ----------
    groups : list of Group
    y, predicted : ndarray of intp, shape (n,)
        True and predicted classes, by index.
    k : int
        The class that is missed, or given by false alarm.

    Returns
    -------
    DataFrame
        A row a group: ``n``, ``n_right``, ``accuracy`` with its 95 % interval from ``low`` to
        ``high`` (Wilson's), ``n_of_class`` and how many of those are ``missed``, ``n_others`` and
        how many of those are ``alarms``, and ``rate``, the share that is predicted to be `k`.
    """
    import pandas as pd

    found = []
    for group in groups:
        true, predicted_here = y[group.rows] == k, predicted[group.rows] == k
        n, right = len(group.rows), int((y[group.rows] == predicted[group.rows]).sum())
        low, high = share_interval(right, n)
        found.append(
            {
                **{"n": n, "n_right": right, "accuracy": right / n if n else np.nan},
                **{"low": low, "high": high},
                **{"n_of_class": int(true.sum()), "missed": int((true & ~predicted_here).sum())},
                **{"n_others": int((~true).sum()), "alarms": int((~true & predicted_here).sum())},
                "rate": float(predicted_here.mean()) if n else np.nan,
            }
        )
    return pd.DataFrame(found)
