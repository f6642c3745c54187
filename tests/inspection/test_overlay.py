"""Where two trees agree in a plane: cells that tile it, checked against points."""

from importlib import import_module

import numpy as np
import pytest

from lastviz import C45Classifier, CARTClassifier, GSODTClassifier, OC1Classifier, SVMTreeClassifier
from lastviz.datasets import load_dataset
from lastviz.inspection import (
    class_borders,
    grid_borders,
    grid_overlay,
    overlay,
    regions,
    regions_overlay,
)

PETALS = load_dataset("iris").X.to_numpy()[:, 2:]
Y = load_dataset("iris").codes


def agreeing(first, second, places):
    return first.predict(places) == second.predict(places)


def test_petals_cart_against_gsodt():
    found = overlay(CARTClassifier().fit(PETALS, Y), GSODTClassifier().fit(PETALS, Y), (0, 8, 0, 3))
    assert len(found.area) == 14
    assert found.area.sum() == pytest.approx(24, abs=1e-9)
    assert round(100 * found.share, 3) == 17.943
    assert found.exact


def test_xor_cart_against_oc1():
    data = load_dataset("xor")
    X, y = data.X.to_numpy(), data.codes
    bounds = tuple(np.column_stack([X.min(axis=0), X.max(axis=0)]).ravel().tolist())
    oc1 = OC1Classifier(n_restarts=2, pruning_fraction=0.0).fit(X, y)
    found = overlay(CARTClassifier().fit(X, y), oc1, bounds)
    assert len(found.area) == 118
    x0, x1, y0, y1 = bounds
    assert found.area.sum() == pytest.approx((x1 - x0) * (y1 - y0), rel=1e-9)


@pytest.mark.parametrize("other", [C45Classifier(), GSODTClassifier(), OC1Classifier(n_restarts=2)])
def test_the_share_is_that_of_random_points(other):
    data = load_dataset("wine")
    X, y = data.X.to_numpy(), data.codes
    pair, at, axes = (CARTClassifier().fit(X, y), other.fit(X, y)), np.median(X, axis=0), (0, 6)
    bounds = tuple(np.column_stack([X.min(axis=0), X.max(axis=0)])[list(axes)].ravel().tolist())
    found = overlay(*pair, bounds, axes, at)
    places = np.tile(at, (20_000, 1))
    drawn = np.random.default_rng(0).uniform(
        [bounds[0], bounds[2]], [bounds[1], bounds[3]], (20_000, 2)
    )
    places[:, list(axes)] = drawn
    share = 1 - agreeing(*pair, places).mean()
    assert found.share == pytest.approx(share, abs=0.012)
    middles = np.array([found.cell(i).mean(axis=0) for i in range(len(found.area))])
    places = np.tile(at, (len(middles), 1))
    places[:, list(axes)] = middles
    for which, model in enumerate(pair):
        assert model.apply(places).tolist() == found.nodes[:, which].tolist()
        assert model.predict(places).tolist() == found.prediction[:, which].tolist()
    assert sum(found.pairs().values()) == pytest.approx(1.0)


def test_machines_are_asked_on_a_grid():
    pair = SVMTreeClassifier().fit(PETALS, Y), CARTClassifier().fit(PETALS, Y)
    bounds = (0.0, 8.0, 0.0, 3.0)
    found = overlay(*pair, bounds)
    assert not found.exact
    assert found.area.sum() == pytest.approx(24)
    drawn = np.random.default_rng(0).uniform([0, 0], [8, 3], (20_000, 2))
    assert found.share == pytest.approx(1 - agreeing(*pair, drawn).mean(), abs=0.012)
    middles = np.array([found.cell(i).mean(axis=0) for i in range(len(found.area))])
    assert (pair[1].apply(middles) == found.nodes[:, 1]).mean() > 0.9


def test_a_smaller_window_is_cut_out_and_trees_are_cut_at_a_depth():
    pair = [model.fit(PETALS, Y) for model in (CARTClassifier(), GSODTClassifier())]
    wide = [regions(model, (-10, 20, -10, 20)) for model in pair]
    inside = regions_overlay(*wide, bounds=(0, 8, 0, 3))
    assert inside.share == pytest.approx(overlay(*pair, (0, 8, 0, 3)).share, abs=1e-12)
    assert regions_overlay(*wide, depth=0).share == 0.0
    assert len(regions_overlay(*wide, depth=1).area) == 4


def test_equal_models_agree_everywhere_in_a_window_that_is_not_empty():
    model = CARTClassifier().fit(PETALS, Y)
    found = overlay(model, model, (0, 8, 0, 3))
    assert found.share == 0.0
    assert len(found.area) == model.get_n_leaves()
    with pytest.raises(ValueError, match="window"):
        overlay(model, model, (1, 1, 0, 3))


def test_runs_of_squares_are_one_cell():
    labels = [np.zeros((3, 4), dtype=np.intp), np.array([[0, 0, 1, 1]] * 2 + [[1, 1, 1, 1]])]
    found = grid_overlay(labels, (0.0, 4.0, 0.0, 3.0))
    assert found.area.tolist() == [4.0, 4.0, 4.0]
    assert found.share == pytest.approx(8 / 12)
    assert found.cell(2).tolist() == [[0, 2], [4, 2], [4, 3], [0, 3]]


@pytest.mark.parametrize("model", [CARTClassifier(), GSODTClassifier(), SVMTreeClassifier()])
def test_borders_lie_between_classes_and_no_other_place_does(model):
    model.fit(PETALS, Y)
    bounds = (0.0, 8.0, 0.0, 3.0)
    lines = class_borders(regions(model, bounds))
    assert len(lines)
    along = lines[:, 2:] - lines[:, :2]
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    middle, across = (lines[:, :2] + lines[:, 2:]) / 2, along[:, ::-1] * [-1, 1] * 2e-3
    differ = model.predict(middle + across) != model.predict(middle - across)
    assert differ.mean() > 0.95
    x = np.linspace(0.001, 7.999, 4001)
    for height in (0.73, 1.37, 2.21):
        label = model.predict(np.column_stack([x, np.full(len(x), height)]))
        turns = np.flatnonzero(label[1:] != label[:-1])
        crossing = (np.minimum(lines[:, 1], lines[:, 3]) <= height) & (
            np.maximum(lines[:, 1], lines[:, 3]) > height
        )
        assert crossing.sum() == len(turns)


def test_a_tree_cut_at_its_root_has_no_border():
    found = regions(CARTClassifier().fit(PETALS, Y), (0, 8, 0, 3))
    assert class_borders(found, depth=0).shape == (0, 4)
    assert len(class_borders(found, depth=1)) == 1


def test_squares_of_other_labels_have_a_border():
    lines = grid_borders(np.array([[0, 1], [0, 0]]), (0.0, 2.0, 0.0, 2.0))
    assert lines.tolist() == [[1, 0, 1, 1], [1, 1, 2, 1]]


def test_regions_are_compared_a_few_at_a_time(monkeypatch):
    pair = CARTClassifier().fit(PETALS, Y), GSODTClassifier().fit(PETALS, Y)
    whole = overlay(*pair, (0, 8, 0, 3))
    monkeypatch.setattr(import_module("lastviz.inspection.regions.overlay"), "PAIRS_AT_ONCE", 3)
    parts = overlay(*pair, (0, 8, 0, 3))
    np.testing.assert_array_equal(parts.nodes, whole.nodes)
    np.testing.assert_array_equal(parts.vertices, whole.vertices)
