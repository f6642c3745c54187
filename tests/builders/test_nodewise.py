"""Growth with splitters written in Python: thresholds again, and hyperplanes."""

import numpy as np
import pytest

from lastviz import C45Classifier
from lastviz._random import ROOT_KEY, child_keys
from lastviz.builders import NodewiseGrowth, Stop
from lastviz.criteria import CRITERIA
from lastviz.estimators.reading import TrainingData
from lastviz.pruning import prune_error_based
from lastviz.splitters import (
    NodeContext,
    ObliqueSplit,
    context_of,
    presort,
    same_split,
    stored_split,
)
from lastviz.tree import Action, Kind, Reason
from tests import naive
from tests.conftest import waveform

NAMES, CLASSES = tuple(f"x{i}" for i in range(21)), np.arange(3)
ENTROPY = CRITERIA["gain_ratio"]


class OneByOne:
    """C4.5's splitter, asked for one winner after the other."""

    def __init__(self, X, y):
        data = TrainingData.of_sorted(presort(X), y, 3)
        self.splitter = C45Classifier().recipe(data).splitter()
        self.root, self.child = self.splitter.root, self.splitter.child

    def best(self, context):
        return self.splitter.search(context).split or Reason.NO_GAIN


class RandomPlanes:
    """The best by Gini of a few hyperplanes through pairs of rows, or one of its axes."""

    def __init__(self, X, y, weights=None):
        self.X, self.y = X, y
        self.weights = np.ones(len(X)) if weights is None else weights

    def root(self):
        rows = np.arange(len(self.X))
        return NodeContext(rows, self.weights, depth=0, key=int(ROOT_KEY))

    def best(self, context):
        rng = np.random.default_rng(context.key)
        here, y = self.X[context.rows], self.y[context.rows]
        found = []
        for _ in range(6):
            a, b = here[rng.integers(0, len(here), 2)]
            w = a - b
            inside = here @ w <= (a + b) @ w / 2
            if 0 < inside.sum() < len(here):
                sides = [np.bincount(y[s], minlength=3) for s in (inside, ~inside)]
                score = naive.gain(*sides, naive.gini)
                found.append((score, len(found), ObliqueSplit(w, float((a + b) @ w / 2), score)))
        return max(found)[2] if found else Reason.NO_CANDIDATE

    def child(self, context, split, branch):
        inside = (self.X[context.rows] @ split.weights <= split.threshold) == (branch == 0)
        key = int(child_keys(np.uint64(context.key), np.asarray(branch)))
        return NodeContext(
            context.rows[inside], context.weights[inside], context.depth + 1, key, branch
        )


@pytest.fixture(scope="module")
def planes():
    X, y = waveform(250, seed=3)
    splitter = RandomPlanes(X, y)
    growth = NodewiseGrowth(splitter, y, 3, Stop(-1, 2, 0)).run()
    return X, y, splitter, growth, growth.tree(NAMES, CLASSES, ENTROPY)


@pytest.mark.kernel
def test_thresholds_one_by_one_grow_the_tree_of_the_kernel():
    X, y = waveform(200, seed=1)
    growth = NodewiseGrowth(OneByOne(X, y), y, 3, Stop(-1, 4, 0))
    events = list(growth)
    tree = growth.tree(tuple(f"x{i + 1}" for i in range(21)), CLASSES, ENTROPY,
                       keep_parents_class=True)  # fmt: skip
    fitted = C45Classifier(pruning="none").fit(X, y)
    tree.validate(X)
    for name in ("parent", "feature", "threshold", "kind", "value", "prediction", "start", "key"):
        np.testing.assert_array_equal(getattr(tree, name), getattr(fitted.tree_, name))
    np.testing.assert_array_equal([e.node for e in events], fitted.growth_log_.node)
    np.testing.assert_array_equal(growth.log().n_samples, fitted.growth_log_.n_samples)


@pytest.mark.kernel
def test_rows_are_routed_along_hyperplanes(planes):
    X, _, _, _, tree = planes
    tree.validate(X)
    assert set(tree.kind) == {Kind.LEAF, Kind.OBLIQUE}
    fresh, _ = waveform(50, seed=9)
    for x, leaf in zip(fresh, tree.apply(fresh), strict=True):
        node = 0
        while not tree.is_leaf(node):
            split = stored_split(tree, node)
            node = tree.children(node)[0 if x @ split.weights <= split.threshold else 1]
        assert node == leaf


def test_every_node_of_an_oblique_tree_is_found_again(planes):
    _, _, splitter, growth, tree = planes
    for node in range(tree.n_nodes):
        context = context_of(splitter, tree, node)
        np.testing.assert_array_equal(context.rows, tree.node_samples(node)[0])
        assert context.key == tree.key[node]
        if not tree.is_leaf(node):
            assert same_split(splitter.best(context), stored_split(tree, node))
    log = growth.log()
    assert (log.action == Action.SPLIT).sum() == len(tree.oblique) == (tree.n_children > 0).sum()
    assert np.isfinite(log.score[log.action == Action.SPLIT]).all()


def test_pruning_keeps_the_hyperplanes_with_their_nodes(planes):
    X, y, _, _, grown = planes
    columns = np.ascontiguousarray(X.T)
    tree, log = prune_error_based(grown, columns, y, ENTROPY.impurity, confidence=0.1)
    tree.validate(X)
    assert 1 < tree.n_nodes < grown.n_nodes
    assert (log.action == Action.RAISE).any(), "the data should show subtree raising"
    for node in np.flatnonzero(tree.n_children > 0):
        assert same_split(stored_split(tree, node), stored_split(grown, tree.grown_node[node]))


def test_weighted_rows_count_with_their_weights():
    X, y = waveform(80, seed=4)
    weights = np.random.default_rng(0).integers(1, 4, 80).astype(float)
    growth = NodewiseGrowth(RandomPlanes(X, y, weights), y, 3, Stop(2, 2, 0)).run()
    tree = growth.tree(NAMES, CLASSES, ENTROPY)
    tree.validate(X)
    assert tree.max_depth == 2
    np.testing.assert_allclose(tree.value[0], np.bincount(y, weights, 3))
    assert Reason.MAX_DEPTH in growth.log().reason


def test_a_split_that_parts_nothing_is_refused():
    X, y = waveform(20, seed=4)
    splitter = RandomPlanes(X, y)
    splitter.best = lambda context: ObliqueSplit(np.zeros(21), 1.0, 0.0)
    with pytest.raises(RuntimeError, match="parts its rows into"):
        NodewiseGrowth(splitter, y, 3, Stop(-1, 2, 0)).run()
