"""A scene in a frame on another site's page: by the line that *Embed* offers, where it is named."""

import json
import os
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import expect

from .app import PATIENCE, App, launch_options, open_menu, ready

pytestmark = pytest.mark.e2e

SCENE = "/boundaries?data=iris&m=cart&m.max_leaf_nodes=3"
PROBE = "document.cookie = 'probe=1; SameSite=None; Secure'; document.cookie.includes('probe')"


class Host:
    """A site with one page, on another origin than the app: a number is no name."""

    def __init__(self):
        self.html = ""
        host = self

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(f"<!doctype html><h1>Lecture 5</h1>{host.html}".encode())

            def log_message(self, *args):
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        self.address = f"http://127.0.0.1:{self.server.server_port}"


@contextmanager
def hosting():
    host = Host()
    Thread(target=host.server.serve_forever, daemon=True).start()
    yield host
    host.server.shutdown()
    host.server.server_close()


@pytest.fixture(scope="module")
def host():
    with hosting() as named:
        yield named


@pytest.fixture(scope="module")
def address(host, tmp_path_factory):
    """Serve the app; one site may show it."""
    app = App(tmp_path_factory.mktemp("embed"))
    app.environment = os.environ | {"LASTVIZ_EMBED": f"{host.address}, https://moodle.example.edu"}
    with app:
        yield app.address


@pytest.fixture
def reader(browser, tmp_path):
    """Return a browser that lets no frame of another site keep anything."""
    (tmp_path / "Default").mkdir()
    blocked = {"profile": {"block_third_party_cookies": True, "cookie_controls_mode": 1}}
    (tmp_path / "Default" / "Preferences").write_text(json.dumps(blocked))
    context = browser.browser_type.launch_persistent_context(
        tmp_path, **launch_options(), viewport={"width": 1200, "height": 900}
    )
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


def line_of(page, *, steered):
    open_menu(page, "Share")
    page.get_by_role("button", name="Embed").click()
    if steered:
        page.get_by_text("With the controls of the sidebar").click()
        ready(page)
    expect(page.locator("[data-testid=stCode]")).to_contain_text(
        "controls=true" if steered else "embed=true"
    )
    return page.locator("[data-testid=stCode] code").inner_text()


def drawn(frame):
    """What the first figure of a frame shows: the borders of its regions."""
    expect(frame.locator(".lv-figure .shapelayer path").first).to_be_attached()
    return frame.locator(".lv-figure .cartesianlayer").first.inner_html()


def test_a_named_site_shows_a_scene_that_its_readers_steer(open_page, address, host, reader):
    host.html = line_of(open_page(address + SCENE, scheme="dark"), steered=True)
    page = reader.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.goto(host.address)
    frame = page.frame_locator("iframe")
    expect(frame.get_by_role("heading", level=1)).to_have_text(
        "Where does each algorithm draw the line?"
    )
    before, steps = drawn(frame), page.evaluate("history.length")
    assert page.frames[1].evaluate(PROBE) is False  # nothing is kept, and nothing is missed
    paper = "getComputedStyle(document.querySelector('.stApp')).backgroundColor"
    assert (
        page.frames[1].evaluate(paper) == "rgb(20, 23, 28)"
    )  # the author's theme, not the reader's
    for outside in ("Growth", "Share", "Present"):
        expect(frame.get_by_text(outside, exact=True)).to_have_count(0)

    slider = frame.get_by_role("slider", name="Most leaves")
    slider.focus()
    slider.press("ArrowLeft")
    expect(frame.locator(".lv-strip").first).to_contain_text("2leaves")
    page.wait_for_timeout(500)
    assert drawn(frame) != before
    assert page.evaluate("history.length") == steps  # the page's back button is its own

    with reader.expect_page() as opened:
        frame.get_by_role("link", name="See in lastviz").first.click()
    whole = opened.value
    ready(whole)
    assert "m.max_leaf_nodes=2" in whole.url
    assert "embed" not in whole.url
    assert "controls" not in whole.url
    expect(whole.get_by_text("Growth", exact=True)).to_be_visible()
    assert whole.evaluate(PROBE) is True
    assert faults == []


def test_a_line_without_controls_shows_the_picture_alone_in_its_language(
    open_page, address, host, reader
):
    host.html = line_of(open_page(f"{address}/growth?data=iris&m=cart"), steered=False)
    host.html = host.html.replace("lang=en", "lang=zh")
    page = reader.new_page()
    page.goto(host.address)
    frame = page.frame_locator("iframe")
    player = frame.locator(".lv-growth")
    expect(player).to_have_attribute("data-step", "1")
    expect(frame.locator("[data-testid=stSidebar]")).to_have_count(0)
    expect(frame.get_by_role("link", name="在 lastviz 中查看")).to_be_visible()
    player.focus()
    player.press("ArrowRight")
    expect(player).to_have_attribute("data-step", "2")


def test_a_site_that_is_not_named_shows_nothing(open_page, address, server, host, reader):
    line = line_of(open_page(address + SCENE), steered=False)
    with hosting() as stranger:
        for site, framed in ((stranger, line), (host, line.replace(address, server))):
            site.html = framed
            page = reader.new_page()
            said: list[str] = []
            page.on("console", lambda message, said=said: said.append(message.text))
            page.goto(site.address)
            page.wait_for_timeout(3000)
            assert any("frame-ancestors" in text for text in said)
            expect(page.frame_locator("iframe").locator(".stApp")).to_have_count(0)


def test_a_server_that_names_none_says_so(open_page):
    page = open_page(SCENE)
    open_menu(page, "Share")
    page.get_by_role("button", name="Embed").click()
    expect(page.get_by_text("No other site may show this server's pages")).to_be_visible()
    expect(page.get_by_text("<iframe")).to_have_count(0)
