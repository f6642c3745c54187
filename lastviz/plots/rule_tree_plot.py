"""The tree as a flow at the left, its rules as rows of a table at the right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from lastviz.inspection import supports
from lastviz.plots.visuals.flow_layout import FlowLayout, flow_layout, smoothstep
from lastviz.plots.visuals.flow_texts import text_traces
from lastviz.plots.visuals.flow_traces import (
    Outline,
    bar_traces,
    frames,
    full_nodes,
    node_hits,
    node_places,
    node_trace,
    outlines,
    ribbon_traces,
)
from lastviz.plots.visuals.node_selection import NodeSelection, select
from lastviz.plots.visuals.panel import Margin, Panel, compose
from lastviz.plots.visuals.rule_rows import (
    LEAST,
    NUMBER,
    PITCH,
    Rows,
    RuleTreeWords,
    heads,
    leaders,
    row_bars,
    row_hits,
    row_texts,
    signs,
)
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import Words, class_names_of
from lastviz.tree import Tree

from .flow_tree_plot import TEXT_UP_TO, hover_texts
from .visuals import marks
from .visuals.drawing import Drawing

MOST_DRAWN = 250
"""Rows that are drawn at most: a tree of 500 nodes."""

_HEAD = 28  # pixels above the rows, for the names of the columns
_ALL_ROWS = 196.0  # pixels of the bar of all rows
_DENSE = 4.5  # pixels between rows without numbers
_FULL_WEIGHT = 0.999


def rule_tree_plot(
    tree: Tree,
    *,
    theme: ThemeName,
    numbers: Mapping[int, int],
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
    words: Words | None = None,
    columns: RuleTreeWords | None = None,
    outlined: Mapping[int, Outline] | None = None,
) -> Drawing:
    """Draw `tree` with the support, the class supports and the confidence of each rule.

    Parameters
    ----------
    numbers : mapping from leaf to number
        Of its rule.
    selected : int or None
        A node to frame; what is not below it fades.
    visited : mapping from node to weight, or None
        The nodes that a sample visits and the share of it that comes there; the rest fades.
    depth : int or None
        Nodes at this depth are drawn as leaves.
    least : float
        Nodes with fewer rows (weight) are not opened.
    most : int
        Rows at most; the nodes with most rows are opened.
    keep : sequence of int
        Nodes that are drawn whatever they hold.
    width_hint : int
        Width that the figure will have, about, in pixels.
    texts, class_names, hover, words, outlined
        As for :func:`flow_tree_plot`.
    columns : RuleTreeWords or None
        English if None.
    """
    colours, words = THEMES[theme], words or Words()
    names = class_names_of(tree, class_names)
    selection = select(tree, selected, depth)
    layout = rule_layout(
        tree, selection, visited, least=least, most=most, keep=keep, width=width_hint
    )
    at = {int(node): i for i, node in enumerate(layout.node)}
    here = {at[node]: weight for node, weight in (visited or {}).items() if node in at}
    route = np.array(sorted(here), dtype=np.intp)
    full = full_nodes(tree, layout, selection, route)
    hovers = hover_texts(tree, layout, hover, class_names, words)
    rows = _rows(tree, layout, here, at.get(selection.node), width_hint, colours)
    written = bool(layout.n_leaves <= TEXT_UP_TO)

    traces = leaders(rows, here)
    traces += ribbon_traces(tree, layout, full, names, colours)
    traces += bar_traces(tree, layout, full, names, colours)
    traces += _path_traces(layout, here, at.get(selection.node), colours)
    if texts:
        framed, route = at.get(selection.node), _main(layout, here)
        traces += text_traces(layout, texts, full, route, colours, framed=framed)
    traces += row_bars(rows, names, thick=9.0 if written else 3.0)
    if written:
        traces += [signs(rows), *row_texts(rows, numbers)]
    if any(hovers):
        traces.append(node_trace(layout, hovers))
    panel = Panel(
        traces=traces,
        xaxis={"range": [0, width_hint], "visible": False},
        yaxis={"range": [0, layout.total], "visible": False},
        annotations=heads(width_hint, columns or RuleTreeWords(), written, colours),
        shapes=[
            *outlines(layout, outlined or {}, colours),
            *frames(layout, at.get(selection.node), colours),
        ],
        hits=[*row_hits(rows, hovers), *node_hits(layout, hovers)],
        flow=node_places(layout),
    )
    margin = Margin(left=0, right=0, top=_HEAD, bottom=0)
    drawing = compose([panel], [layout.total], theme=theme, margin=margin)
    drawing.settings["meta"]["least"] = round(LEAST * width_hint)
    return drawing


def rule_layout(
    tree: Tree,
    selection: NodeSelection,
    visited: Mapping[int, float] | None,
    *,
    least: float = 0.0,
    most: int = MOST_DRAWN,
    keep: Sequence[int] = (),
    width: float = 1080.0,
) -> FlowLayout:
    """Return where the nodes of :func:`rule_tree_plot` lie; it counts what is not drawn."""
    wanted = (*selection.path[-1:], *(visited or ()), *keep)
    size = {"width": width - NUMBER - 34.0, "height": _ALL_ROWS, "keep": wanted}
    how = {"depth": selection.depth, "least": least, "max_leaves": min(most, MOST_DRAWN)}
    layout = flow_layout(tree, **size, **how, pitch=PITCH)
    if layout.n_leaves <= TEXT_UP_TO:
        return layout
    return flow_layout(tree, **size, **how, pitch=_DENSE)


def _rows(
    tree: Tree,
    layout: FlowLayout,
    here: Mapping[int, float],
    framed: int | None,
    right: float,
    theme: Theme,
) -> Rows:
    places = np.flatnonzero(layout.leaf)
    places = places[np.argsort(-layout.y[places])]
    marked = np.isin(places, [*here, *([] if framed is None else [framed])])
    return Rows(tree, layout, supports(tree), places, marked, right, theme)


def _main(layout: FlowLayout, here: Mapping[int, float]) -> np.ndarray:
    """Return the path of the largest part of a sample, from the root on."""
    ends = [i for i in here if not any(layout.parent[j] == i for j in here)]
    if not ends:
        return np.empty(0, dtype=np.intp)
    path = [max(ends, key=lambda i: (here[i], -i))]
    while layout.parent[path[-1]] >= 0:
        path.append(int(layout.parent[path[-1]]))
    return np.array(path[::-1], dtype=np.intp)


def _path_traces(
    layout: FlowLayout, here: Mapping[int, float], framed: int | None, theme: Theme
) -> list[dict]:
    """The path of a sample: thinner where only a part of it goes."""
    if not here:
        return []
    traces = []
    child = np.array([i for i in here if layout.parent[i] >= 0], dtype=np.intp)
    weight = np.array([here[int(i)] for i in child])
    for is_full, width in ((False, Size.split_path), (True, Size.path)):
        some = child[(weight >= _FULL_WEIGHT) == is_full]
        if len(some) == 0:
            continue
        above = layout.parent[some]
        along = np.linspace(layout.x[above], layout.x[some], 24, axis=1)
        up = smoothstep(layout.y[above], layout.y[some], 24)
        gap = np.full((len(some), 1), np.nan)
        xy = np.column_stack([np.hstack([along, gap]).ravel(), np.hstack([up, gap]).ravel()])
        traces.append(marks.line(xy, theme.ink, width, role="path", name="path"))
    dotted = np.array([i for i in here if i != framed], dtype=np.intp)
    xy = np.column_stack([layout.x[dotted], layout.y[dotted]])
    return [*traces, marks.dots(xy, theme, role="path_node", name="path node")]
