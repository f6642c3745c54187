"""Small trees with random branches and class counts, made without growing them."""

import numpy as np

from lastviz._random import ROOT_KEY, child_keys
from lastviz.tree import CategorySplits, Kind, Tree


def places_of(parent, first_child):
    """The depth and the key of every node."""
    depth, key = np.zeros(len(parent), dtype=np.intp), np.full(len(parent), ROOT_KEY)
    for node in range(1, len(parent)):
        above = parent[node]
        depth[node] = depth[above] + 1
        key[node] = child_keys(key[above], np.asarray(node - first_child[above]))
    return depth, key


def tree_of_categories(parent, first_child, n_children, value, prediction, feature, names,
                       categories, branches, rows_of_leaves=()):  # fmt: skip
    """A tree whose nodes are numbered level by level; the tests at them mean what they may."""
    n, inner, size = len(parent), n_children > 0, value.sum(axis=1).astype(np.intp)
    depth, key = places_of(parent, first_child)
    start = np.zeros(n, dtype=np.intp)
    for node in range(1, n):
        start[node] = start[parent[node]] + size[first_child[parent[node]] : node].sum()
    samples = np.arange(size[0])
    for leaf, rows in rows_of_leaves:
        samples[start[leaf] : start[leaf] + size[leaf]] = rows
    return Tree(
        parent=parent, depth=depth, first_child=first_child, n_children=n_children,
        kind=np.where(inner, Kind.CATEGORIES, Kind.LEAF).astype(np.int8), feature=feature,
        threshold=np.full(n, np.nan), impurity=np.zeros(n), score=np.where(inner, 0.0, np.nan),
        n_node_samples=size, weighted_n_node_samples=size.astype(float), value=value,
        prediction=prediction, start=start, end=start + size, key=key,
        grown_node=np.where(inner, np.arange(n), -1), samples=samples,
        sample_weight=np.ones(size[0]), feature_names=tuple(names),
        classes=np.arange(value.shape[1]), split_row=np.where(inner, np.cumsum(inner) - 1, -1),
        feature_categories=tuple(categories), categories=CategorySplits.of(branches),
    )  # fmt: skip


def random_tree(seed, most_inner=6, n_classes=3, most_branches=3):
    """A tree with up to `most_inner` inner nodes of two to `most_branches` branches.

    Its nodes hold rows of random classes; the tests at the nodes mean nothing.
    """
    rng = np.random.default_rng(seed)
    parent, first_child, n_children = [-1], [-1], [0]
    for _ in range(int(rng.integers(0, most_inner + 1))):
        node = int(rng.choice(np.flatnonzero(np.array(n_children) == 0)))
        branches = int(rng.integers(2, most_branches + 1))
        first_child[node], n_children[node] = len(parent), branches
        parent += [node] * branches
        first_child += [-1] * branches
        n_children += [0] * branches
    parent, first_child = np.array(parent), np.array(first_child)
    n_children = np.array(n_children)
    inner = n_children > 0
    value = np.zeros((len(parent), n_classes))
    favourite = rng.integers(0, n_classes, len(parent))
    for leaf in np.flatnonzero(~inner):
        value[leaf] = rng.integers(0, 3, n_classes)
        value[leaf, favourite[leaf]] += rng.integers(1, 6)
    for node in range(len(parent) - 1, 0, -1):
        value[parent[node]] += value[node]
    return tree_of_categories(
        parent, first_child, n_children, value, value.argmax(axis=1), np.where(inner, 0, -1),
        ("x1",), (tuple(range(most_branches)),), [np.arange(n) for n in n_children[inner]],
    )  # fmt: skip
