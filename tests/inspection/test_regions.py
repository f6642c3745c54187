import numpy as np
import pytest

from lastviz import C45Classifier, CARTClassifier
from lastviz.inspection import conditions, regions, slice_fidelity
from tests.conftest import waveform


@pytest.fixture(scope="module")
def plane():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 2)), rng.integers(0, 3, 300)
    return X, CARTClassifier(max_depth=7).fit(X, y)


def area(polygon):
    x, y = polygon.T
    return 0.5 * np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)


def inside(polygon, points):
    (x0, y0), (x1, y1) = polygon.min(axis=0), polygon.max(axis=0)
    return (points[:, 0] > x0) & (points[:, 0] <= x1) & (points[:, 1] > y0) & (points[:, 1] <= y1)


@pytest.mark.parametrize("depth", [None, 0, 1, 3, 50])
def test_regions_tile_the_window(plane, depth):
    found = regions(plane[1], (-4.0, 4.0, -3.0, 3.0))
    areas = [area(found.polygon(i)) for i in found.visible(depth)]
    assert min(areas) > 0
    assert sum(areas) == pytest.approx(48.0)


def test_a_region_holds_the_points_that_reach_its_node_and_its_segment_lies_on_its_split(plane):
    _, estimator = plane
    found = regions(estimator, (-4.0, 4.0, -3.0, 3.0))
    points = np.random.default_rng(1).uniform([-4, -3], [4, 3], (4000, 2))
    leaf = estimator.apply(points)
    for i in found.visible():
        np.testing.assert_array_equal(inside(found.polygon(i), points), leaf == found.node[i])
        assert found.prediction[i] == estimator.tree_.prediction[found.node[i]]
    for i in np.flatnonzero(~np.isnan(found.segment[:, 0])):
        node = found.node[i]
        axis = estimator.tree_.feature[node]
        ends = found.segment[i].reshape(2, 2)
        np.testing.assert_array_equal(ends[:, axis], estimator.tree_.threshold[node])
        box = found.polygon(i)
        assert (ends >= box.min(axis=0)).all()
        assert (ends <= box.max(axis=0)).all()


def test_a_slice_is_the_model_itself_and_fidelity_counts_rows_drawn_in_their_own_colour():
    X, y = waveform(600, seed=0)
    estimator = C45Classifier().fit(X, y)
    at = np.median(X, axis=0)
    found = regions(estimator, (-3.0, 8.0, -3.0, 8.0), features=(6, 14), at=at)
    points = np.tile(at, (2000, 1))
    points[:, [6, 14]] = np.random.default_rng(0).uniform(-3, 8, (2000, 2))
    leaf = estimator.apply(points)
    for i in found.visible():
        here = inside(found.polygon(i), points[:, [6, 14]])
        np.testing.assert_array_equal(here, leaf == found.node[i])
    tree = estimator.tree_
    drawn = np.array([np.where(np.isin(np.arange(21), (6, 14)), x, at) for x in X])
    expected = np.mean(tree.predict(drawn) == tree.predict(X))
    assert slice_fidelity(tree, X, (6, 14), at) == expected
    assert 0.4 < expected < 1.0


def test_in_the_plane_the_picture_is_the_model(plane):
    X, estimator = plane
    assert slice_fidelity(estimator.tree_, X, (0, 1), np.zeros(2)) == 1.0


def test_wrong_requests_are_named(plane):
    _, estimator = plane
    with pytest.raises(ValueError, match="bounds must be a window"):
        regions(estimator, (1.0, 1.0, 0.0, 1.0))
    with pytest.raises(ValueError, match="features must be from 0 to 1"):
        regions(estimator, (0.0, 1.0, 0.0, 1.0), features=(0, 2))
    X, y = waveform(100, seed=0)
    with pytest.raises(ValueError, match="at must fix"):
        regions(CARTClassifier().fit(X, y), (0.0, 1.0, 0.0, 1.0))


def test_conditions_are_what_the_rows_of_a_node_have_in_common():
    X, y = waveform(400, seed=1)
    estimator = CARTClassifier(max_depth=6).fit(X, y)
    tree, leaf = estimator.tree_, estimator.apply(X)
    for node in np.flatnonzero(tree.n_children == 0):
        holds = np.ones(len(X), dtype=bool)
        found = conditions(tree, node)
        assert len({c.feature for c in found}) == len(found)
        for c in found:
            holds &= X[:, c.feature] > (-np.inf if c.low is None else c.low)
            holds &= X[:, c.feature] <= (np.inf if c.high is None else c.high)
        np.testing.assert_array_equal(holds, leaf == node)
