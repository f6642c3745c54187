"""Kernels of alternating optimization: routing a node's samples, and the best cut."""

import math
from typing import NamedTuple

import numpy as np

from lastviz._numba import inline_kernel, kernel
from lastviz.tree.apply_kernels import position_along


class Tests(NamedTuple):
    """The tests that stand at the positions of a tree, and where each leads."""

    first: np.ndarray  # (n_nodes,) int64: the first child, -1 at a leaf
    feature: np.ndarray  # (n_nodes,) int64: -1 of a hyperplane
    threshold: np.ndarray  # (n_nodes,)
    weights: np.ndarray  # (n_nodes, m): of hyperplanes


@inline_kernel
def _child(x, node, tests):
    feature = tests.feature[node]
    at = x[feature] if feature >= 0 else position_along(x, tests.weights[node])
    return tests.first[node] + (0 if at <= tests.threshold[node] else 1)


@kernel
def take_branches(X, rows, node, tests, second):
    """Write into second (n_rows,) which of the rows take the second branch of a node."""
    for i in range(rows.shape[0]):
        second[i] = _child(X[rows[i]], node, tests) != tests.first[node]


@kernel
def count_below(X, y, rows, node, tests, counts):
    """Add the rows of a node, by class, to all positions that they pass below it."""
    for row in rows:
        at = node
        while tests.first[at] >= 0:
            at = _child(X[row], at, tests)
            counts[at, y[row]] += 1


@kernel
def right_below(X, y, rows, node, tests, label, right):
    """Write into right (n_rows,) which rows the subtree at a position predicts right."""
    for i in range(rows.shape[0]):
        at = node
        while tests.first[at] >= 0:
            at = _child(X[rows[i]], at, tests)
        right[i] = label[at] == y[rows[i]]


@kernel
def newton_sums(Z, second, weights, slope, curvature):
    """Fill in gradient and curvature of a logistic fit at weights.

    Slope is (k,), curvature (k, k); second is fitted to Z (n, k).
    """
    k = Z.shape[1]
    slope[:] = 0.0
    curvature[:] = 0.0
    for i in range(Z.shape[0]):
        at = min(max(position_along(Z[i], weights), -30.0), 30.0)
        share = 1.0 / (1.0 + math.exp(-at))
        for j in range(k):
            slope[j] += (second[i] - share) * Z[i, j]
            part = share * (1.0 - share) * Z[i, j]
            for other in range(j + 1):
                curvature[j, other] += part * Z[i, other]
    for j in range(k):
        curvature[:j, j] = curvature[j, :j]


@kernel
def best_stump(X, rows, second):
    """Cut that sends the fewest rows the wrong way: (wrong, feature, below, above).

    Rows with second (n_rows,) belong above the cut, the others below it. It lies between two
    values of its feature; where no row belongs above, both are the largest value. Of equal cuts
    the first feature's lowest.
    """
    n = rows.shape[0]
    least, feature, below, above = n + 1, -1, 0.0, 0.0
    for f in range(X.shape[1]):
        values = np.empty(n)
        for i in range(n):
            values[i] = X[rows[i], f]
        order = np.argsort(values, kind="mergesort")
        wrong = n - second.sum()
        for i in range(n):
            wrong += 1 if second[order[i]] else -1
            here, after = values[order[i]], values[order[min(i + 1, n - 1)]]
            if wrong < least and (i == n - 1 or here < after):
                least, feature, below, above = wrong, f, here, after
    return least, feature, below, above
