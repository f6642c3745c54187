"""Independent components: the directions along which the rows are least normal."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.decomposition import FastICA
from sklearn.exceptions import ConvergenceWarning

from lastviz.tree import LatentBasis

from .canonical import largest_positive
from .orthogonal import principal_components
from .positions import resolution_of

# A normal sample's excess kurtosis stays within two standard errors, 2 sqrt(24 / n), of 0.
_NORMAL = 2.0 * np.sqrt(24.0)


def independent_components(X: np.ndarray) -> LatentBasis:
    """Return the independent components of `X` (n, m), the least normal first.

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
    """Return the rotation (k, k) of whitened rows to independent ones, and whether it converged."""
    k = white.shape[1]
    if k < 2:
        return np.eye(k), True
    ica = FastICA(whiten=False, w_init=np.eye(k), max_iter=500, tol=1e-6)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ica.fit(white)
    failed = any(issubclass(warning.category, ConvergenceWarning) for warning in caught)
    return ica.components_.T, not failed
