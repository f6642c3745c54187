"""The least cost of a tree by trying all of them."""

from functools import cache

import numpy as np


def least_costs(X, y, price=0, weight=None):
    """The least cost of a tree of some rows and a depth, as a function that remembers.

    A cost is the fewest wrong rows, each leaf beyond the first counted as `price`, a row as its
    `weight`; beside it stand the fewest splits among the trees that cost as much.
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

    return least


def least_cost(X, y, depth, price=0, weight=None):
    """The least cost of a tree of all rows, and its fewest splits, see :func:`least_costs`."""
    return least_costs(X, y, price, weight)(frozenset(range(len(y))), depth)


def cost_below_roots(X, y, depth):
    """(feature, largest value of the first child) -> fewest errors of a tree with it."""
    least, found = least_costs(X, y), {}
    for f in range(X.shape[1]):
        for value in np.unique(X[:, f])[:-1]:
            first = X[:, f] <= value
            sides = (frozenset(np.flatnonzero(s).tolist()) for s in (first, ~first))
            found[f, float(value)] = sum(least(side, depth - 1)[0] for side in sides)
    return found


def roots(X, rows):
    """Return for each way to cut some rows by a threshold who goes to the first child."""
    return [X[rows, f] <= value for f in range(X.shape[1]) for value in np.unique(X[rows, f])[:-1]]
