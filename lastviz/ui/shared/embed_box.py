"""The line of html by which another site's page shows the scene in a frame."""

from __future__ import annotations

from html import escape

import streamlit as st

from lastviz.host.addresses import page_address
from lastviz.host.security import EMBED, embedders
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import t

from .figures import page_theme

WIDTH, HEIGHT = 960, 720  # pixels: from 768 on a frame has its sidebar beside the picture


def embed_box(selection: Selection, page: str) -> None:
    """Draw the button; it opens a window that asks for the size and shows the line."""
    if st.button(t("Embed"), key="embed"):
        st.dialog(t("Embed"), width="large")(_line_box)(selection, page)


def _line_box(selection: Selection, page: str) -> None:
    if not embedders():
        st.caption(
            t("No other site may show pages of this server. Its operator names those that may, "
              "in {name}.", name=f"`{EMBED}`")
        )  # fmt: skip
        return
    st.caption(t("Put this line on your page: it shows the scene as it is now."))
    steered = st.checkbox(
        t("With the controls of the sidebar"),
        key="embed_steered",
        help=t("Without them the picture keeps its sliders, its zoom and its hover."),
    )
    sides = st.columns(2)
    width = sides[0].number_input(t("Width"), 320, 4000, WIDTH, 20, key="embed_width")
    height = sides[1].number_input(t("Height"), 240, 4000, HEIGHT, 20, key="embed_height")
    line = frame_line(
        page_address(),
        session.embedded_link(selection, page_theme(), steered=steered),
        (int(width), int(height)),
        f"lastviz: {t(page.capitalize())}",
    )
    st.code(line, language="html", wrap_lines=True)
    if selection.upload is not None and selection.upload.share is None:
        st.caption(
            t("Readers will be asked for your file: share it on the page Data and open the shared "
              "table first.")
        )  # fmt: skip
    sites = t(", ").join(embedders())
    st.caption(t("These sites may show it: {sites}.", sites=sites))


def frame_line(address: str, query: str, size: tuple[int, int], title: str) -> str:
    """Return the line of html: a frame of that size in pixels, no wider than its page."""
    return (
        f'<iframe src="{escape(f"{address}?{query}")}" title="{escape(title)}" width="{size[0]}" '
        f'height="{size[1]}" style="max-width: 100%; border: 0" loading="lazy" '
        'allow="fullscreen; clipboard-write"></iframe>'
    )
