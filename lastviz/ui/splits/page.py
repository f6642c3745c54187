"""The pictures of the page *splits*, and the numbers beside them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from lastviz.plots import (
    Points,
    distance_traces,
    feature_strips_plot,
    flow_tree_plot,
    number,
    padded,
    split_lab_plot,
)
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute import cache, nodes
from lastviz.ui.shared.figures import current_theme, words
from lastviz.ui.shared.headline import show
from lastviz.ui.state import session
from lastviz.ui.text import plural, t

from .formulas import formula_card
from .scene import SplitScene, split_scene
from .words import children, favourites, split_headline, stages

__all__ = ["SplitPictures", "numbers", "pictures", "prepared"]

FEATURE_ROWS = 6
TREE_HEIGHT = 170


@dataclass(frozen=True, eq=False)
class SplitPictures:
    """What the page shows: the scene and its figures.

    Attributes
    ----------
    scene : SplitScene
    lab, tree : plotly Figure
    features : plotly Figure or None
        The strips of many features; None where the plane shows them all.
    """

    scene: SplitScene
    lab: go.Figure
    tree: go.Figure
    features: go.Figure | None


def prepared() -> SplitPictures | None:
    """Work out what the page shows; None, with a sentence, if the model cannot be trained."""
    try:
        scene = split_scene()
    except ValueError as error:
        st.info(str(error))
        return None
    axes = _axes(scene)
    return SplitPictures(scene, _lab(scene, axes), _tree(scene), _features(scene, axes))


def _axes(scene: SplitScene) -> tuple[int, int]:
    """Return the features of the plane: the reader's, or those of the split and its best rival."""
    names = scene.tree.feature_names
    axes = session.current().axes
    if axes is not None and set(axes) <= set(names):
        return names.index(axes[0]), names.index(axes[1])
    if len(names) <= 2:
        return 0, len(names) - 1
    first = int(scene.table.feature[scene.lit]) if scene.lit is not None else 0
    ranked = _features_by_rank(scene)
    second = next(feature for feature in ranked if feature != first)
    return first, second


def _features_by_rank(scene: SplitScene) -> list[int]:
    """Return the features, those with the best candidates by the rule's first score first."""
    name = "stage" if "stage" in scene.columns else (scene.read or ("gini",))[0]
    best = np.full(len(scene.names), np.iinfo(np.intp).max)
    rank = scene.rank(name)
    np.minimum.at(best, scene.table.feature[rank > 0], rank[rank > 0])
    return np.argsort(best, kind="stable").tolist()


def _lab(scene: SplitScene, axes: tuple[int, int]) -> go.Figure:
    divided = cache.division(session.current())
    rows = divided.train_rows
    values = divided.values[rows]
    x = values[:, axes[0]]
    y = values[:, axes[1]] if axes[0] != axes[1] else np.linspace(0.0, 1.0, len(rows))
    points = Points.plain(x, y, divided.y[rows], rows + 1)
    inside = np.isin(rows, scene.rows)
    candidates = scene.candidates()
    distances = []
    measured = session.current().distances
    if measured != "none" and scene.lit is not None:
        geometry = scene.geometry(scene.lit)
        places = divided.values[:, list(axes)]
        distances = distance_traces(geometry, measured, axes, places, theme=current_theme())
    units = scene.dataset.units
    figure = split_lab_plot(
        points,
        inside,
        candidates,
        scene.strips(),
        theme=current_theme(),
        features=axes,
        feature_names=scene.tree.feature_names,
        class_names=scene.class_names,
        units=tuple(units.get(scene.tree.feature_names[f], "") for f in axes),
        distances=distances,
        view=padded(x[inside], y[inside]),
        words=words(),
        chosen_word=t("chosen"),
        picked_word=t("picked") if scene.picked is not None else t("this rule"),
    )
    figure.layout.uirevision = f"{cache.data_key(session.current())}|{scene.node}|{axes}"
    return figure


def _tree(scene: SplitScene) -> go.Figure:
    return flow_tree_plot(
        scene.tree,
        theme=current_theme(),
        selected=scene.node,
        path=scene.tree.path(scene.node) if scene.node else None,
        height=TREE_HEIGHT,
        width_hint=500,
        class_names=scene.class_names,
        words=words(),
    )


def _features(scene: SplitScene, axes: tuple[int, int]) -> go.Figure | None:
    if len(scene.names) <= 2:
        return None
    marked = [scene.table.feature[i] for i in (scene.chosen, scene.picked) if i is not None]
    ranked = list(dict.fromkeys([*(int(f) for f in marked), *_features_by_rank(scene)]))
    return feature_strips_plot(
        scene.candidates(), scene.strips(), ranked[:FEATURE_ROWS], theme=current_theme()
    )


def pictures(prepared: SplitPictures) -> None:
    """Draw the plane with its score curves and, of many features, the curves of the best."""
    scene = prepared.scene
    chart(
        prepared.lab,
        key="lab_plot",
        height=prepared.lab.layout.height,
        alt=_alt(scene),
        on_click=lambda click: _clicked(scene, prepared.lab, click),
        filename="split",
    )
    st.caption(
        t(
            "Outward is better in every strip; one scale per criterion for all features; where "
            "small is good, logarithmic and turned over. Click a curve to pick a threshold, a "
            "point to go down to its node."
        )
    )
    chart(
        prepared.tree,
        key="node_tree",
        height=TREE_HEIGHT,
        alt=t("The tree; the frame marks the node. Click a node to ask about it."),
        on_click=_node_clicked,
        filename="tree",
    )
    if prepared.features is not None:
        st.markdown(f"**{t('The features with the best candidates')}**")
        chart(
            prepared.features,
            key="feature_strips",
            height=prepared.features.layout.height,
            alt=t("Score curves of the features with the best candidates"),
            on_click=lambda click: _clicked(scene, prepared.features, click),
            filename="curves",
        )


def _alt(scene: SplitScene) -> str:
    return t(
        "{title}, node {node} with {rows}: its rows in a plane, {n} candidate thresholds as score "
        "curves around it.",
        title=scene.title,
        node=scene.node,
        rows=plural(len(scene.rows), "{n} row", "{n} rows"),
        n=number(scene.n_candidates),
    )


def _clicked(scene: SplitScene, figure: go.Figure, click: dict) -> None:
    """Go to the node of a clicked row, or pick the threshold nearest to a clicked place."""
    if click.get("row") is not None:
        _go_down(scene, int(click["row"]) - 1)
        return
    features = figure.layout.meta["features"]
    x_axis, y_axis = click.get("axis", "x"), click.get("yaxis", "y")
    if x_axis in features:
        feature, at = features[x_axis], click["x"]
    elif y_axis in features:
        feature, at = features[y_axis], click["y"]
    else:
        return
    which = scene.candidates().of(feature)
    if len(which):
        nearest = which[np.argmin(np.abs(scene.table.threshold[which] - at))]
        session.select(pick=int(nearest))


def _go_down(scene: SplitScene, row: int) -> None:
    """Select the next inner node towards the leaf of a row, or the last one above it."""
    values = cache.division(session.current()).values[[row]]
    path = scene.tree.path(int(scene.tree.apply(values)[0]))
    if scene.node in path[:-1]:
        below = path[path.index(scene.node) + 1]
        session.select_model(0, node=below)
    else:
        session.select_model(0, node=path[max(len(path) - 2, 0)])


def numbers(scene: SplitScene) -> None:
    """Draw what was chosen, the stages of the rule, the favourites, the children, the formula."""
    show(split_headline(scene))
    show(stages(scene))
    if nodes.is_too_long(session.current(), 0):
        st.caption(
            t(
                "With more than {n} rows the ranking measures the penalty of BNM along the split "
                "feature; the tree itself was grown with the exact one.",
                n=number(nodes.MOST_EXACT),
            )
        )
    if scene.n_candidates == 0:
        st.info(t("All rows of this node are the same: there is no threshold between them."))
        return
    show(favourites(scene))
    marked = [scene.chosen, scene.candidates().picked]
    boxes = [
        children(scene, i, scene.class_names, current_theme()) for i in marked if i is not None
    ]
    show(f'<div class="lv-both">{"".join(boxes)}</div>')
    if scene.lit is not None and scene.read:
        with st.container(key="formula"):
            formula_card(scene, scene.read[-1], scene.lit)


def _node_clicked(click: dict) -> None:
    if click.get("node") is not None:
        session.select_model(0, node=int(click["node"]))
