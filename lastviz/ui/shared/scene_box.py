"""Saving the scene as one file, and opening such a file wherever files are handed in."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from html import escape

import streamlit as st

from lastviz.host.security import EMBED, Reach, embedders, page_address, reach
from lastviz.host.store import Upload
from lastviz.tables import Reading
from lastviz.ui.compute import scene_file, uploads
from lastviz.ui.compute.data import found_in, read_file
from lastviz.ui.compute.work import Work
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import number, plain, t, translate

from .figures import page_theme

FIELD = "scene_field"
FAULT = "scene_fault"


def save_scene(work: Work, page: str) -> None:
    """Draw the button that makes the file, once it is asked for."""
    data = None if work.selection.upload is None else uploads.content(work.selection.upload)
    reading = "" if data is None else str(work.data.full.reading)
    st.download_button(
        t("Save scene"),
        partial(scene_file.write, work.selection, page, data, reading),
        file_name=f"{_file_name(work.selection)}{scene_file.SUFFIX}",
        mime="application/zip",
        key="save_scene",
        on_click="ignore",
        help=t(
            "One file with all settings, what was typed and your own data. It opens on the pages "
            "Data and Home."
        ),
    )


def privacy_link() -> None:
    """Draw the link to the privacy page, beside an upload field."""
    st.page_link("pages/privacy.py", label=t("What is stored, and for how long?"), icon="")


# A scene that cannot be read leaves everything as it was.
def open_scene_field() -> None:
    """Draw the field for a saved scene."""
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
            st.session_state[FAULT] = translate(error)


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
    keep_tables(saved)
    session.open_scene(selection, saved.problems, saved.page)


def keep_tables(saved: scene_file.SavedScene) -> None:
    """Keep the files that slides of a saved story are about."""
    for upload, data in saved.tables:
        _check_rows(data, upload, saved.selection.reading)
    for upload, data in saved.tables:
        uploads.keep(upload.name, data, upload.rows)


def _as_saved(selection: Selection, data: bytes, reading: str) -> Selection:
    """Selection that reads its file as when it was saved, if that is no longer usual."""
    name = selection.upload.name
    try:
        target = selection.target
        if target is None:
            target = str(read_file(data, name, selection.reading).y.name)
        now = found_in(data, name, selection.reading, target).reading
        then = Reading.parse(reading, most=scene_file.MOST_LETTERS) if reading else now
        if now != then:
            read_file(data, name, then, selection.target)
            return replace(selection, reading=then)
    except ValueError:
        pass  # what it says of its data does not hold; they are read as found
    return selection


def _check_rows(data: bytes, upload: Upload, reading: Reading) -> None:
    """Compare a scene's number of rows with its data, as uploaded or as read now."""
    rows = read_file(data, upload.name, reading).n_samples
    if upload.rows not in (rows, read_file(data, upload.name).n_samples):
        sentence = "This scene is refused: it states {n} rows, but its data have {m}."
        raise ValueError(t(sentence, n=number(upload.rows), m=number(rows)))


def _file_name(selection: Selection) -> str:
    """Name for the file: that of the data, as all systems can write it."""
    name = selection.upload.name.rsplit(".", 1)[0] if selection.upload else selection.data
    return re.sub(r"[^\w-]+", "_", name).strip("_")[:60] or "scene"


# ---- The line of html by which another site's page shows the scene in a frame


WIDTH, HEIGHT = 960, 720  # pixels: from 768 on a frame has its sidebar beside the picture


def embed_box(selection: Selection, page: str) -> None:
    """Draw the button; it opens a window that asks for the size and shows the line."""
    if st.button(t("Embed"), key="embed"):
        st.dialog(t("Embed"), width="large")(_line_box)(selection, page)


def _line_box(selection: Selection, page: str) -> None:
    if not embedders():
        st.caption(
            t("No other site may show this server's pages: its operator names those that may in "
              "{name}.", name=f"`{EMBED}`")
        )  # fmt: skip
        return
    steered = st.checkbox(
        t("With the controls of the sidebar"),
        key="embed_steered",
    )
    sides = st.columns(2)
    width = sides[0].number_input(t("Width"), 320, 4000, WIDTH, 20, key="embed_width")
    height = sides[1].number_input(t("Height"), 240, 4000, HEIGHT, 20, key="embed_height")
    line = frame_line(
        page_address(),
        session.embedded_link(selection, page_theme(), steered=steered),
        (int(width), int(height)),
        f"lastviz: {t(page.capitalize())}",
    )
    st.code(line, language="html", wrap_lines=True)
    if selection.upload is not None and selection.upload.share is None:
        st.caption(
            t("Readers will be asked for your file, unless you share it on the page Data first.")
        )  # fmt: skip
    sites = t(", ").join(embedders())
    st.caption(t("These sites may show it: {sites}.", sites=sites))


def frame_line(address: str, query: str, size: tuple[int, int], title: str) -> str:
    """Line of html: a frame of that size in pixels, no wider than its page."""
    return (
        f'<iframe src="{escape(f"{address}?{query}")}" title="{escape(title)}" width="{size[0]}" '
        f'height="{size[1]}" style="max-width: 100%; border: 0" loading="lazy" '
        'allow="fullscreen; clipboard-write"></iframe>'
    )


# ---- What to do so that others can open the links of a page


COMMAND = "`python -m lastviz --address 0.0.0.0`"


def reach_words() -> str:
    """Reason why others cannot open a link, and the remedy, "" if they can."""
    match reach():
        case Reach.MACHINE:
            return t(
                "Only this computer can open this address. For others start lastviz with "
                "{command}.",
                command=COMMAND,
            )
        case Reach.UNKNOWN:
            return t(
                "Others cannot open “localhost”: open this page by its computer's name or address."
            )
        case _:
            return ""
