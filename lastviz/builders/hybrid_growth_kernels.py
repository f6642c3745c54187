"""Growing a hybrid tree in place on sorted, packed columns, depth first.

A node is searched when it is taken from the frontier, since its curves share one room; the
columns of both children are partitioned before.
"""

from typing import NamedTuple

import numpy as np

from lastviz._numba import inline_kernel, kernel
from lastviz.splitters.cells.cells_kernels import partition_cells
from lastviz.splitters.hybrid.hybrid_kernels import HybridWorkspace, search_hybrid
from lastviz.tree import Reason

from .frontier_kernels import (
    BEST_SPLIT,
    FRONTIER_SIZE,
    NO_CANDIDATE,
    NO_GAIN,
    log_event,
    next_node,
    push_children,
)
from .growth_kernels import make_children

CHILD_TOO_SMALL = int(Reason.CHILD_TOO_SMALL)


class GrowthWorkspace(NamedTuple):
    """Arrays that growth reads and rearranges."""

    columns: np.ndarray  # (m, n) float64
    cells: np.ndarray  # (m, n): sorted packed columns
    packing: tuple  # (row_bits, row_mask, class_mask, top_bit)
    rows: np.ndarray  # (n,): rows, grouped by node, rising inside
    goes_left: np.ndarray  # (n,) uint8: the split in work, by row
    spare_cells: np.ndarray  # (n,)
    spare_rows: np.ndarray  # (n,)
    bench: HybridWorkspace


@inline_kernel
def _find_split(node, work, nodes, choice):
    """Record the split of node, or why it has none."""
    start, end = nodes.start[node], nodes.end[node]
    feature, position, score = search_hybrid(
        work.cells, start, end, work.rows, nodes.counts[node], work.bench, choice
    )
    if feature < 0:
        found = False
        for f in range(work.cells.shape[0]):
            for i in range(start + 1, end):
                found |= work.cells[f, i] >= work.packing[3]
        nodes.reason[node] = NO_GAIN if found else NO_CANDIDATE
        return
    smaller = min(position + 1, end - start - position - 1)
    if choice.small_child_ends and smaller < choice.min_samples_leaf:
        nodes.reason[node] = CHILD_TOO_SMALL
        return
    cut = start + position
    nodes.feature[node] = feature
    nodes.cut[node] = cut
    nodes.score[node] = score
    nodes.threshold[node] = work.columns[feature, work.cells[feature, cut] & work.packing[1]]


@inline_kernel
def _split(node, work, nodes, choice, stop):
    left = make_children(node, work, nodes, choice, stop)
    start, end, middle = nodes.start[node], nodes.end[node], nodes.cut[node] + 1
    keep_left = nodes.reason[left] == BEST_SPLIT
    keep_right = nodes.reason[left + 1] == BEST_SPLIT
    if not keep_left and not keep_right:
        return
    for f in range(work.cells.shape[0]):
        if f != nodes.feature[node]:
            partition_cells(
                work.cells[f], start, middle, end, work.goes_left, work.packing,
                keep_left, keep_right, work.spare_cells,
            )  # fmt: skip


@kernel
def grow_hybrid(work, nodes, choice, stop, budget):
    """Split nodes until the frontier is empty or about `budget` cells have been read."""
    spent = 0
    while nodes.state[FRONTIER_SIZE] > 0 and spent < budget:
        node = next_node(False, nodes)
        if nodes.reason[node] == BEST_SPLIT:
            spent += (nodes.end[node] - nodes.start[node]) * work.cells.shape[0]
            _find_split(node, work, nodes, choice)
        log_event(node, nodes)
        if nodes.reason[node] != BEST_SPLIT:
            continue
        _split(node, work, nodes, choice, stop)
        push_children(node, False, nodes)
