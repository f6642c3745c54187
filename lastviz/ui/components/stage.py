"""Parts of a stage in the browser alone: its clock, the blank screen, the speaker's notes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from lastviz.host import visitor
from lastviz.ui.state import lessons
from lastviz.ui.text import t

from .served import small_component

HTML = """<div class="lv-stage-clock">
  <span class="lv-stage-timer" role="timer"></span>
  <p class="lv-stage-notes" hidden></p>
</div>"""


# Another `slide` is seen from its top.
def stage_clock(elapsed: float, notes: str, slide: int | None) -> None:
    """Draw the clock, `elapsed` seconds old; key b blanks the screen, n shows `notes`."""
    data = {
        "elapsed": elapsed,
        "notes": notes,
        "slide": slide,
        "words": {"timer": t("Time on stage")},
    }
    small_component("stage", html=HTML)(key="stage_clock", data=data, width="content")


# ---- Elements that nobody sees: they ask the browser what it knows, and tell it what to do


LESSONS, STORY, VISITOR = "lessons_watch", "story_watch", "visitor_watch"


# The browser's window remembers the address of this page, or goes to the one it remembers.
def came_for(*, remember: bool) -> None:
    """Lead who has logged in to the page that they came for."""
    small_component("came_for")(key="came_for", data={"remember": remember}, height=1)


def to_top(what: str) -> None:
    """Scroll to the top of the page whenever its content changes."""
    small_component("to_top")(key="to_top", data={"what": what}, height=1)


# It stands beside the button, in the place of what the button shows.
def press_when_seen(key: str) -> None:
    """Press the button of a part of the page as soon as it is in sight."""
    small_component("when_seen", "when_quiet.js")(key=f"sight_{key}", height=1)


PARTS = ("dark.js", "fits.js", "sheet.js", "theme_watch.js", "streamlit_words.js")


# One element for all of it: each costs every run a message, and the browser a drawing.
def page_watch(
    page: str,
    theme: str,
    language: str,
    words: Mapping[str, str],
    menus: Mapping[str, str],
    back: str,
) -> None:
    """Watch over a page for all that Streamlit leaves undone.

    Elements slightly wider than their place are not scrolled.

    Parameters
    ----------
    page : str
        Where it changes a phone's sidebar is closed, which covers the page there.
    theme : {"light", "dark"}
        The page is run again once its theme is another.
    language : str
        For what reads the page aloud, and what chooses the glyphs.
    words : mapping of str to str
        Texts for Streamlit's English ones, wherever they appear. One with a place, as "Help for
        {name}", fits whatever stands there.
    menus : mapping of str to str
        Those put in Streamlit's own menus alone, as each may be a name of the data.
    back : str
        Said once a lost connection is there again.
    """
    data = {"page": page, "theme": theme, "language": language}
    data |= {"words": dict(words), "menus": dict(menus), "back": back}
    watch = small_component("page_watch", *PARTS)
    watch(key="page_watch", data=data, height=1, on_changed_change=lambda: None)


# It keeps those that the session knows.
def lessons_watch() -> None:
    """Learn the lessons that the browser keeps as completed."""

    def noted() -> None:
        done = st.session_state[LESSONS].done
        lessons.note_done(done if isinstance(done, list) else ())

    small_component(LESSONS, "when_quiet.js")(
        key=LESSONS,
        data={"done": sorted(lessons.done())},
        default={"done": None},
        height=1,
        on_done_change=noted,
    )


# What it had before the page was loaded is handed to `on_recall`, where it is another.
def story_watch(slides: str, on_recall: Callable[[str], None]) -> None:
    """Let this browser tab keep the story, as links say it."""

    def take() -> None:
        if isinstance(found := st.session_state[STORY]["before"], str):
            on_recall(found)

    small_component(STORY, "when_quiet.js")(
        key=STORY, data={"slides": slides}, height=1, on_before_change=take
    )


def visitor_watch(needed: bool, *, new: bool, drop: dict[str, tuple[str, str]]) -> None:
    """Learn the visitor's token.

    It lives in the browser's storage and never in a link.

    Where the browser stores nothing the name of its window keeps the token, as long as the window
    is open. The page is run again when the token is told.

    Parameters
    ----------
    needed : bool
        The browser is to answer even if it keeps no token.
    new : bool
        The browser is to make a token if it keeps none.
    drop : dict of str to (str, str)
        Parts of the address that are exchanged where they stand: what they are, what they are to
        be, "" for nothing. No entry is added to the browser's history.
    """
    answer = visitor.answer()
    is_requested = answer is None or (not answer and new)
    small_component(VISITOR, "when_quiet.js")(
        key=VISITOR,
        data={
            **{"asked": is_requested, "needed": needed, "new": new, "drop": drop},
            "forget": visitor.is_forgotten() and not new,
        },
        default={"token": None},
        height=1,
        on_token_change=lambda: visitor.know(st.session_state[VISITOR].token),
    )
