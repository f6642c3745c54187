"""Edits on the pages: what is drawn of them, how they are made and taken away, what is refused."""

import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from lastviz.plots import number
from lastviz.splitters.edits import along
from lastviz.ui.compute.edited import full, has_place
from lastviz.ui.compute.nodes import edited_nodes, effects, shown_node
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.page_file import blocks_of
from lastviz.ui.splits import page as splits
from lastviz.ui.state.edit_codes import read_edits
from lastviz.ui.state.selection import DEFAULT, Model, Selection
from tests.patience import SECONDS
from tests.sentences.rows import selected

from .conftest import checked, html, opened
from .opened_pages import pictures, seen
from .test_views_leave import words_of

XOR = {"data": "xor", "noise": 0.14, "n_samples": 200, "held": 0, "seed": 2, "m": "cart"}
PAGES = ("splits", "growth", "boundaries", "rules")


def scene(edits: str = "", key: str = "cart", **changes) -> Selection:
    model = Model(key, edits=read_edits(edits)[0] if edits else ())
    params = (("noise", 0.14), ("n_samples", 200))
    scene = DEFAULT.having(params=params, held=0.0, seed=2, models=(model,))
    return scene.having(**changes)


def chips(app: AppTest) -> list[str]:
    labels = (b.label for b in app.button if (b.key or "").startswith("edit-"))
    return [label.replace("\\", "") for label in labels]


def warnings(app: AppTest) -> str:
    return " ".join(warning.value for warning in app.warning).replace("\\", "")


def captions(app: AppTest) -> str:
    return " ".join(caption.value for caption in app.caption).replace("\\", "")


def press(app: AppTest, label: str) -> AppTest:
    button = next(b for b in app.button if b.label.replace("\\", "") == label)
    return checked(button.click().run())


def open_box(app: AppTest) -> AppTest:
    """The app with the box open in which a node is changed."""
    app.session_state["edit_box"] = True
    return checked(app.run())


def query(app: AppTest) -> dict[str, str]:
    values = app.query_params.items()
    return {name: value if isinstance(value, str) else value[0] for name, value in values}


@pytest.mark.parametrize("page", PAGES)
def test_a_forced_root_makes_four_leaves_of_nine_and_is_taken_away(page):
    app = opened(page, **XOR, e="T1_0.5")
    assert chips(app) == ["x1 ≤ 0.5 · root"]
    assert "9 → <i>4</i>" in html(app)
    assert "First difference: root." in captions(app)
    app = press(app, "x1 ≤ 0.5 · root")
    assert chips(app) == []
    assert "e" not in query(app)
    assert "before and after the edits" not in html(app)


def test_all_edits_are_taken_away_at_once():
    app = press(opened("rules", **XOR, e="T1_0.5~0L~1L"), "Remove all")
    assert "e" not in query(app)


def test_the_tree_without_edits_stands_beside_the_edited_one():
    app = press(
        opened("boundaries", **XOR, m2="c45", e="T1_0.5"), "Compare with the tree without edits"
    )
    found = query(app)
    assert [found[name] for name in ("m", "m2", "m3", "e")] == ["cart", "cart", "c45", "T1_0.5"]
    assert "e2" not in found
    assert "CART (1 edit)" in html(app)


def test_models_that_a_page_does_not_show_stay():
    query_of = {**XOR, "m2": "c45", "m3": "oc1"}
    app = press(opened("splits", **query_of, e="T1_0.5"), "Compare with the tree without edits")
    assert [query(app)[name] for name in ("m", "m2", "m3", "m4")] == ["cart", "cart", "c45", "oc1"]
    app = press(opened("rules", **query_of, e="T1_0.5"), "x1 ≤ 0.5 · root")
    assert [query(app)[name] for name in ("m", "m2", "m3")] == ["cart", "c45", "oc1"]


def test_an_edit_whose_node_is_gone_is_named():
    app = seen("rules", **XOR, e="L~1T1_0.5")
    assert chips(app) == ["made a leaf · root", "x1 ≤ 0.5 · branches 2 · no effect"]
    assert "“x1 ≤ 0.5 · branches 2” has no effect" in captions(app)


def test_an_edit_of_a_feature_that_the_data_lack_is_named_and_the_others_are_made():
    app = seen("splits", **XOR, e="T1_0.5~0T9_1")
    assert "has no effect: this tree or data set does not have what it names" in captions(app)
    assert "9 → <i>4</i>" in html(app)


def test_a_threshold_is_forced_from_the_box():
    app = open_box(opened("splits", **XOR))
    app.selectbox(key="edit.0..feature").set_value(0).run()
    app.number_input(key="edit.0..threshold.0").set_value(0.5)
    app = press(app, "Split here")
    assert query(app)["e"] == "T1_0.5"
    assert chips(app) == ["x1 ≤ 0.5 · root"]


def test_a_split_whose_tree_takes_a_moment_is_forced_at_the_picked_node(monkeypatch):
    app = opened("splits", **XOR | {"seed": "4711"}, node="2", pick="3")
    monkeypatch.setattr("lastviz.host.jobs.PATIENCE", 0.0)
    press(app, "Split here")
    (edit,) = app.session_state["selection"].models[0].edits
    assert edit.path == (1,)
    assert query(app)["node"] == "2"
    job = Work(app.session_state["selection"]).first.begin()
    assert job._over.wait(SECONDS)
    app.run()
    assert app.selectbox(key="node").value == 2


def test_a_line_is_typed():
    app = open_box(opened("boundaries", **XOR))
    app.selectbox(key="edit_way").set_value("line").run()
    for key, value in zip(
        ("line.0.25.0", "line.0.25.1", "line.0.75.0", "line.0.75.1"), (0, 1, 1, 0), strict=True
    ):
        app.number_input(key=f"edit.0..{key}").set_value(value)
    app = press(app, "Split here")
    assert query(app)["e"] == "O1_1_2_1_1"
    assert chips(app) == ["x1 + x2 ≤ 1 · root"]


def test_a_leaf_is_made_and_features_are_left_out():
    app = open_box(opened("rules", **XOR, node=1))
    app.selectbox(key="edit_way").set_value("leaf")
    app = press(checked(app.run()), "Make it a leaf")
    assert len(chips(app)) == 1
    app.selectbox(key="node").set_value(0).run()
    app.selectbox(key="edit_way").set_value("without").run()
    app = press(app, "Search without them")
    assert "Choose at least one feature" in warnings(app)
    app.multiselect(key="edit.0..without").set_value([0])
    app.toggle(key="edit.0..below").set_value(True)
    app = press(app, "Search without them")
    assert query(app)["e"].startswith("Y1")


def test_a_node_is_pruned_by_hand_and_restored():
    app = open_box(opened("rules", **XOR, node=0))
    app = press(app, "Prune below this node")
    assert query(app)["e"] == "P"
    assert "9 → <i>1</i>" in html(app)
    app = press(app, "Restore what was pruned here")
    assert "e" not in query(app)
    assert "before and after the edits" not in html(app)


def test_what_the_pruner_cut_is_restored():
    selection = Selection(data="iris", held=0.0, models=(Model("c45"),))
    estimator = Work(selection).first.estimator
    tree, grown = estimator.tree_, estimator.grown_tree_
    inner = grown.key[grown.n_children > 0]
    node = int(np.flatnonzero((tree.n_children == 0) & np.isin(tree.key, inner))[0])
    app = open_box(opened("rules", data="iris", held=0, m="c45", node=node))
    before = tree.n_leaves
    app = press(app, "Restore what was pruned here")
    assert query(app)["e"].endswith("K")
    assert f"{before} → " in html(app)
    assert f"{before} → <i>{before}</i>" not in html(app)


def test_a_line_that_leaves_a_child_empty_is_refused_in_a_sentence_and_nothing_is_lost():
    app = open_box(opened("splits", **XOR, e="0L", node=0))
    app.selectbox(key="edit.0..feature").set_value(0).run()
    app.number_input(key="edit.0..threshold.0").set_value(50.0)
    app = press(app, "Split here")
    assert "50" in warnings(app)
    assert query(app)["e"] == "0L"
    assert app.number_input(key="edit.0..threshold.0").value == 50.0


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ("0P", "“pruned · node 1” has no effect"),
        ("0K", "“not pruned · node 1” has no effect"),
        ("0L", "Nothing changes: the tree had this there already."),
        ("0X1", "Nothing changes: the tree had this there already."),
    ],
)
def test_what_a_leaf_has_already_changes_nothing_and_says_so(edit, said):
    app = seen("boundaries", **XOR, e=edit)
    assert said in captions(app)
    assert query(app)["e"] == edit


def test_a_leaf_of_one_value_is_not_split_and_the_way_out_stays():
    """The first child of the root is a leaf between 0.758 and 1.114."""
    app = opened("boundaries", **XOR, e="0T1_0.5")
    (said,) = (info.value for info in app.info)
    assert "x1 <= 0.5 leaves a child of the node 1 without rows" in said
    assert "choose a threshold from 0.758" in said
    assert chips(app) == ["x1 ≤ 0.5 · branches 1"]
    app = press(app, "x1 ≤ 0.5 · branches 1")
    assert not app.info
    assert "e" not in query(app)


def test_one_edit_too_many_of_a_link_is_named_and_the_others_are_made():
    edits = ["T1_0.5", *(f"{n:b}L" for n in range(2, 50))]
    app = seen("rules", **XOR, e="~".join(edits))
    (problem,) = app.session_state["problems"]
    assert f"“{edits[-1]}”" in problem
    assert "at most 48" in problem
    assert len(app.session_state["selection"].models[0].edits) == 48
    assert "x1 ≤ 0.5 · root" in chips(app)


def test_one_edit_too_many_is_refused():
    edits = "~".join(["X1", "Y1", *(f"{i:b}L" for i in range(2, 48))])
    app = open_box(opened("rules", **XOR, e=edits, node=0))
    app.selectbox(key="edit_way").set_value("leaf")
    app = press(checked(app.run()), "Make it a leaf")
    assert "There are 48 edits already" in warnings(app)


def test_best_first_growth_refuses_edits_of_growth_in_a_sentence():
    app = seen("splits", **XOR, **{"m.max_leaf_nodes": 4}, e="T1_0.5")
    assert "max_leaf_nodes" in app.info[0].value
    assert chips(app) == ["x1 ≤ 0.5 · root"]


def test_a_forest_says_that_it_cannot_be_edited():
    app = opened("boundaries", data="monotone", m="mcdf", e="L")
    assert "A forest cannot be edited by hand" in app.info[0].value
    app = press(app, "made a leaf · root")
    assert "A forest cannot be edited by hand" not in " ".join(info.value for info in app.info)


def test_effects_count_rows_and_splits():
    found = effects(Work(scene("T1_0.5")).first)
    assert (found.before.tree_.n_leaves, found.after.tree_.n_leaves) == (9, 4)
    assert found.held_out is None
    assert found.path == ()
    assert found.splits == (8, 3)
    part = found.training
    assert part.after.n_right - part.before.n_right == part.changes.better - part.changes.worse


def test_nodes_and_paths_are_each_other():
    selection = scene("T1_0.5", key="c45")
    estimator = Work(selection).first.estimator
    for node in range(estimator.tree_.n_nodes):
        assert shown_node(estimator, Work(selection).first.node(node).path) == node


def test_edits_are_filled_up_to_the_width_of_the_data():
    division = Work(scene()).first.division
    line, far = read_edits("O1_2_1~0O7_1_0")[0]
    assert has_place(line, division, 2)
    assert not has_place(far, division, 2)
    assert full([line], division)[0].split.weights.tolist() == [2.0, 0.0]
    assert Work(scene("L")).first.without_edits.selection == scene()


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ({"from": [0.5, 0.0], "to": [0.5, 1.0]}, "T1_0.5"),
        ({"from": [0.0, 0.25], "to": [1.0, 0.25]}, "T2_0.25"),
        ({"from": [0.0, 1.0], "to": [1.0, 0.0]}, "O1_1_2_1_1"),
        ({"from": [0.0, 0.0], "to": [2.0, 1.0]}, "O1_-0.5_2_1_0"),
    ],
)
def test_a_line_is_a_threshold_or_a_hyperplane_through_both_places(line, code):
    edit = along(line, (0, 1), ())
    assert edit == read_edits(code)[0][0]


def test_the_best_line_of_the_landscape_is_forced():
    app = press(opened("splits", **XOR, lab="landscape"), "Split along the best line")
    assert query(app)["e"].startswith("O1_")
    assert "9 → " in html(app)


def test_a_picked_candidate_is_forced_and_its_node_stays_picked():
    app = press(opened("splits", **XOR, node=2, pick=3), "Split here")
    assert query(app)["e"].startswith("1T")
    assert query(app)["node"] == "2"


def test_the_menu_of_nodes_calls_a_node_by_the_split_forced_there():
    app = opened("splits", data="iris", held=0, m="cart", node=2, pick=30)

    def called():
        menu = app.selectbox(key="node")
        return menu.format_func(menu.value)

    assert called() == "2: petal width ≤ 1.75, 100 rows"
    app = press(app, "Split here")
    assert called() == "2: sepal width ≤ 2.35, 100 rows"


def test_both_edited_nodes_are_framed_in_the_tree():
    told = pictures(seen("boundaries", **XOR, e="T1_0.5~0X2"))
    shapes = next(iter(told.values()))["figure"]["layout"]["shapes"]
    assert sum(shape.get("name") == "outline edited" for shape in shapes) == 2


def test_a_threshold_in_a_latent_tree_is_one_of_the_feature():
    app = open_box(opened("boundaries", data="iris", held=0, m="gsodt"))
    app.selectbox(key="edit.0..feature").set_value(2).run()
    app.number_input(key="edit.0..threshold.2").set_value(2.5)
    app = press(app, "Split here")
    assert query(app)["e"] == "O3_1_2.5"
    assert chips(app) == ["petal length ≤ 2.5 · root"]


def test_one_place_makes_no_line():
    with pytest.raises(ValueError, match="two different points"):
        along({"from": [1.0, 2.0], "to": [1.0, 2.0]}, (0, 1), ())


@pytest.mark.parametrize("edit", ["T9_1", "O1_1_9_2_5"])
def test_an_edit_of_a_feature_that_the_data_lack_forces_nothing(edit):
    app = checked(seen("splits", data="iris", m="cart", e=edit))
    assert "no effect" in " ".join(chips(app)) + warnings(app) + html(app)
    plain = checked(seen("splits", data="iris", m="cart"))
    assert [title.value for title in app.title] == [title.value for title in plain.title]
    model = Model("cart", edits=read_edits(edit)[0])
    selection = DEFAULT.having(data="iris", models=(model,))
    assert edited_nodes(Work(selection).first, Work(selection).first.estimator) == {}


@pytest.mark.parametrize("data", ["wine&m=cart", "iris&m=hybrid", "iris&m=cart&kinds=4nominal"])
def test_a_forced_threshold_is_said_as_the_tree_has_it_and_its_price_leaves(data):
    link = f"data={data}&m.max_depth=2&held=0.4"
    plain = Work(selected(link))
    values = plain.first.division.values[:, 0]
    between = np.unique(values[plain.first.division.train_rows])
    at = float(f"{between[3] + 0.1 * (between[4] - between[3]):.6g}")  # not midway
    work = Work(selected(f"{link}&e=T1_{at:.6g}"))
    name = str(work.first.division.X.columns[0])
    scene = splits.page_scene(work, "light")
    said = words_of(splits.report_of(work, "Why?", "", splits.blocks(scene), None))
    assert set(re.findall(rf"{re.escape(name)} ≤ ([\d.]+)", said)) >= {number(at, 6)}
    assert f"{name} ≤ {number(float(between[[3, 4]].mean()), 6)} " not in said
    (slide,) = [block for block in blocks_of(work, "splits", splits, "light")
                if "lv-edited" in getattr(block, "text", "")]  # fmt: skip
    n, changes = len(work.first.division.held_out_rows), effects(work.first).held_out.changes
    for told in (said, words_of(slide.text)):
        assert f"{changes.better} / {changes.worse}" in told
        assert f"of {n})" in told
    assert not [block for block in blocks_of(plain, "splits", splits, "light")
                if "lv-edited" in getattr(block, "text", "")]  # fmt: skip
