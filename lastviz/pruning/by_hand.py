"""What edits say of pruning: which nodes keep their split, and which are cut whatever it costs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from lastviz.splitters.edits import Cut, Edit, ForcedSplit, Kept, node_at
from lastviz.tree import GrowthLog, Reason, Tree

from .leaves import log_of_cuts, with_leaves_at


def kept_by_hand(grown: Tree, edits: Iterable[Edit]) -> np.ndarray | None:
    """Return which nodes of a grown tree are not to be pruned, None where no edit says so.

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
    """Return the edits of pruning whose node does not exist or has no split."""
    void = []
    for edit in edits:
        if isinstance(edit, Cut | Kept):
            node = node_at(grown, edit.path)
            if node is None or grown.is_leaf(node):
                void.append(edit)
    return tuple(void)
