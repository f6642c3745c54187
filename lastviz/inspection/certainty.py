"""How sure a tree is of its class in each leaf: class shares, smoothed where rows are few."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz.estimators import ForestClassifier, TreeClassifier
from lastviz.tree import Tree

SMOOTHINGS = ("m", "laplace", "raw")
FEW_ROWS = 5
"""A leaf with fewer training rows says little about others."""


@dataclass(frozen=True, eq=False)
class Certainty:
    """How sure a tree is at each node."""

    # (n_nodes,) float64, 0 where the predicted class is as likely as any by chance, 1 where it is
    # certain.
    degree: np.ndarray
    # (n_nodes,) bool, whether the node has fewer than `FEW_ROWS` training rows (weighted).
    few: np.ndarray


def smoothed_shares(tree: Tree, smoothing: str = "m", m: float = 2.0) -> np.ndarray:
    """Return the estimated probability of each class at each node, shape (n_nodes, n_classes).

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
    """Return how sure a tree is of the class that it predicts at each node.

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
    """Tell whether the class shares of a model's leaves say how sure it is of its class.

    Not where trees vote, where a leaf has its median class or an envelope decides, nor where
    machines part the classes: a leaf of theirs may hold rows of classes out of play.
    """
    if isinstance(estimator, ForestClassifier) or estimator.tree_.is_regression:
        return False
    by_median = getattr(estimator, "leaf", "majority") == "median"
    return not (by_median or getattr(estimator, "monotone", False) or len(estimator.tree_.kernel))
