"""Two models in one plane: agreement, one-sided predictions, and the borders of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from lastviz.inspection import Overlay
from lastviz.plots.visuals.marks import Points, point_traces
from lastviz.plots.visuals.panel import (
    Hit,
    Panel,
    axis_names,
    compose,
    hit,
    plane_axes,
    plane_margin,
)
from lastviz.plots.visuals.plane_axes import (
    AxisBands,
    band_shapes,
    banded_margin,
    banded_names,
    with_bands,
)
from lastviz.plots.visuals.theme import THEMES, Theme, ThemeName
from lastviz.plots.visuals.words import FigureWords, escape_names

from .visuals import marks
from .visuals.drawing import Drawing

WIDTH = 440  # pixels of the horizontal axis where nobody says
MOST_HITS = 600  # cells that answer the pointer
DISAGREE = 22  # shade of grey where the models differ
FIRST, SECOND = 2.25, 2.0  # pixels of the borders of either model


def difference_plot(
    overlay: Overlay,
    borders: tuple[np.ndarray, np.ndarray],
    points: Points,
    *,
    theme: ThemeName,
    class_names: Sequence[str],
    feature_names: tuple[str, str],
    texts: Mapping[tuple[int, int], str] | None = None,
    height: int = 380,
    equal: bool = False,
    units: tuple[str, str] = ("", ""),
    words: FigureWords | None = None,
    bands: tuple[AxisBands | None, AxisBands | None] = (None, None),
) -> Drawing:
    """Draw the regions of agreement and disagreement of two models.

    Agreement has the tint of the class, disagreement is grey.

    Parameters
    ----------
    overlay : Overlay
    borders : (ndarray, ndarray), shape (n, 4) each
        The borders between the classes of the first model, drawn in ink, and of the second,
        dashed.
    points : Points
        The rows to draw, usually those of which the models predict different classes.
    class_names : sequence of str
    feature_names : (str, str)
        Of the features on the axes; the second is empty for one feature over a dummy axis.
    texts : mapping from (int, int) to html, or None
        What the pointer reads in a cell where the models predict these two classes.
    height : int
        In pixels.
    equal : bool
        Whether one unit is as long on both axes.
    units : (str, str)
        Units of the features, empty if they have none.
    words : Words or None
        English if None.
    bands : (AxisBands or None, AxisBands or None)
        Of axes with categories or missing values.
    """
    colours, names = THEMES[theme], escape_names(class_names)
    traces = _cells(overlay, names, colours)
    for which, lines in enumerate(borders):
        traces.append(_border(lines, which, colours))
    traces += point_traces(points, names, feature_names, colours, units=units, words=words)
    x_axis, y_axis = with_bands(
        plane_axes(overlay.bounds, feature_names, units, equal=equal), bands, WIDTH
    )
    within = {"constrain": "domain"} if equal else {}  # outside the window there is nothing
    panel = Panel(
        traces=traces,
        xaxis=x_axis | within,
        yaxis=y_axis | within,
        annotations=banded_names(axis_names(feature_names, units, theme_grey=colours.grey7), bands),
        shapes=band_shapes(bands, colours),
        hits=_hits(overlay, texts or {}),
    )
    margin = banded_margin(plane_margin(feature_names, units, y_axis), bands)
    return compose([panel], [height - margin.top - margin.bottom], theme=theme, margin=margin)


def _cells(overlay: Overlay, names: Sequence[str], theme: Theme) -> list[dict]:
    """One trace for each class that both predict somewhere, one for where they differ."""
    agrees, traces = overlay.agrees, []
    for index in np.unique(overlay.prediction[agrees, 0]).tolist():
        which = np.flatnonzero(agrees & (overlay.prediction[:, 0] == index))
        xy = marks.join_polygons(overlay.vertices, overlay.offset, which)
        meta = {"class": index, "state": "full"}
        tint = theme.region(index)
        traces.append(marks.polygons(xy, tint, role="region", name=names[index], **meta))
    differ = np.flatnonzero(~agrees)
    if len(differ):
        xy = marks.join_polygons(overlay.vertices, overlay.offset, differ)
        grey = theme.shade(DISAGREE)
        traces.append(marks.polygons(xy, grey, role="disagreement", name="differ"))
    return traces


def _border(lines: np.ndarray, which: int, theme: Theme) -> dict:
    if which == 0:
        return marks.segments(lines, theme.ink, FIRST, role="first_border", name="first model")
    xy = marks.join_segments(lines)
    about = {"role": "second_border", "name": "second model", "dash": "6px,4px"}
    return marks.line(xy, theme.grey7, SECOND, **about)


def _hits(overlay: Overlay, texts: Mapping[tuple[int, int], str]) -> list[Hit]:
    if len(overlay.area) > MOST_HITS:
        return []
    pairs = map(tuple, overlay.prediction.tolist())
    return [hit(i, overlay.cell(i).tolist(), texts.get(pair, "")) for i, pair in enumerate(pairs)]
