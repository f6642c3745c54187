"""Two criteria, node by node, and four criteria, split by split."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from lastviz._params import Param
from lastviz.estimators import ESTIMATORS
from lastviz.inspection import divergence
from lastviz.plots import Points, flow_tree_plot, number, plain_split, successive_splits_plot
from lastviz.tree import Tree
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute import cache
from lastviz.ui.shared.figures import words
from lastviz.ui.shared.model_title import model_title
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.shared.plane import Plane, plane_of
from lastviz.ui.state.selection import MAX_MODELS, Model, Selection
from lastviz.ui.text import plural, t

from .controls import table_twin
from .scene import SplitScene

__all__ = ["growth_compared", "panels"]

PANEL_CRITERIA = {"gini": "Gini", "bnm": "BNM", "csn": "CSN", "bnm+csn": "BNM + CSN"}
SUCCESSIVE = 4
MOST_NODES = 1000  # rows of a table


def growth_compared(scene: SplitScene) -> None:
    """Draw the trees of the first two models beside each other and where they first differ."""
    selection = scene.at.selection
    if len(selection.models) < 2:
        sentence = "Choose a second model at the left to see where the two trees first part."
        st.info(t(sentence))
        return
    fitted = [cache.fitted(selection, place) for place in (0, 1)]
    trees = [model.estimator.grown_tree_ for model in fitted]
    walk = divergence(*trees)
    at = walk.parting
    found = None if at < 0 else (int(walk.first[at]), int(walk.second[at]))
    st.markdown(_divergence_words(scene, trees, found))
    names = class_names_of(scene.dataset)
    for place, column in enumerate(st.columns(2, gap="medium")):
        node = None if found is None else found[place]
        with column:
            st.markdown(f"**{model_title(selection, place)}**")
            figure = flow_tree_plot(
                trees[place],
                theme=scene.at.theme,
                selected=node,
                path=trees[place].path(node) if node is not None else None,
                height=300,
                width_hint=560,
                class_names=names,
                words=words(),
            )
            title, n = model_title(selection, place), trees[place].n_nodes
            chart(
                figure,
                key=f"two{place}",
                height=figure.layout.height,
                alt=t("{title}: {n} nodes", title=title, n=n),
                filename=f"tree-{place + 1}",
            )
            table_twin(f"two_table{place}", partial(_nodes_table, trees[place], names))


def _nodes_table(tree: Tree, class_names: tuple[str, ...]) -> pd.DataFrame:
    """Return the nodes of a tree as rows, the root first."""
    shown = range(min(tree.n_nodes, MOST_NODES))
    return pd.DataFrame(
        {
            t("node"): shown,
            t("depth"): tree.depth[: len(shown)],
            t("rows"): tree.n_node_samples[: len(shown)],
            t("test"): [plain_split(tree, node) for node in shown],
            t("class"): [class_names[k] for k in tree.prediction[: len(shown)]],
        }
    )


def _divergence_words(scene: SplitScene, trees: list, found: tuple[int, int] | None) -> str:
    if found is None:
        return t("The two trees make the same splits at every node that both have.")
    depth = int(trees[0].depth[found[0]])
    where = t("at the root") if depth == 0 else plural(depth, "{n} level down", "{n} levels down")
    tests = [
        plain_split(tree, node) or t("a leaf") for tree, node in zip(trees, found, strict=True)
    ]
    return t(
        "They first part **{where}**, at {n} rows: **{left}** against **{right}**.",
        where=where,
        n=number(int(trees[0].n_node_samples[found[0]])),
        left=tests[0],
        right=tests[1],
    )


def panels(scene: SplitScene) -> None:
    """Draw the successive splits of four criteria in the plane, as sixteen small pictures."""
    selection = _with_criteria(scene.at.selection)
    plane = plane_of(selection, alone=True)
    if plane.is_slice or plane.features[0] == plane.features[1]:
        st.info(t("Sixteen small pictures need data with exactly two features, such as XOR."))
        return
    rows, trees = [], {}
    for place, title in enumerate(PANEL_CRITERIA.values()):
        estimator = cache.fitted(selection, place).estimator
        regions = cache.regions(selection, place, plane.view, plane.features, plane.at)
        tree = trees[title] = estimator.tree_
        size = plural(tree.n_leaves, "{n} leaf", "{n} leaves")
        rows.append((f"{title}<br><span style='font-size:14px'>{size}<br>"
                     f"{t('depth {n}', n=tree.max_depth)}</span>", regions))  # fmt: skip
    st.caption(t("The first four splits of each tree, level by level; the newest one in ink."))
    figure = successive_splits_plot(
        rows,
        _training_points(selection, plane),
        SUCCESSIVE,
        theme=scene.at.theme,
        class_names=scene.class_names,
        view=plane.view,
        split_word=t("split {n}", n="{n}"),
    )
    chart(
        figure,
        key="panels",
        height=figure.layout.height,
        alt=t("Successive splits by {names}", names=", ".join(PANEL_CRITERIA.values())),
        filename="splits",
    )
    table_twin("panels_table", partial(_first_splits, trees))


def _first_splits(trees: Mapping[str, Tree]) -> pd.DataFrame:
    """Return the first splits of each tree, level by level."""
    rows = []
    for title, tree in trees.items():
        inner = np.flatnonzero(tree.n_children)
        first = inner[np.argsort(tree.depth[inner], kind="stable")][:SUCCESSIVE]
        for place, node in enumerate(first.tolist(), start=1):
            size = int(tree.n_node_samples[node])
            rows.append((title, place, int(tree.depth[node]), size, plain_split(tree, node)))
    heads = (t("criterion"), t("split"), t("depth"), t("rows"), t("test"))
    return pd.DataFrame(rows, columns=list(heads))


def _with_criteria(selection: Selection) -> Selection:
    """Return the selection with the four criteria as its models, parameters kept."""
    own = selection.models[0]
    key = next(key for key, entry in ESTIMATORS.items() if _offers_all(entry.cls.PARAMS))
    kept = tuple(p for p in own.params if p[0] != "criterion") if own.key == key else ()
    models = [
        Model(key, tuple(sorted((*kept, ("criterion", criterion))))) for criterion in PANEL_CRITERIA
    ]
    return selection.change(models=tuple(models[:MAX_MODELS]))


def _offers_all(params: Sequence[Param]) -> bool:
    """Tell whether an algorithm with these parameters can grow by each of the criteria."""
    offered = [param.choices for param in params if param.name == "criterion"]
    return bool(offered) and set(PANEL_CRITERIA) <= set(offered[0])


def _training_points(selection: Selection, plane: Plane) -> Points:
    divided = cache.division(selection)
    rows = divided.train_rows
    return Points.plain(plane.x[rows], plane.y[rows], divided.y[rows], rows + 1)
