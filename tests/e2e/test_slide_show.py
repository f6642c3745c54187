"""A story, saved as one page from the app and played from disk by a browser without a network."""

import re

import pytest
from playwright.sync_api import expect

from lastviz.ui.state.quiz_codes import Slide, write_story

from .app import downloaded

pytestmark = pytest.mark.e2e

STORY = (
    Slide("boundaries", "data=xor&m=cart", "Greed finds no first cut", "Ask who sees one"),
    Slide("growth", "data=iris&m=cart", "Step by step"),
    Slide("rules", "data=wine&m=cart", "<b>Three</b> cultivars"),
)


def saved(page, file):
    page.get_by_text("Save as one web page that works offline").click()
    found = downloaded(page, page.get_by_role("button", name=re.compile("^.*Save the page")))
    assert found.suggested_filename == "story.html"
    found.save_as(file)
    assert file.stat().st_size < 6_000_000
    return file


def on(page, n, question):
    page.wait_for_selector(f'html[data-shown="{n}"]')
    expect(page.locator("section.here header h2")).to_have_text(question)
    expect(page.locator("section.here header h2")).to_be_focused()
    assert page.url.endswith(f"#{n}")


def test_a_story_plays_from_disk(open_page, browser, tmp_path):
    file = saved(open_page(f"/story?slides={write_story(STORY)}"), tmp_path / "story.html")
    context = browser.new_context(offline=True, viewport={"width": 1440, "height": 900})
    page = context.new_page()
    asked, said = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda fault: said.append(str(fault)))
    page.goto(f"file://{file}")
    page.wait_for_selector('html[data-shown="1"]')
    assert page.locator("#section-1 .picture .main-svg").count() > 0
    assert page.locator("#section-3 .picture .main-svg").count() == 0  # drawn when it is seen
    size = "element => parseFloat(getComputedStyle(element).fontSize)"
    assert page.locator("#section-1 header h2").evaluate(size) == 46
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
    context.close()
    assert said == []
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
