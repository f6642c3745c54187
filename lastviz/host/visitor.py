"""Who the visitor is: a random token that their browser keeps, and that no link names.

The session learns it from the browser (see :mod:`lastviz.ui.components.visitor_watch`), and only
when it is of use: a file is kept for it, or there is one to look for.
"""

from __future__ import annotations

import re
from secrets import token_hex

import streamlit as st

TOKEN = "visitor"
FORGOTTEN = "visitor_forgotten"  # the browser is to forget its token, too
OF_SESSION = "visitor_of_session"  # a token for who lets the browser keep none
UNKNOWN = ""  # the browser was asked and keeps none
FORM = re.compile("[0-9a-f]{64}")


def token() -> str | None:
    """Return the visitor's token, None if the browser keeps none or was not asked yet."""
    return st.session_state.get(TOKEN) or None


def stand_in() -> str:
    """Return the visitor's token, one of this session alone if the browser has told none."""
    return token() or st.session_state.setdefault(OF_SESSION, token_hex(32))


def tokens() -> tuple[str, ...]:
    """Return the tokens that this session may have used, that of the browser first."""
    return tuple(filter(None, (token(), st.session_state.get(OF_SESSION))))


def is_known() -> bool:
    """Tell whether the browser has answered, be it that it keeps no token."""
    return TOKEN in st.session_state


def know(answer: object) -> None:
    """Take what the browser tells for the visitor's token, unless it has not the form of one."""
    is_token = isinstance(answer, str) and FORM.fullmatch(answer) is not None
    st.session_state[TOKEN] = answer if is_token else UNKNOWN
    st.session_state.pop(FORGOTTEN, None)


def forget() -> None:
    """Forget who the visitor is, and let the browser forget it."""
    st.session_state[TOKEN], st.session_state[FORGOTTEN] = UNKNOWN, True


def is_forgotten() -> bool:
    """Tell whether the browser is to forget its token; one that is made later is another."""
    return FORGOTTEN in st.session_state
