"""Which class is taken for which: a heat map of numbers, in greys."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.plots.visuals.panel import Margin, Panel, compose
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import Words, distinct_labels, escaped, number, text_width

from .visuals import marks
from .visuals.drawing import Drawing

NUMBERS_UP_TO = 26
"""With more classes the cells have no numbers."""

_LETTERS = 18
_SHAPED_UP_TO = 12
_EDGE = 24.0  # pixels for the symbols above and at the left of the cells


def confusion_plot(
    matrix: np.ndarray,
    class_names: Sequence[str],
    *,
    theme: ThemeName,
    height: int | None = None,
    words: Words | None = None,
) -> Drawing:
    """Draw `matrix` (n_classes, n_classes): row = true class, column = predicted class.

    A cell is the darker the larger its share of its row; the diagonal is right.
    """
    words = words or Words()
    colours = THEMES[theme]
    matrix = np.asarray(matrix)
    n = len(matrix)
    names = escaped(class_names)
    short = escaped(distinct_labels(map(str, class_names), _LETTERS))
    left = round(max(text_width(name, 15) for name in [*short, words.true_class])) + 10
    margin = Margin(left=left, right=4, top=26, bottom=4)
    cell = (height - 30 - _EDGE) / n if height else max(18, min(52, 420 // n))
    wide = 1.35 if n <= 8 else 1.0
    up, across = _EDGE / cell, _EDGE / (cell * wide)  # room for the symbols, in cells
    traces = [_cells(matrix, names, colours, words)]
    if n <= NUMBERS_UP_TO:
        traces += _numbers(matrix, colours)
    row, zeros = np.arange(n), np.full(n, -0.5)
    traces += [
        marks.class_symbols(row, zeros - 0.55 * up, range(n), colours),
        marks.class_symbols(zeros - 0.55 * across, row, range(n), colours),
    ]
    fixed = {"fixedrange": True, "ticks": "", "constrain": "domain"}
    # A large matrix takes the width of its column, so that its rows keep the height of type.
    shape = {"scaleanchor": "x", "scaleratio": 1 / wide} if n <= _SHAPED_UP_TO else {}
    panel = Panel(
        traces=traces,
        xaxis={
            "range": [-0.5 - across, n - 0.5],
            "showticklabels": False,
            "constraintoward": "left",
            **fixed,
        },
        yaxis={
            "range": [n - 0.5, -0.5 - up],
            "constraintoward": "top",
            "tickmode": "array",
            "tickvals": row.tolist(),
            "ticktext": short,
            "tickfont": {"size": 15, "color": colours.ink},
            **shape,
            **fixed,
        },
        annotations=_titles(words, colours),
    )
    return compose([panel], [n * cell + _EDGE], theme=theme, margin=margin)


def _cells(matrix: np.ndarray, names: Sequence[str], theme: Theme, words: Words) -> dict:
    share = matrix / np.maximum(matrix.sum(axis=1, keepdims=True), 1)
    gap = 3 if len(matrix) <= 12 else 1
    return {
        "type": "heatmap",
        "name": "rows",
        "meta": {"role": "cells"},
        "z": np.sqrt(share).astype(np.float32),
        "zmin": 0,
        "zmax": 1,
        "xgap": gap,
        "ygap": gap,
        "colorscale": [[0, theme.card], [0.02, theme.grey1], [1, theme.grey3]],
        "showscale": False,
        "customdata": matrix.astype(np.int32),
        "text": [[_about(a, b, words) for b in names] for a in names],
        "hovertemplate": "%{text}<br>%{customdata:,} " + words.rows + "<extra></extra>",
    }


def _about(true: str, predicted: str, words: Words) -> str:
    return f"{words.true_class}: <b>{true}</b><br>{words.predicted_class}: <b>{predicted}</b>"


def _numbers(matrix: np.ndarray, theme: Theme) -> list[dict]:
    """Right ones bold, wrong ones regular, zeros pale while the matrix is small."""
    small = len(matrix) <= 8
    diagonal = np.eye(len(matrix), dtype=bool)
    groups = (
        ("right", diagonal, theme.ink, "<b>{}</b>"),
        ("wrong", ~diagonal & (matrix > 0), theme.ink, "{}"),
        ("zero", ~diagonal & (matrix == 0) & small, theme.grey5, "{}"),
    )
    traces = []
    for state, where, colour, form in groups:
        y, x = np.nonzero(where)
        texts = [form.format(number(int(n))) for n in matrix[where].tolist()]
        font = Size.number if small else Size.tick, colour
        about = {"role": "number", "name": state, "meta": {"state": state}}
        traces.append(marks.words(x, y, texts, *font, **about))
    return traces


def _titles(words: Words, theme: Theme) -> list[dict]:
    top = {"xref": "domain", "yref": "domain", "x": 0, "y": 1, "yanchor": "bottom"}
    font = {"size": Size.tick, "color": theme.grey5}
    titles = ((words.true_class, "right", 0), (words.predicted_class, "left", _EDGE))
    return [
        {**top, "text": text, "xanchor": anchor, "xshift": shift, "showarrow": False, "font": font}
        for text, anchor, shift in titles
    ]
