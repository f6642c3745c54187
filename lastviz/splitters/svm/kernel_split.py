"""A split by a kernel machine, by itself and as a row of a tree's table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lastviz.tree import FeatureScaling, KernelFunction, KernelSplits

from .machine import Machine

__all__ = ["KernelSplit", "kernel_table", "split_in_table"]


@dataclass(frozen=True, eq=False)
class KernelSplit:
    """A kernel machine: rows with ``f(x) > 0`` go to the first child.

    Attributes
    ----------
    first, second : tuple of int
        Classes of the two children; `first` is the class peeled off, or a group.
    machine : Machine
        Its rows are those of the training data.
    vectors : ndarray, shape (n_support, n_features)
        Scaled.
    scaling : FeatureScaling
        From the features to those that the kernel reads.
    kernel : KernelFunction
    score : float
        Separability of `first`.
    """

    first: tuple[int, ...]
    second: tuple[int, ...]
    machine: Machine
    vectors: np.ndarray
    scaling: FeatureScaling
    kernel: KernelFunction
    score: float

    def decide(self, X: np.ndarray) -> np.ndarray:
        """Return f of each row of X (n, n_features)."""
        return self.machine.decide(self.scaling.apply(X), self.vectors, self.kernel)

    def same_test(self, other: KernelSplit) -> bool:
        """Tell whether `other` makes the same test, bit for bit."""
        one, two = self.machine, other.machine
        return (
            (self.first, self.second, self.kernel) == (other.first, other.second, other.kernel)
            and self.scaling.same(other.scaling)
            and one.intercept == two.intercept
            and np.array_equal(one.rows, two.rows)
            and np.array_equal(one.dual_coef, two.dual_coef)
            and np.array_equal(self.vectors, other.vectors)
        )


def kernel_table(splits: Sequence[KernelSplit]) -> KernelSplits:
    """Return the table of a tree with these splits, the root's first, where all classes part."""
    n_classes = len(splits[0].first) + len(splits[0].second)
    rows, place = np.unique(np.concatenate([s.machine.rows for s in splits]), return_index=True)
    vectors = np.concatenate([split.vectors for split in splits])[place]
    sizes = [len(split.machine.rows) for split in splits]
    return KernelSplits(
        scaling=splits[0].scaling,
        kernel=splits[0].kernel,
        rows=rows,
        vectors=np.ascontiguousarray(vectors),
        start=np.concatenate([[0], np.cumsum(sizes)]).astype(np.intp),
        index=np.concatenate([np.searchsorted(rows, s.machine.rows) for s in splits]),
        dual_coef=np.concatenate([split.machine.dual_coef for split in splits]),
        intercept=np.array([split.machine.intercept for split in splits]),
        first=_members([split.first for split in splits], n_classes),
        second=_members([split.second for split in splits], n_classes),
        converged=np.array([split.machine.converged for split in splits]),
        n_iter=np.array([split.machine.n_iter for split in splits], dtype=np.intp),
    )


def split_in_table(table: KernelSplits, row: int, score: float) -> KernelSplit:
    """Return row `row` of a tree's table as the split that it was made of."""
    here = table.entries(row)
    index = table.index[here]
    machine = Machine(
        rows=table.rows[index],
        dual_coef=table.dual_coef[here],
        intercept=float(table.intercept[row]),
        converged=bool(table.converged[row]),
        n_iter=int(table.n_iter[row]),
    )
    first, second = (tuple(np.flatnonzero(m[row]).tolist()) for m in (table.first, table.second))
    return KernelSplit(
        first, second, machine, table.vectors[index], table.scaling, table.kernel, score
    )


def _members(groups: list[tuple[int, ...]], n_classes: int) -> np.ndarray:
    members = np.zeros((len(groups), n_classes), dtype=bool)
    for row, group in enumerate(groups):
        members[row, list(group)] = True
    return members
