"""Folds of a cross-validation."""

from __future__ import annotations

import numpy as np

__all__ = ["stratified_folds"]


def stratified_folds(y: np.ndarray, n_folds: int, random_state: int) -> np.ndarray:
    """Fold of each row, (n_samples,): every class is spread as evenly as it goes."""
    order = np.random.default_rng(random_state).permutation(len(y))
    order = order[np.argsort(y[order], kind="stable")]
    fold = np.empty(len(y), dtype=np.intp)
    fold[order] = np.arange(len(y)) % n_folds
    return fold
