"""Why this split? All candidates of a node, by every criterion, and the rule that chose."""

import streamlit as st

from lastviz.ui import frame
from lastviz.ui.compute import python_code
from lastviz.ui.shared import controls, view_controls
from lastviz.ui.shared.figures import current_theme
from lastviz.ui.shared.headline import legend, show
from lastviz.ui.splits import controls as split_controls
from lastviz.ui.splits import details, nominal, page
from lastviz.ui.state import session
from lastviz.ui.text import t

QUESTION = t("Why this split?")


def choices() -> None:
    """Draw the sidebar."""
    controls.data_chooser()
    controls.model_choosers(2)
    view_controls.node_chooser()
    if not nominal.applies(session.current()):
        split_controls.curves_chooser()
        split_controls.distances_chooser()
        split_controls.own_rule()
    controls.seed()
    controls.foot(lambda: python_code.python_of(session.current().first_models(2)))


def prepare() -> page.SplitPictures | nominal.TestScene | None:
    """Work out what the page shows: score curves, or tests where columns are not plain numbers."""
    tests = nominal.applies(session.current())
    return nominal.prepared() if tests else page.prepared()


with frame.page(QUESTION, sidebar=choices, prepare=prepare, classes=True, models=2) as prepared:
    if isinstance(prepared, nominal.TestScene):
        show(legend(prepared.class_names, current_theme(), held_out=False, candidates=True))
        nominal.pictures(prepared)
    elif prepared:
        scene = prepared.scene
        show(legend(scene.class_names, current_theme(), held_out=False, candidates=True))
        left, right = st.columns([3, 2], gap="medium")
        with left:
            page.pictures(prepared)
        with right:
            page.numbers(scene)
        details.split_details(scene)
