"""Which feature splits how deep in the trees of a forest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz.estimators import ForestClassifier
from lastviz.tree import Tree


@dataclass(frozen=True, eq=False)
class ForestOverview:
    """What the trees of a forest have in common."""

    n_nodes: np.ndarray  # (n_trees,) intp, size of each tree; its depth in edges
    n_leaves: np.ndarray  # (n_trees,) intp, size of each tree; its depth in edges
    depth: np.ndarray  # (n_trees,) intp, size of each tree; its depth in edges
    # (n_features, deepest) float64, share of the training rows that are sent on by a test of the
    # feature at each depth, as a mean over the trees.
    splits: np.ndarray
    trees_with: np.ndarray  # (n_features,) intp, trees that test the feature anywhere
    # (n_trees,) float64, share of the rows asked about that each tree gives the forest's class.
    agreement: np.ndarray
    representative: int  # the tree that agrees most; of equal ones the smallest, then the first


def forest_overview(forest: ForestClassifier, X: np.ndarray) -> ForestOverview:
    """Return the overview of a fitted forest of trees of thresholds.

    Parameters
    ----------
    forest : ForestClassifier
    X : ndarray, shape (n_samples, n_features)
        The rows on which trees and forest are compared.

    Notes
    -----
    O(n_samples n_trees depth).
    """
    trees = [each.tree_ for each in forest.estimators_]
    deepest = max(1, *(tree.max_depth for tree in trees))
    by_tree = np.array([_splits(tree, deepest) for tree in trees])
    predicted = np.stack([tree.predict(X) for tree in trees])
    decided = forest.predict_codes(np.ascontiguousarray(X, dtype=np.float64))
    agreement = (predicted == decided).mean(axis=1)
    n_nodes = np.array([tree.n_nodes for tree in trees])
    order = np.lexsort((n_nodes, -agreement))
    return ForestOverview(
        n_nodes=n_nodes,
        n_leaves=np.array([tree.n_leaves for tree in trees]),
        depth=np.array([tree.max_depth for tree in trees]),
        splits=by_tree.mean(axis=0),
        trees_with=np.count_nonzero(by_tree.sum(axis=2) > 0, axis=0),
        agreement=agreement,
        representative=int(order[0]),
    )


def _splits(tree: Tree, deepest: int) -> np.ndarray:
    inner = np.flatnonzero(tree.n_children > 0)
    share = tree.weighted_n_node_samples / (tree.weighted_n_node_samples[0] or 1.0)
    found = np.zeros((tree.n_features, deepest))
    np.add.at(found, (tree.feature[inner], tree.depth[inner]), share[inner])
    return found
