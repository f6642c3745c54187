"""Which two components show the classes best, and how far such a picture can be trusted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz.latent import LatentBasis
from lastviz.tree import Tree

_TIE = 1e-9  # distances closer than this, in units of a standard deviation, are equal
_MOST_WORK = 3e8  # rows x classes x pairs; of more rows, some evenly spaced ones are looked at


@dataclass(frozen=True, eq=False)
class Projection:
    """The pair of components that separates the classes best."""

    # Across and up, the lower one first; the same twice if there is only one.
    components: tuple[int, int]
    separation: float  # of that pair, from 0 to 1 (perfect)
    # (n_components, n_components), of every pair, symmetric; on the diagonal that of the component
    # alone.
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
    The measure is the leave-one-out accuracy of the nearest class mean: the share of rows that
    lie nearer to the mean of their own class, the row itself left out, than to that of any other;
    where k means are equally near, a row counts 1 / k. Each component is taken in units of its
    standard deviation. Ties go to the lower components. O(n_samples n_classes n_components^2).
    """
    Z, y = np.asarray(coordinates, dtype=np.float64), np.unique(y, return_inverse=True)[1]
    k = Z.shape[1]
    if k == 0:
        raise ValueError("there is no component to look at: all rows are the same")
    apart = _distances(Z, y)
    most = max(int(_MOST_WORK / (apart.shape[1] * k * k)), 100)
    rows = np.linspace(0, len(y) - 1, min(len(y), most)).astype(np.intp)
    apart, y = apart[rows], y[rows]
    separations = np.empty((k, k))
    for i in range(k):
        pairs = apart[:, :, i, None] + apart[:, :, i:]
        pairs[:, :, 0] = apart[:, :, i]
        separations[i, i:] = separations[i:, i] = _nearest(pairs, y)
    if k == 1:
        return Projection((0, 0), float(separations[0, 0]), separations)
    across, up = np.triu_indices(k, 1)
    best = separations[across, up].argmax()
    pair = (int(across[best]), int(up[best]))
    return Projection(pair, float(separations[pair]), separations)


def _distances(Z: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the squared distance of each row to each class mean along each component.

    Shape (n_samples, n_classes, n_components). The row itself is in no mean: that moves its own
    class's away from it by n / (n - 1); a class of one row has no mean for it.
    """
    spread = Z.std(axis=0)
    Z = (Z - Z.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    sizes = np.bincount(y)
    means = np.stack([Z[y == label].mean(axis=0) for label in range(len(sizes))])
    apart = (Z[:, None, :] - means) ** 2
    of_row = sizes[y].astype(np.float64)
    apart[np.arange(len(y)), y] *= (of_row / np.maximum(of_row - 1.0, 1.0))[:, None] ** 2
    apart[of_row == 1, y[of_row == 1]] = np.inf
    return apart


def _nearest(apart: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the share of rows nearest to their own class, shape (n_pairs,)."""
    near = apart <= apart.min(axis=1, keepdims=True) + _TIE
    return (near[np.arange(len(y)), y] / near.sum(axis=1)).mean(axis=0)


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
