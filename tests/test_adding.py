"""Adding a data set touches 2 files, a criterion 2, a page 2 to 6, an algorithm 3, a language 1.

Each test adds one to a copy of the project as docs/adding.md teaches it, counts the files that it
touched, and looks at what a reader of the copy finds.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from docs.blocks import blocks_of
from lastviz import CARTClassifier
from lastviz._machine_code import cache_folder
from lastviz.datasets import load_dataset
from tests.patience import SECONDS

pytestmark = pytest.mark.ci
ROOT = Path(__file__).resolve().parent.parent
PARTS = ("app.py", "pages", "lastviz", "sample_data", ".streamlit", "static")


# Tearing down threads that still work for a page, with the interpreter, can end in an abort.
END = """
import os, sys
sys.stdout.flush()
os._exit(0)
"""


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
        path.parent.mkdir(parents=True, exist_ok=True)
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
            [sys.executable, "-c", code + END],
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
from lastviz.host import jobs
jobs.PATIENCE = 60.0  # a page waits for its models, however busy the machine
for name in {names!r}:
    app = AppTest.from_file("app.py", default_timeout={SECONDS})
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


def taught(section: str, language: str = "python") -> list[str]:
    """Return the blocks of a section of docs/adding.md, as a reader would copy them."""
    text = (ROOT / "docs/adding.md").read_text(encoding="utf-8")
    (part,) = (each for each in text.split("\n## ") if each.startswith(f"{section}\n"))
    return [block.code for block in blocks_of(part, language)]


def test_a_data_set_touches_two_files(copy):
    file, imported, row = taught("A data set")
    copy.write("lastviz/datasets/stripes.py", file)
    copy.insert(
        "lastviz/datasets/__init__.py",
        ("from .dataset import Dataset", imported),
        ('    "gauss_2d": DatasetEntry(', row),
    )
    assert len(copy.touched) == 2
    shown = copy.pages("boundaries", data="stripes", n_samples="60")
    assert "Stripes" in shown
    assert "accuracy" in shown


def test_a_page_touches_two_files(copy):
    file, row = taught("A page")
    copy.write("pages/hello.py", file)
    copy.insert("lastviz/ui/frame.py", ('    "monotone": (', row))
    assert len(copy.touched) == 2
    shown = copy.pages("hello", data="moons", n_samples="120")
    assert "How many are there?" in shown
    assert "There are 120 rows." in shown


def test_a_page_with_a_picture_touches_six_files(copy):
    page, file, row, record, held, imported, place = taught("A page with a picture")
    (words,) = taught("A page with a picture", "po")
    copy.write("lastviz/ui/depths.py", page)
    copy.write("pages/depths.py", file)
    copy.insert("lastviz/ui/frame.py", ('    "monotone": (', row))
    copy.insert(
        "lastviz/ui/state/pages.py",
        ("@dataclass(frozen=True)\nclass MonotoneView", record),
        ('    "monotone": MonotoneView', held),
    )
    copy.insert(
        "lastviz/ui/state/selection.py",
        ("    GrowthView,", imported),
        ("    monotone: MonotoneView", place),
    )
    catalogue = "lastviz/locale/zh/LC_MESSAGES/lastviz.po"
    copy.insert(catalogue, ('msgid "Data"', f"{words}\n\n"))
    assert len(copy.touched) == 6, copy.touched

    query = {"data": "moons", "n_samples": "120", "noise": "0.3", "m": "cart", "deepest": "4"}
    shown = copy.pages("depths", **query)
    says = re.search(
        r"Cut at depth (\d), the tree is most accurate on held-out rows: (.*?) %", shown
    )
    dataset = load_dataset("moons", n_samples=120, noise=0.3, random_state=1)
    train, held_out = dataset.split(0.3, random_state=1)
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    by_depth = [
        CARTClassifier(max_depth=depth).fit(X[train], y[train]).score(X[held_out], y[held_out])
        for depth in (1, 2, 3, 4)
    ]
    best = int(np.argmax(by_depth))
    assert (says[1], says[2]) == (str(best + 1), f"{100 * by_depth[best]:.1f}")
    assert "剪断" in copy.pages("depths", **query, lang="zh")
    copy.run("""
from lastviz.host import jobs
from lastviz.ui import depths
from lastviz.ui.state.codec import encode
from lastviz.ui.state.selection import Selection
jobs.PATIENCE = 60.0
selection = Selection(data="moons", params=(("n_samples", 120),)).change(deepest=4)
assert encode(selection)["deepest"] == "4"
from lastviz.ui.compute.work import Work
picture, sentence = depths.slide_blocks(Work(selection), "light")
assert picture.figure.height > 100 and sentence.text == picture.alt
""")


def test_an_algorithm_with_its_own_search_touches_three_files(copy):
    estimator, imported, row, name = taught("An algorithm")
    copy.write("lastviz/estimators/extra_tree.py", estimator)
    copy.insert(
        "lastviz/estimators/__init__.py",
        ("from .forest import", imported),
        ('    "gsodt": EstimatorEntry(', row),
    )
    copy.insert("lastviz/__init__.py", ('    "__version__",', name))
    assert len(copy.touched) == 3
    copy.run("""
import numpy as np
from sklearn.utils.estimator_checks import check_estimator
import lastviz
check_estimator(lastviz.ExtraTreeClassifier())
from lastviz.splitters import Split, context_of
from lastviz.splitters.edits import ForcedSplit
X, y = np.random.default_rng(0).normal(size=(80, 3)), np.arange(80) % 3
model = lastviz.ExtraTreeClassifier(max_depth=4, random_state=3).fit(X, y)
splitter, tree = model.splitter(X, y), model.tree_
for node in np.flatnonzero(tree.n_children):  # replay finds each split again
    split = splitter.search(context_of(splitter, tree, node)).split
    assert (split.feature, split.threshold) == (tree.feature[node], tree.threshold[node])

# a change by hand leaves the other branch as it was
other = lastviz.what_if(model, X, y, [ForcedSplit((0,), Split(2, 0.25, 0.0))]).tree_
forced = other.first_child[0]
assert (other.feature[forced], other.threshold[forced]) == (2, 0.25)
aside = [each.first_child[0] + 1 for each in (tree, other)]
assert tree.feature[aside[0]] == other.feature[aside[1]]
assert tree.threshold[aside[0]] == other.threshold[aside[1]]
""")
    names = ("boundaries", "splits", "rules", "growth", "pruning", "latent", "quiz")
    query = {"data": "moons", "m": "extra", "n_samples": "80"}
    shown = copy.pages(*names, **query).split("PAGE ")[1:]
    assert [words.split()[0] for words in shown if "Extra tree" in words] == list(names)


def test_a_criterion_touches_two_files(copy):
    definition, number, kernel, asked, imported, row = taught("A criterion")
    copy.insert(
        "lastviz/criteria/goodness_kernels.py",
        ("GAIN_OVER_ENTROPY, CHI2", number),
        ("@inline_kernel\ndef goodness(", f"{kernel}\n\n"),
        ("    if criterion == GINI:", asked),
    )
    copy.insert(
        "lastviz/criteria/registry.py",
        ("from .impurity import", imported),
        ("def sum_minority(", f"{definition}\n\n"),
        ('    "sum_minority": Criterion(', row),
    )
    assert len(copy.touched) == 2
    query = {"data": "moons", "n_samples": "40", "m": "oc1", "m.n_restarts": "2"}
    shown = copy.pages("splits", **query, **{"m.criterion": "euclidean"})
    assert "distance of the shares" in shown


def test_a_language_touches_one_file(copy):
    (catalogue,) = taught("A language", "po")
    copy.write("lastviz/locale/eo/LC_MESSAGES/lastviz.po", catalogue)
    assert len(copy.touched) == 1
    shown = copy.pages("data", data="moons", lang="eo")
    assert "Kio estas en la datumoj?" in shown
    assert "'ES'" in shown  # Esperanto
