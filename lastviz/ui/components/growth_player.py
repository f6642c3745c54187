"""Our own player of a growth: every step is in the browser, no step needs a run of the script.

The same code plays in the app and, without a server, in the exported page.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache

import streamlit as st

from .chart_code import code_of, menu, with_roles_brushed
from .chart_host import component_key
from .served import component, library_is_served, pack_text, slide_words, slides_code

PARTS = (
    "chart/decoded.js",
    "chart/room.js",
    *(f"growth/{name}.js" for name in ("state", "tree", "picture", "matrix", "player")),
)
BRUSH = ("brush_store.js", "chart/places.js", "chart/brush.js")
HTML = (
    '<div class="lv-growth-room"><div class="lv-growth"></div>'
    f'<div class="lv-tools" role="toolbar" hidden>{menu()}</div></div>'
)


def growth_player(
    story: str, step: int, *, key: str, on_stop: Callable[[int], None] | None = None
) -> None:
    """Show a story and go to one of its steps; several players of a page go in step.

    Parameters
    ----------
    story : str
        JSON, see :mod:`lastviz.ui.growth.details`.
    step : int
        Counted from 0; what lies beyond the last one is the last one.
    key : str
        Name of the place.
    on_stop : callable, optional
        Called with the step at which the reader stopped, before the run that follows.
    """
    library_is_served()

    def stopped() -> None:
        found = st.session_state[name]["step"]
        if found is None:
            return
        st.session_state[heard] = int(found["told"])
        if on_stop is not None:
            on_stop(int(found["step"]))

    name = component_key(key)
    heard = f"{name}.heard"  # how many stops the browser has told of, so that it knows old answers
    n_heard = st.session_state.get(heard, 0)
    about = {"step": step, "heard": n_heard, "is_heard": on_stop is not None}
    about["words"] = slide_words()
    data = pack_text(f"{json.dumps(about)}\n{story}")
    _component()(key=name, data=data, on_step_change=stopped)


@cache
def player_code() -> str:
    """Player's code, which defines ``mountPlayer``."""
    return code_of(*PARTS)


@cache
def player_style() -> str:
    """CSS rules of the player; colours are the variables of the page's frame."""
    return code_of("growth/player.css")


@cache
def _component():
    own = code_of(
        "packed.js",
        "library.js",
        "skip.js",
        *BRUSH,
        *PARTS,
        "growth/brush.js",
        "growth/slides.js",
        "growth/host.js",
    )
    code = slides_code() + with_roles_brushed(own)
    css = player_style() + code_of("chart/tools.css", "chart/brush.css")
    return component("lastviz_growth_player", html=HTML, css=css, js=code)
