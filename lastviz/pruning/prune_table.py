"""What each node of a grown tree costs as a leaf and as a subtree: one pass, from the leaves up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz.tree import GrowthLog, Reason, Tree

from .leaves import log_of_cuts, with_leaves_at
from .prune_table_kernels import weigh_up


@dataclass(frozen=True, eq=False)
class PruneTable:
    """What a pruner weighs at each node of a grown tree, and what it decides."""

    as_leaf: np.ndarray  # (n_nodes,) float64, what the node costs as a leaf
    # (n_nodes,) float64, what its split costs by itself, besides what lies below; 0 at a leaf.
    inner: np.ndarray
    # (n_nodes,) float64, what its children cost, pruned as they are; 0 at a leaf.
    inside: np.ndarray
    # (n_nodes,) float64, what the node costs with the cuts made: that of the tree at the root.
    cost: np.ndarray
    # (n_nodes,) bool. Whether the node becomes a leaf. Decided for every node, also below another
    # one that is cut.
    cut: np.ndarray

    @property
    def as_subtree(self) -> np.ndarray:
        """What each node costs with its split: what stands against `as_leaf`."""
        return self.inner + self.inside

    @property
    def gain(self) -> np.ndarray:
        """What each node costs less with its split than as a leaf; at most 0 where it is cut."""
        return self.as_leaf - self.as_subtree


def check_of_classes(tree: Tree, pruner: str) -> None:
    """Refuse a tree that predicts numbers."""
    if tree.is_regression:
        raise ValueError(f"{pruner} prunes trees of classes; this one predicts numbers")


def training_errors(tree: Tree) -> np.ndarray:
    """Return the weight of the rows of each node that are not of its largest class."""
    return np.maximum(tree.weighted_n_node_samples - tree.value.max(axis=1), 0.0)


def with_ancestors(tree: Tree, kept: np.ndarray) -> np.ndarray:
    """Return `kept`, a mask of nodes (n_nodes,), with all their ancestors. O(n_nodes)."""
    closed = np.array(kept, dtype=bool)
    if closed.shape != (tree.n_nodes,):
        raise ValueError(
            f"kept must hold True or False for each of the {tree.n_nodes} nodes, got an array of "
            f"shape {closed.shape}"
        )
    for level in range(tree.max_depth, 0, -1):
        here = np.flatnonzero(closed & (tree.depth == level))
        closed[tree.parent[here]] = True
    return closed


def prune_table(
    tree: Tree,
    as_leaf: np.ndarray,
    inner: np.ndarray | float = 0.0,
    *,
    kept: np.ndarray | None = None,
    sibling_leaves_only: bool = False,
) -> PruneTable:
    """Weigh each node as a leaf against its best pruned subtree, from the leaves up.

    Parameters
    ----------
    tree : Tree
        As it was grown, with any number of branches.
    as_leaf : ndarray of float64, shape (n_nodes,)
        What each node costs as a leaf.
    inner : ndarray of float64, shape (n_nodes,), or float, default 0.0
        What each split costs by itself.
    kept : ndarray of bool, shape (n_nodes,), optional
        Nodes of the grown tree that must stay as they are: they and all their ancestors are
        never cut, whatever they cost; below them the costs decide as ever. This is how a split
        that somebody chose by hand outlives a pruner: a mask over ``grown_tree_``, True at the
        node, handed to any of :data:`~lastviz.pruning.PRUNERS`. A leaf that is kept keeps the
        splits above it. Default: none.
    sibling_leaves_only : bool, default False
        Only take leaves that are siblings back into their parent: a node stays if any subtree
        below it does.

    Returns
    -------
    PruneTable

    Notes
    -----
    cost(t) = min(as_leaf(t), inner(t) + sum of the children's cost); ties prune, so among the
    trees of least cost the smallest is left. The tree is cut by :func:`cut_by_table`.
    O(n_nodes).
    """
    split = tree.n_children > 0
    inner = np.where(split, inner, 0.0)
    may_go = split if kept is None else split & ~with_ancestors(tree, kept)
    as_leaf = np.ascontiguousarray(as_leaf, dtype=np.float64)
    inside, cost = np.empty(tree.n_nodes), np.empty(tree.n_nodes)
    cut = np.empty(tree.n_nodes, dtype=np.bool_)
    links = tree.first_child, tree.n_children
    weigh_up(*links, as_leaf, inner, may_go, sibling_leaves_only, inside, cost, cut)
    return PruneTable(as_leaf, inner, inside, cost, cut)


def cut_by_table(
    tree: Tree, table: PruneTable, reason: Reason, *, from_root: bool = False
) -> tuple[Tree, GrowthLog]:
    """Return the tree cut where a table says so, and one PRUNE event per cut.

    The score of an event is what the cut saves. Cuts go from the leaves up, so that a node may be
    cut below another one; `from_root` they go from the root down, and what is below a cut is not
    decided about.
    """
    cut = table.cut.copy()
    if from_root:
        gone = np.zeros(tree.n_nodes, dtype=bool)
        for level in range(1, tree.max_depth + 1):
            here = np.flatnonzero(tree.depth == level)
            gone[here] = (gone | cut)[tree.parent[here]]
        cut &= ~gone
    nodes = np.flatnonzero(cut)
    depth = tree.depth[nodes] if from_root else -tree.depth[nodes]
    nodes = nodes[np.argsort(depth, kind="stable")]
    return with_leaves_at(tree, nodes), log_of_cuts(tree, nodes, -table.gain[nodes], reason)
