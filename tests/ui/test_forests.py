"""Forests in the app: their regions, their trees, how they are drawn and how they vote."""

import re
import threading
from functools import partial

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from lastviz import AdaBoostM1Classifier, MCDFClassifier, REMTClassifier
from lastviz.datasets import LARGE_SETS, load_dataset
from lastviz.host.jobs import Jobs, State
from lastviz.ui.compute.data import MOST_ROWS, generator_params
from lastviz.ui.compute.python_code import python_of
from lastviz.ui.compute.training import forest_training
from lastviz.ui.monotone.forest_draws import _plan_lines, draw_words
from lastviz.ui.state.selection import Model, Selection
from tests.patience import SECONDS, until

from .conftest import checked, html, opened


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
    app = opened("boundaries", data="monotone", m="mcdf", m2="adaboost_m1")
    wanted = []
    for cls in (MCDFClassifier, AdaBoostM1Classifier):
        forest, X, y, held_out = fitted(cls, random_state=1)
        wanted.append(f"{100 * np.mean(forest.predict(X[held_out]) == y[held_out]):.1f}")
        words = f"<b>{len(forest.estimators_)}</b><span>trees</span>"
        assert words in html(app)
        assert f"<b>{forest.mean_depth_:.1f}</b><span>mean depth</span>" in html(app)
    assert shares(app) == wanted
    said = " ".join(caption.value for caption in app.caption)
    assert "exact rectangles" in said
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
    rows = forest.draws_[2].rows
    said = " ".join(part.value for part in app.markdown)
    assert f"of which it learned from {len(rows)} draws" in said


def test_an_envelope_is_shown_as_what_it_predicts():
    app = opened("boundaries", **{"data": "monotone", "m": "remt", "m.monotone": "true"})
    forest, X, y, held_out = fitted(REMTClassifier, monotone=True)
    assert shares(app) == [f"{100 * np.mean(forest.predict(X[held_out]) == y[held_out]):.1f}"]
    assert any("not what its leaves say" in caption.value for caption in app.caption)


@pytest.mark.parametrize(("detail", "words"), [("how", "U is the share"), ("rules", "6 trees")])
def test_what_explains_a_forest(detail, words):
    app = opened("boundaries", data="monotone", m="mcdf", detail=detail)
    assert any(words in part.value for part in [*app.markdown, *app.caption])


@pytest.mark.parametrize("page", ["growth", "splits", "latent"])
def test_pages_about_single_trees_say_why_they_show_no_forest(page):
    app = opened(page, data="monotone", m="mcdf")
    said = [part.value for part in app.info] + [f"{c.value} {c.help}" for c in app.caption]
    assert any("this page is about single trees" in words for words in said)


def test_a_large_set_is_chosen_by_name_and_the_limit_is_stated():
    app = opened("data", data="monotone_large")
    box = next(box for box in app.selectbox if box.label == "As in the paper")
    assert box.options[4] == "LargeSet4: 500,000 x 8"
    checked(box.set_value("LargeSet4").run())
    assert app.query_params["n_samples"] == "500000"
    assert "500,000 rows were requested; the app generates at most 200,000" in html(app)
    assert any("200,000 rows, 8 features" in caption.value for caption in app.caption)
    checked(next(b for b in app.selectbox if b.label == "As in the paper").set_value("own").run())
    assert "n_samples" not in app.query_params


def test_the_rows_of_a_large_set_are_kept_within_the_limit():
    asked = Selection(data="monotone_large", params=(("n_samples", 500_000),))
    assert generator_params(asked) == {"n_samples": MOST_ROWS}
    assert max(size["n_samples"] for size in LARGE_SETS.values()) > MOST_ROWS


def test_classes_without_rows_are_left_out_and_named():
    app = opened("boundaries", data="monotone_large", n_samples=200, n_classes=8, m="mcdf")
    assert "No row has the class 1, 8; it is left out." in html(app)
    assert "class 8" not in html(app)


def test_the_training_of_a_forest_tells_how_far_it_is():
    X = np.random.default_rng(0).random((60_000, 4))
    y = (X.mean(axis=1) > 0.5).astype(int)
    steps = forest_training(AdaBoostM1Classifier(n_estimators=3), X, y)
    told = list(steps)
    assert told == sorted(told)
    assert 0.0 < told[0] < told[-1] <= 1.0


def panel(name, **query):
    """A page of a single panel about the forest of the link."""

    def script(name):
        from lastviz.ui.compute import cache
        from lastviz.ui.monotone import comparison, forest_draws, forest_trees
        from lastviz.ui.shared.blocks import draw
        from lastviz.ui.state import session

        session.sync()
        selection = session.current()
        panels = {
            "subsets": forest_draws.subsets_panel,
            "votes": forest_trees.votes_panel,
            "trees": lambda *given: draw(forest_trees.trees_panel(*given)),
        }
        if name == "study":
            comparison.sets_chooser(selection)
            draw(comparison.study_part(selection, "light"))
        else:
            panels[name](
                cache.fitted(selection, 0, allow_ensembles=True).estimator, selection, "light"
            )
        session.settled()

    app = AppTest.from_function(script, args=(name,), default_timeout=SECONDS)
    for key, value in query.items():
        app.query_params[key] = str(value)
    return checked(app.run())


@pytest.mark.parametrize("model", ["mcdf", "adaboost_m1"])
@pytest.mark.parametrize("name", ["subsets", "votes", "trees"])
def test_every_panel_of_a_forest(name, model):
    panel(name, data="monotone", n_samples=300, label_noise=0.1, m=model, tree=2)


def test_the_subset_of_a_tree_is_told_in_its_own_numbers():
    app = panel("subsets", data="monotone", m="mcdf", tree=2)
    forest, *_ = fitted(MCDFClassifier, random_state=1)
    draw = forest.draws_[1]
    assert f"<b>{draw.kept.sum()}</b><span>rows kept" in html(app)
    assert f"<span>of {draw.n_unseen} unseen" in html(app)
    latex = " ".join(part.value for part in app.get("markdown"))
    assert f"M = {forest.plan_.size}" in latex + " ".join(_plan_lines(forest.plan_))
    checked(next(b for b in app.button if b.label == "▶").click().run())
    assert app.query_params["tree"] == "3"
    assert f"Tree 3 of {len(forest.draws_)}" in html(app)


def test_formulas_hold_the_numbers_of_the_plan():
    forest, *_ = fitted(MCDFClassifier)
    plan = forest.plan_
    lines = " ".join(_plan_lines(plan))
    assert f"{plan.sigma:.4g}" in lines
    assert f"{plan.raw:.5g}" in lines
    assert f"= {plan.corrected:.5g}" in lines
    assert rf"\mathbf{{M = {plan.size}}}" in lines
    given = fitted(MCDFClassifier, subset_size=100)[0]
    assert "mathbf" not in " ".join(_plan_lines(given.plan_))
    strict = fitted(MCDFClassifier, inclusion=1.0, subset_size=60)[0]
    words = [draw_words(strict, i, tuple("abcd"), "light") for i in range(len(strict.draws_))]
    assert "degree of consistency" not in words[0]  # consistent data: nobody is dropped


def test_a_conflict_and_what_settles_it():
    app = panel("votes", data="monotone", label_noise=0.1, m="mcdf")
    assert "A conflict:" in html(app)
    assert "class supports settles it" in html(app)
    before = html(app)
    checked(next(b for b in app.button if b.label.startswith("Next of")).click().run())
    assert "lit" in app.query_params
    assert html(app) != before


def test_trees_of_a_forest_are_picked_by_their_number():
    app = panel("trees", data="monotone", m="mcdf", tree=2)
    forest, *_ = fitted(MCDFClassifier, random_state=1)
    assert any(f"Tree 2 of {len(forest.estimators_)}" in part.value for part in app.markdown)


def test_the_study_shows_ours_beside_the_published_figures():
    app = panel("study", data="monotone", sets="Set1")
    said = " ".join(caption.value.replace("\\", "") for caption in app.caption)
    assert "10-fold cross-validation" in said
    assert "edges shallower" in said
    box = next(box for box in app.multiselect if box.label == "Sets")
    assert box.value == ["Set1"]


def test_a_set_that_forests_cannot_learn_from_says_why():
    app = panel("study", data="iris", sets="current")
    assert any("classes in an order" in caption.value for caption in app.caption)


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
    exec(compile(python_of(selection), "recipe", "exec"), {})
    forest, X, y, held_out = fitted(MCDFClassifier, random_state=1)
    right = np.mean(forest.predict(X[held_out]) == y[held_out])
    assert f"mcdf: accuracy held out {right}" in capsys.readouterr().out


def test_a_class_that_cannot_fill_its_quota_is_named():
    data = load_dataset("monotone", n_samples=120, n_classes=4, label_noise=0.2, random_state=1)
    forest = MCDFClassifier(inclusion=0.5, subset_size=12).fit(data.X, data.codes)
    names = ("low", "fair", "good", "high")
    short = [draw.drawn < draw.quota for draw in forest.draws_]
    assert any(classes.any() for classes in short)
    for at, classes in enumerate(short):
        assert len(forest.draws_[at].rows) == forest.draws_[at].drawn.sum() == 12
        words = draw_words(forest, at, names, "light")
        missing = ", ".join(name for name, is_short in zip(names, classes, strict=True) if is_short)
        sentence = f"Fewer rows than its quota were left of {missing}: all of them are drawn"
        assert (sentence in words) == bool(missing)
