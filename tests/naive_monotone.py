"""Slow, obvious twins for monotone classification: pairs of rows, one by one."""

from __future__ import annotations

import math

import numpy as np

from tests import naive


def pair_information(low, y, descending=False):
    """Rank mutual information of a two-valued feature (True: low) and classes, from all pairs."""
    n = len(y)
    a, c = (~low).astype(int), np.asarray(y)
    if descending:
        a, c = -a, -c
    total = 0.0
    for i in range(n):
        in_feature, in_class = a >= a[i], c >= c[i]
        both = np.count_nonzero(in_feature & in_class)
        total += math.log(in_feature.sum() * in_class.sum() / (n * both))
    return -total / n


def information(low, y, dominance, direction):
    """The same for any dominance and any direction of the feature."""
    if direction == 0:
        return max(information(low, y, dominance, sign) for sign in (1, -1))
    low = low if direction == 1 else ~low
    if dominance == "mean":
        return (pair_information(low, y) + pair_information(low, y, descending=True)) / 2
    return pair_information(low, y, dominance == "descending")


def remt_split(X, y, n_classes, *, dominance="ascending", directions=None, min_gain=0.01,
               at_value=True, min_leaf=1):  # fmt: skip
    directions = np.ones(X.shape[1]) if directions is None else directions
    scored = []
    for feature, threshold, left, right in naive.candidates(X, y, n_classes):
        inside = X[:, feature] <= threshold
        if min(inside.sum(), (~inside).sum()) < min_leaf:
            continue
        threshold = X[inside, feature].max() + 0.0 if at_value else threshold
        score = information(inside, y, dominance, directions[feature])
        scored.append((score, (feature, threshold, left, right)))
    best = naive.first_of_the_best(naive.best_of_each_feature(scored))
    return best if best is not None and best[0] >= min_gain - naive.TIE else None


def median(y, upper):
    y = sorted(y)
    return y[len(y) // 2] if upper else y[(len(y) - 1) // 2]


def dominates(z, x):
    return all(b >= a for a, b in zip(x, z, strict=True))


def dominance_counts(X, y):
    """For each row: how many rows dominate it, and how many of them are not lower in class."""
    above = [[j for j in range(len(X)) if dominates(X[j], X[i])] for i in range(len(X))]
    in_class = [sum(y[j] >= y[i] for j in js) for i, js in enumerate(above)]
    return np.array([len(js) for js in above]), np.array(in_class)
