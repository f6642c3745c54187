"""Rows in pictures: where they lie, those that are brushed, and what nodes say of theirs."""

import html
import math
import re
from decimal import ROUND_HALF_UP, Decimal

import numpy as np
import pytest
from playwright.sync_api import expect

from lastviz.inspection import class_counts, conditions, rules
from lastviz.plots import condition_words, number, split_words
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.model_view import class_names_of, held_rows
from tests.sentences.rows import selected

from .app import at_rest, enter, ready, reload, sampled

pytestmark = pytest.mark.e2e

RINGS = (
    """() => [...document.querySelectorAll(".lv-brushed")].map((top) => Number(top.dataset.rows))"""
)
BRUSHED = "() => [...window.lastviz.brush.rows].sort((a, b) => a - b)"


def loop(page, middle, radius, keys):
    """Draw a circle around a place of the first figure, in shares of its size, with a key held."""
    page.wait_for_selector('[data-tool="brush"]:not([hidden])', state="attached")
    box = page.locator(".lv-frame").first.bounding_box()
    x, y = box["x"] + middle[0] * box["width"], box["y"] + middle[1] * box["height"]
    corners = [
        (x + radius * math.cos(i * math.pi / 12), y + radius * math.sin(i * math.pi / 12))
        for i in range(25)
    ]
    page.keyboard.down(keys)
    page.mouse.move(*corners[0])
    page.mouse.down()
    for corner in corners[1:]:
        page.mouse.move(*corner)
    page.mouse.up()
    page.keyboard.up(keys)


@pytest.mark.main
def test_a_lasso_lights_rows_up_in_every_picture(open_page):
    page = open_page("/boundaries?data=xor&m=cart&m2=c45")
    loop(page, (0.25, 0.25), 60, "Shift")
    rows = page.evaluate(BRUSHED)
    assert len(rows) > 10
    lit = page.evaluate(RINGS)  # the planes at once; the trees once they know where rows pass
    assert lit == [len(rows)] * len(lit)
    assert len(lit) in (2, 4)
    page.wait_for_function("() => document.querySelectorAll('.lv-brushed').length === 4")
    assert page.evaluate(RINGS) == [len(rows)] * 4
    ready(page)
    loop(page, (0.25, 0.25), 40, "Shift")  # adds rows, or none
    loop(page, (0.25, 0.25), 90, "Shift")
    more = page.evaluate(BRUSHED)
    assert len(more) > len(rows)
    # from now on two planes and two trees, all without a run of the script
    assert page.evaluate(RINGS) == [len(more)] * 4
    rows = more
    expect(page.get_by_text(f"{len(rows)} brushed rows")).to_be_visible()
    assert "brush=" in page.url
    ready(page)
    reload(page)
    page.wait_for_function("() => document.querySelectorAll('.lv-brushed').length === 4")
    assert page.evaluate(BRUSHED) == rows
    page.keyboard.press("Escape")
    assert page.evaluate(RINGS) == []
    expect(page.get_by_text("brushed rows")).to_have_count(0)
    assert "brush=" not in page.url


def test_the_key_b_lets_a_drag_brush_and_a_click_take_a_node(open_page):
    page = open_page("/rules?data=iris&m=cart&rule_view=rules")
    page.locator(".lv-frame").first.press("b")
    expect(page.locator(".lv-brushing")).to_have_count(1)
    box = page.locator(".lv-frame").first.bounding_box()
    place = page.evaluate(
        """() => { const gd = document.querySelector(".lv-figure");
        const { xaxis, yaxis } = gd._fullLayout;
        const flow = gd.layout.meta.hits.find(({ node }) => node === 2);
        return [xaxis._offset + xaxis.c2p((flow.box[0] + flow.box[1]) / 2),
            yaxis._offset + yaxis.c2p((flow.box[2] + flow.box[3]) / 2)]; }"""
    )
    page.mouse.click(box["x"] + place[0], box["y"] + place[1])
    page.wait_for_function(f"() => ({BRUSHED})().length > 0")
    rows = page.evaluate(BRUSHED)
    assert len(rows) == 100  # of iris, all but setosa pass the second node
    expect(page.get_by_text("100 brushed rows")).to_be_visible()
    assert "node=" not in page.url
    page.keyboard.press("Escape")
    expect(page.locator(".lv-brushing")).to_have_count(0)


def test_rows_are_brushed_without_a_mouse(open_page):
    page = open_page("/boundaries?data=iris&m=cart")
    page.get_by_text("Select rows").click()
    box = page.get_by_label("Row numbers")
    enter(box, "3, 17, 40-52")
    expect(page.get_by_text("15 brushed rows")).to_be_visible()
    page.wait_for_function("() => window.lastviz.brush.rows.size === 15")
    enter(box, "nothing")
    expect(page.get_by_text("names no rows")).to_be_visible()
    assert len(page.evaluate(BRUSHED)) == 15
    page.locator(".lv-frame").first.press("t")
    expect(page.locator(".lv-table:visible td", has_text="brushed")).to_have_count(15)


def test_rows_between_two_values_are_brushed_in_a_histogram(open_page):
    page = open_page("/splits?data=iris&m=cart&held=0")
    chart = page.locator("[class*=node_rows0] .lv-chart").first
    # its rows come after the rest; until then a drag brushes nothing
    chart.locator('[data-tool="brush"]:not([hidden])').wait_for(state="attached")
    box = at_rest(chart.locator(".lv-frame"))
    page.keyboard.down("Shift")
    page.mouse.move(box["x"] + 40, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 120, steps=5)
    page.mouse.up()
    page.keyboard.up("Shift")
    page.wait_for_function("() => window.lastviz.brush.rows.size > 0")
    rows = page.evaluate(BRUSHED)
    assert len(rows) < 150
    expect(page.get_by_text(f"{len(rows)} brushed rows")).to_be_visible()
    ticks = page.evaluate("() => [...document.querySelectorAll('.lv-brushed')].length")
    assert ticks > 6  # the plane, the tree, the strips and the histograms


def test_a_growth_shows_brushed_rows_and_their_way_so_far(open_page):
    page = open_page("/growth?data=iris&m=cart&held=0&step=1&brush=1-60")
    page.wait_for_selector(".lv-growth[data-step]")
    page.wait_for_function("() => document.querySelectorAll('.lv-brushed').length === 2")
    assert page.evaluate(RINGS) == [60, 60]
    streams = "() => document.querySelectorAll('.lvg-tree .lv-stream').length"
    assert page.evaluate(streams) == 2  # 50 to the first leaf, 10 on
    page.locator(".lv-growth").focus()
    page.keyboard.press("End")
    page.wait_for_function(f"() => ({streams})() > 2")
    page.keyboard.press("Escape")
    assert page.evaluate(RINGS) == []


def test_the_tree_that_is_cut_back_shows_brushed_rows_on_their_way(open_page):
    page = open_page("/pruning?data=xor&m=cart&cut_at=0.01&brush=1-40")
    page.wait_for_function("() => document.querySelectorAll('.lv-brushed').length === 3")
    assert page.evaluate(RINGS) == [40] * 3
    expect(page.locator(".lv-stream").first).to_be_attached()
    page.keyboard.press("Escape")
    page.wait_for_function("() => !document.querySelectorAll('.lv-brushed').length")


DRAWN = """() => document.querySelector(".lv-figure")._fullData
    .filter((trace) => ["training", "held_out", "wrong"].includes(trace.meta?.role))
    .map(({ meta, x, y, customdata }) => [meta.role, meta.class ?? -1,
        [...customdata], [...x], [...y]])"""


@pytest.mark.parametrize("held", [0.0, 0.3, 0.65])
def test_rows_stand_where_they_are_however_they_are_divided(open_page, held):
    query = f"data=moons&m=cart&held={held}"
    selection = selected(query)
    division = Work(selection).first.division
    values = division.X.to_numpy()
    page = open_page(f"/boundaries?{query}")
    page.wait_for_selector(".lv-frame .main-svg", state="attached")

    seen = {"training": [], "held_out": [], "wrong": []}
    for role, label, numbers, x, y in page.evaluate(DRAWN):
        rows = np.array(numbers) - 1
        np.testing.assert_allclose(np.column_stack([x, y]), values[rows], rtol=1e-6, atol=1e-6)
        if role != "wrong":
            assert set(division.y[rows]) == {label}
        seen[role] += rows.tolist()
    assert sorted(seen["training"]) == sorted(division.train_rows)
    assert sorted(seen["held_out"]) == sorted(division.held_out_rows)
    wrong = Work(selection).first.picked.tree_.predict(division.values) != division.y
    assert sorted(seen["wrong"]) == np.flatnonzero(wrong).tolist()


SCENES = {
    "thresholds": "data=waveform&n_samples=500&m=cart",
    "thresholds, cut": "data=waveform&n_samples=500&m=cart&depth=4",
    "categories, node-link": "data=loan&m=c45&drawing=node-link",
    "hyperplanes": "data=iris&m=gsodt",
    "categories, missing values": "data=loan&m=c45",
    "machines": "data=three_spirals&m=svm_tree",
    "ten classes": "data=digits&m=cart&depth=3&pixels=plane",
    "ten classes, hyperplanes": "data=digits&m=gsodt&depth=3&pixels=plane",
}
AREAS = """() => [...document.querySelectorAll(".lv-table table")[0].querySelectorAll("td")]
    .map((cell) => cell.textContent)"""


RULES = {
    "thresholds": "data=waveform&n_samples=500&m=cart&held=0.2",
    "thresholds, none held out": "data=moons&n_samples=200&m=cart&held=0",
    "thresholds, icicle": "data=wine&m=c45&drawing=icicle",
    "categories, node-link": "data=loan&m=c45&drawing=node-link",
    "hyperplanes": "data=iris&m=gsodt",
    "categories, missing values": "data=loan&m=c45",
    "machines": "data=three_spirals&m=svm_tree",
    "ten classes": "data=digits&m=cart&m.max_depth=3",
    "ten classes, hyperplanes": "data=digits&m=gsodt&m.max_depth=3",
}


def plain(lines):
    """Lines of html as the table of a figure has them."""
    text = "<br>".join(line for line in lines if line)
    words = [html.unescape(re.sub(r"</?(b|sub)>", " ", line)) for line in text.split("<br>")]
    return "; ".join(" ".join(line.split()) for line in words)


def rule_of(tree, node):
    """The rule of a node as html, one line for each condition."""
    parts = [condition_words(tree, (each,)) for each in conditions(tree, node)]
    return "<br>and ".join(parts)


def described(tree, node, names, shown):
    """The class, the rule, the rows by class and the test of a node, in plain words."""
    rows = held_rows(tree, node)
    counts = tree.value[node]
    top = [k for k in np.argsort(-counts, kind="stable")[:5] if counts[k] > 0]
    parts = [f"{names[k]} {number(round(float(counts[k]), 6))}" for k in top]
    if others := round(float(counts.sum() - counts[top].sum()), 6):
        parts.append(f"other classes {number(others)}")
    held = ", ".join(parts)
    lines = [names[tree.prediction[node]], rule_of(tree, node)]
    lines.append(f"{number(rows)} {'row' if rows == 1 else 'rows'}: {held}")
    if not tree.is_leaf(node) and node in shown:
        lines.append(f"next: {split_words(tree, node)}")
    return plain(lines)


def tenths(share):
    """A share in per cent as people round it: ties go up."""
    return Decimal(f"{100 * share:.9f}").quantize(Decimal("0.1"), ROUND_HALF_UP)


def described_as_rule(tree, node, names, kept, numbers):
    """The class, the rule, the supports, the held-out rows and the test of a node."""
    counts = tree.value[node]
    rows, shares = tree.weighted_n_node_samples[node], counts / counts.sum()
    top = [k for k in np.argsort(-shares, kind="stable")[:4] if shares[k] > 0]
    share = rows / tree.weighted_n_node_samples[0]
    n_rows = number(float(rows))
    name = names[tree.prediction[node]]
    lines = [f"rule {numbers[node]}: {name}" if node in numbers else name, rule_of(tree, node)]
    lines.append(f"{n_rows} training {'row' if rows == 1 else 'rows'}, {tenths(share)} % of all")
    parts = [f"{names[k]} {tenths(shares[k])} %" for k in top]
    if others := round(float(1 - shares[top].sum()), 6):
        parts.append(f"other classes {tenths(others)} %")
    lines.append(", ".join(parts))
    if kept is not None:
        n_kept, right = kept[node].sum(), kept[node][tree.prediction[node]]
        of = f"{number(float(right))} of {number(float(n_kept))}"
        met = f"classifies {of} held-out rows correctly"
        lines.append(met if n_kept else "no held-out row reaches this node")
    if not tree.is_leaf(node):
        lines.append(f"next: {split_words(tree, node)}")
    return plain(lines)


def areas_of(page):
    """What the first figure says of its areas."""
    page.wait_for_selector(".lv-frame .main-svg", state="attached")  # training may take a while
    page.locator(".lv-frame").first.press("t")
    page.wait_for_selector(".lv-table table")
    return [" ".join(text.split()) for text in page.evaluate(AREAS)]


ALWAYS = (
    "thresholds", "thresholds, none held out", "hyperplanes", "machines", "categories, node-link",
)  # fmt: skip


@pytest.mark.parametrize("query", sampled(SCENES, *ALWAYS))
def test_a_node_is_described_by_its_rule(open_page, query):
    selection = selected(query)
    tree = Work(selection).first.picked.tree_
    names = class_names_of(Work(selection).dataset)
    depth = selection.view.depth
    drawn = range(tree.n_nodes) if depth is None else np.flatnonzero(tree.depth <= depth).tolist()
    shown = [n for n in drawn if depth is None or tree.depth[n] < depth]
    expected = {described(tree, node, names, shown) for node in drawn}

    found = areas_of(open_page(f"/boundaries?{query}"))
    assert len(found) >= min(tree.n_nodes, 10)
    assert set(found) <= expected, set(found) - expected


@pytest.mark.parametrize("query", sampled(RULES, *ALWAYS))
def test_a_rule_is_described_by_its_supports(open_page, query):
    selection = selected(query)
    tree = Work(selection).first.picked.tree_
    division, kept = Work(selection).first.division, None
    if len(division.held_out_rows):
        rows = division.held_out_rows
        kept = class_counts(tree, division.values[rows], division.y[rows])
    names = class_names_of(Work(selection).dataset)
    numbers = {rule.node: rule.number for rule in rules(tree)}
    nodes = range(tree.n_nodes)
    expected = {described_as_rule(tree, node, names, kept, numbers) for node in nodes}

    found = areas_of(open_page(f"/rules?{query}&rule_view=rules"))
    assert len(found) >= min(tree.n_nodes, 10)
    assert set(found) <= expected, set(found) - expected
