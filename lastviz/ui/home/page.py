"""The page *home*: scenes, each one click away."""

from __future__ import annotations

from html import escape

import streamlit as st

from lastviz.ui.shared.figures import current_theme
from lastviz.ui.state.presets import PRESETS, Preset
from lastviz.ui.text import t

from .thumbnail import thumbnails

__all__ = ["QUESTION", "body"]

QUESTION = "What can I see here?"
WIDTH, HEIGHT = 660, 200


def body() -> None:
    """Draw what the app is for, and a card for each scene."""
    with st.container(key="intro", horizontal=True, vertical_alignment="center"):
        st.markdown(
            t(
                "How decision trees think: choose data, train a tree, see exactly where it draws "
                "the line, and ask why."
            ),
            width="content",
        )
        st.page_link("pages/data.py", label=t("Begin with a table of your own"), icon="")
    for first in range(0, len(PRESETS), 2):
        pair = PRESETS[first : first + 2]
        for column, scene in zip(st.columns(2, gap="medium"), pair, strict=False):
            with column:
                _card(scene)


def _card(scene: Preset) -> None:
    """Draw one scene; the whole card is its link."""
    sources = thumbnails(scene, width=WIDTH, height=HEIGHT, theme=current_theme())
    pictures = "".join(f'<img alt="" src="{source}">' for source in sources)
    with st.container(key=f"scene-{scene.key}", gap="small"):
        st.html(
            f'<div class="lv-pictures" style="aspect-ratio: {WIDTH} / {HEIGHT}">{pictures}</div>'
        )
        page = f"pages/{scene.page}.py"
        st.page_link(page, label=t(scene.title), icon="", query_params=scene.query)
        st.html(f'<p class="lv-card-text">{escape(t(scene.text))}</p>')
