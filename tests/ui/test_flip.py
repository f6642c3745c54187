"""What would change the class of a sample, on the page *rules*."""

import re

import numpy as np
import pytest

from lastviz import CARTClassifier
from lastviz.datasets import load_dataset
from lastviz.inspection import nearest
from lastviz.ui.state.link_texts import Hold, read_holds, write_holds

from .conftest import checked, opened
from .opened_pages import said, seen, words
from .test_rules import fitted

CANCER = {"data": "breast_cancer", "m": "c45", "held": 0, "lit": 21}


def panel(app):
    written = words(app)
    return written[written.index("From ") : written.index(":root")]


def test_the_smallest_change_is_that_of_the_tree():
    said = panel(seen("rules", **CANCER))
    model, data = fitted()
    X = data.numeric_X.to_numpy()
    x = X[20]
    label = model.tree_.predict(x[None, :])[0]
    flip = nearest(model, x, 1 - label, weights=1 / np.ptp(X, axis=0))
    for feature in flip.changed:
        assert f"{data.feature_names[feature]}: " in said
    changed = re.search(r"Distance (\d+\.?\d*)\. ", said)
    assert float(changed[1]) == pytest.approx(flip.distance, rel=1e-3)
    assert "No smaller change exists" in said
    assert "The path after the change" in said
    assert "other than before" in said


def test_a_lock_changes_the_answer_and_stands_in_the_link():
    app = seen("rules", **CANCER)
    first = re.findall(r"([a-z ]+): [\d.]+ →", panel(app))[0].strip()
    held = seen("rules", **CANCER, flip_holds=write_holds([Hold(first, "stays")]))
    assert f"{first}: " not in panel(held).split("Distance")[0]
    assert held.multiselect(key="flip.stays").value == [first]
    assert read_holds(held.query_params["flip_holds"]) == (Hold(first, "stays"),)


@pytest.mark.parametrize("how", ["rises", "falls"])
def test_one_way_features_keep_their_way(how):
    model, data = fitted()
    asked = sorted({data.feature_names[f] for f in model.tree_.feature if f >= 0})
    holds = write_holds([Hold(name, how) for name in asked])
    app = seen("rules", **CANCER, flip_holds=holds)
    said = words(app)
    if "No allowed change" in " ".join(info.value for info in app.info):
        return
    sign = 1 if how == "rises" else -1
    text = said[said.index("From ") :].split("distance")[0].replace(",", "")
    changes = re.findall(r": ([\d.]+) → (?:more than |at most )?([\d.]+)", text)
    assert changes
    for before, after in changes:
        assert sign * (float(after) - float(before)) >= 0


def test_nothing_that_may_change_has_a_clear_answer():
    _, data = fitted()
    holds = write_holds([Hold(name, "stays") for name in data.feature_names])
    app = seen("rules", **CANCER, flip_holds=holds)
    assert any("No allowed change leads to" in info.value for info in app.info)
    assert not app.warning


def test_the_nearest_row_is_another_one():
    """Also where the tree is wrong about the sample, which is of the wanted class itself."""
    data = load_dataset("iris")
    tree = CARTClassifier(max_depth=2).fit(data.numeric_X, data.codes).tree_
    X = data.numeric_X.to_numpy()
    wrong = np.flatnonzero(tree.predict(X) != data.codes)
    row = int(wrong[0])
    query = {"data": "iris", "m": "cart", "m.max_depth": 2, "held": 0, "lit": row + 1}
    said = panel(seen("rules", **query, flip_to=data.codes[row] + 1))
    assert f"row {row + 1}," not in said
    assert "The nearest real row of the class" in said


def test_indicators_of_categories_are_said_to_stay():
    app = seen("rules", data="loan", m="oc1", held=0, lit=7)
    assert any("encode categories are not changed" in info.value for info in app.info)


def test_a_class_without_a_leaf_is_said_to_have_none():
    app = seen("rules", data="iris", m="cart", **{"m.max_depth": 1}, held=0, lit=1, flip_to=3)
    model_has = [info.value for info in app.info]
    assert any("No leaf of the tree predicts" in said for said in model_has)


def test_the_sample_may_have_the_class_already():
    app = seen("rules", data="iris", m="cart", held=0, lit=1, flip_to=1)
    assert "already: nothing needs to change" in words(app)


def test_the_changed_sample_takes_its_place():
    app = opened("rules", **CANCER)
    wanted = re.search(r"From (\w+) to (\w+):", panel(app)).groups()
    checked(app.button(key="show_changed").click().run())
    assert "typed" in app.query_params
    back = re.search(r"From (\w+) to (\w+):", panel(app)).groups()
    assert back == wanted[::-1]


def test_the_metric_and_the_leaves_stay_in_the_link():
    app = opened("rules", **CANCER, flip_metric="l0", flip_rows=5, flip_to=2)
    assert app.query_params["flip_metric"] == "l0"
    assert app.query_params["flip_rows"] == "5"
    assert app.selectbox(key="flip_to").value == 1
    checked(app.selectbox(key="flip_to").select(0).run())
    assert app.query_params["flip_to"] == "1"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"data": "iris", "m": "svm_tree", "lit": 1}, "kernel machines have no corners"),
        ({"data": "iris", "m": "gsodt", "lit": 60}, "No smaller change exists"),
        ({"data": "iris", "m": "oc1", "lit": 60, "flip_metric": "l2"}, "No smaller change exists"),
        (
            {"data": "monotone", "m": "mcdf", "n_samples": 60, "lit": 9},
            "No smaller change exists",
        ),
        (
            {"data": "monotone", "m": "adaboost_m1", "lit": 9},
            "No smaller change exists",
        ),
        ({"data": "loan", "m": "id3", "lit": 3}, "From "),
        ({"data": "monotone", "m": "remt", "m.monotone": "true", "lit": 9}, "No smaller change"),
    ],
)
def test_every_kind_of_model_answers(query, said):
    app = seen("rules", **query)
    assert said in words(app)
    assert not app.warning


def test_an_unknown_value_is_asked_for():
    app = seen("rules", data="iris", m="c45", held=0, typed="5.1,3.5,,0.2")
    assert any("is unknown" in info.value for info in app.info) or "From " in words(app)


@pytest.mark.parametrize("how", ["r", "f", "w0_1"])
def test_a_category_can_stay_but_neither_rise_nor_fall(how):
    query = {"data": "loan", "m": "c45", "lit": 7}
    assert "house: no → yes" in panel(seen("rules", **query, flip_holds=f"house:{how}"))
    assert "house: no → yes" not in words(seen("rules", **query, flip_holds="house:s"))


def test_bounds_are_shown_and_can_be_moved():
    holds = write_holds([Hold("worst radius", "within", 10.0, 15.0)])
    app = opened("rules", **CANCER, flip_holds=holds)
    assert app.number_input(key="flip.high.worst radius").value == 15.0
    checked(app.number_input(key="flip.low.worst radius").set_value(16.0).run())
    (hold,) = app.session_state["selection"].rules.flip_holds
    assert "16.0" not in app.query_params["flip_holds"]
    assert (hold.low, hold.high) == (16.0, 16.0)


def test_features_are_chosen_in_one_list_at_a_time():
    app = opened("rules", **CANCER, flip_holds=write_holds([Hold("worst radius", "stays")]))
    app.session_state["fold.flip"] = True
    checked(app.run())
    checked(app.multiselect(key="flip.rises").set_value(["worst radius"]).run())
    assert read_holds(app.query_params["flip_holds"]) == (Hold("worst radius", "rises"),)
    assert app.multiselect(key="flip.stays").value == []


def test_a_link_with_wrong_parts_shows_the_panel_as_one_without():
    app = seen("rules", **CANCER, flip_holds="age:x", flip_rows=-1)
    assert len(app.session_state["problems"]) == 2
    assert "What would change it?" in said(app, "markdown")
    assert app.number_input(key="flip_rows").value == 0


def test_holds_of_other_columns_are_passed_over():
    app = seen("rules", **CANCER, flip_holds=write_holds([Hold("no such column", "stays")]))
    assert "No smaller change exists" in panel(app)
