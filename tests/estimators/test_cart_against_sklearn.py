"""CART against scikit-learn's trees: walked in step until a tie lets them part."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier

from lastviz import CARTClassifier
from lastviz.criteria import CRITERIA
from lastviz.inspection import split_search
from lastviz.pruning import best_step, cost_complexity_path, folds, prune_cost_complexity
from tests.conftest import waveform
from tests.in_step import compared_in_step
from tests.replay import replayed

DATA = {
    "iris": lambda: load_iris(return_X_y=True),
    "wine": lambda: load_wine(return_X_y=True),
    "breast_cancer": lambda: load_breast_cancer(return_X_y=True),
    "waveform": lambda: waveform(1000, seed=4),
}


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("data", DATA)
def test_the_trees_are_the_same_where_nothing_ties(data, criterion):
    X, y = DATA[data]()
    X = X.astype(np.float32).astype(np.float64)
    ours = CARTClassifier(criterion=criterion).fit(X, y)
    theirs = DecisionTreeClassifier(criterion=criterion, random_state=0).fit(X, y).tree_
    assert compared_in_step(ours, theirs, X, y) >= 3


@pytest.mark.parametrize("max_leaf_nodes", [2, 5, 17])
def test_best_first_finds_the_same_leaves(max_leaf_nodes):
    X, y = waveform(1000, seed=4)
    X = X.astype(np.float32).astype(np.float64)
    ours = CARTClassifier(max_leaf_nodes=max_leaf_nodes).fit(X, y)
    theirs = DecisionTreeClassifier(max_leaf_nodes=max_leaf_nodes, random_state=0).fit(X, y)
    assert ours.tree_.n_leaves == max_leaf_nodes
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


WEIGHTS = {
    "balanced": {"class_weight": "balanced"},
    "by class": {"class_weight": {0: 1.0, 1: 3.0, 2: 0.5}},
    "by row": {},
}


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("weights", WEIGHTS)
def test_weighted_trees_are_the_same(weights, criterion):
    X, y = waveform(400, seed=8)
    X = X.astype(np.float32).astype(np.float64)
    sample_weight = None
    if weights == "by row":
        sample_weight = np.random.default_rng(0).integers(0, 4, len(y)).astype(float)
    params = {"criterion": criterion, "max_depth": 5, **WEIGHTS[weights]}
    ours = CARTClassifier(**params).fit(X, y, sample_weight)
    theirs = DecisionTreeClassifier(random_state=0, **params).fit(X, y, sample_weight)
    assert compared_in_step(ours, theirs.tree_, X, y) >= 10
    ours.tree_.validate(X)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_ccp_alpha_leaves_the_same_tree(seed, weighted):
    X, y = waveform(300, seed)
    X = X.astype(np.float32).astype(np.float64)
    weight = np.random.default_rng(seed).uniform(0.5, 2, len(y)) if weighted else None
    path = DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(X, y, weight)
    own = cost_complexity_path(CARTClassifier().fit(X, y, weight).tree_, "gini")
    distinct = np.r_[np.diff(path.ccp_alphas) > 1e-12, True]
    np.testing.assert_allclose(own.alpha, path.ccp_alphas[distinct], atol=1e-12)
    for alpha in (0.002, 0.01, 0.03, 1.0):
        ours = CARTClassifier(ccp_alpha=alpha).fit(X, y, weight)
        theirs = DecisionTreeClassifier(random_state=0, ccp_alpha=alpha).fit(X, y, weight)
        assert ours.tree_.n_leaves == theirs.get_n_leaves()
        assert np.mean(ours.predict(X) == theirs.predict(X)) > 0.99  # equal up to ties


def test_weights_of_one_are_no_weights():
    X, y = waveform(200, seed=1)
    one, other = CARTClassifier().fit(X, y), CARTClassifier().fit(X, y, np.ones(len(y)))
    np.testing.assert_array_equal(one.tree_.threshold, other.tree_.threshold)
    np.testing.assert_array_equal(one.tree_.score, other.tree_.score)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_the_two_ways_of_growth_agree(criterion):
    """Doubled weights take the sums of weights, no weights the packed counts."""
    X, y = waveform(300, seed=2)
    X[:, :3] = np.round(X[:, :3])
    one = CARTClassifier(criterion=criterion).fit(X, y)
    other = CARTClassifier(criterion=criterion).fit(X, y, np.full(len(y), 2.0))
    np.testing.assert_array_equal(one.tree_.feature, other.tree_.feature)
    np.testing.assert_array_equal(one.tree_.threshold, other.tree_.threshold)
    np.testing.assert_allclose(one.tree_.score, other.tree_.score, atol=1e-12)
    np.testing.assert_array_equal(2 * one.tree_.value, other.tree_.value)


@pytest.mark.parametrize("rule", ["min", "1se"])
@pytest.mark.parametrize("impurity", ["gini", "misclassification"])
def test_the_price_is_chosen_by_folds(rule, impurity):
    X, y = waveform(200, seed=3)
    X = X[:, 4:12].astype(np.float32).astype(np.float64)
    fitted = CARTClassifier(ccp_cv=4, ccp_rule=rule, ccp_impurity=impurity).fit(X, y)
    found, path = fitted.cross_validation_, fitted.cost_complexity_path_
    fold = folds(y, 4, 0, stratify=True)
    for k in range(3):
        assert np.ptp(np.bincount(fold[y == k])) <= 1
    errors = np.zeros(path.n_steps)
    for k in range(4):
        grown = CARTClassifier().fit(X[fold != k], y[fold != k]).tree_
        own = cost_complexity_path(grown, impurity)
        for i, alpha in enumerate(found.alpha):
            pruned, _ = prune_cost_complexity(grown, own, own.step_at(alpha))
            errors[i] += np.count_nonzero(pruned.predict(X[fold == k]) != y[fold == k])
    np.testing.assert_allclose(found.loss * len(y), errors, atol=1e-9)
    assert found.step == best_step(errors, len(y), rule)
    assert fitted.tree_.n_leaves == path.n_leaves[found.step]
    fitted.tree_.validate(X)


def test_missing_values_are_taken_and_replayed():
    X, y = waveform(200, seed=6)
    X = X[:, 5:11]
    X[np.random.default_rng(0).random(X.shape) < 0.2] = np.nan
    for params in ({}, {"criterion": "twoing"}, {"max_leaf_nodes": 9}, {"ccp_cv": 3}):
        fitted = replayed(CARTClassifier(**params).fit(X, y), X, y, within=1e-12)
    assert fitted.score(X, y) > 0.6
    complete = CARTClassifier().fit(np.nan_to_num(X), y)
    assert np.isin(complete.predict(X), complete.classes_).all()


def test_twoing_parts_the_classes_into_two_groups():
    """One class against three others gains as much twoing as any other two groups of its size."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 2))
    y = 2 * (X[:, 0] > 0.1) + (X[:, 1] > 0.3)
    fitted = CARTClassifier(criterion="twoing").fit(X, y)
    search = split_search(fitted, X, y, 0)
    left, right = search.left_counts, search.right_counts
    np.testing.assert_allclose(
        search.columns["twoing"], CRITERIA["twoing"].score(left, right), atol=1e-12
    )
    assert fitted.tree_.n_leaves == 4
