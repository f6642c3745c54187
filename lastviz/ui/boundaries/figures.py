"""The pictures of the page *boundaries*: the regions of a tree with the tree, or of an ensemble."""

from __future__ import annotations

from lastviz.inspection import Certainty, ForestRegions, Regions, certainty, tells_certainty
from lastviz.plots import (
    Drawing,
    Points,
    ThemeName,
    boundary_and_tree_plot,
    boundary_plot,
    forest_plot,
)
from lastviz.ui.compute import cache
from lastviz.ui.compute.edit_effects import edited_nodes
from lastviz.ui.shared.figures import words
from lastviz.ui.shared.model_view import ModelView
from lastviz.ui.shared.plane import Plane
from lastviz.ui.state.selection import Selection


def certainty_of(selection: Selection, view: ModelView) -> Certainty | None:
    """Return how sure a tree is, if the reader asks for it and its leaves tell."""
    view_choices = selection.boundaries
    if view_choices.tint != "certainty" or not tells_certainty(view.estimator):
        return None
    return certainty(view.tree, view_choices.smoothing, view_choices.smoothing_m)


def tree_figure(
    regions: Regions,
    selection: Selection,
    view: ModelView,
    points: Points,
    plane: Plane,
    class_names: tuple[str, ...],
    theme: ThemeName,
    *,
    place: int,
    size: tuple[int, int, int],
    certainty: Certainty | None = None,
) -> Drawing:
    """Return the regions of a tree and the tree below them.

    `size` is in pixels: the height of the plane, of the tree (0: without it), and the width of
    the column. With a `certainty` regions are tinted by it.
    """
    height, tree_height, width = size
    path = view.tree.path(view.node) if view.node else None
    with_tree = {"path": path, "tree_height": tree_height, "width_hint": width}
    with_tree["outlined"] = edited_nodes(selection, place, view.estimator)
    figure = (boundary_and_tree_plot if tree_height else boundary_plot)(
        regions,
        view.tree,
        points,
        theme=theme,
        selected=view.node,
        depth=selection.view.depth,
        class_names=class_names,
        height=height,
        sample=_sample(selection, plane),
        equal=plane.equal,
        view=plane.view,
        units=plane.units,
        hover={},
        words=words(),
        bands=plane.bands,
        certainty=certainty,
        **(with_tree if tree_height else {}),
    )
    return _own_zoom(figure, selection, plane)


def ensemble_figure(
    regions: ForestRegions,
    selection: Selection,
    points: Points,
    plane: Plane,
    class_names: tuple[str, ...],
    theme: ThemeName,
    *,
    height: int,
) -> Drawing:
    """Return the regions of a forest or of an envelope."""
    names = cache.division(selection).X.columns[list(plane.features)]
    figure = forest_plot(
        regions,
        points,
        theme=theme,
        class_names=class_names,
        feature_names=tuple(names) if names[0] != names[1] else (names[0], ""),
        height=height,
        sample=_sample(selection, plane),
        equal=plane.equal,
        view=plane.view,
        units=plane.units,
        words=words(),
    )
    return _own_zoom(figure, selection, plane)


def _sample(selection: Selection, plane: Plane) -> tuple[float, float] | None:
    """Return where the picked row lies, without one that through which the plane is cut."""
    picked = selection.view.highlighted
    at = picked if picked is not None and picked < len(plane.x) else plane.row
    return None if at is None else (plane.x[at], plane.y[at])


def _own_zoom(figure: Drawing, selection: Selection, plane: Plane) -> Drawing:
    """Name what the figure is about: another plane must not inherit the zoom of the last one."""
    whose = selection.upload.digest if selection.upload else selection.data
    figure.about(f"{whose}|{plane.features}|{selection.scaling}")
    return figure
