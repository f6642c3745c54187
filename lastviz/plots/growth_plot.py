"""The stage on which a tree grows: axes and rows, and empty marks that each step fills.

The steps are played in the browser, so the marks that change come without places: the player
finds them by their role and, where a mark belongs to a class, by ``meta["class"]``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.inspection import Regions
from lastviz.plots.visuals.marks import Bounds, Points, point_traces
from lastviz.plots.visuals.panel import (
    Margin,
    Panel,
    add_small_plane,
    axis_names,
    compose,
    frame,
    plane_axes,
    plane_margin,
    title_above,
)
from lastviz.plots.visuals.plane_axes import (
    AxisBands,
    band_shapes,
    banded_margin,
    banded_names,
    with_bands,
)
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import FigureWords, escape_names, text_width

from .visuals import marks
from .visuals.drawing import Drawing

NOWHERE = np.empty((0, 2))
ROW = 46  # pixels of a class in the picture of values
LETTERS = 18
WIDTH = 560  # pixels of the horizontal axis, about


def growth_plot(
    points: Points,
    *,
    theme: ThemeName,
    features: tuple[str, str],
    class_names: Sequence[str],
    curved: bool = False,
    equal: bool = False,
    view: Bounds,
    units: tuple[str, str] = ("", ""),
    height: int = 560,
    words: FigureWords | None = None,
    bands: tuple[AxisBands | None, AxisBands | None] = (None, None),
) -> Drawing:
    """Draw the rows in a plane, and prepare the marks of the steps.

    Parameters
    ----------
    points : Points
    features : (str, str)
        Names of the features on the axes.
    class_names : sequence of str
    curved : bool
        Whether the splits are curves of machines; they bring their margins and a ground on
        which only the class that leaves is tinted.
    equal : bool
        Whether one unit is as long on both axes.
    view : (x_min, x_max, y_min, y_max)
        What is shown at first.
    units : (str, str)
        Of the features, empty if they have none.
    height : int
        Of the whole figure, in pixels.
    words : Words or None
        Words for hover texts; English if None.
    bands : (AxisBands or None, AxisBands or None)
        Of axes with categories or missing values.
    """
    colours, names = THEMES[theme], escape_names(class_names)
    traces = [] if not curved else [_area("ground", "ground", colours.grey1)]
    for index, name in enumerate(names):
        for state, faded in (("faded", True), ("full", False)):
            meta = {"class": index, "state": state}
            traces.append(_area("region", name, colours.region(index, faded=faded), **meta))
    traces.append(_area("group", "classes split off", colours.grey2))
    traces += _lines(colours, curved)
    traces += point_traces(points, names, features, colours, units=units, words=words)
    nobody = np.empty(0, dtype=np.intp)
    traces.append(marks.rings(points, nobody, "lost", colours, len(points)) | {"type": "scatter"})
    traces[-1]["meta"] = {"role": "lost"}
    axes = with_bands(plane_axes(view, features, units, equal=equal), bands, WIDTH)
    names = banded_names(axis_names(features, units, theme_grey=colours.grey7), bands)
    panel = Panel(traces, *axes, names, band_shapes(bands, colours))
    margin = banded_margin(plane_margin(features, units, axes[1]), bands)
    return compose([panel], [height - margin.top - margin.bottom], theme=theme, margin=margin)


def growth_values_plot(
    class_names: Sequence[str], *, theme: ThemeName, word: str = "f", least: int = 320
) -> Drawing:
    """Prepare a row per class for the histogram of its decision values, step by step.

    Parameters
    ----------
    class_names : sequence of str
        From top to bottom.
    word : str
        Name of the horizontal axis.
    least : int
        Least height in pixels.
    """
    colours = THEMES[theme]
    names = [name if len(name) <= LETTERS else name[: LETTERS - 1] + "…" for name in class_names]
    names = list(escape_names(names))
    traces = [
        _area("ridge", name, colours.hue(index), **{"class": index})
        for index, name in enumerate(names)
    ]
    traces += _lines(colours, curved=True)
    n = len(names)
    y_axis = {
        "range": [-0.3, n],
        "tickvals": list(range(n))[::-1],
        "ticktext": names,
        "fixedrange": True,
        "ticks": "",
    }
    annotation = axis_names((word, ""), theme_grey=colours.grey7)
    panel = Panel(traces, {"range": [-3.0, 3.0]}, y_axis, annotation)
    left = max(48, round(max(text_width(name) for name in names)) + 16)
    margin = Margin(left=min(left, 170), right=28, top=8, bottom=30)
    return compose([panel], [max(least, ROW * n)], theme=theme, margin=margin)


def _area(role: str, name: str, colour: str, **meta) -> dict:
    return marks.polygons(NOWHERE, colour, role=role, name=name, **meta)


def _lines(theme: Theme, curved: bool) -> list[dict]:
    """Traces of the splits that stay and those removed, margins and a frame.

    Among them is the split of the current step; the frame is that of a region.
    """
    split = marks.line(NOWHERE, theme.grey3, Size.split, role="split", name="split")
    gone = marks.line(NOWHERE, theme.grey5, Size.split, role="gone", name="cut back", dash="dash")
    margin = marks.line(NOWHERE, theme.grey3, 1.25, role="margin", name="f = ±1", dash="dot")
    chosen = marks.line(
        NOWHERE, theme.ink, 2.75 if curved else Size.chosen, role="chosen_split", name="this split"
    )
    frame = marks.line(NOWHERE, theme.ink, Size.outline, role="chosen_region", name="this node")
    bed = [] if curved else [marks.halo(NOWHERE, theme)]
    return [split, gone, margin, *bed, chosen, frame]


# ---- Trees beside each other as they grow: a row each, a panel for every further level


PANEL, GAP = 168, 14


def successive_splits_plot(
    rows: Sequence[tuple[str, Regions]],
    points: Points,
    n_splits: int,
    *,
    theme: ThemeName,
    class_names: Sequence[str],
    view: Bounds,
    split_word: str = "split {n}",
) -> Drawing:
    """Draw the plane after the first, second, ... split, `n_splits` panels per tree.

    Splits are counted by level from the root, in each level from the largest node; a panel
    shows the splits so far, the newest in ink.

    Parameters
    ----------
    rows : sequence of (str, Regions)
        Title (plotly html) and regions of each tree, all in the same plane.
    points : Points
    n_splits : int
    view : (x_min, x_max, y_min, y_max)
    split_word : str
        Heads a column; {n} is the number of splits.
    """
    colours = THEMES[theme]
    width, height = 1.0 / n_splits, len(rows) * (PANEL + GAP) - GAP
    layout = frame(theme, height, Margin(left=110, right=4, top=26, bottom=4))
    traces: list[dict] = []
    names = escape_names(class_names)
    font = {"size": Size.tick, "color": colours.grey7}
    for row, (title, regions) in enumerate(rows):
        inner = np.flatnonzero(~regions.leaf)
        order = inner[np.lexsort((regions.node[inner], regions.depth[inner]))]  # level by level
        for column in range(n_splits):
            number = row * n_splits + column + 1
            tail = "" if number == 1 else str(number)
            across = [column * width + 0.006, (column + 1) * width - 0.006]
            top = 1.0 - row * (PANEL + GAP) / height
            up = [max(0.0, top - PANEL / height), top]
            add_small_plane(layout, tail, view, across, up, {"linecolor": colours.grey2})
            axes = {"xaxis": "x" + tail, "yaxis": "y" + tail}
            here = _split_traces(regions, order[: column + 1], colours, column)
            small = point_traces(points, names, ("", ""), colours, crowd=4 * len(points))
            traces += [{**t, "hoverinfo": "skip", "hovertemplate": None, **axes}
                       for t in (*here, *small)]  # fmt: skip
            if row == 0:
                word = split_word.format(n=column + 1)
                layout["annotations"].append(title_above(word, tail, colours, 3))
        first = "" if row == 0 else str(row * n_splits + 1)
        layout["annotations"].append(
            {"text": title, "showarrow": False, "font": font, "xref": "paper", "x": 0,
             "xanchor": "right", "xshift": -10, "yref": f"y{first} domain", "y": 0.5,
             "yanchor": "middle"}
        )  # fmt: skip
    return Drawing(traces, layout)


def _split_traces(regions: Regions, order: np.ndarray, theme: Theme, column: int) -> list[dict]:
    old = regions.segment[order[:column]]
    newest = regions.segment[order[column : column + 1]]
    traces = [marks.segments(old, theme.grey5, Size.split, role="split", name="split")]
    if len(newest):
        role = "chosen_split"
        traces.append(marks.segments(newest, theme.ink, 2.5, role=role, name="newest split"))
    return traces
