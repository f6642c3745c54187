"""The page *privacy*: what is kept of the visitor now and in general, and who answers for it."""

from __future__ import annotations

import logging
import os
from functools import partial
from pathlib import Path

import streamlit as st

from lastviz.host import login, visitor
from lastviz.host.language import spoken
from lastviz.ui.compute import kept
from lastviz.ui.shared.headline import show
from lastviz.ui.state import session
from lastviz.ui.text import number, plural, t

from .words import rules, rules_table, size, stored_table

QUESTION = "What is stored about me, and for how long?"
NOTICE = "LASTVIZ_PRIVACY_NOTICE"
MOST_NOTICE = 100_000  # bytes of the operator's notice
DONE = "privacy_done"  # the session's: whether all was deleted, once it was asked for
log = logging.getLogger("lastviz")


def body() -> None:
    """Draw what is kept right now, what may be kept, and the operator's notice."""
    _now()
    st.subheader(t("What is stored, where and for how long"), anchor=False)
    show(rules_table(rules(login=login.is_wanted())))
    st.caption(
        t("Pages come from this server alone: no other computer learns what you do here, nothing "
          "is counted elsewhere, and no address of a page goes to another site. A data set of "
          "OpenML is fetched by this server, which does not say for whom.")
    )  # fmt: skip
    _notice()


def _now() -> None:
    things = kept.all_items(session.current())
    st.subheader(t("Stored about you now"), anchor=False)
    done = st.session_state.pop(DONE, None)
    if done:
        st.info(t("All of it is deleted."), icon=":material/check:")
    elif done is not None:
        st.error(
            t("Not everything could be deleted: part of this server does not answer. Try again in "
              "a minute; what remains is listed here."),
            icon=":material/error:",
        )  # fmt: skip
    if not things:
        st.markdown(t("Nothing about you is stored here."))
        if visitor.token():
            st.caption(t("This browser keeps its token, which can go, too."))
            _delete_box()
        return
    show(stored_table(things))
    total = sum(thing.n_bytes for thing in things)
    st.caption(
        plural(len(things), "{n} thing, {size} in all.", "{n} things, {size} in all.",
               size=size(total))
    )  # fmt: skip
    with st.container(horizontal=True, wrap=True, gap="small", key="privacy_acts"):
        st.download_button(
            t("Save it all"),
            partial(kept.zipped, things),
            file_name="lastviz-kept.zip",
            mime="application/zip",
            key="privacy_save",
            on_click="ignore",
            icon=":material/download:",
        )
        _delete_box()


def _delete_box() -> None:
    with st.popover(t("Delete it all"), icon=":material/delete:", key="privacy_delete"):
        st.markdown(
            t("Files, typed values, shares, rooms and studies are deleted at once, for everyone, "
              "and this browser forgets its token. This page starts over. This cannot be undone. "
              "Other pages that you have open keep what they show until they are closed.")
        )  # fmt: skip
        st.button(t("Yes, delete it all"), key="privacy_delete_now", on_click=_delete)


def _delete() -> None:
    done = kept.delete_all()
    st.session_state[DONE] = done


def _notice() -> None:
    """Draw what the operator has to say: Markdown whose html, if it has any, is shown as text."""
    st.subheader(t("Who runs this server"), anchor=False)
    named = os.environ.get(NOTICE)
    if not named:
        st.markdown(t("Its operator has left no notice here. Ask whoever gave you the address."))
        return
    try:
        text = _read(Path(named))
    except (OSError, UnicodeDecodeError, ValueError) as error:
        log.warning("%s cannot be shown: %s", NOTICE, error)
        st.markdown(t("The notice of its operator cannot be shown at the moment."))
        return
    with st.container(key="privacy_notice"):
        st.markdown(text)


def _read(file: Path) -> str:
    """Return the notice, in the language of the reader where there is one: ``notice.zh.md``."""
    own = file.with_name(f"{file.stem}.{spoken()}{file.suffix}")
    found = own if own.is_file() else file
    content = found.read_bytes()
    if len(content) > MOST_NOTICE:
        raise ValueError(f"{found} is longer than {number(MOST_NOTICE)} bytes")
    return content.decode("utf-8")
