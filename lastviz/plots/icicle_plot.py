"""The tree as icicles: each node a box as high as its rows are many, its children to the right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from lastviz.plots.visuals.flow_layout import FlowLayout
from lastviz.plots.visuals.flow_traces import full_nodes, node_trace
from lastviz.plots.visuals.node_selection import select
from lastviz.plots.visuals.panel import Margin, Panel, compose, hit
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import Words, class_names_of, text_width
from lastviz.tree import Tree

from .flow_tree_plot import told_of
from .rule_tree_plot import MOST_DRAWN, rule_layout
from .visuals import marks

__all__ = ["icicle_plot"]

_GAP = 2.0  # pixels between columns
_LINE = 20.0  # pixels that a line of text needs


def icicle_plot(
    tree: Tree,
    *,
    theme: ThemeName,
    selected: int | None = None,
    visited: Mapping[int, float] | None = None,
    depth: int | None = None,
    least: float = 0.0,
    most: int = MOST_DRAWN,
    keep: Sequence[int] = (),
    width_hint: int = 1080,
    height: int = 620,
    texts: Mapping[int, str] | None = None,
    class_names: Sequence[str] | None = None,
    hover: Mapping[int, str] | None = None,
    words: Words | None = None,
) -> go.Figure:
    """Draw `tree` with the root as the box at the left.

    The parameters are those of :func:`rule_tree_plot`, and `height` of the figure in pixels;
    `texts` stand in boxes that have room for them.
    """
    colours, words = THEMES[theme], words or Words()
    names = class_names_of(tree, class_names)
    selection = select(tree, selected, depth)
    how = {"least": least, "most": most, "keep": keep}
    layout = rule_layout(tree, selection, visited, width=width_hint, **how)
    low, high = _spans(tree, layout, float(height))
    level = tree.depth[layout.node]
    wide = width_hint / (int(level.max()) + 1)
    left = level * wide
    route = np.flatnonzero(np.isin(layout.node, list(visited or ())))
    full = full_nodes(tree, layout, selection, route)
    told = told_of(tree, layout, hover, class_names, words)
    boxes = np.column_stack([left, low, left + wide - _GAP, high])

    traces = _class_boxes(tree, layout, boxes, full, names, colours)
    traces += _edges(boxes, colours)
    traces += _outlines(layout, boxes, route, selection.node, colours)
    if texts:
        traces += _texts(layout, boxes, texts, route, colours)
    traces.append({**node_trace(layout, told), "x": left + wide / 2, "y": (low + high) / 2})
    panel = Panel(
        traces=traces,
        xaxis={"range": [0, width_hint], "visible": False},
        yaxis={"range": [0, height], "visible": False},
        hits=[
            hit(node, [[a, b], [c, b], [c, d], [a, d]], text)
            for node, (a, b, c, d), text in zip(
                layout.node.tolist(), np.round(boxes, 1).tolist(), told, strict=True
            )
        ],
    )
    margin = Margin(left=0, right=0, top=2, bottom=2)
    return compose([panel], [height], theme=theme, margin=margin)


def _spans(tree: Tree, layout: FlowLayout, height: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the lower and upper ends of the boxes: children share their parent's height."""
    weight = tree.weighted_n_node_samples[layout.node]
    n = len(weight)
    inside = np.zeros(n)
    np.add.at(inside, layout.parent[1:], weight[1:])
    low, high = np.zeros(n), np.full(n, height)
    used = np.zeros(n)
    for i in range(1, n):  # parents come first, siblings in their order
        above = layout.parent[i]
        part = (high[above] - low[above]) * weight[i] / (inside[above] or 1.0)
        high[i] = high[above] - used[above]
        low[i] = high[i] - part
        used[above] += part
    return low, high


def _class_boxes(
    tree: Tree,
    layout: FlowLayout,
    boxes: np.ndarray,
    full: np.ndarray,
    names: Sequence[str],
    theme: Theme,
) -> list[dict]:
    value = tree.value[layout.node]
    share = value / np.maximum(value.sum(axis=1, keepdims=True), 1e-300)
    top = boxes[:, 3:] - (np.cumsum(share, axis=1) - share) * (boxes[:, 3] - boxes[:, 1])[:, None]
    bottom = top - share * (boxes[:, 3] - boxes[:, 1])[:, None]
    traces = []
    for state in ("faded", "full"):
        for k in range(value.shape[1]):
            some = np.flatnonzero((full == (state == "full")) & (share[:, k] > 0))
            if not len(some):
                continue
            colour = theme.ribbon(k, faded=state == "faded")
            x0, x1 = boxes[some, 0], boxes[some, 2]
            y0, y1, gap = bottom[some, k], top[some, k], np.full(len(some), np.nan)
            x = np.column_stack([x0, x1, x1, x0, gap]).ravel()
            y = np.column_stack([y0, y0, y1, y1, gap]).ravel()
            meta = {"class": k, "state": state}
            xy = np.column_stack([x, y])
            traces.append(marks.polygons(xy, colour, role="box", name=names[k], **meta))
    return traces


def _edges(boxes: np.ndarray, theme: Theme) -> list[dict]:
    """Paper between the boxes of a column, where they are high enough to spare it."""
    high = boxes[boxes[:, 3] - boxes[:, 1] > 4]
    lines = np.column_stack([high[:, 0], high[:, 1], high[:, 2], high[:, 1]])
    return [marks.segments(lines, theme.paper, 1.5, role="edge", name="edge")]


def _outlines(
    layout: FlowLayout, boxes: np.ndarray, route: np.ndarray, framed: int | None, theme: Theme
) -> list[dict]:
    """Ink around the boxes that a sample visits, and around the selected one."""
    some = np.union1d(route, np.flatnonzero(layout.node == framed)).astype(np.intp)
    if not len(some):
        return []
    a, b, c, d = boxes[some].T
    gap = np.full(len(some), np.nan)
    x = np.column_stack([a, c, c, a, a, gap]).ravel()
    y = np.column_stack([b, b, d, d, b, gap]).ravel()
    xy = np.column_stack([x, y])
    return [marks.line(xy, theme.ink, Size.outline, role="path", name="path")]


def _texts(
    layout: FlowLayout,
    boxes: np.ndarray,
    texts: Mapping[int, str],
    route: np.ndarray,
    theme: Theme,
) -> list[dict]:
    room = (boxes[:, 3] - boxes[:, 1] >= _LINE) & (boxes[:, 3] > boxes[:, 1])
    wide = boxes[:, 2] - boxes[:, 0] - 12
    told = [texts.get(node, "") for node in layout.node.tolist()]
    fits = np.array(
        [bool(text) and text_width(text) <= w for text, w in zip(told, wide, strict=True)]
    )
    some = np.flatnonzero(room & np.array(fits))
    if not len(some):
        return []
    return [
        {
            "type": "scatter",
            "name": "test",
            "meta": {"role": "test"},
            "x": boxes[some, 0] + 6,
            "y": (boxes[some, 1] + boxes[some, 3]) / 2,
            "text": [told[i] for i in some],
            "mode": "text",
            "textposition": "middle right",
            "textfont": {"size": Size.tick, "color": theme.ink},
            "hoverinfo": "skip",
        }
    ]
