"""The large sets of Xu, Wang and Ren (2017) as one choice among the generator's parameters."""

from __future__ import annotations

import streamlit as st

from lastviz.datasets import LARGE_SETS

from . import state
from .loading import MOST_ROWS
from .selection import Selection
from .text import number, t
from .widgets import put

__all__ = ["GENERATOR", "large_set_chooser", "large_set_of"]

GENERATOR = "monotone_large"
OWN = "own"
KEY = "large_set"


def large_set_of(selection: Selection) -> str | None:
    """Return which of the large sets the selection asks for, None for other sizes."""
    params = dict(selection.params)
    return next(
        (
            name
            for name, size in LARGE_SETS.items()
            if all(params.get(key, _default(key)) == value for key, value in size.items())
        ),
        None,
    )


def large_set_chooser() -> None:
    """Draw the choice of a large set with its size, and what the app's limit makes of it."""
    selection = state.current()
    put(KEY, large_set_of(selection) or OWN)
    st.selectbox(
        t("As in the paper"),
        [OWN, *LARGE_SETS],
        key=KEY,
        format_func=_words,
        on_change=_choose,
        help=t("The six large sets of Xu, Wang and Ren (2017). The app draws at most {most} rows "
               "of a set.", most=number(MOST_ROWS)),
    )  # fmt: skip


def _words(name: str) -> str:
    if name == OWN:
        return t("a size of my own")
    size = LARGE_SETS[name]
    rows, features = number(size["n_samples"]), number(size["n_features"])
    return t("{name}: {rows} x {features}", name=name, rows=rows, features=features)


def _choose() -> None:
    name = st.session_state[KEY]
    size = {} if name == OWN else LARGE_SETS[name]
    kept = {key: value for key, value in size.items() if value != _default(key)}
    state.select(params=tuple(sorted(kept.items())))


def _default(key: str) -> object:
    declared = state.data_params(GENERATOR) or ()
    return next(param.default for param in declared if param.name == key)
