"""What a tree predicts that is cut at some depth."""

from __future__ import annotations

import numpy as np

from lastviz.tree import Tree

__all__ = ["cut_predictions"]


def cut_predictions(tree: Tree, X: np.ndarray, stands: np.ndarray) -> np.ndarray:
    """Return the class index of each row by a tree that is cut.

    Parameters
    ----------
    tree : Tree
    X : ndarray of float64, shape (n_samples, n_features)
        Encoded, see :meth:`lastviz.tree.Tree.apply`.
    stands : ndarray of intp, shape (n_nodes,)
        Which node stands for each node, see :meth:`lastviz.tree.Tree.at_depth`.

    Notes
    -----
    As ``tree.predict``, of which it is the whole where nothing is cut: a row that a missing
    value sends to several leaves has the class of largest mean share in the nodes that stand
    for them, the lowest on a tie. O(n_samples depth).
    """
    row, leaf, weight = tree.leaf_weights(X)
    here = stands[leaf]
    alone = np.flatnonzero(np.bincount(row, minlength=len(X))[row] == 1)
    out = np.empty(len(X), dtype=np.intp)
    out[row[alone]] = tree.prediction[here[alone]]
    parts = np.setdiff1d(np.arange(len(row)), alone)
    if len(parts):
        rows, place = np.unique(row[parts], return_inverse=True)
        shares = np.zeros((len(rows), tree.value.shape[1]))
        np.add.at(shares, place, weight[parts, None] * _shares(tree, here[parts]))
        out[rows] = (shares >= shares.max(axis=1, keepdims=True) - 1e-12).argmax(axis=1)
    return out


def _shares(tree: Tree, nodes: np.ndarray) -> np.ndarray:
    """Return the class shares of nodes; one without rows votes for what it predicts."""
    value = tree.value[nodes].astype(np.float64)
    empty = np.flatnonzero(value.sum(axis=1) <= 0.0)
    value[empty, tree.prediction[nodes[empty]]] = 1.0
    return value / value.sum(axis=1, keepdims=True)
