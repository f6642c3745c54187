"""Growing a tree of binary splits from weighted sums, in place on sorted, packed columns.

The frontier is that of ``frontier_kernels.py``; the scans are those of
``lastviz/splitters/binary/binary_kernels.py``.
"""

from typing import NamedTuple

import numpy as np

from lastviz._numba import inline_kernel, kernel
from lastviz._random import FEATURE_STREAM
from lastviz.criteria.scan_kernels import first_within
from lastviz.criteria.sums_kernels import SQUARED_ERROR
from lastviz.criteria.ties_kernels import TIE, tie_floor
from lastviz.splitters.binary.binary_kernels import mark_first, node_sums, scan_binary
from lastviz.splitters.binary.subset_kernels import Node
from lastviz.splitters.cells.cells_kernels import partition_cells, partition_rows
from lastviz.splitters.threshold.choice_kernels import threshold_between

from .frontier_kernels import (
    BEST_SPLIT,
    FRONTIER_SIZE,
    NO_CANDIDATE,
    NODE_COUNT,
    SMALL_DECREASE,
    next_event,
    push_children,
    push_root,
    reason_not_to_search,
    room_for_children,
)
from .key_kernels import mixed_key


class BinaryWorkspace(NamedTuple):
    """Arrays that growth reads and rearranges."""

    problem: tuple  # splitters.binary.binary_kernels.Problem
    cells: np.ndarray  # (m, n): sorted packed columns, missing values last
    packing: tuple
    label: np.ndarray  # (n,): class of each row
    rows: np.ndarray  # (n,): rows, grouped by node, rising inside
    goes_first: np.ndarray  # (n,) uint8: the split in work, by row
    spare_cells: np.ndarray
    spare_rows: np.ndarray
    scratch: tuple  # splitters.binary.binary_kernels.FeatureScratch
    best: np.ndarray  # (2, m): score of each feature's chosen candidate at the nodes in work
    cut: np.ndarray  # (m,): its number
    side: np.ndarray  # (m,): where the missing rows go
    inverse: np.ndarray  # (n + 1,): 1 / x if numbers are learnt and every row counts once
    least_decrease: float  # by how much a split must lower the impurity of all rows
    n_offered: int  # how many features are looked at, unless none of them has a candidate
    seed: int  # of the features' order; its root is the node's key
    order: np.ndarray  # (m,) int64: the features as they are looked at
    hashes: np.ndarray  # (m,) uint64: scratch


class BinaryNodes(NamedTuple):
    """The nodes made so far, and the frontier."""

    parent: np.ndarray
    depth: np.ndarray
    first_child: np.ndarray
    feature: np.ndarray  # of the node's split, found before it is made
    cut: np.ndarray  # number of its candidate
    side: np.ndarray  # where the missing rows go: 1 with those counted first
    threshold: np.ndarray
    missing_branch: np.ndarray
    score: np.ndarray
    priority: np.ndarray  # by how much the split lowers the impurity of all rows
    start: np.ndarray
    end: np.ndarray
    total: np.ndarray  # (capacity, K): weights by class
    weight: np.ndarray
    mean: np.ndarray
    spread: np.ndarray
    reason: np.ndarray  # BEST_SPLIT, or why it is a leaf
    key: np.ndarray  # uint64, see lastviz/_random.py
    event_node: np.ndarray
    event_reason: np.ndarray
    frontier: np.ndarray
    state: np.ndarray  # how many nodes, events, frontier nodes, leaves


@inline_kernel
def _node(node, nodes):
    return Node(nodes.total[node], nodes.weight[node], nodes.mean[node], nodes.spread[node])


@inline_kernel
def _reason_not_to_search(node, work, nodes, stop):
    if work.problem.criterion == SQUARED_ERROR:
        pure = nodes.spread[node] == 0.0
    else:
        present = 0
        for k in range(nodes.total.shape[1]):
            if nodes.total[node, k] > 0.0:
                present += 1
        pure = present <= 1
    return reason_not_to_search(node, pure, work.problem.min_samples_leaf, nodes, stop)


@kernel
def _shuffle_features(key, work):
    """Fill order with the features of the node `key`, as `feature_order` does."""
    stem = mixed_key(key, np.uint64(work.seed) + np.uint64(FEATURE_STREAM))
    for f in range(work.order.shape[0]):
        work.hashes[f] = mixed_key(stem, np.uint64(f))
    work.order[:] = np.argsort(work.hashes, kind="mergesort")


@inline_kernel
def _look_at_features(node, work, nodes):
    """Search every feature for its best candidate; return the best score.

    Fills best, cut and side with the best candidate of each feature.
    """
    start, end = nodes.start[node], nodes.end[node]
    here = _node(node, nodes)
    curve = work.scratch.curve
    largest = -np.inf
    n_features = work.cells.shape[0]
    if work.n_offered < n_features:
        _shuffle_features(nodes.key[node], work)
        work.best[0, :] = -np.inf
    for place in range(n_features):
        if place >= work.n_offered and largest > -np.inf:
            break
        f = work.order[place]
        count, best = scan_binary(
            work.cells[f], f, start, end, work.packing, here, work.problem, work.scratch
        )
        work.best[0, f] = -np.inf
        if best > -np.inf and best >= tie_floor(largest):
            cut = first_within(curve, count, tie_floor(best))
            work.best[0, f] = curve[cut]
            work.cut[f] = cut
            work.side[f] = work.scratch.side[cut]
            largest = max(largest, curve[cut])
    return largest


@inline_kernel
def _search(node, work, nodes):
    """Record the split of node, or that it has none."""
    start, end = nodes.start[node], nodes.end[node]
    largest = _look_at_features(node, work, nodes)
    nodes.reason[node] = NO_CANDIDATE
    if largest == -np.inf:
        return
    unit = nodes.weight[node]
    if work.problem.criterion == SQUARED_ERROR:
        unit = nodes.spread[node]
    floor = -np.inf
    if work.least_decrease > 0.0:
        floor = work.least_decrease / unit - TIE
    feature = -1
    for f in range(work.cells.shape[0]):
        near = work.best[0, f] >= tie_floor(largest)
        if feature < 0 and near and work.best[0, f] >= floor:
            feature = f
    nodes.reason[node] = SMALL_DECREASE
    if feature < 0:
        return
    nodes.reason[node] = BEST_SPLIT
    nodes.feature[node] = feature
    nodes.cut[node] = work.cut[feature]
    nodes.side[node] = work.side[feature]
    nodes.score[node] = work.best[0, feature]
    nodes.priority[node] = work.best[0, feature] * unit
    if work.problem.n_categories[feature] == 0:
        at = start + nodes.cut[node]
        values = work.problem.columns[feature]
        row_mask = work.packing[1]
        above = np.inf
        if at + 1 < end:
            above = values[work.cells[feature, at + 1] & row_mask]
        below = values[work.cells[feature, at] & row_mask]
        # The next row's value is missing where the split parts the missing rows from all others.
        nodes.threshold[node] = np.inf if above == np.inf else threshold_between(below, above)


@kernel
def _complete(node, work, nodes, stop):
    """Fill in the sums of a node whose rows are known, and its split."""
    inside = work.rows[nodes.start[node] : nodes.end[node]]
    nodes.weight[node], nodes.mean[node], nodes.spread[node] = node_sums(
        inside, work.label, work.problem, nodes.total[node]
    )
    nodes.reason[node] = _reason_not_to_search(node, work, nodes, stop)
    if nodes.reason[node] == BEST_SPLIT:
        _search(node, work, nodes)


@inline_kernel
def _split(node, work, nodes, stop):
    """Split node: part its rows in every column, make its children, find their splits."""
    start, end, feature = nodes.start[node], nodes.end[node], nodes.feature[node]
    n_first, nodes.missing_branch[node] = mark_first(
        work.cells[feature], feature, start, end, nodes.cut[node], nodes.side[node], work.packing,
        _node(node, nodes), work.problem, work.scratch, work.goes_first,
    )  # fmt: skip
    middle = start + n_first
    partition_rows(work.rows, start, middle, end, work.goes_first, work.spare_rows)
    for f in range(work.cells.shape[0]):
        partition_cells(
            work.cells[f], start, middle, end, work.goes_first, work.packing, True, True,
            work.spare_cells,
        )  # fmt: skip
    child = room_for_children(node, middle, nodes)
    for branch in range(2):
        nodes.key[child + branch] = mixed_key(nodes.key[node], np.uint64(branch))
        _complete(child + branch, work, nodes, stop)


@kernel
def grow_binary(work, nodes, stop, budget):
    """Split nodes until the frontier is empty or about `budget` cells have been read.

    The first call makes the root; in a kernel of its own that would take as long to compile.
    """
    if nodes.state[NODE_COUNT] == 0:
        _complete(0, work, nodes, stop)
        push_root(nodes)
    spent = 0
    while nodes.state[FRONTIER_SIZE] > 0 and spent < budget:
        node = next_event(stop.max_leaf_nodes, nodes)
        if nodes.reason[node] != BEST_SPLIT:
            continue
        spent += (nodes.end[node] - nodes.start[node]) * work.cells.shape[0]
        _split(node, work, nodes, stop)
        push_children(node, stop.max_leaf_nodes > 0, nodes)
