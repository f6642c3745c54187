"""Saving the scene as one file, and opening such a file wherever files are handed in."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

import streamlit as st

from lastviz.host.store import Upload
from lastviz.tables import Reading
from lastviz.ui.compute import cache, scene_file, uploads
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import number, plain, t, translated

FIELD = "scene_field"
FAULT = "scene_fault"


def save_scene(selection: Selection, page: str) -> None:
    """Draw the button that makes the file, once it is asked for."""
    data = None if selection.upload is None else uploads.content(selection.upload)
    reading = "" if data is None else str(cache.data(selection).full.reading)
    st.download_button(
        t("Save scene"),
        partial(scene_file.write, selection, page, data, reading),
        file_name=f"{_file_name(selection)}{scene_file.SUFFIX}",
        mime="application/zip",
        key="save_scene",
        on_click="ignore",
        help=t(
            "One file with all settings, this page, what was typed and, if the data are a file of "
            "yours, that file. Drop it on the page Data or Home to open it, here or elsewhere."
        ),
    )


def privacy_link() -> None:
    """Draw the way to what becomes of a file, beside a field for one."""
    st.page_link("pages/privacy.py", label=t("What is stored, and for how long?"), icon="")


def open_scene_field() -> None:
    """Draw the field for a saved scene; one that cannot be read leaves everything as it was."""
    file = st.file_uploader(
        t("Open a saved scene"),
        type=[scene_file.SUFFIX.removeprefix(".")],
        key=FIELD,
        max_upload_size=scene_file.MOST_BYTES // 2**20 + 1,
        on_change=_take,
    )
    fault = st.session_state.get(FAULT)
    if file is not None and fault:
        st.error(plain(fault), icon=":material/error:")


def _take() -> None:
    st.session_state[FAULT] = None
    file = st.session_state[FIELD]
    if file is not None and hasattr(file, "getvalue"):
        try:
            open_scene_file(file.getvalue())
        except ValueError as error:
            st.session_state[FAULT] = translated(error)


def open_scene_file(content: bytes) -> None:
    """Show the scene in a file, on its page; for callbacks of fields.

    Raises
    ------
    ValueError
        If it cannot be: a sentence says why.
    """
    saved = scene_file.read(content)
    selection, upload = saved.selection, saved.selection.upload
    if upload is not None:
        _check_rows(saved.data, upload, selection.reading)
        stored = uploads.keep(upload.name, saved.data, upload.rows)
        selection = replace(selection, upload=stored)
        selection = _as_saved(selection, saved.data, saved.reading)
    session.open_scene(selection, saved.problems, saved.page)


def _as_saved(selection: Selection, data: bytes, reading: str) -> Selection:
    """Return the selection that reads its file as when it was saved, if that is no longer usual."""
    name = selection.upload.name
    try:
        target = selection.target
        if target is None:
            target = str(cache.read_file(data, name, selection.reading).y.name)
        now = cache.found_in(data, name, selection.reading, target).reading
        then = Reading.parse(reading, most=scene_file.MOST_LETTERS) if reading else now
        if now != then:
            cache.read_file(data, name, then, selection.target)
            return replace(selection, reading=then)
    except ValueError:
        pass  # what it says of its data does not hold; they are read as found
    return selection


def _check_rows(data: bytes, upload: Upload, reading: Reading) -> None:
    """Compare what a scene says with its data, as they were handed in or as they are read now."""
    rows = cache.read_file(data, upload.name, reading).n_samples
    if upload.rows not in (rows, cache.read_file(data, upload.name).n_samples):
        sentence = "This scene is refused: it states {n} rows, but its data have {m}."
        raise ValueError(t(sentence, n=number(upload.rows), m=number(rows)))


def _file_name(selection: Selection) -> str:
    """Return a name for the file: that of the data, as all systems can write it."""
    name = selection.upload.name.rsplit(".", 1)[0] if selection.upload else selection.data
    return re.sub(r"[^\w-]+", "_", name).strip("_")[:60] or "scene"
