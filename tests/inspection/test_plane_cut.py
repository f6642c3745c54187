"""A hyperplane seen in the plane of two features."""

import numpy as np
import pytest

from lastviz.inspection import line_across, plane_cut

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 4))
WINDOW = (-2.0, 2.0, -1.0, 3.0)


def test_a_cut_sorts_as_the_rows_do_that_are_moved_onto_the_plane():
    weights, offset = np.array([1.0, -2.0, 0.5, 0.3]), 0.2
    at = X.mean(axis=0)
    cut = plane_cut(weights, offset, X, (2, 1), at)
    moved = np.tile(at, (len(X), 1))
    moved[:, [2, 1]] = X[:, [2, 1]]
    np.testing.assert_array_equal(
        cut.agrees, (moved @ weights <= offset) == (X @ weights <= offset)
    )
    assert not cut.lies_in
    assert 0.5 < cut.share < 1.0
    for x, y in cut.line(WINDOW):
        place = at.copy()
        place[[2, 1]] = x, y
        assert place @ weights == pytest.approx(offset)


def test_a_split_on_the_two_features_alone_lies_in_the_plane():
    cut = plane_cut(np.array([1.0, 0, 0, -1.0]), 0.1, X, (3, 0), X.mean(axis=0))
    assert cut.lies_in
    assert cut.share == 1.0
    np.testing.assert_array_equal(cut.weights, [-1.0, 1.0])


def test_a_single_feature_is_cut_upright():
    cut = plane_cut(np.array([2.0]), 1.0, X[:, :1], (0, 0), np.zeros(1))
    np.testing.assert_allclose(cut.line((-1.0, 1.0, 0.0, 1.0)), [[0.5, 0.0], [0.5, 1.0]])
    assert cut.lies_in


def test_a_split_on_other_features_alone_shows_no_line():
    cut = plane_cut(np.array([0, 0, 1.0, 0]), 0.0, X, (0, 1), np.zeros(4))
    assert cut.line(WINDOW).shape == (0, 2)
    assert cut.share == np.mean(X[:, 2] <= 0)


@pytest.mark.parametrize("weights", [(1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (3.0, -0.2)])
def test_a_line_ends_on_the_frame_of_the_window(weights):
    ends = line_across(np.array(weights), 0.5, WINDOW)
    assert ends.shape == (2, 2)
    for x, y in ends:
        assert np.dot(weights, (x, y)) == pytest.approx(0.5)
        assert min(abs(x + 2), abs(x - 2), abs(y + 1), abs(y - 3)) < 1e-9


def test_a_line_beside_the_window_is_none():
    assert line_across(np.array([1.0, 0.0]), 9.0, WINDOW).shape == (0, 2)
