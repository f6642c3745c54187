"""Scoring every binary split of one feature at one node, thresholds and subsets alike.

A feature is its packed cells (see ``lastviz/criteria/scan_kernels.py``) in sorted order, rows
whose value is missing last. A nominal feature holds codes, so a category is a run of cells.
Each candidate is tried with the missing rows in either child.
"""

from typing import NamedTuple

import numpy as np

from lastviz._numba import inline_kernel, kernel
from lastviz.criteria.scan_kernels import TIE
from lastviz.criteria.sums_kernels import SQUARED_ERROR, split_score

MOST_EXACT = 10  # categories at a node whose subsets are all tried with three or more classes
_STEPS = 100  # of the power iteration that finds the first principal component


class Problem(NamedTuple):
    """What is learnt from, and how splits are judged."""

    columns: np.ndarray  # (m, n): values, codes of categories; inf where missing
    n_categories: np.ndarray  # (m,): 0 for a numeric feature
    has_missing: np.ndarray  # (m,) bool
    weight: np.ndarray  # (n,)
    target: np.ndarray  # (n,): numbers to be learnt; empty for classes
    criterion: int
    min_samples_leaf: int


class Node(NamedTuple):
    """The sums of a node."""

    total: np.ndarray  # (K,): weights by class; (1,) zero for numbers
    weight: float
    mean: float  # of the numbers; 0 for classes
    spread: float  # sum of weighted squares about the mean; 0 for classes


class Categories(NamedTuple):
    """The categories of a nominal feature that are present at a node, by rising code."""

    first: np.ndarray  # position of the first cell of each, one more at the end
    weight: np.ndarray
    sums: np.ndarray  # (size, K)
    key: np.ndarray  # scratch
    order: np.ndarray  # the order in which prefixes are tried
    is_first: np.ndarray  # which are in the first child, where one candidate is laid out


class Scratch(NamedTuple):
    """Room for one feature."""

    curve: np.ndarray  # score of each candidate
    side: np.ndarray  # 1: its missing rows join the rows counted first
    left: np.ndarray  # (K,)
    gap: np.ndarray  # (K,): sums of the missing rows
    both: np.ndarray  # (K,)
    categories: Categories


@inline_kernel
def _count(sums, row, label, problem, mean):
    """Add a row to sums (K); return its weight."""
    w = problem.weight[row]
    if problem.criterion == SQUARED_ERROR:
        sums[0] += w * (problem.target[row] - mean)
    else:
        sums[label] += w
    return w


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
    """Return the position of the first missing row of column[start:end], end if there is none."""
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
def _best_side(n_left, w_left, n, n_gap, w_gap, node, problem, scratch):
    """Score a candidate with the missing rows second or first; return (score, 1 if first).

    The rows counted first have the sums scratch.left.
    """
    least = problem.min_samples_leaf
    score = -np.inf
    side = 0
    if n_left >= least and n - n_left >= least:
        score = split_score(
            scratch.left, node.total, w_left, node.weight, node.spread, problem.criterion
        )
    if n_gap > 0 and n_left + n_gap >= least and n - n_left - n_gap >= least:
        for k in range(scratch.left.shape[0]):
            scratch.both[k] = scratch.left[k] + scratch.gap[k]
        other = split_score(
            scratch.both, node.total, w_left + w_gap, node.weight, node.spread, problem.criterion
        )
        if other > score + TIE:
            score = other
            side = 1
    return score, side


@kernel
def _sum_gap(column, known, end, packing, node, problem, scratch):
    """Fill scratch.gap with the sums of the missing rows; return their weight."""
    row_bits, row_mask, class_mask, _ = packing
    scratch.gap[:] = 0.0
    w_gap = 0.0
    for i in range(known, end):
        cell = column[i]
        label = (cell >> row_bits) & class_mask
        w_gap += _count(scratch.gap, cell & row_mask, label, problem, node.mean)
    return w_gap


@kernel
def _scan_thresholds(column, start, known, end, packing, node, problem, scratch):
    """Score the cut after each known row into the curve; return the number of positions."""
    row_bits, row_mask, class_mask, top_bit = packing
    w_gap = _sum_gap(column, known, end, packing, node, problem, scratch)
    scratch.left[:] = 0.0
    w_left = 0.0
    for i in range(start, known - 1):
        cell = column[i]
        label = (cell >> row_bits) & class_mask
        w_left += _count(scratch.left, cell & row_mask, label, problem, node.mean)
        scratch.curve[i - start] = -np.inf
        if column[i + 1] >= top_bit:
            score, side = _best_side(
                i + 1 - start, w_left, end - start, end - known, w_gap, node, problem, scratch
            )
            scratch.curve[i - start] = score
            scratch.side[i - start] = side
    return max(known - 1 - start, 0)


@kernel
def collect_categories(column, start, known, packing, node, problem, categories):
    """Fill in the categories of column[start:known]; return how many there are."""
    row_bits, row_mask, class_mask, top_bit = packing
    count = 0
    for i in range(start, known):
        cell = column[i]
        if i == start or cell >= top_bit:
            categories.first[count] = i
            categories.weight[count] = 0.0
            categories.sums[count, :] = 0.0
            count += 1
        label = (cell >> row_bits) & class_mask
        categories.weight[count - 1] += _count(
            categories.sums[count - 1], cell & row_mask, label, problem, node.mean
        )
    categories.first[count] = known
    return count


@kernel
def _share_along_component(count, categories):
    """Fill key with each category's place along the first principal component of class shares.

    Categories count by their weight. The component comes from a power iteration.
    """
    n_classes = categories.sums.shape[1]
    shares = np.empty((count, n_classes))
    mean = np.zeros(n_classes)
    total = 0.0
    for c in range(count):
        shares[c] = categories.sums[c] / categories.weight[c]
        mean += categories.sums[c]
        total += categories.weight[c]
    mean /= total
    scatter = np.zeros((n_classes, n_classes))
    for c in range(count):
        for k in range(n_classes):
            for j in range(n_classes):
                scatter[k, j] += (
                    categories.weight[c] * (shares[c, k] - mean[k]) * (shares[c, j] - mean[j])
                )
    along = np.zeros(n_classes)
    widest = 0
    for k in range(n_classes):
        if scatter[k, k] > scatter[widest, widest]:
            widest = k
    along[:] = scatter[widest]
    for _ in range(_STEPS):
        length = np.sqrt((along * along).sum())
        if length == 0.0:
            break
        along /= length
        image = np.zeros(n_classes)
        for k in range(n_classes):
            for j in range(n_classes):
                image[k] += scatter[k, j] * along[j]
        along = image
    length = np.sqrt((along * along).sum())
    for c in range(count):
        categories.key[c] = 0.0
        for k in range(n_classes):
            if length > 0.0:
                categories.key[c] += shares[c, k] * along[k] / length


@kernel
def order_categories(count, node, problem, categories):
    """Fill order with the categories as their prefixes are tried; return whether all subsets are.

    By mean, or by the share of one of two classes: then a best subset is a prefix (Breiman
    et al. 1984, theorem 4.5). With more classes all subsets up to MOST_EXACT categories, beyond
    prefixes along the first principal component of class shares.
    """
    n_present = 0
    last = 0
    for k in range(node.total.shape[0]):
        if node.total[k] > 0.0:
            n_present += 1
            last = k
    if n_present > 2 and count <= MOST_EXACT:
        for c in range(count):
            categories.order[c] = c
        return True
    if n_present > 2:
        _share_along_component(count, categories)
    else:
        for c in range(count):
            categories.key[c] = categories.sums[c, last] / categories.weight[c]
    categories.order[:count] = np.argsort(categories.key[:count], kind="mergesort")
    return False


@kernel
def lay_out(cut, count, all_subsets, categories):
    """Mark in is_first the categories of candidate number cut, before any change of sides."""
    for c in range(count):
        if all_subsets:
            categories.is_first[c] = c == 0 or ((cut >> (c - 1)) & 1) == 1
        else:
            categories.is_first[categories.order[c]] = c <= cut


@kernel
def _scan_subsets(column, start, known, end, packing, node, problem, scratch):
    """Score each subset that is tried into the curve; return how many there are."""
    categories = scratch.categories
    count = collect_categories(column, start, known, packing, node, problem, categories)
    if count < 2:
        return 0
    all_subsets = order_categories(count, node, problem, categories)
    n_cuts = (1 << (count - 1)) - 1 if all_subsets else count - 1
    w_gap = _sum_gap(column, known, end, packing, node, problem, scratch)
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
            n_left, w_left, end - start, end - known, w_gap, node, problem, scratch
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
    """Mark by row which of column[start:end] go first under candidate number cut of feature f.

    Of a subset the lowest category present goes first. Returns how many rows do, and the
    branch of missing rows: side 1 joins those counted first; without any, the heavier child.
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
