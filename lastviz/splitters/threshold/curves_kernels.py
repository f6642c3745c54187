"""The scores and child counts of all candidates of one node."""

import numpy as np

from lastviz._numba import kernel
from lastviz.criteria.scan_kernels import scan_feature


@kernel
def score_curves(
    cells, packing, counts, per_count, table, code, min_leaf, scores, n_cuts
):  # fmt: skip
    """Fill scores (m, n - 1) and n_cuts (m) with what growth's scan says of each feature.

    code (m) names the criterion of each feature; the other arguments are those of the scan.
    """
    m, n = cells.shape
    left = np.empty_like(counts)
    for f in range(m):
        _, n_cuts[f] = scan_feature(
            cells[f], 0, n, packing, counts, left, per_count, table, code[f], min_leaf, scores[f]
        )


@kernel
def candidate_counts(order, y, feature, position, out):
    """Fill out (n_candidates, K) with the class counts up to and including each position.

    Candidates are ordered by feature, then by position.
    """
    running = np.zeros(out.shape[1], dtype=np.int64)
    at = 0
    for i in range(feature.shape[0]):
        if i == 0 or feature[i] != feature[i - 1]:
            running[:] = 0
            at = 0
        while at <= position[i]:
            running[y[order[feature[i], at]]] += 1
            at += 1
        out[i] = running
