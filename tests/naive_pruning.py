"""Slow, obvious twins of the pruners: each cost word by word, every pruned tree is tried."""

from itertools import product
from math import log2, sqrt

from tests import naive


def pruned_trees(tree, kept=(), node=0):
    """All (leaves, inner nodes) that remain when nodes become leaves; `kept` ones may not."""
    children = list(tree.children(node))
    must_stay = any(node in tree.path(k) for k in kept)
    if not must_stay or not children:
        yield frozenset([node]), frozenset()
    if children:
        below = [list(pruned_trees(tree, kept, child)) for child in children]
        for parts in product(*below):
            leaves = frozenset().union(*(p[0] for p in parts))
            yield leaves, frozenset([node]).union(*(p[1] for p in parts))


def cheapest(tree, as_leaf, inner=lambda node: 0.0, kept=()):
    """(cost, leaves) of the smallest of the pruned trees of least cost."""
    scored = [
        (sum(map(as_leaf, leaves)) + sum(map(inner, splits)), leaves)
        for leaves, splits in pruned_trees(tree, kept)
    ]
    least = min(cost for cost, _ in scored)
    return min((s for s in scored if s[0] <= least + 1e-9), key=lambda s: len(s[1]))


def errors_as_leaf(tree, node):
    counts = tree.value[node]
    return counts.sum() - counts[tree.prediction[node]]


def m_estimate(tree, m):
    n_all = tree.value[0].sum()

    def as_leaf(node):
        c, n = tree.prediction[node], tree.value[node].sum()
        return n * (1 - (tree.value[node][c] + m * tree.value[0][c] / n_all) / (n + m))

    return as_leaf


def expected_errors(tree, cf, z):
    def as_leaf(node):
        n, e = tree.value[node].sum(), errors_as_leaf(tree, node)
        return e + naive.add_errors(n, e, cf, z)

    return as_leaf


def held_out_errors(tree, X, y):
    """Rows at or below each node that it would get wrong as a leaf."""

    def as_leaf(node):
        ends = zip(tree.apply(X), y, strict=True)
        return sum(node in tree.path(e) and tree.prediction[node] != label for e, label in ends)

    return as_leaf


def bits_of_classes(tree):
    """Each row coded by the rows of its class before it, (k + 1/2) / (n + K/2)."""
    n_classes = tree.value.shape[1]

    def as_leaf(node):
        bits, seen = 1.0, 0
        for count in tree.value[node].astype(int):
            for k in range(count):
                bits -= log2((k + 0.5) / (seen + n_classes / 2))
                seen += 1
        return bits

    return as_leaf


def bits_of_split(tree):
    return lambda node: 1 + log2(tree.n_features) + log2(max(tree.n_node_samples[node] - 1, 1))


def pessimistic(tree, node=0, kept=()):
    """Leaves of the tree, from the root down."""
    leaves = [n for n in range(tree.n_nodes) if tree.is_leaf(n) and node in tree.path(n)]
    corrected = sum(errors_as_leaf(tree, leaf) for leaf in leaves) + len(leaves) / 2
    n = tree.value[node].sum()
    error = sqrt(max(corrected * (n - corrected), 0) / n)
    must_stay = any(node in tree.path(k) for k in kept)
    if tree.is_leaf(node):
        return {node}
    if not must_stay and errors_as_leaf(tree, node) + 0.5 <= corrected + error:
        return {node}
    return set().union(*(pessimistic(tree, child, kept) for child in tree.children(node)))
