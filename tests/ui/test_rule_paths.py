"""What *rules* shows of a sample's path and of its tree, over all algorithms and kinds of data."""

import re

import numpy as np
import pandas as pd
import pytest

from lastviz.estimators import ESTIMATORS
from lastviz.inspection import SPREADS, STOPS
from lastviz.plots import split_words
from lastviz.tree import Kind
from lastviz.ui.compute.work import Work
from lastviz.ui.rules.page import blocks
from lastviz.ui.rules.sample import sample_of
from lastviz.ui.rules.scene import rule_scene
from lastviz.ui.rules.words import step_of
from lastviz.ui.shared.blocks import Box
from lastviz.ui.state.selection import Model, Selection
from lastviz.ui.text import CannotShow
from tests.credit import credit_table

from .conftest import checked, opened

CHEAP = {"n_restarts": 1, "n_jumps": 0, "n_estimators": 2}
DATA = ("moons", "iris", "loan", "monotone", "credit", "whole credit", "lacks")
FILES = {"credit": "folder.credit", "whole credit": "folder.whole", "lacks": "folder.lacks"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    where = tmp_path_factory.mktemp("credits")
    credit_table(400, missing=0.03).to_csv(where / "credit.csv", index=False)
    credit_table(400, missing=0.0).to_csv(where / "whole.csv", index=False)
    rng, n = np.random.default_rng(0), 120
    silent, rude = rng.random(n) < 0.3, rng.random(n) < 0.3
    table = pd.DataFrame(
        {
            "income": np.where(silent, np.nan, rng.normal(3, 1, n)),
            "town": np.where(rude, None, rng.choice(["north", "south"], n)),
            "class": np.where(silent, "silent", np.where(rude, "rude", "open")),
        }
    )
    table.to_csv(where / "lacks.csv", index=False)
    return where


@pytest.fixture(autouse=True)
def tables(folder, monkeypatch):
    monkeypatch.setenv("LASTVIZ_DATA", str(folder))


def selected(data, key, **more):
    named = FILES.get(data, data)
    names = {param.name for param in ESTIMATORS[key].cls.PARAMS}
    params = tuple((name, value) for name, value in CHEAP.items() if name in names)
    return Selection(data=named, models=(Model(key, params),)).having(**more)


def scene_of(data, key, **more):
    """The scene, None where the algorithm does not learn from such data."""
    try:
        return rule_scene(Work(selected(data, key, **more)), "light")
    except CannotShow:
        return None


def steps_of(sample, tree):
    """The steps of a sample as they are shown, with the node, the value and the branch."""
    path = sample.path
    for node, value, branch in zip(
        path.node.tolist(), path.value.tolist(), path.branch.tolist(), strict=True
    ):
        if branch != STOPS:
            yield node, value, branch, step_of(tree, node, value, branch)


def read(text):
    """The number that a text shows."""
    text = text.replace(",", "").replace("\N{MINUS SIGN}", "-")
    power = re.fullmatch(r"(.+)·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", text)
    if power:
        exponent = power[2].translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
        return float(power[1]) * 10.0 ** int(exponent)
    return float(text)


HOLDS = {
    "≤": lambda a, b: a <= b,
    "≥": lambda a, b: a >= b,
    "&lt;": lambda a, b: a < b,
    "&gt;": lambda a, b: a > b,
}


def holds(step, tree, node):
    """Whether the condition that is shown is true of the value that is shown."""
    if tree.kind[node] == Kind.CATEGORIES:
        labels = tree.feature_categories[tree.feature[node]]
        first = np.flatnonzero(tree.categories.branch[tree.split_row[node]] == 0)
        return step.value in {str(labels[code]) for code in first}
    _, relation, end = step.question.rsplit(" ", 2)
    return HOLDS[relation](read(step.value), read(end))


@pytest.mark.parametrize("key", ESTIMATORS)
def test_the_condition_that_is_shown_is_true_exactly_where_the_answer_is_yes(key):
    seen = 0
    for data in DATA:
        scene = scene_of(data, key)
        n_rows = len(scene.found.stops) if scene else 0
        for row in range(0, n_rows, max(n_rows // 24, 1)):
            chosen = selected(data, key, highlighted=row)
            sample = sample_of(chosen, scene.estimator, scene.division)
            tree = scene.tree
            for node, value, branch, step in steps_of(sample, tree):
                seen += 1
                assert_consistent(tree, node, value, branch, step)
    assert seen >= 20


def assert_consistent(tree, node, value, branch, step):
    asked = split_words(tree, node)
    assert "∞" not in step.question
    assert step.question.rpartition(" ")[0] == asked.rpartition(" ")[0]
    if tree.asks_missing(node):
        assert step.question.endswith("is not missing")
        assert (step.value == "unknown") == np.isnan(value)
        assert step.answer == ("no" if np.isnan(value) else "yes")
    elif np.isnan(value):
        assert step.value == "unknown"
        assert step.answer not in ("yes", "no")
    elif branch == SPREADS:
        assert step.answer.startswith("all branches")
    elif tree.n_children[node] > 2:
        assert step.value in split_words(tree, node, branch=branch)
    else:
        assert step.answer == ("yes" if holds(step, tree, node) else "no")
        assert step.answer == ("yes" if branch == 0 else "no")


@pytest.mark.ci
@pytest.mark.parametrize("drawing", ["flow", "icicle", "node-link"])
@pytest.mark.parametrize("key", ESTIMATORS)
def test_every_drawn_inner_node_shows_its_test(key, drawing):
    seen = 0
    for data in DATA:
        for depth, row in ((None, None), (3, None), (None, 5)):
            scene = scene_of(data, key, depth=depth, highlighted=row, drawing=drawing)
            if scene is None:
                break
            shown = [t for t in scene.figure.data if t.meta["role"] == "test"]
            written = {int(node) for trace in shown for node in trace.customdata}
            inner = scene.layout.node[~scene.layout.leaf]
            assert set(inner.tolist()) <= written
            assert all(text for trace in shown for text in trace.text)
            seen += len(inner)
    assert seen > 5


@pytest.mark.parametrize("data", ["moons", "iris", "credit"])
def test_held_out_rows_stand_beside_training_confidences(data):
    scene = scene_of(data, "c45")
    found, division = scene.found, Work(selected(data, "c45")).first.division
    kept = division.held_out_rows
    total = sum(found.held_out_of(rule.node)[1] for rule in found.rules)
    assert total == pytest.approx(len(kept))
    stopped = found.stops[kept]
    for rule in found.rules:
        right, rows = found.held_out_of(rule.node)
        assert right <= rows + 1e-9
        if data in ("moons", "iris"):
            here = stopped == rule.node
            assert (rows, right) == (here.sum(), (division.y[kept][here] == rule.prediction).sum())
    assert scene_of(data, "c45", held=0.0).found.held_out_of(found.rules[0].node) is None


def test_close_numbers_are_shown_with_the_digits_that_tell_them_apart():
    scene = scene_of("moons", "cart")
    tree, end = scene.tree, float(scene.tree.threshold[0])
    for value in (end, np.nextafter(end, 9), end * (1 + 1e-9), end - 1e-7, -5.0, 1e6):
        branch = int(value > end)
        step = step_of(tree, 0, float(value), branch)
        assert holds(step, tree, 0) == (branch == 0)


def test_a_tree_that_asks_what_is_missing_is_followed():
    scene = scene_of("lacks", "cart")
    asked = {node for node in range(scene.tree.n_nodes) if scene.tree.asks_missing(node)}
    assert asked
    seen = set()
    for row in range(len(scene.found.stops)):
        chosen = selected("lacks", "cart", highlighted=row)
        for node, value, branch, step in steps_of(
            sample_of(chosen, scene.estimator, scene.division), scene.tree
        ):
            assert_consistent(scene.tree, node, value, branch, step)
            seen |= {(node, step.answer)} if node in asked else set()
    assert {answer for _, answer in seen} == {"yes", "no"}


NAMED = "\n".join(
    ["number,a,b,kind"] + [f"P{i:03},{i % 7},{i * i % 11},{'xy'[i % 7 > 3]}" for i in range(80)]
)


def test_without_a_row_there_are_ways_to_one_and_no_rules():
    app = opened("rules", data="wine", m="cart", rule_view="row")
    scene = rule_scene(Work(app.session_state["selection"]), "light", None)
    assert not any(isinstance(block, Box) for block in blocks(scene))  # of the tree with its rules
    button = app.button(key="first_row")
    row = int(button.label.split()[1].strip(",")) - 1
    button.click()
    checked(app.run())
    selection = app.session_state["selection"]
    assert selection.view.highlighted == row
    divided, tree = Work(selection).first.division, Work(selection).first.tree
    predicted = int(tree.predict(divided.values[[row]])[0])
    assert (predicted != divided.y[row]) == ("misclassified" in button.label)
    assert "first_row" not in [each.key for each in app.button]


def test_a_column_that_names_rows_finds_one():
    app = opened("data")
    field = app.file_uploader(key="upload_field")
    checked(field.set_value([("named.csv", NAMED.encode(), "text/csv")]).run())
    loaded = Work(app.session_state["selection"]).data
    assert "number" not in loaded.dataset.X
    app.switch_page("pages/rules.py")
    checked(app.run())
    checked(app.text_input(key="find_row.number").set_value("P041").run())
    assert app.session_state["selection"].view.highlighted == 41
    checked(app.text_input(key="find_row.number").set_value("P999").run())
    assert "No row has this number." in [caption.value for caption in app.caption]
    assert app.session_state["selection"].view.highlighted == 41
