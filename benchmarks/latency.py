"""From a key on a slider to the picture drawn: 5,000 points, C4.5, in headless Chromium.

Run it with ``python -m benchmarks.latency [CHANGES]``. Each change divides the data anew,
trains, and redraws what the page shows; the zoom must survive all of them. Before that, the
page that the app opens with: from its address to the first of its pictures. Then 500 painted
rows, and one more by each click: from the pointer's release to the model's new regions. At the
end each page with pictures opened in a window that has nothing stored: from its address to its
heading, and until all its pictures are drawn.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.e2e.app import App, launch, ready

PRESETS = {
    "one model": "/boundaries?data=gauss_2d&m=c45",
    "two models": "/boundaries?data=gauss_2d&m=c45&m2=cart&m2.max_leaf_nodes=30",
    "splits": "/splits?data=gauss_2d&m=c45",
    "rules": "/rules?data=gauss_2d&m=c45",
    "pruning": "/pruning?data=gauss_2d&m=c45",
}
COLD = ("boundaries", "growth", "splits", "latent", "rules", "pruning", "monotone", "compare")

WARM_UP = 3  # changes that are not counted

WATCH = """() => {
    window.times = []; window.since = null;
    addEventListener("keydown", () => (window.since = performance.now()), true);
    const figures = [...document.querySelectorAll(".lv-figure")].slice(0, MODELS);
    let left = 0;
    addEventListener("keydown", () => (left = figures.length), true);
    for (const gd of figures)
        gd.on("plotly_afterplot", () => requestAnimationFrame(() => {
            if (window.since !== null && --left === 0) {
                window.times.push(performance.now() - window.since);
                window.since = null;
            }
        }));
}"""

PAINTED = "/data?data=circles&n_samples=500&m=cart&held=0"

WATCH_CLICKS = """() => {
    window.times = []; window.since = null;
    addEventListener("pointerup", () => (window.since = performance.now()), true);
    const gd = document.querySelector(".st-key-painted_model .lv-figure");
    gd.on("plotly_afterplot", () => requestAnimationFrame(() => {
        if (window.since !== null) window.times.push(performance.now() - window.since);
        window.since = null;
    }));
}"""

ZOOM = """() => {
    const gd = document.querySelector(".lv-figure");
    return Plotly.relayout(gd, {"xaxis.range": [-2, 2], "yaxis.range": [-2, 2]});
}"""

RANGES = """() => {
    const {xaxis, yaxis} = document.querySelector(".lv-figure")._fullLayout;
    return [...xaxis.range, ...yaxis.range];
}"""


def measure(page: Page, n_models: int, changes: int) -> tuple[list[float], bool]:
    """Return the milliseconds of each change, and whether the zoom stayed."""
    page.evaluate(ZOOM)
    time.sleep(0.5)
    zoom = page.evaluate(RANGES)
    page.evaluate(WATCH.replace("MODELS", str(n_models)))
    slider = page.get_by_role("slider", name="Held out")
    slider.focus()
    for i in range(WARM_UP + changes):
        page.keyboard.press("ArrowRight" if (i // 6) % 2 == 0 else "ArrowLeft")
        page.wait_for_function(f"window.times.length > {i}", timeout=20_000)
        time.sleep(0.4)
    kept = all(abs(a - b) < 1e-6 for a, b in zip(zoom, page.evaluate(RANGES), strict=True))
    return page.evaluate("window.times")[WARM_UP:], kept


def measure_painting(page: Page, changes: int) -> list[float]:
    """Return the milliseconds from each painted point to the model's picture."""
    page.get_by_role("button", name="Paint on these rows").click()
    page.wait_for_selector(".st-key-painted_model .lv-figure .main-svg")
    ready(page)
    page.get_by_role("button", name="Point").click()
    page.evaluate(WATCH_CLICKS)
    canvas = page.locator(".lv-paint-canvas")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    for i in range(WARM_UP + changes):
        share = (0.1 + 0.8 * ((0.618 * i) % 1), 0.1 + 0.8 * ((0.414 * i) % 1))
        page.mouse.click(box["x"] + share[0] * box["width"], box["y"] + share[1] * box["height"])
        page.wait_for_function(f"window.times.length > {i}", timeout=20_000)
        time.sleep(0.4)
    return page.evaluate("window.times")[WARM_UP:]


def first_picture(browser: Browser, address: str, picture: str) -> tuple[Page, float]:
    """Return a new window at `address`, and the seconds until `picture` stands there."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    begin = time.monotonic()
    page.goto(address)
    page.wait_for_selector(picture)
    return page, time.monotonic() - begin


def cold(browser: Browser, address: str) -> tuple[float, float]:
    """Return the seconds to the heading and to all pictures in a window with nothing stored."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    begin = time.monotonic()
    page.goto(address, wait_until="commit")
    page.wait_for_selector('[data-testid="stMain"] h1')
    heading = time.monotonic() - begin
    ready(page)
    pictures = time.monotonic() - begin
    context.close()
    return heading, pictures


def main(changes: int) -> None:
    print("\n| scene | key to picture, ms: p50 | p95 | zoom kept | first picture, s |")
    print("|---|---|---|---|---|")
    with (
        tempfile.TemporaryDirectory() as folder,
        App(Path(folder)) as app,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        for visitor in ("first", "second"):
            page, first = first_picture(browser, app.address, ".lv-pictures img")
            print(f"| home, {visitor} visitor | | | | {first:.1f} |")
            page.close()
        for name, path in PRESETS.items():
            page, first = first_picture(browser, app.address + path, ".lv-figure .main-svg")
            ready(page)
            n_models = max(1, len(page.locator(".lv-head").all()))
            times, kept = measure(page, n_models, changes)
            p95 = statistics.quantiles(times, n=20)[-1]
            print(
                f"| {name} | {statistics.median(times):.0f} | {p95:.0f} "
                f"| {'yes' if kept else 'NO'} | {first:.1f} |"
            )
            page.close()
        page, first = first_picture(browser, app.address + PAINTED, ".lv-pictures, .lv-figure")
        ready(page)
        times = measure_painting(page, changes)
        p95 = statistics.quantiles(times, n=20)[-1]
        print(f"| a point painted | {statistics.median(times):.0f} | {p95:.0f} | | |")
        page.close()
        print("\n| page, opened cold | heading, s | all pictures, s |\n|---|---|---|")
        for name in COLD:
            heading, pictures = cold(browser, f"{app.address}/{name}")
            print(f"| {name} | {heading:.1f} | {pictures:.1f} |")
        browser.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
