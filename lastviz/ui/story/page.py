"""The page *story*: scenes that the reader collected, their order, captions, notes, the file."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

import streamlit as st

from lastviz.export.page_file import TooLarge
from lastviz.host.jobs import Job, Working
from lastviz.ui.shared.blocks import draw
from lastviz.ui.shared.course_strip import fill_text, slides_of_scene
from lastviz.ui.shared.figures import page_theme
from lastviz.ui.shared.job_box import job_box
from lastviz.ui.shared.page_file import (
    base_address,
    lesson_of,
    page_of,
    save_lesson,
    save_page,
    too_large,
)
from lastviz.ui.shared.stage import go_on_stage
from lastviz.ui.shared.widgets import put
from lastviz.ui.state import session
from lastviz.ui.state.course import CourseScene
from lastviz.ui.state.lessons import SCENES
from lastviz.ui.state.quiz_codes import MOST_CAPTION, MOST_NOTES, Slide, read_story_file, story_file
from lastviz.ui.text import CannotShow, number, plain, plural, t, translate

from .rendering import SlideReady, is_about_own_files, name_of, ready_slide

MOST_TITLE = 80  # letters


def page_box(slides: Sequence[Slide], title: str, name: str) -> None:
    """Draw the box that makes the page: title, the content of each slide, the file.

    Parameters
    ----------
    slides : sequence of Slide
    title : str
        What the page is called, unless the reader says otherwise.
    name : str
        Of the file, without its ending.
    """
    box = st.expander(
        t("Save as one web page that works offline"), key="story_page", on_change="rerun"
    )
    if box.open:
        with box:
            _in_the_box(slides, title, name)


def _in_the_box(slides: Sequence[Slide], title: str, name: str) -> None:
    own_title = st.text_input(
        t("Title of the page"), placeholder=title, max_chars=MOST_TITLE, key=f"story_title_{name}"
    )
    own_files = False
    if any(map(is_about_own_files, slides)):
        own_files = st.checkbox(
            t("Draw the slides about my own files, too"),
            key="story_own_files",
            help=t("Anyone who has the page can then read the rows that it draws."),
        )
    with st.spinner(t("Working out the slides …")):
        ready, jobs = _ready(slides, own_files=own_files)
    if jobs:
        job_box(jobs[0], "story_page")
        return
    for place, each in enumerate(ready, start=1):
        if each.lacks:
            st.info(plain(t("Slide {n}: {about}", n=number(place), about=each.lacks)))
    _file(ready, own_title.strip() or title, name)


def _ready(slides: Sequence[Slide], *, own_files: bool) -> tuple[list[SlideReady], list[Job]]:
    """Slides that are ready, and the jobs that others wait for."""
    ready, jobs = [], []
    for slide in slides:
        try:
            ready.append(ready_slide(slide, base_address(), own_files=own_files))
        except Working as working:
            jobs.append(working.job)
    return ready, jobs


def _file(ready: Sequence[SlideReady], title: str, name: str) -> None:
    """Draw the contents of the page, its size, and the button that saves it."""
    try:
        content = page_of([each.slide for each in ready], title, turns=True)
    except TooLarge as fault:
        st.error(t("Slide {n}: {about}", n=number(fault.heaviest + 1), about=too_large(fault)))
        return
    save_lesson(lambda: lesson_of([each.slide for each in ready], title), name, "story_scorm")
    save_page(content, f"{name}.html", "story_page_save")


# ---------------------------------------------------------------- page


QUESTION = "What shall I show?"
FAULT = "story_fault"  # the session's key
LESSONS = tuple(scene for scene in SCENES if scene.use == "Teach")


def body() -> None:
    """Draw the story, and the actions on the whole."""
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
    """Draw the lessons of the course as slides, one at a time, if there is no story."""
    st.caption(t("An example, the lessons of the course. A button at the foot of every page adds "
                 "its scene to your own story."))  # fmt: skip
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
    """First slide of a scene, without caption while its numbers are worked out."""
    step, caption = scene.steps[0], ""
    with suppress(Working, CannotShow):
        caption = fill_text(step.text, scene.at(1))[:MOST_CAPTION]
    return Slide(step.page, step.link, caption)


def _slide(place: int, slides: tuple[Slide, ...]) -> None:
    """Draw one scene: its name, its caption and notes, its place."""
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
    """Slides with the one at `place` before the one that it stood behind."""
    if place == 0:
        return slides
    return (*slides[: place - 1], slides[place], slides[place - 1], *slides[place + 1 :])


def _become(slides: tuple[Slide, ...]) -> None:
    session.select(slides=slides)


def _actions(slides: tuple[Slide, ...]) -> None:
    """Draw the actions on the story: present it, save it, open another."""
    st.markdown(f"**{t('Your story')}** {plural(len(slides), '{n} scene', '{n} scenes')}")
    with st.container(horizontal=True, wrap=True, gap="small", key="story_acts"):
        st.button(
            t("Present"),
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
        st.info(plain(translate(reason)))
    else:
        page_box(slides, t(scene.question), scene.key)


def _opened() -> None:
    st.session_state[FAULT] = None
    file = st.session_state["story_open"]
    if file is not None and hasattr(file, "getvalue"):
        try:
            _become(read_story_file(file.getvalue()))
        except ValueError as error:
            st.session_state[FAULT] = translate(error)
