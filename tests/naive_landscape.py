"""Slow, obvious twins of the criterion landscape and of the lookahead of depth two."""

from itertools import combinations, pairwise

import numpy as np

from tests import naive, naive_mixed, naive_oblique


def gain_ratio(left, right):
    return naive.gain(left, right, naive.entropy) / naive.entropy([sum(left), sum(right)])


SCORES = naive_oblique.SCORES | {
    "gain_ratio": gain_ratio,
    "chi2": naive_mixed.STATISTICS["chi2"],
}


def directions(points):
    """A direction between any two neighbouring ones along which two points coincide, in degrees."""
    turns = {0.0, 180.0}
    for a, b in combinations(np.unique(points, axis=0), 2):
        turns.add(float(np.rad2deg(np.arctan2(b[0] - a[0], a[1] - b[1])) % 180.0))
    merged = []
    for turn in sorted(turns):
        if not merged or turn - merged[-1] > 1e-9:
            merged.append(turn)
    return [(low, high, (low + high) / 2) for low, high in pairwise(merged)]


def partitions(points, theta):
    """Every partition of the points by a line of one direction, as masks of the first child."""
    angle = np.deg2rad(theta)
    along = points @ np.array([np.cos(angle), np.sin(angle)])
    values = np.unique(np.round(along, 12))
    return [along <= (low + high) / 2 for low, high in pairwise(values)]


def scored(points, y, n_classes, score, min_samples_leaf=1):
    """(low, high, first child, score) of every partition of every line, parallel ones included."""
    found = []
    for low, high, theta in [*directions(points), (0.0, 0.0, 0.0), (90.0, 90.0, 90.0)]:
        for first in partitions(points, theta):
            left, right = (np.bincount(y[side], minlength=n_classes) for side in (first, ~first))
            if min(left.sum(), right.sum()) >= min_samples_leaf:
                found.append((low, high, first, score(left.tolist(), right.tolist())))
    return found


def stump_errors(X, y, n_classes):
    """Fewest errors of a leaf or of one threshold."""
    errors = len(y) - np.bincount(y, minlength=n_classes).max()
    for f in range(X.shape[1]):
        for low, high in pairwise(np.unique(X[:, f])):
            first = X[:, f] <= (low + high) / 2
            wrong = sum(
                s.sum() - np.bincount(y[s], minlength=n_classes).max() for s in (first, ~first)
            )
            errors = min(errors, wrong)
    return int(errors)


def two_levels(X, y, n_classes):
    """(feature, threshold, errors) of every threshold with the best trees of depth one below it."""
    rows = []
    for f in range(X.shape[1]):
        for low, high in pairwise(np.unique(X[:, f])):
            first = X[:, f] <= (low + high) / 2
            errors = sum(stump_errors(X[s], y[s], n_classes) for s in (first, ~first))
            rows.append((f, low, errors))
    return rows


def impurity(y):
    """Rows times their Gini impurity."""
    return len(y) - (np.bincount(y) ** 2).sum() / len(y)


def two_levels_of_gini(X, y):
    """(feature, threshold, impurity) of every threshold with the purest trees below it."""

    def stump(inside):
        least = impurity(y[inside])
        for f in range(X.shape[1]):
            for low, high in pairwise(np.unique(X[inside, f])):
                first = inside & (X[:, f] <= (low + high) / 2)
                least = min(least, impurity(y[first]) + impurity(y[inside & ~first]))
        return least

    rows = []
    for f in range(X.shape[1]):
        for low, high in pairwise(np.unique(X[:, f])):
            first = X[:, f] <= (low + high) / 2
            rows.append((f, low, (stump(first) + stump(~first)) / len(y)))
    return rows
