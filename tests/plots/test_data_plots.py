"""The figures of a data set and of a confusion matrix."""

import numpy as np
import pytest

from lastviz.plots import (
    Points,
    class_counts_plot,
    confusion_plot,
    histogram_plot,
    scatter_matrix_plot,
    scatter_plot,
)
from lastviz.plots.node_histograms_plot import MOST_BARS, bin_edges, stacked_counts
from lastviz.plots.scatter_plot import MAX_ROWS
from lastviz.plots.visuals.theme import symbol

from .conftest import by_role, drawn_boxes, make_scene


def test_a_scatter_shows_all_rows_and_plain_points_do_not_speak_of_training():
    scene = make_scene()
    figure = scatter_plot(
        scene.points, theme="light", names=("a", "b"), class_names=scene.class_names, equal=True
    )
    traces = by_role(figure, "training") + by_role(figure, "held_out")
    assert sum(len(t.x) for t in traces) == len(scene.points)
    low, high = figure.layout.xaxis.range
    assert low < scene.points.x.min()
    assert high > scene.points.x.max()
    assert figure.layout.meta["hits"] == []
    points = Points.plain(scene.X[:, 0], scene.X[:, 1], scene.y)
    names = ("a", "b")
    figure = scatter_plot(points, theme="light", names=names, class_names=scene.class_names)
    assert all("training" not in t.hovertemplate for t in figure.data)


def matrix_of(n_samples, n_features, theme="light"):
    scene = make_scene(n_samples, n_features=max(n_features, 2))
    X = scene.X[:, :n_features]
    names = [f"feature {i}" for i in range(n_features)]
    return scene, scatter_matrix_plot(X, scene.y, names, theme=theme, class_names=scene.class_names)


@pytest.mark.parametrize("m", [2, 4, 6])
def test_a_matrix_shows_every_pair_and_every_feature(m):
    scene, figure = matrix_of(90, m)
    pairs = {(t.xaxis, t.yaxis) for t in by_role(figure, "training")}
    assert len(pairs) == m * (m - 1) // 2
    for trace in by_role(figure, "training"):
        j, i = (int(axis[1:] or 1) - 1 for axis in (trace.xaxis, trace.yaxis))
        assert j < i
        np.testing.assert_allclose(trace.x, scene.X[trace.customdata, j], rtol=1e-6)
        np.testing.assert_allclose(trace.y, scene.X[trace.customdata, i], rtol=1e-6)
    assert len({t.xaxis for t in by_role(figure, "histogram")}) == m
    assert [a.text for a in figure.layout.annotations] == [f"feature {i}" for i in range(m)]


def test_a_large_matrix_is_thinned_and_says_so():
    _, figure = matrix_of(MAX_ROWS + 500, 2)
    assert sum(len(t.x) for t in by_role(figure, "training")) == MAX_ROWS
    assert figure.layout.annotations[-1].text == f"{MAX_ROWS:,} of {MAX_ROWS + 500:,} rows"


@pytest.mark.parametrize("m", [1, 7])
def test_a_matrix_has_two_to_six_features(m):
    with pytest.raises(ValueError, match=f"2 to 6 features, got {m}"):
        scatter_matrix_plot(np.zeros((3, m)), np.zeros(3, int), "abcdefg", theme="light",
                            class_names=["a"])  # fmt: skip


def test_bars_have_counts_and_symbols_and_empty_ones_are_drawn():
    figure = class_counts_plot(np.array([1000, 3000, 0]), ("a", "b<", "c"), theme="dark")
    (bars,), (symbols,) = by_role(figure, "count"), by_role(figure, "class")
    assert bars.x.tolist() == [1000, 3000, 0]
    assert bars.text == ("1,000  (25.0 %)", "3,000  (75.0 %)", "0  (0.0 %)")
    assert list(symbols.marker.symbol) == [symbol(k) for k in range(3)]
    assert figure.layout.yaxis.ticktext == ("a", "b&lt;", "c")
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]
    figure = class_counts_plot(np.zeros(2, int), ("a", "b"), theme="light")
    assert figure.data[0].text == ("0  (0.0 %)", "0  (0.0 %)")


def numbers_of(figure):
    return {
        (int(y), int(x)): text.removeprefix("<b>").removesuffix("</b>")
        for trace in by_role(figure, "number")
        for x, y, text in zip(trace.x, trace.y, trace.text, strict=True)
    }


def test_a_confusion_matrix_shows_its_numbers():
    matrix = np.array([[15, 0, 1], [2, 1300, 0], [0, 0, 9]])
    figure = confusion_plot(matrix, ("a", "b", "c"), theme="light")
    assert numbers_of(figure) == {(i, j): f"{matrix[i, j]:,}" for i in range(3) for j in range(3)}
    (cells,) = by_role(figure, "cells")
    np.testing.assert_allclose(cells.z[0], np.sqrt([15 / 16, 0, 1 / 16]), rtol=1e-6)
    assert [a.text for a in figure.layout.annotations] == ["true class", "predicted class"]
    assert "true class: <b>a</b><br>predicted class: <b>c</b>" in cells.text[0][2]


@pytest.mark.parametrize(("n", "shown"), [(9, True), (26, True), (27, False)])
def test_large_matrices_drop_zeros_then_numbers(n, shown):
    matrix = np.eye(n, dtype=int) * 7
    matrix[0, 1] = 3
    figure = confusion_plot(matrix, [f"c{k}" for k in range(n)], theme="light")
    assert len(numbers_of(figure)) == (n + 1 if shown else 0)


def test_a_row_without_samples_is_blank():
    figure = confusion_plot(np.array([[3, 1], [0, 0]]), ("a", "b"), theme="light")
    (cells,) = by_role(figure, "cells")
    assert cells.z[1].tolist() == [0, 0]


def test_a_histogram_stacks_the_classes():
    scene = make_scene()
    figure = histogram_plot(
        scene.X[:, 0], scene.y, theme="light", name="x1", unit="cm", class_names=scene.class_names
    )
    counts, edges = stacked_counts(scene.X[:, 0], scene.y, 3)
    assert counts.sum() == len(scene.y)
    for trace in by_role(figure, "histogram"):
        k = trace.meta["class"]
        boxes = drawn_boxes(trace)
        heights = [np.ptp(box[:, 1]) for box in boxes]
        assert heights == counts[k][counts[k] > 0].tolist()
        assert {box[:, 0].min() for box in boxes} <= set(edges)
    tops = max(box[:, 1].max() for t in by_role(figure, "histogram") for box in drawn_boxes(t))
    assert tops == counts.sum(axis=0).max()


@pytest.mark.parametrize(
    "values",
    [
        np.array([]),
        np.full(5, 3.0),
        np.arange(7.0),
        np.r_[np.zeros(90), 1e6],
        np.random.default_rng(0).normal(size=1000),
        1e9 + np.random.default_rng(0).normal(size=50),
    ],
    ids=["empty", "constant", "whole", "outlier", "normal", "offset"],
)
def test_bins_hold_all_values(values):
    edges = bin_edges(values)
    assert (np.diff(edges) > 0).all()
    assert len(edges) - 1 <= MOST_BARS
    assert np.histogram(values, edges)[0].sum() == len(values)


def test_whole_numbers_have_a_bin_each():
    assert bin_edges(np.array([1.0, 2, 4])).tolist() == [0.5, 1.5, 2.5, 3.5, 4.5]


def test_rows_without_a_value_are_not_counted():
    counts, _ = stacked_counts(np.array([1.0, np.nan, 2.5]), np.array([0, 0, 1]), 2)
    assert counts.sum(axis=1).tolist() == [1, 1]
