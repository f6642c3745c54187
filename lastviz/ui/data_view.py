"""What the data look like: headline numbers, pictures, the table itself."""

from __future__ import annotations

from html import escape

import numpy as np
import streamlit as st

from lastviz.datasets import Dataset, to_csv
from lastviz.plots import Points, class_counts_plot, scatter_matrix_plot, scatter_plot

from . import frame
from .components.chart_host import chart
from .headline import class_sign, strip
from .text import number, percent, plural, t

__all__ = ["counts_picture", "download", "numbers", "picture", "table"]

MOST_POINTS = 2000
MOST_FEATURES = 5  # in the matrix of scatters
MOST_ROWS = 1000  # in the table
MOST_NAMES = 12  # in the legend


def numbers(dataset: Dataset) -> None:
    """Draw the headline numbers."""
    missing = int(dataset.X.isna().to_numpy().sum())
    cells = [
        (number(dataset.n_samples), "", t("rows")),
        (number(dataset.n_features), "", t("features")),
        (number(dataset.n_classes), "", t("classes")),
        (number(missing), "", t("missing values")),
    ]
    if dataset.bayes_error is not None:
        best = t("smallest error possible (Bayes)")
        cells.append((percent(dataset.bayes_error), "%", best))
    st.html(strip(cells))


def picture(dataset: Dataset, held_out_rows: np.ndarray) -> None:
    """Draw the numeric features against each other: one scatter, or a matrix of them."""
    X = dataset.numeric_X
    rows = _some(dataset.n_samples)
    st.html(_legend(dataset, len(rows), has_held_out=X.shape[1] <= 2 and len(held_out_rows) > 0))
    names = _class_names(dataset)
    if X.shape[1] > 2:
        shown = X.iloc[rows, :MOST_FEATURES]
        figure = scatter_matrix_plot(
            shown.to_numpy(),
            dataset.codes[rows],
            tuple(shown.columns),
            theme=frame.theme(),
            class_names=names,
        )
    elif X.shape[1] > 0:
        figure = _scatter(dataset, rows, held_out_rows, names)
    else:
        st.info(t("No feature is numeric, so there is nothing to draw."))
        return
    alt = t("Rows of {name} as points, by class", name=dataset.name)
    chart(figure, key="data_picture", height=int(figure.layout.height), alt=alt, filename="data")


def counts_picture(dataset: Dataset) -> None:
    """Draw how many rows each class has."""
    names = _class_names(dataset)
    figure = class_counts_plot(dataset.class_counts, names, theme=frame.theme())
    alt = t("Number of rows of each class")
    chart(figure, key="data_counts", height=int(figure.layout.height), alt=alt, filename="classes")


def table(dataset: Dataset) -> None:
    """Draw the rows themselves, as many as a browser takes easily."""
    shown = dataset.X.assign(**{dataset.y.name: dataset.y}).head(MOST_ROWS)
    shown.index = range(1, len(shown) + 1)
    st.dataframe(shown, height=340, alt=t("The first rows of the table"))
    if dataset.n_samples > MOST_ROWS:
        rows = {"n": number(MOST_ROWS), "all": number(dataset.n_samples)}
        st.caption(t("The first {n} of {all} rows.", **rows))


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


def _scatter(dataset: Dataset, rows: np.ndarray, held_out_rows: np.ndarray, names: tuple):
    X = dataset.numeric_X.iloc[rows]
    x = X.iloc[:, 0].to_numpy()
    y = X.iloc[:, -1].to_numpy()
    held_out = np.isin(rows, held_out_rows)
    wrong = np.zeros(len(rows), dtype=bool)
    units = (dataset.units.get(X.columns[0], ""), dataset.units.get(X.columns[-1], ""))
    return scatter_plot(
        Points(x, y, dataset.codes[rows], held_out, wrong, rows),
        theme=frame.theme(),
        names=(X.columns[0], X.columns[-1]),
        class_names=names,
        units=units,
        height=440,
    )


def _some(n: int) -> np.ndarray:
    """Return all rows, or as many as can be told apart, evenly over the table."""
    return np.linspace(0, n - 1, min(n, MOST_POINTS)).astype(np.intp)


def _legend(dataset: Dataset, n_points: int, *, has_held_out: bool) -> str:
    """Return the signs of the classes, and what of the data the picture does not show."""
    theme, names = frame.theme(), _class_names(dataset)
    items = [f"{class_sign(k, theme)} {escape(name)}" for k, name in enumerate(names[:MOST_NAMES])]
    if len(names) > MOST_NAMES:
        items.append(t("and {n} more", n=len(names) - MOST_NAMES))
    if has_held_out:
        signs = "".join(class_sign(k, theme, is_open=True) for k in range(min(2, len(names))))
        items.append(f"{signs} {t('held out')}")
    n_numeric = dataset.numeric_X.shape[1]
    if n_numeric > MOST_FEATURES:
        words = {"n": MOST_FEATURES, "all": number(n_numeric)}
        items.append(t("the first {n} of {all} numeric features", **words))
    elif n_numeric < dataset.n_features:
        items.append(plural(n_numeric, "{n} numeric feature", "{n} numeric features"))
    if n_points < dataset.n_samples:
        words = {"n": number(n_points), "all": number(dataset.n_samples)}
        items.append(t("{n} of {all} rows", **words))
    return '<div class="lv-legend">' + "".join(f"<span>{item}</span>" for item in items) + "</div>"


def _class_names(dataset: Dataset) -> tuple[str, ...]:
    return tuple(map(str, dataset.class_order))
