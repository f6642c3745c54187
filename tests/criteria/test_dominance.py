"""Counting dominating rows: sweep and bit sets against brute force."""

import numpy as np
import pytest

from lastviz.criteria import rank
from lastviz.criteria.rank import DominanceCounter, orient
from tests import naive_monotone


def data(seed, n, m, n_values):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, n_values, (n, m)).astype(float)
    return X, np.clip(X.sum(axis=1) // 6 + rng.integers(0, 2, n), 0, 4).astype(np.intp)


@pytest.mark.kernel
@pytest.mark.parametrize("m", [1, 2, 3, 6])
@pytest.mark.parametrize(("n", "n_values"), [(1, 3), (63, 4), (200, 50), (130, 2)])
def test_counts_are_those_of_brute_force(n, m, n_values):
    X, y = data(n + m, n, m, n_values)
    above, in_class = naive_monotone.dominance_counts(X, y)
    counter = DominanceCounter(X, y, 5)
    rows = np.random.default_rng(0).permutation(n)
    found = counter.count(rows)
    np.testing.assert_array_equal(found[0], above[rows])
    np.testing.assert_array_equal(found[1], in_class[rows])
    np.testing.assert_array_equal(counter.inclusion(rows[:2]), (in_class / above)[rows[:2]])


def test_many_blocks_few_checkpoints_and_threads_give_the_same(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.random((9000, 3)), rng.integers(0, 3, 9000)
    rows = rng.integers(0, 9000, 1200)
    expected = [
        [np.count_nonzero((X[i] <= X).all(axis=1)) for i in rows],
        [np.count_nonzero((X[i] <= X).all(axis=1) & (y >= y[i])) for i in rows],
    ]
    np.testing.assert_array_equal(DominanceCounter(X, y, 3).count(rows), expected)
    np.testing.assert_array_equal(DominanceCounter(X, y, 3).count(rows, n_jobs=3), expected)
    monkeypatch.setattr(rank, "LARGEST_INDEX", 20_000)
    np.testing.assert_array_equal(DominanceCounter(X, y, 3).count(rows), expected)


def test_directions_turn_columns_or_ask_for_equal_values():
    X = np.array([[1.0, 2.0, -0.0], [3.0, 4.0, 0.0]])
    turned = orient(X, np.array([1, -1, 0]))
    np.testing.assert_array_equal(turned, [[1, 0, -2, 0], [3, 0, -4, 0]])
    same = DominanceCounter(turned, np.array([0, 0]), 1).count(np.arange(2))[0]
    np.testing.assert_array_equal(same, [1, 1])
