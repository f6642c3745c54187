"""Splits by a hyperplane, stored as one table per tree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class ObliqueSplits:
    """The oblique splits of a tree; rows with ``X @ weights <= threshold`` go first."""

    weights: np.ndarray  # (n_splits, n_features) float64, in the original features, contiguous
    threshold: np.ndarray  # (n_splits,) float64

    @classmethod
    def none(cls, n_features: int = 0) -> ObliqueSplits:
        """Return the table of a tree without oblique splits."""
        return cls(np.empty((0, n_features)), np.empty(0))

    def __len__(self) -> int:
        return len(self.threshold)
