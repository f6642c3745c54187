import numpy as np
import pytest

from lastviz.plots.visuals.marks import Points, pad_bounds, surroundings


def test_padding_leaves_room_on_all_sides():
    low_x, high_x, low_y, high_y = pad_bounds(np.array([0.0, 10.0]), np.array([-1.0, 1.0]), 0.1)
    assert (low_x, high_x) == pytest.approx((-1, 11))
    assert (low_y, high_y) == pytest.approx((-1.2, 1.2))


@pytest.mark.parametrize("values", [[3.0, 3.0], [np.nan, 3.0], [], [0.0]])
def test_constant_or_empty_data_still_have_a_window(values):
    low, high = pad_bounds(np.array(values), np.array(values))[:2]
    assert low < high
    assert np.isfinite([low, high]).all()


def test_surroundings_hold_what_equal_units_may_show():
    view = (0.0, 10.0, 0.0, 1.0)
    x0, x1, y0, y1 = surroundings(view, equal=True)
    assert x0 < 0
    assert x1 > 10
    assert y1 - y0 >= 2 * (view[1] - view[0])


def test_plain_points_are_all_training_rows():
    points = Points.plain(np.zeros(3), np.ones(3), [0, 1, 0])
    assert len(points) == 3
    assert not points.held_out.any()
    assert not points.wrong.any()
    assert points.row.tolist() == [0, 1, 2]
