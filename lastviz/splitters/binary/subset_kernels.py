"""The categories of a nominal feature at one node, and the subsets of them that are tried.

A category is a run of cells of the feature's column, which is sorted by code.
"""

from typing import NamedTuple

import numpy as np

from lastviz._numba import inline_kernel, kernel
from lastviz.criteria.sums_kernels import SQUARED_ERROR, sum_in_order

MOST_EXACT = 10  # categories at a node whose subsets are all tried with three or more classes
_STEPS = 100  # of the power iteration that finds the first principal component


class Problem(NamedTuple):
    """Training data, and the criterion and limits of splits."""

    columns: np.ndarray  # (m, n): values, codes of categories; inf where missing
    n_categories: np.ndarray  # (m,): 0 for a numeric feature
    has_missing: np.ndarray  # (m,) bool
    weight: np.ndarray  # (n,)
    target: np.ndarray  # (n,): numbers to be learnt; empty for classes
    criterion: int
    min_samples_leaf: int
    min_weight_leaf: float  # least weight of a child; 0: none is asked for


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


@inline_kernel
def count_row(sums, row, label, problem, mean):
    """Add a row to sums (K); return its weight."""
    w = problem.weight[row]
    if problem.criterion == SQUARED_ERROR:
        sums[0] += w * (problem.target[row] - mean)
    else:
        sums[label] += w
    return w


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
        categories.weight[count - 1] += count_row(
            categories.sums[count - 1], cell & row_mask, label, problem, node.mean
        )
    categories.first[count] = known
    return count


@inline_kernel
def _share_along_component(count, categories):
    """Fill key with each category's position along a principal component.

    It is the first one of the class shares.

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
        length = np.sqrt(sum_in_order(along * along))
        if length == 0.0:
            break
        along /= length
        image = np.zeros(n_classes)
        for k in range(n_classes):
            for j in range(n_classes):
                image[k] += scatter[k, j] * along[j]
        along = image
    length = np.sqrt(sum_in_order(along * along))
    for c in range(count):
        categories.key[c] = 0.0
        for k in range(n_classes):
            if length > 0.0:
                categories.key[c] += shares[c, k] * along[k] / length


@kernel
def order_categories(count, node, problem, categories):
    """Fill order with the categories in the order in which prefixes are tried.

    Returns whether all subsets are tried.

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
    """Mark in is_first the categories of candidate number cut, before any side swap."""
    for c in range(count):
        if all_subsets:
            categories.is_first[c] = c == 0 or ((cut >> (c - 1)) & 1) == 1
        else:
            categories.is_first[categories.order[c]] = c <= cut
