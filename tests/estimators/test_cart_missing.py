"""CART asks whether a value is missing: such splits beside scikit-learn's, in every form."""

import csv
import io
import json
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from lastviz import CARTClassifier, CARTRegressor
from lastviz._csv_writer import harmless
from lastviz.export import (
    as_dot,
    as_function,
    as_json,
    as_sql,
    rules_as_csv,
    rules_as_text,
    tree_from_json,
)
from lastviz.inspection import (
    conditions,
    explain,
    finds_stored_split,
    regions,
    response_steps,
    split_search,
)
from lastviz.plots import rule_words, split_words
from lastviz.tree import Kind
from tests.export.conftest import by_python, by_sql
from tests.export.test_forms import holds, rows_of, told

THEIRS = {CARTClassifier: DecisionTreeClassifier, CARTRegressor: DecisionTreeRegressor}


def lacking(seed, n=80, m=4, share=0.15):
    """Numbers that float32 holds, of which 15 % are missing, more often in the last class."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, m)).astype(np.float32).astype(np.float64)
    if seed % 2:
        X = np.round(X)
    y = rng.integers(0, 3, n)
    X[rng.random((n, m)) < share * (1 + (y[:, None] == 2))] = np.nan
    return X, y


def best_decrease(model, X, y):
    """What the root split of a tree of scikit-learn takes from the impurity; 0 without one."""
    tree = THEIRS[model](max_depth=1, random_state=0).fit(X, y).tree_
    if tree.node_count == 1:
        return 0.0
    share = tree.weighted_n_node_samples / tree.weighted_n_node_samples[0]
    return tree.impurity[0] - share[1:] @ tree.impurity[1:]


@pytest.mark.parametrize("model", [CARTClassifier, CARTRegressor])
@pytest.mark.parametrize("seed", range(6))
def test_no_node_is_split_worse_than_by_scikit_learn(model, seed):
    X, y = lacking(seed)
    fitted = model().fit(X, y)
    tree = fitted.tree_
    tree.validate(X)
    weight, impurity = tree.weighted_n_node_samples, tree.impurity
    for node in np.flatnonzero(tree.n_children > 0).tolist():
        rows, _ = tree.node_samples(node)
        below = list(tree.children(node))
        ours = impurity[node] - (weight[below] / weight[node]) @ impurity[below]
        assert ours == pytest.approx(best_decrease(model, X[rows], y[rows]), abs=1e-9)
        assert finds_stored_split(fitted, X, y, node)


def test_trees_of_lacking_data_ask_for_what_lacks():
    asked = 0
    for seed in range(6):
        X, y = lacking(seed)
        tree = CARTClassifier().fit(X, y).tree_
        asked += sum(tree.asks_missing(node) for node in range(tree.n_nodes))
    assert asked > 5


@pytest.mark.parametrize("model", [CARTClassifier, CARTRegressor])
@pytest.mark.parametrize("column", [[1.0, 1.0, None, None], ["a", "b", None, None]])
def test_a_lack_alone_can_part_the_classes(model, column):
    X = pd.DataFrame({"x": pd.Series(column)})
    fitted = model().fit(X, [0, 0, 1, 1])
    tree = fitted.tree_
    tree.validate(fitted.encode(X))
    assert tree.n_nodes == 3
    assert tree.asks_missing(0)
    np.testing.assert_array_equal(fitted.predict(X), [0, 0, 1, 1])
    assert (tree.kind[0] == Kind.CATEGORIES) == isinstance(column[0], str)
    assert split_words(tree, 0) == "x is not missing"
    assert split_words(tree, 0, branch=1) == "x is missing"
    assert finds_stored_split(fitted, X, np.array([0, 0, 1, 1]), 0)
    assert split_search(fitted, X, np.array([0, 0, 1, 1]), 0).split.missing_branch == 1


def test_a_value_that_training_did_not_reach_is_not_missing():
    fitted = CARTClassifier().fit([[1.0], [1.0], [np.nan], [np.nan]], [0, 0, 1, 1])
    assert fitted.predict([[1e300], [-1e300], [np.nan]]).tolist() == [0, 0, 1]


@pytest.mark.parametrize("least", [1, 3, 9])
def test_a_branch_of_lacks_needs_its_rows(least):
    X = np.array([[1.0]] * 5 + [[np.nan]] * 3)
    y = np.array([0] * 5 + [1] * 3)
    assert CARTClassifier(min_samples_leaf=least).fit(X, y).tree_.n_nodes == (
        3 if least <= 3 else 1
    )


def asking():
    """A tree with such tests of numeric and nominal features, and its rows."""
    rng = np.random.default_rng(5)
    n = 300
    X = pd.DataFrame({
        "a long name": rng.normal(size=n),
        "x2": np.round(rng.normal(size=n), 1),
        "sky": rng.choice(["grey", "blue", "red"], n),
    })  # fmt: skip
    gone = rng.random((n, 3)) < 0.3
    y = np.where(gone[:, 0] & gone[:, 2], "both", np.where(gone[:, 0], "one", "none"))
    y = np.where(gone[:, 2] & ~gone[:, 0] & (X["x2"] > 0), "sky", y)
    X = X.astype({"sky": object}).mask(gone)
    fitted = CARTClassifier(max_depth=6).fit(X, y)
    asks = [node for node in range(fitted.tree_.n_nodes) if fitted.tree_.asks_missing(node)]
    assert {int(k) for k in fitted.tree_.kind[asks]} == {Kind.THRESHOLD, Kind.CATEGORIES}
    return fitted, X


def sample_rows(X):
    """The rows with None for what is missing."""
    return [{k: None if v != v else v for k, v in row.items()} for row in rows_of(X)]


def test_every_form_of_such_a_tree_predicts_as_it_does_and_exactly_one_rule_and_path_holds():
    fitted, X = asking()
    tree, said = fitted.tree_, fitted.predict(X)
    assert by_python(tree, sample_rows(X)) == by_sql(tree, X) == said.tolist()
    text = as_json(tree)
    json.loads(text, parse_constant=pytest.fail)  # no Infinity, which is no JSON
    back = tree_from_json(text)
    np.testing.assert_array_equal(back.threshold, tree.threshold)
    np.testing.assert_array_equal(back.apply(fitted.encode(X)), tree.apply(fitted.encode(X)))
    for text in (rules_as_text(tree), as_dot(tree), as_sql(tree), as_function(tree)):
        assert not re.search("[<>=] -?inf", text)
    lines = rules_as_text(fitted.tree_).splitlines()
    pairs = [
        m.groups() for m in (re.fullmatch(r"\d+\. if (.*) then (.*)", li) for li in lines) if m
    ]
    table = list(csv.DictReader(io.StringIO(rules_as_csv(fitted.tree_))))
    table = [(rule["if"], rule["then"]) for rule in table if rule["rule"]]
    assert [(harmless(premise), then) for premise, then in pairs] == table
    for row, predicted in zip(sample_rows(X), fitted.predict(X), strict=True):
        met = [then for premise, then in pairs if premise_holds(premise, row)]
        assert met == [told(predicted)]
    encoded = fitted.encode(X)
    for row, stop in zip(encoded, fitted.tree_.apply(encoded), strict=True):
        found = explain(fitted, row)
        assert found.main_end == stop
        assert found.node.tolist() == fitted.tree_.path(int(stop))


def premise_holds(premise, row):
    """A comparison with None is never met."""
    parts = re.split(r" and (?![^(]*\))", premise)
    return all(part_holds(part, row) for part in parts)


def part_holds(part, row):
    try:
        return holds(part, row)
    except TypeError:
        return holds(part.strip("()").split(" or ")[-1], row) if " or " in part else False


def test_rules_in_words_name_the_lack_once():
    fitted, _ = asking()
    tree = fitted.tree_
    told_of = [rule_words(tree, node, html=False) for node in range(tree.n_nodes)]
    assert any("sky is missing" in words for words in told_of)
    assert any("a long name is not missing" in words for words in told_of)
    for words in told_of:
        assert "missing or missing" not in words
        assert "inf" not in words
        assert "{}" not in words
    for node in range(tree.n_nodes):
        names = [condition.feature for condition in conditions(tree, node)]
        assert len(set(names)) == len(names)


def test_regions_of_such_a_tree_tile_the_plane():
    X, y = lacking(1, n=120, m=2)
    fitted = CARTClassifier().fit(X, y)
    assert any(fitted.tree_.asks_missing(node) for node in range(fitted.tree_.n_nodes))
    found = regions(fitted, (-3.0, 3.0, -3.0, 3.0))
    places = np.random.default_rng(0).uniform(-3, 3, (200, 2))
    at = fitted.tree_.apply(places)
    shown = found.visible()
    for place, leaf in zip(places, at, strict=True):
        inside = [i for i in shown if np.all(found.polygon(i).min(axis=0) < place)
                  and np.all(place <= found.polygon(i).max(axis=0))]  # fmt: skip
        assert [found.node[i] for i in inside] == [leaf]
    assert np.isfinite(found.vertices).all()


def test_steps_of_such_a_tree_of_numbers_are_its_predictions():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    gone = rng.random(80) < 0.3
    y = X[:, 0] ** 2 + 9.0 * gone
    X[gone, 0] = np.nan
    fitted = CARTRegressor(max_leaf_nodes=8).fit(X, y)
    assert any(fitted.tree_.asks_missing(node) for node in range(fitted.tree_.n_nodes))
    steps = response_steps(fitted.tree_, 0, -2.0, 2.0, np.zeros(2))
    assert np.isfinite(steps.end).all()
    at = np.column_stack([steps.end, np.zeros(len(steps.end))])
    np.testing.assert_array_equal(steps.value, fitted.predict(at))
