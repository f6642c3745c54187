"""Two criteria, node by node, and four criteria, split by split."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from lastviz._params import Param
from lastviz.estimators import ESTIMATORS
from lastviz.inspection import divergence
from lastviz.plots import Points, flow_tree_plot, number, plain_split, successive_splits_plot
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute import cache
from lastviz.ui.shared.figures import words
from lastviz.ui.shared.model_title import model_title
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.shared.plane import Plane, plane_of
from lastviz.ui.state.selection import MAX_MODELS, Model, Selection
from lastviz.ui.text import plural, t

from .scene import SplitScene

__all__ = ["growth_compared", "panels"]

PANEL_CRITERIA = {"gini": "Gini", "bnm": "BNM", "csn": "CSN", "bnm+csn": "BNM + CSN"}
SUCCESSIVE = 4


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
                height=figure.height,
                alt=t("{title}: {n} nodes", title=title, n=n),
                filename=f"tree-{place + 1}",
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
    rows = []
    for place, title in enumerate(PANEL_CRITERIA.values()):
        estimator = cache.fitted(selection, place).estimator
        regions = cache.regions(selection, place, plane.view, plane.features, plane.at)
        tree = estimator.tree_
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
        height=figure.height,
        alt=t("Successive splits by {names}", names=", ".join(PANEL_CRITERIA.values())),
        filename="splits",
    )


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
