"""Why this split? All candidates of a node, by every criterion, and the rule that chose."""

import streamlit as st

from lastviz.ui import controls, frame, recipe, split_controls, split_details, split_panels, state
from lastviz.ui.headline import legend, show
from lastviz.ui.text import t

QUESTION = t("Why this split?")


def choices() -> None:
    """Draw the sidebar."""
    controls.data_chooser()
    controls.model_choosers(2)
    split_controls.node_chooser()
    split_controls.curves_chooser()
    split_controls.distances_chooser()
    split_controls.own_rule()
    controls.seed()
    controls.foot(lambda: recipe.python_of(state.current()))


with frame.page(QUESTION, sidebar=choices, prepare=split_panels.prepared) as prepared:
    if prepared:
        scene = prepared.scene
        show(legend(scene.class_names, frame.theme(), held_out=False, candidates=True))
        left, right = st.columns([3, 2], gap="medium")
        with left:
            split_panels.pictures(prepared)
        with right:
            split_panels.numbers(scene)
        split_details.split_details(scene)
