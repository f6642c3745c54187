"""Rows brushed in one picture light up in all, and the page counts them."""

import math

import pytest
from playwright.sync_api import expect

from .app import at_rest, ready

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
    page.reload()
    ready(page)
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
    box.fill("3, 17, 40-52")
    box.press("Enter")
    expect(page.get_by_text("15 brushed rows")).to_be_visible()
    page.wait_for_function("() => window.lastviz.brush.rows.size === 15")
    box.fill("nothing")
    box.press("Enter")
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
