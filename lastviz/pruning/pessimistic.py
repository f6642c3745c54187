"""Pessimistic pruning: training errors, corrected for continuity, within one standard error."""

from __future__ import annotations

import numpy as np

from lastviz.tree import Tree

from .prune_table import PruneTable, check_of_classes, training_errors, with_ancestors

CORRECTION = 0.5  # errors a leaf, for continuity


def pessimistic_table(tree: Tree, *, kept: np.ndarray | None = None) -> PruneTable:
    """Weigh each node against the whole subtree below it.

    Parameters
    ----------
    tree : Tree
        Of classes.
    kept
        See :func:`~lastviz.pruning.prune_table`.

    Returns
    -------
    PruneTable
        `as_leaf` is e + 1/2, `inside` the corrected errors E of the subtree as it was grown,
        `inner` their standard error.

    Raises
    ------
    ValueError
        If the tree predicts numbers.

    Notes
    -----
    With e training errors as a leaf, and E = errors of the subtree's leaves plus half their
    number, a node of n rows becomes a leaf if e + 1/2 <= E + sqrt(E (n - E) / n). Quinlan
    (1987), section 4: each node is judged once, from the root down, so what is below does not
    matter. It needs no other rows and has no parameter. O(n_nodes).
    """
    check_of_classes(tree, "pessimistic pruning")
    split, n = tree.n_children > 0, tree.weighted_n_node_samples
    wrong = training_errors(tree) + CORRECTION
    expected = np.where(split, 0.0, wrong)
    for level in range(tree.max_depth, 0, -1):
        here = np.flatnonzero(tree.depth == level)
        np.add.at(expected, tree.parent[here], expected[here])
    variance = np.divide(expected * (n - expected), n, out=np.zeros(tree.n_nodes), where=n > 0.0)
    error = np.where(split, np.sqrt(np.maximum(variance, 0.0)), 0.0)
    cut = split & (wrong <= expected + error)
    if kept is not None:
        cut &= ~with_ancestors(tree, kept)
    inside = np.where(split, expected, 0.0)
    return PruneTable(wrong, error, inside, np.where(cut, wrong, expected), cut)
