"""CART for numbers: Table 5.2 of the textbook, scikit-learn, replay, weights, missing values."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.tree import DecisionTreeRegressor

from lastviz import CARTRegressor
from lastviz.datasets import regression_5_2
from lastviz.inspection import split_search
from lastviz.pruning import cost_complexity_path, folds, prune_cost_complexity
from lastviz.tree import Action
from tests.in_step import compared_in_step
from tests.replay import replayed

X_5_2 = regression_5_2().X
Y_5_2 = regression_5_2().y


def samples(n=300, m=4, seed=0, offset=0.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, m)).astype(np.float32).astype(float)
    return X, np.sin(2 * X[:, 0]) * X[:, 1] + 0.3 * rng.normal(size=n) + offset


def test_exercise_5_2_the_losses_of_all_cuts_the_tree_and_the_cost_complexity_sequence():
    fitted = CARTRegressor().fit(X_5_2, Y_5_2)
    search = split_search(fitted, X_5_2, Y_5_2, 0)
    losses = [
        22.648000, 17.702238, 12.193486, 7.378700, 3.358720, 5.073958, 10.052467, 15.177800,
        21.328000,
    ]  # fmt: skip
    np.testing.assert_allclose(search.loss, losses, atol=1e-6)
    first = [4.5, 4.625, 4.72, 4.875, 5.06, 5.391667, 5.75, 6.06, 6.353333]
    second = [6.853333, 7.11625, 7.431429, 7.78, 8.176, 8.4575, 8.643333, 8.85, 9.0]
    np.testing.assert_allclose(search.left_counts[:, 0], first, atol=1e-6)
    np.testing.assert_allclose(search.right_counts[:, 0], second, atol=1e-6)
    assert search.split.threshold == 5.5
    tree = fitted.tree_
    tree.validate(X_5_2.to_numpy())
    cuts = [
        sorted(tree.threshold[(tree.depth == level) & (tree.n_children > 0)])
        for level in range(tree.max_depth)
    ]
    assert cuts == [[5.5], [3.5, 7.5], [1.5, 4.5, 6.5, 8.5], [2.5, 9.5]]
    path = cost_complexity_path(tree, "squared_error")
    prices = [0, 0.0128, 0.045, 0.0726, 0.1058, 0.2562667, 0.36125, 0.867, 1.6380033, 24.27364]
    np.testing.assert_allclose(path.alpha * 10, prices, atol=1e-7)
    assert path.n_leaves.tolist() == list(range(10, 0, -1))
    leaves = {3: [5.06, 7.475, 8.643333], 4: [4.72, 5.57, 7.475, 8.643333]}
    for count, means in leaves.items():
        pruned, _ = prune_cost_complexity(tree, path, 10 - count)
        found = np.sort(pruned.prediction[pruned.n_children == 0])
        np.testing.assert_allclose(found, means, atol=1e-6)
        fitted = CARTRegressor(ccp_alpha=float(path.alpha[10 - count])).fit(X_5_2, Y_5_2)
        assert fitted.tree_.n_leaves == count
        assert set(fitted.growth_log_.action[fitted.growth_log_.n_growth_events :]) == {
            Action.PRUNE
        }


@pytest.mark.parametrize("offset", [0.0, 1e8])
@pytest.mark.parametrize("params", [{}, {"max_depth": 4}, {"min_samples_leaf": 7}])
def test_the_trees_are_those_of_scikit_learn_where_nothing_ties(params, offset):
    X, y = samples(offset=offset)
    ours = CARTRegressor(**params).fit(X, y)
    theirs = DecisionTreeRegressor(random_state=0, **params).fit(X, y - offset)
    assert compared_in_step(ours, theirs.tree_, X, y) >= 8


@pytest.mark.parametrize("max_leaf_nodes", [2, 6, 25])
def test_best_first_finds_the_same_leaves(max_leaf_nodes):
    X, y = load_diabetes(return_X_y=True)
    X = X.astype(np.float32).astype(float)
    ours = CARTRegressor(max_leaf_nodes=max_leaf_nodes, min_samples_leaf=5).fit(X, y)
    theirs = DecisionTreeRegressor(
        max_leaf_nodes=max_leaf_nodes, min_samples_leaf=5, random_state=0
    ).fit(X, y)
    assert ours.tree_.n_leaves == max_leaf_nodes
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-9)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_path_is_that_of_scikit_learn(weighted):
    X, y = samples()
    weight = np.random.default_rng(1).integers(1, 5, len(y)) if weighted else None
    ours = CARTRegressor().fit(X, y, weight)
    expected = DecisionTreeRegressor(random_state=0).cost_complexity_pruning_path(X, y, weight)
    path = cost_complexity_path(ours.tree_, "squared_error")
    last = np.r_[np.diff(expected.ccp_alphas) > 1e-12, True]
    np.testing.assert_allclose(path.alpha, expected.ccp_alphas[last], atol=1e-10)
    np.testing.assert_allclose(path.risk, expected.impurities[last], atol=1e-10)


def test_the_path_does_not_depend_on_the_unit():
    X, y = samples(n=80)
    one, other = (
        cost_complexity_path(CARTRegressor().fit(X, v).tree_, "squared_error")
        for v in (y, y * 1e-8)
    )
    np.testing.assert_array_equal(one.n_leaves, other.n_leaves)
    np.testing.assert_allclose(other.alpha, one.alpha * 1e-16, rtol=1e-6)


@pytest.mark.parametrize("params", [{}, {"max_leaf_nodes": 12}, {"min_samples_leaf": 5}])
@pytest.mark.parametrize("gaps", [False, True])
def test_replay_finds_the_stored_split_of_every_node(params, gaps):
    X, y = samples(n=150)
    X[:, 2] = np.round(X[:, 2])
    if gaps:
        X[np.random.default_rng(2).random(X.shape) < 0.2] = np.nan
    weight = np.random.default_rng(3).integers(0, 3, len(y)).astype(float)
    for sample_weight in (None, weight):
        replayed(CARTRegressor(**params).fit(X, y, sample_weight), X, y)


def test_weights_are_repeated_rows():
    X, y = samples(n=120)
    weight = np.random.default_rng(4).integers(0, 4, len(y))
    weighted = CARTRegressor(max_depth=6).fit(X, y, weight)
    repeated = CARTRegressor(max_depth=6).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    np.testing.assert_allclose(weighted.predict(X), repeated.predict(X), atol=1e-12)
    np.testing.assert_array_equal(weighted.tree_.threshold, repeated.tree_.threshold)


def naive_folds(X, y, fold, alphas):
    """The mean squared error of scikit-learn's trees, grown without a fold and cut at a price."""
    losses = np.zeros(len(alphas))
    for k in np.unique(fold):
        out = fold == k
        for i, alpha in enumerate(alphas):
            tree = DecisionTreeRegressor(random_state=0, ccp_alpha=min(alpha, 1e9))
            losses[i] += np.square(tree.fit(X[~out], y[~out]).predict(X[out]) - y[out]).sum()
    return losses / len(y)


@pytest.mark.parametrize("rule", ["min", "1se"])
def test_the_price_is_chosen_by_folds(rule):
    X, y = samples(n=120, m=2)
    X = X[:, :1]  # no ties between features, which scikit-learn breaks in its own way
    y = 2 * np.sin(2 * X[:, 0]) + 0.2 * y
    fitted = CARTRegressor(ccp_cv=5, ccp_rule=rule).fit(X, y)
    found, path = fitted.cross_validation_, fitted.cost_complexity_path_
    between = np.r_[np.sqrt(path.alpha[:-1] * path.alpha[1:]), np.inf]
    np.testing.assert_allclose(found.alpha, between)
    fold = folds(y, 5, 0, stratify=False)
    assert np.bincount(fold).tolist() == [24] * 5
    np.testing.assert_allclose(found.loss, naive_folds(X, y, fold, found.alpha), rtol=1e-9)
    assert 1 < fitted.tree_.n_leaves == path.n_leaves[found.step] < fitted.grown_tree_.n_leaves
    limit = found.loss.min()
    limit += found.standard_error[found.loss.argmin()] if rule == "1se" else 0.0
    assert found.loss[found.step] <= limit * (1 + 1e-9)
    assert (found.loss[found.step + 1 :] > limit).all()


def test_bad_input_is_told_in_one_sentence():
    X, y = samples(n=30)
    with pytest.raises(ValueError, match="ccp_cv must be at most the number of rows, 30, got 40"):
        CARTRegressor(ccp_cv=40).fit(X, y)
    with pytest.raises(ValueError, match="ccp_alpha must be a finite number >= 0, got -1"):
        CARTRegressor(ccp_alpha=-1).fit(X, y)
    with pytest.raises(ValueError, match="at least one non-zero"):
        CARTRegressor().fit(X, y, np.zeros(30))
    fitted = CARTRegressor().fit(X, y)
    with pytest.raises(ValueError, match="y must be the numbers that the estimator"):
        split_search(fitted, X, np.roll(y, 1) * 2, 0)
    with pytest.raises(ValueError, match="does not fit a tree that predicts numbers"):
        cost_complexity_path(fitted.tree_)
