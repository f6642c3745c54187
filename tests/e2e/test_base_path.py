"""The app under a base path, as behind a web server that has other things to serve."""

import re
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

from lastviz.datasets import load_dataset, to_csv
from tests.patience import SECONDS

from .app import App, arrive, copy_link, downloaded, hand_in, open_page_box, visit

pytestmark = pytest.mark.e2e

BASE = "/tools/lastviz"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Start the app under the base path; yield its address, the path included."""
    with App(tmp_path_factory.mktemp("base"), base=BASE) as app:
        yield app.address


def requests_of(page, address):
    """Open an address in the page and return the paths that the browser asked for."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url))
    visit(page, address)
    return [url.split("/", 3)[3] for url in asked if url.startswith(("http", "ws"))]


def test_a_card_of_home_opens_its_scene_whose_figures_are_drawn_by_files_under_the_path(
    open_page, address
):
    page = open_page(address)
    assert page.url == address + "/"
    asked = requests_of(page, address + "/")
    assert [path for path in asked if not f"/{path}".startswith(BASE)] == []
    page.get_by_role("link", name="Where do hidden directions help?").click()
    arrive(page, f"**{BASE}/boundaries?data=waveform**")
    expect(page.locator(".lv-figure .main-svg").first).to_be_visible()


def test_a_deep_link_is_copied_with_the_path_and_nothing_is_asked_for_outside_of_it(
    open_page, address
):
    page = open_page(address)
    asked = requests_of(page, address + "/boundaries?data=moons&m=cart")
    expect(page.locator(".lv-figure .main-svg").first).to_be_visible()
    assert any(path.startswith("tools/lastviz/app/static/plotly.min.js?v=") for path in asked)
    assert any(path.startswith("tools/lastviz/app/static/lastviz_chart.js?v=") for path in asked)
    assert [path for path in asked if not f"/{path}".startswith(BASE)] == []
    copy_link(page)
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(address + "/boundaries?")
    assert "data=moons" in copied


@pytest.mark.slow
def test_files_go_in_and_out_under_the_path(open_page, address):
    page = open_page(address + "/data")
    hand_in(page, "wines.csv", to_csv(load_dataset("wine")))
    page.wait_for_url("**data=upload**")
    expect(page.locator(".lv-say").first).to_contain_text("178")
    visit(page, address + "/boundaries?data=moons&m=cart")
    open_page_box(page)
    page.get_by_role("radio", name="Report").click()
    expect(page.get_by_text("One file that needs no network")).to_be_visible()
    button = page.get_by_role("button", name=re.compile("Save the report"))
    report = downloaded(page, button).path().read_text(encoding="utf-8")
    assert f"{address}/boundaries?" in report


def test_what_browsers_keep_is_compressed_and_the_meters_are_closed_there_too(address):
    for path in ("/app/static/plotly.min.js?v=1", "/"):
        asked = urllib.request.Request(address + path, headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(asked, timeout=SECONDS) as answer:
            assert answer.headers["X-Frame-Options"] == "SAMEORIGIN"
            if "plotly" in path:
                assert answer.headers["Content-Encoding"] == "gzip"
                assert "immutable" in answer.headers["Cache-Control"]
    for outside in (address + "/_stcore/metrics", address.removesuffix(BASE) + "/data"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(outside, timeout=SECONDS)
        refused.value.close()
        assert refused.value.code == 404
