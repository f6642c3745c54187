"""Asks the browser for the visitor's token, which lives in its storage and never in a link.

Where the browser stores nothing the name of its window keeps the token, as long as the window is
open. The component also takes out of the address what is not to stay there.
"""

from __future__ import annotations

from functools import cache

import streamlit as st

from lastviz.host import visitor

from .chart_code import code_of

KEY = "visitor_watch"


def visitor_watch(needed: bool, *, new: bool, drop: dict[str, tuple[str, str]]) -> None:
    """Learn the token by an invisible element; the page is run again when it is told.

    Parameters
    ----------
    needed : bool
        The browser is to answer even if it keeps no token.
    new : bool
        The browser is to make a token if it keeps none.
    drop : dict of str to (str, str)
        Parts of the address that are exchanged where they stand: what they are, what they are to
        be, "" for nothing. No entry is added to the browser's history.
    """
    is_requested = not (visitor.token() or (visitor.is_known() and not new))
    _component()(
        key=KEY,
        data={
            **{"asked": is_requested, "needed": needed, "new": new, "drop": drop},
            "forget": visitor.is_forgotten() and not new,
        },
        default={"token": None},
        height=1,
        on_token_change=_noted,
    )


def _noted() -> None:
    visitor.know(st.session_state[KEY].token)


@cache
def _component():
    js = code_of("when_quiet.js", "visitor_watch.js")
    return st.components.v2.component("lastviz_visitor_watch", js=js, isolate_styles=False)
