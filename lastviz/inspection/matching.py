"""Corresponding nodes of two trees, by the samples that they hold, and their changes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from scipy.optimize import linear_sum_assignment

from lastviz.splitters import stored_split
from lastviz.tree import Kind, Tree

from .matching_kernels import MATCHED, match, shared_rows

MOST_PAIRS = 16_000_000  # of nodes; three tables of 8 bytes each are kept meanwhile
SAME_DIRECTION = np.cos(np.deg2rad(15.0))  # of hyperplanes that only moved


class Change(IntEnum):
    """Change of a node of the first tree in the second.

    SAME, MOVED, CHANGED: both split; by one test, by one with another threshold, or by another
    feature. SAME_CLASS, OTHER_CLASS: both are leaves. LEAF_OR_SPLIT: one splits where the other
    does not.
    """

    SAME = 0
    MOVED = 1
    CHANGED = 2
    SAME_CLASS = 3
    OTHER_CLASS = 4
    LEAF_OR_SPLIT = 5


@dataclass(frozen=True, eq=False)
class TreeDiff:
    """Two trees laid over each other."""

    # (n_pairs, 2) intp, a node of the first tree and its counterpart in the second, by rising first
    # node.
    pairs: np.ndarray
    overlap: np.ndarray  # (n_pairs,) float64, Jaccard index of their rows, from 0.5 to 1
    change: np.ndarray  # (n_pairs,) int8, a `Change`
    # (n_pairs,) float64, where it is SAME or MOVED: share of the rows in either node that the two
    # tests send to different branches; NaN elsewhere.
    shift: np.ndarray
    weight: float  # sum of the overlaps, the largest possible
    likeness: float  # twice the weight over the number of nodes of both trees, from 0 to 1
    differs: np.ndarray  # (n_samples,) bool, rows of which the trees predict different things
    n_nodes: tuple[int, int]  # nodes of either tree

    def count(self, change: Change) -> int:
        """Number of pairs with this change."""
        return int(np.count_nonzero(self.change == change))

    def only(self, which: int) -> np.ndarray:
        """Nodes of the tree `which` (0 or 1) without a counterpart, rising."""
        return np.setdiff1d(np.arange(self.n_nodes[which]), self.pairs[:, which])

    def changes(self, which: int) -> np.ndarray:
        """:class:`Change` of every node of the tree `which` (0 or 1), -1 if alone."""
        out = np.full(self.n_nodes[which], -1, dtype=np.int8)
        out[self.pairs[:, which]] = self.change
        return out


def tree_diff(
    first: Tree, second: Tree, X: np.ndarray, other: np.ndarray | None = None
) -> TreeDiff:
    """Nodes of two trees that correspond, and how they differ.

    Parameters
    ----------
    first, second : Tree
        With the same classes.
    X : ndarray, shape (n_samples, n_features)
        Rows that both are asked about, encoded as `first` reads them.
    other : ndarray, optional
        The same rows as `second` reads them; `X` if not given.

    Raises
    ------
    ValueError
        If the trees have too many nodes to be compared.

    Notes
    -----
    Nodes are compared by the rows that reach them, so a mirrored split is no change. Of all
    one-to-one pairs of nodes with an overlap (Jaccard index) of at least 0.5 that keep ancestry
    and send disjoint subtrees to disjoint ones, those with the largest sum of overlaps: a
    constrained mapping (Zhang 1996), found bottom up. Several sets of pairs may reach the sum.
    O(n_nodes n_nodes') time and memory for binary trees.

    A row that is in parts in several leaves counts in the one of largest weight. Tests are one
    where they ask for one feature, or where hyperplanes enclose less than 15 degrees, each
    feature measured in its standard deviations over `X`.
    """
    if first.n_nodes * second.n_nodes > MOST_PAIRS:
        raise ValueError(
            f"the trees have {first.n_nodes} and {second.n_nodes} nodes, too many to be compared: "
            f"the product must be at most {MOST_PAIRS}; prune them or limit their depth"
        )
    other = X if other is None else other
    ours, theirs = _Side(first, X), _Side(second, other)
    shared = rows_shared(first, second, ours.stop, theirs.stop)
    pairs, weight = _best_pairs(first, second, shared)
    spread = np.std(ours.X, axis=0)
    judged = [_judged(ours, theirs, a, b, spread) for a, b in pairs.tolist()]
    change, shift = zip(*judged, strict=True)
    a, b = pairs.T
    return TreeDiff(
        pairs=pairs,
        overlap=_overlaps(shared, a, b),
        change=np.array(change, dtype=np.int8),
        shift=np.array(shift, dtype=np.float64),
        weight=weight,
        likeness=2.0 * weight / (first.n_nodes + second.n_nodes),
        differs=first.predict(X) != second.predict(other),
        n_nodes=(first.n_nodes, second.n_nodes),
    )


def rows_shared(
    first: Tree, second: Tree, first_stop: np.ndarray, second_stop: np.ndarray
) -> np.ndarray:
    """Number of samples shared by each pair of nodes, shape (n_nodes, n_nodes').

    `first_stop` and `second_stop` are the nodes where each row stops.
    """
    shared = np.empty((first.n_nodes, second.n_nodes), dtype=np.int64)
    shared_rows(first.parent, second.parent, first_stop, second_stop, shared)
    return shared


def _overlaps(shared: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return shared[a, b] / (shared[a, 0] + shared[0, b] - shared[a, b])


def _best_pairs(first: Tree, second: Tree, shared: np.ndarray) -> tuple[np.ndarray, float]:
    """Pairs of the best matching, by rising first node, and the sum of overlaps."""
    below, weight = np.empty(shared.shape), np.empty(shared.shape)
    children = (first.first_child, first.n_children, second.first_child, second.n_children)
    match(*children, shared, below, weight)
    pairs, waiting = [], [(weight, 0, 0)]
    while waiting:
        table, a, b = waiting.pop()
        if table[a, b] == 0.0:
            continue
        if table is below:
            waiting += _inside(first, second, a, b, below, weight)
            continue
        overlap = float(_overlaps(shared, a, b)) if shared[a, b] else 0.0
        if overlap >= MATCHED and table[a, b] == below[a, b] + overlap:
            pairs.append((a, b))
            waiting.append((below, a, b))
        else:
            waiting.append(_source(first, second, a, b, below, weight))
    return np.array(sorted(pairs), dtype=np.intp).reshape(-1, 2), float(weight[0, 0])


_Place = tuple[np.ndarray, int, int]


def _source(
    first: Tree, second: Tree, a: int, b: int, below: np.ndarray, weight: np.ndarray
) -> _Place:
    """Origin of the weight of two nodes that are not paired."""
    places = [(below, a, b)]
    places += [(weight, c, b) for c in first.children(a)]
    places += [(weight, a, d) for d in second.children(b)]
    return next(place for place in places if place[0][place[1:]] == weight[a, b])


def _inside(
    first: Tree, second: Tree, a: int, b: int, below: np.ndarray, weight: np.ndarray
) -> list[_Place]:
    """Origins of the weight of the parts below two nodes."""
    ones, others = first.children(a), second.children(b)
    places = [(below, c, b) for c in ones] + [(below, a, d) for d in others]
    for place in places:
        if place[0][place[1:]] == below[a, b]:
            return [place]
    part = weight[ones.start : ones.stop, others.start : others.stop]
    pairs = zip(*linear_sum_assignment(part, maximize=True), strict=True)
    return [(weight, ones[i], others[j]) for i, j in pairs]


class _Side:
    """One of the two trees with the rows that it was asked about."""

    def __init__(self, tree: Tree, X: np.ndarray) -> None:
        self.tree, self.X = tree, np.asarray(X, dtype=np.float64)
        self.stop = tree.apply(self.X)
        self._entered, self._left = _walk_order(tree)
        place = self._entered[self.stop]
        self._order = np.argsort(place, kind="stable")
        self._place = place[self._order]

    def rows(self, node: int) -> np.ndarray:
        """Rows that reach a node."""
        ends = (self._entered[node], self._left[node])
        begin, end = np.searchsorted(self._place, ends)
        return self._order[begin:end]

    def branches(self, node: int, rows: np.ndarray) -> np.ndarray:
        """Branch that each sample would take at a node, reached or not; -1 for none."""
        tree, kind = self.tree, self.tree.kind[node]
        if kind == Kind.KERNEL:
            return (stored_split(tree, node).decide(self.X[rows]) <= 0).astype(np.intp)
        if kind == Kind.OBLIQUE:
            row = tree.split_row[node]
            position = self.X[rows] @ tree.oblique.weights[row]
            return (position > tree.oblique.threshold[row]).astype(np.intp)
        value = self.X[rows, tree.feature[node]]
        known = ~np.isnan(value)
        out = np.full(len(rows), tree.sent_missing[node], dtype=np.intp)
        if kind == Kind.CATEGORIES:
            known &= value >= 0
            out[known] = tree.categories.branch[tree.split_row[node]][value[known].astype(np.intp)]
        else:
            out[known] = value[known] > tree.threshold[node]
        return out


def _walk_order(tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """Steps at which a walk through the tree enters each node, and leaves its subtree."""
    size = np.ones(tree.n_nodes, dtype=np.intp)
    for node in range(tree.n_nodes - 1, 0, -1):
        size[tree.parent[node]] += size[node]
    entered = np.zeros(tree.n_nodes, dtype=np.intp)
    for node in range(tree.n_nodes):
        children = tree.children(node)
        before = np.cumsum(size[children.start : children.stop])
        entered[children.start : children.stop] = (
            entered[node] + 1 + before - size[children.start : children.stop]
        )
    return entered, entered + size


def _judged(
    first: _Side, second: _Side, a: int, b: int, spread: np.ndarray
) -> tuple[Change, float]:
    """Change from node a to node b, and the share of samples that it moved."""
    one, two = first.tree, second.tree
    if one.is_leaf(a) and two.is_leaf(b):
        alike = one.prediction[a] == two.prediction[b]
        return (Change.SAME_CLASS if alike else Change.OTHER_CLASS), np.nan
    if one.is_leaf(a) or two.is_leaf(b):
        return Change.LEAF_OR_SPLIT, np.nan
    sign = _same_test(one, a, two, b, spread)
    if sign == 0:
        return Change.CHANGED, np.nan
    rows = np.union1d(first.rows(a), second.rows(b))
    left, right = first.branches(a, rows), second.branches(b, rows)
    if sign < 0:
        right = _renamed(left, right)
    moved = int(np.count_nonzero(left != right))
    return (Change.MOVED if moved else Change.SAME), moved / len(rows)


def _same_test(first: Tree, a: int, second: Tree, b: int, spread: np.ndarray) -> int:
    """Match of two tests: 0 none, 1 branch by branch, -1 in some order of branches."""
    kinds = {int(first.kind[a]), int(second.kind[b])}
    if kinds == {Kind.THRESHOLD}:
        return int(_name(first, a) == _name(second, b))
    if kinds <= {Kind.THRESHOLD, Kind.OBLIQUE}:
        cosine = _cosine(first, second, a, b, spread)
        return int(np.sign(cosine)) if abs(cosine) >= SAME_DIRECTION else 0
    if kinds == {Kind.CATEGORIES}:
        return -int(_name(first, a) == _name(second, b))
    return -int(kinds == {Kind.KERNEL} and _part_same_classes(first, second, a, b))


def _renamed(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Branches `right` by the numbers under which most rows take those of `left`."""
    counts = np.zeros((left.max() + 2, right.max() + 2), dtype=np.intp)
    np.add.at(counts, (left, right), 1)
    ours, theirs = linear_sum_assignment(counts[:-1, :-1], maximize=True)
    names = np.full(right.max() + 2, -2, dtype=np.intp)
    names[theirs], names[-1] = ours, -1
    return names[right]


def _cosine(first: Tree, second: Tree, a: int, b: int, spread: np.ndarray) -> float:
    """Cosine of the angle between two splits, features in standard deviations."""
    if first.feature_names != second.feature_names:
        return 0.0
    one, two = (_weights(tree, node) * spread for tree, node in ((first, a), (second, b)))
    length = np.linalg.norm(one) * np.linalg.norm(two)
    return float(one @ two / length) if length > 0 else 0.0


def _weights(tree: Tree, node: int) -> np.ndarray:
    if tree.kind[node] == Kind.OBLIQUE:
        return tree.oblique.weights[tree.split_row[node]]
    return np.eye(tree.n_features)[tree.feature[node]]


def _name(tree: Tree, node: int) -> str:
    return tree.feature_names[tree.feature[node]]


def _part_same_classes(first: Tree, second: Tree, a: int, b: int) -> bool:
    """Whether two machines part the same two groups of classes, in either order."""
    one, two = (
        [side[tree.split_row[node]].tolist() for side in (tree.kernel.first, tree.kernel.second)]
        for tree, node in ((first, a), (second, b))
    )
    return one in (two, two[::-1])
