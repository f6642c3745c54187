"""Sorting once per data set.

Growth never sorts: it partitions. The sorted columns are kept beside the data, so that a
moved slider, a fold or another algorithm starts from them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from .cells_kernels import pack_cells, sort_columns, take_rows

Packing = tuple[np.unsignedinteger, np.unsignedinteger, np.unsignedinteger, np.unsignedinteger]

SHARE = 1 << 20  # cells that are worth a turn of their own in a thread


@dataclass(frozen=True, eq=False)
class Presorted:
    """The columns of a data set in sorted order."""

    X: np.ndarray  # (n_samples, n_features) float64, the data
    columns: np.ndarray  # (n_features, n_samples) float64, the same, one contiguous row per feature
    order: np.ndarray  # (n_features, n_samples) uint32, rows by rising value
    # (n_features, n_samples) bool, whether the value differs from the one before it by more than
    # the resolution.
    fresh: np.ndarray

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return self.order.shape[1]

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return self.order.shape[0]

    def take(self, rows: np.ndarray) -> Presorted:
        """Sorted columns of some rows, renumbered 0, 1, ... . O(n_features n_samples).

        Parameters
        ----------
        rows : ndarray of intp
            Distinct rows of this data set, in the order in which they are numbered anew.
        """
        rows = np.asarray(rows, dtype=np.intp)
        if is_everything(rows, self.n_samples):
            return self
        position = np.full(self.n_samples, -1, dtype=np.int64)
        position[rows] = np.arange(len(rows))
        if np.count_nonzero(position >= 0) != len(rows):
            raise ValueError("rows must be distinct")
        shape = (len(self.order), len(rows))
        order, fresh = np.empty(shape, dtype=np.uint32), np.empty(shape, dtype=np.bool_)
        take_rows(self.order, self.fresh, position, order, fresh)
        columns = np.ascontiguousarray(self.columns[:, rows])
        return Presorted(columns.T, columns, order, fresh)

    def with_features(self, features: np.ndarray) -> Presorted:
        """Some of the sorted columns, renumbered in the order of `features`."""
        columns, order = self.columns[features], self.order[features]
        return Presorted(columns.T, columns, order, self.fresh[features])


@dataclass(frozen=True, eq=False)
class Unsorted:
    """A data set that is sorted where rows are taken of it, and no others.

    For a search or two: who asks for many nodes sorts once.
    """

    X: np.ndarray  # (n_samples, n_features) float64, finite numbers

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return self.X.shape[0]

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return self.X.shape[1]

    @property
    def columns(self) -> np.ndarray:
        """The data, one row per feature, shape (n_features, n_samples)."""
        return self.X.T

    def take(self, rows: np.ndarray) -> Presorted:
        """Sorted columns of some rows, renumbered 0, 1, ... . O(n_features n_rows).

        Parameters
        ----------
        rows : ndarray of intp
            Rising; :meth:`Presorted.take` gives the same.
        """
        everything = is_everything(rows, self.n_samples)
        return presort(self.X if everything else self.X[rows], n_jobs=os.cpu_count() or 1)


def is_everything(rows: np.ndarray, n_samples: int) -> bool:
    """Whether `rows` are all rows, 0, 1, ... ."""
    return len(rows) == n_samples and np.array_equal(rows, np.arange(n_samples))


def in_shares(
    work: Callable[[slice], object], n_features: int, n_samples: int, n_jobs: int
) -> None:
    """Run work in threads, on a few features at a time.

    The work releases the GIL.

    Small data are one share, which the calling thread does.
    """
    step = max(SHARE // max(n_samples, 1), 1)
    shares = [slice(first, first + step) for first in range(0, n_features, step)]
    if n_jobs == 1 or len(shares) < 2:
        for share in shares:
            work(share)
        return
    with ThreadPoolExecutor(min(n_jobs, len(shares))) as pool:
        for _ in pool.map(work, shares):
            pass


def presort(X: np.ndarray, resolution: np.ndarray | None = None, n_jobs: int = 1) -> Presorted:
    """Sort every column of `X` (n_samples, n_features) of finite numbers. O(n m).

    Neighbours closer than their column's `resolution` (n_features,) count as equal; by
    default equal values are recognised exactly. -0.0 counts as 0.0. Large data are sorted by
    `n_jobs` threads.
    """
    X = np.ascontiguousarray(X, dtype=np.float64)
    columns = np.empty(X.shape[::-1])
    order = np.empty(columns.shape, dtype=np.uint32)
    fresh = np.empty(columns.shape, dtype=np.bool_)
    resolution = np.zeros(len(columns)) if resolution is None else resolution

    def sort(share: slice) -> None:
        # Turns -0.0 into 0.0, whose bits sort beside it otherwise.
        np.add(X.T[share], 0.0, out=columns[share])
        sort_columns(columns[share], resolution[share], order[share], fresh[share])

    in_shares(sort, *columns.shape, n_jobs)
    return Presorted(X, columns, order, fresh)


def pack(presorted: Presorted, y: np.ndarray, n_classes: int) -> tuple[np.ndarray, Packing]:
    """Sorted columns with classes `y` as packed cells (m, n), and their layout."""
    packing = packing_of(presorted.n_samples, n_classes)
    cells = np.empty(presorted.order.shape, dtype=packing[0].dtype)
    pack_cells(presorted.order, presorted.fresh, y.astype(cells.dtype), packing, cells)
    return cells, packing


def packing_of(n_samples: int, n_classes: int) -> Packing:
    """Layout of cells: 32 bits where row number, class and mark fit, else 64."""
    row_bits = max(int(n_samples - 1).bit_length(), 1)
    class_bits = max(int(n_classes - 1).bit_length(), 1)
    word = np.uint32 if row_bits + class_bits <= 31 else np.uint64
    top = np.iinfo(word).bits - 1
    return (
        word(row_bits),
        word((1 << row_bits) - 1),
        word((1 << (top - row_bits)) - 1),
        word(1 << top),
    )
