"""The doors into a checkout: ``streamlit run app.py`` and, in a fresh clone, ``make run``."""

import hashlib
import http.client
import os
import re
import shutil
import subprocess
import sys
from urllib.parse import urlsplit

import pytest

from tests.patience import LONG

from .app import PATIENCE, ROOT, App, ready
from .wheels import LEFT_OUT

pytestmark = pytest.mark.e2e

LIBRARY = "/app/static/plotly.min.js"
ASKED = ("/", "/rules?data=xor", "/a/b", LIBRARY, f"{LIBRARY}?v=1", "/favicon.png", "/none.js")
CLOSED = ("/_stcore/health", "/_stcore/metrics", "/metrics")
HOSTS = ("localhost", "127.0.0.1", "elsewhere.example")
OF_THE_MOMENT = {"date", "set-cookie"}
LOCK = ROOT / "requirements.lock"


def answer(server, path, host):
    """What a server answers a browser that asks by this name: status, headers, body."""
    connection = http.client.HTTPConnection(urlsplit(server).netloc, timeout=PATIENCE / 1000)
    headers = {"Host": host, "Accept-Encoding": "gzip", "Accept": "text/html"}
    connection.request("GET", path, headers=headers)
    got = connection.getresponse()
    body = hashlib.sha256(got.read()).hexdigest()
    connection.close()
    lasting = {k.lower(): v for k, v in got.getheaders() if k.lower() not in OF_THE_MOMENT}
    return got.status, lasting, body


@pytest.fixture(scope="module")
def by_streamlit(tmp_path_factory):
    """The address of ``streamlit run app.py``, which nobody has asked for anything yet."""
    app = App(tmp_path_factory.mktemp("streamlit"))
    port = str(urlsplit(app.address).port)
    app.command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", port]
    with app:
        yield app.address


def test_the_first_request_of_streamlit_run_is_a_page_with_its_picture(by_streamlit, browser):
    page = browser.new_context().new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{by_streamlit}/boundaries?data=xor&m=cart")
    page.wait_for_selector(".lv-figure .main-svg")
    ready(page)
    assert page.get_by_test_id("stTopNavLink").count() > 1  # the names of the app's pages
    page.context.close()


@pytest.mark.parametrize("host", HOSTS)
def test_streamlit_run_answers_as_lastviz_does(server, by_streamlit, host):
    answers = {path: answer(server, path, host) for path in (*ASKED, *CLOSED)}
    assert {path: answer(by_streamlit, path, host) for path in answers} == answers
    assert len({body for _, _, body in answers.values()}) > (host != "elsewhere.example")
    assert answers["/"][0] == (400 if host == "elsewhere.example" else 200)


def index_answers(folder):
    """Tell whether a package can be had from where pip looks."""
    asked = ["download", "-q", "--no-deps", "--retries", "0", "--timeout", "15", "segno"]
    command = [sys.executable, "-m", "pip", *asked, "-d", str(folder)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def set_up(folder, **environment):
    """Run ``make setup`` in a folder; where it fails for want of an index, skip the test."""
    own = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL", "PYTHONPATH")}
    done = subprocess.run(
        ["make", "setup", f"PYTHON={sys.executable}"],
        cwd=folder, env=own | environment, capture_output=True, text=True, timeout=LONG,
        check=False,
    )  # fmt: skip
    if done.returncode and not index_answers(folder):
        pytest.skip("no package index can be reached")
    return done


def installer_of(folder, package):
    """Return what installed a package."""
    (note,) = (folder / ".venv").glob(f"lib/python*/site-packages/{package}-*.dist-info/INSTALLER")
    return note.read_text(encoding="utf-8").strip()


def test_a_fresh_clone_serves_by_what_is_locked(tmp_path):
    clone = tmp_path / "clone"
    shutil.copytree(ROOT, clone, ignore=LEFT_OUT)
    done = set_up(clone)
    assert done.returncode == 0, done.stdout + done.stderr
    assert installer_of(clone, "streamlit") == "uv"
    python = str(clone / ".venv" / "bin" / "python")
    frozen = subprocess.run([python, "-m", "pip", "freeze"], capture_output=True, text=True).stdout
    lines = frozen.lower().replace("_", "-").split()
    installed = {line for line in lines if not line.startswith("uv==")}
    assert len(installed) > 40
    assert installed <= set(re.findall(r"^[\w.-]+==[\w.]+", LOCK.read_text("utf-8"), re.M))
    for door in (["lastviz", "--port"], ["streamlit", "run", "app.py", "--server.port"]):
        app = App(tmp_path)
        app.command = [python, "-m", *door, str(urlsplit(app.address).port)]
        app.environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
        app.start(clone)
        try:
            assert answer(app.address, "/", "localhost")[0] == 200
        finally:
            app.stop()
    assert "Traceback" not in app.log.read_text("utf-8")
    shutil.rmtree(clone)  # a gigabyte


@pytest.mark.parametrize("lie", [False, True])
def test_make_installs_by_pip_where_uv_fails_and_nothing_of_another_hash(tmp_path, lie):
    shutil.copy(ROOT / "Makefile", tmp_path)
    line = re.search(r"^segno==(.*\\\n)+.*$", LOCK.read_text("utf-8"), re.M)[0]
    line = re.sub(r"sha256:\w{8}", "sha256:01234567", line) if lie else line
    (tmp_path / "requirements.lock").write_text(line + "\n")
    (tmp_path / "uv").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "uv").chmod(0o755)
    done = set_up(tmp_path, PATH=f"{tmp_path}:{os.environ['PATH']}")
    if lie:
        assert done.returncode
        assert "DO NOT MATCH THE HASHES" in done.stderr
        assert not (tmp_path / ".venv" / "installed").exists()
    else:
        assert done.returncode == 0, done.stderr
        assert installer_of(tmp_path, "segno") == "pip"
