"""The tree as a flow of rows: width is the number of rows, colour the class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from lastviz.plots.visuals.flow_layout import FlowLayout, flow_layout
from lastviz.plots.visuals.flow_traces import (
    LINE,
    Outline,
    answer_boxes,
    answer_trace,
    bar_traces,
    frames,
    full_nodes,
    leaf_traces,
    node_hits,
    node_places,
    node_trace,
    outlines,
    ribbon_traces,
    route_traces,
    text_traces,
)
from lastviz.plots.visuals.panel import Margin, Panel, compose
from lastviz.plots.visuals.plane import NodeSelection, check_node, select
from lastviz.plots.visuals.theme import (
    N_SHADES,
    THEMES,
    Size,
    Theme,
    ThemeName,
    shade_of,
    with_hues,
)
from lastviz.plots.visuals.words import (
    FigureWords,
    class_names_of,
    nodes_html,
    number,
    say,
    split_words,
    text_width,
)
from lastviz.tree import Tree

from .visuals import marks
from .visuals.drawing import Drawing

TEXT_UP_TO = 60
"""With more leaves the tests are in the hover texts only."""
SMALL = 8
"""A tree of so many leaves says its tests and answers, whoever draws it."""

_SYMBOL, _APART = 26.0, 8.0  # pixels that a leaf's symbol takes beside its bar, and of a gap
_LEAST = 0.85  # of the width that was hinted at, from which answers are written
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
    words: FigureWords | None = None,
    outlined: Mapping[int, Outline] | None = None,
    beside: Mapping[int, str] | None = None,
) -> Drawing:
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
        Tests to write above nodes, as far as they find room; none above 60 leaves. If None, the
        own tests of a tree of at most 8 leaves.
    class_names : sequence of str or None
        The tree's own classes if None.
    hover : mapping from node to html, or None
        What is said about a node, nothing if it is left out; its test or class and its rows
        if None.
    words : Words or None
        Words for hover texts and notes; English if None.
    outlined : mapping from node to {"pale", "ink", "dashed", "edited"}, or None
        Nodes with a frame, and its line.
    beside : mapping from leaf to str, or None
        What stands at the right edge in the line of a leaf, the largest leaves first, as far as
        lines find room.
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
        outlined=outlined,
        beside=beside,
    )
    margin = Margin(left=0, right=0, top=0, bottom=0)
    return compose([panel], [height], theme=theme, margin=margin)


def number_tree_panel(
    tree: Tree, ends: tuple[float, float], *, theme: ThemeName, size: tuple[float, float]
) -> Panel:
    """Panel of a regression tree, its flow darker for larger predictions.

    `ends` are the numbers of the palest and the darkest shade; leaves say theirs at the right
    edge, as far as lines find room.
    """
    value = np.zeros((tree.n_nodes, N_SHADES))
    leaves = np.flatnonzero(tree.n_children == 0)
    value[leaves, shade_of(tree.prediction[leaves], ends)] = tree.weighted_n_node_samples[leaves]
    for node in range(tree.n_nodes - 1, 0, -1):  # children come after their parents
        value[tree.parent[node]] += value[node]
    return flow_tree_panel(
        replace(tree, value=value),
        theme=with_hues(theme, [THEMES[theme].shade(k) for k in range(N_SHADES)]),
        selection=select(tree, None, None),
        path=None,
        size=size,
        texts=None,
        class_names=[""] * N_SHADES,
        hover={},
        words=None,
        beside={leaf: number(tree.prediction[leaf]) for leaf in leaves.tolist()},
    )


def flow_tree_panel(
    tree: Tree,
    *,
    theme: ThemeName,
    selection: NodeSelection,
    path: Sequence[int] | None,
    size: tuple[float, float],
    texts: Mapping[int, str] | None,
    class_names: Sequence[str] | None,
    hover: Mapping[int, str] | None,
    words: FigureWords | None,
    blocked: np.ndarray | None = None,
    outlined: Mapping[int, Outline] | None = None,
    beside: Mapping[int, str] | None = None,
) -> Panel:
    """Panel of :func:`flow_tree_plot`; one unit of its axes is one pixel of `size`.

    `blocked` are the boxes (left, low, right, high) that texts keep clear of: the words of a caller
    who says himself which branch leads where. Without them, a small tree answers yes and no.
    """
    colours = THEMES[theme]
    names = class_names_of(tree, class_names)
    words = words or FigureWords()
    steps = tuple(check_node(tree, node) for node in path or ())
    room = max(map(text_width, (beside or {}).values()), default=-_APART) + _APART
    layout = flow_layout(
        tree,
        width=size[0] - room,
        height=size[1],
        note=_NOTE,
        depth=selection.depth,
        keep=(*selection.path[-1:], *steps[-1:]),
    )
    at = {int(node): i for i, node in enumerate(layout.node)}
    route = np.array([at[node] for node in steps if node in at], dtype=np.intp)
    full = full_nodes(tree, layout, selection, route)
    hovers = hover_texts(tree, layout, hover, class_names, words)

    traces = ribbon_traces(tree, layout, full, names, colours)
    traces += bar_traces(tree, layout, full, names, colours)
    traces += route_traces(layout, route, at.get(selection.node), colours)
    if not tree.is_regression:
        traces += leaf_traces(tree, layout, full, colours)
    if beside:
        traces += _at_the_edge(layout, beside, size[0], colours)
    if texts is None and layout.n_leaves <= SMALL:
        texts = {node: split_words(tree, node) for node in np.flatnonzero(tree.n_children).tolist()}
    if texts and layout.n_leaves <= TEXT_UP_TO:
        clear = {"framed": at.get(selection.node)}
        if blocked is None and layout.n_leaves <= SMALL:
            answers = answer_boxes(layout, _answers(tree))
            traces += [answer_trace(answers, _LEAST * size[0], colours)] if answers else []
            blocked = np.array([box for box, _ in answers.values()]) if answers else None
        clear |= {} if blocked is None else {"blocked": blocked}
        traces += text_traces(layout, texts, full, route, colours, **clear)
    if any(hovers):
        traces.append(node_trace(layout, hovers))
    fixed = {"visible": False, "fixedrange": True}
    return Panel(
        traces=traces,
        xaxis={"range": [0, size[0]], **fixed},
        yaxis={"range": [0, size[1]], **fixed},
        annotations=notes(layout, words, colours),
        shapes=[
            *outlines(layout, outlined or {}, colours),
            *frames(layout, at.get(selection.node), colours),
        ],
        hits=node_hits(layout, hovers),
        flow=node_places(layout),
    )


def _answers(tree: Tree) -> dict[int, str]:
    """Answer that leads to each child of a test with two branches."""
    found: dict[int, str] = {}
    for node in np.flatnonzero(tree.n_children == 2).tolist():
        yes, no = tree.children(node)
        found |= {int(yes): say("yes"), int(no): say("no")}
    return found


def _at_the_edge(
    layout: FlowLayout, beside: Mapping[int, str], right: float, theme: Theme
) -> list[dict]:
    """Texts at the right edge, level with their leaves, and hairlines to them."""
    written: list[int] = []
    for i in np.argsort(-layout.bar, kind="stable").tolist():
        is_free = all(abs(layout.y[i] - layout.y[other]) >= LINE for other in written)
        if layout.leaf[i] and int(layout.node[i]) in beside and is_free:
            written.append(i)
    texts = [beside[int(layout.node[i])] for i in written]
    y = layout.y[written]
    start = layout.x[written] + Size.bar / 2 + _SYMBOL
    end = right - np.array([text_width(text) for text in texts]) - _APART
    lines = np.column_stack([start, y, end, y])[start < end]
    return [
        marks.segments(lines, theme.grey1, 1, role="leader", name="leader"),
        marks.words(
            np.full(len(y), right),
            y,
            texts,
            Size.tick,
            theme.ink,
            "middle left",
            role="beside",
            name="beside",
            customdata=layout.node[written],
        ),
    ]


def hover_texts(
    tree: Tree,
    layout: FlowLayout,
    hover: Mapping[int, str] | None,
    class_names: Sequence[str] | None,
    words: FigureWords,
) -> list[str]:
    """Hover text of each drawn node."""
    nodes = layout.node.tolist()
    if hover is not None:
        return [hover.get(node, "") for node in nodes]
    return nodes_html(tree, nodes, class_names, words)


def notes(layout: FlowLayout, words: FigureWords, theme: Theme) -> list[dict]:
    """Sentence about leaves that are not drawn, if there are any."""
    if layout.hidden_leaves == 0:
        return []
    text = words.hidden.format(leaves=number(layout.hidden_leaves), rows=number(layout.least_rows))
    place = {"xref": "domain", "yref": "domain", "x": 0, "y": 0}
    anchor = {"xanchor": "left", "yanchor": "bottom"}
    font = {"size": Size.tick, "color": theme.grey5}
    return [{**place, **anchor, "name": "hidden", "text": text, "showarrow": False, "font": font}]
