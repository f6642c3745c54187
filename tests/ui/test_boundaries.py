"""The page *boundaries*: its numbers are the models' own, whatever is chosen."""

import re
from html import unescape

import numpy as np
import pytest

from lastviz import C45Classifier, CARTClassifier
from lastviz.datasets import DATASETS, load_dataset
from lastviz.ui.boundaries.scene import scene_of
from lastviz.ui.compute.python_code import python_of
from lastviz.ui.compute.work import Work
from lastviz.ui.pruning.figures import plane_figure
from lastviz.ui.pruning.scene import pruning_scene
from lastviz.ui.shared.headline import class_sign, legend
from tests.sentences.rows import selected

from .conftest import html, opened
from .opened_pages import seen

MODELS = {"cart": CARTClassifier, "c45": C45Classifier}


def heads(app):
    """The headline of each model as {label: value}."""
    out = []
    for head in re.findall(r'<div class="lv-head".*?</div></div></div>', html(app), re.S):
        cells = re.findall(r"<div><b>([^<]*).*?<span>([^<]*)</span>", head)
        named = {label.removeprefix("accuracy, "): value for value, label in cells}
        out.append(named)
    return out


def expected(key, depth=None, held=0.3, **params):
    dataset = load_dataset(key, random_state=1, **params)
    train, held_out = dataset.split(held, random_state=1)
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    out = []
    for cls in MODELS.values():
        tree = cls().fit(X[train], y[train]).tree_
        stands = tree.at_depth(depth)
        right = tree.prediction[stands[tree.apply(X)]] == y
        shares = {"training": right[train].mean()}
        if len(held_out):
            shares["held out"] = right[held_out].mean()
        n = len(np.unique(stands[tree.n_children == 0]))
        leaves = {"leaf" if n == 1 else "leaves": f"{n}"}
        out.append({k: f"{100 * v:.1f}" for k, v in shares.items()} | leaves)
    return out


@pytest.mark.parametrize("depth", [None, 0, 2])
@pytest.mark.parametrize("held", [0.0, 0.5])
def test_the_headline_is_worked_out_by_the_models(depth, held):
    query = {"data": "moons", "held": held} | ({} if depth is None else {"depth": depth})
    shown = heads(seen("boundaries", **query))
    wanted = expected("moons", depth=depth, held=held)
    assert len(shown) == 2
    for ours, theirs in zip(shown, wanted, strict=True):
        assert {key: ours[key] for key in theirs} == theirs
        assert ("held out" in ours) == (held > 0)


@pytest.mark.parametrize("key", [k for k in DATASETS if k != "digits"])
def test_every_data_set_has_its_picture(key):
    small = any(p.name == "n_samples" for p in DATASETS[key].PARAMS)
    app = seen("boundaries", data=key, **({"n_samples": 120} if small else {}))
    assert len(heads(app)) == 2
    in_slice = "An exact slice" in " ".join(c.value for c in app.caption)
    assert in_slice == (load_dataset(key).n_features > 2)


@pytest.mark.parametrize("detail", ["notice", "classes", "rules", "how"])
def test_every_explanation(detail):
    app = seen("boundaries", data="iris", detail=detail, m="c45", m2="cart", node=0)
    said = " ".join(m.value for m in app.markdown)
    wanted = {
        "notice": "disagree on",
        "classes": "held out",
        "rules": "C4.5",
        "how": "gain ratio",
    }
    assert wanted[detail] in said
    if detail == "rules":
        table = app.dataframe[0].value
        assert table["training rows"].sum() == 105
    if detail == "how":
        assert any(r"\mathbf" in latex.value for latex in app.latex)


def test_a_node_that_the_tree_has_not_is_the_root():
    app = seen("boundaries", data="moons", node=100000, node2=1)
    assert html(app).count('class="lv-card"') == 2


def test_parameters_out_of_range_are_told_and_the_rest_of_the_link_is_used():
    query = {"m": "c45", "m.confidence": "7", "m2": "cart", "m2.max_depth": "0", "depth": "-3"}
    app = seen("boundaries", data="moons", noise="-1", **query)
    told = html(app)
    for sentence in ("m.confidence must be", "m2.max_depth must be", "noise must be", "depth must"):
        assert sentence in told
    assert len(heads(app)) == 2


def test_a_notice_of_a_wrong_link_goes_with_the_next_change():
    query = {"data": "xor", "noise": -3, "m": "cart", "m.max_depth": 0, "seed": 3, "colour": "red"}
    app = opened("boundaries", **query)
    told = html(app)
    assert 'class="lv-notice"' in told
    limit = "m.max_depth must be a whole number >= 1 or none (no limit)"
    assert all(words in unescape(told) for words in ("noise must be", limit, "colour"))
    seed = next(field for field in app.sidebar.number_input if field.label == "Seed")
    assert seed.value == 3
    assert 'class="lv-notice"' not in html(seed.set_value(4).run())


def test_a_slice_through_a_row():
    app = seen("boundaries", data="iris", at=101, x="sepal length", y="petal length")
    faithful = [c.value for c in app.caption if "An exact slice" in c.value]
    assert len(faithful) == 2
    assert app.sidebar.number_input(key="slice").value == 101


def test_one_feature_alone_still_has_a_picture():
    app = seen("boundaries", data="iris", columns="3")
    assert len(heads(app)) == 2


def test_a_lone_model_and_back_to_two():
    app = opened("boundaries", data="moons", m="c45")
    assert len(heads(app)) == 1
    app.sidebar.selectbox(key="model1").set_value("cart").run()
    assert len(heads(app)) == 2


def test_the_python_lines_rebuild_the_numbers_on_the_page(capsys):
    query = {"m": "c45", "m.confidence": "0.1", "m2": "c45", "scaling": "min-max", "one": "2"}
    app = seen("boundaries", data="wine", seed=5, classes="3.1.2", **query)
    names = {}
    exec(python_of(Work(app.session_state["selection"])), names)
    printed = re.findall(r"accuracy held out (0?\.\d+|1\.0)", capsys.readouterr().out)
    shown = [head["held out"] for head in heads(app)]
    assert [f"{100 * float(p):.1f}" for p in printed] == shown
    assert names["c45_1"].confidence == 0.1


def test_the_legend_names_classes_by_symbol_and_word():
    line = legend(["a<b>", "b"], "light")
    assert "a&lt;b&gt;" in line
    assert line.count("<img") == 2
    assert "%230072B2" in class_sign(0, "light")
    assert "more" in legend([str(k) for k in range(40)], "dark")


@pytest.mark.parametrize("detail", ["notice", "classes", "rules", "how"])
def test_a_tree_of_machines_is_shown_like_any_other(detail):
    app = seen("boundaries", data="three_spirals", m="svm_tree", node=2, depth=2, detail=detail)
    (head,) = heads(app)
    assert head["leaves"] == "3"
    assert "f(" in html(app)
    said = " ".join(m.value for m in app.markdown)
    assert "horizontal or vertical" not in said
    if detail == "rules":
        rules = app.dataframe[0].value["rule"]
        assert all("f(" in rule for rule in rules)
    if detail == "how":
        assert "support vectors" in " ".join(c.value for c in app.caption)
        assert any("-fold cross-validation on" in c.value for c in app.caption)
        assert any("K(x_i, x)" in latex.value for latex in app.latex)


def test_a_slice_of_a_tree_of_machines():
    app = seen("boundaries", data="wine", m="svm_tree", node=0)
    assert len(heads(app)) == 1
    assert any("A slice, on a fine grid" in c.value for c in app.caption)


@pytest.mark.parametrize("data", ["xor", "waveform"])
def test_oblique_models_stand_beside_each_other(data):
    query = {"m": "gsodt", "m2": "lsodt", "m2.levels": 3, "node": 0}
    app = seen("boundaries", data=data, n_samples=200, **query)
    assert len(heads(app)) == 2
    cards = re.findall(r'<div class="lv-card".*?<span class="lv-formula">(.*?)</span>', html(app))
    assert cards
    assert all("≤" in card or "≥" in card for card in cards)
    assert "<i>x</i><sub>" in cards[0]


def ring_sizes(query):
    figures = [
        picture.figure for picture in scene_of(Work(selected(query)), "light").pictures.values()
    ]
    drawn = [t for figure in figures for t in figure.data if t["meta"].get("role") == "wrong"]
    return {(t["marker"]["size"], t["marker"]["line"]["width"]) for t in drawn}, [
        len(t["x"]) for t in drawn
    ]


def test_rings_of_wrong_rows_are_of_one_size_on_a_page():
    few, many = "m=cart", "m2=cart&m2.max_depth=1"
    data = "data=xor&n_samples=500&noise=0.3"
    sizes, counts = ring_sizes(f"{data}&{few}&{many}")
    assert counts[0] <= 150 < counts[1]
    assert len(sizes) == 1
    assert ring_sizes(f"{data}&{few}")[0] == {(17, 1.75)}
    assert ring_sizes(f"{data}&{many.replace('m2', 'm')}")[0] == sizes


def test_rings_are_of_one_size_before_and_after_cutting():
    scene = pruning_scene(
        Work(selected("data=xor&n_samples=1000&noise=0.4&held=0.5&cut_at=0.2")), "light"
    )
    drawn = [
        trace
        for cut in (False, True)
        for trace in plane_figure(scene, scene.view(cut), cut=cut).data
        if trace["meta"].get("role") == "wrong"
    ]
    assert len(drawn[0]["x"]) <= 150 < len(drawn[1]["x"])
    assert drawn[0]["marker"] == drawn[1]["marker"]
