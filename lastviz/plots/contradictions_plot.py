"""Rows that contradict each other: pairs of which the upper row is lower in class."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.plots.visuals.marks import point_traces
from lastviz.plots.visuals.panel import plane_figure
from lastviz.plots.visuals.points import Bounds, Points, padded
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import Words, escaped

from .visuals import marks
from .visuals.drawing import Drawing

SHADES = ("grey3", "grey5", "grey7")


def contradictions_plot(
    points: Points,
    pairs: np.ndarray,
    *,
    theme: ThemeName,
    names: tuple[str, str],
    class_names: Sequence[str],
    picked: np.ndarray | None = None,
    framed: np.ndarray | None = None,
    shade: np.ndarray | None = None,
    units: tuple[str, str] = ("", ""),
    height: int = 420,
    equal: bool = False,
    view: Bounds | None = None,
    words: Words | None = None,
) -> Drawing:
    """Draw rows by class and a segment between the two rows of each pair.

    Parameters
    ----------
    points : Points
    pairs : ndarray of float64, shape (n, 4)
        Places (x, y) of the lower row and of the upper row that contradicts it.
    names, units : (str, str)
        Of the features on the horizontal and the vertical axis.
    picked : ndarray of float64, shape (4,), optional
        The pair that the reader picked.
    framed : ndarray of float64, shape (k, 2), optional
        Places of rows in a square ink frame.
    shade : ndarray of intp, shape (n,), optional
        How dark each segment is, 0 to 2; 1 if not given.
    """
    colours = THEMES[theme]
    # Many segments must not hide the rows: where they are few they may be seen from afar.
    width = 1.5 if len(pairs) <= 40 else 0.75
    shade = np.ones(len(pairs), dtype=np.intp) if shade is None else shade
    traces = [
        marks.segments(pairs[shade == k], getattr(colours, SHADES[k]), width, role="contradiction",
                       name="pair")
        for k in np.unique(shade).tolist()
    ]  # fmt: skip
    classes = escaped(class_names)
    traces += point_traces(points, classes, names, colours, units=units, words=words)
    if picked is not None:
        traces += _picked(picked, colours)
    if framed is not None:
        traces.append(_around(framed, "square-open", colours.ink, "framed", "framed"))
    view = view or padded(points.x, points.y)
    return plane_figure(traces, view, names, units, theme=theme, height=height, equal=equal)


def _picked(pair: np.ndarray, theme: Theme) -> list[dict]:
    """Return the picked pair: a dashed line and a ring around each of its rows."""
    ends = pair.reshape(2, 2)
    line = marks.line(ends, theme.accent, 2.5, role="picked", name="picked pair", dash="6px,4px")
    return [line, _around(ends, "circle-open", theme.accent, "picked_rows", "picked rows")]


def _around(places: np.ndarray, symbol: str, colour: str, role: str, name: str) -> dict:
    """Return open marks around rows."""
    edge = (Size.outline, colour)
    return marks.symbols(*places.T, symbol, 17, colour, edge, role=role, name=name)
