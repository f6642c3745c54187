"""The pictures of thresholds: the plane with its score curves, the strips of many axes."""

from __future__ import annotations

import numpy as np

from lastviz.displays import lab_drawing
from lastviz.plots import Drawing, distance_traces, feature_strips_plot, flow_tree_plot
from lastviz.ui.compute import cache
from lastviz.ui.compute.edit_effects import edited_nodes
from lastviz.ui.shared.figures import words

from .by_hand import draw_forced
from .node import NodeView
from .scene import SplitScene

AXIS_ROWS = 6
TREE_HEIGHT = 170
MOST_STANDING = 5000  # rows whose places below the curves are sent for the brush


def lab_figure(scene: SplitScene) -> Drawing:
    """Return the plane of two axes with the score curves of both around it."""
    axes, selection, theme = axes_of_plane(scene), scene.at.selection, scene.at.theme
    rows = scene.at.division.train_rows
    inside = np.isin(rows, scene.rows)
    distances = []
    if selection.splits.distances != "none" and scene.highlighted is not None:
        geometry = scene.geometry(scene.highlighted)
        places = scene.values[:, list(axes)]
        distances = distance_traces(geometry, selection.splits.distances, axes, places, theme=theme)
    units = scene.dataset.units if scene.basis is None else {}
    figure = lab_drawing(
        scene,
        scene.values[rows],
        scene.y[rows],
        rows + 1,
        inside,
        scene.strips(),
        axes=axes,
        class_names=scene.class_names,
        theme=theme,
        units=tuple(units.get(scene.axis_names[axis], "") for axis in axes),
        distances=distances,
        words=words(),
        chosen_word=scene.chosen_word,
        picked_word=scene.picked_word,
    )
    # A mark has the name already: it stands where the nearest candidate parts the rows alike.
    draw_forced(figure, scene.at, axes, scene.basis, is_named=not scene.is_forced_shown)
    space = "" if scene.basis is None else cache.model_key(selection, 0)
    figure.about(f"{cache.data_key(selection)}|{space}|{scene.at.node}|{axes}")
    return figure


def axes_of_plane(scene: SplitScene) -> tuple[int, int]:
    """Return the axes of the plane: the reader's, or those of the split and its best rival."""
    return _chosen_axes(scene) or scene.telling_axes()


def _chosen_axes(scene: SplitScene) -> tuple[int, int] | None:
    names, selection = scene.axis_names, scene.at.selection
    if scene.basis is not None:
        chosen = selection.latent.components
        return chosen if chosen is not None and max(chosen) < len(names) else None
    if selection.view.axes is not None and set(selection.view.axes) <= set(names):
        return names.index(selection.view.axes[0]), names.index(selection.view.axes[1])
    return None


def strips_figure(scene: SplitScene) -> Drawing | None:
    """Return the curves of the axes with the best candidates; None where the plane has them all."""
    if len(scene.names) <= 2:
        return None
    marked = [scene.table.feature[i] for i in (scene.chosen, scene.picked) if i is not None]
    ranked = list(dict.fromkeys([*(int(axis) for axis in marked), *scene.axes_by_rank()]))
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
