"""Splits by the categories of a nominal feature, stored as one table per tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class CategorySplits:
    """The nominal splits of a tree: which branch each category of the feature takes."""

    # (n_splits, largest number of categories) int16. Branch 0, 1, ... of each category code; -1
    # where the split has not seen the category. One branch a category (C4.5, ID3) and two groups of
    # categories (CART) alike.
    branch: np.ndarray

    @classmethod
    def none(cls) -> CategorySplits:
        """Return the table of a tree without nominal splits."""
        return cls(np.empty((0, 0), dtype=np.int16))

    @classmethod
    def of(cls, branches: Sequence[np.ndarray]) -> CategorySplits:
        """Return the table whose rows are `branches`, padded with -1."""
        if not len(branches):
            return cls.none()
        table = np.full((len(branches), max(map(len, branches))), -1, dtype=np.int16)
        for row, branch in enumerate(branches):
            table[row, : len(branch)] = branch
        return cls(table)

    def __len__(self) -> int:
        return len(self.branch)

    @property
    def n_branches(self) -> np.ndarray:
        """Number of branches of each split."""
        return self.branch.max(axis=1, initial=-1).astype(np.intp) + 1
