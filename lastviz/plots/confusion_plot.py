"""Confusion matrix of the classes: a heat map of numbers, in greys."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.inspection import CostCurve, RankingCurve, Reliability
from lastviz.plots.visuals.panel import Margin, Panel, axis_names, compose
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import (
    FigureWords,
    distinct_labels,
    escape_names,
    number,
    text_width,
)

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
    words: FigureWords | None = None,
) -> Drawing:
    """Draw a confusion matrix, true classes as rows, predicted ones as columns.

    `matrix` has the shape (n_classes, n_classes).

    A cell is the darker the larger its share of its row; the diagonal is right.
    """
    words = words or FigureWords()
    colours = THEMES[theme]
    matrix = np.asarray(matrix)
    n = len(matrix)
    names = escape_names(class_names)
    short = escape_names(distinct_labels(map(str, class_names), _LETTERS))
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


def _cells(matrix: np.ndarray, names: Sequence[str], theme: Theme, words: FigureWords) -> dict:
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


def _about(true: str, predicted: str, words: FigureWords) -> str:
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


def _titles(words: FigureWords, theme: Theme) -> list[dict]:
    top = {"xref": "domain", "yref": "domain", "x": 0, "y": 1, "yanchor": "bottom"}
    font = {"size": Size.tick, "color": theme.grey5}
    titles = ((words.true_class, "right", 0), (words.predicted_class, "left", _EDGE))
    return [
        {**top, "text": text, "xanchor": anchor, "xshift": shift, "showarrow": False, "font": font}
        for text, anchor, shift in titles
    ]


# ---- What errors cost over the decision threshold


ROOM = 1.12  # of the highest cost: how far the panel reaches
ABOVE_AXIS_NAME = 22  # pixels


def cost_curve_plot(
    curves: dict[str, CostCurve],
    *,
    theme: ThemeName,
    chosen: float,
    cheapest: float,
    names: tuple[str, str],
    axes: tuple[str, str],
    height: int = 300,
) -> Drawing:
    """Draw the expected cost of a row over the threshold, in steps from leaf to leaf.

    Parameters
    ----------
    curves : dict of str to CostCurve
        By the name that stands at its right end; the first in ink, the second dotted.
    chosen : float
        The reader's threshold, a share.
    cheapest : float
        The threshold that follows from the costs.
    names : (str, str)
        What stands at the two thresholds.
    axes : (str, str)
        Names of the axes.
    height : int
        Of the whole figure, in pixels.
    """
    colours = THEMES[theme]
    top = ROOM * max(float(curve.cost.max()) for curve in curves.values()) or 1.0
    traces = [
        _steps(curve, name, colours, is_first=place == 0)
        for place, (name, curve) in enumerate(curves.items())
    ]
    for at, colour, dash, role in (
        (cheapest, colours.ink, "solid", "cheapest"),
        (chosen, colours.accent, "dash", "chosen"),
    ):
        stem = np.array([[100 * at, 0.0], [100 * at, top]])
        traces.append(marks.line(stem, colour, Size.curve, role=role, name=role, dash=dash))
    panel = Panel(
        traces=traces,
        xaxis={"range": [0, 100], "fixedrange": True, "ticksuffix": " %"},
        yaxis={"range": [0, top], "fixedrange": True, "nticks": 5},
        annotations=[
            *axis_names(axes, theme_grey=colours.grey7),
            *_names(names, (cheapest, chosen), (colours.ink, colours.accent)),
        ],
    )
    margin = Margin(left=56, right=24, top=66, bottom=48)
    return compose([panel], [height - margin.top - margin.bottom], theme=theme, margin=margin)


def _steps(curve: CostCurve, name: str, theme: Theme, *, is_first: bool) -> dict:
    """Curve that stays at a cost up to the next threshold."""
    x, y = np.r_[curve.threshold, 1.0] * 100.0, np.r_[curve.cost, curve.cost[-1]]
    look = {"dash": "solid"} if is_first else {"dash": "dot"}
    xy, colour = np.column_stack([x, y]), theme.grey7 if is_first else theme.grey5
    trace = marks.line(xy, colour, Size.curve, role="cost", name=name, **look)
    trace["line"]["shape"] = "hv"
    trace["hoverinfo"] = "all"
    trace["hovertemplate"] = f"%{{x:.3~r}} %<br>{name} %{{y:.4~r}}<extra></extra>"
    return trace


def _names(names: tuple[str, str], at: tuple[float, float], colours: tuple[str, str]) -> list[dict]:
    """Name both thresholds above the panel, the reader's own above the other."""
    found = []
    for place, (name, share, colour) in enumerate(zip(names, at, colours, strict=True)):
        side = "left" if share < 0.25 else "right" if share > 0.75 else "center"
        found.append(
            {
                "x": 100 * share,
                "y": 1,
                "yref": "domain",
                "name": "threshold",
                "text": name,
                "showarrow": False,
                "xanchor": side,
                "yanchor": "bottom",
                "yshift": ABOVE_AXIS_NAME + 20 * place,
                "font": {"size": Size.tick, "color": colour},
            }
        )
    return found


# ---- How the shares of the leaves rank rows: ROC and precision-recall


def ranking_plots(
    curves: dict[str, RankingCurve],
    *,
    theme: ThemeName,
    chosen: float,
    axes: tuple[tuple[str, str], tuple[str, str]],
    height: int = 300,
) -> tuple[Drawing, Drawing]:
    """Draw the ROC curve, and precision over recall, with a ring at the threshold.

    Parameters
    ----------
    curves : dict of str to RankingCurve
        By their names; the first in ink, the second dotted.
    chosen : float
        The reader's threshold, a share.
    axes : pair of (str, str)
        Names of the axes of either picture, in per cent.
    height : int
        Of each figure, in pixels.

    Notes
    -----
    Between two thresholds rows of equal shares are drawn at random on the ROC curve, hence its
    straight lines; precision has steps (Davis and Goadrich 2006). Dashed: shares without a tree.
    """
    colours, drawn = THEMES[theme], []
    first = next(iter(curves.values()))
    base = 100.0 * first.n_in_class / (first.n_in_class + first.n_others)
    for is_roc, names in zip((True, False), axes, strict=True):
        chance = np.array([[0.0, 0.0 if is_roc else base], [100.0, 100.0 if is_roc else base]])
        look = {"role": "chance", "name": "chance", "dash": "dash"}
        traces = [marks.line(chance, colours.grey3, Size.split, **look)]
        for place, (name, curve) in enumerate(curves.items()):
            xy = _ranks(curve, is_roc=is_roc)
            colour, dash = (colours.grey5, "dot") if place else (colours.ink, "solid")
            trace = marks.line(xy, colour, Size.curve, role="ranking", name=name, dash=dash)
            trace["line"]["shape"] = "linear" if is_roc else "vh"
            trace["hoverinfo"] = "all"
            trace["hovertemplate"] = f"{name}: %{{x:.3~r}} %, %{{y:.3~r}} %<extra></extra>"
            traces.append(trace)
        at = first.at(chosen)
        x, y = _ranks(first, is_roc=is_roc)[at : at + 1].T
        ring = ("circle-open", np.array([15.0]), colours.accent, (Size.curve, colours.accent))
        traces.append(marks.symbols(x, y, *ring, role="chosen", name="chosen"))
        drawn.append(_in_percent(traces, names, theme, height))
    return drawn[0], drawn[1]


def _ranks(curve: RankingCurve, *, is_roc: bool) -> np.ndarray:
    """Places of a curve in per cent, shape (n_thresholds, 2)."""
    if is_roc:
        return 100.0 * np.column_stack([curve.false_positive_rate, curve.recall])
    return 100.0 * np.column_stack([curve.recall, curve.precision])


# ---- Whether the shares of the leaves hold for rows that the tree has not seen


LEAST, MOST = 5.0, 26.0  # pixels across: a leaf of few rows, that of the most


def reliability_plot(
    found: Reliability,
    *,
    theme: ThemeName,
    axes: tuple[str, str],
    hover: Sequence[str],
    height: int = 300,
) -> Drawing:
    """Draw the observed share of a class in each leaf against the predicted one.

    The area of a mark shows the number of rows behind the observed share.

    A leaf on the diagonal keeps its word. The line through a leaf is one standard error of the
    share found.

    Parameters
    ----------
    axes : (str, str)
        Names of the axes, in per cent.
    hover : sequence of str
        What the pointer reads over each leaf, as html.
    height : int
        Of the whole figure, in pixels.
    """
    colours = THEMES[theme]
    diagonal = np.array([[0.0, 0.0], [100.0, 100.0]])
    traces = [
        marks.line(diagonal, colours.grey3, Size.split, role="diagonal", name="as predicted"),
        marks.segments(_errors(found), colours.grey3, Size.split, role="error", name="error"),
        _leaves(found, hover, colours),
    ]
    return _in_percent(traces, axes, theme, height)


def _in_percent(
    traces: list[dict], axes: tuple[str, str], theme: ThemeName, height: int
) -> Drawing:
    """Figure with two axes from 0 to 100 %."""
    ticks = {"range": [-5, 105], "fixedrange": True, "tickvals": [0, 25, 50, 75, 100]}
    names = axis_names(axes, theme_grey=THEMES[theme].grey7)
    panel = Panel(traces=traces, xaxis=ticks, yaxis=dict(ticks), annotations=names)
    margin = Margin(left=48, right=24, top=30, bottom=48)
    return compose([panel], [height - margin.top - margin.bottom], theme=theme, margin=margin)


def _errors(found: Reliability) -> np.ndarray:
    """One standard error above and below each leaf, as upright segments (n, 4)."""
    spread = np.sqrt(found.found * (1.0 - found.found) / found.n_rows)
    x, low = 100 * found.predicted, 100 * np.maximum(found.found - spread, 0.0)
    return np.column_stack([x, low, x, 100 * np.minimum(found.found + spread, 1.0)])


def _leaves(found: Reliability, hover: Sequence[str], theme: Theme) -> dict:
    most = found.n_rows.max(initial=1.0)
    size = np.maximum(MOST * np.sqrt(found.n_rows / most), LEAST)
    x, y, look = 100 * found.predicted, 100 * found.found, ("circle", size, theme.grey5)
    edge = (Size.split, theme.paper)
    return marks.symbols(x, y, *look, edge, role="leaf", name="leaf", texts=list(hover))
