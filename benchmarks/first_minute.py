"""The first minute of a fresh clone: when each page has its heading and its first picture.

``python -m benchmarks.first_minute [--make] [--busy N] [--port PORT]``. The files of the checkout
are copied to a folder of their own and served from there with nothing compiled; with ``--make`` by
``make run``, which installs first. As soon as the server answers, a browser that has never been
there opens every page, one after the other, and between them a bare page of Streamlit with one
chart, from a server of its own. Printed are seconds since the browser asked, their ratio to those
of the bare page before, when all is compiled, and what the server and its children hold in memory
at most, each file that they share counted once. Nothing fails: bounds are printed beside.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import psutil
from playwright.sync_api import Browser, TimeoutError, sync_playwright

from lastviz.ui.frame import HOME, PAGES
from tests.e2e.app import ROOT, SIZES, WINDOWLESS, free_port, launch

BOUNDS = {True: 15.0, False: 6.0}  # seconds to a picture, beside busy loops or not
SERVED = {True: 20.0, False: 5.0}  # seconds to the first answer, with installing or not
MOST = 700.0  # MB
LONGEST = 180.0  # seconds for a page
COMPILING = 900.0  # seconds for all kernels
WITHOUT_PICTURE = {"privacy"}
BARE = """
import numpy as np, plotly.graph_objects as go, streamlit as st
st.set_page_config(layout="wide")
st.title("Bare")
x, y = np.random.default_rng(0).normal(size=(2, 400))
st.plotly_chart(go.Figure(go.Scatter(x=x, y=y, mode="markers")))
"""
# Seconds since the visit began, whatever else the page is busy with.
SEEN = """
window.seen = {};
const drawn = () => [...document.querySelectorAll(".lv-pictures img")].some((i) => i.naturalWidth)
    || document.querySelector(".js-plotly-plot :is(.point, .trace path, .shapelayer path)");
const look = setInterval(() => {
    const found = {heading: document.querySelector('[data-testid="stMain"] h1'), picture: drawn()};
    for (const [name, is] of Object.entries(found))
        if (is && !(name in seen)) seen[name] = performance.now() / 1000;
}, 20);
"""
COMPILED = """
import time
from lastviz import preparation
while not preparation.is_prepared():
    time.sleep(0.2)
"""


def main() -> None:
    options = argparse.ArgumentParser(description="Measure the first minute of a fresh clone.")
    options.add_argument("--make", action="store_true", help="install by make run, too")
    options.add_argument("--busy", type=int, default=0, metavar="N", help="busy loops beside")
    options.add_argument("--port", type=int, default=None)
    asked = options.parse_args()
    with ExitStack() as all_of_it:
        folder = Path(all_of_it.enter_context(tempfile.TemporaryDirectory(prefix="lastviz-")))
        clone = _copy(folder / "clone")
        for _ in range(asked.busy):
            all_of_it.enter_context(_running([sys.executable, "-c", "while True: pass"], folder))
        bare = f"http://localhost:{free_port()}"
        (folder / "bare.py").write_text(BARE, encoding="utf-8")
        command = [sys.executable, "-m", "streamlit", "run", "bare.py", "--server.headless=true"]
        command += [f"--server.port={bare.rsplit(':')[-1]}", "--browser.gatherUsageStats=false"]
        _wait_for(bare, all_of_it.enter_context(_running(command, folder)))
        browser = launch(all_of_it.enter_context(sync_playwright()), prefer=WINDOWLESS)
        _visit(browser, bare)  # a browser's own first page
        _measure(all_of_it, browser, bare, clone, asked)


def _measure(
    all_of_it: ExitStack, browser: Browser, bare: str, clone: Path, asked: argparse.Namespace
) -> None:
    port = str(asked.port or free_port())
    address = f"http://localhost:{port}"
    python = str(clone / ".venv" / "bin" / "python") if asked.make else sys.executable
    command = ["make", "run", f"PORT={port}"] if asked.make else [python, "-m", "lastviz"]
    command += [] if asked.make else ["--port", port]
    begin = time.monotonic()
    server = all_of_it.enter_context(_running(command, clone))
    memory = Memory(server.pid)
    _wait_for(address, server)
    served = time.monotonic() - begin
    print(f"served after {served:.1f} s (bound {SERVED[asked.make]:.0f})", flush=True)
    compiling = all_of_it.enter_context(_running([python, "-c", COMPILED], clone))
    compiled = Ended(compiling, begin)
    bound = BOUNDS[asked.busy > 0]
    print(f"| page | opened, s | heading, s | picture, s (bound {bound:.0f}) | bare, s | ratio |")
    print("|---|---|---|---|---|---|")
    for name in PAGES:
        ruler = _visit(browser, bare)["picture"]
        opened = time.monotonic() - begin
        seen = _visit(browser, f"{address}/{'' if name == HOME else name}", name in WITHOUT_PICTURE)
        cells = [name, f"{opened:.0f}", *(f"{s:.1f}" for s in seen.values())]
        cells += ["none"] * (2 - len(seen)) + [f"{ruler:.1f}"]
        cells += [f"{seen['picture'] / ruler:.1f}" if "picture" in seen else ""]
        print("| " + " | ".join(cells) + " |", flush=True)
    seconds = compiled.seconds(COMPILING)
    print(f"all is compiled after {seconds:.0f} s" if seconds else "not all could be compiled")
    print(memory)


def _copy(folder: Path) -> Path:
    """Copy the checkout as it stands, without what git ignores."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder


@contextmanager
def _running(command: list[str], folder: Path) -> Iterator[subprocess.Popen]:
    """Run a program in a folder, with nothing compiled, until the block ends."""
    own = {
        "LASTVIZ_CACHE": str(folder / "kernels"),
        "LASTVIZ_STORE_FOLDER": str(folder / "uploads"),
        "PYTHONPATH": str(folder),
    }
    with (folder / "log.txt").open("ab") as log:
        process = subprocess.Popen(
            command, cwd=folder, env=os.environ | own, stdout=log, stderr=log
        )
    try:
        yield process
    finally:
        for each in _tree(process.pid):
            each.terminate()
        process.wait(timeout=60)


def _wait_for(address: str, process: subprocess.Popen) -> None:
    while process.poll() is None:
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=2).close()
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"the server of {address} has ended with status {process.returncode}")


def _visit(browser: Browser, address: str, without_picture: bool = False) -> dict[str, float]:
    """Return after how many seconds a browser that is new here sees what a page has."""
    page = browser.new_context(viewport=SIZES["projector"]).new_page()
    page.add_init_script(SEEN)
    page.goto(address, wait_until="commit")
    wanted = "seen.heading" if without_picture else "seen.heading && seen.picture"
    with suppress(TimeoutError):
        page.wait_for_function(f"() => {wanted}", timeout=1000 * LONGEST)
    seen = page.evaluate("seen")
    page.context.close()
    return {name: seen[name] for name in ("heading", "picture") if name in seen}


def _tree(pid: int) -> list[psutil.Process]:
    try:
        first = psutil.Process(pid)
        return [*first.children(recursive=True), first]
    except psutil.NoSuchProcess:
        return []


class Memory:
    """Looks every half second at what a process and those that it began hold in memory."""

    def __init__(self, pid: int) -> None:
        self._pid, self._peak = pid, [0.0]
        threading.Thread(target=self._look, daemon=True).start()

    def __str__(self) -> str:
        """The most so far: the sum, and what each process has of it."""
        each = " + ".join(f"{share:.0f}" for share in self._peak)
        return f"memory, at most {sum(self._peak):.0f} MB = {each} (bound {MOST:.0f})"

    def _look(self) -> None:
        while processes := _tree(self._pid):
            self._peak = max(self._peak, sorted(map(_held, processes), reverse=True), key=sum)
            time.sleep(0.5)


def _held(process: psutil.Process) -> float:
    """Return the MB of a process; of what it shares its share, where the system tells."""
    try:
        found = process.memory_full_info()
    except psutil.Error:
        return 0.0
    return getattr(found, "pss", found.rss) / 1e6


class Ended:
    """Notes when a process ends."""

    def __init__(self, process: subprocess.Popen, begin: float) -> None:
        self._process, self._begin, self._end = process, begin, 0.0
        self._thread = threading.Thread(target=self._wait, daemon=True)
        self._thread.start()

    def seconds(self, longest: float) -> float:
        """Return the seconds from the beginning, 0 if it fails or takes longer."""
        self._thread.join(max(longest - (time.monotonic() - self._begin), 0))
        return self._end and self._end - self._begin

    def _wait(self) -> None:
        if self._process.wait() == 0:
            self._end = time.monotonic()


if __name__ == "__main__":
    main()
