import numpy as np
import pytest

from lastviz.plots import ErrorCurve, OtherWay, pruned_tree_plot, pruning_curve_plot
from lastviz.plots.visuals.theme import THEMES

from .conftest import CURVE, make_scene


def roles(figure):
    return {trace["meta"]["role"]: trace for trace in figure.traces}


def curve(**changes):
    told = {"theme": "light", "mine": 1, "chosen": 2} | changes
    others = told.pop("others", ())
    return pruning_curve_plot(told.pop("curve", CURVE), others, **told)


def test_nested_trees_are_steps_and_others_a_polyline():
    line = roles(curve())["cross_validated_line"]
    assert line["x"].tolist() == [1, 2, 2, 5, 5, 12, 12, 40, 40]
    assert line["y"] == pytest.approx([50, 50, 34, 34, 24, 24, 25, 25, 28])
    loose = ErrorCurve(**{**vars(CURVE), "nested": False})
    line = roles(curve(curve=loose))["cross_validated_line"]
    assert line["x"].tolist() == [1, 2, 5, 12, 40]


def test_the_axis_is_logarithmic_with_ticks_at_trees_that_exist():
    axis = curve().settings["xaxis"]
    assert axis["type"] == "log"
    assert set(axis["tickvals"]) <= set(CURVE.n_leaves.tolist())
    assert axis["range"][0] < 0 < np.log10(40) < axis["range"][1]


def test_the_rule_is_ink_and_the_readers_tree_a_dashed_accent():
    found, theme = roles(curve()), THEMES["light"]
    assert found["chosen"]["line"]["color"] == theme.ink
    assert set(found["chosen"]["x"][:2].tolist()) == {5}
    assert found["mine"]["marker"]["color"] == theme.accent
    assert found["mine"]["x"].tolist() == [12, 12]
    assert found["limit"]["y"].tolist()[0] == pytest.approx(26)


def test_what_is_not_known_is_left_out():
    unknown = np.full(5, np.nan)
    told = ErrorCurve(CURVE.n_leaves, CURVE.training, unknown, unknown, unknown)
    found = roles(curve(curve=told, chosen=None))
    assert not {"band", "cross_validated_line", "held_out_error_line", "chosen"} & set(found)
    assert "training_line" in found
    names = [a["text"] for a in curve(curve=told, chosen=None).settings["annotations"]]
    assert "held out" not in names


def test_names_of_marks_do_not_lie_on_each_other():
    others = [OtherWay(f"way {i}", 11, 0.25, np.empty((0, 2))) for i in range(4)]
    figure = curve(others=others)
    written = [t for t in figure.traces if t["meta"]["role"] == "other_name"]
    assert sum(len(t["text"]) for t in written) == 2  # to the right and to the left
    assert len(roles(figure)["other"]["x"]) == 4


def test_what_goes_is_grey_and_what_stays_keeps_its_place():
    tree = make_scene().tree
    inner = np.flatnonzero(tree.n_children > 0)
    whole = pruned_tree_plot(tree, np.empty(0, dtype=np.intp), theme="light")
    cut = pruned_tree_plot(tree, inner[-1:], theme="light", selected=int(inner[-1]))
    assert not {"gone", "gone_bar", "new_leaf"} & set(roles(whole))
    found = roles(cut)
    assert found["gone_bar"]["line"]["color"] == THEMES["light"].grey3
    assert found["new_leaf"]["customdata"].tolist() == [inner[-1]]
    np.testing.assert_array_equal(found["node"]["x"], roles(whole)["node"]["x"])
    assert "node" not in roles(pruned_tree_plot(tree, inner[-1:], theme="light", hover={}))
    assert [shape["name"] for shape in cut.settings["shapes"]] == ["selected node"]


def test_a_tree_that_goes_as_a_whole_is_its_root():
    tree = make_scene().tree
    found = roles(pruned_tree_plot(tree, np.array([0]), theme="dark"))
    assert found["new_leaf"]["customdata"].tolist() == [0]
    assert "ribbon" not in found
