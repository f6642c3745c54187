"""Turning nodes of a grown tree into leaves, and saying so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lastviz.tree import Action, GrowthLog, Kind, Reason, Tree


def log_of_cuts(tree: Tree, nodes: np.ndarray, score: np.ndarray, reason: Reason) -> GrowthLog:
    """Return one PRUNE event per node that becomes a leaf, in the order of `nodes`."""
    return GrowthLog(
        node=nodes,
        action=np.full(len(nodes), Action.PRUNE, dtype=np.int8),
        n_samples=tree.n_node_samples[nodes],
        score=score,
        reason=np.full(len(nodes), reason, dtype=np.int8),
        branch=np.full(len(nodes), -1, dtype=np.intp),
    )


def with_leaves_at(tree: Tree, cut: np.ndarray) -> Tree:
    """Return the tree in which the nodes `cut` are leaves, numbered anew in the old order.

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
