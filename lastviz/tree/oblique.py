"""Splits by a hyperplane, stored as one table per tree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class ObliqueSplits:
    """The oblique splits of a tree; rows with ``X @ weights <= threshold`` go first.

    Attributes
    ----------
    weights : ndarray of float64, shape (n_splits, n_features)
        In the original features, contiguous.
    threshold : ndarray of float64, shape (n_splits,)
    """

    weights: np.ndarray
    threshold: np.ndarray

    @classmethod
    def none(cls, n_features: int = 0) -> ObliqueSplits:
        """Return the table of a tree without oblique splits."""
        return cls(np.empty((0, n_features)), np.empty(0))

    def __len__(self) -> int:
        return len(self.threshold)
