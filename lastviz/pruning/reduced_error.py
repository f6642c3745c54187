"""Reduced-error pruning: rows that did not grow the tree decide."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz._sentences import Refusal
from lastviz.tree import Tree

from .prune_table import PruneTable, check_of_classes, prune_table


@dataclass(frozen=True, eq=False)
class HeldOutRows:
    """Rows that did not grow a tree."""

    X: np.ndarray  # (n_samples, n_features) float64, as the tree reads it
    y: np.ndarray  # (n_samples,) intp, class indices
    weight: np.ndarray | None = None  # (n_samples,) float64, None: every row counts once


def reduced_error_table(
    tree: Tree, held_out: HeldOutRows, *, kept: np.ndarray | None = None
) -> PruneTable:
    """Weigh each node by the errors that it makes on rows held out.

    Parameters
    ----------
    tree : Tree
        Of classes.
    held_out : HeldOutRows
        At least one row.
    kept
        See :func:`~lastviz.pruning.prune_table`.

    Raises
    ------
    ValueError
        If no row is held out, or the tree predicts numbers.

    Notes
    -----
    Quinlan (1987), section 3: a subtree goes where a leaf makes no more errors; no other
    pruned tree makes fewer errors on these rows, and of those that make as few it is the
    smallest. A row that stops at an inner node, because it has a category that nobody knows
    there, is an error of the split itself; one in parts in several leaves counts in parts.
    O(n_samples depth + n_nodes).
    """
    check_of_classes(tree, "reduced-error pruning")
    if not len(held_out.y):
        raise Refusal("reduced-error pruning needs rows held out, got none")
    row, node, weight = tree.leaf_weights(held_out.X)
    if held_out.weight is not None:
        weight = weight * held_out.weight[row]
    as_leaf, split = np.zeros(tree.n_nodes), np.zeros(tree.n_nodes)
    wrong = weight * (tree.prediction[node] != held_out.y[row])
    split += np.bincount(node, wrong, tree.n_nodes)
    while len(row):
        wrong = weight * (tree.prediction[node] != held_out.y[row])
        as_leaf += np.bincount(node, wrong, tree.n_nodes)
        above = tree.parent[node]
        row, node, weight = row[above >= 0], above[above >= 0], weight[above >= 0]
    return prune_table(tree, as_leaf, split, kept=kept)
