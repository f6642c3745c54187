"""The page *boundaries*: its scene, prepared before anything is sent."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import streamlit as st

from lastviz._sentences import Statement
from lastviz.datasets import Dataset
from lastviz.export.blocks import Text
from lastviz.host.jobs import Job, Working
from lastviz.inspection import Certainty, ForestRegions, Regions, certainty, tells_certainty
from lastviz.plots import (
    Drawing,
    Points,
    TestedPixel,
    ThemeName,
    boundary_and_tree_plot,
    boundary_plot,
    flow_tree_plot,
    forest_plot,
    number,
    pixels_plot,
)
from lastviz.plots.visuals.words import threshold_words
from lastviz.tree import Kind, Tree
from lastviz.ui.compute.nodes import edited_nodes
from lastviz.ui.compute.work import ModelWork, Work
from lastviz.ui.shared.blocks import SLIDE, Block, Chart, Controls, Only, draw
from lastviz.ui.shared.figures import Plane, plane_of, words
from lastviz.ui.shared.headline import verdict_on
from lastviz.ui.shared.model_view import (
    EnsembleView,
    ModelView,
    class_names_of,
    model_title,
    model_views,
    points_of,
    regions_of,
    regions_of_ensemble,
)
from lastviz.ui.shared.node_card import node_texts
from lastviz.ui.shared.widgets import segments
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import t


def certainty_of(selection: Selection, view: ModelView) -> Certainty | None:
    """Certainty of a tree, if the user selects it and its leaves provide it."""
    view_choices = selection.boundaries
    if view_choices.tint != "certainty" or not tells_certainty(view.estimator):
        return None
    return certainty(view.tree, view_choices.smoothing, view_choices.smoothing_m)


def tree_figure(
    regions: Regions,
    work: Work,
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
    """Regions of a tree and the tree below them.

    `size` is in pixels: the height of the plane, of the tree (0: without it), and the width of
    the column. With a `certainty` regions are tinted by it.
    """
    height, tree_height, width = size
    path = view.tree.path(view.node) if view.node else None
    with_tree = {"path": path, "tree_height": tree_height, "width_hint": width}
    with_tree["outlined"] = edited_nodes(work.models[place], view.estimator)
    figure = (boundary_and_tree_plot if tree_height else boundary_plot)(
        regions,
        view.tree,
        points,
        theme=theme,
        selected=view.node,
        depth=work.selection.view.depth,
        class_names=class_names,
        height=height,
        sample=_sample(work.selection, plane),
        equal=plane.equal,
        view=plane.view,
        units=plane.units,
        hover={},
        words=words(),
        bands=plane.bands,
        certainty=certainty,
        **(with_tree if tree_height else {}),
    )
    return _own_zoom(figure, work.selection, plane)


def ensemble_figure(
    regions: ForestRegions,
    work: Work,
    points: Points,
    plane: Plane,
    class_names: tuple[str, ...],
    theme: ThemeName,
    *,
    height: int,
) -> Drawing:
    """Regions of a forest or of an envelope."""
    names = work.first.division.X.columns[list(plane.features)]
    figure = forest_plot(
        regions,
        points,
        theme=theme,
        class_names=class_names,
        feature_names=tuple(names) if names[0] != names[1] else (names[0], ""),
        height=height,
        sample=_sample(work.selection, plane),
        equal=plane.equal,
        view=plane.view,
        units=plane.units,
        words=words(),
    )
    return _own_zoom(figure, work.selection, plane)


def _sample(selection: Selection, plane: Plane) -> tuple[float, float] | None:
    """Position of the picked row, or of the row through which the plane is cut."""
    picked = selection.view.highlighted
    at = picked if picked is not None and picked < len(plane.x) else plane.row
    return None if at is None else (plane.x[at], plane.y[at])


# Another plane must not inherit the zoom of the last one.
def _own_zoom(figure: Drawing, selection: Selection, plane: Plane) -> Drawing:
    """Set the subject of the figure."""
    whose = selection.upload.digest if selection.upload else selection.data
    figure.about(f"{whose}|{plane.features}|{selection.scaling}")
    return figure


# ---------------------------------------------------------------- scene

# Pixels: plane, tree and width of a column; a single model has more room, a wall has no trees.
SIDE_BY_SIDE, ALONE, WALL = (400, 140, 520), (480, 150, 640), (330, 0, 520)
ACROSS = 2  # models beside each other


@dataclass(frozen=True, eq=False)
class PlanePicture:
    """The picture of one model."""

    figure: Drawing  # plotly Figure
    exact: bool  # whether its borders are exact, or read off a fine grid
    in_sight: tuple[str, ...]  # the classes whose colours it shows at first
    # What the pointer reads over nodes, see `lastviz.ui.shared.node_card.node_texts`.
    texts: dict[str, object] | None = None
    certain: bool = False  # whether the tint of a region says how sure the tree is of its class


@dataclass(frozen=True, eq=False)
class Scene:
    """All that the page shows."""

    work: Work
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
    pictures: dict[int, PlanePicture]

    @property
    def n_models(self) -> int:
        """Number of models, those that cannot be shown included."""
        return len(self.titles)

    @property
    def is_wall(self) -> bool:
        """Whether there are too many models for trees below them."""
        return self.n_models > ACROSS

    @cached_property
    def verdict(self) -> list[Statement]:
        """Statements on the models in view: the finding, then how far it can be chance."""
        if not self.views:
            return []
        titles = [model_title(self.work.models[place]) for place in self.views]
        division = self.work.first.division
        return verdict_on(titles, [*self.views.values()], self.class_names, division)


def scene_of(work: Work, theme: ThemeName, size: tuple[int, int, int] | None = None) -> Scene:
    """Scene of a selection.

    `size` is that of a picture, see :func:`.figures.tree_figure`; by default it goes by how many
    models there are.
    """
    dataset = work.dataset
    plane = plane_of(work)
    views, obstacles, jobs = model_views(work, plane)
    names, pictures = class_names_of(dataset), {}
    for place, view in views.items():
        try:
            points = points_of(view, work, plane, beside=views.values())
            pictures[place] = _picture(work.models[place], view, points, plane, names, theme, size)
        except Working as working:
            jobs[place] = working.job
    return Scene(
        work=work,
        theme=theme,
        dataset=dataset,
        class_names=names,
        plane=plane,
        titles=tuple(model_title(model) for model in work.models),
        views={place: view for place, view in views.items() if place in pictures},
        obstacles=obstacles,
        jobs=jobs,
        pictures=pictures,
    )


def _picture(
    model: ModelWork,
    view: ModelView | EnsembleView,
    points: Points,
    plane: Plane,
    class_names: tuple[str, ...],
    theme: ThemeName,
    size: tuple[int, int, int] | None,
) -> PlanePicture:
    n_models = len(model.selection.models)
    size = size or (ALONE if n_models == 1 else SIDE_BY_SIDE if n_models <= ACROSS else WALL)
    about = (points, plane, class_names, theme)
    if isinstance(view, EnsembleView):
        regions = regions_of_ensemble(model, plane)
        figure = ensemble_figure(regions, model.work, *about, height=size[0])
        in_sight = tuple(class_names[code] for code in regions.classes_within(plane.within))
        return PlanePicture(figure, regions.exact, in_sight)
    found, sure = regions_of(model, plane), certainty_of(model.selection, view)
    figure = tree_figure(
        found, model.work, view, *about, place=model.place, size=size, certainty=sure
    )
    codes = found.classes_within(plane.within, model.selection.view.depth)
    in_sight = tuple(class_names[code] for code in codes)
    drawn = [area["node"] for area in figure.areas["hits"]]
    texts = node_texts(view.tree, view.leaves, class_names, drawn)
    return PlanePicture(figure, not len(view.tree.kernel), in_sight, texts, sure is not None)


# ---- Rows of pixels: the image of one with the pixels on its path framed, beside the tree


PIXEL = re.compile(r"pixel (\d+) (\d+)")
HEIGHT = 300


@dataclass(frozen=True, eq=False)
class PixelScene:
    """A row of pixels and its path through a tree."""

    view: ModelView
    row: int
    path: tuple[int, ...]  # nodes from the root to the leaf
    grey: np.ndarray  # (n_rows, n_columns)
    tested: tuple[TestedPixel, ...]  # in the order of the path; each pixel once
    most: float  # the largest value of any pixel of the data


def of_pixels(scene: Scene) -> tuple[int, int] | None:
    """Numbers of rows and columns of pixels if all features are pixels, else None."""
    places = [PIXEL.fullmatch(str(name)) for name in scene.work.dataset.X.columns]
    if not places or not all(places):
        return None
    rows, columns = (max(int(place[i]) for place in places) + 1 for i in (1, 2))
    return (rows, columns) if rows * columns == len(places) else None


def view_chooser() -> str:
    """Draw the choice between the image of a row and the plane of two pixels."""
    titles = {"path": t("One row and its path"), "plane": t("Plane of two pixels")}
    return segments("pixels", t("What is drawn for data with many features"), titles)


def shows_paths(scene: Scene) -> bool:
    """Whether images of rows are drawn, and their paths, instead of planes."""
    return of_pixels(scene) is not None and scene.work.selection.boundaries.pixels == "path"


def path_of_pixels(scene: Scene, place: int) -> PixelScene | None:
    """Row that is drawn for a model; None where its plane is."""
    return pixel_scene(scene, place) if shows_paths(scene) else None


# The row is the picked one, else the first that was held out.
def pixel_scene(scene: Scene, place: int) -> PixelScene | None:
    """Row at hand in the model at a place; None if its tree asks otherwise."""
    view = scene.views[place]
    if not isinstance(view, ModelView):
        return None
    if set(view.tree.kind[view.tree.n_children > 0].tolist()) - {int(Kind.THRESHOLD)}:
        return None
    divided = scene.work.models[place].division
    picked = scene.work.selection.view.highlighted
    if picked is None or picked >= len(divided.y):
        picked = int(divided.held_out_rows[0]) if len(divided.held_out_rows) else 0
    values, tree = divided.values, view.tree
    path = tree.path(int(view.representative[tree.apply(values[[picked]])[0]]))
    orders: dict[int, list[int]] = {}
    for order, node in enumerate(path[:-1], start=1):
        orders.setdefault(int(tree.feature[node]), []).append(order)
    tested = []
    for feature, which in orders.items():
        row, column = map(int, PIXEL.fullmatch(str(tree.feature_names[feature])).groups())
        questions = t("; ").join(f"{n}: {_answer(tree, path[n - 1], path[n])}" for n in which)
        tested.append(TestedPixel(row, column, ", ".join(map(str, which)), questions))
    grey = values[picked].reshape(of_pixels(scene))
    return PixelScene(view, picked, tuple(path), grey, tuple(tested), float(np.nanmax(values)))


def _answer(tree: Tree, node: int, child: int) -> str:
    """Question of a node as it is answered on the way to a child."""
    sign = "≤" if child == tree.children(node)[0] else ">"
    name = tree.feature_names[tree.feature[node]]
    return f"{name} {sign} {threshold_words(tree, node)}"


def image_of(found: PixelScene, theme: ThemeName) -> Drawing:
    """Image of the row."""
    return pixels_plot(
        found.grey, found.tested, theme=theme, most=found.most, pixel_word=t("pixel"), height=HEIGHT
    )


def tree_of(found: PixelScene, scene: Scene) -> Drawing:
    """Tree with the path of the row."""
    return flow_tree_plot(
        found.view.tree,
        theme=scene.theme,
        selected=found.path[-1],
        path=list(found.path),
        depth=scene.work.selection.view.depth,
        height=HEIGHT,
        width_hint=420,
        class_names=scene.class_names,
        words=words(),
    )


def pixel_words(found: PixelScene, scene: Scene) -> str:
    """Sentence with the row's class, its prediction and the number of questions."""
    return t(
        "Row {row} is {true}; {title} predicts {predicted} after {n} questions about {pixels} "
        "pixels. They are framed, with the number of the question.",
        row=number(found.row + 1),
        true=scene.class_names[int(scene.dataset.codes[found.row])],
        title=found.view.title,
        predicted=scene.class_names[int(found.view.predicted[found.row])],
        n=number(len(found.path) - 1),
        pixels=number(len(found.tested)),
    )


def pixel_pictures(found: PixelScene, scene: Scene, place: int) -> list[Chart]:
    """Charts of the image and the tree."""
    image, tree = image_of(found, scene.theme), tree_of(found, scene)
    about, words = pixel_words(found, scene), t("The tree, with the path of the row.")
    return [
        Chart(image, about, "", HEIGHT, key=f"pixels{place}", filename="pixels"),
        Chart(tree, words, words, key=f"pixel_tree{place}", filename="tree"),
    ]


# On the page they are side by side, with the ways to other rows.
def pixel_panel(found: PixelScene, scene: Scene, place: int) -> list[Block]:
    """Blocks of the image and the tree."""
    image, tree = pixel_pictures(found, scene, place)
    return [
        Controls(partial(_beside, image, tree)),
        Only((SLIDE,), [image, tree, Text(tree.alt)]),
        Text(pixel_words(found, scene)),
        Controls(partial(_row_buttons, found, scene, place)),
    ]


def _beside(image: Chart, tree: Chart) -> None:
    for column, picture in zip(st.columns([2, 3], gap="small"), (image, tree), strict=True):
        with column:
            draw([picture])


def _row_buttons(found: PixelScene, scene: Scene, place: int) -> None:
    wrong = np.flatnonzero(found.view.predicted != scene.dataset.codes)
    with st.container(key=f"other_rows{place}", horizontal=True, gap="small"):
        _row_button(
            t("Next row"), f"next_row{place}", found.row, np.arange(len(scene.dataset.codes))
        )
        if len(wrong):
            _row_button(t("Next misclassified row"), f"next_wrong{place}", found.row, wrong)


def _row_button(label: str, key: str, row: int, rows: np.ndarray) -> None:
    """Draw the button to the next of some rows; behind the last one comes the first."""
    later = rows[rows > row]
    following = int(later[0] if len(later) else rows[0])
    st.button(
        label, key=key, on_click=session.select, kwargs={"highlighted": following, "typed": ""}
    )
