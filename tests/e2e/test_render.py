"""The command's PNG and PDF are what a browser shows of the story that the app saves."""

import io
import os
import re

import numpy as np
import pytest
from PIL import Image

from lastviz import _browser
from lastviz._browser import BROWSER
from lastviz.ui.state.quiz_codes import Slide, write_story
from lastviz.ui.story.rendering import STILL, render

from .app import downloaded

pytestmark = pytest.mark.e2e

SCENE = "data=wine&m=c45"
SIZE = (1440, 900)


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_a_scene_is_drawn_as_the_app_saves_it(open_page, browser, tmp_path, monkeypatch, theme):
    page = open_page(f"/story?slides={write_story((Slide('pruning', SCENE),))}")
    page.get_by_text("Save as one web page that works offline").click()
    saved = downloaded(page, page.get_by_role("button", name=re.compile("^.*Save the page")))
    saved.save_as(tmp_path / "story.html")
    width, height = SIZE
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme)
    shown = context.new_page()
    text = (tmp_path / "story.html").read_text(encoding="utf-8")
    (tmp_path / "story.html").write_text(
        text.replace("</head>", f"<style>{STILL % height}</style></head>", 1), encoding="utf-8"
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
