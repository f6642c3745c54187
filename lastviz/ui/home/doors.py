"""The doors of the page *home*: for who teaches, who has data, who studies criteria.

That for data takes a file: a table opens on the page *data*, a saved scene on its own.
"""

from __future__ import annotations

from html import escape

import streamlit as st

from lastviz.datasets import PAINTED
from lastviz.tables import AS_FOUND
from lastviz.ui.compute import cache, scene_file, uploads
from lastviz.ui.compute.data import KINDS, MEGABYTES
from lastviz.ui.shared.scene_box import open_scene_file
from lastviz.ui.state import session
from lastviz.ui.state.presets import scene_named
from lastviz.ui.state.selection import UPLOAD
from lastviz.ui.text import number, plain, t, translated

from .course_path import LESSONS, link_to, pictured

FIELD = "home_table"
FAULT = "home_table_fault"
PICTURE = (264, 192)  # pixels, shown at half its size


def doors() -> None:
    """Draw them, and below them why a file that was handed in cannot be read."""
    with st.container(key="doors"):
        with _door("teach"):
            st.html(pictured(LESSONS[0], *PICTURE))
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
            st.html(pictured(scene_named("what_if"), *PICTURE))
            _about(
                t("Debug a criterion"), t("Every split with its score: why this one, and not yours")
            )
            st.page_link("pages/splits.py", label=t("Force a split, see its price"), icon="")
    _fault_of_table()


def _door(name: str):
    """Return the place of a door; the first link in it covers all of it."""
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


def _fault_of_table() -> None:
    """Say why the file in the field cannot be read; the page *data* has other ways to read it."""
    fault = st.session_state.get(FAULT)
    if fault and st.session_state.get(FIELD) is not None:
        st.error(plain(fault), icon=":material/error:")


def _take() -> None:
    """Read what was handed in; what was there before stays if it cannot be read."""
    st.session_state[FAULT] = None
    file = st.session_state[FIELD]
    if file is None or not hasattr(file, "getvalue"):
        return
    name, data = file.name, file.getvalue()
    try:
        if scene_file.is_scene(name, data):
            open_scene_file(data)
            return
        n_rows = cache.read_file(data, name, AS_FOUND).n_samples
    except ValueError as error:
        st.session_state[FAULT] = translated(error)
        return
    upload = uploads.keep(name, data, n_rows)
    handed_in = session.current().change(data=UPLOAD, upload=upload, reading=AS_FOUND)
    session.open_scene(handed_in, page="data")
