"""ID3 beside an independent program: algorithm 5.2, and pruning by trying every subtree."""

import numpy as np
import pytest

from lastviz import ID3Classifier
from lastviz.inspection import finds_stored_split
from tests.naive_entropy_cost import minimisers, printed_loop
from tests.naive_textbook import id3


def table(seed):
    """A small table of categories, its labels, and how many categories a column may have."""
    rng = np.random.default_rng(seed)
    n, n_values = int(rng.integers(4, 16)), rng.integers(2, 5, 3)
    X = np.column_stack([rng.integers(0, v, n) for v in n_values])
    y = rng.integers(0, 3, n)
    return X, y


def grown(X, y):
    """The tree of the independent program, on the codes of the values."""
    codes = np.column_stack([np.unique(column, return_inverse=True)[1] for column in X.T])
    categories = [tuple(np.unique(column).tolist()) for column in X.T]
    classes, labels = np.unique(y, return_inverse=True)
    names = [f"x{i + 1}" for i in range(X.shape[1])]
    return id3(codes.tolist(), labels.tolist(), categories, names, classes.tolist())


def paths(tree):
    """{the way to each node as (feature, category) pairs: its rows by class}."""
    found = {}
    for node in range(tree.n_nodes):
        way = []
        for above, below in zip(tree.path(node), tree.path(node)[1:], strict=False):
            branch = tree.categories.branch[tree.split_row[above]]
            taken = np.flatnonzero(branch == below - tree.first_child[above])
            way.append((int(tree.feature[above]), *taken.tolist()))
        found[tuple(way)] = tuple(tree.value[node].tolist())
    return found


def test_the_grown_trees_are_those_of_algorithm_5_2():
    for seed in range(150):
        X, y = table(seed)
        ours = ID3Classifier().fit(X, y)
        ours.tree_.validate(ours.encode(X))
        assert ours.tree_.n_node_samples.min() > 0
        assert paths(ours.tree_) == paths(grown(X, y))
        for node in np.flatnonzero(ours.tree_.n_children).tolist():
            assert finds_stored_split(ours, X, y, node)


@pytest.mark.parametrize("literal", [False, True])
def test_a_leaf_is_paid_for_where_rows_are(literal):
    """150 random trees, cut back as trying every subtree cuts them; fewer than half are whole."""
    cut = 0
    for seed in range(150):
        X, y = table(seed)
        alpha = float(np.random.default_rng(seed).uniform(0.0, 4.0))
        tree = grown(X, y)
        best = printed_loop(tree, alpha) if literal else min(minimisers(tree, alpha), key=len)
        kept = {tuple(w) for leaf in best for w in _ways(tree, leaf)}
        ours = ID3Classifier(entropy_alpha=alpha, literal=literal).fit(X, y).tree_
        assert set(paths(ours)) == kept, seed
        cut += ours.n_nodes < tree.n_nodes
    assert cut > 30


def _ways(tree, leaf):
    """The ways to a leaf and to all nodes above it."""
    by_node = dict(zip(range(tree.n_nodes), paths(tree), strict=True))
    return [by_node[node] for node in tree.path(leaf)]


def test_an_empty_branch_costs_nothing_and_a_value_without_rows_stops_at_its_node():
    X, y = [[0, 0], [2, 1], [2, 0], [0, 2]], [1, 1, 0, 1]
    assert ID3Classifier(entropy_alpha=1.0).fit(X, y).tree_.n_nodes == 5
    fitted = ID3Classifier().fit(X, y)
    stops = fitted.apply([[2, 2], [7, 0]])
    np.testing.assert_array_equal(fitted.tree_.n_children[stops], 2)
    np.testing.assert_array_equal(fitted.predict([[2, 2], [7, 0]]), [0, 1])
