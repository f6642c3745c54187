"""The page *boundaries* with more than two models, oblique cards, and searches that are watched."""

import re

import pytest

from lastviz import OC1Classifier
from lastviz.datasets import load_dataset
from lastviz.inspection import split_search
from lastviz.splitters import Move
from lastviz.ui.shared.hyperplane_search import SENTENCES

from .conftest import checked, html, opened
from .opened_pages import seen

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
    assert any(title in str(part.value) for part in app.markdown)


def test_every_move_has_its_words():
    assert set(SENTENCES) == set(Move)
