"""A tree changed by hand and rows that are painted, in a real browser."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from .app import arrive, choose, enter, kept, pictures_of, ready, reload, unlike

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
    enter(threshold, "0.5")
    ready(page)
    side.get_by_role("button", name="Split here").click()
    arrive(page, lambda url: "&e=T1_0.5" in url)


def draw(page, start, end):
    """Draw a line over the first figure, between two places given as shares of its plane."""
    page.get_by_role("button", name="Draw a line").first.click()
    box = page.locator(".lv-sheet").bounding_box()
    places = [(box["x"] + a * box["width"], box["y"] + b * box["height"]) for a, b in (start, end)]
    page.mouse.move(*places[0])
    page.mouse.down()
    page.mouse.move(*places[1], steps=6)
    page.mouse.up()
    arrive(page, lambda url: "&e=" in url)


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
    arrive(page, re.compile("/boundaries"))
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
    arrive(page, lambda url: "r.e=O1_" in url)
    expect(strip(page)).to_contain_text("RMSE, held out")
    expect(chip(page, "· root")).to_be_visible()
    page.go_back()
    expect(strip(page)).to_have_count(0)
    ready(page)
    assert "r.e=" not in page.url


CANVAS = ".lv-paint-canvas[aria-label]"  # which listens by then


def dab(page, x, y, *, hold=250):
    """Press the pointer at a place, in shares of the canvas, and hold it for a moment."""
    page.locator(CANVAS).scroll_into_view_if_needed()
    box = page.locator(CANVAS).bounding_box()
    page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"])
    page.mouse.down()
    page.wait_for_timeout(hold)
    page.mouse.up()


def counted(page, condition, n):
    """Wait until the number of painted rows in the headline is as a condition on it says."""
    page.wait_for_function(
        "([condition, n]) => { const rows = parseInt("
        "document.querySelector('.lv-strip')?.innerText.replaceAll(',', ''));"
        "return { is: rows === n, not: rows !== n, below: rows < n, above: rows > n }[condition]"
        "; }",
        arg=[condition, n],
    )


def arrived(page):
    """Wait until the headline counts every row that stands on the canvas."""
    page.wait_for_function(
        "() => parseInt(document.querySelector('.lv-paint-status').textContent)"
        " === parseInt(document.querySelector('.lv-strip')?.innerText.replaceAll(',', ''))"
    )
    ready(page)


def rows(page):
    """Return how many rows the headline counts."""
    text = page.locator(".lv-strip").first.inner_text()
    return int(text.split()[0].replace(",", ""))


@pytest.mark.main
def test_painted_xor_is_learnt_undone_and_found_again(open_page):
    page = open_page("/data?data=painted&m=cart&held=0")
    expect(page.get_by_text("Paint some rows.")).to_be_visible()
    for x, y in ((0.3, 0.3), (0.7, 0.7)):
        dab(page, x, y, hold=500)
    page.get_by_role("button", name="class 1").click()
    for x, y in ((0.3, 0.7), (0.7, 0.3)):
        dab(page, x, y, hold=500)
    figure = page.locator(".st-key-painted_model .lv-figure .main-svg, .lv-figure .main-svg")
    expect(figure.first).to_be_visible()
    arrived(page)
    assert "painted=c0" in page.url
    expect(page.get_by_text("misclassified rows", exact=False).first).to_be_visible()
    painted = rows(page)
    assert painted > 20
    page.get_by_role("button", name="Undo").click()
    counted(page, "not", painted)
    fewer = rows(page)
    assert fewer < painted
    page.get_by_role("button", name="Redo").click()
    counted(page, "is", painted)
    ready(page)
    reload(page)
    assert rows(page) == painted


def test_rows_are_painted_and_rubbed_out_by_keyboard(open_page):
    page = open_page("/data?data=painted&m=cart&held=0")
    canvas = page.locator(CANVAS)
    canvas.focus()
    canvas.press("ArrowLeft")
    canvas.press(" ")
    canvas.press("2")
    for _ in range(20):
        canvas.press("ArrowRight")
    canvas.press(" ")
    counted(page, "is", 2)
    expect(page.locator(".lv-paint-status")).to_contain_text("2 rows")
    canvas.press("Delete")
    counted(page, "is", 1)
    canvas.press("z")
    counted(page, "is", 2)


def test_rows_are_moved_and_rubbed_out(open_page):
    page = open_page("/data?data=painted&m=cart&held=0")
    page.get_by_role("button", name="XOR").click()
    counted(page, "above", 50)
    ready(page)
    before = rows(page)
    url = page.url
    page.get_by_role("button", name="Move").click()
    box = page.locator(CANVAS).bounding_box()
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.3 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"], steps=4)
    page.mouse.up()
    page.wait_for_function("(url) => location.href !== url", arg=url)
    assert rows(page) == before
    page.get_by_role("button", name="Erase").click()
    dab(page, 0.5, 0.5)
    counted(page, "below", before)


def test_many_rows_are_in_no_link_and_are_found_after_a_reload(open_page):
    page = open_page("/data?data=circles&n_samples=900&m=cart")
    page.get_by_role("button", name="Paint on these rows").click()
    counted(page, "is", 900)
    ready(page)
    assert len(page.url) < 400
    expect(page.get_by_text("Too many rows for a link")).to_be_visible()
    ready(page)
    page.reload()
    counted(page, "is", 900)


def test_painted_xor_is_saved_reloaded_and_dropped_elsewhere(open_page, tmp_path):
    page = open_page("/data?data=painted&m=cart&held=0")
    expect(page.get_by_text("Paint some rows.")).to_be_visible()
    for name, places in (
        ("class 0", ((0.3, 0.3), (0.7, 0.7))),
        ("class 1", ((0.3, 0.7), (0.7, 0.3))),
    ):
        page.get_by_role("button", name=name).click()
        for x, y in places:
            dab(page, x, y, hold=400)
    page.locator(".lv-figure .main-svg").first.wait_for()
    arrived(page)
    page.goto(page.url.replace("/data?", "/boundaries?"))
    pictures = pictures_of(page, 1)
    file = kept(page, "Save scene", tmp_path)
    page.reload()
    assert not unlike(page, pictures)
    other = open_page("/data", elsewhere=True)
    other.get_by_test_id("stFileUploaderDropzoneInput").first.set_input_files(file)
    other.wait_for_url("**/boundaries?**")
    assert not unlike(other, pictures)
    other.reload()
    assert not unlike(other, pictures)
