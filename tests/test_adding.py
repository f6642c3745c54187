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

from lastviz._numba import cache_folder

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
            text, n = re.subn(rf"^(?={re.escape(before)})", new, text, count=1, flags=re.M)
            assert n == 1, before
        path.write_text(text, encoding="utf-8")
        self.touched.add(name)

    def run(self, code: str) -> str:
        """Run Python in the copy; return what it prints."""
        found = subprocess.run(
            [sys.executable, "-c", code],
            cwd=self.folder,
            env={**os.environ, "LASTVIZ_CACHE": str(cache_folder()), "PYTHONPATH": "."},
            capture_output=True,
            text=True,
            check=False,
        )
        assert found.returncode == 0, found.stderr
        return found.stdout

    def page(self, name: str, **query: str) -> str:
        """Open a page of the copy; return its words."""
        return self.run(f"""
from streamlit.testing.v1 import AppTest
app = AppTest.from_file("app.py", default_timeout=120)
for key, value in {query!r}.items():
    app.query_params[key] = value
app.run()
app.switch_page("pages/{name}.py").run()
assert not app.exception, app.exception
assert not app.error, [e.value for e in app.error]
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
    shown = copy.page("boundaries", data="stripes", n_samples="60")
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
    shown = copy.page("hello", data="moons", n_samples="120")
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
        ("from lastviz.estimators import (", "from lastviz.estimators.stump import "
         "StumpClassifier  # noqa: F401\n"),
    )  # fmt: skip
    assert len(copy.touched) == 3
    for page in ("boundaries", "splits", "rules", "growth"):
        assert "Stump" in copy.page(page, data="moons", m="stump", n_samples="80")
