"""Forests in the app: their regions, their trees, how they are drawn and how they vote."""

import re
import threading
from functools import partial

import numpy as np
import pytest

from lastviz import AdaBoostM1Classifier, MCDFClassifier, REMTClassifier
from lastviz.datasets import LARGE_SETS, load_dataset
from lastviz.host.jobs import Jobs, State
from lastviz.inspection import explain, split_search
from lastviz.plots import number
from lastviz.ui.compute.data import MOST_ROWS, generator_params
from lastviz.ui.compute.python_code import python_of
from lastviz.ui.compute.training import forest_training
from lastviz.ui.compute.work import Work
from lastviz.ui.growth.drawing import draw_words, plan_lines
from lastviz.ui.state.selection import Model, Selection
from tests.patience import SECONDS, until

from .conftest import checked, html, opened
from .opened_pages import seen, stories


def fitted(cls, **params):
    data = load_dataset("monotone", random_state=1)
    train, held_out = data.split(0.3, 1)
    X, y = data.X.to_numpy(), data.codes
    return cls(**params).fit(X[train], y[train]), X, y, held_out


def shares(app):
    return re.findall(
        r"<b>(\d+\.\d)<small> % \(\d+ of \d+\)</small></b><span>accuracy, held out", html(app)
    )


def test_a_forest_is_shown_as_a_whole_with_its_own_numbers():
    app = seen("boundaries", data="monotone", m="mcdf", m2="adaboost_m1")
    wanted = []
    for cls in (MCDFClassifier, AdaBoostM1Classifier):
        forest, X, y, held_out = fitted(cls, random_state=1)
        wanted.append(f"{100 * np.mean(forest.predict(X[held_out]) == y[held_out]):.1f}")
        words = f"<b>{len(forest.estimators_)}</b><span>trees</span>"
        assert words in html(app)
        assert f"<b>{forest.mean_depth_:.1f}</b><span>mean depth</span>" in html(app)
    assert shares(app) == wanted
    assert "400 by 400" not in " ".join(caption.value for caption in app.caption)
    assert "selected split" not in html(app)


def test_one_tree_of_a_forest_is_chosen_and_stands_in_the_link():
    app = opened("boundaries", data="monotone", m="mcdf")
    chooser = next(box for box in app.selectbox if box.label == "MCDF shows")
    assert chooser.value == 0
    checked(chooser.set_value(3).run())
    assert app.query_params["tree"] == "3"
    forest, X, y, held_out = fitted(MCDFClassifier, random_state=1)
    tree = forest.estimators_[2]
    assert shares(app) == [f"{100 * np.mean(tree.predict(X[held_out]) == y[held_out]):.1f}"]
    assert f"MCDF, tree 3 of {len(forest.estimators_)}" in html(app)
    assert f"<b>{tree.tree_.n_leaves}</b><span>leaves</span>" in html(app)
    assert any(slider.label == "Show levels up to" for slider in app.slider)


def test_an_envelope_is_shown_as_what_it_predicts():
    app = seen("boundaries", **{"data": "monotone", "m": "remt", "m.monotone": "true"})
    forest, X, y, held_out = fitted(REMTClassifier, monotone=True)
    assert shares(app) == [f"{100 * np.mean(forest.predict(X[held_out]) == y[held_out]):.1f}"]
    assert any("not what its leaves say" in caption.value for caption in app.caption)


def test_what_explains_a_forest():
    app = seen("boundaries", data="monotone", m="mcdf", detail="how")
    assert any("U is the share" in caption.value for caption in app.caption)
    app = seen("boundaries", data="monotone", m="mcdf", detail="rules")
    assert app.dataframe[0].value["tree"].tolist() == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("page", "model"),
    [("growth", "monotone_boosting"), ("splits", "monotone_boosting"), ("latent", "mcdf")],
)
def test_pages_about_single_trees_say_why_they_show_no_forest(page, model):
    app = seen(page, data="monotone", m=model)
    said = [part.value for part in app.info] + [f"{c.value} {c.help}" for c in app.caption]
    said += [box.help for box in app.selectbox]
    assert any("this page is about single trees" in words for words in said)


def test_a_large_set_is_chosen_by_name_and_the_limit_is_stated():
    app = opened("data", data="monotone_large")
    box = next(box for box in app.selectbox if box.label == "As in the paper")
    assert box.options[4] == "LargeSet4: 500,000 x 8"
    checked(box.set_value("LargeSet4").run())
    assert app.query_params["n_samples"] == "500000"
    assert "500,000 rows were requested; the app generates at most 200,000" in html(app)
    assert any("200,000 rows, 8 features" in caption.value for caption in app.caption)
    by_link = opened("data", data="monotone_large", n_samples=500_000)
    assert "the app generates at most 200,000" in html(by_link)
    box = next(box for box in by_link.selectbox if box.label == "As in the paper")
    assert box.format_func(box.value) == "LargeSet4: 500,000 x 8"
    checked(next(b for b in app.selectbox if b.label == "As in the paper").set_value("own").run())
    assert "n_samples" not in app.query_params


def test_the_rows_of_a_large_set_are_kept_within_the_limit():
    asked = Selection(data="monotone_large", params=(("n_samples", 500_000),))
    assert generator_params(asked) == {"n_samples": MOST_ROWS}
    assert max(size["n_samples"] for size in LARGE_SETS.values()) > MOST_ROWS


def test_classes_without_rows_are_left_out_and_named():
    app = seen("boundaries", data="monotone_large", n_samples=200, n_classes=8, m="mcdf")
    assert "No row has the class 1, 8; it is left out." in html(app)
    assert "class 8" not in html(app)


def test_the_training_of_a_forest_tells_how_far_it_is():
    X = np.random.default_rng(0).random((60_000, 4))
    y = (X.mean(axis=1) > 0.5).astype(int)
    steps = forest_training(AdaBoostM1Classifier(n_estimators=3), X, y)
    told = list(steps)
    assert told == sorted(told)
    assert 0.0 < told[0] < told[-1] <= 1.0


@pytest.mark.parametrize(
    ("model", "params"), [("mcdf", {}), ("mcdf", {"m.monotone": "true"}), ("adaboost_m1", {})]
)
def test_the_node_of_a_tree_of_a_forest_is_explained(model, params):
    query = {"data": "monotone", "n_samples": 200, "label_noise": 0.1, "m": model} | params
    X, y, train, forest = noisy_forest(model, **{k[2:]: True for k in params})
    node = int(np.flatnonzero(forest.estimators_[2].tree_.n_children > 0)[1])
    app = opened("splits", **query, tree=3, node=node)
    search = split_search(forest, X[train], y[train], node, tree=2)
    value = search.columns["rmi"][search.winner]
    assert f"<b>{number(value)}<small> nats</small></b>" in html(app)
    tree = forest.estimators_[2].tree_
    yes, no = (tree.n_node_samples[child] for child in tree.children(node))
    assert f"{yes} | {no}" in html(app)
    assert next(b for b in app.selectbox if b.label == "Node").value == node
    shows = next(box for box in app.selectbox if box.label.endswith(" shows"))
    assert (shows.value, len(shows.options)) == (3, len(forest.estimators_))
    said = " ".join(caption.value for caption in app.caption)
    assert ("envelope may decide otherwise" in said) == bool(params)
    assert not [b for b in app.button if b.label == "Split here"]
    checked(shows.set_value(1).run())
    assert app.query_params["tree"] == "1"


def noisy_forest(key, **params):
    data = load_dataset("monotone", n_samples=200, label_noise=0.1, random_state=1)
    train, _ = data.split(0.3, 1)
    X, y = data.X.to_numpy(), data.codes
    cls = {"mcdf": MCDFClassifier, "adaboost_m1": AdaBoostM1Classifier}[key]
    return X, y, train, cls(random_state=1, **params).fit(X[train], y[train])


@pytest.mark.parametrize("model", ["mcdf", "adaboost_m1"])
def test_the_growth_of_a_tree_of_a_forest_is_that_of_its_rows(model):
    query = {"data": "monotone", "n_samples": 200, "label_noise": 0.1, "m": model}
    app = seen("growth", **query, tree=2)
    *_, forest = noisy_forest(model)
    tree = forest.estimators_[1]
    (story,) = stories(app).values()
    assert len(story["steps"]) == len(tree.growth_log_) + 2
    assert f"tree 2 of {len(forest.estimators_)}" in story["title"]
    assert f"Tree 2 of {len(forest.draws_)}" in html(app)
    assert story["labels"] == [int(y) for y in _labels_of(forest, 1)]


def _labels_of(forest, tree):
    _, y, train, _ = noisy_forest("mcdf")
    return y[train][forest.draws_[tree].rows]


def test_the_subset_of_a_tree_is_told_in_its_own_numbers():
    app = seen("growth", data="monotone", m="mcdf", tree=2)
    forest, *_ = fitted(MCDFClassifier, random_state=1)
    draw = forest.draws_[1]
    assert f"<b>{draw.kept.sum()}</b><span>rows kept" in html(app)
    assert f"<span>of {draw.n_unseen} unseen" in html(app)
    latex = " ".join(part.value for part in app.get("latex"))
    assert rf"\mathbf{{M = {forest.plan_.size}}}" in latex


def test_formulas_hold_the_numbers_of_the_plan():
    forest, *_ = fitted(MCDFClassifier)
    plan = forest.plan_
    lines = " ".join(plan_lines(plan))
    assert f"{plan.sigma:.4g}" in lines
    assert f"{plan.raw:.5g}" in lines
    assert f"= {plan.corrected:.5g}" in lines
    assert rf"\mathbf{{M = {plan.size}}}" in lines
    given = fitted(MCDFClassifier, subset_size=100)[0]
    assert "mathbf" not in " ".join(plan_lines(given.plan_))
    strict = fitted(MCDFClassifier, inclusion=1.0, subset_size=60)[0]
    words = [draw_words(strict, i, tuple("abcd"), "light") for i in range(len(strict.draws_))]
    assert "degree of consistency" not in words[0]  # consistent data: nobody is dropped


def test_a_conflict_and_what_settles_it():
    data = load_dataset("monotone", label_noise=0.1, random_state=1)
    X, y = data.X.to_numpy(), data.codes
    train, _ = data.split(0.3, 1)
    forest = MCDFClassifier(random_state=1).fit(X[train], y[train])
    tied = np.flatnonzero(forest.votes_of_checked(X).tied.sum(axis=1) > 1)
    app = opened("rules", data="monotone", label_noise=0.1, m="mcdf", rule_view="row", lit=1)
    checked(app.button(key="vote_next").click().run())
    assert app.query_params["lit"] == str(tied[tied > 0][0] + 1)
    assert "A conflict:" in html(app)
    found = explain(forest, X[tied[tied > 0][0]])
    for k in np.flatnonzero(found.tied):
        assert f"&Sigma; {found.supports[k]:.3f}" in html(app)
    app = opened("rules", data="monotone", label_noise=0.1, m="monotone_boosting",
                 rule_view="row", lit=1)  # fmt: skip
    assert "add up to a probability" in html(app)
    assert "vote_next" not in {button.key for button in app.button}


def test_a_tree_of_another_forest_is_forgotten():
    selection = Selection(data="monotone", models=(Model("mcdf", tree=4),))
    assert selection.change_model(0, key="adaboost_m1").models[0].tree is None
    assert selection.change(data="xor").models[0].tree is None
    assert selection.change_model(0, tree=1).models[0].tree == 1


def test_a_forest_on_many_rows_lets_go_when_it_is_cancelled():
    data = load_dataset("monotone_large", n_samples=100_000)
    estimator = AdaBoostM1Classifier(n_estimators=200)
    job = Jobs().start("forest", "forest", partial(forest_training, estimator, data.X, data.codes))
    until(lambda: job.share > 0)
    (thread,) = [t for t in threading.enumerate() if t.name == f"job {job.number}"][-1:]
    job.cancel()
    thread.join(SECONDS)
    assert job.state is State.CANCELLED
    assert job.share < 1.0
    assert len(estimator.estimators_) < estimator.n_estimators


def test_python_rebuilds_the_forest(capsys):
    selection = Selection(data="monotone", models=(Model("mcdf"), Model("adaboost_m1")), seed=1)
    exec(compile(python_of(Work(selection)), "recipe", "exec"), {})
    forest, X, y, held_out = fitted(MCDFClassifier, random_state=1)
    right = np.mean(forest.predict(X[held_out]) == y[held_out])
    assert f"mcdf: accuracy held out {right}" in capsys.readouterr().out


def test_a_class_that_cannot_fill_its_quota_has_its_rows_beside_it():
    data = load_dataset("monotone", n_samples=120, n_classes=4, label_noise=0.2, random_state=1)
    forest = MCDFClassifier(inclusion=0.5, subset_size=12).fit(data.X, data.codes)
    names = ("low", "fair", "good", "high")
    short = [draw.drawn < draw.quota for draw in forest.draws_]
    assert any(classes.any() for classes in short)
    for at, classes in enumerate(short):
        assert len(forest.draws_[at].rows) == forest.draws_[at].drawn.sum() == 12
        words = draw_words(forest, at, names, "light")
        draw = forest.draws_[at]
        said = [f"{n} of {q}" for n, q in zip(draw.drawn, draw.quota, strict=True) if n < q]
        assert len(said) == np.count_nonzero(classes)
        assert all(each in words for each in said)
