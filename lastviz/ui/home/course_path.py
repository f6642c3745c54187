"""The course as a path on the page *home*: its lessons in order, those done, the next one."""

from __future__ import annotations

from html import escape

import streamlit as st

from lastviz.ui.shared.figures import page_theme
from lastviz.ui.state import lessons, session
from lastviz.ui.state.course import TEACH, CourseScene
from lastviz.ui.state.presets import SCENES
from lastviz.ui.text import number, t

from .thumbnail import thumbnails

LESSONS = tuple(scene for scene in SCENES if scene.use == TEACH)
WIDTH, HEIGHT = 216, 120  # pixels of a picture, which is shown at half its size


def course_path() -> None:
    """Draw how far the reader has come, and a stop for each lesson."""
    done = lessons.done()
    ahead = [scene for scene in LESSONS if scene.key not in done]
    with st.container(key="course_head", horizontal=True, vertical_alignment="bottom"):
        st.html(f"<h2>{escape(t('The course'))} <span>{_standing(ahead)}</span></h2>")
        if ahead and len(ahead) < len(LESSONS):
            place = number(LESSONS.index(ahead[0]) + 1)
            link_to(ahead[0], t("Go on with {n}", n=place))
    with st.container(key="course_path"):
        for n, scene in enumerate(LESSONS, start=1):
            _stop(scene, n, done=scene.key in done, next_one=scene in ahead[:1])


def link_to(scene: CourseScene, label: str) -> None:
    """Draw a link to the first step of a scene."""
    st.page_link(
        f"pages/{scene.page}.py",
        label=label,
        icon="",
        query_params=scene.query | session.language_link(),
    )


def pictured(scene: CourseScene, width: int, height: int) -> str:
    """Return the pictures of a scene as html; of this shape, as large as there is room."""
    sources = thumbnails(scene, width=width, height=height, theme=page_theme())
    pictures = "".join(f'<img alt="" src="{source}">' for source in sources)
    return f'<div class="lv-pictures" style="aspect-ratio: {width} / {height}">{pictures}</div>'


def _standing(ahead: list[CourseScene]) -> str:
    minutes = number(sum(scene.minutes for scene in LESSONS))
    left = number(sum(scene.minutes for scene in ahead))
    n_done = len(LESSONS) - len(ahead)
    if n_done == 0:
        return t("{n} lessons, {minutes} minutes", n=number(len(LESSONS)), minutes=minutes)
    return t(
        "<b>{n} of {all}</b> lessons done, {left} of {minutes} minutes to go",
        n=number(n_done),
        all=number(len(LESSONS)),
        left=left,
        minutes=minutes,
    )


def _stop(scene: CourseScene, n: int, *, done: bool, next_one: bool) -> None:
    """Draw one lesson; all of it is its link."""
    about = t("Lesson {n}, done", n=number(n)) if done else t("Lesson {n}", n=number(n))
    state = "done" if done else "next" if next_one else "open"
    with st.container(key=f"scene-{scene.key}", gap="small"):
        st.html(
            f'<div class="lv-stop lv-{state}"><b role="img" aria-label="{escape(about)}">'
            f"{'✓' if done else number(n)}</b></div>{pictured(scene, WIDTH, HEIGHT)}"
        )
        link_to(scene, t(scene.question))
        minutes = t("{n} min", n=number(scene.minutes))
        st.html(f'<p class="lv-card-text"><span>{escape(minutes)}</span></p>')
