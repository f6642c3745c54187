"""The page *growth*: what the player is told is what the log and the machines say."""

import base64
import re
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from sklearn.datasets import load_iris

from lastviz import (
    C45Classifier,
    CARTClassifier,
    GSODTClassifier,
    OptimalTreeClassifier,
    SVMTreeClassifier,
)
from lastviz.datasets import load_dataset
from lastviz.inspection import separability
from lastviz.plots import number
from lastviz.tree import Action
from lastviz.ui.components import growth_player
from lastviz.ui.compute.work import Work
from lastviz.ui.growth.details import _regions, order_result
from lastviz.ui.growth.figures import growth_scene
from lastviz.ui.growth.words import step_of
from lastviz.ui.shared.figures import plane_of, regions_in
from lastviz.ui.shared.model_view import counts_words, held_rows, rows_words
from lastviz.ui.state.selection import DEFAULT, Model
from lastviz.ui.text import percent

from .conftest import opened
from .opened_pages import plain, seen, stories

SPIRALS = {"data": "three_spirals", "held": 0, "m": "svm_tree", "m.sigma": 18, "m.C": 100}


def grown(**query):
    """The page of a growth, the step that it opens at, and the story that it tells."""
    app = seen("growth", **query)
    (story,) = stories(app).values()
    return app, story["begins"], story


def unpacked(part):
    return np.frombuffer(base64.b64decode(part["bdata"]), dtype=part["dtype"])


def test_the_steps_of_a_pruned_tree_are_its_log():
    query = {"data": "gauss_2d", "n_samples": 300, "held": 0, "m": "c45"}
    _, step, told = grown(**query, **{"m.mdl_correction": "false"})
    dataset = load_dataset("gauss_2d", n_samples=300, random_state=1)
    model = C45Classifier(mdl_correction=False).fit(dataset.numeric_X, dataset.codes)
    log, tree = model.growth_log_, model.grown_tree_
    assert step == 1
    assert log.n_growth_events < len(log)
    assert len(told["raised"]) == np.count_nonzero(log.action == Action.RAISE)
    assert len(told["steps"]) == len(log) + 2  # the bare root before, the finished tree after
    assert [s[1] for s in told["steps"][1:-1]] == log.node.tolist()
    np.testing.assert_array_equal(unpacked(told["log"]["action"]), log.action)
    np.testing.assert_array_equal(unpacked(told["tree"]["first"]), tree.first_child)
    for event, (_, node, say, *_) in enumerate(told["steps"][1:-1]):
        assert f"ode {node}" in say
        assert say.startswith("<b>")
        if np.isfinite(log.score[event]):
            assert number(float(log.score[event])) in say
    assert "finished" in told["steps"][-1][2]
    assert f"Grown to {tree.n_leaves} leaves" in told["steps"][-1][2]


def test_every_leaf_of_the_plane_has_a_polygon_in_the_window():
    _, _, told = grown(data="xor", held=0, m="cart")
    offset, xy = unpacked(told["geometry"]["offset"]), unpacked(told["geometry"]["xy"])
    assert offset[-1] == len(xy) // 2
    leaves = np.flatnonzero(unpacked(told["tree"]["first"]) < 0)
    corners = xy.reshape(-1, 2) / 65535.0
    areas = 0.0
    for leaf in leaves:
        first, end = told["area"].get(str(leaf), [0, 0])
        for piece in range(first, end):
            x, y = corners[offset[piece] : offset[piece + 1]].T
            areas += abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))) / 2
    assert areas == pytest.approx(1.0, abs=1e-3)


def test_the_steps_of_the_svm_tree_are_its_matrices():
    _, step, told = grown(**SPIRALS)
    dataset = load_dataset("three_spirals", random_state=1)
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    model = SVMTreeClassifier(sigma=18.0, C=100.0).fit(X, y)
    found = separability(model, X, y)
    assert step == 0
    assert len(told["steps"]) == len(told["machines"]) == 2
    for part, expected in zip(told["machines"], found.steps, strict=True):
        assert part["live"] == expected.live.astype(int).tolist()
        assert part["pair"] == list(expected.pair)
        assert part["leaves"] == list(expected.first)
        i, j = expected.pair
        assert part["cells"][i][j] == number(float(expected.matrix[i, j]))
        status = unpacked(part["status"])
        assert np.count_nonzero(status >= 2) == len(expected.machine.support)
        assert np.count_nonzero(status == 3) == np.count_nonzero(expected.machine.bound)
        assert "<mfrac>" in part["formula"]
    for each, shown in zip(found.steps, told["steps"], strict=True):
        names = " and ".join(told["names"][c] for c in each.first)
        assert plain(shown[2]).startswith(f"Split off: {names}.")
    last = plain(told["steps"][-1][2])
    assert "same value" in last
    assert number(found.steps[0].machine.margin) in str(told["steps"][0][3])


def test_the_values_of_f_stand_for_many_features():
    _, _, told = grown(data="wine", m="svm_tree", scaling="standard")
    assert told["picture"] == "values"
    part = told["machines"][0]
    assert part["values"]["low"] <= -1.2
    assert part["values"]["high"] >= 1.2
    assert sum(map(sum, part["values"]["counts"])) == int(told["steps"][0][6])
    assert "13 features have no common plane" in told["note"]
    _, _, told = grown(data="wine", m="svm_tree", scaling="standard", picture="plane")
    assert told["picture"] == "plane"
    assert "the other 11 features are fixed at their medians" in told["note"]


def test_the_link_says_the_step_and_a_stop_writes_it():
    _, step, _ = grown(data="xor", m="cart", step=3)
    assert step == 3
    _, step, told = grown(**SPIRALS, step=2)
    assert step == 1
    _, step, told = grown(data="xor", m="cart", step=9999)
    assert step == len(told["steps"]) - 1


def test_both_orders_are_told_with_the_accuracy_of_each_class():
    app, _, _ = grown(data="two_spreads", m="svm_tree")
    words = " ".join(str(element.body) for element in app.get("html"))
    assert "Improved" in words
    assert "Traditional" in words
    assert [list(frame.value.columns)[3] for frame in app.dataframe] == ["misclassified at"] * 2
    assert any("never read that way" in m.value for m in app.markdown)


def test_two_orders_are_compared_under_the_same_settings():
    selection = replace(DEFAULT, data="wine", models=(Model("svm_tree"),))
    divided = Work(selection).first.division
    X, y = divided.X.iloc[divided.train_rows], divided.y[divided.train_rows]
    model = SVMTreeClassifier(random_state=selection.seed).fit(X, y)
    other = SVMTreeClassifier(
        order="euclidean", scaling="standard", sigma=model.sigma_, C=model.C_
    ).fit(X, y)
    for order, expected in (("separability", model), ("euclidean", other)):
        found = order_result(Work(selection), order).steps.steps
        machines = expected.tree_.kernel
        assert [step.machine.intercept for step in found] == machines.intercept.tolist()


def test_the_page_says_what_was_chosen_and_from_what():
    app, _, _ = grown(data="wine", held=0, m="svm_tree")
    dataset = load_dataset("wine")
    model = SVMTreeClassifier(random_state=1).fit(dataset.numeric_X, dataset.codes)
    (said,) = [m.value for m in app.markdown if "cross-validation" in m.value]
    assert f"Sigma is {number(model.sigma_)} and C is {number(model.C_)}. Chosen by 5-fold" in said
    assert f"on 178 of the 178 training rows ({percent(model.cross_validation_.accuracy)} %" in said
    assert "standardised" in said
    app, _, _ = grown(**SPIRALS)
    (said,) = [m.value for m in app.markdown if "Sigma is 18" in m.value]
    assert "C is 100. The features are not scaled." in said


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"data": "xor", "m": "svm_tree", "m.max_iter": 2}, "stopped after"),
        ({"data": "xor", "m": "svm_tree", "m.max_depth": 1}, "Split off: "),
        (
            {"data": "blobs", "n_classes": 7, "m": "svm_tree", "m.order": "groups"},
            "Between the groups",
        ),
        ({"data": "blobs", "m": "svm_tree", "m.order": "natural"}, "in their given order"),
        ({"data": "iris", "m": "svm_tree", "m.order": "separability_input"}, "Split off: "),
        ({"data": "digits", "m": "svm_tree"}, "Split off: "),
    ],
)
def test_machines_of_every_kind_are_told(query, words):
    _, _, told = grown(**query)
    assert words in plain(told["steps"][0][2])
    assert all(s[2].startswith("<b>") for s in told["steps"])


@pytest.mark.parametrize("key", ["c45", "cart", "gsodt", "lsodt", "hybrid", "oc1", "cart_lc"])
def test_every_algorithm_has_a_growth(key):
    extra = {"m.n_restarts": 1} if key in ("oc1",) else {}
    _, _, told = grown(data="iris", m=key, **extra)
    assert len(told["steps"]) > 3


def table(rows):
    return "u,v,class\n" + "".join(f"{u},{v},{c}\n" for u, v, c in rows)


def cloud(centre, n, name, seed=0):
    rng = np.random.default_rng(seed)
    return [(*(centre + rng.normal(0, 0.3, 2)).round(4), name) for _ in range(n)]


TABLES = {
    "alone": cloud((0, 0), 20, "a") + cloud((3, 0), 20, "b") + [(5, 5, "c")],
    "same": cloud((0, 0), 20, "a") + cloud((3, 0), 20, "b") + cloud((3, 0), 20, "c"),
    "sixty": [row for k in range(60) for row in cloud((k % 8, k // 8), 5, f"k{k:02d}", k)],
    "markup": cloud((0, 0), 9, "<img src=x onerror=alert(1)>") + cloud((2, 2), 9, "b"),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, rows in TABLES.items():
        (tmp_path / f"growth_{name}.csv").write_text(table(rows))
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))


@pytest.mark.ci
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("alone", "has a single row: its spread counts as 0"),
        ("same", "have the same centre: their distance is 0"),
    ],
)
def test_odd_classes_are_told_in_a_sentence(folder, name, words):
    _, _, told = grown(data=f"folder.growth_{name}", held=0, m="svm_tree")
    assert len(told["steps"]) == 2
    assert any(words in plain(s[2]) for s in told["steps"])


@pytest.mark.ci
def test_sixty_classes_show_the_twelve_that_decide(folder):
    app, _, told = grown(data="folder.growth_sixty", held=0, m="svm_tree")
    assert len(told["steps"]) == 59
    for part in told["machines"]:
        assert len(part["classes"]) == 12
        assert part["hidden"] == 48
        assert min(part["pair"]) >= 0
        assert part["leaves"]
    assert app.get("html")


def test_a_class_name_is_text_in_every_sentence(folder):
    for key in ("svm_tree", "cart"):
        _, _, told = grown(data="folder.growth_markup", held=0, m=key)
        shown = [told["legend"], *(s[2] for s in told["steps"])]
        assert any("&lt;img" in html for html in shown)
        assert not any("<img src=x" in html for html in shown)


def test_a_stop_is_written_to_the_address(monkeypatch):
    given, told = {}, []
    monkeypatch.setattr(growth_player, "_component", lambda: lambda **more: given.update(more))
    opened("growth", data="xor", m="cart")
    monkeypatch.setattr("lastviz.ui.growth.page.session.select", lambda **new: told.append(new))
    state = {"growth": {"step": {"step": 7, "told": 3}}}
    monkeypatch.setattr(growth_player.st, "session_state", state)
    given["on_step_change"]()
    assert told == [{"step": 7}]
    assert state["growth.heard"] == 3


@pytest.mark.parametrize("cls", [C45Classifier, CARTClassifier, GSODTClassifier])
def test_many_rows_are_counted_to_the_last_one(cls):
    rng = np.random.default_rng(0)
    X = rng.random((12_345, 2))
    tree = cls(max_depth=1).fit(X, (X[:, 0] > 0.3).astype(int)).grown_tree_
    rows, *sides = (held_rows(tree, node) for node in range(3))
    assert (rows, sum(sides)) == (12_345, 12_345)
    assert rows_words(tree, 0) == "12,345 rows"
    told = counts_words(tree, 0, ("a", "b")).replace(",", "")
    assert sum(int(n) for n in re.findall(r"\d+", told)) == 12_345


@pytest.mark.parametrize(
    ("data", "first", "second"),
    [("xor", {"m": "cart"}, {"m2": "c45"}),
     ("iris", {"m": "cart"}, {"m2": "cart", "m2.criterion": "entropy"}),
     ("three_spirals", {"m": "cart"}, {"m2": "svm_tree"})],
)  # fmt: skip
def test_two_models_grow_in_step(data, first, second):
    app = seen("growth", data=data, in_step="true", step="4", **first, **second)
    both = stories(app)
    assert set(both) == {"growth0", "growth1"}
    lengths = [len(story["steps"]) for story in both.values()]
    assert [story["begins"] for story in both.values()] == [min(4, n - 1) for n in lengths]


def layouts(**query):
    """How the planes of two models in step are laid out."""
    both = stories(seen("growth", in_step="true", **query))
    return [both[key]["figure"]["layout"] for key in ("growth0", "growth1")]


@pytest.mark.parametrize(
    "chosen", [{}, {"x": "hue", "y": "ash"}, {"x": "hue", "y": "ash", "at": 7}]
)
@pytest.mark.parametrize("second", ["oc1", "svm_tree", "c45"])
def test_two_models_in_step_are_drawn_in_one_plane(second, chosen):
    first, second = (
        [[layout[axis]["range"] for axis in ("xaxis", "yaxis")],
         [note["text"] for note in layout["annotations"]]]
        for layout in layouts(data="wine", m="cart", m2=second, **chosen)
    )  # fmt: skip
    assert first == second
    assert not chosen or first[1][:2] == ["hue", "ash"]


READINGS = ("id3", "c45", "gsodt")  # of categories: as such, or as numbers


@pytest.mark.parametrize(
    "chosen", [{}, {"x": "age", "y": "house"}, {"x": "age", "y": "credit", "at": 7}]
)
@pytest.mark.parametrize(("first", "second"), list(permutations(READINGS, 2)))
def test_models_in_step_that_read_categories_otherwise_share_their_plane(first, second, chosen):
    planes = layouts(data="loan", m=first, m2=second, **chosen)
    titles = [[note["text"] for note in plane["annotations"]] for plane in planes]
    assert titles[0] == titles[1]
    assert planes[0]["xaxis"]["range"] == planes[1]["xaxis"]["range"]
    assert not chosen or titles[0] == [chosen["x"], chosen["y"]]


@pytest.mark.parametrize("key", ["gsodt", "oc1"])
@pytest.mark.parametrize("axes", [None, ("age", "house"), ("job", "credit")])
def test_a_growth_over_categories_has_the_regions_of_the_page_boundaries(key, axes):
    selection = replace(DEFAULT, data="loan", models=(Model("id3"), Model(key))).change(axes=axes)
    plane, alone = plane_of(Work(selection)), replace(selection, models=selection.models[1:])
    scene = growth_scene(Work(alone), plane, "plane", "light")
    assert plane.is_banded
    assert scene.tree.n_nodes == scene.model.tree_.n_nodes
    drawn, expected = _regions(scene).grown, regions_in(Work(selection).models[1], plane)
    np.testing.assert_array_equal(drawn.vertices, expected.vertices)
    np.testing.assert_array_equal(drawn.prediction, expected.prediction)


@pytest.mark.parametrize(
    ("query", "reason"),
    [({"data": "iris"}, "second model"), ({"data": "waveform", "m2": "id3"}, "")],
)
def test_in_step_needs_a_second_model_that_can_learn(query, reason):
    app = seen("growth", m="cart", in_step="true", **query)
    assert set(stories(app)) == {"growth"}
    assert reason in app.info[0].value
    assert app.info[0].value


def test_the_score_of_the_best_trees_root_is_the_errors_that_it_saves():
    X, y = load_iris(return_X_y=True)
    tree = OptimalTreeClassifier(max_depth=2).fit(X, y)
    step = step_of(tree, tree.growth_log_.node.tolist().index(0), ("a", "b", "c"))
    saved = (100 - np.sum(tree.predict(X) != y)) / 150
    value, _, label = step.cells[-1]
    assert label == "score, training errors saved, per row"
    assert float(value) == pytest.approx(saved, abs=5e-4)
