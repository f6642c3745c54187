"""The part *The forest* of the page *monotone*: its trees, their rows, their votes."""

from __future__ import annotations

from functools import partial

import streamlit as st

from lastviz.estimators import ESTIMATORS, ForestClassifier

from . import cache, state
from .forest_subsets import subsets_panel
from .forest_trees import trees_panel
from .forest_votes import votes_panel
from .text import t

__all__ = ["forest_part"]


def forest_part() -> None:
    """Draw the forest, how its rows are drawn and how its trees vote; or offer one."""
    selection = state.current()
    entry = ESTIMATORS[selection.models[0].key]
    if not issubclass(entry.cls, ForestClassifier):
        _offer(t(entry.title))
        return
    try:
        forest = cache.fitted(selection, 0, whole=True).estimator
    except ValueError as error:
        st.info(str(error))
        return
    parts = {
        t("The trees and their vote"): trees_panel,
        t("How the rows of each tree are drawn"): subsets_panel,
        t("The votes about one sample"): votes_panel,
    }
    for title, panel in parts.items():
        st.markdown(f"**{title}**")
        if panel is trees_panel and forest.n_features_in_ < 2:
            st.caption(t("With one feature there is no plane to draw."))
        else:
            panel(forest, selection)


def _offer(title: str) -> None:
    """Say that the model is a single tree, and offer the forests."""
    st.info(t("{title} grows one tree. These grow a forest of REMT trees.", title=title))
    with st.container(horizontal=True):
        for key, entry in ESTIMATORS.items():
            if entry.cls.TAGS.forest and entry.cls.TAGS.ordered_classes:
                st.button(
                    t("Choose {title}", title=t(entry.title)),
                    key=f"to_{key}",
                    on_click=partial(state.select_model, 0, key=key),
                )
