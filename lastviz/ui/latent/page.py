"""The page *latent*: its pictures, what a click does, where there is no space."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from lastviz.datasets import Dataset
from lastviz.estimators import ESTIMATORS, entry_of
from lastviz.export.html_report import Picture, Text, Words
from lastviz.export.slide_show import Block, Columns
from lastviz.plots import ThemeName, crowding, feature_html, number
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute import cache, latent, python_code
from lastviz.ui.compute.suitability import obstacle
from lastviz.ui.shared import controls as sidebar
from lastviz.ui.shared.brushing import passing_rows
from lastviz.ui.shared.figures import current_theme
from lastviz.ui.shared.headline import show
from lastviz.ui.shared.plane_view import apart_words
from lastviz.ui.state import session
from lastviz.ui.state.presets import steps_on
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, joined, plural, t

from . import controls
from .details import latent_details
from .figures import BARS, HEIGHT, TREE, LatentPictures, pictures_of
from .scene import LatentScene, latent_scene
from .spaces import four_spaces
from .words import latent_headline, latent_legend, split_card, warnings_of

QUESTION = "In which space is each split?"
MODELS = 1
REPLAYS = True
ABOUT_CLASSES = True


def _pictures(pictures: LatentPictures) -> None:
    """Draw the numbers, both planes, the bars, the equation and the tree."""
    scene = pictures.scene
    show(latent_headline(scene))
    for sentence in warnings_of(scene.view.basis):
        st.warning(sentence, icon=":material/info:")
    left, right = st.columns(2, gap="medium")
    with left:
        _heading(_original_title(scene))
        chart(
            pictures.original,
            key="latent_original",
            height=HEIGHT,
            alt=_original_alt(scene),
            on_click=_row_clicked,
            filename="original",
        )
        x, y = scene.division.values[scene.rows][:, list(scene.features)].T
        if about := apart_words(crowding(x, y)):
            st.caption(about)
    with right:
        _heading(_latent_title(scene))
        chart(
            pictures.latent,
            key="latent_plane",
            height=HEIGHT,
            alt=_latent_alt(scene),
            on_click=_row_clicked,
            filename="latent",
        )
    left, right = st.columns(2, gap="medium")
    with left:
        _heading(_values_title(scene))
        alt = t(
            "{what} of every component; the table below has them all", what=_values_title(scene)
        )
        chart(pictures.values, key="latent_values", height=BARS, alt=alt, filename="values")
    with right:
        name = feature_html(scene.names[scene.subject])
        _heading(t("Loadings of {name}, feature by feature", name=name))
        alt = t("Weight of each feature in the component; the table below has them all")
        chart(pictures.loadings, key="latent_loadings", height=BARS, alt=alt, filename="loadings")
    show(split_card(scene, pictures.theme))
    chart(
        pictures.tree,
        key="latent_tree",
        height=TREE,
        alt=t("The tree; the frame marks the node. Click a node to walk there."),
        on_click=_node_clicked,
        passing=partial(passing_rows, scene.selection, 0),
        filename="tree",
    )


def _heading(html: str) -> None:
    show(_heading_html(html))


def _heading_html(html: str) -> str:
    return f'<p class="lv-heading lv-over">{html}</p>'


def _original_title(scene: LatentScene) -> str:
    names = [feature_html(scene.view.feature_names[f]) for f in dict.fromkeys(scene.features)]
    m = len(scene.view.feature_names)
    if m <= 2:
        return t("Original: the features themselves")
    if scene.selection.view.axes is None and scene.view.basis.space != "none":
        return t("Original: the two heaviest of {m} features", m=m)
    return t("Original: {names}, of {m} features", names=joined(names), m=m)


def _latent_title(scene: LatentScene) -> str:
    first, second = (feature_html(scene.names[i]) for i in scene.components)
    if first == second:
        return t("Latent: {first}", first=first)
    if scene.view.component < 0 or scene.view.component in scene.components:
        return t("Latent: {first} against {second}", first=first, second=second)
    return t(
        "Latent: {first} against {second}; the split is along {name}, not seen here",
        first=first,
        second=second,
        name=feature_html(scene.names[scene.view.component]),
    )


def _values_title(scene: LatentScene) -> str:
    if scene.view.basis.space == "ica":
        return t("Distance from normal: size of the excess kurtosis")
    if scene.view.basis.space == "none":
        return t("Length of each feature")
    return t("Singular values")


def _original_alt(scene: LatentScene) -> str:
    names = [scene.view.feature_names[f] for f in dict.fromkeys(scene.features)]
    n = plural(int(np.count_nonzero(scene.inside)), "{n} row", "{n} rows")
    if scene.cut is None:
        return t("{n} of the leaf in the plane of {names}", n=n, names=t(", ").join(names))
    sentence = "{n} of node {node} in the plane of {names} with the line of the split"
    return t(sentence, n=n, node=scene.node, names=t(", ").join(names))


def _latent_alt(scene: LatentScene) -> str:
    names = t(", ").join(scene.names[i] for i in dict.fromkeys(scene.components))
    if scene.view.component < 0:
        return t("The rows of the leaf in the plane of {names}", names=names)
    return t(
        "The same rows in the plane of {names}; the split is {name} ≤ {threshold}",
        names=names,
        name=scene.names[scene.view.component],
        threshold=number(scene.view.threshold),
    )


def _row_clicked(click: dict) -> None:
    """Mark the clicked row in all pictures, or no row if it was marked already."""
    if click.get("row") is not None:
        session.pick_row(int(click["row"]) - 1)


def _node_clicked(click: dict) -> None:
    if click.get("node") is not None:
        session.select_model(0, node=int(click["node"]))


def instead() -> None:
    """Offer other data, where the frame has said why these have no space to show."""
    st.page_link("pages/data.py", label=t("Choose other columns or data"), icon="")


def _offer(selection: Selection, theme: ThemeName) -> None:
    """Say that the model looks for no space of its own, and offer one that does."""
    keys = [key for key in ESTIMATORS if latent.has_space(key)]
    first = t(ESTIMATORS[keys[0]].title)
    st.markdown(
        t(
            "**{title}** searches for splits in the original features. {others} first change to a "
            "latent space and split it along its axes, which are oblique in the original features.",
            title=t(entry_of(selection.models[0].key).title),
            others=joined([t(entry_of(key).title) for key in keys]),
        )
    )
    dataset = cache.data(selection).dataset
    fits = obstacle(ESTIMATORS[keys[0]], dataset) is None
    with st.container(horizontal=True, vertical_alignment="center"):
        if fits:
            st.button(
                t("Show {title} on these data", title=first),
                key="to_latent",
                type="primary",
                on_click=lambda: session.select_model(0, key=keys[0]),
            )
        scene, n = steps_on("latent")[0]
        st.page_link(
            "pages/latent.py",
            label=t(scene.question),
            icon="",
            query_params=scene.query_of(n) | session.language_link(),
        )
    if fits and _is_quick(dataset):
        _heading(t("{title} on these data, in four spaces", title=first))
        four_spaces(selection.change_model(0, key=keys[0]), theme)


def _is_quick(dataset: Dataset) -> bool:
    return dataset.n_samples * dataset.n_features <= 200_000


def choices() -> None:
    """Draw the sidebar."""
    sidebar.data_chooser()
    controls.look_at_all()
    sidebar.model_choosers(MODELS)
    controls.latent_node_chooser()
    controls.component_chooser()
    sidebar.seed()
    sidebar.foot(lambda: python_code.python_of(session.current().first_models(MODELS)))


def prepared() -> LatentPictures | None:
    """Work out what the page shows; None where the model looks for no space of its own."""
    return _pictures_of(session.current(), current_theme())


def _pictures_of(selection: Selection, theme: ThemeName) -> LatentPictures | None:
    selection = selection.first_models(MODELS)
    if not latent.has_space(selection.models[0].key):
        return None
    return pictures_of(latent_scene(selection), theme)


def pictured(selection: Selection, theme: ThemeName) -> Sequence[Block]:
    """Return what a slide shows: the numbers, both planes and the split.

    Raises
    ------
    CannotShow
        Where the model looks for no space of its own.
    """
    pictures = _pictures_of(selection, theme)
    if pictures is None:
        title = t(entry_of(selection.models[0].key).title)
        raise CannotShow(t("{title} searches for splits in the original features.", title=title))
    scene = pictures.scene
    planes = (
        (_original_title(scene), pictures.original, _original_alt(scene)),
        (_latent_title(scene), pictures.latent, _latent_alt(scene)),
    )
    columns = [
        [Words(_heading_html(title)), Picture(figure, alt, "")] for title, figure, alt in planes
    ]
    head = [latent_legend(scene, theme), latent_headline(scene)]
    about = [Words(split_card(scene, theme)), *map(Text, warnings_of(scene.view.basis))]
    return [*map(Words, head), Columns(columns), *about]


def body(pictures: LatentPictures | None) -> None:
    """Draw the pictures and what stands below them; an offer where there is no space."""
    if pictures is None:
        _offer(session.current().first_models(MODELS), current_theme())
        return
    show(latent_legend(pictures.scene, pictures.theme))
    _pictures(pictures)
    latent_details(pictures.scene, pictures.theme)
