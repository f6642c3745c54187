"""The directions that a node's splits are chosen along."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class LatentBasis:
    """A latent space: each component is a weighted sum of the features.

    Attributes
    ----------
    space : str
        How it was found, a key of ``lastviz.latent.LATENT_SPACES``.
    directions : ndarray of float64, shape (n_features, n_components)
        Weights of the features in each component, the most important component first.
    centre : ndarray of float64, shape (n_features,)
        The point with coordinates 0.
    singular_values : ndarray of float64, shape (n_components,)
        Length of each component's coordinates over the rows that gave the basis.
    explained_share : ndarray of float64, shape (n_components,)
        Share of the rows' squared distance from the centre; sums to 1.
    names : tuple of str
    resolution : ndarray of float64, shape (n_components,)
        Coordinates closer than this cannot be told apart.
    excess_kurtosis : ndarray of float64 or None, shape (n_components,)
        Of independent components, 0 for a normal distribution; else None.
    converged : bool
        Whether the iteration that found the directions came to rest.
    identifiable : bool
        Whether the data determine the directions: at most one independent component may be
        indistinguishable from a normal one.
    """

    space: str
    directions: np.ndarray
    centre: np.ndarray
    singular_values: np.ndarray
    explained_share: np.ndarray
    names: tuple[str, ...]
    resolution: np.ndarray
    excess_kurtosis: np.ndarray | None = None
    converged: bool = True
    identifiable: bool = True

    @property
    def n_components(self) -> int:
        """Number of components; 0 where all rows are the centre."""
        return self.directions.shape[1]

    @property
    def origin(self) -> np.ndarray:
        """Where the centre lies along each direction, shape (n_components,)."""
        return self.centre @ self.directions

    def coordinates(self, X: np.ndarray) -> np.ndarray:
        """Return the coordinates of `X` (n, n_features), shape (n, n_components)."""
        return (np.asarray(X, dtype=np.float64) - self.centre) @ self.directions
