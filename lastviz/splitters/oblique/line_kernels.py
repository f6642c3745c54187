"""The exact search along a line of hyperplanes.

A hyperplane has a value V_i at every row; rows with V_i <= 0 go to the first child. Along a
direction D the values are V_i + a D_i, so row i changes sides once, at a = u_i = -V_i / D_i:
out of the first child if D_i > 0, into it if D_i < 0, never if D_i = 0. One sort of the u_i
and one pass over them scores every partition that the line offers.
"""

from typing import NamedTuple

import numpy as np

from lastviz._numba import kernel
from lastviz.criteria.goodness_kernels import goodness
from lastviz.criteria.ties_kernels import tie_ceiling
from lastviz.splitters.cells.cells_kernels import order_of, sort_short_run
from lastviz.splitters.threshold.choice_kernels import threshold_between

SHORT = 64  # so many values are sorted by insertion


class Classes(NamedTuple):
    """What a partition of the node is scored by."""

    y: np.ndarray  # (n,) int64
    counts: np.ndarray  # (K,) int64
    table: np.ndarray  # x log2 x as integers, for the entropy
    criterion: int
    min_samples_leaf: int


class Scratch(NamedTuple):
    """Room for one search; every entry is rewritten."""

    u: np.ndarray  # (n,): where the moving rows change sides
    move: np.ndarray  # (n,) int64: class k of a row that leaves the first child, ~k of one entering
    order: np.ndarray  # (n,) int64
    source: np.ndarray  # (n,) uint64
    target: np.ndarray  # (n,) uint64
    histograms: np.ndarray  # (3, buckets) int64
    left: np.ndarray  # (K,) int64


@kernel
def _collect(V, D, y, scratch, farthest):
    """Fill u and move, and left with the first child's counts before the first change."""
    u, move, left = scratch.u, scratch.move, scratch.left
    left[:] = 0
    moving = 0
    n_left = 0
    for i in range(V.shape[0]):
        if abs(V[i]) < farthest * abs(D[i]):
            u[moving] = 0.0 - V[i] / D[i]
            move[moving] = y[i] if D[i] > 0.0 else ~y[i]
            moving += 1
            if D[i] > 0.0:
                left[y[i]] += 1
                n_left += 1
        elif V[i] <= 0.0:
            left[y[i]] += 1
            n_left += 1
    return moving, n_left


@kernel
def _sort(scratch, count):
    """Fill order[:count] so that u rises along it."""
    if count > SHORT:
        values = scratch.u[:count]
        order_of(
            values, values.view(np.uint64), scratch.source[:count], scratch.target[:count],
            scratch.histograms, scratch.order[:count],
        )  # fmt: skip
    else:
        for i in range(count):
            scratch.order[i] = i
        sort_short_run(scratch.u, scratch.order, 0, count)


@kernel
def _sweep(scratch, count, n_left, n, classes, gap, criterion):
    """Return the best goodness between two distinct u, and the position of the lower one.

    The criterion is asked for inside the loop: a copy of the loop for each is no faster and
    takes five times as long to compile.
    """
    u, move, order, left = scratch.u, scratch.move, scratch.order, scratch.left
    smallest = classes.min_samples_leaf
    best = -np.inf
    found = -1
    for i in range(count - 1):
        k = move[order[i]]
        if k >= 0:
            left[k] -= 1
            n_left -= 1
        else:
            left[~k] += 1
            n_left += 1
        if n_left < smallest or n - n_left < smallest:
            continue
        here, after = u[order[i]], u[order[i + 1]]
        if after - here <= gap * abs(here) + gap * abs(after):
            continue
        value = goodness(left, classes.counts, n_left, n, classes.table, criterion)
        if found < 0 or value > tie_ceiling(best):
            best = value
            found = i
    return best, found


@kernel
def search_line(V, D, classes, scratch, gap, farthest):
    """Return the best goodness that V + a D reaches, and a lowest such a; -inf, 0 if none.

    V, D have shape (n,). Two u are distinct where they differ by more than `gap` times the sum
    of their sizes; a is their midpoint. Rows with |u| >= `farthest` stay. O(n log n + n K).
    """
    count, n_left = _collect(V, D, classes.y, scratch, farthest)
    _sort(scratch, count)
    n = V.shape[0]
    best, found = _sweep(scratch, count, n_left, n, classes, gap, classes.criterion)
    if found < 0:
        return -np.inf, 0.0
    order = scratch.order
    return best, threshold_between(scratch.u[order[found]], scratch.u[order[found + 1]])
