"""The hybrid tree on XOR begins with what cross-validation chooses, and the sidebar says so."""

from __future__ import annotations

import pytest
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from lastviz import HybridTreeClassifier
from lastviz.ui.compute import cache
from lastviz.ui.compute.tuning import tuned, usual_model
from lastviz.ui.state.selection import Model, Selection

from .conftest import checked, opened

PAIRS = [(w2, k) for w2 in (0.02, 0.05, 0.1) for k in (3, 10, 30)]


def told(app):
    captions = [caption.value.replace("\\", "") for caption in app.caption]
    return [said for said in captions if "cross-validation" in said]


def rows_right(**query):
    """Of each pair, over scikit-learn's own loop, on the training rows."""
    divided = cache.division(Selection(data="xor", **query))
    X, y = divided.values[divided.train_rows], divided.y[divided.train_rows]
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    predicted = {
        (w2, k): cross_val_predict(HybridTreeClassifier(w2=w2, k=k), X, y, cv=folds)
        for w2, k in PAIRS
    }
    return {pair: int((codes == y).sum()) for pair, codes in predicted.items()}


@pytest.mark.parametrize("noise", [0.1, 0.2, 0.3])
def test_the_choice_is_that_of_another_cross_validation(noise):
    query = {"params": (("noise", noise),)}
    found = tuned(Selection(data="xor", **query), "hybrid")
    assert dict(zip(found.settings, found.right, strict=True)) == rows_right(**query)
    most = max(found.right)
    equal = [i for i in range(len(PAIRS)) if found.right[i] == most]
    assert found.right[found.best] == most
    assert found.leaves[found.best] == min(found.leaves[i] for i in equal)


def test_a_hybrid_tree_that_is_chosen_begins_with_the_choice():
    right = rows_right()
    app = opened("boundaries", data="xor", m="cart")
    app.selectbox(key="model0").set_value("hybrid")
    checked(app.run())
    (model,) = app.session_state["selection"].models
    chosen = {"w2": None, "k": 3} | dict(model.params)
    assert right[chosen["w2"], chosen["k"]] == max(right.values())
    (said,) = told(app)
    assert f"none of 9 settings is right about more than their {max(right.values())}." in said
    assert not [b for b in app.button if b.key == "take_tuned_0"]


def test_other_data_begin_with_the_defaults_and_xor_gives_its_own_to_a_bare_model():
    app = opened("boundaries", data="moons", m="cart")
    app.selectbox(key="model0").set_value("hybrid")
    checked(app.run())
    assert app.session_state["selection"].models == (Model("hybrid"),)
    assert told(app) == []
    app.selectbox(key="data").set_value("xor")
    checked(app.run())
    selection = app.session_state["selection"]
    assert selection.models == (usual_model(selection, "hybrid"),)
    assert len(told(app)) == 1


def test_the_sidebar_says_what_cross_validation_chooses():
    right = rows_right()
    best = max(right.values())
    app = opened("boundaries", data="xor", m="hybrid")
    assert app.session_state["selection"].models == (Model("hybrid"),)  # as old links opened it
    (said,) = told(app)
    assert f"right about {best} rows. The present setting is right about {right[0.02, 3]}." in said
    app.button(key="take_tuned_0").click()
    checked(app.run())
    chosen = {"w2": None, "k": 3} | dict(app.session_state["selection"].models[0].params)
    assert right[chosen["w2"], chosen["k"]] == best
    assert f"more than their {best}." in told(app)[0]
    app = opened("boundaries", data="xor", m="hybrid", **{"m.k": 7})
    assert "Of 9 other settings, 5-fold cross-validation on the 280 training rows" in told(app)[0]
    assert f"right about {best} rows." in told(app)[0]
    assert told(opened("boundaries", data="xor", m="hybrid", **{"m.criterion": "csn"})) == []
    assert told(opened("boundaries", data="xor", n_samples=8000, m="hybrid")) == []
