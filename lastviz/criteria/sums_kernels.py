"""Scores of binary splits from sums of weights: classes with any weights, or numbers.

Where all weights are 1 the integer scans of ``scan_kernels.py`` say the same; these serve class
and sample weights, nominal subsets, missing values, twoing and regression. All scores are in
their criterion's own unit, so that ties are judged alike.
"""

import math

from lastviz._numba import inline_kernel

from .goodness_kernels import TWOING, gini_goodness, twoing_goodness
from .scan_kernels import GAIN, GINI

SQUARED_ERROR = 30  # apart from the codes of the criteria of classes


@inline_kernel
def sum_in_order(x):
    """Sum of x (n,), added from the first to the last: numpy adds in another order."""
    total = 0.0
    for i in range(x.shape[0]):
        total += x[i]
    return total


@inline_kernel
def _gini_decrease(left, total, w_left, w):
    squares = 0.0
    for k in range(total.shape[0]):
        squares += total[k] * total[k]
    return (gini_goodness(left, total, w_left, w) - squares / w) / w


@inline_kernel
def _times_log(x):
    return x * math.log2(x) if x > 0.0 else 0.0


@inline_kernel
def _information_gain(left, total, w_left, w):
    inside = _times_log(w) - _times_log(w_left) - _times_log(w - w_left)
    for k in range(total.shape[0]):
        inside += _times_log(left[k]) + _times_log(total[k] - left[k]) - _times_log(total[k])
    return inside / w


@inline_kernel
def split_score(left, total, w_left, w, spread, criterion):
    """Score of the split whose first child has sums left (K) and weight w_left.

    total (K) and w are those of the node, 0 < w_left < w. For classes the sums are weights by
    class. For numbers K is 1 and left the weighted sum of deviations from the node's mean,
    which is 0 over the node; spread is its sum of squares, of which the score is the share that
    the split takes away.
    """
    if criterion == SQUARED_ERROR:
        return left[0] * left[0] * w / (w_left * (w - w_left)) / spread
    if criterion == GINI:
        return _gini_decrease(left, total, w_left, w)
    if criterion == TWOING:
        return twoing_goodness(left, total, w_left, w) / (4.0 * w * w)
    if criterion == GAIN:
        return _information_gain(left, total, w_left, w)
    raise ValueError("no criterion of sums of weights has this code")
