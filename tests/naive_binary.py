"""Slow, obvious twins of the binary splits: every threshold, subset and side for the missing."""

from itertools import combinations, pairwise

import numpy as np

from tests import naive
from tests.naive_oblique import twoing


def spread(y, w):
    mean = (w * y).sum() / w.sum()
    return (w * (y - mean) ** 2).sum()


def by_class(y, w, n_classes):
    return [w[y == k].sum() for k in range(n_classes)]


def score(criterion, first, y, w, n_classes):
    """The score of the split that sends the rows `first` one way."""
    if criterion == "squared_error":
        inside = spread(y[first], w[first]) + spread(y[~first], w[~first])
        return 1 - inside / spread(y, w)
    left, right = by_class(y[first], w[first], n_classes), by_class(y[~first], w[~first], n_classes)
    if criterion == "twoing":
        return twoing(left, right)
    return naive.gain(left, right, {"gini": naive.gini, "gain": naive.entropy}[criterion])


def partitions(x, nominal):
    """All ways to part the known values of a column: masks of the rows that go first."""
    known = ~np.isnan(x)
    values = np.unique(x[known])
    alone = [known] if not known.all() else []  # the missing values against all others
    if not nominal:
        return [known & (x <= below) for below, _ in pairwise(values)] + alone
    rest = values[1:]
    chosen = [c for size in range(len(rest)) for c in combinations(rest, size)]
    return [known & np.isin(x, [values[0], *c]) for c in chosen] + alone


def all_scores(X, y, w, nominal, criterion, n_classes=1, min_leaf=1):
    """(feature, score) of every candidate, the missing rows in the better child."""
    out = []
    for f in range(X.shape[1]):
        missing = np.isnan(X[:, f])
        for first in partitions(X[:, f], nominal[f]):
            sides = [first, first | missing] if missing.any() else [first]
            admitted = [s for s in sides if min(s.sum(), (~s).sum()) >= min_leaf]
            if admitted:
                out.append((f, max(score(criterion, s, y, w, n_classes) for s in admitted)))
    return out
