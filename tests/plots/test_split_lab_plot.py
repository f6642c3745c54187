"""The plane of a node in the corner of its score curves."""

from dataclasses import replace

import numpy as np
import pytest

from lastviz import plots
from lastviz.plots.visuals.score_strips import MOST_DRAWN, curve_trace, thin_out
from lastviz.plots.visuals.theme import THEMES

from .conftest import _candidates, _feature_strips, _split_lab, _successive, by_role


def test_lit_candidates_have_dots_and_lines_on_all_curves_and_rows_outside_are_removed():
    scene, _, marked, strips = _candidates()
    figure = _split_lab("light")
    for role, candidate in (("chosen_dot", marked.chosen), ("picked_dot", marked.picked)):
        dots = by_role(figure, role)
        assert len(dots) == len(strips)
        for dot in dots:
            places = dot.x if marked.feature[candidate] == 0 else dot.y
            assert list(places) == [marked.threshold[candidate]]
    shapes = [s for s in figure.layout.shapes if s.name == "chosen"]
    assert len(shapes) == 1 + len(strips)
    ends = {(s.x0, s.x1) if s.xref == "x" else (s.y0, s.y1) for s in shapes}
    assert ends == {(marked.threshold[marked.chosen],) * 2}
    outside = by_role(figure, "outside")[0]
    shown = sum(len(trace.x) for trace in by_role(figure, "training"))
    shown += sum(len(trace.x) for trace in by_role(figure, "held_out"))
    assert len(outside.x) + shown == len(scene.y)
    assert len(outside.x) == int(np.sum(np.arange(len(scene.y)) % 5 == 0))


def test_axes_that_carry_thresholds_are_named():
    assert _split_lab("light").layout.meta["features"] == {"x": 0, "y": 1}
    assert _split_lab("light", features=(2, 2)).layout.meta["features"] == {"x": 2}
    assert set(_feature_strips("light").layout.meta["features"].values()) == {0, 1, 2}


def test_outward_is_better_where_small_is_good():
    strip = plots.Strip("csn", np.array([10.0, 0.5, np.inf, -np.inf]), smaller_is_better=True)
    height = strip.height
    assert height[1] > height[0]
    assert np.isnan(height[2:]).all()


@pytest.mark.parametrize("values", [np.full(3, np.nan), np.zeros(3), np.array([1.0, 1.0, 1.0])])
def test_a_strip_without_spread_has_a_range(values):
    low, high = plots.Strip("gini", values).range
    assert low < high


def test_long_curves_keep_their_peak_and_the_marked_candidates():
    rng = np.random.default_rng(0)
    n = 50_000
    height = rng.random(n)
    keep = np.array([17, 40_001])
    shown = thin_out(np.arange(n), height, keep)
    assert len(shown) <= MOST_DRAWN + len(keep)
    assert {17, 40_001, int(height.argmax())} <= set(shown.tolist())
    candidates = plots.CandidateCurves(np.zeros(n, dtype=np.intp), np.arange(n), ("a",), chosen=17)
    trace = curve_trace(candidates, plots.Strip("gini", height), 0, THEMES["light"], upright=False)
    assert len(trace["x"]) <= MOST_DRAWN + 1


def test_successive_panels_add_one_split_each():
    figure = _successive("light")
    inner = int(np.count_nonzero(~_candidates()[0].regions.leaf))
    counts = [int(np.isnan(trace.x.astype(float)).sum()) for trace in by_role(figure, "split")]
    assert counts == [0, 1, 2, 3] * 2
    assert len(by_role(figure, "chosen_split")) == 2 * min(4, inner)


@pytest.mark.parametrize(("titles", "lines"), [("Gini BNM CSN", 1), ("Gini gain_ratio gain", 2)])
def test_wide_names_of_strips_stand_on_two_lines(titles, lines):
    scene, _, marked, strips = _candidates()
    names = [title.replace("_", " ") for title in titles.split()]
    named = [replace(strip, title=name) for strip, name in zip(strips, names, strict=True)]
    figure = plots.split_lab_plot(
        scene.points, np.ones(len(scene.y), dtype=bool), marked, named, theme="light",
        features=(0, 1), feature_names=("a", "b", "c"), class_names=scene.class_names,
    )  # fmt: skip
    notes = figure.settings["annotations"]
    up = [note["yshift"] for note in notes if note["text"] in names and "yshift" in note]
    assert len(up) == 3
    assert len(set(up)) == lines
    assert lines == 1 or (up[0] == up[2] and up[1] - up[0] >= 14)


def test_one_candidate_of_a_feature_is_seen_and_alone_has_a_tick():
    _, _, marked, strips = _candidates()
    first = [int(marked.of(feature)[0]) for feature in range(3)]
    alone = replace(
        marked, feature=marked.feature[first], threshold=marked.threshold[first],
        chosen=None, picked=None, survivors=np.zeros(0, dtype=np.intp),
    )  # fmt: skip
    few = [replace(each, values=each.values[first]) for each in strips]
    figure = plots.feature_strips_plot(alone, few, [2, 0, 1], theme="light")
    assert {trace["mode"] for trace in figure.traces} == {"markers"}
    for number in range(1, len(figure.traces) + 1):
        axis = figure.layout[f"xaxis{number if number > 1 else ''}"]
        assert list(axis["tickvals"]) == figure.traces[number - 1]["x"].tolist()
