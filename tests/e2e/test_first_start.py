"""The first start of a fresh clone, with an empty folder of machine code."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import expect

from tests.patience import SECONDS

from .app import LONG, ROOT, free_port, wait_until_healthy
from .conftest import OpenPage

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


class FirstStart:
    """A server with nothing compiled."""

    def __init__(self, folder: Path):
        port = free_port()
        self.address = f"http://127.0.0.1:{port}"
        self.log = folder / "log.txt"
        command = [sys.executable, "-m", "lastviz", "--address", "127.0.0.1", "--port", str(port)]
        environment = os.environ | {"LASTVIZ_CACHE": str(folder)}
        with self.log.open("wb") as out:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=out, stderr=out
            )
        wait_until_healthy(self.address, self.process, self.log)

    def compiling(self) -> list[psutil.Process]:
        """The children that compile."""
        children = psutil.Process(self.process.pid).children()
        return [each for each in children if "lastviz.warm_up" in each.cmdline()]


@pytest.fixture(scope="module")
def first_start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FirstStart]:
    started = FirstStart(tmp_path_factory.mktemp("first"))
    yield started
    started.process.terminate()
    started.process.wait(timeout=SECONDS)


def test_the_server_answers_while_a_child_of_low_priority_compiles(
    first_start: FirstStart, open_page: OpenPage
) -> None:
    (child,) = first_start.compiling()
    assert child.nice() >= 10
    page = open_page(first_start.address + "/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("See how a decision tree thinks")
    expect(page.get_by_text("The algorithms are being prepared")).to_be_visible()
    page.get_by_text("After it").click()
    page.get_by_role("link", name="Can a slanted line undo a crossing?").click()
    expect(page.get_by_text("is being prepared for its first use").first).to_be_visible()
    expect(page.locator(".lv-figure .main-svg").first).to_be_visible(timeout=LONG)


def test_a_child_that_dies_goes_to_the_log_and_pages_are_served_all_the_same(
    first_start: FirstStart, open_page: OpenPage
) -> None:
    for child in first_start.compiling():
        child.kill()
    page = open_page(first_start.address + "/")
    page.goto(first_start.address + "/boundaries?data=moons&m=c45")
    expect(page.locator(".lv-figure .main-svg").first).to_be_visible(timeout=LONG)
    assert "ended early (signal 9)" in first_start.log.read_text()
