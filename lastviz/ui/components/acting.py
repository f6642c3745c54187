"""Components that draw the acts of the reader at once, and tell the script afterwards."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache

import streamlit as st

from .chart_code import code_of
from .served import component, pack_text


def acting(name: str, data: dict[str, object], *, key: str, on_act: Callable[[dict], None]) -> None:
    """Draw one of `ACTING`: a tree that the reader builds, or a line to be moved.

    Parameters
    ----------
    name : str
    data : dict
        See ``payload`` in :mod:`lastviz.ui.growth.hand_page` and :mod:`lastviz.ui.quiz.guess`.
    key : str
    on_act : callable
        Called before the next run with what the reader did: ``{"act": name}``, and what the act
        needs.
    """

    def acted() -> None:
        if (found := st.session_state[key]["acted"]) is not None:
            on_act(found)

    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    ACTING[name]()(key=key, data=pack_text(text), on_acted_change=acted)


@cache
def _tree():
    return component("lastviz_hand_tree", **_parts("hand_tree", "lv-hand"))


@cache
def _line():
    return component("lastviz_guess_line", **_parts("guess_line", "lv-guess"))


ACTING = {"hand_tree": _tree, "guess_line": _line}


def _parts(name: str, style: str) -> dict[str, str]:
    js = code_of("packed.js", "marks.js", f"{name}.js")
    return {"html": f'<div class="{style}"></div>', "js": js, "css": code_of(f"{name}.css")}
