"""The price of every root against trying all trees, and on known data."""

import numpy as np
import pytest

from lastviz.datasets import load_dataset
from lastviz.inspection import lookahead, price_of_root, root_prices, root_prices_in_steps
from tests.naive_optimal import cost_below_roots


@pytest.mark.kernel
@pytest.mark.parametrize("seed", range(20))
def test_every_root_costs_what_the_best_of_all_trees_with_it_do(seed):
    rng = np.random.default_rng(seed)
    n, m, depth = int(rng.integers(4, 16)), int(rng.integers(1, 3)), int(rng.integers(2, 4))
    X = rng.integers(0, 7, size=(n, m)).astype(float)
    y = rng.integers(0, 3, n)
    expected = cost_below_roots(X, y, depth)
    for beyond in (None, 1.0, 1.5):
        found = root_prices(X, y, np.arange(n), 3, depth=depth, beyond=beyond)
        assert found.n_within(found.close) == sum(
            100 * cost <= 101 * found.fewest for cost in expected.values()
        )
        assert found.fewest == min([*expected.values(), found.leaf_errors])
        keys = list(zip(found.feature.tolist(), found.threshold.tolist(), strict=True))
        assert keys == list(expected)
        for key, errors in zip(keys, found.errors.tolist(), strict=True):
            assert errors == expected[key] if expected[key] <= found.most else np.isnan(errors)


# set -> fewest errors at depth 3, thresholds in all, and how many reach them, are within 10 %.
KNOWN = {
    "xor": (2, 798, 8, 8),
    "moons": (13, 798, 24, 41),
    "iris": (1, 119, 6, 6),
    "wine": (0, 1263, 11, 11),
}


@pytest.mark.parametrize("name", KNOWN)
def test_how_many_roots_are_as_good_on_known_data(name):
    dataset = load_dataset(name)
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    found = root_prices(X, y, np.arange(len(y)), int(y.max()) + 1)
    counts = (found.n_within(found.fewest), found.n_within(found.most))
    assert (found.fewest, len(found.errors), *counts) == KNOWN[name]


@pytest.mark.parametrize("name", ["iris", "xor", "moons", "breast_cancer"])
def test_at_depth_two_it_is_the_lookahead(name):
    dataset = load_dataset(name)
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    rows, n_classes = np.arange(20, 130), int(y.max()) + 1
    prices = root_prices(X, y, rows, n_classes, depth=2, beyond=None)
    ahead = lookahead(X, y, rows, n_classes)
    np.testing.assert_array_equal(prices.errors, ahead.errors)
    np.testing.assert_array_equal(prices.threshold, ahead.threshold)


def test_it_tells_what_share_is_done():
    dataset = load_dataset("moons")
    y = dataset.codes
    shares = list(root_prices_in_steps(dataset.numeric_X.to_numpy(), y, np.arange(len(y)), 2))
    assert shares == sorted(shares)
    assert shares[-1] < 1.0


def test_rows_that_are_all_the_same_have_no_root():
    found = root_prices(np.ones((6, 2)), np.arange(6) % 2, np.arange(6), 2)
    assert (len(found.errors), found.fewest, found.leaf_errors) == (0, 3, 3)


def test_one_root_has_its_price_however_high_it_is():
    dataset = load_dataset("moons")
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    rows = np.arange(0, len(y), 2)
    found = root_prices(X, y, rows, 2, beyond=None)
    for i in range(0, len(found.errors), 40):
        split = int(found.feature[i]), float(found.threshold[i])
        assert price_of_root(X, y, rows, 2, *split) == found.errors[i]
    assert found.errors.max() > 1.1 * found.fewest
