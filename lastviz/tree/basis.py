"""The directions that a node's splits are chosen along."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class LatentBasis:
    """A latent space: each component is a weighted sum of the features."""

    space: str  # how it was found, a key of `lastviz.latent.LATENT_SPACES`
    # (n_features, n_components) float64, weights of the features in each component, the most
    # important component first.
    directions: np.ndarray
    centre: np.ndarray  # (n_features,) float64, the point with coordinates 0
    # (n_components,) float64, length of each component's coordinates over the rows that gave the
    # basis.
    singular_values: np.ndarray
    # (n_components,) float64, share of the rows' squared distance from the centre; sums to 1.
    explained_share: np.ndarray
    names: tuple[str, ...]
    # (n_components,) float64, coordinates closer than this cannot be told apart.
    resolution: np.ndarray
    # ndarray of float64 or None, shape (n_components,), of independent components, 0 for a normal
    # distribution; else None.
    excess_kurtosis: np.ndarray | None = None
    converged: bool = True  # whether the iteration that found the directions came to rest
    # Whether the data determine the directions: at most one independent component may be
    # indistinguishable from a normal one.
    identifiable: bool = True

    @property
    def n_components(self) -> int:
        """Number of components; 0 where all rows are the centre."""
        return self.directions.shape[1]

    @property
    def origin(self) -> np.ndarray:
        """Position of the centre along each direction, shape (n_components,)."""
        return self.centre @ self.directions

    def coordinates(self, X: np.ndarray) -> np.ndarray:
        """Coordinates of `X` (n, n_features), shape (n, n_components)."""
        return (np.asarray(X, dtype=np.float64) - self.centre) @ self.directions
