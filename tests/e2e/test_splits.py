"""The split lab in a real browser: a node, the ranking, a candidate lit everywhere, a weight."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from lastviz.datasets import load_dataset
from lastviz.inspection import candidate_table
from tests.patience import until

from .app import SIZES, ready

pytestmark = pytest.mark.e2e

XOR = "/splits?data=xor&noise=0.14&n_samples=200&held=0&seed=2&m=hybrid&m.w2=0.1&m.k=5"

LIT = """() => {
    const gd = document.querySelector(".lv-figure");
    return {
        lines: gd.layout.shapes.filter((s) => s.name === "picked").map((s) => s.x0 ?? s.y0),
        dots: gd.data.filter((t) => t.meta.role === "picked_dot").map((t) => [t.x, t.y]),
    };
}"""

# Where the strip of a number lies on the page, at a threshold of the horizontal feature.
PLACE = """([threshold, strip]) => {
    const gd = document.querySelector(".lv-figure");
    const box = gd.getBoundingClientRect();
    const { xaxis } = gd._fullLayout;
    const yaxis = gd._fullLayout["yaxis" + strip];
    return [box.left + xaxis._offset + xaxis.d2p(threshold), box.top + yaxis._offset + 12];
}"""


def open_lab(open_page):
    page = open_page(XOR)
    page.wait_for_selector(".lv-figure .main-svg")
    ready(page)
    return page


def candidates():
    dataset = load_dataset("xor", noise=0.14, n_samples=200, random_state=2)
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    return candidate_table(X, y, np.arange(200), 2)


def pick(page, threshold):
    """Click the second strip at a threshold; return the picked candidate, counted from 0."""
    page.mouse.click(*page.evaluate(PLACE, [threshold, "3"]))
    page.wait_for_url(lambda url: "pick=" in url)
    ready(page)
    return int(re.search(r"pick=(\d+)", page.url)[1]) - 1


@pytest.mark.main
def test_a_picked_candidate_is_lit_in_line_dot_row_and_children(open_page):
    page = open_lab(open_page)
    table = candidates()
    candidate = pick(page, 1.0)
    of_x1 = np.flatnonzero(table.feature == 0)
    assert table.feature[candidate] == 0
    assert abs(table.threshold[candidate] - 1.0) <= 2 * np.abs(table.threshold[of_x1] - 1.0).min()
    expect(page.locator("tr.lv-picked")).to_be_visible()
    lit = page.evaluate(LIT)
    assert set(lit["lines"]) == {table.threshold[candidate]}
    assert len(lit["dots"]) == 3
    left = table.left_counts[candidate]
    words = page.locator(".lv-children.lv-picked").inner_text()
    assert [int(n) for n in re.findall(r"^(\d+)$", words, re.M)] == [*left, *(table.counts - left)]


def test_a_row_of_the_sorted_ranking_picks_its_candidate(open_page):
    page = open_lab(open_page)
    grid = page.get_by_test_id("stDataFrame").first
    grid.scroll_into_view_if_needed()
    head = grid.locator("canvas").first.bounding_box()
    thresholds = grid.locator("canvas td[aria-colindex='3']")
    thresholds.first.wait_for(state="attached")
    before = [float(text) for text in thresholds.all_text_contents()]
    assert before != sorted(before, reverse=True)
    for _ in range(2):  # rising, then falling
        page.mouse.click(head["x"] + 195, head["y"] + 16)  # the head of the thresholds
    rows = sorted(before, reverse=True)
    until(lambda: [float(text) for text in thresholds.all_text_contents()] == rows)
    page.mouse.click(head["x"] + 16, head["y"] + 35 + 17)  # the box of the first row
    page.wait_for_url(lambda url: "pick=" in url)
    ready(page)
    candidate = int(re.search(r"pick=(\d+)", page.url)[1]) - 1
    assert candidates().threshold[candidate] == pytest.approx(rows[0], abs=1e-3)


# The middle of the area of a node in the small tree, and a row that the node does not hold.
NODE = """(node) => {
    const gd = document.querySelectorAll(".lv-figure")[1];
    const hit = gd.layout.meta.hits.filter((hit) => hit.node === node).at(-1);
    const box = gd.getBoundingClientRect();
    const { xaxis, yaxis } = gd._fullLayout;
    const mean = (ends) => ends.reduce((sum, end) => sum + end, 0) / ends.length;
    const middle = [hit.xs, hit.ys].map(mean);
    return [box.left + xaxis._offset + xaxis.d2p(middle[0]),
            box.top + yaxis._offset + yaxis.d2p(middle[1])];
}"""

OUTSIDE = """() => {
    const gd = document.querySelector(".lv-figure");
    const trace = gd._fullData.find((t) => t.meta.role === "outside");
    const { xaxis, yaxis } = gd._fullLayout;
    const box = gd.getBoundingClientRect();
    for (let i = 0; i < trace._length; i++) {
        const [x, y] = [xaxis.d2p(trace.x[i]), yaxis.d2p(trace.y[i])];
        if (x > 5 && x < xaxis._length - 5 && y > 5 && y < yaxis._length - 5)
            return [box.left + xaxis._offset + x, box.top + yaxis._offset + y];
    }
}"""


CUT_OFF = """() => [...document.querySelectorAll(".lv-scroll, .lv-head")]
    .filter((box) => box.scrollWidth > box.clientWidth).length"""


@pytest.mark.parametrize("size", SIZES)
def test_no_table_and_no_headline_is_cut_off(open_page, size):
    for query in ("data=wine&m=cart", "data=digits&m=c45", "data=iris&m=gsodt", XOR.split("?")[1]):
        page = open_page(f"/splits?{query}", size=size)
        page.wait_for_selector(".lv-ranks")
        assert page.evaluate(CUT_OFF) == 0, query


@pytest.mark.main
def test_a_node_is_chosen_in_the_tree_and_by_a_row(open_page):
    page = open_lab(open_page)
    tree = page.locator(".lv-figure").nth(1)
    tree.scroll_into_view_if_needed()
    page.mouse.click(*page.evaluate(NODE, 1))
    page.wait_for_url(lambda url: "node=1" in url)
    expect(page.get_by_test_id("stMain")).to_contain_text("chosen split of node 1")
    ready(page)
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollTo(0, 0)")
    place = page.evaluate(OUTSIDE)
    page.mouse.move(*place, steps=4)
    # A point must be hovered over before it can be clicked.
    page.wait_for_function("document.querySelector('.lv-figure')._hoverdata?.length")
    page.mouse.click(*place)
    page.wait_for_url(lambda url: not re.search(r"node=1(&|$)", url))


def test_a_moved_weight_changes_the_chosen_split(open_page):
    page = open_lab(open_page)
    chosen = page.locator(".lv-split b")
    before = chosen.inner_text()
    slider = page.get_by_role("slider", name="Weight of BNM")
    slider.focus()
    slider.press("Home")
    page.wait_for_url(lambda url: "m.w2=0&" in url or url.endswith("m.w2=0") or "m.w2=0.0" in url)
    expect(chosen).not_to_have_text(before)
    page.go_back()
    expect(chosen).to_have_text(before)


# Where a line lies in the landscape on the page, by its direction and rank.
LINE = """([theta, rank]) => {
    const gd = [...document.querySelectorAll(".lv-figure")].find(
        (figure) => figure.data?.some((trace) => trace.meta.role === "landscape"));
    gd.scrollIntoView({ block: "center" });
    const box = gd.getBoundingClientRect();
    const { xaxis, yaxis } = gd._fullLayout;
    return [box.left + xaxis._offset + xaxis.d2p(theta), box.top + yaxis._offset + yaxis.d2p(rank)];
}"""

DRAWN = """() => [...document.querySelectorAll(".lv-figure")]
    .flatMap((figure) => figure._fullData ?? [])
    .filter((trace) => trace.meta.role === "picked" && trace.mode === "lines")
    .map((trace) => [[...trace.x], [...trace.y]])"""


def test_a_click_in_the_landscape_draws_its_line(open_page):
    page = open_page(XOR + "&lab=landscape")
    page.wait_for_function("document.querySelectorAll('.lv-figure .main-svg').length > 0")
    page.get_by_text("Click the landscape to see a line here").wait_for()
    ready(page)
    assert page.evaluate(DRAWN) == []
    page.evaluate(LINE, [42.0, 160])
    page.wait_for_timeout(300)  # the page has scrolled
    page.mouse.click(*page.evaluate(LINE, [42.0, 160]))
    page.wait_for_url(lambda url: "line=" in url)
    ready(page)
    theta, rank = re.search(r"line=([\d.]+)_(\d+)", page.url).groups()
    assert abs(float(theta) - 42.0) < 1.0
    assert abs(int(rank) - 160) <= 2
    expect(page.locator(".lv-children.lv-picked").last).to_contain_text("≤")
    page.wait_for_function(f"({DRAWN})().length === 1")
    (x, y) = page.evaluate(DRAWN)[0]
    slope = (y[1] - y[0]) / (x[1] - x[0])
    dataset = load_dataset("xor", noise=0.14, n_samples=200, random_state=2)
    spans = np.ptp(dataset.numeric_X.to_numpy(), axis=0)
    normal = np.deg2rad(float(theta))
    assert slope == pytest.approx(-np.cos(normal) / np.sin(normal) * spans[1] / spans[0], rel=1e-3)

    # Its mark is clicked: the node is split along it.
    ready(page)
    page.mouse.click(*page.evaluate(LINE, [float(theta), int(rank)]))
    page.wait_for_url(lambda url: "e=O1_" in url)
    ready(page)
    expect(page.locator(".lv-strip").first).to_contain_text("→")
