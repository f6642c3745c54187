"""Fewest training errors of trees of depth two, for every threshold of the root.

Rows enter a child one after the other, in the order of the root's feature. A cut of the child
after rank s of feature g, whose sides are labelled a and b, makes n - n_b - sum over the rows of
ranks <= s of ([y = a] - [y = b]) errors, so the best s is a largest sum of a beginning. A segment
tree for each pair of classes keeps it up to date over the ranks of g.
"""

import numpy as np

from lastviz._numba import inline_kernel, kernel

SUM, HIGH, LOW = 0, 1, 2  # of the ranks below a node: their sum, its extremes over beginnings


@inline_kernel
def _add(tree, at, step):
    """Add `step` to a leaf of a segment tree (3, 2 size), and update its ancestors."""
    total = tree[SUM, at] + step
    tree[SUM, at] = total
    tree[HIGH, at] = max(total, 0)
    tree[LOW, at] = min(total, 0)
    at >>= 1
    while at > 0:
        first, second = 2 * at, 2 * at + 1
        before = tree[SUM, first]
        tree[SUM, at] = before + tree[SUM, second]
        tree[HIGH, at] = max(tree[HIGH, first], before + tree[HIGH, second])
        tree[LOW, at] = min(tree[LOW, first], before + tree[LOW, second])
        at >>= 1


@inline_kernel
def _enter(trees, at, c, n_classes):
    """Add a sample of class c, with leaf `at` as its rank, to the trees of its pairs."""
    for other in range(n_classes):
        a, b = min(c, other), max(c, other)
        if a < b:
            pair = a * n_classes - a * (a + 1) // 2 + b - a - 1
            _add(trees[pair], at, 1 if c == a else -1)


@inline_kernel
def _fewest(trees, counts, n):
    """Errors of the best cut of the rows that have entered, n of classes counts (K)."""
    n_classes = counts.shape[0]
    fewest = n - counts[0]  # of one class there is no pair
    pair = 0
    for a in range(n_classes):
        for b in range(a + 1, n_classes):
            fewest = min(fewest, n - counts[b] - trees[pair, HIGH, 1])
            fewest = min(fewest, n - counts[a] + trees[pair, LOW, 1])
            pair += 1
    return fewest


@kernel
def child_errors(order, ranks, n_ranks, y, n_classes, first, second):
    """Fill in the fewest errors of both children of every cut of a root's feature.

    order (n) are the rows along that feature, ranks (m, n) each row's rank in every feature and
    n_ranks (m) how many there are. first[i] gets the errors of the rows up to position i, second[i]
    those of the others. O(m n K log n), memory O(K^2 n).
    """
    n, m = order.shape[0], ranks.shape[0]
    n_pairs = max(n_classes * (n_classes - 1) // 2, 1)
    size = 1
    while size < n_ranks.max():
        size *= 2
    room = np.zeros((n_pairs, 3, 2 * size), dtype=np.int32)
    counts = np.zeros(n_classes, dtype=np.int64)
    first[:] = n
    second[:] = n
    for g in range(m):
        leaves = 1
        while leaves < n_ranks[g]:
            leaves *= 2
        trees = room[:, :, : 2 * leaves]
        for backwards in range(2):
            trees[:, :, :] = 0
            counts[:] = 0
            for entered in range(1, n):
                row = order[n - entered] if backwards else order[entered - 1]
                _enter(trees, leaves + ranks[g, row], y[row], n_classes)
                counts[y[row]] += 1
                fewest = _fewest(trees, counts, entered)
                if backwards:
                    second[n - entered - 1] = min(second[n - entered - 1], fewest)
                else:
                    first[entered - 1] = min(first[entered - 1], fewest)


@inline_kernel
def _most_of_squares(counts, totals, n):
    """Largest sum of squared counts over rows, of a leaf or of one cut of its ranks.

    counts (n_ranks, K) are the rows that have entered, n of classes totals (K).
    """
    n_classes = totals.shape[0]
    most = 0.0
    for k in range(n_classes):
        most += np.float64(totals[k]) * totals[k] / n
    left = np.zeros(n_classes, dtype=np.int64)
    n_left = 0
    for rank in range(counts.shape[0]):
        entered = 0
        for k in range(n_classes):
            left[k] += counts[rank, k]
            entered += counts[rank, k]
        n_left += entered
        if entered == 0 or n_left == n:
            continue
        first, second = 0, 0
        for k in range(n_classes):
            right = totals[k] - left[k]
            first += left[k] * left[k]
            second += right * right
        most = max(most, first / np.float64(n_left) + second / np.float64(n - n_left))
    return most


@kernel
def child_ginis(order, ranks, n_ranks, y, n_classes, first, second):
    """Fill in the least Gini impurity, times samples, of both children of every cut.

    As :func:`child_errors`; no sum of rows says it, so all ranks are gone through for each cut:
    O(m n^2 K).
    """
    n, m = order.shape[0], ranks.shape[0]
    first[:] = n
    second[:] = n
    for g in range(m):
        for backwards in range(2):
            counts = np.zeros((n_ranks[g], n_classes), dtype=np.int64)
            totals = np.zeros(n_classes, dtype=np.int64)
            for entered in range(1, n):
                row = order[n - entered] if backwards else order[entered - 1]
                counts[ranks[g, row], y[row]] += 1
                totals[y[row]] += 1
                least = entered - _most_of_squares(counts, totals, entered)
                if backwards:
                    second[n - entered - 1] = min(second[n - entered - 1], least)
                else:
                    first[entered - 1] = min(first[entered - 1], least)
