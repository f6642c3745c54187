"""How does the tree come to be, node by node? Every step of a growth, played in the browser."""

import streamlit as st

from lastviz.ui import controls, frame, growth_panels, recipe, state
from lastviz.ui.text import t

QUESTION = t("How does the tree come to be?")


def choices() -> None:
    """Draw the sidebar."""
    controls.data_chooser()
    controls.model_choosers(1)
    growth_panels.picture_chooser()
    controls.seed()
    controls.foot(lambda: recipe.python_of(state.current()))


with frame.page(QUESTION, sidebar=choices, prepare=growth_panels.prepared, classes=True) as story:
    if story:
        growth_panels.player(story)
        with st.container(key="growth_below"):
            growth_panels.below(story)
