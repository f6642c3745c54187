"""The best cut of a column of numbers by the squared error, almost without divisions.

With d_i the deviation of the i-th row's number from the node's mean and S_i the sum of the first i
of them, a cut after row i takes S_i^2 W / (W_i (W - W_i)) from the node's sum of squares, by the
weights W_i of the first i rows and W of all. W over the sum of squares is one factor for the node.
The first scan keeps no more than the largest share. Which cut has it is asked only of features that
may win: a second scan scores, exactly as ``split_score`` does, the few cuts that come near.
"""

import numpy as np

from lastviz._numba import inline_kernel, kernel
from lastviz.criteria.ties_kernels import tie_floor, tie_slack


@inline_kernel
def near_floor(largest):
    """Score below which no candidate ties with the largest, whatever was rounded."""
    return largest - 4.0 * tie_slack(largest, 1.0) if largest > -np.inf else largest


@kernel
def largest_share(
    column, start, end, row_mask, top_bit, target, weight, inverse, mean, w, spread, least
):
    """Largest share of column[start:end], within rounding; -inf without a cut.

    inverse is the table 1 / x if every row counts once, else empty. O(n).
    """
    n = end - start
    total = 0.0
    best = -1.0
    for i in range(least - 1):
        total += weight[column[start + i] & row_mask] * (
            target[column[start + i] & row_mask] - mean
        )
    if inverse.shape[0] > 0:
        for i in range(least, n - least + 1):
            total += target[column[start + i - 1] & row_mask] - mean
            taken = total * total * (inverse[i] * inverse[n - i])
            best = max(best, taken if column[start + i] >= top_bit else -1.0)
    else:
        w_left = 0.0
        for i in range(least - 1):
            w_left += weight[column[start + i] & row_mask]
        for i in range(least, n - least + 1):
            row = column[start + i - 1] & row_mask
            total += weight[row] * (target[row] - mean)
            w_left += weight[row]
            taken = total * total / (w_left * (w - w_left))
            best = max(best, taken if column[start + i] >= top_bit else -1.0)
    return best * (w / spread) if best >= 0.0 else -np.inf


@kernel
def first_best_cut(
    column, start, end, row_mask, top_bit, target, weight, inverse, mean, w, spread, least, floor
):
    """First cut of column[start:end] that ties with the best, and its score.

    Some share is at least `floor`, below which no cut ties with the best one. O(n).
    """
    n = end - start
    near = floor * (spread / w) * (1.0 - 1e-14)
    counted = inverse.shape[0] > 0
    best = -np.inf
    cut = -1
    for again in range(2):
        enough = tie_floor(best)
        total = 0.0
        w_left = 0.0
        n_near = 0
        for i in range(1, n - least + 1):
            row = column[start + i - 1] & row_mask
            total += weight[row] * (target[row] - mean)
            if counted:
                taken = total * total * (inverse[i] * inverse[n - i])
            else:
                w_left += weight[row]
                taken = total * total / (w_left * (w - w_left))
            if taken >= near and i >= least and column[start + i] >= top_bit:
                if counted:
                    w_left = np.float64(i)
                score = total * total * w / (w_left * (w - w_left)) / spread
                n_near += 1
                if again == 0 and score > best:
                    best = score
                    cut = i - 1
                elif again == 1 and score >= enough:
                    return i - 1, score
        if n_near == 1:
            break
    return cut, best
