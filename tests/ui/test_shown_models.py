"""One model, several, those of other pages, and nodes with very many candidates."""

import re
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from lastviz import OC1Classifier
from lastviz.datasets import load_dataset
from lastviz.estimators import ESTIMATORS
from lastviz.host import jobs
from lastviz.host.jobs import State, Working
from lastviz.inspection import split_search
from lastviz.splitters import Move
from lastviz.ui import frame
from lastviz.ui.compute import nodes
from lastviz.ui.compute.availability import criteria_for, known_of_data, obstacle
from lastviz.ui.compute.python_code import python_of
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.hyperplane_search import SENTENCES
from lastviz.ui.state.codec import encode
from lastviz.ui.state.fields import OwnRule
from lastviz.ui.state.selection import DEFAULT, MAX_MODELS, Model, Selection
from tests.credit import write_credit

from .conftest import checked, html, opened, with_tables
from .opened_pages import said, seen, words

SHOWN = {
    "growth": 1, "splits": 2, "latent": 1, "rules": 1, "pruning": 1, "monotone": 1,
    "boundaries": MAX_MODELS,
}  # fmt: skip
# The first model is shallow and reads columns as they are; the others would leave traces.
MODELS = {"m": "cart", "m.max_depth": 2, "m2": "oc1", "m3": "c45", "m4": "adaboost_m1"}
CLASSES = ("CARTClassifier", "OC1Classifier", "C45Classifier", "AdaBoostM1Classifier")


folder = with_tables(partial(write_credit, name="credit_small", n=120, missing=0.0))
CREDIT = "folder.credit_small"


@pytest.fixture
def scripts(monkeypatch):
    """The scripts that the page offers, in the order of the runs."""
    found, doors = [], frame.doors

    def listening(work, page, module, n_models):
        found.append(python_of(work.first_models(n_models)) if n_models else "")
        doors(work, page, module, n_models)

    monkeypatch.setattr(frame, "doors", listening)
    return found


def depth_sliders(app):
    return [slider for slider in app.slider if str(slider.key).startswith("depth.")]


@pytest.mark.parametrize(("page", "n"), SHOWN.items(), ids=SHOWN)
def test_a_page_says_nothing_of_models_that_it_does_not_show(page, n, scripts):
    app = opened(page, data=CREDIT, **(MODELS | {"m": "gsodt" if page == "latent" else "cart"}))
    assert len(app.session_state["selection"].models) == MAX_MODELS
    classes = ("GSODTClassifier" if page == "latent" else CLASSES[0], *CLASSES[1:])
    for place, name in enumerate(classes):
        assert (name in scripts[-1]) == (place < n), name
    assert ("OC1 needs numbers" in html(app)) == (n > 1)
    assert all((slider.max <= 2) == (n == 1) for slider in depth_sliders(app))


@pytest.mark.parametrize("page", ["data", "home", "textbook"])
def test_pages_without_models_offer_no_script_of_models(page, scripts):
    opened(page, data="loan", **MODELS)
    assert not any(name in script for script in scripts for name in CLASSES)


@pytest.mark.parametrize(("models", "names"), [
    ((Model("cart"), Model("cart")), ["cart_1", "cart_2"]),
    ((Model("c45"), Model("cart", (("max_depth", 2),)), Model("c45"), Model("cart")), ["c45_1",
     "cart_1", "c45_2", "cart_2"]),
    ((Model("cart"), Model("c45")), ["cart", "c45"]),
])  # fmt: skip
def test_every_model_of_a_script_has_a_name_of_its_own(models, names):
    selection = Selection(data="iris", models=models)
    script = python_of(Work(selection))
    assert re.findall(r"^(\w+) = \w+Classifier\(", script, flags=re.MULTILINE) == names
    scope = {}
    exec(script, scope)
    for place, name in enumerate(names):
        assert scope[name].tree_.n_nodes == Work(selection).models[place].tree.n_nodes


@pytest.mark.parametrize("page", ["rules", "monotone", "boundaries"])
def test_the_trees_of_a_forest_that_is_not_shown_cannot_be_picked(page):
    app = seen(page, data="monotone", m="cart", m2="adaboost_m1")
    labels = [box.label for box in app.selectbox]
    assert ("AdaBoost.M1 shows" in labels) == (page == "boundaries")


ALL_KINDS = {"m": "cart", "m2": "oc1", "m3": "gsodt", "m4": "svm_tree"}


@pytest.mark.parametrize("data", ["xor", "iris"])
@pytest.mark.parametrize("detail", ["notice", "classes", "rules", "how", "search"])
def test_four_models_of_every_kind_share_the_page(data, detail):
    app = seen("boundaries", data=data, detail=detail, **ALL_KINDS)
    said = html(app)
    assert said.count('class="lv-head"') == said.count('class="lv-card"') == 4
    for name in ("CART", "OC1", "GSODT", "SVM tree"):
        assert re.search(rf'type="radio"[^>]*><span>{name}</span>', said)
    assert len(app.sidebar.selectbox) >= 5


def test_three_models_and_back_to_one():
    app = opened("boundaries", data="moons", m="cart", m2="c45", m3="cart_lc")
    assert html(app).count('class="lv-head"') == 3
    for place in (2, 1):
        checked(app.sidebar.selectbox(key=f"model{place}").set_value("none").run())
    assert html(app).count('class="lv-head"') == 1
    assert 'class="lv-switch"' not in html(app)


def test_the_card_counts_terms_shows_weights_and_the_exact_equation():
    app = seen("boundaries", data="waveform", n_samples=300, m="gsodt", m2="cart", x="x7", y="x15")
    (card, other) = re.findall(r'<div class="lv-card".*', html(app))[0].split("lv-card")[1:3]
    assert "+ 17 more" in card
    assert "the largest 12 of 21 weights" in card
    assert card.count("<tr") == 12
    digits = re.search(r"<code>(.*?)</code>", card)[1]
    assert digits.count("<sub>") == 21
    bars = [float(w) for w in re.findall(r"width: ([\d.]+)%", card)]
    assert bars == sorted(bars, reverse=True)
    assert bars[0] == 50.0
    assert "lv-weights" not in other


def test_two_weights_need_no_bars():
    card = html(seen("boundaries", data="xor", m="oc1", m2="cart"))
    assert "lv-weights" in card
    assert "<table>" not in card


SEARCH = {"data": "diagonal", "m": "oc1", "m2": "cart", "detail": "search", "held": 0}


def search_of_the_root():
    """The search that the page shows, done without it."""
    dataset = load_dataset("diagonal", random_state=1)
    X, y = dataset.numeric_X, dataset.codes
    estimator = OC1Classifier(random_state=1).fit(X, y)
    return split_search(estimator, X, y, 0)


def test_a_search_is_watched_from_its_best_move():
    app, search = opened("boundaries", **SEARCH), search_of_the_root()
    slider = app.slider(key="move0")
    assert (slider.max, slider.value) == (search.n_moves, search.winner + 1)
    assert app.button(key="best0").disabled
    captions = " ".join(c.value for c in app.caption)
    assert "CART does not search for a hyperplane" in captions
    checked(slider.set_value(1).run())
    assert app.session_state["selection"].models[0].move == 0
    assert SENTENCES[Move(int(search.kind[0]))] in html(app)
    app.button(key="best0").click().run()
    assert app.session_state["selection"].models[0].move is None


def test_a_move_that_the_search_has_not_is_its_last():
    app = seen("boundaries", **SEARCH, move=99999)
    assert app.slider(key="move0").value == search_of_the_root().n_moves


def test_a_leaf_has_no_search():
    app = seen("boundaries", data="diagonal", m="oc1", detail="search", held="0", node=1)
    assert app.session_state["selection"].models[0].node == 1
    assert any("pick an inner node" in c.value for c in app.caption)


def test_searches_of_many_features_are_shown_along_the_hyperplane():
    app = seen("boundaries", data="iris", m="oc1", m2="cart_lc", detail="search", node=0, move=2)
    assert html(app).count('lv-card lv-move"') == 2
    assert app.slider(key="move0").value == 2


def test_without_such_a_model_there_is_no_such_tab():
    app = seen("boundaries", data="moons", m="cart", m2="c45", detail="search")
    assert app.session_state["detail"] == "notice"


@pytest.mark.parametrize(("key", "title"), [("oc1", "OC1"), ("cart_lc", "CART-LC")])
@pytest.mark.parametrize("data", ["diagonal", "iris"])
def test_models_that_search_for_hyperplanes_have_their_picture(key, title, data):
    app = seen("boundaries", data=data, m=key)
    assert title in words(app)


def test_every_move_has_its_words():
    assert set(SENTENCES) == set(Move)


def test_many_candidates_are_scored_by_a_job_and_alike(monkeypatch):
    selection = Selection(data="iris", models=(Model("cart"),), seed=11)
    plain = Work(selection).first.node(0).candidates
    key = Work(selection).first.node(0).table_key
    ranks = {name: nodes.ranks(key, plain, name).copy() for name in plain.columns}
    monkeypatch.setattr(nodes, "MANY_VALUES", 0)
    monkeypatch.setattr(nodes, "MANY_CANDIDATES", 0)
    again = selection.change(seed=12).change(seed=11)
    table = Work(again).first.node(0).candidates
    assert jobs.JOBS.find((*key, "candidates")).state is State.DONE
    np.testing.assert_array_equal(table.threshold, plain.threshold)
    for name, expected in ranks.items():
        np.testing.assert_array_equal(table.scores(name), plain.scores(name))
        np.testing.assert_array_equal(nodes._ranks.__wrapped__(key, table)[name], expected)


def test_while_they_are_scored_the_page_waits_for_the_job(monkeypatch):
    selection = Selection(data="iris", models=(Model("cart"),), seed=13)
    _ = Work(selection).first.fitted
    monkeypatch.setattr(nodes, "MANY_VALUES", 0)
    monkeypatch.setattr(jobs.JOBS, "start", lambda *_: _Late())
    with pytest.raises(Working):
        _ = Work(selection).first.node(0).candidates


class _Late:
    """A job that is not over."""

    title, state = "late", State.WORKING

    def outcome(self, _viewer):
        raise Working(self)


def shown(page, data, model):
    return seen(page, **encode(replace(DEFAULT, data=data, params=(), models=(model,))))


@pytest.mark.parametrize(
    ("page", "words"), [("boundaries", "REMT"), ("splits", "keep those with RMI of at least 0.01")]
)
def test_remt_has_its_picture(page, words):
    app = shown(page, "monotone", Model("remt"))
    assert words in f"{said(app, 'markdown')} {html(app)}"


def test_what_cannot_be_shown_says_why():
    for page, model, said_so in (
        ("splits", Model("monotone_boosting"), "Monotone boosting grows a forest"),
        ("pruning", Model("mcdf"), "MCDF grows a forest"),
        ("pruning", Model("remt", (("monotone", True),)), "no longer predicts by its leaves"),
    ):
        assert said_so in said(shown(page, "monotone", model), "info", "warning", "caption")


def test_obstacles_and_what_the_data_say():
    ordered, plain = load_dataset("monotone", n_samples=50), load_dataset("iris")
    remt, c45 = ESTIMATORS["remt"], ESTIMATORS["c45"]
    assert obstacle(remt, ordered) is None
    assert "classes in an order" in obstacle(remt, plain)
    assert known_of_data(remt, ordered) == {"monotonic_cst": [1, 1]}
    turned = ordered.with_directions({"x1": -1, "x2": 0})
    assert known_of_data(remt, turned) == {"monotonic_cst": [-1, 0]}
    assert known_of_data(remt, ordered.with_directions({"x1": 0, "x2": 0})) == {}
    assert known_of_data(c45, ordered) == {}


def test_ordered_criteria_are_offered_for_ordered_classes_alone():
    ordered, plain = load_dataset("monotone", n_samples=50), load_dataset("iris")
    assert set(criteria_for(ordered)) - set(criteria_for(plain)) == {
        "rmi",
        "rmi_descending",
        "rmi_mean",
    }


def test_a_link_with_a_criterion_that_means_nothing_here_still_opens():
    rule = OwnRule("rmi", "gini")
    selection = DEFAULT.having(data="xor", params=(), curves=("rmi", "gini"), rule=rule)
    seen("splits", **encode(selection))
