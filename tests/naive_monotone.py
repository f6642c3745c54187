"""Slow, obvious twins for monotone classification: pairs of rows, one by one."""

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


def comparable_pairs(X, y):
    """Each unordered pair of rows once: how many are comparable, how many of them contradict."""
    comparable = contradicting = 0
    for i in range(len(X)):
        for j in range(i):
            up, down = dominates(X[i], X[j]), dominates(X[j], X[i])
            comparable += up or down
            contradicting += (up and y[i] < y[j]) or (down and y[j] < y[i])
    return comparable, contradicting


def comparable_boxes(low, high, label, directions):
    """The same for boxes low < x <= high with different labels, from the intervals' ends."""
    comparable = contradicting = 0
    for i in range(len(label)):
        for j in range(i):
            if label[i] == label[j]:
                continue
            up = all(_reaches(low[j], high[j], low[i], high[i], f, d)
                     for f, d in enumerate(directions))  # fmt: skip
            down = all(_reaches(low[i], high[i], low[j], high[j], f, d)
                       for f, d in enumerate(directions))  # fmt: skip
            comparable += up or down
            contradicting += (up and label[i] < label[j]) or (down and label[j] < label[i])
    return comparable, contradicting


def _reaches(low, high, other_low, other_high, f, direction):
    """Tell whether some value of the other interval is at or beyond some value of the first."""
    beyond = low[f] < other_high[f]
    before = other_low[f] < high[f]
    return {1: beyond, -1: before, 0: beyond and before}[int(direction)]
