"""Extras: what the core lacks is said in one sentence with the remedy, and never in the way."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from packaging.requirements import Requirement

from lastviz._extras import EXTRAS, NotInstalled, import_extra, lack_of
from lastviz._machine_code import cache_folder

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CORE = set(PROJECT["dependencies"])
OPTIONAL = {name: set(lines) for name, lines in PROJECT["optional-dependencies"].items()}
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
PACKAGE_OF = {"sklearn": "scikit-learn"}
FOUND = {"httptools", "uvloop"}  # by uvicorn, where they are
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
SYSTEMS = (
    ("linux", "Linux", "x86_64"),
    ("linux", "Linux", "aarch64"),
    ("darwin", "Darwin", "arm64"),
    ("win32", "Windows", "AMD64"),
)
# Of a process in which, as in those that it begins, no package of an extra can be imported.
CORE_ONLY = f"""
import sys
for module in {list(EXTRAS)!r}:
    sys.modules[module] = None
"""
END = """
import os
sys.stdout.flush()
os._exit(0)  # threads that still work for a page may not be torn down with the interpreter
"""
OPENING = """
from streamlit.testing.v1 import AppTest
from lastviz.host import jobs
from tests import patience
jobs.PATIENCE = patience.SECONDS

def opened(page, **query):
    app = AppTest.from_file("app.py", default_timeout=patience.SECONDS)
    for key, value in query.items():
        app.query_params[key] = value
    app.switch_page(f"pages/{page}.py").run()
    assert not app.exception, app.exception
    assert not app.error, [each.value for each in app.error]
    return app
"""


def named(requirement):
    return requirement.split("[")[0].split(">")[0]


def without_extras(code):
    """Run Python where only the core is installed; return what it prints."""
    with TemporaryDirectory() as folder:
        Path(folder, "sitecustomize.py").write_text(CORE_ONLY, encoding="utf-8")
        path = os.pathsep.join(filter(None, (folder, os.environ.get("PYTHONPATH"))))
        found = subprocess.run(
            [sys.executable, "-c", "import sys\n" + code + END],
            cwd=ROOT, env={**os.environ, "LASTVIZ_CACHE": str(cache_folder()), "PYTHONPATH": path},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert found.returncode == 0, found.stderr
    return found.stdout


def test_make_run_installs_the_core_readers_of_files_and_the_store_of_studies():
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    installed = {line for line in lines if not line.startswith("#")}
    store = {line for line in OPTIONAL["studies"] if named(line) == "sqlalchemy"}
    assert installed == CORE | OPTIONAL["files"] | store
    assert store < OPTIONAL["test"]


def test_an_extra_brings_what_readers_are_told_it_brings():
    told = {(package, extra) for package, extra in EXTRAS.values()}
    extras = ("files", "studies", "export", "slides", "login", "metrics", "notebook")
    assert told == {(named(line), extra) for extra in extras for line in OPTIONAL[extra]}
    assert OPTIONAL["all"] == {f"lastviz[{','.join(extras)}]"}


def test_every_package_that_is_imported_is_declared():
    imported = set()
    pages = (ROOT / "pages").glob("*.py")
    for path in [*(ROOT / "lastviz").rglob("*.py"), *pages, ROOT / "app.py"]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                imported.add(node.module.split(".")[0])
    others = imported - sys.stdlib_module_names - {"lastviz"} - EXTRAS.keys()
    assert {PACKAGE_OF.get(name, name) for name in others} | FOUND == set(map(named, CORE))


def requirement_lines(text):
    """The requirements of a file, without the hashes behind them."""
    lines = [line for line in text.splitlines() if line and not line.startswith(("#", " "))]
    return [Requirement(line.removesuffix("\\")) for line in lines]


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: "-".join(system[1:]))
def test_the_lock_file_has_one_release_within_the_bounds_for_each_system(python, system):
    """``make lock`` makes it; it is forgotten where a bound has changed."""
    here = {"python_version": python, "python_full_version": f"{python}.0"}
    here |= dict(zip(("sys_platform", "platform_system", "platform_machine"), system, strict=True))
    here |= {"os_name": "nt" if system[0] == "win32" else "posix"}

    def applies(line):
        return line.marker is None or line.marker.evaluate(here)

    pinned = [line for line in requirement_lines(LOCK) if applies(line)]
    versions = {line.name: str(line.specifier).removeprefix("==") for line in pinned}
    assert len(versions) == len(pinned) > 40
    wanted_here = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    for line in filter(applies, requirement_lines(wanted_here)):
        assert line.specifier.contains(versions[line.name]), line


def test_the_lock_file_has_a_hash_for_all_and_names_no_index():
    entries = re.split(r"\n(?=\w)", LOCK)[1:]
    assert len(entries) == len(requirement_lines(LOCK))
    assert all(re.search(r"--hash=sha256:[\da-f]{64}\b", entry) for entry in entries)
    assert "://" not in LOCK
    assert "index" not in LOCK


def test_what_is_lacking_is_one_sentence_with_the_remedy(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(NotInstalled) as lack:
        import_extra("onnx", "ONNX")
    assert isinstance(lack.value, ImportError)
    assert isinstance(lack.value, ValueError)
    assert str(lack.value) == lack_of("onnx", "ONNX")
    assert str(lack.value) == "ONNX needs the package onnx: pip install 'lastviz[export]'"


PYTHON = """
import lastviz
from lastviz.datasets import read_table
from lastviz.export import as_onnx
from lastviz.studies.candidates import PEERS
from lastviz.studies.__main__ import main

def said(act, *asked, **beside):
    try:
        act(*asked, **beside)
    except (ValueError, ImportError) as error:
        print(error)

X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
tree = lastviz.CARTClassifier().fit(X, y)
said(read_table, b"PK" + WORKBOOK[2:], name="book.xlsx")
said(read_table, b"@relation r\\n@attribute a numeric\\n@data\\n1\\n", name="table.arff")
said(as_onnx, tree)
said(PEERS["lightgbm_monotone"].make("classification").fit, X, y)
said(lambda: __import__("lastviz.studies.store"))
sys.stderr = sys.stdout
print(main(["list"]))
"""


@pytest.mark.ci
def test_python_says_what_is_lacking(tmp_path):
    from .tables.spreadsheets import workbook

    book = workbook({"Sales": [["a", "b"], [1, 2]]})
    said = without_extras(f"WORKBOOK = {book!r}\n{PYTHON}").splitlines()
    assert said == [
        "book.xlsx is a workbook; reading it needs the package python-calamine: "
        "pip install 'lastviz[files]'",
        "table.arff is ARFF; reading it needs the package liac-arff: pip install 'lastviz[files]'",
        "ONNX needs the package onnx: pip install 'lastviz[export]'",
        "lightgbm_monotone needs the package lightgbm: pip install 'lastviz[studies]'",
        "Keeping studies needs the package sqlalchemy: pip install 'lastviz[studies]'",
        "Keeping studies needs the package sqlalchemy: pip install 'lastviz[studies]'",
        "1",
    ]


PAGES = """
app = opened("data")
app.file_uploader[0].set_value(("book.xlsx", WORKBOOK, "application/octet-stream")).run()
assert not app.exception, app.exception
print(*(each.value for each in app.error), *(each.value for each in app.info))
print(*(each.value for each in opened("compare", data="xor").info))
print("table" in " ".join(each.proto.body for each in opened("papers").get("html")))
"""


@pytest.mark.ci
def test_pages_open_and_say_what_is_lacking():
    from .tables.spreadsheets import workbook

    book = workbook({"Sales": [["a", "b"], [1, 2]]})
    said = without_extras(f"{OPENING}\nWORKBOOK = {book!r}\n{PAGES}").splitlines()
    assert said == [
        r"book\.xlsx is a workbook; reading it needs the package python\-calamine\: "
        r"pip install 'lastviz\[files\]'",
        "Keeping studies needs the package sqlalchemy: pip install 'lastviz[studies]'",
        "True",
    ]
