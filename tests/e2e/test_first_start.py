"""The first start of a fresh clone, with an empty folder of machine code."""

import os
import signal
import subprocess
import sys

import psutil
import pytest
from playwright.sync_api import expect

from tests.patience import LONG, until

from .app import ROOT, free_port, wait_until_healthy

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


class FirstStart:
    """A server with nothing compiled."""

    def __init__(self, folder):
        port = free_port()
        self.address = f"http://127.0.0.1:{port}"
        self.log, self.folder = folder / "log.txt", folder / "kernels"
        command = [sys.executable, "-m", "lastviz", "--address", "127.0.0.1", "--port", str(port)]
        environment = os.environ | {"LASTVIZ_CACHE": str(self.folder)}
        with self.log.open("wb") as out:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=out, stderr=out
            )
        wait_until_healthy(self.address, self.process, self.log)

    def child(self):
        """The child that compiles."""
        children = psutil.Process(self.process.pid).children()
        (child,) = (each for each in children if "lastviz.preparation" in each.cmdline())
        return child

    def compiled(self):
        """How many kernels have machine code."""
        return len(list(self.folder.glob("*/*.nbc")))


@pytest.fixture(scope="module")
def first_start(tmp_path_factory):
    started = FirstStart(tmp_path_factory.mktemp("first"))
    yield started
    started.process.terminate()
    started.process.wait(timeout=LONG)


def test_pages_show_their_pictures_while_a_child_of_low_priority_compiles(first_start, open_page):
    child = first_start.child()
    assert child.nice() >= 10
    child.send_signal(signal.SIGSTOP)  # whatever is drawn now is drawn without its work
    page = open_page(first_start.address + "/splits?data=xor&m=cart&m.max_depth=3")
    expect(page.locator(".lv-figure .main-svg").first).to_be_visible()
    page.goto(first_start.address + "/growth?data=three_spirals&m=svm_tree")
    expect(page.locator(".lv-figure .main-svg").first).to_be_visible()
    child.send_signal(signal.SIGCONT)
    until(first_start.compiled, LONG)


def test_a_child_that_dies_goes_to_the_log_and_pages_are_served_all_the_same(
    first_start, open_page
):
    first_start.child().kill()
    until(lambda: "ended early (signal 9)" in first_start.log.read_text())
    page = open_page(first_start.address + "/boundaries?data=moons&m=c45&seed=7")
    expect(page.locator(".lv-figure .main-svg").first).to_be_visible()
