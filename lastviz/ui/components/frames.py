"""Figures that follow a slider while it is held, before the script runs.

The script runs when a slider is let go. Until then the browser shows frames: what its figures
would be at each value. It asks for all of them at once when the reader reaches for the slider.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import streamlit as st

from lastviz.plots import Drawing, figure_json

from .served import component, library_is_served

__all__ = ["Frame", "frames"]

NAME, ASKED = "frames", "frames_asked"
PARTS = ("height", "margin", "shapes", "annotations")  # of a layout, besides its axes


@dataclass(frozen=True, eq=False)
class Frame:
    """What a page shows at one value of a slider.

    Attributes
    ----------
    figures : mapping of str to Drawing
        By the key of their chart. The rows in it stay where they are; all else may differ.
    heads : sequence of str
        The headlines of the models, html, in their order on the page.
    """

    figures: Mapping[str, Drawing]
    heads: Sequence[str]

    def data(self) -> dict[str, object]:
        """Return it as the browser plays it: figures without areas to click."""
        moving = {key: _moving(figure) for key, figure in self.figures.items()}
        return {"figures": moving, "heads": list(self.heads)}


def frames(
    slider: str, at: object, about: str, frames_of: Callable[[], Mapping[object, Frame]]
) -> None:
    """Let figures of this page follow a slider.

    Parameters
    ----------
    slider : str
        The key of the slider's widget.
    at : object
        Its value in this run.
    about : str
        What the frames depend on besides the slider: while it stays, the browser keeps them.
    frames_of : callable
        Works out what the page shows at each value; called when the reader reaches for the
        slider.
    """
    if library_is_served():
        _frames(slider, at, about, frames_of)


@st.fragment
def _frames(
    slider: str, at: object, about: str, frames_of: Callable[[], Mapping[object, Frame]]
) -> None:
    def asked() -> None:
        st.session_state[ASKED] = st.session_state[NAME]["asked"]

    head = {"slider": _class_of(slider), "at": str(at), "about": about}
    data = json.dumps(head).encode()
    if st.session_state.pop(ASKED, None) == about:
        found = {str(value): frame.data() for value, frame in frames_of().items()}
        data += b"\n" + gzip.compress(json.dumps(found).encode(), compresslevel=1)
    _component()(key=NAME, data=data, on_asked_change=asked)


def _class_of(key: str) -> str:
    """Return the class that Streamlit gives the element of a widget."""
    return "st-key-" + re.sub(r"[^a-zA-Z0-9_-]", "-", key.strip())


def _moving(figure: Drawing) -> dict[str, object]:
    layout = {key: value for key, value in figure.settings.items() if key in PARTS or _is_axis(key)}
    return json.loads(figure_json(Drawing(figure.traces, layout), {}))


def _is_axis(key: str) -> bool:
    return key[1:5] == "axis"


@cache
def _component():
    code = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
    return component("lastviz_frames", html="<span></span>", js=code)
