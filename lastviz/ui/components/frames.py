"""Figures that follow a slider while it is held, before the script runs.

The script runs when a slider is let go. Until then the browser shows frames: what its figures
would be at each value. It asks for all of them at once when the reader reaches for the slider.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

import streamlit as st

from lastviz.plots import Drawing, figure_json
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection

from .chart_code import ROLES_OF_ROWS, code_of
from .chart_host import component_key
from .served import component, library_is_served

REQUESTED = "frames_asked"
PARTS = ("height", "margin", "shapes", "annotations")  # of a layout, besides its axes


@dataclass(frozen=True, eq=False)
class Frame:
    """Content of a page at one value of a slider."""

    # By the key of their chart. The rows in it stay where they are; all else may differ.
    figures: Mapping[str, Drawing]
    # Html by a selector of CSS: of all elements of the page that it finds, in their order.
    texts: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def data(self) -> dict[str, object]:
        """The frame as the browser plays it: figures without rows and areas to click."""
        moving = {key: _moving(figure) for key, figure in self.figures.items()}
        return {"figures": moving, "texts": {at: list(html) for at, html in self.texts.items()}}


def frames(
    slider: str, at: float, about: str, frames_of: Callable[[], Mapping[float, Frame]]
) -> None:
    """Let figures of this page follow a slider.

    Parameters
    ----------
    slider : str
        The key of the slider's widget.
    at : float
        Its value in this run.
    about : str
        What the frames depend on besides the slider: while it stays, the browser keeps them.
    frames_of : callable
        Works out what the page shows at each value; called when the reader reaches for the
        slider.
    """
    if library_is_served():
        _frames(slider, at, about, frames_of, session.current())


@st.fragment
def _frames(
    slider: str,
    at: float,
    about: str,
    frames_of: Callable[[], Mapping[float, Frame]],
    drawn: Selection,
) -> None:
    if session.current() != drawn:  # a widget moved in the same moment, and this alone would run
        st.rerun()
    name = component_key(f"frames-{slider}")

    def request() -> None:
        st.session_state[REQUESTED] = st.session_state[name]["asked"]

    # Streamlit gives the element of a widget this class.
    slider = "st-key-" + re.sub(r"[^a-zA-Z0-9_-]", "-", slider.strip())
    head = {"slider": slider, "at": f"{at:g}", "about": about}
    data = json.dumps(head).encode()
    if st.session_state.get(REQUESTED) == about:
        st.session_state[REQUESTED] = None
        data += b"\n" + gzip.compress(_packed(frames_of()).encode(), compresslevel=1)
    _component()(key=name, data=data, on_asked_change=request)


def _packed(frames: Mapping[float, Frame]) -> str:
    """Frames as JSON, each once, and which of them belongs to which value."""
    once = {id(frame): frame for frame in frames.values()}
    place = {name: i for i, name in enumerate(once)}
    at = {f"{value:g}": place[id(frame)] for value, frame in frames.items()}
    return json.dumps({"at": at, "frames": [frame.data() for frame in once.values()]})


def _moving(figure: Drawing) -> dict[str, object]:
    settings = figure.settings.items()
    layout = {key: value for key, value in settings if key in PARTS or key[1:5] == "axis"}
    content = json.loads(figure_json(Drawing(figure.traces, layout), {}))
    sent = ("meta", "xaxis", "yaxis")
    content["data"] = [
        {key: trace[key] for key in sent if key in trace}
        if trace["meta"]["role"] in ROLES_OF_ROWS
        else trace
        for trace in content["data"]
    ]
    return content


@cache
def _component():
    code = code_of("when_quiet.js", "frames.js")
    return component("lastviz_frames", html="<span></span>", js=code)
