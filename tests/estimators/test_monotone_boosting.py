"""Monotone boosting: its definition, its promise, and what it is worth beside the others."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from benchmarks.monotone_boosting import cross_validated, n_falls, ordinal_sets
from lastviz import MonotoneBoostingClassifier, what_if
from lastviz.inspection import monotonicity_audit
from lastviz.splitters import Split
from lastviz.splitters.edits import ForcedSplit
from tests.naive_boosting import boosted

# The mean distance of classes of LightGBM's boosting of each border: benchmarks/README.md.
LIGHTGBM = {
    "ERA": 1.2660, "ESL": 0.3199, "autompg": 0.2091, "balance-scale": 0.1441, "breast-w": 0.0381,
    "car": 0.0341, "pima": 0.2617, "Set1": 0.0270, "Set2": 0.0490, "Set3": 0.0710, "Set4": 0.0860,
}  # fmt: skip


def sets(names):
    """Return sets to run a test on: the last, which takes longest, always, all in .ci/run."""
    *others, last = sorted(names)
    return [last, *(pytest.param(name, marks=pytest.mark.ci) for name in others)]


def drawn(seed, n=60, m=3, n_classes=4):
    """Graded features of all three directions, noisy classes, ties."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 7, (n, m)).astype(float)
    y = np.digitize(X[:, 0] - X[:, 1] + rng.normal(0, 1.5, n), np.linspace(-3, 3, n_classes - 1))
    return X, np.unique(y, return_inverse=True)[1], np.array([1, -1, 0][:m])


@pytest.mark.parametrize("seed", range(12))
def test_scores_are_those_of_the_definition(seed):
    X, y, directions = drawn(seed, n_classes=2 + seed % 4)
    model = MonotoneBoostingClassifier(
        max_iter=4, max_depth=3, learning_rate=0.3, subsample=1.0, min_samples_leaf=2,
        l2_regularization=0.5, monotonic_cst=directions,
    ).fit(X, y)  # fmt: skip
    expected = boosted(
        X.tolist(), y.tolist(), y.max() + 1, directions.tolist(),
        rounds=4, rate=0.3, depth=3, penalty=0.5, min_rows=2,
    )  # fmt: skip
    assert_allclose(model.scores(X), expected, rtol=0, atol=1e-9)
    assert_array_equal(model.predict(X), (np.array(expected) > 0).sum(axis=1))


@pytest.mark.ci
@pytest.mark.parametrize("name", sets(ordinal_sets()))
def test_it_is_proved_to_be_monotone_and_a_million_pairs_agree(name):
    X, y, directions = ordinal_sets()[name]
    model = MonotoneBoostingClassifier(max_iter=40, monotonic_cst=directions).fit(X, y)
    audit = monotonicity_audit(model)
    assert (audit.method, audit.proven, audit.n_violating) == ("scores", True, 0)
    assert audit.n_compared > 1000
    assert n_falls(model, X, directions) == 0


def test_without_directions_pairs_fall():
    X, y, directions = drawn(0, n=300)
    free = MonotoneBoostingClassifier(monotonic_cst=[0, 0, 0]).fit(X, y)
    assert monotonicity_audit(free).proven  # nothing is promised
    assert monotonicity_audit(free, directions=directions).refuted
    assert n_falls(free, X, directions, 100_000) > 1000


def test_a_sum_of_trees_that_fall_is_not_called_proven():
    X, y, _ = drawn(3)
    model = MonotoneBoostingClassifier(max_iter=5, monotonic_cst=[0, 0, 0]).fit(X, y)
    audit = monotonicity_audit(model, directions=[1, 1, 1])
    assert (audit.method, audit.refuted) == ("grid", True)
    example = audit.counter_example
    below, above = model.predict([example.below, example.above])
    assert below > above


def test_votes_are_probabilities_whose_median_decides():
    X, y, directions = drawn(1, n=300, n_classes=5)
    model = MonotoneBoostingClassifier(max_iter=30, monotonic_cst=directions).fit(X, y)
    places = np.random.default_rng(0).uniform(-1, 8, (500, 3))
    votes = model.votes(places)
    assert (votes.votes >= 0).all()
    assert_allclose(votes.votes.sum(axis=1), 1.0)
    assert_array_equal(votes.decision, model.predict(places))
    half = np.cumsum(votes.votes, axis=1)
    assert (np.abs(half - 0.5) > 1e-12).all()
    assert_array_equal((half < 0.5).sum(axis=1), votes.decision)


def test_the_errors_of_the_rounds_are_those_of_the_sums():
    X, y, directions = drawn(2, n=200)
    model = MonotoneBoostingClassifier(max_iter=8, monotonic_cst=directions).fit(X, y)
    for rounds in (1, 5, 8):
        part = MonotoneBoostingClassifier(max_iter=rounds, monotonic_cst=directions).fit(X, y)
        assert model.draws_[rounds - 1].error == np.mean(part.predict(X) != y)
    assert all(len(draw.rows) == 160 for draw in model.draws_)


def test_a_split_by_hand_keeps_the_promise():
    X, y, directions = drawn(4, n=200)
    model = MonotoneBoostingClassifier(max_iter=6, learning_rate=0.1, monotonic_cst=directions).fit(
        X, y
    )
    edit = ForcedSplit((), Split(2, 2.5, np.nan))
    changed = what_if(model, X, y, [edit], tree=2)
    assert [each.estimators_[2].tree_.feature[0] for each in (model, changed)] == [1, 2]
    assert monotonicity_audit(changed).proven
    assert (changed.scores(X) != model.scores(X)).any()


def test_one_class_many_values_and_constant_features_are_learnt():
    rng = np.random.default_rng(0)
    X = np.c_[rng.random(2000), np.ones(2000)]
    model = MonotoneBoostingClassifier(max_iter=20).fit(X, X[:, 0] > 0.35)
    assert max(tree.tree_.feature.max() for tree in model.estimators_) == 0
    assert model.score(X, X[:, 0] > 0.35) > 0.99
    assert set(MonotoneBoostingClassifier().fit(X, np.full(2000, 7)).predict(X)) == {7}


def test_classes_that_no_row_has_may_lie_between():
    X, y, directions = drawn(5, n=150, n_classes=3)
    model = MonotoneBoostingClassifier(max_iter=20, monotonic_cst=directions).fit(X, 2 * y)
    assert set(model.predict(X)) <= {0, 2, 4}


@pytest.mark.ci
@pytest.mark.parametrize("name", sets(LIGHTGBM.keys() & ordinal_sets()))
def test_it_errs_at_most_a_twentieth_more_than_lightgbm(name):
    assert cross_validated(MonotoneBoostingClassifier, *ordinal_sets()[name])[0] <= (
        1.05 * LIGHTGBM[name]
    )
