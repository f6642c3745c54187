"""How does the tree come to be, node by node? Every step of a growth, played in the browser."""

import streamlit as st

from lastviz.ui import frame
from lastviz.ui.compute import python_code
from lastviz.ui.growth import page
from lastviz.ui.shared import controls
from lastviz.ui.state import session
from lastviz.ui.text import t

QUESTION = t("How does the tree come to be?")


def choices() -> None:
    """Draw the sidebar."""
    controls.data_chooser()
    controls.model_choosers(1)
    page.picture_chooser()
    controls.seed()
    controls.foot(lambda: python_code.python_of(session.current().first_models(1)))


with frame.page(QUESTION, sidebar=choices, prepare=page.prepared, classes=True, models=1) as story:
    if story:
        page.player(story)
        with st.container(key="growth_below"):
            page.below(story)
