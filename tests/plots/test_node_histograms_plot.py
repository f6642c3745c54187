"""The rows of a node by feature: boxes as high as rows are many, the split as a line."""

import re

import numpy as np
import pytest

from lastviz.plots import NodeFeature, node_histograms_plot
from lastviz.plots.visuals.words import text_width

NARROWEST = 200  # pixels, of three panels beside each other in a window of 1024 pixels

LABEL = np.array([0, 0, 1, 1, 1, 0])
VALUES = np.array([0.0, 1.0, 2.0, 3.0, 3.0, np.nan])
ROWS = np.array([10, 11, 12, 13, 14, 15])


def drawn(*features):
    names = ("a", "b")
    return node_histograms_plot(features, LABEL, ROWS, theme="light", class_names=names)


@pytest.mark.parametrize("n", [1, 3, 4, 7])
def test_every_feature_has_axes_of_its_own(n):
    figure = drawn(*(NodeFeature(f"x{i}", VALUES + i) for i in range(n)))
    pairs = {(trace.xaxis, trace.yaxis) for trace in figure.data}
    assert len(pairs) == n
    assert [note.text.split("<br>")[0] for note in figure.layout.annotations] == [
        f"x<sub>{i}</sub>" for i in range(n)
    ]


@pytest.mark.parametrize("gain", [0.5, 1.23e-07])
@pytest.mark.parametrize("missing", ["", "<br>123,456 missing", "<br>123,456 个缺失"])
def test_titles_have_room_in_the_narrowest_panel(gain, missing):
    note = f"Gini gain {gain:.3g}{missing}"
    figure = drawn(NodeFeature("a very long name of a feature that is cut", VALUES, note=note))
    (title,) = figure.layout.annotations
    lines = re.sub(r"<(?!br)[^>]*>", "", title.text).split("<br>")
    assert max(text_width(line, title.font.size) for line in lines) <= NARROWEST


def test_boxes_hold_the_rows_whose_value_is_known():
    figure = drawn(NodeFeature("x", VALUES))
    said = sorted(text for t in figure.data if t.meta["role"] == "count" for text in t.text)
    assert [text.split("<br>")[0] for text in said] == [
        "<b>a</b>, 1 rows", "<b>a</b>, 1 rows", "<b>b</b>, 1 rows", "<b>b</b>, 2 rows"
    ]  # fmt: skip
    stand = figure.layout.meta["stands"]["x"]
    assert stand["rows"] == [10, 11, 12, 13, 14]
    assert stand["values"] == VALUES[:5].tolist()


def test_the_split_is_a_line_in_ink_and_the_best_of_others_a_grey_one():
    figure = drawn(
        NodeFeature("x", VALUES, threshold=1.5, chosen=True), NodeFeature("z", VALUES, best=0.5)
    )
    lines = [(line.name, line.xref, line.x0) for line in figure.layout.shapes]
    assert lines == [("halo", "x", 1.5), ("chosen", "x", 1.5), ("survivor", "x2", 0.5)]
    assert figure.layout.annotations[0].text.startswith("<b>x</b>")


def test_categories_are_named_below_and_by_the_pointer():
    codes = np.array([0.0, 0.0, 1.0, 2.0, 2.0, 2.0])
    figure = drawn(NodeFeature("colour", codes, categories=("red", "green", "blue & white")))
    assert figure.layout.xaxis.ticktext == ("red", "green", "blue & w…".replace("&", "&amp;"))
    texts = [text for t in figure.data if t.meta["role"] == "count" for text in t.text]
    assert any(text.endswith("colour blue &amp; white") for text in texts)
