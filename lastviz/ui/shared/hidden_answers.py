"""Stand-in for a page while its answers are hidden: the rows, and the way to the answer.

Nothing that a model makes of the rows is worked out or sent then: who looks into the page finds no
answer in it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import streamlit as st

from lastviz.datasets import Dataset
from lastviz.plots import Points, ThemeName, pad_bounds, scatter_plot
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute.work import Work
from lastviz.ui.text import join_names, plain, t

from .figures import words
from .headline import legend, show
from .model_view import class_names_of, model_title

MOST_DRAWN = 2000  # rows
HEIGHT = 460  # pixels


def hidden_answer(work: Work, theme: ThemeName, reveal: Callable[[], None]) -> None:
    """Draw the rows alone, and the button that shows the answer.

    Parameters
    ----------
    work : Work
    theme : {"light", "dark"}
    reveal : callable
        Takes the reader to the page as it is otherwise.
    """
    dataset = work.dataset
    if dataset.is_regression:
        st.info(t("The answer is hidden."))
    else:
        _rows(work, dataset, theme)
        question = t("What would {names} do with these rows?", names=plain(_models(work)))
        st.markdown(f"**{t('The answer is hidden.')}** {question}")
    st.button(
        t("Show the answer"), key="show_answer", type="primary", shortcut="Space", on_click=reveal
    )


def _models(work: Work) -> str:
    """Names of the algorithms, as a list in a sentence."""
    return join_names([*map(model_title, work.models)])


def _rows(work: Work, dataset: Dataset, theme: ThemeName) -> None:
    """Draw the rows in the user's two features, else in the first two numeric ones."""
    X, axes = dataset.numeric_X, work.selection.view.axes
    if not X.shape[1]:
        return
    names = axes if axes and set(axes) <= set(X.columns) else (X.columns[0], X.columns[-1])
    if axes is None and X.shape[1] > 1:
        names = (X.columns[0], X.columns[1])
    single = names[0] == names[1]
    n = dataset.n_samples
    rows = np.linspace(0, n - 1, min(n, MOST_DRAWN)).astype(np.intp)
    held_out = np.isin(rows, work.first.division.held_out_rows)
    x = X[names[0]].to_numpy(dtype=np.float64)[rows]
    y = np.zeros(len(rows)) if single else X[names[1]].to_numpy(dtype=np.float64)[rows]
    wrong = np.zeros(len(rows), dtype=bool)
    figure = scatter_plot(
        Points(x, y, dataset.codes[rows], held_out, wrong, rows + 1),
        theme=theme,
        names=(names[0], "" if single else names[1]),
        class_names=class_names_of(dataset),
        height=HEIGHT,
        view=pad_bounds(x, y),
        words=words(),
    )
    show(legend(class_names_of(dataset), theme, [figure]))
    alt = t("The rows of {name} by class; no answer is drawn.", name=t(dataset.name))
    chart(figure, key="hidden_rows", height=HEIGHT, alt=alt, filename="rows")
