"""Which scenes of the course this reader has been through to their last step.

The session knows it, and the browser keeps it in its storage: no link and no file of the server
says it.
"""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from .presets import scene_named

DONE = "lessons_done"


def done() -> frozenset[str]:
    """Return the keys of the scenes."""
    return st.session_state.get(DONE, frozenset())


def note_done(keys: Iterable[object]) -> None:
    """Note scenes that were gone through; names that no scene has any more are left out."""
    found = {key for key in keys if isinstance(key, str) and scene_named(key)}
    st.session_state[DONE] = done() | found
