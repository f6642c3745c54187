"""Where a forest draws its lines: rectangles of one class, the borders between them, the rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.inspection import ForestRegions
from lastviz.plots.visuals.marks import point_traces
from lastviz.plots.visuals.panel import Hit, hit, plane_figure
from lastviz.plots.visuals.points import Bounds, Points
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import Words, escaped

from .visuals import marks
from .visuals.drawing import Drawing

MOST_HITS = 600  # rectangles that say their class under the pointer


def forest_plot(
    regions: ForestRegions,
    points: Points,
    *,
    theme: ThemeName,
    class_names: Sequence[str],
    feature_names: tuple[str, str],
    height: int = 420,
    sample: tuple[float, float] | None = None,
    equal: bool = False,
    view: Bounds | None = None,
    units: tuple[str, str] = ("", ""),
    words: Words | None = None,
) -> Drawing:
    """Draw the regions of a forest and the rows in a plane.

    Parameters
    ----------
    regions : ForestRegions
    points : Points
        The rows, in the features of `regions`.
    class_names : sequence of str
    feature_names : (str, str)
        Of the features on the axes.
    height : int
        In pixels.
    sample : (float, float) or None
        A chosen place, marked by a dot.
    equal : bool
        Whether one unit is as long on both axes.
    view : (x_min, x_max, y_min, y_max) or None
        What is shown at first; all of `regions` if None.
    units : (str, str)
        Units of the features, empty if they have none.
    words : Words or None
        English if None.
    """
    colours, names = THEMES[theme], escaped(class_names)
    traces = forest_traces(regions, names, colours)
    traces += point_traces(points, names, feature_names, colours, units=units, words=words)
    if sample is not None:
        place = np.array([sample], dtype=np.float64)
        traces.append(marks.dots(place, colours, role="sample", name="sample"))
    return plane_figure(
        traces,
        view or _window(regions),
        feature_names,
        units,
        theme=theme,
        height=height,
        equal=equal,
        hits=_hits(regions, names),
    )


def forest_traces(regions: ForestRegions, names: Sequence[str], theme: Theme) -> list[dict]:
    """Return one trace of rectangles a class, and the borders between different classes."""
    x0, x1, y0, y1 = regions.rectangles.T
    corners = np.stack([x0, y0, x1, y0, x1, y1, x0, y1], axis=1).reshape(-1, 2)
    offset = 4 * np.arange(len(x0) + 1)
    traces = []
    for index in np.unique(regions.rectangle_label):
        which = np.flatnonzero(regions.rectangle_label == index)
        xy = marks.joined(corners, offset, which)
        colour = theme.region(int(index))
        meta = {"class": int(index), "state": "full"}
        traces.append(marks.polygons(xy, colour, role="region", name=names[index], **meta))
    lines = region_borders(regions)
    traces.append(marks.segments(lines, theme.grey5, Size.curve, role="border", name="border"))
    return traces


def region_borders(regions: ForestRegions) -> np.ndarray:
    """Return the sides between cells of different classes, (n, 4), running on where they can."""
    x, y, label = regions.x_edges, regions.y_edges, regions.label
    column, row = np.nonzero((label[:, 1:] != label[:, :-1]).T)
    upright = np.stack([x[column + 1], y[row], x[column + 1], y[row + 1]], axis=1)
    row, column = np.nonzero(label[1:] != label[:-1])
    level = np.stack([x[column], y[row + 1], x[column + 1], y[row + 1]], axis=1)
    return np.concatenate([upright, level])


def _window(regions: ForestRegions) -> Bounds:
    x, y = regions.x_edges, regions.y_edges
    return float(x[0]), float(x[-1]), float(y[0]), float(y[-1])


def _hits(regions: ForestRegions, names: Sequence[str]) -> list[Hit]:
    if len(regions.rectangles) > MOST_HITS:
        return []
    return [
        hit(i, [[x0, y0], [x1, y0], [x1, y1], [x0, y1]], f"<b>{names[k]}</b>")
        for i, ((x0, x1, y0, y1), k) in enumerate(
            zip(regions.rectangles.tolist(), regions.rectangle_label.tolist(), strict=True)
        )
    ]
