"""A strip of slides in small: one is chosen, dragged to another place, or taken out.

A picture goes by itself, once for all runs, and only of a slide that the reader has in sight.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial

import streamlit as st

from lastviz.ui.text import t

from .chart_code import code_of
from .growth_player import player_code, player_style
from .served import component, library_is_served, pack_text

HTML = '<div class="lv-board"><ol role="listbox"></ol><p class="lv-unseen" role="status"></p></div>'
ACTS = ("see", "order", "choose", "remove", "undo")
PLAYER = "const mountPlayer = (() => {{\n{}\nreturn mountPlayer;\n}})();\n"


def storyboard(
    thumbs: Sequence[tuple[str, str | None]],
    chosen: int,
    version: str,
    *,
    key: str,
    on_act: Callable[..., None],
) -> None:
    """Draw the strip.

    Parameters
    ----------
    thumbs : sequence of (str, str or None)
        Titles, and names of what :func:`thumb_picture` has sent; None of slides out of sight.
    chosen : int
        Place of the slide that is marked.
    version : str
        Of the slides in their order.
    key : str
    on_act : callable
        Called before the next run with the name of an act, the version that it is about, and more:
        "see" with the places of slides that came in sight, "order" with all places in their new
        order and that of the slide that was moved, "choose" and "remove" with a place, "undo".
    """

    def act(name: str) -> None:
        if (found := st.session_state[key][name]) is not None:
            on_act(name, found["version"], *found["about"])

    library_is_served()
    words = {
        "board": t("Slides"),
        "keys": t(
            "Arrow keys go from slide to slide, Enter shows one, Alt and arrow keys move it, "
            "Delete removes it, Ctrl and Z brings it back."
        ),
        "place": t("Slide {n} of {all}", n="{n}", all="{all}"),
        "grip": t("Drag to another place"),
    }
    data = {"thumbs": thumbs, "chosen": chosen, "version": version, "words": words}
    handlers = {f"on_{name}_change": partial(act, name) for name in ACTS}
    _strip()(key=key, data=data, **handlers)


def thumb_picture(name: str, parts: str) -> None:
    """Send the drawn parts of a slide as JSON, by a name of their content."""
    _picture()(key=f"thumb-{name}", data=pack_text(f"{name}\n{parts}"), height=1)


@cache
def _strip():
    code = PLAYER.format(player_code())
    code += code_of("library.js", "when_quiet.js", "storyboard.js")
    return component("lastviz_storyboard", html=HTML, css=player_style(), js=code)


@cache
def _picture():
    js = code_of("packed.js", "thumb.js")
    return component("lastviz_thumb", html="<span></span>", js=js)
