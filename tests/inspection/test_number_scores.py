"""Scores of predicted numbers against scikit-learn's, and what each feature takes away."""

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import r2_score, root_mean_squared_error

from lastviz import CARTRegressor
from lastviz.datasets import load_dataset
from lastviz.inspection import number_scores, spread_by_feature
from lastviz.splitters.edits import ForcedSplit, ObliqueSplit


def test_scores_are_those_of_scikit_learn():
    rng = np.random.default_rng(0)
    y, predicted = rng.normal(size=(2, 50))
    ours = number_scores(y, predicted)
    assert ours.n_samples == 50
    assert ours.rmse == pytest.approx(root_mean_squared_error(y, predicted))
    assert ours.r2 == pytest.approx(r2_score(y, predicted))


def test_without_rows_or_without_differences_there_is_no_r2():
    assert np.isnan(number_scores(np.empty(0), np.empty(0)).rmse)
    alike = number_scores(np.full(3, 2.0), np.full(3, 1.0))
    assert alike.rmse == 1.0
    assert np.isnan(alike.r2)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e9])
def test_a_tree_that_learnt_all_by_heart_has_no_error(scale):
    """Means of equal numbers are off by rounding: 0.1 + 0.1 + 0.1 is not three times 0.1."""
    x = np.repeat(np.arange(40.0), 7)
    y = scale * np.repeat(np.random.default_rng(0).normal(size=40) / 3, 7)
    model = CARTRegressor(min_samples_leaf=1).fit(x[:, None], y)
    ours = number_scores(y, model.predict(x[:, None]))
    assert (ours.rmse, ours.r2) == (0.0, 1.0)
    off = number_scores(y, y + 1e-9 * np.abs(y).max())
    assert off.rmse > 0


def test_the_features_together_take_away_what_the_tree_does():
    data = load_dataset("friedman", n_samples=100, random_state=3)
    y = data.y.to_numpy()
    model = CARTRegressor(max_leaf_nodes=9).fit(data.X, data.y)
    left = np.sum((y - model.predict(data.X)) ** 2)
    total = np.sum((y - y.mean()) ** 2)
    assert spread_by_feature(model.tree_).sum() == pytest.approx(total - left)


def test_a_split_of_several_features_counts_for_them_in_equal_parts():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(80, 3))
    y = X[:, 0] + X[:, 2]
    line = ForcedSplit((), ObliqueSplit(np.array([1.0, 0.0, 1.0]), 0.0))
    tree = CARTRegressor(max_depth=1).fit(X, y, edits=[line]).tree_
    gained = tree.n_node_samples[1:] @ (tree.prediction[1:] - tree.prediction[0]) ** 2
    assert spread_by_feature(tree).tolist() == pytest.approx([gained / 2, 0.0, gained / 2])


def test_the_interval_of_an_error_holds_it_in_about_as_many_cases_as_it_says():
    rng, held = np.random.default_rng(0), 0
    for _ in range(1000):
        low, high = number_scores(rng.normal(size=80), np.zeros(80)).rmse_interval()
        held += low <= 1.0 <= high
    assert 920 <= held <= 970
    one = number_scores(np.array([1.0]), np.array([2.0]))
    assert np.isnan(one.rmse_interval()).all()
    assert number_scores(np.ones(5), np.ones(5)).rmse_interval() == (0.0, 0.0)


def test_the_interval_is_that_of_the_mean_square_on_a_logarithmic_scale():
    rng = np.random.default_rng(1)
    y, predicted = rng.normal(size=30), rng.normal(size=30)
    squares = (y - predicted) ** 2
    error = squares.std(ddof=1) / np.sqrt(30) / squares.mean()
    ends = np.log(squares.mean()) + np.array([-1, 1]) * stats.t.ppf(0.95, 29) * error
    found = number_scores(y, predicted).rmse_interval(0.9)
    np.testing.assert_allclose(found, np.exp(ends / 2))
