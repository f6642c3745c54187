"""Histograms of a node's slopes, and the gain of every cut between their bins.

Slopes (n, 2 B) hold of each row the B first derivatives of the loss by its scores, then the B
second ones; a histogram (m, n_bins, 2 B + 1) holds their sums in each bin of each feature, and last
the number of rows.
"""

import numpy as np

from lastviz._numba import inline_kernel, kernel
from lastviz.criteria.ties_kernels import TIE


@kernel
def histograms(bins, rows, slopes, out):
    """Add up the slopes of some rows by bin; bins is (m, n). O(m n_rows B)."""
    width = slopes.shape[1]
    out[:] = 0.0
    for f in range(bins.shape[0]):
        for i in range(rows.shape[0]):
            row = rows[i]
            here = out[f, bins[f, row]]
            for j in range(width):
                here[j] += slopes[row, j]
            here[width] += 1.0


@inline_kernel
def _step(slope, curvature, penalty, low, high):
    """Newton step, within bounds."""
    return min(max(-slope / (curvature + penalty), low), high)


@inline_kernel
def _cost(slope, curvature, penalty, step):
    """Change of the loss by a step, in its quadratic approximation."""
    return step * (slope + 0.5 * (curvature + penalty) * step)


@kernel
def cut_gains(histogram, all_bins, n_cuts, direction, low, high, penalty, min_rows, gain):
    """Fill gain (m, >= n_cuts) with each cut's decrease of loss, -inf if inadmissible.

    A cut is inadmissible with fewer than min_rows on a side, or if a step falls against the
    feature's direction by more than rounding. all_bins (2 B + 1) is the sum over all bins; low and
    high (B) bound the steps.
    """
    n_borders = low.shape[0]
    gain[:] = -np.inf
    before = 0.0
    for k in range(n_borders):
        step = _step(all_bins[k], all_bins[n_borders + k], penalty, low[k], high[k])
        before += _cost(all_bins[k], all_bins[n_borders + k], penalty, step)
    first = np.empty(all_bins.shape[0])
    for f in range(histogram.shape[0]):
        first[:] = 0.0
        for c in range(n_cuts[f]):
            for j in range(first.shape[0]):
                first[j] += histogram[f, c, j]
            n_first = first[2 * n_borders]
            if n_first < min_rows or all_bins[2 * n_borders] - n_first < min_rows:
                continue
            total = before
            admitted = True
            for k in range(n_borders):
                slope, curvature = first[k], first[n_borders + k]
                other, bend = all_bins[k] - slope, all_bins[n_borders + k] - curvature
                one = _step(slope, curvature, penalty, low[k], high[k])
                two = _step(other, bend, penalty, low[k], high[k])
                if direction[f] * (two - one) < -TIE:
                    admitted = False
                    break
                total -= _cost(slope, curvature, penalty, one) + _cost(other, bend, penalty, two)
            if admitted:
                gain[f, c] = total
