"""Error-based pruning: C4.5's, with subtree replacement and raising."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy.special import ndtri

from lastviz.tree import GrowthLog, Kind, Missing, Tree, branch_shares

from .error_based_kernels import (
    ErrorEstimate,
    PruningData,
    PruningDraft,
    collapse,
    expected_errors,
    expected_errors_of_nodes,
    prune,
)
from .error_based_parts import prune_in_parts
from .prune_table import PruneTable, check_of_classes, prune_table, training_errors, with_ancestors

# Upper tail areas and the deviates that C4.5 interpolates between (Quinlan 1993, chapter 4
# and its program): at 0.25 this gives 0.6925, where the normal quantile is 0.6745.
_TAIL = np.array([0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00])
_DEVIATE = np.array([4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.00])


def _estimate(confidence: float, normal: bool) -> ErrorEstimate:
    z = ndtri(1.0 - confidence) if normal else np.interp(confidence, _TAIL, _DEVIATE)
    return ErrorEstimate(confidence=float(confidence), z=float(z), normal=normal)


def estimated_errors(
    n_samples: float, n_errors: float, confidence: float = 0.25, normal: bool = False
) -> float:
    """Expected number of errors of a leaf, given its errors on its training rows.

    Parameters
    ----------
    n_samples, n_errors : float
        Rows of the leaf and those of another class; ``0 <= n_errors <= n_samples``.
    confidence : float, default 0.25
        Chance that the true error rate lies above the limit, in (0, 0.5]: smaller prunes more.
    normal : bool, default False
        Use the normal limit without continuity correction instead.

    Notes
    -----
    Quinlan (1993), chapter 4: the upper limit of the binomial error rate. Without errors it
    is exact, n (1 - CF^(1/n)); from one error on, with f = (e + 1/2) / n,
    n (f + z^2/2n + z sqrt(f (1 - f) / n + z^2/4n^2)) / (1 + z^2/n); between them linear.
    `normal` is eq (5) of He, Xu and Chen (2009), with f = e / n throughout.
    """
    return float(expected_errors(float(n_samples), float(n_errors), _estimate(confidence, normal)))


def replacement_table(
    tree: Tree,
    confidence: float = 0.25,
    *,
    normal: bool = False,
    kept: np.ndarray | None = None,
) -> PruneTable:
    """Weigh each node by the errors to expect of it, with subtree replacement alone.

    Parameters
    ----------
    tree : Tree
        Of classes.
    confidence, normal
        See :func:`estimated_errors`.
    kept
        See :func:`~lastviz.pruning.prune_table`.

    Notes
    -----
    A leaf costs its expected errors. Quinlan (1993), chapter 4. Trees of two confidences are not
    nested. Deviation: a tie prunes; C4.5 also takes a leaf that is expected to make 0.1 errors
    more. Subtree raising, which sends rows elsewhere, has no such table: see
    :func:`prune_error_based`. O(n_nodes).
    """
    check_of_classes(tree, "subtree replacement")
    n, wrong = tree.weighted_n_node_samples, training_errors(tree)
    as_leaf = np.empty(tree.n_nodes)
    expected_errors_of_nodes(n, wrong, _estimate(confidence, normal), as_leaf)
    return prune_table(tree, as_leaf, kept=kept)


def prune_error_based(
    tree: Tree,
    columns: np.ndarray,
    y: np.ndarray,
    impurity: Callable[[np.ndarray], np.ndarray],
    *,
    confidence: float = 0.25,
    subtree_raising: bool = True,
    normal: bool = False,
    collapse_only: bool = False,
    kept: np.ndarray | None = None,
) -> tuple[Tree, GrowthLog]:
    """Cut a grown tree back to where its expected errors are lowest, and tell how.

    Parameters
    ----------
    tree : Tree
        A grown tree of threshold, nominal and oblique splits; it stays as it is.
    columns : ndarray, shape (n_features, n_samples)
        The encoded training data, one row per feature.
    y : ndarray of intp, shape (n_samples,)
        Class indices.
    impurity : callable
        Class counts (n_nodes, n_classes) -> impurity of each node.
    confidence, normal
        See :func:`estimated_errors`.
    subtree_raising : bool, default True
        Whether a node may be replaced by its largest branch, which then takes all its rows.
    collapse_only : bool, default False
        Only collapse subtrees that make no fewer training errors than a leaf.
    kept : ndarray of bool, shape (n_nodes,), optional
        Nodes of the grown tree that keep their split; neither they nor their ancestors are
        collapsed, cut or raised, see :func:`~lastviz.pruning.prune_table`. Default: none.

    Returns
    -------
    tree : Tree
    log : GrowthLog
        COLLAPSE, PRUNE and RAISE events in order.

    Notes
    -----
    First, subtrees that make no fewer training errors than a leaf collapse. Then, bottom up,
    a subtree becomes a leaf, or else its largest branch (ties: the second), where that is
    expected to make at most 0.1 errors more. Quinlan (1993), chapter 4. O(n depth^2).
    """
    estimate = _estimate(confidence, normal)
    held = np.zeros(tree.n_nodes, dtype=bool) if kept is None else with_ancestors(tree, kept)
    in_parts = len(tree.samples) > tree.n_node_samples[0] or (tree.sample_weight != 1.0).any()
    if len(tree.categories) or in_parts:
        how = {"subtree_raising": subtree_raising, "collapse_only": collapse_only}
        return prune_in_parts(tree, columns, y, impurity, estimate, held, **how)
    draft = _draft(tree, held)
    collapse(draft)
    if not collapse_only:
        prune(_training(tree, columns, y), draft, estimate, subtree_raising)
    return _tree_of(draft, tree, impurity), _log_of(draft)


def _training(tree: Tree, columns: np.ndarray, y: np.ndarray) -> PruningData:
    """Data in the layout that the splits read: by feature for thresholds, else by row."""
    X = none = np.empty((0, len(columns)))
    if len(tree.oblique):
        X = np.ascontiguousarray(columns.T)
    thresholds = (tree.kind == Kind.THRESHOLD).any()
    columns = np.ascontiguousarray(columns) if thresholds else none.T.copy()
    return PruningData(columns, X, y, tree.oblique.weights, tree.oblique.threshold)


def _draft(tree: Tree, protected: np.ndarray) -> PruningDraft:
    count, rows = tree.n_nodes, len(tree.samples)
    return PruningDraft(
        first_child=tree.first_child.copy(),
        parent=tree.parent.copy(),
        protected=protected,
        feature=tree.feature.copy(),
        threshold=tree.threshold.copy(),
        split_row=tree.split_row.copy(),
        split_of=tree.grown_node.copy(),
        start=tree.start.copy(),
        end=tree.end.copy(),
        counts=tree.value.astype(np.int64),
        prediction=tree.prediction.copy(),
        errors=np.empty(count),
        rows=tree.samples.copy(),
        spare=np.empty(rows, dtype=tree.samples.dtype),
        extra=np.zeros(tree.value.shape, dtype=np.int64),
        agenda=np.empty(count + 1, dtype=np.int64),
        events=np.empty((2 * count, 5), dtype=np.int64),
        saved=np.empty(2 * count),
        n_events=np.zeros(1, dtype=np.int64),
    )


def _log_of(draft: PruningDraft) -> GrowthLog:
    count = int(draft.n_events[0])
    node, action, n_samples, reason, branch = draft.events[:count].T
    return GrowthLog(
        node=node.astype(np.intp),
        action=action.astype(np.int8),
        n_samples=n_samples.astype(np.intp),
        score=draft.saved[:count].copy(),
        reason=reason.astype(np.int8),
        branch=branch.astype(np.intp),
    )


def _tree_of(draft: PruningDraft, grown: Tree, impurity: Callable) -> Tree:
    """Nodes that are still reached, numbered anew in the old order."""
    alive = _reached(draft)
    number = np.full(len(draft.parent), -1, dtype=np.intp)
    number[alive] = np.arange(len(alive))
    inner = draft.first_child[alive] >= 0
    parent = np.where(alive > 0, number[draft.parent[alive]], -1)
    depth = np.zeros(len(alive), dtype=np.intp)
    for node in range(1, len(alive)):
        depth[node] = depth[parent[node]] + 1
    counts = draft.counts[alive].astype(np.float64)
    split = draft.split_of[alive]
    weight, parts = counts.sum(axis=1), grown.missing == Missing.FRACTIONS
    return replace(
        grown,
        parent=parent,
        depth=depth,
        first_child=np.where(inner, number[draft.first_child[alive]], -1),
        n_children=np.where(inner, 2, 0),
        kind=np.where(inner, grown.kind[split], Kind.LEAF).astype(np.int8),
        feature=draft.feature[alive],
        threshold=draft.threshold[alive],
        split_row=draft.split_row[alive],
        basis_id=np.where(inner, grown.basis_id[split], grown.basis_id[alive]),
        impurity=impurity(counts),
        score=np.where(inner, grown.score[split], np.nan),
        n_node_samples=draft.end[alive] - draft.start[alive],
        weighted_n_node_samples=weight,
        value=counts,
        prediction=draft.prediction[alive],
        start=draft.start[alive],
        end=draft.end[alive],
        key=grown.key[alive],
        grown_node=split,
        samples=draft.rows,
        missing_branch=None,
        branch_weight=branch_shares(parent, weight) if parts else None,
    )


def _reached(draft: PruningDraft) -> np.ndarray:
    seen = np.zeros(len(draft.parent), dtype=bool)
    level = np.array([0])
    while len(level):
        seen[level] = True
        first = draft.first_child[level]
        first = first[first >= 0]
        level = np.concatenate([first, first + 1])
    return np.flatnonzero(seen)
