"""C4.5 on nominal and mixed data, with missing values and weights."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from lastviz import C45Classifier, ID3Classifier
from lastviz.criteria import CRITERIA
from lastviz.inspection import finds_stored_split, split_search
from lastviz.pruning import prune_error_based
from lastviz.pruning.error_based import _estimate
from lastviz.pruning.error_based_parts import prune_in_parts
from lastviz.tree import Action, Kind, Missing, Reason
from tests import naive_mixed
from tests.conftest import waveform


def mixed(seed, n=120, missing=0.15):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({
        "colour": rng.choice(["red", "green", "blue", "grey"], n),
        "size": np.round(rng.normal(size=n), 1),
        "wet": rng.choice([True, False], n),
        "mass": rng.normal(size=n),
    })  # fmt: skip
    y = ((X["size"] > 0) ^ (X["colour"] == "red")).astype(int) + (X["wet"] & (X["mass"] > 0.3))
    y = np.where(rng.random(n) < 0.2, rng.integers(0, 3, n), y)
    return X.astype({"wet": object}).mask(rng.random(X.shape) < missing), y


def assert_same(tree, node, expected):
    np.testing.assert_allclose(tree.value[node], expected["counts"], atol=1e-9)
    assert tree.node_samples(node)[0].tolist() == expected["rows"]
    assert tree.n_children[node] == len(expected["children"])
    if not expected["children"]:
        return
    assert tree.feature[node] == expected["feature"]
    if expected["threshold"] is not None:
        assert tree.threshold[node] == pytest.approx(expected["threshold"], rel=1e-12)
    for child, other in zip(tree.children(node), expected["children"], strict=True):
        assert_same(tree, child, other)


@pytest.mark.parametrize("missing", [0.0, 0.15])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_the_grown_tree_is_that_of_the_definitions(seed, weighted, missing):
    X, y = mixed(seed, missing=missing)
    rng = np.random.default_rng(seed)
    weight = rng.choice([0.0, 0.5, 1.0, 2.0], len(y)) if weighted else None
    estimator = C45Classifier().fit(X, y, weight)
    codes = estimator.encode(X)
    sizes = [0 if known is None else len(known) for known in estimator.categories_]
    expected = naive_mixed.grow(codes, y, 3, sizes, weight)
    assert_same(estimator.grown_tree_, 0, expected)
    estimator.grown_tree_.validate(codes)
    estimator.tree_.validate(codes)


@pytest.mark.parametrize("criterion", ["gain_ratio", "gain", "chi2", "g_statistic"])
def test_replay_finds_every_split(criterion):
    X, y = mixed(5)
    estimator = C45Classifier(criterion=criterion, threshold="value").fit(X, y)
    tree = estimator.grown_tree_
    assert {Kind.CATEGORIES, Kind.THRESHOLD} <= set(tree.kind)
    for node in range(tree.n_nodes):
        search = split_search(estimator, X, y, node)
        assert len(search.categories) == search.n_candidates
        if tree.n_children[node]:
            assert finds_stored_split(estimator, X, y, node)
            assert search.split.score == pytest.approx(tree.score[node], abs=1e-12)
    assert set(C45Classifier(criterion=criterion).fit(X, y).tree_.feature) - {-1}


def test_a_nominal_candidate_tells_its_branches():
    X, y = mixed(5)
    estimator = C45Classifier().fit(X, y)
    search = split_search(estimator, X, y, 0)
    i = int(np.flatnonzero(search.feature == 0)[0])
    assert np.isnan(search.threshold[i])
    assert search.known[i].sum() == X["colour"].notna().sum()
    for code, colour in enumerate(estimator.categories_[0]):
        expected = np.bincount(y[X["colour"] == colour], minlength=3)
        np.testing.assert_array_equal(search.category_counts[i][code], expected)


@pytest.mark.parametrize("criterion", ["gain_ratio", "gain"])
def test_numeric_data_grow_alike_on_both_paths(criterion):
    for X, y in (waveform(200, 3), load_iris(return_X_y=True), (np.round(waveform(200, 4)[0]),
                                                                waveform(200, 4)[1])):  # fmt: skip
        fast = C45Classifier(criterion=criterion).fit(X, y)
        slow = C45Classifier(criterion=criterion).fit(np.r_[X, X[:1]], np.r_[y, y[0]],
                                                      np.r_[np.ones(len(y)), 0.0])  # fmt: skip
        for one, other in ((fast.grown_tree_, slow.grown_tree_), (fast.tree_, slow.tree_)):
            for name in ("parent", "feature", "value", "prediction", "start", "key", "samples"):
                np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
            np.testing.assert_array_equal(one.threshold, other.threshold)
            np.testing.assert_allclose(one.score, other.score, atol=1e-12)
        np.testing.assert_array_equal(fast.growth_log_.action, slow.growth_log_.action)


def test_both_pruners_decide_alike():
    raised = 0
    for seed in range(6):
        X, y = waveform(300, seed)
        X = np.round(X[:, :6])
        grown = C45Classifier(pruning="none").fit(X, y).tree_
        impurity = CRITERIA["gain"].impurity
        one, log = prune_error_based(grown, X.T, y, impurity, confidence=0.1)
        other, told = prune_in_parts(
            grown, X.T, y, impurity, _estimate(0.1, False), np.zeros(grown.n_nodes, bool),
            subtree_raising=True, collapse_only=False,
        )  # fmt: skip
        for name in ("parent", "first_child", "feature", "value", "prediction", "grown_node"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
        for name in ("node", "action", "n_samples", "branch"):
            np.testing.assert_array_equal(getattr(log, name), getattr(told, name))
        np.testing.assert_allclose(log.score, told.score, atol=1e-9)
        other.validate(X)
        raised += (log.action == Action.RAISE).sum()
    assert raised, "the data should show subtree raising"


def test_raised_rows_are_shared_out_anew():
    raised = 0
    for seed in range(12):
        X, y = mixed(seed, n=200, missing=0.1)
        estimator = C45Classifier(confidence=0.5).fit(X, y)
        estimator.tree_.validate(estimator.encode(X))
        raised += (estimator.growth_log_.action == Action.RAISE).sum()
    assert raised, "the data should show subtree raising"


def test_predictions_combine_the_branches():
    X, y = mixed(1)
    estimator = C45Classifier(pruning="none").fit(X, y)
    tree = estimator.tree_
    assert tree.missing == Missing.FRACTIONS
    probability = estimator.predict_proba(X)
    np.testing.assert_allclose(probability.sum(axis=1), 1.0)
    row, leaf, weight = tree.leaf_weights(estimator.encode(X))
    shares = tree.value / np.maximum(tree.value.sum(axis=1, keepdims=True), 1e-300)
    empty = np.flatnonzero(tree.n_node_samples == 0)
    shares[empty, tree.prediction[empty]] = 1.0
    expected = np.zeros((len(X), 3))
    np.add.at(expected, row, weight[:, None] * shares[leaf])
    np.testing.assert_allclose(probability, expected, atol=1e-12)
    unseen = X.assign(colour="purple")
    lost = X.assign(colour=None)
    np.testing.assert_array_equal(estimator.predict_proba(unseen), estimator.predict_proba(lost))


def test_an_unseen_value_stops_id3():
    X = pd.DataFrame({"a": list("ppqqrr"), "b": list("uvuvuv")})
    estimator = ID3Classifier().fit(X, [0, 0, 1, 1, 1, 1])
    new = pd.DataFrame({"a": ["p", "s"], "b": ["u", "u"]})
    assert estimator.apply(new).tolist() == [1, 0]
    assert estimator.predict(new).tolist() == [0, 1]
    np.testing.assert_allclose(estimator.predict_proba(new)[1], [2 / 6, 4 / 6])


def test_a_category_without_rows_is_an_empty_leaf():
    kinds = pd.CategoricalDtype(["p", "q", "never"])
    X = pd.DataFrame({"a": pd.Series(list("ppppqqqq"), dtype=kinds), "b": range(8)})
    estimator = C45Classifier(categorical_features=["a"]).fit(X, [0, 0, 0, 0, 1, 1, 1, 1])
    tree = estimator.tree_
    assert tree.feature_categories == (("p", "q", "never"), None)
    assert tree.n_node_samples.tolist() == [8, 4, 4, 0]
    assert tree.prediction[3] == tree.prediction[0]
    assert Reason.EMPTY in estimator.growth_log_.reason
    tree.validate(estimator.encode(X))


def test_weights_are_repeats():
    X, y = mixed(2, missing=0.0)
    times = np.random.default_rng(0).integers(0, 4, len(y))
    weighted = C45Classifier().fit(X, y, times)
    rows = np.repeat(np.arange(len(y)), times)
    repeated = C45Classifier().fit(X.iloc[rows], y[rows])
    np.testing.assert_allclose(weighted.tree_.value, repeated.tree_.value)
    np.testing.assert_array_equal(weighted.predict(X), repeated.predict(X))


BAD = {
    "has 10000 different values": (
        pd.DataFrame({"name": [f"n{i}" for i in range(10_000)]}), np.arange(10_000) % 2, {}),
    "no column; these are: a, b": (
        pd.DataFrame({"a": list("pq"), "b": [1, 2]}), [0, 1], {"categorical_features": ["c"]}),
    "must be 'from_dtype', None or a list": (
        pd.DataFrame({"a": [1, 2]}), [0, 1], {"categorical_features": "all"}),
    "'b' is numeric, but holds": (
        pd.DataFrame({"a": [1, 2], "b": list("pq")}), [0, 1], {"categorical_features": ["a"]}),
    "infinity": (pd.DataFrame({"a": list("pq"), "b": [1.0, np.inf]}), [0, 1], {}),
    "0 sample": (pd.DataFrame({"a": pd.Series([], dtype=object)}), [], {}),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_bad_tables_are_named(what):
    X, y, params = BAD[what]
    with pytest.raises(ValueError, match=what):
        C45Classifier(**params).fit(X, y)


def test_bad_weights_and_missing_values_are_named():
    X = pd.DataFrame({"a": ["p", "q", None], "b": [1.0, 2.0, 3.0]})
    with pytest.raises(ValueError, match=r"column 'a' lacks 1 values \(NaN\)"):
        ID3Classifier().fit(X, [0, 1, 0])
    with pytest.raises(ValueError, match="Negative values in data passed to `sample_weight`"):
        C45Classifier().fit(X, [0, 1, 0], [1, 1, -1])
    with pytest.raises(ValueError, match="at least one non-zero"):
        C45Classifier().fit(X, [0, 1, 0], [0, 0, 0])


@pytest.mark.parametrize("cls", [C45Classifier, ID3Classifier])
def test_a_single_class_is_a_leaf(cls):
    X = pd.DataFrame({"a": list("pqr"), "b": [1.0, 2.0, 3.0]})
    estimator = cls().fit(X, [1, 1, 1])
    assert estimator.tree_.n_nodes == 1
    assert estimator.predict(X).tolist() == [1, 1, 1]


def test_arrays_name_their_nominal_columns_by_number():
    X, y = mixed(3)
    by_number = C45Classifier(categorical_features=[0, 2]).fit(X.to_numpy(dtype=object), y)
    by_type = C45Classifier().fit(X, y)
    np.testing.assert_array_equal(by_number.tree_.value, by_type.tree_.value)
    assert by_number.categories_[0] == ("blue", "green", "grey", "red")
    assert by_number.categories_[1] is None
