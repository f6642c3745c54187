"""What a growth costs: ``python -m benchmarks.growth_speed``. Stories made, steps drawn.

A story is everything that the player needs, made once per model. A step is measured in headless
Chromium from the key to the next frame after the picture stands.
"""

from __future__ import annotations

import logging
import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from lastviz.ui.compute.work import Work
from lastviz.ui.growth.details import story_of
from lastviz.ui.growth.figures import growth_scene
from lastviz.ui.shared.figures import plane_of
from lastviz.ui.state import session
from lastviz.ui.state.codec import decode
from tests.e2e.app import App, launch, ready

# The bounds: 1 s for the frames of a tree of 100 nodes, 100 ms for a step.
PRESETS = {
    "CART, 101 nodes": "data=gauss_2d&n_samples=2000&m=cart&m.max_leaf_nodes=51",
    "C4.5, 321 nodes, pruned": "data=gauss_2d&n_samples=1000&m=c45&m.mdl_correction=false",
    "SVM tree, spirals": "data=three_spirals&m=svm_tree&m.sigma=18&m.C=100",
    "SVM tree, digits": "data=digits&m=svm_tree",
    "SVM tree, digits, plane": "data=digits&m=svm_tree&picture=plane",
}
REPEATS = 5
MOST_STEPS = 30

WATCH = """() => {
    const root = document.querySelector(".lv-growth");
    window.times = []; window.since = null;
    addEventListener("keydown", () => (window.since = performance.now()), true);
    new MutationObserver(() => requestAnimationFrame(() => {
        if (window.since === null) return;
        window.times.push(performance.now() - window.since);
        window.since = null;
    })).observe(root, {attributes: true, attributeFilter: ["data-step"]});
}"""


def story_cost(query: str) -> tuple[float, int, int]:
    """Return the milliseconds that a story takes, its steps and its characters."""
    pairs = dict(part.split("=") for part in query.split("&"))
    selection, _ = decode(pairs, session.data_params, session.model_params)
    plane = plane_of(Work(selection))
    many = plane.is_slice and selection.growth.picture != "plane"
    _ = Work(selection).first.fitted
    times = []
    for _ in range(REPEATS):
        begin = time.perf_counter()
        picture = "values" if many else "plane"
        told = story_of(growth_scene(Work(selection), plane, picture, "light"))
        times.append(1000 * (time.perf_counter() - begin))
    return statistics.median(times), len(told.steps), len(told.text)


def step_costs(page: Page) -> list[float]:
    """Return the milliseconds of each step, to the end or thirty, and of some back."""
    page.evaluate(WATCH)
    page.locator(".lv-growth").focus()
    page.keyboard.press("Home")
    time.sleep(0.6)
    page.evaluate("window.times = []")
    last = int(page.locator(".lv-growth input").get_attribute("max"))
    n = min(last, MOST_STEPS)
    for i, key in enumerate(["ArrowRight"] * n + ["ArrowLeft"] * n):
        page.keyboard.press(key)
        page.wait_for_function(f"window.times.length > {i}", timeout=20_000)
        time.sleep(0.1)
    return page.evaluate("window.times")


def main() -> None:
    logging.disable(logging.WARNING)
    print("\n| growth | steps | story, ms | kB | step, ms: p50 | p95 |")
    print("|---|---|---|---|---|---|")
    with (
        tempfile.TemporaryDirectory() as folder,
        App(Path(folder)) as app,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        for name, query in PRESETS.items():
            took, steps, size = story_cost(query)
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(f"{app.address}/growth?{query}")
            ready(page)
            times = sorted(step_costs(page))
            p95 = times[int(0.95 * (len(times) - 1))]
            kilobytes = size / 1000
            print(f"| {name} | {steps} | {took:.0f} | {kilobytes:.0f} "
                  f"| {statistics.median(times):.0f} | {p95:.0f} |")  # fmt: skip
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
