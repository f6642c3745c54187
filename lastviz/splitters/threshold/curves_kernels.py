"""The scores and child counts of all candidates of one node."""

import numpy as np

from lastviz._numba import kernel
from lastviz.criteria.scan_kernels import scan_feature

from .choice_kernels import threshold_between


@kernel
def score_curves(
    cells, packing, counts, per_count, table, code, min_leaf, scores, n_cuts
):  # fmt: skip
    """Fill scores (m, n - 1) and n_cuts (m) by the scan of growth for each feature.

    code (m) names the criterion of each feature; the other arguments are those of the scan.
    """
    m, n = cells.shape
    left = np.empty_like(counts)
    for f in range(m):
        _, n_cuts[f] = scan_feature(
            cells[f], 0, n, packing, counts, left, per_count, table, code[f], min_leaf, scores[f]
        )


@kernel
def candidate_counts(order, fresh, y, out):
    """Fill out (n_candidates, K) with the class counts up to and including each cut.

    Candidates are ordered by feature, then by position: before each new value but the first.
    """
    m, n = order.shape
    running = np.empty(out.shape[1], dtype=np.int64)
    at = 0
    for f in range(m):
        running[:] = 0
        for i in range(n - 1):
            running[y[order[f, i]]] += 1
            if fresh[f, i + 1]:
                out[at] = running
                at += 1


@kernel
def candidate_thresholds(columns, order, fresh, at_value, out):
    """Fill out (n_candidates,) with the threshold of each cut, in candidate order.

    It is the largest value of the first child if at_value, else the middle to the next value.
    """
    m, n = order.shape
    at = 0
    for f in range(m):
        below = columns[f, order[f, 0]]
        for i in range(1, n):
            value = columns[f, order[f, i]]
            if fresh[f, i]:
                out[at] = below if at_value else threshold_between(below, value)
                at += 1
            below = value
