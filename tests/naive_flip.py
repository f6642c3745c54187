"""Slow, obvious twins for the smallest change of a class: every corner, every point of a grid."""

import itertools

import numpy as np

from lastviz.inspection.monotonicity import codes_of


def distance(x, z, weights, metric, nominal=()):
    """The distance of one point to another, feature by feature."""
    steps = [
        weights[f] * (float(x[f] != z[f]) if f in nominal else abs(x[f] - z[f]))
        for f in range(len(x))
    ]
    if metric == "l0":
        return float(sum(x[f] != z[f] for f in range(len(x))))
    return sum(steps) if metric == "l1" else sum(step**2 for step in steps) ** 0.5


def values_of(est, x, feature, whole=False):
    """All values of a feature at which the nearest point of a box can lie, the sample's first."""
    trees = [each.tree_ for each in getattr(est, "estimators_", [est])]
    categories = trees[0].feature_categories[feature]
    if categories is not None:
        return list(range(len(categories)))
    found = {float(x[feature])}
    for tree in trees:
        for threshold in tree.threshold[tree.feature == feature]:
            if np.isfinite(threshold):
                found |= {float(threshold), float(np.nextafter(threshold, np.inf))}
    if whole:
        found = {float(x[feature])} | {
            float(step(v)) for v in found for step in (np.floor, np.ceil)
        }
    return sorted(found)


def nearest_by_corners(est, x, wanted, *, metric="l1", weights=None, ranges=None, fixed=(),
                       directions=None, whole=(), only_leaves=False):  # fmt: skip
    """The smallest distance to a point of the class, infinite if no corner has it."""
    n = len(x)
    if weights is None:
        weights = np.ones(n) if ranges is None else 1.0 / (ranges[:, 1] - ranges[:, 0])
    tree = getattr(est, "tree_", None)
    nominal = [] if tree is None else [f for f in range(n) if tree.feature_categories[f]]
    axes = []
    for f in range(n):
        values = [float(x[f])] if f in fixed else values_of(est, x, f, f in whole)
        if f not in nominal:
            low, high = (-np.inf, np.inf) if ranges is None else ranges[f]
            way = 0 if directions is None else directions[f]
            values = [
                v for v in values
                if v == x[f] or (low <= v <= high and way * (v - x[f]) >= 0)
            ]  # fmt: skip
        axes.append(values)
    points = np.array(list(itertools.product(*axes)))
    right = codes_of(est, points) == wanted
    if only_leaves:
        right &= tree.n_children[tree.apply(points)] == 0
    return min((distance(x, z, weights, metric, nominal) for z in points[right]), default=np.inf)


def nearest_on_grid(est, x, wanted, low, high, weights, metric, n=401):
    """The smallest distance to a point of the class on a fine grid of a plane."""
    axes = [np.union1d(np.linspace(a, b, n), [v]) for a, b, v in zip(low, high, x, strict=True)]
    points = np.stack([a.ravel() for a in np.meshgrid(*axes)], axis=1)
    right = points[codes_of(est, points) == wanted]
    steps = np.abs(right - x) * weights
    if metric == "l1":
        return steps.sum(axis=1).min(initial=np.inf)
    if metric == "l2":
        return np.sqrt((steps**2).sum(axis=1)).min(initial=np.inf)
    return (steps > 0).sum(axis=1).astype(float).min(initial=np.inf)
