"""Numbers learnt from one feature: the points and the steps of the tree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from lastviz.inspection import Regions, ResponseSteps
from lastviz.plots.visuals.drawing import with_ticks
from lastviz.plots.visuals.marks import Bounds, plain_points
from lastviz.plots.visuals.panel import (
    Panel,
    axis_names,
    compose,
    hit,
    plane_axes,
    plane_margin,
    step_traces,
)
from lastviz.plots.visuals.theme import (
    N_SHADES,
    THEMES,
    Size,
    Theme,
    ThemeName,
    point_size,
    shade_of,
)
from lastviz.plots.visuals.words import feature_html, number
from lastviz.tree import Tree, threshold_decimals

from .boundary_plot import axis_features
from .flow_tree_plot import number_tree_panel
from .visuals import marks
from .visuals.drawing import Drawing

_ROOM = 0.06  # of the range, around the points and steps


def regression_plot(
    steps: ResponseSteps,
    x: np.ndarray,
    y: np.ndarray,
    *,
    theme: ThemeName,
    names: tuple[str, str],
    units: tuple[str, str] = ("", ""),
    selected: int = -1,
    held_out: np.ndarray | None = None,
    height: int = 360,
    tree: Tree | None = None,
    tree_height: int = 150,
    width_hint: int = 640,
) -> Drawing:
    """Draw the points (x, y), each (n,), under the steps of a tree.

    Parameters
    ----------
    steps : ResponseSteps
    x, y : ndarray, shape (n_samples,)
    theme : {"light", "dark"}
    names, units : tuple of (str, str)
        Of the feature and of what is predicted.
    selected : int, default -1
        The node whose steps are drawn thick; -1: none.
    held_out : ndarray of bool, shape (n_samples,), or None
        Rows kept from training, drawn open; None: none.
    height : int, default 360
        Pixels.
    tree, tree_height, width_hint
        As for :func:`regression_plane_plot`.
    """
    colours = THEMES[theme]
    is_held_out = np.zeros(len(x), dtype=bool) if held_out is None else held_out
    rows = np.column_stack([x, y])
    traces = [
        plain_points(rows[~is_held_out], colours, role="sample", name="samples"),
        plain_points(rows[is_held_out], colours, role="held_out", name="held out", is_open=True),
        *step_traces(steps.start, steps.end, steps.value, colours, steps.node == selected),
    ]
    both = np.r_[y, steps.value]
    bottom, top = both.min(), both.max()
    room = _ROOM * (top - bottom) if top > bottom else 1.0
    low, high = float(bottom - room), float(top + room)
    panel = Panel(
        traces=traces,
        xaxis=with_ticks({"range": [float(steps.start[0]), float(steps.end[-1])]}, units[0]),
        yaxis={"range": [low, high], "nticks": 6} | with_ticks({"range": [low, high]}, units[1]),
        annotations=axis_names(names, units, theme_grey=colours.grey7),
        hits=[
            hit(node, [[a, low], [b, low], [b, high], [a, high]], _hover_text(*texts, names))
            for a, b, texts, node in zip(
                steps.start.tolist(), steps.end.tolist(), _in_words(steps),
                steps.node.tolist(), strict=True,
            )
        ],
    )  # fmt: skip
    margin = plane_margin(names, units, panel.yaxis)
    inner = height - margin.top - margin.bottom
    if tree is None:
        return compose([panel], [inner], theme=theme, margin=margin)
    size = (width_hint - margin.left - margin.right, tree_height)
    predicted = tree.prediction[tree.n_children == 0]
    ends = float(predicted.min()), float(predicted.max())
    flow = number_tree_panel(tree, ends, theme=theme, size=size)
    return compose(
        [panel, flow], [inner, tree_height], theme=theme, margin=margin.over(), gap=margin.bottom
    )


def _in_words(steps: ResponseSteps) -> Iterable[tuple[str, str, str]]:
    """Start, end and value of each step as text.

    They have enough decimals to differ from each other.
    """
    ends = np.append(steps.start, steps.end)
    decimals, of_value = threshold_decimals(ends), threshold_decimals(steps.value)
    for start, end, value in zip(steps.start, steps.end, steps.value, strict=True):
        yield number(start, decimals), number(end, decimals), number(value, of_value)


def _hover_text(start: str, end: str, value: str, names: tuple[str, str]) -> str:
    x, y = feature_html(names[0]), feature_html(names[1])
    return f"{start} &lt; {x} ≤ {end}<br>{y} = {value}"


# ---- Numbers learnt from two features: the boxes of the tree in greys, the rows over them


_BAR = 64  # pixels at the right for the colour bar


def regression_plane_plot(
    regions: Regions,
    value: np.ndarray,
    points: np.ndarray,
    *,
    theme: ThemeName,
    target: str,
    held_out: np.ndarray | None = None,
    equal: bool = False,
    view: Bounds | None = None,
    units: tuple[str, str] = ("", ""),
    hover: Mapping[int, str] | None = None,
    height: int = 480,
    tree: Tree | None = None,
    tree_height: int = 150,
    width_hint: int = 640,
) -> Drawing:
    """Draw a regression tree's predictions in the plane of `regions`.

    The larger the prediction, the darker the region.

    A row has the shade of its own number, so it stands out where the prediction misses it.

    Parameters
    ----------
    regions : Regions
        Of the tree; its bounds may reach beyond `view`.
    value : ndarray, shape (n_nodes,)
        What each node predicts.
    points : ndarray, shape (n_samples, 3)
        Of each row its places on the two axes and its number.
    theme : {"light", "dark"}
    target : str
        What is predicted; stands above the colour bar.
    held_out : ndarray of bool, shape (n_samples,), or None
        Rows kept from training, drawn as diamonds; None: none.
    equal : bool, default False
        Whether one unit is as long on both axes.
    view : (x_min, x_max, y_min, y_max) or None
        What is shown at first; the bounds of `regions` if None.
    units : (str, str)
        Units of the features.
    hover : mapping from node to html, or None
        What ``layout.meta["hits"]`` says about a box.
    height : int, default 480
        Of the plane with its labels, in pixels.
    tree : Tree or None
        What is drawn below the plane, `tree_height` pixels high; None: nothing.
    width_hint : int, default 640
        About the width that the figure will have, in pixels.
    """
    colours, names = THEMES[theme], axis_features(regions)
    shown = regions.visible()
    predicted = value[regions.node[shown]]
    leaves = [] if tree is None else tree.prediction[tree.n_children == 0]
    both = np.r_[predicted, points[:, 2], leaves]
    ends = float(both.min()), float(both.max())
    held_out = np.zeros(len(points), dtype=bool) if held_out is None else held_out
    traces = _boxes(regions, shown, predicted, ends, colours)
    traces.append(marks.segments(_edges(regions), colours.grey5, 0.75, role="split", name="split"))
    for role, which, sign in (
        ("training", ~held_out, "circle"), ("held_out", held_out, "diamond"),
    ):  # fmt: skip
        traces.append(_rows(points[which], sign, ends, colours, role=role, crowd=len(points)))
    traces[-2]["marker"] |= {"showscale": True, "colorbar": _bar(target, colours)}
    x_axis, y_axis = plane_axes(view or regions.bounds, names, units, equal=equal)
    hover_texts = hover or {}
    panel = Panel(
        traces=traces,
        xaxis=x_axis,
        yaxis=y_axis,
        annotations=axis_names(names, units, theme_grey=colours.grey7),
        hits=[
            hit(node, regions.polygon(i).tolist(), hover_texts.get(node, ""))
            for i, node in zip(shown.tolist(), regions.node[shown].tolist(), strict=True)
        ],
    )
    margin = plane_margin(names, units, y_axis)
    margin = replace(margin, right=margin.right + _BAR)
    inner = height - margin.top - margin.bottom
    traces[-2]["marker"]["colorbar"] |= {
        "lenmode": "pixels",
        "len": inner,
        "y": 1,
        "yanchor": "top",
    }
    if tree is None:
        return compose([panel], [inner], theme=theme, margin=margin)
    size = (width_hint - margin.left - margin.right, tree_height)
    flow = number_tree_panel(tree, ends, theme=theme, size=size)
    return compose(
        [panel, flow], [inner, tree_height], theme=theme, margin=margin.over(), gap=margin.bottom
    )


def _boxes(
    regions: Regions,
    shown: np.ndarray,
    predicted: np.ndarray,
    ends: tuple[float, float],
    theme: Theme,
) -> list[dict]:
    """One trace for each shade; the boxes themselves are exact."""
    shade = shade_of(predicted, ends)
    return [
        marks.polygons(
            marks.join_polygons(regions.vertices, regions.offset, shown[shade == k]),
            theme.shade(int(k)),
            role="prediction",
            name="prediction",
            shade=int(k),
        )
        for k in np.unique(shade)
    ]


def _edges(regions: Regions) -> np.ndarray:
    return regions.segment[np.isfinite(regions.segment).all(axis=1)]


def _rows(
    points: np.ndarray,
    sign: str,
    ends: tuple[float, float],
    theme: Theme,
    *,
    role: str,
    crowd: int,
) -> dict:
    size = point_size(crowd)
    return {
        "type": "scatter",
        "name": role.replace("_", " "),
        "meta": {"role": role},
        "x": points[:, 0],
        "y": points[:, 1],
        "mode": "markers",
        "hoverinfo": "skip",
        "marker": {
            "symbol": sign,
            "size": size.filled + 1,
            "color": points[:, 2],
            "colorscale": [[0.0, theme.shade(0)], [1.0, theme.shade(N_SHADES - 1)]],
            "cmin": ends[0],
            "cmax": ends[1],
            "line": {"width": 1.5, "color": theme.paper},
        },
    }


def _bar(target: str, theme: Theme) -> dict:
    return {
        "title": {"text": feature_html(target), "font": {"size": Size.axis, "color": theme.grey7}},
        "tickfont": {"size": Size.tick, "color": theme.grey7},
        "thickness": 14,
        "outlinewidth": 0,
        "nticks": 6,
        "x": 1.0,
        "xpad": 14,
    }
