"""Collapsing, replacing and raising subtrees, bottom up, in place on a draft of the tree."""

import math
from typing import NamedTuple

import numpy as np

from lastviz._numba import inline_kernel, kernel
from lastviz.tree import Action, Reason

COLLAPSE, PRUNE, RAISE = int(Action.COLLAPSE), int(Action.PRUNE), int(Action.RAISE)
NO_FEWER_ERRORS = int(Reason.NO_FEWER_ERRORS)
LEAF_ESTIMATE, BRANCH_ESTIMATE = int(Reason.LEAF_ESTIMATE), int(Reason.BRANCH_ESTIMATE)
SLACK = 0.1  # errors by which the smaller tree may look worse


class PruningData(NamedTuple):
    """The rows that grew the tree, and its hyperplanes."""

    columns: np.ndarray  # (m, n)
    X: np.ndarray  # (n, m), or without rows where no split is oblique
    y: np.ndarray  # (n,)
    weights: np.ndarray  # (n_splits, m)
    offset: np.ndarray  # (n_splits,)


class PruningDraft(NamedTuple):
    """A tree being cut back; nodes keep their numbers of the grown tree."""

    first_child: np.ndarray
    parent: np.ndarray
    protected: np.ndarray  # bool: whether the node must keep its split, as its ancestors then do
    feature: np.ndarray
    threshold: np.ndarray
    split_row: np.ndarray
    split_of: np.ndarray  # the grown node whose split stands here
    start: np.ndarray
    end: np.ndarray
    counts: np.ndarray  # (n_nodes, K)
    prediction: np.ndarray
    errors: np.ndarray  # estimated errors of the subtree
    rows: np.ndarray
    spare: np.ndarray
    extra: np.ndarray  # (n_nodes, K) scratch counts, zero between uses
    agenda: np.ndarray  # stack of nodes to decide about
    events: np.ndarray  # (capacity, 5): node, action, rows, reason, branch
    saved: np.ndarray  # (capacity,)
    n_events: np.ndarray  # (1,)


class ErrorEstimate(NamedTuple):
    """Method of estimating expected errors from training errors."""

    confidence: float
    z: float
    normal: bool  # eq (5) of SODT; else the binomial limit as C4.5 approximates it


@inline_kernel
def _limit_for_none(n, confidence):
    """Expected errors where none was made: the exact binomial limit."""
    return n * (1.0 - math.exp(math.log(confidence) / n))


@inline_kernel
def _limit_for_some(n, e, z):
    """Expected errors beyond e >= 1: normal approximation with continuity correction."""
    half = e + 0.5
    if half >= n:
        return 0.67 * (n - e)
    spread = np.sqrt(z * z * (half * (1.0 - half / n) + z * z / 4.0))
    return n * (half + z * z / 2.0 + spread) / (n + z * z) - e


@kernel
def expected_errors(n, e, estimate):
    """Errors to expect of a leaf that errs on e of its n training rows."""
    if n <= 0.0:
        return 0.0
    z = estimate.z
    if estimate.normal:
        share = e / n
        spread = z * np.sqrt(share / n - share * share / n + z * z / (4.0 * n * n))
        return n * (share + z * z / (2.0 * n) + spread) / (1.0 + z * z / n)
    if e < 1e-6:
        return e + _limit_for_none(n, estimate.confidence)
    if e < 0.9999:
        none = _limit_for_none(n, estimate.confidence)
        return e + none + e * (_limit_for_some(n, 1.0, z) - none)
    return e + _limit_for_some(n, e, z)


@kernel
def expected_errors_of_nodes(n, e, estimate, errors):
    """Fill errors (n_nodes,) with :func:`expected_errors` of each node as a leaf."""
    for node in range(n.shape[0]):
        errors[node] = expected_errors(n[node], e[node], estimate)


@inline_kernel
def _wrong(counts):
    return counts.sum() - counts.max()


@inline_kernel
def _make_leaf(node, draft):
    draft.first_child[node] = -1
    draft.feature[node] = -1
    draft.threshold[node] = np.nan
    draft.split_row[node] = -1
    draft.split_of[node] = -1


@inline_kernel
def _log(draft, node, action, reason, branch, saved):
    event = draft.n_events[0]
    draft.events[event, 0] = node
    draft.events[event, 1] = action
    draft.events[event, 2] = draft.end[node] - draft.start[node]
    draft.events[event, 3] = reason
    draft.events[event, 4] = branch
    draft.saved[event] = saved
    draft.n_events[0] = event + 1


@kernel
def collapse(draft):
    """Turn subtrees that make no fewer training errors than a leaf into leaves."""
    for node in range(draft.first_child.shape[0] - 1, -1, -1):
        wrong = float(_wrong(draft.counts[node]))
        child = draft.first_child[node]
        draft.errors[node] = wrong
        if child >= 0:
            inside = draft.errors[child] + draft.errors[child + 1]
            if inside >= wrong and not draft.protected[node]:
                _make_leaf(node, draft)
                _log(draft, node, COLLAPSE, NO_FEWER_ERRORS, -1, inside - wrong)
            else:
                draft.errors[node] = inside


@inline_kernel
def _goes_first(node, row, tests, data):
    feature, threshold, split_row = tests
    columns, X, weights, offset = data
    if feature[node] >= 0:
        return columns[feature[node], row] <= threshold[node]
    plane = split_row[node]
    position = 0.0
    for f in range(X.shape[1]):  # in the order of `position_along`, to the last bit
        position += X[row, f] * weights[plane, f]
    return position <= offset[plane]


@inline_kernel
def _leaves_below(branch, rows, first_child, tests, data, leaves):
    """Write into `leaves` where each of `rows` would end below `branch`.

    Tuples of arrays are taken apart once: in the inner loop that would cost more than the test.
    """
    for i in range(rows.shape[0]):
        node = branch
        while first_child[node] >= 0:
            child = first_child[node]
            node = child if _goes_first(node, rows[i], tests, data) else child + 1
        leaves[i] = node


@inline_kernel
def _errors_if_raised(branch, other, data, draft, estimate):
    """Errors expected of `branch` if it held the rows of its sibling `other` too."""
    rows = draft.rows[draft.start[other] : draft.end[other]]
    leaves = draft.spare[: rows.shape[0]]
    tests = (draft.feature, draft.threshold, draft.split_row)
    _leaves_below(
        branch, rows, draft.first_child, tests,
        (data.columns, data.X, data.weights, data.offset), leaves,
    )  # fmt: skip
    extra, y = draft.extra, data.y
    for i in range(rows.shape[0]):
        extra[leaves[i], y[rows[i]]] += 1
    total = draft.errors[branch]
    for i in range(rows.shape[0]):
        leaf = leaves[i]
        added = extra[leaf].sum()
        if added > 0:
            counts = draft.counts[leaf] + extra[leaf]
            total += expected_errors(float(counts.sum()), float(_wrong(counts)), estimate)
            total -= draft.errors[leaf]
            extra[leaf, :] = 0
    return total


@inline_kernel
def _divide(node, data, draft):
    """Send the rows of node on to its children; a child keeps its class on ties."""
    child = draft.first_child[node]
    draft.counts[child : child + 2] = 0
    middle = draft.start[node]
    moved = 0
    tests = (draft.feature, draft.threshold, draft.split_row)
    values = (data.columns, data.X, data.weights, data.offset)
    for i in range(draft.start[node], draft.end[node]):
        row = draft.rows[i]
        if _goes_first(node, row, tests, values):
            draft.rows[middle] = row
            middle += 1
            draft.counts[child, data.y[row]] += 1
        else:
            draft.spare[moved] = row
            moved += 1
            draft.counts[child + 1, data.y[row]] += 1
    draft.rows[middle : draft.end[node]] = draft.spare[:moved]
    draft.start[child] = draft.start[node]
    draft.end[child] = draft.start[child + 1] = middle
    draft.end[child + 1] = draft.end[node]
    for c in range(child, child + 2):
        draft.parent[c] = node
        if draft.counts[c].max() > draft.counts[c, draft.prediction[c]]:
            draft.prediction[c] = np.argmax(draft.counts[c])


@inline_kernel
def _raise(node, branch, data, draft, estimate, size):
    """Replace the split at node by that of `branch`.

    Its rows are divided anew, and all decisions below are made again.

    The agenda, of which `size` entries are in use, receives the subtree's inner nodes so that
    children are popped before their parents. Returns the new size.
    """
    for field in (draft.first_child, draft.feature, draft.split_row, draft.split_of):
        field[node] = field[branch]
    draft.threshold[node] = draft.threshold[branch]
    bottom = size
    draft.agenda[size] = node
    size += 1
    at = bottom
    while at < size:
        here = draft.agenda[at]
        _divide(here, data, draft)
        for child in range(draft.first_child[here], draft.first_child[here] + 2):
            if draft.first_child[child] >= 0:
                draft.agenda[size] = child
                size += 1
            else:
                counts = draft.counts[child]
                draft.errors[child] = expected_errors(
                    float(counts.sum()), float(_wrong(counts)), estimate
                )
        at += 1
    return size


@kernel
def prune(data, draft, estimate, raising):
    """Prune the draft by error estimates.

    A subtree not worth keeping is replaced by a leaf or by its largest branch.
    """
    size = 0
    for node in range(draft.first_child.shape[0]):
        counts = draft.counts[node]
        draft.errors[node] = expected_errors(float(counts.sum()), float(_wrong(counts)), estimate)
        if draft.first_child[node] >= 0:
            draft.agenda[size] = node
            size += 1
    while size > 0:
        size -= 1
        node = draft.agenda[size]
        left = draft.first_child[node]
        counts = draft.counts[node]
        as_leaf = expected_errors(float(counts.sum()), float(_wrong(counts)), estimate)
        as_tree = draft.errors[left] + draft.errors[left + 1]
        as_branch = np.inf
        branch = left
        if raising and not draft.protected[node]:
            if draft.counts[left + 1].sum() >= draft.counts[left].sum():
                branch = left + 1
            if draft.first_child[branch] >= 0:
                other = 2 * left + 1 - branch
                as_branch = _errors_if_raised(branch, other, data, draft, estimate)
        draft.errors[node] = as_tree
        if draft.protected[node]:
            continue
        if as_leaf <= min(as_branch, as_tree) + SLACK:
            _make_leaf(node, draft)
            _log(draft, node, PRUNE, LEAF_ESTIMATE, -1, as_tree - as_leaf)
            draft.errors[node] = as_leaf
        elif as_branch <= as_tree + SLACK:
            _log(draft, node, RAISE, BRANCH_ESTIMATE, branch, as_tree - as_branch)
            size = _raise(node, branch, data, draft, estimate, size)
