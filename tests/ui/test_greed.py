"""What greed cost is said where trees are shown, and the best tree is one click away."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from lastviz import CARTClassifier, OptimalTreeClassifier
from lastviz.host.jobs import Working
from lastviz.ui.compute import cache
from lastviz.ui.state.selection import Model, Selection
from tests.patience import SECONDS

from .conftest import checked, opened

DEPTH = "m.max_depth"


def notes(app):
    words = [caption.value.replace("\\", "") for caption in app.caption]
    return [each for each in words if " depth " in each]


def proofs(app):
    return [c.value.replace("\\", "") for c in app.caption if "search ended early" in c.value]


@pytest.mark.parametrize("page", ["boundaries", "growth", "rules"])
@pytest.mark.parametrize(("data", "depth"), [("moons", 3), ("iris", 2), ("wine", 3)])
def test_the_fewest_errors_stand_beside_those_of_the_tree(page, data, depth):
    app = opened(page, data=data, m="cart", **{DEPTH: str(depth)})
    selection = Selection(data=data, models=(Model("cart", (("max_depth", depth),)),))
    divided = cache.division(selection)
    train, held = divided.train_rows, divided.held_out_rows
    X, y = divided.values, divided.y
    greedy, best = (
        cls(max_depth=depth).fit(X[train], y[train])
        for cls in (CARTClassifier, OptimalTreeClassifier)
    )
    errors, fewest = ((tree.predict(X[train]) != y[train]).sum() for tree in (greedy, best))
    if not errors:
        assert notes(app) == []  # nothing to say of a tree without an error
        return
    (note,) = notes(app)
    assert f"CART: {errors} training error" in note
    if errors == fewest:
        assert f"the fewest possible at depth {depth}." in note
        return
    assert f"the best tree of depth {depth} makes {fewest}." in note
    for tree in (greedy, best):
        assert f"{100 * np.mean(tree.predict(X[held]) == y[held]):.1f} %" in note
    app.button(key="best_0").click()
    checked(app.run())
    models = app.session_state["selection"].models
    assert models[-1 if page != "rules" else 0].key == "optimal"
    assert len(models) == (1 if page == "rules" else 2)
    assert "best_0" not in [button.key for button in app.button]


def test_a_long_search_waits_for_the_click():
    app = opened("boundaries", data="breast_cancer", m="cart", **{DEPTH: "3"})
    (note,) = notes(app)
    assert note == "Which tree of depth 3 makes the fewest training errors?"
    assert [model.key for model in app.session_state["selection"].models] == ["cart"]


@pytest.mark.parametrize("model", ["svm_tree", "oc1", "id3", "optimal", "mcdf"])
def test_trees_of_another_kind_or_too_deep_say_nothing(model):
    data = "monotone" if model == "mcdf" else "moons"
    assert notes(opened("boundaries", data=data, m=model)) == []


def test_a_search_ended_on_the_page_leaves_the_best_tree_and_may_go_on(monkeypatch):
    monkeypatch.setattr("lastviz.host.jobs.PATIENCE", 0.0)
    monkeypatch.setattr("lastviz.host.jobs.AT_ONCE", 0.0)
    at = {"data": "waveform", "n_samples": "600", "m": "optimal", DEPTH: "3"}
    app = opened("boundaries", **at)
    (button,) = [each for each in app.button if each.key == "cancel-0"]
    assert button.label == "Take the best tree so far"
    button.click()
    app.run()
    job = cache.begin(app.session_state["selection"], 0)
    assert job._over.wait(SECONDS)
    checked(app.run())
    tree = job.outcome("").estimator
    (note,) = proofs(app)
    bound = f"at least {tree.lower_bound_}." if tree.lower_bound_ else "may be better."
    assert bound in note
    app.button(key="onward_0").click()
    app.run()
    assert cache.begin(app.session_state["selection"], 0) is not job


@pytest.mark.parametrize("data", ["moons", "iris", "wine"])
def test_a_search_that_its_limit_ended_says_what_is_proved_and_a_finished_one_nothing(data):
    at = {"data": data, "m": "optimal", DEPTH: "3"}
    assert not proofs(opened("boundaries", **at))
    app = opened("boundaries", **at, **{"m.time_limit": "0"})
    selection = app.session_state["selection"]
    tree, divided = cache.trained_already(selection, 0), cache.division(selection)
    train, y = divided.train_rows, divided.y
    rows = pd.DataFrame(divided.values[train], columns=tree.feature_names_in_)
    errors = (tree.predict(rows) != y[train]).sum()
    (note,) = proofs(app)
    assert not tree.is_optimal_
    assert "onward_0" not in [button.key for button in app.button]
    if tree.lower_bound_:
        best = OptimalTreeClassifier(max_depth=3).fit(rows, y[train])
        assert tree.lower_bound_ <= (best.predict(rows) != y[train]).sum()
        assert f"{errors} training error" in note
        assert f"at least {tree.lower_bound_}." in note
    else:
        assert "may be better" in note


def test_a_search_that_takes_a_moment_is_waited_for(monkeypatch):
    job, awaited = cache.begin(Selection(data="xor", seed=977), 0), []

    def worked_out(*_):
        raise Working(job)

    monkeypatch.setattr("lastviz.ui.shared.greed.greed_cost", worked_out)
    monkeypatch.setattr("lastviz.ui.shared.greed.wait_for", awaited.append)
    app = opened("boundaries", data="moons", m="cart", **{DEPTH: "3"})
    assert not notes(app)
    assert awaited == [job]
