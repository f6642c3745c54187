"""The page *monotone*: its parts, one at a time, and what it says where there is no order."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from . import cache, order_editor, roles, state
from .forest_study import study_panel
from .monotone_audit import audit_part
from .monotone_data import data_part
from .monotone_forest import forest_part
from .monotone_node import node_part
from .monotone_scene import obstacle_of
from .scenes import SCENES
from .text import t
from .widgets import segments

__all__ = ["body"]


def body() -> None:
    """Draw the choice of the part and the part that was chosen."""
    titles = {
        "data": t("Data"),
        "node": t("A node"),
        "forest": t("The forest"),
        "audit": t("Audit"),
        "comparison": t("Comparison"),
    }
    parts: dict[str, Callable[[], None]] = {
        "data": data_part,
        "node": node_part,
        "forest": forest_part,
        "audit": audit_part,
    }
    part = segments("part", t("Part of the page"), titles)
    if part == "comparison":  # of sets of its own
        study_panel(state.current())
        return
    reason = obstacle_of(state.current())
    if reason is not None:
        _ask_for_an_order(reason)
        return
    parts[part]()


def _ask_for_an_order(reason: str) -> None:
    """Say why nothing can be monotone here, and let the reader mend it or open a scene."""
    st.info(reason, icon=":material/info:")
    dataset = cache.data(state.current()).dataset
    whole = cache.data(state.current()).whole
    if not dataset.ordered and state.current().one is None:
        order_editor.meaning_of_the_order(whole, "asked")
        roles.class_editor(whole)
    for scene in SCENES:
        if scene.page == "monotone":
            st.page_link(
                "pages/monotone.py", label=t(scene.title), icon="", query_params=scene.query
            )
