"""Leads who has logged in to the page that they came for."""

from __future__ import annotations

from functools import cache

import streamlit as st

from .chart_code import code_of


def came_for(*, remember: bool) -> None:
    """Let the browser's window remember the address of this page, or go to the one it remembers."""
    _component()(key="came_for", data={"remember": remember}, height=1)


@cache
def _component():
    return st.components.v2.component(
        "lastviz_came_for", js=code_of("came_for.js"), isolate_styles=False
    )
