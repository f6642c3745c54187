"""Trees with nominal splits, missing values and numbers as targets, made by hand."""

from dataclasses import replace

import numpy as np
import pytest

from lastviz.splitters import CategorySplit, Split, same_split, stored_split
from lastviz.tree import CategorySplits, Kind, Missing, Tree
from tests.random_trees import places_of

NAN = np.nan
# colour (red, green, blue), size; the rows that grew the tree.
X = np.array([
    [0, 1.0], [0, 2.0], [0, 5.0], [1, 1.0], [1, 3.0], [0, NAN], [NAN, 2.0], [NAN, 9.0],
])  # fmt: skip
Y = np.array([0, 0, 1, 1, 1, 1, 0, 1])


def grown():
    """Colour at the root (blue is empty), size below red."""
    parent = np.array([-1, 0, 0, 0, 1, 1])
    first_child = np.array([1, 4, -1, -1, -1, -1])
    red, known = 4 / 6, 2 / 3  # shares of the rows whose value is known
    # (row, weight) by leaf, in the order of the leaves' slices: 4, 5, 2, 3
    entries = {
        4: [(0, 1.0), (1, 1.0), (5, known), (6, red)],
        5: [(2, 1.0), (5, 1 - known), (7, red)],
        2: [(3, 1.0), (4, 1.0), (6, 1 - red), (7, 1 - red)],
        3: [],
    }
    samples = [entry for leaf in (4, 5, 2, 3) for entry in entries[leaf]]
    start = np.array([0, 0, 7, 11, 0, 4])
    end = np.array([11, 7, 11, 11, 4, 7])
    value = np.zeros((6, 2))
    for node in range(6):
        for row, weight in samples[start[node] : end[node]]:
            value[node, Y[row]] += weight
    prediction = value.argmax(axis=1)
    prediction[3] = prediction[0]
    inner = first_child >= 0
    return Tree(
        parent=parent, depth=np.array([0, 1, 1, 1, 2, 2]), first_child=first_child,
        n_children=np.array([3, 2, 0, 0, 0, 0]),
        kind=np.array([Kind.CATEGORIES, Kind.THRESHOLD, 0, 0, 0, 0], dtype=np.int8),
        feature=np.array([0, 1, -1, -1, -1, -1]),
        threshold=np.array([NAN, 2.5, NAN, NAN, NAN, NAN]),
        impurity=np.zeros(6), score=np.where(inner, 0.5, NAN),
        n_node_samples=np.array([8, 6, 4, 0, 4, 3]), weighted_n_node_samples=value.sum(axis=1),
        value=value, prediction=prediction, start=start, end=end,
        key=places_of(parent, first_child)[1], grown_node=np.where(inner, np.arange(6), -1),
        samples=np.array([row for row, _ in samples]),
        sample_weight=np.array([weight for _, weight in samples]),
        feature_names=("colour", "size"), classes=np.arange(2),
        split_row=np.array([0, -1, -1, -1, -1, -1]),
        feature_categories=(("red", "green", "blue"), None),
        categories=CategorySplits.of([np.array([0, 1, 2])]), missing=Missing.FRACTIONS,
        branch_weight=np.array([NAN, red, 1 - red, 0.0, known, 1 - known]),
    )  # fmt: skip


def slow_spread(tree, x, node=0, weight=1.0):
    """The leaves of one row with their weights, as the definitions say."""
    if tree.is_leaf(node):
        return {node: weight}
    value = x[tree.feature[node]]
    children = list(tree.children(node))
    if tree.kind[node] == Kind.CATEGORIES:
        known = value >= 0 and tree.categories.branch[tree.split_row[node], int(value)] >= 0
        taken = tree.categories.branch[tree.split_row[node], int(value)] if known else None
    else:
        known = not np.isnan(value)
        taken = int(value > tree.threshold[node])
    if known:
        return slow_spread(tree, x, children[taken], weight)
    if tree.missing == Missing.BRANCH and np.isnan(value):
        return slow_spread(tree, x, children[tree.missing_branch[node]], weight)
    if tree.missing != Missing.FRACTIONS:
        return {node: weight}
    out = {}
    for child in children:
        if tree.branch_weight[child] > 0:
            out |= slow_spread(tree, x, child, weight * tree.branch_weight[child])
    return out


FRESH = np.array([[c, s] for c in (0, 1, 2, -1, NAN) for s in (1.0, 2.5, 4.0, NAN)])


def by_branch(tree):
    weightless = np.full(tree.n_nodes, NAN)
    to = np.array([1, 0, -1, -1, -1, -1])
    return replace(tree, missing=Missing.BRANCH, branch_weight=weightless, missing_branch=to)


@pytest.mark.kernel
@pytest.mark.parametrize("make", [lambda t: t, by_branch], ids=["fractions", "branch"])
def test_a_row_goes_where_the_definitions_say(make):
    tree = make(grown())
    row, node, weight = tree.leaf_weights(FRESH)
    for i, x in enumerate(FRESH):
        expected = dict(sorted(slow_spread(tree, x).items()))
        assert node[row == i].tolist() == list(expected)
        np.testing.assert_allclose(weight[row == i], list(expected.values()))
    largest = [max(s, key=lambda n: (s[n], -n)) for s in (slow_spread(tree, x) for x in FRESH)]
    np.testing.assert_array_equal(tree.apply(FRESH), largest)


@pytest.mark.kernel
def test_predictions_combine_the_leaves_and_parts_of_a_row_are_one_row_of_the_nodes_above():
    tree = grown()
    tree.validate(X)
    shares = tree.class_shares(FRESH)
    for i, x in enumerate(FRESH):
        expected = np.zeros(2)
        for leaf, weight in slow_spread(tree, x).items():
            own = tree.value[leaf]
            own = own / own.sum() if own.sum() else np.eye(2)[tree.prediction[leaf]]
            expected += weight * own
        np.testing.assert_allclose(shares[i], expected)
    np.testing.assert_array_equal(tree.predict(FRESH), shares.argmax(axis=1))
    rows, weights = tree.node_samples(0)
    np.testing.assert_array_equal(rows, np.arange(8))
    np.testing.assert_allclose(weights, 1.0)
    rows, weights = tree.node_samples(1)
    np.testing.assert_array_equal(rows, [0, 1, 2, 5, 6, 7])
    np.testing.assert_allclose(weights, [1, 1, 1, 1, 4 / 6, 4 / 6])
    below = tree.subtree(1)
    shift = {"parent": np.array([-1, 0, 0]), "first_child": np.array([1, -1, -1])}
    numeric = Tree(
        **shift,
        **{
            name: getattr(tree, name)[below]
            for name in (
                "n_children", "kind", "feature", "threshold", "impurity", "score", "value",
                "n_node_samples", "weighted_n_node_samples", "prediction", "start", "end",
            )
        },
        depth=np.array([0, 1, 1]),
        key=places_of(**shift)[1],
        grown_node=np.array([0, -1, -1]),
        samples=tree.samples[:7],
        sample_weight=tree.sample_weight[:7],
        feature_names=tree.feature_names,
        classes=tree.classes,
        missing=Missing.FRACTIONS,
        branch_weight=np.array([NAN, 2 / 3, 1 / 3]),
    )  # fmt: skip
    numeric.validate(X)
    assert numeric.apply(np.array([[0, 1.0], [0, 9.0], [0, NAN]])).tolist() == [1, 2, 1]
    row, node, weight = numeric.leaf_weights(np.array([[0, 9.0], [0, NAN]]))
    assert (row.tolist(), node.tolist()) == ([0, 1, 1], [2, 1, 2])
    np.testing.assert_allclose(weight, [1, 2 / 3, 1 / 3])


def test_a_tree_predicts_numbers_and_its_stored_splits_are_told_apart():
    tree = grown()
    mean = np.array([2.0, 1.0, 3.0, 2.0, 0.5, 1.5])
    numbers = replace(tree, classes=np.zeros(0), value=mean[:, None], prediction=mean)
    numbers.validate(X)
    assert numbers.is_regression
    assert not tree.is_regression
    np.testing.assert_allclose(numbers.predict(FRESH[:2]), [0.5, 0.5])
    np.testing.assert_allclose(numbers.predict(FRESH[-1:]), [4 / 6 * 5 / 6 + 2 / 6 * 3])
    first, second = stored_split(tree, 0), stored_split(tree, 1)
    assert isinstance(first, CategorySplit)
    assert first.n_branches == 3
    assert second == Split(1, 2.5, 0.5)
    assert stored_split(tree, 2) is None
    assert same_split(first, CategorySplit(0, np.array([0, 1, 2]), 9.0))
    assert not same_split(first, CategorySplit(0, np.array([0, 1, 1]), 0.5))
    assert not same_split(first, CategorySplit(0, np.array([0, 1, 2]), 0.5, missing_branch=1))
    assert not same_split(first, second)
    assert same_split(None, None)


BREAKS = {
    "other branches": lambda t: {"categories": CategorySplits.of([np.array([0, 1, 1])])},
    "a numeric feature": lambda t: {"feature_categories": (None, None)},
    "of a nominal feature": lambda t: {"feature_categories": (("red", "green", "blue"), ("a",))},
    "not in the table": lambda t: {"split_row": t.split_row + 1 - (np.arange(6) > 0)},
    "branches' weights": lambda t: {"branch_weight": t.branch_weight / 2},
    "no weight": lambda t: {"branch_weight": None},
    "a branch has a weight": lambda t: {"missing": Missing.REFUSE},
    "a branch for missing": lambda t: {"missing_branch": np.array([0, -1, -1, -1, -1, -1])},
    "otherwise than its parent": lambda t: {"prediction": np.where(t.start == 11, 0, t.prediction)},
    "another share": lambda t: {"branch_weight": np.array([NAN, 0.5, 0.5, 0.0, 2 / 3, 1 / 3])},
    "routed elsewhere": lambda t: {"threshold": t.threshold - 1.0},
    "n_node_samples": lambda t: {"n_node_samples": t.end - t.start},
}


@pytest.mark.parametrize("what", BREAKS)
def test_validation_names_what_is_broken(what):
    tree = grown()
    tree.validate(X)
    with pytest.raises(ValueError, match=f"tree is broken.*{what}"):
        replace(tree, **BREAKS[what](tree)).validate(X)
