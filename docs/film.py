"""The moving picture of the README: a growth, step by step, filmed in the app itself.

Run it with ``python -m docs.film``; it lands beside this file as ``growth.webp``.
"""

from __future__ import annotations

import io
import re
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

from lastviz.warm_up import prepare
from tests.e2e.app import App, launch, ready

SCENE = "/growth?data=moons&n_samples=300&noise=0.3&m=c45&seed=5"
SIZE = {"width": 1560, "height": 1000}
WIDE, ROOM = 900, 14  # pixels of what is filmed, and around it
STEP, LAST = 900, 3500  # milliseconds
LARGEST = 2_000_000  # bytes


def main() -> None:
    """Start the app, play a growth, keep what is seen."""
    file = Path(__file__).with_name("growth.webp")
    prepare()
    with (
        tempfile.TemporaryDirectory() as folder,
        App(Path(folder)) as app,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        page = browser.new_page(viewport=SIZE, color_scheme="light", reduced_motion="reduce")
        page.goto(app.address + SCENE)
        ready(page)
        shots = of_one_size(list(filmed(page)))
        browser.close()
    times = [STEP] * (len(shots) - 1) + [LAST]
    shots[0].save(
        file, save_all=True, append_images=shots[1:], duration=times, loop=0, quality=80, method=6
    )
    size = file.stat().st_size
    if size > LARGEST:
        raise RuntimeError(f"{file.name} has {size:,} bytes, more than {LARGEST:,}")
    print(f"{file.name}: {len(shots)} pictures, {size:,} bytes")


def filmed(page: Page):
    """Yield a picture of each step of the player."""
    player = page.locator(".lv-growth")
    expect(player).to_have_attribute("data-step", re.compile(r"\d"))
    page.wait_for_selector(".lvg-marks path")
    player.locator("details").evaluate_all("(all) => all.forEach((each) => (each.open = false))")
    player.focus()
    page.keyboard.press("Home")
    expect(player).to_have_attribute("data-step", "0")
    player.scroll_into_view_if_needed()
    while True:
        page.evaluate("() => document.fonts.ready")
        yield picture(player.screenshot())
        step = int(player.get_attribute("data-step"))
        count = page.locator(".lvg-count").inner_text()
        if step >= int(re.findall(r"\d+", count)[-1]):
            return
        page.keyboard.press("ArrowRight")
        expect(player).to_have_attribute("data-step", str(step + 1))


def picture(content: bytes) -> Image.Image:
    """Return a screenshot in the width of the picture, on white."""
    shot = Image.open(io.BytesIO(content)).convert("RGB")
    return shot.resize((WIDE, round(shot.height * WIDE / shot.width)), Image.Resampling.LANCZOS)


def of_one_size(shots: list[Image.Image]) -> list[Image.Image]:
    """Return pictures as high as the highest, on white, with some room around."""
    height = max(shot.height for shot in shots)
    found = []
    for shot in shots:
        whole = Image.new("RGB", (WIDE + 2 * ROOM, height + 2 * ROOM), "white")
        whole.paste(shot, (ROOM, ROOM))
        found.append(whole)
    return found


if __name__ == "__main__":
    main()
