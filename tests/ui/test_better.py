"""The fold *Could it be better?*: its numbers are those of all trees tried."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

from lastviz import HybridTreeClassifier, OptimalTreeClassifier
from lastviz.host import jobs
from lastviz.inspection import lookahead, root_prices
from lastviz.ui.compute import ahead
from lastviz.ui.compute.work import Work
from lastviz.ui.splits.ahead import best_tree, other_setting, trees_beside
from lastviz.ui.state.selection import Model, Selection
from tests import naive_optimal
from tests.credit import write_credit
from tests.patience import SECONDS
from tests.sentences.rows import Look

from .conftest import checked, opened, rerun_until, with_tables
from .opened_pages import said, seen

DEPTH, RIGHT = "m.max_depth", "held-out rows classified correctly"
SMALL = [
    "data=gauss_2d&n_samples=24&m=cart&seed=1",
    "data=gauss_2d&n_samples=24&m=cart&seed=3",
    "data=moons&n_samples=24&m=cart&seed=6",
    "data=xor&n_samples=26&m=cart&seed=1",
]


folder = with_tables(partial(write_credit, name="credit_codes", missing=0.0, as_numbers=True))


def table(app, key):
    (found,) = [frame.value for frame in app.dataframe if key in frame.value] or [None]
    return found


def keys(app):
    return [button.key for button in app.button]


# ---------------------------------------------------------------- the whole tree


@pytest.mark.parametrize(("data", "depth"), [("moons", 3), ("iris", 2), ("wine", 3)])
def test_the_fewest_errors_stand_beside_those_of_the_tree(data, depth):
    app = opened("splits", data=data, m="cart", better="true", **{DEPTH: str(depth)})
    look = Look(app.session_state["selection"])
    train, held, X, y = look.train, look.held, look.values, look.y
    best = OptimalTreeClassifier(max_depth=depth).fit(X[train], y[train])
    shown = table(app, RIGHT)
    if (look.predicted[train] == y[train]).all():
        assert shown is None  # nothing is better than a tree without an error
        return
    always = np.bincount(y[train]).argmax()
    for row, predicted in zip(
        shown.itertuples(), (look.predicted, best.predict(X), np.full(len(y), always)), strict=True
    ):
        assert row[3] == (predicted[train] != y[train]).sum()
        assert f"{100 * np.mean(predicted[held] == y[held]):.1f} %" in row[4]
    assert shown["tree"][1] == f"best tree of depth {depth}"
    checked(app.button(key="show_best").click().run())
    assert [model.key for model in app.session_state["selection"].models] == ["cart", "optimal"]
    assert "show_best" not in keys(app)


@pytest.mark.parametrize(("link", "depth"), [("moons", 2), ("xor", 2), ("xor", 1), ("moons", 1)])
def test_no_tree_of_the_depth_makes_fewer_errors_than_the_best_one(link, depth):
    selection = Selection(
        data=link, params=(("n_samples", 60),), models=(Model("cart", (("max_depth", depth),)),)
    )
    look = Look(selection)
    shown = trees_beside(Work(selection), {"best": best_tree(Work(selection))})["training errors"]
    X, y = look.values[look.train], look.y[look.train]
    assert shown[1] == naive_optimal.least_cost(X, y, depth)[0]


def test_a_long_search_waits_for_the_click():
    app = opened("splits", data="breast_cancer", m="cart", better="true", **{DEPTH: "3"})
    assert "search_best" in keys(app)
    there = best_tree(Work(app.session_state["selection"]))
    assert there.begun() is None
    checked(app.button(key="search_best").click().run())
    assert there.begun() is not None
    rerun_until(app, lambda app: table(app, RIGHT) is not None)


def test_a_search_that_is_refused_is_not_offered():
    app = seen("splits", data="digits", m="cart", better="true", **{DEPTH: "3"})
    assert "search_best" not in keys(app)
    assert "these data are too large for an optimal tree of depth 3" in said(app)


@pytest.mark.parametrize("model", ["svm_tree", "oc1", "id3"])
def test_of_trees_of_another_kind_nothing_better_is_known(model):
    data = "loan" if model == "id3" else "moons"
    assert "Nothing better is known" in said(seen("splits", data=data, m=model, better="true"))


# ---------------------------------------------------------------- growth that ended early


def grown(selection, rule):
    """Nodes, and how many rows the tree is right about, held out or else in training."""
    look = Look(selection)
    X, y, rows = look.values, look.y, look.held if len(look.held) else look.train
    tree = HybridTreeClassifier(min_leaf_rule=rule).fit(X[look.train], y[look.train])
    return tree.tree_.n_nodes, int((tree.predict(X[rows]) == y[rows]).sum())


@pytest.mark.parametrize(("data", "seed"), [("breast_cancer", 1), ("moons", 0)])
def test_the_fold_says_what_a_rule_stopped_and_what_the_other_comes_to(data, seed):
    app = opened("splits", data=data, seed=seed, m="hybrid", better="true")
    assert "stopped early for" in said(app)
    shown = table(app, RIGHT).set_index("tree")
    for name, rule in (("this tree", "node"), ("A child that is too small", "candidate")):
        nodes, right = grown(Selection(data=data, seed=seed, models=(Model("hybrid"),)), rule)
        (row,) = [row for tree, row in shown.iterrows() if name in tree]
        assert row["nodes"] == nodes
        assert f"({right} of" in row[RIGHT]
    checked(app.button(key="take_other").click().run())
    assert app.session_state["selection"].models[0].params == (("min_leaf_rule", "candidate"),)
    assert "take_other" not in keys(app)


@pytest.mark.parametrize(("data", "seed"), [("folder.credit_codes", 0), ("wine", 2), ("iris", 2)])
def test_another_rule_that_is_right_about_no_more_rows_is_not_offered(data, seed):
    selection = Selection(data=data, seed=seed, models=(Model("hybrid"),))
    assert grown(selection, "candidate")[1] <= grown(selection, "node")[1]
    assert other_setting(Work(selection)) is None


def test_without_rows_held_out_the_training_rows_count():
    selection = Selection(data="folder.credit_codes", models=(Model("hybrid"),), held=0.0)
    there, _, words = other_setting(Work(selection))
    assert "stopped early" in words
    shown = trees_beside(Work(selection), {"other": there})
    assert RIGHT not in shown
    (nodes, right), n = grown(selection, "node"), len(Look(selection).train)
    assert shown.loc[0].tolist() == ["this tree", nodes, n - right]


# ---------------------------------------------------------------- two and three levels


@pytest.mark.parametrize("link", SMALL)
def test_the_levels_are_those_of_all_trees_tried(link):
    app = seen("splits", better="true", **dict(part.split("=") for part in link.split("&")))
    look, shown = Look(link), table(app, "levels")
    X, y, f = look.values[look.train], look.y[look.train], int(look.tree.feature[0])
    last = float(X[X[:, f] <= look.tree.threshold[0], f].max())
    for levels, row in zip((2, 3), shown.to_dict("records"), strict=True):
        cost = naive_optimal.cost_below_roots(X, y, levels)
        assert row["chosen split, best tree below"] == str(cost[f, last])
        assert row["best tree"] == str(min(cost.values()))
        assert row["errors as a leaf"] == str(len(y) - np.bincount(y).max())


def test_what_greed_lost_is_what_the_lookahead_finds():
    app = seen("splits", data="xor", held=0, m="cart", better="true")
    look = Look(app.session_state["selection"])
    found = lookahead(look.values, look.y, np.arange(400), 2)
    prices = root_prices(look.values, look.y, np.arange(400), 2, beyond=None)
    lost, shown = found.greedy.errors - found.best.errors, table(app, "levels")
    assert any(f"costs here: **{lost}**" in each.value for each in app.markdown)
    assert shown["greedy, by Gini"].tolist() == [str(found.greedy.errors), "–"]
    assert shown["best tree"].tolist() == [str(found.best.errors), str(prices.fewest)]
    ties = prices.n_within(prices.fewest)
    assert f"{ties} of {len(prices.errors)} roots reach the fewest errors" in said(app)


@pytest.mark.parametrize(
    "query",
    [
        {"data": "iris", "m": "c45"},
        {"data": "wine", "m": "hybrid"},
        {"data": "iris", "m": "gsodt"},
        {"data": "waveform", "m": "cart", "node": 2, "n_samples": 100},
    ],
)
def test_many_data_sets_and_algorithms(query):
    app = rerun_until(
        opened("splits", **query, better="true"), lambda app: "roots reach" in said(app)
    )
    assert table(app, "levels")["levels"].tolist() == [2, 3]


def test_where_three_levels_are_too_many_there_are_two():
    app = opened("splits", data="digits", m="cart", better="true")
    rerun_until(app, lambda app: table(app, "levels") is not None)
    assert "Too large for trees of three levels" in said(app)
    assert table(app, "levels")["levels"].tolist() == [2]


# ---------------------------------------------------------------- nothing before it is open


@pytest.fixture
def asked(monkeypatch):
    """What is asked for of trees ahead."""
    found = []
    for name in ("levels_ahead", "prices_of"):
        work = getattr(ahead, name)
        monkeypatch.setattr(
            ahead, name, lambda *args, work=work: found.append(work.__name__) or work(*args)
        )
    return found


def test_a_closed_fold_works_nothing_out(asked):
    selection = Selection(data="moons", seed=77, models=(Model("cart", (("max_depth", 3),)),))
    app = opened("splits", data="moons", seed=77, m="cart", **{DEPTH: "3"})
    assert not asked
    assert best_tree(Work(selection)).begun() is None
    app.session_state["better"] = True
    app.session_state["selection"] = selection.change(better=True)
    checked(app.run())
    assert asked == ["levels_ahead", "prices_of"]


def test_work_of_the_fold_ends_as_the_reader_moves_on(monkeypatch):
    monkeypatch.setattr("lastviz.host.jobs.PATIENCE", 0.0)
    monkeypatch.setattr("lastviz.host.jobs.AT_ONCE", 0.0)
    for module in ("compute.models", "compute.outcome", "shared.job_box"):
        monkeypatch.setattr(f"lastviz.ui.{module}.viewer", lambda: "reader")
    app = opened("splits", data="breast_cancer", m="cart", better="true", held=0.41)
    rerun_until(app, lambda app: app.session_state["fold_jobs_awaited"])
    (job,) = map(jobs.JOBS.find, app.session_state["fold_jobs_awaited"])
    app.run()
    assert jobs.JOBS.find(job.key) is job
    app.session_state["selection"] = app.session_state["selection"].change(better=False)
    app.run()
    assert jobs.JOBS.find(job.key) is None
    assert job._over.wait(SECONDS)


# ---------------------------------------------------------------- a search that ended early


def proofs(app):
    return [c.value.replace("\\", "") for c in app.caption if "search for the best" in c.value]


def test_a_search_ended_on_the_page_leaves_the_best_tree_and_may_go_on(monkeypatch):
    monkeypatch.setattr("lastviz.host.jobs.PATIENCE", 0.0)
    monkeypatch.setattr("lastviz.host.jobs.AT_ONCE", 0.0)
    at = {"data": "waveform", "n_samples": "600", "m": "optimal", DEPTH: "3"}
    app = opened("boundaries", **at)
    (button,) = [each for each in app.button if each.key == "cancel-0"]
    assert button.label == "Take the best tree so far"
    button.click()
    app.run()
    job = Work(app.session_state["selection"]).first.begin()
    assert job._over.wait(SECONDS)
    checked(app.run())
    tree = job.outcome("").estimator
    (note,) = proofs(app)
    bound = f"at least {tree.lower_bound_}." if tree.lower_bound_ else "may be better."
    assert bound in note
    app.button(key="onward_0").click().run()
    assert Work(app.session_state["selection"]).first.begin() is not job


@pytest.mark.parametrize("data", ["moons", "iris", "wine"])
def test_a_search_that_its_limit_ended_says_what_is_proved_and_a_finished_one_nothing(data):
    at = {"data": data, "m": "optimal", DEPTH: "3"}
    assert not proofs(seen("boundaries", **at))
    app = seen("boundaries", **at, **{"m.time_limit": "0"})
    selection = app.session_state["selection"]
    tree, divided = Work(selection).first.trained_already(), Work(selection).first.division
    train, y = divided.train_rows, divided.y
    rows = pd.DataFrame(divided.values[train], columns=tree.feature_names_in_)
    errors = (tree.predict(rows) != y[train]).sum()
    (note,) = proofs(app)
    assert not tree.is_optimal_
    assert "onward_0" not in keys(app)
    if tree.lower_bound_:
        best = OptimalTreeClassifier(max_depth=3).fit(rows, y[train])
        assert tree.lower_bound_ <= (best.predict(rows) != y[train]).sum()
        assert f"{errors} training error" in note
        assert f"at least {tree.lower_bound_}." in note
    else:
        assert "may be better" in note
