"""Where does each algorithm draw the line? One or more models on the same data."""

import streamlit as st

from lastviz.ui import boundary_panels, controls, details, frame, recipe, state, view_controls
from lastviz.ui.headline import legend, show
from lastviz.ui.plane import plane_of
from lastviz.ui.text import t

MODELS = 2
QUESTION = t("Where does each algorithm draw the line?")


def choices() -> None:
    """Draw the sidebar."""
    controls.data_chooser()
    controls.model_choosers(MODELS)
    view_controls.plane_chooser(plane_of(state.current()))
    view_controls.depth_slider(state.current())
    controls.seed()
    controls.foot(lambda: recipe.python_of(state.current()))


with frame.page(QUESTION, sidebar=choices, prepare=boundary_panels.scene) as scene:
    if scene:
        names, n_models = scene.class_names, len(state.current().models)
        show(legend(names, frame.theme(), held_out=state.current().held > 0))
        columns = st.columns([3, 2] if scene.alone else n_models, gap="medium")
        for place in range(n_models):
            with columns[place]:
                boundary_panels.model_column(scene, place)
        # Beside a single model there is room for what otherwise stands below the pictures.
        with columns[1] if scene.alone else st.container():
            if scene.views:
                details.explanations(scene.views, scene.dataset, names)
