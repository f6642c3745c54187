"""Figures about forests: their borders, the rows they draw, the levels they reach."""

import numpy as np

from lastviz import plots
from lastviz.inspection import ForestRegions

from .conftest import by_role, drawn_boxes


def quarters():
    """A window of four cells, the upper right one of another class."""
    label = np.array([[0, 0], [0, 1]])
    rectangles = np.array([[0, 2, 0, 1], [0, 1, 1, 2], [1, 2, 1, 2]], dtype=float)
    edges = np.array([0.0, 1.0, 2.0])
    return ForestRegions((0, 1), edges, edges, label, True, rectangles, np.array([0, 0, 1]))


def forest_figure(**options):
    points = plots.Points.plain(np.array([0.5, 1.5]), np.array([0.5, 1.5]), np.array([0, 1]))
    return plots.forest_plot(
        quarters(), points, theme="light", class_names=("low", "high"),
        feature_names=("x1", "x2"), **options,
    )  # fmt: skip


def test_rectangles_have_the_class_of_their_cells_and_borders_lie_between_classes():
    figure = forest_figure()
    regions = {trace.meta["class"]: drawn_boxes(trace) for trace in by_role(figure, "region")}
    assert [len(regions[k]) for k in (0, 1)] == [2, 1]
    np.testing.assert_array_equal(regions[1][0], [[1, 1], [2, 1], [2, 2], [1, 2]])
    (border,) = by_role(figure, "border")
    parts = {tuple(map(tuple, part)) for part in drawn_boxes(border)}
    assert parts == {((1, 1), (1, 2)), ((1, 1), (2, 1))}
    assert [area["text"] for area in figure.layout.meta["hits"]][-1] == "<b>high</b>"


def test_areas_are_weights_ink_is_drawn_and_crosses_weigh_nothing():
    n = 5
    rows = plots.DrawnRows(
        x=np.arange(n, dtype=float), y=np.zeros(n), label=np.zeros(n, dtype=int),
        weight=np.array([1.0, 4.0, 0.0, 1.0, 1.0]), drawn=np.array([0, 0, 0, 1, 1], dtype=bool),
        kept=np.array([0, 0, 0, 0, 1], dtype=bool), row=np.arange(n) + 1,
    )  # fmt: skip
    figure = plots.draw_plot(
        rows, theme="light", class_names=("a",), feature_names=("x1", "x2"), view=(0, 5, -1, 1)
    )
    (waiting,), (dropped,) = by_role(figure, "waiting"), by_role(figure, "dropped")
    (fresh,), (kept,) = by_role(figure, "fresh"), by_role(figure, "kept")
    small, large = waiting.marker.size
    assert abs(large - 2 * small) <= 0.1
    assert list(dropped.customdata) == [3]
    assert (list(fresh.customdata), list(kept.customdata)) == ([4], [5])
    ink = plots.THEMES["light"].ink
    assert fresh.marker.color == kept.marker.color == ink != waiting.marker.color
    assert kept.marker.symbol == "circle-open"
