"""CART against scikit-learn's trees: walked in step until a tie lets them part."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier

from lastviz import CARTClassifier
from lastviz.inspection import split_search
from tests.conftest import waveform

DATA = {
    "iris": lambda: load_iris(return_X_y=True),
    "wine": lambda: load_wine(return_X_y=True),
    "breast_cancer": lambda: load_breast_cancer(return_X_y=True),
    "waveform": lambda: waveform(1000, seed=4),
}


def best_is_unique(estimator, X, y, node):
    """Whether the best candidate is at least 1e-9 better than the second."""
    search = split_search(estimator, X, y, node)
    scores = np.sort(search.columns[search.rule.stages[-1].column])
    return len(scores) < 2 or scores[-1] - scores[-2] >= 1e-9


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("data", DATA)
def test_the_trees_are_the_same_where_nothing_ties(data, criterion):
    X, y = DATA[data]()
    X = X.astype(np.float32).astype(np.float64)
    ours = CARTClassifier(criterion=criterion).fit(X, y)
    theirs = DecisionTreeClassifier(criterion=criterion, random_state=0).fit(X, y).tree_
    tree, width = ours.tree_, np.ptp(X, axis=0)
    compared = 0
    waiting = [(0, 0, np.arange(len(X)))]
    while waiting:
        node, other, rows = waiting.pop()
        assert tree.is_leaf(node) == (theirs.children_left[other] < 0)
        if tree.is_leaf(node):
            continue
        feature, threshold = theirs.feature[other], theirs.threshold[other]
        inside = X[rows, feature] <= threshold
        if best_is_unique(ours, X, y, node):
            compared += 1
            assert tree.feature[node] == feature
            assert abs(tree.threshold[node] - threshold) <= 1e-6 * width[feature]
        elif (inside != (X[rows, tree.feature[node]] <= tree.threshold[node])).any():
            continue  # a tie, which the two break in different ways
        first, second = tree.children(node)
        waiting.append((first, theirs.children_left[other], rows[inside]))
        waiting.append((second, theirs.children_right[other], rows[~inside]))
    assert compared >= 3


@pytest.mark.parametrize("max_leaf_nodes", [2, 5, 17])
def test_best_first_finds_the_same_leaves(max_leaf_nodes):
    X, y = waveform(1000, seed=4)
    X = X.astype(np.float32).astype(np.float64)
    ours = CARTClassifier(max_leaf_nodes=max_leaf_nodes).fit(X, y)
    theirs = DecisionTreeClassifier(max_leaf_nodes=max_leaf_nodes, random_state=0).fit(X, y)
    assert ours.tree_.n_leaves == max_leaf_nodes
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
