"""Errors of a tree as it is pruned, on any samples and by cross-validation."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from lastviz.estimators import TreeClassifier
from lastviz.pruning import (
    PRUNERS,
    HeldOutRows,
    cost_complexity_path,
    folds,
    losses_along,
    prune_cost_complexity,
    with_leaves_at,
)
from lastviz.tree import Missing, Tree

if TYPE_CHECKING:
    import pandas as pd

FAMILIES = {
    "cost_complexity": "ccp_alpha",
    "entropy_cost": "alpha",
    "replacement": "confidence",
    "minimum_error": "m",
}
"""Pruners with a parameter that says how far to go, and its name."""
# Values of the parameters that have no path of their own, each prunes further as a rule.
GRIDS = {
    "replacement": (
        0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03, 0.02, 0.01, 0.007, 0.005, 0.003,
        0.002, 0.001, 0.0005, 0.0002, 0.0001,
    ),
    "minimum_error": (
        0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0, 64.0, 96.0, 128.0,
        256.0, 512.0,
    ),
}  # fmt: skip
UNPRUNED = {"ccp_alpha": 0.0, "ccp_cv": None, "entropy_alpha": None}


@dataclass(frozen=True, eq=False)
class PrunedTrees:
    """Trees a pruner leaves of a grown tree as its parameter changes, largest first."""

    tree: Tree  # as it was grown
    key: str  # of the pruner, one of `FAMILIES`
    risk: str  # what a leaf costs besides its price; read by cost-complexity alone
    # (n_trees,) float64, from where on the parameter leaves each tree; falling for a confidence.
    value: np.ndarray
    # tuple of ndarray of intp, the nodes that each tree has as leaves instead of their subtrees.
    cuts: tuple[np.ndarray, ...]

    def __len__(self) -> int:
        return len(self.value)

    @property
    def nested(self) -> bool:
        """Whether each tree is a pruned subtree of the one before."""
        return PRUNERS[self.key].nested

    @cached_property
    def n_leaves(self) -> np.ndarray:
        """Number of leaves of each tree, shape (n_trees,)."""
        return np.array([self._leaves(i).sum() for i in range(len(self))], dtype=np.intp)

    def at(self, value: float) -> int:
        """Number of the tree left at `value`, that of the largest if it is too low."""
        falls = len(self) > 1 and self.value[0] > self.value[-1]
        order, wanted = (-self.value, -value) if falls else (self.value, value)
        return max(int(np.searchsorted(order, wanted, side="right")) - 1, 0)

    def pruned(self, i: int) -> Tree:
        """Tree `i` as a tree of its own, with the split of each node by ``grown_node``."""
        return with_leaves_at(self.tree, self.cuts[i])

    def errors(self, rows: HeldOutRows) -> np.ndarray:
        """Share of rows that each tree gets wrong, (n_trees,); NaN without rows."""
        if not len(rows.y):
            return np.full(len(self), np.nan)
        if _in_parts(self.tree, rows.X):
            wrong = [np.mean(self.pruned(i).predict(rows.X) != rows.y) for i in range(len(self))]
            return np.array(wrong)
        lost, early = _errors_by_node(self.tree, rows)
        found = []
        for i in range(len(self)):
            leaf = self._leaves(i)
            found.append(lost[leaf].sum() + early[self._alive(i) & ~leaf].sum())
        return np.array(found) / len(rows.y)

    def _alive(self, i: int) -> np.ndarray:
        return ~_below(self.tree, self.cuts[i])

    def _leaves(self, i: int) -> np.ndarray:
        leaf = self.tree.n_children == 0
        leaf[self.cuts[i]] = True
        return leaf & self._alive(i)


def pruned_trees(tree: Tree, key: str, *, risk: str = "misclassification") -> PrunedTrees:
    """Trees that the pruner `key` leaves of a grown tree.

    Of the nested families all there are, of the others those of some values that part it.
    O(n_trees n_nodes).

    Parameters
    ----------
    tree : Tree
        Of classes.
    key : str
        One of :data:`FAMILIES`.
    risk : {"misclassification", "gini", "entropy"}, default "misclassification"
        Of cost-complexity.
    """
    if PRUNERS[key].nested:
        path = cost_complexity_path(tree, _risk(key, risk))
        steps = path.step_of_node
        cuts = [np.flatnonzero((steps >= 0) & (steps <= k)) for k in range(path.n_steps)]
        value = path.alpha * _unit(key, tree)
        return PrunedTrees(tree, key, risk, value, tuple(_topmost(tree, c) for c in cuts))
    distinct: list[tuple[float, np.ndarray]] = []
    for value in GRIDS[key]:
        table = PRUNERS[key].table(tree, **{FAMILIES[key]: value})
        cut = _topmost(tree, np.flatnonzero(table.cut))
        if not distinct or not np.array_equal(cut, distinct[-1][1]):
            distinct.append((value, cut))
    values, cuts = zip(*distinct, strict=True)
    return PrunedTrees(tree, key, risk, np.array(values), cuts)


@dataclass(frozen=True, eq=False)
class CrossValidated:
    """Cross-validated errors of the trees of one family."""

    # error, standard_error: (n_trees,) float64, share of the rows that trees grown without them get
    # wrong, and its standard error
    error: np.ndarray
    standard_error: np.ndarray


def cross_validate_in_steps(
    estimator: TreeClassifier,
    X: pd.DataFrame,
    y: np.ndarray,
    families: Sequence[PrunedTrees],
    *,
    n_folds: int,
    random_state: int,
    sample_weight: np.ndarray | None = None,
) -> Generator[float, None, tuple[CrossValidated, ...]]:
    """Judge the trees of several families by trees grown without a part of the rows.

    Parameters
    ----------
    estimator : TreeClassifier
        What grew the tree; it stays as it is.
    X : DataFrame, shape (n_samples, n_features)
        The training rows.
    y : ndarray of intp, shape (n_samples,)
        Class indices.
    families : sequence of PrunedTrees
        Of the tree grown on all these rows.
    n_folds : int
        At most as many as rows.
    random_state : int
        Seed of the folds, which are stratified.
    sample_weight : ndarray of float64, shape (n_samples,), optional
        How often rows count when a tree is grown; errors count each row once.

    Yields
    ------
    float
        The share that is done.

    Returns
    -------
    tuple of CrossValidated
        One a family.

    Notes
    -----
    As many growths as folds, the same for all families. Prices of nested families are compared
    at the geometric means of those between which the tree stays, Breiman et al. (1984), section
    3.4.2; the standard error is that of a share of the rows.
    """
    fold = folds(y, n_folds, random_state, stratify=True)
    numeric = all(dtype.kind in "iuf" for dtype in X.dtypes)
    table = X.to_numpy(np.float64, na_value=np.nan) if numeric else X  # arrays are checked quicker
    wrong = [np.zeros(len(family)) for family in families]
    grown = _unpruned(estimator)
    read_once = getattr(grown, "trees_of_parts", None) if sample_weight is None else None
    parts = None if read_once is None else read_once(table, y)
    for k in range(n_folds):
        inside, out = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
        if parts is not None and len(np.unique(y[inside])) == len(grown.classes_):
            data, grow = parts
            tree, rows = grow(inside), HeldOutRows(data.X[out], data.y[out])
            yield k / n_folds
        else:
            weighed = {} if sample_weight is None else {"sample_weight": sample_weight[inside]}
            for event in grown.grow(_rows(table, inside), y[inside], **weighed):
                yield (k + getattr(event, "share", 0.0)) / n_folds
            tree = grown.grown_tree_
            rows = HeldOutRows(grown.encode(_rows(table, out)), _codes(grown.classes_, y[out]))
        errors = _errors_by_node(tree, rows)
        for total, family in zip(wrong, families, strict=True):
            total += _errors_at(tree, family, rows, errors) * len(out)
    found = []
    for total in wrong:
        share = total / len(y)
        found.append(CrossValidated(share, np.sqrt(share * (1.0 - share) / len(y))))
    return tuple(found)


def least_and_one_error(found: CrossValidated, n_leaves: np.ndarray) -> tuple[int, int]:
    """Smallest tree of least error, and the smallest within one standard error of it."""
    least = float(found.error.min())
    limit = least + float(found.standard_error[int(np.argmin(found.error))])
    best = np.flatnonzero(found.error <= least + 1e-9)
    good = np.flatnonzero(found.error <= limit + 1e-9)
    return (int(best[np.argmin(n_leaves[best])]), int(good[np.argmin(n_leaves[good])]))


def _unpruned(estimator: TreeClassifier) -> TreeClassifier:
    """Unfitted copy that grows the same trees and does not prune them."""
    known = estimator.get_params(deep=False)
    off = {"pruning": "none"} if "pruning" in known else UNPRUNED
    return type(estimator)(**known | {k: v for k, v in off.items() if k in known})


def _rows(X: pd.DataFrame | np.ndarray, rows: np.ndarray) -> pd.DataFrame | np.ndarray:
    return X[rows] if isinstance(X, np.ndarray) else X.iloc[rows]


def _codes(classes: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Place of each class among `classes`, which rise; -1 where it is none of them."""
    place = np.minimum(np.searchsorted(classes, y), len(classes) - 1)
    return np.where(classes[place] == y, place, -1)


def _errors_at(
    tree: Tree, family: PrunedTrees, rows: HeldOutRows, errors: tuple[np.ndarray, np.ndarray]
) -> np.ndarray:
    """Share of rows that a fold's tree gets wrong, cut as each tree of a family is."""
    if not family.nested:
        name = FAMILIES[family.key]
        cuts = [PRUNERS[family.key].table(tree, **{name: v}).cut for v in family.value.tolist()]
        tops = tuple(_topmost(tree, np.flatnonzero(cut)) for cut in cuts)
        return PrunedTrees(tree, family.key, family.risk, family.value, tops).errors(rows)
    alpha = family.value / _unit(family.key, family.tree)
    root = np.sqrt(alpha)
    between = np.r_[root[:-1] * root[1:], np.inf]
    own = cost_complexity_path(tree, _risk(family.key, family.risk))
    steps = np.searchsorted(own.alpha, between, side="right") - 1
    if _in_parts(tree, rows.X):
        wanted = np.unique(steps)
        trees = [prune_cost_complexity(tree, own, int(step))[0] for step in wanted]
        shares = np.array([np.mean(each.predict(rows.X) != rows.y) for each in trees])
        return shares[np.searchsorted(wanted, steps)]
    lost, early = errors
    return losses_along(tree, own, lost[None], early[None])[0, steps] / len(rows.y)


def _risk(key: str, risk: str) -> str:
    return "entropy" if key == "entropy_cost" else risk


def _unit(key: str, tree: Tree) -> float:
    """Worth of a price of the path in the unit of the parameter: bits of all samples."""
    return float(tree.weighted_n_node_samples[0]) if key == "entropy_cost" else 1.0


def _in_parts(tree: Tree, X: np.ndarray) -> bool:
    """Whether rows go down several branches, so that no single leaf decides."""
    if tree.missing != Missing.FRACTIONS:
        return False
    nominal = [f for f, known in enumerate(tree.feature_categories) if known is not None]
    return bool(np.isnan(X).any() or (X[:, nominal] < 0).any())


def _errors_by_node(tree: Tree, rows: HeldOutRows) -> tuple[np.ndarray, np.ndarray]:
    """Errors of each node as a leaf, and those of rows that stop there on their way."""
    stop = tree.apply(rows.X)
    early = np.bincount(stop, tree.prediction[stop] != rows.y, tree.n_nodes)
    lost, node, y = np.zeros(tree.n_nodes), stop, rows.y
    while len(node):
        lost += np.bincount(node, tree.prediction[node] != y, tree.n_nodes)
        above = tree.parent[node]
        node, y = above[above >= 0], y[above >= 0]
    return lost, early


def _below(tree: Tree, nodes: np.ndarray) -> np.ndarray:
    """Mask of the nodes below any of `nodes`, (n_nodes,)."""
    cut, gone = np.zeros(tree.n_nodes, dtype=bool), np.zeros(tree.n_nodes, dtype=bool)
    cut[nodes] = True
    ancestor = np.maximum(tree.parent, 0)
    gone[1:] = cut[tree.parent[1:]]
    for _ in range(int(tree.max_depth).bit_length()):
        gone |= gone[ancestor]
        ancestor = ancestor[ancestor]
    return gone


def _topmost(tree: Tree, nodes: np.ndarray) -> np.ndarray:
    return nodes[~_below(tree, nodes)[nodes]]
