"""Trees beside each other as they grow: a row each, a panel for every further level."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.inspection import Regions
from lastviz.plots.visuals.marks import point_traces
from lastviz.plots.visuals.panel import Margin, add_small_plane, frame, title_above
from lastviz.plots.visuals.points import Bounds, Points
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import escaped

from .visuals import marks
from .visuals.drawing import Drawing

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
    """Draw `n_splits` panels for each tree: the plane after its first, second, ... splits.

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
    names = escaped(class_names)
    font = {"size": Size.tick, "color": colours.grey7}
    for row, (title, regions) in enumerate(rows):
        order = _order_of_splits(regions)
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


def _order_of_splits(regions: Regions) -> np.ndarray:
    """Return the positions of the inner nodes in `regions`, level by level."""
    inner = np.flatnonzero(~regions.leaf)
    return inner[np.lexsort((regions.node[inner], regions.depth[inner]))]


def _split_traces(regions: Regions, order: np.ndarray, theme: Theme, column: int) -> list[dict]:
    old = regions.segment[order[:column]]
    newest = regions.segment[order[column : column + 1]]
    traces = [marks.segments(old, theme.grey5, Size.split, role="split", name="split")]
    if len(newest):
        role = "chosen_split"
        traces.append(marks.segments(newest, theme.ink, 2.5, role=role, name="newest split"))
    return traces
