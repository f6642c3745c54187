"""Language of a page's run or a job, and whether something depended on it."""

from __future__ import annotations

from contextvars import ContextVar
from threading import local

import streamlit as st

ENGLISH = "en"
LANGUAGE = "language"  # the session's key
SPOKEN: ContextVar[str] = ContextVar("spoken")  # of a run of a page, or of a job


class LanguageUses(local):
    """Number of times that work in this thread has depended on the language."""

    count = 0


LANGUAGE_USES = LanguageUses()


def current_language() -> str:
    """Code of the session's language, for values that are the same in every language."""
    code = SPOKEN.get(None)  # asking the session costs more than all other words of a page
    return st.session_state.get(LANGUAGE, ENGLISH) if code is None else code


def speak(code: str) -> None:
    """Let this thread speak a language from now on, until its run ends."""
    SPOKEN.set(code)
