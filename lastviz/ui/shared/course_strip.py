"""The user's step of the course, above the page: its question, its place and its text."""

from __future__ import annotations

from html import escape

import streamlit as st

from lastviz.host.jobs import Working
from lastviz.ui.components.stage import lessons_watch, to_top
from lastviz.ui.compute.course_facts import facts_of
from lastviz.ui.compute.work import work_of
from lastviz.ui.state import lessons, session
from lastviz.ui.state.course import CourseScene, places_of
from lastviz.ui.state.lessons import SCENES, scene_named
from lastviz.ui.state.quiz_codes import MOST_CAPTION, MOST_SLIDES, Slide
from lastviz.ui.state.selection import DEFAULT, Selection
from lastviz.ui.text import CannotShow, number, plain, t

from .headline import show
from .job_box import wait_for

BESIDE = ("slides", "staged", "slide", "questions", "asked", "room")  # no part of what is seen


def course_strip(selection: Selection, page: str) -> None:
    """Draw the step that the link names, nothing if it names none."""
    if selection.view.course is None:
        return
    key, number_of_step = selection.view.course
    scene = scene_named(key)
    if scene is None or number_of_step > len(scene.steps):
        st.caption(plain(t("The course has no step {n} of “{key}”.", n=number_of_step, key=key)))
        return
    to_top(f"{key} {number_of_step}")
    if number_of_step == len(scene.steps):
        lessons.note_done([key])
        lessons_watch()
    with st.container(key="course_strip", gap="small"):
        if selection.view.ask is not None:  # the text would say the answer
            show(f'<section class="lv-course"><p>{_place(scene, number_of_step)}</p></section>')
            return
        _words(scene, number_of_step)
        if selection.story.staged:
            return  # the stage has its own ways on
        is_left = page != scene.steps[number_of_step - 1].page
        alone = selection.having(**{name: DEFAULT.value(name) for name in BESIDE})
        alone = alone.having(ask=scene.at(number_of_step).view.ask)  # that was answered
        if is_left or alone != scene.at(number_of_step):
            _left_behind(scene, number_of_step)
        _buttons(scene, number_of_step, selection.story.slides)


def slides_of_scene(scene: CourseScene) -> tuple[Slide, ...]:
    """Steps of a scene as a story, their texts as captions.

    Raises
    ------
    CannotShow, Working
        As the functions that work the numbers of the texts out.
    """
    return tuple(
        Slide(step.page, step.link, fill_text(step.text, scene.at(n))[:MOST_CAPTION])
        for n, step in enumerate(scene.steps, start=1)
    )


def fill_text(text: str, selection: Selection) -> str:
    """Text of the course in the reader's language, with the numbers of a state.

    Raises
    ------
    CannotShow, Working
        As the functions that work the numbers out.
    """
    return t(text, **facts_of(work_of(selection), places_of(text)))


def _words(scene: CourseScene, n: int) -> None:
    """Draw the question, the place and the text, and mark the subject of the text."""
    step = scene.steps[n - 1]
    try:
        text = fill_text(step.text, scene.at(n))
    except Working as working:
        text = t("The numbers of this step are being computed.")
        wait_for(working.job)
    except CannotShow as reason:
        text = str(reason)
    show(
        f"<style>.st-key-{step.points_at} {{ outline: 2px dashed var(--lv-accent); "
        "outline-offset: 4px; }</style>"
        '<section class="lv-course" role="status">'
        f"<p>{_place(scene, n)}</p><p>{escape(text)}</p></section>"
    )


def _place(scene: CourseScene, n: int) -> str:
    place = t("Step {n} of {all}", n=number(n), all=number(len(scene.steps)))
    minutes = t("{n} min", n=number(scene.minutes))
    return f"<b>{escape(t(scene.question))}</b> <span>{place} · {minutes}</span>"


def _left_behind(scene: CourseScene, n: int) -> None:
    """Say that the page shows something else by now, and offer the way back."""
    with st.container(key="course_left", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(
            t("The page now shows something else; the numbers above are those of the step."),
            width="content",
        )
        st.button(t("Back to the step"), key="course_restore", on_click=_go, args=(scene.key, n))


def _buttons(scene: CourseScene, n: int, story: tuple[Slide, ...]) -> None:
    """Draw the ways to other steps; behind the last one, to the next scene."""
    last, place = len(scene.steps), SCENES.index(scene)
    with st.container(key="course_steps", horizontal=True, wrap=True, gap="small"):
        st.button(
            t("Back"),
            key="course_back",
            icon=":material/arrow_back:",
            disabled=n == 1,
            on_click=_go,
            args=(scene.key, max(n - 1, 1)),
        )
        if n < last:
            st.button(
                t("Next step"),
                key="course_next",
                icon=":material/arrow_forward:",
                type="primary",
                on_click=_go,
                args=(scene.key, n + 1),
            )
        elif place + 1 < len(SCENES):
            following = SCENES[place + 1]
            st.button(
                t("Next: {question}", question=t(following.question)),
                key="course_following",
                icon=":material/arrow_forward:",
                type="primary",
                on_click=_go,
                args=(following.key, 1),
            )
        _collecting(scene, story)
        st.button(
            t("Leave the course"),
            key="course_close",
            icon=":material/close:",
            type="tertiary",
            on_click=session.select,
            kwargs={"course": None},
        )


def _collecting(scene: CourseScene, story: tuple[Slide, ...]) -> None:
    """Draw the button that takes all steps into the reader's own story."""
    there = {(slide.page, slide.scene) for slide in story}
    is_there = all((step.page, step.link) in there for step in scene.steps)
    st.button(
        t("These steps are in my story") if is_there else t("Add these steps to my story"),
        key="course_collect",
        icon=":material/check:" if is_there else ":material/add:",
        type="tertiary",
        disabled=is_there or len(story) + len(scene.steps) > MOST_SLIDES,
        on_click=_collect,
        args=(scene.key,),
    )


def _collect(key: str) -> None:
    """Add the steps to the story, without captions while their numbers are computed."""
    scene = scene_named(key)
    try:
        slides = slides_of_scene(scene)
    except (CannotShow, Working):
        slides = tuple(Slide(step.page, step.link) for step in scene.steps)
    session.select(slides=(*session.current().story.slides, *slides))


def _go(key: str, n: int) -> None:
    """Open a step of a scene on its page; for callbacks."""
    scene = scene_named(key)
    session.open_scene(scene.at(n), page=scene.steps[n - 1].page)
