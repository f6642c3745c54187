"""Cost of each node of a grown tree as a leaf and as a subtree: one pass from the leaves up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from lastviz.splitters.edits import Cut, Edit, ForcedSplit, Kept, node_at
from lastviz.tree import Action, GrowthLog, Kind, Reason, Tree

from .prune_table_kernels import weigh_up


def log_of_cuts(tree: Tree, nodes: np.ndarray, score: np.ndarray, reason: Reason) -> GrowthLog:
    """One PRUNE event per node that becomes a leaf, in the order of `nodes`."""
    return GrowthLog(
        node=nodes,
        action=np.full(len(nodes), Action.PRUNE, dtype=np.int8),
        n_samples=tree.n_node_samples[nodes],
        score=score,
        reason=np.full(len(nodes), reason, dtype=np.int8),
        branch=np.full(len(nodes), -1, dtype=np.intp),
    )


def with_leaves_at(tree: Tree, cut: np.ndarray) -> Tree:
    """Tree in which the nodes `cut` are leaves, numbered anew in the old order.

    `cut` holds inner nodes; those below another one disappear with it. O(n_nodes).
    """
    leaf = tree.n_children == 0
    leaf[cut] = True
    alive = np.ones(tree.n_nodes, dtype=bool)
    for level in range(1, tree.max_depth + 1):
        here = np.flatnonzero(tree.depth == level)
        alive[here] = alive[tree.parent[here]] & ~leaf[tree.parent[here]]
    remaining = np.flatnonzero(alive)
    number = np.cumsum(alive) - 1
    inner = ~leaf[remaining]
    per_node = {
        name: getattr(tree, name)[remaining]
        for name in (
            "depth", "impurity", "n_node_samples", "weighted_n_node_samples", "value",
            "prediction", "start", "end", "key", "basis_id", "branch_weight",
        )
    }  # fmt: skip
    return replace(
        tree,
        **per_node,
        parent=np.where(remaining > 0, number[tree.parent[remaining]], -1),
        first_child=np.where(inner, number[tree.first_child[remaining]], -1),
        n_children=np.where(inner, tree.n_children[remaining], 0),
        kind=np.where(inner, tree.kind[remaining], Kind.LEAF).astype(np.int8),
        feature=np.where(inner, tree.feature[remaining], -1),
        threshold=np.where(inner, tree.threshold[remaining], np.nan),
        score=np.where(inner, tree.score[remaining], np.nan),
        grown_node=np.where(inner, tree.grown_node[remaining], -1),
        split_row=np.where(inner, tree.split_row[remaining], -1),
        missing_branch=np.where(inner, tree.missing_branch[remaining], -1),
    )


# ---------------------------------------------------------------- prune table


@dataclass(frozen=True, eq=False)
class PruneTable:
    """Costs that a pruner compares at each node of a grown tree, and its decisions."""

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
        """Cost of each node with its split, the alternative to `as_leaf`."""
        return self.inner + self.inside

    @property
    def gain(self) -> np.ndarray:
        """Cost that each node's split saves over a leaf; at most 0 where it is cut."""
        return self.as_leaf - self.as_subtree


def check_of_classes(tree: Tree, pruner: str) -> None:
    """Refuse a tree that predicts numbers."""
    if tree.is_regression:
        raise ValueError(f"{pruner} prunes trees of classes; this one predicts numbers")


def training_errors(tree: Tree) -> np.ndarray:
    """Weight of the rows of each node that are not of its largest class."""
    return np.maximum(tree.weighted_n_node_samples - tree.value.max(axis=1), 0.0)


def with_ancestors(tree: Tree, kept: np.ndarray) -> np.ndarray:
    """`kept`, a mask of nodes (n_nodes,), with all their ancestors.

    O(n_nodes).
    """
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
    """Tree cut where a table says so, and one PRUNE event per cut.

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


# ---- What edits say of pruning: which nodes keep their split, and which are cut whatever it costs


def kept_by_hand(grown: Tree, edits: Iterable[Edit]) -> np.ndarray | None:
    """Mask of the nodes of a grown tree that edits keep; None if there are none.

    Those of ``Kept`` and those whose split was forced, bool, shape (n_nodes,); a pruner adds
    their ancestors.
    """
    nodes = [node_at(grown, e.path) for e in edits if isinstance(e, Kept | ForcedSplit)]
    nodes = [node for node in nodes if node is not None]
    if not nodes:
        return None
    mask = np.zeros(grown.n_nodes, dtype=bool)
    mask[nodes] = True
    return mask


def cut_by_hand(grown: Tree, tree: Tree, edits: Iterable[Edit]) -> tuple[Tree, GrowthLog] | None:
    """Turn the nodes of ``Cut`` into leaves, once a tree is pruned, and tell how.

    Parameters
    ----------
    grown, tree : Tree
        Before and after pruning.
    edits : iterable of Edit
        Those whose node is a leaf already, or is gone, change nothing.

    Returns
    -------
    tree, log
        One PRUNE event per node that became a leaf; its score is NaN. None if there is none.
    """
    places = []
    for edit in edits:
        node = node_at(grown, edit.path) if isinstance(edit, Cut) else None
        if node is None:
            continue
        place = np.flatnonzero(tree.key == grown.key[node])
        if len(place) and not tree.is_leaf(int(place[0])):
            places.append((int(place[0]), node))
    if not places:
        return None
    cut, nodes = np.array(places, dtype=np.intp).T
    log = log_of_cuts(tree, cut, np.full(len(cut), np.nan), Reason.CUT_BY_HAND)
    return with_leaves_at(tree, cut), replace(log, node=nodes)


def void_of_pruning(grown: Tree, edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Edits of pruning whose node does not exist or has no split."""
    void = []
    for edit in edits:
        if isinstance(edit, Cut | Kept):
            node = node_at(grown, edit.path)
            if node is None or grown.is_leaf(node):
                void.append(edit)
    return tuple(void)
