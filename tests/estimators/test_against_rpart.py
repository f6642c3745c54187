"""CART against rpart's trees (fixtures with the commands that made them in fixtures/rpart)."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from lastviz import CARTClassifier, CARTRegressor
from lastviz.pruning import cost_complexity_path
from lastviz.tree import Kind

FOLDER = Path(__file__).resolve().parent.parent / "fixtures" / "rpart"


def fixture(name):
    return pd.read_csv(FOLDER / f"{name}.csv", skipinitialspace=True)


def rpart_order(tree):
    """Our nodes by rpart's numbers: the root is 1, the children of i are 2 i and 2 i + 1."""
    number = {0: 1}
    for node in range(1, tree.n_nodes):
        parent = tree.parent[node]
        number[node] = 2 * number[parent] + node - tree.first_child[parent]
    return {rpart: node for node, rpart in number.items()}


def test_table_5_2_is_rparts_tree():
    data, frame = fixture("table_5_2"), fixture("table_5_2_frame")
    tree = CARTRegressor().fit(data[["x"]], data["y"]).tree_
    ours = rpart_order(tree)
    assert set(ours) == set(frame["node"])
    for row in frame.itertuples():
        node = ours[row.node]
        assert tree.n_node_samples[node] == row.n
        assert tree.prediction[node] == pytest.approx(row.yval, abs=1e-12)
        assert tree.impurity[node] * row.n == pytest.approx(row.dev, abs=1e-12)
        np.testing.assert_equal(tree.threshold[node], row.threshold)


def test_table_5_2_has_rparts_cptable():
    data, table = fixture("table_5_2"), fixture("table_5_2_cptable")
    tree = CARTRegressor().fit(data[["x"]], data["y"]).tree_
    path = cost_complexity_path(tree, "squared_error")
    root = tree.impurity[0]
    np.testing.assert_allclose(path.alpha[::-1] / root, table["CP"], atol=1e-12)
    np.testing.assert_array_equal(path.n_leaves[::-1] - 1, table["nsplit"])
    np.testing.assert_allclose(path.risk[::-1] / root, table["rel error"], atol=1e-12)


def walk_mixed(tree, frame, X, *, whole):
    """Compare node by node; where rpart stops (`whole` False) ours may go on."""
    ours, number = {1: 0}, {row.node: row for row in frame.itertuples()}
    waiting = [(1, np.arange(len(X)))]
    compared = 0
    while waiting:
        key, rows = waiting.pop()
        node, row = ours[key], number[key]
        assert tree.n_node_samples[node] == row.n == len(rows)
        if row.var == "<leaf>":
            assert tree.is_leaf(node) or not whole
            continue
        if row.var == "shape":
            first = X["shape"].iloc[rows].isin(list(row.left)).to_numpy()
        else:
            first = (X["x"].iloc[rows] <= row.threshold).to_numpy() == row.below
        assert tree.feature_names[tree.feature[node]] == row.var
        if row.var == "x":
            assert tree.threshold[node] == pytest.approx(row.threshold, abs=1e-9)
        held = [set(tree.node_samples(child)[0]) for child in tree.children(node)]
        sides = [rows[first], rows[~first]]
        flipped = held[0] != set(sides[0])
        assert set(sides[0]) == held[int(flipped)]
        compared += 1
        for branch, side in enumerate(sides):
            ours[2 * key + branch] = tree.first_child[node] + (branch ^ int(flipped))
            waiting.append((2 * key + branch, side))
    return compared


def test_nominal_regression_is_rparts_tree():
    data, frame = fixture("mixed"), fixture("mixed_anova_frame")
    X = data[["shape", "x"]]
    tree = CARTRegressor(min_samples_leaf=10).fit(X, data["y"]).tree_
    assert (tree.kind == Kind.CATEGORIES).any()
    assert walk_mixed(tree, frame, X, whole=True) == (frame["var"] != "<leaf>").sum() > 5
    path = cost_complexity_path(tree, "squared_error")
    table = fixture("mixed_anova_cptable")
    np.testing.assert_allclose(
        path.alpha[::-1][:-1] / tree.impurity[0], table["CP"][:-1], atol=1e-9
    )
    np.testing.assert_allclose(path.risk[::-1] / tree.impurity[0], table["rel error"], atol=1e-9)


def test_nominal_classes_split_as_rparts():
    data, frame = fixture("mixed"), fixture("mixed_class_frame")
    X = data[["shape", "x"]]
    fitted = CARTClassifier(min_samples_leaf=10).fit(X, data["class"])
    assert fitted.categories_ == (tuple("abcdefgh"), None)
    assert walk_mixed(fitted.tree_, frame, X, whole=False) == (frame["var"] != "<leaf>").sum() > 3
