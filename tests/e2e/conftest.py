"""The real app in a real browser: a server on a free port and a factory of pages."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[2]
SIZES = {"projector": {"width": 1440, "height": 900}, "phone": {"width": 390, "height": 844}}
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
PATIENCE = 60_000  # milliseconds: the machine may be busy, the first run compiles

OpenPage = Callable[..., Page]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start the app; yield its address; stop just this process."""
    with serving(ROOT / "app.py", tmp_path_factory.mktemp("server")) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start Chromium once."""
    path = CHROMIUM if Path(CHROMIUM).exists() else None
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
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


def ready(page: Page) -> None:
    """Wait until the script has run and every figure is drawn."""
    page.wait_for_selector('[data-test-script-state="notRunning"]')
    page.wait_for_function(
        """() => [...document.querySelectorAll(".lv-figure")].every(
            (figure) => figure.querySelector(".main-svg"))"""
    )


@contextmanager
def serving(script: Path, folder: Path) -> Iterator[str]:
    """Serve a script with the app's settings on a free port; yield its address."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    log = folder / "log.txt"
    command = [sys.executable, "-m", "streamlit", "run", str(script)]
    options = ["--server.port", str(port), "--server.address", "localhost"]
    with log.open("wb") as out:
        process = subprocess.Popen(command + options, cwd=ROOT, stdout=out, stderr=out)
        try:
            address = f"http://localhost:{port}"
            _wait_until_healthy(address, process, log)
            yield address
        finally:
            process.terminate()
            process.wait(timeout=20)


def _wait_until_healthy(address: str, process: subprocess.Popen, log: Path) -> None:
    end = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < end and process.poll() is None:
        try:
            urllib.request.urlopen(address + "/_stcore/health", timeout=2).close()
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"the server did not start:\n{log.read_text(errors='replace')}")
