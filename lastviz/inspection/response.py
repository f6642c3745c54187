"""What a tree of numbers predicts along one feature: steps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz.tree import Kind, Tree

__all__ = ["ResponseSteps", "response_steps"]


@dataclass(frozen=True, eq=False)
class ResponseSteps:
    """The prediction along a feature, piece by piece: constant for start < x <= end.

    Attributes
    ----------
    feature : int
    start, end : ndarray of float64, shape (n_steps,)
        Neighbours share their ends; the first begins at the lower bound.
    value : ndarray of float64, shape (n_steps,)
    node : ndarray of intp, shape (n_steps,)
        The leaf (or the node that an unseen category stops at) of each step.
    """

    feature: int
    start: np.ndarray
    end: np.ndarray
    value: np.ndarray
    node: np.ndarray


def response_steps(
    tree: Tree, feature: int, low: float, high: float, at: np.ndarray
) -> ResponseSteps:
    """Return the exact steps of a regression tree along a numeric feature.

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
    here = (tree.kind == Kind.THRESHOLD) & (tree.feature == feature)
    cuts = np.unique(tree.threshold[here])
    end = np.r_[cuts[(cuts > low) & (cuts < high)], high]
    X = np.repeat(np.asarray(at, dtype=np.float64)[None], len(end), axis=0)
    X[:, feature] = end
    node = tree.apply(X)
    last = np.r_[node[1:] != node[:-1], True]  # thresholds of other branches change nothing
    end, node = end[last], node[last]
    return ResponseSteps(feature, np.r_[low, end[:-1]], end, tree.prediction[node], node)
