"""A story is collected, presented by keys alone, blanked and left."""

import pytest
from playwright.sync_api import expect

from .app import go_to, ready

pytestmark = pytest.mark.e2e


@pytest.mark.main
def test_a_story_is_collected_and_presented_by_keys(open_page):
    page = open_page("/boundaries?data=iris&m=cart")
    page.locator(".st-key-story_add button").first.click()
    expect(page.get_by_text("Add to my story (1)").first).to_be_visible()
    ready(page)
    go_to(page, "Start", "Home")
    card = page.get_by_role("link", name="Why does a curve become a staircase?")
    card.scroll_into_view_if_needed()
    ready(page)
    card.click()
    page.wait_for_url("**three_spirals**")
    expect(page.get_by_text("Add to my story (1)").first).to_be_visible()
    ready(page)
    left = "document.querySelector('.lv-figure')?._fullLayout?.margin.l"
    beside = page.evaluate(left)
    page.keyboard.press("p")
    expect(page.locator(".lv-stage-timer")).to_be_visible()
    page.wait_for_function(f"{left} > {beside}")  # room for larger letters
    expect(page.get_by_test_id("stHeader")).to_be_hidden()
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    size = "element => parseFloat(getComputedStyle(element).fontSize)"
    assert page.locator(".lv-legend").first.evaluate(size) >= 24
    assert page.get_by_test_id("stMain").locator("h1").evaluate(size) == 46
    ready(page)
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**slide=1**")
    expect(page.get_by_text("1 of 1")).to_be_visible()
    ready(page)
    page.keyboard.press("b")
    expect(page.locator("html.lv-blank")).to_have_count(1)
    page.keyboard.press("b")
    expect(page.locator("html.lv-blank")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    expect(page.locator(".lv-stage-timer")).to_have_count(0)
    page.wait_for_function(f"{left} === {beside}")


def test_arrow_keys_go_through_a_growth_from_anywhere_on_the_stage(open_page):
    page = open_page("/growth?data=iris&m=cart&stage=true")
    expect(page.locator(".lv-growth[data-step='1']")).to_be_visible()
    page.get_by_test_id("stMain").locator("h1").click()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".lv-growth[data-step='2']")).to_be_visible()


def test_the_ring_of_the_page_goes_around_the_whole_stage(open_page):
    """A click on blank space gives the page the focus, and key p makes that seen."""
    page = open_page("/splits?data=loan&held=0&m=id3&scene=information_gain.1")
    main = page.get_by_test_id("stMain")
    main.click(position={"x": 900, "y": 120})
    page.keyboard.press("p")
    expect(page.locator(".lv-stage-timer")).to_be_visible()
    expect(page.get_by_test_id("stHeader")).to_be_hidden()
    assert main.evaluate("main => main.matches(':focus-visible')")
    ring = main.evaluate("main => { const { top, height } = getComputedStyle(main, '::before');"
                         " return [parseFloat(top), parseFloat(height)]; }")  # fmt: skip
    assert ring == [0, 900]
