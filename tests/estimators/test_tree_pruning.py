"""Pruning by the tree alone, as a parameter of CART and C4.5."""

import numpy as np
import pandas as pd
import pytest

from lastviz import C45Classifier, CARTClassifier, what_if
from lastviz.estimators.tree_attributes import BY_TREE
from lastviz.pruning import PRUNERS
from lastviz.splitters.edits import Kept
from tests.conftest import waveform


def data():
    X, y = waveform(250, 3)
    return X[:, 5:13], y


@pytest.mark.parametrize("cls", [CARTClassifier, C45Classifier])
@pytest.mark.parametrize("key", BY_TREE)
def test_the_estimator_does_what_its_pruner_does(cls, key):
    X, y = data()
    params = {"confidence": 0.05, "m_estimate": 12.0, "entropy_alpha": 6.0}
    fitted = cls(pruning=key, **params).fit(X, y)
    own = {"confidence": 0.05, "m": 12.0, "alpha": 6.0}
    asked = {p.name: own[p.name] for p in PRUNERS[key].params if p.name in own}
    expected, log = PRUNERS[key].prune(fitted.grown_tree_, **asked)
    np.testing.assert_array_equal(fitted.tree_.key, expected.key)
    assert fitted.tree_.n_leaves < fitted.grown_tree_.n_leaves
    assert len(fitted.growth_log_) == fitted.growth_log_.n_growth_events + len(log)
    fitted.tree_.validate(X)
    none = cls(pruning="none").fit(X, y)
    np.testing.assert_array_equal(none.tree_.key, fitted.grown_tree_.key)


@pytest.mark.parametrize("key", BY_TREE)
def test_rows_in_parts_and_weights_are_pruned_too(key):
    X, y = data()
    X[np.random.default_rng(1).random(X.shape) < 0.1] = np.nan
    weight = np.random.default_rng(2).integers(0, 3, len(y))
    for cls in (CARTClassifier, C45Classifier):
        fitted = cls(pruning=key, confidence=0.01, m_estimate=30.0).fit(X, y, sample_weight=weight)
        fitted.tree_.validate()
        assert fitted.predict(X).shape == y.shape
        assert fitted.tree_.n_leaves < fitted.grown_tree_.n_leaves


def test_categories_are_pruned_too():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {"c": pd.Categorical(rng.choice(list("abcd"), 200)), "x": rng.normal(size=200)}
    )
    y = (X["x"] > 0).to_numpy() ^ (rng.random(200) < 0.2)
    for cls in (CARTClassifier, C45Classifier):
        fitted = cls(pruning="mdl").fit(X, y)
        fitted.tree_.validate()
        assert fitted.tree_.n_leaves < fitted.grown_tree_.n_leaves


def test_the_price_is_not_sought_where_another_pruner_cuts():
    X, y = data()
    fitted = CARTClassifier(pruning="pessimistic", ccp_cv=5).fit(X, y)
    assert not hasattr(fitted, "cross_validation_")
    assert not hasattr(fitted, "cost_complexity_path_")


@pytest.mark.parametrize("key", BY_TREE)
def test_a_node_that_is_kept_by_hand_outlives_the_pruner(key):
    X, y = data()
    estimator = CARTClassifier(pruning=key, confidence=0.01, m_estimate=30.0, entropy_alpha=9.0)
    estimator.fit(X, y)
    gone = int(estimator.growth_log_.node[-1])
    path = tuple(
        estimator.grown_tree_.children(above).index(node)
        for above, node in zip(
            estimator.grown_tree_.path(gone)[:-1], estimator.grown_tree_.path(gone)[1:], strict=True
        )
    )
    changed = what_if(estimator, X, y, (Kept(path),))
    assert gone in changed.tree_.grown_node
    assert gone not in estimator.tree_.grown_node
