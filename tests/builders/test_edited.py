"""Parts of a tree that grow by themselves are the parts of the tree that grew at once."""

import numpy as np
import pytest

from lastviz import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    LSODTClassifier,
    OC1Classifier,
    REMTClassifier,
)
from lastviz.builders import EditedGrowth, Grown
from lastviz.datasets import DATASETS, load_dataset
from lastviz.splitters.edits import path_of
from tests.credit import credit_table
from tests.estimators.test_every_estimator import VARIED, samples
from tests.same_trees import differences

BY_NODE = [e for e in VARIED if getattr(e, "max_leaf_nodes", None) is None]
SETS = [key for key in DATASETS if key not in ("loan", "five_rows")]
DEFAULTS = list({str(e): e for e in BY_NODE if str(e) == str(type(e)())}.values())
MORE = [
    CARTClassifier(criterion="entropy"),
    OC1Classifier(n_restarts=1),
    LSODTClassifier(levels=3),
    LSODTClassifier(levels=None),
]
NUMBERS = [
    CARTRegressor(),
    CARTRegressor(max_features=1),
    CARTRegressor(min_samples_leaf=4, min_impurity_decrease=0.01),
]


class Apart(EditedGrowth):
    """Grows the nodes of a path one by one, and what hangs beside and below it by itself."""

    def __init__(self, family, path, before=None):
        super().__init__(family, (), before)
        self._touched = {path[:k] for k in range(len(path) + 1)}


def grown_apart(estimator, X, y, node, before=None):
    """Return the tree and the log of a fitted estimator, grown in parts along a node's path."""
    recipe = estimator.recipe(estimator._read_again(X, y, None))
    growth = Apart(recipe.family(), path_of(estimator.grown_tree_, node), before).run()
    return recipe.tree(growth), growth.log()


def assert_grows_again(estimator, X, y, nodes):
    grown, log = estimator.grown_tree_, estimator.growth_log_
    for node in nodes:
        tree, events = grown_apart(estimator, X, y, int(node))
        assert differences(grown, tree) == [], node
        for name in ("node", "action", "n_samples", "score", "reason", "branch"):
            at_once = getattr(log, name)[: log.n_growth_events]
            np.testing.assert_array_equal(getattr(events, name), at_once)


def some(tree, count=3):
    """The root, the last node, and some others."""
    rng = np.random.default_rng(tree.n_nodes)
    return {0, tree.n_nodes - 1, *rng.integers(0, tree.n_nodes, count).tolist()}


@pytest.mark.parametrize("estimator", BY_NODE, ids=str)
@pytest.mark.parametrize("data", ["wine", pytest.param("tied", marks=pytest.mark.ci)])
def test_any_node_grows_again_bit_for_bit(estimator, data):
    X, y = samples(data)
    estimator.fit(X, y)
    assert_grows_again(estimator, X, y, some(estimator.grown_tree_))


@pytest.mark.parametrize("estimator", NUMBERS, ids=str)
def test_any_node_of_a_regression_tree_grows_again(estimator):
    data = load_dataset("friedman", n_samples=200, random_state=0)
    estimator.fit(data.X, data.y)
    assert_grows_again(estimator, data.X, data.y, some(estimator.grown_tree_))


@pytest.mark.parametrize("estimator", [CARTClassifier(), C45Classifier()], ids=str)
@pytest.mark.parametrize("weighted", [False, True])
def test_nominal_features_gaps_and_weights_grow_again(estimator, weighted):
    table = credit_table(300, seed=1)
    X, y = table.drop(columns="risk"), table["risk"]
    weight = np.random.default_rng(0).integers(0, 4, len(y)) if weighted else None
    estimator.fit(X, y, sample_weight=weight)
    assert_grows_again(estimator, X, y, some(estimator.grown_tree_))


def test_a_tree_of_categories_alone_grows_again():
    data = load_dataset("loan")
    for estimator in (ID3Classifier(), C45Classifier(), CARTClassifier()):
        estimator.fit(data.X, data.y)
        assert_grows_again(estimator, data.X, data.y, range(estimator.grown_tree_.n_nodes))


def test_rows_without_classes_take_part_again():
    X, y = samples("wine")
    known = np.arange(0, len(X), 2)
    estimator = LSODTClassifier(levels=3)
    estimator.fit(X[known], y[known], unlabelled=np.delete(X, known, axis=0))
    nodes = range(estimator.grown_tree_.n_nodes)
    assert_grows_again(estimator, X[known], y[known], nodes)


def test_what_no_edit_touches_is_taken_as_it_was():
    data = load_dataset("wine")
    estimator = CARTClassifier().fit(data.X, data.y)
    before = Grown(estimator.grown_tree_, estimator.growth_log_)
    for node in range(estimator.grown_tree_.n_nodes):
        tree, _ = grown_apart(estimator, data.X, data.y, node, before)
        assert differences(estimator.grown_tree_, tree) == []


@pytest.mark.slow
@pytest.mark.parametrize("estimator", [*DEFAULTS, *MORE, *NUMBERS], ids=str)
@pytest.mark.parametrize("name", SETS)
def test_every_node_of_every_set_grows_again(estimator, name):
    data = load_dataset(name)
    rows = np.linspace(0, len(data.y) - 1, 100).astype(int)
    X, y = data.X.iloc[rows], data.y.iloc[rows]
    if data.class_order is not None and isinstance(estimator, REMTClassifier):
        estimator.set_params(class_order=data.class_order)
    if estimator in NUMBERS:
        y = X.iloc[:, 0].rank() + np.arange(len(y)) % 7
    elif data.task == "regression" or (
        isinstance(estimator, REMTClassifier) and y.dtype.kind not in "iuf"
    ):
        pytest.skip("it learns other targets")
    estimator.fit(X, y)
    assert_grows_again(estimator, X, y, range(estimator.grown_tree_.n_nodes))
