"""The search of a hybrid tree at one node: first stage, survivors, second stage."""

from typing import NamedTuple

import numpy as np

from lastviz._numba import inline_kernel, plain_kernel
from lastviz.criteria.column_kernels import (
    BNM5,
    CSN,
    GAIN_RATIO,
    NO_PENALTY,
    PENALTY,
    RATIO,
    SEGMENT_SUM,
    SEGMENTS,
    CurveScratch,
    Options,
    first_curves,
    penalty_curve,
    prepare_geometry,
    second_curves,
)
from lastviz.criteria.margin_kernels import largest_margin, margin_bounds, margin_curve
from lastviz.criteria.scan_kernels import GAIN, first_within
from lastviz.criteria.ties_kernels import tie_floor
from lastviz.splitters.threshold.choice_kernels import Choice, choose_feature

from .survivors_kernels import Survivors, add_largest, first_largest, keep_best, smallest_ceiling

QUINLAN = -1  # as the first stage: C4.5's rule
NOTHING, BY_CSN, BY_SEGMENTS, BY_BLEND, BY_RATIO = 0, 1, 2, 3, 4
LEADERS = 8  # features that are measured first where many may be left out
CLEARLY = 1e-9  # by which a bound must be smaller: more than a tie and its rounding


class HybridChoice(NamedTuple):
    """Parameters of a hybrid tree's choice of a split."""

    first: int  # the column of the first stage, or QUINLAN
    with_margin: bool  # the first stage is w1 first + w2 bnm
    second: int  # what decides between the survivors
    w1: float
    w2: float
    alpha: float
    k: int
    min_samples_leaf: int
    small_child_ends: bool  # a winner with a smaller child makes the node a leaf
    need: np.ndarray  # (N_CURVES,) bool: curves that the rule reads
    options: Options
    c45: Choice  # of QUINLAN


class HybridWorkspace(NamedTuple):
    """Arrays for the curves of a search."""

    scoring: CurveScratch
    curves: np.ndarray  # (N_CURVES, m, n)
    best: np.ndarray  # (m,)
    bound: np.ndarray  # (m,)
    position: np.ndarray  # (n,): cuts of the feature in work
    cut: np.ndarray  # (m,)
    n_cuts: np.ndarray  # (m,)
    survivors: Survivors


@inline_kernel
def _admitted_cuts(column, start, end, top_bit, least, position):
    """List the positions of a feature's cuts that leave enough rows; return how many."""
    n = end - start
    found = 0
    ahead = column[start + 1 : end]
    for i in range(max(least, 1) - 1, min(n - 1, n - least)):
        position[found] = i
        found += ahead[i] >= top_bit
    return found


@inline_kernel
def _score_cuts(f, n_cuts, penalised, bench, choice, out):
    """Fill out[i] with w1 first + w2 bnm of the listed cuts; return the largest one."""
    curves, position = bench.curves, bench.position
    largest = -np.inf
    for j in range(n_cuts):
        i = position[j]
        bnm = curves[BNM5, f, i]
        if penalised:
            bnm -= curves[PENALTY, f, i]
        score = choice.w1 * curves[choice.first, f, i] + choice.w2 * bnm
        out[i] = score
        largest = max(largest, score)
    return largest


@inline_kernel
def _score_all(cells, start, end, bench, choice):
    """Set inadmissible first-stage scores to -inf; find each feature's largest score."""
    n = end - start
    top_bit = bench.scoring.packing[3]
    least = choice.options.min_leaf
    for f in range(cells.shape[0]):
        curve = bench.curves[choice.first, f]
        largest = -np.inf
        for i in range(n - 1):
            if cells[f, start + i + 1] >= top_bit and i + 1 >= least and n - i - 1 >= least:
                largest = max(largest, curve[i])
            else:
                curve[i] = -np.inf
        bench.best[f] = largest


@inline_kernel
def _bound_scores(cells, start, end, sizes, bench, choice):
    """Fill bound (m) with no less than the largest first score of each feature."""
    m = cells.shape[0]
    geometry, root = bench.scoring.geometry, choice.options.root
    margin = largest_margin(end - start, m, sizes, geometry, root)
    for f in range(m):
        bench.bound[f] = choice.w1 * bench.best[f] + choice.w2 * margin
        if bench.best[f] == -np.inf:  # no candidate, whatever the weights
            bench.bound[f] = -np.inf


@inline_kernel
def _may_reach(f, floor, n_cuts, cells, start, end, sizes, bench, choice):
    """Whether a feature may have scores of at least floor; fill in its penalties."""
    m = cells.shape[0]
    scoring, curve = bench.scoring, bench.curves[BNM5, f]
    geometry, root, penalty = scoring.geometry, choice.options.root, choice.options.penalty
    margin_bounds(
        cells[f], start, end, m, scoring.packing, sizes, geometry, scoring.inverse, root, curve
    )
    largest = _score_cuts(f, n_cuts, False, bench, choice, geometry.ahead)
    if largest < floor or penalty == NO_PENALTY:
        return largest >= floor
    penalty_curve(f, cells, start, end, sizes, scoring, choice.options, bench.curves[PENALTY, f])
    return _score_cuts(f, n_cuts, True, bench, choice, geometry.ahead) >= floor


@inline_kernel
def _score_promising(cells, start, end, sizes, bench, choice, k):
    """Score the first stage with BNM, measured for promising features only.

    They are those that may hold one of the k best candidates.

    The largest Gini gain bounds a feature's scores at once, its penalties and the lengths of its
    rows closer in O(n K); its margins cost O(n m). A feature is left out, its largest score -inf,
    if all its candidates are worse than k others by more than a tie. The first curves are -inf
    where nothing is admitted, and stay so.
    """
    m = cells.shape[0]
    scoring, curves, best, bound = bench.scoring, bench.curves, bench.best, bench.bound
    _bound_scores(cells, start, end, sizes, bench, choice)
    best[:] = -np.inf
    top, least = bench.survivors.top, choice.options.min_leaf
    penalised = choice.options.penalty != NO_PENALTY
    found = 0
    floor = -np.inf
    for turn in range(-LEADERS, m):
        f = turn
        if turn < 0:  # the most promising come first, and so make the floor high
            f = 0
            for other in range(1, m):
                f = other if bound[other] > bound[f] else f
        if bound[f] == -np.inf or bound[f] < floor:
            continue
        bound[f] = -np.inf
        n_cuts = _admitted_cuts(cells[f], start, end, scoring.packing[3], least, bench.position)
        if not _may_reach(f, floor, n_cuts, cells, start, end, sizes, bench, choice):
            continue
        margin_curve(
            cells[f], start, end, m, scoring.packing, sizes, scoring.geometry, scoring.inverse,
            choice.options.root, curves[BNM5, f],
        )  # fmt: skip
        first = curves[choice.first, f]
        best[f] = _score_cuts(f, n_cuts, penalised, bench, choice, first)
        found = add_largest(first, best[f], bench.position[:n_cuts], k, top, found)
        if found == k:
            floor = top[k - 1] - CLEARLY * max(1.0, abs(top[k - 1]))


@inline_kernel
def _read(curves, code, survivors, count, out):
    for j in range(count):
        out[j] = curves[code, survivors.feature[j], survivors.position[j]]


@inline_kernel
def _blend(curves, survivors, count, alpha):
    """Weigh the gain ratio against the segments, scaled over the survivors: SPES."""
    value, other = survivors.value, survivors.other
    _read(curves, SEGMENTS, survivors, count, other)
    low = np.inf
    high = -np.inf
    for j in range(count):
        low = min(low, other[j])
        high = max(high, other[j])
    for j in range(count):
        scaled = (other[j] - low) / (high - low) if high > low else 0.0
        ratio = curves[GAIN_RATIO, survivors.feature[j], survivors.position[j]]
        value[j] = alpha * ratio + (1.0 - alpha) * (1.0 - scaled)


@inline_kernel
def _mark(survivors, count, scoring, mark):
    for j in range(count):
        scoring.wanted_features[survivors.feature[j]] = mark
        scoring.wanted_cuts[survivors.feature[j], survivors.position[j]] = mark


@inline_kernel
def _fewest_then_ratio(curves, survivors, count):
    """Keep the survivors with the fewest segments in all and score them by the ratio."""
    value, other = survivors.value, survivors.other
    _read(curves, SEGMENT_SUM, survivors, count, other)
    ceiling = smallest_ceiling(other, count)
    for j in range(count):
        ratio = curves[RATIO, survivors.feature[j], survivors.position[j]]
        value[j] = ratio if other[j] <= ceiling else -np.inf


@inline_kernel
def _second_stage(cells, start, end, counts, sizes, bench, choice, count):
    """Winner among the survivors, and its score."""
    survivors, curves = bench.survivors, bench.curves
    value = survivors.value
    _mark(survivors, count, bench.scoring, True)
    second_curves(
        cells, start, end, counts, sizes, choice.need, bench.scoring, choice.options, curves
    )
    _mark(survivors, count, bench.scoring, False)
    if choice.second == BY_BLEND:
        _blend(curves, survivors, count, choice.alpha)
        winner = first_largest(value, count)
        return winner, value[winner]
    if choice.second == BY_RATIO:
        _fewest_then_ratio(curves, survivors, count)
        winner = first_largest(value, count)
        return winner, value[winner]
    if choice.second != BY_CSN and choice.second != BY_SEGMENTS:
        raise ValueError("no second stage of a hybrid tree has this code")
    _read(curves, CSN if choice.second == BY_CSN else SEGMENTS, survivors, count, value)
    ceiling = smallest_ceiling(value, count)
    for j in range(count):
        if value[j] <= ceiling:
            return j, value[j]
    return 0, value[0]


@inline_kernel
def _quinlan(cells, start, end, counts, bench, choice):
    n = end - start
    gains = bench.curves[GAIN]
    for f in range(cells.shape[0]):
        if bench.best[f] > -np.inf:
            largest = bench.best[f] / (choice.options.scale * n)
            floor = tie_floor(largest)
            bench.cut[f] = first_within(gains[f], n - 1, floor)
    feature = choose_feature(
        bench.best, bench.cut, bench.n_cuts, 0, counts, bench.scoring.table, choice.c45
    )
    if feature < 0:
        return -1, 0, 0.0
    return feature, bench.cut[feature], bench.best[feature]


@plain_kernel
def search_hybrid(cells, start, end, rows, counts, bench, choice):
    """Feature, position and score of the node's split; feature -1 if there is none.

    The node is cells[:, start:end], its rows are rows[start:end]. The first child holds the
    rows up to and including that position.
    """
    scoring, need, options = bench.scoring, choice.need, choice.options
    present = prepare_geometry(cells, start, end, rows, counts, need, scoring, options)
    sizes = scoring.geometry.sizes[:present]
    first_curves(cells, start, end, counts, need, scoring, options, bench.best, bench.curves)
    if choice.first == QUINLAN:
        return _quinlan(cells, start, end, counts, bench, choice)
    survivors = bench.survivors
    k = choice.k if choice.second != NOTHING else 1
    k = min(k, survivors.top.shape[0])
    if choice.with_margin:
        _score_promising(cells, start, end, sizes, bench, choice, k)
    else:
        _score_all(cells, start, end, bench, choice)
    first = bench.curves[choice.first]
    count = keep_best(first, bench.best, end - start - 1, k, survivors)
    if count == 0:
        return -1, 0, 0.0
    winner, score = 0, first[survivors.feature[0], survivors.position[0]]
    if choice.second != NOTHING:
        winner, score = _second_stage(cells, start, end, counts, sizes, bench, choice, count)
    return survivors.feature[winner], survivors.position[winner], score
