"""What leaves pages as a table, a script or a link says what the page says."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np
import pandas as pd
import pytest
import streamlit as st

from lastviz.datasets import load_dataset
from lastviz.ui.compute import cache
from lastviz.ui.compute.python_code import python_of
from lastviz.ui.papers.chapter import EXAMPLES, chapter_scene
from lastviz.ui.pruning.scene import pruning_scene
from lastviz.ui.splits.node import node_view
from lastviz.ui.state import session
from lastviz.ui.state.selection import DEFAULT, Model, Selection
from tests.exits import EXITS

from .conftest import html, opened
from .test_painting import TEXT

ROOT = Path(__file__).parents[2]
UI = ROOT / "lastviz" / "ui"
ALWAYS = ("rules", "brushed rows", "wrong rows")
CSV = "ui/test_exits.py::test_a_table_says_what_the_page_says"


def sampled(names):
    """The whole product is for the long rings; a sample of it runs always."""
    return [n if n in ALWAYS else pytest.param(n, marks=pytest.mark.slow) for n in names]


def pages_of(test):
    return sorted({page for row in EXITS.values() if row.test.endswith(test) for page in row.pages})


@pytest.fixture
def left(monkeypatch) -> Callable[..., tuple[dict[str, object], Selection]]:
    """Return ``left(page, **query)``: what a page offers, by the function that does; its scene."""

    def files_of(page, **query):
        found, offered = {}, st.download_button

        def recorded(label, data, *args, **about):
            caller = sys._getframe(1).f_code
            made = f"{Path(caller.co_filename).relative_to(UI).as_posix()}::{caller.co_name}"
            found.setdefault(made, data)
            return offered(label, data, *args, **about)

        with monkeypatch.context() as patch:
            patch.setattr(st, "download_button", recorded)
            app = opened(page, **query)
        return found, app.session_state["selection"]

    return files_of


def _data(table, selection):
    dataset = load_dataset(selection.data)
    assert tuple(table) == (*dataset.feature_names, dataset.y.name)
    np.testing.assert_array_equal(table[list(dataset.X)], dataset.X)
    assert table[dataset.y.name].tolist() == dataset.y.tolist()


def _columns(table, selection):
    X = load_dataset(selection.data).X
    assert table["column"].tolist() == list(X)
    assert table["different"].tolist() == X.nunique().tolist()


def _painted(table, selection):
    dataset = load_dataset("painted", points=selection.painted)
    np.testing.assert_array_equal(table[list(dataset.X)], dataset.X)
    assert table[dataset.y.name].astype(str).tolist() == dataset.y.astype(str).tolist()


def _candidates(table, selection):
    at = node_view(selection, "light")
    (chosen,) = table[table["mark"] == "chosen"].to_dict("records")
    assert chosen["feature"] == at.tree.feature_names[at.tree.feature[0]]
    assert chosen["threshold"] == pytest.approx(at.tree.threshold[0], rel=1e-3)
    assert chosen["Gini"] == table["Gini"].max()
    assert (table["yes"] + table["no"] == at.tree.n_node_samples[0]).all()


def _hyperplanes(table, selection):
    at = node_view(selection, "light")
    best = table[table.iloc[:, 0] == "best of all"]
    assert best["twoing"].max() == table["twoing"].max()
    assert (table["yes"] + table["no"] == at.tree.n_node_samples[0]).all()


def _pruning(table, selection):
    scene = pruning_scene(selection, "light")
    own = table[table["pruning"] == "Cost-complexity"]
    assert own["leaves"].tolist() == scene.trees.n_leaves.tolist()


def _rows(table):
    return table["row"].to_numpy() - 1


def _wrong(table, selection):
    division = cache.division(selection)
    predicted = cache.fitted(selection, 0).estimator.predict(division.X)
    kept = np.sort(division.held_out_rows)
    wrong = kept[predicted[kept] != division.y[kept]]
    assert len(wrong)
    assert _rows(table).tolist() == wrong.tolist()
    assert (table["true class"] != table["predicted class"]).all()


def _brushed(table, selection):
    division, dataset = cache.division(selection), load_dataset(selection.data)
    names = [str(label) for label in dataset.class_order]
    predicted = cache.fitted(selection, 0).estimator.predict(division.X)
    assert _rows(table).tolist() == list(range(9))
    assert table["true class"].tolist() == [names[k] for k in dataset.codes[:9]]
    assert table.iloc[:, 3].tolist() == [names[k] for k in predicted[:9]]
    held_out = set(division.held_out_rows.tolist())
    assert [part == "held out" for part in table["part"]] == [row in held_out for row in range(9)]


def _differing(table, selection):
    division = cache.division(selection)
    said = [cache.fitted(selection, place).estimator.predict(division.X) for place in (0, 1)]
    assert _rows(table).tolist() == np.flatnonzero(said[0] != said[1]).tolist()


def _paper(table, selection):
    assert len(table) > 50
    assert {"data set", "algorithm", "paper", "ours"} <= set(table)


def _chapter(table, selection):
    scene = chapter_scene(selection)
    assert len(table) == len(scene.rows)
    numbers = table.select_dtypes("number").to_numpy().ravel()
    assert all(np.isclose(numbers, ours).any() for _, ours in scene.rows)


# Row of EXITS -> the page, its scene, and what compares the table with it.
TABLES = {
    "data": ("data", {"data": "iris"}, _data),
    "columns": ("data", {"data": "wine"}, _columns),
    "painted rows": ("data", {"data": "painted", "painted": TEXT}, _painted),
    "candidates": ("splits", {"data": "wine", "m": "cart"}, _candidates),
    "hyperplanes": ("splits", {"data": "gauss_2d", "n_samples": 200, "m": "oc1"}, _hyperplanes),
    "curves of pruning": ("pruning", {"data": "iris", "m": "cart"}, _pruning),
    "wrong rows": ("rules", {"data": "waveform", "m": "c45", "rows_of": "held_out"}, _wrong),
    "brushed rows": ("boundaries", {"data": "iris", "m": "cart", "brush": "1-9"}, _brushed),
    "rows that differ": (
        "boundaries", {"data": "iris", "m": "cart", "m2": "gsodt", "detail": "differ"}, _differing,
    ),
    "table of a paper": ("papers", {"paper_table": "svm_tree_table1"}, _paper),
    "sums of a chapter": ("papers", {"paper_table": next(iter(EXAMPLES))}, _chapter),
}  # fmt: skip


def test_every_table_that_leaves_is_compared():
    assert set(TABLES) == {name for name, row in EXITS.items() if row.test == CSV}


@pytest.mark.parametrize("name", sampled(TABLES))
def test_a_table_says_what_the_page_says(left, name):
    page, query, compare = TABLES[name]
    files, selection = left(page, **query)
    content = files[EXITS[name].made]
    content = content() if callable(content) else content
    text = content if isinstance(content, str) else content.decode()
    compare(pd.read_csv(io.StringIO(text)), selection)


SCRIPTS = {  # a page -> what grows there
    "boundaries": "oc1", "growth": "svm_tree", "splits": "c45", "latent": "gsodt", "rules": "mcdf",
    "pruning": "cart", "monotone": "remt",
}  # fmt: skip


@pytest.mark.parametrize("page", sampled(pages_of("test_a_script_prints_the_accuracy_of_the_page")))
def test_a_script_prints_the_accuracy_of_the_page(page, tmp_path):
    key, data = SCRIPTS[page], "monotone" if page in ("rules", "monotone") else "iris"
    selection = DEFAULT.having(data=data, models=(Model(key),), held=0.4)
    done = subprocess.run(
        [sys.executable, "-c", python_of(selection)],
        cwd=tmp_path, env={"PYTHONPATH": str(ROOT), "PATH": ""}, check=True, timeout=300,
        capture_output=True, text=True,
    )  # fmt: skip
    (said,) = re.findall(rf"{key}: accuracy held out (\S+)", done.stdout)
    division = cache.division(selection, 0)
    rows = division.held_out_rows
    predicted = cache.fitted(selection, 0, allow_ensembles=True).estimator.predict(division.X)
    assert float(said) == (predicted == division.y)[rows].mean()


@pytest.mark.parametrize("page", sampled(pages_of("test_a_link_opens_the_same_page")))
def test_a_link_opens_the_same_page(page):
    query = {"data": "wine", "m": "c45", "held": 0.2, "seed": 3}
    app = opened(page, **query)
    link = dict(parse_qsl(session.link(app.session_state["selection"])))
    again = opened(page, **link)
    assert again.session_state["selection"] == app.session_state["selection"]
    assert html(again) == html(app)
