"""How far the numbers that a tree predicts are off, and which features it owes them to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz.tree import Tree

__all__ = ["NumberScores", "number_scores", "spread_by_feature"]


@dataclass(frozen=True)
class NumberScores:
    """Predicted against true numbers of some rows.

    Attributes
    ----------
    n_samples : int
    rmse : float
        Root of the mean squared error, in the unit of the numbers; NaN without rows.
    r2 : float
        Share of the squared deviations from the mean of these rows that the prediction takes
        away, 1 at best, below 0 if it is worse than that mean; NaN where the rows do not differ.
    """

    n_samples: int
    rmse: float
    r2: float


def number_scores(y: np.ndarray, predicted: np.ndarray) -> NumberScores:
    """Return the scores of `predicted` for the true `y`, both of shape (n_samples,). O(n)."""
    if not len(y):
        return NumberScores(0, float("nan"), float("nan"))
    lost = float(np.sum((y - predicted) ** 2))
    spread = float(np.sum((y - y.mean()) ** 2))
    r2 = 1.0 - lost / spread if np.ptp(y) > 0 else float("nan")
    return NumberScores(len(y), (lost / len(y)) ** 0.5, r2)


def spread_by_feature(tree: Tree) -> np.ndarray:
    """Return how much squared error the splits on each feature take away, shape (n_features,).

    A split takes away the squared distances of its branches' means from its own, one for each
    row (weighted). O(n_nodes).
    """
    child = np.flatnonzero(tree.parent >= 0)
    parent = tree.parent[child]
    apart = (tree.prediction[child] - tree.prediction[parent]) ** 2
    gained = tree.weighted_n_node_samples[child] * apart
    return np.bincount(tree.feature[parent], gained, minlength=tree.n_features)
