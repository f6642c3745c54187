"""Scoring every binary split of one feature at one node, thresholds and subsets alike.

A feature is its packed cells (see ``lastviz/criteria/scan_kernels.py``) in sorted order, rows
whose value is missing last. Each candidate is tried with the missing rows in either child.
"""

from typing import NamedTuple

import numpy as np

from lastviz._numba import inline_kernel, kernel
from lastviz.criteria.sums_kernels import SQUARED_ERROR, split_score
from lastviz.criteria.ties_kernels import TIE

from .subset_kernels import Categories, collect_categories, count_row, lay_out, order_categories


class FeatureScratch(NamedTuple):
    """Room for one feature."""

    curve: np.ndarray  # score of each candidate
    side: np.ndarray  # 1: its missing rows join the rows counted first
    left: np.ndarray  # (K,)
    missing: np.ndarray  # (K,): sums of the missing rows
    both: np.ndarray  # (K,)
    categories: Categories


@kernel
def node_sums(rows, label, problem, total):
    """Fill total (K) for the node with these rows; return its weight, mean and spread.

    label holds the class of every row of the data.
    """
    total[:] = 0.0
    w = 0.0
    mean = 0.0
    for i in range(rows.shape[0]):
        w += problem.weight[rows[i]]
        if problem.criterion == SQUARED_ERROR:
            mean += problem.weight[rows[i]] * problem.target[rows[i]]
        else:
            total[label[rows[i]]] += problem.weight[rows[i]]
    spread = 0.0
    if problem.criterion == SQUARED_ERROR:
        mean /= w
        low = np.inf
        high = -np.inf
        for i in range(rows.shape[0]):
            value = problem.target[rows[i]]
            low = min(low, value)
            high = max(high, value)
            spread += problem.weight[rows[i]] * (value - mean) * (value - mean)
        if low == high:
            spread = 0.0
            mean = low
    return w, mean, spread


@inline_kernel
def known_end(column, start, end, f, packing, problem):
    """Position of the first missing row of column[start:end], end if there is none."""
    if not problem.has_missing[f]:
        return end
    low = start
    high = end
    while low < high:
        middle = (low + high) // 2
        if problem.columns[f, column[middle] & packing[1]] == np.inf:
            high = middle
        else:
            low = middle + 1
    return low


@kernel
def _best_side(n_left, w_left, n, n_missing, w_missing, node, problem, scratch):
    """Score a candidate with the missing rows second or first.

    Returns (score, 1 if first) of the better one.

    The rows counted first have the sums scratch.left.
    """
    least, least_w = problem.min_samples_leaf, problem.min_weight_leaf
    score = -np.inf
    side = 0
    enough = n_left >= least and n - n_left >= least
    if enough and w_left >= least_w and node.weight - w_left >= least_w:
        score = split_score(
            scratch.left, node.total, w_left, node.weight, node.spread, problem.criterion
        )
    w_both = w_left + w_missing
    enough = n_missing > 0 and n_left + n_missing >= least and n - n_left - n_missing >= least
    if enough and w_both >= least_w and node.weight - w_left - w_missing >= least_w:
        for k in range(scratch.left.shape[0]):
            scratch.both[k] = scratch.left[k] + scratch.missing[k]
        other = split_score(
            scratch.both, node.total, w_both, node.weight, node.spread, problem.criterion
        )
        if other > score + TIE:
            score = other
            side = 1
    return score, side


@kernel
def _sum_missing(column, known, end, packing, node, problem, scratch):
    """Fill scratch.missing with the sums of the missing rows; return their weight."""
    row_bits, row_mask, class_mask, _ = packing
    scratch.missing[:] = 0.0
    w_missing = 0.0
    for i in range(known, end):
        cell = column[i]
        label = (cell >> row_bits) & class_mask
        w_missing += count_row(scratch.missing, cell & row_mask, label, problem, node.mean)
    return w_missing


@inline_kernel
def _scan_numbers(column, start, known, row_mask, top_bit, weight, target, node, least, curve):
    """Score the cuts of a feature without missing rows by the squared error."""
    w, mean, spread = node.weight, node.mean, node.spread
    total = 0.0
    w_left = 0.0
    for i in range(start, known - 1):
        row = column[i] & row_mask
        total += weight[row] * (target[row] - mean)
        w_left += weight[row]
        score = -np.inf
        if column[i + 1] >= top_bit and i + 1 - start >= least and known - i - 1 >= least:
            score = total * total * w / (w_left * (w - w_left)) / spread
        curve[i - start] = score


@inline_kernel
def _scan_classes(column, start, known, packing, weight, node, criterion, least, left, curve):
    """Score the cuts of a feature without missing rows by a criterion of classes."""
    row_bits, row_mask, class_mask, top_bit = packing
    w, total = node.weight, node.total
    left[:] = 0.0
    w_left = 0.0
    for i in range(start, known - 1):
        cell = column[i]
        own = weight[cell & row_mask]
        left[(cell >> row_bits) & class_mask] += own
        w_left += own
        score = -np.inf
        if column[i + 1] >= top_bit and i + 1 - start >= least and known - i - 1 >= least:
            score = split_score(left, total, w_left, w, 1.0, criterion)
        curve[i - start] = score


@inline_kernel
def _scan_around_gap(column, start, known, end, packing, node, problem, scratch):
    """Score a feature's cuts with the missing rows on each side, and their own cut."""
    row_bits, row_mask, class_mask, top_bit = packing
    w_missing = _sum_missing(column, known, end, packing, node, problem, scratch)
    scratch.left[:] = 0.0
    w_left = 0.0
    for i in range(start, known):
        cell = column[i]
        label = (cell >> row_bits) & class_mask
        w_left += count_row(scratch.left, cell & row_mask, label, problem, node.mean)
        scratch.curve[i - start] = -np.inf
        if i + 1 == known or column[i + 1] >= top_bit:
            score, side = _best_side(
                i + 1 - start, w_left, end - start, end - known, w_missing, node, problem, scratch
            )
            scratch.curve[i - start] = score
            scratch.side[i - start] = side


@inline_kernel
def _refuse_light(column, start, known, row_mask, weight, node, least, curve):
    """Take the cuts out of the curve that leave a child less than the least weight."""
    w_left = 0.0
    for i in range(start, known - 1):
        w_left += weight[column[i] & row_mask]
        if w_left < least or node.weight - w_left < least:
            curve[i - start] = -np.inf


@inline_kernel
def _scan_thresholds(column, start, known, end, packing, node, problem, scratch):
    """Score the cut after each known row into the curve.

    Returns the number of positions.
    """
    least = problem.min_samples_leaf
    if known < end:
        _scan_around_gap(column, start, known, end, packing, node, problem, scratch)
        return known - start
    count = max(known - 1 - start, 0)
    scratch.side[:count] = 0
    if problem.criterion == SQUARED_ERROR:
        _scan_numbers(
            column, start, known, packing[1], packing[3], problem.weight, problem.target, node,
            least, scratch.curve,
        )  # fmt: skip
    else:
        _scan_classes(
            column, start, known, packing, problem.weight, node, problem.criterion, least,
            scratch.left, scratch.curve,
        )  # fmt: skip
    if problem.min_weight_leaf > 0.0:
        _refuse_light(
            column, start, known, packing[1], problem.weight, node, problem.min_weight_leaf,
            scratch.curve,
        )  # fmt: skip
    return count


@inline_kernel
def _scan_subsets(column, start, known, end, packing, node, problem, scratch):
    """Score each subset that is tried into the curve; return how many there are.

    Where rows are missing, the last one is all categories, which leaves them alone.
    """
    categories = scratch.categories
    count = collect_categories(column, start, known, packing, node, problem, categories)
    if count + (known < end) < 2:
        return 0
    all_subsets = order_categories(count, node, problem, categories)
    n_cuts = (1 << (count - 1)) - 1 if all_subsets else count - 1
    n_cuts += known < end
    w_missing = _sum_missing(column, known, end, packing, node, problem, scratch)
    n_left = 0
    w_left = 0.0
    scratch.left[:] = 0.0
    for cut in range(n_cuts):
        first, last = cut, cut + 1
        if all_subsets:
            n_left = 0
            w_left = 0.0
            scratch.left[:] = 0.0
            lay_out(cut, count, True, categories)
            first, last = 0, count
        for place in range(first, last):
            c = categories.order[place]
            if not all_subsets or categories.is_first[c]:
                n_left += categories.first[c + 1] - categories.first[c]
                w_left += categories.weight[c]
                for k in range(scratch.left.shape[0]):
                    scratch.left[k] += categories.sums[c, k]
        score, side = _best_side(
            n_left, w_left, end - start, end - known, w_missing, node, problem, scratch
        )
        scratch.curve[cut] = score
        scratch.side[cut] = side
    return n_cuts


@kernel
def scan_binary(column, f, start, end, packing, node, problem, scratch):
    """Score all candidates of feature f at the node column[start:end].

    scratch.curve receives the scores, -inf where a position is no candidate or inadmissible,
    scratch.side where the missing rows go. Returns the number of entries and the best score.
    """
    known = known_end(column, start, end, f, packing, problem)
    if problem.n_categories[f] > 0:
        count = _scan_subsets(column, start, known, end, packing, node, problem, scratch)
    else:
        count = _scan_thresholds(column, start, known, end, packing, node, problem, scratch)
    best = -np.inf
    for i in range(count):
        best = max(best, scratch.curve[i])
    return count, best


@kernel
def mark_first(column, f, start, end, cut, side, packing, node, problem, scratch, goes_first):
    """Mark the rows of column[start:end] that go first under a candidate.

    Marks are by row; the candidate is number `cut` of feature `f`.

    Of a subset the lowest category present goes first; missing rows alone go second. Returns how
    many rows go first, and the branch of missing rows: side 1 joins those counted first; without
    any, the heavier child.
    """
    known = known_end(column, start, end, f, packing, problem)
    row_mask = packing[1]
    n_first = 0
    w_first = 0.0
    categories = scratch.categories
    branch = 1 - side
    if problem.n_categories[f] > 0:
        count = collect_categories(column, start, known, packing, node, problem, categories)
        lay_out(cut, count, order_categories(count, node, problem, categories), categories)
        if not categories.is_first[0]:
            branch = side
            for c in range(count):
                categories.is_first[c] = not categories.is_first[c]
    else:
        count = 2
        categories.first[0], categories.first[1] = start, start + cut + 1
        categories.first[2] = known
        categories.is_first[0], categories.is_first[1] = True, False
    for c in range(count):
        for i in range(categories.first[c], categories.first[c + 1]):
            row = column[i] & row_mask
            goes_first[row] = categories.is_first[c]
            if categories.is_first[c]:
                n_first += 1
                w_first += problem.weight[row]
    if known == end:
        branch = 0 if 2.0 * w_first >= node.weight else 1
    for i in range(known, end):
        goes_first[column[i] & row_mask] = branch == 0
    return (n_first + end - known if branch == 0 else n_first), branch
