"""What a search chooses: a split of one kind, small and without its candidates."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from lastviz.criteria import CRITERIA
from lastviz.tree import FeatureScaling, KernelFunction, KernelSplits, Kind, Tree
from lastviz.tree.apply_kernels import positions
from lastviz.tree.kernel_machine_kernels import decide_rows


@dataclass(frozen=True)
class Split:
    """A threshold: rows with ``x[feature] <= threshold`` go to the first child.

    `missing_branch` is the branch of rows without a value, -1 where none is set. An infinite
    threshold asks whether the value is missing: every value is at most that, so only the rows
    without one go to the second child. `score` is NaN where nothing has scored the split.
    """

    feature: int
    threshold: float
    score: float = math.nan
    missing_branch: int = -1


@dataclass(frozen=True, eq=False)
class CategorySplit:
    """Categories: rows whose feature has category c go to the child ``branch[c]``.

    `branch` (n_categories,) names branches 0, 1, ..., and -1 for a category that the split has
    not seen. `missing_branch` is as for :class:`Split`.
    """

    feature: int
    branch: np.ndarray
    score: float = math.nan
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
    score: float = math.nan

    def goes_first(self, X: np.ndarray) -> np.ndarray:
        """Return which rows of `X` (n, n_features) go to the first child, as routing does."""
        along = np.empty((len(X), 1))
        positions(np.ascontiguousarray(X), np.asarray(self.weights, float)[:, None], along)
        return along[:, 0] <= self.threshold


@dataclass(frozen=True, eq=False)
class Machine:
    """A trained machine: ``f(x) = sum of dual_coef K(support, x) + intercept``."""

    # (n_support,) intp, support vectors, as positions in the rows it learned from, rising.
    rows: np.ndarray
    # (n_support,) float64, multiplier times +1 or -1; a multiplier equal to C is bound.
    dual_coef: np.ndarray
    intercept: float
    converged: bool  # False if the limit of iterations ended the search for the optimum
    n_iter: int

    def decide(self, X: np.ndarray, support: np.ndarray, kernel: KernelFunction) -> np.ndarray:
        """Return f of each row of X (n, m), given the support vectors (n_support, m)."""
        out = np.empty((len(X), 1))
        start, index = np.array([0, len(support)]), np.arange(len(support))
        decide_rows(
            X, support, kernel.code, kernel.rate, kernel.degree,
            start, index, self.dual_coef, np.array([self.intercept]), out,
        )  # fmt: skip
        return out[:, 0]


@dataclass(frozen=True, eq=False)
class KernelSplit:
    """A kernel machine: rows with ``f(x) > 0`` go to the first child."""

    # first, second: classes of the two children; `first` is the class peeled off, or a group
    first: tuple[int, ...]
    second: tuple[int, ...]
    machine: Machine  # its rows are those of the training data
    vectors: np.ndarray  # (n_support, n_features), scaled
    scaling: FeatureScaling  # from the features to those that the kernel reads
    kernel: KernelFunction
    score: float  # separability of `first`

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
        return _split_in_table(tree.kernel, int(tree.split_row[node]), score)
    feature, missing_branch = int(tree.feature[node]), int(tree.missing_branch[node])
    if tree.kind[node] == Kind.CATEGORIES:
        branch = tree.categories.branch[tree.split_row[node]]
        branch = branch[: len(tree.feature_categories[feature])]
        return CategorySplit(feature, branch, score, missing_branch)
    return Split(feature, float(tree.threshold[node]), score, missing_branch)


def _split_in_table(table: KernelSplits, row: int, score: float) -> KernelSplit:
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


def score_of_parts(
    criterion: str,
    y: np.ndarray,
    first: np.ndarray,
    n_classes: int,
    weights: np.ndarray | None = None,
) -> float:
    """Return what a criterion says of a parting of rows, NaN if all rows go one way.

    Also NaN if class counts do not tell. `y` (n_rows,) holds class indices, `first` (n_rows,) who
    goes to the first child.
    """
    row = CRITERIA[criterion]
    if row.score is None or row.reads != "counts" or first.all() or not first.any():
        return math.nan
    weights = np.ones(len(y)) if weights is None else weights
    left, right = (np.bincount(y[s], weights[s], n_classes) for s in (first, ~first))
    return float(row.score(left, right))


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
