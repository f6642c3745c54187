"""A pruned tree: the remaining part as a flow of samples, the removed part in grey."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from lastviz.plots.visuals.flow_layout import FlowLayout, flow_layout, smoothstep
from lastviz.plots.visuals.flow_traces import (
    bar_traces,
    frames,
    node_hits,
    node_places,
    node_trace,
    ribbon_traces,
)
from lastviz.plots.visuals.panel import Margin, Panel, compose
from lastviz.plots.visuals.plane import below
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName, symbol
from lastviz.plots.visuals.words import FigureWords, class_names_of
from lastviz.tree import Tree

from .flow_tree_plot import hover_texts, notes
from .visuals import marks
from .visuals.drawing import Drawing

GONE_BAR, GONE_LINE = 5, 1  # pixels
NEW_LEAF, EDGE = 12, 2  # the symbol where a subtree was
CURVE = 12  # points of a dashed line
NOTE = 20.0  # pixels at the foot for the sentence about what is not drawn


def pruned_tree_plot(
    tree: Tree,
    cut: np.ndarray,
    *,
    theme: ThemeName,
    selected: int | None = None,
    height: int = 170,
    width_hint: int = 620,
    class_names: Sequence[str] | None = None,
    hover: Mapping[int, str] | None = None,
    words: FigureWords | None = None,
) -> Drawing:
    """Draw `tree` with its root at the left, pruned below the nodes `cut`.

    Every node keeps its place, however much of the tree goes.

    Parameters
    ----------
    tree : Tree
        As it was grown.
    cut : ndarray of intp
        Nodes that are leaves instead of their subtrees.
    selected : int or None
        A node to frame.
    height, width_hint : int
        Height of the figure and the width that it will have, about, in pixels.
    class_names : sequence of str or None
        The tree's own classes if None.
    hover : mapping from node to html, or None
        As of :func:`flow_tree_plot`.
    words : Words or None
        English if None.
    """
    colours, words = THEMES[theme], words or FigureWords()
    names = class_names_of(tree, class_names)
    keep = () if selected is None else (selected,)
    layout = flow_layout(tree, width=width_hint, height=height, note=NOTE, keep=keep)
    is_cut = np.zeros(tree.n_nodes, dtype=bool)
    is_cut[cut] = True
    gone = (below(tree, cut) & ~is_cut)[layout.node] if len(cut) else np.zeros(len(layout.node))
    gone = gone.astype(bool)
    full = np.ones(len(layout.node), dtype=bool)
    hovers = hover_texts(tree, layout, hover, class_names, words)
    traces = ribbon_traces(tree, layout, full, names, colours, gone)
    traces += _gone_traces(layout, gone, colours)
    traces += bar_traces(tree, layout, full, names, colours, gone)
    traces += _leaf_traces(tree, layout, gone, is_cut[layout.node], colours)
    if any(hovers):
        traces.append(node_trace(layout, hovers))
    at = {int(node): i for i, node in enumerate(layout.node)}
    fixed = {"visible": False, "fixedrange": True}
    panel = Panel(
        traces=traces,
        xaxis={"range": [0, width_hint], **fixed},
        yaxis={"range": [0, height], **fixed},
        annotations=notes(layout, words, colours),
        shapes=frames(layout, at.get(selected), colours),
        hits=node_hits(layout, hovers),
        flow=node_places(layout),
    )
    return compose([panel], [height], theme=theme, margin=Margin(left=0, right=0, top=0, bottom=0))


def _gone_traces(layout: FlowLayout, gone: np.ndarray, theme: Theme) -> list[dict]:
    """Dashed line to each node that goes, and its bar."""
    which = np.flatnonzero(gone)
    if not len(which):
        return []
    start, end = layout.parent[which], which
    along = np.linspace(layout.x[start], layout.x[end], CURVE, axis=1)
    up = smoothstep(layout.y[start], layout.y[end], CURVE)
    xy = np.full((len(which), CURVE + 1, 2), np.nan)
    xy[:, :CURVE, 0], xy[:, :CURVE, 1] = along, up
    line = marks.line(
        xy.reshape(-1, 2), theme.grey3, GONE_LINE, role="gone_line", name="pruned", dash="dot"
    )
    half = layout.bar[which] / 2
    x, y = layout.x[which], layout.y[which]
    ends = np.column_stack([x, y - half, x, y + half])
    return [line, marks.segments(ends, theme.grey3, GONE_BAR, role="gone_bar", name="pruned")]


def _leaf_traces(
    tree: Tree, layout: FlowLayout, gone: np.ndarray, is_cut: np.ndarray, theme: Theme
) -> list[dict]:
    """Class symbols beside the leaves.

    In place of a pruned subtree there always is one, elsewhere only with enough room.
    """
    found = []
    usual = layout.leaf & ~gone & ~is_cut & (layout.room >= Size.least_symbol)
    for which, size, edge in ((usual, Size.leaf_symbol, 0), (is_cut & ~gone, NEW_LEAF, EDGE)):
        places = np.flatnonzero(which)
        if not len(places):
            continue
        room = float(layout.room[places].min()) - 0.5
        size = size if edge else min(size, max(Size.least_symbol, room))
        label = tree.prediction[layout.node[places]].tolist()
        found.append(
            marks.symbols(
                layout.x[places] + Size.bar / 2 + 12,
                layout.y[places],
                [symbol(k) for k in label],
                size + edge,
                [theme.bar(k) for k in label],
                (edge, theme.paper),
                role="new_leaf" if edge else "leaf",
                name="new leaf" if edge else "leaf",
                customdata=layout.node[places],
            )
        )
    return found
