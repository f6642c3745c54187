"""The page *data*: headline numbers, pictures, the table itself, and where one is handed in."""

from __future__ import annotations

from html import escape

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from pandas.io.formats.style import Styler

from lastviz.datasets import Dataset, to_csv
from lastviz.plots import THEMES, Points, class_counts_plot, scatter_matrix_plot, scatter_plot
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute import cache
from lastviz.ui.compute import data as uploads
from lastviz.ui.compute.division import NUMBERS
from lastviz.ui.shared import column_editors, controls, order_editor
from lastviz.ui.shared.figures import current_theme
from lastviz.ui.shared.headline import class_sign, strip
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.state import session
from lastviz.ui.state.selection import UPLOAD, Selection
from lastviz.ui.text import number, percent, plain, plural, t

from .score_rows import score_rows

__all__ = [
    "MODELS",
    "QUESTION",
    "about",
    "body",
    "choices",
    "counts_picture",
    "download",
    "numbers",
    "picture",
    "table",
    "upload_box",
]

QUESTION = "What am I learning from?"
MODELS = 1


MOST_POINTS = 2000
MOST_FEATURES = 5  # in the matrix of scatters
MOST_MATRIX_POINTS = 600
MOST_ROWS = 1000  # in the table
MOST_NAMES = 12  # in the legend


def about(dataset: Dataset) -> None:
    """Draw what the data are and where they come from."""
    parts = [
        escape(part) for part in (t(dataset.description).removesuffix("."), dataset.source) if part
    ]
    st.html(f'<p class="lv-about">{" · ".join(parts)}</p>')


def numbers(dataset: Dataset) -> None:
    """Draw the headline numbers."""
    missing = int(dataset.X.isna().to_numpy().sum())
    cells = [
        (number(dataset.n_samples), "", t("rows")),
        (number(dataset.n_features), "", t("features")),
        *_learnt(dataset),
        (number(missing), "", t("missing values")),
    ]
    if missing:
        share = float(dataset.X.isna().any(axis=1).mean())
        cells.append((percent(share), "%", t("rows that lack any")))
    if dataset.bayes_error is not None:
        best = t("expected error of the best possible rule (Bayes)")
        cells.append((percent(dataset.bayes_error), "%", best))
    st.html(strip(cells))


def _learnt(dataset: Dataset) -> list[tuple[str, str, str]]:
    if not dataset.is_regression:
        return [(number(dataset.n_classes), "", t("classes"))]
    y = dataset.y
    words = {"smallest {y}": y.min(), "mean {y}": y.mean(), "largest {y}": y.max()}
    return [(number(float(value)), "", t(word, y=y.name)) for word, value in words.items()]


def picture(selection: Selection) -> None:
    """Draw the numeric features against each other: one scatter, or a matrix of them."""
    dataset = cache.data(selection).dataset
    n_numeric = dataset.numeric_X.shape[1]
    if n_numeric == 0:
        st.info(t("No feature is numeric, so there is nothing to draw."))
        return
    most = MOST_POINTS if n_numeric <= 2 else MOST_MATRIX_POINTS
    rows = np.linspace(0, dataset.n_samples - 1, min(dataset.n_samples, most)).astype(np.intp)
    draw = _scatter if n_numeric <= 2 else _matrix
    figure, legend = draw(selection, rows)
    st.html(_legend(dataset, len(rows), legend))
    alt = t("Rows of {name} as points, by class", name=dataset.name)
    chart(figure, key="data_picture", height=int(figure.layout.height), alt=alt, filename="data")


def counts_picture(dataset: Dataset) -> None:
    """Draw how many rows each class has."""
    names = class_names_of(dataset)
    figure = class_counts_plot(dataset.class_counts, names, theme=current_theme())
    alt = t("Number of rows of each class")
    chart(figure, key="data_counts", height=int(figure.layout.height), alt=alt, filename="classes")


def table(dataset: Dataset) -> None:
    """Draw the rows themselves, as many as a browser takes easily."""
    shown = dataset.X.assign(**{dataset.y.name: dataset.y}).head(MOST_ROWS)
    shown.index = range(1, len(shown) + 1)
    st.dataframe(_marked(shown), height=340, alt=t("The first rows of the table"))
    if shown.isna().to_numpy().any():
        st.caption(t("Grey cells: the value is missing."))
    if dataset.n_samples > MOST_ROWS:
        rows = {"n": number(MOST_ROWS), "all": number(dataset.n_samples)}
        st.caption(t("The first {n} of {all} rows.", **rows))


def _marked(shown: pd.DataFrame) -> pd.DataFrame | Styler:
    """Return the table with its missing values marked, if it has any."""
    if not shown.isna().to_numpy().any():
        return shown
    grey = f"background-color: {THEMES[current_theme()].grey2}"
    plain = shown.astype({c: object for c in shown if hasattr(shown[c], "cat")})
    return plain.style.apply(lambda column: np.where(column.isna(), grey, "")).format(
        _cell, na_rep=t("missing")
    )


def _cell(value: object) -> str:
    return number(value) if isinstance(value, float) else str(value)


def download(dataset: Dataset) -> None:
    """Draw the button that saves the data as they are now."""
    st.download_button(
        t("Download as CSV"),
        lambda: to_csv(dataset),
        file_name=f"{dataset.name or 'data'}.csv",
        mime="text/csv",
        on_click="ignore",
        icon=":material/download:",
    )


def _scatter(selection: Selection, rows: np.ndarray) -> tuple[go.Figure, list[str]]:
    """Return the scatter of the one or two numeric features, and what its legend adds."""
    dataset, held_out_rows = cache.data(selection).dataset, cache.division(selection).held_out_rows
    X = dataset.numeric_X.iloc[rows]
    names = (X.columns[0], X.columns[-1])
    held_out = np.isin(rows, held_out_rows)
    wrong = np.zeros(len(rows), dtype=bool)
    x, y = X[names[0]].to_numpy(), X[names[1]].to_numpy()
    figure = scatter_plot(
        Points(x, y, dataset.codes[rows], held_out, wrong, rows + 1),
        theme=current_theme(),
        names=names,
        class_names=class_names_of(dataset),
        units=tuple(dataset.units.get(name, "") for name in names),
        height=440,
    )
    if not len(held_out_rows):
        return figure, []
    n_signs = min(2, dataset.n_classes)
    signs = "".join(class_sign(k, current_theme(), is_open=True) for k in range(n_signs))
    return figure, [f"{signs} {t('held out')}"]


def _matrix(selection: Selection, rows: np.ndarray) -> tuple[go.Figure, list[str]]:
    """Return the scatters of the features that tell the classes apart best, and which."""
    dataset = cache.data(selection).dataset
    X = dataset.numeric_X
    shown, legend = np.arange(min(X.shape[1], MOST_FEATURES)), []
    if X.shape[1] > MOST_FEATURES:
        words = {"n": MOST_FEATURES, "all": number(X.shape[1])}
        legend = [t("the first {n} of {all} numeric features", **words)]
        divided = cache.division_in(selection, NUMBERS)
        gains = dict(zip(divided.X.columns, cache.gains(selection, NUMBERS), strict=True))
        telling = np.array([gains[column] for column in X.columns])
        shown = np.sort(np.argsort(-telling, kind="stable")[:MOST_FEATURES])
        legend = [t("the {n} most telling of {all} numeric features", **words)]
    figure = scatter_matrix_plot(
        X.iloc[rows, shown].to_numpy(),
        dataset.codes[rows],
        tuple(X.columns[shown]),
        theme=current_theme(),
        class_names=class_names_of(dataset),
    )
    return figure, legend


def _legend(dataset: Dataset, n_points: int, added: list[str]) -> str:
    """Return the signs of the classes, and what of the data the picture does not show."""
    theme, names = current_theme(), class_names_of(dataset)
    items = [f"{class_sign(k, theme)} {escape(name)}" for k, name in enumerate(names[:MOST_NAMES])]
    if len(names) > MOST_NAMES:
        items.append(t("and {n} more", n=len(names) - MOST_NAMES))
    items += added
    n_nominal = dataset.n_features - dataset.numeric_X.shape[1]
    if n_nominal:
        items.append(plural(n_nominal, "without {n} nominal one", "without {n} nominal ones"))
    if n_points < dataset.n_samples:
        words = {"n": number(n_points), "all": number(dataset.n_samples)}
        items.append(t("{n} of {all} rows", **words))
    return '<div class="lv-legend">' + "".join(f"<span>{item}</span>" for item in items) + "</div>"


FIELD = "upload_field"
FAULT = "upload_fault"


def upload_box() -> None:
    """Draw the field for a file; a file that cannot be read leaves everything as it was."""
    file = st.file_uploader(
        t("A table of your own"),
        type=["csv", "tsv", "txt"],
        key=FIELD,
        max_upload_size=uploads.MEGABYTES,
        on_change=_take,
        help=t(
            "Text with one row per sample and a header row. Separator, decimal mark and encoding "
            "are found out. The class is a column called “class” or the like, or the last one; "
            "you can choose another below."
        ),
    )
    fault = st.session_state.get(FAULT)
    if file is not None and fault:
        st.error(plain(fault), icon=":material/error:")


def _take() -> None:
    """Read the file that was handed in; what was there before stays if it cannot be read."""
    file = st.session_state[FIELD]
    st.session_state[FAULT] = None
    if file is None:
        return
    data = file.getvalue()
    try:
        dataset = cache.read_file(data, file.name)
    except ValueError as error:
        st.session_state[FAULT] = str(error)
    else:
        session.select(data=UPLOAD, upload=uploads.keep(file.name, data, dataset.n_samples))


def choices() -> None:
    """Draw the sidebar."""
    controls.data_chooser()
    controls.seed()
    controls.foot()


def _pictures_and_roles(whole: Dataset, dataset: Dataset) -> None:
    """Draw the classes and what can be said about them."""
    division = cache.division(session.current())
    left, right = st.columns([3, 2], gap="large")
    with left:
        picture(session.current())
    with right:
        upload_box()
        st.markdown(f"**{t('Rows of each class')}**")
        counts_picture(dataset)
        learnt, held = len(division.train_rows), len(division.held_out_rows)
        rows = plural(learnt, "{n} row", "{n} rows")
        st.caption(t("{rows} to learn from, {held} held out", rows=rows, held=number(held)))

    st.subheader(t("Columns and classes"), anchor=False)
    left, right = st.columns([3, 2], gap="large")
    with left:
        column_editors.column_editor(whole)
        column_editors.levels_editor(whole)
        order_editor.directions_editor(whole)
        for doubt in order_editor.doubts(session.current()):
            st.info(plain(doubt), icon=":material/info:")
    with right:
        column_editors.target(whole)
        column_editors.class_editor(whole)
        order_editor.meaning_of_the_order(whole, "data")
        column_editors.one_against_rest(whole)
        column_editors.scaling()
        column_editors.bins()


def body() -> None:
    """Draw the data, what can be said of them, and the table itself."""
    loaded = cache.data(session.current())
    whole, dataset = loaded.whole, loaded.dataset

    about(dataset)
    numbers(dataset)

    if dataset.is_regression:
        upload_box()
        column_editors.target(whole)
        column_editors.column_editor(whole)
        column_editors.scaling()
    else:
        _pictures_and_roles(whole, dataset)

    st.subheader(t("Table"), anchor=False)
    table(dataset)
    download(dataset)

    if not dataset.is_regression:
        score_rows()
