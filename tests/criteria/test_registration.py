"""Criteria from outside the package: every family that takes them, and what is refused."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris

import lastviz
from lastviz import (
    C45Classifier,
    CARTClassifier,
    GSODTClassifier,
    HybridTreeClassifier,
    LSODTClassifier,
    OC1Classifier,
)
from lastviz.criteria import CRITERIA, class_entropy, gini, impurity_decrease
from lastviz.criteria.registration import Offered
from lastviz.datasets import load_dataset
from lastviz.estimators import ESTIMATORS
from lastviz.inspection import candidate_table, split_search
from lastviz.tree import Kind
from lastviz.warm_up import MORE, TABLE, warm_up
from tests.patience import LONG
from tests.replay import replayed

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "own_criterion.md"
TAKERS = (C45Classifier, CARTClassifier, GSODTClassifier, LSODTClassifier, HybridTreeClassifier)


@pytest.fixture
def register():
    """Registering criteria that are gone after the test."""
    before = set(CRITERIA)
    yield lastviz.register_criterion
    for key in set(CRITERIA) - before:
        lastviz.unregister_criterion(key)


def rounded_waveform():
    data = load_dataset("waveform", n_samples=120, random_state=1)
    return data.X.to_numpy().round(1)[:, :6], data.y.to_numpy()


def assert_replay(estimator, X, y):
    assert replayed(estimator, X, y, within=1e-9).grown_tree_.n_nodes > 3


def by_gini(left, right):
    return impurity_decrease(left, right, gini)


def left_over(left, right):
    """The weighted impurity of the children: small is good."""
    n = left.sum(axis=1) + right.sum(axis=1)
    return (left.sum(axis=1) * gini(left) + right.sum(axis=1) * gini(right)) / n


def test_the_guide_registers_a_criterion_in_ten_lines(register):
    code = re.search(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.S).group(1)
    assert len([line for line in code.splitlines() if line]) <= 10
    names = {}
    exec(code, names)
    X, y = load_iris(return_X_y=True)
    tree = names["tree"].fit(X, y)
    assert_replay(tree, X, y)
    table = candidate_table(X, y, np.arange(150), 3)
    p = table.left_counts / table.left_counts.sum(axis=1, keepdims=True)
    q = table.right_counts / table.right_counts.sum(axis=1, keepdims=True)
    shares = table.left_counts.sum(axis=1) / 150
    inside = shares * np.sqrt(p * (1 - p)).sum(1) + (1 - shares) * np.sqrt(q * (1 - q)).sum(1)
    np.testing.assert_allclose(table.columns["dkm"], np.sqrt(2) - inside)
    assert tree.tree_.score[0] == pytest.approx(table.columns["dkm"].max())


@pytest.mark.parametrize("cls", TAKERS)
@pytest.mark.parametrize("smaller", [False, True])
def test_replay_finds_what_a_python_function_chose(register, cls, smaller):
    score = left_over if smaller else by_gini
    register("mine", score, title="mine", smaller_is_better=smaller)
    X, y = rounded_waveform()
    estimator = clone(cls(criterion="mine")).fit(X, y)
    assert_replay(estimator, X, y)
    assert np.isfinite(estimator.tree_.impurity).all()
    root = split_search(estimator, X, y, 0)
    extreme = np.min if smaller else np.max
    admitted = root.columns["mine"][root.columns["mine"] > -np.inf]
    assert root.split.score == pytest.approx(extreme(admitted))


@pytest.mark.parametrize("weighted", [False, True])
def test_cart_by_a_function_grows_the_tree_of_the_same_kernel(register, weighted):
    register("python_gini", by_gini, title="Gini in Python", impurity=gini)
    X, y = rounded_waveform()
    weight = np.random.default_rng(0).uniform(0.5, 2.0, len(y)) if weighted else None
    for more in (
        {}, {"max_depth": 3, "min_samples_leaf": 7}, {"ccp_alpha": 0.01}, {"max_features": 2},
        {"min_impurity_decrease": 0.02, "min_weight_fraction_leaf": 0.1},
    ):  # fmt: skip
        theirs = CARTClassifier(**more).fit(X, y, weight)
        ours = CARTClassifier(criterion="python_gini", **more).fit(X, y, weight)
        for name in ("feature", "first_child", "prediction", "threshold"):
            np.testing.assert_array_equal(getattr(ours.tree_, name), getattr(theirs.tree_, name))
        np.testing.assert_allclose(ours.tree_.score, theirs.tree_.score, atol=1e-12)


def test_cart_by_a_function_with_categories_and_missing_values(register):
    register("python_gini", by_gini, title="Gini in Python")
    rng = np.random.default_rng(4)
    X = pd.DataFrame(
        {
            "number": np.where(rng.random(150) < 0.2, np.nan, rng.normal(size=150).round(1)),
            "word": pd.Categorical(rng.choice(list("abcde"), 150)),
        }
    )
    y = (X["number"].fillna(1.0) > 0.3) ^ X["word"].isin(["a", "d"]) ^ (rng.random(150) < 0.1)
    theirs, ours = (CARTClassifier(criterion=c).fit(X, y) for c in ("gini", "python_gini"))
    assert {Kind.CATEGORIES, Kind.THRESHOLD} <= set(ours.tree_.kind.tolist())
    assert_replay(ours, X, y)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    np.testing.assert_allclose(ours.tree_.score[0], theirs.tree_.score[0])


def test_c45_counts_known_rows_and_their_share(register):
    register("python_gain", lambda a, b: impurity_decrease(a, b, class_entropy), title="gain")
    X, y = rounded_waveform()
    X[::7, 2] = np.nan
    weight = np.random.default_rng(0).uniform(0.5, 2.0, len(y))
    ours = C45Classifier(criterion="python_gain", pruning="none").fit(X, y, weight)
    theirs = C45Classifier(criterion="gain", pruning="none", mdl_correction=False)
    theirs.fit(X, y, weight)
    np.testing.assert_array_equal(ours.tree_.feature, theirs.tree_.feature)
    np.testing.assert_allclose(ours.tree_.threshold, theirs.tree_.threshold)
    assert_replay(ours, X, y)


@pytest.mark.parametrize(("more", "columns"), [
    ({"first": "gini"}, ("gini",)),
    ({"first": "csn"}, ("csn",)),
    ({"first": "gini", "second": "bnm", "second_weight": 0.02, "k": 3, "last": "csn"},
     ("gini", "bnm", "csn")),
    ({"first": "chi2", "second": "segments", "min_leaf_rule": "candidate"},
     ("chi2", "segments")),
    ({"first": "twoing", "last": "ratio", "penalty": "none", "bnm_root": True},
     ("twoing", "ratio")),
])  # fmt: skip
def test_a_rule_of_ones_own_grows_a_tree(more, columns):
    X, y = rounded_waveform()
    estimator = HybridTreeClassifier(criterion="rule", **more).fit(X, y)
    assert_replay(estimator, X, y)
    assert tuple(split_search(estimator, X, y, 0).columns) == columns


@pytest.mark.parametrize(("named", "more"), [
    ("gini", {"first": "gini"}),
    ("gain_ratio_raw", {"first": "gain_ratio"}),
    ("bnm", {"first": "gini", "second": "bnm", "second_weight": 0.02}),
    ("csn", {"first": "gini", "k": 3, "last": "csn"}),
    ("bnm+csn", {"first": "gini", "second": "bnm", "second_weight": 0.02, "last": "csn"}),
])  # fmt: skip
def test_a_composed_rule_grows_the_tree_of_the_named_one(named, more):
    X, y = rounded_waveform()
    theirs = HybridTreeClassifier(criterion=named, w2=0.02).fit(X, y).tree_
    ours = HybridTreeClassifier(criterion="rule", **more).fit(X, y).tree_
    np.testing.assert_array_equal(ours.feature, theirs.feature)
    np.testing.assert_array_equal(ours.threshold, theirs.threshold)
    np.testing.assert_allclose(ours.score, theirs.score, rtol=1e-9)


@pytest.mark.parametrize(("returned", "message"), [
    (lambda a, b: np.zeros(3), r"one number for each of the \d+ rows of counts.*got shape \(3,\)"),
    (lambda a, b: a, "must return one number for each"),
    (lambda a, b: "high", "must return one number for each|must return numbers"),
    (lambda a, b: ["x"] * len(a), "must return numbers"),
    (lambda a, b: np.full(len(a), 1j), "must return numbers"),
    (lambda a, b: np.full(len(a), np.inf), r"returned \+inf; scores are finite"),
    (lambda a, b: np.full(len(a), np.nan), "returned NaN for every candidate of a node"),
])  # fmt: skip
@pytest.mark.parametrize("cls", TAKERS)
def test_a_wrong_answer_is_named(register, cls, returned, message):
    register("wrong", returned, title="wrong")
    with pytest.raises(ValueError, match=f"'wrong' {message}|'wrong' must"):
        cls(criterion="wrong").fit(*rounded_waveform())


@pytest.mark.parametrize("cls", TAKERS)
def test_some_nan_is_not_admissible(register, cls):
    register("choosy", lambda a, b: np.where(a[:, 0] < 9, np.nan, by_gini(a, b)), title="choosy")
    X, y = rounded_waveform()
    estimator = cls(criterion="choosy", max_depth=1).fit(X, y)
    first = estimator.grown_tree_.value[1]
    assert first[0] >= 9


def test_what_cannot_serve_is_said_in_one_sentence(register):
    register("mine", by_gini, title="mine")
    register("small", left_over, title="small", smaller_is_better=True)
    words = pd.DataFrame({"colour": pd.Categorical(list("abcab") * 6), "x": np.arange(30.0)})
    y = np.arange(30) % 2
    with pytest.raises(ValueError, match="nominal column 'colour' into 3: use CART"):
        C45Classifier(criterion="mine").fit(words, y)
    with pytest.raises(ValueError, match=r"max_leaf_nodes must be None .*'mine', got 4"):
        CARTClassifier(criterion="mine", max_leaf_nodes=4).fit(words, y)
    gaps = np.where(np.arange(60).reshape(30, 2) % 7 == 0, np.nan, 1.0)
    with pytest.raises(ValueError, match="column 'x1' lacks some: fill"):
        C45Classifier(criterion="small").fit(gaps, y)
    with pytest.raises(ValueError, match="criterion must be one of 'gini'"):
        OC1Classifier(criterion="mine").fit(np.eye(30), y)


def test_a_key_is_a_name_and_belongs_to_one_criterion(register):
    with pytest.raises(ValueError, match="key must be small letters"):
        register("My gain", by_gini, title="x")
    with pytest.raises(ValueError, match="already"):
        register("gini", by_gini, title="x")
    with pytest.raises(ValueError, match="no registered criterion"):
        lastviz.unregister_criterion("gini")
    register("mine", by_gini, title="mine")
    assert "mine" in Offered("cart")
    lastviz.unregister_criterion("mine")
    assert "mine" not in Offered("cart")
    with pytest.raises(ValueError, match="criterion must be one of"):
        CARTClassifier(criterion="mine").fit(np.eye(4), [0, 1, 0, 1])


def test_every_estimators_choices_come_from_the_rows():
    """An estimator's criterion names a row, or it is a rule of several."""
    for entry in ESTIMATORS.values():
        choices = [p.choices for p in getattr(entry.cls, "PARAMS", ()) if p.name == "criterion"]
        assert all(isinstance(offered, Offered) for offered in choices), entry.key
        for word in (word for offered in choices for word in offered):
            column = entry.cls(criterion=word).criterion_column
            assert column in CRITERIA, (entry.key, word)


PLUGIN = """
from lastviz import register_criterion
from lastviz.criteria import gini, impurity_decrease


def register():
    register_criterion("NAME", lambda a, b: impurity_decrease(a, b, gini) ** POWER, title="NAME")
"""
PLUGINS = {
    name: PLUGIN.replace("NAME", name).replace("POWER", power)
    for name, power in (("squared", "2"), ("cubed", "3"))
}
SCORED = """
import joblib
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score
from lastviz import CARTClassifier

{before}
with joblib.parallel_config("loky", {options}):
    for criterion in {criteria}:
        tree = CARTClassifier(criterion=criterion)
        print(cross_val_score(tree, *load_iris(return_X_y=True), cv=3, n_jobs=2).tolist())
"""


@pytest.mark.ci
@pytest.mark.parametrize(("plugin", "before", "options", "criteria"), [
    ("cubed_plugin, {folder}/squared_plugin.py, no_such_module, stops.py", "", "",
     ["cubed", "squared"]),
    ("", "import squared_module\nsquared_module.register()",
     "initializer=squared_module.register", ["squared"]),
])  # fmt: skip
def test_worker_processes_know_registered_criteria(tmp_path, plugin, before, options, criteria):
    (tmp_path / "squared_module.py").write_text(PLUGINS["squared"])
    for name, text in PLUGINS.items():
        (tmp_path / f"{name}_plugin.py").write_text(text + "\n\nregister()\n")
    (tmp_path / "stops.py").write_text("raise SystemExit(1)")
    scored = SCORED.format(before=before, options=options, criteria=criteria)
    (tmp_path / "scored.py").write_text(scored)
    environment = {
        **os.environ,
        "LASTVIZ_PLUGINS": plugin.format(folder=tmp_path),
        "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path]),
    }
    done = subprocess.run(
        [sys.executable, "scored.py"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=LONG, check=False,
    )  # fmt: skip
    scores = [json.loads(line) for line in done.stdout.splitlines()]
    assert [len(each) for each in scores] == [3] * len(criteria), done.stderr
    assert np.min(scores) > 0.8
    assert ("no_such_module" in done.stderr) == ("no_such_module" in plugin)


@pytest.mark.parametrize("returned", [
    lambda a, b: np.zeros(3), lambda a, b: 1 / 0, lambda a, b: np.full(len(a), np.nan),
    lambda a, b: ["x"] * len(a),
])  # fmt: skip
def test_a_table_may_go_without_a_criterion_that_fails(register, returned):
    register("wrong", returned, title="wrong")
    X, y = rounded_waveform()
    asked = X, y, np.arange(len(y)), 3
    with pytest.raises(ValueError, match="'wrong'"):
        candidate_table(*asked)
    found = candidate_table(*asked, may_fail=True)
    assert set(found.failed) == {"wrong"}
    assert (found.columns["wrong"] == -np.inf).all()
    ours = [name for name in CRITERIA if name != "wrong"]
    for name, column in candidate_table(*asked, criteria=ours).columns.items():
        np.testing.assert_array_equal(found.columns[name], column)


def test_kernels_are_warmed_up_whatever_was_registered(register):
    def never(left, right):
        raise AssertionError

    register("wrong", never, title="wrong")
    warm_up(["cart", f"cart{MORE}", TABLE])
