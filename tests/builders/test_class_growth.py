"""Small subtrees of classes grow by kernels of their own, to the same trees."""

import numpy as np
import pytest

from lastviz import C45Classifier, CARTClassifier, REMTClassifier
from lastviz.builders import Stop, ThresholdGrowth, growth
from lastviz.criteria import CRITERIA
from lastviz.splitters import presort
from lastviz.splitters.threshold.choice_kernels import Choice

FIELDS = (
    *("parent", "first_child", "depth", "kind", "feature", "threshold", "score", "impurity"),
    *("value", "prediction", "start", "end", "key", "samples"),
)
CART = Choice(
    CRITERIA["gini"].code, 1.0, 1, release_8=False, mdl_correction=False, average_gain=False,
    needs_gain=False, raw_scores_decide=True,
)  # fmt: skip
C45 = Choice(
    CRITERIA["gain_ratio"].code, 1.0, 2, release_8=True, mdl_correction=True, average_gain=True,
    needs_gain=True, raw_scores_decide=False,
)  # fmt: skip
CHOICES = {
    "gini": CART,
    "entropy": CART._replace(criterion=CRITERIA["gain"].code),
    "c45": C45,
    "gain ratio of every feature": C45._replace(mdl_correction=False, average_gain=False),
    "gain less its correction": C45._replace(criterion=CRITERIA["gain"].code),
    "values as thresholds": CART._replace(cut_at_value=True),
    "enough": CART._replace(least_score=0.004),
}
COLUMNS = {
    "numbers": lambda rng, shape: rng.normal(size=shape),
    "few values": lambda rng, shape: rng.integers(0, 5, shape).astype(float),
    "two values": lambda rng, shape: rng.integers(0, 2, shape).astype(float),
    "constants": lambda rng, shape: rng.integers(0, 4, shape) * (np.arange(shape[1]) % 2) + 0.5,
    "far from 0": lambda rng, shape: 1e9 + rng.normal(size=shape),
}


def made(seed, columns, n, m, n_classes):
    """Columns of a kind, one of them the same twice and one mirrored, and partly random classes."""
    rng = np.random.default_rng(seed)
    X = COLUMNS[columns](rng, (n, m))
    if m > 3:
        X[:, 2], X[:, 3] = X[:, 1], -X[:, 0]
    y = np.abs(3 * (X[:, -1] - X[0, -1])).astype(int) % n_classes
    return X, np.where(rng.random(n) < 0.4, rng.integers(0, n_classes, n), y)


def grown(X, y, n_classes, choice, stop):
    whole = ThresholdGrowth(presort(X), y, n_classes, choice, stop).run()
    names = tuple(f"x{f}" for f in range(X.shape[1]))
    return whole, whole.tree(names, np.arange(n_classes), CRITERIA["gini"])


def assert_same_growth(X, y, n_classes, choice, stop, monkeypatch):
    ours, tree = grown(X, y, n_classes, choice, stop)
    with monkeypatch.context() as patch:
        patch.setattr(growth, "BLOCK_ROWS", 0)
        theirs, expected = grown(X, y, n_classes, choice, stop)
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(tree, name), getattr(expected, name), err_msg=name)
    for one, other in zip(ours.events, theirs.events, strict=True):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(ours.rows, theirs.rows)
    np.testing.assert_array_equal(
        ours.nodes.priority[: ours.n_nodes], theirs.nodes.priority[: theirs.n_nodes]
    )
    return tree


@pytest.mark.kernel
@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("choice", CHOICES)
def test_the_trees_are_those_of_the_growth_column_by_column(choice, columns, monkeypatch):
    n_nodes = 0
    for seed, (n, m, n_classes) in enumerate([(1, 2, 2), (2, 1, 2), (60, 4, 3), (90, 5, 26)]):
        X, y = made(seed, columns, n, m, n_classes)
        tree = assert_same_growth(X, y, n_classes, CHOICES[choice], Stop(-1, 2, 0), monkeypatch)
        n_nodes += tree.n_nodes
    assert n_nodes > 6


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("choice", CHOICES)
def test_large_trees_are_those_of_the_growth_column_by_column(choice, columns, monkeypatch):
    for seed, n_classes in enumerate((2, 5, 26, 300)):
        X, y = made(seed, columns, 2500, 6, n_classes)
        assert_same_growth(X, y, n_classes, CHOICES[choice], Stop(-1, 2, 0), monkeypatch)


@pytest.mark.parametrize("stop", [Stop(0, 2, 0), Stop(5, 2, 0), Stop(-1, 9, 0), Stop(-1, 2, 25)])
@pytest.mark.parametrize("least", [1, 2, 7, 60])
@pytest.mark.parametrize("choice", CHOICES)
def test_limits_do_the_same(choice, least, stop, monkeypatch):
    choice = CHOICES[choice]._replace(min_samples_leaf=least)
    for columns in ("numbers", "few values"):
        X, y = made(7, columns, 900, 5, 4)
        tree = assert_same_growth(X, y, 4, choice, stop, monkeypatch)
        assert (tree.n_nodes > 1) == (stop.max_depth != 0)


@pytest.mark.parametrize("cls", [CARTClassifier, C45Classifier, REMTClassifier])
def test_estimators_learn_the_same(cls, monkeypatch):
    X, y = made(3, "numbers", 1500, 6, 6)
    tree = cls().fit(X, y).tree_
    monkeypatch.setattr(growth, "BLOCK_ROWS", 0)
    expected = cls().fit(X, y).tree_
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(tree, name), getattr(expected, name), err_msg=name)
