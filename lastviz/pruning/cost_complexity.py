"""Cost-complexity pruning: the nested trees that are optimal as each leaf costs more."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from lastviz._random import node_rng
from lastviz._sentences import Refusal
from lastviz.criteria import class_entropy, gini, misclassification
from lastviz.tree import GrowthLog, Reason, Tree

from .cost_complexity_kernels import weakest_links
from .prune_table import PruneTable, log_of_cuts, prune_table, with_ancestors, with_leaves_at

_RISKS = {"misclassification": misclassification, "gini": gini, "entropy": class_entropy}


@dataclass(frozen=True, eq=False)
class CostComplexityPath:
    """The nested sequence of pruned trees, from the whole tree to the root.

    The whole tree is without the splits that gain nothing.
    """

    # (n_steps,) float64, the price per leaf from which on tree k is the smallest of least cost;
    # rising from 0.
    alpha: np.ndarray
    n_leaves: np.ndarray  # (n_steps,) intp
    # (n_steps,) float64, impurity of the tree's leaves on its training rows, weighted by their
    # shares.
    risk: np.ndarray
    # (n_nodes,) intp, the step at which a node becomes a leaf; -1 for leaves and for nodes that
    # disappear with an ancestor.
    step_of_node: np.ndarray

    @property
    def n_steps(self) -> int:
        """Number of trees in the sequence."""
        return len(self.alpha)

    def step_at(self, alpha: float) -> int:
        """Tree that is optimal at a price `alpha` >= 0 per leaf."""
        return int(np.searchsorted(self.alpha, alpha, side="right")) - 1


def cost_complexity_path(
    tree: Tree, risk: str = "misclassification", *, kept: np.ndarray | None = None
) -> CostComplexityPath:
    """Weakest-link sequence of a grown tree.

    Parameters
    ----------
    tree : Tree
    risk : {"misclassification", "gini", "entropy", "squared_error"}, default "misclassification"
        What a leaf costs besides its price: its training errors, its Gini impurity or its entropy
        in bits, times its share of the rows; of a tree that predicts numbers its mean squared
        error instead.
    kept : ndarray of bool, shape (n_nodes,), optional
        Nodes that keep their split at any price, with all their ancestors, see
        :func:`~lastviz.pruning.prune_table`: the last tree of the path is the smallest that has
        them. Prices that cross-validation chose for the tree as it was grown by itself still
        hold: take ``step_at`` of them. Default: none.

    Notes
    -----
    The node t with the smallest g(t) = (R(t) - R(T_t)) / (leaves of T_t - 1) becomes a leaf
    next; nodes that tie do so in one step, where scikit-learn's path has a step for each of them
    and so the same alpha several times. Breiman et al. (1984), section 3.3.
    """
    node_risk, unit = _node_risk(tree, risk)
    price = node_risk
    if kept is not None:
        price = np.where((tree.n_children > 0) & with_ancestors(tree, kept), np.inf, node_risk)
    step = np.empty(tree.n_nodes, dtype=np.intp)
    alpha = np.empty(tree.n_nodes + 1)
    inside, leaves = np.empty(tree.n_nodes), np.empty(tree.n_nodes, dtype=np.intp)
    n_steps = weakest_links(
        tree.parent, tree.first_child, tree.n_children, price, step, alpha, inside, leaves
    )
    first, last = _steps_as_leaf(tree, step, n_steps)
    return CostComplexityPath(
        alpha=alpha[:n_steps] * unit,
        n_leaves=_sum_by_step(np.ones(tree.n_nodes), first, last, n_steps).astype(np.intp),
        risk=_sum_by_step(node_risk, first, last, n_steps) * unit,
        step_of_node=step,
    )


def cost_complexity_table(
    tree: Tree,
    ccp_alpha: float,
    risk: str = "misclassification",
    *,
    kept: np.ndarray | None = None,
) -> PruneTable:
    """Weigh each node at one price of a leaf.

    Parameters
    ----------
    tree : Tree
    ccp_alpha : float
        Price of a leaf, >= 0, in the unit of the risk.
    risk
        See :func:`cost_complexity_path`.
    kept
        See :func:`~lastviz.pruning.prune_table`.

    Raises
    ------
    ValueError
        If `ccp_alpha` is out of range, or the risk does not fit what the tree predicts.

    Notes
    -----
    A leaf costs its share of the risk and its price. The tree that is left is that of the path
    at this price. Breiman et al. (1984), section 3.2. O(n_nodes).
    """
    _check_price(ccp_alpha)
    node_risk, unit = _node_risk(tree, risk)
    table = prune_table(tree, node_risk + ccp_alpha / unit, kept=kept)
    if unit == 1.0:
        return table
    return replace(
        table,
        as_leaf=table.as_leaf * unit,
        inside=table.inside * unit,
        cost=table.cost * unit,
    )


def _check_price(ccp_alpha: float) -> None:
    if not (math.isfinite(ccp_alpha) and ccp_alpha >= 0.0):
        raise ValueError(f"ccp_alpha must be a finite number >= 0, got {ccp_alpha!r}")


def _node_risk(tree: Tree, risk: str) -> tuple[np.ndarray, float]:
    """Cost of each node as a leaf without the price of a leaf, and the unit of cost."""
    numbers = risk == "squared_error"
    if numbers != tree.is_regression:
        learnt = "numbers" if tree.is_regression else "classes"
        raise ValueError(f"risk {risk!r} does not fit a tree that predicts {learnt}")
    node_risk = tree.impurity if numbers else _RISKS[risk](tree.value)
    node_risk = node_risk * tree.weighted_n_node_samples / tree.weighted_n_node_samples[0]
    # Prices are compared with a fixed tolerance, so numbers are first freed of their unit.
    unit = float(node_risk[0]) if numbers and node_risk[0] > 0.0 else 1.0
    return node_risk / unit, unit


def _steps_as_leaf(tree: Tree, step: np.ndarray, n_steps: int) -> tuple[np.ndarray, np.ndarray]:
    """Steps [first, last) in which each node is a leaf of the tree."""
    cut = np.where(step >= 0, step, n_steps)
    ancestor = np.maximum(tree.parent, 0)
    gone = np.where(tree.parent >= 0, cut[ancestor], n_steps)
    while ancestor.any():  # each time as many levels as all times before
        gone = np.minimum(gone, gone[ancestor])
        ancestor = ancestor[ancestor]
    first = np.where(tree.n_children == 0, 0, cut)
    return np.minimum(first, gone), gone


def _sum_by_step(
    amount: np.ndarray, first: np.ndarray, last: np.ndarray, n_steps: int
) -> np.ndarray:
    """Sum of `amount` at each step, over the nodes that are leaves in it."""
    changes = np.bincount(first, amount, n_steps + 1) - np.bincount(last, amount, n_steps + 1)
    return np.cumsum(changes)[:n_steps]


def held_out_losses(
    tree: Tree,
    path: CostComplexityPath,
    X: np.ndarray,
    y: np.ndarray,
    weight: np.ndarray | float = 1.0,
) -> tuple[np.ndarray, np.ndarray]:
    """Loss of each tree of `path` on the rows of `X` (n, m), and the sum of squares.

    Parameters
    ----------
    tree : Tree
    path : CostComplexityPath
    X : ndarray, shape (n_samples, n_features)
    y : ndarray, shape (n_samples,)
        Class indices: a row that is wrong loses 1. Numbers: it loses the squared error.
    weight : ndarray, shape (n_samples,), default 1
        Weights of the rows.

    Returns
    -------
    losses, squares : ndarray of float64, shape (n_steps,)
        Weighted sums of the losses and of their squares.

    Notes
    -----
    O(n_samples depth + n_nodes).
    """
    stops = node = tree.apply(X)
    lost = np.zeros((2, tree.n_nodes))
    early = np.zeros((2, tree.n_nodes))  # of rows that an unseen category stops at an inner node
    rows, weight = np.arange(len(y)), np.broadcast_to(weight, len(y))
    while len(rows):
        apart = tree.prediction[node] - y[rows]
        loss = np.square(apart) if tree.is_regression else (apart != 0).astype(np.float64)
        inner = (node == stops[rows]) & (tree.n_children[node] > 0)
        for power in (0, 1):
            amount = weight[rows] * loss ** (power + 1)
            lost[power] += np.bincount(node, amount, tree.n_nodes)
            early[power] += np.bincount(node[inner], amount[inner], tree.n_nodes)
        node = tree.parent[node]
        rows, node = rows[node >= 0], node[node >= 0]
    losses, squares = losses_along(tree, path, lost, early)
    return losses, squares


def losses_along(
    tree: Tree, path: CostComplexityPath, lost: np.ndarray, early: np.ndarray
) -> np.ndarray:
    """Losses of each tree of `path`, shape (n_losses, n_steps).

    Parameters
    ----------
    tree : Tree
    path : CostComplexityPath
    lost : ndarray of float64, shape (n_losses, n_nodes)
        What each node loses as a leaf.
    early : ndarray of float64, shape (n_losses, n_nodes)
        What is lost of it by rows that an unseen category stops there.
    """
    first, last = _steps_as_leaf(tree, path.step_of_node, path.n_steps)
    start = np.zeros_like(first)
    return np.array([
        _sum_by_step(at_leaves, first, last, path.n_steps)
        + _sum_by_step(above, start, first, path.n_steps)
        for at_leaves, above in zip(lost, early, strict=True)
    ])  # fmt: skip


def best_step(errors: np.ndarray, n_samples: int, rule: str = "min") -> int:
    """Smallest tree with the fewest errors, or within one standard error of them.

    Parameters
    ----------
    errors : ndarray, shape (n_steps,)
        Errors of each tree on `n_samples` rows that did not grow it.
    rule : {"min", "1se"}, default "min"

    Notes
    -----
    The standard error of a rate e is sqrt(e (1 - e) / n). Breiman et al. (1984), section 3.4.3.
    """
    limit = errors.min()
    if rule == "1se":
        rate = limit / n_samples
        limit += n_samples * np.sqrt(rate * (1.0 - rate) / n_samples)
    return int(np.flatnonzero(errors <= limit + 1e-9)[-1])


def prune_cost_complexity(
    tree: Tree, path: CostComplexityPath, step: int
) -> tuple[Tree, GrowthLog]:
    """Cut a grown tree back to tree `step` of its path, and tell how.

    Returns
    -------
    tree : Tree
    log : GrowthLog
        One PRUNE event per node that became a leaf, weakest link first; its score is the price
        alpha from which on that is worth it.
    """
    links = np.flatnonzero((path.step_of_node >= 0) & (path.step_of_node <= step))
    links = links[np.argsort(path.step_of_node[links], kind="stable")]
    log = log_of_cuts(tree, links, path.alpha[path.step_of_node[links]], Reason.WEAKEST_LINK)
    return with_leaves_at(tree, links), log


def prune_at_price(
    tree: Tree,
    ccp_alpha: float,
    risk: str = "misclassification",
    *,
    kept: np.ndarray | None = None,
) -> tuple[Tree, GrowthLog]:
    """Prune a grown tree to its least cost at one price of a leaf, and log the cuts.

    Parameters and errors are those of :func:`cost_complexity_table`; what is returned is that of
    :func:`prune_cost_complexity`.
    """
    _check_price(ccp_alpha)
    path = cost_complexity_path(tree, risk, kept=kept)
    return prune_cost_complexity(tree, path, path.step_at(ccp_alpha))


# ---- How far to cut a tree back, judged by trees grown on parts of its rows

# No node has this key with more than negligible probability.
_FOLDS_KEY = 1


@dataclass(frozen=True, eq=False)
class CrossValidatedPath:
    """Expected loss on new rows of each tree of a cost-complexity path."""

    # (n_steps,) float64, the price at which the folds' trees were cut: the geometric mean of the
    # prices between which the tree is optimal, infinite for the last one.
    alpha: np.ndarray
    # (n_steps,) float64, weighted mean over the rows, each judged by the tree that it did not grow:
    # a wrong class loses 1, a number its squared error.
    loss: np.ndarray
    standard_error: np.ndarray  # (n_steps,) float64
    step: int  # the chosen tree


def folds(y: np.ndarray, n_folds: int, random_state: int, *, stratify: bool) -> np.ndarray:
    """Fold 0, 1, ... of each row, at random; classes `y` are spread evenly.

    Raises
    ------
    ValueError
        If there are more folds than rows.
    """
    if n_folds > len(y):
        raise Refusal(
            "ccp_cv must be at most the number of rows, {n}, got {n_folds}",
            n=len(y),
            n_folds=n_folds,
        )
    rows = node_rng(random_state, _FOLDS_KEY).permutation(len(y))
    if stratify:
        rows = rows[np.argsort(y[rows], kind="stable")]
    fold = np.empty(len(y), dtype=np.intp)
    fold[rows] = np.arange(len(y)) % n_folds
    return fold


def cross_validate_path(
    path: CostComplexityPath,
    grow: Callable[[np.ndarray], Tree],
    X: np.ndarray,
    y: np.ndarray,
    fold: np.ndarray,
    *,
    weight: np.ndarray | None = None,
    risk: str = "misclassification",
    rule: str = "min",
) -> CrossValidatedPath:
    """Cross-validate each tree of a cost-complexity path.

    The trees that judge it are grown without a fold and cut at its price.

    Parameters
    ----------
    path : CostComplexityPath
        Of the tree grown on all rows.
    grow : callable
        Rows -> the tree grown on them.
    X : ndarray of float64, shape (n_samples, n_features)
        As the trees read it.
    y : ndarray, shape (n_samples,)
        Class indices, or numbers.
    fold : ndarray of intp, shape (n_samples,)
        See :func:`folds`.
    weight : ndarray of float64, shape (n_samples,), optional
        Weights of the rows; default: all 1.
    risk : str, default "misclassification"
        See :func:`~lastviz.pruning.cost_complexity_path`.
    rule : {"min", "1se"}, default "min"
        The smallest tree of least loss, or within one standard error of it.

    Notes
    -----
    Breiman et al. (1984), sections 3.4.2, 3.4.3 and 8.5: the standard error is the standard
    deviation of a row's loss by the square root of the number of rows. As many growths as folds.
    """
    weight = np.ones(len(y)) if weight is None else weight
    root = np.sqrt(path.alpha)
    alpha = np.r_[root[:-1] * root[1:], np.inf]
    losses, squares = np.zeros((2, path.n_steps))
    for k in range(int(fold.max()) + 1):
        out = fold == k
        tree = grow(np.flatnonzero(~out))
        own = cost_complexity_path(tree, risk)
        steps = np.searchsorted(own.alpha, alpha, side="right") - 1
        loss, square = held_out_losses(tree, own, X[out], y[out], weight[out])
        losses += loss[steps]
        squares += square[steps]
    total, n = float(weight.sum()), len(y)
    mean = losses / total
    error = np.sqrt(np.maximum(squares / total - np.square(mean), 0.0) / n)
    least = int(np.argmin(mean))
    limit = mean[least] + (error[least] if rule == "1se" else 0.0)
    good = np.flatnonzero(mean <= limit + 1e-9 * mean.max())
    return CrossValidatedPath(alpha, mean, error, int(good[-1]))
