"""Which two components show the classes best, and how far such a picture can be trusted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz.latent import LatentBasis
from lastviz.tree import Tree

__all__ = ["Projection", "best_projection", "projection_fidelity"]

_FLAT = 1e-12  # of the product of the spreads: two components that are one


@dataclass(frozen=True, eq=False)
class Projection:
    """The pair of components that separates the classes best.

    Attributes
    ----------
    components : tuple of int
        Across and up, the lower one first; the same twice if there is only one.
    separation : float
        Of that pair, from 0 (the classes have one mean) to 1.
    separations : ndarray, shape (n_components, n_components)
        Of every pair, symmetric; on the diagonal that of the component alone.
    """

    components: tuple[int, int]
    separation: float
    separations: np.ndarray


def best_projection(coordinates: np.ndarray, y: np.ndarray) -> Projection:
    """Return the pair of columns in which the classes lie furthest apart.

    Parameters
    ----------
    coordinates : array-like, shape (n_samples, n_components)
        Latent coordinates, or the features themselves.
    y : array-like, shape (n_samples,)
        Classes.

    Raises
    ------
    ValueError
        If there is no component.

    Notes
    -----
    The measure is 1 - det W / det T (one minus Wilks' lambda), W and T the scatter of the pair
    within the classes and in all: the share of the generalised variance that lies between the
    classes. It sees differences of means and does not depend on units or on a rotation within
    the plane. Ties go to the lower components. O(n_samples n_components^2).
    """
    Z = np.asarray(coordinates, dtype=np.float64)
    k = Z.shape[1]
    if k == 0:
        raise ValueError("there is no component to look at: all rows are the same")
    total, within = _scatter(Z, np.asarray(y))
    separations = 1.0 - _ratio(within, total)
    alone = np.diagonal(total)
    single = 1.0 - np.divide(
        np.diagonal(within), alone, out=np.ones(k), where=alone > 0
    )  # fmt: skip
    flat = _determinants(total) <= _FLAT * np.outer(alone, alone)
    separations = np.where(flat, np.maximum.outer(single, single), separations)
    np.fill_diagonal(separations, single)
    if k == 1:
        return Projection((0, 0), float(single[0]), separations)
    across, up = np.triu_indices(k, 1)
    best = separations[across, up].argmax()
    pair = (int(across[best]), int(up[best]))
    return Projection(pair, float(separations[pair]), separations)


def _scatter(Z: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the scatter matrices of all rows and within the classes, columns of unit size."""
    Z = Z - Z.mean(axis=0)
    size = np.abs(Z).max(axis=0)
    Z = Z / np.where(size > 0, size, 1.0)
    total, within = Z.T @ Z, np.zeros((Z.shape[1], Z.shape[1]))
    for label in np.unique(y):
        inside = Z[y == label]
        inside = inside - inside.mean(axis=0)
        within += inside.T @ inside
    return total, within


def _determinants(scatter: np.ndarray) -> np.ndarray:
    spread = np.diagonal(scatter)
    return np.outer(spread, spread) - scatter**2


def _ratio(within: np.ndarray, total: np.ndarray) -> np.ndarray:
    below, above = _determinants(total), _determinants(within)
    return np.divide(above, below, out=np.ones_like(above), where=below > 0)


def projection_fidelity(
    tree: Tree,
    X: np.ndarray,
    basis: LatentBasis,
    components: tuple[int, int],
    at: np.ndarray | None = None,
) -> float:
    """Return the share of rows whose colour in a latent plane is the model's own prediction.

    Parameters
    ----------
    tree : Tree
    X : array-like, shape (n_samples, n_features)
        The rows to be drawn; n_samples >= 1.
    basis : LatentBasis
    components : tuple of int
        The components on the two axes.
    at : ndarray, shape (n_components,), optional
        Where the other components are fixed; by default at the mean of the rows.

    Notes
    -----
    Each row is moved onto the drawn plane, by fixing its other components, and predicted
    there; that is the region it is seen to lie in. 1 where the model looks at these two
    components alone.
    """
    X = np.asarray(X, dtype=np.float64)
    Z = basis.coordinates(X)
    drawn = np.tile(Z.mean(axis=0) if at is None else np.asarray(at, dtype=np.float64), (len(X), 1))
    drawn[:, list(components)] = Z[:, list(components)]
    moved = X + (drawn - Z) @ np.linalg.pinv(basis.directions)
    return float(np.mean(tree.predict(moved) == tree.predict(X)))
