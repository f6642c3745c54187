"""The user's own file on the page *data*: the time it is kept, and the people who see it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from lastviz.estimators import IMPORTED, AnyImported, is_imported
from lastviz.host import visitor
from lastviz.host.jobs import Working
from lastviz.host.security import page_address
from lastviz.host.store import LIMITS, MEGABYTE, Share, Upload
from lastviz.ui.compute import uploads
from lastviz.ui.compute.own_model import MOST_MEGABYTES, own_model
from lastviz.ui.compute.training import form_for
from lastviz.ui.compute.work import Work, current
from lastviz.ui.shared.controls import show_data
from lastviz.ui.shared.job_box import wait_for
from lastviz.ui.shared.scene_box import privacy_link, reach_words
from lastviz.ui.state import session
from lastviz.ui.state.selection import DEFAULT, UPLOAD, Model, Selection
from lastviz.ui.text import CannotShow, number, percent, plain, plural, t

CODE = "share_code"
FAULT = "share_fault"
DAYS = "share_days"
CHOICES = (1, 7, 30)
USUAL = 7


def code_box() -> None:
    """Draw the field for a code under which somebody else shares a table."""
    st.text_input(
        t("A table shared with you"),
        key=CODE,
        placeholder=t("Code"),
        max_chars=64,
        on_change=_open,
    )
    if st.session_state.get(CODE) and st.session_state.get(FAULT):
        st.error(t("This code does not exist or has expired."), icon=":material/error:")


def file_box(selection: Selection) -> None:
    """Draw the storage and sharing of the file that is shown, with its actions."""
    upload = selection.upload
    if upload is None:
        return
    if upload.share is not None:
        share = uploads.share_of(upload)
        if share is not None:
            st.caption(t("Shared with you until {time}.", time=_time(share)))
        return
    fault = uploads.fault(upload)
    if fault is not None:
        st.info(
            t("{reason} It is here as long as this browser tab is open.", reason=fault),
            icon=":material/info:",
        )
    if uploads.is_stored(upload):
        st.caption(_storage_words())
        with st.expander(t("Share with a class")):
            _shares(selection, upload)
        st.button(
            t("Remove from this server"),
            key="forget_file",
            on_click=lambda: _forget(upload),
        )


def _shares(selection: Selection, upload: Upload) -> None:
    st.caption(t("Anyone with the code can see this table until it expires or you withdraw it; "
                 "links copied on any page then open it, too."))  # fmt: skip
    st.selectbox(
        t("For"),
        CHOICES,
        index=CHOICES.index(USUAL),
        key=DAYS,
        format_func=lambda days: plural(days, "{n} day", "{n} days"),
    )
    shared = uploads.shares(upload)
    st.button(
        t("Make a code"),
        key="make_share",
        disabled=len(shared) >= LIMITS.shares,
        on_click=lambda: uploads.share(upload, st.session_state[DAYS]),
    )
    if shared and reach_words():
        st.info(reach_words())
    for place, share in enumerate(shared):
        st.markdown(t("Until **{time}**, the code and a link:", time=_time(share)))
        st.code(share.code, language=None)
        st.code(_link(replace(selection, upload=share.upload)), language=None)
        st.button(
            t("Withdraw"),
            key=f"withdraw_{place}",
            on_click=lambda code=share.code: uploads.withdraw(code),
        )


# If nothing is shared under it, the present data stay.
def _open() -> None:
    """Show the data shared under the entered code."""
    found = uploads.shared_file(st.session_state[CODE].strip())
    st.session_state[FAULT] = found is None
    if found is not None:
        show_data(data=UPLOAD, upload=found)


def _forget(upload: Upload) -> None:
    uploads.forget(upload)
    session.select(data=DEFAULT.data, upload=None)


def _link(scene: Selection) -> str:
    return f"{page_address()}?{session.link(scene)}"


def _time(share: Share) -> str:
    moment = datetime.fromtimestamp(share.expires, UTC)
    return f"{moment:%Y-%m-%d %H:%M} UTC"


# ---- The field of the page *data* for a finished model, and the lines that write its file


FIELD = "own_model_field"
NO_MODEL = "own_model_fault"
MOST_LEAVES = 12  # of a tree beside a sum of trees

SCRIPT = """from pathlib import Path

from lastviz import from_sklearn
from lastviz.export import model_as_json

# model: a fitted decision tree of scikit-learn, or a forest (random, extra trees) for classes
text = model_as_json(from_sklearn(model, feature_names=list(X.columns)))
Path("model.json").write_text(text, encoding="utf-8")

# Others write such a file by themselves:
# XGBoost   model.save_model("model.json")
# LightGBM  model.booster_.save_model("model.txt")
# CatBoost  model.save_model("model.json", format="json", pool=the training data)
# R         sink("model.txt"); print(rpart_model, digits = 15); sink()
# PMML      a file with a TreeModel or a MiningModel
"""


def model_box(work: Work) -> None:
    """Draw the field, the model in use, and the code that writes such a file."""
    st.subheader(t("Your own model"), anchor=False)
    st.caption(
        t(
            "A tree, a forest or a sum of trees grown elsewhere, as lastviz, XGBoost, LightGBM, "
            "CatBoost, R's rpart or PMML write it. Features and classes are matched by name; "
            "nothing in the file is executed."
        )
    )
    st.file_uploader(
        t("Your own model"),
        type=["json", "txt", "pmml", "xml"],
        key=FIELD,
        max_upload_size=MOST_MEGABYTES,
        on_change=_take,
    )
    privacy_link()
    fault = st.session_state.get(NO_MODEL)
    if fault:
        st.error(plain(fault), icon=":material/error:")
    elif is_imported(work.first.chosen.key):
        _in_use(work)
    title = t("How to write such a file")
    box = st.expander(title, key="fold.script", on_change="rerun")
    if box.open:
        box.code(SCRIPT, language="python")


def _in_use(work: Work) -> None:
    try:
        model = work.first.fitted_any.estimator
    except Working as working:
        wait_for(working.job)  # what scores rows below shows how far it is
        return
    except CannotShow as reason:
        st.error(plain(str(reason)), icon=":material/error:")
        return
    st.success(
        t(
            "{algorithm}: {trees}, {nodes} in all. It is the first model now.",
            algorithm=plain(model.algorithm_) or t("The model"),
            trees=plural(len(model.trees_), "{n} tree", "{n} trees"),
            nodes=t("{n} nodes", n=number(sum(tree.n_nodes for tree in model.trees_))),
        )
    )
    _price(work, model)
    _storage_caption(work.selection)


def _price(work: Work, model: AnyImported) -> None:
    """Say how much one tree that can be read gives up of the accuracy of many."""
    held = work.first.division.held_out_rows
    if len(model.trees_) < 2 or work.dataset.is_regression or not len(held):
        return
    one = work.having(
        models=(Model(DEFAULT.models[0].key, (("max_leaf_nodes", MOST_LEAVES),)),)
    ).first
    try:
        tree = one.fitted_any.estimator
    except Working as working:
        wait_for(working.job)
        return
    except CannotShow:
        return
    y = work.first.division.y[held]
    right = [float((each.predict(X.iloc[held]) == y).mean())
             for each, X in ((model, work.first.division.X), (tree, one.division.X))]  # fmt: skip
    st.markdown(
        t(
            "Of the held-out rows {many} have {percent} % right, one tree of {title} with "
            "{leaves} {other} %.",
            many=plural(len(model.trees_), "{n} tree", "{n} trees"),
            percent=percent(right[0]),
            leaves=plural(tree.get_n_leaves(), "{n} leaf", "{n} leaves"),
            title=t(one.entry.title),
            other=percent(right[1]),
        )
    )


def _storage_caption(selection: Selection) -> None:
    """Say for how long the server keeps the file, or why it does not."""
    upload = uploads.model_named(selection.models[0].key)
    if upload is None:
        return
    if fault := uploads.fault(upload):
        st.caption(fault)
    elif uploads.is_stored(upload):
        st.caption(_storage_words())


def _storage_words() -> str:
    if visitor.account():
        return _account_words()
    return t(
        "Kept on this server for this browser alone, until {minutes} minutes after its last page "
        "was closed. At most {files} files and {megabytes} MB are kept; then the oldest is "
        "deleted.",
        minutes=number(LIMITS.minutes),
        files=number(LIMITS.files),
        megabytes=number(LIMITS.bytes_of_visitor / MEGABYTE),
    )


def _account_words() -> str:
    return t(
        "Kept on this server for your account alone, until {days} days after your last visit. At "
        "most {files} files and {megabytes} MB are kept; then the oldest is deleted.",
        days=number(LIMITS.days_of_account),
        files=number(LIMITS.files),
        megabytes=number(LIMITS.bytes_of_visitor / MEGABYTE),
    )


# A file that cannot be shown leaves everything as it was.
def _take() -> None:
    """Read the file in the field."""
    file = st.session_state[FIELD]
    st.session_state[NO_MODEL] = None
    if not isinstance(file, UploadedFile):
        return
    work, content = current(), file.getvalue()
    dataset = work.dataset
    table = work.division_in(form_for(f"{IMPORTED.key}.", dataset)).X
    try:
        own_model(content, work.selection, dataset, table)
    except CannotShow as reason:
        st.session_state[NO_MODEL] = t("{name}: {about}", name=file.name, about=reason)
        return
    upload = uploads.keep(file.name, content, 0)
    session.select_model(0, key=f"{IMPORTED.key}.{upload.digest}")
