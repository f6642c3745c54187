"""The pictures of the page *data*: the classes in the numeric features, and their sizes."""

from __future__ import annotations

import numpy as np

from lastviz.datasets import Dataset
from lastviz.plots import (
    Drawing,
    Points,
    ThemeName,
    class_counts_plot,
    scatter_matrix_plot,
    scatter_plot,
    without_overlaps,
)
from lastviz.ui.compute import cache
from lastviz.ui.compute.division import NUMBERS
from lastviz.ui.shared.figures import words
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.state.selection import Selection

MOST_POINTS = 2000
MOST_FEATURES = 5  # in the matrix of scatters
MOST_MATRIX_POINTS = 600


def drawn_rows(dataset: Dataset) -> np.ndarray:
    """Return the rows that are drawn: all, or as many evenly spaced ones as a reader can see."""
    most = MOST_POINTS if dataset.numeric_X.shape[1] <= 2 else MOST_MATRIX_POINTS
    n = dataset.n_samples
    return np.linspace(0, n - 1, min(n, most)).astype(np.intp)


def counts_figure(dataset: Dataset, theme: ThemeName) -> Drawing:
    """Return how many rows each class has."""
    return class_counts_plot(dataset.class_counts, class_names_of(dataset), theme=theme)


def classes_figure(selection: Selection, theme: ThemeName) -> Drawing | None:
    """Return the numeric features against each other: one scatter, or a matrix of them.

    None where no feature is numeric.
    """
    dataset = cache.data(selection).dataset
    n_numeric = dataset.numeric_X.shape[1]
    if n_numeric == 0:
        return None
    return (_scatter if n_numeric <= 2 else _matrix)(selection, drawn_rows(dataset), theme)


def _scatter(selection: Selection, rows: np.ndarray, theme: ThemeName) -> Drawing:
    """Return the scatter of the one or two numeric features."""
    dataset, held_out_rows = cache.data(selection).dataset, cache.division(selection).held_out_rows
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


def _matrix(selection: Selection, rows: np.ndarray, theme: ThemeName) -> Drawing:
    """Return the scatters of the features that tell the classes apart best."""
    dataset = cache.data(selection).dataset
    X = dataset.numeric_X
    shown = np.arange(X.shape[1])
    if X.shape[1] > MOST_FEATURES:
        divided = cache.division_in(selection, NUMBERS)
        gains = dict(zip(divided.X.columns, cache.gains(selection, NUMBERS), strict=True))
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
