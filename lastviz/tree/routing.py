"""Routing of samples in a tree: to one leaf, or in parts to several if a value is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .codes import Missing
from .spread_kernels import BRANCH, FRACTIONS, route_known, route_nominal, spread

if TYPE_CHECKING:
    from .tree import Tree


def stops(tree: Tree, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Node where each row of X stops, and the rows that go on from there in parts."""
    majority, numeric = tree.missing == Missing.MAJORITY, not len(tree.categories)
    with np.errstate(all="ignore"):  # a sum is quicker than a look at each value
        if not tree.asks_more or (majority and numeric and not np.isnan(X.sum())):
            return tree.apply_complete(X), np.empty(0, dtype=np.intp)
    out = np.empty(len(X), dtype=np.intp)
    if tree.missing == FRACTIONS and numeric:
        n_spread = route_known(X, tree.feature, tree.threshold, tree.first_child, out)
    else:
        n_spread = route_nominal(
            X, tree.feature, tree.threshold, tree.split_row, tree.categories.branch,
            BRANCH if majority else int(tree.missing), tree.sent_missing, tree.first_child, out,
        )  # fmt: skip
    if not n_spread:
        return out, np.empty(0, dtype=np.intp)
    rows = np.flatnonzero(out < 0)
    out[rows] = -1 - out[rows]
    return out, rows


def leaf_weights(tree: Tree, X: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(row, node, weight) triples, sorted by row, then node."""
    at, rows = stops(tree, X)
    undivided = np.ones(len(X), dtype=bool)
    undivided[rows] = False
    known = np.flatnonzero(undivided)
    row, leaf, weight = _spread(tree, X, at, rows)
    row = np.concatenate([known, row])
    leaf = np.concatenate([at[known], leaf])
    weight = np.concatenate([np.ones(len(known)), weight])
    order = np.lexsort((leaf, row))
    return row[order], leaf[order], weight[order]


def largest_leaves(tree: Tree, X: np.ndarray) -> np.ndarray:
    """Node of largest weight of each row, the lowest of them on a tie."""
    at, rows = stops(tree, X)
    if not len(rows):
        return at
    row, leaf, weight = _spread(tree, X, at, rows)
    order = np.lexsort((leaf, -weight, row))
    row, leaf = row[order], leaf[order]
    first = np.r_[True, row[1:] != row[:-1]]
    at[row[first]] = leaf[first]
    return at


def class_shares(tree: Tree, X: np.ndarray) -> np.ndarray:
    """Each row's class shares (n, n_classes), over its leaves by their weights.

    A leaf without rows votes for what it predicts.
    """
    at, rows = stops(tree, X)
    by_node = shares_of_nodes(tree)
    shares = by_node[at]
    if len(rows):
        shares[rows] = _mixed(tree, X, at, rows, by_node)
    return shares


def class_indices(tree: Tree, X: np.ndarray) -> np.ndarray:
    """Predicted class index of each row.

    A row that is in parts in several leaves has the class that is most likely by the mean of
    their shares, or cheapest by the tree's costs.
    """
    at, rows = stops(tree, X)
    out = tree.prediction[at]
    if len(rows):
        out[rows] = first_of_most(_mixed(tree, X, at, rows, votes_of_nodes(tree)))
    return out


def first_of_most(votes: np.ndarray) -> np.ndarray:
    """Class of most votes in each row (n, n_classes), the lowest on a tie.

    Sums differ by rounding.
    """
    return (votes >= votes.max(axis=1, keepdims=True) - 1e-12).argmax(axis=1)


def means(tree: Tree, X: np.ndarray) -> np.ndarray:
    """Predicted number of each row."""
    at, rows = stops(tree, X)
    out = tree.prediction[at]
    if len(rows):
        row, leaf, weight = _spread(tree, X, at, rows)
        out[rows] = np.bincount(row, weight * tree.prediction[leaf], len(X))[rows]
    return out


def shares_of_nodes(tree: Tree) -> np.ndarray:
    """Class shares of each node.

    A node without rows has the whole of its prediction.
    """
    total = tree.value.sum(axis=1, keepdims=True)
    shares = np.divide(tree.value, total, out=np.zeros_like(tree.value), where=total > 0)
    empty = np.flatnonzero(total[:, 0] <= 0)
    shares[empty, tree.prediction[empty]] = 1.0
    return shares


def votes_of_nodes(tree: Tree) -> np.ndarray:
    """Votes of each node for the classes (n_nodes, n_classes); the most votes decide.

    Its shares or, by the tree's costs, what calling each class saves of the dearest error: at
    most 1, whatever the unit. Votes of rows in several leaves are means of the leaves', as shares
    are.
    """
    shares = shares_of_nodes(tree)
    return shares if tree.costs is None else shares @ (1.0 - tree.costs / (tree.costs.max() or 1.0))


def _mixed(
    tree: Tree, X: np.ndarray, at: np.ndarray, rows: np.ndarray, by_node: np.ndarray
) -> np.ndarray:
    """Class shares of the rows that are in parts in several leaves."""
    row, leaf, weight = _spread(tree, X, at, rows)
    place = np.searchsorted(rows, row)
    parts = [np.bincount(place, weight * share[leaf], len(rows)) for share in by_node.T]
    return np.column_stack(parts)


def _spread(
    tree: Tree, X: np.ndarray, at: np.ndarray, rows: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Triples of the rows `rows`, which are in parts from their nodes `at` on."""
    if not len(rows):
        return np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp), np.empty(0)
    here, begin = X[rows], at[rows]
    tables = (
        tree.feature, tree.threshold, tree.split_row, tree.categories.branch,
        tree.branch_weight, tree.first_child, tree.n_children,
    )  # fmt: skip
    room = (np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp), np.empty(0))
    count = spread(here, begin, *tables, *room)
    room = (np.empty(count, dtype=np.intp), np.empty(count, dtype=np.intp), np.empty(count))
    spread(here, begin, *tables, *room)
    return rows[room[0]], room[1], room[2]
