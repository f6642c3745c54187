"""Hybrid trees: the chosen splits, the node rule, exclusive or, odd data."""

import numpy as np
import pytest

from lastviz import CARTClassifier, HybridTreeClassifier
from lastviz.criteria import exact_penalty
from lastviz.datasets import load_dataset
from lastviz.inspection import split_search
from lastviz.splitters.hybrid.hybrid import HYBRID_CRITERIA
from lastviz.tree import Reason
from tests import naive, naive_hybrid
from tests.conftest import waveform
from tests.replay import replayed


def reasons(estimator):
    return {Reason(int(r)) for r in estimator.growth_log_.reason}


@pytest.mark.kernel
@pytest.mark.parametrize("criterion", sorted(set(HYBRID_CRITERIA) - {"gain_ratio"}))
@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.ci) for n in (1, 2))])
def test_the_root_is_split_as_the_slow_twin_chooses(make_data, criterion, seed):
    X, y = make_data(seed, n=30, m=3, n_classes=2 + seed)
    y = np.unique(y, return_inverse=True)[1]
    rows = naive_hybrid.table(X, y, int(y.max()) + 1)
    chosen = naive_hybrid.choose(rows, criterion, w2=0.05, k=4)
    fitted = HybridTreeClassifier(
        criterion=criterion, w2=0.05, k=4, max_depth=1, min_samples_leaf=1
    ).fit(X, y)
    tree = fitted.tree_
    assert (tree.feature[0], tree.threshold[0]) == (chosen["feature"], chosen["threshold"])


@pytest.mark.kernel
@pytest.mark.parametrize("options", [
    {"penalty": "exact"}, {"penalty": "none"}, {"bnm_root": True}, {"ecoc": "exhaustive"},
    {"ecoc": "one_vs_one"}, {"criterion": "segment", "segments": "minimum"},
    {"criterion": "spes", "segments": "minimum", "alpha": 0.2}, {"min_leaf_rule": "candidate"},
    {"min_samples_leaf": 1}, {"criterion": "spce", "min_leaf_rule": "candidate"},
    {"criterion": "gain_ratio", "min_leaf_rule": "candidate", "min_samples_leaf": 5},
], ids=str)  # fmt: skip
def test_replay_is_bit_equal_with_every_option(options):
    X, y = waveform(120, seed=3)
    X = np.c_[X[:, :5], np.round(X[:, 5:7]), np.ones(len(X))]
    replayed(HybridTreeClassifier(**({"w2": 0.05, "k": 6} | options)).fit(X, y), X, y)


@pytest.mark.parametrize("criterion", HYBRID_CRITERIA)
def test_replay_is_bit_equal_with_every_criterion(criterion):
    X, y = waveform(150, seed=4)
    model = HybridTreeClassifier(criterion=criterion, min_samples_leaf=1, k=5)
    fitted = replayed(model.fit(X, y), X, y)
    assert fitted.tree_.n_leaves > 3


def test_replay_is_bit_equal_with_fewer_rows_than_features():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 40)), rng.integers(0, 3, 60)
    replayed(HybridTreeClassifier(w2=0.01, k=5, min_samples_leaf=1).fit(X, y), X, y)


def test_gini_without_the_node_rule_is_cart():
    X, y = waveform(400, seed=1)
    ours = HybridTreeClassifier(
        criterion="gini", min_leaf_rule="candidate", min_samples_leaf=3, min_samples_split=6
    ).fit(X, y)
    cart = CARTClassifier(min_samples_leaf=3).fit(X, y)
    np.testing.assert_array_equal(ours.tree_.feature, cart.tree_.feature)
    np.testing.assert_array_equal(ours.predict(X), cart.predict(X))
    np.testing.assert_allclose(ours.tree_.score, cart.tree_.score, rtol=1e-12)


def test_a_winner_with_a_small_child_makes_the_node_a_leaf():
    X = np.arange(10.0)[:, None]
    y = np.r_[1, np.zeros(9, dtype=int)]
    stopped = HybridTreeClassifier(criterion="gini").fit(X, y)
    assert stopped.tree_.n_nodes == 1
    assert reasons(stopped) == {Reason.CHILD_TOO_SMALL}
    assert "too few rows" in Reason.CHILD_TOO_SMALL.sentence
    filtered = HybridTreeClassifier(criterion="gini", min_leaf_rule="candidate").fit(X, y)
    assert filtered.tree_.n_node_samples.min() >= 2
    assert filtered.tree_.n_leaves == 2


def test_thresholds_are_attribute_values():
    X, y = waveform(200, seed=2)
    tree = HybridTreeClassifier().fit(X, y).tree_
    for node in np.flatnonzero(tree.n_children > 0):
        rows, _ = tree.node_samples(node)
        assert tree.threshold[node] in X[rows, tree.feature[node]]


def exclusive_or(seed, criterion, grid):
    """Whether any pair of parameters finds the tree of 4 leaves and depth 2."""
    data = load_dataset("xor", n_samples=200, noise=0.05, random_state=seed)
    X, y = data.X.to_numpy(), data.codes
    for w2, k in grid:
        tree = HybridTreeClassifier(criterion=criterion, w2=w2, k=k).fit(X, y).tree_
        right = np.mean(tree.predict(X) == y)
        if (tree.n_leaves, tree.max_depth) == (4, 2) and right >= 0.95:
            return True
    return False


def test_exclusive_or_is_solved_with_four_leaves_by_both_and_never_by_gini():
    grid = [(w2, k) for w2 in (0.1, 0.05) for k in (30, 20, 10)]
    assert sum(exclusive_or(seed, "bnm+csn", grid) for seed in range(6)) >= 5
    assert not any(exclusive_or(seed, "gini", grid[:1]) for seed in range(6))


# Odd data


@pytest.mark.parametrize("criterion", HYBRID_CRITERIA)
def test_odd_data_give_a_tree(criterion):
    rng = np.random.default_rng(0)
    X = np.c_[rng.normal(size=12), np.ones(12)]
    few = HybridTreeClassifier(criterion=criterion, k=1000, min_samples_leaf=1)
    lonely = np.r_[np.zeros(11, dtype=int), 1]
    assert replayed(few.fit(X, lonely), X, lonely).tree_.n_leaves > 1
    X, y = np.ones((12, 2)), rng.integers(0, 2, 12)
    constant = replayed(few.fit(X, y), X, y)
    assert reasons(constant) == {Reason.NO_CANDIDATE}
    many = rng.permutation(np.repeat(np.arange(80), 3))
    X = rng.normal(size=(240, 2))
    assert replayed(few.fit(X, many), X, many).tree_.n_leaves > 1


def test_more_candidates_than_there_are_is_all_of_them():
    X, y = np.arange(8.0)[:, None], np.array([0, 0, 1, 1, 0, 0, 1, 1])
    fitted = HybridTreeClassifier(k=1000, min_samples_leaf=1).fit(X, y)
    search = split_search(fitted, X, y, 0)
    assert [len(s) for s in search.survivors] == [7, 1]


def test_no_weight_of_bnm_is_csn():
    X, y = waveform(200, seed=0)
    without = HybridTreeClassifier(criterion="bnm+csn", w2=0.0, k=5).fit(X, y).tree_
    csn = HybridTreeClassifier(criterion="csn", k=5).fit(X, y).tree_
    np.testing.assert_array_equal(without.feature, csn.feature)
    np.testing.assert_array_equal(without.threshold, csn.threshold)


def test_too_many_classes_for_all_dichotomies_are_refused():
    X, y = np.arange(24.0)[:, None], np.repeat(np.arange(12), 2)
    with pytest.raises(ValueError, match="at most 10 classes, got 12; use 'one_vs_rest'"):
        HybridTreeClassifier(ecoc="exhaustive").fit(X, y)


def test_quinlans_rule_is_c45_without_the_price_of_a_threshold():
    rng = np.random.default_rng(7)
    X, y = rng.normal(size=(40, 3)), rng.integers(0, 3, 40)
    fitted = HybridTreeClassifier(criterion="gain_ratio", min_samples_leaf=1, max_depth=1).fit(X, y)
    scored = [
        (naive.gain(left, right, naive.entropy), (f, t, left, right))
        for f, t, left, right in naive.candidates(X, y, 3)
    ]
    best = [b for b in naive.best_of_each_feature(scored) if b[0] > naive.TIE]
    mean = sum(g for g, _ in best) / len(best)
    ratios = [(g / naive.entropy([i[2].sum(), i[3].sum()]), i) for g, i in best if g >= mean - 1e-3]
    score, (feature, middle, _, _) = naive.first_of_the_best(ratios)
    tree = fitted.tree_
    assert tree.feature[0] == feature
    assert tree.threshold[0] == X[X[:, feature] <= middle, feature].max()
    assert tree.score[0] == pytest.approx(score, abs=1e-12)


def test_quinlans_rule_admits_what_falls_short_of_the_mean_by_a_thousandth_of_a_bit():
    short = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(150, 2))
        y = rng.integers(0, 2, 150)
        fitted = HybridTreeClassifier(criterion="gain_ratio").fit(X, y)
        for node in np.flatnonzero(fitted.grown_tree_.n_children > 0).tolist():
            search = split_search(fitted, X, y, node)
            gain, best = search.columns["gain"], search.survivors[1]
            admitted = search.survivors[2]
            mean = gain[best].mean()
            assert set(admitted) == {i for i in best.tolist() if gain[i] >= mean - 0.001}
            short += int((gain[admitted] < mean).any() and len(best) > 1)
    assert short > 0, "some node should need the slack"
    assert "less 0.001 bits" in HybridTreeClassifier.__doc__


def test_the_exact_penalty_is_the_distance_as_its_notes_say():
    """Two rows of other classes at a distance of 2: the mean over both classes is 2, not 4."""
    Z, y = np.array([[0.0, 0.0], [2.0, 0.0], [9.0, 9.0]]), np.array([0, 1, 1])
    left = np.array([True, True, False])
    assert exact_penalty(Z, y, left) == 2.0
    assert "eq (6) as printed" in HybridTreeClassifier.__doc__
