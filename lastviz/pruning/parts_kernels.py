"""Pouring rows, some of them in parts, into a subtree: its class counts and expected errors."""

from typing import NamedTuple

import numpy as np

from lastviz._numba import inline_kernel, kernel
from lastviz.criteria.sums_kernels import sum_in_order
from lastviz.tree.spread_kernels import branch_taken

from .error_based_kernels import expected_errors


class Subtrees(NamedTuple):
    """The splits of a tree that is being cut back."""

    first_child: np.ndarray
    n_children: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    split_row: np.ndarray
    branch: np.ndarray  # (n_splits, largest number of categories)


class RedistributionScratch(NamedTuple):
    """Entries of the nodes on a path, one after the other, and nodes that wait."""

    rows: np.ndarray
    weights: np.ndarray
    taken: np.ndarray
    node: np.ndarray
    begin: np.ndarray
    end: np.ndarray


@inline_kernel
def branch_sizes(taken, weights, known, size):
    """Fill known and size (n_branches) with each branch's weight and number of rows.

    Returns how many rows do not know theirs.
    """
    known[:] = 0.0
    size[:] = 0
    n_unknown = 0
    for i in range(taken.shape[0]):
        if taken[i] >= 0:
            known[taken[i]] += weights[i]
            size[taken[i]] += 1
        else:
            n_unknown += 1
    return n_unknown


@kernel
def redistribute(top, count, columns, y, splits, counts, room, estimate):
    """Pour the first `count` entries of the room into the subtree of `top`.

    counts (n_nodes, K) receives the class counts of its nodes. A row of unknown value goes
    down all branches that others take, with their shares. Returns the errors to expect of the
    leaves, -1 if the room is too small.
    """
    capacity = room.rows.shape[0]
    known = np.empty(splits.branch.shape[1] + 2)
    sizes = np.empty(known.shape[0], dtype=np.int64)
    at = np.empty(known.shape[0], dtype=np.int64)
    room.node[0] = top
    room.begin[0] = 0
    room.end[0] = count
    waiting = 1
    errors = 0.0
    while waiting > 0:
        waiting -= 1
        node = room.node[waiting]
        begin = room.begin[waiting]
        end = room.end[waiting]
        counts[node] = 0.0
        for i in range(begin, end):
            counts[node, y[room.rows[i]]] += room.weights[i]
        n_branches = splits.n_children[node]
        if n_branches == 0:
            total = sum_in_order(counts[node])
            errors += expected_errors(total, total - counts[node].max(), estimate)
            continue
        for i in range(begin, end):
            value = columns[splits.feature[node], room.rows[i]]
            room.taken[i] = branch_taken(
                value, node, splits.feature, splits.threshold, splits.split_row, splits.branch
            )
        n_unknown = branch_sizes(
            room.taken[begin:end], room.weights[begin:end], known[:n_branches], sizes[:n_branches]
        )
        known_total = sum_in_order(known[:n_branches])
        place = end
        for b in range(n_branches):
            entries = sizes[b] + n_unknown if sizes[b] > 0 else 0
            room.node[waiting] = splits.first_child[node] + b
            room.begin[waiting] = place
            at[b] = place
            place += entries
            room.end[waiting] = place
            waiting += 1
        if place > capacity:
            return -1.0
        for i in range(begin, end):
            for b in range(n_branches):
                if room.taken[i] >= 0 and room.taken[i] != b:
                    continue
                if sizes[b] > 0:
                    part = 1.0 if room.taken[i] == b else known[b] / known_total
                    room.rows[at[b]] = room.rows[i]
                    room.weights[at[b]] = room.weights[i] * part
                    at[b] += 1
    return errors
