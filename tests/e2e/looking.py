"""Opening link after link in one tab, and what is wrong with each page as it comes to rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, TimeoutError

from .app import PATIENCE, SIZES, still

LAYOUT = (Path(__file__).parent / "layout.js").read_text(encoding="utf-8")
SEEN_AT = {"laptop": {"width": 1280, "height": 720}, "phone": SIZES["phone"]}
PATIENT = 4 * PATIENCE  # one of so many pages will meet a machine that has much else to do
Look = Callable[[str, str], list[str]]


@contextmanager
def looking(browser: Browser, address: str) -> Iterator[Look]:
    """Yield ``look(link, size)``, which opens a page of a server and returns its faults.

    Faults are errors of scripts, and all that layout.js says of the page. Nothing moves of itself
    on it, as readers can ask of their system.
    """
    context = browser.new_context(reduced_motion="reduce", locale="en-US")
    page, said = context.new_page(), []
    page.set_default_timeout(PATIENT)
    page.on("pageerror", lambda error: said.append(f"error of a script: {error}"))
    page.on(
        "console", lambda line: line.type == "error" and said.append(f"on the console: {line.text}")
    )

    def look(link: str, size: str) -> list[str]:
        said.clear()
        page.set_viewport_size(SEEN_AT[size])
        page.goto(address + link)
        try:
            still(page, PATIENT)
        except TimeoutError as error:
            said.append(str(error))
        return [f"{link} ({size}): {fault}" for fault in [*said, *page.evaluate(LAYOUT)]]

    yield look
    context.close()
