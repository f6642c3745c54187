"""Where does each algorithm draw the line? One or more models on the same data."""

import streamlit as st

from lastviz.ui import cache, controls, details, frame, recipe, state, view_controls
from lastviz.ui.boundary_panels import model_column
from lastviz.ui.headline import legend, show
from lastviz.ui.model_view import class_names_of, model_views
from lastviz.ui.plane import plane_of
from lastviz.ui.text import t

MODELS = 2


def choices() -> None:
    """Draw the sidebar."""
    controls.data_chooser()
    controls.model_choosers(MODELS)
    view_controls.plane_chooser(plane_of(state.current()))
    view_controls.depth_slider(state.current())
    controls.seed()
    controls.foot(recipe.python_of(state.current()))


with frame.page(t("Where does each algorithm draw the line?"), sidebar=choices):
    selection = state.current()
    dataset = cache.data(selection).dataset
    class_names = class_names_of(dataset)
    plane = plane_of(selection)
    views, obstacles = model_views(selection, plane)

    show(legend(class_names, frame.theme(), held_out=selection.held > 0))
    alone = len(selection.models) == 1
    columns = st.columns([3, 2] if alone else len(selection.models), gap="medium")
    for place, column in enumerate(columns[: len(selection.models)]):
        with column:
            if place in views:
                model_column(views[place], place, plane, class_names, alone=alone)
            else:
                st.info(obstacles[place])
    # Beside a single model there is room for what otherwise stands below the pictures.
    with columns[1] if alone else st.container():
        if views:
            details.explanations(views, dataset, class_names)
