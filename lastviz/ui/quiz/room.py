"""A room: the teacher asks, pupils answer in other browsers, the distribution is seen live."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from html import escape

import segno
import streamlit as st

from lastviz.host import visitor
from lastviz.host.rooms import ROOM_LIMITS, Room, Rooms, RoomsFull, the_rooms
from lastviz.host.security import page_address
from lastviz.host.store import try_store
from lastviz.host.turns import TURNS
from lastviz.ui.components.copy_link import copy_link
from lastviz.ui.components.stage import to_top
from lastviz.ui.shared.figures import page_theme
from lastviz.ui.shared.headline import show
from lastviz.ui.shared.scene_box import reach_words
from lastviz.ui.state import session
from lastviz.ui.state.quiz_codes import Question, read_quiz, write_quiz
from lastviz.ui.text import CannotShow, number, plain, plural, t, translate

from .answering import draft_of, forget_drafts, picture, question_head, take_answer
from .asking import pose, was_right
from .scene import PosedQuestion
from .words import answer_words, bars, crowd_words, groups, reveal_answer

FAULT = "quiz_room_fault"
EVERY_TEACHER, EVERY_PUPIL = 1.5, 2.0  # seconds between two looks
NO_ROOMS = "This server has no folder for rooms: its operator finds the reason in the log."


def _host_token(rooms: Rooms, code: str) -> str:
    """Token that a room was opened by; another one could be known meanwhile."""
    own = (token for token in visitor.tokens() if rooms.is_host(code, token))
    return next(own, visitor.stand_in())


def room_box(questions: tuple[Question, ...]) -> None:
    """Draw the ways into a room: open one with the quiz, or join one by its code."""
    st.markdown(f"**{t('In a class')}**")
    if the_rooms() is None:
        st.caption(t(NO_ROOMS))
        return
    st.button(
        t("Open a room"),
        key="quiz_room_open",
        icon=":material/groups:",
        disabled=not questions,
        help=t(
            "Up to {n} join by a code, without names. The room ends by itself after {hours}.",
            n=number(ROOM_LIMITS.pupils),
            hours=plural(int(ROOM_LIMITS.hours), "{n} hour", "{n} hours"),
        ),
        on_click=partial(open_room, questions),
    )
    if not questions:
        st.caption(t("A room needs a question: add one to the quiz first."))
    with st.form("quiz_join", border=False):
        st.text_input(t("Code of a room"), key="quiz_code", max_chars=6, width=200)
        st.form_submit_button(t("Join"), on_click=_join)
    fault = st.session_state.pop(FAULT, "")
    if fault:
        st.error(fault)


def open_room(questions: tuple[Question, ...]) -> None:
    """Open a room with these questions, and enter it; for callbacks."""
    rooms = the_rooms()
    try:
        quiz, source = write_quiz(questions), visitor.source()
        code = try_store(partial(rooms.open, visitor.stand_in(), quiz, len(questions), source))
    except RoomsFull:
        st.session_state[FAULT] = t(
            "No room can be opened now: there are {n} already, or the quiz is too long.",
            n=number(ROOM_LIMITS.rooms),
        )
        return
    if code is None:
        st.session_state[FAULT] = t(NO_ROOMS)
        return
    forget_drafts()
    session.select(room=code, asked=None)


def _join() -> None:
    code, rooms = st.session_state["quiz_code"].strip().upper(), the_rooms()
    if try_store(partial(rooms.look, code)) is None:
        st.session_state[FAULT] = _no_room(plain(code))
        return
    forget_drafts()
    session.select(room=code, asked=None)


def _no_room(code: str) -> str:
    return t("Room {code} does not exist or has expired; a code has six letters.", code=code)


def _leave() -> None:
    forget_drafts()
    session.select(room="", asked=None)


def room_view(code: str) -> None:
    """Draw a room as who opened it sees it, or as a pupil does."""
    rooms = the_rooms()
    room = None if rooms is None else try_store(partial(rooms.look, code))
    if room is None:
        st.info(_no_room(code))
        st.button(t("Leave"), key="quiz_leave", on_click=_leave)
        return
    questions = read_quiz(room.quiz)
    posed, reason = None, ""
    if 0 <= room.place < len(questions):
        try:
            posed = pose(questions[room.place], page_theme())
        except CannotShow as refusal:  # the room goes on: its data may be another's file
            reason = translate(refusal)
    if any(try_store(partial(rooms.is_host, code, token)) for token in visitor.tokens()):
        _teacher(rooms, room, posed, reason)
    else:
        _pupil(rooms, room, posed, reason, questions)


def _teacher(rooms: Rooms, room: Room, posed: PosedQuestion | None, reason: str) -> None:
    left, right = st.columns([3, 2], gap="medium")
    with left:
        if reason:
            st.info(plain(reason))
        elif posed is None:
            _lobby(room)
        else:
            question_head(posed)
            given = try_store(partial(rooms.answers, room.code, room.place)) or {}
            picture(
                posed,
                _key(room),
                None,
                open_to_answers=False,
                revealed=room.revealed,
                others=list(given) if room.revealed else (),
            )
    with right:
        label = escape(t("Code of a room"))
        show(f'<p class="lv-quiz-code"><span>{label}</span><b>{room.code}</b></p>')
        with st.container(horizontal=True, wrap=True, gap="small", key="quiz_link"):
            copy_link(f"room={room.code}", key="quiz_copy")
        _live(rooms, room, posed)
        if posed is not None and room.revealed:
            show(reveal_answer(posed, None))
        _teacher_buttons(rooms, room, has_answer=posed is not None)
        st.caption(_ends(room))


def _lobby(room: Room) -> None:
    if room.place < 0:
        st.subheader(t("Join at {address}", address=_address()), anchor=False)
        if reach_words():
            st.warning(reach_words())
        show(_scan_html(room.code))
    else:
        st.subheader(t("That was the last question."), anchor=False)


def _address() -> str:
    return page_address().partition("://")[2]


def _scan_html(code: str) -> str:
    """Address of a room as a QR code, dark on light in every theme."""
    drawn = segno.make(f"{page_address()}?room={code}", error="m", micro=False)
    source = drawn.svg_data_uri(scale=6, border=2, dark="#000", light="#fff")
    return f'<img src="{source}" alt="{escape(t("QR code of the room"))}">'


def _ends(room: Room) -> str:
    left = max(0, round((room.expires - datetime.now(UTC).timestamp()) / 60))
    return t(
        "No names are stored. The room and its answers are deleted after {minutes} at the latest.",
        minutes=plural(left, "{n} minute", "{n} minutes"),
    )


# It costs one small table; nothing is trained.
@st.fragment(run_every=EVERY_TEACHER)
def _live(rooms: Rooms, room: Room, posed: PosedQuestion | None) -> None:
    """Draw the number of answers, repeatedly."""
    with TURNS.turn():
        _go_along(rooms, room)
        joined = t("{n} joined", n=number(rooms.n_joined(room.code)))
        if posed is None:
            st.markdown(f"**{joined}**")
            return
        given = rooms.answers(room.code, room.place)
        n = plural(sum(given.values()), "{n} answer", "{n} answers")
        st.markdown(f"**{n}** · {joined}")
        right = ""
        if room.revealed:
            right = next(name for name, n in groups(posed, {posed.answer: 1}).items() if n)
            if given:
                st.markdown(plain(crowd_words(posed, given)))
        show(bars(groups(posed, given), right))


def _teacher_buttons(rooms: Rooms, room: Room, *, has_answer: bool) -> None:
    token = _host_token(rooms, room.code)
    is_question = 0 <= room.place < room.n_questions
    with st.container(horizontal=True, wrap=True, gap="small", key="quiz_teacher"):
        if is_question and has_answer and not room.revealed:
            show_it = partial(rooms.reveal, room.code, token)
            _act(t("Show the answer"), "quiz_show", show_it, shortcut="Space")
        elif room.place + 1 < room.n_questions:
            label = t("Ask question {n} of {all}", n=room.place + 2, all=room.n_questions)
            step = partial(rooms.go_on, room.code, token, room.place + 1)
            _act(label, "quiz_next", step, shortcut="Right")
        elif is_question:
            step = partial(rooms.go_on, room.code, token, room.n_questions)
            _act(t("Finish"), "quiz_next", step, shortcut="Right")
        with st.popover(t("End the room"), key="quiz_ending"):
            st.markdown(t("The room and all its answers are deleted, for everybody in it."))
            end = partial(_end, rooms, room.code, token)
            st.button(t("End the room"), key="quiz_end", type="primary", on_click=end)


def _act(label: str, key: str, act: Callable[[], None], *, shortcut: str) -> None:
    st.button(label, key=key, type="primary", shortcut=shortcut, on_click=lambda: try_store(act))


def _end(rooms: Rooms, code: str, token: str) -> None:
    try_store(partial(rooms.end, code, token))
    _leave()


def _pupil(
    rooms: Rooms,
    room: Room,
    posed: PosedQuestion | None,
    reason: str,
    questions: tuple[Question, ...],
) -> None:
    token = visitor.stand_in()
    # Who comes for the first time is told apart from others once the browser has answered.
    if visitor.is_known() and not try_store(
        partial(rooms.join, room.code, token, visitor.source())
    ):
        most, n = ROOM_LIMITS.pupils, try_store(partial(rooms.n_joined, room.code)) or 0
        if n < most and visitor.source() is not None:
            st.info(_crowded_words(room))
        else:
            st.info(t("Room {code} is full: {n} have joined.", code=room.code, n=number(most)))
        return
    _watch(rooms, room)
    to_top(f"{room.code} {room.place}")
    if reason:
        st.info(plain(reason))
        return
    if posed is None:
        _waiting(rooms, room, token, questions)
        return
    st.caption(
        t("Room {code}, question {n} of {all}", code=room.code, n=room.place + 1,
          all=room.n_questions)
    )  # fmt: skip
    question_head(posed)
    given = try_store(partial(rooms.own_answer, room.code, room.place, token))
    left, right = st.columns([3, 2], gap="medium")
    thought = draft_of(_key(room)) or given
    with left:
        picture(
            posed,
            _key(room),
            given if room.revealed else thought,
            open_to_answers=not room.revealed,
            revealed=room.revealed,
        )
    with right:
        if room.revealed:
            show(reveal_answer(posed, given))
            return
        submit = partial(_answer, rooms, room, token)
        take_answer(posed, _key(room), submit, given=given)
        if given is not None:
            st.success(t("Your answer: {answer}", answer=answer_words(posed, given)))
            st.caption(t("You can change it until the answer is shown."))


def _crowded_words(room: Room) -> str:
    sentence = "{n} have joined the room {code} from your network address, and no more can."
    return t(sentence, n=number(ROOM_LIMITS.pupils_of_address), code=room.code)


def _waiting(rooms: Rooms, room: Room, token: str, questions: tuple[Question, ...]) -> None:
    if room.place < 0:
        st.subheader(t("You are in room {code}.", code=room.code), anchor=False)
        st.markdown(t("The first question comes when the teacher asks it."))
        return
    right = 0
    for place, question in enumerate(questions):
        given = try_store(partial(rooms.own_answer, room.code, place, token))
        right += given is not None and was_right(question, given, page_theme())
    st.subheader(t("That was the last question."), anchor=False)
    st.markdown(t("You had {n} of {all} right.", n=number(right), all=number(len(questions))))
    st.button(t("Leave"), key="quiz_leave", on_click=_leave)


def _answer(rooms: Rooms, room: Room, token: str, answer: str) -> None:
    try_store(partial(rooms.join, room.code, token, visitor.source()))
    try_store(partial(rooms.answer, room.code, room.place, token, answer))


# Until then it costs one look at a table.
@st.fragment(run_every=EVERY_PUPIL)
def _watch(rooms: Rooms, room: Room) -> None:
    """Rerun the page once the teacher goes on."""
    with TURNS.turn():
        _go_along(rooms, room)


def _go_along(rooms: Rooms, room: Room) -> None:
    """Run the page anew where the room has gone on since it was drawn."""
    now = try_store(partial(rooms.look, room.code))
    if now is None or (now.place, now.revealed) != (room.place, room.revealed):
        session.unsettle()
        st.rerun()


def _key(room: Room) -> str:
    return f"{room.code}|{room.place}"
