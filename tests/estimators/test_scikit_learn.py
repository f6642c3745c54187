"""Models of scikit-learn taken over: they predict the same, of every row and to the last bit."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import is_regressor
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.ensemble import (
    AdaBoostClassifier,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.exceptions import NotFittedError
from sklearn.tree import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeClassifier,
    ExtraTreeRegressor,
)
from sklearn.utils import get_tags

from lastviz import from_sklearn
from lastviz.estimators.scikit_learn import threshold_of_single
from lastviz.export import as_onnx, model_as_json
from lastviz.inspection import explain, rules

X, y = load_iris(return_X_y=True)

CLASSIFIERS = (
    DecisionTreeClassifier(random_state=0),
    DecisionTreeClassifier(criterion="entropy", max_depth=4, class_weight="balanced"),
    DecisionTreeClassifier(ccp_alpha=0.01, random_state=0),
    ExtraTreeClassifier(random_state=0),
    RandomForestClassifier(20, random_state=0),
    ExtraTreesClassifier(11, random_state=1),
)
REGRESSORS = (
    DecisionTreeRegressor(random_state=0),
    DecisionTreeRegressor(criterion="absolute_error", max_depth=4, random_state=0),
    ExtraTreeRegressor(random_state=0),
    RandomForestRegressor(10, random_state=0),
    ExtraTreesRegressor(10, random_state=0),
)


def asked(model, X, rng):
    """Training rows, rows exactly on thresholds and just beside them."""
    each = getattr(model, "estimators_", [model])
    cuts = np.concatenate([e.tree_.threshold[e.tree_.feature >= 0] for e in each])
    cuts = cuts[np.isfinite(cuts)]
    on = rng.choice(cuts, (500, X.shape[1]))
    single = threshold_of_single(on)
    return np.vstack([X, on, single, np.nextafter(single, np.inf), on.astype(np.float32)])


@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
@pytest.mark.parametrize("model", CLASSIFIERS, ids=lambda m: type(m).__name__)
def test_classes_are_those_of_scikit_learn(model, load, missing):
    rng = np.random.default_rng(0)
    X, y = load(return_X_y=True)
    y = np.array(["low", "middle", "top"])[y]
    X[rng.random(X.shape) < missing] = np.nan
    model.fit(X, y)
    taken = from_sklearn(model)
    rows = asked(model, X, rng)
    rows[rng.random(rows.shape) < missing] = np.nan
    assert_array_equal(taken.predict(rows), model.predict(rows))
    assert_allclose(taken.predict_proba(rows), model.predict_proba(rows), atol=1e-12)
    for tree in taken.trees_:
        tree.validate()


@pytest.mark.parametrize("model", REGRESSORS, ids=lambda m: type(m).__name__)
def test_numbers_are_those_of_scikit_learn(model):
    X, y = load_diabetes(return_X_y=True)
    model.fit(X, y)
    taken = from_sklearn(model)
    rows = asked(model, X, np.random.default_rng(1))
    assert_array_equal(taken.predict(rows), model.predict(rows))
    for tree in taken.trees_:
        tree.validate()


BOOSTED = (
    (GradientBoostingClassifier(n_estimators=20), load_iris),
    (GradientBoostingClassifier(n_estimators=20, subsample=0.5), load_breast_cancer),
    (GradientBoostingClassifier(n_estimators=9, loss="exponential"), load_breast_cancer),
    (GradientBoostingClassifier(n_estimators=9, init="zero", max_leaf_nodes=5), load_wine),
    (GradientBoostingRegressor(n_estimators=20), load_diabetes),
    (GradientBoostingRegressor(n_estimators=9, loss="quantile", learning_rate=0.3), load_diabetes),
    (HistGradientBoostingClassifier(max_iter=20), load_iris),
    (HistGradientBoostingClassifier(max_iter=20, max_depth=3), load_breast_cancer),
    (HistGradientBoostingRegressor(max_iter=20), load_diabetes),
    (HistGradientBoostingRegressor(max_iter=9, loss="poisson"), load_diabetes),
)


@pytest.mark.parametrize(("model", "load"), BOOSTED)
def test_leaves_and_start_sum_up_to_the_scores_of_a_boosting(model, load):
    rng = np.random.default_rng(3)
    X, y = load(return_X_y=True)
    if not is_regressor(model):
        y = np.array(["low", "middle", "top"])[y]
    by_histograms = get_tags(model).input_tags.allow_nan
    if by_histograms:
        X[rng.random(X.shape) < 0.1] = np.nan
    model.fit(X, y)
    taken = from_sklearn(model)
    cuts = np.concatenate([tree.threshold[tree.feature >= 0] for tree in taken.trees_])
    on = rng.choice(cuts[np.isfinite(cuts)], (500, X.shape[1]))
    rows = np.vstack([X, on, np.nextafter(on, np.inf), on.astype(np.float32)])
    assert_array_equal(taken.predict(rows), model.predict(rows))
    if not is_regressor(model):
        assert_array_equal(taken.decision_function(rows), model.decision_function(rows))
    n_scores = len(taken.start_)
    score = taken.start_ + sum(
        np.eye(n_scores)[t % n_scores] * one.predict(rows)[:, None]
        for t, one in enumerate(taken.estimators_)
    )
    assert_allclose(score.reshape(taken.decision_function(rows).shape),
                    taken.decision_function(rows), atol=1e-12)  # fmt: skip
    for tree in taken.trees_:
        tree.validate()
        leaf = tree.apply(np.nan_to_num(X) if not by_histograms else X)
        assert (tree.n_children[leaf] == 0).all()


def test_a_sum_of_scores_is_refused_where_one_tree_is_asked_for():
    taken = from_sklearn(GradientBoostingClassifier(n_estimators=2).fit(X, y))
    for write in (model_as_json, as_onnx):
        with pytest.raises(ValueError, match=r"sum of scores; export one of its trees"):
            write(taken)
        write(taken.estimators_[0])
    with pytest.raises(ValueError, match="ask one of the model's estimators_"):
        explain(taken, X[0])
    with pytest.raises(ValueError, match="was not grown here"):
        taken.fit(X, y)


def test_a_threshold_parts_the_same_doubles_as_the_comparison_of_singles():
    rng = np.random.default_rng(2)
    scale = 10.0 ** rng.integers(-44, 38, 20_000)
    t = np.concatenate(
        [
            rng.normal(size=20_000) * scale,
            rng.normal(size=1000).astype(np.float32).astype(float),
            [0.0, -0.0, 1e-46, -1e-46, 2.0**-149, -(2.0**-149), 2.0**-126, -(2.0**-126)],
            [3.4e38, -3.4e38, 2.0, -2.0, 1.0, -1.0],
        ]
    )
    found = threshold_of_single(t)
    with np.errstate(over="ignore"):
        assert (found.astype(np.float32) <= t).all()
        assert (np.nextafter(found, np.inf).astype(np.float32) > t).all()
    assert_array_equal(threshold_of_single([np.inf, np.nan]), [np.inf, np.nan])


def test_names_come_from_the_table_or_are_given_and_rules_name_whole_counts():
    X, y = load_iris(return_X_y=True, as_frame=True)
    model = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
    taken = from_sklearn(model)
    assert taken.tree_.feature_names == tuple(X.columns)
    assert_array_equal(taken.predict(X), model.predict(X))
    with pytest.raises(ValueError, match="feature names"):
        taken.predict(X.rename(columns={"petal width (cm)": "other"}))
    named = from_sklearn(model, feature_names=["a", "b", "c", "d"])
    assert named.tree_.feature_names == ("a", "b", "c", "d")
    assert_array_equal(named.predict(X.set_axis(list("abcd"), axis=1)), model.predict(X))
    unnamed = from_sklearn(DecisionTreeClassifier(random_state=0).fit(X.to_numpy(), y))
    assert unnamed.tree_.feature_names == ("x1", "x2", "x3", "x4")
    for wrong in (["a"], ["a", "a", "b", "c"]):
        with pytest.raises(ValueError, match="must be 4 different names"):
            from_sklearn(model, feature_names=wrong)
    assert_array_equal(taken.tree_.value[0], [50.0, 50.0, 50.0])
    assert sum(rule.support for rule in rules(taken.tree_)) == 150.0
    assert_allclose(taken.feature_importances_, model.feature_importances_)
    assert taken.get_depth() == 2
    assert taken.get_n_leaves() == model.get_n_leaves()


def test_what_cannot_come_in_is_refused_in_a_sentence():
    for model in (AdaBoostClassifier(n_estimators=2).fit(X, y), object()):
        with pytest.raises(ValueError, match="must be a decision tree, an extra tree"):
            from_sklearn(model)
    begun = GradientBoostingClassifier(init=DecisionTreeClassifier(max_depth=1), n_estimators=2)
    with pytest.raises(ValueError, match="fit it with init=None"):
        from_sklearn(begun.fit(X, y))
    levels = HistGradientBoostingClassifier(categorical_features=[3], max_iter=2)
    with pytest.raises(ValueError, match="columns of numbers"):
        from_sklearn(levels.fit(X.round(), y))
    with pytest.raises(ValueError, match="one output, it learns 2"):
        from_sklearn(DecisionTreeRegressor().fit(X, X[:, :2]))
    with pytest.raises(NotFittedError):
        from_sklearn(DecisionTreeClassifier())


def test_a_model_taken_over_says_that_it_cannot_be_grown_or_replayed():
    tree = from_sklearn(DecisionTreeClassifier(random_state=0).fit(X, y))
    forest = from_sklearn(RandomForestClassifier(2, random_state=0).fit(X, y))
    for model in (tree, forest):
        for ask in (model.fit, model.grow):
            with pytest.raises(ValueError, match="was not grown here"):
                ask(X, y)
    with pytest.raises(ValueError, match="cannot be replayed"):
        tree.splitter(X, y)


def test_rows_without_a_value_are_refused_where_scikit_learn_refuses_them():
    X, y = load_diabetes(return_X_y=True)
    model = DecisionTreeRegressor(criterion="absolute_error", max_depth=2).fit(X, y)
    taken, row = from_sklearn(model), np.full((1, 10), np.nan)
    if get_tags(model).input_tags.allow_nan:
        assert_array_equal(taken.predict(row), model.predict(row))
        return
    for each in (model, taken):
        with pytest.raises(ValueError, match="NaN"):
            each.predict(row)
