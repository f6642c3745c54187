"""Slides, stories and drawn scenes, outside of the app: they show what it shows."""

import io
import os
import re
import struct
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import TimeoutError, expect

from lastviz import _browser
from lastviz._browser import BROWSER
from lastviz.ui.state.quiz_codes import Slide, write_story
from lastviz.ui.story.rendering import STILL, render

from .app import SIZES, TRIES, kept, ready
from .pdf import read_pdf

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


def test_a_slide_has_every_row_of_the_picture(open_page):
    drawing = ElementTree.fromstring(
        saved(open_page("/boundaries?data=blobs&n_samples=1500&m=cart"), "svg")[1]
    )
    points = [e for e in drawing.iter(f"{SVG}path") if "point" in e.get("class", "").split()]
    assert len(points) > 1500  # each of 1500 rows has its mark, those that are wrong a ring


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


STORY = (
    Slide("boundaries", "data=xor&m=cart", "Greed finds no first cut", "Ask who sees one"),
    Slide("growth", "data=iris&m=cart", "Step by step"),
    Slide("rules", "data=wine&m=cart", "<b>Three</b> cultivars"),
)


def saved_story(page, folder):
    page.get_by_text("Save as a web page or for PowerPoint").click()
    file = kept(page, re.compile("^.*Save the page"), folder)
    assert file.name == "story.html"
    assert file.stat().st_size < 6_000_000
    return file


def on(page, n, question):
    page.wait_for_selector(f'html[data-shown="{n}"]')
    expect(page.locator("section.here header")).to_contain_text(question)
    expect(page.locator("section.here header h2")).to_be_focused()
    assert page.url.endswith(f"#{n}")


def test_a_story_plays_from_disk(open_page, alone, tmp_path):
    file = saved_story(open_page(f"/story?slides={write_story(STORY)}"), tmp_path)
    page = alone
    page.goto(f"file://{file}")
    page.wait_for_selector('html[data-shown="1"]')
    assert page.locator("#section-1 .picture .main-svg").count() > 0
    assert page.locator("#section-3 .picture .main-svg").count() == 0  # drawn when it is seen
    size = "element => parseFloat(getComputedStyle(element).fontSize)"
    assert page.locator("#section-1 header h2").evaluate(size) == pytest.approx(0.056 * 900)
    assert page.locator("#section-1 .caption").evaluate(size) == 24
    expect(page.locator(".place")).to_have_text("1 of 3")

    page.keyboard.press("n")
    expect(page.get_by_text("Ask who sees one")).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_text("Ask who sees one")).to_be_hidden()
    page.keyboard.press("b")
    expect(page.locator("html.blank")).to_have_count(1)
    page.keyboard.press("ArrowRight")  # any key brings the screen back
    expect(page.locator("html.blank")).to_have_count(0)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")

    page.keyboard.press("ArrowRight")
    on(page, 2, "How does the tree come to be?")
    expect(page.locator("#section-2 .lv-growth[data-step='1']")).to_be_visible()
    page.keyboard.press("ArrowRight")  # there it is a step of the growth
    expect(page.locator("#section-2 .lv-growth[data-step='2']")).to_be_visible()
    page.keyboard.press("PageDown")
    on(page, 3, "What does the tree say?")
    expect(page.locator("#section-3 .caption")).to_have_text("<b>Three</b> cultivars")
    assert page.locator("#section-3 .picture .main-svg").count() > 0
    expect(page.get_by_role("button", name="Next")).to_be_disabled()
    page.keyboard.press("Home")
    on(page, 1, "Where does each algorithm draw the line?")

    paper = "() => getComputedStyle(document.body).backgroundColor"
    line = "() => document.querySelector('#section-1 .xtick text').style.fill"
    light = page.evaluate(line)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"(light) => ({line})() !== light", arg=light)
    assert page.evaluate(paper) == "rgb(20, 23, 28)"
    pdf = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 3  # one slide a sheet
    sheet = read_pdf(page.pdf(prefer_css_page_size=True, page_ranges="1"))
    assert "Ask who sees one" in sheet.text.replace("\u00a0", " ")  # with what is said to it
    expect(page.get_by_text("Ask who sees one")).to_be_hidden()


SCENE = "data=wine&m=c45"
SIZE = (1440, 900)


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_a_scene_is_drawn_as_the_app_saves_it(open_page, browser, tmp_path, monkeypatch, theme):
    page = open_page(f"/story?slides={write_story((Slide('pruning', SCENE),))}")
    saved_story(page, tmp_path)
    width, height = SIZE
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme)
    shown = context.new_page()
    text = (tmp_path / "story.html").read_text(encoding="utf-8")
    (tmp_path / "story.html").write_text(
        text.replace("</head>", f"<style>{STILL % (height / 100, height)}</style></head>", 1),
        encoding="utf-8",
    )
    shown.goto((tmp_path / "story.html").as_uri())
    shown.wait_for_selector('html[data-shown="1"] .main-svg')
    shown.wait_for_function("document.getAnimations().length === 0")
    before, still = b"", shown.screenshot()
    while still != before:  # its pictures are drawn one after the other, on a busy machine slowly
        shown.wait_for_timeout(300)
        before, still = still, shown.screenshot()
    wanted = Image.open(io.BytesIO(still))
    body = shown.locator("section.here .body")  # nobody can scroll to what does not fit
    assert body.evaluate("(each) => each.scrollHeight - each.clientHeight") <= 1
    context.close()

    monkeypatch.setattr(_browser, "LONGEST", 1200)  # the machine may be busy
    if "CHROMIUM" in os.environ:
        monkeypatch.setenv(BROWSER, os.environ["CHROMIUM"])
    files = {form: tmp_path / f"scene.{form}" for form in ("png", "pdf")}
    render(f"pruning?{SCENE}", files, SIZE, theme, "en")
    found = Image.open(files["png"])
    assert found.size == SIZE
    one, other = (np.asarray(image.convert("RGB"), dtype=int) for image in (found, wanted))
    assert (np.abs(one - other).max(axis=2) > 40).mean() < 0.002  # the edges of letters alone
    assert (one.mean() > 128) == (theme == "light")
    assert len(re.findall(rb"/Type\s*/Page\b", files["pdf"].read_bytes())) == 1
