"""The page *data*: headline numbers, pictures, the table itself, and where one is handed in."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from lastviz.datasets import PAINTED, Dataset
from lastviz.datasets.files import full_table
from lastviz.datasets.labels import sidecar_of
from lastviz.export.blocks import Columns, Section, Text, Words
from lastviz.host.jobs import Working
from lastviz.plots import THEMES, ThemeName
from lastviz.plots.visuals.words import column_places
from lastviz.ui.compute import availability
from lastviz.ui.compute.resampling import usual_model
from lastviz.ui.compute.work import Work, current
from lastviz.ui.rules.scene import rule_scene
from lastviz.ui.rules.short import short_tree, verdict
from lastviz.ui.shared import column_editors, controls, order_editor
from lastviz.ui.shared.blocks import Block, draw, on_slide, report_blocks, when_seen
from lastviz.ui.shared.figures import column_formats, paper_theme
from lastviz.ui.shared.headline import Say
from lastviz.ui.shared.job_box import result_or_reason
from lastviz.ui.shared.naming import labels_fault
from lastviz.ui.shared.openml_box import openml_box
from lastviz.ui.shared.page_file import finding_in
from lastviz.ui.shared.report import Pictured, model_section, scene_report
from lastviz.ui.shared.widgets import save_button, save_table
from lastviz.ui.state import session
from lastviz.ui.state.selection import is_table
from lastviz.ui.text import CannotShow, number, plain, plural, t

from .controls import reading_box, upload_box
from .figures import DataScene, about, class_colours, data_statements, scene_of
from .painting import (
    PaintedScene,
    classes,
    counts,
    offer_to_paint,
    painted_body,
    painted_legend,
    painted_scene,
    painting_chart,
)
from .report import columns_table, findings_section, first_look
from .score_rows import score_rows, weights_editor
from .sharing import code_box, file_box, model_box

MOST_ROWS = 1000


def table(dataset: Dataset, theme: ThemeName) -> None:
    """Draw the rows themselves, as many as a browser takes easily."""
    shown = dataset.X.assign(**{dataset.y.name: dataset.y}).head(MOST_ROWS)
    shown.index = range(1, len(shown) + 1)
    st.dataframe(
        _marked(shown, theme),
        column_config=column_formats(shown),
        height=340,
        alt=t("The first rows of the table"),
    )
    if dataset.n_samples > MOST_ROWS:
        rows = {"n": number(MOST_ROWS), "all": number(dataset.n_samples)}
        st.caption(t("The first {n} of {all} rows.", **rows))


def _marked(shown: pd.DataFrame, theme: ThemeName) -> pd.DataFrame | Styler:
    """Table with its missing values marked, if it has any."""
    if not shown.isna().to_numpy().any():
        return shown
    grey = f"background-color: {THEMES[theme].grey2}"
    plain = shown.astype({c: object for c in shown if hasattr(shown[c], "cat")})
    floats = [name for name, column in shown.items() if pd.api.types.is_float_dtype(column.dtype)]
    cells = dict.fromkeys(shown, str) | {
        name: partial(number, decimals=column_places(shown[name].to_numpy(np.float64)))
        for name in floats
    }
    return plain.style.apply(lambda column: np.where(column.isna(), grey, "")).format(
        cells, na_rep=t("missing")
    )


def download(plain: Dataset) -> None:
    """Draw the buttons that save the data as currently stored, and their labels."""
    name = plain.name or "data"
    with st.container(horizontal=True, gap="small"):
        save_table(t("Download as CSV"), partial(full_table, plain), name)
        save_button(
            t("Names, units and labels (JSON)"),
            partial(sidecar_of, plain),
            f"{name}.json",
            mime="application/json",
            help=t("A sidecar file: it describes the columns of the CSV file. Upload both."),
        )


# ---------------------------------------------------------------- page


QUESTION = "What is in the data?"
MODELS = 1
NAMED = 0


def choices() -> None:
    """Draw the sidebar."""
    controls.data_chooser()
    selection = session.current()
    n_models = int(selection.data == PAINTED and not availability.painting_lacks(selection))
    if n_models:
        controls.model_choosers(n_models, allow_ensembles=True)
    controls.more_settings(n_models)


def report(address: str | None) -> str:
    """Page as one file of html.

    Raises
    ------
    CannotShow
        While too little is painted, or its model is still being trained.
    """
    scene = page_scene(current(), paper_theme())
    work, finding = scene.work.first_models(1), ""
    if isinstance(scene, PaintedScene):
        sections = [_painted(scene)]
    else:
        finding, title = finding_in(_head(scene)), t("The classes in the features")
        drawn = scene.classes is not None
        sections = [Section(title, report_blocks(classes(scene)))] if drawn else []
        if scene.report is not None:
            sections.append(findings_section(scene.report, scene.full, scene.work))
    return scene_report(work, t(QUESTION), sections, address=address, finding=finding)


def _painted(scene: PaintedScene) -> Section:
    if scene.figure is None:
        raise CannotShow(scene.obstacle or t("There are no painted rows yet."))
    pictured = [Pictured(painting_chart(scene), painted_legend(scene))]
    return model_section(scene.work.first, scene.view, pictured)


def slide_blocks(work: Work, theme: ThemeName) -> Sequence[Block]:
    """Blocks of a slide: the rows by class and the number of rows in each.

    Raises
    ------
    CannotShow, Working
        If too little is painted; while its model is still being trained.
    """
    scene = page_scene(work, theme)
    if isinstance(scene, PaintedScene):
        if scene.job is not None:
            raise Working(scene.job)
        if scene.figure is None:
            raise CannotShow(scene.obstacle or t("There are no painted rows yet."))
        return on_slide([Words(painted_legend(scene)), painting_chart(scene)])
    sizes = [] if scene.counts is None else [counts(scene)]
    if scene.classes is not None:
        marks, picture = classes(scene)
        sizes = [marks, Columns([[picture], sizes], (3, 2))]
    return on_slide([*_head(scene), *sizes])


def page_scene(work: Work, theme: ThemeName) -> DataScene | PaintedScene:
    """Scene of a table, or of the painted rows."""
    is_painted = work.selection.data == PAINTED
    return painted_scene(work, theme) if is_painted else scene_of(work, theme)


def body(scene: DataScene | PaintedScene) -> None:
    """Draw the data, notes about them, and the table itself."""
    if isinstance(scene, PaintedScene):
        painted_body(scene)
        return
    dataset, full = scene.dataset, scene.full
    draw(_head(scene))
    reading_box(scene.work)
    if is_table(scene.work.selection.data):
        column_editors.role_chips(scene.work)
    if scene.report is not None:
        first_look(scene.report, full, scene.work)

    if dataset.is_regression:
        _own_table(scene)
        column_editors.target(full)
        columns_table(scene.report, full)
        labels_fault()
        weights_editor(scene.work.selection, full, dataset)
        column_editors.scaling()
    else:
        if is_table(scene.work.selection.data):
            _first_tree(scene)
        _pictures(scene)
        when_seen("roles", t("Columns and classes"), partial(_roles, scene))
    when_seen("table", t("Table"), partial(_table, scene))


def _first_tree(scene: DataScene) -> None:
    """Draw the first model on a table that somebody brought, and its next views."""
    work = scene.work.first_models(1)
    model = work.selection.models[0]
    if work.first.entry.cls.TAGS.forest:
        return
    if not model.params:  # as the algorithm grows it by itself it may be too large to be read
        work = work.change_model(0, params=usual_model(work, model.key).params)
    found = result_or_reason(partial(rule_scene, work, scene.theme), "first_tree")
    if found is None:
        return
    st.subheader(work.first.title, anchor=False)
    draw([Say(verdict(found.found, found.class_names)), *short_tree(found)])
    rows = found.division.held_out_rows
    row = int(rows[0] if len(rows) else found.division.train_rows[0])
    views = {
        "boundaries": (t("See its border"), "boundaries", {}),
        "row": (t("Explain one row"), "rules", {"rule_view": "row", "highlighted": row}),
        "costs": (t("What do errors cost?"), "rules", {"rule_view": "costs"}),
    }
    with st.container(key="leads_on", horizontal=True, wrap=True, gap="small"):
        for name, (label, page, changes) in views.items():
            go = partial(session.open_scene, work.selection.change(**changes), page=page)
            st.button(label, key=f"to_{name}", on_click=go)


def _table(scene: DataScene) -> None:
    """Draw the table, its files, and the models that are brought to it."""
    st.subheader(t("Table"), anchor=False)
    table(scene.dataset, scene.theme)
    download(scene.plain)
    score_rows(scene.work)
    model_box(scene.work)


def _head(scene: DataScene) -> list[Block]:
    return [Say(*data_statements(scene.dataset)), Words(about(scene.dataset))]


def _pictures(scene: DataScene) -> None:
    """Draw the classes and their sizes."""
    left, right = st.columns([3, 2], gap="large")
    with left:
        if scene.classes is None:
            st.info(t("No feature is numeric, so there is nothing to draw."))
        else:
            draw(classes(scene))
            offer_to_paint(scene.dataset)
    with right:
        _own_table(scene)
        st.markdown(f"**{t('Class counts')}**")
        rows = plural(scene.n_learnt, "{n} row", "{n} rows")
        held = number(scene.n_held_out)
        divided = Text(t("{rows} to learn from, {held} held out", rows=rows, held=held))
        draw([counts(scene), divided])


def _own_table(scene: DataScene) -> None:
    """Draw the ways to load the user's own table, and the handling of its file."""
    upload_box()
    openml_box()
    code_box()
    file_box(session.current())


def _roles(scene: DataScene) -> None:
    """Draw the editable roles of columns, values and classes."""
    full = scene.full
    st.subheader(t("Columns and classes"), anchor=False)
    columns_table(scene.report, full)
    labels_fault()
    left, right = st.columns([3, 2], gap="large")
    with left:
        column_editors.levels_editor(full)
        order_editor.directions_editor(full)
        for doubt in order_editor.doubts(scene.work):
            st.info(plain(doubt), icon=":material/info:")
    with right:
        column_editors.target(full)
        column_editors.class_editor(full)
        class_colours(full)
        order_editor.meaning_of_the_order(full, "data")
        column_editors.one_against_rest(full)
        weights_editor(scene.work.selection, full, scene.dataset)
        column_editors.scaling()
        column_editors.bins()
