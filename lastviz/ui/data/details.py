"""What stands below the pictures of the page *data*: the table itself; and the page's report."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from lastviz.datasets import Dataset, to_csv
from lastviz.datasets.labels import sidecar_of
from lastviz.export.html_report import Picture, Section, Words
from lastviz.export.slide_show import Columns
from lastviz.host.jobs import Working
from lastviz.plots import THEMES, ThemeName
from lastviz.ui.shared.headline import legend as legend_of_classes
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.shared.report import Pictured, model_section, scene_report
from lastviz.ui.text import CannotShow, number, t

from .painted_scene import PaintedScene
from .report import findings_section
from .scene import DataScene
from .words import about, headline, legend

MOST_ROWS = 1000


def data_report(scene: DataScene | PaintedScene, question: str, address: str | None) -> str:
    """Return the report of a scene that was worked out in the light theme.

    Raises
    ------
    CannotShow
        While too little is painted, or its model is still being trained.
    """
    if isinstance(scene, PaintedScene):
        sections = [_painted(scene)]
    else:
        sections = [_pictured(scene)] if scene.classes is not None else []
        if scene.report is not None:
            sections.append(findings_section(scene.report, scene.whole, scene.selection))
    return scene_report(
        scene.selection.first_models(1), question, sections, address=address, caveats=()
    )


def data_slide(scene: DataScene | PaintedScene) -> list[Words | Columns | Picture]:
    """Return what a slide shows of a scene: the rows by class and how many there are of each.

    Raises
    ------
    CannotShow, Working
        If too little is painted; while its model is still being trained.
    """
    if isinstance(scene, PaintedScene):
        if scene.job is not None:
            raise Working(scene.job)
        if scene.figure is None:
            raise CannotShow(scene.obstacle or t("There are no painted rows yet."))
        return [Words(_marks(scene)), _painted_picture(scene)]
    head = [Words(about(scene.dataset)), Words(headline(scene.dataset))]
    if scene.counts is None:
        return head
    counts = Picture(scene.counts, t("Number of rows of each class"), "")
    if scene.classes is None:  # no feature is a number
        return [*head, counts]
    return [*head, Words(legend(scene)), Columns([[_classes_picture(scene)], [counts]], (3, 2))]


def _marks(scene: PaintedScene) -> str:
    return legend_of_classes(class_names_of(scene.dataset), scene.theme, [scene.figure])


def _painted_picture(scene: PaintedScene, *, captioned: bool = False) -> Picture:
    alt = t("What {title} makes of the painted rows", title=scene.view.title)
    return Picture(scene.figure, alt, alt if captioned else "")


def _classes_picture(scene: DataScene, *, captioned: bool = False) -> Picture:
    alt = t("Rows of {name} as points, by class", name=t(scene.dataset.name))
    return Picture(scene.classes, alt, alt if captioned else "")


def _painted(scene: PaintedScene) -> Section:
    if scene.figure is None or scene.view is None:
        sentence = t("A report can be made once there are rows of two classes, and their model.")
        raise CannotShow(scene.obstacle or sentence)
    pictured = [Pictured(_painted_picture(scene, captioned=True), _marks(scene))]
    return model_section(scene.selection, 0, scene.view, pictured)


def _pictured(scene: DataScene) -> Section:
    blocks = [Words(legend(scene)), _classes_picture(scene, captioned=True)]
    return Section(t("The classes in the features"), blocks)


def table(dataset: Dataset, theme: ThemeName) -> None:
    """Draw the rows themselves, as many as a browser takes easily."""
    shown = dataset.X.assign(**{dataset.y.name: dataset.y}).head(MOST_ROWS)
    shown.index = range(1, len(shown) + 1)
    st.dataframe(_marked(shown, theme), height=340, alt=t("The first rows of the table"))
    if shown.isna().to_numpy().any():
        st.caption(t("Grey cells: the value is missing."))
    if dataset.n_samples > MOST_ROWS:
        rows = {"n": number(MOST_ROWS), "all": number(dataset.n_samples)}
        st.caption(t("The first {n} of {all} rows.", **rows))


def _marked(shown: pd.DataFrame, theme: ThemeName) -> pd.DataFrame | Styler:
    """Return the table with its missing values marked, if it has any."""
    if not shown.isna().to_numpy().any():
        return shown
    grey = f"background-color: {THEMES[theme].grey2}"
    plain = shown.astype({c: object for c in shown if hasattr(shown[c], "cat")})
    return plain.style.apply(lambda column: np.where(column.isna(), grey, "")).format(
        _cell, na_rep=t("missing")
    )


def _cell(value: object) -> str:
    return number(value) if isinstance(value, float) else str(value)


def download(plain: Dataset) -> None:
    """Draw the buttons that save the data as they are stored now, and what they are called."""
    name = plain.name or "data"
    with st.container(horizontal=True, gap="small"):
        st.download_button(
            t("Download as CSV"),
            lambda: to_csv(plain),
            file_name=f"{name}.csv",
            mime="text/csv",
            on_click="ignore",
            icon=":material/download:",
        )
        st.download_button(
            t("Names, units and labels (JSON)"),
            lambda: sidecar_of(plain),
            file_name=f"{name}.json",
            mime="application/json",
            on_click="ignore",
            icon=":material/download:",
            help=t("A sidecar file: it describes the columns of the CSV file. Upload both."),
        )
