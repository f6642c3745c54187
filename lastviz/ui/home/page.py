"""The page *home*: a tree that grows by itself, three doors, the course, and its sequel."""

from __future__ import annotations

from html import escape
from urllib.parse import urlencode

import streamlit as st

from lastviz.datasets import PAINTED
from lastviz.host.jobs import Working
from lastviz.tables import AS_FOUND
from lastviz.ui.components.grown_tree import grown_tree
from lastviz.ui.components.stage import lessons_watch
from lastviz.ui.compute import scene_file, uploads
from lastviz.ui.compute.data import KINDS, MEGABYTES, read_file
from lastviz.ui.shared.controls import show_data
from lastviz.ui.shared.course_strip import fill_text
from lastviz.ui.shared.figures import page_theme
from lastviz.ui.shared.job_box import job_box, wait_for
from lastviz.ui.shared.scene_box import open_scene_file
from lastviz.ui.state import lessons, session
from lastviz.ui.state.course import DEBUG, DEMO, TEACH, CourseScene
from lastviz.ui.state.lessons import SCENES, scene_named
from lastviz.ui.state.selection import UPLOAD
from lastviz.ui.text import CannotShow, number, plain, plural, t, translate

from .thumbnail import LINK, growing, link_scene, thumbnails

LESSONS = tuple(scene for scene in SCENES if scene.use == TEACH)
PICTURE_WIDTH, PICTURE_HEIGHT = 216, 120  # pixels of a picture, which is shown at half its size


def course_path() -> None:
    """Draw how far the reader has come, and a stop for each lesson."""
    done = lessons.done()
    ahead = [scene for scene in LESSONS if scene.key not in done]
    with st.container(key="course_head", horizontal=True, vertical_alignment="bottom"):
        minutes = number(sum(scene.minutes for scene in LESSONS))
        about = t("{n} lessons, {minutes} minutes", n=number(len(LESSONS)), minutes=minutes)
        st.html(f"<h2>{escape(t('The course'))} <span>{escape(about)}</span></h2>")
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


def scene_pictures(scene: CourseScene, width: int, height: int) -> str:
    """Pictures of a scene as html; of this shape, as large as there is room."""
    sources = thumbnails(scene, width=width, height=height, theme=page_theme())
    pictures = "".join(f'<img alt="" src="{source}">' for source in sources)
    return f'<div class="lv-pictures" style="aspect-ratio: {width} / {height}">{pictures}</div>'


def _stop(scene: CourseScene, n: int, *, done: bool, next_one: bool) -> None:
    """Draw one lesson; all of it is its link."""
    about = t("Lesson {n}, done", n=number(n)) if done else t("Lesson {n}", n=number(n))
    state = "done" if done else "next" if next_one else "open"
    with st.container(key=f"scene-{scene.key}", gap="small"):
        st.html(
            f'<div class="lv-stop lv-{state}"><b role="img" aria-label="{escape(about)}">'
            f"{'✓' if done else number(n)}</b></div>"
            + scene_pictures(scene, PICTURE_WIDTH, PICTURE_HEIGHT)
        )
        link_to(scene, t(scene.question))
        minutes = t("{n} min", n=number(scene.minutes))
        st.html(f'<p class="lv-card-text"><span>{escape(minutes)}</span></p>')


# ---- The doors of the page *home*: for who teaches, who has data, who studies criteria
#
# That for data takes a file: a table opens on the page *data*, a saved scene on its own.


FIELD = "home_table"
FAULT = "home_table_fault"
PICTURE = (264, 192)  # pixels, shown at half its size


def doors() -> None:
    """Draw them, and below them why a file that was handed in cannot be read."""
    with st.container(key="doors"):
        with _door("teach"):
            st.html(scene_pictures(LESSONS[0], *PICTURE))
            _about(
                t("Teach"),
                t("{n} lessons, one idea each, from the first split on", n=number(len(LESSONS))),
            )
            link_to(LESSONS[0], t("Begin lesson {n}", n=number(1)))
        with _door("data"):
            _table_field()
            line = t("Drop your table here: CSV, Excel, ARFF, Parquet. It stays on this server.")
            _about(t("Understand my data"), line)
            with st.container(horizontal=True, gap="small"):
                st.page_link("pages/data.py", label=t("Open a table"), icon="")
                with st.container(key="sample", width="content"):
                    st.page_link(
                        "pages/data.py",
                        label=t("or try breast cancer"),
                        icon="",
                        query_params={"data": "breast_cancer"} | session.language_link(),
                    )
                with st.container(key="paint_door", width="content"):
                    st.page_link(
                        "pages/data.py",
                        label=t("or paint your own"),
                        icon="",
                        query_params={"data": PAINTED} | session.language_link(),
                    )
        with _door("debug"):
            st.html(scene_pictures(scene_named("what_if"), *PICTURE))
            _about(
                t("Debug a criterion"), t("Every split with its score: why this one, and not yours")
            )
            st.page_link("pages/splits.py", label=t("Force a split, see its price"), icon="")
    _fault_of_table()


def _door(name: str):
    """Place of a door; the first link in it covers all of it."""
    return st.container(key=f"door-{name}", gap=None)


def _about(title: str, line: str) -> None:
    st.html(f'<h2 class="lv-door">{escape(title)}</h2><p>{escape(line)}</p>')


def _table_field() -> None:
    """Draw the field."""
    st.file_uploader(
        t("Your own table"),
        type=[*KINDS, scene_file.SUFFIX.removeprefix(".")],
        key=FIELD,
        max_upload_size=MEGABYTES,
        on_change=_take,
        label_visibility="collapsed",
    )


# The page *data* has other ways to read it.
def _fault_of_table() -> None:
    """Show why the file in the field cannot be read."""
    fault = st.session_state.get(FAULT)
    if fault and st.session_state.get(FIELD) is not None:
        st.error(plain(fault), icon=":material/error:")


# If it cannot be read, the data from before stay.
def _take() -> None:
    """Read the uploaded file."""
    st.session_state[FAULT] = None
    file = st.session_state[FIELD]
    if file is None or not hasattr(file, "getvalue"):
        return
    name, data = file.name, file.getvalue()
    try:
        if scene_file.is_scene(name, data):
            open_scene_file(data)
            return
        n_rows = read_file(data, name, AS_FOUND).n_samples
    except ValueError as error:
        st.session_state[FAULT] = translate(error)
        return
    upload = uploads.keep(name, data, n_rows)
    show_data(data=UPLOAD, upload=upload, reading=AS_FOUND)
    session.open_scene(session.current(), page="data")


# ---------------------------------------------------------------- page


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
    session.open_scene(link_scene(), page="boundaries")


def _after_it() -> None:
    """Draw a line about the scenes after the course, which unfolds to their cards."""
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
        st.html(scene_pictures(scene, WIDTH, HEIGHT))
        link_to(scene, t(scene.question))
        minutes = t("{n} min", n=number(scene.minutes))
        line = _line(scene)
        before = f"{escape(line)} · " if line else ""
        st.html(f'<p class="lv-card-text">{before}<span>{escape(minutes)}</span></p>')


def _line(scene: CourseScene) -> str:
    """Line of a card with its numbers, "" as long as they are being worked out."""
    try:
        return fill_text(scene.line, scene.selection())
    except Working as working:
        wait_for(working.job)
    except CannotShow:
        pass
    return ""
