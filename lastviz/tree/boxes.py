"""The leaves of a threshold tree as boxes, and the monotone function closest around it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .box_kernels import envelope
from .tree import Kind, Tree


@dataclass(frozen=True, eq=False)
class LeafBoxes:
    """The leaves of a tree, by rising label, as boxes low < x <= high."""

    leaf: np.ndarray  # (n_leaves,) intp, the node and its class index
    label: np.ndarray  # (n_leaves,) intp, the node and its class index
    low: np.ndarray  # (n_leaves, n_features) float64, infinite where nothing bounds the leaf
    high: np.ndarray  # (n_leaves, n_features) float64, infinite where nothing bounds the leaf


def leaf_boxes(tree: Tree) -> LeafBoxes:
    """Leaves of a tree of thresholds. O(n_nodes n_features).

    Raises
    ------
    ValueError
        If the tree has splits of another kind.
    """
    if (tree.kind > Kind.THRESHOLD).any():
        raise ValueError("only the leaves of trees of thresholds are boxes")
    low = np.full((tree.n_nodes, tree.n_features), -np.inf)
    high = np.full((tree.n_nodes, tree.n_features), np.inf)
    for level in range(tree.max_depth):
        split = np.flatnonzero((tree.depth == level) & (tree.n_children > 0))
        first, feature = tree.first_child[split], tree.feature[split]
        threshold = tree.threshold[split]
        for branch in (0, 1):
            low[first + branch], high[first + branch] = low[split], high[split]
        high[first, feature] = np.minimum(high[split, feature], threshold)
        low[first + 1, feature] = np.maximum(low[split, feature], threshold)
    leaf = np.flatnonzero(tree.n_children == 0)
    leaf = leaf[np.argsort(tree.prediction[leaf], kind="stable")]
    return LeafBoxes(leaf, tree.prediction[leaf], low[leaf], high[leaf])


def monotone_predictions(boxes: LeafBoxes, directions: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Class indices that are monotone in X, whatever the tree predicts.

    Halfway, rounded down, between the largest label of a box with a point that the row
    dominates and the smallest label of a box with a point that dominates the row. Where the
    tree is monotone, it is the tree.

    Parameters
    ----------
    boxes : LeafBoxes
    directions : ndarray of int, shape (n_features,)
        1, -1 or 0, see :func:`lastviz.criteria.rank.orient`.
    X : ndarray, shape (n_samples, n_features)

    Notes
    -----
    O(n_samples n_leaves n_features) at worst.
    """
    X = np.ascontiguousarray(X, dtype=np.float64)
    lowest, highest = np.empty(len(X), dtype=np.intp), np.empty(len(X), dtype=np.intp)
    envelope(
        X, boxes.low, boxes.high, boxes.label, directions >= 0, directions <= 0, lowest, highest
    )
    return (lowest + highest) // 2
