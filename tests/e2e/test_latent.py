"""The page *latent* in a real browser: walk down the tree, mark a row, let all rows look on."""

import re

import pytest
from playwright.sync_api import expect

from .app import SIZES, ready

pytestmark = pytest.mark.e2e

WAVES = "/latent?data=waveform&n_samples=400&seed=2&m=lsodt&m.levels=3"

# The lit row of both planes, by its place in them, and where its own trace has that row.
LIT = """(row) => [...document.querySelectorAll(".lv-figure")].slice(0, 2).map((gd) => {
    const lit = gd._fullData.find((t) => t.meta?.role === "highlighted");
    const own = gd._fullData.find((t) => t.customdata && [...t.customdata].includes(row));
    const i = [...own.customdata].indexOf(row);
    return { lit: lit && [lit.x[0], lit.y[0]], own: [own.x[i], own.y[i]] };
})"""

# The place of the last drawn point of the first class in the latent plane, and its row.
POINT = """() => {
    const gd = document.querySelectorAll(".lv-figure")[1];
    const trace = gd._fullData.filter((t) => t.meta?.role === "training").at(-1);
    const i = trace.x.length - 1;
    const box = gd.getBoundingClientRect();
    const { xaxis, yaxis } = gd._fullLayout;
    return [box.left + xaxis._offset + xaxis.d2p(trace.x[i]),
            box.top + yaxis._offset + yaxis.d2p(trace.y[i]), trace.customdata[i]];
}"""

# The middle of the bar of a node of the tree.
NODE = """(node) => {
    const gd = document.querySelectorAll(".lv-figure")[4];
    const trace = gd._fullData.find((t) => t.meta?.role === "node");
    const i = [...trace.customdata].indexOf(node);
    const box = gd.getBoundingClientRect();
    const { xaxis, yaxis } = gd._fullLayout;
    return [box.left + xaxis._offset + xaxis.d2p(trace.x[i]),
            box.top + yaxis._offset + yaxis.d2p(trace.y[i])];
}"""


def roles(page, figure):
    return set(
        page.evaluate(
            "(i) => document.querySelectorAll('.lv-figure')[i]._fullData.map((t) => t.meta.role)",
            figure,
        )
    )


@pytest.mark.main
def test_a_clicked_node_a_clicked_row_and_the_switch_for_all_rows_are_followed(open_page):
    page = open_page(WAVES)
    assert "held_out" not in roles(page, 1)
    card = page.locator(".lv-card")
    expect(card).to_contain_text("space of its own")
    before = card.inner_text()
    page.locator(".lv-figure").nth(4).scroll_into_view_if_needed()
    page.mouse.click(*page.evaluate(NODE, 1))
    page.wait_for_url(lambda url: "node=1" in url)
    expect(card).not_to_have_text(before)
    ready(page)
    assert {"outside", "chosen_split"} <= roles(page, 1)
    assert {"outside", "cut"} <= roles(page, 0)
    page.go_back()
    expect(card).to_contain_text(before.splitlines()[0])
    ready(page)

    page.locator(".lv-figure").nth(1).scroll_into_view_if_needed()
    x, y, row = page.evaluate(POINT)
    page.mouse.click(x, y)
    page.wait_for_url(lambda url: "lit=" in url)
    ready(page)
    assert int(re.search(r"lit=(\d+)", page.url)[1]) == row
    page.wait_for_function(f"() => ({LIT})({row}).every((one) => one.lit)")
    for one in page.evaluate(LIT, row):
        assert one["lit"] == pytest.approx(one["own"], rel=1e-6)
    page.wait_for_function(
        """() => document.querySelectorAll(".lv-figure")[4]?._fullData
            ?.some((t) => t.meta?.role === "path_node")"""
    )

    page.get_by_test_id("stSidebar").get_by_text("shape the space").click()
    page.wait_for_url(lambda url: "unlabelled=true" in url)
    page.wait_for_function(
        """() => document.querySelectorAll(".lv-figure")[1]?._fullData
            ?.some((t) => t.meta?.role === "held_out")"""
    )
    page.get_by_text("Labelled or all").click()
    expect(page.get_by_text("between the two splits of the root")).to_be_visible()


def test_a_phone_stacks_the_pictures(open_page):
    page = open_page(WAVES, size="phone")
    boxes = [page.locator(".lv-figure").nth(i).bounding_box() for i in (0, 1)]
    assert boxes[1]["y"] >= boxes[0]["y"] + boxes[0]["height"]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= 391 for box in boxes)


OVER = """() => [...document.querySelectorAll('[data-testid="stMain"] .katex-display, .lv-card')]
    .filter((box) => box.scrollWidth > box.clientWidth + 2).map((box) => box.textContent)"""


def test_a_long_equation_goes_on_in_the_next_line(open_page):
    page = open_page("/latent?data=digits&m=gsodt&space=formula")
    expect(page.locator(".katex-display").first).to_be_attached()
    for size in SIZES.values():
        page.set_viewport_size(size)
        ready(page)
        assert page.evaluate(OVER) == []
