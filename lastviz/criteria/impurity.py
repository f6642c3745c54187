"""Impurities of nodes and gains of splits, from class counts, and the units of the scans.

Counts have the classes on the last axis, so one call serves a node, a table of candidates or a
whole tree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .rank_kernels import BOTH, EITHER, FALLING, RANK, RISING
from .scan_kernels import GAIN, GAIN_RATIO, GINI

_DIRECTIONS = {1: RISING, -1: FALLING, 0: EITHER}


def _shares(counts: np.ndarray) -> np.ndarray:
    counts = np.asarray(counts, dtype=np.float64)
    total = counts.sum(axis=-1, keepdims=True)
    return np.divide(counts, total, out=np.zeros_like(counts), where=total > 0)


def gini(counts: np.ndarray) -> np.ndarray:
    """Gini impurity 1 - sum_k p_k^2 of class counts (..., n_classes).

    Notes
    -----
    The chance that two rows drawn with replacement differ in class; 0 for a node without
    rows. Breiman et al. (1984), section 4.3.
    """
    shares = _shares(counts)
    present = np.asarray(counts).sum(axis=-1) > 0
    return np.where(present, 1.0 - np.square(shares).sum(axis=-1), 0.0)


def class_entropy(counts: np.ndarray) -> np.ndarray:
    """Entropy - sum_k p_k log2 p_k of class counts (..., n_classes), in bits.

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
    """Decrease of impurity by a split.

    impurity(node) - sum_children (n_child / n) impurity(child).

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
    """Entropy of the children's sizes in bits. Quinlan (1993), section 2.2.2."""
    return class_entropy(np.stack([np.asarray(n_left), np.asarray(n_right)], axis=-1))


def gain_ratio(gain: np.ndarray, information: np.ndarray) -> np.ndarray:
    """Gain / split information; -inf where the split information is 0."""
    gain, information = np.asarray(gain, dtype=np.float64), np.asarray(information)
    out = np.full(np.broadcast(gain, information).shape, -np.inf)
    return np.divide(gain, information, out=out, where=information > 0)


def mdl_correction(n_candidates: np.ndarray, n_samples: int) -> np.ndarray:
    """Price in bits of choosing a threshold: log2(n_candidates) / n_samples.

    Notes
    -----
    `n_candidates` counts the admissible thresholds of one feature. Quinlan (1996),
    "Improved use of continuous attributes in C4.5", section 3; in C4.5 since release 8.
    """
    counts = np.maximum(np.asarray(n_candidates, dtype=np.float64), 1.0)
    return np.log2(counts) / n_samples


# ---- In which units the scans of sorted columns score, see ``scan_kernels.py``


@dataclass(frozen=True, eq=False)
class ScanUnits:
    """Units in which the cuts of every feature are scored."""

    scale: float  # units of a score: per bit where entropy is scored, else 1
    code: np.ndarray  # (n_features,) int64, the criterion of each feature, as the scans name it
    # (n_samples + 1,) float64, 1 / x for Gini, log x for the rank criteria; else empty.
    per_count: np.ndarray
    by_logs: bool  # whether the scans read a table of x log2 x


def entropy_scale(n_samples: int) -> float:
    """Units per bit in which x log2 x of all x <= n_samples fits 62 bits."""
    largest = max(n_samples * np.log2(max(n_samples, 2)), 1.0)
    return 2.0 ** (60 - np.ceil(np.log2(largest)))


def scan_units(
    criterion: int, n_samples: int, n_features: int, directions: np.ndarray | None = None
) -> ScanUnits:
    """Units in which a criterion scores cuts, by its code.

    They hold for up to `n_samples` rows.

    `directions` (n_features,) holds 1, -1 or 0 and matters to the rank criteria alone.
    """
    code = np.full(n_features, criterion, dtype=np.int64)
    counts = np.maximum(np.arange(n_samples + 1), 1)
    if criterion == GINI:
        return ScanUnits(1.0, code, 1.0 / counts, by_logs=False)
    if RANK <= criterion <= RANK + BOTH:
        if directions is not None:
            code += 4 * np.array([_DIRECTIONS[int(sign)] for sign in directions])
        return ScanUnits(1.0, code, np.log(counts), by_logs=False)
    if criterion not in (GAIN, GAIN_RATIO):
        raise ValueError(f"no scan of thresholds has the criterion of code {criterion}")
    return ScanUnits(entropy_scale(n_samples), code, np.empty(0), by_logs=True)
