import numpy as np
import pytest

from lastviz import CARTClassifier, CARTRegressor
from lastviz.inspection import response_steps
from lastviz.splitters.edits import ForcedSplit, ObliqueSplit


@pytest.mark.parametrize("feature", [0, 1])
def test_the_steps_are_what_the_tree_predicts(feature):
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(150, 3)), 2)
    y = X[:, 0] * X[:, 1] + 0.1 * rng.normal(size=150)
    fitted = CARTRegressor(max_leaf_nodes=20).fit(X, y)
    at = np.array([1.0, 1.0, 0.0])
    steps = response_steps(fitted.tree_, feature, -2.0, 2.0, at)
    assert (steps.start[0], steps.end[-1]) == (-2.0, 2.0)
    np.testing.assert_array_equal(steps.start[1:], steps.end[:-1])
    assert (steps.node[1:] != steps.node[:-1]).all()
    assert len(steps.node) > 2
    line = np.repeat(at[None], 2000, axis=0)
    line[:, feature] = np.r_[steps.end, np.linspace(-2.0, 2.0, 2000 - len(steps.end))]
    place = np.clip(np.searchsorted(steps.end, line[:, feature]), 0, len(steps.end) - 1)
    np.testing.assert_array_equal(steps.value[place], fitted.predict(line))
    np.testing.assert_array_equal(steps.node[place], fitted.apply(line))


@pytest.mark.parametrize("feature", [0, 1, 2])
def test_hyperplanes_made_by_hand_are_steps_too(feature):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(150, 3))
    y = X[:, 0] * X[:, 1] + 0.1 * rng.normal(size=150)
    edits = [
        ForcedSplit((), ObliqueSplit(np.array([1.0, -0.5, 0.0]), 0.1)),
        ForcedSplit((1,), ObliqueSplit(np.array([-1.0, 0.3, 1.0]), 0.2)),
    ]
    fitted = CARTRegressor(min_samples_leaf=8).fit(X, y, edits=edits)
    at = np.array([0.3, -0.2, 0.1])
    steps = response_steps(fitted.tree_, feature, -2.0, 2.0, at)
    np.testing.assert_array_equal(steps.start[1:], steps.end[:-1])
    assert (steps.node[1:] != steps.node[:-1]).all()
    line = np.repeat(at[None], 4000, axis=0)
    line[:, feature] = rng.uniform(-2.0, 2.0, 4000)
    place = np.searchsorted(steps.end, line[:, feature])
    np.testing.assert_array_equal(steps.node[place], fitted.apply(line))
    np.testing.assert_array_equal(steps.value[place], fitted.predict(line))


def test_what_has_no_steps_is_refused():
    X, y = np.arange(8.0)[:, None], np.arange(8.0)
    tree = CARTRegressor().fit(X, y).tree_
    with pytest.raises(ValueError, match="low must be below high"):
        response_steps(tree, 0, 3.0, 3.0, np.zeros(1))
    with pytest.raises(ValueError, match="this one has classes"):
        response_steps(CARTClassifier().fit(X, y > 3).tree_, 0, 0.0, 1.0, np.zeros(1))
    nominal = CARTRegressor(categorical_features=[0]).fit(X, y).tree_
    with pytest.raises(ValueError, match="is nominal and has no steps"):
        response_steps(nominal, 0, 0.0, 1.0, np.zeros(1))
