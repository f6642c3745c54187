"""Where rows lie along directions, and how finely that can be told."""

from __future__ import annotations

import numpy as np

from lastviz.tree.apply_kernels import positions

# Of the span of a component: products and thresholds are off by about 1e-16 of it.
_OF_SPAN = 1e-9
_ROUNDING = 4 * np.finfo(np.float64).eps


def positions_along(X: np.ndarray, directions: np.ndarray) -> np.ndarray:
    """Return `X` (n, m) times `directions` (m, k), shape (n, k).

    Each sum runs in rising order of the features, as routing does: a row has the same
    position, bit for bit, alone, among others, and when a tree predicts it.
    """
    out = np.empty((len(X), directions.shape[1]))
    positions(np.ascontiguousarray(X), np.ascontiguousarray(directions), out)
    return out


def resolution_of(X: np.ndarray, directions: np.ndarray, centre: np.ndarray) -> np.ndarray:
    """Return the gaps below which positions of the rows count as equal, one per direction.

    1e-9 of the largest distance from the centre, but at least the rounding of the sums:
    relative, so that the unit of the features does not matter.
    """
    distance = np.abs((X - centre) @ directions).max(axis=0, initial=0.0)
    rounding = _ROUNDING * (np.abs(X).max(axis=0, initial=0.0) @ np.abs(directions))
    return np.maximum(_OF_SPAN * distance, rounding)
