"""Figures of ordered classes: what is drawn is what was given."""

import numpy as np
import pytest

from lastviz import plots

from .conftest import FIGURES, by_role

LIGHT = plots.THEMES["light"]


def points(n=5):
    return plots.Points.plain(np.arange(n, dtype=float), np.arange(n, dtype=float) ** 2,
                              np.arange(n) % 2)  # fmt: skip


def test_every_pair_is_a_segment_and_the_picked_one_is_dashed_and_ringed():
    pairs = np.array([[0.0, 0.0, 3.0, 9.0], [1.0, 1.0, 4.0, 16.0]])
    figure = plots.contradictions_plot(
        points(), pairs, theme="light", names=("x1", "x2"), class_names=("a", "b"), picked=pairs[1]
    )
    (segments,) = by_role(figure, "contradiction")
    xy = np.column_stack([segments.x, segments.y])
    drawn = xy[~np.isnan(xy).any(axis=1)].reshape(-1, 4)
    np.testing.assert_array_equal(drawn, pairs)
    (line,), (rings,) = by_role(figure, "picked"), by_role(figure, "picked_rows")
    assert line.line.color == rings.marker.color == LIGHT.accent
    np.testing.assert_array_equal(np.column_stack([rings.x, rings.y]).ravel(), pairs[1])


@pytest.mark.parametrize(("degree", "token"), [
    (1.0, "grey2"), (0.99, "grey3"), (0.75, "grey3"), (0.5, "grey5"), (0.3, "grey7"), (0.0, "ink"),
])  # fmt: skip
def test_the_less_consistent_the_darker(degree, token):
    figure = plots.inclusion_plot(
        points(), np.full(5, degree), theme="light", names=("x1", "x2"), class_names=("a", "b")
    )
    (shade,) = by_role(figure, "inclusion")
    assert shade.marker.color == getattr(LIGHT, token)
    assert list(shade.marker.symbol) == ["circle", "square"] * 2 + ["circle"]
    np.testing.assert_array_equal(np.array(shade.customdata)[:, 1], np.full(5, degree))


def test_a_counter_example_is_two_dots_an_arrow_and_two_frames():
    figure = FIGURES["counter-example"]("light")
    (dots,) = by_role(figure, "counter_example")
    assert (list(dots.x), list(dots.y)) == ([-1.0, 1.0], [0.0, 2.0])
    arrow = next(a for a in figure.layout.annotations if a.name == "comparable")
    assert (arrow.ax, arrow.ay, arrow.x, arrow.y) == (-1.0, 0.0, 1.0, 2.0)
    labels = [a.text for a in figure.layout.annotations if a.name == "label"]
    assert labels == ["<b>a: class 2</b>", "<b>b: class 1</b>"]
    assert len(by_role(figure, "leaf")) == 2
    regions = by_role(figure, "region")
    assert {r.meta["class"]: r.fillcolor for r in regions} == {
        1: LIGHT.region(1), 2: LIGHT.region(2),
    }  # fmt: skip
    assert not by_role(FIGURES["no counter-example"]("light"), "counter_example")


def test_framed_rows_have_a_square_and_an_ink_link():
    pairs = np.array([[0.0, 0.0, 3.0, 9.0]])
    figure = plots.contradictions_plot(
        points(), pairs, theme="light", names=("x1", "x2"), class_names=("a", "b"),
        framed=pairs[:1, :2],
    )  # fmt: skip
    (link,) = by_role(figure, "contradiction")
    assert link.line.color == LIGHT.ink
    assert np.isfinite(link.x).sum() == 2
    (frame,) = by_role(figure, "framed")
    assert (frame.marker.symbol, frame.marker.color) == ("square-open", LIGHT.ink)
    assert (list(frame.x), list(frame.y)) == ([0.0], [0.0])


def test_borders_between_classes_are_drawn_where_they_are_given():
    sides = np.array([[0.5, 0.0, 0.5, 1.0]])
    figure = plots.counter_example_plot(
        np.array([[0, 0.5, 0, 1], [0.5, 1, 0, 1]]), np.array([0, 1]), points(2), theme="light",
        names=("x1", "x2"), class_names=("a", "b"), borders=sides,
    )  # fmt: skip
    (border,) = by_role(figure, "border")
    assert (list(border.x[:2]), list(border.y[:2])) == ([0.5, 0.5], [0.0, 1.0])
    assert border.line.color == LIGHT.grey7
