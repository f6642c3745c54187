"""Small subtrees, grown in a block of their own: shared parts for classes and for numbers.

Below a few hundred rows a node's loops are so short that the processor mispredicts most of their
ends. The columns of the first node that is so small are copied once, transposed: cell [i, f] is the
i-th row in the order of feature f. All loops then run over the features inside, equally often at
every node, and the features are independent chains of arithmetic. Rows and values are numbered
anew, so that a cell has 32 bits: its row in the low half, and in the high half the place of its
value among the feature's different values, so that parting a column is no more than moving cells.
"""

from typing import NamedTuple

import numpy as np

from lastviz._numba import inline_kernel, kernel

from .frontier_kernels import EVENT_COUNT, LEAF_COUNT, NODE_COUNT

BLOCK_ROWS = 1024  # most rows of a subtree that is grown in a block
ROW, NEXT_VALUE = np.uint32(0xFFFF), np.uint32(0x10000)


class Block(NamedTuple):
    """Room for a small subtree."""

    cells: np.ndarray  # (BLOCK_ROWS, m) uint32
    spare: np.ndarray  # (BLOCK_ROWS, m) uint32
    ids: np.ndarray  # (BLOCK_ROWS,) int64: the rows in all data, by their number here
    rows: np.ndarray  # (BLOCK_ROWS,) int64: rows by node, rising inside
    spare_rows: np.ndarray  # (BLOCK_ROWS,)
    goes_first: np.ndarray  # (BLOCK_ROWS,) int64: the split in work, by row
    number: np.ndarray  # (n,) uint32: the numbers here of rows of all data
    to: np.ndarray  # (m,) int64: where each feature's next cell goes


@kernel
def copy_in(start, end, rows, cells, packing, block):
    """Fill the block with the rows and columns of a node."""
    row_mask, top_bit = packing[1], packing[3]
    for i in range(end - start):
        row = rows[start + i]
        block.ids[i] = row
        block.number[row] = i
        block.rows[i] = i
    number, copies = block.number, block.cells
    for f in range(cells.shape[0]):
        value = np.uint32(0)
        for i in range(end - start):
            cell = cells[f, start + i]
            if i > 0 and cell >= top_bit:
                value += NEXT_VALUE
            copies[i, f] = value | number[cell & row_mask]


@inline_kernel
def put_children(
    node, first, start, middle, end, parent, depth, first_child, node_start, node_end
):  # fmt: skip
    """Append the two children of a node.

    Its rows part at `middle`, as in ``room_for_children``.

    It is handed arrays: reaching for those of a record at every node costs a third of the time.
    """
    first_child[node] = first
    for child in range(first, first + 2):
        parent[child], depth[child] = node, depth[node] + 1
        node_start[child] = start if child == first else middle
        node_end[child] = middle if child == first else end


@inline_kernel
def end_block(root, count, event, work, nodes, block):
    """Update node and event counts, and write the samples back in their new order."""
    base = nodes.start[root]
    nodes.state[LEAF_COUNT] += (count - nodes.state[NODE_COUNT]) // 2
    nodes.state[NODE_COUNT], nodes.state[EVENT_COUNT] = count, event
    for i in range(nodes.end[root] - base):
        work.rows[base + i] = block.ids[block.rows[i]]


@kernel
def part_rows(cells, rows, spare_rows, goes_first, start, middle, end, feature):
    """Partition the samples of a node by the cut of a feature.

    Marks the rows before and after the cut; either part stays rising.
    """
    for i in range(start, end):
        goes_first[cells[i, feature] & ROW] = 1 if i < middle else 0
    first = start
    for i in range(start, end):
        row = rows[i]
        rows[first] = row
        spare_rows[i - first] = row
        first += goes_first[row]
    for i in range(middle, end):
        rows[i] = spare_rows[i - middle]


@kernel
def part_cells(cells, spare, goes_first, to, start, middle, end):
    """Part every column stably."""
    n_features = cells.shape[1]
    for f in range(n_features):
        to[f] = start
    for i in range(start, end):
        for f in range(n_features):
            cell = cells[i, f]
            place = to[f]
            cells[place, f] = cell
            spare[i - place, f] = cell
            to[f] = place + goes_first[cell & ROW]
    for i in range(middle, end):
        for f in range(n_features):
            cells[i, f] = spare[i - middle, f]


@inline_kernel
def differ(one, other):
    """Whether two cells of a feature have different values."""
    return (one ^ other) > ROW


@inline_kernel
def cut_between(cells, columns, ids, feature, at):
    """Values of a feature on both sides of the cut after place `at`."""
    below, above = ids[cells[at, feature] & ROW], ids[cells[at + 1, feature] & ROW]
    return columns[feature, below], columns[feature, above]
