"""The numbers of the figures of the page *textbook* as tables."""

from __future__ import annotations

import numpy as np
import pandas as pd

from lastviz.inspection import ImpurityCurves, NominalTable, Partition, Steps
from lastviz.plots import Curve
from lastviz.tree import Tree
from lastviz.ui.text import t

from .scene import place_of


def nodes_table(tree: Tree, class_names: tuple[str, ...]) -> pd.DataFrame:
    """Return the nodes of a tree: what leads to them, what they ask or say, their rows."""
    nodes = range(tree.n_nodes)
    leaf = [tree.is_leaf(node) for node in nodes]
    tests = ["" if leaf[n] else tree.feature_names[int(tree.feature[n])] for n in nodes]
    table = {
        t("node"): list(nodes),
        t("reached by"): [place_of(tree, n) for n in nodes],
        t("test"): tests,
        t("class"): [class_names[int(tree.prediction[n])] for n in nodes],
        t("rows"): tree.n_node_samples,
    }
    for k, name in enumerate(class_names):
        table[t("rows of {name}", name=name)] = tree.value[:, k]
    return pd.DataFrame(table)


def curves_table(curves: ImpurityCurves, shown: tuple[Curve, ...]) -> pd.DataFrame:
    """Return the curves of impurity over p, as they are drawn."""
    values = {curve.name: curve.of(curves) for curve in shown}
    return pd.DataFrame({"p": curves.p, **values})


def cells_table(cells: Partition, tree: Tree, table: NominalTable) -> pd.DataFrame:
    """Return every combination of categories with its class and its rows."""
    n_y, n_x = cells.node.shape
    y, x = (place.ravel() for place in np.indices((n_y, n_x)))
    columns = {}
    for features, codes, place in (
        (cells.x_features, cells.x_codes, x),
        (cells.y_features, cells.y_codes, y),
    ):
        for level, feature in enumerate(features):
            names = np.array(table.categories[feature], dtype=object)
            columns[table.features[feature]] = names[codes[place, level]]
    rows = np.bincount(cells.cell[:, 1] * n_x + cells.cell[:, 0], minlength=n_y * n_x)
    names = np.array(table.classes, dtype=object)
    columns[t("class")] = names[tree.prediction[cells.node.ravel()]]
    return pd.DataFrame({**columns, t("rows"): rows})


def steps_table(steps: Steps) -> pd.DataFrame:
    """Return the nodes of a regression tree: their intervals, rows, means and losses."""
    return pd.DataFrame(
        {
            t("depth"): steps.depth,
            t("x above"): steps.low,
            t("x up to"): steps.high,
            t("leaf"): steps.leaf,
            t("rows"): steps.n_samples,
            t("mean"): steps.mean,
            t("loss"): steps.loss,
        }
    )
