"""Polygons, rules and words of trees with oblique splits."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from lastviz import CARTClassifier, GSODTClassifier, LSODTClassifier
from lastviz.datasets import load_dataset
from lastviz.inspection import ObliqueCondition, conditions, plane_regions, regions
from lastviz.plots import rule_words, split_words
from lastviz.splitters import stored_split
from lastviz.tree import ObliqueSplits
from tests.conftest import waveform


def area(polygon):
    x, y = polygon.T
    return 0.5 * np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)


def sides(polygon, points):
    """Signed distances of points (n, 2) to the edges of a counter-clockwise polygon."""
    a, b = polygon, np.roll(polygon, -1, axis=0)
    edge = (b - a) / np.linalg.norm(b - a, axis=1, keepdims=True)
    away = points[:, None] - a
    return edge[:, 0] * away[..., 1] - edge[:, 1] * away[..., 0]


def plane_model(name):
    """(estimator, window, features, at)."""
    if name == "gauss_2d":
        data = load_dataset("gauss_2d", n_samples=500, random_state=0)
        model = LSODTClassifier(levels=3, mdl_correction=False, pruning="none")
        return model.fit(data.X.to_numpy(), data.codes), (-6.0, 8.0, -7.0, 6.0), (0, 1), None
    X, y = waveform(500, seed=0)
    model = LSODTClassifier(levels=2, pruning="none").fit(X, y)
    return model, (-3.0, 8.0, -3.0, 9.0), (14, 6), np.median(X, axis=0)


@pytest.fixture(scope="module", params=["gauss_2d", "waveform"])
def model(request):
    return plane_model(request.param)


def points_of(window, at, features, n_features, n=4000):
    x0, x1, y0, y1 = window
    places = np.random.default_rng(0).uniform([x0, y0], [x1, y1], (n, 2))
    points = np.tile(np.zeros(n_features) if at is None else at, (n, 1))
    points[:, list(features)] = places
    return places, points


@pytest.mark.parametrize("depth", [None, 0, 1, 3, 50])
def test_polygons_tile_the_window(model, depth):
    estimator, window, features, at = model
    found = regions(estimator, window, features, at)
    areas = [area(found.polygon(i)) for i in found.visible(depth)]
    assert min(areas) > 0
    assert sum(areas) == pytest.approx((window[1] - window[0]) * (window[3] - window[2]))
    assert not found.leaf.all()


def test_polygons_hold_their_points_and_segments_lie_on_splits_rims_and_corners_of_children(model):
    estimator, window, features, at = model
    found = regions(estimator, window, features, at)
    places, points = points_of(window, at, features, estimator.n_features_in_)
    leaf = estimator.apply(points)
    for i in found.visible():
        least = sides(found.polygon(i), places).min(axis=1)
        certain = np.abs(least) > 1e-9
        np.testing.assert_array_equal(least[certain] > 0, (leaf == found.node[i])[certain])
        assert found.prediction[i] == estimator.tree_.prediction[found.node[i]]
    crossing = np.flatnonzero(~np.isnan(found.segment[:, 0]))
    assert len(crossing) > 2
    for i in crossing:
        ends = found.segment[i].reshape(2, 2)
        split = stored_split(estimator.tree_, found.node[i])
        for end in ends:
            point = np.zeros(estimator.n_features_in_) if at is None else at.copy()
            point[list(features)] = end
            assert point @ split.weights == pytest.approx(split.threshold, abs=1e-9)
        np.testing.assert_allclose(sides(found.polygon(i), ends).min(axis=1), 0.0, atol=1e-9)
        assert np.linalg.norm(ends[1] - ends[0]) > 0
    at_node = dict(zip(found.node.tolist(), itertools.count()))
    for i in crossing:
        for child in estimator.tree_.children(found.node[i]):
            corners = found.polygon(at_node[child])
            for end in found.segment[i].reshape(2, 2):
                assert (corners == end).all(axis=1).any()


def test_boxes_are_what_cutting_with_half_planes_gives():
    X, y = waveform(300, seed=1)
    model = CARTClassifier().fit(X, y)
    at, window = X.mean(axis=0), (-3.0, 8.0, -2.0, 7.0)
    found = regions(model, window, (6, 14), at)
    across, up = np.eye(21)[[6, 14]]
    origin = np.where(across + up > 0, 0.0, at)
    again = plane_regions(
        model, window, origin=origin, across=across, up=up, axes=(6, 14), names=("x7", "x15")
    )
    np.testing.assert_array_equal(again.node, found.node)
    for i in range(len(again.node)):
        ours = again.polygon(i)
        assert area(ours) == pytest.approx(area(found.polygon(i)))
        np.testing.assert_allclose(ours.min(axis=0), found.polygon(i).min(axis=0))
    np.testing.assert_allclose(
        np.sort(again.segment.reshape(-1, 2, 2), axis=1),
        np.sort(found.segment.reshape(-1, 2, 2), axis=1),
    )


def test_one_feature_over_a_dummy_axis():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 1))
    y = (X[:, 0] > 0.3).astype(int) + (X[:, 0] > 1.1)
    model = GSODTClassifier().fit(X, y)
    found = regions(model, (-3.0, 3.0, 0.0, 1.0), (0, 0))
    assert sum(area(found.polygon(i)) for i in found.visible()) == pytest.approx(6.0)
    assert len(found.visible()) == model.tree_.n_leaves == 3


def test_conditions_hold_for_the_rows_of_a_node(model):
    estimator, _, _, _ = model
    tree = estimator.tree_
    X = np.random.default_rng(1).normal(size=(800, tree.n_features), scale=3.0)
    leaf = tree.apply(X)
    for node in np.flatnonzero(tree.n_children == 0):
        inside = np.ones(len(X), dtype=bool)
        for condition in conditions(tree, node):
            assert isinstance(condition, ObliqueCondition)
            z = X @ condition.weights
            inside &= z > (-np.inf if condition.low is None else condition.low)
            inside &= z <= (np.inf if condition.high is None else condition.high)
        np.testing.assert_array_equal(inside, leaf == node)


def test_splits_along_one_component_are_one_condition():
    X, y = waveform(800, seed=2)
    tree = GSODTClassifier(pruning="none").fit(X, y).tree_
    for node in range(tree.n_nodes):
        steps = [stored_split(tree, n).weights.tobytes() for n in tree.path(node)[:-1]]
        assert len(conditions(tree, node)) == len(set(steps))


def test_a_split_is_a_readable_equation():
    X, y = waveform(300, seed=3)
    tree = GSODTClassifier().fit(X, y).tree_
    row = tree.split_row[0]
    weights = tree.oblique.weights[row]
    words = split_words(tree, 0)
    first = np.abs(weights).argmax()
    assert words.split("<sub>")[1].startswith(f"{first + 1}</sub>")
    assert words.count("<sub>") == 3
    assert "…" in words
    assert split_words(tree, 0, branch=1) == words.replace("≤", "&gt;")
    assert split_words(tree, 0, terms=2).count("<sub>") == 2
    exact = split_words(tree, 0, exact=True)
    assert exact.count("<sub>") == np.count_nonzero(weights)
    numbers = [*weights.tolist(), float(tree.oblique.threshold[row])]
    assert all(repr(abs(value)) in exact for value in numbers)
    left, right = tree.children(0)
    assert rule_words(tree, left) == words
    assert rule_words(tree, right) == words.replace("≤", "&gt;")


@pytest.mark.parametrize("turn", [1.0, -2.0])
def test_the_largest_weight_becomes_one(turn):
    X = np.random.default_rng(0).normal(size=(60, 2))
    y = (X @ [-0.4, 0.8] > 0.1).astype(int)
    grown = GSODTClassifier(latent="pca", max_depth=1, pruning="none").fit(X, y).tree_
    planes = ObliqueSplits(np.array([[-0.4, 0.8]]) * turn, np.array([0.08 * turn]))
    tree = replace(grown, oblique=planes)
    signs = ("≤", "&gt;") if turn > 0 else ("≥", "&lt;")
    for branch, sign in enumerate(signs):
        assert (
            split_words(tree, 0, branch=branch) == f"x<sub>2</sub> − 0.5 x<sub>1</sub> {sign} 0.1"
        )
    left, right = (rule_words(tree, child, html=False) for child in tree.children(0))
    assert left == ("x2 − 0.5 x1 ≤ 0.1" if turn > 0 else "x2 − 0.5 x1 ≥ 0.1")
    assert right == ("x2 − 0.5 x1 > 0.1" if turn > 0 else "x2 − 0.5 x1 < 0.1")
