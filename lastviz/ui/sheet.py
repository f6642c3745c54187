"""Streamlit, or a sheet that keeps drawn parts, so that they leave the app as they are seen.

A part of a page that is drawn by calls of Streamlit imports `st` from here.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

import streamlit

SHEETS: ContextVar[Any] = ContextVar("sheets", default=None)


def sheet() -> Any:
    """Sheet of `shared.blocks` that is drawn on, None where a page is drawn."""
    return SHEETS.get()


def beside(n: int) -> list:
    """Columns where the width is free; on a page, parts below each other."""
    return [st.container() for _ in range(n)] if sheet() is None else st.columns(n)


class _Streamlit:
    """Functions of the sheet that is drawn on, of Streamlit where there is none."""

    def __getattr__(self, name: str):
        here = SHEETS.get()
        return getattr(streamlit if here is None else here, name)


st = _Streamlit()
