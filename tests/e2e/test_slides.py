"""Pictures that leave a page: slides with their words, the page on paper."""

import re
import struct
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import TimeoutError, expect

from .app import SIZES, TRIES, ready

pytestmark = pytest.mark.e2e

WINE = "/boundaries?data=wine"
TWO = "/boundaries?data=xor&m=cart&m2=oc1"
SVG = "{http://www.w3.org/2000/svg}"


def saved(page, tool, chart=0):
    """Return name and content of a picture of a chart of the page."""
    tools = page.locator(".lv-tools").nth(chart)
    item = tools.locator(f'[data-tool="{tool}"]')
    for milliseconds in TRIES:  # a page that is drawn anew closes the menu
        ready(page)
        if not item.is_visible():
            tools.locator('[data-tool="menu"]').click()
        with suppress(TimeoutError):
            with page.expect_download(timeout=milliseconds) as caught:
                item.click(timeout=milliseconds)
            break
    return caught.value.suggested_filename, Path(caught.value.path()).read_bytes()


def words_of(drawing):
    texts = ("".join(text.itertext()) for text in drawing.iter(f"{SVG}text"))
    return [text.replace("\u00a0", " ") for text in texts]


def fills(drawing):
    return [rect.get("fill", "") for rect in drawing.findall(f"{SVG}rect")]


@pytest.mark.main
def test_a_slide_has_its_size_and_all_words_of_the_page(open_page):
    page = open_page(WINE)
    name, content = saved(page, "svg")
    assert name == "wine-cart-regions.svg"
    drawing = ElementTree.fromstring(content)
    assert (drawing.get("width"), drawing.get("height")) == ("1920", "1080")
    words = words_of(drawing)
    told = " ".join(words)
    assert page.locator("h1").inner_text() in told
    assert "CART · Wine" in words
    for entry in page.locator(".lv-legend").first.locator("span").all_inner_texts():
        assert entry.strip() in words, entry
    for part in ("misclassified", "held out", "training"):
        assert part in words
    cells = page.locator(".lv-strip").first.locator("b").all_inner_texts()
    assert next(" ".join(cell.split()) for cell in cells if "%" in cell) in told
    caption = page.locator(
        '[data-testid="stCaptionContainer"]', has_text="slice"
    ).first.inner_text()
    assert caption.replace("\u00a0", " ") in told
    assert fills(drawing)[:1] == ["#FFFFFF"]
    name, content = saved(page, "png")
    assert name == "wine-cart-regions.png"
    assert struct.unpack(">II", content[16:24]) == (3840, 2160)


def test_each_of_two_models_has_a_slide_of_its_own(open_page):
    page = open_page(TWO)
    first, second = (saved(page, "svg", chart) for chart in (0, 1))
    assert (first[0], second[0]) == ("xor-cart-regions.svg", "xor-oc1-regions.svg")
    heads = page.locator(".lv-head")
    for place, (_, content) in enumerate((first, second)):
        words = " ".join(words_of(ElementTree.fromstring(content)))
        for number in heads.nth(place).locator(".lv-strip b").all_inner_texts():
            assert " ".join(number.split()) in words


def test_rules_leave_with_their_legend(open_page):
    page = open_page("/rules?data=wine&rule_view=rules")
    name, content = saved(page, "svg")
    assert name == "wine-cart-rules.svg"
    words = words_of(ElementTree.fromstring(content))
    for entry in page.locator(".lv-legend").first.locator("span").all_inner_texts():
        assert entry.strip() in words


def menu_is_seen_and_large_enough(page):
    button = page.locator('[data-tool="menu"]').first
    button.scroll_into_view_if_needed()
    assert float(button.evaluate("e => getComputedStyle(e).opacity")) > 0.5
    box = button.bounding_box()
    assert min(box["width"], box["height"]) >= 24
    assert 0 <= box["x"] <= box["x"] + box["width"] <= page.viewport_size["width"]


def test_the_menu_is_seen_without_a_pointer_reached_by_keys_and_prints_a_slide_alone(open_page):
    page = open_page(WINE)
    menu_is_seen_and_large_enough(page)
    button = page.locator('[data-tool="menu"]').first
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(page.locator('[data-tool="png"]').first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator('[data-tool="svg"]').first).to_be_focused()
    with page.expect_download() as caught:
        page.keyboard.press("Enter")
    assert caught.value.suggested_filename.endswith(".svg")
    page.keyboard.press("Escape")
    button.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(button).to_be_focused()
    expect(page.locator(".lv-menu").first).to_be_hidden()

    button.click()
    page.evaluate(
        """() => { const made = Document.prototype.createElement;
          document.createElement = (name) => {
            const element = made.call(document, name);
            if (name === "iframe") Object.defineProperty(element,
              "contentWindow", { get() { return { addEventListener() {}, focus() {},
                print: () => (window.printed = element.contentDocument.body.innerHTML) }; } });
            return element; } }"""
    )
    page.locator('[data-tool="print"]').first.click()
    page.wait_for_function("() => window.printed")
    assert re.search(r"CART · Wine", page.evaluate("() => window.printed"))

    page.set_viewport_size(SIZES["phone"])
    ready(page)
    menu_is_seen_and_large_enough(page)


def test_a_dark_page_on_paper_and_its_slides_on_each_background(open_page):
    page = open_page(WINE, scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    expect(page.locator('[data-testid="stSidebar"]')).to_be_hidden()
    expect(page.locator('[data-testid="stHeader"]')).to_be_hidden()
    expect(page.locator(".lv-tools").first).to_be_hidden()
    title = page.locator("h1")
    expect(title).to_be_visible()
    assert title.evaluate("e => getComputedStyle(e).color") == "rgb(27, 32, 41)"
    tick = page.locator(".lv-figure .xtick text").first
    expect(tick).to_have_css("fill", "rgb(102, 109, 121)")
    frame = page.locator(".lv-frame").first.bounding_box()
    assert frame["width"] <= page.viewport_size["width"]
    assert frame["height"] > 300
    page.evaluate("() => dispatchEvent(new Event('afterprint'))")
    expect(tick).to_have_css("fill", "rgb(148, 155, 167)")
    assert page.pdf(format="A4").startswith(b"%PDF")

    page.emulate_media(media="screen", color_scheme="dark")
    drawing = ElementTree.fromstring(saved(page, "svg")[1])
    assert fills(drawing)[:1] == ["#FFFFFF"]  # white unless asked otherwise, with dark ink on it
    inks = {text.get("fill") for text in drawing.findall(f"{SVG}g/{SVG}text")}
    assert inks <= {"#1B2029", "#666D79"}
    menu = page.locator(".lv-menu").first
    page.locator('[data-tool="menu"]').first.click()
    menu.get_by_role("menuitemradio", name="As on this page").click()
    expect(menu.get_by_role("menuitemradio", name="As on this page")).to_be_checked()
    page.keyboard.press("Escape")
    assert fills(ElementTree.fromstring(saved(page, "svg")[1]))[:1] == ["#14171C"]
    page.locator('[data-tool="menu"]').first.click()
    menu.get_by_role("menuitemradio", name="None").click()
    page.keyboard.press("Escape")
    assert fills(ElementTree.fromstring(saved(page, "svg")[1])) == []


def test_a_step_of_a_growth_leaves_with_its_marks_and_its_sentence(open_page):
    page = open_page("/growth?data=iris&m=cart&step=3", scheme="dark")
    page.wait_for_selector('.lv-growth[data-step="3"]')
    name, content = saved(page, "svg")
    assert name == "iris-cart-growth.svg"
    drawing = ElementTree.fromstring(content)
    words = " ".join(words_of(drawing))
    assert page.locator("h1").inner_text() in words
    assert page.locator(".lvg-say").inner_text()[:24] in words
    assert fills(drawing)[:1] == ["#FFFFFF"]  # light, although the page is dark
    (marks,) = [part for part in drawing.iter(f"{SVG}g") if part.get("class") == "lvg-marks"]
    places = [mark.get("d") for mark in marks]
    seen = page.locator(".lvg-marks path")
    assert places == [seen.nth(i).get_attribute("d") for i in range(seen.count())]
    shown = {seen.nth(i).get_attribute("fill") for i in range(seen.count())} - {"none"}
    assert shown.isdisjoint(mark.get("fill") for mark in marks)
    page.keyboard.press("Home")  # in the menu's button: no step of the growth
    assert page.locator(".lv-growth").get_attribute("data-step") == "3"
