"""Parts of a stage in the browser alone: its clock, the blank screen, the speaker's notes."""

from __future__ import annotations

from collections.abc import Mapping

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


LESSONS, VISITOR = "lessons_watch", "visitor_watch"


# The browser's window remembers the address of this page, or goes to the one it remembers.
def came_for(*, remember: bool) -> None:
    """Lead who has logged in to the page that they came for."""
    small_component("came_for")(key="came_for", data={"remember": remember}, height=1)


def to_top(what: str) -> None:
    """Scroll to the top of the page whenever its content changes."""
    small_component("to_top")(key="to_top", data={"what": what}, height=1)


# It covers the page there.
def sheet(page: str) -> None:
    """Close the sidebar of a phone on every change of `page`."""
    small_component("sheet")(key="sheet", data={"page": page}, height=1)


# These are formulas and tables.
def fits() -> None:
    """Keep elements slightly wider than their place from being scrolled."""
    small_component("fits")(key="fits", height=1)


# What reads the page aloud, and what chooses the glyphs, is told its `language`.
def theme_watch(theme: str, language: str) -> None:
    """Rerun the page when its theme is no longer `theme`, which Streamlit does not."""
    data = {"theme": theme, "language": language}
    watch = small_component("theme_watch", "dark.js")
    watch(key="theme_watch", data=data, height=1, on_changed_change=lambda: None)


def streamlit_words(words: Mapping[str, str], menus: Mapping[str, str], *, back: str) -> None:
    """Replace Streamlit's English texts wherever they appear on the page.

    `words` holds the new texts by the English ones.

    One with a place, as "Help for {name}", fits whatever stands there. Those of `menus` are put in
    Streamlit's own menus alone, as each may be a name of the data. `back` is said once a lost
    connection is there again.
    """
    data = {"words": dict(words), "menus": dict(menus), "back": back}
    small_component("streamlit_words")(key="streamlit_words", data=data, height=1)


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
    is_requested = not (visitor.token() or (visitor.is_known() and not new))
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
