"""The page *home*: a tree that grows by itself, three doors, the course, and what follows it."""

from __future__ import annotations

from html import escape
from urllib.parse import urlencode

import streamlit as st

from lastviz.host.jobs import Working
from lastviz.ui.components.grown_tree import grown_tree
from lastviz.ui.components.unseen import lessons_watch
from lastviz.ui.shared.course_strip import filled
from lastviz.ui.shared.figures import page_theme
from lastviz.ui.shared.job_box import job_box, wait_for
from lastviz.ui.shared.scene_box import save_scene
from lastviz.ui.state import session
from lastviz.ui.state.course import DEBUG, DEMO, CourseScene
from lastviz.ui.state.presets import SCENES
from lastviz.ui.text import CannotShow, number, plural, t

from .course_path import course_path, link_to, pictured
from .doors import doors
from .growing import LINK, growing, shown

QUESTION = "See how a decision tree thinks"
WIDTH, HEIGHT = 322, 134
AFTER = {DEBUG: "what a model did to these rows", DEMO: "what trees can do that few have seen"}
GAP = "\u2003"  # a wide blank


def body() -> None:
    """Draw the tree, the doors, the course, and the scenes that follow it."""
    with st.container(key="hero"):
        lessons_watch()
        _tree()
    doors()
    course_path()
    _after_it()
    save_scene(session.current(), session.page())


def _tree() -> None:
    """Draw the tree that grows, or how far it is."""
    try:
        story = growing(page_theme())
    except Working as working:
        job_box(working.job, "hero")
        return
    link = f"boundaries?{urlencode(LINK | session.language_link())}"
    grown_tree(story, link, key="grown", on_open=_open)


def _open() -> None:
    session.open_scene(shown(), page="boundaries")


def _after_it() -> None:
    """Draw a line about the scenes that follow the course; opened, it shows their cards."""
    counts = {use: [scene for scene in SCENES if scene.use == use] for use in AFTER}
    lines = [
        f"**{t(use)}**, {plural(len(found), '{n} scene', '{n} scenes')}: {t(AFTER[use])}"
        for use, found in counts.items()
    ]
    box = st.expander(
        f" {GAP} ".join([f"**{t('After it')}**", *lines]), key="fold.after", on_change="rerun"
    )
    if box.open:
        with box:
            for use, found in counts.items():
                with st.container(key=f"gallery-{use.lower()}"):
                    for scene in found:
                        _card(scene)


def _card(scene: CourseScene) -> None:
    """Draw one scene; the whole card is its link."""
    with st.container(key=f"scene-{scene.key}", gap="small"):
        st.html(pictured(scene, WIDTH, HEIGHT))
        link_to(scene, t(scene.question))
        minutes = t("{n} min", n=number(scene.minutes))
        line = _line(scene)
        before = f"{escape(line)} · " if line else ""
        st.html(f'<p class="lv-card-text">{before}<span>{escape(minutes)}</span></p>')


def _line(scene: CourseScene) -> str:
    """Return the line of a card with its numbers, "" as long as they are being worked out."""
    try:
        return filled(scene.line, scene.selection())
    except Working as working:
        wait_for(working.job)
    except CannotShow:
        pass
    return ""
