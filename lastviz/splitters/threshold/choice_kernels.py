"""Choosing a node's split from its features' best cuts: the selection rules as kernels.

They say the same as the stages of :mod:`lastviz.splitters.rule`, which replay applies to the
whole table of candidates; a test holds the two against each other at every node.
"""

import math
from typing import NamedTuple

import numpy as np

from lastviz._numba import inline_kernel
from lastviz.criteria.rank_kernels import RANK
from lastviz.criteria.scan_kernels import GAIN_RATIO, GINI, MEAN_SLACK
from lastviz.criteria.ties_kernels import TIE, tie_floor


class Choice(NamedTuple):
    """Criterion and limits for the choice of a split."""

    criterion: int
    scale: float  # units of the entropy scores, 1 for the others
    min_samples_leaf: int
    release_8: bool  # smallest branch min(25, max(min_samples_leaf, 0.1 n / K))
    mdl_correction: bool
    average_gain: bool
    needs_gain: bool  # refuse splits that gain nothing
    raw_scores_decide: bool  # so a feature can be dropped as soon as it cannot win
    least_score: float = -np.inf  # refuse splits that score less
    cut_at_value: bool = False  # the threshold is a value of the node, not a midpoint


@inline_kernel
def smallest_branch(n, n_classes, choice):
    """Fewest rows that a branch of a node with n rows may hold."""
    if not choice.release_8:
        return choice.min_samples_leaf
    return int(np.ceil(min(25.0, max(choice.min_samples_leaf, 0.1 * n / n_classes))))


@inline_kernel
def is_perfect(best, counts, table, choice):
    """Whether the best cut leaves two pure children: no later feature can win."""
    n = counts.sum()
    if not choice.raw_scores_decide or choice.criterion >= RANK:
        return False
    if choice.criterion == GINI:
        return best >= n * (1.0 - TIE)
    largest_gain = table[n]
    for k in range(counts.shape[0]):
        largest_gain -= table[counts[k]]
    return best >= np.float64(largest_gain)


@inline_kernel
def _first_best(values):
    """Lowest index whose value is within the tie tolerance of the largest."""
    largest = -np.inf
    for f in range(values.shape[0]):
        largest = max(largest, values[f])
    for f in range(values.shape[0]):
        if values[f] >= tie_floor(largest):
            return f, largest
    return -1, largest


@inline_kernel
def _corrected_gains(best, n_cuts, n, choice):
    """Turn the features' best scores into gains in bits, -inf where nothing is gained."""
    for f in range(best.shape[0]):
        gain = best[f] / (choice.scale * n)
        if choice.mdl_correction and n_cuts[f] > 0:
            gain -= math.log2(np.float64(n_cuts[f])) / n
        best[f] = gain if gain > TIE else -np.inf


@inline_kernel
def _gain_ratios(best, cut, start, n, table, choice):
    """Turn gains into gain ratios, -inf where the gain is below the mean gain."""
    total = 0.0
    admitted = 0
    for f in range(best.shape[0]):
        if best[f] > -np.inf:
            total += best[f]
            admitted += 1
    floor = total / admitted - MEAN_SLACK if admitted > 0 and choice.average_gain else -np.inf
    for f in range(best.shape[0]):
        if best[f] > -np.inf:
            n_left = cut[f] - start + 1
            information = table[n] - table[n_left] - table[n - n_left]
            best[f] = best[f] * choice.scale * n / information if best[f] >= floor else -np.inf


@inline_kernel
def choose_feature(best, cut, n_cuts, start, counts, table, choice):
    """Chosen feature, -1 if none is admitted; best (m) becomes the deciding scores."""
    n = counts.sum()
    if choice.criterion == GINI:
        squares = 0
        for k in range(counts.shape[0]):
            squares += counts[k] * counts[k]
        for f in range(best.shape[0]):
            best[f] = (best[f] - squares / n) / n
    elif choice.raw_scores_decide:
        for f in range(best.shape[0]):
            best[f] /= choice.scale * n
    else:
        _corrected_gains(best, n_cuts, n, choice)
        if choice.criterion == GAIN_RATIO:
            _gain_ratios(best, cut, start, n, table, choice)
    feature, score = _first_best(best)
    if score == -np.inf or (choice.needs_gain and score <= TIE):
        return -1
    if score < choice.least_score - TIE:
        return -1
    return feature


@inline_kernel
def threshold_between(below, above):
    """Midpoint of two values, below < above, so that `<=` parts them."""
    middle = below / 2 + above / 2
    return middle if below <= middle < above else below
