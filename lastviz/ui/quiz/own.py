"""A question in a teacher's own words: what is asked, about which row, how near is near enough."""

from __future__ import annotations

from functools import partial

import streamlit as st

from lastviz.ui.compute.work import work_of
from lastviz.ui.shared.widgets import put
from lastviz.ui.state.quiz_codes import CLASS, ERRORS, MOST_TITLE, Ask
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import t

from .asking import asked_scene, proposed_row

TURN = "quiz_turn"  # the session's: which of the proposed rows
MOST_OFF = 1000  # rows by which a right answer may be off


def own_question(selection: Selection, kind: str, model: int = 0) -> Ask:
    """Draw the fields of a question about a scene; the question that they say."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="quiz_own"):
        label = t("The question in your own words, if you like")
        text = st.text_input(label, key="quiz_words", max_chars=MOST_TITLE)
        if kind == ERRORS:
            label = t("Right if off by at most")
            off = st.number_input(label, 0, MOST_OFF, key="quiz_off", width=200)
    ask = Ask(kind, " ".join(text.split()), model, int(off) if kind == ERRORS else None)
    if kind == CLASS:
        ask = Ask(kind, ask.text, model, _row_chooser(asked_scene(selection)))
    return ask


def _row_chooser(base: Selection) -> int:
    n = len(work_of(base).first.division.y)
    proposed = proposed_row(work_of(base), st.session_state.get(TURN, 0)) + 1
    name = f"quiz_row_{work_of(base).division_key}"
    if name not in st.session_state:
        put(name, proposed)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="quiz_rows"):
        row = st.number_input(t("Row"), 1, n, step=1, key=name, width=160)
        st.button(t("Another row"), key="quiz_other_row", on_click=partial(_other_row, name, base))
    return int(row) - 1


def _other_row(name: str, base: Selection) -> None:
    st.session_state[TURN] = st.session_state.get(TURN, 0) + 1
    st.session_state[name] = proposed_row(work_of(base), st.session_state[TURN]) + 1
