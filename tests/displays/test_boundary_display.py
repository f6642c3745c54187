"""Regions in one line: the figure of the page, for every algorithm and for scikit-learn's."""

import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
    VotingClassifier,
)
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from lastviz import (
    BoundaryDisplay,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    TreeDisplay,
    from_sklearn,
    show,
)
from lastviz.estimators import ESTIMATORS
from lastviz.inspection import forest_regions, tree_regions
from lastviz.plots import THEMES, number
from lastviz.plots.visuals.svg import svg_of
from lastviz.plots.visuals.theme import shade_of
from lastviz.ui.boundaries.scene import scene_of
from lastviz.ui.compute.work import Work
from tests.displays.conftest import X, y

from .scenes import in_a_notebook, scenes, selected, traces


@pytest.mark.parametrize(("key", "data", "features"), list(scenes()))
def test_the_figure_is_that_of_the_page(key, data, features):
    selection = selected(key, data, features)
    page = scene_of(Work(selection), "light")
    display = show(*in_a_notebook(selection), features=features)
    assert traces(display.drawing()) == traces(page.pictures[0].figure)
    shown = display.figure_.data
    assert len(shown) == len(page.pictures[0].figure.traces) + len(page.class_names)
    assert [item.name for item in shown if item.showlegend] == list(page.class_names)


@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeClassifier(random_state=0, max_depth=4),
        RandomForestClassifier(random_state=0, max_depth=4),
        ExtraTreesClassifier(30, random_state=0, max_depth=4),
    ],
    ids=lambda model: type(model).__name__,
)
def test_models_of_scikit_learn_are_shown_as_they_predict(model):
    model.fit(X, y)
    display = BoundaryDisplay.from_estimator(model, X, y)
    rng = np.random.default_rng(0)
    x0, x1, y0, y1 = display.plane.view
    places = np.column_stack([rng.uniform(x0, x1, 300), rng.uniform(y0, y1, 300)])
    ours = display.model.estimator
    assert np.array_equal(ours.predict(places), model.predict(places))
    if hasattr(model, "estimators_"):
        wanted = forest_regions(ours, display.plane.around, focus=display.plane.view)
        assert np.array_equal(display.regions_.label, wanted.label)
        single = BoundaryDisplay.from_estimator(model, X, y, tree=3)
        tree = model.estimators_[3]
        codes = single.model.tree.predict(places)
        assert np.array_equal(
            model.classes_[codes], model.classes_[tree.predict(places).astype(int)]
        )
    else:
        wanted = tree_regions(ours.tree_, display.plane.around)
        assert np.array_equal(display.regions_.vertices, wanted.vertices)


def test_labels_of_text_names_and_missing_values():
    rng = np.random.default_rng(3)
    X = pd.DataFrame({
        "age": rng.normal(40, 10, 90), "town": rng.choice(["Bern", "Riga"], 90),
        "size": rng.normal(0, 1, 90),
    })  # fmt: skip
    y = np.where((X["age"] > 40) & (X["town"] == "Riga"), "yes", "no")
    X.loc[::9, "age"] = np.nan
    display = show(C45Classifier().fit(X, y), X, y)
    assert display.plane.names == ("age", "town", "size")
    assert {trace.name for trace in display.figure_.data} >= {"yes", "no"}
    bands = display.plane.across.labels
    assert bands == ("missing",)
    named = show(C45Classifier().fit(X, y), X, y, class_names=["stays", "goes"],
                 feature_names=["a", "b", "c"], features=["b", "c"])  # fmt: skip
    texts = " ".join(str(note.text) for note in named.figure_.layout.annotations)
    assert "b" in texts
    assert "stays" in [item.name for item in named.figure_.data if item.showlegend]


def test_numbers_are_drawn_as_boxes_and_as_steps():
    target = X[:, 0] + y
    for model in (CARTRegressor(max_depth=3), DecisionTreeRegressor(max_depth=3)):
        model.fit(X, target)
        boxes = BoundaryDisplay.from_estimator(model, X, target, target_name="price")
        tree = boxes.model.tree
        shown = boxes.regions_.node[boxes.regions_.visible()]
        assert set(shown) == set(np.flatnonzero(tree.n_children == 0))
        steps = BoundaryDisplay.from_estimator(model, X, target, features=[0])
        at = steps.regions_
        middle = (at.start + at.end) / 2
        rows = np.column_stack([middle, np.full(len(middle), np.median(X[:, 1]))])
        assert np.allclose(model.predict(rows), at.value)


@pytest.mark.parametrize("features", [None, [0]])
def test_the_tree_of_a_regressor_stands_below_in_the_shades_of_its_numbers(features):
    for model in (CARTRegressor(max_depth=3), DecisionTreeRegressor(max_depth=3, random_state=0)):
        model.fit(X, X[:, 0] + y)
        display = show(model, X, X[:, 0] + y, features=features)
        below = [trace for trace in display.figure_.data if trace.yaxis == "y2"]
        (said,) = [trace for trace in below if (trace.meta or {}).get("role") == "beside"]
        tree = display.model.tree
        for leaf, text in zip(said.customdata, said.text, strict=True):
            assert tree.n_children[leaf] == 0
            assert text == number(tree.prediction[leaf])
        assert len(said.text) == tree.n_leaves
        leaves = tree.prediction[tree.n_children == 0]
        ends = leaves.min(), leaves.max()
        if features is None:
            shown = np.r_[X[:, 0] + y, leaves]
            ends = shown.min(), shown.max()
        bars = [trace for trace in below if (trace.meta or {}).get("role") == "bar"]
        assert {bar.meta["class"] for bar in bars} == set(shade_of(leaves, ends).tolist())
        assert not any(
            trace.yaxis == "y2" for trace in show(model, X, y, show_tree=False).figure_.data
        )


def test_a_saved_text_over_lines_has_a_rim_of_paper():
    display = TreeDisplay.from_estimator(CARTClassifier(max_depth=3).fit(X, y), X, row=0)
    texts = ElementTree.fromstring(svg_of(display.figure_)).iter("{http://www.w3.org/2000/svg}text")
    rims = {each.get("stroke") for each in texts if each.get("paint-order") == "stroke"}
    assert rims == {THEMES["light"].paper}


def test_a_cut_tree_a_node_a_row_and_rows_held_out():
    tree = CARTClassifier().fit(X, y)
    held = np.arange(len(y)) % 3 == 0
    display = BoundaryDisplay.from_estimator(tree, X, y, max_depth=1, held_out=held, node=1)
    roles = [trace["meta"]["role"] for trace in display.drawing().traces]
    assert "held_out" in " ".join(roles)
    assert show(tree, X, y, row=5).plane.row == 5
    low = BoundaryDisplay.from_estimator(tree, X, y, height=300, theme="dark").figure_
    assert low.layout.height == 330
    assert low.layout.paper_bgcolor != "rgba(0,0,0,0)"


WRONG = {
    "got KNeighborsClassifier": lambda X, y: show(KNeighborsClassifier().fit(X, y), X, y),
    "CARTClassifier is a class": lambda X, y: show(CARTClassifier, X, y),
    "refit=True": lambda X, y: show(
        GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1]}, refit=False).fit(X, y), X, y),
    "changed places": lambda X, y: show(CARTClassifier().fit(X, y), y, X),
    "class_names names 7": lambda X, y: show(
        CARTClassifier().fit(X, y), X, y, class_names={7: "a"}),
    "features, but": lambda X, y: show(CARTClassifier().fit(X, y), X[:, :1], y),
    "number for each of 120 rows": lambda X, y: show(CARTClassifier().fit(X, y), X, y[:-1]),
    "none of the model's classes": lambda X, y: show(CARTClassifier().fit(X, y), X, y + 1),
    "tree must be a number from 0 to 9, got 'x'": lambda X, y: show(
        RandomForestClassifier(10).fit(X, y), X, y, tree="x"),
    "class_names must be 2": lambda X, y: show(CARTClassifier().fit(X, y), X, y, class_names=["a"]),
    "feature_names must be 2": lambda X, y: show(
        CARTClassifier().fit(X, y), X, y, feature_names=["a", "a"]),
    "'z' is no feature": lambda X, y: show(CARTClassifier().fit(X, y), X, y, features=["z"]),
    "one or two": lambda X, y: show(CARTClassifier().fit(X, y), X, y, features=[0, 1, 0]),
    "node must be from 0": lambda X, y: show(CARTClassifier().fit(X, y), X, y, node=999),
    "row must be from 0": lambda X, y: show(CARTClassifier().fit(X, y), X, y, row=999),
    "tree is for forests": lambda X, y: show(CARTClassifier().fit(X, y), X, y, tree=0),
    "held_out must be 120": lambda X, y: show(
        CARTClassifier().fit(X, y), X, y, held_out=[True]),
    "theme must be": lambda X, y: show(CARTClassifier().fit(X, y), X, y, theme="blue"),
    "height must be": lambda X, y: show(CARTClassifier().fit(X, y), X, y, height=2),
    "drawn over two features": lambda X, y: show(
        RandomForestClassifier(3).fit(X[:, :1], y), X[:, :1], y),
    "name one of its trees": lambda X, y: show(RandomForestRegressor(3).fit(X, y), X, y),
    "missing values": lambda X, y: show(
        RandomForestClassifier(3).fit(X, y), np.where(X > 1.5, np.nan, X), y),
    "Input X contains NaN": lambda X, y: show(
        ESTIMATORS["oc1"].cls().fit(X, y), np.where(X > 1.5, np.nan, X), y),
    "features must be named": lambda X, y: show(
        ESTIMATORS["svm_tree"].cls().fit(np.c_[X, X[:, 0]], y), np.c_[X, X[:, 0]]),
}  # fmt: skip


@pytest.mark.parametrize("sentence", WRONG)
def test_what_does_not_fit_is_said_in_a_sentence(sentence):
    with pytest.raises(ValueError, match=sentence):
        WRONG[sentence](X, y)


@pytest.mark.parametrize("cls", [DecisionTreeClassifier, CARTClassifier, RandomForestClassifier])
def test_an_unfitted_model_is_refused_as_scikit_learn_does(cls):
    with pytest.raises(NotFittedError, match="not fitted"):
        show(cls(), X, y)


def test_a_notebook_shows_it():
    import plotly.io as pio

    display = show(CARTClassifier().fit(X, y), X, y)
    before = pio.renderers.default
    try:
        pio.renderers.default = "plotly_mimetype"
        bundle = display._repr_mimebundle_()
        assert bundle["application/vnd.plotly.v1+json"]["data"]
    finally:
        pio.renderers.default = before
    assert "plotly" in display._repr_html_()


def test_the_second_axis_is_no_copy_of_the_first():
    rng = np.random.default_rng(0)
    y = np.arange(700) % 7
    bright = y + rng.normal(0, 0.5, 700)
    hue = y * 3 % 7 + rng.normal(0, 0.8, 700)
    copies = np.column_stack([bright, 1.1 * bright, 3.0 - bright])
    X = np.column_stack([np.full(700, 9.0), copies + rng.normal(0, 0.01, copies.shape), hue])
    model = CARTClassifier(max_depth=4).fit(X, y)
    across, up = show(model, X, y).plane.features
    assert (across in (1, 2, 3), up) == (True, 4)
    iris = load_iris(return_X_y=True)
    assert show(CARTClassifier().fit(*iris), *iris).plane.features == (2, 3)


def test_names_by_mapping_or_series_belong_to_their_classes_and_the_repr_is_short():
    X, y = np.random.default_rng(0).normal(size=(60, 2)), np.arange(60) % 2
    table = pd.DataFrame(X, columns=["a", "b"])
    model = make_pipeline("passthrough", DecisionTreeClassifier(random_state=0)).fit(table, y)
    for names in ({1: "one", 0: "none"}, pd.Series(["one", "none"], index=[1, 0])):
        display = show(model, table, y, class_names=names)
        assert display.model.class_names == ("none", "one")
        assert display.model.feature_names == ("a", "b")
    plain = show(model, table, y, class_names=pd.Series(["x", "y"], index=["p", "q"]))
    assert plain.model.class_names == ("x", "y")
    model = CARTClassifier().fit(X, y)
    assert repr(show(model, X, y)) == f"<BoundaryDisplay of CARTClassifier, {len(X)} rows>"


def test_a_pipeline_and_a_search_are_shown_by_the_model_in_them(tmp_path):
    X, y = np.random.default_rng(0).normal(size=(60, 2)), np.arange(60) % 2
    table = pd.DataFrame(X, columns=["a", "b"])
    steps = make_pipeline(StandardScaler(), DecisionTreeClassifier(random_state=0))
    search = GridSearchCV(steps, {"decisiontreeclassifier__max_depth": [2, 3]}).fit(table, y)
    for model in (steps.fit(table, y), search):
        display = show(model, table, y, class_names={1: "one"})
        assert display.model.feature_names == ("a", "b")
        assert display.model.class_names == ("class 0", "one")
        np.testing.assert_allclose(display.model.values, StandardScaler().fit_transform(X))
    display.save(tmp_path / "a.svg")
    drawn = ElementTree.parse(tmp_path / "a.svg").getroot()
    assert len(list(drawn.iter("{http://www.w3.org/2000/svg}path"))) > 3
    assert "one" in "".join(drawn.itertext())
    assert {"image/svg+xml", "text/html"} <= set(display._repr_mimebundle_())
    with pytest.raises(ValueError, match=r"saved as \.svg, \.png or"):
        display.save(tmp_path / "a.gif")


def test_the_frame_of_a_node_stands_around_its_bar_in_a_saved_picture():
    """Plotly places it so many pixels around a node, not in units of an axis."""
    display = show(CARTClassifier(max_depth=1).fit(X, y), X, y, node=1)
    paths = ElementTree.fromstring(svg_of(display.figure_)).iter("{http://www.w3.org/2000/svg}path")
    (frame,) = (shape for shape in display.figure_.layout.shapes if shape.name == "selected node")
    bars = next(trace for trace in display.figure_.data if trace.meta["role"] == "bar")
    places = {path.get("stroke-width"): re.findall(r"[\d.]+", path.get("d")) for path in paths}
    left, right = sorted({float(x) for x in places[str(frame.line.width)][::2]})
    of_leaves = max(float(x) for x in places[str(bars.line.width)][::2])
    assert (left + right) / 2 == pytest.approx(of_leaves, abs=0.2)
    assert right - left == pytest.approx(frame.x1 - frame.x0, abs=0.2)


def test_a_display_is_dark_where_figures_of_plotly_are(monkeypatch):
    import plotly.io as pio

    tree = CARTClassifier().fit(X, y)
    for of_plotly, theme in (("plotly_dark", "dark"), ("plotly", "light"), (None, "light")):
        monkeypatch.setattr(pio.templates, "default", of_plotly)
        assert show(tree, X, y).figure_.layout.paper_bgcolor == THEMES[theme].paper
        asked = show(tree, X, y, theme="light")
        assert asked.figure_.layout.paper_bgcolor == THEMES["light"].paper


def test_a_tree_of_a_boosting_is_shown_as_what_it_adds_to_a_score():
    X, y = load_iris(return_X_y=True, as_frame=True)
    y = y.map({0: "low", 1: "middle", 2: "top"})
    for cls in (GradientBoostingClassifier, HistGradientBoostingClassifier):
        model = cls().set_params(**{"max_depth": 2}).fit(X, y)
        with pytest.raises(ValueError, match=r"show\(model, X, tree=0\) shows the first"):
            show(model, X, y)
        display = show(model, X, y, tree=4)
        assert display.slice_words().startswith("Leaves add to the score of middle.")
        coded = cls().set_params(max_depth=2).fit(X, y.factorize()[0])
        assert (
            show(coded, X, tree=4).slice_words().startswith("Leaves add to the score of class 1.")
        )
        drawn = display.regions_
        inside = drawn.visible()
        places = np.tile(np.median(X, axis=0), (len(inside), 1))
        places[:, list(display.plane.features)] = [drawn.polygon(i).mean(axis=0) for i in inside]
        whole = from_sklearn(model)
        added = whole.estimators_[4].predict(pd.DataFrame(places, columns=X.columns))
        assert np.array_equal(display.model.tree.prediction[drawn.node[inside]], added)


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize(
    "model",
    [
        BaggingClassifier(n_estimators=2),
        BaggingClassifier(n_estimators=2, max_features=0.5),
        AdaBoostClassifier(n_estimators=2),
        VotingClassifier([("forest", RandomForestClassifier(2))]),
    ],
)
@pytest.mark.filterwarnings("error")
def test_what_a_refusal_names_to_be_shown_is_shown(model, named):
    X, y = load_iris(return_X_y=True, as_frame=True)
    X, y = X if named else X.to_numpy(), np.array(["low", "middle", "top"])[y]
    model.fit(X, y)
    with pytest.raises(ValueError, match="one of its trees is shown by") as refused:
        show(model, X, y)
    advice = str(refused.value).rpartition("shown by ")[2]
    given = {"show": show, "np": np, "model": model, "X": X, "y": y}
    assert isinstance(eval(advice, given), BoundaryDisplay)
