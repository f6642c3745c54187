"""The pictures of the page *data*: the classes in the numeric features, and their sizes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from html import escape

import numpy as np
import streamlit as st

from lastviz._sentences import Statement
from lastviz.datasets import Dataset
from lastviz.datasets.report import Report
from lastviz.plots import (
    THEMES,
    Drawing,
    Points,
    ThemeName,
    class_counts_plot,
    close_pairs,
    contrast,
    scatter_matrix_plot,
    scatter_plot,
    without_overlaps,
)
from lastviz.ui.compute.training import NUMBERS
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.figures import page_theme, words
from lastviz.ui.shared.headline import class_sign, legend_of
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.shared.naming import label
from lastviz.ui.shared.widgets import put
from lastviz.ui.text import join_names, number, plain, plural, t

from .report import report_of

MOST_POINTS = 2000
MOST_FEATURES = 5  # in the matrix of scatters
MOST_MATRIX_POINTS = 600


def drawn_rows(dataset: Dataset) -> np.ndarray:
    """Rows that are drawn: all, or as many evenly spaced ones as a reader can see."""
    most = MOST_POINTS if dataset.numeric_X.shape[1] <= 2 else MOST_MATRIX_POINTS
    n = dataset.n_samples
    return np.linspace(0, n - 1, min(n, most)).astype(np.intp)


def counts_figure(dataset: Dataset, theme: ThemeName) -> Drawing:
    """Figure of the number of rows in each class."""
    return class_counts_plot(dataset.class_counts, class_names_of(dataset), theme=theme)


# None where no feature is numeric.
def classes_figure(work: Work, theme: ThemeName) -> Drawing | None:
    """Numeric features against each other: one scatter, or a matrix of them."""
    dataset = work.dataset
    n_numeric = dataset.numeric_X.shape[1]
    if n_numeric == 0:
        return None
    return (_scatter if n_numeric <= 2 else _matrix)(work, drawn_rows(dataset), theme)


def _scatter(work: Work, rows: np.ndarray, theme: ThemeName) -> Drawing:
    """Scatter of the one or two numeric features."""
    dataset, held_out_rows = work.dataset, work.first.division.held_out_rows
    X = dataset.numeric_X.iloc[rows]
    names = (X.columns[0], X.columns[-1])
    held_out = np.isin(rows, held_out_rows)
    wrong = np.zeros(len(rows), dtype=bool)
    x, y, texts = without_overlaps(X[names[0]].to_numpy(), X[names[1]].to_numpy())
    return scatter_plot(
        Points(x, y, dataset.codes[rows], held_out, wrong, rows + 1, texts),
        theme=theme,
        names=names,
        class_names=class_names_of(dataset),
        units=tuple(dataset.units.get(name, "") for name in names),
        height=440,
        words=words(),
    )


def _matrix(work: Work, rows: np.ndarray, theme: ThemeName) -> Drawing:
    """Scatters of the features that tell the classes apart best."""
    dataset = work.dataset
    X = dataset.numeric_X
    shown = np.arange(X.shape[1])
    if X.shape[1] > MOST_FEATURES:
        divided = work.division_in(NUMBERS)
        gains = dict(zip(divided.X.columns, work.gains(NUMBERS), strict=True))
        own = np.array([gains[column] for column in X.columns])
        shown = np.sort(np.argsort(-own, kind="stable")[:MOST_FEATURES])
    return scatter_matrix_plot(
        X.iloc[rows, shown].to_numpy(),
        dataset.codes[rows],
        tuple(X.columns[shown]),
        theme=theme,
        class_names=class_names_of(dataset),
        rows=rows + 1,
        units=[dataset.units.get(name, "") for name in X.columns[shown]],
        words=words(),
    )


# ---- What the page *data* shows, worked out before any of it is sent


@dataclass(frozen=True, eq=False)
class DataScene:
    """All that the page shows."""

    work: Work
    theme: ThemeName  # {"light", "dark"}
    full: Dataset  # before and after the selection's steps; `plain` without labels
    dataset: Dataset  # before and after the selection's steps; `plain` without labels
    plain: Dataset  # before and after the selection's steps; `plain` without labels
    n_learnt: int  # rows to learn from and rows held out
    n_held_out: int  # rows to learn from and rows held out
    # classes, counts: plotly Figure or None, the classes in the numeric features and their sizes;
    # None where there are none
    classes: Drawing | None
    counts: Drawing | None
    # A first look at the data before any step; None of what a generator makes.
    report: Report | None


def scene_of(work: Work, theme: ThemeName) -> DataScene:
    """Compute the scene of a selection."""
    loaded = work.data
    dataset, divided = loaded.dataset, work.first.division
    has_classes = not dataset.is_regression
    return DataScene(
        work=work,
        theme=theme,
        full=loaded.full,
        dataset=dataset,
        plain=loaded.plain,
        n_learnt=len(divided.train_rows),
        n_held_out=len(divided.held_out_rows),
        classes=classes_figure(work, theme) if has_classes else None,
        counts=counts_figure(dataset, theme) if has_classes else None,
        report=report_of(work.selection, loaded.full),
    )


# ---- The sentences of the page *data*, and its html


MOST_NAMES = 12  # in the legend


def about(dataset: Dataset) -> str:
    """Description and source of the data, as HTML."""
    parts = [
        escape(part) for part in (t(dataset.description).rstrip(".。"), t(dataset.source)) if part
    ]
    return f'<p class="lv-about">{" · ".join(parts)}</p>'


def data_statements(dataset: Dataset) -> list[Statement]:
    """Statements on the size of the data, their target, gaps and best possible rule."""
    y, n_missing = dataset.y, int(dataset.X.isna().to_numpy().sum())
    about = {
        "size": plural(dataset.n_samples, "{n} row", "{n} rows"),
        "features": plural(dataset.n_features, "{n} feature", "{n} features"),
    }
    if dataset.is_regression:
        found = [Statement(
            "**{size} with {features}**; {name} lies between {low:rounded} and "
            "{high:rounded}, its mean is {mean:rounded}.",
            name=y.name, low=y.min(), high=y.max(), mean=y.mean(), **about,
        )]  # fmt: skip
    else:
        counts = dataset.class_counts
        found = [Statement(
            "**{size} in {classes} classes, with {features}**; the most frequent class, "
            "{name}, has {rows} of them.",
            classes=dataset.n_classes, name=class_names_of(dataset)[counts.argmax()],
            rows=counts.max(), **about,
        )]  # fmt: skip
    if n_missing:
        share = float(dataset.X.isna().any(axis=1).mean())
        found.append(Statement(
            "{missing} values are missing, {share:percent} of the rows have a gap.",
            missing=n_missing, share=share,
        ))  # fmt: skip
    if dataset.bayes_error is not None:
        found.append(Statement(
            "The expected error of the best possible rule (Bayes) is {share:percent}.",
            share=dataset.bayes_error,
        ))  # fmt: skip
    return found


def legend(scene: DataScene) -> str:
    """Symbols of the classes, and the parts of the data that the picture leaves out."""
    dataset, theme = scene.dataset, scene.theme
    names, n_numeric = class_names_of(dataset), dataset.numeric_X.shape[1]
    items = [f"{class_sign(k, theme)} {escape(name)}" for k, name in enumerate(names[:MOST_NAMES])]
    if len(names) > MOST_NAMES:
        items.append(t("and {n} more", n=len(names) - MOST_NAMES))
    if n_numeric <= 2 and scene.n_held_out:
        n_signs = min(2, dataset.n_classes)
        signs = "".join(class_sign(k, theme, is_open=True) for k in range(n_signs))
        items.append(f"{signs} {t('held out')}")
    if n_numeric > MOST_FEATURES:
        sentence = "the {n} of {all} numeric features that tell the classes apart best"
        items.append(t(sentence, n=MOST_FEATURES, all=number(n_numeric)))
    n_nominal = dataset.n_features - n_numeric
    if n_nominal:
        items.append(
            plural(
                n_nominal,
                "{n} categorical column is not drawn",
                "{n} categorical columns are not drawn",
            )
        )
    n_points = len(drawn_rows(dataset))
    if n_points < dataset.n_samples:
        items.append(t("{n} of {all} rows", n=number(n_points), all=number(dataset.n_samples)))
    return legend_of(items)


# ---- The colours of the classes, for the reader to choose, with a note where eyes cannot follow


MOST_PICKED = 11  # classes; more share hues anyway
LEAST_CONTRAST = 1.3  # to the page: what our own yellow has
MOST_NOTED = 3


def class_colours(full: Dataset) -> None:
    """Draw the choice of a colour for each class, in the order of the whole data."""
    if not 2 <= full.n_classes <= MOST_PICKED:
        return
    shown = hues_of(full, page_theme())
    with st.expander(t("Colours of the classes")):
        with st.container(horizontal=True, gap="medium"):
            for place, name in enumerate(full.class_order):
                key = f"hue_{place}"
                put(key, shown[place])
                called = full.value_labels.get(str(full.y.name), {}).get(str(name), str(name))
                st.color_picker(plain(called), key=key, on_change=partial(_choose, str(name), key))
        for note in colour_notes(full):
            st.caption(plain(note))
        if full.class_colours:
            st.button(
                t("Back to the usual colours"),
                key="usual_hues",
                on_click=lambda: label("colours", dict.fromkeys(full.class_colours, "")),
            )


def hues_of(full: Dataset, theme: str) -> list[str]:
    """Colour of each class on a page of a theme."""
    usual = THEMES[theme]
    own = full.class_colours
    return [own.get(str(name), usual.hue(place)) for place, name in enumerate(full.class_order)]


# The symbols remain in any case.
def colour_notes(full: Dataset) -> list[str]:
    """Sentences on chosen colours that are hard to see or distinguish."""
    if not full.class_colours:
        return []
    notes = []
    names = [str(name) for name in full.class_order]
    for theme, page in (("light", t("light")), ("dark", t("dark"))):
        paper, hues = THEMES[theme].paper, hues_of(full, theme)
        for name, hue in zip(names, hues, strict=True):
            ratio = contrast(hue, paper)
            if name in full.class_colours and ratio < LEAST_CONTRAST:
                sentence = "“{name}” has little contrast with the {page} page ({ratio} : 1)."
                notes.append(t(sentence, name=name, page=page, ratio=number(round(ratio, 2))))
    close = close_pairs(hues_of(full, "light"))
    if close:
        pairs = [f"“{names[i]}” – “{names[j]}”" for i, j in close[:MOST_NOTED]]
        sentence = (
            "Some people can hardly distinguish these colours: {pairs}. Their symbols still differ."
        )
        notes.append(t(sentence, pairs=join_names(pairs)))
    return notes


def _choose(name: str, key: str) -> None:
    label("colours", {name: st.session_state[key].upper()})
