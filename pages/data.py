"""What am I learning from? Generate, upload, look at it, say what the columns are."""

import streamlit as st

from lastviz.ui import frame
from lastviz.ui.compute import cache
from lastviz.ui.data import page
from lastviz.ui.data.page import upload_box
from lastviz.ui.data.score_rows import score_rows
from lastviz.ui.shared import column_editors, controls, order_editor
from lastviz.ui.state import session
from lastviz.ui.text import plural, t


def choices() -> None:
    """Draw the sidebar."""
    controls.data_chooser()
    controls.seed()
    controls.foot()


def pictures_and_roles(whole, dataset) -> None:
    """Draw the classes and what can be said about them."""
    division = cache.division(session.current())
    left, right = st.columns([3, 2], gap="large")
    with left:
        page.picture(session.current())
    with right:
        upload_box()
        st.markdown(f"**{t('Rows of each class')}**")
        page.counts_picture(dataset)
        learnt, held = len(division.train_rows), len(division.held_out_rows)
        rows = plural(learnt, "{n} row to learn from", "{n} rows to learn from")
        st.caption(f"{rows}, {plural(held, '{n} held out', '{n} held out')}")

    st.subheader(t("Columns and classes"), anchor=False)
    left, right = st.columns([3, 2], gap="large")
    with left:
        column_editors.column_editor(whole)
        column_editors.levels_editor(whole)
        order_editor.directions_editor(whole)
    with right:
        column_editors.target(whole)
        column_editors.class_editor(whole)
        order_editor.meaning_of_the_order(whole, "data")
        column_editors.one_against_rest(whole)
        column_editors.scaling()
        column_editors.bins()


with frame.page(t("What am I learning from?"), sidebar=choices, models=1):
    loaded = cache.data(session.current())
    whole, dataset = loaded.whole, loaded.dataset

    page.about(dataset)
    page.numbers(dataset)

    if dataset.is_regression:
        upload_box()
        column_editors.target(whole)
        column_editors.column_editor(whole)
        column_editors.scaling()
    else:
        pictures_and_roles(whole, dataset)

    st.subheader(t("Table"), anchor=False)
    page.table(dataset)
    page.download(dataset)

    if not dataset.is_regression:
        score_rows()
