"""Every picture can be read as a table, and gone through by arrow keys that say where one is."""

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from lastviz.ui.frame import PAGES
from lastviz.ui.state.lessons import SCENES

from .app import address

pytestmark = pytest.mark.e2e

WITHOUT_PICTURES = {"home", "story", "privacy", "compare"}  # or with a study that is done alone
LOOKS = {  # a scene with pictures, where a page begins without
    "papers": "paper_table=svm_tree1",
    "monotone": "data=five_rows&held=0&m=remt&m.min_gain=0",
}
ALWAYS = ("rules",)
NAMES = [
    name if name in ALWAYS else pytest.param(name, marks=pytest.mark.slow)
    for name in PAGES
    if name not in WITHOUT_PICTURES
]


def check_chart(chart):
    frame, said, table = (chart.locator(f".lv-{part}") for part in ("frame", "said", "table"))
    expect(frame).to_have_attribute("aria-label", re.compile(r"\w"))
    frame.press("ArrowRight")
    expect(said).to_have_text(re.compile(r"\w.*; \d+ of \d+$"))
    frame.press("t")
    expect(table).to_be_focused()
    expect(table.locator("td").first).to_have_text(re.compile(r"\S"))
    frame.press("t")
    expect(table).to_be_hidden()


def check_growth(growth):
    say = growth.locator(".lvg-say")
    expect(say).to_have_attribute("aria-live", "polite")
    table = growth.locator(".lvg-table")
    if table.get_attribute("open") is None:
        table.locator("summary").press("Enter")
    rows = table.locator("tbody tr")
    expect(rows.first).to_be_visible()
    before = say.inner_text()
    growth.press("End" if growth.get_attribute("data-step") == "0" else "Home")
    if rows.count() > 1:
        expect(say).not_to_have_text(before)


def check_pictures(page):
    """Read every picture that is shown, by keys; return how many there are."""
    charts = [one for one in page.locator(".lv-chart").all() if one.is_visible()]
    growths = [one for one in page.locator(".lv-growth").all() if one.is_visible()]
    for chart in charts:
        check_chart(chart)
    for growth in growths:
        check_growth(growth)
    return len(charts) + len(growths)


MOST_LISTED = 1000  # rows of one table


@pytest.mark.slow
@pytest.mark.parametrize("rows", [1001, 1100, 1400])
def test_a_long_table_says_how_many_rows_it_leaves_out(open_page, rows):
    captions = []
    for n_samples in (rows, 400):
        page = open_page(f"/boundaries?data=moons&n_samples={n_samples}&m=cart")
        chart = page.locator(".lv-chart").first
        chart.locator(".lv-frame").press("t")
        expect(chart.locator(".lv-table td").first).to_have_text(re.compile(r"\S"))
        captions.append(chart.locator(".lv-table caption").all_inner_texts())
        page.close()
    assert captions == [[f"Rows not listed: {rows - MOST_LISTED}."], []]


@pytest.mark.parametrize("name", NAMES)
def test_every_picture_of_a_page_has_a_table_and_speaks(open_page, name):
    page = open_page(address(name, LOOKS.get(name, "")))
    assert check_pictures(page)
    assert page.locator("img:visible:not([alt]), [role=img]:visible:not([aria-label])").count() == 0


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.key)
def test_every_picture_of_a_scene_does(open_page, scene):
    for n, step in enumerate(scene.steps, start=1):
        page = open_page(f"/{step.page}?{urlencode(scene.query_of(n))}")
        check_pictures(page)
        page.close()
