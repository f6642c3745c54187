"""Why this split? All candidates of a node, by every criterion, and the rule that chose."""

import streamlit as st

from lastviz.ui import (
    controls,
    frame,
    recipe,
    split_controls,
    split_details,
    split_panels,
    split_tests,
    state,
)
from lastviz.ui.headline import legend, show
from lastviz.ui.text import t

QUESTION = t("Why this split?")


def choices() -> None:
    """Draw the sidebar."""
    controls.data_chooser()
    controls.model_choosers(2)
    split_controls.node_chooser()
    if not split_tests.applies(state.current()):
        split_controls.curves_chooser()
        split_controls.distances_chooser()
        split_controls.own_rule()
    controls.seed()
    controls.foot(lambda: recipe.python_of(state.current()))


def prepare() -> split_panels.SplitPictures | split_tests.TestScene | None:
    """Work out what the page shows: score curves, or tests where columns are not plain numbers."""
    tests = split_tests.applies(state.current())
    return split_tests.prepared() if tests else split_panels.prepared()


with frame.page(QUESTION, sidebar=choices, prepare=prepare, classes=True) as prepared:
    if isinstance(prepared, split_tests.TestScene):
        show(legend(prepared.class_names, frame.theme(), held_out=False, candidates=True))
        split_tests.pictures(prepared)
    elif prepared:
        scene = prepared.scene
        show(legend(scene.class_names, frame.theme(), held_out=False, candidates=True))
        left, right = st.columns([3, 2], gap="medium")
        with left:
            split_panels.pictures(prepared)
        with right:
            split_panels.numbers(scene)
        split_details.split_details(scene)
