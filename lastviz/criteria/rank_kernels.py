"""Rank mutual information of every threshold of one feature, O(n_classes) per threshold.

A cut parts the rows into a lower and an upper side, so the dominance set of a row along the
feature depends on its side alone and the one along the classes on its class alone: the class
counts of both sides say everything. A code is ``RANK + dominance + 4 * direction``.
"""

import numpy as np

from lastviz._numba import inline_kernel, kernel

RANK = 32  # apart from the codes of the other criteria
ASCENDING, DESCENDING, BOTH = 0, 1, 2  # dominance: rows at or above, at or below, the mean
RISING, FALLING, EITHER = 0, 1, 2  # direction: the class grows with the feature, or as -feature


@inline_kernel
def is_rank_code(code):
    """Whether a criterion's code is ``RANK + dominance + 4 * direction``."""
    return RANK <= code <= RANK + BOTH + 4 * EITHER and (code - RANK) % 4 <= BOTH


@inline_kernel
def _one_sided(counts, left, of_left, from_top, n_part, n, logs):
    """Information times n of one family of dominance sets.

    Only the rows of one child (`of_left` or the other) tell anything: those whose set along
    the feature is their child and not the whole node.
    """
    n_classes = counts.shape[0]
    total = 0.0
    size = 0
    part = 0
    for step in range(n_classes):
        k = n_classes - 1 - step if from_top else step
        here = left[k] if of_left else counts[k] - left[k]
        size += counts[k]
        part += here
        if here > 0:
            total += here * (logs[part] - logs[size] + logs[n] - logs[n_part])
    return total


@inline_kernel
def rank_information(counts, left, n_left, n, logs, dominance, falling):
    """Rank mutual information of one cut in nats, times n."""
    upper = n_left if falling else n - n_left
    total = 0.0
    if dominance != DESCENDING:
        total += _one_sided(counts, left, falling, True, upper, n, logs)
    if dominance != ASCENDING:
        total += _one_sided(counts, left, not falling, False, n - upper, n, logs)
    return 0.5 * total if dominance == BOTH else total


@kernel
def scan_rank(column, start, end, packing, counts, left, logs, code, min_leaf, curve):
    """Score the cuts of column[start:end]; return the best score.

    A score is n times the information.

    logs (n + 1) holds the natural logarithms. The arguments are those of the scans in
    ``scan_kernels.py``. Scores are functions of the counts, so equal counts give equal bits.
    """
    row_bits, _, class_mask, top_bit = packing
    dominance, direction = (code - RANK) % 4, (code - RANK) // 4
    n = end - start
    best = -np.inf
    left[:] = 0
    for i in range(n - 1):
        left[(column[start + i] >> row_bits) & class_mask] += 1
        score = -np.inf
        if column[start + i + 1] >= top_bit and i + 1 >= min_leaf and n - i - 1 >= min_leaf:
            if direction != FALLING:
                score = rank_information(counts, left, i + 1, n, logs, dominance, False)
            if direction != RISING:
                other = rank_information(counts, left, i + 1, n, logs, dominance, True)
                score = max(score, other)
            best = max(best, score)
        curve[i] = score
    return best
