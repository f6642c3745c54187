"""The field of the page *data* in which a table of the reader's own is handed in."""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from lastviz.ui.compute import cache, scene_file, uploads
from lastviz.ui.compute.data import KINDS, MEGABYTES
from lastviz.ui.shared.scene_box import open_scene_file
from lastviz.ui.state import session
from lastviz.ui.state.selection import UPLOAD
from lastviz.ui.text import plain, t

__all__ = ["upload_box"]

FIELD = "upload_field"
FAULT = "upload_fault"


def upload_box() -> None:
    """Draw the field for a file; a file that cannot be read leaves everything as it was."""
    file = st.file_uploader(
        t("A table of your own"),
        type=[*KINDS, scene_file.SUFFIX.removeprefix(".")],
        key=FIELD,
        max_upload_size=MEGABYTES,
        on_change=_take,
        help=t(
            "One row per sample, with a header row: CSV, Excel, Parquet, Feather, ARFF or JSON, "
            "also compressed. How it is written is found out and can be changed. The class is a "
            "column called “class” or the like, or the last one; you can choose another below. A "
            "saved scene (.lastviz) opens here, too."
        ),
    )
    fault = st.session_state.get(FAULT)
    if file is not None and fault:
        st.error(plain(fault), icon=":material/error:")


def _take() -> None:
    """Read the file that was handed in; what was there before stays if it cannot be read."""
    file = st.session_state[FIELD]
    st.session_state[FAULT] = None
    if not isinstance(file, UploadedFile):  # none, or one that a server had which is gone
        return
    data = file.getvalue()
    try:
        if scene_file.is_scene(file.name, data):
            open_scene_file(data)
            return
        dataset = cache.read_file(data, file.name)
    except ValueError as error:
        st.session_state[FAULT] = str(error)
    else:
        session.select(data=UPLOAD, upload=uploads.keep(file.name, data, dataset.n_samples))
