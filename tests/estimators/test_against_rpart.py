"""CART against rpart's trees (fixtures with the commands that made them in fixtures/rpart)."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from lastviz import CARTRegressor
from lastviz.pruning import cost_complexity_path

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
