"""The page *latent*: what it says is what the engine says of the model."""

import re

import numpy as np
import pytest

from lastviz import GSODTClassifier, LSODTClassifier
from lastviz.datasets import load_dataset
from lastviz.inspection import best_projection, latent_view, plane_cut, projection_fidelity
from lastviz.ui.compute import latent as latent_cache
from lastviz.ui.compute import python_code, uploads
from lastviz.ui.compute.availability import reading
from lastviz.ui.compute.work import Work
from lastviz.ui.latent.figures import LatentPictures
from lastviz.ui.latent.scene import latent_scene
from lastviz.ui.state.codec import decode, encode
from lastviz.ui.state.selection import DEFAULT, Model, Selection
from lastviz.ui.state.session import data_params, model_params

from .conftest import checked, html, opened
from .opened_pages import seen, told

WAVES = {"data": "waveform", "n_samples": 400, "seed": 2, "m": "gsodt"}


def fitted(cls=GSODTClassifier, unlabelled=False, **params):
    dataset = load_dataset("waveform", n_samples=400, random_state=2)
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    train, held = dataset.split(0.3, random_state=2)
    beside = {"unlabelled": X[held]} if unlabelled else {}
    return cls(**params).fit(X[train], y[train], **beside), X, y, train, held


def test_the_numbers_above_the_pictures_are_those_of_the_model():
    app = seen("latent", **WAVES)
    model, X, y, train, held = fitted()
    view = latent_view(model, X[train])
    at = X[train].mean(axis=0)
    heavy = tuple(view.heaviest(view.component, 2).tolist())
    share = plane_cut(view.weights, view.offset, X[train], heavy, at).share
    beside = best_projection(view.coordinates, y[train]).separations[view.component].copy()
    beside[view.component] = -1
    pair = (view.component, int(beside.argmax()))
    true_to = projection_fidelity(model.tree_, X[train], view.basis, pair)
    shown = re.findall(r"<div><b>(.*?)<small>", html(app))
    assert shown[0] == f"{100 * (1 - model.score(X[held], y[held])):.1f}"
    assert shown[2] == f"{100 * share:.0f}"
    assert shown[3] == f"{100 * true_to:.0f}"
    words = told(app)
    assert f"GSODT, {model.tree_.n_nodes} nodes" in words
    assert f"≤ {view.threshold:.4g}".replace("-", "−") in words
    counts = model.tree_.n_node_samples[list(model.tree_.children(0))]
    assert f"yes: {counts[0]} rows" in words
    assert f"no: {counts[1]} rows" in words


def test_a_node_of_a_local_tree_is_shown_in_its_own_space():
    app = seen("latent", **WAVES | {"m": "lsodt"}, **{"m.levels": 3, "node": 1})
    model, X, _, train, _ = fitted(LSODTClassifier, levels=3)
    view = latent_view(model, X[train], 1)
    assert view.begins == 1
    assert "The space (SVD) was found from the rows of node 1." in told(app)
    assert f"≤ {view.threshold:.4g}".replace("-", "−") in told(app)


def test_the_switch_lets_all_rows_take_part():
    app = opened("latent", **WAVES, space="labels")
    alone, X, y, _, held = fitted()
    beside, *_ = fitted(unlabelled=True)
    app.toggle(key="unlabelled").set_value(True).run()
    checked(app)
    assert app.query_params["unlabelled"] == "true"
    errors = [f"{100 * (1 - m.score(X[held], y[held])):.1f}" for m in (alone, beside)]
    shown = re.findall(r"<div><b>(.*?)</?(?:small|b)>", html(app))
    assert shown[0] == errors[1]
    assert shown[4:6] == errors
    assert f"{alone.tree_.n_nodes} | {beside.tree_.n_nodes}" in html(app)
    differ = np.count_nonzero(alone.predict(X[held]) != beside.predict(X[held]))
    assert f"<b>{differ}</b><span>of 120 rows held out get another class" in html(app)


def test_only_models_that_can_use_rows_without_classes_depend_on_the_switch():
    both = Selection(data="xor", models=(Model("gsodt"), Model("cart")))
    on = both.change(unlabelled=True)
    assert Work(both).first.cache_key != Work(on).first.cache_key
    assert Work(both).models[1].cache_key == Work(on).models[1].cache_key
    rows = len(Work(on).first.division.y)
    basis = Work(on).first.tree.bases[0]
    X = Work(on).first.division.X.to_numpy()
    assert len(X) == rows
    np.testing.assert_allclose(
        basis.singular_values, np.linalg.svd(X, compute_uv=False), rtol=1e-10
    )


def test_chosen_components_stand_on_the_axes_and_in_the_link():
    app = opened("latent", **WAVES, components="5.1")
    assert app.selectbox(key="component0").value == 4
    assert "Latent: u 5 and u 1" in told(app)
    assert "not seen here" in told(app)
    app.selectbox(key="component1").set_value(4).run()
    checked(app)
    assert app.query_params["components"] == "1.5"


def test_another_node_has_its_own_components():
    selection = DEFAULT.having(models=(Model("gsodt"),), components=(2, 0))
    assert selection.change_model(0, node=3).latent.components is None
    assert selection.change(highlighted=3, space="best").latent.components == (2, 0)
    assert selection.change(data="iris").latent.components is None


def test_the_fields_of_the_page_are_in_the_link():
    selection = DEFAULT.change(components=(3, 1), highlighted=16, space="spaces", unlabelled=True)
    assert decode(encode(selection), data_params, model_params) == (selection, ())


def test_a_model_without_a_space_is_offered_one():
    app = opened("latent", data="moons", m="cart")
    assert "searches for splits in the original features" in told(app)
    app.button(key="to_latent").click().run()
    checked(app)
    selection = app.session_state["selection"]
    assert selection.models[0].key == "gsodt"
    assert selection.data == "moons"
    assert "lv-strip" in html(app)


def test_four_spaces_have_their_own_errors():
    app = seen("latent", data="iris", m="gsodt", space="spaces")
    dataset = load_dataset("iris")
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    train, held = dataset.split(0.3, random_state=1)
    for latent, title in (("svd", "SVD"), ("pca", "PCA"), ("ica", "ICA"), ("none", "no change")):
        model = GSODTClassifier(latent=latent).fit(X[train], y[train])
        error = f"{100 * (1 - model.score(X[held], y[held])):.1f} %"
        assert f"{title}<small>error {error} · {model.tree_.n_nodes} nodes" in html(app)
    always = 100 * np.mean(y[held] != np.bincount(y[train]).argmax())
    said = (
        f"on {len(held)} rows; always predicting the majority class has an error of {always:.1f} %."
    )
    assert said in told(app)


def test_the_best_pairs_are_those_of_the_measure():
    app = seen("latent", **WAVES, space="best")
    model, X, y, train, _ = fitted()
    features = best_projection(X[train], y[train])
    components = best_projection(latent_view(model, X[train]).coordinates, y[train])
    assert f"separation {features.separation:.3g}" in told(app)
    assert f"separation {components.separation:.3g}" in told(app)
    assert components.separation > features.separation


def test_ica_that_settles_nothing_says_so():
    app = seen(
        "latent", data="twonorm", n_samples=300, columns="1-3", m="gsodt", **{"m.latent": "ica"}
    )
    model = Work(app.session_state["selection"]).first.estimator
    basis = model.tree_.bases[0]
    assert ("cannot be distinguished from normal ones" in told(app)) == (not basis.identifiable)
    assert ("did not converge" in told(app)) == (not basis.converged)
    assert not (basis.identifiable and basis.converged)


@pytest.mark.parametrize(
    "query",
    [
        {"data": "xor", "m": "gsodt", "m.latent": "none"},
        {"data": "diagonal", "m": "gsodt", "held": 0, "space": "labels"},
        {"data": "wine", "m": "lsodt", "m.levels": "none", "node": 2, "space": "numbers"},
        {"data": "wine", "m": "gsodt", "columns": "1", "space": "formula"},
        {"data": "iris", "m": "gsodt", "node": 999, "components": "9.99", "lit": 10_000},
        {"data": "digits", "m": "gsodt", "m.max_depth": 2, "space": "formula"},
        {"data": "iris", "m": "gsodt", "scaling": "standard", "m.latent": "pca", "lit": 7},
    ],
)
def test_any_model_with_a_space_has_a_page(query):
    app = seen("latent", **query)
    assert "lv-card" in html(app)
    assert "nan" not in told(app).replace("nanometre", "")


def test_a_leaf_says_that_nothing_is_split():
    app = seen("latent", data="xor", m="gsodt", **{"m.max_depth": 1, "node": 1})
    assert "leaf:" in told(app)


def test_a_model_without_a_space_leads_to_one_that_has():
    app = opened("latent", data="moons", m="cart", m2="c45")
    button = next(each for each in app.button if each.label == "Show GSODT on these data")
    app = checked(button.click().run())
    assert app.session_state["selection"].models[0].key == "gsodt"
    assert app.session_state["selection"].data == "moons"
    assert "lv-card" in html(app)


CSV = b"size,colour,class\n" + b"".join(
    f"{i % 7},{('red', 'green', 'blue')[i % 3]},{'ab'[i % 3 == 1]}\n".encode() for i in range(60)
)


def upload(app, content):
    app.switch_page("pages/data.py").run()
    app.file_uploader[0].set_value(("mine.csv", content, "text/csv")).run()
    checked(app)
    app.switch_page("pages/latent.py").run()
    return checked(app)


def test_nominal_columns_come_as_columns_of_0_and_1_with_a_message():
    app = upload(opened("latent", data="xor", m="gsodt"), CSV)
    words = told(app)
    assert "“colour” became 3 columns of 0 and 1" in words
    assert "colour = green" in words
    assert "lv-card" in html(app)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"a,b,class\n" + b"1,2,x\n1,2,y\n" * 20, "All rows are the same"),
        (b"a,b,class\n" + b"1,,x\n2,3,y\n" * 20, "cannot use missing values, and “b” has 20"),
    ],
)
def test_what_cannot_be_drawn_is_explained(content, sentence):
    app = upload(opened("latent", data="xor", m="gsodt"), content.replace(b"1,2", b"0,0"))
    assert sentence in told(app)


def test_the_lines_of_python_take_nominal_columns_as_the_page_does(monkeypatch):
    monkeypatch.setattr(uploads.st, "session_state", {})
    upload_ = uploads.keep("mine.csv", CSV, 60)
    selection = Selection(data="upload", upload=upload_, models=(Model("gsodt"), Model("oc1")))
    assert "X, y = dataset.encoded_X, dataset.codes" in python_code.python_of(Work(selection))
    assert Work(selection).models[1].tree.n_features == 4


def test_too_many_values_are_refused(monkeypatch):
    kept = {}
    monkeypatch.setattr(uploads.st, "session_state", kept)
    rows = "".join(f"{i},name{i},{'ab'[i % 2]}\n" for i in range(150))
    data = ("size,name,class\n" + rows).encode()
    kinds = ((1, "nominal"),)
    upload_ = uploads.keep("many.csv", data, 150)
    selection = Selection(data="upload", upload=upload_, kinds=kinds, models=(Model("gsodt"),))
    with pytest.raises(ValueError, match="at most 100 in all"):
        _ = Work(selection).first.fitted


def test_a_model_of_thresholds_says_nothing_of_nominal_columns():
    from lastviz.estimators import ESTIMATORS

    iris = load_dataset("iris")
    assert reading(ESTIMATORS["gsodt"], iris) is None
    assert not latent_cache.has_space("cart")


@pytest.mark.parametrize(("space", "about"), [("svd", "origin"), ("pca", "variance")])
def test_it_says_of_what_a_component_explains_a_share(space, about):
    app = seen("latent", **WAVES, **{"m.latent": space})
    model, X, _, train, _ = fitted(latent=space)
    view = latent_view(model, X[train])
    lengths = X[train] if space == "svd" else X[train] - X[train].mean(axis=0)
    along = ((lengths @ view.basis.directions) ** 2).sum(axis=0) / (lengths**2).sum()
    np.testing.assert_allclose(view.explained_share, along, rtol=1e-6)
    assert ("does not centre the features" in told(app)) == (space == "svd")
    found = LatentPictures(
        latent_scene(Work(app.session_state["selection"].first_models(1))), "light"
    ).values
    assert about in str(found.traces)
