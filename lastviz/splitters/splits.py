"""What a search chooses: a split of one kind, small and without its candidates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz.tree import Kind, Tree

from .kernel_split import KernelSplit, split_in_table

__all__ = ["ObliqueSplit", "Split", "same_split", "stored_split"]


@dataclass(frozen=True)
class Split:
    """A threshold: rows with ``x[feature] <= threshold`` go to the first child."""

    feature: int
    threshold: float
    score: float


@dataclass(frozen=True, eq=False)
class ObliqueSplit:
    """A hyperplane: rows with ``x @ weights <= threshold`` go to the first child.

    `weights` (n_features,) belongs to the original features.
    """

    weights: np.ndarray
    threshold: float
    score: float


def stored_split(tree: Tree, node: int) -> Split | ObliqueSplit | KernelSplit | None:
    """Return the split of a node as its tree stores it, None at a leaf."""
    score = float(tree.score[node])
    if tree.is_leaf(node):
        return None
    if tree.kind[node] == Kind.OBLIQUE:
        row = int(tree.split_row[node])
        return ObliqueSplit(tree.oblique.weights[row], float(tree.oblique.threshold[row]), score)
    if tree.kind[node] == Kind.KERNEL:
        return split_in_table(tree.kernel, int(tree.split_row[node]), score)
    return Split(int(tree.feature[node]), float(tree.threshold[node]), score)


def same_split(
    one: Split | ObliqueSplit | KernelSplit | None,
    other: Split | ObliqueSplit | KernelSplit | None,
) -> bool:
    """Tell whether two splits are of one kind and make the same test, bit for bit."""
    if type(one) is not type(other):
        return False
    if isinstance(one, ObliqueSplit):
        return one.threshold == other.threshold and np.array_equal(one.weights, other.weights)
    if isinstance(one, KernelSplit):
        return one.same_test(other)
    return one is None or (one.feature, one.threshold) == (other.feature, other.threshold)
