"""The sidebar of the page *growth*: what the picture shows."""

from __future__ import annotations

import streamlit as st

from lastviz.ui.compute import cache
from lastviz.ui.shared.plane import plane_of
from lastviz.ui.shared.view_controls import plane_chooser
from lastviz.ui.shared.widgets import put, segments
from lastviz.ui.state import session
from lastviz.ui.text import t


def in_step_toggle() -> None:
    """Draw the choice whether a second model grows beside the first."""
    put("in_step", session.current().growth.in_step)
    st.toggle(
        t("Two models in step"),
        key="in_step",
        help=t("The growth of the second model beside that of the first: both go step by step."),
        on_change=lambda: session.select(in_step=st.session_state["in_step"]),
    )


def picture_chooser() -> None:
    """Draw what the picture shows: of kernel machines values of f or a plane, and which plane."""
    selection = session.current()
    plane = plane_of(selection, alone=True)
    model = cache.trained(selection, 0)
    curved = model is not None and len(model.grown_tree_.kernel) > 0
    if not curved or not plane.is_slice:
        plane_chooser(plane)
        return
    titles = {"values": t("Values of f"), "plane": t("A plane slice")}
    chosen = "plane" if selection.growth.picture == "plane" else "values"
    if segments("picture", t("Growth shown as"), titles, chosen=chosen, seen=True) == "plane":
        plane_chooser(plane)
