"""How consistent each row is: its inclusion degree as a grey, from pale (1) to ink (0)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.plots.visuals.panel import plane_figure
from lastviz.plots.visuals.points import Bounds, Points, padded
from lastviz.plots.visuals.theme import THEMES, Theme, ThemeName, point_size, symbol
from lastviz.plots.visuals.words import Words, escaped, feature_html, hover_format

from .visuals import marks
from .visuals.drawing import Drawing

INCLUSION_LEVELS = ((1.0, "grey2"), (0.75, "grey3"), (0.5, "grey5"), (0.25, "grey7"), (0.0, "ink"))
"""The least degree of each shade and its name in the theme, from pale to dark."""


def inclusion_plot(
    points: Points,
    inclusion: np.ndarray,
    *,
    theme: ThemeName,
    names: tuple[str, str],
    class_names: Sequence[str],
    units: tuple[str, str] = ("", ""),
    height: int = 420,
    equal: bool = False,
    view: Bounds | None = None,
    words: Words | None = None,
    inclusion_word: str = "inclusion degree",
) -> Drawing:
    """Draw rows in the shade of their inclusion degree, with the symbols of their classes.

    Parameters
    ----------
    points : Points
        Those that are ``wrong`` get a ring: rows below the threshold.
    inclusion : ndarray of float64, shape (n_points,)
        D(x), from 0 to 1.
    names, units : (str, str)
        Of the features on the horizontal and the vertical axis.
    inclusion_word : str
        What hover texts call it.
    """
    colours, words = THEMES[theme], words or Words()
    level = _level(inclusion)
    classes = np.array(escaped(class_names), dtype=object)
    traces = [
        _shade(points, inclusion, i, level == i, classes, colours, names, inclusion_word)
        for i in range(len(INCLUSION_LEVELS))
        if (level == i).any()
    ]
    below = np.flatnonzero(points.wrong)
    if len(below):
        traces.append(marks.rings(points, below, words.wrong, colours, len(points)))
    view = view or padded(points.x, points.y)
    return plane_figure(traces, view, names, units, theme=theme, height=height, equal=equal)


def _level(inclusion: np.ndarray) -> np.ndarray:
    """Return the place of each row's shade in :data:`INCLUSION_LEVELS`."""
    falling = np.array([least for least, _ in INCLUSION_LEVELS])
    return (np.asarray(inclusion)[:, None] < falling).sum(axis=1)


def _shade(
    points: Points,
    inclusion: np.ndarray,
    place: int,
    which: np.ndarray,
    classes: np.ndarray,
    theme: Theme,
    names: tuple[str, str],
    inclusion_word: str,
) -> dict:
    least, token = INCLUSION_LEVELS[place]
    size = point_size(len(points))
    axes = [
        f"{feature_html(name)} %{{{letter}:{hover_format(places)}}}"
        for letter, name, places in zip("xy", names, (points.x, points.y), strict=True)
        if name
    ]
    return {
        "type": "scattergl" if len(points) > marks.WEBGL_FROM else "scatter",
        "mode": "markers",
        "name": f"D ≥ {least:g}",
        "meta": {"role": "inclusion", "level": place},
        "x": points.x[which],
        "y": points.y[which],
        "customdata": np.column_stack([points.row[which], inclusion[which]]),
        "text": classes[points.label[which]].tolist(),
        "hovertemplate": f"<b>%{{text}}</b><br>{inclusion_word} %{{customdata[1]:.4~r}}<br>"
        + ", ".join(axes)
        + "<extra></extra>",
        "marker": {
            "symbol": [symbol(k) for k in points.label[which].tolist()],
            "size": size.filled,
            "color": getattr(theme, token),
            "line": {"width": size.edge, "color": theme.grey5},
        },
    }
