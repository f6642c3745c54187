"""The page *home*: scenes, each one click away."""

from __future__ import annotations

from html import escape

import streamlit as st

from lastviz.ui.compute import preparing
from lastviz.ui.compute.jobs import Working
from lastviz.ui.compute.turns import TURNS
from lastviz.ui.shared.course_strip import filled
from lastviz.ui.shared.figures import page_theme
from lastviz.ui.shared.scene_box import open_scene_field, save_scene
from lastviz.ui.state import session
from lastviz.ui.state.course import DEBUG, DEMO, TEACH, USES, CourseScene
from lastviz.ui.state.presets import SCENES
from lastviz.ui.text import CannotShow, number, t

from .thumbnail import thumbnails

__all__ = ["QUESTION", "body"]

QUESTION = "What can I see here?"
WIDTH, HEIGHT = 322, 134
ABOUT = {
    TEACH: "one idea a picture, ready for a lesson",
    DEBUG: "what a model did to these rows",
    DEMO: "what trees can do that few have seen",
}
EVERY = 1.0  # seconds between two looks


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
    if not preparing.is_complete():
        _preparation(preparing.progress()[0])
    for use in USES:
        _gallery(use)
    with st.container(key="saved", horizontal=True, vertical_alignment="bottom", gap="large"):
        with st.container(width=560):
            open_scene_field()
        save_scene(session.current(), session.page())


@st.fragment(run_every=EVERY)
def _preparation(shown: int) -> None:
    """Say how far the algorithms are; the page is drawn anew with what has become ready."""
    with TURNS.turn():
        done, parts = preparing.progress()
        if done > shown or preparing.is_complete():
            session.unsettle()
            st.rerun()
        sentence = t(
            "The algorithms are being prepared for their first use: {done} of {all} parts are "
            "ready. Pages open meanwhile, and wait for no other part than their own.",
            done=number(done),
            all=number(parts),
        )
        st.html(f'<p class="lv-about" role="status">{escape(sentence)}</p>')


def _gallery(use: str) -> None:
    """Draw the scenes of one use, in their order."""
    st.html(f'<h2 class="lv-use">{escape(t(use))} <span>{escape(t(ABOUT[use]))}</span></h2>')
    with st.container(key=f"gallery-{use.lower()}"):
        for scene in (scene for scene in SCENES if scene.use == use):
            _card(scene)


def _card(scene: CourseScene) -> None:
    """Draw one scene; the whole card is its link."""
    sources = thumbnails(scene, width=WIDTH, height=HEIGHT, theme=page_theme())
    pictures = "".join(f'<img alt="" src="{source}">' for source in sources)
    with st.container(key=f"scene-{scene.key}", gap="small"):
        st.html(
            f'<div class="lv-pictures" style="aspect-ratio: {WIDTH} / {HEIGHT}">{pictures}</div>'
        )
        page = f"pages/{scene.page}.py"
        st.page_link(
            page,
            label=t(scene.question),
            icon="",
            query_params=scene.query | session.language_link(),
        )
        minutes = t("{n} min", n=number(scene.minutes))
        before = f"{escape(_line(scene))} · " if _line(scene) else ""
        st.html(f'<p class="lv-card-text">{before}<span>{escape(minutes)}</span></p>')


def _line(scene: CourseScene) -> str:
    """Return the line of a card with its numbers, "" as long as they are being worked out."""
    try:
        return filled(scene.line, scene.selection())
    except (CannotShow, Working):
        return ""
