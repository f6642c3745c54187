"""Orthogonal spaces: the singular vectors of the rows, centred or not; or the features."""

from __future__ import annotations

import numpy as np

from lastviz.tree import LatentBasis

from .canonical import canonical_basis
from .positions import resolution_of


def features_themselves(X: np.ndarray) -> LatentBasis:
    """Return the features of `X` (n, m) as the components: no change of space."""
    m = X.shape[1]
    lengths = np.linalg.norm(X, axis=0)
    return LatentBasis(
        space="none",
        directions=np.eye(m),
        centre=np.zeros(m),
        singular_values=lengths,
        explained_share=_shares(lengths),
        names=tuple(f"x{i + 1}" for i in range(m)),
        resolution=np.zeros(m),
    )


def singular_vectors(X: np.ndarray) -> LatentBasis:
    """Return the right singular vectors of `X` (n, m) as it is, not centred.

    Notes
    -----
    He, Xu and Chen (2009), eq (9)-(13); their X has the rows as columns. O(n m^2).
    """
    return singular_basis(X, np.zeros(X.shape[1]), "svd")


def principal_components(X: np.ndarray) -> LatentBasis:
    """Return the right singular vectors of the centred `X` (n, m). O(n m^2)."""
    return singular_basis(X, X.mean(axis=0), "pca")


def singular_basis(X: np.ndarray, centre: np.ndarray, space: str) -> LatentBasis:
    """Return the canonical right singular vectors of X - centre, without null directions."""
    vectors, values = _thin(X - centre)
    null = max(X.shape) * np.finfo(np.float64).eps * np.linalg.norm(X)
    nonzero = values > null
    vectors = canonical_basis(vectors[:, nonzero], values[nonzero])
    return LatentBasis(
        space=space,
        directions=vectors,
        centre=centre,
        singular_values=values[nonzero],
        explained_share=_shares(values[nonzero]),
        names=tuple(f"u{i + 1}" for i in range(vectors.shape[1])),
        resolution=resolution_of(X, vectors, centre),
    )


def _thin(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the right singular vectors (m, k) and values (k,), k = min(n, m)."""
    if len(X) > X.shape[1]:
        X = np.linalg.qr(X, mode="r")
    _, values, rows = np.linalg.svd(X, full_matrices=False)
    return rows.T, values


def _shares(lengths: np.ndarray) -> np.ndarray:
    largest = lengths.max(initial=0.0)
    squares = np.square(lengths / largest) if largest > 0 else np.zeros(len(lengths))
    return squares / max(squares.sum(), 1.0)
