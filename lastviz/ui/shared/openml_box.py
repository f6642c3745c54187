"""Asking for a data set of OpenML: a field for any, a button for the one that a link names."""

from __future__ import annotations

import streamlit as st

from lastviz.datasets import wanted_of
from lastviz.host.jobs import State
from lastviz.ui.compute import openml
from lastviz.ui.compute.outcome import viewer
from lastviz.ui.state import session
from lastviz.ui.state.selection import DEFAULT
from lastviz.ui.text import CannotShow, plain, t, translate

from .controls import show_data
from .job_box import job_box

FIELD = "openml_field"
WANTED = "openml_asked"  # what is on its way
FAULT = "openml_fault"


def openml_box() -> None:
    """Draw the field and the progress; the present data stay until the set is there."""
    st.text_input(
        t("An OpenML data set"),
        key=FIELD,
        placeholder=t("Number or name, such as 31 or credit-g"),
        max_chars=140,
        on_change=_ask,
        help=t("Fetched from openml.org once and kept on this server; links name its number."),
    )
    _draw_answer()


# It has not been fetched on this server.
def ask_for_set(number: int) -> None:
    """Draw, in place of a page, the data set of a link that is not fetched yet."""
    st.title(t("Fetch data set {n} of OpenML?", n=number), anchor=False)
    st.markdown(
        t(
            "This server has not fetched [data set {n}](https://www.openml.org/d/{n}) of OpenML "
            "yet. The scene opens as soon as it is here.",
            n=number,
        )
    )
    with st.container(horizontal=True, gap="small"):
        st.button(
            t("Fetch it"), key="openml_fetch", type="primary", on_click=_fetch, args=(str(number),)
        )
        st.button(t("Go on with other data"), key="openml_without", on_click=_without)
    _draw_answer()


def _without() -> None:
    session.select(data=DEFAULT.data)


def _draw_answer() -> None:
    """Show the progress of the requested data set, or why it is not available."""
    wanted = st.session_state.get(WANTED)
    if wanted is not None:
        _draw_progress(wanted)
    fault = st.session_state.get(FAULT)
    if fault:
        st.error(plain(fault), icon=":material/error:")


def _fetch(wanted: str) -> None:
    st.session_state[FAULT] = None
    openml.ask(wanted)
    st.session_state[WANTED] = wanted


def _ask() -> None:
    text = st.session_state[FIELD]
    st.session_state[WANTED] = st.session_state[FAULT] = None
    if not text.strip():
        return
    try:
        wanted = wanted_of(text)
    except ValueError as error:
        st.session_state[FAULT] = translate(error)
    else:
        _fetch(wanted)


def _draw_progress(wanted: str) -> None:
    job = openml.under_way(wanted)
    if job is None or job.look(viewer()) is State.CANCELLED:
        st.session_state[WANTED] = None
        return
    try:
        key = openml.fetched_key(job, viewer())
    except CannotShow as reason:
        st.session_state[WANTED], st.session_state[FAULT] = None, str(reason)
    else:
        if key is None:
            job_box(job, "openml")
            return
        st.session_state[WANTED] = None
        show_data(data=key, upload=None)
        st.rerun()
