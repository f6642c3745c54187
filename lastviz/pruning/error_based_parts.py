"""Error-based pruning where nodes have many branches and rows stand in parts in several.

The same decisions as in ``error_based_kernels.py``, node by node: a raised branch takes all
rows of its parent, and those of unknown value are shared out anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from lastviz.splitters.multiway.parts_kernels import part_rows
from lastviz.tree import Action, GrowthLog, Kind, Missing, Reason, Tree, branch_shares

from .error_based_kernels import SLACK, ErrorEstimate, expected_errors
from .parts_kernels import RedistributionScratch, Subtrees, redistribute

COLLAPSE_SLACK = 1e-3  # errors; sums of fractional weights are rounded (C4.5's Epsilon)
TIE = 1e-9  # of class counts that are sums of fractions


@dataclass(eq=False)
class _Draft:
    """A tree being cut back; nodes keep their numbers of the grown tree."""

    tree: Tree
    columns: np.ndarray
    y: np.ndarray
    estimate: ErrorEstimate
    protected: np.ndarray
    splits: Subtrees
    split_of: np.ndarray
    counts: np.ndarray
    prediction: np.ndarray
    errors: np.ndarray
    entries: list[tuple[np.ndarray, np.ndarray]]
    events: list[tuple] = field(default_factory=list)

    def children(self, node: int) -> range:
        first = int(self.splits.first_child[node])
        return range(first, first + int(self.splits.n_children[node]))

    def leaf_errors(self, node: int) -> float:
        total = self.counts[node].sum()
        return float(expected_errors(total, total - self.counts[node].max(), self.estimate))

    def make_leaf(self, node: int) -> None:
        for name, nothing in (("first_child", -1), ("n_children", 0), ("feature", -1),
                              ("threshold", np.nan), ("split_row", -1)):  # fmt: skip
            getattr(self.splits, name)[node] = nothing
        self.split_of[node] = -1

    def log(self, node: int, action: Action, reason: Reason, branch: int, saved: float) -> None:
        n_rows = len(self.entries[node][0])
        self.events.append((node, action, n_rows, saved, reason, branch))


def prune_in_parts(
    tree: Tree,
    columns: np.ndarray,
    y: np.ndarray,
    impurity: Callable[[np.ndarray], np.ndarray],
    estimate: ErrorEstimate,
    protected: np.ndarray,
    *,
    subtree_raising: bool,
    collapse_only: bool,
) -> tuple[Tree, GrowthLog]:
    """Cut back a tree of nominal splits and thresholds; see :func:`prune_error_based`."""
    draft = _start(tree, columns, y, estimate, protected)
    _collapse(draft)
    if not collapse_only:
        _prune(draft, subtree_raising)
    return _tree_of(draft, impurity), _log_of(draft)


def _start(
    tree: Tree, columns: np.ndarray, y: np.ndarray, estimate: ErrorEstimate, protected: np.ndarray
) -> _Draft:
    splits = Subtrees(
        tree.first_child.copy(), tree.n_children.copy(), tree.feature.copy(),
        tree.threshold.copy(), tree.split_row.copy(), tree.categories.branch,
    )  # fmt: skip
    return _Draft(
        tree=tree,
        columns=np.ascontiguousarray(columns),
        y=y,
        estimate=estimate,
        protected=protected,
        splits=splits,
        split_of=tree.grown_node.copy(),
        counts=tree.value.copy(),
        prediction=tree.prediction.copy(),
        errors=np.zeros(tree.n_nodes),
        entries=[tree.node_samples(node) for node in range(tree.n_nodes)],
    )


def _collapse(draft: _Draft) -> None:
    """Turn subtrees that make no fewer training errors than a leaf into leaves."""
    wrong = draft.counts.sum(axis=1) - draft.counts.max(axis=1)
    errors = wrong.copy()
    for node in np.flatnonzero(draft.splits.n_children > 0)[::-1].tolist():
        inside = float(errors[list(draft.children(node))].sum())
        if inside >= wrong[node] - COLLAPSE_SLACK and not draft.protected[node]:
            saved = inside - wrong[node]
            draft.log(node, Action.COLLAPSE, Reason.NO_FEWER_ERRORS, -1, saved)
            draft.make_leaf(node)
        else:
            errors[node] = inside


def _prune(draft: _Draft, raising: bool) -> None:
    """Prune the draft by error estimates, bottom up.

    A subtree not worth keeping is replaced by a leaf or by its largest branch.
    """
    reached = _reached(draft)
    for node in reached.tolist():
        draft.errors[node] = draft.leaf_errors(node)
    agenda = reached[draft.splits.n_children[reached] > 0].tolist()
    room = _room(draft, 2 * len(draft.entries[0][0]))
    scratch = np.empty_like(draft.counts)
    while agenda:
        node = agenda.pop()
        children = list(draft.children(node))
        as_leaf, as_tree = draft.leaf_errors(node), float(draft.errors[children].sum())
        weight = draft.counts[children].sum(axis=1)
        branch = children[np.flatnonzero(weight >= weight.max() - TIE)[-1]]
        as_branch = np.inf
        if raising and not draft.protected[node] and draft.splits.n_children[branch]:
            as_branch, room = _errors_if_raised(draft, node, branch, room, scratch)
        draft.errors[node] = as_tree
        if draft.protected[node]:
            continue
        if as_leaf <= min(as_branch, as_tree) + SLACK:
            draft.log(node, Action.PRUNE, Reason.LEAF_ESTIMATE, -1, as_tree - as_leaf)
            draft.make_leaf(node)
            draft.errors[node] = as_leaf
        elif as_branch <= as_tree + SLACK:
            draft.log(node, Action.RAISE, Reason.BRANCH_ESTIMATE, branch, as_tree - as_branch)
            agenda += _raise(draft, node, branch)


def _room(draft: _Draft, capacity: int) -> RedistributionScratch:
    integers = [np.empty(capacity, dtype=np.int64) for _ in range(2)]
    stack = [np.empty(draft.tree.n_nodes + 1, dtype=np.int64) for _ in range(3)]
    return RedistributionScratch(integers[0], np.empty(capacity), integers[1], *stack)


def _errors_if_raised(
    draft: _Draft, node: int, branch: int, room: RedistributionScratch, scratch: np.ndarray
) -> tuple[float, RedistributionScratch]:
    """Errors expected of `branch` if it held all rows of `node`, and the room."""
    rows, weights = draft.entries[node]
    while True:
        if len(rows) <= len(room.rows):
            room.rows[: len(rows)], room.weights[: len(rows)] = rows, weights
            errors = redistribute(
                branch, len(rows), draft.columns, draft.y, draft.splits, scratch, room,
                draft.estimate,
            )  # fmt: skip
            if errors >= 0.0:
                return errors, room
        room = _room(draft, 2 * len(room.rows))


def _raise(draft: _Draft, node: int, branch: int) -> list[int]:
    """Put the split of `branch` at node and divide its rows anew.

    Returns the inner nodes of the subtree, parents before children, to be decided again.
    """
    for values in draft.splits[:5]:
        values[node] = values[branch]
    draft.split_of[node] = draft.split_of[branch]
    inner = [node]
    for here in inner:
        _divide(draft, here)
        for child in draft.children(here):
            if draft.splits.n_children[child]:
                inner.append(child)
            else:
                draft.errors[child] = draft.leaf_errors(child)
    return inner


def _divide(draft: _Draft, node: int) -> None:
    """Send the rows of node on to its children; a child keeps its class on ties."""
    rows, weights = draft.entries[node]
    children = draft.children(node)
    taken = _branches(draft, node, rows)
    start = np.empty(len(children) + 1, dtype=np.int64)
    count = part_rows(taken, weights, len(children), start, taken[:0], weights[:0])
    place, parts = np.empty(count, dtype=np.int64), np.empty(count)
    part_rows(taken, weights, len(children), start, place, parts)
    for branch, child in enumerate(children):
        inside = slice(int(start[branch]), int(start[branch + 1]))
        here = rows[place[inside]]
        draft.entries[child] = (here, parts[inside])
        counts = np.bincount(draft.y[here], parts[inside], draft.counts.shape[1])
        draft.counts[child] = counts
        if not len(here):
            draft.prediction[child] = draft.prediction[node]
        elif counts.max() > counts[draft.prediction[child]] + TIE:
            draft.prediction[child] = counts.argmax()


def _branches(draft: _Draft, node: int, rows: np.ndarray) -> np.ndarray:
    """Branch that each row takes, -1 where its value is unknown."""
    values = draft.columns[draft.splits.feature[node], rows]
    row = int(draft.splits.split_row[node])
    if row < 0:
        above = (values > draft.splits.threshold[node]).astype(np.int64)
        return np.where(np.isnan(values), -1, above)
    known = values >= 0
    codes = np.where(known, values, 0).astype(np.int64)
    return np.where(known, draft.splits.branch[row, codes], -1).astype(np.int64)


def _reached(draft: _Draft) -> np.ndarray:
    """Nodes that are still reached, in rising order."""
    found = [0]
    for node in found:
        found.extend(draft.children(node))
    return np.sort(np.array(found, dtype=np.intp))


def _log_of(draft: _Draft) -> GrowthLog:
    node, action, n_samples, score, reason, branch = (
        zip(*draft.events, strict=True) if draft.events else [()] * 6
    )
    return GrowthLog(
        node=np.array(node, dtype=np.intp),
        action=np.array(action, dtype=np.int8),
        n_samples=np.array(n_samples, dtype=np.intp),
        score=np.array(score, dtype=np.float64),
        reason=np.array(reason, dtype=np.int8),
        branch=np.array(branch, dtype=np.intp),
    )


def _tree_of(draft: _Draft, impurity: Callable) -> Tree:
    """Nodes that are still reached, numbered anew in the old order."""
    grown, alive = draft.tree, _reached(draft)
    number = np.full(grown.n_nodes, -1, dtype=np.intp)
    number[alive] = np.arange(len(alive))
    n_children = draft.splits.n_children[alive]
    inner, split = n_children > 0, draft.split_of[alive]
    first_child = np.where(inner, number[draft.splits.first_child[alive]], -1)
    parent, depth = np.full(len(alive), -1), np.zeros(len(alive), dtype=np.intp)
    for node in np.flatnonzero(inner):
        below = slice(first_child[node], first_child[node] + n_children[node])
        parent[below], depth[below] = node, depth[node] + 1
    counts = draft.counts[alive]
    weight, parts = counts.sum(axis=1), grown.missing == Missing.FRACTIONS
    start, end, samples, sample_weight = _slices(draft, alive, first_child, n_children)
    return replace(
        grown,
        parent=parent,
        depth=depth,
        first_child=first_child,
        n_children=n_children,
        kind=np.where(inner, grown.kind[split], Kind.LEAF).astype(np.int8),
        feature=draft.splits.feature[alive],
        threshold=draft.splits.threshold[alive],
        split_row=draft.splits.split_row[alive],
        basis_id=None,
        impurity=impurity(counts),
        score=np.where(inner, grown.score[split], np.nan),
        n_node_samples=np.array([len(draft.entries[node][0]) for node in alive]),
        weighted_n_node_samples=weight,
        value=counts,
        prediction=draft.prediction[alive],
        start=start,
        end=end,
        key=grown.key[alive],
        grown_node=split,
        samples=samples,
        sample_weight=sample_weight,
        missing_branch=None,
        branch_weight=branch_shares(parent, weight) if parts else None,
    )


def _slices(
    draft: _Draft, alive: np.ndarray, first_child: np.ndarray, n_children: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Each node's slice of the entries, and the entries by leaf."""
    size = np.array([len(draft.entries[node][0]) for node in alive])
    for node in np.flatnonzero(n_children > 0)[::-1]:
        size[node] = size[first_child[node] : first_child[node] + n_children[node]].sum()
    start = np.zeros(len(alive), dtype=np.intp)
    for node in np.flatnonzero(n_children > 0):
        below = slice(first_child[node], first_child[node] + n_children[node])
        start[below] = start[node] + np.cumsum(size[below]) - size[below]
    samples, weights = np.empty(size[0], dtype=np.intp), np.empty(size[0])
    for node in np.flatnonzero(n_children == 0):
        inside = slice(start[node], start[node] + size[node])
        samples[inside], weights[inside] = draft.entries[alive[node]]
    return start, start + size, samples, weights
