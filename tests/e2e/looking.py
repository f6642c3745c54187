"""Opening link after link in one tab, and what is wrong with each page as it comes to rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Browser, TimeoutError

from .app import PATIENCE, SIZES, WINDOWLESS, launch_options, still

LAYOUT = (Path(__file__).parent / "layout.js").read_text(encoding="utf-8")
# Scroll on by most of a window; tell whether there was more to come.
FURTHER = """async () => {
    const main = document.querySelector("[data-testid=stMain]"), before = main.scrollTop;
    main.scrollBy({ top: 0.8 * innerHeight, behavior: "instant" });
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    return main.scrollTop > before;
}"""
SEEN_AT = {
    "laptop": {"width": 1280, "height": 720}, **SIZES, "wall": {"width": 1920, "height": 1080}
}  # fmt: skip
# Where a page is looked at, and in which language.
LOOKS = tuple(product(("laptop", *SIZES), ("en", "zh")))
SAMPLED = 3  # of so many looks at a page, .ci/run takes one
PATIENT = 4 * PATIENCE  # one of so many pages will meet a machine that has much else to do
Look = Callable[..., list[str]]


def sampled_looks(turn: int) -> list:
    """Return the looks as parameters: every third runs always, others for another `turn`."""
    return [
        pytest.param(*look, marks=[pytest.mark.slow] if (i + turn) % SAMPLED else [])
        for i, look in enumerate(LOOKS)
    ]


@contextmanager
def looking(browser: Browser, address: str) -> Iterator[Look]:
    """Yield ``look(link, size, language)``, which opens a page and returns its faults.

    Faults are errors of scripts, and all that layout.js says of the page, window by window, or what
    another script says of the first. Nothing moves of itself on it, as readers can ask of their
    system. Bars to scroll take room beside what they scroll.
    """
    options = launch_options("--process-per-site", prefer=WINDOWLESS)
    shows_bars = browser.browser_type.launch(**options, ignore_default_args=["--hide-scrollbars"])
    context = shows_bars.new_context(reduced_motion="reduce", locale="en-US")
    page, said = context.new_page(), []
    page.set_default_timeout(PATIENT)
    page.on("pageerror", lambda error: said.append(f"error of a script: {error}"))
    page.on(
        "console", lambda line: line.type == "error" and said.append(f"on the console: {line.text}")
    )

    def look(link: str, size: str, language: str, first: str = LAYOUT) -> list[str]:
        said.clear()
        page.set_viewport_size(SEEN_AT[size])
        link += f"{'&' if '?' in link else '?'}lang={language}"
        page.goto(address + link)
        try:
            still(page, PATIENT)
        except TimeoutError as error:
            said.append(str(error))
        said.extend(page.evaluate(first))
        while first == LAYOUT and page.evaluate(FURTHER):
            said.extend(page.evaluate(LAYOUT))
        return [f"{link} ({size}): {fault}" for fault in dict.fromkeys(said)]

    yield look
    shows_bars.close()
