"""Two features against each other."""

from __future__ import annotations

from collections.abc import Sequence

from lastviz.plots.visuals.marks import point_traces
from lastviz.plots.visuals.panel import plane_figure
from lastviz.plots.visuals.points import Bounds, Points, padded
from lastviz.plots.visuals.theme import THEMES, ThemeName
from lastviz.plots.visuals.words import Words, escaped

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
    words: Words | None = None,
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
    classes = escaped(class_names)
    traces = point_traces(points, classes, names, THEMES[theme], units=units, words=words)
    view = view or padded(points.x, points.y)
    return plane_figure(traces, view, names, units, theme=theme, height=height, equal=equal)
