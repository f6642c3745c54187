"""The least cost of a tree by trying all of them."""

from functools import cache

import numpy as np


def least_cost(X, y, depth, price=0, weight=None):
    """Return the fewest wrong rows of a tree, each leaf beyond the first counted as `price`.

    A row counts as `weight`. Also the fewest splits among the trees that cost as much.
    """
    weight = np.ones(len(y), dtype=int) if weight is None else weight

    @cache
    def least(rows, depth):
        here = np.fromiter(rows, dtype=int)
        classes = [weight[here[y[here] == c]].sum() for c in np.unique(y[here])]
        best = (sum(classes) - max(classes), 0)
        if depth == 0:
            return best
        for root in roots(X, here):
            sides = (frozenset(here[root].tolist()), frozenset(here[~root].tolist()))
            (one, m), (two, n) = (least(side, depth - 1) for side in sides)
            best = min(best, (one + two + price, m + n + 1))
        return best

    return least(frozenset(range(len(y))), depth)


def cost_below_roots(X, y, depth):
    """Return (feature, largest value of the first child) -> fewest errors of a tree with it."""
    found = {}
    for f in range(X.shape[1]):
        for value in np.unique(X[:, f])[:-1]:
            first = X[:, f] <= value
            sides = ((X[s], y[s]) for s in (first, ~first))
            found[f, float(value)] = sum(least_cost(*side, depth - 1)[0] for side in sides)
    return found


def roots(X, rows):
    """Return for each way to cut some rows by a threshold who goes to the first child."""
    return [X[rows, f] <= value for f in range(X.shape[1]) for value in np.unique(X[rows, f])[:-1]]
