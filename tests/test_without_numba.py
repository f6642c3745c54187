"""Where nothing compiles, as in a browser: no numba, no pyarrow, no Streamlit, the same trees."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import lastviz
from docs.blocks import blocks_of
from lastviz.export import as_json

ROOT = Path(__file__).resolve().parent.parent
REFUSED = """
import sys

class Refused:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"numba", "llvmlite", "pyarrow", "streamlit"}:
            raise ImportError(name)

sys.meta_path.insert(0, Refused())
import lastviz
from lastviz import CARTClassifier
"""
NAMES = (
    "CARTClassifier", "C45Classifier", "ID3Classifier", "GSODTClassifier", "OC1Classifier",
    "HybridTreeClassifier", "REMTClassifier", "SVMTreeClassifier", "OptimalTreeClassifier",
    "CARTRegressor",
)  # fmt: skip
SETS = 20


def grown() -> list[str]:
    """Trees of all these algorithms, two sets each, with every bit of their arrays."""
    found = []
    for seed in range(SETS):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(60, 3)).round(2)
        y = (X[:, 0] * X[:, 1] > 0) + (seed % 2) * (X[:, 2] > 1)
        name = NAMES[seed % len(NAMES)]
        X = np.sign(X) if name == "ID3Classifier" else X
        found.append(as_json(getattr(lastviz, name)().fit(X, y).tree_))
    return found


def run(code: str) -> str:
    """Run code where these are refused; return what it prints."""
    done = subprocess.run(
        [sys.executable, "-W", "error::ImportWarning", "-c", REFUSED + code],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.ci
def test_the_trees_are_the_same_bit_by_bit():
    code = "import json\nfrom tests.test_without_numba import grown\nprint(json.dumps(grown()))"
    assert json.loads(run(code)) == grown()


@pytest.mark.ci
def test_the_guide_fits_changes_and_draws_a_tree():
    text = (ROOT / "docs/in_the_browser.md").read_text(encoding="utf-8")
    (use,) = (block.code for block in blocks_of(text, "python"))
    said = run(f"""{use}
figure = {use.rstrip().splitlines()[-1]}
from lastviz import to_sklearn
assert len(figure.data) > 0
print(changed.tree_.threshold[0], (to_sklearn(model).predict(X) == model.predict(X)).all())
""")
    assert said.split() == ["0.25", "True"]
