import numpy as np
import pytest

from lastviz.plots import ErrorCurve, OtherPruner, pruned_tree_plot, pruning_curve_plot
from lastviz.plots.visuals.theme import THEMES
from lastviz.plots.visuals.words import text_width

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


def test_the_axis_has_ticks_at_trees_that_exist_the_rule_is_ink_and_the_readers_tree_dashed():
    axis = curve().settings["xaxis"]
    assert axis["type"] == "log"
    assert set(axis["tickvals"]) <= set(CURVE.n_leaves.tolist())
    assert axis["range"][0] < 0 < np.log10(40) < axis["range"][1]
    found, theme = roles(curve()), THEMES["light"]
    assert found["chosen"]["line"]["color"] == theme.ink
    assert set(found["chosen"]["x"][:2].tolist()) == {5}
    assert found["mine"]["marker"]["color"] == theme.accent
    assert found["mine"]["x"].tolist() == [12, 12]
    assert found["limit"]["y"].tolist()[0] == pytest.approx(26)


def test_what_is_not_known_is_left_out_and_the_readers_line_where_it_is_the_rules():
    unknown = np.full(5, np.nan)
    told = ErrorCurve(CURVE.n_leaves, CURVE.training, unknown, unknown, unknown)
    found = roles(curve(curve=told, chosen=None))
    assert not {"band", "cross_validated_line", "held_out_error_line", "chosen"} & set(found)
    assert "training_line" in found
    names = [a["text"] for a in curve(curve=told, chosen=None).settings["annotations"]]
    assert "held out" not in names
    assert "mine" not in roles(curve(mine=2, chosen=2))
    assert "mine" in roles(curve(mine=2, chosen=None))


def boxes_of_names(figure, width=470):
    """Names above the curves as boxes in pixels: left, right, low, high."""
    (left, right), (low, high) = (figure.settings[k]["range"] for k in ("xaxis", "yaxis"))
    tall = figure.height - figure.settings["margin"]["t"] - figure.settings["margin"]["b"]
    found = []
    for trace in figure.traces:
        if trace["meta"]["role"] in ("other_name", "mine_name"):
            for x, y, name in zip(trace["x"], trace["y"], trace["text"], strict=True):
                at = (np.log10(x) - left) / (right - left) * width
                up = (y - low) / (high - low) * tall
                found.append((at, at + text_width(name, 13.0), up - 8, up + 8))
    return np.array(found), tall


WAYS = [
    OtherPruner("Error-based, replacement by single leaves alone", 12, 0.0, np.empty((0, 2))),
    OtherPruner("Error-based (C4.5)", 12, 0.0, np.empty((0, 2))),
    OtherPruner("Pessimistic", 11, 0.24, np.empty((0, 2))),
    OtherPruner("Description length", 9, 0.27, np.array([[9, 0.27], [30, 0.3]])),
    OtherPruner("Entropy cost", 40, 0.3, np.empty((0, 2))),
    OtherPruner("Minimum error", 1, 0.5, np.empty((0, 2))),
]


@pytest.mark.parametrize("mine", [0, 1, 2, 4])
def test_names_lie_neither_on_each_other_nor_on_lines_nor_outside(mine):
    figure = curve(others=WAYS, mine=mine, chosen=2)
    boxes, tall = boxes_of_names(figure)
    assert len(boxes) == len(WAYS) + 1 + (mine != 2)  # each has one, and the rule has one
    for i, (left, right, low, high) in enumerate(boxes):
        assert 0 <= left < right <= 470 + 120
        assert high <= tall
        for other_left, other_right, other_low, other_high in boxes[i + 1 :]:
            across = left < other_right and other_left < right
            assert not (across and low < other_high and other_low < high)
    found, (bottom, top) = roles(figure), figure.settings["yaxis"]["range"]
    highest = max(t["y"].max() for t in figure.traces if t["meta"]["role"].endswith("_trees"))
    unit = (top - bottom) / tall
    assert boxes[:, 2].min() * unit + bottom > highest  # no curve goes through a name
    assert (found["other"]["y"].min() - bottom) / unit > found["other"]["marker"]["size"] / 2
    leaders = found["leader"]
    ends = np.column_stack([leaders["x"], leaders["y"]])[~np.isnan(leaders["x"])].reshape(-1, 4)
    for x, y, name in zip(*(found["other_name"][k] for k in ("x", "y", "text")), strict=True):
        at, up = boxes_of_names(figure)[0][:, :2], y
        for x_line, low, _, high in ends:
            if x_line > x and low < up < high:
                place = np.log10(x_line) - figure.settings["xaxis"]["range"][0]
                span = np.diff(figure.settings["xaxis"]["range"])[0]
                names = found["other_name"]["text"]
                assert 470 * place / span >= at[names.index(name), 1] - 1, (name, x_line)


def test_trees_that_are_the_same_share_a_diamond_and_the_rules_own_has_none():
    same = [OtherPruner(name, 12, 0.26, np.empty((0, 2))) for name in ("A", "B")]
    ruled = OtherPruner("C", 5, 0.22, np.empty((0, 2)))
    found = roles(curve(others=[*same, ruled], chosen=2))
    assert (found["other"]["x"].tolist(), found["other"]["y"].tolist()) == ([12], [26])
    assert [name.strip("\u00a0") for name in found["other_name"]["text"]] == [
        *("<b>one-SE rule, C</b>", "A, B")
    ]


@pytest.mark.parametrize("name", ["C", "Error-based"])
@pytest.mark.parametrize("size", [2, 5, 12, 30])
def test_names_that_do_not_fit_beside_each_other_stand_below_each_other(name, size):
    others = [OtherPruner(each, size, 0.3, np.empty((0, 2))) for each in (name, name.upper())]
    drawn = curve(others=others, chosen=2)
    named = [text.strip("\u00a0") for text in roles(drawn)["other_name"]["text"]]
    listed = ", ".join(text for text in named if "<b>" not in text)
    assert listed == f"{name}, {name.upper()}"
    assert len(set(roles(drawn)["other_name"]["y"])) == len(named)
    assert len(roles(drawn)["other"]["x"]) == 1


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
    found = roles(pruned_tree_plot(tree, np.array([0]), theme="dark"))
    assert found["new_leaf"]["customdata"].tolist() == [0]
    assert "ribbon" not in found
