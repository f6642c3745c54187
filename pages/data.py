"""What am I learning from? Generate, upload, look at it, say what the columns are."""

import streamlit as st

from lastviz.ui import cache, controls, data_view, frame, levels_editor, order_editor, roles, state
from lastviz.ui.score_rows import score_rows
from lastviz.ui.text import plural, t
from lastviz.ui.upload_box import upload_box


def choices() -> None:
    """Draw the sidebar."""
    controls.data_chooser()
    controls.seed()
    controls.foot()


def pictures_and_roles(whole, dataset) -> None:
    """Draw the classes and what can be said about them."""
    division = cache.division(state.current())
    left, right = st.columns([3, 2], gap="large")
    with left:
        data_view.picture(state.current())
    with right:
        upload_box()
        st.markdown(f"**{t('Rows of each class')}**")
        data_view.counts_picture(dataset)
        learnt, held = len(division.train_rows), len(division.held_out_rows)
        rows = plural(learnt, "{n} row to learn from", "{n} rows to learn from")
        st.caption(f"{rows}, {plural(held, '{n} held out', '{n} held out')}")

    st.subheader(t("Columns and classes"), anchor=False)
    left, right = st.columns([3, 2], gap="large")
    with left:
        roles.column_editor(whole)
        levels_editor.levels_editor(whole)
        order_editor.directions_editor(whole)
    with right:
        roles.target(whole)
        roles.class_editor(whole)
        order_editor.meaning_of_the_order(whole, "data")
        roles.one_against_rest(whole)
        roles.scaling()
        roles.bins()


with frame.page(t("What am I learning from?"), sidebar=choices):
    loaded = cache.data(state.current())
    whole, dataset = loaded.whole, loaded.dataset

    data_view.about(dataset)
    data_view.numbers(dataset)

    if dataset.is_regression:
        upload_box()
        roles.target(whole)
        roles.column_editor(whole)
        roles.scaling()
    else:
        pictures_and_roles(whole, dataset)

    st.subheader(t("Table"), anchor=False)
    data_view.table(dataset)
    data_view.download(dataset)

    if not dataset.is_regression:
        score_rows()
