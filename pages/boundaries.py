"""Where does each algorithm draw the line? One or more models on the same data."""

import streamlit as st

from lastviz.ui import cache, controls, frame, recipe, state, view_controls
from lastviz.ui.boundary_panels import class_scores, model_column, regions_table
from lastviz.ui.boundary_text import how_it_works, what_to_notice
from lastviz.ui.headline import legend, show
from lastviz.ui.model_view import class_names_of, model_view
from lastviz.ui.plane import plane_of
from lastviz.ui.text import t

with frame.page(t("Where does each algorithm draw the line?")):
    selection = state.current()
    with st.sidebar:
        controls.data_chooser()
        controls.model_choosers(2)

    dataset = cache.data(selection).dataset
    class_names = class_names_of(dataset)
    plane = plane_of(selection)
    views, obstacles = {}, {}
    for place in range(len(selection.models)):
        try:
            views[place] = model_view(selection, place, plane)
        except ValueError as error:
            obstacles[place] = str(error)

    with st.sidebar:
        view_controls.plane_chooser(plane)
        view_controls.depth_slider([view.tree for view in views.values()])
        controls.seed()
        controls.foot(recipe.python_of(selection))

    show(legend(class_names, frame.theme(), held_out=selection.held > 0))
    columns = st.columns(len(selection.models), gap="medium")
    for place, column in enumerate(columns):
        with column:
            if place in views:
                alone = len(columns) == 1
                model_column(views[place], place, plane, class_names, alone=alone)
            else:
                st.info(obstacles[place])

    st.subheader(t("What to notice"), anchor=False)
    what_to_notice(list(views.values()), dataset)

    st.subheader(t("Right and wrong, class by class"), anchor=False)
    for column, (place, view) in zip(st.columns(max(len(views), 1)), views.items(), strict=False):
        with column:
            class_scores(view, place, class_names)

    st.subheader(t("The regions as rules"), anchor=False)
    for column, (place, view) in zip(st.columns(max(len(views), 1)), views.items(), strict=False):
        with column:
            regions_table(view, place, class_names)

    st.subheader(t("How it works"), anchor=False)
    how_it_works(list(views.values()))
