"""Regression trees on complete numbers grow by kernels of their own, to the same trees."""

import numpy as np
import pytest

from lastviz.builders import BinaryGrowth, Stop, binary_growth
from lastviz.criteria import CRITERIA
from lastviz.criteria.sums_kernels import SQUARED_ERROR
from lastviz.splitters import BinaryLimits, binary_data

WEIGHTS = {
    "equal": lambda rng, n: None,
    "whole": lambda rng, n: rng.integers(0, 4, n).astype(float),
    "real": lambda rng, n: rng.random(n) ** 4,
}
NUMBERS = {
    "real": lambda y: y,
    "tied": np.round,
    "two values": lambda y: (y > 0.0) * 1.0,
    "far from 0": lambda y: y + 1e9,
    "small": lambda y: y * 1e-9 + 1e3,
}


def made(seed, n, numbers, weights):
    """Columns without and with ties, one of them mirrored, and one the same twice."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6))
    X[:, 1] = np.round(X[:, 1])
    X[:, 3] = -X[:, 2]
    X[:, 5] = X[:, 1]
    y = np.sin(2 * X[:, 0]) + X[:, 1] * (X[:, 4] > 0) + 0.3 * rng.normal(size=n)
    return X, NUMBERS[numbers](y), WEIGHTS[weights](rng, n)


def grown(data, stop):
    growth = BinaryGrowth(data, stop).run()
    return growth, growth.tree(tuple("abcdef"), np.zeros(0), CRITERIA["gini"])


def assert_same_growth(data, stop, monkeypatch):
    growth, tree = grown(data, stop)
    with monkeypatch.context() as patch:
        patch.setattr(binary_growth, "_is_plain_regression", lambda data: False)
        expected_growth, expected = grown(data, stop)
    for name in ("feature", "threshold", "score", "depth", "first_child", "samples", "impurity"):
        np.testing.assert_array_equal(getattr(tree, name), getattr(expected, name), err_msg=name)
    np.testing.assert_array_equal(tree.prediction, expected.prediction)
    for ours, theirs in zip(growth.events, expected_growth.events, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    return tree


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("numbers", NUMBERS)
@pytest.mark.parametrize("n", [pytest.param(150, marks=pytest.mark.kernel), 3000])
def test_the_trees_are_those_of_the_general_growth(n, numbers, weights, monkeypatch):
    for seed in range(3):
        X, y, weight = made(seed, n, numbers, weights)
        data = binary_data(X, y, criterion=SQUARED_ERROR, weight=weight)
        assert assert_same_growth(data, Stop(-1, 2, 0), monkeypatch).n_nodes >= 3


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("stop", [Stop(4, 2, 0), Stop(-1, 9, 0), Stop(-1, 2, 25)])
@pytest.mark.parametrize("least", [1, 4])
@pytest.mark.parametrize("decrease", [0.0, 0.01])
def test_limits_do_the_same(stop, least, decrease, weights, monkeypatch):
    X, y, weight = made(7, 900, "real", weights)
    data = binary_data(
        X, y, criterion=SQUARED_ERROR, weight=weight, min_samples_leaf=least,
        limits=BinaryLimits(min_impurity_decrease=decrease),
    )  # fmt: skip
    assert assert_same_growth(data, stop, monkeypatch).n_nodes > 3
