"""The real app in a real browser: a server on a free port and a factory of pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from .app import PATIENCE, ROOT, SIZES, launch, ready, serving

OpenPage = Callable[..., Page]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start the app; yield its address; stop just this process."""
    with serving(ROOT / "app.py", tmp_path_factory.mktemp("server")) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start Chromium once."""
    with sync_playwright() as playwright:
        started = launch(playwright)
        yield started
        started.close()


@pytest.fixture
def open_page(server: str, browser: Browser) -> Iterator[OpenPage]:
    """Return ``open_page(path="/", size="projector", scheme="light") -> Page``.

    Every call is a new window with a session of its own; a fault in the page's own scripts
    fails the test.
    """
    contexts, faults = [], []

    def open_it(path: str = "/", *, size: str = "projector", scheme: str = "light") -> Page:
        context = browser.new_context(
            viewport=SIZES[size],
            color_scheme=scheme,
            permissions=["clipboard-read", "clipboard-write"],
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.goto(path if path.startswith("http") else server + path)
        ready(page)
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert not faults
