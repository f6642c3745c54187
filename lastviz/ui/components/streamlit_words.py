"""Streamlit's own words in the reader's language, which it does not speak: the browser puts them.

They are the English texts of its buttons and labels; one with a place, as "Help for {name}", fits
whatever stands there.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import streamlit as st

from .chart_code import code_of


def streamlit_words(words: Mapping[str, str], menus: Mapping[str, str]) -> None:
    """Put `words`, texts by Streamlit's English ones, wherever these appear on the page.

    Those of `menus` are put in Streamlit's own menus alone, as each may be a name of the data.
    """
    _component()(key="streamlit_words", data={"words": dict(words), "menus": dict(menus)}, height=1)


@cache
def _component():
    js = code_of("streamlit_words.js")
    return st.components.v2.component("lastviz_streamlit_words", js=js, isolate_styles=False)
