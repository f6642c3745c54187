"""The pictures of thresholds: the plane with its score curves, the strips of many axes."""

from __future__ import annotations

import numpy as np

from lastviz.plots import (
    Drawing,
    Points,
    distance_traces,
    feature_strips_plot,
    flow_tree_plot,
    padded,
    split_lab_plot,
)
from lastviz.ui.compute import cache
from lastviz.ui.compute.edit_effects import edited_nodes
from lastviz.ui.shared.figures import words
from lastviz.ui.text import t

from .by_hand import draw_forced
from .node import NodeView
from .scene import SplitScene

__all__ = ["TREE_HEIGHT", "axes_of_plane", "lab_figure", "strips_figure", "tree_figure"]

AXIS_ROWS = 6
TREE_HEIGHT = 170
MOST_STANDING = 5000  # rows whose places below the curves are sent for the brush


def lab_figure(scene: SplitScene) -> Drawing:
    """Return the plane of two axes with the score curves of both around it."""
    axes, selection, theme = axes_of_plane(scene), scene.at.selection, scene.at.theme
    rows = scene.at.division.train_rows
    values = scene.values[rows]
    x = values[:, axes[0]]
    y = values[:, axes[1]] if axes[0] != axes[1] else np.linspace(0.0, 1.0, len(rows))
    inside = np.isin(rows, scene.rows)
    distances = []
    if selection.splits.distances != "none" and scene.highlighted is not None:
        geometry = scene.geometry(scene.highlighted)
        places = scene.values[:, list(axes)]
        distances = distance_traces(geometry, selection.splits.distances, axes, places, theme=theme)
    units = scene.dataset.units if scene.basis is None else {}
    figure = split_lab_plot(
        Points.plain(x, y, scene.y[rows], rows + 1),
        inside,
        scene.candidates(),
        scene.strips(),
        theme=theme,
        features=axes,
        feature_names=scene.axis_names,
        class_names=scene.class_names,
        units=tuple(units.get(scene.axis_names[axis], "") for axis in axes),
        distances=distances,
        view=padded(x[inside], y[inside]),
        words=words(),
        chosen_word=t("chosen"),
        picked_word=t("picked") if scene.picked is not None else t("this rule"),
    )
    draw_forced(figure, scene, axes)
    space = "" if scene.basis is None else cache.model_key(selection, 0)
    figure.about(f"{cache.data_key(selection)}|{space}|{scene.at.node}|{axes}")
    return figure


def axes_of_plane(scene: SplitScene) -> tuple[int, int]:
    """Return the axes of the plane: the reader's, or those of the split and its best rival."""
    n = len(scene.axis_names)
    chosen = _chosen_axes(scene)
    if chosen is not None:
        return chosen
    if n <= 2:
        return 0, n - 1
    first = int(scene.table.feature[scene.highlighted]) if scene.highlighted is not None else 0
    second = next(axis for axis in _by_rank(scene) if axis != first)
    return first, second


def _chosen_axes(scene: SplitScene) -> tuple[int, int] | None:
    names, selection = scene.axis_names, scene.at.selection
    if scene.basis is not None:
        chosen = selection.latent.components
        return chosen if chosen is not None and max(chosen) < len(names) else None
    if selection.view.axes is not None and set(selection.view.axes) <= set(names):
        return names.index(selection.view.axes[0]), names.index(selection.view.axes[1])
    return None


def _by_rank(scene: SplitScene) -> list[int]:
    """Return the axes, those with the best candidates by the rule's first score first."""
    name = "stage" if "stage" in scene.columns else (scene.read or ("gini",))[0]
    best = np.full(len(scene.names), np.iinfo(np.intp).max)
    rank = scene.rank(name)
    np.minimum.at(best, scene.table.feature[rank > 0], rank[rank > 0])
    return np.argsort(best, kind="stable").tolist()


def strips_figure(scene: SplitScene) -> Drawing | None:
    """Return the curves of the axes with the best candidates; None where the plane has them all."""
    if len(scene.names) <= 2:
        return None
    marked = [scene.table.feature[i] for i in (scene.chosen, scene.picked) if i is not None]
    ranked = list(dict.fromkeys([*(int(axis) for axis in marked), *_by_rank(scene)]))
    n = len(scene.values)
    return feature_strips_plot(
        scene.candidates(),
        scene.strips(),
        ranked[:AXIS_ROWS],
        theme=scene.at.theme,
        rows=(np.arange(n), scene.values) if n <= MOST_STANDING else None,
    )


def tree_figure(at: NodeView) -> Drawing:
    """Return the tree with the node in question framed."""
    return flow_tree_plot(
        at.tree,
        theme=at.theme,
        selected=at.node,
        path=at.tree.path(at.node) if at.node else None,
        height=TREE_HEIGHT,
        width_hint=500,
        class_names=at.class_names,
        words=words(),
        outlined=edited_nodes(at.selection, 0, at.estimator),
    )
