"""One basis out of the many that span the same eigenspaces."""

from __future__ import annotations

import numpy as np

SAME = 1e-9  # relative: singular values, and loadings, that count as equal


def canonical_basis(vectors: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return an orthonormal basis that depends on the eigenspaces alone.

    Parameters
    ----------
    vectors : ndarray, shape (n_features, k)
        Orthonormal singular vectors.
    values : ndarray, shape (k,)
        Their singular values, falling.

    Returns
    -------
    ndarray, shape (n_features, k)
        A vector with a singular value of its own is turned so that its largest loading is
        positive. Where neighbouring values lie within 1e-9 of the largest, any rotation of
        their vectors is as good: there the coordinate axes, projected into the eigenspace,
        are orthogonalised, the longest first. Ties go to the lower feature.

    Notes
    -----
    A permutation of the rows, which may turn or flip the vectors that a program returns,
    so changes nothing beyond rounding. O(n_features k^2).
    """
    out = np.empty_like(vectors)
    start, k = 0, len(values)
    while start < k:
        end = start + 1
        while end < k and values[end - 1] - values[end] <= SAME * values[0]:
            end += 1
        group = slice(start, end)
        alone = end - start == 1
        out[:, group] = (largest_positive if alone else _from_axes)(vectors[:, group])
        start = end
    return out


def largest_positive(vectors: np.ndarray) -> np.ndarray:
    """Return the columns, each with the sign that makes its largest entry positive."""
    out = vectors.copy()
    for column in out.T:
        if column[_first_largest(np.abs(column))] < 0:
            column *= -1.0
    return out


def _first_largest(sizes: np.ndarray) -> int:
    return int(np.flatnonzero(sizes >= sizes.max() * (1.0 - SAME))[0])


def _from_axes(vectors: np.ndarray) -> np.ndarray:
    """Orthogonalise the projected axes; row j of `inside` is axis j in the eigenspace's terms."""
    inside = vectors.copy()
    out = np.empty_like(vectors)
    for c in range(vectors.shape[1]):
        lengths = np.linalg.norm(inside, axis=1)
        unit = inside[_first_largest(lengths)]
        unit = unit / np.linalg.norm(unit)
        out[:, c] = vectors @ unit
        inside = inside - np.outer(inside @ unit, unit)
    return out
