"""Sorting once per data set.

Growth never sorts: it partitions. The sorted columns are kept beside the data, so that a
moved slider, a fold or another algorithm starts from them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .cells_kernels import pack_cells, sort_columns, take_rows

__all__ = ["Packing", "Presorted", "pack", "presort"]

Packing = tuple[np.unsignedinteger, np.unsignedinteger, np.unsignedinteger, np.unsignedinteger]


@dataclass(frozen=True, eq=False)
class Presorted:
    """The columns of a data set in sorted order.

    Attributes
    ----------
    X : ndarray of float64, shape (n_samples, n_features)
        The data.
    columns : ndarray of float64, shape (n_features, n_samples)
        The same, one contiguous row per feature.
    order : ndarray of uint32, shape (n_features, n_samples)
        Rows by rising value.
    fresh : ndarray of bool, shape (n_features, n_samples)
        Whether the value differs from the one before it by more than the resolution.
    """

    X: np.ndarray
    columns: np.ndarray
    order: np.ndarray
    fresh: np.ndarray

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return self.order.shape[1]

    def take(self, rows: np.ndarray) -> Presorted:
        """Return the sorted columns of some rows, renumbered 0, 1, ... . O(n_features n_samples).

        Parameters
        ----------
        rows : ndarray of intp
            Distinct rows of this data set, in the order in which they are numbered anew.
        """
        rows = np.asarray(rows, dtype=np.intp)
        position = np.full(self.n_samples, -1, dtype=np.int64)
        position[rows] = np.arange(len(rows))
        if np.count_nonzero(position >= 0) != len(rows):
            raise ValueError("rows must be distinct")
        shape = (len(self.order), len(rows))
        order, fresh = np.empty(shape, dtype=np.uint32), np.empty(shape, dtype=np.bool_)
        take_rows(self.order, self.fresh, position, order, fresh)
        return Presorted(self.X[rows], np.ascontiguousarray(self.columns[:, rows]), order, fresh)


def presort(X: np.ndarray, resolution: np.ndarray | None = None) -> Presorted:
    """Sort every column of `X` (n_samples, n_features) of finite numbers. O(n m).

    Neighbours closer than their column's `resolution` (n_features,) count as equal; by
    default equal values are recognised exactly. -0.0 counts as 0.0.
    """
    X = np.ascontiguousarray(X, dtype=np.float64)
    columns = X.T + 0.0  # turns -0.0 into 0.0, whose bits sort beside it otherwise
    columns = np.ascontiguousarray(columns)
    order = np.empty(columns.shape, dtype=np.uint32)
    fresh = np.empty(columns.shape, dtype=np.bool_)
    resolution = np.zeros(len(columns)) if resolution is None else resolution
    sort_columns(columns, resolution, order, fresh)
    return Presorted(X, columns, order, fresh)


def pack(presorted: Presorted, y: np.ndarray, n_classes: int) -> tuple[np.ndarray, Packing]:
    """Return the sorted columns with classes `y` as packed cells (m, n), and their layout.

    Cells have 32 bits where row number, class and mark fit, else 64.
    """
    row_bits = max(int(presorted.n_samples - 1).bit_length(), 1)
    class_bits = max(int(n_classes - 1).bit_length(), 1)
    word = np.uint32 if row_bits + class_bits <= 31 else np.uint64
    top = np.iinfo(word).bits - 1
    packing = (
        word(row_bits),
        word((1 << row_bits) - 1),
        word((1 << (top - row_bits)) - 1),
        word(1 << top),
    )
    cells = np.empty(presorted.order.shape, dtype=word)
    pack_cells(presorted.order, presorted.fresh, y.astype(word), packing, cells)
    return cells, packing
