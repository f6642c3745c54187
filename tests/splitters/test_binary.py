"""Binary splits from weighted sums, against the definition tried on every candidate."""

import numpy as np
import pytest

from lastviz.builders import BinaryGrowth, Stop
from lastviz.criteria import CRITERIA
from lastviz.criteria.sums_kernels import SQUARED_ERROR
from lastviz.splitters import (
    BinarySplitter,
    CategorySplit,
    binary_data,
    context_of,
    same_split,
    stored_split,
)
from lastviz.splitters.binary.subset_kernels import MOST_EXACT
from tests import naive_binary as naive

NAMES = ("gini", "gain", "twoing", "squared_error")
GROWN = Stop(-1, 2, 0)


def code(criterion):
    return SQUARED_ERROR if criterion == "squared_error" else CRITERIA[criterion].code


def made(seed, criterion, n=40, n_classes=3, n_values=5, missing=0.15, weighted=True):
    """Two numeric and two nominal columns with gaps, and what is to be learnt."""
    rng = np.random.default_rng(seed)
    X = np.c_[
        rng.normal(size=n), rng.integers(0, 4, n), rng.integers(0, n_values, n),
        rng.integers(0, 2, n),
    ].astype(float)  # fmt: skip
    signal = X[:, 0] + (X[:, 2] % 3) + rng.normal(size=n)
    X[rng.random(X.shape) < missing] = np.nan
    y = signal if criterion == "squared_error" else np.digitize(signal, [0.0, 1.5][: n_classes - 1])
    weight = rng.integers(1, 4, n) / 2 if weighted else np.ones(n)
    n_categories = np.array([0, 0, n_values, 2])
    data = binary_data(
        X, y, criterion=code(criterion), weight=weight, n_categories=n_categories,
        n_classes=1 if criterion == "squared_error" else n_classes,
    )  # fmt: skip
    return X, y, weight, n_categories > 0, data


@pytest.mark.kernel
@pytest.mark.parametrize("criterion", NAMES)
@pytest.mark.parametrize("seed", range(6))
def test_every_candidate_scores_as_defined(criterion, seed):
    X, y, weight, nominal, data = made(seed, criterion)
    search = BinarySplitter(data).search(BinarySplitter(data).root())
    expected = naive.all_scores(X, y, weight, nominal, criterion, 3)
    score = search.columns[criterion]
    for f in range(4):
        ours = np.sort(score[search.feature == f])
        theirs = np.sort([s for g, s in expected if g == f])
        if criterion == "squared_error" and nominal[f]:  # prefixes alone: the best is among them
            assert ours[-1] == pytest.approx(theirs[-1], abs=1e-12)
            assert all(np.abs(theirs - one).min() < 1e-12 for one in ours)
        else:
            np.testing.assert_allclose(ours, theirs, atol=1e-12)
    assert score[search.winner] == pytest.approx(max(s for _, s in expected), abs=1e-12)


@pytest.mark.kernel
@pytest.mark.parametrize("criterion", ["gini", "gain", "twoing"])
@pytest.mark.parametrize("seed", range(8))
def test_the_best_subset_for_two_classes_is_a_prefix(criterion, seed):
    """Breiman et al. 1984, theorem 4.5."""
    X, y, weight, nominal, data = made(seed, criterion, n=80, n_classes=2, n_values=9, missing=0)
    search = BinarySplitter(data).search(BinarySplitter(data).root())
    here = search.feature == 2
    assert here.sum() <= 8
    best = max(s for f, s in naive.all_scores(X, y, weight, nominal, criterion, 2) if f == 2)
    assert search.columns[criterion][here].max() == pytest.approx(best, abs=1e-12)


def test_beyond_the_exact_limit_the_component_comes_close():
    """The heuristic loses little to all 2^11 - 1 subsets, and nothing is refused."""
    shares = []
    for seed in range(6):
        X, y, weight, nominal, data = made(seed, "gini", n=300, n_values=12, missing=0)
        assert MOST_EXACT < 12
        search = BinarySplitter(data).search(BinarySplitter(data).root())
        here = search.feature == 2
        assert here.sum() == 11
        best = max(s for f, s in naive.all_scores(X, y, weight, nominal, "gini", 3) if f == 2)
        shares.append(search.columns["gini"][here].max() / best)
    assert max(shares) <= 1 + 1e-12
    assert min(shares) > 0.9


@pytest.mark.kernel
@pytest.mark.parametrize("criterion", NAMES)
@pytest.mark.parametrize("stop", [GROWN, Stop(3, 6, 0), Stop(-1, 2, 7)])
def test_replay_finds_the_stored_split_of_every_node(criterion, stop):
    X, _, weight, _, data = made(11, criterion, n=120, n_values=6)
    classes = np.zeros(0) if criterion == "squared_error" else np.arange(3)
    growth = BinaryGrowth(data, stop).run()
    tree = growth.tree(
        tuple("abcd"), classes, CRITERIA["gini"],
        feature_categories=tuple(
            tuple(range(c)) if c else None for c in data.problem.n_categories
        ),
    )  # fmt: skip
    tree.validate(X)
    splitter = BinarySplitter(data)
    kinds = set()
    for node in range(tree.n_nodes):
        context = context_of(splitter, tree, node)
        rows, own = tree.node_samples(node)
        np.testing.assert_array_equal(context.rows, rows)
        np.testing.assert_array_equal(own, weight[rows])
        search = splitter.search(context)
        np.testing.assert_array_equal(search.counts, tree.value[node])
        if not tree.is_leaf(node):
            assert same_split(search.split, stored_split(tree, node))
            assert search.split.score == tree.score[node]
            kinds.add(type(search.split))
    if stop.max_leaf_nodes:
        assert tree.n_leaves == stop.max_leaf_nodes
    else:
        assert CategorySplit in kinds


def test_missing_values_go_where_the_split_scores_best():
    x = np.array([1.0, 2, 3, 4, 5, 6, np.nan, np.nan])
    y = np.array([0, 0, 0, 1, 1, 1, 0, 0])
    data = binary_data(x[:, None], y, criterion=CRITERIA["gini"].code, n_classes=2)
    split = BinarySplitter(data).search(BinarySplitter(data).root()).split
    assert (split.threshold, split.missing_branch, split.score) == (3.5, 0, 15 / 32)


def test_without_missing_rows_a_node_names_its_heavier_child():
    X = np.array([[1.0, 1], [2, 1], [3, 1], [4, 1], [5, 2], [np.nan, 9]])
    y = np.array([0, 0, 1, 1, 1, 1])
    data = binary_data(X, y, criterion=CRITERIA["gini"].code, n_classes=2)
    tree = BinaryGrowth(data, GROWN).run().tree(("a", "b"), np.arange(2), CRITERIA["gini"])
    assert tree.n_leaves == 2
    assert tree.missing_branch[0] == 1
    assert tree.predict(np.array([[np.nan, 0.0]])).tolist() == [1]


def test_a_category_that_a_node_has_not_seen_stops_the_row_there():
    x = np.array([0.0, 0, 1, 1, 3, 3])
    y = np.array([0.0, 0, 1, 1, 1, 1])
    data = binary_data(x[:, None], y, criterion=SQUARED_ERROR, n_categories=np.array([4]))
    tree = (
        BinaryGrowth(data, GROWN)
        .run()
        .tree(("a",), np.zeros(0), CRITERIA["gini"], feature_categories=((("k", "l", "m", "n")),))
    )
    assert tree.categories.branch.tolist() == [[0, 1, -1, 1]]
    assert tree.apply(np.array([[2.0], [-1.0], [0.0]])).tolist() == [0, 0, 1]
    assert tree.predict(np.array([[2.0], [-1.0], [1.0]])).tolist() == pytest.approx(
        [2 / 3, 2 / 3, 1]
    )


@pytest.mark.parametrize("offset", [0.0, 1e6, 1e9])
@pytest.mark.parametrize("unit", [1.0, 1e-9, 1e9])
def test_offset_and_unit_of_the_numbers_change_no_split(offset, unit):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 3))
    y = np.round(np.sin(2 * X[:, 0]) + X[:, 1], 3)
    shift = offset * np.abs(unit) if unit < 1 else offset
    one, other = (
        BinaryGrowth(binary_data(X, v, criterion=SQUARED_ERROR), Stop(5, 2, 0))
        .run()
        .tree(tuple("abc"), np.zeros(0), CRITERIA["gini"])
        for v in (y, y * unit + shift)
    )
    np.testing.assert_array_equal(one.feature, other.feature)
    np.testing.assert_array_equal(one.threshold, other.threshold)
    np.testing.assert_allclose(other.prediction, one.prediction * unit + shift, rtol=1e-12)
