"""Small subtrees of a tree of classes, grown in the block of ``block_kernels.py``.

The trees are those of ``growth_kernels.py`` bit for bit, which a test proves; the scores are those
of ``scan_kernels.py``, whose sums of integers do not depend on the order in which they are taken.
Classes are numbered anew, those that the subtree has. The block has won on every shape that was
measured (2 to 500 features, 2 to 100 classes, CART and C4.5), so no rule chooses by shape.
"""

from typing import NamedTuple

import numpy as np

from lastviz._numba import inline_kernel, kernel
from lastviz.criteria.scan_kernels import GINI, first_within
from lastviz.criteria.ties_kernels import tie_slack
from lastviz.splitters.threshold.choice_kernels import (
    choose_feature,
    is_perfect,
    smallest_branch,
    threshold_between,
)

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
    NO_GAIN,
    NODE_COUNT,
    reason_of,
)


class ClassBlock(NamedTuple):
    """Room for a small subtree of classes; C is the most classes that it can have."""

    room: Block
    label: np.ndarray  # (BLOCK_ROWS,) uint16: classes of the rows, by their number here
    of_class: np.ndarray  # (K,) int64: the number here of each class
    present: np.ndarray  # (C,) int64: the classes by their number here
    tally: np.ndarray  # (2, C) int64: class counts of the two children in work
    left: np.ndarray  # (C, m) uint16: class counts c of a scan, for Gini 2 c + 1
    squares: np.ndarray  # (2, m) int32: their squares' sums on both sides
    inside: np.ndarray  # (m,) int64: sums of x log2 x of a scan
    step: np.ndarray  # (BLOCK_ROWS,) int64: (x + 1) log2 (x + 1) - x log2 x, as the table's
    curve: np.ndarray  # (BLOCK_ROWS, m): scores of the cut after each position
    raw: np.ndarray  # (m,): the features' best scores before the selection rules


@kernel
def _copy_in(start, end, rows, cells, packing, block):
    """Copy the samples and columns of a node into the block.

    Its classes are numbered in rising order.

    Returns how many classes it has.
    """
    copy_in(start, end, rows, cells, packing, block.room)
    row_bits, row_mask, class_mask, _ = packing
    of_class, present = block.of_class, block.present
    of_class[:] = -1
    for i in range(start, end):
        of_class[(cells[0, i] >> row_bits) & class_mask] = 0
    n_present = 0
    for k in range(of_class.shape[0]):
        if of_class[k] == 0:
            of_class[k] = n_present
            present[n_present] = k
            n_present += 1
    for i in range(start, end):
        k = of_class[(cells[0, i] >> row_bits) & class_mask]
        block.label[block.room.number[cells[0, i] & row_mask]] = k
    return n_present


@kernel
def _look_gini(cells, label, counts, inverse, left, squares, curve, start, end, least, best):
    """Score the cuts of every feature, as the scan of Gini does.

    Fills curve, and best (m) with the best score of each feature.
    """
    n = end - start
    n_features = cells.shape[1]
    first, second = squares[0], squares[1]
    total = 0
    for k in range(counts.shape[0]):
        total += counts[k] * counts[k]
        if counts[k] > 0:
            left[k, :] = 1
    for f in range(n_features):
        first[f] = 0
        second[f] = total
        best[f] = -np.inf
    for i in range(1, n - least + 1):
        for f in range(n_features):
            k = label[cells[start + i - 1, f] & ROW]
            added = np.int64(left[k, f])
            left[k, f] = added + 2
            first[f] += added
            second[f] += added - 2 * counts[k]
        if i < least:
            continue
        of_first, of_second = inverse[i], inverse[n - i]
        for f in range(n_features):
            score = first[f] * of_first + second[f] * of_second
            score = score if differ(cells[start + i - 1, f], cells[start + i, f]) else -np.inf
            curve[i - 1, f] = score
            best[f] = max(best[f], score)


@kernel
def _look_entropy(
    cells, label, counts, table, step, left, inside, curve, start, end, least, best, n_cuts
):  # fmt: skip
    """Do the same as the scan of entropy; fill n_cuts (m) with the numbers of cuts."""
    n = end - start
    n_features = cells.shape[1]
    for k in range(counts.shape[0]):
        if counts[k] > 0:
            left[k, :] = 0
    for f in range(n_features):
        inside[f] = table[n]
        best[f] = -np.inf
        n_cuts[f] = 0
    for i in range(1, n - least + 1):
        for f in range(n_features):
            k = label[cells[start + i - 1, f] & ROW]
            before = left[k, f]
            left[k, f] = before + 1
            after = np.uint64(counts[k] - np.int64(before) - 1)
            inside[f] += step[before] - step[after]
        if i < least:
            continue
        outside = table[i] + table[n - i]
        for f in range(n_features):
            is_cut = differ(cells[start + i - 1, f], cells[start + i, f])
            score = np.float64(inside[f] - outside) if is_cut else -np.inf
            curve[i - 1, f] = score
            best[f] = max(best[f], score)
            n_cuts[f] += is_cut


@inline_kernel
def _first_best_cut(curve, f, n, least, best, unit):
    """Position of the first cut of feature f that ties with its best."""
    admitted = curve[least - 1 : n - least, f]
    return least - 1 + first_within(admitted, n - 2 * least + 1, best - tie_slack(best, unit))


@kernel
def _choose(n, least, counts, table, choice, curve, raw, best, cut, n_cuts):
    """Feature whose best score (m) wins, and why; -1 if there is none.

    As in the search feature by feature, none after a perfect cut takes part. Scores become those
    that decide, and cut (m) is known where it matters.
    """
    unit = np.float64(n) * choice.scale
    largest = -np.inf
    for f in range(best.shape[0]):
        largest = max(largest, best[f])
    if largest == -np.inf:
        return -1, NO_CANDIDATE
    if is_perfect(largest, counts, table, choice):
        over = False
        for f in range(best.shape[0]):
            if over:
                best[f] = -np.inf
            else:
                over = is_perfect(best[f], counts, table, choice)
    for f in range(best.shape[0]):
        raw[f] = best[f]
        if not choice.raw_scores_decide and best[f] > -np.inf:
            cut[f] = _first_best_cut(curve, f, n, least, best[f], unit)
    feature = choose_feature(best, cut, n_cuts, 0, counts, table, choice)
    if feature < 0:
        return -1, NO_GAIN
    if choice.raw_scores_decide:
        cut[feature] = _first_best_cut(curve, feature, n, least, raw[feature], unit)
    return feature, BEST_SPLIT


@inline_kernel
def _search(start, end, counts, n_classes, table, inverse, block, best, cut, n_cuts, choice):
    """Feature on which to split the rows of a node, and why; -1 if there is none."""
    n, cells, label, curve = end - start, block.room.cells, block.label, block.curve
    least = max(smallest_branch(n, n_classes, choice), 1)
    if choice.criterion == GINI:
        _look_gini(
            cells, label, counts, inverse, block.left, block.squares, curve, start, end, least,
            best,
        )  # fmt: skip
    else:
        _look_entropy(
            cells, label, counts, table, block.step, block.left, block.inside, curve, start, end,
            least, best, n_cuts,
        )  # fmt: skip
    return _choose(n, least, counts, table, choice, curve, block.raw, best, cut, n_cuts)


@kernel
def _count_children(rows, label, present, start, middle, end, tally, parent, first, second):
    """Count the classes of both children; return whether each is pure.

    Fills tally and the records of both children.
    """
    n_present = tally.shape[1]
    tally[:, :] = 0
    for i in range(start, middle):
        tally[0, label[rows[i]]] += 1
    first[:] = 0
    second[:] = 0
    first_pure = False
    second_pure = False
    for k in range(n_present):
        tally[1, k] = parent[present[k]] - tally[0, k]
        first[present[k]] = tally[0, k]
        second[present[k]] = tally[1, k]
        first_pure |= tally[0, k] == middle - start
        second_pure |= tally[1, k] == end - middle
    return first_pure, second_pure


@kernel
def grow_class_block(root, work, nodes, choice, stop):
    """Grow the whole subtree of `root`, which is taken and has its split; depth first.

    O(n_features n_rows) per level. The frontier moves as the bodies of ``frontier_kernels.py`` move
    it, as in ``number_block_kernels.py``.
    """
    block, room = work.block, work.block.room
    base, size = nodes.start[root], nodes.state[FRONTIER_SIZE]
    others = size
    n_present = _copy_in(base, nodes.end[root], work.rows, work.cells, work.packing, block)
    cells, spare, rows, ids = room.cells, room.spare, room.rows, room.ids
    spare_rows, goes_first, to = room.spare_rows, room.goes_first, room.to
    label, present, tally = block.label, block.present, block.tally[:, :n_present]
    inverse, table, columns = work.per_count, work.table, work.columns
    best, cut, n_cuts = work.best[0], work.cut[0], work.n_cuts[0]
    parent, depth, first_child, reasons = nodes.parent, nodes.depth, nodes.first_child, nodes.reason
    node_start, node_end, node_feature = nodes.start, nodes.end, nodes.feature
    node_cut, threshold, score, priority = nodes.cut, nodes.threshold, nodes.score, nodes.priority
    counts, n_classes, frontier = nodes.counts, nodes.counts.shape[1], nodes.frontier
    event_node, event_reason = nodes.event_node, nodes.event_reason
    count, event = nodes.state[NODE_COUNT], nodes.state[EVENT_COUNT]
    node = root
    while True:
        if reasons[node] == BEST_SPLIT:
            start, end = node_start[node] - base, node_end[node] - base
            middle = node_cut[node] + 1 - base
            part_rows(cells, rows, spare_rows, goes_first, start, middle, end, node_feature[node])
            pure = _count_children(
                rows, label, present, start, middle, end, tally,
                counts[node], counts[count], counts[count + 1],
            )  # fmt: skip
            put_children(
                node, count, start + base, middle + base, end + base, parent, depth, first_child,
                node_start, node_end,
            )  # fmt: skip
            for branch in range(2):
                child = count + branch
                reasons[child] = reason_of(
                    node_end[child] - node_start[child], depth[child], pure[branch],
                    choice.min_samples_leaf, stop,
                )  # fmt: skip
            if reasons[count] == BEST_SPLIT or reasons[count + 1] == BEST_SPLIT:
                part_cells(cells, spare, goes_first, to, start, middle, end)
            for branch in range(2):
                child = count + branch
                if reasons[child] != BEST_SPLIT:
                    continue
                first, last = node_start[child] - base, node_end[child] - base
                feature, reasons[child] = _search(
                    first, last, tally[branch], n_classes, table, inverse, block, best, cut,
                    n_cuts, choice,
                )  # fmt: skip
                if feature >= 0:
                    at = first + cut[feature]
                    node_feature[child], node_cut[child] = feature, base + at
                    score[child], priority[child] = best[feature], best[feature] * (last - first)
                    below, above = cut_between(cells, columns, ids, feature, at)
                    threshold[child] = (
                        below if choice.cut_at_value else threshold_between(below, above)
                    )
            frontier[size], frontier[size + 1] = count + 1, count
            size, count = size + 2, count + 2
        if size == others:
            break
        size, node = size - 1, frontier[size - 1]
        event_node[event], event_reason[event] = node, reasons[node]
        event += 1
    end_block(root, count, event, work, nodes, room)
