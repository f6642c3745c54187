"""Rules on two sides of a line; the browser shows the costs while it is dragged.

The script is told of a new place afterwards, so that all else follows and the address says it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cache

import streamlit as st

from .chart_code import code_of
from .served import component, pack_text

HTML = '<div class="lv-line-room"></div>'


@dataclass(frozen=True)
class LineStop:
    """A place of the line."""

    above: int  # rules that lie above it
    words: str  # on the line
    card: str  # html of the numbers there


def decision_line(
    html: str,
    stops: Sequence[LineStop],
    at: int,
    *,
    key: str,
    label: str,
    on_move: Callable[[int], None],
) -> None:
    """Draw the rules, the line at the stop `at` of `stops`, and the numbers there.

    Parameters
    ----------
    html : str
        All of it, with the line in its place.
    stops : sequence of LineStop
        From the top.
    at : int
    key : str
    label : str
        What the line is, for those who do not see it.
    on_move : callable
        Called before the next run, with the place of the stop where the line was dragged to.
    """

    def moved() -> None:
        if (found := st.session_state[key]["moved"]) is not None:
            on_move(int(found["at"]))

    data = {"html": html, "stops": [asdict(stop) for stop in stops], "at": at, "label": label}
    payload = pack_text(json.dumps(data, separators=(",", ":"), allow_nan=False))
    _component()(key=key, data=payload, on_moved_change=moved)


@cache
def _component():
    js = code_of("packed.js", "decision_line.js")
    return component("lastviz_decision_line", html=HTML, js=js)
