"""How many of many trees agree, place by place: a cloud of tints, with one tree's borders."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.plots.visuals.marks import point_traces
from lastviz.plots.visuals.panel import (
    Panel,
    axis_names,
    compose,
    plane_axes,
    plane_margin,
)
from lastviz.plots.visuals.points import Bounds, Points
from lastviz.plots.visuals.theme import THEMES, Theme, ThemeName
from lastviz.plots.visuals.words import Words, escaped

from .visuals import marks
from .visuals.drawing import Drawing

BORDER = 1.5  # pixels
N_TINTS = 17  # of a class, from undecided to unanimous; more could not be told apart


def vote_share_plot(
    votes: np.ndarray,
    bounds: Bounds,
    borders: np.ndarray,
    points: Points,
    *,
    theme: ThemeName,
    class_names: Sequence[str],
    feature_names: tuple[str, str],
    height: int = 380,
    equal: bool = False,
    units: tuple[str, str] = ("", ""),
    words: Words | None = None,
) -> Drawing:
    """Draw which class most trees predict, the paler the fewer they are.

    Parameters
    ----------
    votes : ndarray of int, shape (n_rows, n_columns, n_classes)
        How many trees predict each class at the middles of the squares of a grid; the first row
        lies lowest.
    bounds : tuple of float
        (x_min, x_max, y_min, y_max), the window that the grid fills.
    borders : ndarray, shape (n, 4)
        Segments (x0, y0, x1, y1): the borders of the tree in question.
    points : Points
        The rows to draw.
    class_names : sequence of str
    feature_names : (str, str)
        Of the features on the axes; the second is empty for one feature over a dummy axis.
    height : int
        In pixels.
    equal : bool
        Whether one unit is as long on both axes.
    units : (str, str)
        Units of the features, empty if they have none.
    words : Words or None
        English if None.

    Notes
    -----
    With K classes the tint of a share p of the votes grows with (p - 1/K) / (1 - 1/K): paper is
    undecided.
    """
    colours, names = THEMES[theme], escaped(class_names)
    traces = [_cloud(votes, bounds, names, colours)]
    traces.append(marks.segments(borders, colours.ink, BORDER, role="border", name="this tree"))
    traces += point_traces(points, names, feature_names, colours, units=units, words=words)
    x_axis, y_axis = plane_axes(bounds, feature_names, units, equal=equal)
    within = {"constrain": "domain"} if equal else {}  # outside the window there is nothing
    panel = Panel(
        traces=traces,
        xaxis=x_axis | within,
        yaxis=y_axis | within,
        annotations=axis_names(feature_names, units, theme_grey=colours.grey7),
    )
    margin = plane_margin(feature_names, units, y_axis)
    return compose([panel], [height - margin.top - margin.bottom], theme=theme, margin=margin)


def _cloud(votes: np.ndarray, bounds: Bounds, names: Sequence[str], theme: Theme) -> dict:
    """Return the grid as an image whose every number stands for one tint of one class."""
    n_rows, n_columns, n_classes = votes.shape
    leading, total = votes.argmax(axis=2), votes.sum(axis=2)
    share = votes.max(axis=2) / np.maximum(total, 1)
    certain = (share - 1.0 / n_classes) / (1.0 - 1.0 / n_classes) if n_classes > 1 else share
    level = np.rint(np.clip(certain, 0.0, 1.0) * (N_TINTS - 1)).astype(np.intp)
    n_tints = n_classes * N_TINTS
    scale = []
    for tint in range(n_tints):
        colour = theme.certain(tint // N_TINTS, tint % N_TINTS / (N_TINTS - 1))
        scale += [[tint / n_tints, colour], [(tint + 1) / n_tints, colour]]
    (x0, x1), (y0, y1) = bounds[:2], bounds[2:]
    return {
        "type": "heatmap",
        "name": "votes",
        "meta": {"role": "votes"},
        "z": leading * N_TINTS + level,
        "x0": x0 + (x1 - x0) / n_columns / 2,
        "dx": (x1 - x0) / n_columns,
        "y0": y0 + (y1 - y0) / n_rows / 2,
        "dy": (y1 - y0) / n_rows,
        "zmin": -0.5,
        "zmax": n_tints - 0.5,
        "colorscale": scale,
        "showscale": False,
        "zsmooth": False,
        "hoverinfo": "skip",
    }
