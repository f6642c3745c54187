"""Slow, obvious twins of the criterion landscape and of the lookahead of depth two."""

from itertools import combinations, pairwise

import numpy as np

from tests import naive, naive_mixed, naive_oblique


def gain_ratio(left, right):
    return naive.gain(left, right, naive.entropy) / naive.entropy([sum(left), sum(right)])


SCORES = naive_oblique.SCORES | {"gain_ratio": gain_ratio, "chi2": naive_mixed.STATISTICS["chi2"]}


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


def errors(y):
    return len(y) - np.bincount(y).max()


def impurity(y):
    """Rows times their Gini impurity."""
    return len(y) - (np.bincount(y) ** 2).sum() / len(y)


def thresholds(X):
    """(feature, value below the threshold, rows that go first) of every threshold."""
    for f in range(X.shape[1]):
        for low, high in pairwise(np.unique(X[:, f])):
            yield f, low, X[:, f] <= (low + high) / 2


def stump(X, y, cost):
    """Least cost of a leaf or of one threshold."""
    parted = [cost(y[first]) + cost(y[~first]) for _, _, first in thresholds(X)]
    return min([cost(y), *parted])


def stump_errors(X, y, _n_classes):
    return int(stump(X, y, errors))


def two_levels(X, y, cost):
    """(feature, threshold, cost) of every threshold with the best trees of depth one below it."""
    return [
        (f, low, stump(X[first], y[first], cost) + stump(X[~first], y[~first], cost))
        for f, low, first in thresholds(X)
    ]
