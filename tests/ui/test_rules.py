"""The page *rules*: what it says is what the tree says."""

import json
from dataclasses import replace

import numpy as np
import pytest

from lastviz import C45Classifier
from lastviz.datasets import load_dataset
from lastviz.inspection import explain, rules
from lastviz.plots import number
from lastviz.ui.compute.work import Work
from lastviz.ui.rules.scene import CLOSED_TO, rule_scene
from lastviz.ui.rules.tables import lost_table
from lastviz.ui.rules.words import part_words
from lastviz.ui.state.link_texts import read_typed, write_typed
from lastviz.ui.state.selection import DEFAULT, Model

from .conftest import checked, html, opened
from .opened_pages import pictures, seen, sent_to

CANCER = {"data": "breast_cancer", "m": "c45", "held": 0}
RULES = {"rule_view": "rules"}


def fitted():
    data = load_dataset("breast_cancer")
    return C45Classifier().fit(data.numeric_X, data.codes), data


def traces(app, role):
    figure = pictures(app)["rules_plot"]["figure"]
    return [trace for trace in figure["data"] if trace["meta"]["role"] == role]


def listed(app):
    """What the table of rules was sent."""
    return json.loads(sent_to(app, "filtered_table")["rules"])


def column(app, title):
    (found,) = (each for each in listed(app)["columns"] if each["title"] == title)
    return found["values"]


def test_every_rule_is_a_row_beside_the_tree_and_in_the_table():
    app = seen("rules", **CANCER, **RULES)
    model, _ = fitted()
    found = rules(model.tree_)
    assert column(app, "rule") == [rule.number for rule in found]
    assert column(app, "training rows") == [rule.support for rule in found]
    confidence = [100 * rule.confidence for rule in found]
    np.testing.assert_allclose(column(app, "confidence, training"), confidence)
    written = [text for trace in traces(app, "row") for text in trace["text"]]
    for rule in found:
        assert number(rule.support) in written
        exact = 0 < rule.confidence < 0.995 or rule.confidence == 1
        assert (f"{100 * rule.confidence:.0f} %" if exact else "> 99 %") in written
    assert f"{number(len(found))} rules" in html(app)
    assert not traces(app, "path")


def test_a_row_is_led_through_the_tree():
    app = seen("rules", **CANCER, lit=21)
    model, data = fitted()
    path = explain(model, data.numeric_X.iloc[20].to_numpy())
    assert len(traces(app, "path")) == 1
    said = html(app)
    assert "Row 21 (" in said
    assert "path of the sample" in said
    tests = [text for t in traces(app, "test") for text in t["text"]]
    name = model.tree_.feature_names[model.tree_.feature[0]]
    assert any(name in text and number(path.value[0]) in text for text in tests if "<b>" in text)
    rule = next(r for r in rules(model.tree_) if r.node == path.main_end)
    assert f"by rule {rule.number}" in said


def test_a_typed_sample_takes_its_way_and_a_needed_value_is_asked_for():
    model, data = fitted()
    x = data.numeric_X.iloc[20]
    app = seen("rules", **CANCER, typed=write_typed([repr(float(v)) for v in x]))
    assert "typed sample" in html(app)
    assert traces(app, "path")
    root = int(model.tree_.feature[0])
    texts = [repr(float(v)) for v in x]
    texts[root] = ""
    app = seen("rules", **CANCER, typed=write_typed(texts))  # C4.5 spreads it
    assert "rules in parts" in html(app)
    assert "lv-path" in html(app)
    assert "all branches" in html(app)
    app = seen("rules", **CANCER | {"m": "gsodt"}, typed="1")
    assert any("without missing values" in info.value for info in app.info)
    texts[root] = "many"
    app = seen("rules", **CANCER, typed=write_typed(texts))
    assert any("“many” is no value" in info.value for info in app.info)


def test_filters_leave_the_rules_that_pass():
    query = {**CANCER, "from_rows": 20, "from_confidence": 90, "order": "coverage"}
    app = seen("rules", **query)
    model, _ = fitted()
    kept = [r for r in rules(model.tree_) if r.support >= 20 and r.confidence >= 0.9]
    kept.sort(key=lambda r: -r.coverage)
    assert column(app, "rule") == [r.number for r in kept]
    app = seen("rules", **CANCER, from_rows=100_000)
    assert any("No rule is left" in info.value for info in app.info)


def test_the_browser_has_the_rules_of_all_classes_and_what_is_said_of_each():
    model, _ = fitted()
    found = rules(model.tree_)
    whole = listed(seen("rules", **CANCER, **RULES))
    chosen = listed(seen("rules", **CANCER, only=1))
    assert (whole["chosen"], chosen["chosen"]) == (None, 0)
    assert chosen["columns"] == whole["columns"]
    assert sorted(whole["ids"]) == sorted(rule.node for rule in found)
    by_node = {rule.node: rule for rule in found}
    assert whole["classes"] == [by_node[node].prediction for node in whole["ids"]]
    for k, caption in enumerate(whole["captions"][1:]):
        n_rules = sum(rule.prediction == k for rule in found)
        share = 100 * sum(rule.share for rule in found if rule.prediction == k)
        assert f"{n_rules} of {len(found)} rules" in caption
        assert f"{float(f'{share:.3g}'):g} %" in caption


def test_of_too_many_rules_those_of_the_chosen_class_are_sent(monkeypatch):
    monkeypatch.setattr("lastviz.ui.rules.tables.MOST_LISTED", 3)
    assert len(column(opened("rules", **CANCER, **RULES), "rule")) == 3
    chosen = listed(opened("rules", **CANCER, only=2))
    assert chosen["classes"] == [1, 1, 1]
    assert "The first 3 are listed" in chosen["captions"][0]


def test_a_large_tree_is_closed_and_says_so():
    query = {"data": "gauss_2d", "m": "cart", "m.ccp_cv": "none", "n_samples": 2000, "held": 0}
    app = seen("rules", **query, **RULES)
    assert len(column(app, "rule")) > 100
    captions = " ".join(c.value for c in app.caption)
    assert "rules are drawn individually" in captions
    assert "fewer than" in captions
    (row,) = traces(app, "row")
    assert len(row["text"]) <= 4 * CLOSED_TO
    assert any(text.startswith("+") for text in row["text"])
    assert not traces(seen("rules", **query, least=1), "row")
    assert traces(seen("rules", **query, drawing="icicle"), "box")


def test_a_picked_node_has_a_card_and_its_rows():
    app = seen("rules", **CANCER, node=2)
    assert "lv-card" in html(app)
    assert "rule_rows" in pictures(app)
    assert app.markdown


def test_a_forest_shows_its_trees_and_the_one_that_stands_for_it():
    query = {"data": "monotone", "n_samples": 200, "m": "adaboost_m1", "m.n_estimators": 4}
    app = opened("rules", **query, **RULES)
    assert "The whole forest" in " ".join(m.value for m in app.markdown)
    assert "forest_overview" in pictures(app)
    assert any("tree 1 of" in c.value for c in app.caption)
    checked(app.selectbox(key="tree0.adaboost_m1").select_index(2).run())
    assert app.query_params["tree"] in ("2", ["2"])


def test_machines_offer_the_graph_alone():
    app = seen("rules", data="three_spirals", m="svm_tree", held=0, **RULES)
    assert any("only JSON and the graph" in c.value for c in app.caption)


def test_typed_values_survive_the_link():
    values = ["1,5", "", "a & b", "~", "−3"]
    assert read_typed(write_typed(values), 5) == values
    assert write_typed(["", ""]) == ""
    assert read_typed("1", 3) == ["1", "", ""]
    assert read_typed("1,2,3,4", 2) == ["1", "2"]


@pytest.mark.parametrize("key", ["oc1", "cart_lc"])
def test_rows_held_back_for_pruning_count_among_those_that_come_to_a_node(key):
    selection = replace(DEFAULT, data="breast_cancer", models=(Model(key),))
    scene = rule_scene(Work(selection), "light")
    tree, lost, rows = scene.tree, scene.lost, scene.division.train_rows
    assert lost.come[0] == len(rows) > tree.n_node_samples[0]
    here = np.array([np.isin(scene.found.stops[rows], tree.subtree(n)).sum() for n in range(3)])
    assert lost.come[:3].tolist() == here.tolist()
    assert (lost.by_node(tree.n_nodes) <= lost.come).all()


@pytest.mark.parametrize(
    ("data", "key"), [("iris", "cart"), ("waveform", "c45"), ("loan", "id3"), ("monotone", "remt")]
)
def test_the_tree_holds_the_held_out_rows_and_says_where_wrong_ones_are_lost(data, key):
    selection = replace(DEFAULT, data=data, models=(Model(key),)).having(rows_of="held_out")
    scene = rule_scene(Work(selection), "light")
    kept = np.sort(scene.division.held_out_rows)
    assert scene.poured.rows.tolist() == (kept + 1).tolist()
    assert scene.poured.tree.weighted_n_node_samples[0] == len(kept)
    assert (scene.poured.tree.value == scene.found.held_out_counts).all()
    wrong = kept[scene.found.predicted[kept] != scene.division.y[kept]]
    app = opened("rules", data=data, m=key, rows_of="held_out")
    table = lost_table(scene)
    assert table["row"].tolist() == (wrong + 1).tolist()
    rows = part_words("held_out", len(kept))
    assert f"numbers beside the rules: of {rows}" in html(app)
    assert any("widths and numbers are theirs" in caption.value for caption in app.caption)
    said = [caption.value for caption in app.caption]
    if len(wrong):
        assert any(f"Misclassified: {len(wrong)} of {rows}." in sentence for sentence in said)
        checked(app.button(key="lost_brush").click().run())
        assert f"**{len(wrong)} brushed row" in " ".join(text.value for text in app.markdown)
    else:
        assert any("classifies all" in sentence for sentence in said)


def test_without_held_out_rows_the_tree_holds_the_training_rows():
    app = seen("rules", data="iris", m="cart", held="0", rows_of="held_out")
    assert "105 training" not in html(app)
    assert "of 150 training rows" in html(app)


def new_rows(**changes):
    """Iris as a file of new rows, with some cells changed."""
    dataset = load_dataset("iris")
    table = dataset.X.assign(**{dataset.y.name: dataset.y.astype(str)}).iloc[::7]
    for column, value in changes.items():
        table[column] = value
    return table


def test_new_rows_flow_through_the_tree():
    table = new_rows()
    selection = replace(DEFAULT, data="iris", models=(Model("cart"),)).having(rows_of="new")
    scene = rule_scene(Work(selection), "light", (table.to_csv(index=False).encode(), "new.csv"))
    dataset = load_dataset("iris")
    assert scene.poured.part == "new"
    assert scene.poured.tree.value[0].sum() == len(table)
    predicted = scene.tree.predict(table[list(dataset.X)].to_numpy())
    wrong = np.flatnonzero(predicted != dataset.codes[::7])
    assert lost_table(scene)["row"].tolist() == (wrong + 2).tolist()  # line 1 is the header
    assert scene.problem is None


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (None, "Upload a file"),
        (new_rows().drop(columns=load_dataset("iris").y.name), "has no column"),
        (new_rows(**{load_dataset("iris").y.name: "rose"}), "is no class here"),
        (new_rows(**{load_dataset("iris").X.columns[0]: "long"}), "is no number"),
    ],
)
def test_what_is_wrong_with_new_rows_is_said_and_the_training_rows_are_shown(file, said):
    selection = replace(DEFAULT, data="iris", models=(Model("cart"),)).having(rows_of="new")
    new = None if file is None else (file.to_csv(index=False).encode(), "new.csv")
    scene = rule_scene(Work(selection), "light", new)
    assert said in scene.problem
    assert scene.poured.part == "training"


def test_a_file_of_new_rows_is_handed_in_on_the_page():
    app = opened("rules", data="iris", m="cart", rows_of="new")
    assert "Upload a file" in app.info[0].value
    table = new_rows()
    field = app.get("file_uploader")[0]
    field.set_value(("new.csv", table.to_csv(index=False).encode(), "text/csv"))
    checked(app.run())
    assert f"of {len(table)} new rows" in html(app)


def test_a_row_picked_on_boundaries_is_the_one_at_hand_on_rules():
    app = opened("boundaries", data="iris", m="cart", lit=5)
    app = checked(app.switch_page("pages/rules.py").run())
    assert app.session_state["selection"].view.highlighted == 4
    assert app.number_input(key="lit").value == 5
