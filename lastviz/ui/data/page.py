"""The page *data*: headline numbers, pictures, the table itself, and where one is handed in."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from lastviz.datasets import PAINTED
from lastviz.export.slide_show import Block
from lastviz.plots import ThemeName
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute import availability
from lastviz.ui.shared import column_editors, controls, order_editor
from lastviz.ui.shared.figures import as_table, current_theme, paper_theme
from lastviz.ui.shared.headline import show
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.shared.naming import labels_fault
from lastviz.ui.shared.openml_box import openml_box
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import number, plain, plural, t

from .class_colours import class_colours
from .controls import reading_box, upload_box
from .details import data_report, data_slide, download, table
from .own_model import model_box
from .painted_scene import PaintedScene, painted_scene
from .painting import offer_to_paint, painted_body
from .report import columns_table, first_look
from .scene import DataScene, scene_of
from .score_rows import score_rows
from .sharing import code_box, file_box
from .weights import weights_editor
from .words import about, headline, legend

QUESTION = "What am I learning from?"
MODELS = 1
NAMED = 0


def choices() -> None:
    """Draw the sidebar."""
    controls.data_chooser()
    if session.current().data == PAINTED and not availability.painting_lacks(session.current()):
        controls.model_choosers(1, allow_ensembles=True)
    controls.seed()
    controls.foot(report=report)


def report(address: str | None) -> str:
    """Return the page as one file of html."""
    return data_report(_scene(session.current(), paper_theme()), t(QUESTION), address)


def pictured(selection: Selection, theme: ThemeName) -> Sequence[Block]:
    """Return what a slide shows."""
    return data_slide(_scene(selection, theme))


def prepared() -> DataScene | PaintedScene:
    """Work out what the page shows."""
    return _scene(session.current(), current_theme())


def _scene(selection: Selection, theme: ThemeName) -> DataScene | PaintedScene:
    is_painted = selection.data == PAINTED
    return painted_scene(selection, theme) if is_painted else scene_of(selection, theme)


def body(scene: DataScene | PaintedScene) -> None:
    """Draw the data, what can be said of them, and the table itself."""
    if isinstance(scene, PaintedScene):
        painted_body(scene)
        return
    dataset, whole = scene.dataset, scene.whole
    show(about(dataset))
    show(headline(dataset))
    reading_box(scene.selection)
    if scene.report is not None:
        first_look(scene.report, whole, scene.selection)

    if dataset.is_regression:
        _own_table(scene)
        column_editors.target(whole)
        columns_table(scene.report, whole)
        labels_fault()
        weights_editor(scene.selection, whole, dataset)
        column_editors.scaling()
    else:
        _pictures(scene)
        _roles(scene)

    st.subheader(t("Table"), anchor=False)
    table(dataset, scene.theme)
    download(scene.plain)

    score_rows(scene.selection)
    model_box(scene.selection)


def _pictures(scene: DataScene) -> None:
    """Draw the classes and their sizes."""
    left, right = st.columns([3, 2], gap="large")
    with left:
        if scene.classes is None:
            st.info(t("No feature is numeric, so there is nothing to draw."))
        else:
            show(legend(scene))
            chart(
                scene.classes,
                key="data_picture",
                height=scene.classes.height,
                alt=t("Rows of {name} as points, by class", name=t(scene.dataset.name)),
                filename="data",
            )
            offer_to_paint(scene.dataset)
    with right:
        _own_table(scene)
        st.markdown(f"**{t('Class counts')}**")
        chart(
            scene.counts,
            key="data_counts",
            height=scene.counts.height,
            alt=t("Number of rows of each class"),
            filename="classes",
        )
        rows = plural(scene.n_learnt, "{n} row", "{n} rows")
        held = number(scene.n_held_out)
        st.caption(t("{rows} to learn from, {held} held out", rows=rows, held=held))
        as_table("data_counts", lambda: _counts(scene))


def _own_table(scene: DataScene) -> None:
    """Draw the ways to a table of the reader's own, and what becomes of it."""
    upload_box()
    openml_box()
    code_box()
    file_box(session.current())


def _counts(scene: DataScene) -> pd.DataFrame:
    names = class_names_of(scene.dataset)
    return pd.DataFrame({t("class"): names, t("rows"): scene.dataset.class_counts})


def _roles(scene: DataScene) -> None:
    """Draw what columns, values and classes are used as, for the reader to change."""
    whole = scene.whole
    st.subheader(t("Columns and classes"), anchor=False)
    columns_table(scene.report, whole)
    labels_fault()
    left, right = st.columns([3, 2], gap="large")
    with left:
        column_editors.levels_editor(whole)
        order_editor.directions_editor(whole)
        for doubt in order_editor.doubts(scene.selection):
            st.info(plain(doubt), icon=":material/info:")
    with right:
        column_editors.target(whole)
        column_editors.class_editor(whole)
        class_colours(whole)
        order_editor.meaning_of_the_order(whole, "data")
        column_editors.one_against_rest(whole)
        weights_editor(scene.selection, whole, scene.dataset)
        column_editors.scaling()
        column_editors.bins()
