"""All partitions of a plane's points by a line, and how good each is.

A direction u(theta) turns from 0 to 180 degrees; the points lie in the order of their
projections on it, and the cut after position p is one partition. Two points i, j change places
where u is normal to x_j - x_i, so the n (n - 1) / 2 such events, in the order of their
directions, visit every partition by a line, and each changes the left counts of one cut.
"""

import math
from typing import NamedTuple

import numpy as np

from lastviz._numba import inline_kernel, kernel
from lastviz.criteria.column_kernels import HELLINGER
from lastviz.criteria.goodness_kernels import (
    CHI2,
    G_STATISTIC,
    GAIN_OVER_ENTROPY,
    MAX_MINORITY,
    SUM_MINORITY,
    TWOING,
    goodness,
)
from lastviz.criteria.rank_kernels import RANK, rank_information
from lastviz.criteria.scan_kernels import GAIN, GAIN_RATIO, GINI
from lastviz.criteria.segment_kernels import hellinger_distance
from lastviz.criteria.ties_kernels import tie_ceiling, tie_floor

from .plane_events_kernels import ID_BITS, MOST_POINTS, key_of, order_by_key

# Entries of the best line found: its score, its margin, its direction's key, its position.
SCORE, MARGIN, KEY, POSITION = 0, 1, 2, 3


class Scale(NamedTuple):
    """Criterion, class counts and tables by which a partition is scored."""

    code: int  # of the criterion
    counts: np.ndarray  # (K,) int64: of the node
    base: float  # what the node contributes to every score
    bits: np.ndarray  # (N + 1,): x log2 x
    nats: np.ndarray  # (N + 1,): ln x
    smallest: int  # rows of a child
    narrowest: float  # margin of a line that the grid is sure of


class ScoreImage(NamedTuple):
    """The scores as they are painted; -inf where there is no cut."""

    cells: np.ndarray  # (n_bins, n_ranks)
    edges: np.ndarray  # (n_bins + 1,) int64: where each bin of directions begins, as a key's bits
    row: np.ndarray  # (n - 1,) int64: the rank of each position


@inline_kernel
def _chi2(left, counts, n_left, n):
    total = 0.0
    for k in range(counts.shape[0]):
        if counts[k] > 0:
            apart = np.float64(n * left[k] - n_left * counts[k])
            total += apart * apart / np.float64(counts[k])
    return total / (np.float64(n_left) * np.float64(n - n_left))


@kernel
def base_of(counts, code, bits):
    """Constant of a node with counts (K) that :func:`score_of` needs."""
    n = counts.sum()
    if code == GINI:
        return np.float64((counts * counts).sum()) / n
    if code in (SUM_MINORITY, MAX_MINORITY):
        return np.float64(n - counts.max())
    total = bits[n]
    for k in range(counts.shape[0]):
        total -= bits[counts[k]]
    return total


@inline_kernel
def _of_gain(left, n_left, n, scale):
    gain = scale.base + goodness(left, scale.counts, n_left, n, scale.bits, GAIN)
    if scale.code == GAIN_RATIO:
        return gain / (scale.bits[n] - scale.bits[n_left] - scale.bits[n - n_left])
    if scale.code == GAIN_OVER_ENTROPY:
        return gain / scale.base if scale.base > 0.0 else 0.0
    if scale.code == G_STATISTIC:
        return 2.0 * math.log(2.0) * gain
    return gain / n


@inline_kernel
def _of_ranks(left, n_left, n, scale):
    """Larger score of both directions of the class, as a line has none of its own."""
    dominance = scale.code - RANK
    rising = rank_information(scale.counts, left, n_left, n, scale.nats, dominance, False)
    falling = rank_information(scale.counts, left, n_left, n, scale.nats, dominance, True)
    return max(rising, falling) / n


@kernel
def score_of(left, n_left, n, scale):
    """Criterion's score of the partition with left counts (K); larger is better."""
    if n_left < scale.smallest or n - n_left < scale.smallest:
        return -np.inf
    code, counts = scale.code, scale.counts
    if code == GINI:
        return (goodness(left, counts, n_left, n, scale.bits, GINI) - scale.base) / n
    if code == TWOING:
        squared = 4.0 * np.float64(n) * np.float64(n)
        return goodness(left, counts, n_left, n, scale.bits, TWOING) / squared
    if code == CHI2:
        return _chi2(left, counts, n_left, n)
    if code in (SUM_MINORITY, MAX_MINORITY):
        return (scale.base + goodness(left, counts, n_left, n, scale.bits, code)) / n
    if code == HELLINGER:
        return hellinger_distance(counts, left, n, n_left)
    if code >= RANK:
        return _of_ranks(left, n_left, n, scale)
    return _of_gain(left, n_left, n, scale)


@kernel
def score_order(order, fresh, labels, scale, out):
    """Fill out[p] with the score of the cut after position p of rows in some order.

    -inf where row p + 1 is not `fresh`, that is has the same value. O(n K).
    """
    n = order.shape[0]
    left = np.zeros(scale.counts.shape[0], dtype=np.int64)
    for p in range(n - 1):
        left[labels[order[p]]] += 1
        out[p] = score_of(left, p + 1, n, scale) if fresh[p + 1] else -np.inf


@inline_kernel
def _gap(points, a, b, ux, uy):
    return ux * (points.x[b] - points.x[a]) + uy * (points.y[b] - points.y[a])


@kernel
def _weigh(points, words, order, p, score, since, until, scale, best):
    """Keep the partition after position p if it is best, by score, then by margin.

    It lasted from event `since` to event `until`, before the first one and behind the last one
    from 0 degrees and to 180; its margin is measured midway, in units of the window
    whose axes are as long as the spans. The gap between the two neighbours of the cut is never
    less than the margin, which takes all points to measure.
    """
    if score == -np.inf or score < tie_floor(best[SCORE]):
        return
    begins = key_of(points, words[since]) if since >= 0 else -1.0
    ends = key_of(points, words[until]) if until < words.shape[0] else 1.0
    key = 0.5 * begins + 0.5 * ends
    ux, uy = -key, 1.0 - abs(key)
    across, up = ux * points.span_x, uy * points.span_y
    long = np.sqrt(across * across + up * up)
    better = best[SCORE] == -np.inf or score > tie_ceiling(best[SCORE])
    least = scale.narrowest if better else max(best[MARGIN], scale.narrowest)
    if _gap(points, order[p], order[p + 1], ux, uy) <= least * long:
        return
    low, high = -np.inf, np.inf
    for q in range(p + 1):
        low = max(low, ux * points.x[order[q]] + uy * points.y[order[q]])
    for q in range(p + 1, order.shape[0]):
        high = min(high, ux * points.x[order[q]] + uy * points.y[order[q]])
    margin = (high - low) / long
    if margin > least:
        best[SCORE] = score if better else max(score, best[SCORE])
        best[MARGIN] = margin
        best[KEY] = key
        best[POSITION] = p


@inline_kernel
def _paint_all(picture, at, scores):
    for p in range(scores.shape[0]):
        row = picture.row[p]
        picture.cells[at, row] = max(picture.cells[at, row], scores[p])


@inline_kernel
def _begin_bins(picture, at, bits, scores):
    """Paint the bins of directions that begin up to a key's bits; return the last."""
    while at < picture.cells.shape[0] - 1 and bits >= picture.edges[at + 1]:
        at += 1
        _paint_all(picture, at, scores)
    return at


@inline_kernel
def _recount(points, order, left, n_left, p):
    """Fill in the counts left of the cut after position p from those before it."""
    n_left[p] = n_left[p - 1] if p > 0 else 0
    for k in range(left.shape[1]):
        before = left[p - 1, k] if p > 0 else 0
        left[p, k] = before + points.counts[order[p], k]
        n_left[p] += points.counts[order[p], k]


@inline_kernel
def _score_all(points, order, left, n_left, n_rows, scale, scores):
    for p in range(scores.shape[0]):
        _recount(points, order, left, n_left, p)
        scores[p] = score_of(left[p], n_left[p], n_rows, scale)


@inline_kernel
def _runs(points, words, begin, end, place, reach, behind, starts):
    """Find the runs of collinear points that events of one direction turn round.

    Fills starts with the first positions and, at these, reach with -1 less the last one; returns
    how many.
    """
    ids = np.uint64(MOST_POINTS - 1)
    for e in range(begin, end):
        i, j = (words[e] >> np.uint64(ID_BITS)) & ids, words[e] & ids
        reach[place[i]] = max(reach[place[i]], place[j])
        behind[place[j]] = begin
    n_runs = 0
    for e in range(begin, end):
        first = place[(words[e] >> np.uint64(ID_BITS)) & ids]
        if behind[first] != begin and reach[first] >= 0:
            starts[n_runs] = first
            n_runs += 1
            reach[first] = -reach[first] - 1
    for e in range(begin, end):
        first = place[(words[e] >> np.uint64(ID_BITS)) & ids]
        if behind[first] == begin:
            reach[first] = -1
    return n_runs


@inline_kernel
def _reverse(points, order, place, first, last):
    """Turn a run of points round; tell whether that changes any counts."""
    changed = False
    a, b = first, last
    while a < b:
        i, j = order[a], order[b]
        changed |= points.alike[i] != points.alike[j]
        order[a], order[b] = j, i
        place[j], place[i] = a, b
        a += 1
        b -= 1
    return changed


@inline_kernel
def _exchange(points, word, order, place, left, n_left):
    """Exchange the neighbours of an event; return whether their cut's counts change."""
    ids = np.uint64(MOST_POINTS - 1)
    i, j = (word >> np.uint64(ID_BITS)) & ids, word & ids
    p = place[i]
    order[p], order[p + 1] = j, i
    place[j], place[i] = p, p + 1
    if points.alike[i] == points.alike[j]:
        return False
    for k in range(left.shape[1]):
        change = points.counts[j, k] - points.counts[i, k]
        left[p, k] += change
        n_left[p] += change
    return True


@kernel
def sweep(points, words, scale, picture, best):
    """Visit every partition by a line: paint its score, and find the best one.

    `words` are the sorted events; `best` (4) comes with the score to beat. Events of one
    direction, where there are several, are taken together: what they turn round are runs of
    collinear points, and only the cuts inside these change. Nothing is scored before a run is
    turned. O(n^2 K).
    """
    n, n_words, n_rows = points.x.shape[0], words.shape[0], scale.counts.sum()
    order, place = np.arange(n), np.arange(n)
    left = np.empty((n, scale.counts.shape[0]), dtype=np.int64)
    n_left, scores, since = np.empty(n, dtype=np.int64), np.empty(n - 1), np.full(n - 1, -1)
    reach, behind, starts = np.full(n, -1), np.full(n, -1), np.empty(n, dtype=np.int64)
    _score_all(points, order, left, n_left, n_rows, scale, scores)
    _paint_all(picture, 0, scores)
    floor = tie_floor(best[SCORE])
    shift, ids, at, begin, alike = np.uint64(2 * ID_BITS), np.uint64(MOST_POINTS - 1), 0, 0, 0
    while begin < n_words:
        if begin == alike:
            bits = words[begin] >> shift
            while alike < n_words and words[alike] >> shift == bits:
                alike += 1
            if alike - begin > 1:
                order_by_key(points, words, begin, alike)
            at = _begin_bins(picture, at, np.int64(bits), scores)
        if alike - begin == 1:
            p = place[(words[begin] >> np.uint64(ID_BITS)) & ids]
            if scores[p] >= floor:
                _weigh(points, words, order, p, scores[p], since[p], begin, scale, best)
                floor = tie_floor(best[SCORE])
            since[p] = begin
            if _exchange(points, words[begin], order, place, left, n_left):
                scores[p] = score_of(left[p], n_left[p], n_rows, scale)
                row = picture.row[p]
                picture.cells[at, row] = max(picture.cells[at, row], scores[p])
            begin = alike
            continue
        end = begin + 1
        while end < alike and key_of(points, words[end]) == key_of(points, words[begin]):
            end += 1
        n_runs = _runs(points, words, begin, end, place, reach, behind, starts)
        for r in range(n_runs):
            first = starts[r]
            last = -reach[first] - 1
            reach[first] = -1
            for p in range(first, last):
                if scores[p] >= floor:
                    _weigh(points, words, order, p, scores[p], since[p], begin, scale, best)
                    floor = tie_floor(best[SCORE])
                since[p] = begin
            if _reverse(points, order, place, first, last):
                for p in range(first, last):
                    _recount(points, order, left, n_left, p)
                    scores[p] = score_of(left[p], n_left[p], n_rows, scale)
                    row = picture.row[p]
                    picture.cells[at, row] = max(picture.cells[at, row], scores[p])
        begin = end
    _begin_bins(picture, at, picture.edges[-1], scores)
    for p in range(n - 1):
        _weigh(points, words, order, p, scores[p], since[p], n_words, scale, best)
