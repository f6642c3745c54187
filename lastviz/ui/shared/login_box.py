"""The way in and out, where the server asks for a login."""

from __future__ import annotations

import logging
from functools import partial

import streamlit as st
from streamlit.errors import StreamlitAuthError

from lastviz.host import visitor
from lastviz.host.visitor import Standing
from lastviz.ui.components.stage import came_for
from lastviz.ui.text import plain, t

FAULT = "login_fault"  # the session's
BROKEN = (
    "This server asks for a login, but its settings for that are not complete. Its operator finds "
    "the reason in the log."
)
log = logging.getLogger("lastviz")


def ask_to_log_in(standing: Standing) -> None:
    """Draw the login in place of all pages, or the reason if access is refused."""
    st.title(t("Log in to go on"), anchor=False)
    if standing is Standing.BROKEN:
        log.error("a login is wanted, but [auth] in secrets.toml is not there or not complete")
        st.markdown(t(BROKEN))
        return
    if standing is Standing.STRANGER:
        came_for(remember=True)
        st.markdown(
            t("This server is for those who log in. It then opens the page that you came for.")
        )
        for name in visitor.providers():
            label = t("Log in")
            if name != visitor.DEFAULT:
                label = t("Log in with {provider}", provider=plain(name.capitalize()))
            st.button(label, key=f"login_{name}", type="primary", on_click=partial(_begin, name))
    else:
        st.markdown(_refusal(standing))
        st.button(t("Log out"), key="logout", on_click=st.logout)
    if st.session_state.get(FAULT):
        st.error(t(BROKEN), icon=":material/error:")


def way_out() -> None:
    """Draw who is logged in, and the way out; nothing where nobody is asked."""
    if visitor.standing() is not Standing.ADMITTED:
        return
    came_for(remember=False)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="way_out"):
        st.caption(t("Logged in as {name}", name=plain(visitor.name())), width="content")
        st.button(t("Log out"), key="logout", type="tertiary", on_click=st.logout)


def _begin(provider: str) -> None:
    st.session_state[FAULT] = False
    try:
        st.login(None if provider == visitor.DEFAULT else provider)
    except StreamlitAuthError as error:
        log.error("nobody can log in: %s", error)
        st.session_state[FAULT] = True


def _refusal(standing: Standing) -> str:
    if standing is Standing.UNVERIFIED:
        return t(
            "You are logged in, but your login provider gives no verified e-mail address, which "
            "this server needs. Ask its operator."
        )
    return t(
        "You are logged in as {name}, who is not on this server's list. Ask its operator, or log "
        "in as someone else.",
        name=plain(visitor.name()),
    )
