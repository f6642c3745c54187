"""Runs the page again when the reader turns to the other theme, which Streamlit does not.

It tells the browser the language of the page, too.
"""

from __future__ import annotations

from functools import cache

import streamlit as st

from .chart_code import code_of


def theme_watch(theme: str, language: str) -> None:
    """Watch from an invisible element whether the page's theme is still `theme`.

    What reads the page aloud, and what chooses the glyphs, is told its `language`.
    """
    data = {"theme": theme, "language": language}
    _component()(key="theme_watch", data=data, height=1, on_changed_change=_noted)


def _noted() -> None:
    """Only the run that follows matters."""


@cache
def _component():
    js = code_of("theme_watch.js")
    return st.components.v2.component("lastviz_theme_watch", js=js, isolate_styles=False)
