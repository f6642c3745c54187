"""The tree of fewest training errors: equal to trying all trees, bounds, limits, edits."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from lastviz import CARTClassifier, OptimalTreeClassifier
from lastviz.datasets import load_dataset
from lastviz.inspection import finds_stored_split, split_search
from lastviz.splitters import Split, presort, result_of
from lastviz.splitters.edits import ForcedSplit, Without
from lastviz.splitters.optimal.exact_search import ExactSearch
from tests.naive_optimal import cost_below_roots, least_cost

# (set, parameters) -> fewest training errors at depths 2, 3 and 4, proved by another program.
FEWEST = {
    ("xor", ()): (4, 2, 0),
    ("moons", ()): (30, 13, 5),
    ("iris", ()): (6, 1, 0),
    ("wine", ()): (6, 0, 0),
    ("three_spirals", ()): (399, 356, 288),
    ("gauss_2d", (("n_samples", 1000),)): (315, 277, None),
    ("breast_cancer", ()): (22, None, None),
}


def random_problem(seed):
    """Few rows with ties and repeated rows, of two to four classes."""
    rng = np.random.default_rng(seed)
    depth = int(rng.integers(1, 5))
    n = int(rng.integers(5, {1: 31, 2: 31, 3: 19, 4: 15}[depth]))
    m, n_classes = int(rng.integers(1, 4 if depth < 3 else 3)), int(rng.integers(2, 5))
    X = rng.integers(0, rng.choice([3, 6, 50]), size=(n, m)).astype(float)
    y = np.unique(rng.integers(0, n_classes, n), return_inverse=True)[1]
    return X, y, depth, int(rng.integers(0, 3))


@pytest.mark.kernel
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("block", range(20))
def test_no_tree_costs_less(block, weighted):
    for seed in range(10 * block, 10 * block + 10):
        X, y, depth, price = random_problem(seed)
        weight = np.ones(len(y), dtype=int)
        if weighted:
            weight = np.random.default_rng(seed).integers(0, 5, len(y))
        kept = weight > 0
        if not kept.any():
            continue
        cost, n_splits = least_cost(X[kept], y[kept], depth, price, weight[kept])
        model = OptimalTreeClassifier(max_depth=depth, alpha=price / weight.sum())
        tree = clone(model).fit(X, y, sample_weight=weight if weighted else None)
        splits = tree.tree_.n_leaves - 1
        assert tree.n_errors_ + price * splits == cost == tree.lower_bound_, seed
        assert weight[tree.predict(X) != y].sum() == tree.n_errors_
        assert tree.is_optimal_
        if depth < 4:
            assert splits == n_splits, seed
        if weighted:
            repeated = model.fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
            assert (repeated.predict(X) == tree.predict(X)).all(), seed


@pytest.mark.parametrize(
    ("weight", "words"),
    [
        ([1, 0.5, 1, 1], "row 1 has 0.5; multiply and round them"),
        ([1, 1, 1, 1e9], "whole numbers up to 268435455"),
        ([0, 0, 0, 0], "at least one non-zero"),
        ([1, 1, -1, 1], "Negative values"),
    ],
)
def test_weights_that_are_no_counts_are_refused(weight, words):
    with pytest.raises(ValueError, match=words):
        OptimalTreeClassifier().fit([[0], [1], [2], [3]], [0, 1, 0, 1], sample_weight=weight)


@pytest.mark.kernel
@pytest.mark.parametrize("seed", range(30))
def test_a_cost_under_a_limit_is_exact_and_one_above_it_is_a_bound(seed):
    X, y, depth, price = random_problem(seed)
    least = least_cost(X, y, depth, price)[0]
    for limit in range(0, least + 4):
        search = ExactSearch(presort(X), y, int(y.max()) + 1, depth, price, fewest_leaves=False)
        found = result_of(search.solve(search.words, depth, limit=limit))
        assert found.cost == least if least < limit else limit <= found.cost <= max(least, limit)


@pytest.mark.parametrize(("name", "params"), FEWEST)
def test_the_fewest_errors_of_known_sets(name, params):
    dataset = load_dataset(name, **dict(params))
    X, y = dataset.numeric_X, dataset.codes
    for depth, fewest in zip((2, 3, 4), FEWEST[name, params], strict=True):
        if fewest is None:
            continue
        tree = OptimalTreeClassifier(max_depth=depth).fit(X, y)
        assert (tree.n_errors_, tree.lower_bound_) == (fewest, fewest)
        greedy = CARTClassifier(max_depth=depth).fit(X, y)
        assert fewest <= (greedy.predict(X) != y).sum()


@pytest.mark.parametrize("seed", range(5))
def test_the_errors_of_opened_roots_are_those_of_the_best_trees_below(seed):
    X, y, _, _ = random_problem(seed)
    tree = OptimalTreeClassifier(max_depth=2).fit(X, y)
    search = split_search(tree, X, y, 0)
    below = cost_below_roots(X, y, 2)
    for feature, threshold, errors in zip(
        search.feature, search.threshold, search.errors, strict=True
    ):
        value = X[X[:, feature] <= threshold, feature].max()
        assert errors == below[feature, value]
    assert search.lower == tree.n_errors_ == min([*below.values(), len(y) - np.bincount(y).max()])


def test_a_price_per_leaf_gives_smaller_trees():
    dataset = load_dataset("xor")
    X, y = dataset.numeric_X, dataset.codes
    tree = OptimalTreeClassifier(alpha=0.005).fit(X, y)
    assert (tree.n_errors_, tree.tree_.n_leaves) == (4, 4)
    assert tree.lower_bound_ == 4 + 3 * 2


@pytest.mark.parametrize("max_depth", [2, 3, 4])
def test_a_search_without_time_is_greedy_and_says_that_nothing_is_proved(max_depth):
    dataset = load_dataset("three_spirals")
    X, y = dataset.numeric_X, dataset.codes
    tree = OptimalTreeClassifier(max_depth=max_depth, time_limit=0.0).fit(X, y)
    greedy = CARTClassifier(max_depth=max_depth).fit(X, y)
    assert tree.n_errors_ <= (greedy.predict(X) != y).sum()
    assert tree.lower_bound_ < tree.n_errors_
    assert not tree.is_optimal_


def test_a_search_that_the_clock_ended_is_repeated_to_the_same_split(monkeypatch):
    now = iter(range(10**6))
    monkeypatch.setattr("lastviz.splitters.optimal.optimal._now", lambda: float(next(now)))
    dataset = load_dataset("gauss_2d", n_samples=300)
    X, y = dataset.numeric_X, dataset.codes
    tree = OptimalTreeClassifier(max_depth=3, time_limit=40.0).fit(X, y)
    assert 0 < tree.lower_bound_ < tree.n_errors_
    inner = np.flatnonzero(tree.grown_tree_.n_children)
    assert all(finds_stored_split(tree, X, y, int(node)) for node in inner)


def test_a_growth_that_is_closed_leaves_the_best_tree_so_far(monkeypatch):
    monkeypatch.setattr("lastviz.splitters.optimal.optimal.PULSE", -1.0)
    dataset = load_dataset("three_spirals")
    X, y = dataset.numeric_X, dataset.codes
    errors = []
    for n_steps in (1, 20, 60):
        tree = OptimalTreeClassifier()
        growth = tree.grow(X, y)
        for _ in range(n_steps):
            next(growth)
        growth.close()
        errors.append(tree.n_errors_)
        assert (tree.predict(X) != y).sum() == tree.n_errors_
        assert tree.lower_bound_ < tree.n_errors_
        assert not tree.is_optimal_
        inner = np.flatnonzero(tree.grown_tree_.n_children)
        assert all(finds_stored_split(tree, X, y, int(node)) for node in inner)
    assert errors == sorted(errors, reverse=True)


def test_growth_tells_how_near_its_bounds_are():
    dataset = load_dataset("waveform", n_samples=300)
    X, y = dataset.numeric_X, dataset.codes
    shares = [e.share for e in OptimalTreeClassifier().grow(X, y) if hasattr(e, "share")]
    assert all(0.0 <= share <= 1.0 for share in shares)


@pytest.mark.parametrize(("shape", "max_depth"), [((100_000, 8), 3), ((20_000, 10), 4)])
def test_what_would_take_too_long_is_refused_in_a_sentence(shape, max_depth):
    X = np.zeros(shape)
    X[0] = 1.0
    with pytest.raises(ValueError, match="these data are too large for an optimal tree of depth"):
        OptimalTreeClassifier(max_depth=max_depth).fit(X, X[:, 0] > 0)


def test_many_rows_at_depth_two_and_tables_without_a_split():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100_000, 2))
    tree = OptimalTreeClassifier(max_depth=2).fit(X, X[:, 0] * X[:, 1] > 0)
    assert tree.is_optimal_
    assert OptimalTreeClassifier().fit(np.ones((20, 2)), np.arange(20) % 2).n_errors_ == 10
    assert OptimalTreeClassifier().fit(X[:9], np.ones(9)).tree_.n_nodes == 1
    with pytest.raises(ValueError, match="max_depth must be an integer >= 1 and <= 4, got 5"):
        OptimalTreeClassifier(max_depth=5).fit(X[:9], np.arange(9))


def test_below_a_forced_root_the_tree_is_optimal_again():
    dataset = load_dataset("moons")
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    root = Split(0, 0.0)
    tree = OptimalTreeClassifier().fit(X, y, edits=[ForcedSplit((), root)])
    first = X[:, 0] <= 0.0
    below = [OptimalTreeClassifier(max_depth=2).fit(X[s], y[s]).n_errors_ for s in (first, ~first)]
    assert tree.n_errors_ == sum(below)
    without = OptimalTreeClassifier().fit(X, y, edits=[Without((), (0,), below=True)])
    assert set(without.tree_.feature[without.tree_.n_children > 0].tolist()) == {1}
    alone = OptimalTreeClassifier().fit(X[:, 1:], y)
    assert without.n_errors_ == alone.n_errors_


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "params"),
    [*((name, {}) for name in ("iris", "wine", "xor", "moons", "three_spirals", "breast_cancer")),
     ("gauss_2d", {"n_samples": 400}), ("waveform", {"n_samples": 200})],
)  # fmt: skip
def test_the_authors_own_program_finds_as_few_errors(name, params):
    peer = pytest.importorskip("pycontree", reason="the package pycontree is not installed")
    dataset = load_dataset(name, **params)
    X, y = dataset.numeric_X.reset_index(drop=True), dataset.codes
    theirs = peer.ConTree(max_depth=3, time_limit=600)
    theirs.fit(pd.DataFrame(X.to_numpy()), pd.Series(y))
    errors = (np.asarray(theirs.predict(pd.DataFrame(X.to_numpy()))) != y).sum()
    ours = OptimalTreeClassifier(max_depth=3).fit(X, y)
    assert (ours.n_errors_, ours.lower_bound_) == (errors, errors)
