"""As in the container: all of the file system read-only but one folder, no root, no capabilities.

No engine is needed for it: the kernel's namespaces are what engines use, too.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from lastviz._machine_code import cache_folder
from lastviz.datasets import load_dataset, to_csv
from tests.patience import SECONDS

from .app import ROOT, free_port, hand_in, visit, wait_until_healthy

# $1 stays writable; all else that is mounted becomes read-only, but for what the kernel makes up
# and the shared memory, of which an engine gives each container some of its own.
READ_ONLY = """
mount --bind "$1" "$1" || exit 70
awk '{print $2}' /proc/self/mounts | while read -r at; do
  case "$at" in "$1"|/proc|/proc/*|/sys|/sys/*|/dev|/dev/pts) continue ;; esac
  mount -o remount,bind,ro "$at" || exit 71
done || exit 71
mount -t tmpfs -o size=64m shm /dev/shm || exit 72
shift
exec setpriv --no-new-privs unshare --user --map-user=1000 --map-group=1000 -- "$@"
"""
ENCLOSED = ["unshare", "--map-root-user", "--mount", "sh", "-c", READ_ONLY, "sh"]


def can_be_enclosed():
    """Tell whether this machine lets us make such a place, and that it is one."""
    if shutil.which("unshare") is None or shutil.which("setpriv") is None:
        return False
    folder = ROOT / "tests" / "e2e"
    try_it = [*ENCLOSED, str(folder), "sh", "-c", "test $(id -u) = 1000 && ! touch /tmp/lastviz-x"]
    return subprocess.run(try_it, capture_output=True).returncode == 0


pytestmark = [
    pytest.mark.e2e,
    pytest.mark.slow,
    pytest.mark.skipif(not can_be_enclosed(), reason="there are no user namespaces here"),
]
BASE = "/tools/lastviz"
SERVERS = {"lastviz": [], "lastviz.serve": ["--workers", "2", "--base-path", BASE]}


class Enclosed:
    """A server that can write into one folder alone, set up as deploy/Containerfile says."""

    def __init__(self, folder, module):
        self.data, port = folder / "data", free_port()
        (self.data / "tmp").mkdir(parents=True)
        self.address = f"http://localhost:{port}{BASE if BASE in SERVERS[module] else ''}"
        self.log = folder / "log.txt"
        text = (ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8")
        said = " ".join(re.findall(r"^ENV (.*)$", text.replace("\\\n", ""), re.M))
        own = dict(pair.split("=", 1) for pair in said.split())
        own = {name: value.replace("/data", str(self.data)) for name, value in own.items()}
        own |= {"LASTVIZ_COMPILED": str(cache_folder()), "TMPDIR": str(self.data / "tmp")}
        given = {k: v for k, v in os.environ.items() if not k.startswith("LASTVIZ_")}
        command = [sys.executable, "-m", module, "--port", str(port), *SERVERS[module]]
        with self.log.open("wb") as out:
            self.process = subprocess.Popen(
                [*ENCLOSED, str(self.data), *command],
                cwd=ROOT, env={**given, **own}, stdout=out, stderr=out,
            )  # fmt: skip

    def status(self):
        """What the kernel says of the process."""
        return Path(f"/proc/{self.process.pid}/status").read_text()


@pytest.fixture(params=list(SERVERS))
def enclosed(request, tmp_path):
    if request.param == "lastviz.serve" and shutil.which("haproxy") is None:
        pytest.skip("HAProxy is not installed; make proxy installs it")
    subprocess.run([sys.executable, "-m", "lastviz.ui.components"], cwd=ROOT, check=True)
    started = Enclosed(tmp_path, request.param)
    try:
        wait_until_healthy(started.address, started.process, started.log)
        yield started
    finally:
        started.process.terminate()
        started.process.wait(timeout=SECONDS)


def test_with_one_writable_folder_pages_are_drawn_files_are_kept_and_nothing_is_compiled(
    enclosed, open_page
):
    assert re.search(r"^CapEff:\s+0+$", enclosed.status(), re.M)
    assert re.search(r"^NoNewPrivs:\s+1$", enclosed.status(), re.M)
    page = open_page(enclosed.address + "/")
    visit(page, enclosed.address + "/boundaries?data=moons&m=cart&m2=oc1")
    expect(page.locator(".lv-figure .main-svg").first).to_be_visible()
    visit(page, enclosed.address + "/data")
    hand_in(page, "wines.csv", to_csv(load_dataset("wine")))
    page.wait_for_url("**data=upload**")
    expect(page.get_by_text("Kept on this server")).to_be_visible()
    kept = list((enclosed.data / "state" / "lastviz" / "uploads" / "files").iterdir())
    assert [path.read_bytes() for path in kept] == [to_csv(load_dataset("wine"))]
    code = enclosed.data / "cache" / "kernels"
    assert len(list(code.glob("*/*.nbc"))) >= 20
    for path in code.glob("*/*.nb*"):  # it is all the image's: nothing was compiled anew
        assert (cache_folder() / path.relative_to(code)).read_bytes() == path.read_bytes()
    said = enclosed.log.read_text()
    assert not re.search(r"Traceback|Read-only|Permission|Compiling|ended early", said), said
