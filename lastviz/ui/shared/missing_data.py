"""Stand-in for the whole page while the file of its scene is not here.

A link never contains a file of the reader's own. Whoever opens it elsewhere gives the file, which
is recognised by its contents, and finds the scene; another file can be looked at as new data.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from lastviz.datasets import Dataset
from lastviz.host.store import Upload
from lastviz.ui.compute import scene_file, uploads
from lastviz.ui.compute.data import MEGABYTES, read_file
from lastviz.ui.state import session
from lastviz.ui.state.selection import DEFAULT, UPLOAD
from lastviz.ui.text import number, plain, plural, t, translate

from .scene_box import open_scene_field, open_scene_file, privacy_link

FIELD = "missing_file_field"
FAULT = "missing_file_fault"
CODE, CODE_FAULT = "missing_file_code", "missing_file_code_fault"
OTHER = "missing_file_other"  # what differs in a file that is another one


# These are a file or typed values that the page is about.
def wait_for_visitor(question: str) -> None:
    """Draw a page while the browser is queried for the visitor's data."""
    st.title(t(question), anchor=False)
    st.caption(t("Looking for your data …"))


def ask_for_file(missing: Upload) -> None:
    """Draw the place to drop the file, and the ways on without it."""
    rows = plural(missing.rows, "{n} row", "{n} rows")
    st.title(plain(t("Please provide {name}, {rows}", name=missing.name, rows=rows)), anchor=False)
    with st.container(width=640):
        st.markdown(plain(_reason(missing)))
        file = st.file_uploader(
            t("Drop the file here"),
            key=FIELD,
            max_upload_size=MEGABYTES,
            on_change=_take,
            args=(missing,),
        )
        st.text_input(
            t("Or the code under which it is shared"),
            key=CODE,
            placeholder=t("Code"),
            max_chars=64,
            on_change=_by_code,
            args=(missing,),
        )
        if st.session_state.get(CODE) and st.session_state.get(CODE_FAULT):
            st.error(plain(st.session_state[CODE_FAULT]), icon=":material/error:")
        privacy_link()
        if file is not None:
            _say(missing)
        st.button(t("Go on with other data"), key="missing_file_without", on_click=_without)


def ask_to_paint(lacks: str, *, is_empty: bool) -> None:
    """Draw, in place of a page, that there is nothing to learn from the painting."""
    st.title(t("There are no training rows yet"), anchor=False)
    st.markdown(t(lacks))
    if is_empty:  # a scene may have the rows that its link could not hold
        with st.container(width=640):
            open_scene_field()
    with st.container(horizontal=True, gap="small"):
        st.button(t("Go on painting"), key="go_painting", type="primary", on_click=_go_painting)
        st.button(t("Go on with other data"), key="missing_file_without", on_click=_without)


def ask_for_painting() -> None:
    """Draw the place to drop the scene whose painted rows are too many for its link."""
    st.title(t("Please provide the painted rows"), anchor=False)
    with st.container(width=640):
        st.markdown(
            t(
                "This scene has more painted rows than a link can hold. Press Save scene where "
                "they were painted, then drop the file here to restore the scene."
            )
        )
        open_scene_field()
        with st.container(horizontal=True, gap="small"):
            st.button(t("Paint anew"), key="go_painting", on_click=_go_painting)
            st.button(t("Go on with other data"), key="missing_file_without", on_click=_without)


def _go_painting() -> None:
    session.open_scene(session.current(), page="data")


def _reason(missing: Upload) -> str:
    if missing.share is not None:
        return t(
            "The file of this scene is no longer shared. If you have it, drop it here: it is "
            "recognised by its contents, whatever its name."
        )
    return t(
        "This scene is about a file, which links do not contain. Drop the file here to restore "
        "the scene with all its settings. It is recognised by its contents, whatever its name."
    )


def _by_code(missing: Upload) -> None:
    """Open the scene with a shared file, if it is the file that the scene is about."""
    found = uploads.shared_file(st.session_state[CODE].strip())
    if found is not None and found.digest == missing.digest:
        session.open_scene(replace(session.current(), upload=found), session.problems())
    elif found is not None:
        sentence = "This code opens another file: “{name}”."
        st.session_state[CODE_FAULT] = t(sentence, name=found.name)
    else:
        st.session_state[CODE_FAULT] = t("This code does not exist or has expired.")


def _say(missing: Upload) -> None:
    """Show the fault of the dropped file, and offer ways to use it."""
    fault, other = st.session_state.get(FAULT), st.session_state.get(OTHER)
    if other is not None:
        st.warning(plain(other), icon=":material/difference:")
    if fault is not None:
        st.error(plain(fault), icon=":material/error:")
    elif other is not None:
        st.button(t("Use it anyway, as new data"), key="missing_file_anyway", on_click=_use_anyway)


def _take(missing: Upload) -> None:
    """Look at the file that was dropped: the right one brings the scene back."""
    file = st.session_state[FIELD]
    st.session_state[FAULT] = st.session_state[OTHER] = None
    if not isinstance(file, UploadedFile):
        return
    data = file.getvalue()
    if scene_file.is_scene(file.name, data):
        _open(data)
        return
    if uploads.digest_of(data) == missing.digest:
        stored = uploads.keep(missing.name, data, missing.rows)
        session.open_scene(replace(session.current(), upload=stored))
        return
    try:
        found = read_file(data, file.name)
    except ValueError as error:
        st.session_state[OTHER] = _difference(missing, file.name, None)
        st.session_state[FAULT] = translate(error)
    else:
        st.session_state[OTHER] = _difference(missing, file.name, found)


def _open(data: bytes) -> None:
    try:
        open_scene_file(data)
    except ValueError as error:
        st.session_state[FAULT] = translate(error)


def _difference(missing: Upload, name: str, found: Dataset | None) -> str:
    """Difference between a file and the one of the scene."""
    if found is not None and found.n_samples != missing.rows:
        return t(
            "This is another file: “{name}” has {n} rows, the one of the scene has {m}.",
            name=name,
            n=number(found.n_samples),
            m=number(missing.rows),
        )
    if name != missing.name:
        sentence = "This is another file: the contents of “{name}” are not those of “{wanted}”."
        return t(sentence, name=name, wanted=missing.name)
    return t(
        "This is another file, or it has been changed since: “{name}” has other contents than "
        "when the scene was made.",
        name=name,
    )


def _use_anyway() -> None:
    file = st.session_state.get(FIELD)
    if isinstance(file, UploadedFile):
        data = file.getvalue()
        found = read_file(data, file.name)
        session.select(data=UPLOAD, upload=uploads.keep(file.name, data, found.n_samples))


def _without() -> None:
    session.select(data=DEFAULT.data, upload=None)
