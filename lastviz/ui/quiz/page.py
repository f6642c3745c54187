"""The page *quiz*: put together, played alone, or asked in a class."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from urllib.parse import urlencode

import streamlit as st

from lastviz.ui.shared import controls as sidebar
from lastviz.ui.shared.figures import page_theme
from lastviz.ui.shared.headline import show
from lastviz.ui.state import session
from lastviz.ui.state.codec import encode
from lastviz.ui.state.quiz_codes import SPLIT, Question, write_quiz
from lastviz.ui.text import CannotShow, number, t

from .answering import draft_of, picture, question_head, take_answer
from .asking import pose, was_right
from .controls import builder, play_from, questions_list
from .room import room_box, room_view
from .words import revealed

QUESTION = "What would it do?"
MAKING = "quiz_making"  # the session's: the reader puts a quiz together
PLAYED = "quiz_played"  # the session's: which quiz, and the answers given by question


def choices() -> None:
    """Draw the sidebar: what questions are about, where a quiz is put together."""
    quiz = session.current().quiz
    if not quiz.room and quiz.asked is None:
        sidebar.data_chooser()
        sidebar.model_choosers(1, allow_ensembles=True)
        sidebar.seed()
        sidebar.foot()


def body() -> None:
    """Draw the room that the reader is in, the question that is asked, or the quiz to be."""
    quiz = session.current().quiz
    if quiz.room:
        room_view(quiz.room)
    elif quiz.asked is not None and quiz.questions:
        _play(quiz.questions, min(quiz.asked, len(quiz.questions)))
    elif session.is_example() and MAKING not in st.session_state:
        _first()
    else:
        _building(quiz.questions)


def _building(questions: tuple[Question, ...]) -> None:
    """Draw the question that can be added, the quiz so far, and the ways into a room.

    Without questions the field for a code stands first: who has one is no teacher.
    """
    with st.container(key="quiz_build"):
        left, right = st.columns([3, 2], gap="medium")
    with right:
        if not questions:
            room_box(questions)
        questions_list()
        if questions:
            room_box(questions)
    with left:
        builder()


def _first() -> None:
    """Draw a question to begin with, and the ways to a quiz of one's own and into a room."""

    def next_steps(*, answered: bool) -> None:
        kind = "primary" if answered else "secondary"
        st.button(t("Make a quiz"), key="quiz_make", type=kind, on_click=_make)
        room_box(())

    _ask((Question(SPLIT, urlencode(encode(session.current()))),), 0, next_steps)


def _make() -> None:
    st.session_state[MAKING] = True


def _play(questions: tuple[Question, ...], place: int) -> None:
    if place == len(questions):
        _result(questions, _answers(questions))
        return
    show(_dots(place, len(questions)))
    _ask(questions, place, partial(_turn_over, place, len(questions)))


def _ask(questions: tuple[Question, ...], place: int, next_steps: Callable[..., None]) -> None:
    """Draw a question with its answer or the ways to give one, and below it the `next_steps`."""
    try:
        posed = pose(questions[place], page_theme())
    except CannotShow as reason:
        st.info(str(reason))
        next_steps(answered=True)
        return
    question_head(posed)
    key, given = f"play|{place}", _answers(questions).get(place)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        picture(
            posed,
            key,
            given if given is not None else draft_of(key),
            open_to_answers=given is None,
            revealed=given is not None,
        )
    with right:
        if given is None:
            take_answer(posed, key, partial(_answer, questions, place))
        else:
            show(revealed(posed, given))
        next_steps(answered=given is not None)


def _answers(questions: tuple[Question, ...]) -> dict[int, str]:
    """Return the answers that were given to this quiz in this session."""
    name, answers = st.session_state.get(PLAYED, ("", {}))
    return answers if name == write_quiz(questions) else {}


def _answer(questions: tuple[Question, ...], place: int, answer: str) -> None:
    given = _answers(questions) | {place: answer}
    st.session_state[PLAYED] = (write_quiz(questions), given)


def _turn_over(place: int, n: int, *, answered: bool) -> None:
    """Draw the ways to the question before, to the next one, and out.

    Until a question is `answered` the arrow keys move its threshold.
    """
    back, onward = ("Left", "Right") if answered else (None, None)
    with st.container(horizontal=True, wrap=True, gap="small", key="quiz_turns"):
        if place:
            st.button(
                t("Back"), key="quiz_back", shortcut=back, on_click=partial(play_from, place - 1)
            )
        label = t("Next question") if place + 1 < n else t("Finish")
        st.button(
            label,
            key="quiz_next",
            type="primary" if answered else "secondary",
            shortcut=onward,
            on_click=partial(play_from, place + 1),
        )
        st.button(t("Leave"), key="quiz_leave", on_click=partial(play_from, None))


def _dots(place: int, n: int) -> str:
    """Return which question of how many it is, as dots and in words."""
    states = ["done"] * place + ["here"] + ["open"] * (n - place - 1)
    dots = "".join(f'<i class="lv-{state}"></i>' for state in states)
    return f'<p class="lv-dots">{dots} {t("{n} of {all}", n=number(place + 1), all=number(n))}</p>'


def _result(questions: tuple[Question, ...], answers: dict[int, str]) -> None:
    right = 0
    for place, given in answers.items():
        right += was_right(questions[place], given, page_theme())
    st.subheader(t("{n} of {all} right", n=number(right), all=number(len(questions))), anchor=False)
    with st.container(horizontal=True, wrap=True, gap="small", key="quiz_turns"):
        st.button(t("Play again"), key="quiz_again", on_click=_again)
        st.button(t("Leave"), key="quiz_leave", on_click=partial(play_from, None))


def _again() -> None:
    st.session_state.pop(PLAYED, None)
    play_from(0)
