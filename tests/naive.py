"""Slow, obvious twins of the kernels: loops and numpy, to be checked by eye."""

import math
from collections import Counter
from itertools import pairwise, product

import numpy as np

TIE = 1e-12

# Quinlan's table of confidences and deviations.
QUINLAN = (
    [0, 0.001, 0.005, 0.01, 0.05, 0.1, 0.2, 0.4, 1],
    [4, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0],
)


def contiguous(y):
    """Classes as 0, ..., K - 1."""
    return np.unique(y, return_inverse=True)[1]


def gini(counts):
    n = sum(counts)
    return 0.0 if n == 0 else 1.0 - sum((c / n) ** 2 for c in counts)


def entropy(counts):
    n = sum(counts)
    return -sum(c / n * math.log2(c / n) for c in counts if c > 0)


def gain(left, right, impurity):
    n_left, n_right = sum(left), sum(right)
    both = [a + b for a, b in zip(left, right, strict=True)]
    n = n_left + n_right
    return impurity(both) - n_left / n * impurity(left) - n_right / n * impurity(right)


def cheapest(shares, costs):
    """The class of least expected cost, the first of equal ones."""
    expected = [
        sum(share * costs[true][called] for true, share in enumerate(shares))
        for called in range(len(shares))
    ]
    return next(k for k, cost in enumerate(expected) if cost <= min(expected) + TIE)


def savings(y, dear, cheap, costs):
    """Chance of each sum that as many draws from the rows cost more, four rows added to all."""
    cells = product(range(len(costs)), repeat=3)
    weights = Counter(dict.fromkeys(cells, 4 / len(costs) ** 3))
    weights.update(zip(y, dear, cheap, strict=True))
    found = {0: 1.0}
    for _ in y:
        after = Counter()
        for total, chance in found.items():
            for (true, one, other), weight in weights.items():
                saved = costs[true][one] - costs[true][other]
                after[total + saved] += chance * weight / (len(y) + 4)
        found = after
    return found


def candidates(X, y, n_classes):
    """All thresholds of all features: (feature, threshold, left counts, right counts)."""
    out = []
    for feature in range(X.shape[1]):
        values = np.unique(X[:, feature])
        for below, above in pairwise(values):
            inside = X[:, feature] <= below
            left = np.bincount(y[inside], minlength=n_classes)
            right = np.bincount(y[~inside], minlength=n_classes)
            middle = below / 2 + above / 2
            threshold = middle if below <= middle < above else below
            out.append((feature, threshold, left, right))
    return out


def first_of_the_best(scored):
    """The first candidate whose score ties with the largest; scored holds (score, item)."""
    if not scored:
        return None
    largest = max(score for score, _ in scored)
    return next(s for s in scored if s[0] >= largest - TIE * max(1.0, abs(largest)))


def best_of_each_feature(scored):
    features = sorted({item[0] for _, item in scored})
    return [first_of_the_best([s for s in scored if s[1][0] == f]) for f in features]


def cart_split(X, y, n_classes, impurity, min_leaf=1):
    scored = [
        (gain(left, right, impurity), (f, t, left, right))
        for f, t, left, right in candidates(X, y, n_classes)
        if left.sum() >= min_leaf and right.sum() >= min_leaf
    ]
    return first_of_the_best(best_of_each_feature(scored))


def c45_split(X, y, n_classes, min_leaf=2, mdl=True, average=True, ratio=True):
    n = len(y)
    smallest = min(25, max(min_leaf, 0.1 * n / n_classes))
    scored = [
        (gain(left, right, entropy), (f, t, left, right))
        for f, t, left, right in candidates(X, y, n_classes)
        if left.sum() >= smallest and right.sum() >= smallest
    ]
    tries = {f: sum(item[0] == f for _, item in scored) for f in range(X.shape[1])}
    best = best_of_each_feature(scored)
    if mdl:
        best = [(g - math.log2(tries[item[0]]) / n, item) for g, item in best]
    best = [(g, item) for g, item in best if g > TIE]
    if not ratio:
        return first_of_the_best(best)
    if average and best:
        mean = sum(g for g, _ in best) / len(best)
        best = [(g, item) for g, item in best if g >= mean - 1e-3]
    return first_of_the_best(
        [(g / entropy([item[2].sum(), item[3].sum()]), item) for g, item in best]
    )


def grow(X, y, n_classes, split, min_split=2, max_depth=None, depth=0):
    """A nested tree: {"rows", "counts", "depth"} and, if split, "feature", "threshold", ..."""
    counts = np.bincount(y, minlength=n_classes)
    node = {"counts": counts, "depth": depth}
    deep = max_depth is not None and depth >= max_depth
    if counts.max() == len(y) or len(y) < min_split or deep:
        return node
    found = split(X, y, n_classes)
    if found is None:
        return node
    score, (feature, threshold, _, _) = found
    inside = X[:, feature] <= threshold
    node.update(feature=feature, threshold=threshold, score=score)
    rest = (n_classes, split, min_split, max_depth, depth + 1)
    node["children"] = [grow(X[side], y[side], *rest) for side in (inside, ~inside)]
    return node


def add_errors(n, e, cf, z):
    """Errors to add to e of n training errors: the upper limit of the binomial rate."""
    if e < 1e-6:
        return n * (1 - cf ** (1 / n))
    if e < 0.9999:
        none = n * (1 - cf ** (1 / n))
        return none + e * (add_errors(n, 1.0, cf, z) - none)
    if e + 0.5 >= n:
        return 0.67 * (n - e)
    return normal_limit(n, e + 0.5, z) - e


def normal_limit(n, e, z):
    f = e / n
    upper = f + z * z / (2 * n) + z * math.sqrt(f / n - f * f / n + z * z / (4 * n * n))
    return n * upper / (1 + z * z / n)


def collapse(node):
    """Training errors of the subtree; subtrees no better than a leaf lose their children."""
    wrong = int(node["counts"].sum() - node["counts"].max())
    if "children" in node:
        inside = sum(collapse(child) for child in node["children"])
        if inside < wrong:
            return inside
        del node["children"]
    return wrong


def expected_of(node, X, y, n_classes, limit):
    """Expected errors of a subtree if it held the rows X, y; nothing is changed."""
    if len(y) == 0:
        return 0.0
    if "children" not in node:
        counts = np.bincount(y, minlength=n_classes)
        return limit(len(y), len(y) - counts.max())
    inside = X[:, node["feature"]] <= node["threshold"]
    return sum(
        expected_of(child, X[side], y[side], n_classes, limit)
        for child, side in zip(node["children"], (inside, ~inside), strict=True)
    )


def prune(node, X, y, n_classes, limit, raising):
    """Cut back in place, bottom up, as C4.5 does; returns the expected errors."""
    counts = np.bincount(y, minlength=n_classes)
    node["counts"] = counts
    as_leaf = limit(len(y), len(y) - counts.max()) if len(y) else 0.0
    if "children" not in node:
        return as_leaf
    inside = X[:, node["feature"]] <= node["threshold"]
    sides = (inside, ~inside)
    as_tree = sum(
        prune(child, X[side], y[side], n_classes, limit, raising)
        for child, side in zip(node["children"], sides, strict=True)
    )
    largest = node["children"][1 if sides[1].sum() >= sides[0].sum() else 0]
    as_branch = math.inf
    if raising and "children" in largest:
        as_branch = expected_of(largest, X, y, n_classes, limit)
    if as_leaf <= as_branch + 0.1 and as_leaf <= as_tree + 0.1:
        del node["children"]
        return as_leaf
    if as_branch <= as_tree + 0.1:
        node.update({k: largest[k] for k in ("feature", "threshold", "score", "children")})
        return prune(node, X, y, n_classes, limit, raising)
    return as_tree


def same_tree(tree, nested, node=0):
    """Assert that a Tree and a nested tree are the same, node by node."""
    np.testing.assert_array_equal(tree.value[node], nested["counts"])
    assert tree.is_leaf(node) == ("children" not in nested)
    if "children" in nested:
        assert tree.feature[node] == nested["feature"]
        assert tree.threshold[node] == nested["threshold"]
        assert abs(tree.score[node] - nested["score"]) <= 1e-9
        for child, below in zip(tree.children(node), nested["children"], strict=True):
            same_tree(tree, below, child)
