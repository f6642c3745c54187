"""A tree of categories as a flow: every branch says its category, every leaf its class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from lastviz.plots.visuals.flow_layout import FlowLayout, flow_layout
from lastviz.plots.visuals.node_selection import select
from lastviz.plots.visuals.panel import Margin, Panel, compose
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import (
    class_names_of,
    escaped,
    feature_html,
    number,
    text_width,
)
from lastviz.tree import Kind, Tree

from .flow_tree_plot import TEXT_UP_TO, flow_tree_panel
from .visuals import marks
from .visuals.drawing import Drawing

_LINE, _TYPE = 19, 15  # pixels of a line of text and of its letters
_LEAF_GAP = 30  # pixels from a leaf's bar to its words
_STRETCHES = (1.0, 1.5, 2.0)  # of the height, until every test has room


def branch_words(tree: Tree, node: int) -> str:
    """Return the categories that lead from its parent to `node`: ``youth, old``; "" at the root."""
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
    """Return the tree in this size, and how many tests it has room for."""
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
    """Return the categories of each branch and where their words end, before its bar."""
    words = [escaped([branch_words(tree, node)])[0] for node in layout.node.tolist()]
    framed = np.where(layout.node == selected, Size.frame_gap + 2, 0)
    return words, layout.x - Size.bar / 2 - 5 - framed


def _boxes(
    layout: FlowLayout, branches: list[str], at: np.ndarray, words: Mapping[int, str]
) -> np.ndarray:
    """Return what the words beside the bars cover, as boxes (left, low, right, high)."""
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
    """Return the categories before each bar and the classes behind leaves."""
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
