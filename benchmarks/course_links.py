"""Links of the course opened cold: a new window with an empty cache, a server that knows the scene.

Run it with ``python -m benchmarks.course_links [TIMES]``. For each scene the seconds from its
address to the text of its first step, to its first picture, and to all of its pictures.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Browser, sync_playwright

from lastviz.ui.state.lessons import SCENES
from tests.e2e.app import SIZES, App, launch, ready

TIMES = 2
TEXT = ".lv-course p"
A_PICTURE = ".lv-figure .main-svg, .lv-growth svg, .lv-pictures img"
ALL_DRAWN = """() => {
    const figures = [...document.querySelectorAll(".lv-figure")];
    return !document.querySelector('[data-testid="stSkeleton"], [data-testid="stProgress"]')
        && document.querySelector('[data-test-script-state="notRunning"]')
        && figures.every((figure) => figure.querySelector(".main-svg"));
}"""


def opened_cold(browser: Browser, link: str) -> tuple[float, float, float]:
    """Return the seconds to the text of the step, to a picture, and to all pictures."""
    context = browser.new_context(viewport=SIZES["projector"])
    page = context.new_page()
    begin = time.perf_counter()
    page.goto(link, wait_until="commit")
    found = []
    for condition in (TEXT, A_PICTURE):
        page.wait_for_selector(condition)
        found.append(time.perf_counter() - begin)
    page.wait_for_function(ALL_DRAWN)
    found.append(time.perf_counter() - begin)
    context.close()
    return tuple(found)


def main(times: int) -> None:
    print("| scene | text, s | first picture, s | all pictures, s |\n|---|---|---|---|")
    rows = []
    with (
        tempfile.TemporaryDirectory() as folder,
        App(Path(folder)) as app,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        for scene in SCENES:
            link = f"{app.address}/{scene.steps[0].page}?{urlencode(scene.query_of(1))}"
            known = browser.new_page()
            known.goto(link)
            ready(known)
            known.close()
            runs = [opened_cold(browser, link) for _ in range(times)]
            rows.append([statistics.median(each) for each in zip(*runs, strict=True)])
            print(f"| {scene.key} | " + " | ".join(f"{s:.1f}" for s in rows[-1]) + " |", flush=True)
    columns = list(zip(*rows, strict=True))
    for name, of in (("median", statistics.median), ("longest", max)):
        print(f"| {name} | " + " | ".join(f"{of(column):.1f}" for column in columns) + " |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else TIMES)
