"""Latent bases, and the registry of them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from sklearn.decomposition import FastICA
from sklearn.exceptions import ConvergenceWarning

from lastviz.tree import LatentBasis
from lastviz.tree.apply_kernels import positions

SAME = 1e-9  # relative: singular values, and loadings, that count as equal


def canonical_basis(vectors: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Orthonormal basis that depends on the eigenspaces alone.

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
    """Columns, each with the sign that makes its largest entry positive."""
    out = vectors.copy()
    for column in out.T:
        if column[_first_largest(np.abs(column))] < 0:
            column *= -1.0
    return out


def _first_largest(sizes: np.ndarray) -> int:
    return int(np.flatnonzero(sizes >= sizes.max() * (1.0 - SAME))[0])


def _from_axes(vectors: np.ndarray) -> np.ndarray:
    """Orthogonalise the projected axes.

    Row j of `inside` is axis j in the coordinates of the eigenspace.
    """
    inside = vectors.copy()
    out = np.empty_like(vectors)
    for c in range(vectors.shape[1]):
        lengths = np.linalg.norm(inside, axis=1)
        unit = inside[_first_largest(lengths)]
        unit = unit / np.linalg.norm(unit)
        out[:, c] = vectors @ unit
        inside = inside - np.outer(inside @ unit, unit)
    return out


# ---- Where rows lie along directions, and how finely that can be told

# Of the span of a component: products and thresholds are off by about 1e-16 of it.
_OF_SPAN = 1e-9
_ROUNDING = 4 * np.finfo(np.float64).eps


def positions_along(X: np.ndarray, directions: np.ndarray) -> np.ndarray:
    """Product of `X` (n, m) and `directions` (m, k), shape (n, k).

    Each sum runs in rising order of the features, as routing does: a row has the same
    position, bit for bit, alone, among others, and when a tree predicts it.
    """
    out = np.empty((len(X), directions.shape[1]))
    positions(np.ascontiguousarray(X), np.ascontiguousarray(directions), out)
    return out


def resolution_of(X: np.ndarray, directions: np.ndarray, centre: np.ndarray) -> np.ndarray:
    """Gaps below which positions of the rows count as equal, one per direction.

    1e-9 of the largest distance from the centre, but at least the rounding of the sums:
    relative, so that the unit of the features does not matter.
    """
    distance = np.abs((X - centre) @ directions).max(axis=0, initial=0.0)
    rounding = _ROUNDING * (np.abs(X).max(axis=0, initial=0.0) @ np.abs(directions))
    return np.maximum(_OF_SPAN * distance, rounding)


# ---- Orthogonal spaces: the singular vectors of the rows, centred or not; or the features


def features_themselves(X: np.ndarray) -> LatentBasis:
    """Features of `X` (n, m) as the components: no change of space."""
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
    """Right singular vectors of `X` (n, m) as it is, not centred.

    Notes
    -----
    He, Xu and Chen (2009), eq (9)-(13); their X has the rows as columns. O(n m^2).
    """
    return singular_basis(X, np.zeros(X.shape[1]), "svd")


def principal_components(X: np.ndarray) -> LatentBasis:
    """Right singular vectors of the centred `X` (n, m). O(n m^2)."""
    return singular_basis(X, X.mean(axis=0), "pca")


def singular_basis(X: np.ndarray, centre: np.ndarray, space: str) -> LatentBasis:
    """Canonical right singular vectors of X - centre, without null directions."""
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
    """Right singular vectors (m, k) and values (k,), k = min(n, m)."""
    if len(X) > X.shape[1]:
        X = np.linalg.qr(X, mode="r")
    _, values, rows = np.linalg.svd(X, full_matrices=False)
    return rows.T, values


def _shares(lengths: np.ndarray) -> np.ndarray:
    largest = lengths.max(initial=0.0)
    squares = np.square(lengths / largest) if largest > 0 else np.zeros(len(lengths))
    return squares / max(squares.sum(), 1.0)


# ---- Independent components: the directions along which the rows are least normal

# A normal sample's excess kurtosis stays within two standard errors, 2 sqrt(24 / n), of 0.
_NORMAL = 2.0 * np.sqrt(24.0)


def independent_components(X: np.ndarray) -> LatentBasis:
    """Independent components of `X` (n, m), the least normal first.

    Notes
    -----
    FastICA (Hyvarinen 1999) on the whitened principal components, from a fixed start. The
    order is by falling absolute excess kurtosis, the sign by the largest weight. Components
    have unit variance and uncorrelated coordinates, but their directions are oblique. Where
    the iteration does not come to rest, `converged` says so.
    """
    principal = principal_components(X)
    n, k = len(X), principal.n_components
    scale = np.sqrt(n) / principal.singular_values
    white = principal.coordinates(X) * scale
    rotation, converged = _rotation(white)
    sources = white @ rotation
    kurtosis = np.mean(sources**4, axis=0) - 3.0
    order = np.argsort(-np.abs(kurtosis), kind="stable")
    directions = largest_positive((principal.directions * scale) @ rotation[:, order])
    spread = principal.explained_share @ np.square(rotation[:, order])
    return LatentBasis(
        space="ica",
        directions=directions,
        centre=principal.centre,
        singular_values=np.full(k, np.sqrt(n)),
        explained_share=spread,
        names=tuple(f"u{i + 1}" for i in range(k)),
        resolution=resolution_of(X, directions, principal.centre),
        excess_kurtosis=kurtosis[order],
        converged=converged,
        identifiable=bool(np.count_nonzero(np.abs(kurtosis) < _NORMAL / np.sqrt(n)) <= 1),
    )


def _rotation(white: np.ndarray) -> tuple[np.ndarray, bool]:
    """Rotation (k, k) of whitened rows to independent ones, and whether it converged."""
    k = white.shape[1]
    if k < 2:
        return np.eye(k), True
    ica = FastICA(whiten=False, w_init=np.eye(k), max_iter=500, tol=1e-6)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ica.fit(white)
    failed = any(issubclass(warning.category, ConvergenceWarning) for warning in caught)
    return ica.components_.T, not failed


# ---------------------------------------------------------------- The latent spaces by name


@dataclass(frozen=True)
class LatentSpace:
    """A way to find a latent space."""

    title: str  # what people call it
    component: str  # what people call one of its components
    basis: Callable[[np.ndarray], LatentBasis]  # finite rows (n, n_features), n >= 1 -> LatentBasis


LATENT_SPACES: dict[str, LatentSpace] = {
    "svd": LatentSpace("SVD", "singular vector", singular_vectors),
    "pca": LatentSpace("PCA", "principal component", principal_components),
    "ica": LatentSpace("ICA", "independent component", independent_components),
    "none": LatentSpace("no change", "feature", features_themselves),
}
