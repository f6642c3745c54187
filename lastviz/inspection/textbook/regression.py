"""Least squares on one feature as a textbook writes it: sums of each cut, nested intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz.tree import Kind, Tree


@dataclass(frozen=True, eq=False)
class CutSums:
    """All cuts R1 = {x <= s}, R2 = {x > s} of some points; arrays of shape (n_cuts,)."""

    s: np.ndarray  # the largest x of R1: the cut lies between it and the next one
    threshold: np.ndarray  # the middle between the two
    n_left: np.ndarray  # intp
    n_right: np.ndarray
    c1: np.ndarray  # mean of y in R1
    c2: np.ndarray
    loss1: np.ndarray  # sum of squared distances from c1
    loss2: np.ndarray

    @property
    def loss(self) -> np.ndarray:
        """The loss of each cut (5.21)."""
        return self.loss1 + self.loss2

    @property
    def best(self) -> int:
        """The cut of smallest loss, the lowest of equal ones; -1 if there is none."""
        if len(self.s) == 0:
            return -1
        loss = self.loss
        return int(np.flatnonzero(loss <= loss.min() + 1e-12 * max(1.0, loss.min()))[0])


def cut_sums(x: np.ndarray, y: np.ndarray) -> CutSums:
    """Work out means and losses of every cut between two different values of `x`.

    Parameters
    ----------
    x, y : ndarray, shape (n,)
        In any order.

    Notes
    -----
    Li, Statistical Learning Methods, (5.19)-(5.21). O(n log n).
    """
    order = np.argsort(x, kind="stable")
    x, y = np.asarray(x, dtype=np.float64)[order], np.asarray(y, dtype=np.float64)[order]
    last = np.flatnonzero(np.diff(x) > 0)  # the last row of R1
    n_left = last + 1
    n_right = len(x) - n_left
    shift = y.mean() if len(y) else 0.0  # sums of squares of small numbers lose no digits
    sums, squares = np.cumsum(y - shift), np.cumsum(np.square(y - shift))
    left, right = sums[last], sums[-1:] - sums[last]
    square_left, square_right = squares[last], squares[-1:] - squares[last]
    return CutSums(
        s=x[last],
        threshold=x[last] / 2.0 + x[last + 1] / 2.0,
        n_left=n_left,
        n_right=n_right,
        c1=shift + left / n_left,
        c2=shift + right / n_right,
        loss1=np.maximum(square_left - np.square(left) / n_left, 0.0),
        loss2=np.maximum(square_right - np.square(right) / n_right, 0.0),
    )


@dataclass(frozen=True, eq=False)
class Steps:
    """The nodes of a tree on one feature, arrays of shape (n_nodes,) in its order."""

    low: np.ndarray  # float64, a node holds low < x <= high; infinite at the ends
    high: np.ndarray  # float64, a node holds low < x <= high; infinite at the ends
    mean: np.ndarray  # float64, what the node would predict
    loss: np.ndarray  # float64, sum of squared distances from it
    n_samples: np.ndarray  # intp
    depth: np.ndarray  # intp
    leaf: np.ndarray  # bool
    threshold: np.ndarray  # float64, where the node is cut; NaN at leaves


def steps(tree: Tree) -> Steps:
    """Intervals of a regression tree.

    Raises
    ------
    ValueError
        If the tree predicts classes or was grown on more than one feature.
    """
    if len(tree.classes) or tree.n_features != 1:
        raise ValueError("steps need a regression tree on one feature")
    low, high = np.full(tree.n_nodes, -np.inf), np.full(tree.n_nodes, np.inf)
    for node in np.flatnonzero(tree.n_children):  # parents come before their children
        first, threshold = int(tree.first_child[node]), tree.threshold[node]
        low[first], high[first] = low[node], threshold
        low[first + 1], high[first + 1] = threshold, max(threshold, high[node])
    return Steps(
        low=low,
        high=high,
        mean=tree.value[:, 0],
        loss=tree.impurity * tree.weighted_n_node_samples,
        n_samples=tree.n_node_samples,
        depth=tree.depth,
        leaf=tree.n_children == 0,
        threshold=tree.threshold,
    )


@dataclass(frozen=True, eq=False)
class ResponseSteps:
    """The prediction along a feature, piece by piece: constant for start < x <= end."""

    feature: int
    # start, end: (n_steps,) float64, neighbours share their ends; the first begins at the lower
    # bound
    start: np.ndarray
    end: np.ndarray
    value: np.ndarray  # (n_steps,) float64
    # (n_steps,) intp, the leaf (or the node that an unseen category stops at) of each step.
    node: np.ndarray


def response_steps(
    tree: Tree, feature: int, low: float, high: float, at: np.ndarray
) -> ResponseSteps:
    """Exact steps of a regression tree along a numeric feature.

    Parameters
    ----------
    tree : Tree
        Predicts numbers.
    feature : int
    low, high : float
        Where the steps begin and end, low < high.
    at : ndarray of float64, shape (n_features,)
        The encoded values of the other features; that of `feature` plays no part.

    Raises
    ------
    ValueError
        If the tree predicts classes, the feature is nominal, or the bounds are upside down.

    Notes
    -----
    O(n_thresholds depth).
    """
    if not tree.is_regression:
        raise ValueError("response_steps is for trees that predict numbers; this one has classes")
    if tree.feature_categories[feature] is not None:
        raise ValueError(f"{tree.feature_names[feature]!r} is nominal and has no steps")
    if not low < high:
        raise ValueError(f"low must be below high, got {low} and {high}")
    at = np.asarray(at, dtype=np.float64)
    here = (tree.kind == Kind.THRESHOLD) & (tree.feature == feature)
    cuts = np.unique(np.r_[tree.threshold[here], _slanted_cuts(tree, feature, at)])
    end = np.r_[cuts[(cuts > low) & (cuts < high)], high]
    start = np.r_[low, end[:-1]]
    middle = start / 2 + end / 2  # on neither border, whichever side a hyperplane gives it to
    X = np.repeat(at[None], len(end), axis=0)
    X[:, feature] = np.where(middle > start, middle, end)
    node = tree.apply(X)
    last = np.r_[node[1:] != node[:-1], True]  # thresholds of other branches change nothing
    end, node = end[last], node[last]
    return ResponseSteps(feature, np.r_[low, end[:-1]], end, tree.prediction[node], node)


def _slanted_cuts(tree: Tree, feature: int, at: np.ndarray) -> np.ndarray:
    """Cuts of hyperplanes along a feature, with the other features as in `at`."""
    row = tree.split_row[tree.kind == Kind.OBLIQUE]
    weights, threshold = tree.oblique.weights[row], tree.oblique.threshold[row]
    others = at.copy()
    others[feature] = 0.0
    crosses = weights[:, feature] != 0
    return (threshold[crosses] - weights[crosses] @ others) / weights[crosses, feature]
