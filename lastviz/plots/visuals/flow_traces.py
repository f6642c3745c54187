"""The marks of a flow tree: ribbons, bars, the path, symbols, frames and areas to click."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from lastviz.tree import Tree

from . import marks
from .flow_layout import FlowLayout, points_per_curve, smoothstep, strips
from .node_selection import NodeSelection, below
from .panel import Hit, hits
from .theme import Size, Theme, symbol

Outline = Literal["pale", "ink", "dashed", "edited"]
OUTLINES: dict[str, tuple[str, str]] = {
    "pale": ("grey5", "solid"),
    "ink": ("ink", "solid"),
    "dashed": ("ink", "3px,2px"),
    "edited": ("accent", "6px,4px"),
}
"""Frames that mark nodes: the theme's colour and the dash of each."""

_OUTLINE, _OUTLINE_GAP = 1.75, 3.0  # pixels: the line, and the air around the bar
_LEAST_STRIP = 0.1  # pixels; thinner strips are left out unless they are all of a ribbon


def full_nodes(
    tree: Tree, layout: FlowLayout, selection: NodeSelection, route: np.ndarray
) -> np.ndarray:
    """Which drawn nodes keep their full colour, and the ribbons that lead to them."""
    if len(route) == 0:
        return selection.inside[layout.node]
    full = np.zeros(len(layout.node), dtype=bool)
    full[route] = True
    if selection.node is not None:
        full |= below(tree, [selection.node])[layout.node]
    return full


def _states(
    label: np.ndarray, full: np.ndarray, without: np.ndarray
) -> list[tuple[int, str, np.ndarray]]:
    """Groups by state and class: the faded ones first, so that full ones lie above them."""
    groups = []
    for state, wanted in (("faded", False), ("full", True)):
        here = (full == wanted) & ~without
        for index in np.unique(label[here]):
            which = np.flatnonzero((label == index) & here)
            groups.append((int(index), state, which))
    return groups


def ribbon_traces(
    tree: Tree,
    layout: FlowLayout,
    full: np.ndarray,
    names: Sequence[str],
    theme: Theme,
    gone: np.ndarray | None = None,
) -> list[dict]:
    """Return the strips of the ribbons, one trace for each class and state.

    Those that lead to nodes that are `gone` (one truth value a drawn node) have no class.
    """
    strip = strips(layout, tree, least=_LEAST_STRIP)
    n_points = points_per_curve(len(layout.node) - 1)
    start = layout.x[layout.parent[strip.child]]
    along = start[:, None] + (layout.x[strip.child] - start)[:, None] * np.linspace(0, 1, n_points)
    upper = smoothstep(strip.top_start, strip.top_end, n_points)
    lower = upper - strip.height[:, None]
    shape = np.full((len(along), 2 * n_points + 1, 2), np.nan, dtype=np.float32)
    shape[:, :-1, 0] = np.hstack([along, along[:, ::-1]])
    shape[:, :-1, 1] = np.hstack([upper, lower[:, ::-1]])
    traces = []
    goes = np.zeros(len(strip.child), dtype=bool) if gone is None else gone[strip.child]
    if goes.any():
        xy = shape[goes].reshape(-1, 2)
        traces.append(marks.polygons(xy, theme.grey1, role="gone", name="pruned"))
    for index, state, which in _states(strip.label, full[strip.child], goes):
        colour = theme.ribbon(index, faded=state == "faded")
        meta = {"class": index, "state": state}
        xy = shape[which].reshape(-1, 2)
        trace = marks.polygons(xy, colour, role="ribbon", name=names[index], **meta)
        trace["line"] = {"width": Size.ribbon_edge, "color": colour, "simplify": False}
        traces.append(trace)
    return traces


def bar_traces(
    tree: Tree,
    layout: FlowLayout,
    full: np.ndarray,
    names: Sequence[str],
    theme: Theme,
    gone: np.ndarray | None = None,
) -> list[dict]:
    """Return the bars of the nodes, one trace for each class and state; none of those `gone`."""
    part = tree.value[layout.node]
    part = part * (layout.bar / np.maximum(part.sum(axis=1), 1e-300))[:, None]
    top = (layout.y + layout.bar / 2)[:, None] - (np.cumsum(part, axis=1) - part)
    node, label = np.nonzero(part > 0)
    traces = []
    goes = np.zeros(len(node), dtype=bool) if gone is None else gone[node]
    for index, state, which in _states(label, full[node], goes):
        at, upper = node[which], top[node[which], index]
        colour = theme.bar(index, faded=state == "faded")
        lower = upper - part[at, index]
        trace = marks.bars(layout.x[at], lower, upper, colour, role="bar", name=names[index])
        trace["meta"] |= {"class": index, "state": state}
        traces.append(trace)
    return traces


def route_traces(
    layout: FlowLayout, route: np.ndarray, framed: int | None, theme: Theme
) -> list[dict]:
    """The path as a line with a dot on each bar, except the framed one: the frame says it."""
    if len(route) == 0:
        return []
    x, y = layout.x[route], layout.y[route]
    along = np.linspace(x[:-1], x[1:], 24, axis=1).ravel()
    up = smoothstep(y[:-1], y[1:], 24).ravel()
    xy = np.column_stack([along, up])
    dotted = np.column_stack([x, y])[route != framed]
    path = marks.line(xy, theme.ink, Size.path, role="path", name="path")
    return [path, marks.dots(dotted, theme, role="path_node", name="path node")]


def leaf_traces(tree: Tree, layout: FlowLayout, full: np.ndarray, theme: Theme) -> list[dict]:
    """Class symbols beside the leaves that have room for one."""
    which = np.flatnonzero(layout.leaf & (layout.room >= Size.least_symbol))
    if len(which) == 0:
        return []
    label = tree.prediction[layout.node[which]].tolist()
    size = min(Size.leaf_symbol, max(Size.least_symbol, float(layout.room[which].min()) - 0.5))
    faded = (~full[which]).tolist()
    return [
        marks.symbols(
            layout.x[which] + Size.bar / 2 + 15,
            layout.y[which],
            [symbol(k) for k in label],
            size,
            [theme.bar(k, pale) for k, pale in zip(label, faded, strict=True)],
            role="leaf",
            name="leaf",
            customdata=layout.node[which],
        )
    ]


def node_trace(layout: FlowLayout, hovers: list[str]) -> dict:
    """Unseen points in the middle of the bars, for hover and click."""
    x, y = layout.x.tolist(), layout.y.tolist()
    return marks.unseen(x, y, hovers, role="node", customdata=layout.node)


def frames(layout: FlowLayout, i: int | None, theme: Theme) -> list[dict]:
    """Return the ink frame of the selected node, none without one."""
    if i is None:
        return []
    half = Size.bar / 2 + Size.frame_gap
    return [
        {
            "type": "rect",
            "name": "selected node",
            "xsizemode": "pixel",
            "xanchor": float(layout.x[i]),
            "x0": -half,
            "x1": half,
            "y0": float(layout.y[i] - layout.bar[i] / 2 - Size.frame_gap),
            "y1": float(layout.y[i] + layout.bar[i] / 2 + Size.frame_gap),
            "line": {"color": theme.ink, "width": Size.frame},
            "layer": "above",
        }
    ]


def outlines(layout: FlowLayout, marked: Mapping[int, Outline], theme: Theme) -> list[dict]:
    """Return the frames of marked nodes, as far as they are drawn."""
    half = Size.bar / 2 + _OUTLINE_GAP
    shapes = []
    for i, node in enumerate(layout.node.tolist()):
        if node not in marked:
            continue
        colour, dash = OUTLINES[marked[node]]
        reach = max(float(layout.bar[i]) / 2, Size.least_bar) + _OUTLINE_GAP
        shapes.append(
            {
                "type": "rect",
                "name": f"outline {marked[node]}",
                "xsizemode": "pixel",
                "xanchor": float(layout.x[i]),
                "x0": -half,
                "x1": half,
                "y0": float(layout.y[i]) - reach,
                "y1": float(layout.y[i]) + reach,
                "line": {"color": getattr(theme, colour), "width": _OUTLINE, "dash": dash},
                "layer": "above",
            }
        )
    return shapes


def node_hits(layout: FlowLayout, hovers: list[str]) -> list[Hit]:
    """A box around each bar, as high as its neighbours in the column allow."""
    half = np.maximum(layout.bar / 2 + 3, 8)
    order = np.lexsort((layout.y, layout.x))
    near = np.where(np.diff(layout.x[order]) == 0, np.diff(layout.y[order]) / 2, np.inf)
    up, down = half.copy(), half.copy()
    up[order] = np.minimum(half[order], np.r_[near, np.inf])
    down[order] = np.minimum(half[order], np.r_[np.inf, near])
    left = layout.x - Size.bar / 2 - 7
    right = layout.x + Size.bar / 2 + np.where(layout.leaf, 24, 7)
    low, high = layout.y - down, layout.y + up
    corners = np.stack([left, low, right, low, right, high, left, high], axis=1).reshape(-1, 4, 2)
    return hits(layout.node, corners, hovers)


def node_places(layout: FlowLayout) -> dict[str, object]:
    """Return where the nodes of a flow tree lie, as columns: what marks a stream through it needs.

    "node", and "parent" by its position among them; the middle of the bar ("x", "y"), its width
    in pixels ("bar"); "height" of all rows; "ribbons", whether nodes are joined.
    """
    return {
        "node": layout.node.tolist(),
        "parent": layout.parent.tolist(),
        "x": layout.x.tolist(),
        "y": layout.y.tolist(),
        "height": float(layout.height[0]),
        "bar": Size.bar,
        "ribbons": True,
    }
