"""``pip install`` of the wheel into an empty environment far from the checkout, by the core alone.

What it depends on comes from the package index that pip is told of: this is the one test that asks
for it, as ``make test-all`` did before.
"""

import os
import shutil
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import expect

from lastviz import __version__
from lastviz._extras import EXTRAS, lack_of
from lastviz._machine_code import cache_folder
from tests.patience import LONG, SECONDS, until

from .app import PATIENCE, ROOT, free_port, visit, wait_until_healthy
from .wheels import built, built_from_sdist

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))
FOR_TESTS = ("pytest", "pytest-xdist", "hypothesis", "jsonschema", "onnxruntime")


class Installation:
    """An environment with the wheel, and a folder to work in that knows no checkout."""

    def __init__(self, base, wheel):
        self.wheel, self.folder = wheel, base / "elsewhere"
        self.folder.mkdir()
        subprocess.run([sys.executable, "-m", "venv", base / "venv"], check=True)
        self.bin = base / "venv" / "bin"
        # A copy: another numba would write over the machine code of this one.
        shutil.copytree(cache_folder(), base / "kernels", dirs_exist_ok=True)
        own = {
            "HOME": str(self.folder),
            "XDG_CACHE_HOME": str(base / "cache"),
            "LASTVIZ_CACHE": str(base / "kernels"),
            "BROWSER": "true",  # a program that does nothing
        }
        left = ("PYTHONPATH", "VIRTUAL_ENV", "LASTVIZ_STORE", "LASTVIZ_DATA")
        self.environment = {k: v for k, v in os.environ.items() if k not in left} | own

    def pip(self, *words):
        """Install something."""
        command = [self.bin / "python", "-m", "pip", "install", "-q", *words]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    def run(self, *words, check=True):
        """Run a program of the environment; return what it said."""
        done = subprocess.run(
            [self.bin / words[0], *words[1:]],
            cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert not check or done.returncode == 0, done.stdout[-5000:] + done.stderr
        assert "Traceback" not in done.stderr, done.stderr
        return done.stdout + done.stderr


class Served:
    """The app, served by an installation."""

    def __init__(self, installation, *options, **environment):
        port, self.log = free_port(), installation.folder / "log.txt"
        self.address = f"http://localhost:{port}"
        command = [installation.bin / "lastviz", *options, "--port", str(port)]
        with self.log.open("wb") as out:
            self.process = subprocess.Popen(
                command, cwd=installation.folder, env=installation.environment | environment,
                stdout=out, stderr=out,
            )  # fmt: skip
        wait_until_healthy(self.address, self.process, self.log)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=SECONDS)


def new_page(browser):
    """Return a page of a browser that has never been here, patient however busy the machine."""
    page = browser.new_context().new_page()
    page.set_default_timeout(PATIENCE)
    return page


@pytest.fixture(scope="module")
def installation(tmp_path_factory):
    base = tmp_path_factory.mktemp("installation")
    found = Installation(base, built(base))
    found.pip(str(found.wheel))
    yield found
    shutil.rmtree(base)  # a gigabyte


def test_the_archive_of_the_sources_makes_the_same_wheel(installation, tmp_path):
    def parts(wheel):
        with zipfile.ZipFile(wheel) as archive:
            return {info.filename: info.CRC for info in archive.infolist()}

    assert parts(built_from_sdist(tmp_path)) == parts(installation.wheel)


def test_the_core_has_no_package_of_an_extra(installation):
    code = f"""
from importlib.util import find_spec
import lastviz
print(lastviz.__file__, *(module for module in {list(EXTRAS)!r} if find_spec(module)))
"""
    place, *extras = installation.run("python", "-c", code).split()
    assert Path(place).is_relative_to(installation.bin.parent)
    assert extras == []
    assert installation.run("lastviz", "--version") == f"lastviz {__version__}\n"
    said = installation.run("lastviz", "open", "nowhere.csv", check=False)
    assert "there is no file 'nowhere.csv'" in said


def test_without_machine_code_pages_show_their_pictures_all_the_same(
    installation, tmp_path, browser
):
    with Served(installation, LASTVIZ_CACHE=str(tmp_path)) as served:
        page = new_page(browser)
        page.goto(f"{served.address}/splits?data=xor&m=cart&m.max_depth=3")
        expect(page.locator(".lv-figure .main-svg").first).to_be_visible()
        page.context.close()


def test_every_page_opens_and_says_what_is_lacking(installation, browser):
    lacks = {}
    own_study = "compare?data=moons&m=cart"  # without a query it shows one that needs no store
    with Served(installation) as served:
        for name in (*PAGES, own_study):
            page = new_page(browser)
            visit(page, f"{served.address}/{name}")
            words = page.locator('[data-testid="stMain"]').inner_text()
            assert "Something went wrong" not in words, name
            assert page.get_by_test_id("stException").count() == 0, name
            lacks[name] = lack_of("sqlalchemy", "Keeping studies") in words
            page.context.close()
        assert "error" not in served.log.read_text().lower()
    assert [name for name, said in lacks.items() if said] == [own_study]


def test_it_opens_a_table_and_names_what_a_workbook_needs(installation, browser):
    rows = "".join(f"{i % 7},{i % 5},{'ab'[i % 2]}\n" for i in range(40))
    (installation.folder / "my table.csv").write_text(f"u,v,class\n{rows}")
    (installation.folder / "book.arff").write_text("@relation r\n@attribute a real\n@data\n1\n")
    for file, said in (("my table.csv", "40 rows"), ("book.arff", lack_of("arff", "reading it"))):
        with Served(installation, "open", file) as served:
            log = served.log.read_text().splitlines()
            (line,) = [each for each in log if each.startswith(f"{served.address}/data?")]
            page = new_page(browser)
            visit(page, line)
            expect(page.get_by_text(said).first).to_be_visible()
            page.context.close()


def test_the_tests_of_the_library_pass_with_extras(installation):
    installation.pip(f"{installation.wheel}[files,export]", *FOR_TESTS)
    for part in ("tests", "docs", "sample_data"):
        ignored = shutil.ignore_patterns("*.png", "__pycache__")
        shutil.copytree(ROOT / part, installation.folder / part, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", installation.folder)
    asked = ("tree", "displays", "export", "pruning", "tables/test_read_table.py")
    tests = [f"tests/{each}" for each in asked]
    options = ["-q", "-n", "2", "-p", "no:cacheprovider", "-m", "not slow"]
    installation.run("python", "-m", "pytest", *options, *tests)
    assert not (installation.folder / "lastviz").exists()


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
