"""A stage: the page without its frame, in large letters; arrow keys go through a story.

What is presented is the scene at hand. Beside it stands the reader's own story or, where there is
none and the course was open, the course, step by step.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from html import escape
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from lastviz.ui.components.stage import stage_clock
from lastviz.ui.compute import uploads
from lastviz.ui.state import session, story
from lastviz.ui.state.codec import decode, encode, without_private
from lastviz.ui.state.lessons import SCENES, scene_named
from lastviz.ui.state.quiz_codes import MOST_SLIDES, Slide
from lastviz.ui.state.selection import DEFAULT, Selection
from lastviz.ui.text import number, t

from .glossary import glossary_button
from .headline import show
from .language_switch import keys_button

PAGE_OF_STORY = "story"
OWN_ARROWS = {"quiz", "growth"}  # pages whose own next is meant by an arrow key
BEGAN = "stage_began"  # the session's: when the stage was entered
LEFT = "stage_left"  # the session's: the scene that the first turn left, and its page
MOST_DOTS = 20  # scenes; more are told in numbers alone
PERSISTENT = ("slides", "questions", "staged", "slide")  # of the session, whatever scene is opened


def slides_of(selection: Selection) -> tuple[Slide, ...]:
    """Story that is shown on the stage; the scene at hand alone needs none."""
    if selection.story.slides or selection.story.slide is None:
        return selection.story.slides
    return _course()


def _course() -> tuple[Slide, ...]:
    return tuple(
        Slide(step.page, urlencode(scene.query_of(n)))
        for scene in SCENES
        for n, step in enumerate(scene.steps, start=1)
    )


def stage_doors(selection: Selection, page: str) -> None:
    """Draw at the foot of a page the buttons for the stage and the user's own story."""
    with st.container(key="stage_doors", horizontal=True, wrap=True, gap="small"):
        st.button(
            t("Present"),
            key="stage_enter",
            type="tertiary",
            icon=":material/slideshow:",
            shortcut="P",
            help=t(
                "The page alone, in large letters: arrow keys go through the scenes, b blanks the "
                "screen, n shows notes, Esc leaves."
            ),
            on_click=partial(go_on_stage, 0 if page == PAGE_OF_STORY else None),
        )
        if page != PAGE_OF_STORY:
            n = len(selection.story.slides)
            st.button(
                t("Add to my story ({n})", n=number(n)) if n else t("Add to my story"),
                key="story_add",
                type="tertiary",
                icon=":material/add:",
                disabled=n >= MOST_SLIDES,
                on_click=partial(_collect, page),
            )
        glossary_button()
        keys_button()


# Who goes through the course, and has no story, goes on from there.
def go_on_stage(place: int | None = None) -> None:
    """Enter the stage with the page as it is, or a scene of the story; for callbacks."""
    st.session_state[BEGAN] = time.time()
    st.session_state.pop(LEFT, None)
    if place is None:
        session.select(staged=True, slide=_place_in_course(session.current()))
    else:
        _turn_to(place)


def _place_in_course(selection: Selection) -> int | None:
    """Index of the user's scene in the course, None if the course is not the story."""
    if selection.view.course is None or selection.story.slides:
        return None
    at = selection.view.course
    return _places().index(at) if at in _places() else None


def _places() -> list[tuple[str, int]]:
    """Steps of the course in their order, by scene."""
    return [(scene.key, n) for scene in SCENES for n in range(1, len(scene.steps) + 1)]


def _collect(page: str) -> None:
    """Add the current scene to the story, as in a link."""
    selection = session.current()
    plain = selection.having(**{name: DEFAULT.value(name) for name in PERSISTENT})
    slide = Slide(page, urlencode(encode(without_private(plain))))
    story.add(slide)


# -1 is the scene at hand, before the first.
def _turn_to(place: int) -> None:
    """Show a scene of the story on the stage."""
    before = session.current()
    if place < 0 and LEFT in st.session_state:
        _return(staged=True)
        return
    st.session_state.setdefault(LEFT, (before, session.page()))
    slides = before.story.slides or _course()
    place = min(max(place, 0), len(slides) - 1)
    query = dict(parse_qsl(slides[place].scene, keep_blank_values=True))
    scene, problems = decode(query, session.data_params, session.model_params, uploads.shared_file)
    fields = {name: before.value(name) for name in PERSISTENT} | {"staged": True, "slide": place}
    session.open_scene(scene.having(**fields), problems, slides[place].page)


def _return(*, staged: bool) -> None:
    """Show the scene that the first turn left, on its page."""
    scene, page = st.session_state.pop(LEFT)
    fields = {name: session.current().value(name) for name in ("slides", "questions")}
    session.open_scene(scene.having(**fields, staged=staged, slide=None), page=page)


def _leave() -> None:
    if LEFT in st.session_state:
        _return(staged=False)
    else:
        session.select(staged=False, slide=None)


def stage_bar(selection: Selection, page: str) -> None:
    """Draw the foot of the stage: caption, place in the story, clock, buttons."""
    is_asking = selection.view.ask is not None
    back, onward = ("PageUp", "PageDown") if page in OWN_ARROWS or is_asking else ("Left", "Right")
    slides, at = slides_of(selection), selection.story.slide
    slide = slides[at] if at is not None and at < len(slides) else None
    if slide is not None and is_asking:  # its words would say the answer
        slide = replace(slide, title="", caption="")
    began = st.session_state.setdefault(BEGAN, time.time())
    left, _ = st.session_state.get(LEFT, (selection, page))
    before_first = at == 0 and left.story.staged and left.story.slide is None
    with st.container(key="stage", horizontal=True, vertical_alignment="center", gap="small"):
        if slides:
            st.button(
                t("Back"),
                key="stage_back",
                shortcut=back,
                disabled=not at and not before_first,
                on_click=partial(_turn_to, (at or 0) - 1),
            )
        show(_caption(slide, at, len(slides), is_course=not selection.story.slides))
        stage_clock(time.time() - began, slide.notes if slide is not None else "", at)
        if slides:
            st.button(
                t("Next") if at is not None else t("Begin"),
                key="stage_next",
                type="primary",
                shortcut=onward,
                disabled=at is not None and at + 1 >= len(slides),
                on_click=partial(_turn_to, 0 if at is None else at + 1),
            )
        st.button(t("Leave"), key="stage_leave", shortcut="Esc", on_click=_leave)


def _caption(slide: Slide | None, at: int | None, n: int, *, is_course: bool) -> str:
    if slide is None:
        return '<p class="lv-stage-caption"></p>'
    where = t("{n} of {all}", n=number(at + 1), all=number(n))
    if is_course:  # a reader is in one lesson of it
        key, step = _places()[at]
        where = t("Step {n} of {all}", n=number(step), all=number(len(scene_named(key).steps)))
    words = (slide.title and f"<b>{escape(slide.title)}</b>", escape(slide.caption))
    dots = "".join(
        f'<i class="lv-{"done" if i < at else "here" if i == at else "open"}"></i>'
        for i in range(n if n <= MOST_DOTS else 0)
    )
    return (
        f'<p class="lv-stage-caption">{" ".join(filter(None, words))}'
        f'<small class="lv-dots">{dots}{where}</small></p>'
    )
