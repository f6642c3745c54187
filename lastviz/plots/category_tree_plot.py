"""A tree of categories as a flow: every branch says its category, every leaf its class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go

from lastviz.plots.visuals.flow_layout import flow_layout
from lastviz.plots.visuals.node_selection import select
from lastviz.plots.visuals.panel import Margin, Panel, compose
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import class_names_of, escaped, feature_html, number, text_width
from lastviz.tree import Kind, Tree

from .flow_tree_plot import TEXT_UP_TO, flow_tree_panel

__all__ = ["branch_words", "category_tree_plot"]

_LINE = 19  # pixels of a line of text
_LEAF_GAP = 30  # pixels from a leaf's bar to its words


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
    told: Mapping[int, str] | None = None,
    height: int = 260,
    width_hint: int = 620,
) -> go.Figure:
    """Draw `tree` from the root at the left; widths are rows, colours classes.

    Parameters
    ----------
    tree : Tree
        Of nominal features.
    class_names : sequence of str or None
        The tree's own classes if None.
    selected : int or None
        A node to frame; what is not below it fades.
    told : mapping from node to html, or None
        More about a node, after its feature or its class.
    height, width_hint : int
        Height of the figure and the width that it will have, about, in pixels.
    """
    colours, names = THEMES[theme], class_names_of(tree, class_names)
    told = told or {}
    words = {node: _words(tree, node, names, told.get(node, "")) for node in range(tree.n_nodes)}
    leaves = [words[node] for node in range(tree.n_nodes) if tree.is_leaf(node)]
    beside = min(max(text_width(text, 15) for text in leaves) + 8, 0.5 * width_hint)
    size = width_hint - beside, float(height)
    panel = flow_tree_panel(
        tree,
        theme=theme,
        selection=select(tree, selected, None),
        path=None,
        size=size,
        texts={
            node: text
            for node, text in words.items()
            if not tree.is_leaf(node) and node != selected
        },
        class_names=class_names,
        hover=words,
        words=None,
    )
    panel = _with_words(panel, tree, words, size, colours, selected)
    panel = replace(panel, xaxis={**panel.xaxis, "range": [0, width_hint]})
    return compose([panel], [height], theme=theme, margin=Margin(left=0, right=0, top=0, bottom=0))


def _words(tree: Tree, node: int, names: Sequence[str], more: str) -> str:
    rows = number(int(tree.n_node_samples[node]))
    if tree.is_leaf(node):
        head = f"{names[int(tree.prediction[node])]} · {rows}"
    else:
        head = f"<b>{feature_html(tree.feature_names[int(tree.feature[node])])}</b> · {rows}"
    return f"{head} · {more}" if more else head


def _with_words(
    panel: Panel,
    tree: Tree,
    words: Mapping[int, str],
    size: tuple[float, float],
    theme: Theme,
    selected: int | None,
) -> Panel:
    """Add the categories before each bar, the classes behind leaves, the name over a frame."""
    layout = flow_layout(tree, width=size[0], height=size[1])
    if layout.n_leaves > TEXT_UP_TO:
        return panel
    branches = [escaped([branch_words(tree, int(node))])[0] for node in layout.node]
    at = layout.x - Size.bar / 2 - 5 - np.where(layout.node == selected, Size.frame_gap + 2, 0)
    traces = [_texts(at, layout.y, branches, "branch", "middle left", theme)]
    leaf = np.flatnonzero(layout.leaf)
    at = layout.x[leaf] + _LEAF_GAP
    texts = [words[int(node)] for node in layout.node[leaf]]
    traces.append(_texts(at, layout.y[leaf], texts, "leaf_words", "middle right", theme))
    framed = np.flatnonzero((layout.node == selected) & ~layout.leaf)
    if len(framed):
        y = layout.y[framed] + layout.bar[framed] / 2 + Size.frame_gap + _LINE / 2
        texts = [words[int(node)] for node in layout.node[framed]]
        at = layout.x[framed] - Size.bar / 2 - Size.frame_gap
        traces.append(_texts(at, y, texts, "framed", "middle right", theme))
    return replace(panel, traces=[*panel.traces, *traces])


def _texts(
    x: np.ndarray, y: np.ndarray, texts: list[str], role: str, where: str, theme: Theme
) -> dict:
    return {
        "type": "scatter",
        "name": role,
        "meta": {"role": role},
        "x": x,
        "y": y,
        "text": texts,
        "mode": "text",
        "textposition": where,
        "textfont": {"size": 15, "color": theme.ink},
        "hoverinfo": "skip",
        "cliponaxis": False,
    }
