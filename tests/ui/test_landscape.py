"""All lines on the page *splits*: what it says is what the engine finds."""

import numpy as np
import pytest

from lastviz import CARTClassifier, what_if
from lastviz.datasets import load_dataset
from lastviz.inspection import landscape, runner_ups
from lastviz.splitters import Split
from lastviz.splitters.edits import ForcedSplit
from lastviz.ui.compute import ahead
from lastviz.ui.compute.work import Work
from lastviz.ui.growth.details import story
from lastviz.ui.splits import scene as splits_scene
from lastviz.ui.splits.landscape import _clicked, _criterion
from lastviz.ui.splits.node import node_view
from lastviz.ui.splits.scene import axes_of_plane, in_features, split_scene
from lastviz.ui.state import session
from lastviz.ui.state.selection import Model, Selection

from .conftest import opened
from .opened_pages import seen, told

XOR = {"data": "xor", "noise": 0.14, "n_samples": 200, "held": 0, "seed": 2, "m": "cart"}


def xor():
    dataset = load_dataset("xor", noise=0.14, n_samples=200, random_state=2)
    return dataset.numeric_X.to_numpy(), dataset.codes


def test_the_best_line_and_the_regret_are_those_of_the_landscape():
    app = seen("splits", **XOR, lab="landscape")
    X, y = xor()
    found = landscape(X, y, np.arange(200), 2, (0, 1), "gini")
    words = told(app)
    assert f"{found.best.score:.4g}" in words
    assert f"{found.axis.score:.4g}" in words
    assert "best parallel to an axis" in words
    assert f"{100 * found.regret(found.axis.score):.1f}" in words
    assert "best of all lines" in words
    assert "Click the landscape to see a line here" in words


def test_of_some_directions_no_more_is_said_than_was_found(monkeypatch):
    monkeypatch.setattr("lastviz.inspection.search.landscape.MOST_POINTS", 10)
    words = told(opened("splits", **XOR | {"seed": 9}, lab="landscape"))
    assert "best line found" in words
    assert "regret, at least: share of the best found that is lost" in words
    assert "best of all lines" not in words


def test_a_line_of_the_link_is_drawn_and_counted():
    app = seen("splits", **XOR, lab="landscape", line="42.5_160")
    X, y = xor()
    line = landscape(X, y, np.arange(200), 2, (0, 1), "gini").line(42.5, 160)
    assert np.count_nonzero(X @ line.weights <= line.threshold) == 160
    words = told(app)
    assert "160 | 40" in words
    assert f"{line.score:.4g}" in words
    assert "Click the landscape" not in words


def test_a_line_beyond_the_rows_of_a_node_is_not_drawn():
    assert "Click the landscape" in told(seen("splits", **XOR, lab="landscape", line="42.5_5000"))


def test_another_criterion_of_the_landscape():
    app = opened("splits", **XOR, lab="landscape")
    app.selectbox(key="lines_by").set_value("csn").run()
    words = told(app)
    assert not app.exception
    assert "360 directions were looked at" in words
    assert "regret" not in words
    assert app.query_params["by"] in ("csn", ["csn"])


@pytest.mark.parametrize(
    "query",
    [
        {"data": "iris", "m": "c45"},
        {"data": "wine", "m": "hybrid"},
        {"data": "iris", "m": "gsodt"},
        {"data": "breast_cancer", "m": "cart", "x": "worst radius", "y": "worst texture"},
        {"data": "waveform", "m": "cart", "node": 2, "n_samples": 300},
    ],
)
def test_many_data_sets_and_algorithms(query):
    assert "Darker is better" in told(seen("splits", **query, lab="landscape"))


def test_a_split_that_is_not_in_the_plane_has_no_regret():
    app = seen(
        "splits", data="iris", m="cart", lab="landscape", held=0, x="sepal length", y="sepal width"
    )
    words = told(app)
    assert "regret" not in words


def test_one_feature_spans_no_plane():
    app = seen("splits", data="iris", m="cart", lab="landscape", x="sepal width", y="sepal width")
    assert "A single feature spans no plane" in told(app)


def scene_of_xor(**changes):
    params = (("n_samples", 200), ("noise", 0.14))
    selection = Selection(data="xor", params=params, held=0.0, seed=2, models=(Model("cart"),))
    return split_scene(node_view(Work(selection.change(**changes)), "light"))


def test_a_click_picks_the_line_of_its_place(monkeypatch):
    X, y = xor()
    found, scene = landscape(X, y, np.arange(200), 2, (0, 1), "gini"), scene_of_xor()
    picked = {}
    monkeypatch.setattr(session, "select", lambda **changes: picked.update(changes))
    _clicked(scene, found, {"x": 42.123, "y": 99.6})
    assert picked["line"] == (42.12, 100)
    _clicked(scene, found, {"x": 181.0, "y": 1e9})
    assert picked["line"] == (179.99, 199)
    picked.clear()
    _clicked(scene, found, {"node": 3})
    assert not picked


@pytest.mark.parametrize(
    ("place", "forced"),
    [((42.5, 160), True), ((45.0, 157), True), ((47.0, 160), False), ((42.5, 170), False)],
)
def test_a_click_on_the_picked_line_makes_it_the_split_of_the_node(monkeypatch, place, forced):
    X, y = xor()
    found, scene = (
        landscape(X, y, np.arange(200), 2, (0, 1), "gini"),
        scene_of_xor(line=(42.5, 160)),
    )
    done = {}
    monkeypatch.setattr(session, "select", lambda **changes: done.update(changes))
    monkeypatch.setattr(splits_scene, "make", lambda model, edit: done.update(edit=edit))
    _clicked(scene, found, {"x": place[0], "y": place[1]})
    assert set(done) == ({"edit"} if forced else {"line"})
    if forced:
        assert done["edit"].path == ()
        np.testing.assert_array_equal(done["edit"].split.weights, found.line(42.5, 160).weights)


def test_directions_of_nought_and_180_degrees_are_neighbours(monkeypatch):
    X, y = xor()
    found, scene = (
        landscape(X, y, np.arange(200), 2, (0, 1), "gini"),
        scene_of_xor(line=(179.5, 100)),
    )
    made = []
    monkeypatch.setattr(splits_scene, "make", lambda model, edit: made.append(edit))
    _clicked(scene, found, {"x": 0.6, "y": 100})
    assert len(made) == 1


def test_the_split_says_over_whom_it_won():
    X, y = xor()
    won = runner_ups(CARTClassifier().fit(X, y), X, y)[0]
    found, words = won.over, told(seen("splits", **XOR))
    first = f"Largest Gini gain of {won.n_candidates} candidates, {found.winner_score:.4g}"
    assert f"{first}; runner-up x {found.feature + 1} ≤" in words
    assert f"{100 * (1 - found.score / found.winner_score):.0f} % lower" in words


def test_an_equal_rival_lost_by_order_alone():
    words = told(seen("splits", data="iris", m="cart", held=0))
    assert " candidates, 0.3333; runner-up petal width ≤ 0.8, 0.3333 (" in words
    assert "a tie, decided by the order of the candidates" in words
    assert "1 other feature came within 1 % of it: a near-tie." in words


def test_each_step_of_a_growth_says_over_whom_it_won():
    for model in ("cart", "c45", "gsodt", "hybrid"):
        selection = Selection(data="wine", held=0.0, models=(Model(model),))
        tale = story(Work(selection), "light")
        splits = [step for step in tale.steps if step.what == "split"]
        assert splits
        for step in splits:
            assert " candidates" in step.say
        others = [step for step in tale.steps if step.what != "split"]
        assert not any(" candidates" in step.say for step in others)


@pytest.mark.parametrize("model", ["cart", "gsodt"])
def test_the_tree_is_regrown_from_the_best_line(model):
    app = seen("splits", data="xor", m=model, lab="landscape", held=0.3, seed=0)
    selection = app.session_state["selection"]
    scene = split_scene(node_view(Work(selection), "light"))
    before = scene.at.estimator
    divided = scene.at.division
    rows, new = divided.train_rows, divided.held_out_rows
    X, y = divided.X.iloc[rows], divided.y[rows]
    found = ahead.lines_of(
        scene.at.table_key, scene.values, scene.y, scene.rows, 2, axes_of_plane(scene),
        _criterion(scene), before.min_samples_leaf,
    )  # fmt: skip
    words = told(app)
    if isinstance(found.best, Split):
        assert "Regrown" not in words
        return
    forced = ForcedSplit((), in_features(scene, found.best))
    after = what_if(before, X, y, [forced])
    wrong = [np.count_nonzero(m.predict(divided.X.iloc[new]) != divided.y[new])
             for m in (before, after)]  # fmt: skip
    leaves = before.get_n_leaves(), after.get_n_leaves()
    assert f"the tree has {leaves[1]} leaves instead of {leaves[0]}" in words
    assert f"**{wrong[1]} errors instead of {wrong[0]}**" in words


def test_where_no_rows_are_held_out_nothing_judges_the_regrown_tree():
    words = told(seen("splits", **XOR, lab="landscape"))
    assert "Regrown from the best line, the tree has" in words
    assert "held-out rows it makes" not in words


def test_a_tree_that_cannot_be_changed_says_so():
    words = told(seen("splits", **XOR, lab="landscape", **{"m.max_leaf_nodes": 5}))
    assert "The tree cannot be grown again from this line" in words


def test_split_here_makes_the_line_an_edit():
    app = opened("splits", **XOR, lab="landscape", line="42.5_160")
    app.button(key="split_line").click().run()
    assert not app.exception
    (edit,) = app.session_state["selection"].models[0].edits
    X, y = xor()
    line = landscape(X, y, np.arange(200), 2, (0, 1), "gini").line(42.5, 160)
    assert edit.path == ()
    np.testing.assert_array_equal(edit.split.weights, line.weights)
    assert edit.split.threshold == line.threshold
    assert not app.session_state["problems"]


def test_two_constant_features_have_one_sentence_and_the_page_stays(tmp_path, monkeypatch):
    rows = "".join(f"1,2,{i},{'u' if i < 20 else 'v'}\n" for i in range(40))
    (tmp_path / "flat.csv").write_text(f"a,b,c,kind\n{rows}", encoding="utf-8")
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    app = opened("splits", data="folder.flat", m="cart", lab="landscape", x="a", y="b", held=0)
    assert [info.value.replace("\\", "") for info in app.info] == [
        "In this plane all rows of the node lie on one point: choose another feature across or up."
    ]
    assert "chosen split of node 0" in told(app)
    app.selectbox(key="lines_axis0").set_value(2).run()
    assert not app.info
    assert app.session_state["selection"].view.axes == ("c", "b")
    assert "directions were looked at" not in told(app)


def test_4097_points_are_looked_at_in_some_directions_and_it_says_so():
    app = seen(
        "splits",
        data="waveform", n_samples=4097, m="cart", lab="landscape", x="x7", y="x15", held=0,
        **{"m.max_depth": 3},
    )  # fmt: skip
    assert (
        "With 4,097 distinct points and this criterion 360 directions were looked at: the best "
        "line may score a little more."
    ) in told(app)


@pytest.mark.parametrize("model", ["cart", "gsodt"])
def test_the_plane_is_chosen_beside_the_criterion(model):
    app = opened("splits", data="iris", m=model, lab="landscape", held=0, line="42.5_60")
    before = [app.selectbox(key=f"lines_axis{end}").value for end in (0, 1)]
    app.selectbox(key="lines_axis0").set_value(before[1]).run()
    assert not app.exception
    after = [app.selectbox(key=f"lines_axis{end}").value for end in (0, 1)]
    assert after == before[::-1]
    assert app.session_state["selection"].splits.line is None
    other = next(axis for axis in range(4) if axis not in before)
    app.selectbox(key="lines_axis1").set_value(other).run()
    assert not app.exception
    assert app.selectbox(key="lines_axis1").value == other
    if model == "cart":
        X, y = load_dataset("iris").numeric_X.to_numpy(), load_dataset("iris").codes
        found = landscape(X, y, np.arange(150), 3, (after[0], other), "gini")
        assert f"{found.best.score:.4g}" in told(app)


def test_two_features_are_one_plane():
    app = seen("splits", **XOR, lab="landscape")
    assert not [box for box in app.selectbox if str(box.key).startswith("lines_axis")]


def test_no_better_line_is_offered_where_nothing_is_lost(tmp_path, monkeypatch):
    rows = "".join(f"{i},{i % 3},{'u' if i < 20 else 'v'}\n" for i in range(40))
    (tmp_path / "parted.csv").write_text(f"a,b,kind\n{rows}", encoding="utf-8")
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    app = seen("splits", data="folder.parted", m="cart", lab="landscape", held=0)
    assert "regret" in told(app)
    assert not [b for b in app.button if b.key == "split_line"]
    app = seen("splits", **XOR, lab="landscape")
    assert app.button(key="split_line").label == "Split along the best line"
