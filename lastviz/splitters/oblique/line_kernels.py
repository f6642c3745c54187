"""The exact search along a line of hyperplanes.

A hyperplane has a value V_i at every row; rows with V_i <= 0 go to the first child. Along a
direction D the values are V_i + a D_i, so row i changes sides once, at a = u_i = -V_i / D_i:
out of the first child if D_i > 0, into it if D_i < 0, never if D_i = 0. One sort of the u_i
and one pass over them scores every partition that the line offers. The sort is a counting pass
over buckets along the line and an insertion pass that finishes; classes move beside the values, so
that the pass over them reads sequentially.
"""

from typing import NamedTuple

import numpy as np

from lastviz._numba import kernel
from lastviz.criteria.goodness_kernels import TWOING, goodness
from lastviz.criteria.ties_kernels import tie_ceiling
from lastviz.splitters.cells.cells_kernels import order_of
from lastviz.splitters.threshold.choice_kernels import threshold_between

CROWDED = 16  # most comparisons per value that the finishing pass is trusted with
NEARLY = 1.0 - 1e-14  # fractions compared crosswise are divided only where one may be larger


class Classes(NamedTuple):
    """Classes of a node's rows, and the criterion that scores its partitions."""

    y: np.ndarray  # (n,) int64
    counts: np.ndarray  # (K,) int64
    table: np.ndarray  # x log2 x as integers, for the entropy
    criterion: int
    min_samples_leaf: int


class LineScratch(NamedTuple):
    """Room for one search; every entry is rewritten."""

    u: np.ndarray  # (n,): where the moving rows change sides
    move: np.ndarray  # (n,) int64: class k of a row that leaves the first child, ~k of one entering
    bucket: np.ndarray  # (n,) int64: where u lies along the line
    first: np.ndarray  # (2 n + 2,) int64: where each bucket begins
    rising: np.ndarray  # (n,): u in rising order
    moves: np.ndarray  # (n,) int64: move in the same order
    order: np.ndarray  # (n,) int64, and the rest: for values of which most share a bucket
    source: np.ndarray  # (n,) uint64
    target: np.ndarray  # (n,) uint64
    histograms: np.ndarray  # (3, buckets) int64
    left: np.ndarray  # (K,) int64


@kernel
def _collect(V, D, y, u, move, bucket, first, left, farthest):
    """Fill u, move and bucket, and the counts in left.

    left holds the first child's counts before the first change.

    u -> u / (1 + |u|) rises and keeps the line within (-1, 1), which 2 n buckets share out; first
    counts them.
    """
    n = V.shape[0]
    left[:] = 0
    first[: 2 * n + 2] = 0
    moving = 0
    n_left = 0
    for i in range(n):
        v, d, k = V[i], D[i], y[i]
        if abs(v) < farthest * abs(d):
            leaves = d > 0.0
            at = 0.0 - v / d
            place = np.int64((at / (1.0 + abs(at)) + 1.0) * n)
            u[moving] = at
            move[moving] = k if leaves else ~k
            bucket[moving] = place
            first[place + 1] += 1
            moving += 1
            left[k] += leaves
            n_left += leaves
        elif v <= 0.0:
            left[k] += 1
            n_left += 1
    return moving, n_left


@kernel
def _sort_evenly(count, n_buckets, u, move, bucket, first, rising, moves):
    """Sort u and move into rising and moves by one counting pass and a finish.

    Returns False, with nothing sorted, where too many values share a bucket for the finish.
    """
    unsorted = 0
    for b in range(1, n_buckets + 1):
        unsorted += first[b] * first[b]
        first[b] += first[b - 1]
    if unsorted > CROWDED * count:
        return False
    for i in range(count):
        place = first[bucket[i]]
        first[bucket[i]] = place + 1
        rising[place] = u[i]
        moves[place] = move[i]
    for i in range(1, count):
        value, k = rising[i], moves[i]
        j = i - 1
        while j >= 0 and rising[j] > value:
            rising[j + 1], moves[j + 1] = rising[j], moves[j]
            j -= 1
        rising[j + 1], moves[j + 1] = value, k
    return True


@kernel
def _sort_by_digits(count, scratch):
    """Fill rising and moves whatever the values are.

    O(n) passes over 32 bits and a finish.
    """
    values, order = scratch.u[:count], scratch.order
    order_of(
        values, values.view(np.uint64), scratch.source[:count], scratch.target[:count],
        scratch.histograms, order[:count],
    )  # fmt: skip
    for i in range(count):
        scratch.rising[i] = values[order[i]]
        scratch.moves[i] = scratch.move[order[i]]


@kernel
def _sweep_two_classes(rising, moves, left, counts, count, n_left, n, smallest, gap):
    """`_sweep` by twoing for two classes, of which |n L_k - n_left T_k| is the same."""
    best, ceiling = -np.inf, -np.inf
    found = -1
    inside, total = left[0], counts[0]
    for i in range(count - 1):
        enters = moves[i] >> 63  # -1 if the row enters the first child, else 0
        n_left -= 1 + 2 * enters
        inside -= (1 + 2 * enters) * (1 - (moves[i] ^ enters))
        here, after = rising[i], rising[i + 1]
        if after - here <= gap * abs(here) + gap * abs(after):
            continue
        if n_left < smallest or n - n_left < smallest:
            continue
        apart = np.float64(2 * abs(n * inside - n_left * total))
        below = np.float64(n_left) * np.float64(n - n_left)
        if found < 0 or apart * apart > ceiling * below * NEARLY:
            value = apart * apart / below
            if found < 0 or value > ceiling:
                best, ceiling, found = value, tie_ceiling(value), i
    return best, found


@kernel
def _sweep_twoing(rising, moves, left, counts, count, n_left, n, smallest, gap):
    """`_sweep` by twoing for any number of classes."""
    best, ceiling = -np.inf, -np.inf
    found = -1
    for i in range(count - 1):
        enters = moves[i] >> 63  # -1 if the row enters the first child, else 0
        step = -1 - 2 * enters
        n_left += step
        left[moves[i] ^ enters] += step
        here, after = rising[i], rising[i + 1]
        if after - here <= gap * abs(here) + gap * abs(after):
            continue
        if n_left < smallest or n - n_left < smallest:
            continue
        total = 0
        for c in range(counts.shape[0]):
            total += abs(n * left[c] - n_left * counts[c])
        apart = np.float64(total)
        below = np.float64(n_left) * np.float64(n - n_left)
        if found < 0 or apart * apart > ceiling * below * NEARLY:
            value = apart * apart / below
            if found < 0 or value > ceiling:
                best, ceiling, found = value, tie_ceiling(value), i
    return best, found


@kernel
def _sweep(rising, moves, left, counts, count, n_left, n, smallest, gap, table, criterion):
    """Best goodness between two distinct u, and the position of the lower one."""
    best = -np.inf
    found = -1
    for i in range(count - 1):
        k = moves[i]
        if k >= 0:
            left[k] -= 1
            n_left -= 1
        else:
            left[~k] += 1
            n_left += 1
        if n_left < smallest or n - n_left < smallest:
            continue
        here, after = rising[i], rising[i + 1]
        if after - here <= gap * abs(here) + gap * abs(after):
            continue
        value = goodness(left, counts, n_left, n, table, criterion)
        if found < 0 or value > tie_ceiling(best):
            best = value
            found = i
    return best, found


@kernel
def search_line(V, D, classes, scratch, gap, farthest):
    """Best goodness that V + a D reaches, and a lowest such a; -inf, 0 if none.

    V, D have shape (n,). Two u are distinct where they differ by more than `gap` times the sum
    of their sizes; a is their midpoint. Rows with |u| >= `farthest` stay. Twoing has loops of its
    own, in which fractions are compared crosswise. O(n K), and O(n log n) in the worst case.
    """
    n = V.shape[0]
    u, move, bucket, first = scratch.u, scratch.move, scratch.bucket, scratch.first
    rising, moves, left, counts = scratch.rising, scratch.moves, scratch.left, classes.counts
    count, n_left = _collect(V, D, classes.y, u, move, bucket, first, left, farthest)
    if not _sort_evenly(count, 2 * n + 1, u, move, bucket, first, rising, moves):
        _sort_by_digits(count, scratch)
    least, criterion = classes.min_samples_leaf, classes.criterion
    if criterion == TWOING and counts.shape[0] == 2:
        best, found = _sweep_two_classes(rising, moves, left, counts, count, n_left, n, least, gap)
    elif criterion == TWOING:
        best, found = _sweep_twoing(rising, moves, left, counts, count, n_left, n, least, gap)
    else:
        best, found = _sweep(
            rising, moves, left, counts, count, n_left, n, least, gap, classes.table, criterion
        )
    if found < 0:
        return -np.inf, 0.0
    return best, threshold_between(rising[found], rising[found + 1])
