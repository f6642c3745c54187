"""What the page *latent* says where a model looks for no space of its own."""

from __future__ import annotations

import streamlit as st

from lastviz.datasets import Dataset
from lastviz.estimators import ESTIMATORS

from . import cache, latent_cache, state
from .headline import show
from .latent_scene import latent_scene
from .latent_spaces import four_spaces
from .scenes import SCENES
from .suitability import obstacle
from .text import t

__all__ = ["offer"]

WITH_A_SPACE = "gsodt"


def offer() -> None:
    """Say why there is nothing to draw, and offer what can be drawn instead."""
    selection = state.current()
    key = selection.models[0].key
    if latent_cache.has_space(key):
        _reason()
        return
    title = t(ESTIMATORS[key].title)
    st.markdown(
        t(
            "**{title}** looks for its splits in the data as they are. GSODT and LSODT change the "
            "space first and then cut it with straight lines, which are oblique in the data.",
            title=title,
        )
    )
    dataset = cache.data(selection).dataset
    fits = obstacle(ESTIMATORS[WITH_A_SPACE], dataset) is None
    with st.container(horizontal=True, vertical_alignment="center"):
        if fits:
            st.button(
                t("Show GSODT on these data"),
                key="to_latent",
                type="primary",
                on_click=lambda: state.select_model(0, key=WITH_A_SPACE),
            )
        scene = next(scene for scene in SCENES if scene.page == "latent")
        st.page_link("pages/latent.py", label=t(scene.title), icon="", query_params=scene.query)
    if fits and _is_quick(dataset):
        show(f'<p class="lv-heading">{t("GSODT on these data, in four spaces")}</p>')
        four_spaces(selection.change_model(0, key=WITH_A_SPACE))


def _is_quick(dataset: Dataset) -> bool:
    return dataset.n_samples * dataset.n_features <= 200_000


def _reason() -> None:
    """Say why the model has no space to show."""
    try:
        latent_scene()
    except ValueError as error:
        st.info(str(error))
        st.page_link("pages/data.py", label=t("Choose other columns or data"), icon="")
