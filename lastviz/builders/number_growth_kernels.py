"""Growing a regression tree on complete columns of numbers, all of which every node looks at.

The trees are those of ``binary_growth_kernels.py``, which also serves gaps, categories and classes;
a test holds the two against each other. Here the parts of the children are scanned while they are
in the processor's cache, columns that nobody will read are left as they are, and kernels are handed
arrays one by one: at small nodes a record of all of them would cost more than the work.
"""

import numpy as np

from lastviz._numba import inline_kernel, kernel
from lastviz.criteria.ties_kernels import TIE, tie_floor
from lastviz.splitters.binary.share_kernels import first_best_cut, largest_share, near_floor
from lastviz.splitters.cells.cells_kernels import partition_cells, partition_rows
from lastviz.splitters.threshold.choice_kernels import threshold_between

from .block_kernels import BLOCK_ROWS
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
from .number_block_kernels import DECISIVE, grow_number_block, sums


@kernel
def _scan_children(
    cells, goes_first, packing, spare, target, weight, inverse, best,
    keep_first, keep_second, start, middle, end, feature, mean, w, spread, least,
):  # fmt: skip
    """Partition every column but the split's among two children, and score its cuts.

    Fills best (2, m) with shares.

    mean, w and spread are pairs, of the first and the second child. A child of two rows is left
    as soon as a feature tells them apart.
    """
    row_mask, top_bit = packing[1], packing[3]
    counted = inverse.shape[0] > 0
    for f in range(cells.shape[0]):
        column = cells[f]
        best[0, f] = -np.inf
        best[1, f] = -np.inf
        if f != feature and (keep_first or keep_second):
            partition_cells(
                column, start, middle, end, goes_first, packing, keep_first, keep_second, spare
            )
        if keep_first:
            best[0, f] = largest_share(
                column, start, middle, row_mask, top_bit, target, weight, inverse, mean[0], w[0],
                spread[0], least,
            )  # fmt: skip
            keep_first = not counted or middle - start > 2 or best[0, f] < DECISIVE
        if keep_second:
            best[1, f] = largest_share(
                column, middle, end, row_mask, top_bit, target, weight, inverse, mean[1], w[1],
                spread[1], least,
            )  # fmt: skip
            keep_second = not counted or end - middle > 2 or best[1, f] < DECISIVE


@kernel
def _choose(
    cells, start, end, packing, target, weight, inverse, mean, w, spread, least, least_decrease,
    best, cut,
):  # fmt: skip
    """Feature whose share best (m) wins, and why; -1 if there is none.

    Shares become exact and cut (m) known where the feature may win.
    """
    largest = -np.inf
    for f in range(best.shape[0]):
        largest = max(largest, best[f])
    if largest == -np.inf:
        return -1, NO_CANDIDATE
    near = near_floor(largest)
    largest = -np.inf
    for f in range(best.shape[0]):
        if best[f] >= near:
            cut[f], best[f] = first_best_cut(
                cells[f], start, end, packing[1], packing[3], target, weight, inverse, mean, w,
                spread, least, near,
            )  # fmt: skip
            largest = max(largest, best[f])
        else:
            best[f] = -np.inf
    floor = tie_floor(largest)
    if least_decrease > 0.0:
        floor = max(floor, least_decrease / spread - TIE)
    for f in range(best.shape[0]):
        if best[f] >= floor:
            return f, BEST_SPLIT
    return -1, SMALL_DECREASE


@inline_kernel
def _reason(node, work, nodes, stop):
    """Reason why node is a leaf whatever its candidates, BEST_SPLIT if none."""
    pure = nodes.spread[node] == 0.0
    return reason_not_to_search(node, pure, work.problem.min_samples_leaf, nodes, stop)


@inline_kernel
def _record_choice(node, best, cut, work, nodes):
    """Record the split of node, whose columns have been scanned, or that it has none."""
    problem = work.problem
    start = nodes.start[node]
    feature, reason = _choose(
        work.cells, start, nodes.end[node], work.packing, problem.target, problem.weight,
        work.inverse, nodes.mean[node], nodes.weight[node], nodes.spread[node],
        problem.min_samples_leaf, work.least_decrease, best, cut,
    )  # fmt: skip
    nodes.reason[node] = reason
    if feature >= 0:
        at = start + cut[feature]
        nodes.feature[node] = feature
        nodes.cut[node] = cut[feature]
        nodes.score[node] = best[feature]
        nodes.priority[node] = best[feature] * nodes.spread[node]
        nodes.threshold[node] = threshold_between(
            problem.columns[feature, work.cells[feature, at] & work.packing[1]],
            problem.columns[feature, work.cells[feature, at + 1] & work.packing[1]],
        )


@kernel
def grow_numbers(work, nodes, stop, block, budget):
    """Split nodes until the frontier is empty or about `budget` cells have been read.

    The first call makes the root, as ``grow_binary`` does. O(n_features n_samples) per level of the
    tree.
    """
    cells, rows, goes_first, packing = work.cells, work.rows, work.goes_first, work.packing
    target, weight, inverse = work.problem.target, work.problem.weight, work.inverse
    least, counted = work.problem.min_samples_leaf, work.inverse.shape[0] > 0
    best = work.best
    if nodes.state[NODE_COUNT] == 0:
        n = nodes.end[0]
        nodes.weight[0], nodes.mean[0], nodes.spread[0] = sums(rows, 0, n, target, weight, counted)
        nodes.reason[0] = _reason(0, work, nodes, stop)
        for f in range(cells.shape[0] if nodes.reason[0] == BEST_SPLIT else 0):
            best[0, f] = largest_share(
                cells[f], 0, n, packing[1], packing[3], target, weight, inverse, nodes.mean[0],
                nodes.weight[0], nodes.spread[0], least,
            )  # fmt: skip
        if nodes.reason[0] == BEST_SPLIT:
            _record_choice(0, best[0], work.cut, work, nodes)
        push_root(nodes)
    spent = 0
    while nodes.state[FRONTIER_SIZE] > 0 and spent < budget:
        node = next_event(stop.max_leaf_nodes, nodes)
        if nodes.reason[node] != BEST_SPLIT:
            continue
        start, end, feature = nodes.start[node], nodes.end[node], nodes.feature[node]
        middle = start + nodes.cut[node] + 1
        spent += (end - start) * cells.shape[0]
        if counted and stop.max_leaf_nodes == 0 and end - start <= BLOCK_ROWS:
            grow_number_block(node, work, nodes, stop, block)
            continue
        for i in range(start, end):
            goes_first[cells[feature, i] & packing[1]] = i < middle
        partition_rows(rows, start, middle, end, goes_first, work.spare_rows)
        child = room_for_children(node, middle, nodes)
        w_first, mean_first, spread_first = sums(rows, start, middle, target, weight, counted)
        w_second, mean_second, spread_second = sums(rows, middle, end, target, weight, counted)
        nodes.weight[child], nodes.weight[child + 1] = w_first, w_second
        nodes.mean[child], nodes.mean[child + 1] = mean_first, mean_second
        nodes.spread[child], nodes.spread[child + 1] = spread_first, spread_second
        nodes.reason[child] = _reason(child, work, nodes, stop)
        nodes.reason[child + 1] = _reason(child + 1, work, nodes, stop)
        keep_first = nodes.reason[child] == BEST_SPLIT
        keep_second = nodes.reason[child + 1] == BEST_SPLIT
        if keep_first or keep_second:
            _scan_children(
                cells, goes_first, packing, work.spare_cells, target, weight, inverse, best,
                keep_first, keep_second, start, middle, end, feature, (mean_first, mean_second),
                (w_first, w_second), (spread_first, spread_second), least,
            )  # fmt: skip
        for branch in range(2):
            if nodes.reason[child + branch] == BEST_SPLIT:
                _record_choice(child + branch, best[branch], work.cut, work, nodes)
        push_children(node, stop.max_leaf_nodes > 0, nodes)
