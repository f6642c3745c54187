"""The tree as a flow of rows: width is the number of rows, colour the class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from lastviz.tree import Tree

from . import marks
from .flow_layout import FlowLayout, flow_layout, points_per_curve, smoothstep, strips
from .flow_texts import text_traces
from .labels import Words, class_names_of, node_html, number
from .panel import Hit, Margin, Panel, compose, hit
from .selection import Selection, below, checked, select
from .theme import THEMES, Size, Theme, ThemeName, symbol

__all__ = ["flow_tree_panel", "flow_tree_plot"]

TEXT_UP_TO = 60
"""With more leaves the tests are in the hover texts only."""

_LEAST_STRIP = 0.1  # pixels; thinner strips are left out unless they are all of a ribbon
_NOTE = 20.0  # pixels at the foot for the sentence about what is not drawn


def flow_tree_plot(
    tree: Tree,
    *,
    theme: ThemeName,
    selected: int | None = None,
    path: Sequence[int] | None = None,
    depth: int | None = None,
    height: int = 150,
    width_hint: int = 520,
    texts: Mapping[int, str] | None = None,
    class_names: Sequence[str] | None = None,
    hover: Mapping[int, str] | None = None,
    words: Words | None = None,
) -> go.Figure:
    """Draw `tree` from the root at the left to the leaves at the right.

    Parameters
    ----------
    selected : int or None
        A node to frame; what is not below it fades.
    path : sequence of int or None
        Nodes from the root on that a sample visits, drawn as a line; the rest fades.
    depth : int or None
        Nodes at this depth are drawn as leaves.
    height, width_hint : int
        Height of the figure and the width that it will have, about, in pixels.
    texts : mapping from node to html, or None
        Tests to write above nodes, as far as they find room; none above 60 leaves.
    class_names : sequence of str or None
        The tree's own classes if None.
    hover : mapping from node to html, or None
        What is said about a node; its test or class and its rows if None.
    words : Words or None
        Words for hover texts and notes; English if None.
    """
    panel = flow_tree_panel(
        tree,
        theme=theme,
        selection=select(tree, selected, depth),
        path=path,
        size=(width_hint, height),
        texts=texts,
        class_names=class_names,
        hover=hover,
        words=words,
    )
    margin = Margin(left=0, right=0, top=0, bottom=0)
    return compose([panel], [height], theme=theme, margin=margin)


def flow_tree_panel(
    tree: Tree,
    *,
    theme: ThemeName,
    selection: Selection,
    path: Sequence[int] | None,
    size: tuple[float, float],
    texts: Mapping[int, str] | None,
    class_names: Sequence[str] | None,
    hover: Mapping[int, str] | None,
    words: Words | None,
) -> Panel:
    """Return the panel of :func:`flow_tree_plot`; one unit of its axes is one pixel of `size`."""
    colours = THEMES[theme]
    names = class_names_of(tree, class_names)
    words = words or Words()
    steps = tuple(checked(tree, node) for node in path or ())
    layout = flow_layout(
        tree,
        width=size[0],
        height=size[1],
        note=_NOTE,
        depth=selection.depth,
        keep=(*selection.path[-1:], *steps[-1:]),
    )
    at = {int(node): i for i, node in enumerate(layout.node)}
    route = np.array([at[node] for node in steps if node in at], dtype=np.intp)
    full = _full(tree, layout, selection, route)
    told = _told(tree, layout, hover, class_names, words)

    traces = _ribbon_traces(tree, layout, full, names, colours)
    traces += _bar_traces(tree, layout, full, names, colours)
    traces += _route_traces(layout, route, at.get(selection.node), colours)
    traces += _leaf_traces(tree, layout, full, colours)
    if texts and layout.n_leaves <= TEXT_UP_TO:
        traces += text_traces(layout, texts, full, route, colours)
    traces.append(_node_trace(layout, told))
    fixed = {"visible": False, "fixedrange": True}
    return Panel(
        traces=traces,
        xaxis={"range": [0, size[0]], **fixed},
        yaxis={"range": [0, size[1]], **fixed},
        annotations=_notes(layout, words, colours),
        shapes=_frames(layout, at.get(selection.node), colours),
        hits=_hits(layout, told),
    )


def _full(tree: Tree, layout: FlowLayout, selection: Selection, route: np.ndarray) -> np.ndarray:
    """Which drawn nodes keep their full colour, and the ribbons that lead to them."""
    if len(route) == 0:
        return selection.inside[layout.node]
    full = np.zeros(len(layout.node), dtype=bool)
    full[route] = True
    if selection.node is not None:
        full |= below(tree, [selection.node])[layout.node]
    return full


def _states(label: np.ndarray, full: np.ndarray) -> list[tuple[int, str, np.ndarray]]:
    """Groups by state and class: the faded ones first, so that full ones lie above them."""
    groups = []
    for state, wanted in (("faded", False), ("full", True)):
        for index in np.unique(label[full == wanted]):
            which = np.flatnonzero((label == index) & (full == wanted))
            groups.append((int(index), state, which))
    return groups


def _ribbon_traces(
    tree: Tree, layout: FlowLayout, full: np.ndarray, names: Sequence[str], theme: Theme
) -> list[dict]:
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
    for index, state, which in _states(strip.label, full[strip.child]):
        colour = theme.ribbon(index, faded=state == "faded")
        meta = {"class": index, "state": state}
        xy = shape[which].reshape(-1, 2)
        trace = marks.polygons(xy, colour, role="ribbon", name=names[index], **meta)
        trace["line"] = {"width": Size.ribbon_edge, "color": colour, "simplify": False}
        traces.append(trace)
    return traces


def _bar_traces(
    tree: Tree, layout: FlowLayout, full: np.ndarray, names: Sequence[str], theme: Theme
) -> list[dict]:
    part = tree.value[layout.node]
    part = part * (layout.bar / np.maximum(part.sum(axis=1), 1e-300))[:, None]
    top = (layout.y + layout.bar / 2)[:, None] - (np.cumsum(part, axis=1) - part)
    node, label = np.nonzero(part > 0)
    traces = []
    for index, state, which in _states(label, full[node]):
        at, upper = node[which], top[node[which], index]
        colour = theme.bar(index, faded=state == "faded")
        lower = upper - part[at, index]
        trace = marks.bars(layout.x[at], lower, upper, colour, role="bar", name=names[index])
        trace["meta"] |= {"class": index, "state": state}
        traces.append(trace)
    return traces


def _route_traces(
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


def _leaf_traces(tree: Tree, layout: FlowLayout, full: np.ndarray, theme: Theme) -> list[dict]:
    """Class symbols beside the leaves that have room for one."""
    which = np.flatnonzero(layout.leaf & (layout.room >= Size.least_symbol))
    if len(which) == 0:
        return []
    label = tree.prediction[layout.node[which]].tolist()
    size = min(Size.leaf_symbol, max(Size.least_symbol, float(layout.room[which].min()) - 0.5))
    faded = (~full[which]).tolist()
    return [
        {
            "type": "scatter",
            "name": "leaf",
            "meta": {"role": "leaf"},
            "x": layout.x[which] + Size.bar / 2 + 15,
            "y": layout.y[which],
            "mode": "markers",
            "hoverinfo": "skip",
            "customdata": layout.node[which],
            "marker": {
                "size": size,
                "symbol": [symbol(k) for k in label],
                "color": [theme.bar(k, pale) for k, pale in zip(label, faded, strict=True)],
            },
        }
    ]


def _told(
    tree: Tree,
    layout: FlowLayout,
    hover: Mapping[int, str] | None,
    class_names: Sequence[str] | None,
    words: Words,
) -> list[str]:
    nodes = layout.node.tolist()
    if hover is not None:
        return [hover.get(node, "") for node in nodes]
    return [node_html(tree, node, class_names, words) for node in nodes]


def _node_trace(layout: FlowLayout, told: list[str]) -> dict:
    """Unseen points in the middle of the bars, for hover and click."""
    return {
        "type": "scatter",
        "name": "node",
        "meta": {"role": "node"},
        "x": layout.x,
        "y": layout.y,
        "mode": "markers",
        "marker": {"size": 18, "opacity": 0},
        "customdata": layout.node,
        "text": told,
        "hovertemplate": "%{text}<extra></extra>",
    }


def _frames(layout: FlowLayout, i: int | None, theme: Theme) -> list[dict]:
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


def _notes(layout: FlowLayout, words: Words, theme: Theme) -> list[dict]:
    if layout.hidden_leaves == 0:
        return []
    text = words.hidden.format(leaves=number(layout.hidden_leaves), rows=number(layout.least_rows))
    place = {"xref": "domain", "yref": "domain", "x": 0, "y": 0}
    anchor = {"xanchor": "left", "yanchor": "bottom"}
    font = {"size": Size.tick, "color": theme.grey5}
    return [{**place, **anchor, "name": "hidden", "text": text, "showarrow": False, "font": font}]


def _hits(layout: FlowLayout, told: list[str]) -> list[Hit]:
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
    boxes = np.round(corners, 1).tolist()
    return [
        hit(node, box, text)
        for node, box, text in zip(layout.node.tolist(), boxes, told, strict=True)
    ]
