"""The lookahead of depth two against every tree of depth two."""

import numpy as np
import pytest

from lastviz import CARTClassifier
from lastviz.datasets import load_dataset
from lastviz.inspection import candidate_table, lookahead, lookahead_gini, lookahead_in_steps
from lastviz.inspection.search import lookahead as module
from lastviz.splitters import presort
from tests import naive_landscape


def random_set(seed):
    rng = np.random.default_rng(seed)
    n, m, n_classes = (int(rng.integers(*r)) for r in ((3, 16), (1, 4), (2, 5)))
    X = rng.integers(0, 6, size=(n, m)).astype(float) if seed % 2 else rng.normal(size=(n, m))
    return X, rng.integers(0, n_classes, n), n_classes


def of(name, **params):
    data = load_dataset(name, **params)
    y = np.unique(np.asarray(data.y), return_inverse=True)[1]
    return data.X.to_numpy(dtype=float), y, list(data.X.columns)


def errors_of(tree, X, y):
    """Training errors of a tree of depth two, row by row."""
    wrong = 0
    first = X[:, tree.root.feature] <= tree.root.threshold
    for side, split in ((first, tree.first), (~first, tree.second)):
        inside = X[:, split.feature] <= split.threshold if split else np.ones(len(y), dtype=bool)
        for leaf in (side & inside, side & ~inside):
            wrong += leaf.sum() - np.bincount(y[leaf], minlength=1).max()
    return wrong


@pytest.mark.kernel
@pytest.mark.parametrize("seed", range(40))
def test_every_candidate_has_the_errors_of_its_best_tree(seed):
    X, y, n_classes = random_set(seed)
    found = lookahead(X, y, np.arange(len(y)), n_classes)
    twin = naive_landscape.two_levels(X, y, naive_landscape.errors)
    assert found.exact
    rows = list(zip(found.feature.tolist(), found.threshold.tolist(), found.errors, strict=True))
    assert rows == twin
    if twin:
        assert found.best.errors == min(row[2] for row in twin)
        for tree in (found.greedy, found.greedy_root, found.best):
            assert errors_of(tree, X, y) == tree.errors
        assert found.greedy.errors >= found.greedy_root.errors >= found.best.errors


@pytest.mark.parametrize(
    ("name", "params", "greedy", "best", "root"),
    [
        ("xor", {}, 194, 4, None),
        ("iris", {}, 6, 6, ("petal length", 2.45)),
        ("breast_cancer", {}, 33, 22, ("worst smoothness", 0.1355)),
        ("waveform", {"n_samples": 1000}, 270, 248, ("x11", None)),
        pytest.param(
            "waveform", {"n_samples": 5000}, 1419, 1389, ("x11", None), marks=pytest.mark.slow
        ),
    ],
)
def test_what_greed_costs_on_known_data(name, params, greedy, best, root):
    X, y, names = of(name, **params)
    found = lookahead(X, y, np.arange(len(y)), int(y.max()) + 1)
    assert found.exact
    assert (found.greedy.errors, found.best.errors) == (greedy, best)
    cart = CARTClassifier(max_depth=2).fit(X, y)
    assert np.count_nonzero(cart.predict(X) != y) == greedy
    if root is not None:
        assert names[found.best.root.feature] == root[0]
        assert root[1] is None or found.best.root.threshold == pytest.approx(root[1])


def test_candidates_are_those_of_the_table_and_it_says_how_far_it_is():
    X, y, _ = of("iris")
    rows = np.arange(40, 150)
    found = lookahead(presort(X), y, rows, 3)
    table = candidate_table(X, y, rows, 3, criteria=("gini",))
    np.testing.assert_array_equal(found.feature, table.feature)
    np.testing.assert_array_equal(found.threshold, table.threshold)
    steps = lookahead_in_steps(X, y, np.arange(150), 3)
    shares = list(steps)
    assert shares == [0.25, 0.5, 0.75, 1.0]


def test_above_the_limit_the_most_telling_features_are_looked_at(monkeypatch):
    X, y, _ = of("breast_cancer")
    whole = lookahead(X, y, np.arange(len(y)), 2)
    monkeypatch.setattr(module, "MOST_STEPS", 1e6)
    part = lookahead(X, y, np.arange(len(y)), 2)
    assert not part.exact
    assert len(part.features) == 12
    looked_at = np.isin(part.feature, part.features)
    assert np.isnan(part.errors[~looked_at]).all()
    assert (part.errors[looked_at] >= whole.errors[looked_at]).all()
    assert part.best.errors >= whole.best.errors


@pytest.mark.parametrize("X", [np.zeros((4, 2)), np.zeros((1, 2)), np.zeros((0, 2))])
def test_nothing_to_split(X):
    y = np.zeros(len(X), dtype=np.intp)
    found = lookahead(X, y, np.arange(len(X)), 2)
    assert found.best is None
    assert found.greedy is None
    assert found.leaf_errors == 0
    assert len(found.errors) == 0


def test_one_class_needs_no_children():
    X = np.arange(6.0).reshape(-1, 1)
    found = lookahead(X, np.ones(6, dtype=np.intp), np.arange(6), 2)
    assert found.best.errors == 0
    assert found.best.first is None
    assert found.best.second is None


@pytest.mark.kernel
@pytest.mark.parametrize("seed", range(40))
def test_every_candidate_has_the_impurity_of_its_purest_tree(seed):
    X, y, n_classes = random_set(seed)
    found = lookahead_gini(X, y, np.arange(len(y)), n_classes)
    twin = naive_landscape.two_levels(X, y, naive_landscape.impurity)
    twin = [(f, low, cost / len(y)) for f, low, cost in twin]
    assert found.feature.tolist() == [row[0] for row in twin]
    assert found.threshold.tolist() == [row[1] for row in twin]
    np.testing.assert_allclose(found.gini, [row[2] for row in twin], atol=1e-12)
    if twin:
        assert found.best == pytest.approx(min(row[2] for row in twin), abs=1e-12)
        assert found.greedy >= found.best - 1e-12


@pytest.mark.parametrize(
    ("name", "params", "greedy", "best"),
    [
        ("xor", {}, 0.486247, 0.019704),
        ("iris", {}, 0.073537, 0.055710),
        pytest.param("breast_cancer", {}, 0.077658, 0.073634, marks=pytest.mark.slow),
        pytest.param("waveform", {"n_samples": 1000}, 0.401745, 0.391241, marks=pytest.mark.slow),
    ],
)
def test_what_greed_costs_in_impurity_on_known_data(name, params, greedy, best):
    X, y, names = of(name, **params)
    found = lookahead_gini(X, y, np.arange(len(y)), int(y.max()) + 1)
    assert (found.greedy, found.best) == pytest.approx((greedy, best), abs=6e-7)
    tree = CARTClassifier(max_depth=2).fit(X, y).tree_
    leaf = tree.n_children == 0
    assert found.greedy == pytest.approx(tree.impurity[leaf] @ tree.n_node_samples[leaf] / len(y))
    if name == "iris":
        at = int(found.gini.argmin())
        assert names[found.feature[at]] == "petal length"
        below, above = found.threshold[at], np.unique(X[:, found.feature[at]])
        assert (below + above[above > below][0]) / 2 == pytest.approx(4.75)
