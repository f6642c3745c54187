"""A slider that is held: what its frames weigh, and how soon each of them stands on the screen.

Run it with ``python -m benchmarks.frames``: headless Chromium, software rendering. The thumb of the
depth shown is dragged from stop to stop, there and back. A frame counts from the slider's new value
to all figures drawn, the wait for the screen's next picture included. Nothing may be sent
meanwhile.
"""

from __future__ import annotations

import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, WebSocket, sync_playwright

from tests.e2e.app import PATIENCE, SIZES, App, launch, ready

SLIDER = "Depth shown"
SCENES = {
    "moons, 400 rows": "/boundaries?data=moons&m=cart",
    "moons, two models": "/boundaries?data=moons&m=c45&m2=gsodt",
    "waveform, 5,000 rows": "/boundaries?data=waveform&n_samples=5000&m=cart",
    "iris, rules": "/rules?data=iris&m=cart",
}
ROUNDS = 4

WATCH = """input => {
    window.frameTimes = [];
    const player = [...lastviz.players.values()].find((each) => each.input === input);
    let since = null, last = player.drawn;
    new MutationObserver(() => (since ??= performance.now()))
        .observe(input, {attributes: true, attributeFilter: ["value"]});
    const look = () => {
        if (player.drawn !== last && since !== null) {
            const begin = since;
            [last, since] = [player.drawn, null];
            last.then(() => window.frameTimes.push(performance.now() - begin));
        }
        setTimeout(look, 1);
    };
    look();
}"""
THUMB = """input => {
    const thumb = input.parentElement.parentElement.getBoundingClientRect();
    const track = input.parentElement.parentElement.parentElement.getBoundingClientRect();
    return [thumb.x + thumb.width / 2, thumb.y + thumb.height / 2,
            track.width / (input.max - input.min)];
}"""
HAS_FRAMES = """input =>
    [...lastviz.players.values()].some((each) => each.input === input && each.frames)"""


@dataclass
class Traffic:
    """Bytes that came from the server, and messages that went there."""

    received: int = 0
    sent: int = 0

    def watch(self, socket: WebSocket) -> None:
        """Count what goes through a socket."""
        socket.on("framereceived", self._come)
        socket.on("framesent", self._gone)

    def _come(self, payload: str | bytes) -> None:
        self.received += len(payload)

    def _gone(self, _: str | bytes) -> None:
        self.sent += 1


def drag(page: Page, traffic: Traffic) -> tuple[int, int, list[float], int]:
    """Return how many frames came, their bytes, the milliseconds of each, messages sent."""
    slider = page.get_by_role("slider", name=SLIDER).first
    slider.evaluate("input => input.scrollIntoView({block: 'center'})")
    x, y, step = slider.evaluate(THUMB)
    before = traffic.received
    page.mouse.move(x, y)
    page.wait_for_function(HAS_FRAMES, arg=slider.element_handle(), timeout=PATIENCE)
    ready(page)
    weight, stops = traffic.received - before, int(slider.input_value())
    page.mouse.down()
    page.wait_for_timeout(300)  # the first frame is made ready: see components/frames.js
    slider.evaluate(WATCH)
    sent = traffic.sent
    there = list(range(stops - 1, 0, -1))
    for value in (there + there[-2::-1] + [stops]) * ROUNDS:
        page.mouse.move(x - (stops - value) * step, y)
        page.wait_for_timeout(40)
    times = page.evaluate("window.frameTimes")
    sent = traffic.sent - sent
    page.mouse.up()
    ready(page)
    return stops, weight, times, sent


def main() -> None:
    print("\n| scene | stops | kB of all frames | frame p50, ms | p95 | messages sent |")
    print("|---|---|---|---|---|---|")
    with (
        tempfile.TemporaryDirectory() as folder,
        App(Path(folder)) as app,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        for name, path in SCENES.items():
            page, traffic = browser.new_page(viewport=SIZES["projector"]), Traffic()
            page.on("websocket", traffic.watch)
            page.goto(app.address + path)
            ready(page)
            stops, weight, times, sent = drag(page, traffic)
            print(
                f"| {name} | {stops} | {weight / 1000:.0f} | {statistics.median(times):.0f} "
                f"| {statistics.quantiles(times, n=20)[-1]:.0f} | {sent} |",
                flush=True,
            )
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
