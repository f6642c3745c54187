"""Lets a page begin at its top when it shows something else, though nobody went anywhere."""

from __future__ import annotations

from functools import cache

import streamlit as st

from .chart_code import code_of


def to_top(what: str) -> None:
    """Scroll to the top of the page whenever `what` it shows is no longer what it was."""
    _component()(key="to_top", data={"what": what}, height=1)


@cache
def _component():
    return st.components.v2.component(
        "lastviz_to_top", js=code_of("to_top.js"), isolate_styles=False
    )
