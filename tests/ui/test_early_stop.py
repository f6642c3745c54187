"""A model that its own rule stopped early says so on every page, with the numbers of both rules."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from lastviz import HybridTreeClassifier
from lastviz.host import jobs
from lastviz.ui.compute import cache
from lastviz.ui.shared.early_stop import early_stop
from lastviz.ui.state.selection import Model, Selection
from tests.credit import write_credit

from .conftest import checked, opened

PAGES = ("boundaries", "growth", "splits", "rules")


@pytest.fixture(autouse=True)
def folder(tmp_path_factory, monkeypatch):
    where = tmp_path_factory.mktemp("tables")
    write_credit(where, "credit_codes", missing=0.0, as_numbers=True)
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(60), 10)
    table = pd.DataFrame(rng.normal(size=(600, 3)) + 0.02 * y[:, None], columns=list("abc"))
    table.assign(**{"class": [f"c{k}" for k in y]}).to_csv(where / "sixty.csv", index=False)
    monkeypatch.setenv("LASTVIZ_DATA", str(where))


def notes(app):
    return [m.value.replace("\\", "") for m in app.markdown if "stopped early" in m.value]


def numbers(selection, rule):
    """Nodes and held-out accuracy of a tree grown here and now."""
    divided = cache.division(selection)
    X, y, learnt, held = divided.values, divided.y, divided.train_rows, divided.held_out_rows
    tree = HybridTreeClassifier(min_leaf_rule=rule).fit(X[learnt], y[learnt])
    return tree.tree_.n_nodes, np.mean(tree.predict(X[held]) == y[held])


@pytest.mark.parametrize(("data", "seed"), [("breast_cancer", 1), ("moons", 0)])
@pytest.mark.parametrize("page", PAGES)
def test_the_page_says_what_the_rule_stopped_and_what_the_other_comes_to(page, data, seed):
    app = opened(page, data=data, seed=seed, m="hybrid")
    (note,) = notes(app)
    assert "min_leaf_rule" not in note
    for rule in ("node", "candidate"):
        selection = Selection(data=data, seed=seed, models=(Model("hybrid"),))
        nodes, accuracy = numbers(selection, rule)
        assert f"{nodes:,} node" in note
        assert f"{100 * accuracy:.1f} %" in note
    app.button(key="take_other_0").click()
    checked(app.run())
    assert app.session_state["selection"].models[0].params == (("min_leaf_rule", "candidate"),)
    assert notes(app) == []


@pytest.mark.parametrize(("data", "seed"), [("folder.credit_codes", 0), ("wine", 2), ("iris", 2)])
def test_another_rule_that_is_right_about_no_more_rows_is_not_offered(data, seed):
    selection = Selection(data=data, seed=seed, models=(Model("hybrid"),))
    cache.fitted(selection, 0)
    now, other = (numbers(selection, rule)[1] for rule in ("node", "candidate"))
    assert other <= now
    assert early_stop(selection, 0) is None


@pytest.mark.parametrize("page", PAGES)
def test_other_models_and_usual_trees_say_nothing(page):
    assert notes(opened(page, data="iris", m="cart")) == []
    assert notes(opened(page, data="iris", m="hybrid")) == []


def test_without_rows_held_out_the_training_rows_count():
    selection = Selection(data="folder.credit_codes", models=(Model("hybrid"),), held=0.0)
    cache.fitted(selection, 0)
    stop = early_stop(selection, 0)
    assert not stop.is_held_out
    divided = cache.division(selection)
    tree = HybridTreeClassifier().fit(divided.values, divided.y)
    assert stop.n_nodes == tree.tree_.n_nodes
    assert stop.part.accuracy == np.mean(tree.predict(divided.values) == divided.y)


def test_what_is_not_shown_is_not_trained():
    selection = Selection(data="folder.credit_codes", models=(Model("hybrid"),), seed=77)
    assert early_stop(selection, 0) is None
    assert jobs.JOBS.find(cache.model_key(selection, 0)) is None
