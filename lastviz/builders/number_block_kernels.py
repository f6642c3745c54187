"""Small subtrees of a regression tree, grown in the block of ``block_kernels.py``."""

from typing import NamedTuple

import numpy as np

from lastviz._numba import inline_kernel, kernel
from lastviz.criteria.ties_kernels import TIE, tie_floor
from lastviz.splitters.binary.share_kernels import near_floor
from lastviz.splitters.threshold.choice_kernels import threshold_between

from .block_kernels import (
    ROW,
    Block,
    copy_in,
    cut_between,
    differ,
    end_block,
    part_cells,
    part_rows,
    put_children,
)
from .frontier_kernels import (
    BEST_SPLIT,
    EVENT_COUNT,
    FRONTIER_SIZE,
    NO_CANDIDATE,
    NODE_COUNT,
    SMALL_DECREASE,
    reason_of,
)

# A share of the squared error from which on no other cut of two rows, each counted once, wins: the
# shares of a mirrored pair lie about 1, and within a tie of each other if one is as near as this.
DECISIVE = 1.0 - TIE / 4


class NumberBlock(NamedTuple):
    """Room for a small subtree of numbers."""

    room: Block
    target: np.ndarray  # (BLOCK_ROWS,)
    total: np.ndarray  # (m,): sums of a scan


@kernel
def sums(rows, start, end, target, weight, counted):
    """Weight, mean and spread of the rows of a node, as in ``node_sums``."""
    w = np.float64(end - start)
    mean = 0.0
    low = np.inf
    high = -np.inf
    if counted:
        for i in range(start, end):
            value = target[rows[i]]
            mean += value
            low = min(low, value)
            high = max(high, value)
    else:
        w = 0.0
        for i in range(start, end):
            value = target[rows[i]]
            w += weight[rows[i]]
            mean += weight[rows[i]] * value
            low = min(low, value)
            high = max(high, value)
    if low == high:
        return w, low, 0.0
    mean /= w
    spread = 0.0
    for i in range(start, end):
        value = target[rows[i]] - mean
        spread += (1.0 if counted else weight[rows[i]]) * value * value
    return w, mean, spread


@kernel
def _look(cells, target, inverse, start, end, mean, spread, least, total, best):
    """Fill best (m) with each feature's largest share, as ``largest_share`` does.

    Two rows are looked at no longer once a feature tells them apart.
    """
    n = end - start
    n_features = cells.shape[1]
    unit = np.float64(n) / spread
    if n == 2:
        is_decided = False
        for f in range(n_features):
            best[f] = -np.inf
            if not is_decided and differ(cells[start, f], cells[end - 1, f]):
                apart = target[cells[start, f] & ROW] - mean
                best[f] = apart * apart * unit
                is_decided = best[f] >= DECISIVE
        return
    for f in range(n_features):
        total[f] = 0.0
        best[f] = -1.0
    for i in range(1, n - least + 1):
        factor = inverse[i] * inverse[n - i] if i >= least else -1.0
        for f in range(n_features):
            moved = total[f] + (target[cells[start + i - 1, f] & ROW] - mean)
            total[f] = moved
            taken = (
                moved * moved * factor
                if differ(cells[start + i - 1, f], cells[start + i, f])
                else -1.0
            )
            best[f] = max(best[f], taken)
    for f in range(n_features):
        best[f] = best[f] * unit if best[f] >= 0.0 else -np.inf


@inline_kernel
def _first_best_cut(cells, target, inverse, start, end, f, mean, spread, least, floor):
    """First cut of feature f that ties with its best, and its score."""
    n = end - start
    w = np.float64(n)
    near = floor * (spread / w) * (1.0 - 1e-14)
    best = -np.inf
    cut = -1
    for again in range(2):
        enough = tie_floor(best)
        total = 0.0
        n_near = 0
        for i in range(1, n - least + 1):
            total += target[cells[start + i - 1, f] & ROW] - mean
            taken = total * total * (inverse[i] * inverse[n - i])
            if (
                taken >= near
                and i >= least
                and differ(cells[start + i - 1, f], cells[start + i, f])
            ):
                score = total * total * w / (np.float64(i) * (w - i)) / spread
                n_near += 1
                if again == 0 and score > best:
                    best = score
                    cut = i - 1
                elif again == 1 and score >= enough:
                    cut = i - 1
                    best = score
                    break
        if n_near == 1:
            break
    return cut, best


@kernel
def _choose(cells, target, inverse, start, end, mean, spread, least, least_decrease, best, cut):
    """Feature whose share best (m) wins, and why; -1 if there is none."""
    n_features = best.shape[0]
    largest = -np.inf
    for f in range(n_features):
        largest = max(largest, best[f])
    if largest == -np.inf:
        return -1, NO_CANDIDATE
    near = near_floor(largest)
    largest = -np.inf
    for f in range(n_features):
        if best[f] >= near:
            cut[f], best[f] = _first_best_cut(
                cells, target, inverse, start, end, f, mean, spread, least, near
            )
            largest = max(largest, best[f])
        else:
            best[f] = -np.inf
    floor = tie_floor(largest)
    if least_decrease > 0.0:
        floor = max(floor, least_decrease / spread - TIE)
    for f in range(n_features):
        if best[f] >= floor:
            return f, BEST_SPLIT
    return -1, SMALL_DECREASE


@kernel
def grow_number_block(root, work, nodes, stop, block):
    """Grow the whole subtree of `root`, which is taken and has its split; depth first.

    Every row counts once. O(n_features n_rows) per level. The frontier moves as the bodies of
    ``frontier_kernels.py`` move it; they are written out since reaching for the arrays of a record
    at every node costs a third of the time.
    """
    base, others = nodes.start[root], nodes.state[FRONTIER_SIZE]
    room, target, total, columns = block.room, block.target, block.total, work.problem.columns
    copy_in(base, nodes.end[root], work.rows, work.cells, work.packing, room)
    for i in range(nodes.end[root] - base):
        target[i] = work.problem.target[room.ids[i]]
    least, inverse, best, cut = work.problem.min_samples_leaf, work.inverse, work.best[0], work.cut
    cells, spare, rows, ids = room.cells, room.spare, room.rows, room.ids
    spare_rows, goes_first, to = room.spare_rows, room.goes_first, room.to
    least_decrease, size = work.least_decrease, others
    parent, depth, first_child, reasons = nodes.parent, nodes.depth, nodes.first_child, nodes.reason
    node_start, node_end, node_feature = nodes.start, nodes.end, nodes.feature
    node_cut, threshold, score, priority = nodes.cut, nodes.threshold, nodes.score, nodes.priority
    node_weight, node_mean, node_spread = nodes.weight, nodes.mean, nodes.spread
    weight = work.problem.weight  # of rows of all data, not read: here every row counts once
    event_node, event_reason, frontier = nodes.event_node, nodes.event_reason, nodes.frontier
    count, event = nodes.state[NODE_COUNT], nodes.state[EVENT_COUNT]
    node = root
    while True:
        if reasons[node] == BEST_SPLIT:
            start, end = node_start[node] - base, node_end[node] - base
            middle = start + node_cut[node] + 1
            part_rows(cells, rows, spare_rows, goes_first, start, middle, end, node_feature[node])
            put_children(
                node, count, start + base, middle + base, end + base, parent, depth, first_child,
                node_start, node_end,
            )  # fmt: skip
            for child in range(count, count + 2):
                first, last = node_start[child] - base, node_end[child] - base
                w, mean, spread = sums(rows, first, last, target, weight, True)
                node_weight[child], node_mean[child], node_spread[child] = w, mean, spread
                reasons[child] = reason_of(last - first, depth[child], spread == 0.0, least, stop)
            if reasons[count] == BEST_SPLIT or reasons[count + 1] == BEST_SPLIT:
                part_cells(cells, spare, goes_first, to, start, middle, end)
            for child in range(count, count + 2):
                if reasons[child] != BEST_SPLIT:
                    continue
                first, last = node_start[child] - base, node_end[child] - base
                mean, spread = node_mean[child], node_spread[child]
                _look(cells, target, inverse, first, last, mean, spread, least, total, best)
                feature, reasons[child] = _choose(
                    cells, target, inverse, first, last, mean, spread, least,
                    least_decrease, best, cut,
                )  # fmt: skip
                if feature >= 0:
                    node_feature[child], node_cut[child] = feature, cut[feature]
                    score[child], priority[child] = best[feature], best[feature] * spread
                    below, above = cut_between(cells, columns, ids, feature, first + cut[feature])
                    threshold[child] = threshold_between(below, above)
            frontier[size], frontier[size + 1] = count + 1, count
            size, count = size + 2, count + 2
        if size == others:
            break
        size, node = size - 1, frontier[size - 1]
        event_node[event], event_reason[event] = node, reasons[node]
        event += 1
    end_block(root, count, event, work, nodes, room)
