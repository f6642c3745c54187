"""Training rows with nominal and missing values, as the search of a node reads them."""

from __future__ import annotations

import numpy as np

from .mixed_kernels import NodeRoom

__all__ = ["MixedTable", "room_for"]


class MixedTable:
    """Training rows as the search reads them: codes instead of values.

    Parameters
    ----------
    X : ndarray of float64, shape (n_samples, n_features)
        Encoded: a nominal value is its category's code, NaN is missing.
    n_categories : sequence of int
        Number of categories of each feature, 0 for a numeric one.

    Notes
    -----
    O(n_features n_samples log n_samples).
    """

    def __init__(self, X: np.ndarray, n_categories: np.ndarray) -> None:
        self.X = X
        self.n_values = np.asarray(n_categories, dtype=np.int64)
        self.codes = np.full(X.shape[::-1], -1, dtype=np.int32)
        self.values: list[np.ndarray] = []
        for f, column in enumerate(X.T):
            known = np.flatnonzero(column >= 0 if self.n_values[f] else ~np.isnan(column))
            if self.n_values[f]:
                self.values.append(np.empty(0))
                self.codes[f, known] = column[known]
            else:
                distinct, rank = np.unique(column[known], return_inverse=True)
                self.values.append(distinct)
                self.codes[f, known] = rank


def room_for(table: MixedTable, n_classes: int, n_rows: int) -> NodeRoom:
    """Return the scratch of the searches of nodes with up to `n_rows` rows."""
    m = len(table.codes)
    x = np.arange(n_rows + 1, dtype=np.float64)
    logs = np.log2(x, out=np.zeros_like(x), where=x > 0)
    return NodeRoom(
        keys=np.empty(n_rows, dtype=np.int64),
        by_category=np.empty((int(table.n_values.max(initial=0)), n_classes)),
        left=np.empty(n_classes),
        right=np.empty(n_classes),
        known=np.empty(n_classes),
        table=x * logs,
        gain=np.empty(m),
        score=np.empty(m),
        cut=np.empty(m, dtype=np.int64),
        n_cuts=np.empty(m, dtype=np.int64),
    )
