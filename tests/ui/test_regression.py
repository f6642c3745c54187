"""Numbers on the page *boundaries*: steps, heat map, links, and pages that are about classes."""

import re

import numpy as np
import pytest

from lastviz import CARTRegressor
from lastviz.datasets import load_dataset
from lastviz.ui.boundaries.regression_view import number_view
from lastviz.ui.compute import cache, uploads
from lastviz.ui.compute.python_code import python_of
from lastviz.ui.state.selection import DEFAULT, UPLOAD, Selection

from .conftest import html, opened

TABLE = "size,price\n" + "".join(f"{i},{100 + 3.5 * i}\n" for i in range(1, 31))


def numbers(app):
    cells = re.findall(r"<div><b>([^<]*).*?<span>([^<]*)</span>", html(app))
    return {label: value for value, label in cells}


@pytest.mark.parametrize(
    ("key", "axes"), [("noisy_sine", {}), ("friedman", {"x": "x4", "y": "x1"})]
)
def test_the_headline_is_worked_out_by_the_tree(key, axes):
    shown = numbers(opened("boundaries", data=key, **axes, **{"r.max_leaf_nodes": 8}))
    data = load_dataset(key, random_state=1)
    train, held = data.split(0.3, random_state=1)
    y = data.y.to_numpy()
    model = CARTRegressor(max_leaf_nodes=8, random_state=1).fit(data.X.iloc[train], y[train])
    assert (shown["leaves"], shown["nodes"]) == ("8", "15")
    assert shown["depth"] == str(model.tree_.max_depth)
    assert shown["R², held out"] == f"{model.score(data.X.iloc[held], y[held]):.3f}"
    assert shown["R², training"] == f"{model.score(data.X.iloc[train], y[train]):.3f}"


def test_one_feature_on_both_axes_means_steps():
    plane = DEFAULT.having(data="friedman", axes=("x4", "x1"))
    assert not number_view(plane).is_steps
    steps = number_view(plane.change(axes=("x4", "x4")))
    assert steps.is_steps
    assert steps.is_slice
    assert set(number_view(Selection(data="friedman")).features) <= {0, 1, 3}  # the telling ones
    app = opened("boundaries", data="friedman", x="x4", y="x4")
    assert app.selectbox(key="number_up").value == ""
    app.selectbox(key="number_up").set_value("x1").run()
    assert app.session_state["selection"].view.axes == ("x4", "x1")
    app.selectbox(key="number_up").set_value("x4").run()
    assert app.session_state["selection"].view.axes == ("x1", "x4")
    assert any("An exact slice" in caption.value for caption in app.caption)


def test_a_bad_link_is_told_and_the_rest_is_used():
    app = opened("boundaries", data="noisy_sine", **{"r.max_depth": -2, "r.min_samples_leaf": 9})
    assert "The link says r.max_depth=-2" in html(app)
    assert app.session_state["selection"].numbers == (("min_samples_leaf", 9),)


def test_nothing_to_learn_is_one_sentence():
    app = opened("boundaries", data="regression_5_2", held=0.9)
    data = load_dataset("regression_5_2")
    only = data.y[data.split(0.9, random_state=1)[0][0]]
    assert [box.value for box in app.info] == [
        f"All rows to learn from have the same y ({only:g}), so there is nothing to learn: hold "
        "out fewer rows, or choose other data."
    ]


@pytest.mark.parametrize("page", ["growth", "splits", "latent", "rules", "pruning", "monotone"])
def test_pages_about_classes_say_so(page):
    app = opened(page, data="noisy_sine")
    assert [box.value[:28] for box in app.info] == ["This page is about classes, "]
    assert app.selectbox(key="data").value == "noisy_sine"


def test_the_data_page_shows_what_is_learnt():
    assert numbers(opened("data", data="regression_5_2"))["largest y"] == "9"


def test_a_table_whose_target_is_measured_is_learnt_as_numbers(monkeypatch):
    monkeypatch.setattr(uploads.st, "session_state", {})
    selection = Selection(data=UPLOAD, upload=uploads.keep("homes.csv", TABLE.encode(), 30))
    said = "“price” holds 30 different numbers, so numbers are learnt, not classes."
    assert cache.data(selection).notes == (said,)
    assert number_view(selection).target == "price"
    assert "read_table('homes.csv', task='regression')" in python_of(selection)


def test_the_lines_of_python_rebuild_the_tree(capsys):
    selection = Selection(data="friedman", numbers=(("max_leaf_nodes", 6),), scaling="standard")
    made = {}
    exec(python_of(selection), made)
    view = number_view(selection)
    np.testing.assert_array_equal(made["cart"].tree_.prediction, view.tree.prediction)
    assert capsys.readouterr().out.startswith(f"cart: R2 held out {view.held_out.r2:.6f}"[:-2])
