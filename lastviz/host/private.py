"""What an address must not say: values that the reader typed, which may be somebody's.

In their place it has a name that only this server can make and that tells nothing of them. The
session keeps what a name stands for, and the visitor's store, too, once the visitor is known. A
copied link has not even the name; a saved scene has the values.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from functools import cache
from secrets import token_bytes

import streamlit as st
from streamlit import config

TEXTS = "private_texts"  # the session's keys: name -> text, and names that the store has
STORED = "private_texts_stored"
MOST_TEXTS = 64  # in a session; the oldest go first
FORM = re.compile("![0-9a-f]{24}")


def name_of(text: str) -> str:
    """Return the name of a text: the same for all workers of this server, and for none other."""
    return "!" + hmac.new(_secret(), text.encode(), hashlib.sha256).hexdigest()[:24]


def is_name(text: str) -> bool:
    """Tell whether a part of an address is a name; what a reader typed never looks like one."""
    return FORM.fullmatch(text) is not None


def keep(text: str) -> None:
    """Keep a text in this session."""
    texts = {name: other for name, other in all_texts().items() if other != text}
    texts[name_of(text)] = text
    st.session_state[TEXTS] = dict(list(texts.items())[-MOST_TEXTS:])


def text_of(name: str) -> str | None:
    """Return the text that this session keeps under a name."""
    return all_texts().get(name)


def all_texts() -> dict[str, str]:
    """Return what this session keeps, by name."""
    return st.session_state.get(TEXTS, {})


def unstored() -> dict[str, str]:
    """Return what only this session keeps, by name."""
    stored = st.session_state.get(STORED, frozenset())
    return {name: text for name, text in all_texts().items() if name not in stored}


def note_stored(name: str) -> None:
    """Note that there is no more to do for a text: the store has it, or cannot have it."""
    st.session_state[STORED] = st.session_state.get(STORED, frozenset()) | {name}


def forget_all() -> None:
    """Give up what this session keeps."""
    st.session_state[TEXTS], st.session_state[STORED] = {}, frozenset()


@cache
def _secret() -> bytes:
    """Return what names are made with: the secret by which all workers sign their cookies."""
    shared = config.get_option("server.cookieSecret")
    return shared.encode() if shared else token_bytes(32)
