"""What leaves pages as a table, a script or a link says what the page says."""

import io
import os
import re
import sqlite3
import subprocess
import sys
from functools import partial
from html import unescape
from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np
import onnxruntime
import pandas as pd
import pytest
import streamlit as st

from lastviz.datasets import load_dataset
from lastviz.export import model_from_file, tree_from_json
from lastviz.export.code_words import used_features
from lastviz.tree import Kind
from lastviz.ui.boundaries.regression_view import number_view
from lastviz.ui.compute.python_code import python_of
from lastviz.ui.compute.work import Work
from lastviz.ui.pruning.scene import pruning_scene
from lastviz.ui.rules.scene import rule_scene
from lastviz.ui.shared.page_file import live_page, page_of, ready_scene
from lastviz.ui.splits.node import node_view
from lastviz.ui.state import session
from lastviz.ui.state.selection import DEFAULT, Model
from lastviz.ui.story.rendering import PICTURED
from tests.credit import write_credit
from tests.exits import EXITS, GROWN, WITH_FOOT
from tests.export.test_forms import holds, led, same_graph
from tests.patience import LONG
from tests.sentences.rows import Look, selected

from .conftest import html, opened, sampled
from .test_painting import TEXT

ROOT = Path(__file__).parents[2]
UI = ROOT / "lastviz" / "ui"
ALWAYS = (
    "rules", "shared/brushing.py::_buttons", "rules/tables.py::_by_row",
    "shared/difference.py::_rows",
)  # fmt: skip
CSV = "ui/test_exits.py::test_a_table_says_what_the_page_says"


def offered_by(test):
    """Functions whose table a test compares."""
    return {place for place, named in EXITS["table"].tests.items() if named == test}


@pytest.fixture
def left(monkeypatch):
    """Return ``left(page, **query)``: what a page offers, by the function that does; its scene."""

    def files_of(page, **query):
        found, offered = {}, st.download_button

        def recorded(label, data, *args, **about):
            frame = sys._getframe(1)
            while frame.f_code.co_name in ("save_button", "save_table"):
                frame = frame.f_back
            caller = frame.f_code
            made = f"{Path(caller.co_filename).relative_to(UI).as_posix()}::{caller.co_name}"
            found.setdefault(made, data)
            found.setdefault(f"form::{str(about.get('key')).removeprefix('export_')}", data)
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


def _painted(table, selection):
    dataset = load_dataset("painted", points=selection.painted)
    np.testing.assert_array_equal(table[list(dataset.X)], dataset.X)
    assert table[dataset.y.name].astype(str).tolist() == dataset.y.astype(str).tolist()


def _candidates(table, selection):
    at = node_view(Work(selection), "light")
    (chosen,) = table[table["mark"] == "chosen"].to_dict("records")
    assert chosen["feature"] == at.tree.feature_names[at.tree.feature[0]]
    assert chosen["threshold"] == pytest.approx(at.tree.threshold[0], rel=1e-3)
    assert chosen["Gini"] == table["Gini"].max()
    assert (table["yes"] + table["no"] == at.tree.n_node_samples[0]).all()


def _hyperplanes(table, selection):
    at = node_view(Work(selection), "light")
    best = table[table.iloc[:, 0] == "best of all"]
    assert best["twoing"].max() == table["twoing"].max()
    assert (table["yes"] + table["no"] == at.tree.n_node_samples[0]).all()


def _pruning(table, selection):
    scene = pruning_scene(Work(selection), "light")
    own = table[table["pruning"] == "Cost-complexity"]
    assert own["leaves"].tolist() == scene.trees.n_leaves.tolist()


def _rows(table):
    return table["row"].to_numpy() - 1


def _wrong(table, selection):
    division = Work(selection).first.division
    predicted = Work(selection).first.estimator.predict(division.X)
    kept = np.sort(division.held_out_rows)
    wrong = kept[predicted[kept] != division.y[kept]]
    assert len(wrong)
    assert _rows(table).tolist() == wrong.tolist()
    assert (table["true class"] != table["predicted class"]).all()


def _brushed(table, selection):
    division, dataset = Work(selection).first.division, load_dataset(selection.data)
    names = [str(label) for label in dataset.class_order]
    predicted = Work(selection).first.estimator.predict(division.X)
    assert _rows(table).tolist() == list(range(9))
    assert table["true class"].tolist() == [names[k] for k in dataset.codes[:9]]
    assert table.iloc[:, 3].tolist() == [names[k] for k in predicted[:9]]
    held_out = set(division.held_out_rows.tolist())
    assert [part == "held out" for part in table["part"]] == [row in held_out for row in range(9)]


def _differing(table, selection):
    division = Work(selection).first.division
    said = [Work(selection).models[place].estimator.predict(division.X) for place in (0, 1)]
    assert _rows(table).tolist() == np.flatnonzero(said[0] != said[1]).tolist()
    first = ["row", "part", "class", "CART", "GSODT", "sepal length"]
    assert [name.partition(" (")[0] for name in table][: len(first)] == first
    assert len(table)


def _paper(table, selection):
    assert len(table) > 50
    assert {"data set", "algorithm", "paper", "ours"} <= set(table)


# Function that offers a table -> the page, its scene, and what compares the table with it.
TABLES = {
    "data/page.py::download": ("data", {"data": "iris"}, _data),
    "data/painting.py::_beside": ("data", {"data": "painted", "painted": TEXT}, _painted),
    "splits/details.py::ranking": ("splits", {"data": "wine", "m": "cart"}, _candidates),
    "splits/searches.py::_table": ("splits", {"data": "gauss_2d", "n_samples": 200, "m": "oc1"},
     _hyperplanes),
    "pruning/page.py::_download": ("pruning", {"data": "iris", "m": "cart"}, _pruning),
    "rules/tables.py::_by_row": ("rules", {"data": "waveform", "m": "c45", "rows_of": "held_out"},
     _wrong),
    "shared/brushing.py::_buttons": ("boundaries", {"data": "iris", "m": "cart", "brush": "1-9"},
     _brushed),
    "shared/difference.py::_rows": ("boundaries", {"data": "iris", "m": "cart", "m2": "gsodt",
     "detail": "differ"}, _differing),
    "papers/page.py::_file": ("papers", {"paper_table": "sodt2"}, _paper),
}  # fmt: skip


def test_every_table_that_leaves_is_compared():
    assert set(TABLES) == offered_by(CSV)


@pytest.mark.parametrize("name", sampled(TABLES, ALWAYS))
def test_a_table_says_what_the_page_says(left, name):
    page, query, compare = TABLES[name]
    files, selection = left(page, **query)
    content = files[name]
    content = content() if callable(content) else content
    text = content if isinstance(content, str) else content.decode()
    compare(pd.read_csv(io.StringIO(text)), selection)


def _by_text(content, rows, codes, tree):
    pairs = re.findall(r"^\d+\. if (.*) then (.*)$", content, re.M)
    assert len(pairs) == tree.n_leaves
    return [[then for premise, then in pairs if holds(premise, row)] for row in rows]


def _by_table(content, rows, codes, tree):
    table = pd.read_csv(io.StringIO(content))
    table = table[table["rule"].notna()]  # the others are for new categories
    assert table["training support"].sum() == tree.weighted_n_node_samples[0]
    pairs = list(zip(table["if"], table["then"], strict=True))
    return [[then for premise, then in pairs if holds(str(premise), row)] for row in rows]


def _by_function(content, rows, codes, tree):
    names = {}
    exec(content, names)
    return [[names["predict"](row)] for row in rows]


def _by_query(content, rows, codes, tree):
    base = sqlite3.connect(":memory:")
    pd.DataFrame(rows).to_sql("samples", base, index=False)
    return base.execute(f"SELECT {content} FROM samples").fetchall()


def _by_graph(content, rows, codes, tree):
    nodes, edges = same_graph(content, tree)
    return [[led(nodes, edges, row)] for row in rows]


def _by_json(content, rows, codes, tree):
    back = tree_from_json(content)
    said = back.predict(codes)
    return [[value] for value in (said if back.is_regression else back.classes[said])]


def _by_pmml(content, rows, codes, tree):
    table = pd.DataFrame(rows)[[tree.feature_names[f] for f in used_features(tree)]]
    return [[said] for said in model_from_file(content).predict(table)]


def _by_onnx(content, rows, codes, tree):
    (said, *_) = onnxruntime.InferenceSession(content).run(None, {"X": codes})
    return [[value] for value in said]


PROGRAMS = {
    "text": _by_text, "csv": _by_table, "python": _by_function, "sql": _by_query,
    "dot": _by_graph, "json": _by_json, "onnx": _by_onnx, "pmml": _by_pmml,
}  # fmt: skip
WHOLE = {"rule_view": "rules"}
LEAVING = {  # a page that offers a tree -> its scenes
    "rules": {"data": "wine", "m": "c45", **WHOLE},
    "rules, nominal": {"data": "loan", "m": "cart", "held": 0, **WHOLE},
    "rules, branches": {"data": "loan", "m": "id3", "held": 0, **WHOLE},
    "rules, hyperplanes": {"data": "iris", "m": "oc1", **WHOLE},
    "rules, latent": {"data": "iris", "m": "gsodt", **WHOLE},
    "rules, ordered": {"data": "monotone", "m": "remt", **WHOLE},
    "rules, by hand": {"data": "xor", "m": "cart", "e": "T1_0.5", **WHOLE},
    "rules, optimal": {"data": "moons", "m": "optimal", **WHOLE},
    "rules, at a line": {"data": "breast_cancer", "m": "c45", "cost_miss": 9, "cut": 10, **WHOLE},
    "rules, at a line of names": {
        "data": "loan",
        "m": "cart",
        "m.max_depth": 2,
        "cut": 90,
        **WHOLE,
    },
    "rules, by costs": {
        "data": "wine",
        "m": "cart",
        "m.max_depth": 2,
        "costs": "0,1,9,3,0,2,0.5,1,0",
        **WHOLE,
    },
    "boundaries": {"data": "friedman"},
    "boundaries, one feature": {"data": "regression_5_2", "held": 0},
}


def test_every_form_of_a_tree_is_opened_from_every_page_that_offers_it():
    forms = {row.made: set(row.pages) for row in EXITS.values() if row.made.startswith("form::")}
    assert set(forms) == {f"form::{key}" for key in PROGRAMS}
    assert set.union(*forms.values()) == {name.split(",")[0] for name in LEAVING}


@pytest.mark.parametrize("name", sampled(LEAVING, ALWAYS))
def test_a_tree_that_leaves_a_page_predicts_what_it_predicts_there(left, name):
    page = name.split(",")[0]
    predicts_alike(page, *left(page, **LEAVING[name]))


def predicts_alike(page, files, selection):
    """Hold what every form of a tree predicts of all rows against the model of the page."""
    view = rule_scene(Work(selection), "light") if page == "rules" else number_view(Work(selection))
    model = view.model if page == "rules" else view.estimator
    X, labels = view.division.X, Work(selection).dataset.class_order
    said = model.predict(X)
    expected = [str(value if page == "boundaries" else labels[value]) for value in said]
    rows = X.astype(object).to_dict("records")
    codes = np.ascontiguousarray(model.encode(X), dtype=np.float64)
    for key, opens in PROGRAMS.items():
        if key == "pmml" and (view.tree.kind == Kind.OBLIQUE).any():
            with pytest.raises(ValueError, match="one column at a time"):
                files[f"form::{key}"]()
            continue
        found = opens(files[f"form::{key}"](), rows, codes, view.tree)
        assert [[str(value) for value in row] for row in found] == [[v] for v in expected], key


# A table of a board for credits: a tree of 8 leaves, a bad credit missed costs five times as much
CREDITS = os.environ.get("LASTVIZ_DATA", "")
BOARD = {"m": "cart", "m.max_leaf_nodes": 8, "cost_miss": 5, "cut": 100 / 6}
VIEWS = {
    "in short": ("rules", {"rule_view": "short"}),
    "tree and rules": ("rules", WHOLE),
    "one row": ("rules", {"rule_view": "row", "lit": 3}),
    "boundaries": ("boundaries", {}),
}


def costs_of(look):
    """Cost of the held-out errors by the shares of the leaves, and of the cheaper of two answers.

    Every row goes from node to node; a leaf with one bad credit in six is called bad.
    """
    train, held = ([(look.leaf(look.values[i]), look.y[i]) for i in part]
                   for part in (look.train, look.held))  # fmt: skip
    bad = min((0, 1), key=[k for _, k in train].count)
    cost = 0
    for leaf, k in held:
        here = [other for at, other in train if at == leaf]
        called = 6 * here.count(bad) >= len(here)
        cost += 5 * (k == bad and not called) + (k != bad and called)
    n = [k for _, k in held].count(bad)
    return cost, min(5 * n, len(held) - n)


@pytest.fixture(params=["made", "german"])
def board(request, tmp_path, monkeypatch):
    """Return the scene of a board, and the costs that it is told."""
    if request.param == "german":
        if not (Path(CREDITS) / "german.csv").is_file():
            pytest.skip("the table german.csv is not in the folder of LASTVIZ_DATA")
        monkeypatch.setenv("LASTVIZ_DATA", CREDITS)
        return {"data": "folder.german", **BOARD}, (185, 210)
    query = {"data": write_credit(tmp_path, missing=0.0), **BOARD}
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    return query, costs_of(Look(selected("&".join(f"{k}={v}" for k, v in query.items()))))


def test_a_board_is_told_one_cost_in_every_view_and_by_all_that_leaves(board, left, monkeypatch):
    query, (cost, base) = board
    for page, view in VIEWS.values():
        app = opened(page, **query, **view)
        selection, module = app.session_state["selection"], PICTURED[page]
        work = Work(selection)
        slide = ready_scene(work, page, module, (), {}, own_files=True).slide
        leaving = [html(app), page_of([slide], "a", turns=True)]
        with monkeypatch.context() as patch:
            patch.setattr(session, "current", partial(getattr, app.session_state, "selection"))
            leaving += [live_page(work, page, module, None), module.report(None)]
        for content in leaving:
            shown = " ".join(re.sub(r"</?\w[^<>]*>", "", unescape(content)).split())
            assert re.search(rf"The errors of CART cost {cost}, .*? \({base}\), on", shown), view
    predicts_alike("rules", *left("rules", **query, **WHOLE))


SCRIPTS = {  # a page -> what grows there
    "boundaries": "oc1", "growth": "svm_tree", "splits": "c45", "latent": "gsodt", "rules": "mcdf",
    "pruning": "cart", "monotone": "remt",
}  # fmt: skip


def test_every_page_that_grows_a_tree_has_its_script():
    assert set(SCRIPTS) == set(GROWN)


@pytest.mark.parametrize("page", sampled(SCRIPTS, ALWAYS))
def test_a_script_prints_the_accuracy_of_the_page(page, tmp_path):
    data = "monotone" if page in ("rules", "monotone") else "iris"
    prints_accuracy(DEFAULT.having(data=data, models=(Model(SCRIPTS[page]),), held=0.4), tmp_path)


def test_a_script_has_the_line_of_the_page(tmp_path):
    selection = DEFAULT.having(data="breast_cancer", models=(Model("c45"),), cost_miss=9.0, cut=10)
    assert Work(selection).first.decides_at is not None
    prints_accuracy(selection, tmp_path)


def test_a_script_has_the_costs_of_the_page(tmp_path):
    model = Model("cart", (("max_depth", 2),))
    selection = DEFAULT.having(data="wine", models=(model,), costs=(0, 1, 9, 3, 0, 2, 0.5, 1, 0))
    assert Work(selection).first.decides_at is not None
    prints_accuracy(selection, tmp_path)


def prints_accuracy(selection, tmp_path):
    (key,) = (model.key for model in selection.models)
    done = subprocess.run(
        [sys.executable, "-c", python_of(Work(selection))],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT), "PATH": ""},
        check=True, timeout=LONG, capture_output=True, text=True,
    )  # fmt: skip
    (said,) = re.findall(rf"{key}: accuracy held out (\S+)", done.stdout)
    division = Work(selection).first.division
    rows = division.held_out_rows
    predicted = Work(selection).first.fitted_any.estimator.predict(division.X)
    assert float(said) == (predicted == division.y)[rows].mean()


@pytest.mark.parametrize("page", sampled(WITH_FOOT, ALWAYS))
def test_a_link_opens_the_same_page(page):
    query = {"data": "wine", "m": "c45", "held": 0.2, "seed": 3}
    app = opened(page, **query)
    link = dict(parse_qsl(session.link(app.session_state["selection"])))
    again = opened(page, **link)
    assert again.session_state["selection"] == app.session_state["selection"]
    assert html(again) == html(app)
