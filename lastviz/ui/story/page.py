"""The page *story*: scenes that the reader collected, their order, captions, notes, the file."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial

import streamlit as st

from lastviz.host.jobs import Working
from lastviz.ui.shared.blocks import draw
from lastviz.ui.shared.course_strip import filled, slides_of_scene
from lastviz.ui.shared.figures import page_theme
from lastviz.ui.shared.job_box import job_box
from lastviz.ui.shared.stage import go_on_stage
from lastviz.ui.shared.widgets import put
from lastviz.ui.state import session
from lastviz.ui.state.course import CourseScene
from lastviz.ui.state.presets import SCENES
from lastviz.ui.state.story_codes import (
    MOST_CAPTION,
    MOST_NOTES,
    Slide,
    read_story_file,
    story_file,
)
from lastviz.ui.text import CannotShow, number, plain, plural, t, translated

from .saving import page_box
from .slides import name_of, ready_slide

QUESTION = "What shall I show?"
FAULT = "story_fault"  # the session's key
LESSONS = tuple(scene for scene in SCENES if scene.use == "Teach")


def body() -> None:
    """Draw the story, and what can be done with the whole."""
    slides = session.current().story.slides
    left, right = st.columns([3, 2], gap="medium")
    with left:
        if not slides:
            _lessons()
        for place in range(len(slides)):
            _slide(place, slides)
    with right:
        _actions(slides)


def _lessons() -> None:
    """Draw the lessons of the course as slides, one at a time: the story of who has none yet."""
    own = t(
        "A button at the foot of every page adds its scene to your story. Here you put the scenes "
        "in order and write captions and notes."
    )
    st.caption(t("An example: the lessons of the course, each by its first slide.") + " " + own)
    chosen = st.segmented_control(
        t("Lesson"),
        range(len(LESSONS)),
        key="story_lesson",
        default=0,
        required=True,
        format_func=lambda place: number(place + 1),
        label_visibility="collapsed",
    )
    try:
        slide = _first_slide(LESSONS[chosen])
        shown = ready_slide(slide, None, own_files=False).slide
    except Working as working:
        job_box(working.job, "story_lesson")
        return
    st.markdown(f"#### {plain(t(LESSONS[chosen].question))}")
    st.markdown(plain(slide.caption))
    draw(shown.blocks if page_theme() == "light" else shown.dark, f"lesson-{chosen}")


def _begin_with_lessons() -> None:
    """Make the lessons' first slides the reader's own story."""
    _become(tuple(map(_first_slide, LESSONS)))


def _first_slide(scene: CourseScene) -> Slide:
    """Return the first slide of a scene, without caption while its numbers are worked out."""
    step, caption = scene.steps[0], ""
    with suppress(Working, CannotShow):
        caption = filled(step.text, scene.at(1))[:MOST_CAPTION]
    return Slide(step.page, step.link, caption)


def _slide(place: int, slides: tuple[Slide, ...]) -> None:
    """Draw one scene: what it is, its caption and notes, its place."""
    slide = slides[place]
    with st.container(key=f"slide-{place}", border=True, gap="small"):
        st.markdown(f"**{number(place + 1)}.** {plain(name_of(slide))}")
        for field, label, most in (
            ("caption", t("Caption"), MOST_CAPTION),
            ("notes", t("Speaker notes"), MOST_NOTES),
        ):
            key = f"slide_{field}_{place}"
            put(key, getattr(slide, field))
            st.text_input(label, key=key, max_chars=most, on_change=partial(_write, place, field))
        with st.container(horizontal=True, wrap=True, gap="small", key=f"slide-acts-{place}"):
            st.button(t("Show"), key=f"slide_show_{place}", on_click=partial(go_on_stage, place))
            st.button(
                t("Move up"),
                key=f"slide_up_{place}",
                disabled=place == 0,
                on_click=partial(_become, _swapped(slides, place)),
            )
            st.button(
                t("Remove"),
                key=f"slide_out_{place}",
                on_click=partial(_become, slides[:place] + slides[place + 1 :]),
            )


def _write(place: int, field: str) -> None:
    slides = list(session.current().story.slides)
    slides[place] = replace(slides[place], **{field: st.session_state[f"slide_{field}_{place}"]})
    _become(tuple(slides))


def _swapped(slides: tuple[Slide, ...], place: int) -> tuple[Slide, ...]:
    """Return the slides with the one at `place` before the one that it stood behind."""
    if place == 0:
        return slides
    return (*slides[: place - 1], slides[place], slides[place - 1], *slides[place + 1 :])


def _become(slides: tuple[Slide, ...]) -> None:
    session.select(slides=slides)


def _actions(slides: tuple[Slide, ...]) -> None:
    """Draw what can be done with the story: present it, save it, open another."""
    st.markdown(f"**{t('Your story')}** {plural(len(slides), '{n} scene', '{n} scenes')}")
    with st.container(horizontal=True, wrap=True, gap="small", key="story_acts"):
        st.button(
            t("Present it") if slides else t("Present the scenes of Home"),
            key="story_present",
            type="primary",
            icon=":material/slideshow:",
            on_click=partial(go_on_stage, 0),
        )
        if not slides:
            st.button(t("Make my own"), key="story_own", on_click=_begin_with_lessons)
        st.download_button(
            t("Save as a file"),
            story_file(slides),
            file_name="story.json",
            mime="application/json",
            key="story_save",
            on_click="ignore",
            disabled=not slides,
        )
    if slides:
        page_box(slides, t("My story"), "story")
    else:
        _course_as_page()
    file = st.file_uploader(
        t("Open a saved story"),
        type=["json"],
        key="story_open",
        max_upload_size=1,
        on_change=_opened,
    )
    if file is not None and st.session_state.get(FAULT):
        st.error(plain(st.session_state[FAULT]), icon=":material/error:")
    st.caption(
        t("Links and stories do not contain typed values, large paintings or your own files.")
    )


def _course_as_page() -> None:
    """Draw the choice of a scene of the course, and its steps as one page."""
    scene = st.selectbox(
        t("Or a scene of the course"),
        SCENES,
        key="story_course",
        index=None,
        format_func=lambda scene: t(scene.question),
    )
    if scene is None:
        return
    try:
        slides = slides_of_scene(scene)
    except Working as working:
        job_box(working.job, "story_course")
    except CannotShow as reason:
        st.info(plain(translated(reason)))
    else:
        page_box(slides, t(scene.question), scene.key)


def _opened() -> None:
    st.session_state[FAULT] = None
    file = st.session_state["story_open"]
    if file is not None and hasattr(file, "getvalue"):
        try:
            _become(read_story_file(file.getvalue()))
        except ValueError as error:
            st.session_state[FAULT] = translated(error)
