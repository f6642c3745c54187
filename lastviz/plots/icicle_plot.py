"""The tree as icicles: each node a box as high as its rows are many, its children to the right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from lastviz.plots.visuals.flow_layout import FlowLayout
from lastviz.plots.visuals.flow_traces import (
    LINE,
    OUTLINES,
    Outline,
    full_nodes,
    node_places,
    node_trace,
)
from lastviz.plots.visuals.panel import Margin, Panel, compose, hits
from lastviz.plots.visuals.plane import NodeSelection, select
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import FigureWords, class_names_of, fit_text
from lastviz.tree import Tree

from .flow_tree_plot import hover_texts
from .rule_tree_plot import MOST_DRAWN, rule_layout
from .visuals import marks
from .visuals.drawing import Drawing

_GAP = 2.0  # pixels between columns
_LINE = 20.0  # pixels that a line of text needs
_CORNERS = [0, 1, 2, 1, 2, 3, 0, 3]  # of a box from its low and its high corner
_LOWEST, _TALLEST = 620.0, 2400.0  # pixels of the figure


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
    texts: Mapping[int, str] | None = None,
    class_names: Sequence[str] | None = None,
    hover: Mapping[int, str] | None = None,
    words: FigureWords | None = None,
    outlined: Mapping[int, Outline] | None = None,
) -> Drawing:
    """Draw `tree` with the root as the box at the left.

    The parameters are those of :func:`rule_tree_plot`. Inner nodes have their tests from `texts`,
    shortened to the box; leaves have theirs where there is room.
    """
    colours, words = THEMES[theme], words or FigureWords()
    names = class_names_of(tree, class_names)
    selection = select(tree, selected, depth)
    how = {"least": least, "most": most, "keep": keep}
    lay_out = icicle_layout if texts else rule_layout
    layout = lay_out(tree, selection, visited, width=width_hint, **how)
    height = _height(tree, least)
    low, high = _spans(tree, layout, height)
    level = tree.depth[layout.node]
    wide = width_hint / (int(level.max()) + 1)
    left = level * wide
    route = np.flatnonzero(np.isin(layout.node, list(visited or ())))
    full = full_nodes(tree, layout, selection, route)
    hovers = hover_texts(tree, layout, hover, class_names, words)
    boxes = np.column_stack([left, low, left + wide - _GAP, high])

    traces = _class_boxes(tree, layout, boxes, full, names, colours)
    traces += _edges(boxes, colours)
    traces += _outlines(layout, boxes, route, selection.node, colours)
    traces += _outlined(layout, boxes, outlined or {}, colours)
    if texts:
        traces += _texts(layout, boxes, texts, height, colours)
    if any(hovers):
        middle = {"x": left + wide / 2, "y": (low + high) / 2}
        traces.append(node_trace(layout, hovers) | middle)
    panel = Panel(
        traces=traces,
        xaxis={"range": [0, width_hint], "visible": False},
        yaxis={"range": [0, height], "visible": False},
        hits=hits(layout.node, np.round(boxes, 1)[:, _CORNERS].reshape(-1, 4, 2), hovers),
        flow=_places(layout, boxes),
    )
    margin = Margin(left=0, right=0, top=2, bottom=2)
    return compose([panel], [height], theme=theme, margin=margin)


def icicle_layout(
    tree: Tree,
    selection: NodeSelection,
    visited: Mapping[int, float] | None,
    *,
    least: float = 0.0,
    **how: object,
) -> FlowLayout:
    """Layout of the nodes that :func:`icicle_plot` draws with their tests.

    It counts the nodes left out.

    The options are those of :func:`rule_layout`. A node opens only if its box is as high as a
    line of text, unless it has to be drawn.
    """
    legible = _LINE / _height(tree, least) * float(tree.weighted_n_node_samples[0])
    return rule_layout(tree, selection, visited, least=max(least, legible), **how)


def _height(tree: Tree, least: float) -> float:
    """Height at which a node of `least` rows has room for its test, within reason."""
    wanted = _LINE * float(tree.weighted_n_node_samples[0]) / least if least > 0 else 0.0
    return min(max(wanted, _LOWEST), _TALLEST)


def _spans(tree: Tree, layout: FlowLayout, height: float) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper ends of the boxes: children share their parent's height."""
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


def _places(layout: FlowLayout, boxes: np.ndarray) -> dict[str, object]:
    """Positions of row markers, at the left end of each box.

    A marker is as high as its box.
    """
    height = float(boxes[0, 3] - boxes[0, 1])
    middle = (boxes[:, 1] + boxes[:, 3]) / 2
    beside = {"x": (boxes[:, 0] + Size.bar / 4).tolist(), "y": middle.tolist()}
    look = {"height": height, "bar": Size.bar / 2, "ribbons": False}
    return node_places(layout) | beside | look


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
    xy = _around(boxes[some])
    return [marks.line(xy, theme.ink, Size.outline, role="path", name="path")]


def _outlined(
    layout: FlowLayout, boxes: np.ndarray, marked: Mapping[int, Outline], theme: Theme
) -> list[dict]:
    """Frames of the boxes of marked nodes."""
    traces = []
    for name in dict.fromkeys(marked.values()):
        nodes = [node for node, own in marked.items() if own == name]
        colour, dash = OUTLINES[name]
        xy = _around(boxes[np.isin(layout.node, nodes)])
        how = {"role": "path", "name": f"outline {name}", "dash": dash}
        traces += [marks.line(xy, getattr(theme, colour), Size.outline, **how)] if len(xy) else []
    return traces


def _around(boxes: np.ndarray) -> np.ndarray:
    a, b, c, d = boxes.T
    gap = np.full(len(boxes), np.nan)
    x = np.column_stack([a, c, c, a, a, gap]).ravel()
    y = np.column_stack([b, b, d, d, b, gap]).ravel()
    return np.column_stack([x, y])


def _texts(
    layout: FlowLayout,
    boxes: np.ndarray,
    texts: Mapping[int, str],
    height: float,
    theme: Theme,
) -> list[dict]:
    """Tests of inner nodes, and texts of leaves where they fit.

    Tests are moved where their lines of text would touch.
    """
    wide = boxes[:, 2] - boxes[:, 0] - 12
    written = [
        fit_text(texts.get(node, ""), w, Size.tick)
        for node, w in zip(layout.node.tolist(), wide.tolist(), strict=True)
    ]
    has_text = np.array([bool(text) for text in written])
    y = (boxes[:, 1] + boxes[:, 3]) / 2
    shown = []
    for left in np.unique(boxes[:, 0]):
        column = np.flatnonzero((boxes[:, 0] == left) & has_text)
        inner, leaves = column[~layout.leaf[column]], column[layout.leaf[column]]
        y[inner] = _apart(y[inner], height)
        for i in leaves[boxes[leaves, 3] - boxes[leaves, 1] >= _LINE].tolist():
            is_uncut = written[i] == texts[int(layout.node[i])]
            if is_uncut and (np.abs(y[inner] - y[i]) >= LINE).all():
                shown.append(i)
        shown += inner.tolist()
    if not shown:
        return []
    return [
        marks.words(
            boxes[shown, 0] + 6,
            y[shown],
            [written[i] for i in shown],
            Size.tick,
            theme.ink,
            "middle right",
            role="test",
            name="test",
            customdata=layout.node[shown],
        )
    ]


def _apart(y: np.ndarray, height: float) -> np.ndarray:
    """Heights of lines moved as little as keeps a line between any two of them."""
    order = np.argsort(y)
    line = min(LINE, height / max(len(y), 1))
    groups: list[tuple[float, int]] = []  # mean of y less the lines below, and how many
    for low in (y[order] - line * np.arange(len(y))).tolist():
        groups.append((low, 1))
        while len(groups) > 1 and groups[-2][0] > groups[-1][0]:
            (a, n), (b, m) = groups[-2:]
            groups[-2:] = [((n * a + m * b) / (n + m), n + m)]
    low = np.repeat([mean for mean, _ in groups], [n for _, n in groups])
    moved = np.empty(len(y))
    room = height - line * len(y)
    moved[order] = np.clip(low, line / 2, line / 2 + room) + line * np.arange(len(y))
    return moved
