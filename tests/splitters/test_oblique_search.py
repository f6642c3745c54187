"""OC1's and CART-LC's walks: what the trajectory says, and what the node becomes."""

import dataclasses
import tracemalloc

import numpy as np
import pytest

from lastviz.criteria import CRITERIA
from lastviz.splitters import Move, ObliqueMethod, ObliqueSearchSplitter, ObliqueSplit, Split
from lastviz.splitters.oblique import oblique_search
from lastviz.splitters.oblique.standardise_kernels import Space, standardise
from lastviz.tree import Reason
from tests.conftest import walked, waveform

OC1 = ObliqueMethod("twoing", n_restarts=4, n_jumps=5)
CART_LC = ObliqueMethod("twoing", pivots=(-0.25, 0.0, 0.25), backward_deletion=0.1)
METHODS = [
    *(dataclasses.replace(OC1, criterion=c) for c in ("twoing", "gini", "gain")),
    *(dataclasses.replace(OC1, criterion=c) for c in ("sum_minority", "max_minority")),
    CART_LC,
]


def splitter_of(X, y, method, n_classes=None):
    rows = np.arange(len(y))
    return ObliqueSearchSplitter(X, y, n_classes or int(y.max()) + 1, rows, method)


def diagonal(n=200, seed=0):
    X = np.random.default_rng(seed).normal(size=(n, 2))
    return X, (X[:, 0] + X[:, 1] > 0).astype(np.intp)


@pytest.mark.kernel
@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.criterion)
def test_each_move_of_the_trajectory_has_the_score_of_its_hyperplane(method):
    X, y = waveform(150, seed=0)
    splitter = splitter_of(X[:, 4:10], y, method)
    search = splitter.search(splitter.root())
    score = CRITERIA[method.criterion].score
    assert search.n_moves >= 3
    for weights, threshold, said in zip(
        search.weights, search.threshold, search.score, strict=True
    ):
        assert np.abs(weights).max() == pytest.approx(1.0, abs=1e-15)
        first = X[:, 4:10] @ weights <= threshold
        left, right = (np.bincount(y[side], minlength=3) for side in (first, ~first))
        assert said == pytest.approx(score(left, right), abs=1e-9)


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.criterion)
def test_only_starts_and_deletions_may_lower_the_score(method):
    X, y = waveform(400, seed=1)
    splitter = splitter_of(X, y, method)
    search = splitter.search(splitter.root())
    rises = np.diff(search.score)
    free = np.isin(search.kind[1:], [Move.AXIS, Move.RANDOM, Move.DELETION])
    assert (rises[~free] > 0).all()
    assert search.kind[0] == Move.AXIS
    assert (search.kind[search.step == 0][1:] == Move.RANDOM).all()
    np.testing.assert_array_equal(np.unique(search.restart), np.arange(method.n_restarts))
    kept = np.r_[search.step[1:] == 0, True]  # the last move of each restart
    assert kept[search.winner]
    assert search.score[search.winner] >= search.score[kept].max() - 1e-12
    assert search.split.score >= search.score[search.winner] - 1e-12
    assert all(Move(kind).sentence.endswith(".") for kind in search.kind)


def test_oc1_jumps_and_cart_lc_deletes():
    X, y = waveform(400, seed=1)
    kinds = {}
    oc1 = dataclasses.replace(OC1, n_restarts=8)
    for name, method in {"oc1": oc1, "cart_lc": CART_LC}.items():
        splitter = splitter_of(X[:, 4:10], y, method)
        kinds[name] = set(splitter.search(splitter.root()).kind.tolist())
    assert Move.JUMP in kinds["oc1"]
    assert Move.DELETION in kinds["cart_lc"]
    assert not kinds["cart_lc"] & {Move.JUMP, Move.RANDOM}


def test_deleting_features_leaves_fewer_weights():
    X, y = waveform(600, seed=2)
    used = []
    for share in (0.0, 0.1, 0.5):
        method = dataclasses.replace(CART_LC, backward_deletion=share)
        splitter = splitter_of(X, y, method)
        split = splitter.best(splitter.root())
        used.append(np.count_nonzero(split.weights))
    assert used[0] > used[1] > used[2] >= 2


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.criterion)
def test_a_search_in_small_steps_ends_where_one_in_a_single_step_does(method, monkeypatch):
    X, y = waveform(200, seed=3)
    splitter = splitter_of(X, y, method)
    whole = splitter.best(splitter.root())
    monkeypatch.setattr(oblique_search, "_BUDGET", 1)
    steps = splitter.best_in_steps(splitter.root())
    found, shares = walked(steps)
    assert len(shares) > 20
    assert shares == sorted(shares)
    assert shares[-1] < 1.0
    np.testing.assert_array_equal(found.weights, whole.weights)
    assert found.threshold == whole.threshold


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.criterion)
def test_an_oblique_border_is_found_and_one_parallel_to_an_axis_stays_a_threshold(method):
    X, y = diagonal()
    splitter = splitter_of(X, y, method)
    split = splitter.best(splitter.root())
    assert isinstance(split, ObliqueSplit)
    first = X @ split.weights <= split.threshold
    assert min(np.mean(first == y), np.mean(first != y)) <= 0.02
    splitter = splitter_of(X, (X[:, 1] > 0.3).astype(np.intp), method)
    split = splitter.best(splitter.root())
    assert isinstance(split, Split)
    values = np.sort(X[:, 1])
    above = np.searchsorted(values, 0.3)
    assert (split.feature, split.threshold) == (1, values[above - 1] / 2 + values[above] / 2)


def test_moving_and_scaling_the_features_keeps_the_partition():
    X, y = waveform(200, seed=5)
    X = np.round(X[:, 6:12], 3)
    splitter = splitter_of(X, y, OC1)
    split = splitter.best(splitter.root())
    first = X @ split.weights <= split.threshold
    uneven = np.array([1e-4, 1.0, 9.0, 1e3, 2.0, 5.0])
    for factor, offset in ((1e-6, 0.0), (1e6, 0.0), (1.0, 1e5), (uneven, 7.0)):
        moved = factor * X + offset
        again = splitter_of(moved, y, OC1)
        other = again.best(again.root())
        np.testing.assert_array_equal(moved @ other.weights <= other.threshold, first)


def test_the_numbers_of_a_node_depend_on_its_key_alone():
    X, y = waveform(200, seed=6)
    splitter = splitter_of(X, y, OC1)
    root = splitter.root()
    one, same = splitter.search(root), splitter.search(root)
    np.testing.assert_array_equal(one.weights, same.weights)
    other = splitter.search(dataclasses.replace(root, key=1))
    starts = [s.weights[s.kind == Move.RANDOM] for s in (one, other)]
    assert not np.array_equal(starts[0][0], starts[1][0])
    reseeded = splitter_of(X, y, dataclasses.replace(OC1, random_state=1))
    assert not np.array_equal(reseeded.search(root).weights, one.weights)


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.criterion)
def test_a_node_without_candidates_says_so(method):
    X = np.full((8, 3), 2.5)
    splitter = splitter_of(X, np.arange(8) % 2, method)
    assert splitter.best(splitter.root()) is Reason.NO_CANDIDATE
    search = splitter.search(splitter.root())
    assert (search.n_moves, search.winner, search.split) == (0, -1, None)


def test_a_node_that_no_split_improves_says_so():
    X = np.arange(4.0)[:, None]
    splitter = splitter_of(X, np.array([0, 0, 1, 0]), ObliqueMethod("sum_minority"))
    assert splitter.best(splitter.root()) is Reason.NO_GAIN


@pytest.mark.kernel
@pytest.mark.parametrize("offset", [0.0, 1e9, -1e12])
def test_features_are_standardised_wherever_they_lie(offset):
    rng = np.random.default_rng(0)
    values = np.stack([rng.integers(0, 50, 30), np.full(30, 7.0), rng.integers(0, 2, 30)])
    scales = np.array([1.0, 1.0, 4.0])[:, None]
    columns = values * scales + offset
    rows = np.arange(3, 28)
    space = Space(np.empty((3, 25)), np.empty(3), np.empty(3))
    standardise(columns, rows, space)
    here = (values * scales)[:, rows]
    for j in (0, 2):
        expected = (here[j] - here[j].mean()) / here[j].std()
        np.testing.assert_allclose(space.Z[j], expected, atol=1e-12)
        assert space.scale[j] == pytest.approx(here[j].std())
        assert space.centre[j] == pytest.approx(here[j].mean() + offset)
    assert not space.Z[1].any()
    assert space.scale[1] == 0.0


@pytest.mark.kernel
@pytest.mark.parametrize("size", [1e-300, 1e300])
def test_very_small_and_large_features_are_standardised(size):
    columns = size * np.array([[1.0, 2.0, 4.0, 5.0]])
    space = Space(np.empty((1, 4)), np.empty(1), np.empty(1))
    standardise(columns, np.arange(4), space)
    np.testing.assert_allclose(space.Z[0], np.array([-2.0, -1.0, 1.0, 2.0]) / np.sqrt(2.5))
    assert space.scale[0] == pytest.approx(size * np.sqrt(2.5))


@pytest.mark.parametrize("most_drawn", [1, 100, 200])
@pytest.mark.parametrize("data", ["mixed", "separable"])
def test_it_matters_nothing_how_many_restarts_are_drawn_together(most_drawn, data, monkeypatch):
    X, y = waveform(120, seed=5)
    X = X[:, 5:9]
    if data == "separable":  # no single feature parts it, so some restart finds a perfect plane
        y = (np.median(X @ [1.0, -2.0, 0.5, 1.5]) < X @ [1.0, -2.0, 0.5, 1.5]).astype(np.intp)
    for n_restarts, n_jumps, seed in ((7, 3, 0), (7, 0, 1), (1, 3, 2), (20, 2, 3)):
        method = ObliqueMethod("twoing", n_restarts=n_restarts, n_jumps=n_jumps, random_state=seed)
        splitter = splitter_of(X, y, method)
        monkeypatch.setattr(oblique_search, "_MOST_DRAWN", 10**9)
        whole = splitter.search(splitter.root())
        monkeypatch.setattr(oblique_search, "_MOST_DRAWN", most_drawn)
        parts = splitter.search(splitter.root())
        for name in ("restart", "step", "kind", "weights", "threshold", "score"):
            np.testing.assert_array_equal(getattr(parts, name), getattr(whole, name))
        assert parts.winner == whole.winner
        assert parts.split.threshold == whole.split.threshold
        np.testing.assert_array_equal(splitter.best(splitter.root()).weights, whole.split.weights)


def test_a_perfect_plane_ends_the_search_in_whichever_block_it_is_found(monkeypatch):
    X, y = waveform(120, seed=5)
    X = X[:, 5:9]
    y = (np.median(X @ [1.0, -2.0, 0.5, 1.5]) < X @ [1.0, -2.0, 0.5, 1.5]).astype(np.intp)
    monkeypatch.setattr(oblique_search, "_MOST_DRAWN", 1)
    found = []
    for seed in range(12):
        method = ObliqueMethod("twoing", n_restarts=30, n_jumps=1, random_state=seed)
        splitter = splitter_of(X, y, method)
        found.append(int(splitter.search(splitter.root()).restart[-1]))
    assert sum(last < 29 for last in found) > len(found) / 2


def test_a_long_search_draws_its_numbers_bit_by_bit():
    X, y = waveform(200, seed=3)
    method = dataclasses.replace(OC1, n_restarts=10_000, n_jumps=1000)
    splitter = splitter_of(X, y, method)
    tracemalloc.start()
    try:
        next(splitter.best_in_steps(splitter.root()))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 30e6  # 1.8e9 for all at once


def test_a_search_that_is_too_long_to_keep_is_refused(monkeypatch):
    X, y = waveform(200, seed=3)
    splitter = splitter_of(X, y, OC1)
    n_moves = len(splitter.search(splitter.root()).kind)
    monkeypatch.setattr(oblique_search, "_MOST_RECORDED", n_moves * (X.shape[1] + 1) - 1)
    with pytest.raises(ValueError, match=f"visit {n_moves} hyperplanes of {X.shape[1]} weights"):
        splitter.search(splitter.root())
    assert splitter.best(splitter.root()).score > 0
