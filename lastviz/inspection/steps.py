"""A regression tree on one feature as nested intervals of that feature."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz.tree import Tree

__all__ = ["Steps", "steps"]


@dataclass(frozen=True, eq=False)
class Steps:
    """The nodes of a tree on one feature, arrays of shape (n_nodes,) in its order.

    Attributes
    ----------
    low, high : ndarray of float64
        A node holds low < x <= high; infinite at the ends.
    mean : ndarray of float64
        What the node would predict.
    loss : ndarray of float64
        Sum of squared distances from it.
    n_samples : ndarray of intp
    depth : ndarray of intp
    leaf : ndarray of bool
    threshold : ndarray of float64
        Where the node is cut; NaN at leaves.
    """

    low: np.ndarray
    high: np.ndarray
    mean: np.ndarray
    loss: np.ndarray
    n_samples: np.ndarray
    depth: np.ndarray
    leaf: np.ndarray
    threshold: np.ndarray


def steps(tree: Tree) -> Steps:
    """Return the intervals of a regression tree.

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
        low[first + 1], high[first + 1] = threshold, high[node]
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
