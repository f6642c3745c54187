"""The choice of the language, in the header of every page, and Streamlit's words in it."""

from __future__ import annotations

import streamlit as st

from lastviz.ui.components.streamlit_texts import MENUS, WORDS
from lastviz.ui.components.streamlit_words import streamlit_words
from lastviz.ui.state import session
from lastviz.ui.text import ENGLISH, catalogue, languages, spoken, t

from .widgets import put

__all__ = ["language_switch"]

CHOICE = "language_choice"
ENGLISH_NAME = "English"


def language_switch() -> None:
    """Draw the choice of the language, each named in itself; nothing where there is but one."""
    if len(languages()) == 1:
        return
    if spoken() != ENGLISH:
        streamlit_words(*({each: t(each) for each in words} for words in (WORDS, MENUS)))
    put(CHOICE, spoken())
    with st.container(key="language_switch"):
        st.selectbox(
            t("Language"),
            languages(),
            key=CHOICE,
            format_func=_own_name,
            label_visibility="collapsed",
            on_change=lambda: session.change_language(st.session_state[CHOICE]),
        )


def _own_name(code: str) -> str:
    """Return what a language calls itself: its catalogue says so of the word English."""
    return ENGLISH_NAME if code == ENGLISH else catalogue(code)[ENGLISH_NAME]
