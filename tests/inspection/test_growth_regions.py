"""The regions of a growing tree: its states are those of the log, raised branches too."""

import numpy as np
import pytest

from lastviz import C45Classifier, CARTClassifier, OC1Classifier
from lastviz.inspection import growth_frames, growth_regions
from lastviz.tree import Action


def noisy(seed=0, n=400):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    y = (X[:, 0] * X[:, 1] > 0) ^ (rng.random(n) < 0.15)
    return X, y.astype(int)


WINDOW = (-4.0, 4.0, -4.0, 4.0)


@pytest.mark.parametrize("seed", range(6))
def test_after_the_last_event_values_and_classes_are_those_of_the_tree_that_predicts(seed):
    X, y = noisy(seed)
    model = C45Classifier(min_samples_leaf=2).fit(X, y)
    frames = growth_frames(model)
    found = growth_regions(model, X, y, WINDOW)
    assert len(found.raised) == np.count_nonzero(model.growth_log_.action == Action.RAISE)
    value, prediction = model.grown_tree_.value.copy(), model.grown_tree_.prediction.copy()
    for raised in found.raised:
        value[raised.position], prediction[raised.position] = raised.value, raised.prediction
    alive = frames.alive(frames.n_frames - 1)
    np.testing.assert_array_equal(value[alive], model.tree_.value)
    np.testing.assert_array_equal(prediction[alive], model.tree_.prediction)


@pytest.mark.parametrize("seed", range(3))
def test_late_branches_are_told_all_at_once(seed):
    X, y = noisy(seed)
    model = C45Classifier(mdl_correction=False).fit(X, y)
    each, once = (growth_regions(model, X, y, WINDOW, most_events=n) for n in (None, 0))
    assert each.raised
    assert len(once.raised) == 1
    assert once.raised[0].event == each.raised[-1].event
    alive = growth_frames(model).alive(len(model.growth_log_))
    np.testing.assert_array_equal(once.raised[0].position, alive)
    np.testing.assert_array_equal(once.raised[0].value, model.tree_.value)
    where = each.raised[-1].regions
    np.testing.assert_array_equal(once.raised[0].regions.vertices, where.vertices)


def area(xy):
    x, y = xy.T
    return 0.5 * abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))


def test_some_branch_is_raised_and_its_leaves_then_tile_the_window():
    for seed in range(20):
        X, y = noisy(seed)
        model = C45Classifier().fit(X, y)
        found = growth_regions(model, X, y, WINDOW)
        if found.raised:
            break
    assert found.raised
    after = found.raised[-1].regions
    tiles = sum(area(after.polygon(i)) for i in np.flatnonzero(after.leaf))
    assert tiles == pytest.approx(64.0)


@pytest.mark.parametrize("model", [CARTClassifier(max_leaf_nodes=9), OC1Classifier(n_restarts=1)])
def test_without_raising_there_is_nothing_but_the_grown_tree(model):
    X, y = noisy()
    found = growth_regions(model.fit(X, y), X, y, WINDOW)
    assert found.raised == ()
    assert set(found.grown.node) <= set(range(model.grown_tree_.n_nodes))
