"""Every scene of the course in every language: from a cold link to its end by the keyboard."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from lastviz.ui.state.presets import SCENES
from lastviz.ui.text import catalogue, languages

from .app import choose, ready
from .conftest import OpenPage

pytestmark = pytest.mark.e2e

SENTENCE = re.compile(r"\b[a-z]{3,} [a-z]{2,} [a-z]{2,}\b")  # three words of English in a row
STEP_WORDS = ".lv-course p"


def said(page: Page, english: str, code: str) -> str:
    return catalogue(code).get(english, english)


@pytest.mark.parametrize("code", languages())
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.key)
def test_a_scene_is_read_to_its_end_by_keys(open_page: OpenPage, scene, code: str) -> None:
    query = urlencode({**scene.query_of(1), "lang": code})
    page = open_page(f"/{scene.steps[0].page}?{query}")
    texts = []
    for n, step in enumerate(scene.steps, start=1):
        expect(page).to_have_url(re.compile(rf"/{step.page}\?.*scene={scene.key}\.{n}"))
        ready(page)
        text = page.locator(STEP_WORDS).first.inner_text()
        assert "{" not in text
        texts.append(text)
        assert not page.get_by_test_id("stException").count()
        if n < len(scene.steps):
            page.get_by_role("button", name=said(page, "Next step", code)).focus()
            page.keyboard.press("Enter")
    assert len(set(texts)) == len(scene.steps)
    if code != "en":
        assert not [text for text in texts if SENTENCE.search(text)]


def test_the_switch_keeps_the_scene_and_streamlits_own_words_follow(open_page: OpenPage) -> None:
    page = open_page("/boundaries?data=moons&models=cart")
    choose(page, page.get_by_role("combobox", name="Language"), "中文")
    expect(page.get_by_role("heading", level=1)).to_have_text("各算法把边界画在哪里？")
    expect(page).to_have_url(re.compile(r"data=moons.*lang=zh|lang=zh.*data=moons"))
    ready(page)
    assert page.evaluate("document.documentElement.lang") == "zh"
    page.get_by_test_id("stMainMenu").click()
    expect(page.get_by_text("Settings", exact=True)).to_have_count(0)
    page.keyboard.press("Escape")
    page.goto(page.url.replace("/boundaries", "/data"))
    ready(page)
    expect(page.get_by_text("Browse files")).to_have_count(0)
    expect(page.get_by_text("Drag and drop")).to_have_count(0)
