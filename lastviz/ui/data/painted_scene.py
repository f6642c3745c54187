"""What the page *data* shows of painted rows: they, and what a model makes of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lastviz.datasets import PAINTED, Dataset
from lastviz.datasets.painted import EMPTY_PAINTING, Painting
from lastviz.host.jobs import Job
from lastviz.plots import Drawing, ThemeName, boundary_and_tree_plot, forest_plot
from lastviz.ui.compute import cache
from lastviz.ui.shared.ensemble_view import EnsembleView, regions_of_ensemble
from lastviz.ui.shared.figures import words
from lastviz.ui.shared.model_view import (
    ModelView,
    class_names_of,
    model_views,
    points_of,
    regions_of,
)
from lastviz.ui.shared.node_texts import node_texts
from lastviz.ui.shared.plane import plane_of
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import t

PLANE, TREE, WIDTH = 430, 150, 560  # pixels


@dataclass(frozen=True, eq=False)
class PaintedScene:
    """All that is shown."""

    selection: Selection
    theme: ThemeName  # {"light", "dark"}
    painting: Painting
    dataset: Dataset | None = None  # None while nothing can be learnt
    view: ModelView | EnsembleView | None = None  # the first model, None while there is none
    figure: Drawing | None = None  # its regions and its tree
    texts: dict[str, object] | None = None  # what the pointer reads over nodes
    job: Job | None = None  # what is waited for instead
    obstacle: str | None = None  # why there is no model


def painted_scene(selection: Selection, theme: ThemeName) -> PaintedScene:
    """Work out what a model makes of what is painted."""
    painting = painting_in(selection)
    scene = PaintedScene(selection, theme, painting)
    if painting.obstacle is not None:
        return replace(scene, obstacle=t(painting.obstacle))
    dataset = cache.data(selection).dataset
    scene = replace(scene, dataset=dataset)
    if dataset.is_regression:
        return scene
    plane = plane_of(selection.first_models(1))
    views, obstacles, jobs = model_views(selection.first_models(1), plane)
    if 0 not in views:
        return replace(scene, job=jobs.get(0), obstacle=obstacles.get(0))
    view, names = views[0], class_names_of(dataset)
    about = {
        "theme": theme, "class_names": names, "equal": False, "view": painting.window,
        "units": plane.units, "words": words(), "height": PLANE,
    }  # fmt: skip
    points = points_of(view, selection, plane)
    if isinstance(view, EnsembleView):
        found = regions_of_ensemble(selection, 0, plane)
        figure = forest_plot(found, points, feature_names=("x1", "x2"), **about)
        return replace(scene, view=view, figure=figure.about(PAINTED))
    figure = boundary_and_tree_plot(
        regions_of(selection, 0, plane), view.tree, points, selected=view.node, hover={},
        tree_height=TREE, width_hint=WIDTH, **about,
    )  # fmt: skip
    drawn = [area["node"] for area in figure.areas["hits"]]
    texts = node_texts(view.tree, view.leaves, names, drawn)
    return replace(scene, view=view, figure=figure.about(PAINTED), texts=texts)


def painting_in(selection: Selection) -> Painting:
    """Return what is painted, nothing if nothing is."""
    return Painting.parse(selection.painted) if selection.painted else EMPTY_PAINTING
