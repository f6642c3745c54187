import numpy as np
import pytest
from sklearn.metrics import accuracy_score, confusion_matrix

from lastviz import C45Classifier
from lastviz.inspection import (
    baseline,
    feature_gains,
    last_reason,
    scores,
    share_interval,
    split_search,
)
from lastviz.splitters import presort
from lastviz.tree import Reason
from tests.conftest import waveform


def test_scores_equal_scikit_learns():
    rng = np.random.default_rng(0)
    y, predicted = rng.integers(0, 4, 200), rng.integers(0, 4, 200)
    found = scores(y, predicted, 5)
    np.testing.assert_array_equal(found.confusion, confusion_matrix(y, predicted, labels=range(5)))
    assert found.accuracy == accuracy_score(y, predicted)
    by_class = found.accuracy_by_class
    assert by_class[2] == np.mean(predicted[y == 2] == 2)
    assert np.isnan(by_class[4])


def test_no_rows_have_no_accuracy():
    none = scores(np.zeros(0, dtype=int), np.zeros(0, dtype=int), 2)
    assert not none
    assert np.isnan(none.accuracy)


@pytest.mark.parametrize(("n_right", "n"), [(0, 7), (7, 7), (43, 54), (1, 2)])
def test_an_interval_is_where_the_score_test_does_not_reject(n_right, n):
    z = 1.959963984540054
    for bound in share_interval(n_right, n):
        off = abs(n_right / n - bound) - z * (bound * (1 - bound) / n) ** 0.5
        assert abs(off) < 1e-9
    low, high = share_interval(n_right, n)
    assert 0 <= low <= n_right / n <= high <= 1
    assert share_interval(n_right, n, 0.5)[1] <= high


def test_the_baseline_predicts_the_majority_class_of_the_training_rows():
    rng = np.random.default_rng(3)
    for _ in range(20):
        y, new = rng.integers(0, 3, 30), rng.integers(0, 4, 50)
        counts = [int((y == k).sum()) for k in range(4)]
        always = np.full(50, counts.index(max(counts)))
        training, part = scores(y, rng.integers(0, 4, 30), 4), scores(new, new[::-1], 4)
        found = baseline(training, part)
        np.testing.assert_array_equal(found.confusion, scores(new, always, 4).confusion)


def test_the_interval_of_an_accuracy():
    found = scores(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]), 2)
    assert found.accuracy_interval() == share_interval(3, 4)
    assert np.isnan(share_interval(0, 0)).all()


def test_telling_features_are_those_of_the_best_root():
    X, y = waveform(400, seed=0)
    X[:, 3] = 1.0
    gains = feature_gains(presort(X), y, 3)
    assert gains[3] == 0.0
    assert gains.argmax() in range(4, 18)
    assert (gains >= 0).all()


def test_the_last_reason_of_a_node_is_what_made_it():
    X, y = waveform(1500, seed=2)
    fitted = C45Classifier(mdl_correction=False, confidence=0.1).fit(X, y)
    reasons = [last_reason(fitted, node) for node in range(fitted.tree_.n_nodes)]
    kinds = {Reason.BEST_SPLIT, Reason.BRANCH_ESTIMATE}
    for node, reason in enumerate(reasons):
        assert (reason in kinds) == (not fitted.tree_.is_leaf(node))
    assert {Reason.LEAF_ESTIMATE, Reason.PURE} < set(reasons)
    assert all(reason.sentence.endswith(".") for reason in Reason)


def test_a_search_knows_how_many_survived_each_stage():
    X, y = waveform(300, seed=0)
    fitted = C45Classifier().fit(X, y)
    search = split_search(fitted, X, y, 0)
    sizes = [len(kept) for kept in search.survivors]
    assert sizes[0] == 21
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1
    assert search.survivors[-1][0] == search.winner


@pytest.mark.parametrize("depth", [0, 1, 3, None])
def test_cutting_a_tree_at_a_depth(depth):
    X, y = waveform(300, seed=0)
    tree = C45Classifier().fit(X, y).tree_
    stands = tree.at_depth(depth)
    for node in range(tree.n_nodes):
        path = tree.path(node)
        assert stands[node] == (node if depth is None else path[: depth + 1][-1])
