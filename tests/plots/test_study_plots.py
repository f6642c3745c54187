"""Figures of studies: every number stands where it belongs, ink is for the best alone."""

import numpy as np
import pytest

from lastviz import plots
from lastviz.plots import THEMES

from .conftest import by_role as traces

NAMES = ("CART", "C4.5", "OC1")
INK = THEMES["light"].ink


def intervals(**options):
    mean = np.array([[80.0, 60.0], [90.0, np.nan], [85.0, 61.0]])
    found = plots.Intervals(
        mean, mean - 2, mean + 2, np.array([1, 2]),
        behind=np.array([[True, False], [False, False], [False, False]]),
        finished=np.array([[True, True], [True, False], [True, False]]),
    )  # fmt: skip
    return plots.intervals_plot(NAMES, ("first", "second"), found, theme="light", **options)


@pytest.mark.parametrize("narrow", [False, True])
def test_each_mean_has_a_dot_and_the_best_is_the_only_ink(narrow):
    figure = intervals(narrow=narrow)
    dots = traces(figure, "mean") + traces(figure, "mean so far")
    assert sorted(x for trace in dots for x in trace.x) == [60, 61, 80, 85, 90]
    ink = [x for trace in dots if INK in (trace.marker.color, trace.marker.line.color)
           for x in trace.x]  # fmt: skip
    assert sorted(ink) == [61, 90]
    behind = [trace for trace in dots if trace.meta["state"] == "behind"]
    assert [x for trace in behind for x in trace.x] == [80]
    assert [x for trace in traces(figure, "mean so far") for x in trace.x] == [61]
    bold = [text for text in figure.layout.yaxis.ticktext if text.startswith("<b>")]
    assert [INK in text for text in bold] == [True, True]
    assert ["C4.5" in bold[0], "OC1" in bold[1]] == [True, True]


def test_dots_say_which_cell_they_are_and_absent_ones_why():
    figure = intervals(absent=[["not run"] * 2, ["not run", "failed"], ["not run"] * 2])
    cells = {
        cell: x for trace in figure.data if trace.meta["role"].startswith("mean")
        for cell, x in zip(trace.customdata, trace.x, strict=True)
    }  # fmt: skip
    assert cells == {0: 80, 1: 60, 2: 90, 4: 85, 5: 61}
    (absent,) = traces(figure, "absent")
    assert [text.strip() for text in absent.text] == ["failed"]
    assert absent.y[0] == figure.layout.yaxis.tickvals[4]


def test_ranks_stand_at_their_place_with_their_names_at_the_sides():
    ranks = np.array([2.6, 1.9, 1.5])
    figure = plots.critical_difference_plot(
        NAMES, ranks, ((2, 1), (1, 0)), theme="light", difference=0.9
    )
    (best,), (others,) = traces(figure, "best"), traces(figure, "rank")
    assert best.x.tolist() == [1.5]
    assert sorted(others.x.tolist()) == [1.9, 2.6]
    texts = {note.text: note.xanchor for note in figure.layout.annotations}
    assert texts == {
        "<b>OC1</b> 1.50": "right", "C4.5 1.90": "right", "2.60 CART": "left",
        "critical difference 0.90": "left",
    }  # fmt: skip
    (bars,) = traces(figure, "group")
    spans = np.array(bars.x).reshape(-1, 3)[:, :2]
    assert spans == pytest.approx(np.array([[1.5, 1.9], [1.9, 2.6]]), abs=0.02)
    (bracket,) = traces(figure, "difference")
    assert np.nanmax(bracket.x) - np.nanmin(bracket.x) == pytest.approx(0.9)


def test_nothing_beats_what_is_drawn_in_ink():
    size, value = np.array([10.0, 20.0, 10.0, 5.0, np.nan]), np.array([80.0, 90.0, 79.0, 70.0, 99])
    assert plots.pareto_mask(size, value).tolist() == [True, True, False, True, False]
    low = plots.pareto_mask(size, value, larger_is_better=False)
    assert low.tolist() == [False, False, False, True, False]
    assert plots.pareto_mask(np.ones(2), np.ones(2)).tolist() == [True, True]  # equal ones
    names = ("a", "b", "c", "d", "e")
    figure = plots.size_accuracy_plot(names, size, value, theme="light")
    assert traces(figure, "unbeaten")[0].x.tolist() == [10.0, 20.0, 5.0]
    assert traces(figure, "beaten")[0].x.tolist() == [10.0]


def test_a_mark_between_another_and_the_edge_has_its_name():
    names = ("OC1", "GSODT", "LSODT", "C4.5", "CART", "BNM + CSN")
    size = np.array([4.2, 8.5, 8.5, 12.3, 26.0, 18.0])
    value = np.array([89.0, 88.3, 87.5, 84.4, 82.2, 82.5])
    figure = plots.size_accuracy_plot(names, size, value, theme="light", width_hint=340)
    assert sorted(text for t in traces(figure, "other_name") for text in t.text) == sorted(names)


def test_curves_are_named_at_their_ends_and_the_chosen_one_has_its_band():
    n = np.array([10.0, 100.0])
    curves = [
        plots.StudyCurve("CART", n, np.array([60.0, 70.0]), np.array([58.0, 69.0]), n * 0 + 75),
        plots.StudyCurve("C4.5", n, np.array([61.0, np.nan])),
    ]
    figure = plots.learning_curve_plot(curves, theme="light", chosen="CART")
    ends = {note.text: note.y for note in figure.layout.annotations if note.name == "curve name"}
    assert ends == {"<b>CART</b>": 70.0, "C4.5": 61.0}
    (band,) = traces(figure, "band")
    assert sorted(band.y) == [58, 69, 75, 75]
    assert {trace.line.color for trace in traces(figure, "curve") if trace.name == "CART"} == {INK}
    times = plots.time_plot(curves, theme="light")
    ends = {note.text: note.y for note in times.layout.annotations if note.name == "curve name"}
    assert ends["CART"] == pytest.approx(np.log10(70))
    assert (times.layout.xaxis.type, times.layout.yaxis.type) == ("log", "log")
    looks = {(t.marker.symbol, t.marker.color) for t in traces(times, "value")}
    assert len(looks) == 2


def test_areas_of_the_posterior_are_parted_at_the_rope():
    x = np.linspace(-3, 5, 81)
    density = np.exp(-((x - 1) ** 2) / 2) / np.sqrt(2 * np.pi)
    figure = plots.posterior_plot(x, density, 0.5, (0.07, 0.24, 0.69), theme="light")
    areas = {}
    for region in traces(figure, "region"):
        corners = np.array([region.x, region.y], dtype=float).T
        ahead = np.roll(corners, -1, axis=0)
        turned = corners[:, 0] * ahead[:, 1] - ahead[:, 0] * corners[:, 1]
        areas[region.name] = abs(turned.sum()) / 2
    assert areas["worse"] == pytest.approx(0.0668, abs=2e-3)
    assert areas["equal"] == pytest.approx(0.2417, abs=2e-3)
    assert areas["better"] == pytest.approx(0.6915, abs=2e-3)
    said = [note.text for note in figure.layout.annotations if note.name == "region"]
    assert said == ["worse<br>7 %", "as good<br>24 %", "<b>better<br>69 %</b>"]


def test_the_cloud_holds_every_sample_near_its_corner():
    samples = np.vstack([np.tile([0.0, 0.0, 1.0], (90, 1)), np.tile([1.0, 0.0, 0.0], (10, 1))])
    figure = plots.posterior_triangle_plot(samples, (0.1, 0.0, 0.9), theme="light")
    (cloud,) = traces(figure, "samples")
    counts = np.nan_to_num(np.array(cloud.z, dtype=float)) ** 2
    assert counts.sum() == pytest.approx(100)
    assert counts[0, -1] == pytest.approx(90)
    assert counts[0, 0] == pytest.approx(10)


def test_pairs_are_counted_from_the_row_and_framed_where_they_are_apart():
    wins = np.array([[0, 8, 3], [1, 0, 2], [6, 7, 0]])
    ties = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    apart = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]], dtype=bool)
    figure = plots.paired_results_plot(NAMES, wins, ties, apart, theme="light")
    (apart,) = traces(figure, "significant")
    assert (apart.x.tolist(), apart.y.tolist(), list(apart.text)) == (
        [1], [0], ["<b>8/1/1</b>"]
    )  # fmt: skip
    (rest,) = traces(figure, "result")
    assert sorted(rest.text) == sorted(["3/1/6", "1/1/8", "2/1/7", "6/1/3", "7/1/2"])
    (frame,) = traces(figure, "frame")
    assert np.nanmean(frame.x) == pytest.approx(1, abs=0.2)
    assert list(figure.layout.yaxis.ticktext) == ["1  CART", "2  C4.5", "3  OC1"]


def test_a_logarithmic_axis_leaves_out_what_took_no_time():
    curve = plots.StudyCurve("CART", np.array([10.0, 20.0, 40.0]), np.array([0.0, 0.1, 0.0]))
    figure = plots.time_plot([curve], theme="light")
    assert traces(figure, "value")[0].y.tolist() == [0.1]
    (end,) = (note for note in figure.layout.annotations if note.name == "curve name")
    assert end.y == pytest.approx(-1)


def test_nothing_at_all_is_drawn_as_nothing():
    none = np.empty((0, 0))
    found = plots.Intervals(none, none, none, np.empty(0, np.intp), none > 0, none > 0)
    plots.intervals_plot([], [], found, theme="light")
    plots.paired_results_plot([], none, none, none > 0, theme="light")
    plots.size_accuracy_plot([], np.empty(0), np.empty(0), theme="light")
    plots.learning_curve_plot([], theme="light")
    plots.posterior_triangle_plot(np.empty((0, 3)), (0.0, 0.0, 0.0), theme="light")


def test_names_of_curves_that_end_at_the_top_stay_below_it():
    ends = (7.9, 8.0, 8.1, 8.2, 8.3)
    curves = [
        plots.StudyCurve(f"algorithm {i}", np.array([10.0, 100.0]), np.array([0.1, end]))
        for i, end in enumerate(ends)
    ]
    figure = plots.time_plot(curves, theme="light")
    names = [a for a in figure.layout["annotations"] if "algorithm" in a["text"]]
    top = figure.layout["yaxis"]["range"][1]
    places = sorted(a["y"] for a in names)
    assert len(names) == len(ends)
    assert places[-1] <= top + 1e-9
    assert min(np.diff(places)) > 0
