"""Numbers on the page *boundaries*: steps, heat map, links, and pages that are about classes."""

import re

import numpy as np
import pytest

from lastviz import CARTRegressor, what_if
from lastviz.datasets import load_dataset
from lastviz.inspection import number_scores, row_changes
from lastviz.plots import number
from lastviz.splitters.edits import ForcedSplit, MadeLeaf, Split
from lastviz.ui.boundaries import regression
from lastviz.ui.boundaries.regression_view import number_view
from lastviz.ui.compute import uploads
from lastviz.ui.compute.python_code import python_of
from lastviz.ui.compute.work import Work
from lastviz.ui.shared import blocks
from lastviz.ui.state import session
from lastviz.ui.state.selection import AT_NUMBERS, DEFAULT, UPLOAD, Model, Selection
from tests.sentences.rows import selected

from .conftest import checked, html, opened
from .opened_pages import seen, words

TABLE = "size,price\n" + "".join(f"{i},{100 + 3.5 * i}\n" for i in range(1, 31))


def numbers(app):
    cells = re.findall(r"<div><b>([^<]*).*?<span>([^<]*)</span>", html(app))
    return {label: value for value, label in cells}


@pytest.mark.parametrize(
    ("key", "axes"), [("noisy_sine", {}), ("friedman", {"x": "x4", "y": "x1"})]
)
def test_the_headline_is_worked_out_by_the_tree(key, axes):
    shown = numbers(seen("boundaries", data=key, **axes, **{"r.max_leaf_nodes": 8}))
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
    assert not number_view(Work(plane)).is_steps
    steps = number_view(Work(plane.change(axes=("x4", "x4"))))
    assert steps.is_steps
    assert steps.is_slice
    assert set(number_view(Work(Selection(data="friedman"))).features) <= {
        0,
        1,
        3,
    }  # the telling ones
    app = opened("boundaries", data="friedman", x="x4", y="x4")
    assert app.selectbox(key="number_up").value == ""
    app.selectbox(key="number_up").set_value("x1").run()
    assert app.session_state["selection"].view.axes == ("x4", "x1")
    app.selectbox(key="number_up").set_value("x4").run()
    assert app.session_state["selection"].view.axes == ("x1", "x4")
    assert any("An exact slice" in caption.value for caption in app.caption)


@pytest.mark.parametrize(
    "query",
    [
        "data=noisy_sine&n_samples=9000",
        "data=friedman&n_samples=6000&r.max_leaf_nodes=20&x=x4&y=x1",
        "data=friedman&n_samples=20000&r.max_leaf_nodes=9&x=x4&y=x4",
        "data=friedman&n_samples=400&x=x2&y=x5",
    ],
)
def test_the_rows_that_are_drawn_come_alike_from_all_parts_of_the_table(query):
    work = Work(selected(query))
    scene = regression.number_scene(work, "light")
    drawn = [
        (x, y)
        for trace in scene.figure.traces
        if trace["meta"]["role"] in ("sample", "training", "held_out")
        for x, y in zip(trace["x"].tolist(), trace["y"].tolist(), strict=True)
    ]
    listed = next(
        block.rows()
        for block in regression.number_blocks(scene)
        if isinstance(block, blocks.NumbersTable)
    )
    n, rows = work.dataset.n_samples, listed["row"].to_numpy() - 1
    assert len(drawn) == len(rows) == min(n, 3000)
    assert np.ptp(np.bincount(10 * rows // n, minlength=10)) <= 1
    table = work.dataset.X.assign(**{work.dataset.y.name: work.dataset.y}).iloc[rows]
    across, up = (scene.view.names[feature] for feature in scene.view.features)
    up = work.dataset.y.name if across == up else up
    expected = table[[across, up]].to_numpy()
    np.testing.assert_allclose(sorted(drawn), sorted(map(tuple, expected.tolist())), rtol=1e-6)


def test_a_bad_link_is_told_and_the_rest_is_used():
    app = seen("boundaries", data="noisy_sine", **{"r.max_depth": -2, "r.min_samples_leaf": 9})
    assert "The link has r.max_depth=-2" in html(app)
    assert app.session_state["selection"].regressor.params == (("min_samples_leaf", 9),)


def test_nothing_to_learn_is_one_sentence():
    app = seen("boundaries", data="regression_5_2", held=0.9)
    data = load_dataset("regression_5_2")
    only = data.y[data.split(0.9, random_state=1)[0][0]]
    assert [box.value for box in app.info] == [
        f"All training rows have the same y ({only:g}), so there is nothing to learn: hold "
        "out fewer rows, or choose other data."
    ]


def test_the_data_page_shows_what_is_learnt():
    said = words(seen("data", data="regression_5_2"))
    assert "10 rows with 1 feature ; y lies between 4.5 and 9, its mean is 6.62." in said


def test_a_table_whose_target_is_measured_is_learnt_as_numbers(monkeypatch):
    monkeypatch.setattr(uploads.st, "session_state", {})
    selection = Selection(data=UPLOAD, upload=uploads.keep("homes.csv", TABLE.encode(), 30))
    said = "“price” holds 30 different numbers, so it is predicted as a number, not as a class."
    assert Work(selection).data.notes == (said,)
    assert number_view(Work(selection)).target == "price"
    assert "read_table('homes.csv', task='regression')" in python_of(Work(selection))


def test_the_lines_of_python_rebuild_the_tree(capsys):
    selection = Selection(
        data="friedman",
        regressor=Model("cart_regressor", (("max_leaf_nodes", 6),)),
        scaling="standard",
    )
    made = {}
    exec(python_of(Work(selection)), made)
    view = number_view(Work(selection))
    np.testing.assert_array_equal(made["cart"].tree_.prediction, view.tree.prediction)
    assert capsys.readouterr().out.startswith(f"cart: R2 held out {view.held_out.r2:.6f}"[:-2])


def friedman(**query):
    return opened("boundaries", data="friedman", **{"r.min_samples_leaf": 20} | query)


def chips(app):
    """The edits as they can be taken away."""
    return [b.label for b in app.button if b.key.startswith("edit-numbers-")]


def captions(app):
    return " ".join(caption.value.replace("\\", "") for caption in app.caption)


def both_trees(edits):
    data = load_dataset("friedman", random_state=1)
    train, held = data.split(0.3, random_state=1)
    y = data.y.to_numpy()
    before = CARTRegressor(min_samples_leaf=20, random_state=1).fit(data.X.iloc[train], y[train])
    after = what_if(before, data.X.iloc[train], y[train], edits)
    return before, after, data.X.iloc[held], y[held]


def test_a_forced_split_is_grown_on_from_and_told_before_and_after():
    app = friedman(**{"r.e": "T5_0.5"})
    before, after, X, y = both_trees([ForcedSplit((), Split(4, 0.5))])
    errors = [number_scores(y, model.predict(X)).rmse for model in (before, after)]
    told = html(app)
    assert f"{number(errors[0])} → <i>{number(errors[1])}</i>" in told
    changes = row_changes(before, after, X, y)
    assert f"<i>{changes.better} / {changes.worse}</i>" in told
    assert f"p = {changes.p_value:.2g}" in told
    assert f"{before.tree_.n_leaves} → <i>{after.tree_.n_leaves}</i>" in told
    assert numbers(app)["leaves"] == str(after.tree_.n_leaves)
    assert chips(app) == ["x5 ≤ 0\\.5 · root"]
    app = checked(next(b for b in app.button if b.label == chips(app)[0]).click().run())
    assert "r.e" not in app.query_params
    assert numbers(app)["leaves"] == str(before.tree_.n_leaves)


def test_a_node_of_numbers_is_changed_in_the_box():
    app = friedman()
    app.session_state["edit_box"] = True
    app = checked(app.run())
    app = checked(app.selectbox(key="number_node").set_value(1).run())
    app = checked(app.selectbox(key="edit_way").set_value("leaf").run())
    app = checked(next(b for b in app.button if b.label == "Make it a leaf").click().run())
    assert app.session_state["selection"].regressor.edits == (MadeLeaf((0,)),)
    assert app.session_state["selection"].regressor.node == 1
    app = checked(app.selectbox(key="number_node").set_value(0).run())
    app = checked(app.selectbox(key="edit_way").set_value("without").run())
    app = checked(next(b for b in app.button if b.label == "Search without them").click().run())
    assert "Choose at least one feature" in " ".join(w.value for w in app.warning)
    assert app.session_state["selection"].regressor.edits == (MadeLeaf((0,)),)


def test_a_threshold_beyond_the_rows_is_refused_in_a_sentence():
    app = friedman(**{"r.e": "0L"})
    app.session_state["edit_box"] = True
    app = checked(app.run())
    app = checked(app.selectbox(key="edit.-1..feature").set_value(0).run())
    app = checked(app.number_input(key="edit.-1..threshold.0").set_value(50.0).run())
    app = checked(next(b for b in app.button if b.label == "Split here").click().run())
    assert "without rows" in " ".join(w.value for w in app.warning)
    assert app.session_state["selection"].regressor.edits == (MadeLeaf((0,)),)
    app = friedman(**{"r.e": "T1_50"})
    assert "without rows" in app.info[0].value
    assert len(chips(app)) == 1


@pytest.mark.parametrize("edits", ["L~1T1_0.5", "T5_0.5~0T9_1"])
def test_void_edits_of_numbers_are_named(edits):
    said = "has no effect: this tree or data set does not have what it names"
    assert said in captions(friedman(**{"r.e": edits}))


def test_a_link_that_says_no_edits_of_numbers_is_told():
    app = friedman(**{"r.e": "T1"})
    (told,) = app.session_state["problems"]
    assert told.startswith("The link's r.e has “T1”, which is not an edit")


def test_a_line_over_the_heat_map_splits_the_picked_node(monkeypatch):
    told = {}
    monkeypatch.setattr(blocks, "chart", lambda figure, **given: told.update(given))
    taken = {}
    monkeypatch.setattr(session, "select_model", lambda place, **changes: taken.update(changes))
    selection = Selection(
        data="friedman", regressor=Model("cart_regressor", (("min_samples_leaf", 20),))
    )
    scene = regression.number_scene(Work(selection), "light")
    blocks.draw(regression.number_blocks(scene))
    told["on_line"]({"from": [0.0, 1.0], "to": [1.0, 0.0]})
    (edit,) = taken["edits"]
    assert edit.path == ()
    assert np.flatnonzero(edit.split.weights).tolist() == sorted(scene.view.features)
    node = int(scene.view.tree.first_child[0])
    told["on_click"]({"node": node})
    assert taken["node"] == node


def test_the_lines_of_python_make_the_edits_of_numbers(capsys):
    selection = Selection(
        data="friedman", regressor=Model("cart_regressor", (("min_samples_leaf", 20),))
    ).change_model(AT_NUMBERS, edits=(ForcedSplit((), Split(4, 0.5, 0.0)), MadeLeaf((0, 1))))
    made = {}
    exec(python_of(Work(selection)), made)
    view = number_view(Work(selection))
    np.testing.assert_array_equal(made["cart"].tree_.prediction, view.tree.prediction)
    assert view.tree.feature[0] == 4
    assert capsys.readouterr().out.startswith("cart: R2 held out")


def test_other_data_forget_the_edits_and_other_parameters_keep_them():
    edits = (MadeLeaf((0,)),)
    selection = Selection(data="friedman").change_model(AT_NUMBERS, edits=edits)
    assert selection.change_model(AT_NUMBERS, params=(("max_depth", 3),)).regressor.edits == edits
    assert selection.change(data="noisy_sine").regressor.edits == ()


@pytest.mark.parametrize("axes", [{}, {"x": "x1", "y": "x1"}, {"x": "x4", "y": "x5"}])
def test_a_slanted_split_is_drawn_in_every_plane(axes):
    app = friedman(**{"r.e": "O1_1_2_1_1"}, **axes)
    assert not app.info
    assert chips(app) == ["x1 \\+ x2 ≤ 1 · root"]
    assert int(numbers(app)["leaves"]) > 2


def test_a_report_says_what_was_changed_by_hand():
    selection = Selection(
        data="friedman", regressor=Model("cart_regressor", (("min_samples_leaf", 20),))
    )
    plain = regression.number_report(Work(selection), "light", "Where?", None)
    assert "Edited by hand" not in plain
    changed = selection.change_model(
        AT_NUMBERS, edits=(ForcedSplit((), Split(4, 0.5, 0.0)), MadeLeaf((0,)))
    )
    told = regression.number_report(Work(changed), "light", "Where?", None)
    assert "Edited by hand" in told
    assert "x5 ≤ 0.5" in told
    assert "made a leaf" in told
    assert "A row counts as better if the edited tree predicts its number more closely." in told
    assert "rows better / worse, held out" in told
