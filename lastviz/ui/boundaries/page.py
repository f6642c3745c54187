"""The pictures of the page *boundaries*: one column a model, and what stands below them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from html import escape

import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lastviz.datasets import Dataset
from lastviz.plots import boundary_and_tree_plot, boundary_plot, forest_plot, number
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute import cache, python_code
from lastviz.ui.compute.jobs import Job, Working
from lastviz.ui.shared import controls, view_controls
from lastviz.ui.shared.ensemble_view import WholeView, regions_of_whole
from lastviz.ui.shared.figures import current_theme, words
from lastviz.ui.shared.headline import headline, legend, show
from lastviz.ui.shared.job_box import job_box
from lastviz.ui.shared.model_title import model_title
from lastviz.ui.shared.model_view import (
    ModelView,
    class_names_of,
    hover_texts,
    model_views,
    points_of,
    regions_of,
)
from lastviz.ui.shared.node_card import node_card
from lastviz.ui.shared.plane import Plane, plane_of
from lastviz.ui.shared.plane_view import band_words, within
from lastviz.ui.state import session
from lastviz.ui.state.selection import MAX_MODELS, Selection
from lastviz.ui.text import plain, t

from . import details, regression
from .details import slice_words
from .forest_words import whole_words
from .regression import NumberPicture

__all__ = ["MODELS", "QUESTION", "Scene", "body", "choices", "pictures", "prepared", "scene"]

QUESTION = "Where does each algorithm draw the line?"
MODELS = MAX_MODELS


# Pixels: plane, tree and width of a column; a single model has more room, a wall has no trees.
SIDE_BY_SIDE, ALONE, WALL = (400, 140, 520), (480, 150, 640), (330, 0, 520)
ACROSS = 2  # models beside each other


@dataclass(frozen=True, eq=False)
class Scene:
    """All that the page shows, worked out before any of it is sent.

    Attributes
    ----------
    dataset : Dataset
    class_names : tuple of str
    plane : Plane
    views : dict of int to ModelView or WholeView
        The models that could be trained, by place.
    obstacles : dict of int to str
        Why the others could not.
    jobs : dict of int to Job
        Those that are still being trained or drawn, or whose training was cancelled.
    figures : dict of int to plotly Figure
    """

    dataset: Dataset
    class_names: tuple[str, ...]
    plane: Plane
    views: dict[int, ModelView | WholeView]
    obstacles: dict[int, str]
    jobs: dict[int, Job]
    figures: dict[int, go.Figure]

    @property
    def n_models(self) -> int:
        """Number of models, those that cannot be shown included."""
        return len(self.views) + len(self.obstacles) + len(self.jobs)

    @property
    def has_splits(self) -> bool:
        """Whether any picture shows the splits of a tree."""
        return any(isinstance(view, ModelView) for view in self.views.values()) or not self.views

    @property
    def is_wall(self) -> bool:
        """Whether the models are too many for their trees to stand below them."""
        return self.n_models > ACROSS


def scene() -> Scene:
    """Work out what the selection asks for."""
    selection = session.current()
    dataset = cache.data(selection).dataset
    names = class_names_of(dataset)
    plane = plane_of(selection)
    views, obstacles, jobs = model_views(selection, plane)
    n_models = len(selection.models)
    size = ALONE if n_models == 1 else SIDE_BY_SIDE if n_models <= ACROSS else WALL
    figures = {}
    for place, view in views.items():
        draw = _whole_figure if isinstance(view, WholeView) else _figure
        try:
            figures[place] = draw(selection, place, view, plane, names, size)
        except Working as working:
            jobs[place] = working.job
    views = {place: view for place, view in views.items() if place in figures}
    return Scene(dataset, names, plane, views, obstacles, jobs, figures)


def _figure(
    selection: Selection,
    place: int,
    view: ModelView,
    plane: Plane,
    class_names: tuple[str, ...],
    size: tuple[int, int, int],
) -> go.Figure:
    height, tree_height, width = size
    at = selection.view.at
    path = view.tree.path(view.node) if view.node else None
    with_tree = {"path": path, "tree_height": tree_height, "width_hint": width}
    figure = (boundary_and_tree_plot if tree_height else boundary_plot)(
        regions_of(selection, place, plane),
        view.tree,
        points_of(view, selection, plane),
        theme=current_theme(),
        selected=view.node,
        depth=selection.view.depth,
        class_names=class_names,
        height=height,
        sample=None if at is None or at >= len(plane.x) else (plane.x[at], plane.y[at]),
        equal=plane.equal,
        view=plane.view,
        units=plane.units,
        hover=hover_texts(view, class_names),
        words=words(),
        bands=plane.bands,
        **(with_tree if tree_height else {}),
    )
    return _own_zoom(figure, selection, plane)


def _whole_figure(
    selection: Selection,
    place: int,
    view: WholeView,
    plane: Plane,
    class_names: tuple[str, ...],
    size: tuple[int, int, int],
) -> go.Figure:
    names = cache.division(selection).X.columns[list(plane.features)]
    at = selection.view.at
    figure = forest_plot(
        regions_of_whole(selection, place, plane),
        points_of(view, selection, plane),
        theme=current_theme(),
        class_names=class_names,
        feature_names=tuple(names) if names[0] != names[1] else (names[0], ""),
        height=size[0],
        sample=None if at is None or at >= len(plane.x) else (plane.x[at], plane.y[at]),
        equal=plane.equal,
        view=plane.view,
        units=plane.units,
        words=words(),
    )
    return _own_zoom(figure, selection, plane)


def _own_zoom(figure: go.Figure, selection: Selection, plane: Plane) -> go.Figure:
    """Name what the figure is about: another plane must not inherit the zoom of the last one."""
    whose = selection.upload.digest if selection.upload else selection.data
    figure.layout.uirevision = f"{whose}|{plane.features}|{selection.scaling}"
    return figure


def pictures(scene: Scene) -> DeltaGenerator:
    """Draw all models; return the place for what explains them.

    One model leaves room for that beside it. A phone shows one at a time.
    """
    if scene.n_models == 1:
        left, right = st.columns([3, 2], gap="medium")
        with left:
            _model(scene, 0)
            plane_notes(scene.plane)
        return right
    show(_switch())
    for first in range(0, scene.n_models, ACROSS):
        columns = st.columns(ACROSS, gap="medium")
        for place in range(first, min(first + ACROSS, scene.n_models)):
            with columns[place - first], st.container(key=f"pictured-{place}"):
                _model(scene, place)
    plane_notes(scene.plane)
    return st.container()


def plane_notes(plane: Plane) -> None:
    """Say where rows lie whose place is none of their values, and where not all are drawn."""
    said = band_words(plane)
    if said:
        st.caption(said)
    shown, rows = len(plane.drawn), len(plane.x)
    if shown < rows:
        sentence = "{shown} of {rows} rows are drawn; all numbers count all rows."
        st.caption(t(sentence, shown=number(shown), rows=number(rows)))


def _switch() -> str:
    """Return the choice of the model that a phone shows; the style sheet does the rest."""
    selection = session.current()
    titles = [model_title(selection, place) for place in range(len(selection.models))]
    choices = "".join(
        f'<label><input type="radio" name="lv-shown" value="{place}"'
        f"{' checked' if place == 0 else ''}><span>{escape(title)}</span></label>"
        for place, title in enumerate(titles)
    )
    return f'<fieldset class="lv-switch" aria-label="{t("Model")}">{choices}</fieldset>'


def _model(scene: Scene, place: int) -> None:
    """Draw one model: its headline, its regions with its tree, the card of the picked node."""
    if place in scene.obstacles:
        st.info(scene.obstacles[place])
        return
    if place in scene.jobs:
        job_box(scene.jobs[place], f"{place}")
        return
    selection, view = session.current(), scene.views[place]
    show(headline(view))
    chart(
        scene.figures[place],
        key=f"plane{place}",
        height=scene.figures[place].layout.height,
        alt=_alt(view, selection.data, scene.class_names),
        on_click=None if isinstance(view, WholeView) else partial(_picked, place, view),
        group="plane",
        filename=f"{selection.data}-{selection.models[place].key}",
    )
    if isinstance(view, WholeView):
        exact = regions_of_whole(selection, place, scene.plane).exact
        st.caption(whole_words(view, exact=exact))
    else:
        axes, folded = scene.plane.features, scene.is_wall
        show(node_card(view, scene.class_names, current_theme(), axes=axes, folded=folded))
        exact = not len(view.tree.kernel)
        for note in getattr(view.estimator, "notes_", ()):
            st.caption(plain(note))
    if view.fidelity is not None:
        for sentence in slice_words(view.fidelity, _classes_in_sight(scene, place), exact=exact):
            st.caption(sentence)


def _classes_in_sight(scene: Scene, place: int) -> list[str]:
    """Return the classes whose colours the picture of a model shows at first."""
    selection, plane, view = session.current(), scene.plane, scene.views[place]
    if isinstance(view, WholeView):
        codes = regions_of_whole(selection, place, plane).classes_within(within(plane))
    else:
        found = regions_of(selection, place, plane)
        codes = found.classes_within(within(plane), selection.view.depth)
    return [scene.class_names[code] for code in codes]


def _alt(view: ModelView | WholeView, data: str, class_names: Sequence[str]) -> str:
    if isinstance(view, WholeView):
        sentence = "{title} on {data}: the regions of {classes}, by the vote of {n} trees."
        classes = ", ".join(class_names[:8])
        return t(sentence, title=view.title, data=data, classes=classes, n=len(view.trees))
    sentence = "{title} on {data}: {leaves} regions for {classes}; its tree is {depth} deep."
    return t(
        sentence,
        title=view.title,
        data=data,
        leaves=len(view.leaves),
        classes=", ".join(class_names[:8]),
        depth=int(view.tree.depth[view.shown].max()),
    )


def _picked(place: int, view: ModelView, click: dict) -> None:
    """Select what was clicked: the node of an area, or the region that a row lies in."""
    node = click.get("node")
    if node is None and click.get("row") is not None and click.get("axis") == "x":
        row = int(click["row"]) - 1
        values = cache.division(session.current(), place).values[[row]]
        node = int(view.stands[view.tree.apply(values)[0]])
    if node is not None:
        same = node == session.current().models[place].node
        session.select_model(place, node=None if same else int(node))


def choices() -> None:
    """Draw the sidebar."""
    controls.data_chooser()
    if regression.applies(session.current()):
        regression.choosers()
    else:
        _model_choices()
    controls.seed()
    controls.foot(lambda: python_code.python_of(session.current()))


def _model_choices() -> None:
    """Draw the choice of the models of classes and of their picture."""
    controls.model_choosers(MAX_MODELS, whole=True)
    view_controls.plane_chooser(plane_of(session.current()))
    view_controls.tree_choosers(session.current())
    view_controls.depth_slider(session.current())


def prepared() -> Scene | NumberPicture:
    """Work out what the page shows: regions of classes, or numbers over one or two features."""
    return regression.prepared() if regression.applies(session.current()) else scene()


def body(scene: Scene | NumberPicture) -> None:
    """Draw the pictures and what stands below them."""
    if isinstance(scene, NumberPicture):
        regression.body(scene)
        return
    held_out = session.current().held > 0
    splits = scene.has_splits
    show(legend(scene.class_names, current_theme(), held_out=held_out, splits=splits))
    with pictures(scene):
        if scene.views:
            details.explanations(scene.views, scene.dataset, scene.class_names)
