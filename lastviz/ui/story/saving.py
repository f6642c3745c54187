"""A story as one web page that plays offline: what will be in it, what is not, the file."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import streamlit as st

from lastviz.export.scorm import as_package
from lastviz.export.slide_show import MOST_BYTES, TooLarge
from lastviz.host.jobs import Job, Working
from lastviz.ui.shared.job_box import job_box
from lastviz.ui.shared.slide_file import MEGABYTE, base_address, page_of
from lastviz.ui.shared.widgets import save_button
from lastviz.ui.state.story_codes import Slide
from lastviz.ui.text import number, plain, plural, t

from .slides import SlideReady, is_about_own_files, ready_slide

MOST_TITLE = 80  # letters


def page_box(slides: Sequence[Slide], title: str, name: str) -> None:
    """Draw the box that makes the page: title, what each slide will show, the file.

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
            help=t(
                "The saved page then contains the drawn rows of these files; anyone who has "
                "the page can read them."
            ),
        )
    with st.spinner(t("Working out the slides …")):
        ready, jobs = _ready(slides, own_files=own_files)
    if jobs:
        waiting = plural(len(jobs), "{n} slide is not ready yet.", "{n} slides are not ready yet.")
        st.caption(waiting)
        job_box(jobs[0], "story_page")
        return
    for place, each in enumerate(ready, start=1):
        if each.lacks:
            sentence = t("Slide {n} has its words alone. {why}", n=number(place), why=each.lacks)
            st.info(plain(sentence))
    _file(ready, own_title.strip() or title, name, own_files=own_files)


def _ready(slides: Sequence[Slide], *, own_files: bool) -> tuple[list[SlideReady], list[Job]]:
    """Return the slides that are ready, and the jobs that others wait for."""
    ready, jobs = [], []
    for slide in slides:
        try:
            ready.append(ready_slide(slide, base_address(), own_files=own_files))
        except Working as working:
            jobs.append(working.job)
    return ready, jobs


def _file(ready: Sequence[SlideReady], title: str, name: str, *, own_files: bool) -> None:
    """Draw what is in the page, how large it is, and the button that saves it."""
    try:
        content = page_of([each.slide for each in ready], title)
    except TooLarge as fault:
        sentence = t(
            "The page would have {size} MB, more than {most}: slide {n} has most of it. Take it "
            "out, or show less there: fewer rows, a smaller tree.",
            size=number(round(fault.size / MEGABYTE, 1)),
            most=number(MOST_BYTES // MEGABYTE),
            n=number(fault.heaviest + 1),
        )
        st.error(sentence)
        return
    _lesson(ready, title, name)
    st.caption(
        t("In the page: questions, captions, notes and what the slides draw, the rows and trees "
          "in their pictures with it. It fetches nothing, and opens in any browser.")
    )  # fmt: skip
    if not own_files:
        st.caption(t("Not in it: typed values, large paintings and files of your own."))
    else:
        st.caption(t("Not in it: typed values and large paintings."))
    size = number(ceil(10 * len(content.encode()) / MEGABYTE) / 10)
    label = t("Save the page ({size} MB)", size=size)
    page = {"mime": "text/html", "key": "story_page_save"}
    save_button(label, content, f"{name}.html", type="primary", **page)


def _lesson(ready: Sequence[SlideReady], title: str, name: str) -> None:
    """Draw the button that saves the slides as a lesson; the platform hears how far a reader is."""

    def package() -> bytes:
        return as_package(page_of([each.slide for each in ready], title, is_lesson=True), title)

    st.download_button(
        t("SCORM 1.2 package for a learning platform"),
        package,
        file_name=f"{name}-scorm.zip",
        mime="application/zip",
        key="story_scorm",
        on_click="ignore",
        help=t("The platform is told when a reader has seen all slides."),
    )
