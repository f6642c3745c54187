"""Decision boundaries of a forest: rectangles of one class, their borders, the samples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz._sentences import HUNDRED
from lastviz.inspection import ForestRegions
from lastviz.plots.visuals.marks import Bounds, Points, point_traces
from lastviz.plots.visuals.panel import (
    Hit,
    Margin,
    Panel,
    axis_names,
    compose,
    hit,
    plane_axes,
    plane_figure,
    plane_margin,
)
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import FigureWords, escape_names, feature_html, shorten_name

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
    words: FigureWords | None = None,
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
    colours, names = THEMES[theme], escape_names(class_names)
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
    """One trace of rectangles a class, and the borders between different classes."""
    x0, x1, y0, y1 = regions.rectangles.T
    corners = np.stack([x0, y0, x1, y0, x1, y1, x0, y1], axis=1).reshape(-1, 2)
    offset = 4 * np.arange(len(x0) + 1)
    traces = []
    for index in np.unique(regions.rectangle_label):
        which = np.flatnonzero(regions.rectangle_label == index)
        xy = marks.join_polygons(corners, offset, which)
        colour = theme.region(int(index))
        meta = {"class": int(index), "state": "full"}
        traces.append(marks.polygons(xy, colour, role="region", name=names[index], **meta))
    lines = region_borders(regions)
    traces.append(marks.segments(lines, theme.grey5, Size.curve, role="border", name="border"))
    return traces


def region_borders(regions: ForestRegions) -> np.ndarray:
    """Sides between cells of different classes, (n, 4), running on where they can."""
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


# ---- Which feature the trees of a forest split by, and how deep


_ROW = 26  # pixels
_MOST = 20  # features


def forest_overview_plot(
    splits: np.ndarray, names: Sequence[str], *, theme: ThemeName, depth_word: str = "depth"
) -> Drawing:
    """Draw the share of the rows that each feature sends on at each depth, as greys.

    Parameters
    ----------
    splits : ndarray, shape (n_features, n_depths)
        See :class:`lastviz.inspection.ForestOverview`; the 20 most used features are drawn.
    names : sequence of str
        Of the features.
    depth_word : str
        Stands before the number of each column; the root has depth 0.
    """
    colours = THEMES[theme]
    order = np.argsort(-splits.sum(axis=1), kind="stable")[:_MOST]
    z = HUNDRED * splits[order]
    text = [[f"{v:.0f}" if v >= 0.5 else "" for v in row] for row in z]
    trace = {
        "type": "heatmap",
        "name": "share of rows",
        "meta": {"role": "shares"},
        "z": z,
        "x": np.arange(z.shape[1]),
        "y": np.arange(len(order)),
        "zmin": 0.0,
        "zmax": 100.0,
        "colorscale": [[0.0, colours.paper], [1.0, colours.grey3]],
        "showscale": False,
        "xgap": 3,
        "ygap": 3,
        "text": text,
        "texttemplate": "%{text}",
        "textfont": {"size": Size.tick, "color": colours.ink},
        "hovertemplate": "%{z:.1f} %<extra></extra>",
    }
    ticks = [f"{depth_word} {d}" if d == 0 else str(d) for d in range(z.shape[1])]
    labels = [feature_html(shorten_name(names[f], 18)) for f in order]
    panel = Panel(
        traces=[trace],
        xaxis={"tickvals": list(range(len(ticks))), "ticktext": ticks, "fixedrange": True},
        yaxis={
            "tickvals": list(range(len(labels))),
            "ticktext": labels,
            "autorange": "reversed",
            "fixedrange": True,
        },
    )
    return compose([panel], [_ROW * max(len(order), 2)], theme=theme, margin=Margin(left=150))


# ---- How many of many trees agree, place by place: a cloud of tints, with one tree's borders


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
    words: FigureWords | None = None,
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
    colours, names = THEMES[theme], escape_names(class_names)
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
    """Grid as an image whose every number stands for one tint of one class."""
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
