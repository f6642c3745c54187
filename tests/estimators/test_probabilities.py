"""Class probabilities of every classifier: distributions, and what each is made of."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit

from lastviz import (
    AdaBoostM1Classifier,
    MCDFClassifier,
    MonotoneBoostingClassifier,
    REMTClassifier,
    SVMTreeClassifier,
)
from lastviz.estimators import ESTIMATORS
from tests.conftest import waveform

X, Y = np.round(waveform(160, seed=4)[0][:, 5:9]), waveform(160, seed=4)[1]
OTHERS = np.random.default_rng(0).normal(0.0, 4.0, (300, 4))
MODELS = {key: entry.cls() for key, entry in ESTIMATORS.items()}
MODELS |= {
    "remt, monotone": REMTClassifier(monotone=True),
    "remt, majority": REMTClassifier(leaf="majority", max_depth=2),
    "remt, shallow": REMTClassifier(max_depth=2),
    "mcdf, monotone": MCDFClassifier(monotone=True),
}


@pytest.mark.parametrize("key", MODELS)
def test_shares_sum_to_one_and_the_largest_is_predicted(key):
    fitted = MODELS[key].fit(X, Y)
    rows = X if fitted.TAGS.max_values else np.vstack([X, OTHERS])
    shares = fitted.predict_proba(rows)
    assert shares.shape == (len(rows), 3)
    assert (shares >= 0.0).all()
    assert_allclose(shares.sum(axis=1), 1.0)
    assert_array_equal(fitted.classes_[shares.argmax(axis=1)], fitted.predict(rows))
    with np.errstate(divide="ignore"):
        assert_array_equal(fitted.predict_log_proba(rows), np.log(shares))


def test_votes_count_by_the_weights_of_their_trees():
    for fitted in (AdaBoostM1Classifier(n_estimators=7).fit(X, Y), MCDFClassifier().fit(X, Y)):
        votes = np.zeros((len(X), 3))
        for tree, weight in zip(fitted.estimators_, fitted.tree_weights_, strict=True):
            votes[np.arange(len(X)), tree.tree_.predict(X)] += weight
        expected = votes / votes.sum(axis=1, keepdims=True)
        alone = expected.argmax(axis=1) == fitted.predict(X)
        assert alone.mean() > 0.9
        assert_allclose(fitted.predict_proba(X)[alone], expected[alone])


def test_boosted_scores_are_the_probabilities_of_lying_above_borders():
    fitted = MonotoneBoostingClassifier(max_iter=10).fit(X, Y)
    above = -np.sort(-expit(fitted.scores(X)), axis=1)
    expected = np.column_stack([1.0 - above[:, 0], above[:, 0] - above[:, 1], above[:, 1]])
    alone = expected.argmax(axis=1) == fitted.predict(X)
    assert alone.mean() > 0.5
    assert_allclose(fitted.predict_proba(X)[alone], expected[alone])


def test_a_leaf_says_the_shares_of_its_rows_and_certainty_joins_where_its_class_is_another():
    fitted = REMTClassifier(max_depth=1, min_samples_leaf=5).fit(
        np.repeat([[0.0], [1.0]], 5, axis=0), [0, 0, 1, 2, 2, 2, 2, 2, 2, 2]
    )
    assert fitted.predict([[0.0]]) == [1]  # the median of 0, 0, 1, 2, 2
    assert_allclose(fitted.predict_proba([[0.0]]), np.array([[0.4, 0.4, 0.4]]) / 1.2)
    assert_allclose(fitted.predict_proba([[1.0]]), [[0.0, 0.0, 1.0]])
    machines = SVMTreeClassifier().fit(X, Y)
    right = machines.predict(X) == machines.tree_.class_shares(X).argmax(axis=1)
    assert_array_equal(machines.predict_proba(X)[right], machines.tree_.class_shares(X)[right])
