"""Two features against each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from lastviz.plots.visuals.drawing import with_ticks
from lastviz.plots.visuals.marks import Bounds, Points, pad_bounds, point_traces
from lastviz.plots.visuals.panel import Margin, frame, plane_figure, with_room
from lastviz.plots.visuals.plane_axes import light, without_overlaps
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import (
    FigureWords,
    escape_names,
    feature_html,
    number,
    shorten_name,
)

from .node_histograms_plot import histogram_traces
from .visuals.drawing import Drawing


def scatter_plot(
    points: Points,
    *,
    theme: ThemeName,
    names: tuple[str, str],
    class_names: Sequence[str],
    units: tuple[str, str] = ("", ""),
    height: int = 420,
    equal: bool = False,
    view: Bounds | None = None,
    words: FigureWords | None = None,
) -> Drawing:
    """Draw `points`: training rows filled, held-out ones open, rings where ``wrong``.

    Parameters
    ----------
    names, units : (str, str)
        Of the features on the horizontal and the vertical axis.
    class_names : sequence of str
        By class index.
    equal : bool
        Whether both features are of one kind, so that one unit is as long on both axes.
    view : (x_min, x_max, y_min, y_max) or None
        What is shown at first; all points if None.
    """
    classes = escape_names(class_names)
    traces = point_traces(points, classes, names, THEMES[theme], units=units, words=words)
    view = view or pad_bounds(points.x, points.y)
    return plane_figure(traces, view, names, units, theme=theme, height=height, equal=equal)


# ---- Every feature against every other: scatters below the diagonal, histograms on it


MAX_FEATURES = 6
MAX_ROWS = 2000
"""More rows are thinned evenly, and the figure says so."""

_MARGIN = Margin(left=48, right=4, top=26, bottom=30)
_GAP = 0.03  # of the width or height, between panels


def scatter_matrix_plot(
    X: np.ndarray,
    label: np.ndarray,
    names: Sequence[str],
    *,
    theme: ThemeName,
    class_names: Sequence[str],
    height: int | None = None,
    words: FigureWords | None = None,
    rows: np.ndarray | None = None,
    units: Sequence[str] | None = None,
) -> Drawing:
    """Draw the columns of `X` (n, m) in pairs, coloured by class index `label` (n,).

    Panels of a column share their horizontal axis and panels of a row their vertical one, so
    zooming in one zooms its neighbours too.

    Parameters
    ----------
    rows : ndarray of intp, shape (n,), or None
        What is said to be the number of each row; its place in `X` if None.
    units : sequence of str, length m, or None
        Axes of days since a date read dates.

    Raises
    ------
    ValueError
        If m is not from 2 to 6.
    """
    n_rows, m = X.shape
    if not 2 <= m <= MAX_FEATURES:
        raise ValueError(f"a scatter matrix shows 2 to {MAX_FEATURES} features, got {m}")
    colours = THEMES[theme]
    classes = escape_names(class_names)
    row = np.linspace(0, n_rows - 1, min(n_rows, MAX_ROWS)).astype(np.intp)
    numbers = row if rows is None else rows[row]
    traces: list[dict] = []
    shown = [[X[:, i]] for i in range(m)]  # what each axis has to hold
    for i in range(m):
        for j in range(i):
            x, y, texts = without_overlaps(X[row, j], X[row, i])
            shown[j].append(x)
            shown[i].append(y)
            plain = Points.plain(light(x), light(y), label[row], numbers)
            points = replace(plain, texts=texts)
            pair, crowd = (names[j], names[i]), len(row) * m * m
            marks = point_traces(points, classes, pair, colours, words=words, crowd=crowd)
            traces += _on(marks, j, i)
        bars = histogram_traces(X[:, i], label, classes, colours, most_bins=16)
        traces += _on(bars, i, m + i)
    axes: dict[str, dict] = {}
    for i, values in enumerate(shown):
        axes |= _axes(np.concatenate(values), i, m, units[i] if units else "")
    margin = _MARGIN
    for i in range(1, m):
        margin = with_room(margin, axes[f"yaxis{_axis('y', i)[1:]}"])
    layout = frame(theme, (height or 60 + 120 * m) - margin.top - margin.bottom, margin) | axes
    layout["annotations"] = [_name(names[i], i, m, colours) for i in range(m)]
    if len(row) < n_rows:
        layout["annotations"].append(_note(len(row), n_rows, words or FigureWords(), colours))
    return Drawing(traces, layout)


def _axis(letter: str, i: int) -> str:
    return letter if i == 0 else f"{letter}{i + 1}"


def _on(traces: list[dict], x: int, y: int) -> list[dict]:
    return [{**trace, "xaxis": _axis("x", x), "yaxis": _axis("y", y)} for trace in traces]


def _span(i: int, m: int) -> list[float]:
    """Interval of column i as shares of the width.

    For row i, of the height, counted from the top.
    """
    size = (1 - _GAP * (m - 1)) / m
    start = i * (size + _GAP)
    return [start, min(1.0, start + size)]


def _axes(values: np.ndarray, i: int, m: int, unit: str) -> dict:
    """Axes of feature i: along column i, up row i, and for its histogram's counts."""
    low, high = pad_bounds(values, values)[:2]
    left, right = _span(i, m)
    up = [1 - right, 1 - left]
    common = {"nticks": 4 if m <= 4 else 3} | with_ticks({"range": [low, high]}, unit)
    common["ticklabeloverflow"] = "hide past domain"  # there the neighbour's may stand
    first_column = {"anchor": "x", "showticklabels": i > 0, "ticks": "outside" if i else ""}
    return {
        f"xaxis{_axis('x', i)[1:]}": {
            "domain": [left, right],
            "anchor": _axis("y", m - 1),
            **common,
        },
        f"yaxis{_axis('y', i)[1:]}": {"domain": up, **first_column, **common},
        f"yaxis{m + i + 1}": {
            "domain": up,
            "anchor": _axis("x", i),
            "visible": False,
            "fixedrange": True,
            "rangemode": "tozero",
        },
    }


def _name(name: str, i: int, m: int, theme: Theme) -> dict:
    """The feature's name above its histogram, where the matrix leaves room."""
    left, right = _span(i, m)
    last = i == m - 1
    return {
        "xref": "paper",
        "yref": "paper",
        "x": right if last else left,
        "y": 1 - left,
        "xanchor": "right" if last else "left",
        "yanchor": "bottom",
        "text": feature_html(shorten_name(name, 24)),
        "showarrow": False,
        "font": {"size": Size.axis, "color": theme.grey7},
        "name": "feature",
    }


def _note(shown: int, rows: int, words: FigureWords, theme: Theme) -> dict:
    return {
        "xref": "paper",
        "yref": "paper",
        "x": 1,
        "y": 1,
        "xanchor": "right",
        "yanchor": "bottom",
        "text": words.sampled.format(shown=number(shown), rows=number(rows)),
        "showarrow": False,
        "font": {"size": Size.tick, "color": theme.grey5},
        "name": "sampled",
    }
