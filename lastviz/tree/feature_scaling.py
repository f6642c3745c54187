"""Features in units of their own: what is taken off each, and what it is divided by."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class FeatureScaling:
    """A map of each feature: ``(x - offset) / scale``."""

    offset: np.ndarray  # (n_features,) float64, in the units of the features
    scale: np.ndarray  # (n_features,) float64, in the units of the features, > 0

    @classmethod
    def none(cls, n_features: int) -> FeatureScaling:
        """Return the map that leaves all features as they are."""
        return cls(np.zeros(n_features), np.ones(n_features))

    @classmethod
    def standard(cls, X: np.ndarray) -> FeatureScaling:
        """Return the map to mean 0 and standard deviation 1 over the rows of `X` (n, n_features).

        A feature with one value goes to 0. The order of the rows changes nothing, not by a bit.
        """
        rising = np.sort(X, axis=0)
        lowest, highest = rising[0], rising[-1]
        # Squares of a share of the largest value neither overflow nor vanish.
        unit = np.maximum(np.abs(lowest), np.abs(highest))
        unit[unit == 0.0] = 1.0
        shares = rising / unit
        scale = np.where(lowest < highest, shares.std(axis=0) * unit, 0.0)
        offset = np.where(lowest < highest, shares.mean(axis=0) * unit, lowest)
        return cls(offset, np.where(scale > 0.0, scale, 1.0))

    @property
    def changes_nothing(self) -> bool:
        """Whether all features stay as they are."""
        return not self.offset.any() and bool((self.scale == 1.0).all())

    def apply(self, X: np.ndarray) -> np.ndarray:
        """Return the scaled rows of `X`, shape (..., n_features), in C order."""
        X = np.asarray(X, np.float64)
        with np.errstate(over="ignore"):
            Z = np.ascontiguousarray((X - self.offset) / self.scale)
            if np.isinf(Z).any():  # the difference overflows; its parts in the new unit need not
                Z = np.where(np.isinf(Z), X / self.scale - self.offset / self.scale, Z)
        return Z

    def direction(self, vector: np.ndarray) -> np.ndarray:
        """Return a difference of two places (n_features,) as the difference of their images."""
        return vector / self.scale

    def same(self, other: FeatureScaling) -> bool:
        """Tell whether `other` is the same map, bit for bit."""
        return np.array_equal(self.offset, other.offset) and np.array_equal(self.scale, other.scale)
