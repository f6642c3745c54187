"""The real app in a real browser: a server on a free port and a factory of pages."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect, sync_playwright

from lastviz.host import jobs
from lastviz.host.store import Store
from tests.patience import SECONDS

from .app import PATIENCE, SIZES, WINDOWLESS, App, launch, ready

OpenPage = Callable[..., Page]
expect.set_options(timeout=PATIENCE)  # for every test that looks


@pytest.fixture(scope="session", autouse=True)
def patience():
    """Patience with models that are trained in this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jobs, "PATIENCE", SECONDS)
        yield


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """Start the app; yield its address; stop just this process."""
    with App(tmp_path_factory.mktemp("server")) as app:
        yield app.address


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """The store of an app that is started with its folder, in processes of its own."""
    opened = Store(tmp_path_factory.mktemp("kept") / "store")
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def browser():
    """Start Chromium once."""
    with sync_playwright() as playwright:
        started = launch(playwright, "--process-per-site", prefer=WINDOWLESS)
        yield started
        started.close()


@pytest.fixture(scope="session")
def window(browser):
    """Return what all pages share: the libraries that were fetched and compiled once.

    What is compiled is kept by the process of a site for as long as the site has a page: one, of
    no server, that stays.
    """
    shared = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    stays = shared.new_page()
    stays.route("**", lambda route: route.fulfill(body=""))
    stays.goto("http://localhost")
    return shared


@pytest.fixture
def alone(browser):
    """A page of a browser without a network, which asked for nothing and made no error."""
    context = browser.new_context(offline=True, viewport=SIZES["projector"])
    page = context.new_page()
    asked, said = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda fault: said.append(str(fault)))
    yield page
    context.close()
    assert said == []
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


@pytest.fixture
def read(alone):
    """Return what opens a report without a network, and its fold."""

    def open_it(file):
        alone.goto(f"file://{file}")
        alone.wait_for_selector("html[data-drawn]")
        if (fold := alone.locator("details.more > summary")).count():
            fold.click()
        return alone

    return open_it


@pytest.fixture
def open_page(server, window):
    """Return what opens a path of the app in a new page, at a size, in a scheme of colours.

    Every call is a new page with a session of its own, and nothing is left of it after the
    test; a fault in the page's own scripts fails the test. All pages are of one visitor, who has
    uploaded what any of them has, but those opened `elsewhere`: in another visitor's browser. Of
    `everything` also what nobody has had in sight yet is drawn.
    """
    faults = []
    others: list[BrowserContext] = []

    def open_it(path="/", *, size="projector", scheme="light", elsewhere=False, everything=True):
        if elsewhere:
            others.append(window.browser.new_context())
        page = (others[-1] if elsewhere else window).new_page()
        page.set_viewport_size(SIZES[size])
        page.emulate_media(color_scheme=scheme)
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.goto(path if path.startswith("http") else server + path)
        ready(page, everything=everything)
        return page

    yield open_it
    for other in others:
        other.close()
    for page in window.pages[1:]:
        if page.url.startswith("http"):
            page.evaluate("localStorage.clear()")
        page.close()
    window.clear_cookies()
    assert not faults
