"""REMT: whole trees against their twins, the classes of leaves, what is refused."""

from functools import partial

import numpy as np
import pytest

from lastviz import REMTClassifier
from lastviz.datasets import load_dataset
from lastviz.inspection import candidate_table, split_search
from tests import naive, naive_monotone


@pytest.mark.kernel
@pytest.mark.parametrize("directions", [None, (-1, 0, 1)])
@pytest.mark.parametrize("threshold", ["value", "midpoint"])
@pytest.mark.parametrize("dominance", ["ascending", "descending", "mean"])
def test_remt_grows_the_naive_tree(make_data, dominance, threshold, directions):
    for seed in range(2):
        X, y = make_data(seed, n=30, m=3, n_classes=2 + 2 * seed)
        y = naive.contiguous(y)
        options = {"min_gain": 0.01 * seed, "min_samples_leaf": 1 + seed}
        split = partial(
            naive_monotone.remt_split,
            dominance=dominance,
            directions=directions,
            at_value=threshold == "value",
            min_gain=options["min_gain"],
            min_leaf=options["min_samples_leaf"],
        )
        least = 2 * options["min_samples_leaf"]
        nested = naive.grow(X, y, y.max() + 1, split, min_split=least)
        fitted = REMTClassifier(
            dominance=dominance, threshold=threshold, monotonic_cst=directions, **options
        ).fit(X, y)
        naive.same_tree(fitted.tree_, nested)
        fitted.tree_.validate(X)


@pytest.mark.parametrize("directions", [(1, 1), (-1, 1), (0, -1)])
def test_a_node_takes_the_median_of_its_side(directions):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 6, (80, 2)).astype(float)
    y = np.clip((X @ np.array(directions)) // 2 + rng.integers(0, 3, 80), 0, 3).astype(int)
    tree = REMTClassifier(monotonic_cst=directions, max_depth=4).fit(X, y).tree_
    codes = naive.contiguous(y)
    upper_nodes = 0
    for node in range(tree.n_nodes):
        rows, _ = tree.node_samples(node)
        parent = tree.parent[node]
        side = 0 if parent < 0 else directions[tree.feature[parent]]
        upper = side == (-1 if node == tree.first_child[parent] else 1)
        assert tree.prediction[node] == naive_monotone.median(codes[rows], upper)
        upper_nodes += upper
    assert upper_nodes
    majority = REMTClassifier(monotonic_cst=directions, leaf="majority", max_depth=4).fit(X, y)
    np.testing.assert_array_equal(majority.tree_.prediction, majority.tree_.value.argmax(axis=1))


def test_turning_a_feature_and_its_direction_mirrors_the_tree():
    data = load_dataset("monotone", n_samples=300, n_classes=4, label_noise=0.1)
    X, y = data.X.to_numpy(), data.codes
    one = REMTClassifier(threshold="midpoint").fit(X, y)
    turned = REMTClassifier(threshold="midpoint", monotonic_cst=[-1, 1]).fit(X * [-1, 1], y)
    assert one.tree_.n_nodes == turned.tree_.n_nodes
    np.testing.assert_array_equal(one.predict(X), turned.predict(X * [-1, 1]))


def test_classes_of_text_follow_their_order():
    X = np.arange(6.0)[:, None]
    y = np.array(["low", "low", "mid", "mid", "top", "top"])
    with pytest.warns(UserWarning, match="of the alphabet, 'low' < 'mid' < 'top'; name them"):
        alphabetic = REMTClassifier().fit(X, y)
    np.testing.assert_array_equal(alphabetic.predict(X), y)
    fitted = REMTClassifier(class_order=["none", "low", "mid", "top"]).fit(X, y)
    np.testing.assert_array_equal(fitted.classes_, ["low", "mid", "top"])
    np.testing.assert_array_equal(fitted.predict(X), y)
    reverse = REMTClassifier(class_order=["top", "mid", "low"], monotonic_cst=[-1]).fit(X, y)
    np.testing.assert_array_equal(reverse.predict(X), y)
    assert reverse.tree_.value[0].tolist() == [2, 2, 2]
    assert split_search(reverse, X, y, 0).split.threshold == reverse.tree_.threshold[0]
    for order in (["low", "mid"], ["low", "mid", "top", "top"]):
        with pytest.raises(ValueError, match="class_order must name each class once"):
            REMTClassifier(class_order=order).fit(X, y)


def test_directions_that_do_not_fit_are_refused():
    X, y = np.random.default_rng(0).random((20, 2)), np.arange(20) % 2
    with pytest.raises(ValueError, match="one direction per feature, 2 in all"):
        REMTClassifier(monotonic_cst=[1]).fit(X, y)
    with pytest.raises(ValueError, match="must hold 1, -1 or 0"):
        REMTClassifier(monotonic_cst=[1, 2]).fit(X, y)


def test_a_constant_feature_is_never_split_and_equal_rows_make_a_leaf():
    X = np.c_[np.ones(20), np.arange(20.0)]
    y = (X[:, 1] > 9).astype(int)
    tree = REMTClassifier().fit(X, y).tree_
    assert set(tree.feature[tree.feature >= 0]) == {1}
    alone = REMTClassifier().fit(np.ones((4, 1)), [0, 0, 1, 1])
    assert alone.tree_.n_nodes == 1
    np.testing.assert_array_equal(alone.predict([[5.0]]), [0])


def test_the_split_lab_has_the_column_that_the_tree_was_split_by():
    data = load_dataset("monotone", n_samples=200, n_classes=4, label_noise=0.1)
    X, y = data.X.to_numpy() * [1, -1], data.codes
    for dominance in ("ascending", "descending", "mean"):
        for directions in ([1, -1], [0, 0]):
            fitted = REMTClassifier(dominance=dominance, monotonic_cst=directions).fit(X, y)
            search = split_search(fitted, X, y, 0)
            table = candidate_table(X, y, np.arange(200), 4, directions=directions)
            np.testing.assert_allclose(
                table.columns[fitted.criterion_column],
                search.columns[fitted.criterion_column],
                atol=1e-12,
            )
            best = search.columns[fitted.criterion_column].max()
            assert fitted.tree_.score[0] == pytest.approx(best, abs=1e-12)
