"""Scenes of the course that this user has followed to their last step.

The session knows it, and the browser keeps it in its storage: no link and no file of the server
says it.
"""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from lastviz.estimators import ESTIMATORS

from .course import FIRST_LESSONS, CourseScene
from .course_further import FURTHER_LESSONS
from .course_more import BUILDING, DEBUGGING, SHOWING
from .fields import OwnRule
from .selection import Model, Pairs, with_param

SCENES = (*FIRST_LESSONS, *BUILDING, *FURTHER_LESSONS, *DEBUGGING, *SHOWING)


def scene_named(key: str) -> CourseScene | None:
    """Scene of the course with this key, None if there is none."""
    return next((scene for scene in SCENES if scene.key == key), None)


def steps_on(page: str) -> list[tuple[CourseScene, int]]:
    """Each scene that comes to a page, with its first step there, counted from 1."""
    found = {}
    for scene in SCENES:
        for n, step in enumerate(scene.steps, start=1):
            if step.page == page:
                found.setdefault(scene.key, (scene, n))
    return list(found.values())


def grown_by(rule: OwnRule) -> Model:
    """Model whose trees grow by a rule of the reader's own."""
    given = {
        "criterion": "rule",
        "first": rule.first,
        "second": rule.second or "none",
        "second_weight": rule.weight,
        "k": rule.k,
        "last": rule.last or "none",
    }
    pairs: Pairs = ()
    for param in ESTIMATORS["hybrid"].cls.PARAMS:
        if param.name in given:
            pairs = with_param(pairs, param, given[param.name])
    return Model("hybrid", pairs)


# ---------------------------------------------------------------- lessons


DONE = "lessons_done"


def done() -> frozenset[str]:
    """Keys of the scenes."""
    return st.session_state.get(DONE, frozenset())


def note_done(keys: Iterable[object]) -> None:
    """Record completed scenes, leaving out names of scenes that no longer exist."""
    found = {key for key in keys if isinstance(key, str) and scene_named(key)}
    st.session_state[DONE] = done() | found
