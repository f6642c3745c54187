"""C4.5 on nominal and numeric data with missing values and weights, by recursion."""

import math
from itertools import pairwise

import numpy as np

from tests.naive import TIE, entropy, gain

ROUNDING = 1e-9


def over_entropy(left, right):
    both = [a + b for a, b in zip(left, right, strict=True)]
    disorder = entropy(both)
    return gain(left, right, entropy) / disorder if disorder > 0 else -math.inf


def chi2(left, right):
    n, out = sum(left) + sum(right), 0.0
    for k in range(len(left)):
        for child in (left, right):
            expected = sum(child) * (left[k] + right[k]) / n
            out += (child[k] - expected) ** 2 / expected if expected > 0 else 0.0
    return out


def g_statistic(left, right):
    n, out = sum(left) + sum(right), 0.0
    for k in range(len(left)):
        for child in (left, right):
            if child[k] > 0:
                expected = sum(child) * (left[k] + right[k]) / n
                out += 2 * child[k] * math.log(child[k] / expected)
    return out


STATISTICS = {"gain_ratio_entropy": over_entropy, "chi2": chi2, "g_statistic": g_statistic}


def counts_of(entries, y, n_classes):
    out = np.zeros(n_classes)
    for row, weight in entries:
        out[y[row]] += weight
    return out


def known_of(X, entries, feature):
    return [(r, w) for r, w in entries if not np.isnan(X[r, feature])]


def split_entries(X, entries, feature, branch_of, n_branches):
    """The entries of each branch; those of unknown value go to all with rows, in parts."""
    known = known_of(X, entries, feature)
    total = sum(w for _, w in known)
    out = []
    for b in range(n_branches):
        here = {r: w for r, w in known if branch_of(X[r, feature]) == b}
        share = sum(here.values()) / total
        if here:
            unknown = {r: w * share for r, w in entries if np.isnan(X[r, feature])}
            here = dict(sorted((here | unknown).items()))
        out.append(list(here.items()))
    return out


def judge(X, y, n_classes, entries, feature, groups):
    """Gain scaled by the known share, and split information with the unknown as a branch."""
    known = known_of(X, entries, feature)
    total, n_known = sum(w for _, w in entries), sum(w for _, w in known)
    inside = sum(
        sum(w for _, w in g) / n_known * entropy(counts_of(g, y, n_classes)) for g in groups if g
    )
    bits = n_known / total * (entropy(counts_of(known, y, n_classes)) - inside)
    sizes = [sum(w for _, w in g) for g in groups] + [total - n_known]
    return bits, entropy([max(s, 0.0) for s in sizes])


def of_feature(X, y, n_classes, entries, feature, n_categories, min_leaf):
    """(gain after its price, ratio, feature, threshold or None) of the feature's best test."""
    known = known_of(X, entries, feature)
    total, n_known = sum(w for _, w in entries), sum(w for _, w in known)
    if n_categories:
        groups = [[(r, w) for r, w in known if X[r, feature] == c] for c in range(n_categories)]
        if sum(sum(w for _, w in g) >= min_leaf - ROUNDING for g in groups) < 2:
            return None
        bits, information = judge(X, y, n_classes, entries, feature, groups)
        return bits, bits / information if information > 0 else -np.inf, feature, None
    smallest = min(25, max(min_leaf, 0.1 * n_known / n_classes))
    values = sorted({X[r, feature] for r, _ in known})
    found = []
    for below, above in pairwise(values):
        groups = [[(r, w) for r, w in known if (X[r, feature] <= below) == side]
                  for side in (True, False)]  # fmt: skip
        if min(sum(w for _, w in g) for g in groups) < smallest - ROUNDING:
            continue
        found.append((*judge(X, y, n_classes, entries, feature, groups), (below + above) / 2))
    if not found:
        return None
    largest = max(bits for bits, _, _ in found)
    bits, information, threshold = next(f for f in found if f[0] >= largest - TIE)
    bits -= math.log2(len(found)) / total
    return bits, bits / information, feature, threshold


def best_of(X, y, n_classes, entries, n_categories, used, n_rows, min_leaf):
    """C4.5's choice at one node, None if it makes a leaf of it."""
    tests = [
        of_feature(X, y, n_classes, entries, f, k, min_leaf)
        for f, k in enumerate(n_categories)
        if f not in used
    ]
    tests = [test for test in tests if test is not None]
    crowded = [k >= 0.3 * n_rows for k in n_categories]
    crowded = [c and not all(crowded) for c in crowded]
    counted = [g for g, _, f, t in tests if not crowded[f] and (t is None or g > TIE)]
    if not counted:
        return None
    floor = np.mean(counted) - 1e-3
    tests = [test for test in tests if test[0] >= floor and test[0] > TIE]
    if not tests:
        return None
    largest = max(ratio for _, ratio, _, _ in tests)
    return next(test for test in tests if test[1] >= largest - TIE)


def grow(X, y, n_classes, n_categories, weights=None, min_leaf=2):
    """The unpruned tree as nested dicts; `X` is encoded."""
    weights = np.ones(len(X)) if weights is None else weights
    root = [(i, w) for i, w in enumerate(weights) if w > 0]

    def node(entries, used):
        counts = counts_of(entries, y, n_classes)
        out = {"counts": counts, "rows": [r for r, _ in entries], "children": []}
        if np.count_nonzero(counts) < 2:
            return out
        chosen = best_of(X, y, n_classes, entries, n_categories, used, len(root), min_leaf)
        if chosen is None:
            return out
        _, _, feature, threshold = chosen
        nominal = threshold is None
        parts = split_entries(
            X, entries, feature, int if nominal else lambda v: int(v > threshold),
            n_categories[feature] if nominal else 2,
        )  # fmt: skip
        below = used | {feature} if nominal else used
        out |= {"feature": feature, "threshold": threshold}
        out["children"] = [node(part, below) for part in parts]
        return out

    return node(root, frozenset())
