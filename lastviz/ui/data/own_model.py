"""The field of the page *data* for a finished model, and the lines that write its file."""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from lastviz.estimators import IMPORTED, AnyImported, is_imported
from lastviz.host.jobs import Working
from lastviz.host.store import LIMITS
from lastviz.ui.compute import cache, uploads
from lastviz.ui.compute.division import form_for
from lastviz.ui.compute.numbers import trained_numbers
from lastviz.ui.compute.own_model import MOST_MEGABYTES, own_model
from lastviz.ui.shared.job_box import wait_for
from lastviz.ui.shared.scene_box import privacy_link
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, number, plain, plural, t

FIELD = "own_model_field"
FAULT = "own_model_fault"

SCRIPT = """from pathlib import Path

from lastviz import from_sklearn
from lastviz.export import model_as_json

# model: a fitted decision tree of scikit-learn, or a forest (random, extra trees) for classes
text = model_as_json(from_sklearn(model, feature_names=list(X.columns)))
Path("model.json").write_text(text, encoding="utf-8")
"""


def model_box(selection: Selection) -> None:
    """Draw the field, what the model in use is, and the lines that write such a file."""
    st.subheader(t("Your own model"), anchor=False)
    st.caption(
        t(
            "A tree or forest grown elsewhere, as a JSON file. Its features and classes are "
            "matched to this data set by name. Nothing in the file is executed, and links do not "
            "contain it."
        )
    )
    st.file_uploader(
        t("Your own model (JSON)"),
        type=["json"],
        key=FIELD,
        max_upload_size=MOST_MEGABYTES,
        on_change=_take,
    )
    privacy_link()
    fault = st.session_state.get(FAULT)
    if fault:
        st.error(plain(fault), icon=":material/error:")
    elif is_imported(selection.models[0].key):
        _in_use(selection)
    with st.expander(t("How to write such a file from scikit-learn")):
        st.code(SCRIPT, language="python")
        st.caption(
            t("Models of this package are written by model_as_json alone, or on the page Rules.")
        )


def _in_use(selection: Selection) -> None:
    learns_numbers = cache.data(selection).dataset.is_regression
    try:
        model = _model(selection)
    except Working as working:
        wait_for(working.job)  # what scores rows below shows how far it is
        return
    except CannotShow as reason:
        st.error(plain(str(reason)), icon=":material/error:")
        return
    st.success(
        t(
            "{algorithm}: {trees}, {nodes} in all. It is the first model now; Boundaries shows it."
            if learns_numbers
            else "{algorithm}: {trees}, {nodes} in all. It is the first model now; Boundaries and "
            "Rules show it.",
            algorithm=plain(model.algorithm_) or t("The model"),
            trees=plural(len(model.trees_), "{n} tree", "{n} trees"),
            nodes=t("{n} nodes", n=number(sum(tree.n_nodes for tree in model.trees_))),
        )
    )
    _storage_caption(selection)


def _model(selection: Selection) -> AnyImported:
    if cache.data(selection).dataset.is_regression:
        return trained_numbers(selection).estimator
    return cache.fitted(selection, 0, allow_ensembles=True).estimator


def _storage_caption(selection: Selection) -> None:
    """Say for how long the server keeps the file, or why it does not."""
    upload = uploads.model_named(selection.models[0].key)
    if upload is None:
        return
    if fault := uploads.fault(upload):
        st.caption(fault)
    elif uploads.is_stored(upload):
        st.caption(
            t(
                "Kept on this server for this browser alone, until {minutes} minutes after its "
                "last page was closed.",
                minutes=number(LIMITS.minutes),
            )
        )


def _take() -> None:
    """Read the file in the field; one that cannot be shown leaves everything as it was."""
    file = st.session_state[FIELD]
    st.session_state[FAULT] = None
    if not isinstance(file, UploadedFile):
        return
    selection, content = session.current(), file.getvalue()
    dataset = cache.data(selection).dataset
    table = cache.division_in(selection, form_for(f"{IMPORTED.key}.", dataset)).X
    try:
        own_model(content, selection, dataset, table)
    except CannotShow as reason:
        st.session_state[FAULT] = t("{name}: {about}", name=file.name, about=reason)
        return
    upload = uploads.keep(file.name, content, 0)
    session.select_model(0, key=f"{IMPORTED.key}.{upload.digest}")
    session.select(number_edits=(), number_node=None)  # what is brought is not changed by hand
