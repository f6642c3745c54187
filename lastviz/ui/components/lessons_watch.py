"""Keeps in the browser which lessons of the course were gone through, and asks it for them."""

from __future__ import annotations

from functools import cache

import streamlit as st

from lastviz.ui.state import lessons

from .chart_code import code_of

KEY = "lessons_watch"


def lessons_watch() -> None:
    """Learn by an invisible element what the browser keeps; it keeps what the session knows."""
    _component()(
        key=KEY,
        data={"done": sorted(lessons.done())},
        default={"done": None},
        height=1,
        on_done_change=_noted,
    )


def _noted() -> None:
    done = st.session_state[KEY].done
    lessons.note_done(done if isinstance(done, list) else ())


@cache
def _component():
    js = code_of("when_quiet.js", "lessons_watch.js")
    return st.components.v2.component("lastviz_lessons_watch", js=js, isolate_styles=False)
