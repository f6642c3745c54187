"""Every page as a ratio to the app of an hour, and opened cold as a ratio to a bare page.

Run it with ``python -m benchmarks.yardstick [--rounds N] [--only visitors keys cold marks]``. The
other app is ``yardstick_app.py``, under Streamlit's own settings; each measurement of a page is
followed by one of the other app, so that both meet the same machine. Visitors are those of
``class_of_fifty``: each change asks for a model that nobody has grown. Keys go from the press of an
arrow on the slider to the frame after Plotly's last. Cold are a heading and the first picture of a
window that has nothing stored. Marks: a picture of 5,000 rows drawn anew, by the chart host and by
Plotly alone. Printed are medians of both sides in milliseconds and their ratio.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.class_of_fifty import RAMP, THINK, Scene, arrival, class_of, visit
from tests.e2e.app import App, launch, ready

HELD_OUT = "Held out"
PAGES = {
    "boundaries": "data=moons&m=cart",
    "boundaries, 5,000 rows": "data=moons&n_samples=5000&m=cart",
    "rules": "data=moons&m=cart",
    "splits": "data=circles&m=hybrid",
    "pruning": "data=breast_cancer&m=cart",
    "latent": "data=wine&m=lsodt",
    "growth": "data=wine&m=c45",
    "monotone": "data=monotone&n_samples=150&m=remt",
}
KEYS = {
    "boundaries": "data=moons&n_samples=5000&m=cart",
    "splits": "data=gauss_2d&m=cart",
    "rules": "data=moons&n_samples=5000&m=cart",
    "pruning": "data=moons&n_samples=5000&m=cart",
    "growth": "data=wine&m=c45",
}
COLD = ("home", *(name for name in PAGES if "," not in name), "compare", "data", "quiz")
OTHER = Scene("", "n=400", HELD_OUT)
CHANGES = 4  # of each visitor
PRESSED = 16  # keys

SEEN = """window.seen = {};
new MutationObserver(() => {
  const known = { h: "[data-testid=stMain] h1", p: ".main-svg, .lv-grown svg, .lv-pictures img" };
  for (const [name, what] of Object.entries(known))
    if (!(name in seen) && document.querySelector(what)) seen[name] = performance.now();
}).observe(document, { childList: true, subtree: true });"""
# Streamlit's own charts are mounted anew at each change.
WATCH = """() => {
  window.drawn = 0; window.pressed = 0;
  addEventListener("keydown", () => (window.pressed = performance.now()), true);
  const known = new WeakSet();
  const note = () => requestAnimationFrame(() => (window.drawn = performance.now()));
  const watch = () => {
    for (const gd of document.querySelectorAll(".js-plotly-plot"))
      if (gd.on && !known.has(gd)) { known.add(gd); note(); gd.on("plotly_afterplot", note); }
    requestAnimationFrame(watch);
  };
  watch();
  // The table of the steps is filled after the picture.
  const isPicture = ({ target }) => !target.closest(".lvg-table");
  for (const grown of document.querySelectorAll(".lv-growth"))
    new MutationObserver((found) => found.some(isPicture) && note())
      .observe(grown, { childList: true, subtree: true });
}"""


def waited(address: str, scene: Scene, users: int) -> float:
    """Median milliseconds of a change, for so many visitors at once."""

    async def run() -> float:
        visitors = class_of(address, scene, users, CHANGES, shared=False)
        arrived = asyncio.Event()
        await asyncio.gather(*(arrival(v, RAMP * i) for i, v in enumerate(visitors)))
        arrived.set()
        await asyncio.gather(*(visit(v, arrived, THINK, float("inf")) for v in visitors))
        assert not sum(v.faults for v in visitors), scene
        for visitor in visitors:
            await visitor.socket.close()
        return statistics.median(t for v in visitors for t in v.times)

    return asyncio.run(run())


def painted(browser: Browser, address: str) -> float:
    """Median milliseconds from a key on the slider to the picture."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.set_default_timeout(60_000)
    page.goto(address)
    ready(page, everything=False)
    page.locator(".js-plotly-plot, .lv-growth svg").first.wait_for()
    page.wait_for_timeout(1000)
    page.evaluate(WATCH)
    page.get_by_role("slider", name=HELD_OUT).focus()
    times = []
    for i in range(PRESSED):
        page.keyboard.press("ArrowRight" if i % 8 < 4 else "ArrowLeft")
        page.wait_for_function("() => window.drawn > window.pressed")
        times.append(page.evaluate("() => window.drawn - window.pressed"))
        ready(page, everything=False)
        page.wait_for_timeout(400)
    page.close()
    return statistics.median(times[2:])


def opened(browser: Browser, address: str) -> tuple[float, float]:
    """Milliseconds to the heading and to the first picture, with nothing stored."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.add_init_script(SEEN)
    page.goto(address, wait_until="commit")
    page.wait_for_function("() => 'p' in seen && 'h' in seen", timeout=120_000)
    heading, picture = page.evaluate("() => [seen.h, seen.p]")
    context.close()
    return heading, picture


# To the second frame, since the first one is painted by then; all is drawn, not what has changed.
DRAW = """async (gd, most) => {
  const frame = () => new Promise(requestAnimationFrame);
  const anew = (trace) => ({ ...trace, x: trace.x?.slice?.() ?? trace.x });
  await Plotly.restyle(gd, { "marker.maxdisplayed": most });
  const begin = performance.now();
  await Plotly.react(gd, gd.data.map(anew), gd.layout);
  await frame();
  await frame();
  return performance.now() - begin;
}"""


def drawn_anew(page: Page, most: int | list[int]) -> float:
    """Milliseconds of a drawing; `most`: how many marks Plotly draws of each trace, 0 for all."""
    return page.locator(".lv-figure").first.evaluate(DRAW, most)


def side_by_side(
    name: str, ours: Callable[[], float], other: Callable[[], float], rounds: int
) -> None:
    """Print a row: both measured alternately."""
    pairs = [(ours(), other()) for _ in range(rounds)]
    tell(name, *(statistics.median(side) for side in zip(*pairs, strict=True)))


def tell(name: str, ours: float, other: float) -> None:
    """Print a row of the table."""
    print(f"| {name} | {ours:.0f} | {other:.0f} | {ours / other:.2f} |", flush=True)


def compare_visitors(ours: str, other: str, rounds: int) -> None:
    """Print what visitors wait for a change on each page."""
    for users in (10, 50):
        for name, query in PAGES.items():
            scene = Scene(name.split(",")[0], query, HELD_OUT)
            side_by_side(
                f"{users} visitors: {name}",
                partial(waited, ours, scene, users), partial(waited, other, OTHER, users), rounds,
            )  # fmt: skip


def compare_keys(browser: Browser, ours: str, other: str, rounds: int) -> None:
    """Print how long a key takes to the picture, with as many rows on both sides."""
    for name, query in KEYS.items():
        rows = 5000 if "5000" in query or "gauss" in query else 400
        side_by_side(
            f"key to picture: {name}",
            partial(painted, browser, f"{ours}/{name}?{query}"),
            partial(painted, browser, f"{other}/?n={rows}"), rounds,
        )  # fmt: skip


def compare_cold(browser: Browser, ours: str, other: str, rounds: int) -> None:
    """Print how long a fresh window waits for a page."""
    for name in COLD:
        at = (f"{ours}/{'' if name == 'home' else name}", f"{other}/?bare")
        pairs = [[opened(browser, each) for each in at] for _ in range(rounds)]
        for i, what in enumerate(("heading", "picture")):
            row = [statistics.median(pair[k][i] for pair in pairs) for k in (0, 1)]
            tell(f"cold, {what}: {name}", *row)


def compare_marks(browser: Browser, ours: str, rounds: int) -> None:
    """Print how long marks take by the chart host and by Plotly."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(f"{ours}/boundaries?data=gauss_2d&m=cart")
    ready(page)
    given = page.locator(".lv-figure").first.evaluate(
        "gd => gd.data.map(({ marker }) => marker?.maxdisplayed ?? 0)"
    )
    side_by_side(
        "5,000 marks, drawn by the host and by Plotly",
        partial(drawn_anew, page, given), partial(drawn_anew, page, 0), 3 * rounds,
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description="Pages beside the app of an hour.")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="+", default=["visitors", "keys", "cold", "marks"])
    options = parser.parse_args()
    print("\n| measured | ours, ms | the other, ms | ratio |\n|---|---|---|---|")
    with (
        tempfile.TemporaryDirectory() as one,
        tempfile.TemporaryDirectory() as two,
        App(Path(one)) as app,
    ):
        other = App(Path(two), Path(__file__).with_name("yardstick_app.py"))
        other.start(Path(two))
        addresses = app.address, other.address
        try:
            if "visitors" in options.only:
                compare_visitors(*addresses, options.rounds)
            with sync_playwright() as playwright, launch(playwright) as browser:
                if "keys" in options.only:
                    compare_keys(browser, *addresses, options.rounds)
                if "cold" in options.only:
                    compare_cold(browser, *addresses, options.rounds)
                if "marks" in options.only:
                    compare_marks(browser, app.address, options.rounds)
        finally:
            other.stop()


if __name__ == "__main__":
    main()
