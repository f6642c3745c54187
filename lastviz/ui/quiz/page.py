"""The page *quiz*: put together, played alone, or asked in a class."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from urllib.parse import urlencode

import numpy as np
import streamlit as st

from lastviz.plots import plain_split
from lastviz.ui.compute.work import work_of
from lastviz.ui.shared import controls as sidebar
from lastviz.ui.shared.example import example_link
from lastviz.ui.shared.figures import page_theme
from lastviz.ui.shared.headline import show
from lastviz.ui.shared.widgets import open_button, put, save_button
from lastviz.ui.state import session
from lastviz.ui.state.codec import encode
from lastviz.ui.state.quiz_codes import (
    CLASS,
    ERRORS,
    KINDS,
    MOST_QUESTIONS,
    MOST_TITLE,
    NODE,
    SPLIT,
    Ask,
    Question,
    quiz_file,
    read_quiz_file,
    write_quiz,
)
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, number, plain, plural, t

from .answering import draft_of, forget_drafts, package_box, picture, question_head, take_answer
from .asking import hindrance, pose, proposed_row, question_scene, was_right, with_wrong_node
from .room import room_box, room_view
from .words import KIND_TITLES, heading, reveal_answer

TURN = "quiz_turn"  # which of the proposed rows
MOST_OFF = 1000  # rows by which a right answer may be off


def builder() -> None:
    """Draw the question that can be added, on the data and algorithm of the sidebar."""
    selection = session.current()
    put("quiz_kind", st.session_state.get("quiz_kind", KINDS[0]))
    kind = st.segmented_control(
        t("Kind of question"),
        KINDS,
        key="quiz_kind",
        required=True,
        format_func=lambda each: t(KIND_TITLES[each]),
    )
    try:
        question = _question(selection, kind or KINDS[0])
        posed = pose(question, page_theme())
    except CannotShow as reason:
        st.info(str(reason))
        if (example := example_link()) is not None:
            posed = pose(Question(SPLIT, urlencode(encode(example))), page_theme())
            question_head(posed)
            picture(posed, "example", None, open_to_answers=False)
        return
    question_head(posed)
    added = (*selection.quiz.questions, question)
    st.button(
        t("Add this question"),
        key="quiz_add",
        type="primary",
        icon=":material/add:",
        disabled=len(added) > MOST_QUESTIONS,
        on_click=partial(_add, added),
    )
    picture(posed, "preview", None, open_to_answers=False, table=False)


def _add(questions: tuple[Question, ...]) -> None:
    """Add a question; its own words were about it alone."""
    _become(questions)
    st.session_state["quiz_words"] = ""


def _question(selection: Selection, kind: str) -> Question:
    """Question of a kind about the scene, with the teacher's choices for it."""
    base = question_scene(selection)
    if why := hindrance(base):
        raise CannotShow(why)
    if kind == NODE:
        return Question(kind, with_wrong_node(work_of(base), _node_chooser(base)))
    ask = own_question(base, kind)
    row = ask.detail if kind == CLASS else None
    if ask.text or (ask.detail and row is None):
        base = base.having(ask=ask)
    return Question(kind, urlencode(encode(base)), row)


def own_question(selection: Selection, kind: str) -> Ask:
    """Draw the fields of a question about a scene; the question that they say."""
    detail = None
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="quiz_own"):
        label = t("The question in your own words, if you like")
        text = st.text_input(label, key="quiz_words", max_chars=MOST_TITLE)
        if kind == ERRORS:
            label = t("Right if off by at most")
            detail = int(st.number_input(label, 0, MOST_OFF, key="quiz_off", width=200))
    if kind == CLASS:
        detail = _row_chooser(question_scene(selection))
    return Ask(kind, " ".join(text.split()), detail=detail)


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


def _node_chooser(base: Selection) -> int:
    """Draw the choice of the node to be made wrong, seen only by the quiz's author."""
    tree = work_of(base).first.tree
    inner = np.flatnonzero(tree.n_children).tolist()
    if not inner:
        raise CannotShow(t("This tree is one leaf: it has no node that could be wrong."))
    tests = {
        node: plain_split(tree, node)
        + t(", ")
        + plural(int(tree.n_node_samples[node]), "{n} row", "{n} rows")
        for node in inner
    }
    return st.selectbox(
        t("The node that is made wrong"),
        inner,
        key=f"quiz_wrong_{work_of(base).first.cache_key}",
        format_func=tests.__getitem__,
    )


def questions_list() -> None:
    """Draw the questions of the quiz, their order, and the actions on the whole."""
    questions = session.current().quiz.questions
    st.markdown(f"**{t('Your quiz')}** " + plural(len(questions), "{n} question", "{n} questions"))
    if not questions:
        st.caption(t("Choose data and an algorithm at the left, then a kind, and add questions."))
    for place, question in enumerate(questions):
        _listed(place, question, len(questions))
    with st.container(horizontal=True, wrap=True, gap="small", key="quiz_acts"):
        st.button(
            t("Play"),
            key="quiz_play",
            type="primary",
            icon=":material/play_arrow:",
            disabled=not questions,
            on_click=play_from,
        )
        look = {"mime": "application/json", "key": "quiz_save", "disabled": not questions}
        save_button(t("Save as a file"), quiz_file(questions), "quiz.json", **look)
        package_box(questions)
    open_button(lambda file: _become(read_quiz_file(file)), key="quiz_open")


def _listed(place: int, question: Question, n: int) -> None:
    questions = session.current().quiz.questions
    try:
        posed = pose(question, page_theme())
        name = t("{question} ({data})", question=heading(posed), data=t(posed.dataset.name))
    except CannotShow as reason:
        name = str(reason)
    key = f"quiz-question-{place}"
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=key):
        st.markdown(f"{number(place + 1)}. {plain(name)}", width="stretch")
        st.button(
            "",
            icon=":material/arrow_upward:",
            key=f"quiz_up_{place}",
            help=t("Move up"),
            disabled=place == 0,
            on_click=partial(_become, _swapped(questions, place - 1)),
        )
        st.button(
            "",
            icon=":material/close:",
            key=f"quiz_out_{place}",
            help=t("Remove"),
            on_click=partial(_become, questions[:place] + questions[place + 1 :]),
        )


def _swapped(questions: tuple[Question, ...], place: int) -> tuple[Question, ...]:
    """Questions with the one at `place` and the next exchanged."""
    if place < 0:
        return questions
    first, second = questions[place : place + 2]
    return (*questions[:place], second, first, *questions[place + 2 :])


def _become(questions: tuple[Question, ...]) -> None:
    forget_drafts()
    session.select(questions=questions)


def play_from(place: int | None = 0) -> None:
    """Ask a question of the quiz, None for none; for callbacks."""
    forget_drafts()
    session.select(asked=place)


# ---------------------------------------------------------------- page


QUESTION = "What would it do?"
MAKING = "quiz_making"  # the session's: the reader puts a quiz together
PLAYED = "quiz_played"  # the session's: which quiz, and the answers given by question


def choices() -> None:
    """Draw the sidebar with the subject of the questions, while a quiz is being made."""
    quiz = session.current().quiz
    if not quiz.room and quiz.asked is None:
        sidebar.data_chooser()
        sidebar.model_choosers(1, allow_ensembles=True)
        sidebar.more_settings(1)


def body() -> None:
    """Draw the user's room, the current question, or the quiz under construction."""
    quiz = session.current().quiz
    if quiz.room:
        room_view(quiz.room)
    elif quiz.asked is not None and quiz.questions:
        _play(quiz.questions, min(quiz.asked, len(quiz.questions)))
    elif session.is_example() and MAKING not in st.session_state:
        _first()
    else:
        _building(quiz.questions)


# Without questions the field for a code stands first: who has one is no teacher.
def _building(questions: tuple[Question, ...]) -> None:
    """Draw the question that can be added, the quiz so far, and the ways into a room."""
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
    """Draw a first question, and the ways to one's own quiz and into a room."""

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
    """Draw a question with its answer or answer controls, and the `next_steps` below."""
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
            show(reveal_answer(posed, given))
        next_steps(answered=given is not None)


def _answers(questions: tuple[Question, ...]) -> dict[int, str]:
    """Answers that were given to this quiz in this session."""
    name, answers = st.session_state.get(PLAYED, ("", {}))
    return answers if name == write_quiz(questions) else {}


def _answer(questions: tuple[Question, ...], place: int, answer: str) -> None:
    given = _answers(questions) | {place: answer}
    st.session_state[PLAYED] = (write_quiz(questions), given)


# Until a question is `answered` the arrow keys move its threshold.
def _turn_over(place: int, n: int, *, answered: bool) -> None:
    """Draw the ways to the question before, to the next one, and out."""
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
    """Position of the question in the quiz, as dots and in words."""
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
