"""The trees of a forest beside each other: a small plane each."""

from __future__ import annotations

from collections.abc import Sequence

from lastviz.inspection import ForestRegions
from lastviz.plots.visuals.panel import Margin, figure, frame, hit
from lastviz.plots.visuals.points import Bounds
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
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
    height = n_rows * (TITLE + PANEL + GAP) - GAP
    layout = frame(theme, height, Margin(left=4, right=4, top=0, bottom=4))
    traces: list[dict] = []
    corners = [[view[0], view[2]], [view[1], view[2]], [view[1], view[3]], [view[0], view[3]]]
    for place, (number, title, regions) in enumerate(trees):
        tail = "" if place == 0 else str(place + 1)
        axes = {"xaxis": "x" + tail, "yaxis": "y" + tail}
        here = place // across, place % across
        _axes(layout, view, here, (n_rows, across), tail, colours, chosen=number == picked)
        traces += [{**trace, **axes} for trace in forest_traces(regions, names, colours)]
        text = f"<b>{title}</b>" if number == picked else title
        layout["annotations"].append(_title(text, tail, colours))
        layout["meta"]["hits"].append({**hit(number, corners, title), **axes})
    return figure(traces, layout)


def _axes(
    layout: dict,
    view: Bounds,
    place: tuple[int, int],
    shape: tuple[int, int],
    tail: str,
    theme: Theme,
    *,
    chosen: bool,
) -> None:
    (row, column), (n_rows, across) = place, shape
    height = n_rows * (TITLE + PANEL + GAP) - GAP
    top = 1.0 - (row * (TITLE + PANEL + GAP) + TITLE) / height
    edge = {
        "showticklabels": False,
        "ticks": "",
        "showline": True,
        "mirror": True,
        "linecolor": theme.ink if chosen else theme.grey2,
        "linewidth": Size.frame if chosen else 1,
        "fixedrange": True,
    }
    width = 1.0 / across
    layout["xaxis" + tail] = edge | {
        "range": list(view[:2]),
        "domain": [column * width + 0.01, (column + 1) * width - 0.01],
        "anchor": "y" + tail,
    }
    layout["yaxis" + tail] = edge | {
        "range": list(view[2:]),
        "domain": [max(0.0, top - PANEL / height), top],
        "anchor": "x" + tail,
    }


def _title(text: str, tail: str, theme: Theme) -> dict:
    return {
        "text": text, "showarrow": False, "font": {"size": Size.tick, "color": theme.grey7},
        "xref": f"x{tail} domain", "x": 0, "xanchor": "left",
        "yref": f"y{tail} domain", "y": 1, "yanchor": "bottom", "yshift": 2,
    }  # fmt: skip
