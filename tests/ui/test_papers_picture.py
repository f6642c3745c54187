"""The picture of a paper's table: where its dots lie, what its sentence counts, its two views."""

import math
import re
from html import unescape
from urllib.parse import parse_qsl, unquote

import numpy as np
import pytest

from lastviz.plots import THEMES
from lastviz.studies.published import TABLES, misprints_of, our_figures, published_cells
from lastviz.ui.papers.dots import REACH, apart_figure
from lastviz.ui.papers.figures import strip_image
from lastviz.ui.papers.page import pictured
from lastviz.ui.papers.scene import paper_scene
from lastviz.ui.papers.words import left_out, sentences_of
from lastviz.ui.state.selection import DEFAULT

from .conftest import checked, html, opened

NAMES = [f"{paper}{number}" for paper, number in TABLES]
DRAWN = [name for name in NAMES if paper_scene(DEFAULT.change(paper_table=name)).compared]


def slow_differences(name):
    """Data set, difference in standard deviations, and whether the print is in doubt."""
    paper, number = next(key for key in TABLES if f"{key[0]}{key[1]}" == name)
    ours, found = our_figures(paper, number), []
    for cell in published_cells(paper, number):
        own = ours.get(cell.key)
        if own is None or "seconds" in cell.metric or cell.dataset == "all":
            continue
        spread = cell.spread if cell.spread > 0 else own.spread  # NaN is not above 0
        if spread > 0:
            doubted = any(not each.is_target for each in misprints_of(cell))
            found.append((cell.dataset, (own.mean - cell.mean) / spread, doubted))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_what_is_judged_and_what_is_left_out_add_up_to_the_table(name):
    scene = paper_scene(DEFAULT.change(paper_table=name))
    assert len(scene.compared) + sum(left_out(scene).values()) == len(scene.places)
    for sentence in sentences_of(scene):
        if sentence.startswith("Left out"):
            left, total = map(int, re.findall(r"\d+", sentence)[:2])
            assert total - left == len(scene.compared)
            assert sum(map(int, re.findall(r"\((\d+)\)", sentence))) == left
    assert "reproduced" not in " ".join(sentences_of(scene))


@pytest.mark.parametrize("name", DRAWN)
def test_each_dot_lies_where_a_slow_recomputation_puts_it(name):
    scene = paper_scene(DEFAULT.change(paper_table=name))
    figure = apart_figure(scene, "light")
    traces = {trace["name"]: trace for trace in figure.traces}
    expected = slow_differences(name)
    kinds = {
        "within": lambda x, doubted: abs(x) <= 1 and not doubted,
        "outside": lambda x, doubted: 1 < abs(x) <= REACH and not doubted,
        "uncertain": lambda x, doubted: abs(x) <= REACH and doubted,
    }
    for role, belongs in kinds.items():
        own = [(scene.rows.index(d), x) for d, x, doubted in expected if belongs(x, doubted)]
        trace = traces[role]
        rows = [math.floor(y + 0.5) for y in trace["y"]]
        drawn = sorted(zip(rows, trace["x"], strict=True))
        assert np.ravel(drawn) == pytest.approx(np.ravel(sorted(own)))
    for role, sign in (("below", -1), ("above", 1)):
        rows = sorted(scene.rows.index(d) for d, x, _ in expected if sign * x > REACH)
        assert sorted(traces[role]["y"]) == rows
        assert all(sign * x > REACH for x in traces[role]["x"])
    assert len(figure.figure.data) == len(figure.traces)  # plotly checks it


@pytest.mark.parametrize("name", DRAWN)
def test_the_farthest_cell_of_a_row_is_named(name):
    scene = paper_scene(DEFAULT.change(paper_table=name))
    labels = apart_figure(scene, "light").settings["yaxis"]["ticktext"]
    for dataset, label in zip(scene.rows, labels, strict=True):
        apart = [x for d, x, doubted in slow_differences(name) if d == dataset and not doubted]
        farthest = max(apart, key=abs, default=0.0)
        assert ("<b>" in label) == (abs(farthest) > 1.0)
        if abs(farthest) > 1.0:
            assert f"{'+' if farthest > 0 else '−'}{abs(farthest):.1f}</b>" in label


def test_the_page_opens_on_the_picture_and_the_numbers_are_one_click_away():
    app = opened("papers", paper_table="sodt2")
    assert "lv-judged" in html(app)
    assert "class='lv-paper-grid'" not in html(app)
    app = checked(app.segmented_control(key="paper_view").select("numbers").run())
    assert "lv-judged" in html(app)
    assert "class='lv-paper-grid'" in html(app)
    assert app.session_state["selection"].papers.paper_view == "numbers"
    linked = opened("papers", paper_table="sodt2", paper_view="numbers")
    assert "class='lv-paper-grid'" in html(linked)


def test_a_table_that_cannot_be_compared_opens_on_its_numbers():
    app = opened("papers", paper_table="mcdf3")
    assert "No cell of this table can be compared with its print." in html(app)
    assert "class='lv-paper-grid'" in html(app)


def test_a_slide_shows_the_view_that_is_chosen():
    selection = DEFAULT.change(paper_table="sodt2")
    kinds = [type(block).__name__ for block in pictured(selection, "light")]
    assert kinds.count("Picture") == 1
    assert "Picture" not in [
        type(block).__name__ for block in pictured(selection.change(paper_view="numbers"), "light")
    ]


@pytest.mark.parametrize("name", DRAWN)
def test_a_strip_has_a_dot_for_each_cell_and_ink_for_those_far_away(name):
    drawing = unquote(strip_image(paper_scene(DEFAULT.change(paper_table=name)), "light"))
    expected = [x for _, x, doubted in slow_differences(name) if not doubted]
    assert drawing.count("<circle") == len(expected)
    far = drawing.count(f'fill="{THEMES["light"].ink}"')
    assert far == sum(abs(x) > 1 for x in expected)


def test_every_table_that_can_be_compared_is_one_click_away():
    app = opened("papers", paper_table="sodt2")
    shown = html(app).split("lv-strips")[1]
    links = re.findall(r'href="\?([^"]*)"', shown)
    tables = [dict(parse_qsl(unescape(link))).get("paper_table", "sodt2") for link in links]
    assert tables == DRAWN
    for name, counts in zip(DRAWN, re.findall(r"<b>(\d+) of (\d+)</b>", shown), strict=True):
        judged = [x for _, x, doubted in slow_differences(name) if not doubted]
        assert counts == (str(sum(abs(x) <= 1 for x in judged)), str(len(judged)))
    assert shown.count('target="_self" aria-current="page"') == 1
