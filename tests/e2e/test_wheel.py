"""What ``pip install`` gives: a wheel, unpacked far from the checkout, serves the app."""

import os
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import expect

from lastviz import __version__
from lastviz._machine_code import cache_folder
from tests.patience import LONG, SECONDS

from .app import ROOT, free_port, visit, wait_until_healthy
from .wheels import built

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Build a wheel from a copy of the sources; return the folder that it is unpacked in."""
    base = tmp_path_factory.mktemp("wheel")
    wheel = built(base)
    assert wheel.name == f"lastviz-{__version__}-py3-none-any.whl"
    zipfile.ZipFile(wheel).extractall(base / "site")
    return base / "site"


def test_it_has_every_file_of_the_package(installed):
    ours = {
        path.relative_to(ROOT)
        for path in (ROOT / "lastviz").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".mo"
    }  # a compiled catalogue is made where it is first read
    assert {path for path in ours if not (installed / path).is_file()} == set()


@pytest.fixture
def environment(installed, tmp_path):
    """An environment that knows the package and, to save a minute, the machine code we have."""
    return os.environ | {
        "PYTHONPATH": str(installed),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "LASTVIZ_CACHE": str(cache_folder()),
        "BROWSER": "true",  # a program that does nothing
    }


def started(environment, tmp_path, *options):
    port, log = free_port(), tmp_path / "log.txt"
    command = [sys.executable, "-m", "lastviz", *options, "--port", str(port)]
    with log.open("wb") as out:
        process = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=out, stderr=out)
    wait_until_healthy(f"http://localhost:{port}", process, log)
    return process, f"http://localhost:{port}", log


def test_it_serves_pages_and_files_from_anywhere(environment, installed, tmp_path, browser):
    process, address, _ = started(environment, tmp_path)
    try:
        folders = list((tmp_path / "cache" / "lastviz").glob("app-*"))
        assert len(folders) == 1
        assert not (installed / "lastviz" / "_app" / "static").exists()  # it may be read-only
        with urllib.request.urlopen(f"{address}/app/static/plotly.min.js", timeout=SECONDS) as file:
            assert file.status == 200
        page = browser.new_context().new_page()
        visit(page, f"{address}/boundaries?data=iris&m=cart")
        expect(page.locator(".lv-say").first).to_contain_text("correctly")
        assert page.evaluate("getComputedStyle(document.body).fontFamily") != ""
        page.context.close()
    finally:
        process.terminate()
        process.wait(timeout=SECONDS)


def test_it_opens_a_table(environment, tmp_path, browser):
    table = tmp_path / "my table.csv"
    table.write_text("u,v,class\n" + "".join(f"{i % 7},{i % 5},{'ab'[i % 2]}\n" for i in range(40)))
    process, address, log = started(environment, tmp_path, "open", str(table))
    try:
        (line,) = [x for x in log.read_text().splitlines() if x.startswith(f"{address}/data?")]
        page = browser.new_context().new_page()
        visit(page, line)
        expect(page.get_by_text("40 rows").first).to_be_visible()
        page.context.close()
    finally:
        process.terminate()
        process.wait(timeout=SECONDS)


@pytest.mark.parametrize(("options", "said"), [
    (["--version"], f"lastviz {__version__}"),
    (["open", "nowhere.csv"], "there is no file 'nowhere.csv'"),
    (["open", "notes.txt"], "notes.txt is no table that is known here"),
    (["open", "notes.json"], "notes.json is no table that is known here"),
])  # fmt: skip
def test_the_command_line_answers(environment, tmp_path, options, said):
    for name in ("notes.txt", "notes.json"):
        Path(tmp_path / name).write_text("not a table")
    done = subprocess.run(
        [sys.executable, "-m", "lastviz", *options],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=LONG, check=False,
    )  # fmt: skip
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_notebook_draws_by_it_without_the_app(installed, environment, tmp_path):
    code = """
import sys
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier
import lastviz
X, y = load_iris(return_X_y=True, as_frame=True)
display = lastviz.show(DecisionTreeClassifier(random_state=0).fit(X, y), X, y)
assert len(display.figure_.data) > 10
assert "streamlit" not in sys.modules
print(lastviz.__file__)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=LONG, check=False,
    )  # fmt: skip
    assert Path(done.stdout.strip()).is_relative_to(installed), done.stderr
