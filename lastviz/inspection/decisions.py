"""Costs of two classes' errors at a decision threshold, and reliability of leaves' shares."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm

from lastviz.estimators import CARTRegressor, ForestClassifier, TreeClassifier
from lastviz.inspection.rules.rules import class_counts
from lastviz.tree import Tree

from .groups import mcnemar

TIE = 1e-12  # shares closer to the threshold than this are at it


@dataclass(frozen=True)
class Costs:
    """Costs of errors about two classes; correct predictions cost nothing."""

    miss: float  # of a row of the class in question that is given the other one
    alarm: float  # of a row of the other class that is given the class in question

    @property
    def threshold(self) -> float:
        """The share from which the class in question is the cheaper answer.

        NaN if errors cost nothing: then every answer is as cheap (Elkan 2001, eq 2).
        """
        total = self.miss + self.alarm
        return self.alarm / total if total > 0 else np.nan


@dataclass(frozen=True)
class Decisions:
    """Counts of right and wrong predictions of two classes at a threshold."""

    found: int  # rows of the class in question that are given it, and that are not
    missed: int  # rows of the class in question that are given it, and that are not
    alarms: int  # rows of the other class that are given the class in question, and that are not
    passed: int  # rows of the other class that are given the class in question, and that are not
    costs: Costs

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.found + self.missed + self.alarms + self.passed

    @property
    def accuracy(self) -> float:
        """Share of rows that are given their own class, NaN without any."""
        return (self.found + self.passed) / self.n_rows if self.n_rows else np.nan

    @property
    def total(self) -> float:
        """Total cost of all errors."""
        return self.costs.miss * self.missed + self.costs.alarm * self.alarms

    @property
    def mean_cost(self) -> float:
        """The expected cost of a row, NaN without any."""
        return self.total / self.n_rows if self.n_rows else np.nan


def decisions(
    shares: np.ndarray, in_class: np.ndarray, threshold: float, costs: Costs
) -> Decisions:
    """Decisions when samples with a share of at least `threshold` are given a class.

    Parameters
    ----------
    shares : ndarray of float64, shape (n_samples,)
        Share of the class in question in the leaf of each row.
    in_class : ndarray of bool, shape (n_samples,)
        Whether the row is of that class.
    threshold : float
        Above 1 no row is given it.

    Raises
    ------
    ValueError
        If a cost is negative or not finite.
    """
    _check(costs)
    called = np.asarray(shares) >= threshold - TIE
    in_class = np.asarray(in_class, dtype=bool)
    return Decisions(
        found=int(np.count_nonzero(called & in_class)),
        missed=int(np.count_nonzero(~called & in_class)),
        alarms=int(np.count_nonzero(called & ~in_class)),
        passed=int(np.count_nonzero(~called & ~in_class)),
        costs=costs,
    )


@dataclass(frozen=True, eq=False)
class CostCurve:
    """The expected cost of a row at every threshold."""

    # (n_thresholds,) float64, rising from 0; decisions change at the shares of the leaves alone.
    threshold: np.ndarray
    cost: np.ndarray  # (n_thresholds,) float64, just at each threshold and up to the next
    accuracy: np.ndarray  # (n_thresholds,) float64, just at each threshold and up to the next


def cost_curve(shares: np.ndarray, in_class: np.ndarray, costs: Costs) -> CostCurve:
    """Cost and accuracy at every threshold at which a decision changes.

    A threshold lies between two shares: at each share the row is still given the class, beyond
    it no more. O(n_samples log n_samples).
    """
    _check(costs)
    in_class = np.asarray(in_class, dtype=bool)
    levels = np.unique(shares)
    inside = np.sort(np.asarray(shares)[in_class])
    outside = np.sort(np.asarray(shares)[~in_class])
    missed = np.r_[0, np.searchsorted(inside, levels, side="right")]
    alarms = len(outside) - np.r_[0, np.searchsorted(outside, levels, side="right")]
    n = max(len(in_class), 1)
    return CostCurve(
        threshold=np.r_[0.0, np.minimum(np.nextafter(levels, 2.0), 1.0)],
        cost=(costs.miss * missed + costs.alarm * alarms) / n,
        accuracy=1.0 - (missed + alarms) / n,
    )


@dataclass(frozen=True, eq=False)
class RankingCurve:
    """Rows found and false alarms at every threshold on the share of a class."""

    # (n_thresholds,) float64, falling from infinity; rows of at least that share get the class
    threshold: np.ndarray
    found: np.ndarray  # (n_thresholds,) intp, rows of the class that are given it
    alarms: np.ndarray  # (n_thresholds,) intp, rows of the other class that are given it
    n_in_class: int
    n_others: int

    @property
    def recall(self) -> np.ndarray:
        """Share of the rows of the class that are given it (true positive rate)."""
        return self.found / self.n_in_class

    @property
    def false_positive_rate(self) -> np.ndarray:
        """Share of the other rows that are given the class."""
        return self.alarms / self.n_others

    @property
    def precision(self) -> np.ndarray:
        """Share of the rows given the class that are of it; 1 where none is given it."""
        given = self.found + self.alarms
        return np.where(given > 0, self.found / np.maximum(given, 1), 1.0)

    def at(self, threshold: float) -> int:
        """Place of the decisions at a threshold; a share closer than 1e-12 to it is at it."""
        return int(np.searchsorted(-self.threshold, TIE - threshold, side="right")) - 1

    @property
    def auc(self) -> float:
        """Chance that a row of the class has a larger share than another; ties half."""
        return float(np.trapezoid(self.recall, self.false_positive_rate))

    @property
    def average_precision(self) -> float:
        """Mean of the precisions, each weighted by the recall that it adds."""
        return float(np.sum(np.diff(self.recall) * self.precision[1:]))

    def auc_interval(self, level: float = 0.95) -> tuple[float, float]:
        """Interval of the AUC on new rows, for rows that the tree has not seen.

        Notes
        -----
        The areas that this one does not contradict, with the variance that exponential scores
        give each of them. Newcombe (2006), Statistics in Medicine 25, 559-573, method 5: within
        0 and 1, and not of length 0 where every row is ranked right.
        """
        auc, z = self.auc, float(norm.ppf(0.5 + level / 2.0))
        m, n = self.n_in_class, self.n_others
        more = (m + n) / 2.0 - 1.0

        def apart(area: float) -> float:
            spread = 1.0 + more * (1.0 - area) / (2.0 - area) + more * area / (1.0 + area)
            return abs(auc - area) - z * np.sqrt(area * (1.0 - area) * spread / (m * n))

        close = 1e-12  # at 0 and 1 themselves every area is its own
        low = float(brentq(apart, 0.0, auc - close)) if auc > close else 0.0
        high = float(brentq(apart, auc + close, 1.0)) if auc < 1.0 - close else 1.0
        return low, high


def ranking_curve(shares: np.ndarray, in_class: np.ndarray) -> RankingCurve | None:
    """Ranking of rows by the share of a class; None if all rows are of one class.

    Parameters
    ----------
    shares : ndarray of float64, shape (n_samples,)
        Share of the class in the leaf of each row.
    in_class : ndarray of bool, shape (n_samples,)
        Whether the row is of the class.

    Notes
    -----
    One threshold a distinct share. O(n_samples log n_samples).
    """
    in_class = np.asarray(in_class, dtype=bool)
    levels = np.unique(shares)[::-1]
    inside, outside = (np.sort(-np.asarray(shares)[part]) for part in (in_class, ~in_class))
    if not (len(inside) and len(outside)):
        return None
    found, alarms = (np.searchsorted(part, -levels, side="right") for part in (inside, outside))
    return RankingCurve(
        threshold=np.r_[np.inf, levels],
        found=np.r_[0, found],
        alarms=np.r_[0, alarms],
        n_in_class=len(inside),
        n_others=len(outside),
    )


@dataclass(frozen=True, eq=False)
class Reliability:
    """Reliability of the leaves' class shares on samples that the tree has not seen."""

    node: np.ndarray  # (n,) intp, the leaves that any of the rows comes to
    # (n,) float64, the share of the class among the training rows of the leaf.
    predicted: np.ndarray
    found: np.ndarray  # (n,) float64, its share among the rows that come to the leaf
    n_training: np.ndarray  # (n,) float64, how many rows each of the shares is of
    n_rows: np.ndarray  # (n,) float64, how many rows each of the shares is of

    @property
    def error(self) -> float:
        """The mean of ``|predicted - found|`` over the rows (expected calibration error)."""
        total = self.n_rows.sum()
        gap = np.abs(self.predicted - self.found)
        return float((self.n_rows * gap).sum() / total) if total else np.nan


def reliability(tree: Tree, X: np.ndarray, y: np.ndarray, label: int) -> Reliability:
    """Share of a class in each leaf, among its training rows and among others.

    Parameters
    ----------
    tree : Tree
        Of a classifier.
    X : ndarray, shape (n_samples, n_features)
        Rows that it was not grown on, as for ``tree.apply``. A row in parts counts in parts.
    y : ndarray of intp, shape (n_samples,)
        Class indices.
    label : int
        The class in question.

    Notes
    -----
    O(n depth). Leaves are taken as they are, none are binned.
    """
    counts = class_counts(tree, X, y)
    n_rows = counts.sum(axis=1)
    node = np.flatnonzero((tree.n_children == 0) & (n_rows > 0))
    n_training = tree.value[node].sum(axis=1)
    of_label = tree.value[node, label]
    own = np.where(n_training > 0, of_label / np.where(n_training > 0, n_training, 1.0), 0.0)
    empty = (n_training <= 0) & (tree.prediction[node] == label)
    return Reliability(
        node=node,
        predicted=np.where(empty, 1.0, own),
        found=counts[node, label] / n_rows[node],
        n_training=n_training,
        n_rows=n_rows[node],
    )


def _check(costs: Costs) -> None:
    for name in ("miss", "alarm"):
        cost = getattr(costs, name)
        if not (np.isfinite(cost) and cost >= 0):
            raise ValueError(f"the cost {name} must be a number >= 0, got {cost!r}")


# ---- How sure a tree is of its class in each leaf: class shares, smoothed where rows are few


SMOOTHINGS = ("m", "laplace", "raw")
FEW_ROWS = 5
"""A leaf with fewer training rows says little about others."""


@dataclass(frozen=True, eq=False)
class Certainty:
    """Certainty of a tree at each node."""

    # (n_nodes,) float64, 0 where the predicted class is as likely as any by chance, 1 where it is
    # certain.
    degree: np.ndarray
    # (n_nodes,) bool, whether the node has fewer than `FEW_ROWS` training rows (weighted).
    few: np.ndarray


def smoothed_shares(tree: Tree, smoothing: str = "m", m: float = 2.0) -> np.ndarray:
    """Estimated probability of each class at each node, shape (n_nodes, n_classes).

    Parameters
    ----------
    tree : Tree
        Of a classifier.
    smoothing : {"m", "laplace", "raw"}, default "m"
        (n_c + m p_c) / (n + m) with the root's shares p; (n_c + 1) / (n + number of classes);
        n_c / n. A node without rows has the root's shares under "raw".
    m : float, default 2
        How many rows the root's shares count for.

    Raises
    ------
    ValueError
        If `smoothing` is unknown, or `m` negative or not finite.

    References
    ----------
    Cestnik, B. and Bratko, I. (1991). On estimating probabilities in tree pruning. EWSL, 138-150.
    Provost, F. and Domingos, P. (2003). Tree induction for probability-based ranking. Machine
    Learning 52, 199-215.
    """
    if smoothing not in SMOOTHINGS:
        raise ValueError(f"smoothing must be one of {', '.join(SMOOTHINGS)}, got {smoothing!r}")
    if not (np.isfinite(m) and m >= 0):
        raise ValueError(f"m must be a number >= 0, got {m!r}")
    counts = tree.value
    n_classes = counts.shape[1]
    prior = counts[0] / counts[0].sum()
    if smoothing == "laplace":
        return (counts + 1.0) / (counts.sum(axis=1, keepdims=True) + n_classes)
    added = m if smoothing == "m" else 0.0
    total = counts.sum(axis=1, keepdims=True) + added
    shares = (counts + added * prior) / np.where(total > 0, total, 1.0)
    return np.where(total > 0, shares, prior)


def certainty(tree: Tree, smoothing: str = "m", m: float = 2.0) -> Certainty:
    """Certainty of a tree about the class that it predicts at each node.

    With the probability p of that class (:func:`smoothed_shares`) and K classes the degree is
    (p - 1/K) / (1 - 1/K), 0 where that is negative. O(n_nodes n_classes).
    """
    shares = smoothed_shares(tree, smoothing, m)
    p = shares[np.arange(tree.n_nodes), tree.prediction]
    chance = 1.0 / shares.shape[1]
    if shares.shape[1] < 2:
        return Certainty(np.ones(tree.n_nodes), tree.weighted_n_node_samples < FEW_ROWS)
    degree = np.clip((p - chance) / (1.0 - chance), 0.0, 1.0)
    return Certainty(degree, tree.weighted_n_node_samples < FEW_ROWS)


def tells_certainty(estimator: TreeClassifier | ForestClassifier) -> bool:
    """Whether the class shares of a model's leaves express its certainty.

    Not where trees vote, where a leaf has its median class or an envelope decides, nor where
    machines part the classes: a leaf of theirs may hold rows of classes out of play.
    """
    return not isinstance(estimator, ForestClassifier) and estimator.decides_by_shares


# ---- Which rows two models predict differently, and whether that is more than luck


Model = TreeClassifier | CARTRegressor | ForestClassifier


@dataclass(frozen=True, eq=False)
class RowChanges:
    """The rows whose prediction is another one under the second of two models."""

    rows: np.ndarray  # (n_changed,) intp, places in the data, rising
    before: np.ndarray  # (n_changed,), what either model predicts there
    after: np.ndarray  # (n_changed,), what either model predicts there
    # better, worse: rows that only the second model has right, and only the first; of numbers, rows
    # where the second comes nearer, and less near
    better: int
    worse: int
    # Chance of a difference at least as large between `better` and `worse` if neither model is
    # better; 1 where they are equal.
    p_value: float


def row_changes(before: Model, after: Model, X: np.ndarray, y: np.ndarray) -> RowChanges:
    """Compare two fitted models row by row.

    Parameters
    ----------
    before, after : TreeClassifier, CARTRegressor or ForestClassifier
        Fitted, both on classes or both on numbers.
    X : array-like or DataFrame, shape (n_samples, n_features)
        Rows that neither was chosen by, if the p value is to be believed: who tries many
        models on the same rows finds one that is better there by luck.
    y : array-like, shape (n_samples,)
        What is true of them.

    Raises
    ------
    ValueError
        If one model predicts classes and the other numbers, or `y` has another length.

    Notes
    -----
    The p value is exact: of the rows that only one model has right the second has half if both
    are as good, so it is that of the two-sided binomial test (McNemar 1947); of numbers the
    sign test of the absolute errors. O(n_samples depth).
    """
    if before.TAGS.task != after.TAGS.task:
        raise ValueError("one model predicts classes, the other numbers: they cannot be compared")
    truth = np.asarray(y)
    first, second = np.asarray(before.predict(X)), np.asarray(after.predict(X))
    if truth.shape != first.shape:
        raise ValueError(f"y must have {len(first)} values, one for each row, got {truth.shape}")
    if before.TAGS.task == "regression":
        lost, now = np.abs(first - truth), np.abs(second - truth)
    else:
        lost, now = first != truth, second != truth
    better, worse = int(np.count_nonzero(now < lost)), int(np.count_nonzero(now > lost))
    rows = np.flatnonzero(first != second)
    return RowChanges(rows, first[rows], second[rows], better, worse, mcnemar(better, worse))
