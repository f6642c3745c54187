"""The course in a browser: from the gallery through a scene, by the keyboard alone."""

import re

import pytest
from playwright.sync_api import expect

from .app import ready

pytestmark = pytest.mark.e2e


def test_a_scene_is_gone_through_by_the_keyboard(open_page):
    page = open_page("/")
    ready(page)
    card = page.get_by_role("link", name="What was noise, what was structure?")
    card.focus()
    page.keyboard.press("Enter")
    strip = page.locator(".lv-course")
    expect(strip).to_contain_text("Step 1 of 4")
    ready(page)
    marked = page.locator(".st-key-plane0").first
    assert marked.evaluate("e => getComputedStyle(e).outlineStyle") == "dashed"
    for n, where in ((2, "boundaries"), (3, "growth"), (4, "pruning")):
        page.get_by_role("button", name="Next step").focus()
        page.keyboard.press("Enter")
        expect(strip).to_contain_text(f"Step {n} of 4")
        expect(page).to_have_url(re.compile(rf"/{where}\?.*scene=overfitting\.{n}"))
        ready(page)
    page.get_by_role("button", name="Leave the course").focus()
    page.keyboard.press("Enter")
    expect(strip).to_have_count(0)
