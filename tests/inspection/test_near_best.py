"""Near-best trees against all trees written out, and on known data."""

from collections import Counter
from math import sqrt

import numpy as np
import pytest

from lastviz.datasets import load_dataset
from lastviz.estimators import OptimalTreeClassifier
from lastviz.inspection import near_best_trees, near_best_trees_in_steps
from tests.naive_near_best import all_trees, features_of, says, written

SETS = 600
SAMPLE = 40
MANY = np.arange(3000.0).reshape(1000, 3)


def a_set(seed):
    """A small table with ties, and how its trees are counted."""
    rng = np.random.default_rng(seed)
    depth = int(rng.integers(2, 4))
    n, m = int(rng.integers(3, 41 if depth == 2 else 11)), int(rng.integers(1, 4))
    X = rng.integers(0, int(rng.integers(2, 7)), size=(n, m)).astype(float)
    y = rng.integers(0, int(rng.integers(2, 5)), n)
    y[:2] = 0, 1  # two classes at least
    alpha = float(rng.choice([0, 0, 1, 2])) / n
    most = None if rng.random() < 0.7 else 2
    tolerance, small = float(rng.choice([0, 1, 3])) / n, int(rng.integers(1, 3))
    options = {"max_depth": depth, "tolerance": tolerance, "alpha": alpha}
    return X, y, options | {"min_samples_leaf": small, "max_thresholds": most}, rng


def listed_of(found, depth):
    """All near-best trees of a set, written out, each with its cost and leaves."""
    rows = found.rows
    trees = all_trees(
        rows.X, rows.code, rows.y, rows.every, depth, price=rows.price, small=rows.small
    )
    return {tree: (cost, leaves) for cost, leaves, tree in trees if cost <= found.budget}


def compare(seed):
    X, y, options, rng = a_set(seed)
    found, depth = near_best_trees(X, y, **options), options["max_depth"]
    rows = found.rows
    anything = all_trees(rows.X, rows.code, rows.y, rows.every, depth, price=rows.price)
    least = min(cost for cost, *_ in anything)
    assert found.best == least
    assert found.budget == least + round(options["tolerance"] * len(y))
    listed = listed_of(found, depth)
    table = np.zeros_like(found.table)
    for tree, (cost, leaves) in listed.items():
        table[tree[0] if isinstance(tree, tuple) else 0, leaves - 1, cost] += 1
    np.testing.assert_array_equal(found.table, table)
    for f in range(X.shape[1]):
        for asks, prices in ((True, found.price_of_using), (False, found.price_of_leaving_out)):
            costs = [cost for tree, (cost, _) in listed.items() if (f in features_of(tree)) == asks]
            expected = min(costs, default=np.nan) - found.best
            np.testing.assert_array_equal(prices[f], expected)
    if not listed:
        return found
    assert len(listed) == found.count
    numbered = [written(tree) for tree in found.trees(range(found.count))]
    assert Counter(numbered) == Counter(list(listed))  # each tree has one number
    cost, leaves = int(rng.integers(found.best, found.budget + 1)), int(rng.integers(1, 8))
    some = {tree for tree, (c, n) in listed.items() if c <= cost and n <= leaves}
    assert found.count_within(cost, leaves) == len(some)
    drawn = found.trees(range(len(some)), cost=cost, leaves=leaves)
    assert {written(tree) for tree in drawn} == some
    left_out = int(rng.integers(X.shape[1]))
    assert found.without([left_out]).count == sum(
        left_out not in features_of(tree) for tree in listed
    )
    x = rng.integers(0, 7, X.shape[1]) - rng.choice([0, 0.25])  # a row of its own
    called = Counter(says(tree, x) for tree in listed)
    assert found.says(x) == tuple(called[k] for k in range(len(rows.classes)))
    other = found.tree(int(rng.integers(found.count)))
    said = other.predict(X)
    differs = {
        tree: sum(says(tree, r) != k for r, k in zip(X, said, strict=True)) for tree in listed
    }
    n_rows, farthest = found.farthest(other)
    assert n_rows == max(differs.values()) == np.count_nonzero(farthest.predict(X) != said)
    assert differs[written(farthest)] == n_rows
    return found


@pytest.mark.kernel
@pytest.mark.parametrize("seed", range(SAMPLE))
def test_they_are_all_trees_that_are_near_the_best(seed):
    compare(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(SAMPLE, SETS))
def test_they_are_all_trees_that_are_near_the_best_on_many_sets(seed):
    compare(seed)


def test_every_tree_is_drawn_equally_often():
    found = near_best_trees(*small_iris(), max_depth=2, tolerance=0.04, max_thresholds=6)
    assert 20 <= found.count <= 400
    n = 200 * found.count
    drawn = Counter(map(written, found.sample(n, random_state=0)))
    share = 1 / found.count
    error = sqrt(share * (1 - share) / n)
    assert len(drawn) == found.count
    assert max(abs(times / n - share) for times in drawn.values()) < 4 * error


def small_iris():
    dataset = load_dataset("iris")
    return dataset.X, dataset.y


# Counts of a prototype, which a recursion without pruning confirmed on small sets.
@pytest.mark.parametrize(("name", "count"), [("iris", 461_299), ("moons", 131_394_970)])
def test_the_best_tree_is_that_of_the_exact_search(name, count):
    dataset = load_dataset(name)
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    found = near_best_trees(X, y, max_thresholds=None)
    assert found.best == OptimalTreeClassifier(max_depth=3).fit(X, y).n_errors_
    assert found.count == count


def test_it_tells_what_share_is_done():
    X, y = small_iris()
    shares = list(near_best_trees_in_steps(X, np.unique(y, return_inverse=True)[1], np.unique(y)))
    assert shares == sorted(shares)
    assert shares[-1] < 1.0


def test_thresholds_of_a_tree_are_kept():
    dataset = load_dataset("breast_cancer")
    X, y = dataset.numeric_X.to_numpy()[:, :6], dataset.codes
    best = OptimalTreeClassifier(max_depth=2).fit(X, y)
    options = {"max_depth": 2, "max_thresholds": 3}
    assert near_best_trees(X, y, **options).best > best.n_errors_
    assert near_best_trees(X, y, trees=[best.tree_], **options).best == best.n_errors_


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"max_depth": 4}, "max_depth must be 2 or 3, got 4"),
        ({"tolerance": 2}, "tolerance must be from 0 to 1, got 2"),
        ({"max_thresholds": 0}, "max_thresholds must be at least 1, or None, got 0"),
        ({"X": np.array([[1.0], [np.nan]])}, "row 1 of column 0 has none"),
        ({"X": np.array([["a"], ["b"]])}, "ask for numbers only"),
        ({"X": np.zeros((3, 1))}, "X has 3 rows and y has 2"),
        ({"X": MANY, "y": np.arange(1000) % 2, "max_thresholds": None}, "have 2997 thresholds"),
    ],
)  # fmt: skip
def test_what_cannot_be_counted_is_refused_in_a_sentence(change, words):
    with pytest.raises(ValueError, match=words):
        near_best_trees(**({"X": np.array([[1.0], [2.0]]), "y": np.arange(2)} | change))


def test_no_tree_is_drawn_where_there_is_none():
    found = near_best_trees([[0.0], [1.0]], [0, 1], max_depth=2, tolerance=0)
    assert (found.count, found.count_within(leaves=1), found.count_within(leaves=2)) == (1, 0, 1)
    with pytest.raises(ValueError, match="keeps these limits"):
        found.sample(3, leaves=1)
    with pytest.raises(ValueError, match="from 0 to 0"):
        found.tree(1)
