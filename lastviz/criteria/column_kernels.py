"""All columns of a node's table of candidates: one curve per criterion and feature.

``out[code, f, i]`` is the score of the cut of feature f after the i-th of the node's rows in
that feature's order; only positions where the next value differs are written by all.
"""

from typing import NamedTuple

import numpy as np

from lastviz._numba import inline_kernel, plain_kernel

from .compactness_kernels import csn_curves
from .geometry_kernels import NodeGeometry, fill_geometry, fill_places, fill_ranges, number_classes
from .scan_kernels import GAIN, GAIN_RATIO, GINI, scan_feature
from .segment_kernels import fewest_segment_curves, hellinger_curves, segment_curves

HELLINGER, SEGMENTS, SEGMENT_SUM, RATIO = 3, 4, 5, 6
BNM5, PENALTY, BNM, CSN = 7, 8, 9, 10
FIRST, SECOND = 11, 12  # segments of the two children
N_CURVES = 13
NO_PENALTY, NEAREST, EXACT = 0, 1, 2


class CurveScratch(NamedTuple):
    """Arrays that scoring reads, and its scratch arrays."""

    columns: np.ndarray  # (m, n) values
    packing: tuple
    inverse: np.ndarray  # (n + 1,): 1 / x
    table: np.ndarray  # (n + 1,) int64: x log2 x in units of 1 / scale
    left: np.ndarray  # (K,) int64
    stamp: np.ndarray  # (K,) int64
    wanted_features: np.ndarray  # (m,) bool: features whose CSN or fewest segments are wanted
    wanted_cuts: np.ndarray  # (m, n) bool: cuts whose CSN is wanted
    geometry: NodeGeometry


class Options(NamedTuple):
    """Variants of the criteria."""

    scale: float  # units of the entropy scores
    min_leaf: int  # fewest rows of a child of an admitted candidate
    penalty: int  # NO_PENALTY, NEAREST, EXACT
    ecoc: int  # ONE_VS_REST, EXHAUSTIVE, ONE_VS_ONE
    fewest: bool  # segments along each child's best feature, not along the split one
    root: bool  # BNM of distances, not of their squares


@plain_kernel
def gini_curves(cells, start, end, counts, scoring, min_leaf, best, curves):
    """Fill curves[f, i] with the Gini gain, -inf where there is no admitted cut.

    best (m) gets each feature's largest one.
    """
    n = end - start
    squares = 0
    for k in range(counts.shape[0]):
        squares += counts[k] * counts[k]
    for f in range(cells.shape[0]):
        largest, _ = scan_feature(
            cells[f], start, end, scoring.packing, counts, scoring.left, scoring.inverse,
            scoring.table, GINI, min_leaf, curves[f],
        )  # fmt: skip
        best[f] = (largest - squares / n) / n
        for i in range(n - 1):
            curves[f, i] = (curves[f, i] - squares / n) / n


@plain_kernel
def gain_curves(cells, start, end, counts, scoring, options, gains, ratios, best):
    """Fill in information gain (bits) and gain ratio of every cut.

    best (m) gets the raw scores.
    """
    n = end - start
    table, scale = scoring.table, options.scale
    for f in range(cells.shape[0]):
        best[f], _ = scan_feature(
            cells[f], start, end, scoring.packing, counts, scoring.left, scoring.inverse,
            table, GAIN, options.min_leaf, gains[f],
        )  # fmt: skip
        for i in range(n - 1):
            gains[f, i] /= scale * n
            information = table[n] - table[i + 1] - table[n - i - 1]
            ratios[f, i] = gains[f, i] * scale * n / information


@inline_kernel
def _segments(cells, start, end, scoring, options, n_classes, out):
    """Fill in the children's segments and the curves derived from them."""
    n = end - start
    first, second, packing = out[FIRST], out[SECOND], scoring.packing
    geometry = scoring.geometry
    if options.fewest:
        fewest_segment_curves(
            cells, start, end, packing, geometry.place, geometry.label, n_classes,
            scoring.wanted_features, first, second,
        )  # fmt: skip
    else:
        segment_curves(cells, start, end, packing, scoring.stamp, first, second)
    for f in range(cells.shape[0]):
        if not scoring.wanted_features[f]:
            continue
        for i in range(n - 1):
            if cells[f, start + i + 1] >= packing[3]:
                a, b = first[f, i], second[f, i]
                out[SEGMENTS, f, i] = ((i + 1) * a + (n - i - 1) * b) / n
                out[SEGMENT_SUM, f, i] = a + b
                out[RATIO, f, i] = min(a, b) / max(a, b)


@plain_kernel
def prepare_geometry(cells, start, end, rows, counts, need, scoring, options):
    """Number, measure and normalise the node's rows as far as the curves need it.

    Returns the number of classes that the node has; geometry.sizes says how many rows of each.
    """
    geometry, columns, packing = scoring.geometry, scoring.columns, scoring.packing
    present = number_classes(counts, geometry)
    exact = need[PENALTY] and options.penalty == EXACT
    inside = need[BNM5] or need[CSN] or exact
    if inside or (need[SEGMENTS] and options.fewest):
        fill_places(cells, start, end, packing, rows, geometry)
    if inside or need[PENALTY]:
        fill_ranges(cells, start, end, packing, columns, geometry)
    if inside:
        sizes = geometry.sizes[:present]
        fill_geometry(start, end, rows, len(columns), sizes, geometry)
    return present


@plain_kernel
def first_curves(cells, start, end, counts, need, scoring, options, best, out):
    """Fill the curves of `need` that are cheap for all candidates; needs the geometry.

    The parts of BNM are not: margins are filled by ``margin_kernels.py``, penalties by
    :func:`penalty_curve`.
    """
    packing = scoring.packing
    if need[GINI]:
        gini_curves(cells, start, end, counts, scoring, options.min_leaf, best, out[GINI])
    if need[GAIN] or need[GAIN_RATIO]:
        gain_curves(cells, start, end, counts, scoring, options, out[GAIN], out[GAIN_RATIO], best)
    if need[HELLINGER]:
        hellinger_curves(cells, start, end, packing, counts, scoring.left, out[HELLINGER])


@inline_kernel
def _side_penalty(own, other, present, inverse):
    """Mean over a side's classes of own plus nearest other distance."""
    return (own + other) * inverse[present] if present > 1 else 0.0


@inline_kernel
def _right_penalties(column, n, packing, n_classes, values, f, geometry, inverse, curve):
    """Fill curve[i] with the right sides' penalties, along[i] with normalised values.

    These only where a value is met first.
    """
    row_bits, row_mask, class_mask, top_bit = packing
    low, span, scale = geometry.low[f], geometry.span[f], geometry.scale[f]
    following = geometry.following
    z = (values[column[n - 1] & row_mask] * scale - low) / span
    for i in range(n - 1, 0, -1):
        cell = column[i]
        following[geometry.number[(cell >> row_bits) & class_mask]] = z
        if cell < top_bit:
            continue
        geometry.along[i] = z
        z = (values[column[i - 1] & row_mask] * scale - low) / span
        own = 0.0
        first = np.inf
        second = np.inf
        present = 0
        for c in range(n_classes):
            d = following[c] - z
            absent = d == np.inf
            own += 0.0 if absent else d
            present += not absent
            second = min(second, max(d, first))
            first = min(first, d)
        curve[i - 1] = _side_penalty(own, (present - 1) * first + second, present, inverse)
    geometry.along[0] = z


@inline_kernel
def _nearest_penalty_curve(
    column, start, end, packing, n_classes, values, f, geometry, inverse, curve
):
    """Fill curve[i] with P + Q (eq 7) of feature f's cut after position start + i.

    Only the nearest and the second-nearest class matter: O(n K). Needs the ranges. The threshold
    is a value of the left side, so one class there has distance 0.
    """
    if not geometry.span[f] > 0.0:
        return
    row_bits, _, class_mask, top_bit = packing
    n = end - start
    column = column[start:end]
    last = geometry.last
    for c in range(n_classes):
        last[c] = -np.inf
        geometry.following[c] = np.inf
    _right_penalties(column, n, packing, n_classes, values, f, geometry, inverse, curve)
    z = geometry.along[0]
    for i in range(n - 1):
        k = geometry.number[(column[i] >> row_bits) & class_mask]
        last[k] = z
        if column[i + 1] < top_bit:
            continue
        own = 0.0
        second = np.inf
        present = 0
        for c in range(n_classes):
            d = z - last[c]
            absent = d == np.inf
            own += 0.0 if absent else d
            present += not absent
            second = second if c == k else min(second, d)
        curve[i] += _side_penalty(own, second, present, inverse)
        z = geometry.along[i + 1]


@inline_kernel
def _mean_finite(distance):
    total = 0.0
    present = 0
    for k in range(distance.shape[0]):
        if distance[k] < np.inf:
            total += np.sqrt(distance[k])
            present += 1
    return total / present if present > 0 else 0.0


@plain_kernel
def _closest_as_it_grows(column, first, step, n, packing, n_classes, geometry, closest):
    """Fill closest[i] with the mean nearest class distance of the first i + 1 samples.

    Rows are taken from column[first] on, in steps of `step`. A child's smallest distances
    only shrink as it grows. O(n^2 m).
    """
    row_bits, row_mask, class_mask, _ = packing
    x, mean, least = geometry.x, geometry.mean, geometry.last[:n_classes]
    least[:] = np.inf
    for i in range(n):
        cell = column[first + step * i]
        k = geometry.number[(cell >> row_bits) & class_mask]
        p = geometry.place[cell & row_mask]
        for j in range(i):
            other = column[first + step * j]
            c = geometry.number[(other >> row_bits) & class_mask]
            if c == k:
                continue
            bound = max(least[k], least[c])
            r = geometry.place[other & row_mask]
            square = 0.0
            for f in range(x.shape[1]):
                gap = (x[p, f] + mean[k, f]) - (x[r, f] + mean[c, f])
                square += gap * gap
                if square >= bound:
                    break
            least[k] = min(least[k], square)
            least[c] = min(least[c], square)
        closest[i] = _mean_finite(least)


@inline_kernel
def _exact_penalty_curve(column, start, end, packing, n_classes, f, geometry, curve):
    """Fill curve[i] with P + Q, eq (6), of feature f's cut after start + i.

    O(n^2 m).
    """
    n = end - start
    if not geometry.span[f] > 0.0:
        return
    back = geometry.ahead
    _closest_as_it_grows(column, start, 1, n, packing, n_classes, geometry, curve)
    _closest_as_it_grows(column, end - 1, -1, n, packing, n_classes, geometry, back)
    for i in range(n - 1):
        curve[i] += back[n - 2 - i]


@plain_kernel
def penalty_curve(f, cells, start, end, sizes, scoring, options, curve):
    """Fill curve[i] with the penalty of feature f's cut after position start + i.

    sizes are the rows of the node's classes. Needs the ranges, for the exact one the geometry.
    Nothing is written where there is none.
    """
    geometry, packing = scoring.geometry, scoring.packing
    if options.penalty == NEAREST:
        _nearest_penalty_curve(
            cells[f], start, end, packing, sizes.shape[0], scoring.columns[f], f, geometry,
            scoring.inverse, curve,
        )  # fmt: skip
    elif options.penalty == EXACT:
        _exact_penalty_curve(cells[f], start, end, packing, sizes.shape[0], f, geometry, curve)
    elif options.penalty != NO_PENALTY:
        raise ValueError("no penalty of BNM has this code")


@plain_kernel
def second_curves(cells, start, end, counts, sizes, need, scoring, options, out):
    """Fill in the rarely needed curves of `need`: those requested in `scoring`."""
    if need[SEGMENTS]:
        _segments(cells, start, end, scoring, options, counts.shape[0], out)
    if need[CSN]:
        csn_curves(
            cells, start, end, scoring.packing, sizes, scoring.geometry, options.ecoc,
            scoring.wanted_features, scoring.wanted_cuts, out[CSN],
        )  # fmt: skip
