"""How far a picture of a plane can be trusted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.tree import Tree

__all__ = ["slice_fidelity"]


def slice_fidelity(tree: Tree, X: np.ndarray, features: Sequence[int], at: np.ndarray) -> float:
    """Return the share of rows whose colour in a slice is the model's own prediction.

    Parameters
    ----------
    tree : Tree
    X : ndarray, shape (n_samples, n_features)
        The rows to be drawn; n_samples >= 1.
    features : sequence of int
        The columns that the two axes show.
    at : ndarray, shape (n_features,)
        Where the other features are fixed.
    """
    X = np.asarray(X, dtype=np.float64)
    drawn = np.tile(np.asarray(at, dtype=np.float64), (len(X), 1))
    drawn[:, list(features)] = X[:, list(features)]
    return float(np.mean(tree.predict(drawn) == tree.predict(X)))
