"""Polygons where a function on a grid is positive."""

import numpy as np
import pytest

from lastviz.inspection.regions.raster import crossings, in_chains, polygons_where_positive


def area(ring):
    x, y = ring.T
    return 0.5 * np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)


def holds(rings, points):
    """Even-odd rule, over all rings."""
    inside = np.zeros(len(points), dtype=bool)
    for ring in rings:
        for (x0, y0), (x1, y1) in zip(ring, np.roll(ring, -1, axis=0), strict=True):
            over = (y0 > points[:, 1]) != (y1 > points[:, 1])
            with np.errstate(divide="ignore", invalid="ignore"):
                x = x0 + (points[:, 1] - y0) / (y1 - y0) * (x1 - x0)
            inside ^= over & (points[:, 0] < x)
    return inside


X, Y = np.linspace(-2, 2, 81), np.linspace(-1, 1, 51)
GX, GY = np.meshgrid(X, Y)


def test_a_disc_is_one_ring_of_its_area():
    rings = polygons_where_positive(X, Y, 0.8**2 - GX**2 - GY**2)
    assert len(rings) == 1
    assert area(rings[0]) == pytest.approx(np.pi * 0.8**2, rel=2e-3)
    np.testing.assert_allclose(np.linalg.norm(rings[0], axis=1), 0.8, atol=1e-3)


def test_the_window_itself_ends_a_region():
    (whole,) = polygons_where_positive(X, Y, np.ones_like(GX))
    assert area(whole) == pytest.approx(8.0)
    (half,) = polygons_where_positive(X, Y, GX - 0.512)
    assert area(half) == pytest.approx(2 * (2 - 0.512))
    assert polygons_where_positive(X, Y, -np.ones_like(GX)) == []


def test_holes_are_joined_to_their_rim():
    two_holes = np.minimum(
        (GX - 0.7) ** 2 + GY**2 - 0.4**2, (GX + 0.7) ** 2 + (GY - 0.1) ** 2 - 0.5**2
    )
    (ring,) = polygons_where_positive(X, Y, two_holes)
    assert area(ring) == pytest.approx(8.0 - np.pi * (0.4**2 + 0.5**2), rel=2e-3)


@pytest.mark.parametrize("seed", range(6))
def test_a_place_is_inside_just_where_the_function_is_positive(seed):
    rng = np.random.default_rng(seed)
    a, b, c, d = rng.uniform(2, 7, 4)
    values = np.sin(a * GX + b * GY) + np.cos(c * GX * GY + d)
    points = rng.uniform([-2, -1], [2, 1], (1500, 2))
    true = np.sin(points @ [a, b]) + np.cos(c * points[:, 0] * points[:, 1] + d)
    clear = np.abs(true) > 0.05
    rings = polygons_where_positive(X, Y, values)
    opposite = polygons_where_positive(X, Y, -values)
    np.testing.assert_array_equal(holds(rings, points)[clear], true[clear] > 0)
    assert all(area(ring) > 0 for ring in rings)
    assert sum(map(area, rings + opposite)) == pytest.approx(8.0)


def test_crossings_lie_on_the_zero_line():
    values = GX + 2 * GY - 0.3
    ends, points = crossings(X, Y, values)
    np.testing.assert_allclose(points @ [1, 2], 0.3, atol=1e-12)
    lengths = np.linalg.norm(points[ends[:, 0]] - points[ends[:, 1]], axis=1)
    assert lengths.sum() == pytest.approx(np.hypot(3.7, 1.85), rel=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_chains_hold_every_segment_once_and_go_on_as_long_as_they_can(seed):
    rng = np.random.default_rng(seed)
    values = np.sin(GX * rng.uniform(2, 6) + GY) + np.cos(GY * rng.uniform(3, 8))
    ends, _ = crossings(X, Y, values)
    chained = in_chains(ends)
    assert sorted(map(tuple, chained)) == sorted(map(tuple, ends))
    breaks = np.count_nonzero(chained[1:, 0] != chained[:-1, 1])
    open_ends = len(set(ends[:, 0]) - set(ends[:, 1]))
    assert breaks < 30
    assert breaks >= open_ends - 1
