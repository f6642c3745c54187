"""Cost-complexity pruning: the nested trees that are optimal as each leaf costs more."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz.criteria import class_entropy, gini, misclassification
from lastviz.tree import GrowthLog, Reason, Tree

from .cost_complexity_kernels import weakest_links
from .leaves import log_of_cuts, with_leaves_at

__all__ = [
    "CostComplexityPath",
    "best_step",
    "cost_complexity_path",
    "held_out_errors",
    "prune_cost_complexity",
]

_RISKS = {"misclassification": misclassification, "gini": gini, "entropy": class_entropy}


@dataclass(frozen=True, eq=False)
class CostComplexityPath:
    """The nested sequence of trees, from the whole tree (less what gains nothing) to the root.

    Attributes
    ----------
    alpha : ndarray of float64, shape (n_steps,)
        The price per leaf from which on tree k is the smallest of least cost; rising from 0.
    n_leaves : ndarray of intp, shape (n_steps,)
    risk : ndarray of float64, shape (n_steps,)
        Impurity of the tree's leaves on its training rows, weighted by their shares.
    step_of_node : ndarray of intp, shape (n_nodes,)
        The step at which a node becomes a leaf; -1 for leaves and for nodes that disappear
        with an ancestor.
    """

    alpha: np.ndarray
    n_leaves: np.ndarray
    risk: np.ndarray
    step_of_node: np.ndarray

    @property
    def n_steps(self) -> int:
        """Number of trees in the sequence."""
        return len(self.alpha)

    def step_at(self, alpha: float) -> int:
        """Return the tree that is optimal at a price `alpha` >= 0 per leaf."""
        return int(np.searchsorted(self.alpha, alpha, side="right")) - 1


def cost_complexity_path(tree: Tree, risk: str = "misclassification") -> CostComplexityPath:
    """Return the weakest-link sequence of a grown tree.

    Parameters
    ----------
    tree : Tree
    risk : {"misclassification", "gini", "entropy"}, default "misclassification"
        What a leaf costs besides its price: its training errors, its Gini impurity or its entropy
        in bits, times its share of the rows.

    Notes
    -----
    The node t with the smallest g(t) = (R(t) - R(T_t)) / (leaves of T_t - 1) becomes a leaf
    next; nodes that tie do so in one step. Breiman et al. (1984), section 3.3.
    """
    node_risk = _RISKS[risk](tree.value) * tree.weighted_n_node_samples
    node_risk = node_risk / tree.weighted_n_node_samples[0]
    step = np.empty(tree.n_nodes, dtype=np.intp)
    alpha = np.empty(tree.n_nodes + 1)
    inside, leaves = np.empty(tree.n_nodes), np.empty(tree.n_nodes, dtype=np.intp)
    n_steps = weakest_links(
        tree.parent, tree.first_child, tree.n_children, node_risk, step, alpha, inside, leaves
    )
    first, last = _steps_as_leaf(tree, step, n_steps)
    return CostComplexityPath(
        alpha=alpha[:n_steps].copy(),
        n_leaves=_sum_by_step(np.ones(tree.n_nodes), first, last, n_steps).astype(np.intp),
        risk=_sum_by_step(node_risk, first, last, n_steps),
        step_of_node=step,
    )


def _steps_as_leaf(tree: Tree, step: np.ndarray, n_steps: int) -> tuple[np.ndarray, np.ndarray]:
    """Return for each node the steps [first, last) in which it is a leaf of the tree."""
    first = np.where(tree.n_children == 0, 0, np.where(step >= 0, step, n_steps))
    gone = np.full(tree.n_nodes, n_steps)
    for level in range(1, tree.max_depth + 1):
        here = np.flatnonzero(tree.depth == level)
        above = tree.parent[here]
        cut = np.where(step[above] >= 0, step[above], n_steps)
        gone[here] = np.minimum(gone[above], cut)
    return np.minimum(first, gone), gone


def _sum_by_step(
    amount: np.ndarray, first: np.ndarray, last: np.ndarray, n_steps: int
) -> np.ndarray:
    """Return for each step the sum of `amount` over the nodes that are leaves in it."""
    changes = np.bincount(first, amount, n_steps + 1) - np.bincount(last, amount, n_steps + 1)
    return np.cumsum(changes)[:n_steps]


def held_out_errors(
    tree: Tree, path: CostComplexityPath, X: np.ndarray, y: np.ndarray
) -> np.ndarray:
    """Return how many rows of `X` (n, m) with class indices `y` each tree of `path` gets wrong."""
    wrong = np.zeros(tree.n_nodes)
    node = tree.apply(X)
    rows = np.arange(len(y))
    while len(rows):
        missed = tree.prediction[node] != y[rows]
        wrong += np.bincount(node[missed], minlength=tree.n_nodes)
        node = tree.parent[node]
        rows, node = rows[node >= 0], node[node >= 0]
    first, last = _steps_as_leaf(tree, path.step_of_node, path.n_steps)
    return _sum_by_step(wrong, first, last, path.n_steps)


def best_step(errors: np.ndarray, n_samples: int, rule: str = "min") -> int:
    """Return the smallest tree with the fewest errors, or within one standard error of them.

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
