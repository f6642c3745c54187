"""Which tree of a forest a page shows, and the control that goes from tree to tree."""

from __future__ import annotations

from functools import partial

import streamlit as st

from lastviz.estimators import ForestClassifier

from . import state
from .selection import Selection
from .text import number, t
from .widgets import put

__all__ = ["shown_tree", "tree_stepper"]


def shown_tree(forest: ForestClassifier, selection: Selection, place: int) -> int:
    """Return the number of the picked tree, counted from 0; the first if none is picked."""
    return min(selection.models[place].tree or 0, len(forest.estimators_) - 1)


def tree_stepper(forest: ForestClassifier, selection: Selection, place: int) -> int:
    """Draw a slider over the trees with a step back and a step on; return the tree shown."""
    n_trees = len(forest.estimators_)
    at = shown_tree(forest, selection, place)
    if n_trees < 2:
        return at
    step = partial(_step, place, n_trees)
    key = f"tree_step{place}.{n_trees}"
    put(key, at + 1)
    row = st.container(horizontal=True, wrap=False, vertical_alignment="bottom")
    row.button("◀", key=f"tree_back{place}", help=t("The tree before"), disabled=at == 0,
               on_click=partial(step, -1))  # fmt: skip
    row.slider(
        t("Tree, of {n}", n=number(n_trees)),
        min_value=1,
        max_value=n_trees,
        key=key,
        on_change=lambda: state.select_model(place, tree=st.session_state[key] - 1),
    )
    row.button("▶", key=f"tree_on{place}", help=t("The next tree"), disabled=at == n_trees - 1,
               on_click=partial(step, 1))  # fmt: skip
    return at


def _step(place: int, n_trees: int, by: int) -> None:
    at = (state.current().models[place].tree or 0) + by
    state.select_model(place, tree=min(max(at, 0), n_trees - 1))
