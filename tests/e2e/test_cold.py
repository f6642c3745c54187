"""A new window on each page: its picture is there at once, and nothing to complain of."""

import re

import pytest
from playwright.sync_api import expect

from lastviz.ui.frame import PAGES

from .app import ready

pytestmark = pytest.mark.e2e

MARKS = """() => {
    const fold = window.innerHeight;
    return [...document.querySelectorAll('.js-plotly-plot')].filter((gd) => {
        const box = gd.getBoundingClientRect();
        return box.top < fold && gd.querySelector('.point, .trace path, .shapelayer path');
    }).length;
}"""


WITHOUT_PICTURE = {"home", "privacy"}  # home has a test of its own, what is kept is words


@pytest.mark.parametrize("page", [name for name in PAGES if name not in WITHOUT_PICTURE])
@pytest.mark.parametrize("size", ["phone", pytest.param("projector", marks=pytest.mark.slow)])
def test_a_cold_page_has_a_picture_within_the_first_viewport(open_page, page, size):
    window = open_page(f"/{page}", size=size)
    ready(window)
    window.wait_for_function(f"() => ({MARKS})() > 0")
    expect(window.get_by_test_id("stAlert")).to_have_count(0)
    if PAGES[page][2:]:
        expect(window.locator(".st-key-example")).to_contain_text(
            re.compile("An example:|Example study, finished")
        )
        assert "?" not in window.url


def test_on_a_phone_the_choices_are_a_sheet_below_the_picture(open_page):
    window = open_page("/boundaries", size="phone")
    bar = window.locator(".lv-scene")
    expect(bar).to_have_text(re.compile("XOR.*CART.*OC1"))
    noise = window.get_by_role("slider", name="Noise (standard deviation)")
    expect(noise).not_to_be_visible()
    bar.click(position={"x": 20, "y": 30}, force=True)
    expect(noise).to_be_visible()
    picture = window.locator(".lv-figure .main-svg").first
    sheet = window.get_by_test_id("stSidebar")
    assert picture.bounding_box()["y"] < sheet.bounding_box()["y"]
    noise.focus()
    noise.press("ArrowRight")
    window.wait_for_url("**noise=0.21**")
    window.get_by_role("button", name="Collapse sidebar").click()
    expect(noise).not_to_be_visible()
    window.get_by_role("link", name="Growth", exact=True).click()
    expect(window.get_by_role("heading", level=1)).to_contain_text("How does the tree come to be?")
    expect(bar).to_have_text(re.compile("XOR"))


def test_a_cold_story_shows_the_lessons_and_makes_them_ones_own(open_page):
    window = open_page("/story")
    window.wait_for_function(f"() => ({MARKS})() > 0")
    window.get_by_role("radio", name="3", exact=True).click()
    ready(window)
    expect(
        window.get_by_role("heading", name="Why does a curve become a staircase?")
    ).to_be_visible()
    window.wait_for_function(f"() => ({MARKS})() > 0")
    window.get_by_role("button", name="Make my own").click()
    window.wait_for_url("**slides=**")
    expect(window.get_by_text("12 scenes")).to_be_visible()
    expect(window.get_by_label("Caption").first).to_have_value(re.compile("A tree asks one"))
