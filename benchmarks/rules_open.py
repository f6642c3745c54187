"""How long a tree of 5,000 nodes takes to open on the page *rules*, and 500 nodes to redraw.

Run it with ``python -m benchmarks.rules_open [OPENINGS]``. Server: the parts of the page for a
trained tree. Browser: from the menu to the drawn picture, for a reader who saw the tree on the page
*boundaries* and now asks what it says (another seed each time, so nothing of the page is known);
from the address, in a new window that has to load the app, too; from a key on the slider to the
redrawn tree.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from lastviz import CARTClassifier
from lastviz.datasets import load_dataset
from lastviz.export import FORMATS
from lastviz.inspection import rules
from lastviz.plots import figure_json, rule_tree_plot
from tests.e2e.app import App, launch, ready

N_SAMPLES = 9500  # two Gaussians, all in training: a little over 5,000 nodes
SCENE = f"/rules?data=gauss_2d&n_samples={N_SAMPLES}&held=0&m=cart"
SMALL = "/rules?data=xor&n_samples=100&held=0&m=cart"  # what any page of the app takes

WATCH = """() => {
    window.times = []; window.since = null;
    addEventListener("keydown", () => (window.since = performance.now()), true);
    document.querySelector(".lv-figure").on("plotly_afterplot", () => requestAnimationFrame(() => {
        if (window.since !== null) window.times.push(performance.now() - window.since);
        window.since = null;
    }));
}"""


def milliseconds(work: Callable[[], object], repeats: int = 5) -> float:
    """Return the median time of some work."""
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        work()
        times.append(1000 * (time.perf_counter() - begin))
    return statistics.median(times)


def server() -> None:
    """Print the times of the parts."""
    data = load_dataset("gauss_2d", n_samples=N_SAMPLES, random_state=1)
    tree = CARTClassifier().fit(data.numeric_X, data.codes).tree_
    found = rules(tree)
    numbers = {rule.node: rule.number for rule in found}
    print(f"\n{tree.n_nodes} nodes, {tree.n_leaves} rules, {tree.max_depth} deep\n")
    print("| server | ms |\n|---|---|")
    parts: dict[str, Callable[[], object]] = {"rules": lambda: rules(tree)}
    for most in (40, 250):
        parts[f"figure of {most} rows, as JSON"] = lambda most=most: figure_json(
            rule_tree_plot(tree, theme="light", numbers=numbers, most=most)
        )
    parts |= {form.title: lambda form=form: form.write(tree, None) for form in FORMATS.values()}
    for name, work in parts.items():
        print(f"| {name} | {milliseconds(work):.0f} |")


def from_the_menu(chromium: Browser, address: str, seed: int) -> float:
    """Return the seconds from a click on *Rules* to its tree, coming from *boundaries*."""
    page = chromium.new_page(viewport={"width": 1440, "height": 900})
    page.goto(f"{address}{SCENE.replace('/rules', '/boundaries')}&seed={seed + 50}")
    ready(page)
    page.wait_for_selector(".lv-figure .main-svg")
    page.wait_for_timeout(1500)  # the sidebar comes last
    page.get_by_test_id("stTopNavSection").filter(has_text="Explore").click()
    entry = page.get_by_role("menuitem", name="Rules", exact=True)
    begin = time.monotonic()
    entry.click()
    page.wait_for_selector(".st-key-rule_tree .main-svg")
    took = time.monotonic() - begin
    page.close()
    return took


def browser(openings: int) -> None:
    """Print the times from the address, and from a key, to the picture."""
    print("\n| browser | p50 | slowest |\n|---|---|---|")
    with (
        tempfile.TemporaryDirectory() as folder,
        App(Path(folder)) as app,
        sync_playwright() as playwright,
    ):
        chromium = launch(playwright)
        for name, path in (("a small tree", SMALL), ("5,000 nodes", SCENE)):
            opened = []
            for i in range(openings + 1):
                page = chromium.new_page(viewport={"width": 1440, "height": 900})
                begin = time.monotonic()
                page.goto(app.address + path)
                page.wait_for_selector(".lv-figure .main-svg")
                if i:  # the first one trains
                    opened.append(time.monotonic() - begin)
                page.close()
            print(f"| open {name}, s | {statistics.median(opened):.2f} | {max(opened):.2f} |")
        opened = [from_the_menu(chromium, app.address, seed) for seed in range(openings)]
        print(f"| 5,000 nodes, by the menu, s | {statistics.median(opened):.2f} "
              f"| {max(opened):.2f} |")  # fmt: skip
        page = chromium.new_page(viewport={"width": 1440, "height": 900})
        page.goto(f"{app.address}{SCENE}&least=200")
        ready(page)
        page.wait_for_selector(".st-key-rule_tree .main-svg")
        page.wait_for_timeout(1000)  # the sidebar comes last
        page.evaluate(WATCH)
        page.get_by_role("slider", name="Open nodes from").focus()
        for i in range(10):
            page.keyboard.press("ArrowLeft" if i % 2 else "ArrowRight")
            page.wait_for_function(f"window.times.length > {i}", timeout=20_000)
            time.sleep(0.4)
        times = page.evaluate("window.times")[2:]
        print(f"| key to picture, ms | {statistics.median(times):.0f} | {max(times):.0f} |")
        chromium.close()


if __name__ == "__main__":
    server()
    browser(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
