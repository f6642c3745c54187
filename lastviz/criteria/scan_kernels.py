"""Scoring every threshold of one feature in one pass over its sorted rows.

A *cell* packs what the scan reads of one row into an unsigned integer: the row number in
the low `row_bits` bits, the class above it, and in the highest bit whether the row's value
differs from the value before it. A cut after position i is a candidate only where the next
cell has that bit. All sums are integers, so they are exact and do not depend on the order
of the rows: mirror-image cuts get bit-equal scores.
"""

import math

import numpy as np

from lastviz._numba import inline_kernel, kernel, plain_kernel

from .rank_kernels import is_rank_code, scan_rank

GINI, GAIN, GAIN_RATIO = 0, 1, 2
MEAN_SLACK = 1e-3  # bits by which C4.5 lets a gain fall short of the mean gain


@inline_kernel
def fill_log_table(table, scale):
    """Fill x log2 x for x = 0, 1, ... as integers in units of 1 / scale."""
    table[:2] = 0
    for x in range(2, table.shape[0]):
        table[x] = np.int64(np.round(x * math.log2(x) * scale))


@kernel
def log_table(n, scale):
    """Table of x log2 x for x = 0 .. n as integers in units of 1 / scale."""
    table = np.empty(n + 1, dtype=np.int64)
    fill_log_table(table, scale)
    return table


@inline_kernel
def _scan_gini(column, start, end, packing, counts, left, inverse, min_leaf, curve):
    """Score the cuts of column[start:end]; return the best score.

    The score sum_k L_k^2 / n_left + sum_k R_k^2 / n_right orders cuts as the Gini gain does.
    With R_k = T_k - L_k only the sums of L_k^2 and of T_k L_k move.
    """
    row_bits, _, class_mask, top_bit = packing
    n = end - start
    squares_total = 0
    for k in range(counts.shape[0]):
        left[k] = 0
        squares_total += counts[k] * counts[k]
    squares_left = 0
    products = 0
    best = -np.inf
    for i in range(n - 1):
        k = (column[start + i] >> row_bits) & class_mask
        before = left[k]
        left[k] = before + 1
        squares_left += 2 * before + 1
        products += counts[k]
        score = -np.inf
        if column[start + i + 1] >= top_bit and i + 1 >= min_leaf and n - i - 1 >= min_leaf:
            squares_right = squares_total - 2 * products + squares_left
            score = squares_left * inverse[i + 1] + squares_right * inverse[n - i - 1]
            best = max(best, score)
        curve[i] = score
    return best


@inline_kernel
def _scan_entropy(column, start, end, packing, counts, left, table, min_leaf, curve):
    """Score the cuts of column[start:end].

    Returns the best score and the number of cuts.

    The score is n times the information gain in units of 1 / scale: with T(x) = x log2 x it
    is T(n) - sum_k T(T_k) + sum_k [T(L_k) + T(R_k)] - T(n_left) - T(n_right).
    """
    row_bits, _, class_mask, top_bit = packing
    n = end - start
    constant = table[n]
    for k in range(counts.shape[0]):
        left[k] = 0
        constant -= table[counts[k]]
    inside = table[n] - constant
    best = -np.inf
    n_candidates = 0
    for i in range(n - 1):
        k = (column[start + i] >> row_bits) & class_mask
        before = left[k]
        left[k] = before + 1
        after = counts[k] - before
        inside += table[before + 1] - table[before] + table[after - 1] - table[after]
        score = -np.inf
        if column[start + i + 1] >= top_bit and i + 1 >= min_leaf and n - i - 1 >= min_leaf:
            score = np.float64(constant + inside - table[i + 1] - table[n - i - 1])
            n_candidates += 1
            best = max(best, score)
        curve[i] = score
    return best, n_candidates


@plain_kernel
def scan_feature(
    column, start, end, packing, counts, left, per_count, table, criterion, min_leaf, curve
):
    """Score every cut of one feature at one node.

    column holds the feature's cells, of which [start, end) is the node; counts (n_classes)
    its class counts, left scratch of the same size. per_count[x] is 1 / x for Gini and log x for
    the rank criteria. curve[i] receives the score of the cut after position start + i, -inf
    where there is none (see the scans for its scale). Returns the best score and, for the
    entropy criteria, the number of candidates.
    """
    if criterion == GINI:
        best = _scan_gini(column, start, end, packing, counts, left, per_count, min_leaf, curve)
        return best, 0
    if is_rank_code(criterion):
        return scan_rank(
            column, start, end, packing, counts, left, per_count, criterion, min_leaf, curve
        ), 0
    if criterion in (GAIN, GAIN_RATIO):
        return _scan_entropy(column, start, end, packing, counts, left, table, min_leaf, curve)
    raise ValueError("no criterion of thresholds has this code")


@inline_kernel
def first_within(curve, n, floor):
    """First position of curve[:n] with a value of at least floor."""
    for i in range(n):
        if curve[i] >= floor:
            return i
    return -1
