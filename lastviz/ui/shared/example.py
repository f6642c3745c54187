"""The scene that a page shows of its own: while nothing was chosen, or where that cannot be."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from lastviz.export.blocks import Block
from lastviz.host.jobs import Working
from lastviz.plots import ThemeName
from lastviz.ui.compute.work import Work, work_of
from lastviz.ui.state import session
from lastviz.ui.state.codec import encode
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import t

from .blocks import draw
from .figures import current_theme
from .job_box import job_box
from .model_view import scene_names

Pictured = Callable[[Work, ThemeName], Sequence[Block]]
"""What draws a scene of a page as blocks; it looks at nothing else."""


def example_note(selection: Selection) -> None:
    """State that the page shows an example, and draw the way to other data.

    Nothing is drawn once the user has chosen something.

    A finished study says so itself: its data are no scene.
    """
    example = session.example()
    if session.is_example() and example is not None and not example.compare.study:
        if session.page() == "data":  # it shows no model, and has the field for other data
            name = scene_names(work_of(selection.having(models=())))[0]
            with st.container(key="example"):
                st.caption(t("An example: {names}.", names=name))
            return
        note = t("An example: {names}.", names=_names(selection))
        _line("example", note, "data", t("Use my data"))


def example_instead(pictured: Pictured) -> None:
    """Draw the example of a page that cannot show the choice, and the way to open it."""
    if session.is_example():  # then that is what cannot be shown
        return
    example = example_link()
    if example is None:
        return
    try:
        work = work_of(example)
        draw(pictured(work, current_theme(work.dataset)), "example")
    except Working as working:
        job_box(working.job, "example")


def example_link() -> Selection | None:
    """Draw the name of the page's example and the way to open it; return it, if any."""
    example = session.example()
    if example is not None:
        note = t("What this page shows, by an example: {names}.", names=_names(example))
        _line("example_shown", note, session.page(), t("Open the example"), encode(example))
    return example


def _names(example: Selection) -> str:
    return t(", ").join(scene_names(work_of(example.first_models(2))))


def _line(key: str, note: str, page: str, label: str, query: dict[str, str] | None = None) -> None:
    with st.container(key=key, horizontal=True, vertical_alignment="center"):
        st.caption(note, width="content")
        params = (query or {}) | session.language_link()
        st.page_link(f"pages/{page}.py", label=label, icon="", query_params=params)
