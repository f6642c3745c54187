"""Impurities of a node and what a split gains, from class counts.

Everything here takes counts with the classes on the last axis, so one call serves a node,
a table of candidates or a whole tree.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


def _shares(counts: np.ndarray) -> np.ndarray:
    counts = np.asarray(counts, dtype=np.float64)
    total = counts.sum(axis=-1, keepdims=True)
    return np.divide(counts, total, out=np.zeros_like(counts), where=total > 0)


def gini(counts: np.ndarray) -> np.ndarray:
    """Return the Gini impurity 1 - sum_k p_k^2 of class counts (..., n_classes).

    Notes
    -----
    The chance that two rows drawn with replacement differ in class; 0 for a node without
    rows. Breiman et al. (1984), section 4.3.
    """
    shares = _shares(counts)
    present = np.asarray(counts).sum(axis=-1) > 0
    return np.where(present, 1.0 - np.square(shares).sum(axis=-1), 0.0)


def class_entropy(counts: np.ndarray) -> np.ndarray:
    """Return the entropy - sum_k p_k log2 p_k of class counts (..., n_classes), in bits.

    Notes
    -----
    0 log 0 is 0. Quinlan (1986), section 4.
    """
    shares = _shares(counts)
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    return np.maximum(-(shares * logs).sum(axis=-1), 0.0)


def impurity_decrease(
    left: np.ndarray, right: np.ndarray, impurity: Callable[[np.ndarray], np.ndarray]
) -> np.ndarray:
    """Return impurity(node) - sum_children (n_child / n) impurity(child).

    Parameters
    ----------
    left, right : ndarray, shape (..., n_classes)
        Class counts of the children.
    impurity : callable
        :func:`gini` (the Gini gain) or :func:`class_entropy` (the information gain, bits).
    """
    left, right = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    n_left, n_right = left.sum(axis=-1), right.sum(axis=-1)
    inside = (n_left * impurity(left) + n_right * impurity(right)) / (n_left + n_right)
    return impurity(left + right) - inside


def split_information(n_left: np.ndarray, n_right: np.ndarray) -> np.ndarray:
    """Return the entropy of the children's sizes in bits. Quinlan (1993), section 2.2.2."""
    return class_entropy(np.stack([np.asarray(n_left), np.asarray(n_right)], axis=-1))


def gain_ratio(gain: np.ndarray, information: np.ndarray) -> np.ndarray:
    """Return gain / split information; -inf where the split information is 0."""
    gain, information = np.asarray(gain, dtype=np.float64), np.asarray(information)
    out = np.full(np.broadcast(gain, information).shape, -np.inf)
    return np.divide(gain, information, out=out, where=information > 0)


def mdl_correction(n_candidates: np.ndarray, n_samples: int) -> np.ndarray:
    """Return log2(n_candidates) / n_samples, the price in bits of choosing a threshold.

    Notes
    -----
    `n_candidates` counts the admissible thresholds of one feature. Quinlan (1996),
    "Improved use of continuous attributes in C4.5", section 3; in C4.5 since release 8.
    """
    counts = np.maximum(np.asarray(n_candidates, dtype=np.float64), 1.0)
    return np.log2(counts) / n_samples
