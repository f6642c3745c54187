"""Goodness of a partition of a node, from the class counts of one side.

The goodness orders the partitions of one node as the criterion's score does. Counts may be
weights; of integers the sums are integers wherever they fit, so that mirror-image partitions
are bit-equal.
"""

import numpy as np

from lastviz._numba import inline_kernel

from .scan_kernels import GAIN, GINI

# Apart from the codes of threshold curves; of the last three no partition scan knows.
TWOING, SUM_MINORITY, MAX_MINORITY = 20, 21, 22
GAIN_OVER_ENTROPY, CHI2, G_STATISTIC = 23, 24, 25


@inline_kernel
def twoing_goodness(left, counts, n_left, n):
    """(sum_k |n L_k - n_left T_k|)^2 / (n_left n_right): 4 n^2 times the twoing value."""
    apart = 0
    for k in range(counts.shape[0]):
        apart += abs(n * left[k] - n_left * counts[k])
    return np.float64(apart) * np.float64(apart) / (np.float64(n_left) * np.float64(n - n_left))


@inline_kernel
def gini_goodness(left, counts, n_left, n):
    """sum_k L_k^2 / n_left + sum_k R_k^2 / n_right."""
    squares_left = 0
    squares_right = 0
    for k in range(counts.shape[0]):
        right = counts[k] - left[k]
        squares_left += left[k] * left[k]
        squares_right += right * right
    return squares_left / np.float64(n_left) + squares_right / np.float64(n - n_left)


@inline_kernel
def _entropy(left, counts, n_left, n, table):
    """Entropy term of a cut, from the table of x log2 x.

    sum_k [T(L_k) + T(R_k)] - T(n_left) - T(n_right) with T(x) = x log2 x.
    """
    inside = -table[n_left] - table[n - n_left]
    for k in range(counts.shape[0]):
        inside += table[left[k]] + table[counts[k] - left[k]]
    return np.float64(inside)


@inline_kernel
def minorities(left, counts, n_left, n):
    """Number of samples on each side that are not of its most frequent class."""
    most_left = 0
    most_right = 0
    for k in range(counts.shape[0]):
        most_left = max(most_left, left[k])
        most_right = max(most_right, counts[k] - left[k])
    return n_left - most_left, n - n_left - most_right


@inline_kernel
def goodness(left, counts, n_left, n, table, criterion):
    """Goodness of the partition with counts left (K) of counts (K); larger is better.

    0 < n_left < n. table holds x log2 x for x <= n where the criterion is GAIN.
    """
    if criterion == TWOING:
        return twoing_goodness(left, counts, n_left, n)
    if criterion == GINI:
        return gini_goodness(left, counts, n_left, n)
    if criterion == GAIN:
        return _entropy(left, counts, n_left, n, table)
    minority_left, minority_right = minorities(left, counts, n_left, n)
    if criterion == SUM_MINORITY:
        return -np.float64(minority_left + minority_right)
    if criterion == MAX_MINORITY:
        return -np.float64(max(minority_left, minority_right))
    raise ValueError("no criterion of partitions has this code")
