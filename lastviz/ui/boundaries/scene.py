"""What the page *boundaries* shows, worked out before any of it is sent."""

from __future__ import annotations

from dataclasses import dataclass

from lastviz.datasets import Dataset
from lastviz.host.jobs import Job, Working
from lastviz.plots import Drawing, Points, ThemeName
from lastviz.ui.compute import cache
from lastviz.ui.shared.ensemble_view import EnsembleView, regions_of_ensemble
from lastviz.ui.shared.model_title import model_title
from lastviz.ui.shared.model_view import (
    ModelView,
    class_names_of,
    model_views,
    points_of,
    regions_of,
)
from lastviz.ui.shared.node_texts import node_texts
from lastviz.ui.shared.plane import Plane, plane_of
from lastviz.ui.state.selection import Selection

from .figures import certainty_of, ensemble_figure, tree_figure

# Pixels: plane, tree and width of a column; a single model has more room, a wall has no trees.
SIDE_BY_SIDE, ALONE, WALL = (400, 140, 520), (480, 150, 640), (330, 0, 520)
ACROSS = 2  # models beside each other


@dataclass(frozen=True, eq=False)
class Picture:
    """The picture of one model."""

    figure: Drawing  # plotly Figure
    exact: bool  # whether its borders are exact, or read off a fine grid
    in_sight: tuple[str, ...]  # the classes whose colours it shows at first
    # What the pointer reads over nodes, see `lastviz.ui.shared.node_texts.node_texts`.
    texts: dict[str, object] | None = None
    certain: bool = False  # whether the tint of a region says how sure the tree is of its class


@dataclass(frozen=True, eq=False)
class Scene:
    """All that the page shows."""

    selection: Selection
    theme: ThemeName  # {"light", "dark"}
    dataset: Dataset
    class_names: tuple[str, ...]
    plane: Plane
    titles: tuple[str, ...]  # what all models are called, those that cannot be shown included
    # dict of int to ModelView or WholeView, the models that could be trained, by place.
    views: dict[int, ModelView | EnsembleView]
    obstacles: dict[int, str]  # why the others could not
    # Those that are still being trained or drawn, or whose training was cancelled.
    jobs: dict[int, Job]
    pictures: dict[int, Picture]

    @property
    def n_models(self) -> int:
        """Number of models, those that cannot be shown included."""
        return len(self.titles)

    @property
    def is_wall(self) -> bool:
        """Whether the models are too many for their trees to stand below them."""
        return self.n_models > ACROSS


def scene_of(
    selection: Selection, theme: ThemeName, size: tuple[int, int, int] | None = None
) -> Scene:
    """Work out what a selection asks for.

    `size` is that of a picture, see :func:`.figures.tree_figure`; by default it goes by how many
    models there are.
    """
    dataset = cache.data(selection).dataset
    plane = plane_of(selection)
    views, obstacles, jobs = model_views(selection, plane)
    names, pictures = class_names_of(dataset), {}
    for place, view in views.items():
        try:
            points = points_of(view, selection, plane, beside=views.values())
            pictures[place] = _picture(selection, place, view, points, plane, names, theme, size)
        except Working as working:
            jobs[place] = working.job
    return Scene(
        selection=selection,
        theme=theme,
        dataset=dataset,
        class_names=names,
        plane=plane,
        titles=tuple(model_title(selection, place) for place in range(len(selection.models))),
        views={place: view for place, view in views.items() if place in pictures},
        obstacles=obstacles,
        jobs=jobs,
        pictures=pictures,
    )


def _picture(
    selection: Selection,
    place: int,
    view: ModelView | EnsembleView,
    points: Points,
    plane: Plane,
    class_names: tuple[str, ...],
    theme: ThemeName,
    size: tuple[int, int, int] | None,
) -> Picture:
    n_models = len(selection.models)
    size = size or (ALONE if n_models == 1 else SIDE_BY_SIDE if n_models <= ACROSS else WALL)
    about = (points, plane, class_names, theme)
    if isinstance(view, EnsembleView):
        regions = regions_of_ensemble(selection, place, plane)
        figure = ensemble_figure(regions, selection, *about, height=size[0])
        in_sight = tuple(class_names[code] for code in regions.classes_within(plane.within))
        return Picture(figure, regions.exact, in_sight)
    found, sure = regions_of(selection, place, plane), certainty_of(selection, view)
    figure = tree_figure(found, selection, view, *about, place=place, size=size, certainty=sure)
    codes = found.classes_within(plane.within, selection.view.depth)
    in_sight = tuple(class_names[code] for code in codes)
    drawn = [area["node"] for area in figure.areas["hits"]]
    texts = node_texts(view.tree, view.leaves, class_names, drawn)
    return Picture(figure, not len(view.tree.kernel), in_sight, texts, sure is not None)
