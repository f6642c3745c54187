"""CART on tables with nominal columns and missing values."""

import numpy as np
import pandas as pd
import pytest

from lastviz import CARTClassifier, CARTRegressor
from lastviz.datasets import load_dataset
from lastviz.inspection import growth_frames, split_search
from lastviz.splitters.binary.subset_kernels import MOST_EXACT
from lastviz.tree import Kind
from tests.replay import replayed


def table(n=200, seed=0, gaps=0.1, n_towns=6):
    """Town and colour are nominal, age and height numbers; y rises with some of them."""
    rng = np.random.default_rng(seed)
    town = rng.integers(0, n_towns, n)
    colour = rng.integers(0, 3, n)
    age, height = rng.integers(18, 80, n).astype(float), rng.normal(170, 10, n)
    y = (town % 3) * 2.0 + (colour == 1) + age / 40 + rng.normal(size=n) * 0.5
    X = pd.DataFrame({
        "town": [f"t{v:02d}" for v in town],
        "age": age,
        "colour": pd.Categorical.from_codes(colour, ["red", "green", "blue"]),
        "height": height,
    })  # fmt: skip
    for column in X.columns if gaps else ():
        X.loc[rng.random(n) < gaps, column] = None
    return X, y


def classes_of(y, n_classes=3):
    return np.array(["low", "mid", "high", "top"])[np.digitize(y, [2.0, 4.0, 5.5][: n_classes - 1])]


ESTIMATORS = [
    CARTRegressor(), CARTRegressor(max_leaf_nodes=8), CARTRegressor(min_samples_leaf=6),
    CARTClassifier(), CARTClassifier(criterion="entropy"), CARTClassifier(criterion="twoing"),
    CARTClassifier(max_leaf_nodes=8, class_weight="balanced"),
    CARTClassifier(ccp_cv=4, ccp_impurity="misclassification"), CARTRegressor(ccp_cv=4),
]  # fmt: skip


@pytest.mark.ci
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
@pytest.mark.parametrize("gaps", [0.0, 0.15])
def test_replay_finds_the_stored_split_of_every_node(estimator, gaps):
    X, y = table(gaps=gaps)
    if isinstance(estimator, CARTClassifier):
        y = classes_of(y)
    replayed(estimator.fit(X, y), X, y)
    tree = estimator.grown_tree_
    assert (tree.kind == Kind.CATEGORIES).any()
    assert (tree.kind == Kind.THRESHOLD).any()
    frames = growth_frames(estimator)
    assert len(frames.alive(frames.n_frames - 1)) == estimator.tree_.n_nodes


def test_a_fully_grown_tree_is_right_on_its_rows_and_takes_missing_values_whatever_it_saw():
    X, y = table(gaps=0.0)
    assert CARTClassifier().fit(X, classes_of(y)).score(X, classes_of(y)) == 1.0
    np.testing.assert_allclose(CARTRegressor().fit(X, y).predict(X), y)
    gaps, _ = table(gaps=0.2)
    assert np.isfinite(CARTRegressor().fit(X, y).predict(gaps)).all()
    fitted = CARTRegressor().fit(gaps, y)
    assert np.isfinite(fitted.predict(gaps)).all()
    assert (fitted.tree_.missing_branch[fitted.tree_.n_children > 0] >= 0).all()


def test_the_order_of_the_rows_does_not_matter():
    X, y = table(gaps=0.1)
    order = np.random.default_rng(1).permutation(len(y))
    for estimator, target in ((CARTClassifier(), classes_of(y)), (CARTRegressor(), y)):
        before = estimator.fit(X, target).predict(X)
        after = estimator.fit(X.iloc[order], target[order]).predict(X)
        if target is y:
            np.testing.assert_allclose(before, after, atol=1e-12)
        else:
            np.testing.assert_array_equal(before, after)


def test_an_unseen_category_stops_at_the_node_that_asks_for_it():
    X = pd.DataFrame({"town": list("aabbcc"), "x": [1.0, 2, 1, 2, 1, 2]})
    y = np.array([0, 0, 1, 1, 1, 1])
    fitted = CARTClassifier().fit(X, y)
    strange = pd.DataFrame({"town": ["z", "a"], "x": [1.0, 1.0]})
    assert fitted.apply(strange).tolist() == [0, 1]
    assert fitted.predict(strange).tolist() == [1, 0]
    np.testing.assert_allclose(fitted.predict_proba(strange), [[1 / 3, 2 / 3], [1, 0]])


def test_more_categories_than_all_subsets_are_tried_of_is_said_not_refused():
    X, y = table(n=400, gaps=0.0, n_towns=25)
    fitted = CARTClassifier().fit(X, classes_of(y))
    (note,) = fitted.notes_
    assert "'town' has 25 categories" in note
    assert f"at most {MOST_EXACT}" in note
    assert CARTClassifier().fit(X, classes_of(y, 2)).notes_ == ()
    assert CARTRegressor().fit(X, y).notes_ == ()
    X, y = table()
    assert CARTClassifier().fit(X, classes_of(y)).notes_ == ()


def test_nominal_columns_are_named_or_found():
    X, y = table(gaps=0.0)
    assert CARTRegressor().fit(X, y).categories_[2] == ("red", "green", "blue")
    codes = np.c_[X["age"], X["colour"].cat.codes]
    by_number = CARTRegressor(categorical_features=[1]).fit(codes, y)
    assert by_number.categories_ == (None, (0, 1, 2))
    as_numbers = CARTRegressor(categorical_features=None).fit(codes, y)
    assert as_numbers.categories_ == (None, None)
    assert (by_number.tree_.kind == Kind.CATEGORIES).any()
    with pytest.raises(ValueError, match="categorical_features names"):
        CARTRegressor(categorical_features=["weight"]).fit(X, y)


@pytest.mark.parametrize("regression", [False, True])
def test_weights_are_repeated_rows(regression):
    X, y = table(n=120)
    weight = np.random.default_rng(4).integers(0, 4, len(y))
    target = y if regression else classes_of(y)
    make = CARTRegressor if regression else CARTClassifier
    weighted = make(max_depth=5).fit(X, target, weight)
    twice = np.repeat(np.arange(len(y)), weight)
    repeated = make(max_depth=5).fit(X.iloc[twice], target[twice])
    if regression:
        np.testing.assert_allclose(weighted.predict(X), repeated.predict(X), atol=1e-12)
    else:
        np.testing.assert_array_equal(weighted.predict(X), repeated.predict(X))


def test_example_5_4_the_tree_of_the_loan_data():
    data = load_dataset("loan")
    fitted = CARTClassifier().fit(data.X, data.y)
    tree = fitted.tree_
    assert [tree.feature_names[f] for f in tree.feature[tree.feature >= 0]] == ["house", "job"]
    assert tree.n_leaves == 3
    search = split_search(fitted, data.X, data.y, 0)
    inside = tree.impurity[0] - search.columns["gini"]
    names = np.array(tree.feature_names)[search.feature]
    of = {name: np.sort(inside[names == name]).round(6).tolist() for name in tree.feature_names}
    assert of == {
        "age": [0.44, 0.44],  # middle against the others, 0.48, is no prefix by share of yes
        "job": [0.32],
        "house": [0.266667],
        "credit": [0.32, 0.363636],  # nor is good against the others, 0.474074
    }
    assert search.columns["gini"][search.winner] == pytest.approx(0.48 - 0.8 / 3, abs=1e-12)
