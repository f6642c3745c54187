"""Two workers behind a real HAProxy: one is killed under a page, and the reader goes on."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import expect

from lastviz.datasets import load_dataset, to_csv
from lastviz.host.security import HEADERS
from tests.patience import SECONDS, until

from .app import (
    ROOT,
    arrive,
    enter,
    free_port,
    hand_in,
    ready,
    reload,
    seed_field,
    set_seed,
    wait_until_healthy,
)

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.slow,
    pytest.mark.skipif(
        shutil.which("haproxy") is None, reason="HAProxy is not installed; make proxy installs it"
    ),
]


class Workers:
    """Two workers behind HAProxy, as `make serve WORKERS=2` starts them."""

    def __init__(self, folder, base="", environment=None):
        port = free_port()
        self.address = f"http://localhost:{port}{base}"
        self.log = folder / "log.txt"
        command = [sys.executable, "-m", "lastviz.serve", "--workers", "2", "--port", str(port)]
        command += ["--base-path", base]
        with self.log.open("wb") as out:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=out, stderr=out
            )

    def __enter__(self):
        """Wait for both workers; if they do not come, nothing is left."""
        try:
            self.wait_until_ready()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_fault):
        """Stop the supervisor, which stops all."""
        self.process.terminate()
        self.process.wait(timeout=SECONDS)

    def wait_until_ready(self):
        """Wait until the proxy answers and both workers do."""
        wait_until_healthy(self.address, self.process, self.log)
        self.wait_for_starts({"worker1": 1, "worker2": 1})

    def starts(self):
        """How many times each worker has come to answer."""
        said = re.findall(r"(worker\d): lastviz is served on", self.log.read_text())
        return {name: said.count(name) for name in ("worker1", "worker2")}

    def wait_for_starts(self, wanted):
        """Wait until the workers have answered so many times, and the proxy knows it."""
        until(lambda: self.starts() == wanted, why=self.log)
        time.sleep(1.5)  # the proxy looks each second

    def pid_of(self, name):
        """Return the process of a worker, found by the port that the log names last."""
        ports = re.findall(rf"{name}: lastviz is served on http://127.0.0.1:(\d+)",
                           self.log.read_text())  # fmt: skip
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                words = (folder / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if b"lastviz" in words and ports[-1].encode() in words:
                return int(folder.name)
        raise AssertionError(f"no process serves on {ports[-1]}")


@pytest.fixture(scope="module")
def workers(tmp_path_factory):
    """Start both workers."""
    with Workers(tmp_path_factory.mktemp("workers")) as started:
        yield started


def worker_of(page):
    """Return which worker a page's visitor is sent to."""
    (value,) = [c["value"] for c in page.context.cookies(page.url) if c["name"] == "LV"]
    return value


def kill_under(page, workers):
    """End the page's worker without a warning; wait until another has the page."""
    name = worker_of(page)
    before = workers.starts()
    os.kill(workers.pid_of(name), signal.SIGKILL)

    def has_another():
        page.wait_for_timeout(100)
        return worker_of(page) != name

    until(has_another)
    expect(seed_field(page)).to_be_enabled()
    workers.wait_for_starts(before | {name: before[name] + 1})
    return name


def test_a_page_stays_with_its_worker(open_page, workers):
    page = open_page(workers.address + "/data?data=xor&seed=3")
    name = worker_of(page)
    for _ in range(3):
        reload(page)
        assert worker_of(page) == name


def test_kill_9_under_a_page_loses_neither_the_scene_nor_the_file_nor_the_first_change(
    open_page, workers
):
    page = open_page(workers.address + "/data")
    hand_in(page, "wines.csv", to_csv(load_dataset("wine")))
    page.wait_for_url("**data=upload**")
    expect(page.get_by_text("Kept on this server")).to_be_visible()
    ready(page)
    address = page.url

    killed = kill_under(page, workers)
    assert page.url == address
    expect(page.locator(".lv-say").first).to_contain_text("178")

    set_seed(page, 7)
    expect(seed_field(page)).to_have_value("7")
    expect(page.locator(".lv-say").first).to_contain_text("178")
    expect(page.locator(".lv-notice")).to_have_count(0)
    assert worker_of(page) != killed
    page.go_back()
    expect(seed_field(page)).to_have_value("1")
    expect(page.locator(".lv-say").first).to_contain_text("178")


def test_a_change_while_the_worker_dies_arrives(open_page, workers):
    page = open_page(workers.address + "/boundaries?data=moons&m=cart&seed=3")
    name = worker_of(page)
    before = workers.starts()
    enter(seed_field(page), "8")
    os.kill(workers.pid_of(name), signal.SIGKILL)
    arrive(page, "**seed=8**")
    expect(seed_field(page)).to_have_value("8")
    workers.wait_for_starts(before | {name: before[name] + 1})


def test_the_proxy_passes_the_headers_on_and_closes_the_meters(workers):
    with urllib.request.urlopen(workers.address + "/data", timeout=SECONDS) as answer:
        for name, value in HEADERS.items():
            assert answer.headers.get_all(name) == [value]
        assert len(answer.headers.get_all("Content-Security-Policy")) == 1
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(workers.address + "/_stcore/metrics", timeout=SECONDS)
    refused.value.close()
    assert refused.value.code == 404
    assert refused.value.headers["X-Frame-Options"] == HEADERS["X-Frame-Options"]


def test_the_proxy_and_all_workers_stop_with_the_supervisor(tmp_path):
    started = Workers(tmp_path)
    started.wait_until_ready()
    pids = [started.pid_of(name) for name in ("worker1", "worker2")]
    started.process.send_signal(signal.SIGINT)
    assert started.process.wait(timeout=SECONDS) == 0
    assert not [pid for pid in pids if Path(f"/proc/{pid}").exists()]
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(started.address + "/_stcore/health", timeout=SECONDS)
