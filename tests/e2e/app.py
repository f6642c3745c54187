"""Starting the app and a browser, and knowing when a page is ready."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Download, Locator, Page, Playwright, TimeoutError, expect

from tests import patience

ROOT = Path(__file__).parents[2]
SIZES = {"projector": {"width": 1440, "height": 900}, "phone": {"width": 390, "height": 844}}
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
# A browser of a distribution runs as root only without its sandbox, and calls home unasked.
BROWSER_OPTIONS = ("--no-sandbox", "--disable-background-networking", "--disable-component-update")
# Of the same package as Chromium, without what shows windows: it has less to do.
WINDOWLESS = "chromium-headless-shell"
HOME = "home"
# In milliseconds, as a browser counts.
SETTLED = 100  # milliseconds in which widgets take the values of the run before
PATIENCE, LONG = 1000 * patience.SECONDS, 1000 * patience.LONG
TRIES = [1000 * seconds for seconds in patience.TRIES]


def launch(playwright: Playwright, *options: str, prefer: str = "") -> Browser:
    """Start a browser: one of that name, if there is one."""
    return playwright.chromium.launch(**launch_options(*options, prefer=prefer))


def launch_options(*options: str, prefer: str = "") -> dict[str, object]:
    """Return how the system's Chromium is started (CHROMIUM names another)."""
    installed = filter(None, map(shutil.which, (prefer, *BROWSERS)))
    found = os.environ.get("CHROMIUM") or next(installed, None)
    return {"executable_path": found, "args": [*BROWSER_OPTIONS, *options]}


# What a page is still waited for.
AWAITED = """() => Object.entries({
    "the script": document.querySelector('[data-test-script-state="notRunning"]'),
    "the heading": document.querySelector('[data-testid="stMain"] h1'),
    "an element": !document.querySelector('[data-testid="stSkeleton"]'),
    "a job": !document.querySelector('[data-testid="stProgress"]'),
    "the visitor": !document.documentElement.hasAttribute("data-lv-visitor-awaited"),
    "a growth": [...document.querySelectorAll(".lv-growth")].every((one) => "step" in one.dataset),
    "a part in sight": ![...document.querySelectorAll("[class*=st-key-unseen_]")].some((part) => {
        const { top, bottom } = part.getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
    }),
    "a link": [...document.querySelectorAll(".lv-copy-label")].every((label) => label.textContent),
    "a figure": [...document.querySelectorAll(".lv-figure")].every(
        (figure) => figure.querySelector(".main-svg")),
}).filter(([, isThere]) => !isThere).map(([name]) => name)"""


def ready(page: Page, *, everything: bool = True) -> None:
    """Wait until the script has run, every model is trained and every figure is drawn.

    What was handed in is stored by then, too. A page that was opened by its own address runs
    twice on a server's first day, and stands still in between: its heading says that it has come.
    Of `everything` also the parts that nobody has had in sight yet are asked for.
    """
    _wait(page)
    while everything and (part := page.query_selector("[class*=st-key-unseen_] button")):
        page.wait_for_timeout(SETTLED)  # a click tells the values of all widgets: the new ones
        part.evaluate("(button) => button.click()")
        page.wait_for_function("(button) => !button.isConnected", arg=part)
        _wait(page)


def _wait(page: Page) -> None:
    something = '[data-testid="stMain"] [data-testid="stElementContainer"]'
    page.wait_for_selector(something, state="attached")
    try:
        page.wait_for_function(f"() => !({AWAITED})().length")
    except TimeoutError:
        raise TimeoutError(f"{page.url} waits for {page.evaluate(AWAITED)}") from None


# Looks until nothing is awaited and nothing has changed for many looks. What is timed or observed
# is done before the browser is idle: on a slow machine the looks are as slow as all else.
LOOK = 20  # milliseconds between two
STILL = f"""async ([quiet, patience]) => {{
    const awaited = {AWAITED};
    let calm = 0;
    const watch = new MutationObserver(() => (calm = 0));
    const all = {{ subtree: true, childList: true, attributes: true, characterData: true }};
    watch.observe(document.documentElement, all);
    for (let looks = 0; calm < quiet; looks++) {{
        const missing = awaited();
        if (looks > patience) return missing.join() || "rest";
        calm = missing.length ? 0 : calm + 1;
        await new Promise((resolve) => setTimeout(resolve, {LOOK}));
        await new Promise(requestIdleCallback);
    }}
    watch.disconnect();
}}"""
QUIET = 250  # milliseconds, more than what a change of size or a rest of the reader is waited for


def still(page: Page, patience: int = PATIENCE) -> None:
    """Wait until a page is ready and stands still: nothing of it changes while it has time to."""
    ready(page)
    if missing := page.evaluate(STILL, [QUIET // LOOK, patience // LOOK]):
        raise TimeoutError(f"{page.url} does not come to rest; it waits for {missing}")


# A figure whose size changed has notes of that in its layout, of what else holds by default: what
# holds is compared, and no size, which is that of the room in its window.
PICTURES = """() => [...document.querySelectorAll(".lv-figure")].map((figure) => {
    const plot = figure.querySelector(".js-plotly-plot") ?? figure;
    const { width, height, autosize, ...layout } = plot.layout ?? {};
    for (const name of Object.keys(layout).filter((name) => /^[xy]axis/.test(name))) {
        const { autorange, domain } = plot._fullLayout[name];
        layout[name] = { ...layout[name], autorange, domain };
    }
    return JSON.stringify([plot.data, layout], (key, value) =>
        ArrayBuffer.isView(value) ? Array.from(value) : value);
})"""


def pictures_of(page: Page, n: int) -> list[str]:
    """Return what is drawn in `n` figures to the last number, once three looks see the same.

    Figures come one after the other, and rows for the brush after the rest.
    """
    page.wait_for_function(
        "(n) => document.querySelectorAll('.lv-figure .main-svg').length >= n", arg=n
    )
    ready(page)
    seen = [page.evaluate(PICTURES)]
    while len(seen) < 3 or len(seen[-1]) != n:
        page.wait_for_timeout(400)
        ready(page)
        now = page.evaluate(PICTURES)
        seen = [*seen, now] if now == seen[-1] else [now]
    return seen[-1]


def at_rest(element: Locator) -> dict[str, float]:
    """Scroll to an element and return where it stands, once it does not move for ten frames."""
    element.scroll_into_view_if_needed()
    element.evaluate(
        """async (element) => {
            const place = () => Object.values(element.getBoundingClientRect().toJSON()).join();
            for (let seen = place(), n = 0; n < 10; n++) {
                await new Promise(requestAnimationFrame);
                if (place() !== seen) [seen, n] = [place(), 0];
            }
        }"""
    )
    return element.bounding_box()


def unlike(page: Page, pictures: list[str]) -> list[tuple[int, str, str]]:
    """Return the places at which a page's pictures differ from others, and where each first does.

    What a page shows at first may be drawn anew, when its room or what it is told changes: it is
    looked at until it shows these pictures, or patience ends.
    """
    end = time.monotonic() + PATIENCE / 1000
    while True:
        found = []
        for i, (a, b) in enumerate(zip(pictures_of(page, len(pictures)), pictures, strict=True)):
            if a != b:
                same = next((k for k, (c, d) in enumerate(zip(a, b, strict=False)) if c != d), 0)
                part = slice(max(same - 60, 0), same + 60)
                found.append((i, a[part], b[part]))
        if not found or time.monotonic() > end:
            return found


def visit(page: Page, link: str) -> None:
    page.goto(link)
    ready(page)


def reload(page: Page) -> None:
    page.reload()
    ready(page)


def arrive(page: Page, url: object, **about: object) -> None:
    """Wait until a page has this address and is ready."""
    page.wait_for_url(url, **about)
    ready(page)


def enter(field: Locator, text: str) -> None:
    field.fill(text)
    field.press("Enter")


def sampled(cases: Mapping[str, object] | Iterable[str], *always: str) -> list:
    """Cases by name as parameters; those that are not looked at always are slow."""
    values = cases if isinstance(cases, Mapping) else {name: name for name in cases}
    return [
        pytest.param(value, id=name, marks=[] if name in always else pytest.mark.slow)
        for name, value in values.items()
    ]


def address(name: str, query: str = "") -> str:
    """Return where a page stands; the first one has no name in its address."""
    return f"/{'' if name == HOME else name}?{query}"


def choose(page: Page, box: Locator, name: str) -> None:
    """Open a list and choose the option of that name.

    A list closes again while the page still scrolls or settles; then it is opened once more.
    """
    option = page.get_by_role("option", name=name, exact=True)
    for milliseconds in TRIES:
        box.click()
        with suppress(TimeoutError):
            option.click(timeout=milliseconds)
            return
        page.keyboard.press("Escape")
        ready(page)
    raise AssertionError(f"no option {name} can be clicked")


def hand_in(page: Page, name: str, content: bytes, place: int = 0) -> None:
    """Hand a file in at a field, counted from the top of the page."""
    file = {"name": name, "mimeType": "text/csv", "buffer": content}
    field = page.get_by_test_id("stFileUploaderDropzoneInput").nth(place)
    expect(field).to_be_attached()  # says what is there instead
    field.set_input_files(file)


def go_to(page: Page, title: str) -> None:
    """Go to a page by its name in the header."""
    page.get_by_test_id("stTopNavLink").get_by_text(title, exact=True).click()


def open_menu(page: Page, name: str) -> None:
    """Open *Share* or *Save* at the top right, unless it is open."""
    button = page.get_by_role("button", name=name, exact=True)
    if button.get_attribute("aria-expanded") != "true":
        button.click()
    expect(page.get_by_test_id("stPopoverBody")).to_be_visible()
    ready(page, everything=False)


def open_page_box(page: Page) -> None:
    """Open the part of *Save* that saves the page as a file."""
    open_menu(page, "Save")
    page.get_by_text("This page as a file", exact=True).click()


def copy_link(page: Page) -> None:
    """Copy the link of the scene."""
    open_menu(page, "Share")
    page.get_by_role("button", name="Copy link").click()


def query(page: Page) -> dict[str, str]:
    """What the address of a page says of its scene."""
    return {key: values[-1] for key, values in parse_qs(urlsplit(page.url).query).items()}


def open_more(page: Page) -> None:
    """Open the box of rare settings in the sidebar, unless it is open.

    A click that meets a page that is about to be another comes to nothing; then it is made again.
    """
    box = page.locator(".st-key-more details")
    seed = page.get_by_label("Seed", exact=True)
    for milliseconds in TRIES:
        ready(page, everything=False)
        if box.get_attribute("open") is None:
            box.locator("summary").click()
        with suppress(AssertionError):
            return expect(seed).to_be_visible(timeout=milliseconds)
    raise AssertionError("the box of rare settings does not open")


def seed_field(page: Page) -> Locator:
    open_more(page)
    return page.get_by_label("Seed", exact=True)


def set_seed(page: Page, value: int) -> None:
    enter(seed_field(page), str(value))
    arrive(page, lambda url: f"seed={value}" in url)


def downloaded(page: Page, button: Locator) -> Download:
    """Press a button that the server writes a file for, and return the file.

    The server forgets a button's file as it draws the page anew, so a click that meets a run comes
    to nothing, with a sentence beside the button; then it is pressed again.
    """
    for milliseconds in TRIES:
        ready(page)
        with suppress(TimeoutError):
            with page.expect_download(timeout=milliseconds) as caught:
                button.click()
            break
    return caught.value


def kept(page: Page, name: str | re.Pattern[str], folder: Path) -> Path:
    """The file that a button of a page gives, in a folder."""
    if name == "Save scene":
        open_menu(page, "Save")
    found = downloaded(page, page.get_by_role("button", name=name))
    found.save_as(folder / found.suggested_filename)
    return folder / found.suggested_filename


def saved_page(page: Page, folder: Path) -> Path:
    """The page as a file that moves, which is what is offered first."""
    open_page_box(page)
    return kept(page, re.compile("Save the (page|report)"), folder)


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        return free.getsockname()[1]


class App:
    """A server with the app's settings at a free port, to be killed and started again there."""

    def __init__(self, folder: Path, script: Path = ROOT / "app.py", base: str = ""):
        port = free_port()
        self.address = f"http://localhost:{port}{base}"
        self.log = folder / "log.txt"
        self.environment: dict[str, str] | None = None  # that of this process
        self.command = [sys.executable, "-m", "lastviz", "--port", str(port)]
        self.command += ["--base-path", base] if base else []
        if script != ROOT / "app.py":
            self.command = [sys.executable, "-m", "streamlit", "run", str(script)]
            self.command += ["--server.port", str(port), "--server.address", "localhost"]

    def __enter__(self) -> App:
        """Start the server."""
        self.start()
        return self

    def __exit__(self, *_fault: object) -> None:
        """End just this server."""
        self.stop()

    def start(self, folder: Path = ROOT) -> None:
        """Start the server in a folder and wait until it answers."""
        with self.log.open("ab") as out:
            self.process = subprocess.Popen(
                self.command, cwd=folder, env=self.environment, stdout=out, stderr=out
            )
        try:
            wait_until_healthy(self.address, self.process, self.log)
        except (RuntimeError, TimeoutError):
            self.stop()
            raise

    def kill(self) -> None:
        """End the server without a warning."""
        self.process.kill()
        self.process.wait(timeout=patience.SECONDS)

    def stop(self) -> None:
        """End just this server."""
        self.process.terminate()
        self.process.wait(timeout=patience.SECONDS)


def wait_until_healthy(address: str, process: subprocess.Popen, log: Path) -> None:
    """Wait until a server answers; raise RuntimeError with its log if it ends."""

    def answers() -> bool:
        if process.poll() is not None:
            raise RuntimeError(f"the server did not start:\n{log.read_text(errors='replace')}")
        with suppress(OSError):
            urllib.request.urlopen(address + "/_stcore/health", timeout=patience.TRIES[0]).close()
            return True
        return False

    patience.until(answers, why=log)
