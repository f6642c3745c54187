"""Who the visitor is: a random token that their browser keeps, and that no link names.

The session learns it from the browser (see :mod:`lastviz.ui.components.visitor_watch`), and only
when it is of use: a file is kept for it, or there is one to look for.
"""

from __future__ import annotations

import re

import streamlit as st

__all__ = ["is_known", "know", "token"]

TOKEN = "visitor"
UNKNOWN = ""  # the browser was asked and keeps none
FORM = re.compile("[0-9a-f]{64}")


def token() -> str | None:
    """Return the visitor's token, None if the browser keeps none or was not asked yet."""
    return st.session_state.get(TOKEN) or None


def is_known() -> bool:
    """Tell whether the browser has answered, be it that it keeps no token."""
    return TOKEN in st.session_state


def know(answer: object) -> None:
    """Take what the browser tells for the visitor's token, unless it has not the form of one."""
    is_token = isinstance(answer, str) and FORM.fullmatch(answer) is not None
    st.session_state[TOKEN] = answer if is_token else UNKNOWN
