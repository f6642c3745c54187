"""Rows painted with a mouse, by keyboard and with a finger; the model follows each dab."""

import pytest
from playwright.sync_api import expect

from .app import downloaded, pictures_of, ready, unlike

pytestmark = pytest.mark.e2e

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
    page.reload()
    ready(page)
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
    expect(page.get_by_text("too many rows for a link")).to_be_visible()
    ready(page)
    page.reload()
    counted(page, "is", 900)


@pytest.mark.slow
def test_a_painting_saved_as_a_scene_stands_elsewhere_bit_for_bit(open_page, tmp_path):
    page = open_page("/data?data=circles&n_samples=900&m=cart")
    page.get_by_role("button", name="Paint on these rows").click()
    counted(page, "is", 900)
    pictures = pictures_of(page, 1)
    found = downloaded(page, page.get_by_role("button", name="Save scene"))
    file = tmp_path / found.suggested_filename
    found.save_as(file)
    other = open_page(page.url, elsewhere=True)
    expect(other.get_by_text("Please provide the painted rows")).to_be_visible()
    expect(other.locator(".lv-paint-canvas, .lv-figure")).to_have_count(0)
    other.get_by_test_id("stFileUploaderDropzoneInput").first.set_input_files(file)
    other.locator(CANVAS).wait_for()
    counted(other, "is", 900)
    assert not unlike(other, pictures)


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
    found = downloaded(page, page.get_by_role("button", name="Save scene"))
    file = tmp_path / found.suggested_filename
    found.save_as(file)
    page.reload()
    assert not unlike(page, pictures)
    other = open_page("/data", elsewhere=True)
    other.get_by_test_id("stFileUploaderDropzoneInput").first.set_input_files(file)
    other.wait_for_url("**/boundaries?**")
    assert not unlike(other, pictures)
    other.reload()
    assert not unlike(other, pictures)
