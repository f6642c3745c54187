"""The reader's own story: which slide is chosen, its changes, and the story before a change."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import streamlit as st

from lastviz.ui.text import plural, t

from . import session
from .quiz_codes import Slide, Slides, read_story

CHOSEN = "story_chosen"  # the session's: place of the slide that the page shows
EARLIER = "story_earlier"


Earlier = tuple[Slides, str]
"""A story that can be brought back, and a sentence on why it is gone."""


def slides() -> Slides:
    """Slides of the story."""
    return session.current().story.slides


def chosen_place() -> int:
    """Place of the slide that the page shows."""
    return min(st.session_state.get(CHOSEN, 0), max(len(slides()) - 1, 0))


def choose(place: int) -> None:
    """Show the slide at a place; for callbacks."""
    st.session_state[CHOSEN] = place


def earlier() -> Earlier | None:
    """Story that the last change took away, None if it took nothing."""
    return st.session_state.get(EARLIER)


def become(found: Slides, place: int | None = None, before: Earlier | None = None) -> None:
    """Change the story, and choose the slide at `place`; for callbacks."""
    st.session_state[EARLIER] = before
    choose(chosen_place() if place is None else place)
    session.select(slides=found)


def add(slide: Slide) -> None:
    """Add a slide at the end, and choose it; for callbacks."""
    become((*slides(), slide), len(slides()))


def reword(place: int, **words: str) -> None:
    """Change the words of a slide; for callbacks."""
    found = slides()
    reworded = (*found[:place], replace(found[place], **words), *found[place + 1 :])
    if reworded != found:
        become(reworded)


def move(place: int, to: int) -> None:
    """Bring a slide to another place; for callbacks."""
    found = list(slides())
    found.insert(to, found.pop(place))
    become(tuple(found), to)


def remove(place: int) -> None:
    """Take a slide out, with a way back; for callbacks."""
    found = slides()
    why = t("Slide {n} was removed.", n=place + 1)
    become(found[:place] + found[place + 1 :], place, (found, why))


def bring_back() -> None:
    """Bring the earlier story back, if there is one; for callbacks."""
    if (before := earlier()) is not None:
        become(before[0])


# A link that says no story leaves the one that is there; it may say another.
def recall(text: str) -> None:
    """Bring back the story that this tab had before; for callbacks."""
    with suppress(ValueError):
        before = read_story(text)
        if not slides():
            become(before)
        elif before != slides():
            scenes = plural(len(before), "{n} scene", "{n} scenes")
            why = t("The link brought a story of its own. Yours had {scenes}.", scenes=scenes)
            st.session_state[EARLIER] = before, why
