"""What a search chooses: a split of one kind, small and without its candidates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz.splitters.svm.kernel_split import KernelSplit, split_in_table
from lastviz.tree import Kind, Tree

__all__ = ["AnySplit", "CategorySplit", "ObliqueSplit", "Split", "same_split", "stored_split"]


@dataclass(frozen=True)
class Split:
    """A threshold: rows with ``x[feature] <= threshold`` go to the first child.

    `missing_branch` is the branch of rows without a value, -1 where none is set. An infinite
    threshold asks whether the value is missing: every value is at most that, so only the rows
    without one go to the second child.
    """

    feature: int
    threshold: float
    score: float
    missing_branch: int = -1


@dataclass(frozen=True, eq=False)
class CategorySplit:
    """Categories: rows whose feature has category c go to the child ``branch[c]``.

    `branch` (n_categories,) names branches 0, 1, ..., and -1 for a category that the split has
    not seen. `missing_branch` is as for :class:`Split`.
    """

    feature: int
    branch: np.ndarray
    score: float
    missing_branch: int = -1

    @property
    def n_branches(self) -> int:
        """Number of children."""
        return max(int(self.branch.max()), self.missing_branch) + 1


@dataclass(frozen=True, eq=False)
class ObliqueSplit:
    """A hyperplane: rows with ``x @ weights <= threshold`` go to the first child.

    `weights` (n_features,) belongs to the original features.
    """

    weights: np.ndarray
    threshold: float
    score: float


AnySplit = Split | CategorySplit | ObliqueSplit | KernelSplit


def stored_split(tree: Tree, node: int) -> AnySplit | None:
    """Return the split of a node as its tree stores it, None at a leaf."""
    score = float(tree.score[node])
    if tree.is_leaf(node):
        return None
    if tree.kind[node] == Kind.OBLIQUE:
        row = int(tree.split_row[node])
        return ObliqueSplit(tree.oblique.weights[row], float(tree.oblique.threshold[row]), score)
    if tree.kind[node] == Kind.KERNEL:
        return split_in_table(tree.kernel, int(tree.split_row[node]), score)
    feature, missing_branch = int(tree.feature[node]), int(tree.missing_branch[node])
    if tree.kind[node] == Kind.CATEGORIES:
        branch = tree.categories.branch[tree.split_row[node]]
        branch = branch[: len(tree.feature_categories[feature])]
        return CategorySplit(feature, branch, score, missing_branch)
    return Split(feature, float(tree.threshold[node]), score, missing_branch)


def same_split(one: AnySplit | None, other: AnySplit | None) -> bool:
    """Tell whether two splits are of one kind and make the same test, bit for bit."""
    if type(one) is not type(other):
        return False
    if isinstance(one, ObliqueSplit):
        return one.threshold == other.threshold and np.array_equal(one.weights, other.weights)
    if isinstance(one, KernelSplit):
        return one.same_test(other)
    if one is None:
        return True
    if (one.feature, one.missing_branch) != (other.feature, other.missing_branch):
        return False
    if isinstance(one, CategorySplit):
        return np.array_equal(one.branch, other.branch)
    return one.threshold == other.threshold
