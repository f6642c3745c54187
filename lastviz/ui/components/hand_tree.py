"""A tree that the reader builds: features are dropped on leaves, thresholds and values dragged.

The browser draws at once what follows from rows and tests; the script answers with the tree as it
grew, the place of each cut among all, and the sentence.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache

import streamlit as st

from .chart_code import code_of
from .served import component, pack_text

HTML = '<div class="lv-hand"></div>'


def hand_tree(data: dict[str, object], *, key: str, on_act: Callable[[dict], None]) -> None:
    """Draw the tree, its features, the node that is looked at, and numbers.

    Parameters
    ----------
    data : dict
        See :func:`lastviz.ui.growth.hand_page.payload`.
    key : str
    on_act : callable
        Called before the next run with what the reader did: ``{"act": name, "path": text}`` and
        "feature", "threshold", "first", "says" or "hand" as the act needs.
    """

    def acted() -> None:
        if (found := st.session_state[key]["acted"]) is not None:
            on_act(found)

    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    _component()(key=key, data=pack_text(text), on_acted_change=acted)


@cache
def _component():
    js, css = code_of("packed.js", "hand_tree.js"), code_of("hand_tree.css")
    return component("lastviz_hand_tree", html=HTML, css=css, js=js)
