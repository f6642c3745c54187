"""The pictures of the page *latent* put on the page, and what a click in them does."""

from __future__ import annotations

import numpy as np
import streamlit as st

from lastviz.plots import feature_html, number

from . import frame, state
from .components.chart_host import chart
from .headline import show
from .latent_figures import BARS, HEIGHT, TREE, LatentPictures
from .latent_scene import LatentScene
from .latent_words import latent_headline, split_card, warnings_of
from .text import plural, t

__all__ = ["pictures"]


def pictures(prepared: LatentPictures) -> None:
    """Draw the numbers, both planes, the bars, the equation and the tree."""
    scene = prepared.scene
    show(latent_headline(scene))
    for sentence in warnings_of(scene):
        st.warning(sentence, icon=":material/info:")
    left, right = st.columns(2, gap="medium")
    with left:
        _heading(_original_title(scene))
        chart(
            prepared.original,
            key="latent_original",
            height=HEIGHT,
            alt=_original_alt(scene),
            on_click=_row_clicked,
            filename="original",
        )
    with right:
        _heading(_latent_title(scene))
        chart(
            prepared.latent,
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
        chart(prepared.values, key="latent_values", height=BARS, alt=alt, filename="values")
    with right:
        name = feature_html(scene.names[scene.subject])
        _heading(t("Loadings of {name}, feature by feature", name=name))
        alt = t("Weight of each feature in the component; the table below has them all")
        chart(prepared.loadings, key="latent_loadings", height=BARS, alt=alt, filename="loadings")
    show(split_card(scene, frame.theme()))
    chart(
        prepared.tree,
        key="latent_tree",
        height=TREE,
        alt=t("The tree; the frame marks the node. Click a node to walk there."),
        on_click=_node_clicked,
        filename="tree",
    )


def _heading(html: str) -> None:
    show(f'<p class="lv-heading">{html}</p>')


def _original_title(scene: LatentScene) -> str:
    names = [feature_html(scene.view.feature_names[f]) for f in dict.fromkeys(scene.features)]
    m = len(scene.view.feature_names)
    if m <= 2:
        return t("Original: the features themselves")
    if state.current().axes is None and scene.view.basis.space != "none":
        return t("Original: the two heaviest of {m} features", m=m)
    return t("Original: {names}, of {m} features", names=f" {t('and')} ".join(names), m=m)


def _latent_title(scene: LatentScene) -> str:
    first, second = (feature_html(scene.names[i]) for i in scene.components)
    if first == second:
        return t("Latent: {first}", first=first)
    title = t("Latent: {first} against {second}", first=first, second=second)
    if scene.view.component >= 0 and scene.view.component not in scene.components:
        name = feature_html(scene.names[scene.view.component])
        title += f" · {t('the split is along {name}, not seen here', name=name)}"
    return title


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
        return t("{n} of the leaf in the plane of {names}", n=n, names=", ".join(names))
    sentence = "{n} of node {node} in the plane of {names} with the line of the split"
    return t(sentence, n=n, node=scene.node, names=", ".join(names))


def _latent_alt(scene: LatentScene) -> str:
    names = ", ".join(scene.names[i] for i in dict.fromkeys(scene.components))
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
        row = int(click["row"]) - 1
        state.select(lit=None if row == state.current().lit else row)


def _node_clicked(click: dict) -> None:
    if click.get("node") is not None:
        state.select_model(0, node=int(click["node"]))
