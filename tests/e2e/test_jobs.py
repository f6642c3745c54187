"""Long training in a real browser, and a Streamlit whose insides are called otherwise."""

import os
import re

import pytest
from playwright.sync_api import expect

from lastviz.host.shortcuts import SHORTCUTS

from .app import LONG, PICTURES, ROOT, App, arrive, go_to, ready, seed_field, set_seed

pytestmark = pytest.mark.e2e

SLOW = "/boundaries?data=waveform&n_samples=20000&m=oc1&m.n_restarts=50&m2=cart&m2.max_depth=3"

DRAWN_TO_FIT = """() => {
    const shown = [...document.querySelectorAll(".lv-figure")].find((f) => f.clientWidth > 0);
    return shown.querySelector(".main-svg").clientWidth === shown.clientWidth;
}"""


def begin(page, path=SLOW, name="OC1"):
    page.goto(re.match(r"https?://[^/]+", page.url)[0] + path)
    progress(page, name).wait_for()


def progress(page, name="OC1"):
    """The bar of a model: on a busy machine another may have one, too."""
    return page.get_by_test_id("stProgress").filter(has_text=name)


def share(page, name="OC1"):
    return int(re.search(r"(\d+) % done", progress(page, name).inner_text())[1])


@pytest.mark.main
def test_a_long_training_leaves_the_page_usable(open_page):
    page = open_page("/data")
    begin(page)
    expect(page.locator(".lv-head")).to_contain_text("CART")
    expect(progress(page)).to_contain_text(re.compile(r"[1-9]\d* % done"))

    page.get_by_role("button", name="About the pictures").scroll_into_view_if_needed()
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


# LargeSet3 with a vote of many trees: long enough to be looked at, cancelled and found again.
LARGE = "/boundaries?data=monotone_large&n_samples=100000&n_features=48&n_classes=8"
FOREST = LARGE + "&m=adaboost_m1&m.n_estimators=300"
VISIT = "/boundaries?data=moons&m=cart&m2=c45"


@pytest.mark.slow
def test_a_large_set_is_trained_beside_a_second_visitor(open_page):
    page = open_page("/data?data=monotone_large")
    begin(page, FOREST, "AdaBoost.M1")
    expect(progress(page, "AdaBoost.M1")).to_contain_text(re.compile(r"[1-9]\d* % done"))
    expect(progress(page, "AdaBoost.M1")).to_contain_text(re.compile("about .* left"), timeout=LONG)

    before = share(page, "AdaBoost.M1")
    page.reload()
    progress(page, "AdaBoost.M1").wait_for()
    assert share(page, "AdaBoost.M1") >= before

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
    expect(
        progress(page, "AdaBoost.M1")
    ).to_be_visible()  # it still trained while the visitor was answered
    visitor.close()

    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Train").wait_for()
    page.reload()
    page.get_by_role("button", name="Train").wait_for()


READERS = ("host/shorter.py", "host/shortcuts.py", "ui/state/resumption.py")
SOURCES = "".join((ROOT / "lastviz" / name).read_text("utf-8") for name in READERS)
INSIDE = {name.strip(".") for name in re.findall(r"\._[a-z]\w+", SOURCES)}
PUBLIC = {"on_script_will_rerun", "filtered_state", "request_rerun"}
STILL_TAKEN = {"filtered_state"}  # it reads nothing that is private
RENAMING = """
import re
from importlib.machinery import SourceFileLoader
from pathlib import Path

INSIDE = re.compile(r"\\b({names})\\b")
plain = SourceFileLoader.get_code

def renamed(self, name):
    if not name.startswith("streamlit."):
        return plain(self, name)
    source = INSIDE.sub(r"\\1_now", Path(self.path).read_text("utf-8"))
    return compile(source, self.path, "exec", dont_inherit=True)

SourceFileLoader.get_code = renamed
"""


def test_pages_are_drawn_and_changed_without_the_shorter_ways(open_page, tmp_path):
    names = "|".join(INSIDE | ({each.name for each in SHORTCUTS} - PUBLIC))
    (tmp_path / "sitecustomize.py").write_text(RENAMING.format(names=names))
    app = App(tmp_path)
    path = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH"))))
    app.environment = os.environ | {"PYTHONPATH": path}
    with app:
        page = open_page(f"{app.address}/boundaries?data=moons&m=cart&seed=3")
        page.wait_for_selector(".lv-figure .main-svg")
        ready(page)
        before = page.evaluate(PICTURES)
        set_seed(page, 7)
        expect(seed_field(page)).to_have_value("7")
        assert page.evaluate(PICTURES) != before
        assert "Something went wrong" not in page.locator("body").inner_text()
        go_to(page, "Rules")
        arrive(page, "**/rules**")
    log = app.log.read_text("utf-8")
    assert "Traceback" not in log
    left = re.findall(r"Streamlit [\d.]+ is left to do (\w+) its own way", log)
    assert sorted(left) == sorted(e.name for e in SHORTCUTS if e.name not in STILL_TAKEN)
