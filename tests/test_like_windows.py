"""lastviz where Python is as on Windows; see tests/like_windows."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from .patience import SECONDS

ROOT = Path(__file__).resolve().parent.parent
STUDY = """
name = "研究"
folds = 3
[[algorithms]]
key = "cart"
[[algorithms]]
key = "c45"
[[datasets]]
key = "iris"
"""


def environment(folder: Path) -> dict[str, str]:
    """That of a process which finds Python as on Windows, with a store of its own."""
    return os.environ | {
        "PYTHONPATH": os.pathsep.join([str(ROOT / "tests/like_windows"), str(ROOT)]),
        "PYTHONWARNDEFAULTENCODING": "1",
        "PYTHONIOENCODING": "cp1252",
        "LASTVIZ_STORE": f"sqlite:///{folder}/studies.sqlite",
        "LASTVIZ_STORE_FOLDER": str(folder / "uploads"),
    }


def run(folder: Path, *arguments: str, within: float = 300.0) -> tuple[int, str, str]:
    """Status of a command of Python, what it says and what it complains of."""
    done = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment(folder), timeout=within,
        capture_output=True, text=True, encoding="cp1252", check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def told(folder: Path, code: str) -> str:
    status, said, complained = run(folder, "-c", code)
    assert status == 0, complained
    return said


WITHOUT = """
import sys
from pathlib import Path
from types import ModuleType

import lastviz

def refusal(code):
    try:
        exec(code, {"__name__": "lastviz.tried"})
    except Exception as error:
        return type(error).__name__

for code in (
    "import fcntl", "import resource", "from os import getuid", "import os; os.geteuid()",
    "import signal; signal.SIGKILL", "import socket; socket.AF_UNIX", "import os; os.fork()",
    "from pathlib import Path; Path('/proc/self/status').read_bytes()",
    "from pathlib import Path; Path('there').symlink_to('here')",
    "from pathlib import Path; Path('a:b').mkdir()",
    "import multiprocessing; multiprocessing.get_context('fork')",
    "from pathlib import Path; Path(__import__('sys').executable).open('r').close()",
    "import subprocess; subprocess.Popen(['true'], pass_fds=[1])",
    "import ctypes; ctypes.CDLL(None)", "import uvloop",
):
    print(refusal(code))
"""


def test_what_windows_lacks_is_hidden_from_lastviz_and_from_nobody_else(tmp_path):
    assert told(tmp_path, WITHOUT).split() == [
        *("ModuleNotFoundError", "ModuleNotFoundError", "ModuleNotFoundError", "AttributeError"),
        *("AttributeError", "AttributeError", "AttributeError", "FileNotFoundError", "OSError"),
        *("OSError", "ValueError", "EncodingWarning", "ValueError", "TypeError"),
        "ModuleNotFoundError",
    ]
    assert told(tmp_path, "import fcntl, os; print(os.getuid() >= 0, bool(fcntl))") == "True True\n"


MODULES_AND_A_FIT = """
import importlib, pkgutil
import lastviz

for module in pkgutil.walk_packages(lastviz.__path__, "lastviz."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)

from sklearn.datasets import load_iris

X, y = load_iris(return_X_y=True)
print(lastviz.CARTClassifier(max_leaf_nodes=3).fit(X, y).score(X, y))
print(len(lastviz.show(lastviz.C45Classifier().fit(X, y), X, y).figure_.data) > 0)
"""


@pytest.mark.ci
def test_every_module_is_imported_and_a_tree_is_grown_and_drawn(tmp_path):
    assert told(tmp_path, MODULES_AND_A_FIT).split() == ["0.96", "True"]


PAGES = """
from streamlit.testing.v1 import AppTest
from lastviz.ui.frame import PAGES

for page in PAGES:
    app = AppTest.from_file("app.py", default_timeout=200).switch_page(f"pages/{page}.py").run()
    assert len(app.title) == 1 and not app.exception, page
    assert not app.error, (page, app.error[0].value)
print("all")
"""


@pytest.mark.ci
def test_every_page_is_drawn(tmp_path):
    assert told(tmp_path, PAGES) == "all\n"


@pytest.mark.ci
def test_a_table_is_served(tmp_path):
    table = tmp_path / "some apples.csv"
    table.write_bytes((ROOT / "sample_data/apples.csv").read_bytes())
    with socket.socket() as taken:
        taken.bind(("localhost", 0))
        port = taken.getsockname()[1]
    command = [sys.executable, "-m", "lastviz", "open", str(table), "--port", str(port)]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment(tmp_path) | {"BROWSER": "true"}, text=True,
        stdout=subprocess.PIPE,
    ) as server:  # fmt: skip
        try:
            said = iter(server.stdout.readline, "")
            address = f"http://localhost:{port}"
            assert any(line.startswith(f"lastviz is served on {address} ") for line in said)
            assert next(said) == f"{address}/data?data=folder.some+apples\n"
            assert (
                urllib.request.urlopen(f"{address}/_stcore/health", timeout=SECONDS).read() == b"ok"
            )
        finally:
            server.terminate()


@pytest.mark.ci
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_study_runs(workers, tmp_path):
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    study = ["-m", "lastviz.studies", "run", str(tmp_path / "study.toml"), "--workers", workers]
    status, said, complained = run(tmp_path, *study)
    assert (status, complained) == (0, "")
    assert said.splitlines()[-1].endswith("done  6 of 6 folds")
    status, said, complained = run(tmp_path, "-m", "lastviz.studies", "list")
    assert (status, complained) == (0, "")
    assert "done  6 of 6 folds ??" in said  # a terminal of Western Europe


@pytest.mark.ci
def test_what_computes_studies_ends_with_its_server(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-m", "lastviz.studies", "serve", "--beside", "--workers", "2"], cwd=ROOT,
        env=environment(tmp_path), stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as child:  # fmt: skip
        time.sleep(5)
        assert child.poll() is None
        child.stdin.close()
        assert child.wait(60) == 0
        assert child.stderr.read() == ""


def test_several_workers_are_refused_in_one_sentence(tmp_path):
    status, said, complained = run(tmp_path, "-m", "lastviz.serve", "--workers", "2")
    assert (status, said) == (1, "")
    assert complained == (
        "Several workers need HAProxy, which is not for Windows; serve by one: python -m lastviz\n"
    )
