"""Training on the paper's large sets: progress, cancel, a reload, a second visitor meanwhile."""

import re

import pytest
from playwright.sync_api import expect

from .app import LONG, ready

pytestmark = pytest.mark.e2e

# LargeSet3 with a vote of many trees: long enough to be looked at, cancelled and found again.
LARGE = "/boundaries?data=monotone_large&n_samples=100000&n_features=48&n_classes=8"
FOREST = LARGE + "&m=adaboost_m1&m.n_estimators=300"
VISIT = "/boundaries?data=moons&m=cart&m2=c45"


def progress(page):
    return page.get_by_test_id("stProgress")


def begin(page):
    page.goto(re.match(r"https?://[^/]+", page.url)[0] + FOREST)
    progress(page).wait_for()
    expect(progress(page)).to_contain_text("AdaBoost.M1")


def share(page):
    return int(re.search(r"(\d+) % done", progress(page).inner_text())[1])


@pytest.mark.slow
def test_a_large_set_is_trained_beside_a_second_visitor(open_page):
    page = open_page("/data?data=monotone_large")
    begin(page)
    expect(progress(page)).to_contain_text(re.compile(r"[1-9]\d* % done"))
    expect(progress(page)).to_contain_text(re.compile("about .* left"), timeout=LONG)

    before = share(page)
    page.reload()
    progress(page).wait_for()
    assert share(page) >= before

    visitor = open_page(VISIT)  # a session of its own, in a window of its own
    expect(visitor.locator(".lv-head")).to_have_count(2)
    slider = visitor.get_by_role("slider", name="Show levels up to")
    slider.focus()
    for depth in range(3):
        slider.press("Home" if depth == 0 else "ArrowRight")
        visitor.wait_for_url(lambda url, depth=depth: f"depth={depth}" in url)
        leaves = visitor.locator(".lv-head").first
        expect(leaves).to_contain_text(re.compile(rf"{depth}\s*depth"))
        ready(visitor)
    expect(progress(page)).to_be_visible()  # it still trained while the visitor was answered
    visitor.close()

    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Train").wait_for()
    page.reload()
    page.get_by_role("button", name="Train").wait_for()
