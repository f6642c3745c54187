"""The page *story*: slides in small, the chosen one with its words, ways to save them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from hashlib import sha256
from urllib.parse import urlencode

import streamlit as st

from lastviz._browser import BROWSER, browser
from lastviz._extras import is_installed
from lastviz.export.blocks import Section
from lastviz.export.page_file import TooLarge
from lastviz.export.powerpoint import NEEDS_PPTX, as_powerpoint
from lastviz.host.jobs import Failed, Job, Working
from lastviz.host.store import Upload
from lastviz.ui.compute import scene_file, uploads
from lastviz.ui.compute.outcome import outcome
from lastviz.ui.compute.work import work_of
from lastviz.ui.quiz.page import KIND_TITLES, own_question
from lastviz.ui.shared.blocks import draw
from lastviz.ui.shared.course_strip import fill_text, slides_of_scene
from lastviz.ui.shared.figures import page_theme
from lastviz.ui.shared.job_box import job_box, result_or_reason, wait_for
from lastviz.ui.shared.page_file import (
    SlideReady,
    base_address,
    is_away,
    lesson_of,
    page_of,
    save_lesson,
    save_page,
    too_large,
)
from lastviz.ui.shared.scene_box import keep_tables
from lastviz.ui.shared.stage import go_on_stage
from lastviz.ui.shared.widgets import open_button, put, save_button
from lastviz.ui.state import session, story
from lastviz.ui.state.codec import encode
from lastviz.ui.state.course import CourseScene
from lastviz.ui.state.lessons import SCENES
from lastviz.ui.state.quiz_codes import (
    FIRST_KINDS,
    MOST_CAPTION,
    MOST_NOTES,
    MOST_TITLE,
    STORY,
    Ask,
    Slide,
    Slides,
    read_story_file,
    story_file,
)
from lastviz.ui.state.selection import DEFAULT
from lastviz.ui.text import CannotShow, join_names, number, plain, plural, t, translate

from .board import board, scene_key
from .rendering import PICTURED, is_about_own_files, picture_of, ready_slide, scene_in

QUESTION = "What shall I show?"
MOST_NAME = 80  # letters
WANTED = "story_powerpoint_wanted"  # the session's: the page whose slides it asked for
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
LESSONS = tuple(scene for scene in SCENES if scene.use == "Teach")


def body() -> None:
    """Draw the story, and the actions on the whole."""
    slides = story.slides()
    if not slides:
        left, right = st.columns([3, 2], gap="medium")
        with left:
            _earlier()
            _lessons()
    else:
        strip, middle, right = st.columns([4, 13, 5], gap="medium")
        ready, jobs = _in_sight(slides)
        with strip:
            board(slides, ready)
            _earlier()
        place = story.chosen_place()
        with middle:
            _slide(place, slides[place], ready.get(place), jobs.get(place))
        with right:
            _beside(place, slides)
        if jobs.keys() - {place}:
            wait_for(next(job for at, job in jobs.items() if at != place))
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
        shown = ready_slide(slide, None, own_files=False)
    except Working as working:
        job_box(working.job, "story_lesson")
        return
    st.markdown(f"#### {plain(t(LESSONS[chosen].question))}")
    st.markdown(plain(slide.caption))
    draw(shown.blocks_in(page_theme()), f"lesson-{chosen}")


def _begin_with_lessons() -> None:
    """Make the lessons' first slides the reader's own story."""
    story.become(tuple(map(_first_slide, LESSONS)))


def _first_slide(scene: CourseScene) -> Slide:
    """First slide of a scene, without caption while its numbers are worked out."""
    step, caption = scene.steps[0], ""
    with suppress(Working, CannotShow):
        caption = fill_text(step.text, scene.at(1))[:MOST_CAPTION]
    return Slide(step.page, step.link, caption)


# ---------------------------------------------------------------- the chosen slide


def _in_sight(slides: Slides) -> tuple[dict[int, SlideReady], dict[int, Job]]:
    """Slides in sight, by their places, and the jobs that others wait for."""
    ready, jobs = {}, {}
    for place, slide in enumerate(slides):
        if place == story.chosen_place() or session.was_seen(scene_key(slide)):
            try:
                ready[place] = ready_slide(slide, None, own_files=True)
            except Working as working:
                jobs[place] = working.job
    return ready, jobs


def _slide(place: int, slide: Slide, ready: SlideReady | None, job: Job | None) -> None:
    """Draw one slide: its title, its blocks, its caption."""
    proposed = [ready.finding, ready.slide.question or ready.slide.title] if ready else []
    proposed = [*filter(None, proposed)]
    with st.container(key="story-slide", border=True, gap="small"):
        title = proposed[0] if proposed else ""
        _words(place, slide, "title", t("Title"), MOST_TITLE, placeholder=title, height="content")
        if proposed:
            _proposals(place, slide, proposed)
        if job is not None:
            job_box(job, "story_slide")
        if ready is not None:
            st.caption(plain(ready.slide.about))
            if ready.lacks:
                st.info(plain(ready.lacks))
            draw(ready.blocks_in(page_theme()), f"slide-{scene_key(slide)}")
        _words(place, slide, "caption", t("Caption"), MOST_CAPTION, height="content")


# A title that the reader has not worded follows the data; one that was taken is theirs.
def _proposals(place: int, slide: Slide, proposed: Sequence[str]) -> None:
    with st.container(key="story_proposals", horizontal=True, wrap=True, gap="small"):
        st.caption(t("Titles the app proposes:"), width="content")
        for n, title in enumerate(proposed):
            take = partial(story.reword, place, title=title[:MOST_TITLE])
            label = plain(title) if n or slide.title else t("Change this sentence")
            st.button(label, key=f"story_propose_{n}", on_click=take)


# The field is the slide's: that of another would be sent what this one still holds.
def _words(place: int, slide: Slide, field: str, label: str, most: int, **look: object) -> None:
    """Draw the field of one kind of words of a slide."""
    key = f"slide_{field}_{place}_{scene_key(slide)}"
    put(key, getattr(slide, field))

    def write() -> None:
        text = st.session_state[key].strip()
        story.reword(place, **{field: text if field == "notes" else " ".join(text.split())})

    st.text_area(label, key=key, max_chars=most, on_change=write, **look)


def _beside(place: int, slides: Slides) -> None:
    """Draw the speaker's notes of a slide, and the buttons that act on it."""
    slide, last = slides[place], len(slides) - 1
    _words(place, slide, "notes", t("Speaker notes"), MOST_NOTES)
    _ask_first(place, slide)
    with st.container(horizontal=True, wrap=True, gap="small", key="story_slide_acts"):
        for label, key, act, off in (
            (t("Show"), "show", partial(go_on_stage, place), False),
            (t("Move up"), "up", partial(story.move, place, place - 1), place == 0),
            (t("Move down"), "down", partial(story.move, place, place + 1), place == last),
            (t("Remove"), "out", partial(story.remove, place), False),
        ):
            st.button(label, key=f"slide_{key}_{place}", on_click=act, disabled=off)


def _ask_first(place: int, slide: Slide) -> None:
    """Draw the question that is asked before a slide shows, or the fields of one."""
    selection, problems = scene_in(slide)
    if problems or is_away(selection) or not getattr(PICTURED.get(slide.page), "MODELS", 0):
        return
    asked = selection.view.ask
    box = st.expander(t("A question first"), key="story_ask", on_change="rerun")
    if not box.open or work_of(selection).dataset.is_regression:
        return

    def become(ask: Ask | None) -> None:
        story.reword(place, scene=urlencode(encode(selection.having(ask=ask))))

    with box:
        if asked is not None:
            st.markdown(plain(asked.text or t(KIND_TITLES[asked.kind])))
            st.button(t("Ask nothing"), key="story_ask_nothing", on_click=become, args=(None,))
            return
        titles = {kind: t(KIND_TITLES[kind]) for kind in FIRST_KINDS}
        label = t("Kind of question")
        kind = st.selectbox(label, titles, key="story_ask_kind", format_func=titles.get)
        ask = own_question(selection, kind)
        st.button(t("Ask this first"), key="story_ask_this", on_click=become, args=(ask,))


def _earlier() -> None:
    """Offer the story that the last change took away."""
    if (before := story.earlier()) is not None:
        with st.container(key="story_earlier", gap="small"):
            st.caption(plain(before[1]))
            st.button(t("Undo"), key="story_undo", on_click=story.bring_back)


def _actions(slides: Slides) -> None:
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
        content, name, tables = story_to_save(slides)
        look = {"mime": "application/octet-stream", "key": "story_save", "disabled": not slides}
        save_button(t("Save as a file"), content, name, **look)
    if tables:
        names = join_names(tables)
        st.caption(plain(t("Anyone who has the file can read the rows of {names}.", names=names)))
    if slides:
        page_box(slides, t("My story"), "story")
    else:
        _course_as_page()
    types = ("json", scene_file.SUFFIX.removeprefix("."))
    most = scene_file.MOST_BYTES // 2**20 + 1
    open_button(open_story, key="story_open", types=types, most=most)
    st.caption(
        t("Links and stories do not contain typed values or large paintings. Your own tables are "
          "in the file of a story, and never in a link.")
    )  # fmt: skip


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
    slides = result_or_reason(partial(slides_of_scene, scene), "story_course")
    if slides is not None:
        page_box(slides, t(scene.question), scene.key)


# ---------------------------------------------------------------- one page, a lesson, slides


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
        t("Save as a web page or for PowerPoint"), key="story_page", on_change="rerun"
    )
    if box.open:
        with box:
            _in_the_box(slides, title, name)


def _in_the_box(slides: Sequence[Slide], title: str, name: str) -> None:
    own_title = st.text_input(
        t("Title of the page"),
        placeholder=title,
        max_chars=MOST_NAME,
        key=f"story_title_{name}",
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
    _powerpoint(ready, content, title, name)


# A browser on the server draws the pictures, one after the other.
def _powerpoint(ready: Sequence[SlideReady], page: str, title: str, name: str) -> None:
    """Draw the button that makes the PowerPoint file, then the one that saves it."""
    if refusal := _refusal():
        st.caption(plain(refusal))
        return
    wanted = sha256(page.encode()).hexdigest()
    if st.session_state.get(WANTED) != wanted:
        make = partial(st.session_state.__setitem__, WANTED, wanted)
        st.button(t("Make the PowerPoint file"), key="story_powerpoint_make", on_click=make)
        return
    slides = [each.slide for each in ready]
    key = ("powerpoint", wanted, *uploads.identities())
    ask = partial(outcome, key, t("The PowerPoint file"), partial(_drawn, slides, title))
    content = result_or_reason(ask, "story_powerpoint")
    if content is not None:
        label = t("Save the PowerPoint file")
        save_button(label, content, f"{name}.pptx", mime=PPTX, key="story_powerpoint")


def _refusal() -> str:
    """Reason why no PowerPoint file can be made, with the remedy, or ""."""
    if not is_installed("pptx"):
        return translate(NEEDS_PPTX)
    try:
        browser()
    except ValueError:
        return t(
            "PowerPoint needs pictures of the slides, which Chromium, Chrome or Edge draws on the "
            "server, and none is found there: install one, or name its program in {name}.",
            name=BROWSER,
        )
    return ""


def _drawn(slides: Sequence[Section], title: str) -> Generator[float, None, bytes]:
    """Draw the pictures of slides one by one; return the PowerPoint file."""
    pictures = []
    for slide in slides:
        yield len(pictures) / len(slides)
        try:
            pictures.append(picture_of(slide) if slide.blocks else None)
        except ValueError as reason:
            raise Failed(t("A slide could not be drawn: {reason}.", reason=reason)) from reason
    return as_powerpoint(slides, pictures, title)


# ---------------------------------------------------------------- a story to be changed


def story_to_save(slides: Slides) -> tuple[str | Callable[[], bytes], str, list[str]]:
    """Content and name of a story's file, and the names of the tables in it.

    It is JSON where there is none of the reader's own tables, else a scene with them.
    """
    tables: dict[Upload, bytes] = {}
    found = []
    for slide in slides:
        selection, _ = scene_in(slide)
        if (upload := selection.upload) and (data := uploads.content(upload)) is not None:
            own = replace(upload, share=None)  # elsewhere it is the reader's, whoever shares it
            tables[own] = data
            slide = replace(slide, scene=urlencode(encode(replace(selection, upload=own))))
        found.append(slide)
    if not tables:
        return story_file(slides), "story.json", []
    scene = DEFAULT.having(slides=tuple(found))
    make = partial(scene_file.write, scene, "story", None, tables=tuple(tables.items()))
    return make, f"story{scene_file.SUFFIX}", [own.name for own in tables]


def open_story(content: bytes) -> None:
    """Open a story's file in either form; for callbacks of fields."""
    if not scene_file.is_scene("", content):
        story.become(read_story_file(content))
        return
    saved = scene_file.read(content)
    if not saved.selection.story.slides:
        raise ValueError(t(STORY.refused))
    keep_tables(saved)
    story.become(saved.selection.story.slides)
