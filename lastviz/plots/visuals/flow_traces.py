"""The marks of a flow tree: ribbons, bars, the path, symbols, frames and areas to click."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from lastviz.tree import Tree

from . import marks
from .flow_layout import FlowLayout, points_per_curve, smoothstep, strips
from .panel import Hit, hits
from .plane import NodeSelection, below
from .theme import Size, Theme, symbol
from .words import fit_text, text_width

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
    """Mask of the drawn nodes that keep their full colour, as do the ribbons to them."""
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
    """Groups by state and class, faded ones first, so that full ones lie above them."""
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
    """Strips of the ribbons, one trace for each class and state.

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
    """Bars of the nodes, one trace for each class and state; none of those `gone`."""
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
    """The path as a line with a dot on each bar.

    The framed bar has no dot: the frame marks it.
    """
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
    return marks.invisible_points(x, y, hovers, role="node", customdata=layout.node)


def frames(layout: FlowLayout, i: int | None, theme: Theme) -> list[dict]:
    """Ink frame of the selected node, none without one."""
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
    """Frames of marked nodes, as far as they are drawn."""
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
    """Positions of a flow tree's nodes, as columns.

    They are the data needed to mark a stream through the tree.

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


# ---- Tests written beside the nodes of a flow tree, shortened where they would not fit
#
# Between two neighbouring leaves lies a strip that no bar enters to the right of the node that
# parts them. That strip belongs to this node's test: it is where the test stands if there is no
# better place, so a test is missing only where leaves lie closer than a line of text is high.


LINE = 17.0
"""Pixels that a line of text needs."""
_SYMBOL = 22.0  # pixels that a leaf's symbol takes beside its bar
_APART, _AIR = 4.0, 2.0  # pixels from a bar to the text in a strip, and above or below it
_STEPS = 24  # places of the path from a bar to the next
_LEAST = 24.0  # pixels; no text is shortened below
_NO_BOXES = np.empty((0, 4))

Box = tuple[float, float, float, float]  # left, low, right, high
Slot = tuple[Box, str]
"""A box and the text, shortened to it."""
Place = tuple[Box, str, str]
"""A box, the side of its corner on which the text lies, and the text."""


def text_traces(
    layout: FlowLayout,
    texts: Mapping[int, str],
    full: np.ndarray,
    route: np.ndarray,
    theme: Theme,
    *,
    framed: int | None = None,
    blocked: np.ndarray = _NO_BOXES,
) -> list[dict]:
    """Tests in up to three traces: on the path, in full colour, faded.

    A text begins at its bar, above or below it, or in the strip that is its own; only where it
    finds no room there it ends at the bar, where it stands in the column before. The path comes
    first, then nodes with more rows. Texts cover neither each other nor bars, symbols, the path,
    the frame of the node at the place `framed` and what is `blocked` (left, low, right, high).
    """
    path = _along(layout, route)
    onward = dict(zip(route[:-1].tolist(), route[1:].tolist(), strict=True))
    wanted = [i for i, node in enumerate(layout.node.tolist()) if texts.get(node)]
    wanted.sort(key=lambda i: (i not in onward, -layout.height[i], i))
    taken = np.vstack([_marks(layout, framed), blocked, path])
    slots = _slots(layout, texts, wanted, framed, np.vstack([_marks(layout, None), blocked]))
    groups: dict[str, list[tuple[int, Place]]] = {"path": [], "full": [], "faded": []}
    for i in wanted:
        text, slot = texts[int(layout.node[i])], slots.pop(i, None)
        climbs = i in onward and layout.y[onward[i]] > layout.y[i]
        wide = text_width(text, Size.tick)
        begin, end = _places(layout, taken[i], layout.x[i] + Size.bar / 2, wide, climbs)
        others = np.vstack([np.delete(taken, i, axis=0), *(box for box, *_ in slots.values())])
        places = [(*place, text) for place in begin]
        if slot is not None and slot[2] == text and not _covers(slot[0], path):
            places.append(slot)
        places += [(*place, text) for place in end]
        free = (each for each in places if each is slot or not _covers(each[0], others))
        chosen = next(free, slot)
        if chosen is None:
            continue
        state = "path" if i in onward else "full" if full[i] else "faded"
        groups[state].append((int(layout.node[i]), chosen))
        taken = np.vstack([taken, chosen[0]])
    colour = {"path": theme.ink, "full": theme.ink, "faded": theme.grey7}
    return [
        _text_trace(rows, state, colour[state], theme.paper)
        for state, rows in groups.items()
        if rows
    ]


def answer_boxes(layout: FlowLayout, answers: Mapping[int, str]) -> dict[int, Slot]:
    """Slot of the answer that leads to a node: on its ribbon, before its bar.

    Left out where it would cover a bar or another answer.
    """
    found: dict[int, Slot] = {}
    bars = _marks(layout, None)
    for i, node in enumerate(layout.node.tolist()):
        if node not in answers:
            continue
        right = layout.x[i] - Size.bar / 2 - _APART
        left, low = right - text_width(answers[node], Size.tick), layout.y[i] - LINE / 2
        box = (float(left), float(low), float(right), float(low + LINE))
        if not _covers(box, np.vstack([bars, *(other for other, _ in found.values())])):
            found[node] = box, answers[node]
    return found


def answer_trace(boxes: Mapping[int, Slot], least: float, theme: Theme) -> dict:
    """Answers as words, left out of a picture narrower than `least` pixels."""
    return marks.words(
        np.array([box[2] for box, _ in boxes.values()]),
        np.array([box[1] + LINE / 2 for box, _ in boxes.values()]),
        [text for _, text in boxes.values()],
        Size.tick,
        theme.grey7,
        "middle left",
        role="answer",
        name="answer",
        bed=_halo(theme.paper),
        customdata=np.array(list(boxes)),
        meta={"least": round(least)},
        cliponaxis=False,
    )


def _halo(paper: str) -> str:
    """Shadow by which a text can lie on ribbons."""
    return f"0 0 2px {paper}, 0 0 3px {paper}, 0 0 5px {paper}"


def _marks(layout: FlowLayout, framed: int | None) -> np.ndarray:
    """The boxes (left, low, right, high) of all bars, leaves with their symbols."""
    half = Size.bar / 2
    right = layout.x + half + np.where(layout.leaf, _SYMBOL, 0)
    low, high = layout.y - layout.bar / 2, layout.y + layout.bar / 2
    boxes = np.column_stack([layout.x - half, low, right, high])
    if framed is not None:
        boxes[framed] += Size.frame_gap * np.array([-1, -1, 1, 1])
    return boxes


def _along(layout: FlowLayout, route: np.ndarray) -> np.ndarray:
    """The boxes (left, low, right, high) through which the path runs."""
    if len(route) < 2:
        return _NO_BOXES
    x, y = layout.x[route], layout.y[route]
    along = np.linspace(x[:-1], x[1:], _STEPS, axis=1)
    up = smoothstep(y[:-1], y[1:], _STEPS)
    ends = (along[:, :-1], along[:, 1:]), (up[:, :-1], up[:, 1:])
    (left, right), (low, high) = ((np.minimum(*pair), np.maximum(*pair)) for pair in ends)
    wide = Size.path / 2
    return np.stack([left, low - wide, right, high + wide], axis=2).reshape(-1, 4)


def _slots(
    layout: FlowLayout,
    texts: Mapping[int, str],
    wanted: list[int],
    framed: int | None,
    taken: np.ndarray,
) -> dict[int, Place]:
    """Strip of each node between two of its children.

    It holds as much text as it has room for.
    """
    strips = _strips(layout)
    slots = {}
    for i in wanted:
        for low, high in strips.get(i, ()):
            if high - low < LINE:
                break
            left, middle = taken[i, 2] + _APART, (low + high) / 2
            left += Size.frame_gap if i == framed else 0.0
            low, high = middle - LINE / 2, middle + LINE / 2
            ahead = (taken[:, 0] >= left) & (taken[:, 1] < high) & (taken[:, 3] > low)
            right = min([layout.width, *taken[ahead, 0].tolist()])
            if right - left < _LEAST:
                continue
            text = fit_text(texts[int(layout.node[i])], right - left, Size.tick)
            box = left, low, left + text_width(text, Size.tick), high
            slots[i] = box, "middle right", text
            break
    return slots


def _strips(layout: FlowLayout) -> dict[int, list[tuple[float, float]]]:
    """Between which heights no bar lies below each node, the widest first."""
    top, bottom = layout.y + layout.bar / 2, layout.y - layout.bar / 2
    found: dict[int, list[tuple[float, float]]] = {}
    last: dict[int, int] = {}
    for i in range(len(layout.node) - 1, 0, -1):  # children come after their parents
        above = int(layout.parent[i])
        if above in last:
            found.setdefault(above, []).append((float(top[last[above]]), float(bottom[i])))
        last[above] = i
        top[above] = max(top[above], top[i])
        bottom[above] = min(bottom[above], bottom[i])
    return {i: sorted(strips, key=lambda s: s[0] - s[1]) for i, strips in found.items()}


def _places(
    layout: FlowLayout, bar: np.ndarray, right: float, wide: float, climbs: bool
) -> tuple[list[tuple[Box, str]], ...]:
    """Boxes for a node's text that begin at its `bar`, and that end there; best first.

    Above it, unless the path climbs from there and would run through it.
    """
    heights = [(bar[3], "top"), (bar[1] - LINE, "bottom")][:: -1 if climbs else 1]
    return tuple(
        [
            ((x, y, x + wide, y + LINE), f"{up} {across}")
            for y, up in heights
            if x >= 0 and x + wide <= layout.width and y >= 0 and y + LINE <= layout.total
        ]
        for x, across in ((bar[0], "right"), (right - wide, "left"))
    )


def _covers(box: np.ndarray, others: np.ndarray) -> bool:
    beside = (others[:, 2] <= box[0]) | (others[:, 0] >= box[2])
    clear = (others[:, 3] <= box[1]) | (others[:, 1] >= box[3])
    return bool((~beside & ~clear).any())


# A text keeps to its bar where the picture is wider or lower than it was laid out for.
def _text_trace(rows: list[tuple[int, Place]], state: str, colour: str, paper: str) -> dict:
    boxes, side, text = zip(*(place for _, place in rows), strict=True)
    left, low, right, high = np.array(boxes).T
    up, across = np.array([each.split() for each in side]).T
    return marks.words(
        np.where(across == "left", right, left),
        np.select([up == "top", up == "bottom"], [low + _AIR, high - _AIR], (low + high) / 2),
        list(text),
        Size.tick + (state == "path"),
        colour,
        list(side),
        role="test",
        name="test",
        bed=_halo(paper),
        meta={"state": state},
        customdata=np.array([node for node, _ in rows]),
        cliponaxis=False,
    )
