"""The search for a hyperplane as a figure."""

import numpy as np
import pytest

from lastviz.plots import Moves, Points, across, along, hyperplane_search_plot

from .conftest import by_role, drawn_boxes

BOUNDS = (-1.0, 3.0, -2.0, 2.0)


def figure(at=4, best=4, **options):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 2)), np.arange(40) % 2
    weights, threshold = rng.normal(size=(6, 2)), rng.normal(size=6)
    moves = Moves(np.array([0, 0, 1, 1, 1, 2]), np.linspace(0.1, 0.6, 6), at, best)
    lines = across(weights, threshold, BOUNDS)
    points = Points.plain(X[:, 0], X[:, 1], y)
    return hyperplane_search_plot(
        points, moves, lines, theme="light", names=("a", "b"), class_names=("p", "q"), **options
    )


@pytest.mark.parametrize("weights", [(1.0, 0.0), (0.0, -2.0), (1.0, 1.0), (3.0, -0.5)])
def test_a_line_lies_on_its_hyperplane_and_reaches_over_the_bounds(weights):
    weights = np.array([weights])
    x0, y0, x1, y1 = across(weights, np.array([0.7]), BOUNDS)[0]
    ends = np.array([[x0, y0], [x1, y1]])
    np.testing.assert_allclose(ends @ weights[0], 0.7)
    assert (x1 - x0, y1 - y0)[int(abs(weights[0, 1]) < abs(weights[0, 0]))] == 4.0


def test_no_direction_is_no_line():
    assert not np.isfinite(across(np.zeros((1, 2)), np.ones(1), BOUNDS)).all()


def test_rows_stand_on_their_side_in_any_dimension():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(50, 6)), rng.integers(0, 3, 50)
    weights = rng.normal(size=6)
    x, lane = along(X, y, weights, 0.2)
    assert ((x <= 0) == (X @ weights <= 0.2)).all()
    assert x.std() == pytest.approx(1.0)
    assert (np.round(lane) == -y).all()


def test_earlier_moves_of_the_restart_are_grey_and_the_one_shown_is_ink():
    drawn = figure(at=4)
    (earlier,) = by_role(drawn, "earlier")
    assert len(drawn_boxes(earlier)) == 2
    assert len(by_role(drawn, "chosen_split")) == 1
    assert not by_role(figure(at=2), "earlier")


def test_each_restart_is_a_step_curve_and_the_winner_a_dot():
    drawn = figure(at=3, best=5)
    (others,), (mine,) = by_role(drawn, "restart"), by_role(drawn, "restart_shown")
    assert mine.line.shape == "hv"
    assert [len(part) for part in drawn_boxes(mine)] == [4]
    assert [len(part) for part in drawn_boxes(others)] == [3, 2]
    (dot,) = by_role(drawn, "winner")
    assert (list(dot.x), list(dot.y)) == ([6], [pytest.approx(0.6)])
    (picked,) = by_role(drawn, "picked")
    assert set(picked.x) == {4}
    assert not by_role(figure(best=-1), "winner")
