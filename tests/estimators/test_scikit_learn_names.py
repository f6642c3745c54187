"""What scikit-learn's trees have by the same names: sizes, importances, paths, limits of growth."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine, make_friedman1
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from lastviz import C45Classifier, CARTClassifier, CARTRegressor, OC1Classifier, SVMTreeClassifier
from lastviz._random import feature_order
from lastviz.estimators import ESTIMATORS
from lastviz.inspection import split_search
from lastviz.tree import Reason
from tests import replay
from tests.conftest import waveform

TREES = [entry.cls for entry in ESTIMATORS.values() if not entry.cls.TAGS.forest] + [CARTRegressor]
FORESTS = [entry.cls for entry in ESTIMATORS.values() if entry.cls.TAGS.forest]
THEIRS = {CARTClassifier: DecisionTreeClassifier, CARTRegressor: DecisionTreeRegressor}


def single(X):
    """Values that float32 holds, as scikit-learn reads them."""
    return X.astype(np.float32).astype(np.float64)


def samples(model, seed=0, n=300):
    if model is CARTRegressor:
        X, y = make_friedman1(n, random_state=seed)
    else:
        X, y = waveform(n, seed)
    return single(X), y


replayed = partial(
    replay.replayed, within=1e-12,
    without_split=(Reason.NO_CANDIDATE, Reason.NO_GAIN, Reason.SMALL_DECREASE),
)  # fmt: skip


def pairs(params, criteria=("gini", "entropy")):
    """One of our trees and one of scikit-learn's of the same parameters, for each criterion."""
    for criterion in criteria:
        both = {"criterion": criterion, **params}
        yield CARTClassifier(**both), DecisionTreeClassifier(random_state=0, **both)
    yield CARTRegressor(**params), DecisionTreeRegressor(random_state=0, **params)


@pytest.mark.parametrize("model", TREES)
def test_sizes_and_paths_of_every_tree(model):
    X, y = load_iris(return_X_y=True)
    fitted = model(max_depth=3).fit(X, y)
    tree = fitted.tree_
    assert fitted.get_depth() == tree.max_depth <= 3
    assert fitted.get_n_leaves() == np.count_nonzero(tree.n_children == 0)
    visited = fitted.decision_path(X)
    assert visited.shape == (len(X), tree.n_nodes)
    for row, stop in zip(range(len(X)), fitted.apply(X), strict=True):
        assert visited[[row]].indices.tolist() == tree.path(int(stop))
    if hasattr(fitted, "predict_proba"):
        shares = np.exp(fitted.predict_log_proba(X))
        np.testing.assert_allclose(shares, fitted.predict_proba(X), atol=1e-12)
    else:
        assert not hasattr(fitted, "predict_log_proba")


def test_a_row_in_parts_visits_all_its_nodes():
    X, y = waveform(200, seed=3)
    X = X[:, 8:13]
    X[np.random.default_rng(0).random(X.shape) < 0.2] = np.nan
    fitted = C45Classifier().fit(X, y)
    visited = fitted.decision_path(X)
    row, node, _ = fitted.tree_.leaf_weights(X)
    for i in range(len(X)):
        ways = [fitted.tree_.path(int(leaf)) for leaf in node[row == i]]
        assert sorted(visited[[i]].indices) == sorted({n for way in ways for n in way})
    assert max(np.bincount(row)) > 1


@pytest.mark.parametrize("model", THEIRS)
@pytest.mark.parametrize("seed", range(3))
def test_importances_and_paths_are_those_of_scikit_learn(model, seed):
    X, y = samples(model, seed, n=600)
    ours, theirs = model(max_depth=3).fit(X, y), THEIRS[model](max_depth=3).fit(X, y)
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-9)
    assert (ours.get_depth(), ours.get_n_leaves()) == (theirs.get_depth(), theirs.get_n_leaves())
    one, other = ours.decision_path(X), theirs.decision_path(X)
    np.testing.assert_array_equal(one.sum(axis=1), other.sum(axis=1))
    np.testing.assert_array_equal(
        np.sort(np.asarray(one.sum(axis=0)).ravel()), np.sort(np.asarray(other.sum(axis=0)).ravel())
    )


@pytest.mark.parametrize("model", TREES + FORESTS)
def test_importances_are_shares_whatever_the_units_and_numbers_have_scikit_learns_names(model):
    X, y = load_iris(return_X_y=True)
    fitted = model().fit(X, y)
    assert model is CARTRegressor or fitted.n_classes_ == 3
    assert model in FORESTS or fitted.n_outputs_ == 1
    assert "n_classes_" not in vars(fitted)
    if len(getattr(getattr(fitted, "tree_", None), "kernel", ())):
        assert not hasattr(fitted, "feature_importances_")
        return
    shares = fitted.feature_importances_
    assert shares.shape == (4,)
    assert (shares >= -1e-12).all()
    assert shares.sum() == pytest.approx(1.0)
    if getattr(fitted, "latent", "none") == "none":  # a latent space depends on units itself
        scaled = model().fit(X * [1.0, 1024.0, 1.0, 0.5], y)
        np.testing.assert_allclose(scaled.feature_importances_, shares, atol=1e-9)


def test_a_hyperplane_shares_its_decrease_out_by_standardised_weights():
    X, y = waveform(200, seed=0)
    fitted = OC1Classifier(n_restarts=2, max_depth=1, pruning_fraction=0.0).fit(X[:, :4], y)
    (weights,) = fitted.tree_.oblique.weights
    expected = np.abs(weights) * X[:, :4].std(axis=0)
    np.testing.assert_allclose(fitted.feature_importances_, expected / expected.sum())


def test_a_leaf_has_no_importances_and_an_unfitted_tree_says_so():
    assert CARTClassifier().fit([[0.0], [1.0]], [1, 1]).feature_importances_.tolist() == [0.0]
    assert not hasattr(CARTClassifier(), "feature_importances_")
    machines = SVMTreeClassifier().fit(*load_iris(return_X_y=True))
    with pytest.raises(AttributeError, match="split one feature at a time"):
        machines.feature_importances_  # noqa: B018


@pytest.mark.parametrize("least", [0.01, 0.02, 0.03, 0.4])
def test_the_least_decrease_is_that_of_scikit_learn(least):
    for ours, theirs in pairs({"min_impurity_decrease": least}):
        X, y = samples(type(ours), seed=2, n=600)
        scale = np.var(y) if isinstance(ours, CARTRegressor) else 1.0
        ours.set_params(min_impurity_decrease=least * scale).fit(X, y)
        theirs.set_params(min_impurity_decrease=least * scale).fit(X, y)
        assert ours.get_n_leaves() == theirs.get_n_leaves()
        np.testing.assert_allclose(ours.predict(X), theirs.predict(X))
        leaves = ours.growth_log_.reason[ours.growth_log_.reason != Reason.BEST_SPLIT]
        assert Reason.SMALL_DECREASE in leaves
        replayed(ours, X, y)


@pytest.mark.parametrize("share", [0.01, 0.05, 0.2, 0.5])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_least_share_of_a_leaf_is_that_of_scikit_learn(share, weighted):
    for ours, theirs in pairs({"min_weight_fraction_leaf": share, "max_depth": 3}):
        X, y = samples(type(ours), seed=4, n=600)
        weight = np.random.default_rng(1).uniform(0.0, 3.0, len(y)) if weighted else None
        ours.fit(X, y, weight)
        theirs.fit(X, y, weight)
        assert ours.get_n_leaves() == theirs.get_n_leaves()
        np.testing.assert_allclose(ours.predict(X), theirs.predict(X))
        tree = ours.tree_
        assert tree.weighted_n_node_samples.min() >= share * tree.weighted_n_node_samples[0] - 1e-9
        replayed(ours, X, y)


def test_limits_hold_with_nominal_and_missing_values():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=200), rng.integers(0, 6, 200)])
    X[rng.random(X.shape) < 0.2] = np.nan
    y = rng.integers(0, 3, 200)
    weight = rng.uniform(0.1, 2.0, 200)
    params = {"min_weight_fraction_leaf": 0.04, "min_impurity_decrease": 0.002, "max_features": 1}
    for criterion in ("gini", "entropy", "twoing"):
        fitted = CARTClassifier(criterion, categorical_features=[1], **params).fit(X, y, weight)
        tree = fitted.tree_
        tree.validate(fitted.encode(X))
        assert tree.n_nodes > 5
        assert tree.weighted_n_node_samples.min() >= 0.04 * weight.sum() - 1e-9
        replayed(fitted, X, y)


def test_class_weights_count_in_the_least_share():
    X, y = samples(CARTClassifier, seed=1)
    params = {"class_weight": {0: 9.0, 1: 1.0, 2: 0.2}, "min_weight_fraction_leaf": 0.05}
    ours = CARTClassifier(**params).fit(X, y)
    theirs = DecisionTreeClassifier(random_state=0, **params).fit(X, y)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


@pytest.mark.parametrize("model", THEIRS)
def test_all_features_is_no_choice(model):
    X, y = samples(model)
    one, other = model().fit(X, y), model(max_features=X.shape[1], random_state=7).fit(X, y)
    np.testing.assert_array_equal(one.tree_.threshold, other.tree_.threshold)


@pytest.mark.ci
@pytest.mark.parametrize("model", THEIRS)
@pytest.mark.parametrize(("most", "n_offered"), [(1, 1), (3, 3), ("sqrt", 4), ("log2", 4)])
def test_each_node_looks_at_some_features_drawn_by_its_key(model, most, n_offered):
    X, y = samples(model)
    X = np.c_[X, np.zeros((len(X), 21 - X.shape[1]))]  # constant features have no candidate
    fitted = model(max_features=most, random_state=3).fit(X, y)
    tree = fitted.tree_
    assert len(set(tree.feature[tree.feature >= 0])) > 4
    replayed(fitted, X, y)
    for node in range(tree.n_nodes):
        if tree.is_leaf(node):
            continue
        rows = tree.node_samples(node)[0]
        order = feature_order(3, int(tree.key[node]), 21)
        usable = [np.ptp(X[rows, f]) > 0 for f in order]
        end = max(n_offered, usable.index(True) + 1)
        best = model(max_depth=1).fit(X[rows][:, np.sort(order[:end])], y[rows])
        assert np.sort(order[:end])[best.tree_.feature[0]] == tree.feature[node]
        assert best.tree_.threshold[0] == tree.threshold[node]
    again = clone(fitted).fit(X, y).tree_
    np.testing.assert_array_equal(again.threshold, tree.threshold)


def test_every_feature_comes_first_as_often():
    first = [feature_order(seed, key, 5)[0] for seed in range(40) for key in range(100)]
    counts = np.bincount(first, minlength=5)
    assert np.abs(counts - 800).max() < 4.5 * np.sqrt(4000 * 0.2 * 0.8)
    assert len({tuple(feature_order(seed, 1, 5)) for seed in range(2000)}) == 120


def test_features_not_looked_at_have_no_admissible_candidate():
    X, y = samples(CARTClassifier)
    fitted = CARTClassifier(max_features=2, random_state=1).fit(X, y)
    search = split_search(fitted, X, y, 0)
    everything = split_search(CARTClassifier().fit(X, y), X, y, 0)
    np.testing.assert_array_equal(search.feature, everything.feature)
    np.testing.assert_array_equal(search.threshold, everything.threshold)
    admitted = np.unique(search.feature[search.columns["gini"] > -np.inf])
    assert sorted(admitted) == sorted(feature_order(1, int(fitted.tree_.key[0]), 21)[:2])


PATHS = {
    "iris": load_iris, "wine": load_wine, "breast_cancer": load_breast_cancer,
    "digits": load_digits,
}  # fmt: skip


@pytest.mark.parametrize("data", PATHS)
def test_the_pruning_path_is_scikit_learns_with_its_equal_prices_put_together(data):
    """scikit-learn has a step for each node; nodes that tie become leaves in one step here."""
    X, y = PATHS[data](return_X_y=True)
    found = CARTClassifier(ccp_alpha=0.1).cost_complexity_pruning_path(single(X), y)
    assert (np.diff(found.ccp_alphas) > 0.0).all()
    assert (np.diff(found.impurities) > 0.0).all()
    grown = CARTClassifier().fit(single(X), y)
    assert found.ccp_alphas[0] == 0.0
    assert found.impurities[0] == pytest.approx(0.0, abs=1e-12)
    assert len(found.ccp_alphas) <= grown.get_n_leaves()


@pytest.mark.parametrize("model", THEIRS)
@pytest.mark.parametrize("seed", range(3))
def test_the_pruning_path_of_the_same_tree_is_that_of_scikit_learn(model, seed):
    X, y = samples(model, seed)
    limit = {"max_depth": 6, "min_samples_leaf": 3}
    weight = np.random.default_rng(seed).uniform(0.5, 2.0, len(y))
    theirs = THEIRS[model](random_state=0, **limit).cost_complexity_pruning_path(X, y, weight)
    unfitted = model(ccp_alpha=0.05, **limit)
    ours = unfitted.cost_complexity_pruning_path(X, y, weight)
    assert not hasattr(unfitted, "tree_")
    last = np.r_[np.diff(theirs.ccp_alphas) > 1e-12, True]
    np.testing.assert_allclose(ours.ccp_alphas, theirs.ccp_alphas[last], atol=1e-12)
    np.testing.assert_allclose(ours.impurities, theirs.impurities[last], atol=1e-12)


BOTH_WORDS = [
    entry.cls for entry in ESTIMATORS.values()
    if any({"gain", "entropy"} & set(p.choices) for p in entry.cls.PARAMS if p.name == "criterion")
]  # fmt: skip


@pytest.mark.parametrize("model", BOTH_WORDS)
def test_gain_entropy_and_log_loss_are_one_criterion(model):
    X, y = waveform(200, 0)
    (choices,) = (param.choices for param in model.PARAMS if param.name == "criterion")
    one, *others = (
        model(criterion=word).fit(X, y)
        for word in ("gain", "entropy", *({"log_loss"} & set(choices)))
    )
    for other in others:
        assert one.criterion_column == other.criterion_column == "gain"
        np.testing.assert_array_equal(one.tree_.feature, other.tree_.feature)
        np.testing.assert_array_equal(one.tree_.threshold, other.tree_.threshold)
        np.testing.assert_array_equal(one.tree_.oblique.weights, other.tree_.oblique.weights)
        np.testing.assert_array_equal(one.tree_.score, other.tree_.score)
    replayed(other, X, y)


def test_five_algorithms_and_more_know_both_words():
    assert len(BOTH_WORDS) >= 6
    with pytest.raises(ValueError, match="criterion must be one of"):
        CARTClassifier(criterion="gini index").fit([[0.0], [1.0]], [0, 1])


def test_fewer_steps_than_scikit_learn_are_its_steps_with_equal_prices_put_together():
    """47 nodes become leaves, at 41 prices; each step here is the last of its price there."""
    X, y = samples(CARTClassifier, seed=3, n=500)
    theirs = DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(X, y)
    ours = CARTClassifier().cost_complexity_pruning_path(X, y)
    last = np.r_[np.diff(theirs.ccp_alphas) > 1e-12, True]
    assert (len(theirs.ccp_alphas), last.sum(), len(ours.ccp_alphas)) == (47, 41, 41)
    np.testing.assert_allclose(ours.ccp_alphas, theirs.ccp_alphas[last], atol=1e-12)
    np.testing.assert_allclose(ours.impurities, theirs.impurities[last], atol=1e-12)


@pytest.mark.parametrize("name", ["min_samples_leaf", "min_samples_split", "max_features"])
@pytest.mark.parametrize("share", [0.001, 0.037, 0.2, np.float64(0.5)])
def test_a_share_of_all_rows_is_scikit_learns_number(name, share):
    for ours, theirs in pairs({name: share}):
        X, y = samples(type(ours))
        fitted, whole = ours.fit(X, y), theirs.fit(X, y)
        assert fitted.max_features_ == whole.max_features_
        if name == "max_features":
            as_number = clone(ours).set_params(max_features=fitted.max_features_).fit(X, y)
            np.testing.assert_array_equal(fitted.apply(X), as_number.apply(X))
            continue
        number = max(int(np.ceil(share * len(X))), 2 if name == "min_samples_split" else 1)
        as_number = clone(ours).set_params(**{name: number}).fit(X, y)
        np.testing.assert_array_equal(fitted.apply(X), as_number.apply(X))
        of_number = clone(theirs).set_params(**{name: number}).fit(X, y)
        np.testing.assert_array_equal(whole.apply(X), of_number.apply(X))
        replayed(fitted, X, y)


@pytest.mark.parametrize("share", [0.0, 1.0, 1.5, -0.1, np.nan])
def test_a_share_that_is_none_is_refused(share):
    with pytest.raises(ValueError, match="an integer >= 1, a fraction between 0 and 1, got"):
        CARTClassifier(min_samples_leaf=share).fit(*load_iris(return_X_y=True))


def asked_by(fitted):
    tree = fitted.tree_
    pairs = zip(tree.feature.tolist(), tree.threshold.tolist(), strict=True)
    return sorted((f, round(t, 9)) for f, t in pairs if f >= 0)


@pytest.mark.parametrize("model", [CARTClassifier, CARTRegressor])
@pytest.mark.parametrize("seed", range(3))
def test_values_that_no_training_row_lacked_go_where_scikit_learn_sends_them(model, seed):
    X, y = samples(model, seed)
    ours = model(max_leaf_nodes=12).fit(X, y)
    # Of equal splits scikit-learn takes one at random: a seed by which it grows our tree.
    drawn = (THEIRS[model](max_leaf_nodes=12, random_state=k).fit(X, y) for k in range(50))
    theirs = next(tree for tree in drawn if asked_by(tree) == asked_by(ours))
    rng = np.random.default_rng(seed)
    holed = np.where(rng.random(X.shape) < 0.3, np.nan, X)
    np.testing.assert_allclose(ours.predict(holed), theirs.predict(holed))
    np.testing.assert_allclose(
        ours.decision_path(holed).sum(axis=1), theirs.decision_path(holed).sum(axis=1)
    )
    if model is CARTClassifier:
        np.testing.assert_allclose(ours.predict_proba(holed), theirs.predict_proba(holed))
    assert np.isnan(holed).any(axis=1).mean() > 0.5
    assert not np.array_equal(ours.apply(holed), ours.apply(X))


MEASURING = [m for m in TREES + FORESTS if not m.TAGS.nominal]


@pytest.mark.parametrize("model", MEASURING)
def test_a_table_that_is_no_numbers_is_refused_by_the_name_of_its_column(model):
    X = pd.DataFrame({"width": np.arange(20.0), "make": list("abcde") * 4})
    y = np.arange(20) % 2
    for kind in (str, object, "category"):
        with pytest.raises(ValueError, match=r"column 'make' holds categories.*get_dummies"):
            model().fit(X.astype({"make": kind}), y)
    X["make"] = np.arange(20.0)
    X.loc[3, "make"] = np.nan
    with pytest.raises(ValueError, match=r"column 'make' lacks 1 values \(NaN\); fill them in"):
        model().fit(X, y)
