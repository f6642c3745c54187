"""The figures of latent spaces: what they mark and what they leave grey."""

import numpy as np
import pytest

from lastviz.plots import THEMES, cut_plane_plot, loadings_plot, singular_values_plot
from lastviz.plots.visuals.drawing import short_ticks
from lastviz.plots.visuals.words import text_width

from .conftest import by_role, make_scene

INK, GREY3 = THEMES["light"].ink, THEMES["light"].grey3


def plane(**options):
    scene = make_scene()
    inside = scene.y != 2
    line = np.array([[-1.0, 0.0], [1.0, 0.0]])
    figure = cut_plane_plot(
        scene.points, inside, options.pop("line", line), theme="light", names=("a", "b"),
        class_names=scene.class_names, **options,
    )  # fmt: skip
    return figure, scene, inside


def test_rows_of_the_node_have_their_class_and_the_others_none():
    figure, scene, inside = plane()
    drawn = {row for trace in by_role(figure, "training") + by_role(figure, "held_out")
             for row in trace.customdata}  # fmt: skip
    assert drawn == set(np.flatnonzero(inside))
    (outside,) = by_role(figure, "outside")
    assert set(outside.customdata) == set(np.flatnonzero(~inside))
    (rings,) = by_role(figure, "wrong")
    assert set(rings.customdata) == set(np.flatnonzero(inside & scene.points.wrong))


def test_a_split_that_lies_in_the_plane_is_solid_and_its_cut_is_dashed():
    figure, _, _ = plane()
    assert by_role(figure, "chosen_split")[0].line.dash == "solid"
    assert not by_role(figure, "cut")
    figure, _, _ = plane(dashed=True)
    assert by_role(figure, "cut")[0].line.dash != "solid"
    assert not by_role(figure, "chosen_split")
    figure, _, _ = plane(line=np.empty((0, 2)))
    assert not by_role(figure, "chosen_split") + by_role(figure, "cut")


def test_the_lit_row_is_marked_where_it_stands():
    figure, scene, _ = plane(highlighted=5)
    (dot,) = by_role(figure, "highlighted")
    assert (dot.x[0], dot.y[0]) == (scene.points.x[5], scene.points.y[5])


def test_only_the_component_of_the_split_is_in_ink():
    values = np.array([9.0, 4.0, 1.0, 0.5])
    names = ("u1", "u2", "u3", "u4")
    figure = singular_values_plot(
        values, values / values.sum(), names, theme="light", chosen=1, shown=(1, 2)
    )
    (bars,) = by_role(figure, "length")
    assert list(bars.y) == list(values)
    assert [colour == INK for colour in bars.marker.color] == [False, True, False, False]
    assert bars.marker.color[3] == GREY3
    assert "<b>4</b>" in bars.text[1]


def test_the_heaviest_loadings_are_in_ink_with_their_weights():
    figure = loadings_plot(
        np.array([0.1, -0.8, 0.5, 0, 0, 0, 0]), tuple("abcdefg"), theme="light", heaviest=(1, 2)
    )
    (bars,) = by_role(figure, "loading")
    assert [colour == INK for colour in bars.marker.color[:3]] == [False, True, True]
    assert list(bars.text[:3]) == ["", "−0.80", "+0.50"]
    assert list(figure.layout.xaxis.ticktext) == list("abcdefg")


@pytest.mark.parametrize("count", [2, 7, 13, 30, 64])
def test_weights_of_neighbours_do_not_lie_on_each_other(count):
    loadings = np.linspace(0.4, 0.2, count)
    figure = loadings_plot(
        loadings, [f"f{i}" for i in range(count)], theme="light", heaviest=range(count)
    )
    (bars,) = by_role(figure, "loading")
    written = np.flatnonzero([bool(text) for text in bars.text])
    assert written[0] == 0  # the heaviest
    pitch = 300 / count  # on a phone
    assert (np.diff(written) * pitch >= text_width("+0.40", bars.textfont.size)).all()


@pytest.mark.parametrize("count", [1, 2, 12, 21, 64, 300])
def test_ticks_are_few_and_name_what_is_marked(count):
    ticks = short_ticks(count, count // 2, (0,))
    assert {0, count // 2} <= set(ticks)
    assert len(ticks) <= 22
    assert all(0 <= tick < count for tick in ticks)
