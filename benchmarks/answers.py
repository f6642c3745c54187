"""Two answers that a reader waits for, in headless Chromium: a cancel, and the page *latent*.

Run it with ``python -m benchmarks.answers [TIMES]``. *Cancel* is a click while OC1 with fifty
restarts is trained on 20,000 rows: until the page says that it was cancelled, and until the
thread is at rest. *Latent* is a key on the slider of the held-out share (waveform, LSODT: the
spaces are found anew) or another component on an axis, until every figure is drawn anew.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.e2e.app import App, launch, ready

SLOW = "/boundaries?data=waveform&n_samples=20000&m=oc1&m.n_restarts=50&m2=cart&m2.max_depth=3"
LATENT = "/latent?data=waveform&n_samples=1000&m=lsodt"
WARM_UP = 2

# The time of the last drawing after the last key or click, once nothing was drawn for a while.
WATCH = """() => {
    window.since = 0; window.drawn = 0;
    for (const kind of ["keydown", "click"])
        addEventListener(kind, () => { window.since = performance.now(); window.drawn = 0; }, true);
    for (const gd of document.querySelectorAll(".lv-figure"))
        gd.on("plotly_afterplot", () => requestAnimationFrame(() => {
            window.drawn = performance.now();
        }));
}"""
QUIET = "() => window.drawn > 0 && performance.now() - window.drawn > 600"
TOOK = "window.drawn - window.since"


def cancels(page: Page, address: str, times: int) -> list[float]:
    """Return the milliseconds from each click on Cancel to the page's answer."""
    took = []
    for seed in range(times):
        page.goto(f"{address}{SLOW}&seed={seed}")
        page.get_by_test_id("stProgress").wait_for()
        page.locator(".lv-head").wait_for()
        time.sleep(3)
        begun = time.perf_counter()
        page.get_by_role("button", name="Cancel").click()
        page.get_by_role("button", name="Train").wait_for()
        took.append(1000 * (time.perf_counter() - begun))
    return took


def changes(page: Page, times: int, change: Callable[[int], None]) -> list[float]:
    """Return the milliseconds from each change to the last figure drawn."""
    took = []
    for i in range(WARM_UP + times):
        change(i)
        page.wait_for_function(QUIET, timeout=20_000)
        took.append(page.evaluate(TOOK))
    return took[WARM_UP:]


def main(times: int) -> None:
    """Print medians and the slowest."""
    with (
        tempfile.TemporaryDirectory() as folder,
        App(Path(folder)) as app,
        sync_playwright() as playwright,
    ):
        page = launch(playwright).new_page(viewport={"width": 1440, "height": 900})
        rows = [
            ("cancel of OC1, 50 restarts, 20,000 rows", cancels(page, app.address, times), 1000)
        ]
        page.goto(app.address + LATENT)
        ready(page)
        time.sleep(4)
        page.evaluate(WATCH)
        slider = page.get_by_role("slider", name="Held out")
        slider.focus()
        keys = ("ArrowRight", "ArrowLeft")
        moved = changes(page, times, lambda i: page.keyboard.press(keys[(i // 6) % 2]))
        rows.append(("latent: another division, key to last figure", moved, 300))
        names = ("u5", "u6", "u7")

        def other_component(i: int) -> None:
            axis = page.get_by_role("combobox", name="Across")
            axis.scroll_into_view_if_needed()
            time.sleep(0.5)  # scrolling closes the list
            axis.click()
            page.keyboard.type(names[i % 3])
            page.keyboard.press("Enter")

        rows.append(("latent: another component", changes(page, times, other_component), 300))
    print("\n| answer | median ms | slowest | bound |")
    print("|---|---|---|---|")
    for name, took, bound in rows:
        print(f"| {name} | {statistics.median(took):.0f} | {max(took):.0f} | {bound} |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
