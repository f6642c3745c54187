"""The hybrid tree on two features begins with what cross-validation chooses, as the page says."""

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from lastviz import HybridTreeClassifier
from lastviz.datasets import load_dataset
from lastviz.datasets.painted import painting_of
from lastviz.ui.compute.resampling import tune, usual_model
from lastviz.ui.compute.work import Work
from lastviz.ui.state.selection import Model, Selection

from .conftest import checked, opened

PAIRS = [(w2, k) for w2 in (0.02, 0.05, 0.1) for k in (3, 10, 30)]


def told(app):
    captions = [caption.value.replace("\\", "") for caption in app.caption]
    return [said for said in captions if "cross-validation" in said]


def by_hand(seed, noise=0.08, n=120):
    """XOR as somebody would paint it: four clouds of one class each, crosswise, apart."""
    dataset = load_dataset("xor", noise=noise, n_samples=n, random_state=seed)
    return str(painting_of(dataset.X.to_numpy(), dataset.codes))


def crossed(**query):
    """Right rows and tree of each pair, over scikit-learn's own loop, on the training rows."""
    divided = Work(Selection(**query)).first.division
    X, y = divided.values[divided.train_rows], divided.y[divided.train_rows]
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    trees = [HybridTreeClassifier(w2=w2, k=k) for w2, k in PAIRS]
    right = [int((cross_val_predict(tree, X, y, cv=folds) == y).sum()) for tree in trees]
    return right, [tree.fit(X, y).get_n_leaves() for tree in trees], len(y)


@pytest.mark.parametrize("data", ["xor", "moons", "painted"])
def test_the_choice_is_the_smallest_within_one_standard_error(data):
    query = {"data": data, "painted": by_hand(0) if data == "painted" else ""}
    found = tune(Work(Selection(**query)), "hybrid")
    right, leaves, n = crossed(**query)
    assert found.settings == tuple(PAIRS)
    assert list(found.right) == right
    share = (max(right) + 2) / (n + 4)
    near = np.array(right) >= max(right) - np.sqrt(n * share * (1 - share))
    assert near[found.best]
    assert leaves[found.best] == min(np.array(leaves)[near])


def test_two_lines_are_enough_for_xor_that_was_painted():
    """At the defaults it rarely is so; what is offered leads there, but for two."""
    leaves = []
    for seed in range(20):
        found = tune(Work(Selection(data="painted", painted=by_hand(seed))), "hybrid")
        leaves.append([found.trees[i].n_leaves for i in (0, found.best)])
    at_defaults, offered = (np.array(leaves) == 4).sum(axis=0)
    assert (at_defaults, offered) == (1, 18)


def test_one_click_takes_what_is_offered():
    selection = Selection(data="painted", painted=by_hand(0), models=(Model("hybrid"),))
    app = opened("boundaries", data="painted", painted=by_hand(0), m="hybrid")
    assert Work(selection).first.tree.n_leaves > 4
    checked(app.button(key="take_tuned_0").click().run())
    taken = app.session_state["selection"]
    assert taken.models == (usual_model(Work(selection), "hybrid"),)
    assert Work(taken).first.tree.n_leaves == 4


def test_a_hybrid_tree_that_is_chosen_begins_with_the_choice():
    app = opened("boundaries", data="xor", m="cart")
    checked(app.selectbox(key="model0").set_value("hybrid").run())
    selection = app.session_state["selection"]
    assert selection.models == (usual_model(Work(Selection(data="xor")), "hybrid"),)
    (said,) = told(app)
    assert "None of 9 settings within one standard error" in said
    assert not [b for b in app.button if b.key == "take_tuned_0"]


def test_data_of_more_features_begin_with_the_defaults_and_a_plane_gives_its_own():
    app = opened("boundaries", data="iris", m="cart")
    checked(app.selectbox(key="model0").set_value("hybrid").run())
    assert app.session_state["selection"].models == (Model("hybrid"),)
    assert told(app) == []
    checked(app.selectbox(key="data").set_value("xor").run())
    selection = app.session_state["selection"]
    assert selection.models == (usual_model(Work(selection), "hybrid"),)
    assert len(told(app)) == 1


def test_the_sidebar_says_what_would_be_smaller_and_why_it_was_not_found():
    app = opened("boundaries", data="xor", m="hybrid")
    assert app.session_state["selection"].models == (Model("hybrid"),)  # as old links opened it
    (said,) = told(app)
    assert "at present 10" in said
    assert "is not on the present shortlist" in said
    checked(app.button(key="take_tuned_0").click().run())
    assert "grows fewer" in told(app)[0]
    assert told(opened("boundaries", data="xor", m="hybrid", **{"m.criterion": "csn"})) == []
    assert told(opened("boundaries", data="xor", n_samples=8000, m="hybrid")) == []
