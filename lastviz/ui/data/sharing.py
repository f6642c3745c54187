"""What the page *data* says of a file of the reader's own: how long it is kept, and who sees it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import streamlit as st

from lastviz.host.addresses import page_address
from lastviz.host.store import LIMITS, MEGABYTE, Share, Upload
from lastviz.ui.compute import uploads
from lastviz.ui.shared.reach_words import reach_words
from lastviz.ui.state import session
from lastviz.ui.state.selection import DEFAULT, UPLOAD, Selection
from lastviz.ui.text import number, plural, t

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
        help=t(
            "A code opens one table until it expires or the person who created it withdraws it."
        ),
    )
    if st.session_state.get(CODE) and st.session_state.get(FAULT):
        st.error(t("This code does not exist or has expired."), icon=":material/error:")


def file_box(selection: Selection) -> None:
    """Draw what becomes of the file that is shown, with what the reader can do about it."""
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
        st.caption(
            t(
                "Kept on this server for this browser alone, until {minutes} minutes after "
                "its last page was closed; what is shared stays until the share expires. At "
                "most {files} files and {megabytes} MB are kept; then the oldest is deleted.",
                minutes=number(LIMITS.minutes),
                files=number(LIMITS.files),
                megabytes=number(LIMITS.bytes_of_visitor / MEGABYTE),
            )
        )
        with st.expander(t("Share with a class")):
            _shares(selection, upload)
        st.button(
            t("Remove from this server"),
            key="forget_file",
            help=t("The file is deleted, and its shares end."),
            on_click=lambda: _forget(upload),
        )


def _shares(selection: Selection, upload: Upload) -> None:
    st.caption(
        t(
            "Anyone with the code can see this table until the code expires or you withdraw it. "
            "The code cannot be guessed. Links copied on any page then open the scene with this "
            "table."
        )
    )
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


def _open() -> None:
    """Show what is shared under the code that was entered; what was there stays if nothing is."""
    found = uploads.shared(st.session_state[CODE].strip())
    st.session_state[FAULT] = found is None
    if found is not None:
        session.select(data=UPLOAD, upload=found)


def _forget(upload: Upload) -> None:
    uploads.forget(upload)
    session.select(data=DEFAULT.data, upload=None)


def _link(scene: Selection) -> str:
    return f"{page_address()}?{session.link(scene)}"


def _time(share: Share) -> str:
    moment = datetime.fromtimestamp(share.expires, UTC)
    return f"{moment:%Y-%m-%d %H:%M} UTC"
