"""The trees of a forest beside each other: a small plane each."""

from __future__ import annotations

from collections.abc import Sequence

from lastviz.inspection import ForestRegions
from lastviz.plots.visuals.panel import Margin, add_small_plane, frame, hit, title_above
from lastviz.plots.visuals.points import Bounds
from lastviz.plots.visuals.theme import THEMES, Size, ThemeName
from lastviz.plots.visuals.words import escaped

from .forest_plot import forest_traces
from .visuals.drawing import Drawing

PANEL, TITLE, GAP = 118, 24, 8  # pixels


def forest_trees_plot(
    trees: Sequence[tuple[int, str, ForestRegions]],
    *,
    theme: ThemeName,
    class_names: Sequence[str],
    view: Bounds,
    picked: int | None = None,
    across: int = 3,
) -> Drawing:
    """Draw the regions of some trees, `across` in a row; a click names the tree as its node.

    Parameters
    ----------
    trees : sequence of (int, str, ForestRegions)
        Number of the tree, its title, its regions, all in the same plane.
    class_names : sequence of str
    view : (x_min, x_max, y_min, y_max)
    picked : int or None
        Number of the tree with a frame in ink.
    across : int, default 3
    """
    colours, names = THEMES[theme], escaped(class_names)
    n_rows = -(-len(trees) // across)
    width, height = 1.0 / across, n_rows * (TITLE + PANEL + GAP) - GAP
    layout = frame(theme, height, Margin(left=4, right=4, top=0, bottom=4))
    traces: list[dict] = []
    corners = [[view[0], view[2]], [view[1], view[2]], [view[1], view[3]], [view[0], view[3]]]
    for place, (number, title, regions) in enumerate(trees):
        tail = "" if place == 0 else str(place + 1)
        axes = {"xaxis": "x" + tail, "yaxis": "y" + tail}
        row, column = divmod(place, across)
        top = 1.0 - (row * (TITLE + PANEL + GAP) + TITLE) / height
        columns = [column * width + 0.01, (column + 1) * width - 0.01]
        frame_of = {"linecolor": colours.grey2, "linewidth": 1}
        if number == picked:
            frame_of = {"linecolor": colours.ink, "linewidth": Size.frame}
        rows = [max(0.0, top - PANEL / height), top]
        add_small_plane(layout, tail, view, columns, rows, frame_of)
        traces += [{**trace, **axes} for trace in forest_traces(regions, names, colours)]
        text = f"<b>{title}</b>" if number == picked else title
        layout["annotations"].append(title_above(text, tail, colours, 2))
        layout["meta"]["hits"].append({**hit(number, corners, title), **axes})
    return Drawing(traces, layout)
