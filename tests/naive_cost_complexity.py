"""Slow, obvious twins of cost-complexity pruning: the definition, for one price at a time."""

import numpy as np


def smallest_optimum(tree, risk, alpha, node=0):
    """(cost, leaves) of the smallest subtree below `node` of least risk + alpha * leaves.

    `risk` (n_nodes,) is R(t). Costs that differ by less than 1e-12 are equal.
    """
    as_leaf = risk[node] + alpha
    if tree.is_leaf(node):
        return as_leaf, [node]
    below = [smallest_optimum(tree, risk, alpha, child) for child in tree.children(node)]
    inside = sum(cost for cost, _ in below)
    if as_leaf <= inside + 1e-12:
        return as_leaf, [node]
    return inside, [leaf for _, leaves in below for leaf in leaves]


def errors_of(tree, leaves, X, y):
    """Rows of X that a tree with these leaves gets wrong."""
    wrong = 0
    for node, label in zip(tree.apply(X), y, strict=True):
        while node not in leaves:
            node = tree.parent[node]
        wrong += tree.prediction[node] != label
    return wrong


def misclassification_risk(tree):
    return (tree.value.sum(axis=1) - tree.value.max(axis=1)) / tree.value[0].sum()


def gini_risk(tree):
    n = tree.value.sum(axis=1)
    shares = tree.value / n[:, None]
    return (1 - np.square(shares).sum(axis=1)) * n / n[0]
