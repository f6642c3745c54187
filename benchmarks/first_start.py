"""The first start of a fresh clone: from the command to the first answer, picture, and to all.

Run it with ``python -m benchmarks.first_start``. A server is started on 127.0.0.1 with an empty
folder for the machine code. Printed are the seconds until it answers, until CART's picture
stands in a browser that was opened at once, and until all is compiled, with the processor time
that server and child have taken by then.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
from playwright.sync_api import sync_playwright

from tests.e2e.app import ROOT, free_port, launch, wait_until_healthy

SCENE = "/boundaries?data=moons&m=cart"
PICTURE = ".lv-figure .main-svg"
LONGEST = 900.0  # seconds


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="lastviz-first-start-") as folder:
        environment = os.environ | {
            "LASTVIZ_CACHE": folder,
            "LASTVIZ_STORE_FOLDER": f"{folder}/uploads",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        port = free_port()
        command = [sys.executable, "-m", "lastviz", "--address", "127.0.0.1", "--port", str(port)]
        log = Path(folder) / "log.txt"
        begin = time.monotonic()
        with log.open("ab") as out:
            server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=out, stderr=out)
        try:
            _report(server, begin, f"http://127.0.0.1:{port}", log, Path(folder))
        finally:
            server.terminate()
            server.wait(timeout=60)


def _report(server: subprocess.Popen, begin: float, address: str, log: Path, folder: Path) -> None:
    wait_until_healthy(address, server, log)
    answered = time.monotonic() - begin
    print(f"first answer                  {answered:7.1f} s", flush=True)
    with sync_playwright() as playwright:
        page = launch(playwright).new_page(viewport={"width": 1440, "height": 900})
        page.goto(address)
        page.wait_for_selector('[class*="st-key-scene-"]')
        print(f"home page                     {time.monotonic() - begin:7.1f} s", flush=True)
        page.goto(address + SCENE)
        page.wait_for_selector(PICTURE, timeout=1000 * LONGEST)
        print(f"first picture of CART         {time.monotonic() - begin:7.1f} s", flush=True)
    used = {}
    while not list(folder.glob("prepared-*/all.done")):
        used |= _processor_seconds(server.pid)
        if time.monotonic() - begin > LONGEST or server.poll() is not None:
            raise RuntimeError(log.read_text(errors="replace"))
        time.sleep(0.2)
    used |= _processor_seconds(server.pid)
    print(f"all is compiled               {time.monotonic() - begin:7.1f} s")
    print(f"processor, server             {used.pop(server.pid):7.1f} s")
    print(f"processor, child that compiles{sum(used.values()):7.1f} s")


def _processor_seconds(pid: int) -> dict[int, float]:
    """Return what a process and each of its children have taken so far."""
    found = {}
    process = psutil.Process(pid)
    for each in (process, *process.children(recursive=True)):
        try:
            times = each.cpu_times()
        except psutil.NoSuchProcess:
            continue
        found[each.pid] = times.user + times.system
    return found


if __name__ == "__main__":
    main()
