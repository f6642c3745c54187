"""Adding a data set touches 2 files, a criterion 3, a page 2, an algorithm 3.

Each test adds one to a copy of the project, counts the files that it touched, and looks at what
a reader of the copy finds.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lastviz._machine_code import cache_folder

ROOT = Path(__file__).resolve().parent.parent
PARTS = ("app.py", "pages", "lastviz", "sample_data", ".streamlit", "static")


class Copy:
    """A copy of the project, and which of its files were touched."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.touched: set[str] = set()
        for part in PARTS:
            source = ROOT / part
            if source.is_dir():
                unneeded = shutil.ignore_patterns("__pycache__", "*.pyc")
                shutil.copytree(source, folder / part, ignore=unneeded)
            else:
                shutil.copy(source, folder / part)

    def write(self, name: str, text: str) -> None:
        """Make a new file."""
        path = self.folder / name
        assert not path.exists()
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        self.touched.add(name)

    def insert(self, name: str, *lines: tuple[str, str]) -> None:
        """Put text in front of the first line that begins with each of the given words."""
        path = self.folder / name
        text = path.read_text(encoding="utf-8")
        for before, new in lines:
            place = re.compile(rf"^(?={re.escape(before)})", re.M)
            text, n = place.subn(lambda _, new=new: new, text, count=1)
            assert n == 1, before
        path.write_text(text, encoding="utf-8")
        self.touched.add(name)

    def run(self, code: str) -> str:
        """Run Python in the copy; return what it prints.

        Where a kernel was touched, many would be compiled anew: the few rows here are quicker
        without.
        """
        own = {"LASTVIZ_CACHE": str(cache_folder()), "PYTHONPATH": "."}
        if any(name.endswith("_kernels.py") for name in self.touched):
            own["NUMBA_DISABLE_JIT"] = "1"
        found = subprocess.run(
            [sys.executable, "-c", code],
            cwd=self.folder,
            env={**os.environ, **own},
            capture_output=True,
            text=True,
            check=False,
        )
        assert found.returncode == 0, found.stderr
        return found.stdout

    def pages(self, *names: str, **query: str) -> str:
        """Open pages of the copy; return their words."""
        return self.run(f"""
from streamlit.testing.v1 import AppTest
for name in {names!r}:
    app = AppTest.from_file("app.py", default_timeout=600)
    for key, value in {query!r}.items():
        app.query_params[key] = value
    app.switch_page(f"pages/{{name}}.py").run()
    assert not app.exception, app.exception
    assert not app.error, [e.value for e in app.error]
    print("PAGE", name)
    for kind in ("title", "html", "markdown", "caption", "info", "selectbox"):
        for element in app.get(kind):
            print(getattr(element, "body", ""), getattr(element, "value", ""),
                  getattr(element, "options", ""))
""")


@pytest.fixture
def copy(tmp_path):
    return Copy(tmp_path)


def test_a_data_set_touches_two_files(copy):
    copy.write(
        "lastviz/datasets/stripes.py",
        '''"""Stripes: the class changes with every unit of x1."""

import numpy as np

from .generated import RANDOM_STATE, generated, rows_param

__all__ = ["STRIPES_PARAMS", "stripes"]

STRIPES_PARAMS = (rows_param(200, (20, 2000, 10), main=True), RANDOM_STATE)


def stripes(n_samples=200, random_state=0):
    """Return stripes of two classes."""
    X = np.random.default_rng(random_state).uniform(0, 4, size=(n_samples, 2))
    y = X[:, 0].astype(int) % 2
    return generated(X, y, (0, 1), name="stripes", source="generated")
''',
    )
    copy.insert(
        "lastviz/datasets/__init__.py",
        ("from .dataset import Dataset", "from . import stripes as striped\n"),
        (
            '    "gauss_2d": DatasetEntry(',
            '    "stripes": DatasetEntry("stripes", "Stripes", IN_THE_PLANE, striped.stripes, '
            'striped.STRIPES_PARAMS, "Stripes.", 2),\n',
        ),
    )
    assert len(copy.touched) == 2
    shown = copy.pages("boundaries", data="stripes", n_samples="60")
    assert "Stripes" in shown
    assert "accuracy" in shown


def test_a_page_touches_two_files(copy):
    copy.write(
        "pages/hello.py",
        '''"""How many are there? A page in one file."""

from types import SimpleNamespace

import streamlit as st

from lastviz.ui import frame
from lastviz.ui.compute import cache
from lastviz.ui.state import session


def body():
    """Count the rows."""
    st.markdown(f"There are {cache.data(session.current()).dataset.n_samples} rows.")


frame.show(SimpleNamespace(QUESTION="How many are there?", body=body))
''',
    )
    copy.insert("lastviz/ui/frame.py", ('    "monotone": (', '    "hello": ("Topics", "Hello"),\n'))
    assert len(copy.touched) == 2
    shown = copy.pages("hello", data="moons", n_samples="120")
    assert "How many are there?" in shown
    assert "There are 120 rows." in shown


def test_an_algorithm_touches_three_files(copy):
    copy.write(
        "lastviz/estimators/stump.py",
        '''"""A tree with one split."""

from .cart import CARTClassifier

__all__ = ["StumpClassifier"]


class StumpClassifier(CARTClassifier):
    """CART's best split and no other.

    Parameters
    ----------
    criterion : str, default "gini"
    random_state : int, default 0
    """

    PARAMS = tuple(p for p in CARTClassifier.PARAMS if p.name in ("criterion", "random_state"))
    OTHER_PARAMS = ()

    def __init__(self, *, criterion="gini", random_state=0):
        super().__init__(criterion=criterion, random_state=random_state, max_depth=1)

    def get_params(self, deep=True):
        """Return the two parameters."""
        return {"criterion": self.criterion, "random_state": self.random_state}
''',
    )
    copy.insert(
        "lastviz/estimators/__init__.py",
        ("from .subsets import", "from .stump import StumpClassifier\n"),
        ('    "gsodt": EstimatorEntry(', '    "stump": EstimatorEntry("stump", "Stump", '
         "StumpClassifier),\n"),
    )  # fmt: skip
    copy.insert(
        "lastviz/__init__.py",
        ('    "__version__",', '    "StumpClassifier",\n'),
    )  # fmt: skip
    assert len(copy.touched) == 3
    copy.run("from lastviz import StumpClassifier")
    names = ("boundaries", "splits", "rules", "growth")
    shown = copy.pages(*names, data="moons", m="stump", n_samples="80").split("PAGE ")[1:]
    assert [words.split()[0] for words in shown if "Stump" in words] == list(names)


def test_a_criterion_touches_three_files(copy):
    copy.insert(
        "lastviz/criteria/partition.py",
        (
            "def sum_minority(",
            '''def euclidean(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the squared distance of the children's class shares."""
    left, right = _by_class(left), _by_class(right)
    apart = left / left.sum(axis=0) - right / right.sum(axis=0)
    return np.square(apart).sum(axis=0)


''',
        ),
    )
    copy.insert(
        "lastviz/criteria/goodness_kernels.py",
        ("GAIN_OVER_ENTROPY, CHI2", "EUCLIDEAN = 29\n"),
        (
            "@inline_kernel\ndef goodness(",
            """@inline_kernel
def euclidean_goodness(left, counts, n_left, n):
    apart = 0.0
    for k in range(counts.shape[0]):
        apart += (left[k] / n_left - (counts[k] - left[k]) / (n - n_left)) ** 2
    return apart


""",
        ),
        (
            "    if criterion == GINI:",
            "    if criterion == EUCLIDEAN:\n"
            "        return euclidean_goodness(left, counts, n_left, n)\n",
        ),
    )
    copy.insert(
        "lastviz/criteria/registry.py",
        ("from .impurity import", "from .goodness_kernels import EUCLIDEAN\n"),
        ("from .rank import", "from .partition import euclidean\n"),
        (
            '    "sum_minority": Criterion(',
            """    "euclidean": Criterion(
        title="distance of the shares",
        short="distance",
        unit="",
        formula=r"E = \\sum_k (p_k(D_1) - p_k(D_2))^2",
        score=euclidean,
        card=cards.counted(euclidean),
        impurity=gini,
        impurity_title="Gini impurity",
        code=EUCLIDEAN,
        of_goodness=lambda goodness, counts: goodness,
        offered_by={"oblique": "euclidean"},
    ),
""",
        ),
    )
    assert len(copy.touched) == 3
    query = {"data": "moons", "n_samples": "40", "m": "oc1", "m.n_restarts": "2"}
    shown = copy.pages("splits", **query, **{"m.criterion": "euclidean"})
    assert "distance of the shares" in shown
