"""Nothing of what was handed in is left in the process once the page *privacy* says so."""

import os
import queue
import socket
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest

from tests.patience import LONG, SECONDS, until

from .app import PATIENCE, ROOT, hand_in, ready

pytestmark = pytest.mark.e2e
FACTOR = 60  # a minute passes in a second
TEXT = "Quuxmark"
APP = Path(__file__).with_name("fast_clock_app.py")


@pytest.fixture
def served(tmp_path):
    """The app with a fast clock: its address, and what asks it who holds the text."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folders = {"LASTVIZ_STORE_FOLDER": str(tmp_path / "store"), "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [sys.executable, APP, str(FACTOR), TEXT, "--port", str(port)], cwd=ROOT,
        env={**os.environ, **folders}, stdout=subprocess.PIPE, text=True, encoding="utf-8",
    )  # fmt: skip
    lines: queue.Queue[str] = queue.Queue()

    def said(begin):
        while not (line := lines.get(timeout=SECONDS)).startswith(begin):
            pass
        return line.strip()

    def held():
        while not lines.empty():
            lines.get()
        return said("held by ")

    with process:
        reading = Thread(target=lambda: [lines.put(line) for line in process.stdout])
        reading.start()
        said("lastviz is served")
        yield f"http://localhost:{port}", held
        process.terminate()
        reading.join(SECONDS)


def test_what_was_handed_in_is_held_by_nothing_after_the_time_that_privacy_names(served, browser):
    """Also where another visitor stays, and no other session closes."""
    address, held = served
    rows = "".join(f"{i},{i % 7},{TEXT}{i % 5},{'yes' if i % 3 else 'no'}\n" for i in range(900))
    staying, leaving = browser.new_context(), browser.new_context()
    for context in (staying, leaving):
        context.set_default_timeout(PATIENCE)
    page = leaving.new_page()
    page.goto(f"{address}/data")
    ready(page)
    hand_in(page, f"{TEXT}.csv", f"a,b,{TEXT} column,class\n{rows}".encode())
    page.wait_for_url("**data=upload**")
    ready(page)
    scored = f"a,b,{TEXT} column,{TEXT}\n" + "".join(
        f"{i},{i % 7},{TEXT}{i % 5},{TEXT} {i}\n" for i in range(30)
    )
    field = page.get_by_test_id("stFileUploader").filter(has_text="Rows to be scored")
    file = {"name": f"{TEXT}.csv", "mimeType": "text/csv", "buffer": scored.encode()}
    field.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(file)
    ready(page)
    table = page.url
    for each in ("boundaries", "growth", "splits", "pruning", "compare", "rules"):
        page.goto(table.replace("/data?", f"/{each}?"))
        ready(page)
    other = staying.new_page()
    other.goto(f"{address}/boundaries")
    ready(other)
    assert held() != "held by 0:"
    leaving.close()
    until(lambda: held() == "held by 0:", LONG)
    staying.close()
