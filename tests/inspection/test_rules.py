"""Rules: exclusive, complete, and with the numbers of their rows; the path of one sample."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from lastviz import C45Classifier, CARTClassifier, MCDFClassifier, OC1Classifier, SVMTreeClassifier
from lastviz.inspection import (
    STOPS,
    Condition,
    NominalCondition,
    ObliqueCondition,
    VotesOfSample,
    conditions,
    explain,
    rules,
    stopping_nodes,
    supports,
)
from lastviz.inspection.rules import rule_list
from lastviz.tree import Missing
from tests.conftest import waveform
from tests.tree.test_nominal_tree import FRESH, by_branch, grown


def holding(tree):
    """A model of one tree, as far as an explanation asks."""
    return SimpleNamespace(tree_=tree, n_features_in_=tree.n_features)


def meets(condition, X, tree):
    """Which rows meet a condition, straight from its definition."""
    if isinstance(condition, Condition):
        along = X[:, condition.feature]
    elif isinstance(condition, ObliqueCondition):
        along = sum(X[:, f] * w for f, w in enumerate(condition.weights))
    else:
        along = tree.kernel.decide(X)[:, tree.split_row[condition.node]]
        return along > 0 if condition.branch == 0 else along <= 0
    low = -np.inf if condition.low is None else condition.low
    high = np.inf if condition.high is None else condition.high
    return (low < along) & (along <= high)


@pytest.fixture(
    params=[
        C45Classifier(),
        CARTClassifier(min_samples_leaf=3),
        OC1Classifier(n_restarts=1, random_state=0),
        SVMTreeClassifier(sigma=10.0, C=1.0),
    ],
    ids=lambda model: type(model).__name__,
)
def fitted(request):
    X, y = waveform(150, 3)
    return request.param.fit(X, y), X, y


def test_every_row_meets_the_rule_of_its_leaf_and_no_other(fitted):
    model, X, _ = fitted
    tree = model.tree_
    found = rules(tree)
    met = np.array(
        [np.all([meets(c, X, tree) for c in r.conditions], axis=0) | np.zeros(len(X), bool)
         for r in found]
    )  # fmt: skip
    assert (met.sum(axis=0) == 1).all()
    np.testing.assert_array_equal(np.array([r.node for r in found])[met.argmax(axis=0)],
                                  tree.apply(X))  # fmt: skip


def test_the_numbers_are_those_of_the_rows(fitted):
    model, X, y = fitted
    tree = model.tree_
    grown = np.sort(tree.node_samples(0)[0])  # OC1 keeps rows for pruning
    stops = tree.apply(X[grown])
    y = y[grown]
    found = rules(tree)
    assert [r.number for r in found] == list(range(1, tree.n_leaves + 1))
    assert [r.support for r in found] == sorted((r.support for r in found), reverse=True)
    for rule in found:
        held = y[stops == rule.node]
        right = np.count_nonzero(held == rule.prediction)
        assert rule.support == len(held)
        assert rule.share == len(held) / len(y)
        assert rule.confidence == pytest.approx(right / len(held))
        assert rule.coverage == pytest.approx(right / np.count_nonzero(y == rule.prediction))
        counts = np.bincount(held, minlength=3) / len(held)
        np.testing.assert_allclose(rule.class_supports, counts)
        assert len(rule.conditions) == len(conditions(tree, rule.node))


def test_one_condition_for_each_feature():
    X, y = waveform(300, 1)
    tree = CARTClassifier().fit(X, y).tree_
    for rule in rules(tree):
        used = [c.feature for c in rule.conditions]
        assert len(used) == len(set(used))
        assert rule.conditions == conditions(tree, rule.node)


def test_a_tree_of_one_leaf_is_one_rule_without_conditions():
    (rule,) = rules(CARTClassifier().fit(np.zeros((5, 2)), [0, 0, 0, 1, 1]).tree_)
    assert (rule.conditions, rule.support, rule.share, rule.coverage) == ((), 5.0, 1.0, 1.0)
    assert rule.confidence == 0.6


def test_a_node_without_rows_has_no_confidence():
    tree = SVMTreeClassifier(sigma=10.0, C=1.0).fit(*waveform(60, 2)).tree_
    assert np.isfinite(supports(tree).confidence).all()


def test_the_way_of_a_sample_is_the_path_to_its_leaf(fitted):
    model, X, _ = fitted
    tree = model.tree_
    for x in X[:20]:
        path = explain(model, x)
        end = tree.apply(x[None, :])[0]
        assert path.node.tolist() == tree.path(end)
        assert path.branch[-1] == STOPS
        assert (path.weight == 1.0).all()
        assert model.classes_[path.prediction] == model.predict(x[None, :])[0]
        assert path.main_end == end
        for node, value, branch in zip(path.node[:-1], path.value, path.branch, strict=False):
            if len(tree.kernel):
                assert (value > 0) == (branch == 0)
            elif tree.feature[node] >= 0:
                assert value == x[tree.feature[node]]
                assert (value <= tree.threshold[node]) == (branch == 0)


@pytest.mark.parametrize("n_features", [1, 2])
def test_a_sample_may_be_a_row_of_a_table_in_any_form(n_features):
    X = pd.DataFrame(np.arange(6.0 * n_features).reshape(6, n_features)).add_prefix("x")
    model = CARTClassifier().fit(X, [0, 0, 0, 1, 1, 1])
    forms = (X.iloc[4], X.iloc[[4]], X.iloc[4].to_numpy(), X.iloc[4].tolist())
    assert [explain(model, x).prediction for x in forms] == [1] * len(forms)


def test_forests_tell_their_votes():
    X, y = waveform(120, 5)
    forest = MCDFClassifier(random_state=0, subset_size=40).fit(X, y)
    assert isinstance(explain(forest, X[0]), VotesOfSample)


def test_what_is_not_one_sample_is_refused_and_a_missing_value_matters_where_the_path_asks_for_it():
    model = CARTClassifier().fit(np.arange(12.0).reshape(6, 2), [0, 0, 0, 1, 1, 1])
    with pytest.raises(ValueError, match="one sample of 2 features"):
        explain(model, [1.0])
    with pytest.raises(ValueError, match="x2 is infinite"):
        explain(model, [1.0, np.inf])
    assert model.tree_.feature[0] == 0
    assert explain(model, [1.0, np.nan]).prediction == 0
    whole = holding(replace(model.tree_, missing=Missing.REFUSE))
    assert explain(whole, [1.0, np.nan]).prediction == 0
    with pytest.raises(ValueError, match="asks for x1"):
        explain(whole, [np.nan, 1.0])


def test_parts_of_a_sample_go_where_the_tree_spreads_them():
    for tree in (grown(), by_branch(grown()), replace(grown(), missing=0, branch_weight=None)):
        model = holding(tree)
        row, node, weight = tree.leaf_weights(FRESH)
        for i, x in enumerate(FRESH):
            end = node[row == i][0]
            stopped = not tree.is_leaf(end) and np.isnan(x[tree.feature[end]])
            if tree.missing == Missing.REFUSE and stopped:
                with pytest.raises(ValueError, match="was grown without missing values"):
                    explain(model, x)
                continue
            path = explain(model, x)
            assert path.ends.tolist() == node[row == i].tolist()
            np.testing.assert_allclose(path.end_weights, weight[row == i])
            assert path.prediction == tree.predict(x[None, :])[0]
            assert path.main_end == tree.apply(x[None, :])[0]


def test_conditions_on_categories_are_one_set_and_say_where_missing_values_go():
    tree = by_branch(grown())
    assert conditions(tree, 2) == (NominalCondition(0, (1,), missing=True),)
    assert conditions(tree, 5) == (NominalCondition(0, (0,)), Condition(1, 2.5, None))
    assert conditions(tree, 4) == (NominalCondition(0, (0,)), Condition(1, None, 2.5, True))
    assert stopping_nodes(tree) == [0]
    assert stopping_nodes(grown()) == []
    assert [rule.support for rule in rules(grown())] == sorted(
        grown().weighted_n_node_samples[2:], reverse=True
    )


def test_a_tree_of_numbers_has_rules_without_confidence():
    mean = np.array([2.0, 1.0, 3.0, 2.0, 0.5, 1.5])
    tree = replace(grown(), classes=np.zeros(0), value=mean[:, None], prediction=mean)
    found = rules(tree)
    assert np.isnan([rule.confidence for rule in found]).all()
    assert [rule.prediction for rule in found] == [mean[rule.node] for rule in found]
    assert explain(holding(tree), FRESH[0]).shares.size == 0


def test_rules_are_made_one_by_one_as_they_are_all_together(fitted):
    tree = fitted[0].tree_
    found = rules(tree)
    assert len(found) == tree.n_leaves
    picked = [found[i] for i in (-1, len(found) // 2, 0)]
    assert picked == [list(found)[i] for i in (-1, len(found) // 2, 0)]
    assert found[:3] == list(found)[:3]
    for rule in reversed(found):
        assert fields_of(rule.conditions) == fields_of(conditions(tree, rule.node))
    with pytest.raises(IndexError):
        found[len(found)]


def fields_of(some):
    """The conditions as plain values."""
    return [(type(c), [np.asarray(value).tolist() for value in vars(c).values()]) for c in some]


def test_the_conditions_of_a_rule_wait_until_they_are_read(monkeypatch):
    X, y = waveform(150, 3)
    tree = CARTClassifier().fit(X, y).tree_
    asked = []
    work = rule_list.condition_of
    monkeypatch.setattr(
        rule_list, "condition_of", lambda *given: asked.append(given[1:]) or work(*given)
    )
    found = rules(tree)
    assert sum(rule.support for rule in found) == 150
    assert asked == []
    deepest = max(found, key=lambda rule: tree.depth[rule.node])
    assert deepest.conditions == deepest.conditions == conditions(tree, deepest.node)
    assert len(asked) == tree.depth[deepest.node]  # once each
