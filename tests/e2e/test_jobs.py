"""Long training in a real browser: progress, a page that answers, cancel, found after a reload."""

import re

import pytest
from playwright.sync_api import expect

from .conftest import ready

pytestmark = pytest.mark.e2e

SLOW = "/boundaries?data=waveform&n_samples=20000&m=oc1&m.n_restarts=50&m2=cart&m2.max_depth=3"

DRAWN_TO_FIT = """() => {
    const shown = [...document.querySelectorAll(".lv-figure")].find((f) => f.clientWidth > 0);
    return shown.querySelector(".main-svg").clientWidth === shown.clientWidth;
}"""


def begin(page, path=SLOW):
    address = re.match(r"https?://[^/]+", page.url)[0]
    page.goto(address + path)
    progress(page).wait_for()


def progress(page):
    """Return the bar of OC1: on a busy machine another model may have one, too."""
    return page.get_by_test_id("stProgress").filter(has_text="OC1")


def share(page):
    return int(re.search(r"(\d+) %", progress(page).inner_text())[1])


@pytest.mark.main
def test_a_long_training_leaves_the_page_usable(open_page):
    page = open_page("/data")
    begin(page)
    expect(progress(page)).to_contain_text("OC1")
    expect(page.locator(".lv-head")).to_contain_text("CART")
    expect(progress(page)).to_contain_text(re.compile(r"[1-9]\d* % done"))

    page.get_by_text("By class", exact=True).click()  # another control answers meanwhile
    page.wait_for_url(lambda url: "detail=classes" in url)
    expect(page.get_by_test_id("stMain")).to_contain_text("held out")
    expect(progress(page)).to_be_visible()

    before = share(page)
    page.reload()
    progress(page).wait_for()
    assert share(page) >= before

    visitor = open_page("/boundaries?data=moons")  # another session is answered as usual
    expect(visitor.locator(".lv-head")).to_have_count(2)
    visitor.close()

    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Train").wait_for()
    page.reload()
    page.get_by_role("button", name="Train").wait_for()


def test_the_model_appears_when_it_is_done(open_page):
    page = open_page("/data")
    begin(page, "/boundaries?data=waveform&n_samples=5000&m=oc1&m.n_restarts=30&m2=cart&seed=5")
    expect(page.locator(".lv-head")).to_have_count(2)
    expect(progress(page)).to_have_count(0)
    ready(page)


def test_a_phone_shows_one_model_at_a_time(open_page):
    page = open_page("/boundaries?data=moons&m=cart&m2=c45&m3=oc1", size="phone")
    heads = page.locator(".lv-head")
    for place, name in enumerate(("CART", "C4.5", "OC1")):
        page.locator(".lv-switch").get_by_text(name, exact=True).click()
        for other in range(3):
            expect(heads.nth(other)).to_be_visible(visible=other == place)
        figure = page.locator(".lv-figure:visible").first
        assert 300 < figure.bounding_box()["width"] < 390
        page.wait_for_function(DRAWN_TO_FIT)
    assert "m3=oc1" in page.url
