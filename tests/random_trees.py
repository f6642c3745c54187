"""Small trees with random branches and class counts, made without growing them."""

import numpy as np

from lastviz._random import ROOT_KEY, child_keys
from lastviz.tree import CategorySplits, Kind, Tree


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
    depth, key = np.zeros(len(parent), dtype=np.intp), np.full(len(parent), ROOT_KEY)
    for node in range(1, len(parent)):
        depth[node] = depth[parent[node]] + 1
        key[node] = child_keys(key[parent[node]], np.asarray(node - first_child[parent[node]]))
    for node in range(len(parent) - 1, 0, -1):
        value[parent[node]] += value[node]
    size = value.sum(axis=1).astype(np.intp)
    start = np.zeros(len(parent), dtype=np.intp)
    for node in np.flatnonzero(inner):
        children = np.arange(first_child[node], first_child[node] + n_children[node])
        start[children] = start[node] + np.cumsum(size[children]) - size[children]
    return Tree(
        parent=parent,
        depth=depth,
        first_child=first_child,
        n_children=n_children,
        kind=np.where(inner, Kind.CATEGORIES, Kind.LEAF).astype(np.int8),
        feature=np.where(inner, 0, -1),
        threshold=np.full(len(parent), np.nan),
        impurity=np.zeros(len(parent)),
        score=np.where(inner, 0.0, np.nan),
        n_node_samples=size,
        weighted_n_node_samples=size.astype(float),
        value=value,
        prediction=value.argmax(axis=1),
        start=start,
        end=start + size,
        key=key,
        grown_node=np.where(inner, np.arange(len(parent)), -1),
        samples=np.arange(size[0]),
        sample_weight=np.ones(size[0]),
        feature_names=("x1",),
        classes=np.arange(n_classes),
        split_row=np.where(inner, np.cumsum(inner) - 1, -1),
        feature_categories=(tuple(range(most_branches)),),
        categories=CategorySplits.of([np.arange(n) for n in n_children[inner]]),
    )
