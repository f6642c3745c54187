"""Brushed rows: shared by all pictures of a page in the browser, told to the script once let go.

The pictures (the chart host, the growth player) share ``brush_store.js``; this component, one a
page and invisible, hands the rows to and fro.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import streamlit as st

from lastviz.plots import typed_array

from .chart_code import code_of
from .served import component

KEY = "brush_watch"
REACHED = "brush_reached"  # the session's key


# Only then do pictures receive the places where rows pass and stand.
def is_reached() -> bool:
    """Whether this visitor brushes rows."""
    return st.session_state.get(REACHED, False)


def reach() -> None:
    """Note that this reader brushes, or has a link with brushed rows."""
    st.session_state[REACHED] = True


def brush_watch(rows: tuple[int, ...], on_brush: Callable[[tuple[int, ...]], None]) -> None:
    """Highlight `rows` in the pictures of this page.

    `on_brush` is called when the user brushes other rows.

    Parameters
    ----------
    rows : tuple of int
        Rising, counted from zero.
    on_brush : callable
        Is handed such rows, before the run that follows.
    """

    def take() -> None:
        found = st.session_state[KEY]["rows"]
        if found is not None:
            on_brush(tuple(sorted({int(row) for row in found["rows"]})))

    data = {"rows": typed_array(np.array(rows, dtype=np.int32)), "reached": is_reached()}
    _component()(key=KEY, data=data, height=1, on_rows_change=take, on_reached_change=reach)


@cache
def _component():
    return component(
        "lastviz_brush", html="<span></span>", js=code_of("brush_store.js", "brush.js")
    )
