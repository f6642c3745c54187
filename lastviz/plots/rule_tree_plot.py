"""The tree as a flow at the left, its rules as rows of a table at the right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from lastviz.inspection import Supports, supports
from lastviz.tree import Tree

from . import marks
from .flow_layout import FlowLayout, flow_layout, smoothstep
from .flow_texts import text_traces
from .flow_traces import bar_traces, frames, full_nodes, node_hits, node_trace, ribbon_traces
from .flow_tree_plot import TEXT_UP_TO, told_of
from .labels import Words, class_names_of, number
from .panel import Hit, Margin, Panel, compose, hit
from .selection import Selection, select
from .theme import THEMES, Size, Theme, ThemeName, symbol

__all__ = ["MOST_DRAWN", "RuleTreeWords", "rule_layout", "rule_tree_plot"]

MOST_DRAWN = 250
"""Rows that are drawn at most: a tree of 500 nodes."""

_HEAD = 28  # pixels above the rows, for the names of the columns
_ALL_ROWS = 196.0  # pixels of the bar of all rows
_PITCH, _DENSE = 28.5, 4.5  # pixels between rows with numbers, and without
_FULL_WEIGHT = 0.999
# Columns, in pixels from the right edge.
_NUMBER, _SIGN, _COUNT, _SUPPORT = 384.0, 362.0, 318.0, (312.0, 272.0)
_SHARES, _CONFIDENCE, _COVERAGE = (248.0, 148.0), 72.0, 2.0


@dataclass(frozen=True)
class RuleTreeWords:
    """The names of the columns; pass translated ones."""

    rule: str = "rule"
    support: str = "support"
    shares: str = "class supports"
    confidence: str = "confidence"
    coverage: str = "coverage"


@dataclass(frozen=True, eq=False)
class _Row:
    """What the drawing of rows needs."""

    tree: Tree
    layout: FlowLayout
    held: Supports
    places: np.ndarray  # of the rows among the drawn nodes, from top to bottom
    marked: np.ndarray  # which of them are in ink
    right: float
    theme: Theme

    @property
    def y(self) -> np.ndarray:
        return self.layout.y[self.places]

    @property
    def node(self) -> np.ndarray:
        return self.layout.node[self.places]


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
) -> go.Figure:
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
    texts, class_names, hover, words
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
    told = told_of(tree, layout, hover, class_names, words)
    rows = _rows(tree, layout, here, at.get(selection.node), width_hint, colours)
    written = bool(layout.n_leaves <= TEXT_UP_TO)

    traces = _leaders(rows, here)
    traces += ribbon_traces(tree, layout, full, names, colours)
    traces += bar_traces(tree, layout, full, names, colours)
    traces += _way(layout, here, at.get(selection.node), colours)
    if written and texts:
        traces += text_traces(layout, texts, full, _main(layout, here), colours)
    traces += _row_bars(rows, names, thick=9.0 if written else 3.0)
    if written:
        traces += [_signs(rows), *_row_texts(rows, numbers)]
    traces.append(node_trace(layout, told))
    panel = Panel(
        traces=traces,
        xaxis={"range": [0, width_hint], "visible": False},
        yaxis={"range": [0, layout.total], "visible": False},
        annotations=_heads(width_hint, columns or RuleTreeWords(), written, colours),
        shapes=frames(layout, at.get(selection.node), colours),
        hits=[*_row_hits(rows, told), *node_hits(layout, told)],
    )
    margin = Margin(left=0, right=0, top=_HEAD, bottom=0)
    return compose([panel], [layout.total], theme=theme, margin=margin)


def rule_layout(
    tree: Tree,
    selection: Selection,
    visited: Mapping[int, float] | None,
    *,
    least: float = 0.0,
    most: int = MOST_DRAWN,
    keep: Sequence[int] = (),
    width: float = 1080.0,
) -> FlowLayout:
    """Return where the nodes of :func:`rule_tree_plot` lie; it counts what is not drawn."""
    wanted = (*selection.path[-1:], *(visited or ()), *keep)
    size = {"width": width - _NUMBER - 34.0, "height": _ALL_ROWS, "keep": wanted}
    how = {"depth": selection.depth, "least": least, "max_leaves": min(most, MOST_DRAWN)}
    layout = flow_layout(tree, **size, **how, pitch=_PITCH)
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
) -> _Row:
    places = np.flatnonzero(layout.leaf)
    places = places[np.argsort(-layout.y[places])]
    marked = np.isin(places, [*here, *([] if framed is None else [framed])])
    return _Row(tree, layout, supports(tree), places, marked, right, theme)


def _main(layout: FlowLayout, here: Mapping[int, float]) -> np.ndarray:
    """Return the way of the largest part of a sample, from the root on."""
    ends = [i for i in here if not any(layout.parent[j] == i for j in here)]
    if not ends:
        return np.empty(0, dtype=np.intp)
    way = [max(ends, key=lambda i: (here[i], -i))]
    while layout.parent[way[-1]] >= 0:
        way.append(int(layout.parent[way[-1]]))
    return np.array(way[::-1], dtype=np.intp)


def _leaders(rows: _Row, here: Mapping[int, float]) -> list[dict]:
    """Hairlines from each leaf to its row; in ink where the sample ends."""
    start = rows.layout.x[rows.places] + Size.bar / 2 + 6
    end = np.full(len(start), rows.right - _NUMBER - 26)
    lines = np.column_stack([start, rows.y, end, rows.y])[start < end]
    ink = np.isin(rows.places, list(here))[start < end]
    hair = marks.segments(lines[~ink], rows.theme.grey1, 1, role="leader", name="leader")
    if not ink.any():
        return [hair]
    mine = marks.segments(lines[ink], rows.theme.ink, 1.5, role="leader", name="leader of the path")
    return [hair, mine]


def _way(
    layout: FlowLayout, here: Mapping[int, float], framed: int | None, theme: Theme
) -> list[dict]:
    """The way of a sample: thinner where only a part of it goes."""
    if not here:
        return []
    traces = []
    child = np.array([i for i in here if layout.parent[i] >= 0], dtype=np.intp)
    weight = np.array([here[int(i)] for i in child])
    for whole, width in ((False, Size.split_path), (True, Size.path)):
        some = child[(weight >= _FULL_WEIGHT) == whole]
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


def _row_bars(rows: _Row, names: Sequence[str], thick: float) -> list[dict]:
    """Support as a grey bar, class supports as a bar of 100 % with a tick at 50 %."""
    left, right = (rows.right - edge for edge in _SUPPORT)
    held = rows.held.support[rows.node]
    long = (right - left) * held / max(held.max(initial=0.0), 1e-300)
    grey = rows.theme.grey3
    traces = [_boxes(left, left + long, rows.y, thick, grey, role="support", name="support")]
    left, right = (rows.right - edge for edge in _SHARES)
    shares = rows.held.classes[rows.node]
    ends = left + (right - left) * np.cumsum(shares, axis=1)
    starts = ends - (right - left) * shares
    for k in np.flatnonzero(shares.any(axis=0)):
        some = shares[:, k] > 0
        x0, x1 = (
            left + (right - left) * e for e in (ends[some, k] - shares[some, k], ends[some, k])
        )
        traces.append(
            _boxes(x0, x1, rows.y[some], min(1.4 * thick, 13.0), rows.theme.table_bar(k),
                   role="class_supports", name=names[k], **{"class": int(k)})
        )  # fmt: skip
    middle, half = np.full(len(rows.y), (left + right) / 2), min(0.7 * thick, 6.5) + 1
    ticks = np.column_stack([middle, rows.y - half, middle, rows.y + half])
    return [*traces, marks.segments(ticks, rows.theme.paper, 2, role="half", name="50 %")]


def _boxes(
    x0: np.ndarray | float, x1: np.ndarray, y: np.ndarray, thick: float, colour: str, **named
) -> dict:
    x0 = np.broadcast_to(x0, x1.shape)
    low, high = y - thick / 2, y + thick / 2
    nothing = np.full(len(y), np.nan)
    x = np.column_stack([x0, x1, x1, x0, nothing]).ravel()
    return marks.polygons(
        np.column_stack([x, np.column_stack([low, low, high, high, nothing]).ravel()]),
        colour,
        **named,
    )


def _signs(rows: _Row) -> dict:
    """The symbol of the class that a row predicts."""
    label = rows.tree.prediction[rows.node].tolist()
    return {
        "type": "scatter",
        "name": "class",
        "meta": {"role": "class"},
        "x": np.full(len(label), rows.right - _SIGN),
        "y": rows.y,
        "mode": "markers",
        "hoverinfo": "skip",
        "marker": {
            "size": Size.leaf_symbol,
            "symbol": [symbol(k) for k in label],
            "color": [rows.theme.hue(k) for k in label],
        },
    }


def _row_texts(rows: _Row, numbers: Mapping[int, int]) -> list[dict]:
    """The numbers of the rows; those in ink are bold."""
    held, nodes = rows.held, rows.node.tolist()
    below = _leaves_below(rows.tree)
    told = {
        _NUMBER: [str(numbers[n]) if n in numbers else f"+{number(int(below[n]))}" for n in nodes],
        _COUNT: [number(float(f"{held.support[n]:.4g}")) for n in nodes],
        _CONFIDENCE: [f"{100 * held.confidence[n]:.0f} %" for n in nodes],
        _COVERAGE: [f"{100 * held.coverage[n]:.0f} %" for n in nodes],
    }
    traces = []
    for ink, colour in ((False, rows.theme.grey7), (True, rows.theme.ink)):
        which = np.flatnonzero(rows.marked == ink).tolist()
        if not which:
            continue
        texts = [column[i] for column in told.values() for i in which]
        traces.append(
            {
                "type": "scatter",
                "name": "row",
                "meta": {"role": "row", "state": "ink" if ink else "grey"},
                "x": np.repeat([rows.right - edge for edge in told], len(which)),
                "y": np.tile(rows.y[which], len(told)),
                "text": [f"<b>{text}</b>" if ink else text for text in texts],
                "mode": "text",
                "textposition": "middle left",
                "textfont": {"size": Size.tick + 1, "color": colour},
                "hoverinfo": "skip",
                "cliponaxis": False,
            }
        )
    return traces


def _leaves_below(tree: Tree) -> np.ndarray:
    """Return how many leaves each node has below it; children come after their parents."""
    count = (tree.n_children == 0).astype(np.intp)
    for level in range(tree.max_depth, 0, -1):
        here = np.flatnonzero(tree.depth == level)
        np.add.at(count, tree.parent[here], count[here])
    return count


def _heads(right: float, words: RuleTreeWords, written: bool, theme: Theme) -> list[dict]:
    heads = [(_SUPPORT[1], words.support), (_SHARES[1], words.shares)]
    if written:
        heads += [
            (_NUMBER, words.rule),
            (_CONFIDENCE, words.confidence),
            (_COVERAGE, words.coverage),
        ]
    common = {"yref": "domain", "y": 1, "xanchor": "right", "yanchor": "bottom", "showarrow": False}
    font = {"size": Size.tick, "color": theme.grey5}
    return [
        {**common, "name": "column", "x": right - edge, "text": text, "font": font}
        for edge, text in heads
    ]


def _row_hits(rows: _Row, told: list[str]) -> list[Hit]:
    """The row of a leaf answers like its bar."""
    left, y = rows.right - _NUMBER - 26, rows.y
    gap = np.diff(y) / -2
    up, down = np.r_[_PITCH / 2, gap], np.r_[gap, _PITCH / 2]
    return [
        hit(node, [[left, b], [rows.right, b], [rows.right, a], [left, a]], told[place])
        for node, place, a, b in zip(
            rows.node.tolist(),
            rows.places.tolist(),
            np.round(y + up, 1).tolist(),
            np.round(y - down, 1).tolist(),
            strict=True,
        )
    ]
