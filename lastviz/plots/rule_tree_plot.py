"""The tree as a flow at the left, its rules as rows of a table at the right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from lastviz.inspection import supports
from lastviz.plots.visuals.flow_layout import FlowLayout, flow_layout, smoothstep
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
    text_traces,
)
from lastviz.plots.visuals.panel import Margin, Panel, compose
from lastviz.plots.visuals.plane import NodeSelection, select
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
from lastviz.plots.visuals.words import (
    FigureWords,
    class_names_of,
    escape_names,
    feature_html,
    number,
    text_width,
)
from lastviz.tree import Kind, Tree

from .flow_tree_plot import TEXT_UP_TO, flow_tree_panel, hover_texts
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
    words: FigureWords | None = None,
    columns: RuleTreeWords | None = None,
    outlined: Mapping[int, Outline] | None = None,
) -> Drawing:
    """Draw `tree` with the support, class supports and confidence of each rule.

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
    colours, words = THEMES[theme], words or FigureWords()
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
    """Layout of the nodes of :func:`rule_tree_plot`.

    It counts the nodes not drawn.
    """
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
    """Path of the largest part of a sample, from the root on."""
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


# ---- A tree of categories as a flow: every branch says its category, every leaf its class


_LINE, _TYPE = 19, 15  # pixels of a line of text and of its letters
_LEAF_GAP = 30  # pixels from a leaf's bar to its words
_STRETCHES = (1.0, 1.5, 2.0)  # of the height, until every test has room


def branch_words(tree: Tree, node: int) -> str:
    """Categories that lead from its parent to `node`: ``youth, old``; "" at the root."""
    parent = int(tree.parent[node])
    if parent < 0 or tree.kind[parent] != Kind.CATEGORIES:
        return ""
    branch = tree.categories.branch[tree.split_row[parent]]
    names = tree.feature_categories[tree.feature[parent]]
    taken = np.flatnonzero(branch == node - tree.first_child[parent])
    return ", ".join(str(names[code]) for code in taken)


def category_tree_plot(
    tree: Tree,
    *,
    theme: ThemeName,
    class_names: Sequence[str] | None = None,
    selected: int | None = None,
    more: Mapping[int, str] | None = None,
    height: int = 260,
    width_hint: int = 620,
) -> Drawing:
    """Draw `tree` from the root at the left; widths are rows, colours classes.

    Parameters
    ----------
    tree : Tree
        Of nominal features.
    class_names : sequence of str or None
        The tree's own classes if None.
    selected : int or None
        A node to frame; what is not below it fades.
    more : mapping from node to html, or None
        More about a node, after its feature or its class.
    height, width_hint : int
        Height of the figure, more if its tests need it, and the least width that it will have,
        in pixels.
    """
    names = class_names_of(tree, class_names)
    more = more or {}
    words = {node: _words(tree, node, names, more.get(node, "")) for node in range(tree.n_nodes)}
    leaves = [words[node] for node in range(tree.n_nodes) if tree.is_leaf(node)]
    beside = min(max(text_width(text, _TYPE) for text in leaves) + 8, 0.5 * width_hint)
    wide, inner = width_hint - beside, np.count_nonzero(tree.n_children)
    for stretch in _STRETCHES:
        tall = stretch * height
        panel, n_written = _panel(tree, (wide, tall), words, class_names, selected, theme)
        if n_written == inner or tree.n_leaves > TEXT_UP_TO:
            break
    panel = replace(panel, xaxis={**panel.xaxis, "range": [0, width_hint]})
    margin = Margin(left=0, right=0, top=0, bottom=0)
    drawing = compose([panel], [tall], theme=theme, margin=margin)
    drawing.settings["meta"]["least"] = width_hint
    return drawing


def _panel(
    tree: Tree,
    size: tuple[float, float],
    words: Mapping[int, str],
    class_names: Sequence[str] | None,
    selected: int | None,
    theme: ThemeName,
) -> tuple[Panel, int]:
    """Tree in this size, and how many tests it has room for."""
    layout = flow_layout(tree, width=size[0], height=size[1])
    branches, at = _branches(layout, tree, selected)
    panel = flow_tree_panel(
        tree,
        theme=theme,
        selection=select(tree, selected, None),
        path=None,
        size=size,
        texts={node: text for node, text in words.items() if not tree.is_leaf(node)},
        class_names=class_names,
        hover=words,
        words=None,
        blocked=_boxes(layout, branches, at, words),
    )
    n_written = sum(len(t["text"]) for t in panel.traces if t["meta"]["role"] == "test")
    if layout.n_leaves > TEXT_UP_TO:
        return panel, n_written
    added = _beside(layout, branches, at, words, THEMES[theme])
    return replace(panel, traces=[*panel.traces, *added]), n_written


def _words(tree: Tree, node: int, names: Sequence[str], more: str) -> str:
    rows = number(int(tree.n_node_samples[node]))
    if tree.is_leaf(node):
        k, total = int(tree.prediction[node]), float(tree.value[node].sum())
        of_class = float(tree.value[node, k])
        part = rows if of_class == total else f"{number(of_class)}/{rows}"
        head = f"{names[k]} · {part}"
    else:
        head = f"<b>{feature_html(tree.feature_names[int(tree.feature[node])])}</b> · {rows}"
    return f"{head} · {more}" if more else head


def _branches(layout: FlowLayout, tree: Tree, selected: int | None) -> tuple[list[str], np.ndarray]:
    """Categories of each branch and where their words end, before its bar."""
    words = [escape_names([branch_words(tree, node)])[0] for node in layout.node.tolist()]
    framed = np.where(layout.node == selected, Size.frame_gap + 2, 0)
    return words, layout.x - Size.bar / 2 - 5 - framed


def _boxes(
    layout: FlowLayout, branches: list[str], at: np.ndarray, words: Mapping[int, str]
) -> np.ndarray:
    """Boxes (left, low, right, high) of the texts beside the bars."""
    wide = np.array([text_width(text, _TYPE) for text in branches])
    before = np.column_stack([at - wide, layout.y - _LINE / 2, at, layout.y + _LINE / 2])
    leaf = np.flatnonzero(layout.leaf)
    start, y = layout.x[leaf] + _LEAF_GAP, layout.y[leaf]
    wide = np.array([text_width(words[node], _TYPE) for node in layout.node[leaf].tolist()])
    behind = np.column_stack([start, y - _LINE / 2, start + wide, y + _LINE / 2])
    return np.vstack([before, behind])


def _beside(
    layout: FlowLayout,
    branches: list[str],
    at: np.ndarray,
    words: Mapping[int, str],
    theme: Theme,
) -> list[dict]:
    """Categories before each bar and the classes behind leaves."""
    leaf = np.flatnonzero(layout.leaf)
    classes = [words[int(node)] for node in layout.node[leaf]]
    start = layout.x[leaf] + _LEAF_GAP
    return [
        marks.words(x, y, texts, _TYPE, theme.ink, side, role=role, name=role, cliponaxis=False)
        for x, y, texts, side, role in (
            (at, layout.y, branches, "middle left", "branch"),
            (start, layout.y[leaf], classes, "middle right", "leaf_words"),
        )
    ]
