"""The rows of a node in a plane, and the line that parts them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lastviz.inspection import Regions
from lastviz.plots.visuals.marks import Bounds, Points, pad_bounds, point_traces
from lastviz.plots.visuals.panel import Margin, Panel, axis_names, compose, plane_axes, plane_margin
from lastviz.plots.visuals.plane_axes import (
    AxisBands,
    band_shapes,
    banded_margin,
    banded_names,
    with_bands,
)
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName, point_size
from lastviz.plots.visuals.words import FigureWords, escape_names

from .visuals import marks
from .visuals.drawing import Drawing

WIDTH = 640  # pixels of the horizontal axis, about


@dataclass(frozen=True)
class Arrow:
    """A direction in the plane: both ends as (x, y), and its name.

    `chosen` is whether it is the direction of the split.
    """

    start: tuple[float, float]
    end: tuple[float, float]
    name: str
    chosen: bool


def cut_plane_plot(
    points: Points,
    inside: np.ndarray,
    line: np.ndarray,
    *,
    theme: ThemeName,
    names: tuple[str, str],
    class_names: Sequence[str],
    dashed: bool = False,
    regions: Regions | None = None,
    lines_of: np.ndarray | None = None,
    arrows: Sequence[Arrow] = (),
    highlighted: int | None = None,
    units: tuple[str, str] = ("", ""),
    height: int = 380,
    equal: bool = False,
    view: Bounds | None = None,
    small: bool = False,
    words: FigureWords | None = None,
    bands: tuple[AxisBands | None, AxisBands | None] = (None, None),
) -> Drawing:
    """Draw a node's rows with its split; all other rows are small and grey.

    Parameters
    ----------
    points : Points
        All rows to be drawn; rings go around those that are ``wrong`` and inside.
    inside : ndarray of bool, shape (n_points,)
        Which of them the node holds.
    line : ndarray, shape (k, 2)
        The ends of the split; empty if it does not show in this plane.
    names, units : (str, str)
        Of the axes; a vertical axis without a name means nothing.
    dashed : bool
        Whether the split does not lie in the plane and the line is only its cut.
    regions : Regions or None
        What the model says in this plane: pale tints and the other splits in grey.
    lines_of : ndarray of intp or None
        The nodes whose splits are drawn in grey; all if None.
    arrows : sequence of Arrow
        Components as directions in this plane.
    highlighted : int or None
        Position of the row to be marked.
    equal : bool
        Whether one unit should be as long on both axes.
    view : (x_min, x_max, y_min, y_max) or None
        What is shown at first; the rows inside if None.
    small : bool
        Whether this is one of several small pictures: no ticks, small names.
    bands : (AxisBands or None, AxisBands or None)
        Of axes with categories or missing values.
    """
    colours = THEMES[theme]
    view = view or pad_bounds(points.x[inside], points.y[inside])
    x_axis, y_axis = with_bands(plane_axes(view, names, units, equal=equal), bands, WIDTH)
    margin = banded_margin(plane_margin(names, units, y_axis), bands)
    if small:
        margin = Margin(left=22, right=8, top=26, bottom=32)
        x_axis |= {"showticklabels": False}
        y_axis |= {"showticklabels": False}
    traces = _model_traces(regions, lines_of, class_names, colours)
    traces.append(_outside(points, ~inside, colours))
    if len(line):
        traces += _split(line, dashed, colours)
    shown = points.part(inside)
    crowd = 3 * len(shown) if small else None
    classes = escape_names(class_names)
    traces += point_traces(shown, classes, names, colours, units=units, words=words, crowd=crowd)
    if highlighted is not None:
        place = np.array([[points.x[highlighted], points.y[highlighted]]], dtype=np.float64)
        traces.append(marks.dots(place, colours, role="highlighted", name="highlighted row"))
    labels = axis_names(names, units, theme_grey=colours.grey7, lift=8)
    labels = banded_names(labels, bands)
    if small:
        labels = [_closer(label) for label in labels]
    panel = Panel(
        traces=traces,
        xaxis=x_axis,
        yaxis=y_axis,
        shapes=band_shapes(bands, colours),
        annotations=labels + [note for arrow in arrows for note in _arrow(arrow, colours)],
    )
    return compose([panel], [height - margin.top - margin.bottom], theme=theme, margin=margin)


def _model_traces(
    regions: Regions | None, lines_of: np.ndarray | None, names: Sequence[str], theme: Theme
) -> list[dict]:
    """The model's own picture of the plane, pale: it stands behind the rows."""
    if regions is None:
        return []
    visible = regions.visible()
    label = regions.prediction[visible]
    traces = []
    for index in np.unique(label).tolist():
        xy = marks.join_polygons(regions.vertices, regions.offset, visible[label == index])
        colour = theme.region(index, faded=True)
        meta = {"class": index}
        traces.append(marks.polygons(xy, colour, role="region", name=str(names[index]), **meta))
    drawn = ~regions.leaf if lines_of is None else np.isin(regions.node, lines_of)
    lines = regions.segment[drawn]
    traces.append(marks.segments(lines, theme.grey3, Size.split, role="split", name="split"))
    return traces


def _split(line: np.ndarray, dashed: bool, theme: Theme) -> list[dict]:
    dash = "12px,8px" if dashed else "solid"
    name = "cut of the split" if dashed else "split"
    role = "cut" if dashed else "chosen_split"
    ink = marks.line(line, theme.ink, Size.chosen, role=role, name=name, dash=dash)
    return [marks.halo(line, theme), ink]


def _outside(points: Points, which: np.ndarray, theme: Theme) -> dict:
    return {
        "type": "scattergl" if len(points) > marks.WEBGL_FROM else "scatter",
        "mode": "markers",
        "name": "other rows",
        "meta": {"role": "outside"},
        "x": points.x[which],
        "y": points.y[which],
        "customdata": points.row[which],
        "hoverinfo": "none",
        "marker": {"size": min(4, point_size(len(points)).filled), "color": theme.grey2},
    }


def _closer(label: dict) -> dict:
    """Put an axis name where a small picture has room for it."""
    if label["name"] == "x name":
        return label | {"xanchor": "right", "yanchor": "top", "xshift": 0, "yshift": -4}
    return label | {"xanchor": "left", "yanchor": "bottom", "xshift": -18, "yshift": 0}


def _arrow(arrow: Arrow, theme: Theme) -> list[dict]:
    colour = theme.ink if arrow.chosen else theme.grey5
    (x0, y0), (x1, y1) = arrow.start, arrow.end
    head = {
        "x": x1, "y": y1, "ax": x0, "ay": y0, "axref": "x", "ayref": "y", "text": "",
        "showarrow": True, "arrowhead": 2, "arrowwidth": 2.5 if arrow.chosen else 1.75,
        "arrowcolor": colour, "name": "component",
    }  # fmt: skip
    label = {
        "x": x1, "y": y1, "text": arrow.name, "showarrow": False, "name": "component name",
        "xanchor": "left" if x1 >= x0 else "right", "yanchor": "bottom" if y1 >= y0 else "top",
        "font": {"size": Size.axis, "color": colour},
    }  # fmt: skip
    return [head, label]


# ---- A node's rows in a plane with several lines that would part them


BEST, PICKED = 2.25, 2.5  # pixels


def plane_lines_plot(
    points: Points,
    inside: np.ndarray,
    lines: Mapping[str, np.ndarray],
    *,
    theme: ThemeName,
    **options: object,
) -> Drawing:
    """Draw the rows of a node and the lines that were compared.

    Parameters
    ----------
    points, inside
        As :func:`cut_plane_plot` takes them.
    lines : mapping of {"best", "chosen", "picked"} to ndarray, shape (k, 2)
        The ends of each line; empty where it does not show in this plane.
    **options
        Those of :func:`cut_plane_plot`.
    """
    colours = THEMES[theme]
    chosen = lines.get("chosen", np.empty((0, 2)))
    drawing = cut_plane_plot(points, inside, chosen, theme=theme, **options)
    looks = {
        "best": (colours.grey5, BEST, "solid"),
        "picked": (colours.accent, PICKED, "12px,8px"),
    }
    for role, (colour, width, dash) in looks.items():
        ends = lines.get(role, np.empty((0, 2)))
        if len(ends):
            drawing.traces.append(marks.line(ends, colour, width, role=role, name=role, dash=dash))
    return drawing
