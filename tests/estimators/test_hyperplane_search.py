"""OC1 and CART-LC: their level, rows held out, bad input, long searches."""

import numpy as np
import pytest

from lastviz import CARTClassifier, CARTLCClassifier, OC1Classifier
from lastviz.builders import GrowthEvent, SearchProgress
from lastviz.datasets import load_dataset
from lastviz.inspection import finds_stored_split, split_search
from lastviz.splitters.oblique import oblique_search
from lastviz.tree import Kind
from tests.conftest import waveform

FAST = [OC1Classifier(n_restarts=2), CARTLCClassifier()]


def named(estimator):
    return type(estimator).__name__


def check(estimator, X, y):
    """Fit; every invariant and the replay of every node must hold."""
    estimator.fit(X, y)
    grown = estimator.grown_tree_
    grown.validate(X)
    estimator.tree_.validate(X)
    inner = np.flatnonzero(grown.n_children > 0)
    assert all(finds_stored_split(estimator, X, y, node) for node in inner)
    return estimator


@pytest.mark.parametrize("estimator", FAST, ids=named)
def test_oblique_borders_need_few_nodes(estimator):
    train = load_dataset("twonorm", n_samples=1000, random_state=0)
    test = load_dataset("twonorm", n_samples=4000, random_state=1)
    fitted = estimator.fit(train.X, train.codes)
    cart = CARTClassifier(min_samples_leaf=5).fit(train.X, train.codes)
    errors = [np.mean(e.predict(test.X) != test.codes) for e in (fitted, cart)]
    assert errors[0] < 0.06 < 0.12 < errors[1]
    assert fitted.tree_.n_nodes < 12
    assert Kind.OBLIQUE in fitted.tree_.kind


@pytest.mark.parametrize("estimator", FAST, ids=named)
def test_rows_held_out_do_not_grow_the_tree(estimator):
    X, y = waveform(400, seed=0)
    fitted = check(estimator, X, y)
    held_out = fitted.held_out(y)
    assert fitted.n_held_out_ == held_out.sum()
    assert abs(fitted.n_held_out_ - 40) <= 1
    np.testing.assert_allclose(np.bincount(y[held_out]), np.bincount(y) / 10, atol=1.0)
    np.testing.assert_array_equal(np.sort(fitted.grown_tree_.samples), np.flatnonzero(~held_out))
    path, errors = fitted.cost_complexity_path_, fitted.held_out_errors_
    step = int(np.flatnonzero(path.n_leaves == fitted.tree_.n_leaves)[0])
    assert errors[step] == errors.min()
    assert (errors[step + 1 :] > errors.min()).all()
    assert errors[step] == np.count_nonzero(fitted.predict(X[held_out]) != y[held_out])


@pytest.mark.parametrize("estimator", FAST, ids=named)
def test_without_rows_held_out_nothing_is_pruned(estimator):
    X, y = waveform(150, seed=1)
    estimator = type(estimator)(**{**estimator.get_params(), "pruning_fraction": 0.0})
    fitted = check(estimator, X, y)
    assert fitted.tree_ is fitted.grown_tree_
    assert fitted.held_out_errors_ is None
    np.testing.assert_array_equal(fitted.predict(X), y)


@pytest.mark.parametrize("cls", [OC1Classifier, CARTLCClassifier])
def test_a_class_of_one_row_is_never_held_out_entirely(cls):
    y = waveform(60, seed=2)[1]
    y[17] = 3
    for seed in range(10):
        assert not cls(pruning_fraction=0.5, random_state=seed).held_out(y)[17]


def test_the_seed_decides_and_nothing_else():
    X, y = waveform(200, seed=3)
    predicted = [
        OC1Classifier(n_restarts=2, random_state=s).fit(X, y).predict(X) for s in (0, 0, 1)
    ]
    np.testing.assert_array_equal(predicted[0], predicted[1])
    assert not np.array_equal(predicted[0], predicted[2])


@pytest.mark.parametrize("min_samples_leaf", [1, 7])
@pytest.mark.parametrize("cls", [OC1Classifier, CARTLCClassifier])
def test_small_branches_are_refused(cls, min_samples_leaf):
    X, y = waveform(200, seed=6)
    tree = cls(min_samples_leaf=min_samples_leaf).fit(X, y).grown_tree_
    assert tree.n_node_samples.min() >= min_samples_leaf


X, Y = waveform(80, seed=7)
RNG = np.random.default_rng(0)
BAD = {
    "more features than samples": (RNG.normal(size=(20, 60)), np.arange(20) % 3),
    "constant": (np.full((30, 4), 1.5), np.arange(30) % 2),
    "duplicated columns": (np.hstack([X[:, 5:9], X[:, 5:9]]), Y),
    "duplicated rows": (np.repeat(np.round(X[:20, 5:9]), 4, axis=0), np.repeat(Y[:20], 4)),
    "one feature": (X[:, [7]], Y),
    "discrete": (RNG.integers(0, 3, (120, 3)).astype(float), RNG.integers(0, 3, 120)),
    "far from the origin": (1e9 + X, Y),
    "tiny": (1e-300 * X, Y),
    "huge": (1e300 * X, Y),
    "uneven": (np.hstack([1e-12 * X[:, 5:9], 1e12 * X[:, 9:12]]), Y),
}


@pytest.mark.parametrize("estimator", FAST, ids=named)
@pytest.mark.parametrize("name", BAD)
def test_bad_input_gives_a_valid_tree(estimator, name):
    X, y = BAD[name]
    fitted = check(estimator, X, y)
    grown = fitted.grown_tree_
    assert (grown.n_nodes == 1) == (name == "constant")
    if name == "one feature":
        assert Kind.OBLIQUE not in grown.kind
    if name in ("far from the origin", "tiny", "huge"):
        assert np.mean(grown.classes[grown.predict(X)] == y) > 0.9


@pytest.mark.parametrize(("params", "message"), [
    ({"n_restarts": 0}, "n_restarts must be an integer >= 1 and <= 10000, got 0"),
    ({"pruning_fraction": 0.6}, "pruning_fraction must be a finite number >= 0 and <= 0.5"),
    ({"criterion": "chi2"}, "criterion must be one of 'gini', 'gain', 'twoing'"),
])  # fmt: skip
def test_illegal_parameters_are_named(params, message):
    X, y = waveform(60, seed=9)
    with pytest.raises(ValueError, match=message):
        OC1Classifier(**params).fit(X, y)


def test_a_long_search_of_one_node_shows_signs_of_life(monkeypatch):
    monkeypatch.setattr(oblique_search, "_BUDGET", 20_000)
    X, y = waveform(300, seed=10)
    estimator = OC1Classifier(n_restarts=3)
    growth = estimator.grow(X, y)
    shown = list(growth)
    progress = [e for e in shown if isinstance(e, SearchProgress)]
    events = [e for e in shown if isinstance(e, GrowthEvent)]
    assert isinstance(shown[0], SearchProgress)
    assert {p.node for p in progress} <= {e.node for e in events}
    assert all(0.0 <= p.share <= 1.0 for p in progress)
    assert [e.node for e in events] == estimator.growth_log_.node[: len(events)].tolist()
    again = OC1Classifier(n_restarts=3).fit(X, y)
    np.testing.assert_array_equal(again.tree_.oblique.weights, estimator.tree_.oblique.weights)


def test_a_big_node_can_be_left_early():
    X, y = waveform(20_000, seed=11)
    OC1Classifier(n_restarts=1).fit(X[:100], y[:100])
    growth = OC1Classifier(n_restarts=50).grow(X, y)
    for _ in range(4):
        step = next(growth)
        assert isinstance(step, SearchProgress)
        assert step.node == 0
    growth.close()
    assert step.share < 0.1


def test_the_search_of_a_node_can_be_played():
    X, y = waveform(200, seed=12)
    for estimator in FAST:
        fitted = estimator.fit(X, y)
        search = split_search(fitted, X, y, 0)
        assert search.n_moves > 1
        assert search.weights.shape == (search.n_moves, 21)
        assert search.score[search.winner] == pytest.approx(fitted.grown_tree_.score[0], abs=1e-9)
