"""Scoring all features of one node, numeric and nominal, where values may be missing.

A value is named by a code: its rank among the feature's distinct values, or its category; -1 is
missing. Weights may be fractions. Sums over equal counts are formed in the same order wherever
they are needed, so growth and replay get the same scores, bit for bit.
"""

import math
from typing import NamedTuple

import numpy as np

from lastviz._numba import inline_kernel, kernel
from lastviz.criteria.goodness_kernels import CHI2, G_STATISTIC, GAIN_OVER_ENTROPY
from lastviz.criteria.scan_kernels import GAIN, GAIN_RATIO, MEAN_SLACK
from lastviz.criteria.sums_kernels import sum_in_order
from lastviz.criteria.ties_kernels import TIE, tie_floor

BY_GAIN = (GAIN, GAIN_RATIO, GAIN_OVER_ENTROPY)  # a feature's best threshold is then that
NO_CANDIDATE, NO_GAIN = -1, -2


class MixedOptions(NamedTuple):
    """Criterion and limits for the choice of a split."""

    measure: int  # the code of the criterion that decides between features
    min_samples_leaf: float
    release_8: bool  # smallest branch of a threshold min(25, max(min_samples_leaf, 0.1 n / K))
    mdl_correction: bool
    average_gain: bool
    least_score: float  # refuse splits that score less
    slack: float  # rounding of sums of weights


class NodeScratch(NamedTuple):
    """Scratch of one search, and the best candidate of each feature."""

    keys: np.ndarray  # (n,) codes and places of the known rows
    by_category: np.ndarray  # (largest number of categories, K)
    left: np.ndarray  # (K,)
    right: np.ndarray  # (K,)
    known: np.ndarray  # (K,)
    table: np.ndarray  # x log2 x of whole numbers
    gain: np.ndarray  # (m,) after the price of a threshold
    score: np.ndarray  # (m,) what decides
    cut: np.ndarray  # (m,) the largest code of the first branch; 0 for a nominal feature
    n_cuts: np.ndarray  # (m,)


@inline_kernel
def _xlogx(x, table):
    """Value of x log2 x; 0 at 0."""
    n = int(x)
    if n == x and n < table.shape[0]:
        return table[n]
    return x * math.log2(x) if x > 0.0 else 0.0


@inline_kernel
def _disorder(counts, table):
    """Entropy of counts in bits, times n."""
    total = 0.0
    terms = 0.0
    for k in range(counts.shape[0]):
        total += counts[k]
        terms += _xlogx(counts[k], table)
    return _xlogx(total, table) - terms


@kernel
def disorder_of(counts, table):
    """Entropy of counts in bits, times n, as the scores have it."""
    return _disorder(counts, table)


@inline_kernel
def _chi2_of(branch, total, known, n):
    """Terms of Pearson's chi-squared of one branch with `total` rows."""
    out = 0.0
    for k in range(branch.shape[0]):
        expected = total * known[k] / n
        if expected > 0.0:
            out += (branch[k] - expected) * (branch[k] - expected) / expected
    return out


@inline_kernel
def _deciding(gain, information, inside_chi2, disorder, n, measure):
    """Score under `measure` from the gain in bits a row of all n rows."""
    if measure == GAIN:
        return gain
    if measure == GAIN_RATIO:
        return gain / information if information > 0.0 else -np.inf
    if measure == GAIN_OVER_ENTROPY:
        return gain * n / disorder if disorder > 0.0 else -np.inf
    if measure == CHI2:
        return inside_chi2
    if measure == G_STATISTIC:
        return 2.0 * math.log(2.0) * n * gain
    raise ValueError("no criterion of C4.5 has this code")


@inline_kernel
def known_keys(codes, rows, keys):
    """Fill keys with (code, position in rows) of the rows with a known value.

    Returns their number.
    """
    n_known = 0
    for i in range(rows.shape[0]):
        code = codes[rows[i]]
        if code >= 0:
            keys[n_known] = (np.int64(code) << 32) | i
            n_known += 1
    return n_known


@inline_kernel
def count_known(codes, y, rows, weights, known):
    """Fill known (K) with the class counts of the rows whose value is known."""
    known[:] = 0.0
    for i in range(rows.shape[0]):
        if codes[rows[i]] >= 0:
            known[y[rows[i]]] += weights[i]


@inline_kernel
def smallest_branch_of(n_known, n_classes, options):
    """Least weight of a branch of a threshold."""
    if not options.release_8:
        return options.min_samples_leaf
    return min(25.0, max(options.min_samples_leaf, 0.1 * n_known / n_classes))


@kernel
def numeric_curve(
    codes, y, rows, weights, total, disorder, options, room, cut, gains, informations, scores,
    left_counts,
):  # fmt: skip
    """Score every threshold of a numeric feature; return the number of candidates.

    cut, gains, informations and scores receive one entry per candidate, in rising order:
    the largest code of the first branch and its scores (-inf where a branch is too small),
    left_counts (., K) the class counts of the first branch unless it has no rows. Gains are
    before the price of a threshold.
    """
    n_known = known_keys(codes, rows, room.keys)
    if n_known < 2:
        return 0
    keys = room.keys[:n_known]
    keys.sort()
    count_known(codes, y, rows, weights, room.known)
    known = sum_in_order(room.known)
    smallest = smallest_branch_of(known, room.left.shape[0], options) - options.slack
    before = _disorder(room.known, room.table)
    missing = total - known if n_known < rows.shape[0] else 0.0
    room.left[:] = 0.0
    count = 0
    for j in range(n_known - 1):
        i = keys[j] & 0xFFFFFFFF
        room.left[y[rows[i]]] += weights[i]
        code = keys[j] >> 32
        if code == keys[j + 1] >> 32:
            continue
        n_left = sum_in_order(room.left)
        n_right = known - n_left
        gains[count] = -np.inf
        scores[count] = -np.inf
        informations[count] = 0.0
        if n_left >= smallest and n_right >= smallest:
            for k in range(room.left.shape[0]):
                room.right[k] = max(room.known[k] - room.left[k], 0.0)
            inside = _disorder(room.left, room.table) + _disorder(room.right, room.table)
            gains[count] = (before - inside) / total
            parts = _xlogx(n_left, room.table) + _xlogx(n_right, room.table)
            parts += _xlogx(missing, room.table)
            informations[count] = (_xlogx(total, room.table) - parts) / total
            chi2 = 0.0
            if options.measure == CHI2:
                chi2 = _chi2_of(room.left, n_left, room.known, known)
                chi2 += _chi2_of(room.right, n_right, room.known, known)
            scores[count] = _deciding(
                gains[count], informations[count], chi2, disorder, total, options.measure
            )
        cut[count] = code
        if left_counts.shape[0] > 0:
            left_counts[count] = room.left
        count += 1
    return count


@kernel
def nominal_scores(codes, y, rows, weights, total, disorder, n_values, options, room):
    """Score the split of a nominal feature into all its categories.

    room.by_category receives the class counts of each. Returns gain, split information and
    score, -inf where fewer than two branches are large enough.
    """
    table = room.by_category
    table[:n_values] = 0.0
    complete = True
    for i in range(rows.shape[0]):
        code = codes[rows[i]]
        if code >= 0:
            table[code, y[rows[i]]] += weights[i]
        else:
            complete = False
    room.known[:] = 0.0
    for v in range(n_values):
        for k in range(table.shape[1]):
            room.known[k] += table[v, k]
    known = sum_in_order(room.known)
    large = 0
    inside = 0.0
    parts = 0.0
    chi2 = 0.0
    for v in range(n_values):
        n_branch = sum_in_order(table[v])
        if n_branch <= 0.0:
            continue
        large += n_branch >= options.min_samples_leaf - options.slack
        inside += _disorder(table[v], room.table)
        parts += _xlogx(n_branch, room.table)
        if options.measure == CHI2:
            chi2 += _chi2_of(table[v], n_branch, room.known, known)
    if large < 2:
        return -np.inf, 0.0, -np.inf
    gain = (_disorder(room.known, room.table) - inside) / total
    if not complete:
        parts += _xlogx(total - known, room.table)
    information = (_xlogx(total, room.table) - parts) / total
    score = _deciding(gain, information, chi2, disorder, total, options.measure)
    return gain, information, score


@inline_kernel
def _best_cut(f, count, total, options, room, cut, gains, informations, scores, disorder):
    """Keep the best threshold of feature f by gain, or by the statistic that decides."""
    by_gain = options.measure in BY_GAIN
    judged = gains if by_gain else scores
    largest = -np.inf
    n_cuts = 0
    for c in range(count):
        n_cuts += judged[c] > -np.inf
        largest = max(largest, judged[c])
    room.n_cuts[f] = n_cuts
    if n_cuts == 0:
        return
    floor = tie_floor(largest)
    for c in range(count):
        if judged[c] >= floor:
            gain = gains[c]
            if by_gain and options.mdl_correction:
                gain -= math.log2(np.float64(n_cuts)) / total
            room.gain[f] = gain
            room.cut[f] = cut[c]
            room.score[f] = scores[c]
            if by_gain:
                room.score[f] = _deciding(
                    gain, informations[c], 0.0, disorder, total, options.measure
                )
            return


@kernel
def score_features(
    codes, n_values, y, rows, weights, counts, offered, options, room, cut, gains, informations,
    scores,
):  # fmt: skip
    """Fill gain, score, cut and n_cuts of the room for every feature that is offered.

    codes (m, n); n_values (m) is 0 for a numeric feature; offered (m) says which features
    may be asked here.
    """
    total = sum_in_order(counts)
    disorder = _disorder(counts, room.table)
    nothing = np.empty((0, counts.shape[0]))
    for f in range(codes.shape[0]):
        room.gain[f] = -np.inf
        room.score[f] = -np.inf
        room.n_cuts[f] = 0
        room.cut[f] = 0
        if not offered[f]:
            continue
        if n_values[f] > 0:
            gain, _, score = nominal_scores(
                codes[f], y, rows, weights, total, disorder, n_values[f], options, room
            )
            room.gain[f] = gain
            room.score[f] = score
            room.n_cuts[f] = gain > -np.inf
        else:
            count = numeric_curve(
                codes[f], y, rows, weights, total, disorder, options, room, cut, gains,
                informations, scores, nothing,
            )  # fmt: skip
            _best_cut(f, count, total, options, room, cut, gains, informations, scores, disorder)


@kernel
def choose(n_values, left_out, options, room):
    """Chosen feature, or NO_CANDIDATE or NO_GAIN.

    left_out (m) says which nominal features have too many values to count in the mean gain.
    """
    m = room.gain.shape[0]
    admitted = 0
    counted = 0
    mean = 0.0
    for f in range(m):
        if room.gain[f] == -np.inf:
            continue
        admitted += 1
        if not left_out[f] and (n_values[f] > 0 or room.gain[f] > TIE):
            mean += room.gain[f]
            counted += 1
    if admitted == 0:
        return NO_CANDIDATE
    floor = -np.inf
    if options.measure == GAIN_RATIO and options.average_gain:
        floor = mean / counted - MEAN_SLACK if counted > 0 else np.inf
    largest = -np.inf
    for f in range(m):
        if room.gain[f] >= floor and room.gain[f] > TIE:
            largest = max(largest, room.score[f])
    if largest == -np.inf or largest < options.least_score - TIE:
        return NO_GAIN
    for f in range(m):
        ties = room.score[f] >= tie_floor(largest)
        if ties and room.gain[f] >= floor and room.gain[f] > TIE:
            return f
    return NO_GAIN
