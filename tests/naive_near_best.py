"""All trees of a depth, written out one by one with their costs."""

from itertools import product

import numpy as np


def all_trees(X, code, y, rows, depth, *, price=0, small=1):
    """Yield (cost, leaves, tree) of every tree of at most `depth` on some rows.

    A tree is the class of a leaf, or (feature, threshold, tree of yes, tree of no). Cuts lie
    between codes that the rows have, thresholds halfway between the rows' nearest values. A
    question above two leaves that say the same class is none. Every leaf has at least `small` rows.
    """
    counts = np.bincount(y[rows])
    if len(rows) >= small:
        yield len(rows) - counts.max(), 1, int(counts.argmax())
    if depth == 0:
        return
    for f in range(X.shape[1]):
        for c in np.unique(code[f, rows])[:-1]:
            yes = code[f, rows] <= c
            sides = rows[yes], rows[~yes]
            below, above = X[sides[0], f].max(), X[sides[1], f].min()
            listed = [
                list(all_trees(X, code, y, side, depth - 1, price=price, small=small))
                for side in sides
            ]
            for (a, m, one), (b, n, two) in product(*listed):
                if not (m == n == 1 and one == two):
                    yield a + b + price, m + n, (f, below / 2 + above / 2, one, two)


def says(tree, x):
    """Class that a tree says of a row."""
    while isinstance(tree, tuple):
        f, threshold, yes, no = tree
        tree = yes if x[f] <= threshold else no
    return tree


def features_of(tree):
    """Features that a tree asks for."""
    if not isinstance(tree, tuple):
        return set()
    return {tree[0]} | features_of(tree[2]) | features_of(tree[3])


def written(tree, node=0):
    """A fitted tree in the form of :func:`all_trees`."""
    if tree.n_children[node] == 0:
        return int(tree.prediction[node])
    yes, no = tree.children(node)
    test = int(tree.feature[node]), float(tree.threshold[node])
    return (*test, written(tree, yes), written(tree, no))
