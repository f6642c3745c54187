"""The choice of a large set of the paper about many rows, among the parameters of its generator."""

from __future__ import annotations

import streamlit as st

from lastviz.datasets import LARGE_SETS
from lastviz.ui.compute.data import MOST_ROWS, MOST_VALUES
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import number, t

from .widgets import put

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


def large_set_chooser(selection: Selection) -> None:
    """Draw the choice of a large set with its size, and what the app's limit makes of it."""
    put(KEY, large_set_of(selection) or OWN)
    st.selectbox(
        t("As in the paper"),
        [OWN, *LARGE_SETS],
        key=KEY,
        format_func=_words,
        on_change=_choose,
        help=t("The six large sets of Xu, Wang and Ren (2017). The app draws at most {rows} rows "
               "of a set and {all} values.", rows=number(MOST_ROWS), all=number(MOST_VALUES)),
    )  # fmt: skip


def _words(name: str) -> str:
    if name == OWN:
        return t("custom size")
    size = LARGE_SETS[name]
    rows, features = number(size["n_samples"]), number(size["n_features"])
    return t("{name}: {rows} x {features}", name=name, rows=rows, features=features)


def _choose() -> None:
    name = st.session_state[KEY]
    size = {} if name == OWN else LARGE_SETS[name]
    params = {key: value for key, value in size.items() if value != _default(key)}
    session.select(params=tuple(sorted(params.items())))


def _default(key: str) -> object:
    declared = session.data_params(GENERATOR) or ()
    return next(param.default for param in declared if param.name == key)
