"""Two trees grown on the same rows, walked in step from the root."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz.tree import Kind, Tree

__all__ = ["Divergence", "divergence"]


@dataclass(frozen=True, eq=False)
class Divergence:
    """Pairs of nodes at the same path, breadth first.

    Attributes
    ----------
    first, second : ndarray of intp, shape (n_pairs,)
        Nodes of either tree.
    same_rows : ndarray of bool, shape (n_pairs,)
        Whether both hold the same rows.
    same_split : ndarray of bool, shape (n_pairs,)
        Whether both are leaves, or both split the same feature so that the same rows go to
        each child (thresholds may differ inside a gap); false where the rows differ.
    """

    first: np.ndarray
    second: np.ndarray
    same_rows: np.ndarray
    same_split: np.ndarray

    @property
    def parting(self) -> int:
        """The first pair whose splits differ, -1 if the trees are alike."""
        differ = np.flatnonzero(~self.same_split)
        return int(differ[0]) if len(differ) else -1


def divergence(first: Tree, second: Tree) -> Divergence:
    """Walk two trees from the root in step and say where their splits differ.

    Parameters
    ----------
    first, second : Tree
        Grown on the same rows of the same data.

    Notes
    -----
    Pairs end where either tree has a leaf. O(n_rows depth).
    """
    pairs, same_rows, same_split = [(0, 0)], [], []
    for a, b in pairs:  # grows while it is read: breadth first
        rows = _same_rows(first, a, second, b)
        same_rows.append(rows)
        same_split.append(rows and _same_split(first, a, second, b))
        pairs.extend(zip(first.children(a), second.children(b), strict=False))
    left, right = np.array(pairs, dtype=np.intp).T
    return Divergence(left, right, np.array(same_rows), np.array(same_split))


def _same_rows(first: Tree, a: int, second: Tree, b: int) -> bool:
    if first.n_node_samples[a] != second.n_node_samples[b]:
        return False
    return np.array_equal(first.node_samples(a)[0], second.node_samples(b)[0])


def _same_split(first: Tree, a: int, second: Tree, b: int) -> bool:
    if first.is_leaf(a) or second.is_leaf(b):
        return first.is_leaf(a) and second.is_leaf(b)
    both_thresholds = first.kind[a] == second.kind[b] == Kind.THRESHOLD
    if not both_thresholds or first.feature[a] != second.feature[b]:
        return False
    pairs = zip(first.children(a), second.children(b), strict=True)
    return all(_same_rows(first, c, second, d) for c, d in pairs)
