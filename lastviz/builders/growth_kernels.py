"""Growing a threshold tree in place on sorted, packed columns.

A node is a slice [start, end) of every column. Splitting it partitions all columns stably
and scores each child's part while it is still in the processor's cache, so a popped node
already knows its split. Columns that no grandchild will read are not partitioned. Small subtrees
have loops of their own, to the same trees, in ``class_block_kernels.py``.
"""

from typing import NamedTuple

import numpy as np

from lastviz._numba import inline_kernel, kernel
from lastviz._random import ROOT_KEY
from lastviz.criteria.rank_kernels import RANK
from lastviz.criteria.scan_kernels import fill_log_table, first_within, scan_feature
from lastviz.criteria.ties_kernels import tie_slack
from lastviz.splitters.cells.cells_kernels import partition_cells, partition_rows
from lastviz.splitters.threshold.choice_kernels import (
    choose_feature,
    is_perfect,
    smallest_branch,
    threshold_between,
)

from .class_block_kernels import ClassBlock, grow_class_block
from .frontier_kernels import (
    BEST_SPLIT,
    FRONTIER_SIZE,
    NO_CANDIDATE,
    NO_GAIN,
    NODE_COUNT,
    next_event,
    push_children,
    push_root,
    reason_not_to_search,
    room_for_children,
)
from .key_kernels import mixed_key


class Workspace(NamedTuple):
    """Arrays that growth reads and rearranges."""

    columns: np.ndarray  # (m, n) float64: values, for thresholds
    cells: np.ndarray  # (m, n): sorted packed columns
    packing: tuple  # (row_bits, row_mask, class_mask, top_bit)
    rows: np.ndarray  # (n,): rows, grouped by node, rising inside
    goes_left: np.ndarray  # (n,) uint8: the split in work, by row
    spare_cells: np.ndarray  # (n,): the right part during a partition
    spare_rows: np.ndarray  # (n,)
    curve: np.ndarray  # (n,): scores of the feature in work
    left: np.ndarray  # (K,): scratch counts of a scan
    per_count: np.ndarray  # (n + 1,): 1 / x, or log x for the rank criteria
    table: np.ndarray  # (n + 1,) int64: x log2 x in units of 1 / scale
    best: np.ndarray  # (2, m): best score of each feature for the two children
    cut: np.ndarray  # (2, m): its position
    n_cuts: np.ndarray  # (2, m): its number of candidates
    code: np.ndarray  # (m,): the criterion by which each feature's cuts are scored
    block: ClassBlock  # for small subtrees; it may have room for none


class Nodes(NamedTuple):
    """The nodes made so far, and the frontier."""

    parent: np.ndarray
    depth: np.ndarray
    first_child: np.ndarray
    feature: np.ndarray  # of the node's split, found before it is made
    cut: np.ndarray  # position of its last left row in the feature's column
    threshold: np.ndarray
    score: np.ndarray
    priority: np.ndarray  # the score times the node's number of rows
    start: np.ndarray
    end: np.ndarray
    counts: np.ndarray  # (capacity, K)
    reason: np.ndarray  # BEST_SPLIT, or why it is a leaf
    event_node: np.ndarray
    event_reason: np.ndarray
    frontier: np.ndarray
    state: np.ndarray  # how many nodes, events, frontier nodes, leaves


@inline_kernel
def _reason_not_to_search(node, min_samples_leaf, nodes, stop):
    n = nodes.end[node] - nodes.start[node]
    pure = False
    for k in range(nodes.counts.shape[1]):
        pure |= nodes.counts[node, k] == n
    return reason_not_to_search(node, pure, min_samples_leaf, nodes, stop)


@kernel
def _scan_child(work, choice, nodes, node, side, f, running):
    """Score feature f at node; return the best score so far.

    It is entered into the records of `side`.

    The position of the best cut is looked up only while the feature can still win.
    """
    start, end = nodes.start[node], nodes.end[node]
    n = end - start
    counts = nodes.counts[node]
    min_leaf = smallest_branch(n, counts.shape[0], choice)
    best, n_cuts = scan_feature(
        work.cells[f], start, end, work.packing, counts, work.left, work.per_count, work.table,
        work.code[f], min_leaf, work.curve,
    )  # fmt: skip
    unit = np.float64(n) * choice.scale
    tie = tie_slack(best, unit) if best > -np.inf else 0.0
    work.best[side, f] = best
    work.n_cuts[side, f] = n_cuts
    if best > -np.inf and (not choice.raw_scores_decide or best >= running - tie):
        work.cut[side, f] = start + first_within(work.curve, n - 1, best - tie)
    return max(running, best)


@kernel
def _choose(work, choice, nodes, node, side):
    """Record the split of node, or why it has none."""
    start = nodes.start[node]
    best = work.best[side]
    found = False
    for f in range(best.shape[0]):
        found |= best[f] > -np.inf
    if not found:
        nodes.reason[node] = NO_CANDIDATE
        return
    feature = choose_feature(
        best, work.cut[side], work.n_cuts[side], start, nodes.counts[node], work.table, choice
    )
    if feature < 0:
        nodes.reason[node] = NO_GAIN
        return
    cut = work.cut[side, feature]
    below, above = work.cells[feature, cut], work.cells[feature, cut + 1]
    row_mask = work.packing[1]
    values = work.columns[feature]
    nodes.feature[node] = feature
    nodes.cut[node] = cut
    nodes.score[node] = best[feature]
    nodes.priority[node] = best[feature] * (nodes.end[node] - start)
    nodes.threshold[node] = values[below & row_mask]
    if not choice.cut_at_value:
        nodes.threshold[node] = threshold_between(
            values[below & row_mask], values[above & row_mask]
        )
    nodes.reason[node] = BEST_SPLIT


@kernel
def make_root(nodes, min_samples_leaf, stop):
    """Make the root; return whether its split is to be searched for.

    The caller has filled in its counts.
    """
    nodes.reason[0] = _reason_not_to_search(0, min_samples_leaf, nodes, stop)
    push_root(nodes)
    return nodes.reason[0] == BEST_SPLIT


@kernel
def scan_root(first, step, work, nodes, choice):
    """Find the best cuts of the root in every `step`-th feature from `first` on."""
    running = -np.inf
    for f in range(first, work.cells.shape[0], step):
        running = _scan_child(work, choice, nodes, 0, 0, f, running)


@kernel
def choose_root(work, nodes, choice):
    """Record the split of the root, once all features are scanned."""
    _choose(work, choice, nodes, 0, 0)


@kernel
def fill_tables(work, choice):
    """Fill the tables by which entropy is scored, if they have room."""
    if work.table.shape[0] > 0:
        fill_log_table(work.table, choice.scale)
    for x in range(work.block.step.shape[0]):
        work.block.step[x] = work.table[x + 1] - work.table[x]


@inline_kernel
def make_children(node, work, nodes, choice, stop):
    """Append the two children of node with their rows and counts; return the first."""
    start, end, cut = nodes.start[node], nodes.end[node], nodes.cut[node]
    left = room_for_children(node, cut + 1, nodes)
    row_bits, row_mask, class_mask, _ = work.packing
    column = work.cells[nodes.feature[node]]
    nodes.counts[left, :] = 0
    for i in range(start, cut + 1):
        work.goes_left[column[i] & row_mask] = 1
        nodes.counts[left, (column[i] >> row_bits) & class_mask] += 1
    for i in range(cut + 1, end):
        work.goes_left[column[i] & row_mask] = 0
    for k in range(nodes.counts.shape[1]):
        nodes.counts[left + 1, k] = nodes.counts[node, k] - nodes.counts[left, k]
    for child in range(left, left + 2):
        nodes.reason[child] = _reason_not_to_search(child, choice.min_samples_leaf, nodes, stop)
    partition_rows(work.rows, start, cut + 1, end, work.goes_left, work.spare_rows)
    return left


@kernel
def scan_children(node, first, step, work, nodes, choice):
    """Partition some columns, and find the children's best cuts in them.

    The columns are every `step`-th one from `first` on.

    Threads may share the columns out among them, each with a `curve`, `left` and `spare_cells`
    of its own, where no perfect cut ends the search early: by the rank criteria.
    """
    left = nodes.first_child[node]
    start, end, middle = nodes.start[node], nodes.end[node], nodes.cut[node] + 1
    keep_left = nodes.reason[left] == BEST_SPLIT
    keep_right = nodes.reason[left + 1] == BEST_SPLIT
    running_left = -np.inf
    running_right = -np.inf
    for f in range(first, work.cells.shape[0], step):
        if not keep_left and not keep_right:
            break
        if f != nodes.feature[node]:
            partition_cells(
                work.cells[f], start, middle, end, work.goes_left, work.packing,
                keep_left, keep_right, work.spare_cells,
            )  # fmt: skip
        if keep_left:
            running_left = _scan_child(work, choice, nodes, left, 0, f, running_left)
            keep_left = not is_perfect(running_left, nodes.counts[left], work.table, choice)
        if keep_right:
            running_right = _scan_child(work, choice, nodes, left + 1, 1, f, running_right)
            keep_right = not is_perfect(running_right, nodes.counts[left + 1], work.table, choice)


@kernel
def begin_split(node, work, nodes, choice, stop):
    """Make the children of node; their columns are still in its order."""
    make_children(node, work, nodes, choice, stop)
    work.best[:, :] = -np.inf


@kernel
def end_split(node, best_first, work, nodes, choice):
    """Choose the children's splits and put the children on the frontier."""
    left = nodes.first_child[node]
    for side in range(2):
        if nodes.reason[left + side] == BEST_SPLIT:
            _choose(work, choice, nodes, left + side, side)
    push_children(node, best_first, nodes)


@kernel
def grow(work, nodes, choice, stop, budget, largest):
    """Split nodes until the frontier is empty or about `budget` cells have been read.

    The first call makes the root. Depth first it also stops before a node that is to be split and
    holds more than `largest` cells, so that the caller may split it in threads.
    """
    if nodes.state[NODE_COUNT] == 0:
        fill_tables(work, choice)
        if make_root(nodes, choice.min_samples_leaf, stop):
            scan_root(0, 1, work, nodes, choice)
            choose_root(work, nodes, choice)
    best_first = stop.max_leaf_nodes > 0
    in_block = not best_first and choice.criterion < RANK
    block_rows = work.block.room.cells.shape[0] if in_block else 0
    spent = 0
    while nodes.state[FRONTIER_SIZE] > 0 and spent < budget:
        last = nodes.frontier[nodes.state[FRONTIER_SIZE] - 1]
        cells = (nodes.end[last] - nodes.start[last]) * work.cells.shape[0]
        if not best_first and nodes.reason[last] == BEST_SPLIT and cells > largest:
            return
        node = next_event(stop.max_leaf_nodes, nodes)
        if nodes.reason[node] != BEST_SPLIT:
            continue
        n = nodes.end[node] - nodes.start[node]
        spent += n * work.cells.shape[0]
        if n <= block_rows:
            grow_class_block(node, work, nodes, choice, stop)
            continue
        begin_split(node, work, nodes, choice, stop)
        scan_children(node, 0, 1, work, nodes, choice)
        end_split(node, best_first, work, nodes, choice)


@kernel
def begin_largest(work, nodes, choice, stop):
    """Take the node before which :func:`grow` stopped, and return it.

    It is logged, and its children are made.
    """
    node = next_event(0, nodes)
    begin_split(node, work, nodes, choice, stop)
    return node


@kernel
def node_keys(parent, first_child, keys):
    """Fill keys with those of all nodes. O(n_nodes).

    Parents stand before their children.
    """
    keys[0] = ROOT_KEY
    for node in range(1, parent.shape[0]):
        branch = np.uint64(node - first_child[parent[node]])
        keys[node] = mixed_key(keys[parent[node]], branch)
