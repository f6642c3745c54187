"""Rank entropy and rank mutual information, from class counts in the order of the classes.

As in ``impurity.py`` the classes are on the last axis, here from low to high.
"""

from __future__ import annotations

import numpy as np

from .rank_kernels import ASCENDING, BOTH, DESCENDING

DOMINANCE = {"ascending": ASCENDING, "descending": DESCENDING, "mean": BOTH}


def rank_entropy(counts: np.ndarray, dominance: str = "ascending") -> np.ndarray:
    """Return the rank entropy of class counts (..., n_classes), in nats.

    Minus the mean over the rows of log(share of the rows of its class or a higher one).

    Parameters
    ----------
    counts : ndarray, shape (..., n_classes)
        The classes from low to high.
    dominance : {"ascending", "descending", "mean"}, default "ascending"
        Whether a row's set holds the classes at or above its own, at or below, or the mean of
        both entropies.

    Notes
    -----
    0 for a pure node; the largest rank mutual information that a split can have there. Hu et
    al. (2012), definition 4.
    """
    counts = np.asarray(counts, dtype=np.float64)
    if dominance == "mean":
        return (rank_entropy(counts) + rank_entropy(counts, "descending")) / 2.0
    n = counts.sum(axis=-1, keepdims=True)
    sets = _sets(counts, dominance)
    shares = np.divide(sets, n, out=np.ones_like(sets), where=counts > 0)
    mean = np.divide(counts, n, out=np.zeros_like(counts), where=n > 0)
    return np.maximum(-(mean * np.log(shares)).sum(axis=-1), 0.0)


def rank_mutual_information(
    left: np.ndarray, right: np.ndarray, dominance: str = "ascending"
) -> np.ndarray:
    """Return the rank mutual information of classes and a cut, in nats.

    Parameters
    ----------
    left, right : ndarray, shape (..., n_classes)
        Class counts below and above the cut of a feature with which the class rises, the
        classes from low to high; swap them for one with which it falls.
    dominance : {"ascending", "descending", "mean"}, default "ascending"
        As for :func:`rank_entropy`.

    Notes
    -----
    From counts in O(n_classes): a row's dominance set along a cut is its own side or the whole
    node. It may be negative, where the classes fall as the feature rises. Hu et al. (2012),
    definition 7.
    """
    left, right = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    if dominance == "mean":
        down = rank_mutual_information(left, right, "descending")
        return (rank_mutual_information(left, right) + down) / 2.0
    part, both = (right if dominance == "ascending" else left), left + right
    n, n_part = both.sum(axis=-1, keepdims=True), part.sum(axis=-1, keepdims=True)
    ratio = np.ones_like(part)
    np.divide(
        n * _sets(part, dominance), n_part * _sets(both, dominance), out=ratio, where=part > 0
    )
    return (part * np.log(ratio)).sum(axis=-1) / n[..., 0]


def _sets(counts: np.ndarray, dominance: str) -> np.ndarray:
    """Return how many rows are of each class or a higher (lower) one."""
    if dominance == "descending":
        return np.cumsum(counts, axis=-1)
    return np.cumsum(counts[..., ::-1], axis=-1)[..., ::-1]
