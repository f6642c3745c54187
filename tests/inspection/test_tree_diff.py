"""Two trees laid over each other: which nodes correspond, and what became of them."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from lastviz import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    GSODTClassifier,
    ID3Classifier,
    SVMTreeClassifier,
)
from lastviz.datasets import load_dataset
from lastviz.inspection import Change, tree_diff
from lastviz.inspection.matching import _best_pairs, rows_shared
from lastviz.inspection.matching_kernels import assignment, most_alike, shared_rows
from tests.naive_tree_diff import best_weight, is_constrained, overlap, rows_below
from tests.random_trees import random_tree


def pair_of_trees(seed):
    """Two trees of the same few rows, of other settings or other draws."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(24, 2)).round(1)
    y = (X[:, 0] * X[:, 1] > 0) ^ (rng.random(24) < 0.2)
    drawn = np.sort(rng.integers(0, 24, 24)) if seed % 2 else np.arange(24)
    first = CARTClassifier(max_depth=3).fit(X, y).tree_
    second = CARTClassifier(max_depth=3, criterion="entropy").fit(X[drawn], y[drawn]).tree_
    return first, second, X


def branching_pair(seed):
    """Two random trees of up to three branches, and nodes where rows stop that go together."""
    first, second = random_tree(seed, most_inner=4), random_tree(seed + 1000, most_inner=4)
    rng = np.random.default_rng(seed)
    place = np.sort(rng.random(20))
    stops = []
    for tree in (first, second):
        leaves = np.flatnonzero(tree.n_children == 0)
        order = sorted(leaves.tolist(), key=tree.path)
        edges = np.sort(rng.random(len(order) - 1))
        stops.append(np.array(order)[np.searchsorted(edges, place)])
    return first, second, *stops


@pytest.mark.kernel
@pytest.mark.parametrize("seed", range(40))
def test_the_weight_is_that_of_exhaustive_search(seed):
    first, second, X = pair_of_trees(seed)
    expected = best_weight(first, second, first.apply(X), second.apply(X))
    assert tree_diff(first, second, X).weight == pytest.approx(expected, abs=1e-12)


@pytest.mark.kernel
@pytest.mark.parametrize("seed", range(40))
def test_so_it_is_with_more_than_two_branches(seed):
    first, second, one, other = branching_pair(seed)
    pairs, weight = _best_pairs(first, second, rows_shared(first, second, one, other))
    assert weight == pytest.approx(best_weight(first, second, one, other), abs=1e-12)
    below = [
        overlap(rows_below(first, one, a), rows_below(second, other, b)) for a, b in pairs.tolist()
    ]
    assert sum(below) == pytest.approx(weight, abs=1e-12)
    assert is_constrained(first, second, pairs.tolist())


@pytest.mark.kernel
@pytest.mark.parametrize("seed", range(20))
def test_an_assignment_is_the_best_of_all(seed):
    rng = np.random.default_rng(seed)
    weight = rng.random((int(rng.integers(1, 5)), int(rng.integers(1, 6))))
    weight[rng.random(weight.shape) < 0.3] = 0.0
    low = weight if weight.shape[0] <= weight.shape[1] else weight.T
    orders = itertools.permutations(range(low.shape[1]), low.shape[0])
    best = max(sum(low[i, j] for i, j in enumerate(order)) for order in orders)
    assert assignment(weight) == pytest.approx(best, abs=1e-12)


@pytest.mark.kernel
@pytest.mark.parametrize("seed", range(7, 19))  # of equally alike nodes the first counts
def test_shared_rows_and_the_most_alike_node_are_counted(seed):
    first, second, one, other = branching_pair(seed)
    shared = np.empty((first.n_nodes, second.n_nodes), dtype=np.int64)
    shared_rows(first.parent, second.parent, one, other, shared)
    node, alike = np.empty(first.n_nodes, dtype=np.intp), np.empty(first.n_nodes)
    most_alike(shared, node, alike)
    for a in range(first.n_nodes):
        ours = rows_below(first, one, a)
        overlaps = [overlap(ours, rows_below(second, other, b)) for b in range(second.n_nodes)]
        assert shared[a].tolist() == [
            len(ours & rows_below(second, other, b)) for b in range(second.n_nodes)
        ]
        assert (node[a], alike[a]) == (int(np.argmax(overlaps)), max(overlaps))


@pytest.mark.parametrize("seed", range(12))
def test_the_pairs_weigh_what_is_said_and_keep_the_trees_order(seed):
    first, second, X = pair_of_trees(seed)
    found = tree_diff(first, second, X)
    assert found.overlap.sum() == pytest.approx(found.weight)
    assert found.overlap.min() >= 0.5
    assert is_constrained(first, second, found.pairs.tolist())
    assert found.likeness == 2 * found.weight / (first.n_nodes + second.n_nodes)
    back = tree_diff(second, first, X)
    assert back.weight == pytest.approx(found.weight)
    for which, tree in enumerate((first, second)):
        alone = found.only(which)
        assert sorted([*alone, *found.pairs[:, which]]) == list(range(tree.n_nodes))
        assert (found.changes(which)[alone] == -1).all()


# Data, the other tree, nodes, same / moved / changed, likeness, rows that differ in per cent.
TABLE = {
    "iris, itself": ("iris", CARTClassifier(), (17, 17), (8, 0, 0), 1.0, 0.0),
    "iris, C4.5": ("iris", C45Classifier(), (17, 9), (3, 0, 1), 0.692, 2.0),
    "breast_cancer, entropy": (
        "breast_cancer", CARTClassifier(criterion="entropy"), (43, 39), (0, 2, 6), 0.269, 0.0,
    ),
    "breast_cancer, C4.5": (
        "breast_cancer", C45Classifier(), (43, 25), (1, 1, 7), 0.361, 0.88,
    ),
    "waveform, entropy": (
        "waveform", CARTClassifier(criterion="entropy"), (1071, 925), (0, 2, 7), 0.014, 0.0,
    ),
    "waveform, C4.5": ("waveform", C45Classifier(), (1071, 565), (0, 2, 12), 0.014, 4.94),
}  # fmt: skip


@pytest.mark.parametrize("row", TABLE.values(), ids=list(TABLE))
def test_how_much_trees_have_in_common(row):
    name, other, nodes, changes, likeness, differ = row
    size = {"n_samples": 5000, "random_state": 0} if name == "waveform" else {}
    data = load_dataset(name, **size)
    X, y = data.X.to_numpy(), data.codes
    found = tree_diff(CARTClassifier().fit(X, y).tree_, other.fit(X, y).tree_, X)
    assert found.n_nodes == nodes
    kinds = (Change.SAME, Change.MOVED, Change.CHANGED)
    assert tuple(map(found.count, kinds)) == changes
    assert round(found.likeness, 3) == likeness
    assert round(100 * found.differs.mean(), 2) == differ


def test_a_mirrored_tree_is_the_same():
    data = load_dataset("iris")
    X, y = data.X.to_numpy(), data.codes
    tree = CARTClassifier(max_depth=3).fit(X, y).tree_
    mirrored = CARTClassifier(max_depth=3).fit(-X, y).tree_
    found = tree_diff(tree, mirrored, X, -X)
    assert found.likeness == 1.0


def test_moved_thresholds_other_classes_and_leaves_against_splits_are_told():
    X = np.arange(20.0)[:, None]
    tree = CARTClassifier().fit(X, X[:, 0] > 9).tree_
    moved = replace(tree, threshold=np.where(np.isnan(tree.threshold), np.nan, 12.5))
    found = tree_diff(tree, moved, X)
    root = found.pairs[:, 0].tolist().index(0)
    assert found.change[root] == Change.MOVED
    assert found.shift[root] == 3 / 20
    assert np.flatnonzero(found.differs).tolist() == [10, 11, 12]
    turned = replace(tree, prediction=tree.prediction[[0, 2, 1]])
    assert tree_diff(tree, turned, X).count(Change.OTHER_CLASS) == 2
    stump = CARTClassifier().fit(X, np.zeros(20)).tree_
    found = tree_diff(tree, stump, X)
    assert found.pairs.tolist() == [[0, 0]]
    assert found.count(Change.LEAF_OR_SPLIT) == 1


def test_a_turned_hyperplane_is_moved_and_one_at_right_angles_changed():
    data = load_dataset("diagonal")
    X, y = data.X.to_numpy(), data.codes
    tree = GSODTClassifier().fit(X, y).tree_
    weights = tree.oblique.weights.copy()
    for degrees, expected in ((10, Change.MOVED), (90, Change.CHANGED)):
        turn = np.deg2rad(degrees)
        rotated = weights @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        other = replace(tree, oblique=replace(tree.oblique, weights=rotated))
        root = tree_diff(tree, other, X / X.std(axis=0)).changes(0)[0]
        assert root == expected
    back = replace(tree.oblique, weights=-weights, threshold=-tree.oblique.threshold)
    assert tree_diff(tree, replace(tree, oblique=back), X).count(Change.CHANGED) == 0


def test_nominal_trees_and_machines_are_compared():
    loan = load_dataset("loan")
    for cls in (ID3Classifier, C45Classifier):
        model = cls().fit(loan.X, loan.codes)
        rows = model.encode(loan.X)
        found = tree_diff(model.tree_, model.tree_, rows)
        assert found.likeness == 1.0
        assert found.count(Change.SAME) == np.count_nonzero(model.tree_.n_children)
    iris = load_dataset("iris")
    X, y = iris.X.to_numpy(), iris.codes
    machines = [SVMTreeClassifier(C=c).fit(X, y).tree_ for c in (1.0, 100.0)]
    found = tree_diff(*machines, X)
    assert found.changes(0)[0] in (Change.SAME, Change.MOVED)
    assert tree_diff(machines[0], CARTClassifier().fit(X, y).tree_, X).count(Change.CHANGED) > 0


def test_regression_trees_are_compared_by_their_numbers():
    X = np.arange(30.0)[:, None]
    y = np.sin(X[:, 0])
    deep, flat = (CARTRegressor(max_depth=depth).fit(X, y).tree_ for depth in (4, 2))
    found = tree_diff(deep, flat, X)
    assert found.changes(0)[0] == Change.SAME
    assert found.differs.any()


def test_trees_too_large_to_be_compared_are_refused(monkeypatch):
    monkeypatch.setattr("lastviz.inspection.matching.MOST_PAIRS", 10)
    first, second, X = pair_of_trees(0)
    with pytest.raises(ValueError, match="prune them or limit their depth"):
        tree_diff(first, second, X)
