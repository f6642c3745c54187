"""Pruners that compare an estimate of each branch with that of its leaf, from below."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

from lastviz._sentences import Refusal
from lastviz.criteria import class_entropy
from lastviz.tree import GrowthLog, Reason, Tree

from .prune_table import (
    PruneTable,
    check_of_classes,
    cut_by_table,
    prune_table,
    training_errors,
    with_ancestors,
)


def minimum_error_table(
    tree: Tree, m: float = 2.0, *, kept: np.ndarray | None = None
) -> PruneTable:
    """Weigh each node by the errors that the m-estimate expects.

    Parameters
    ----------
    tree : Tree
        Of classes.
    m : float, default 2.0
        How many rows the shares of the root are worth, >= 0; more prunes more, as a rule.
    kept
        See :func:`~lastviz.pruning.prune_table`.

    Raises
    ------
    ValueError
        If `m` is out of range, or the tree predicts numbers.

    Notes
    -----
    A leaf of n rows, n_c of them of the class that it predicts, is expected to err on
    n (1 - (n_c + m p_c) / (n + m)) of them, p_c that class's share of all rows. Cestnik and
    Bratko (1991), section 3. Trees of two values of m are not nested. O(n_nodes).
    Deviation: the class is the one that the leaf predicts, its largest; the paper takes the one
    of the largest estimate, which may differ where they nearly tie.
    """
    check_of_classes(tree, "minimum-error pruning")
    if not (math.isfinite(m) and m >= 0.0):
        raise ValueError(f"m must be a finite number >= 0 of rows, got {m!r}")
    n, predicted = tree.weighted_n_node_samples, tree.prediction
    own = tree.value[np.arange(tree.n_nodes), predicted]
    prior = tree.value[0, predicted] / n[0]
    # n (n + m - n_c - m p_c) / (n + m): an empty node without m errs on none.
    share = np.divide(n, n + m, out=np.zeros(tree.n_nodes), where=n + m > 0.0)
    return prune_table(tree, share * (n + m - own - m * prior), kept=kept)


# ---- Pessimistic pruning: training errors, corrected for continuity, within one standard error


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


# ---- Reduced-error pruning: rows that did not grow the tree decide


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


# ---- Pruning by the minimum description length: the shortest way to write tree and classes down


def description_length_table(tree: Tree, *, kept: np.ndarray | None = None) -> PruneTable:
    """Prune table by the bits that encode the classes of each node's rows.

    Parameters
    ----------
    tree : Tree
        Of classes.
    kept
        See :func:`~lastviz.pruning.prune_table`.

    Raises
    ------
    ValueError
        If the tree predicts numbers.

    Notes
    -----
    One bit says whether a node is a leaf. A leaf then lists the classes of its rows, each coded
    by what was seen before it: - log2 of Gamma(K/2) prod_k Gamma(n_k + 1/2) /
    (Gamma(1/2)^K Gamma(n + K/2)), Krichevsky and Trofimov (1981). A split names one of the
    features and one of the n - 1 places of a threshold: log2(features) + log2(n - 1). Quinlan
    and Rivest (1989), section 2. O(n_nodes n_classes).
    Deviation: they code the exceptions to a leaf's class; a test that is no threshold is priced
    as if it were one, a hyperplane too.
    """
    check_of_classes(tree, "pruning by description length")
    n_classes = tree.value.shape[1]
    total = tree.value.sum(axis=1)
    likelihood = (
        gammaln(n_classes / 2.0)
        + gammaln(tree.value + 0.5).sum(axis=1)
        - n_classes * gammaln(0.5)
        - gammaln(total + n_classes / 2.0)
    )
    places = np.maximum(tree.n_node_samples - 1, 1)
    return prune_table(
        tree,
        1.0 - likelihood / np.log(2.0),
        1.0 + np.log2(tree.n_features) + np.log2(places),
        kept=kept,
    )


# ---- Pruning by the entropy cost: a leaf costs the entropy of its rows and a price alpha


def entropy_cost_table(
    tree: Tree, alpha: float, *, literal: bool = False, kept: np.ndarray | None = None
) -> PruneTable:
    """Prune table by each node's entropy in bits and `alpha` bits per leaf.

    Parameters and errors are those of :func:`prune_entropy_cost`.
    """
    check_of_classes(tree, "entropy_cost")
    if not (math.isfinite(alpha) and alpha >= 0):
        raise ValueError(f"alpha must be a finite number >= 0 of bits per leaf, got {alpha!r}")
    return prune_table(tree, entropy_bits(tree) + alpha, kept=kept, sibling_leaves_only=literal)


def entropy_bits(tree: Tree) -> np.ndarray:
    """n_t H_t of each node: number of rows times their entropy, in bits."""
    return tree.weighted_n_node_samples * class_entropy(tree.value)


def prune_entropy_cost(
    tree: Tree, alpha: float, *, literal: bool = False, kept: np.ndarray | None = None
) -> tuple[Tree, GrowthLog]:
    """Prune a grown tree to the least ``C_alpha(T) = sum_t n_t H_t + alpha |T|``.

    Parameters
    ----------
    tree : Tree
        Of classes, with any number of branches; it stays as it is.
    alpha : float
        Price of a leaf in bits, >= 0.
    literal : bool, default False
        Follow the printed algorithm: only leaves that are siblings are taken back into their
        parent, so a node stays if any subtree below it does.
    kept
        See :func:`~lastviz.pruning.prune_table`.

    Returns
    -------
    tree : Tree
    log : GrowthLog
        One PRUNE event per node that became a leaf, the deepest first; its score is the bits
        that it saved.

    Raises
    ------
    ValueError
        If `alpha` is out of range or the tree predicts numbers.

    Notes
    -----
    Li, Statistical Learning Methods, section 5.4, (5.11)-(5.15). A node is compared with the
    best pruned subtree below it, and ties prune, so the result is the smallest tree of least
    cost. O(n_nodes).
    Deviation: algorithm 5.4 as printed (`literal`) misses that minimum. The tree of the loan
    data has 15 rows of 0.970951 bits at the root and 9 rows of 0.918296 bits below; as a single
    leaf it is cheapest from alpha = 14.5643 / 2 = 7.2821 on, but the printed loop keeps all of
    it up to 8.2647, where the lower test goes.
    """
    table = entropy_cost_table(tree, alpha, literal=literal, kept=kept)
    return cut_by_table(tree, table, Reason.ENTROPY_COST)
