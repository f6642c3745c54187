"""A tree changed by hand in a real browser: a split forced, a line drawn, a node pruned, undone."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from .app import choose, ready

pytestmark = pytest.mark.e2e

XOR = "data=xor&noise=0.14&n_samples=200&held=0&seed=2&m=cart"


def edits(page):
    return parse_qs(urlsplit(page.url).query).get("e", [None])[0]


def strip(page):
    return page.get_by_role("group", name="before and after the edits")


def chip(page, words):
    return page.get_by_test_id("stMain").get_by_role("button", name=words)


def open_box(page):
    side = page.get_by_test_id("stSidebar")
    side.get_by_text("Change this node by hand").click()
    # drawn by the run that the click began, whose end is waited for
    expect(side.get_by_role("button", name="Prune below this node")).to_be_visible()
    ready(page)
    return side


def force(page):
    """Force x1 <= 0.5 at the picked node with the box of the sidebar."""
    side = open_box(page)
    threshold = side.get_by_role("spinbutton", name="Threshold")
    before = threshold.input_value()
    choose(page, side.get_by_role("combobox", name="Feature"), "x1")
    expect(threshold).not_to_have_value(before)  # the best of x1 stands there first
    ready(page)
    threshold.fill("0.5")
    threshold.press("Enter")
    ready(page)
    side.get_by_role("button", name="Split here").click()
    page.wait_for_url(lambda url: "&e=T1_0.5" in url)
    ready(page)


def draw(page, start, end):
    """Draw a line over the first figure, between two places given as shares of its plane."""
    page.get_by_role("button", name="Draw a line").first.click()
    box = page.locator(".lv-sheet").bounding_box()
    places = [(box["x"] + a * box["width"], box["y"] + b * box["height"]) for a, b in (start, end)]
    page.mouse.move(*places[0])
    page.mouse.down()
    page.mouse.move(*places[1], steps=6)
    page.mouse.up()
    page.wait_for_url(lambda url: "&e=" in url)
    ready(page)


@pytest.mark.main
def test_nine_leaves_become_four_and_back_undoes_it(open_page):
    page = open_page(f"/splits?{XOR}")
    force(page)
    expect(strip(page)).to_contain_text("9 → 4")
    expect(chip(page, "x1 ≤ 0.5 · root")).to_be_visible()
    page.go_back()
    expect(strip(page)).to_have_count(0)
    ready(page)
    assert edits(page) is None
    page.go_forward()
    expect(strip(page)).to_contain_text("9 → 4")


def test_a_link_opens_the_edited_tree_elsewhere(open_page):
    page = open_page(f"/boundaries?{XOR}")
    draw(page, (0.1, 0.1), (0.9, 0.85))
    code = edits(page)
    assert re.fullmatch(r"O1_[-.\d]+_2_[-.\d]+_[-.\d]+", code)
    expect(strip(page)).to_be_visible()
    numbers = strip(page).inner_text()
    other = open_page(page.url, elsewhere=True)
    assert edits(other) == code
    assert strip(other).inner_text() == numbers


def test_a_slip_of_the_hand_is_no_line_and_an_upright_line_is_a_threshold(open_page):
    page = open_page(f"/splits?{XOR}")
    page.get_by_role("button", name="Draw a line").click()
    sheet = page.locator(".lv-sheet")
    sheet.click(position={"x": 50, "y": 50})
    expect(sheet).to_be_visible()
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    assert edits(page) is None

    draw(page, (0.5, 0.1), (0.505, 0.9))
    assert re.fullmatch(r"T1_[-.\d]+", edits(page))
    shape = """() => document.querySelector(".lv-figure").layout.shapes
        .filter((s) => s.name === "forced").map((s) => [s.x0, s.x1])"""
    page.wait_for_function(f"() => ({shape})().length > 0")
    [[start, end]] = page.evaluate(shape)
    assert start == end == float(edits(page).removeprefix("T1_"))


def test_a_page_of_one_model_leads_to_both_trees_side_by_side(open_page):
    page = open_page(f"/rules?{XOR}&e=T1_0.5")
    page.get_by_role("link", name="Compare with the tree without edits").click()
    page.wait_for_url(re.compile("/boundaries"))
    ready(page)
    for title in ("CART (1 edit)", "CART (no edits)"):
        expect(page.get_by_role("heading", name=title)).to_be_visible()
    assert edits(page) == "T1_0.5"


def test_a_line_is_drawn_over_a_tree_of_numbers_and_taken_back(open_page):
    page = open_page("/boundaries?data=friedman&r.min_samples_leaf=20&x=x1&y=x2")
    page.get_by_role("button", name="Draw a line").first.click()
    box = page.locator(".lv-sheet").bounding_box()
    for place, step in ((0.2, page.mouse.down), (0.8, page.mouse.up)):
        page.mouse.move(box["x"] + place * box["width"], box["y"] + place * box["height"], steps=6)
        step()
    page.wait_for_url(lambda url: "r.e=O1_" in url)
    ready(page)
    expect(strip(page)).to_contain_text("RMSE, held out")
    expect(chip(page, "· root")).to_be_visible()
    page.go_back()
    expect(strip(page)).to_have_count(0)
    ready(page)
    assert "r.e=" not in page.url
