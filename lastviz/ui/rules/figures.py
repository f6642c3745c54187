"""The figures of the page *rules*: the tree beside its rules, the rows of a node."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from lastviz.inspection import Explanation
from lastviz.plots import (
    Drawing,
    FlowLayout,
    Outline,
    Points,
    ThemeName,
    cut_plane_plot,
    icicle_layout,
    icicle_plot,
    node_link_plot,
    rule_layout,
    rule_tree_plot,
)
from lastviz.plots.visuals.node_selection import select
from lastviz.tree import Tree
from lastviz.ui.compute.division import Division
from lastviz.ui.shared.figures import words
from lastviz.ui.shared.plane import Plane
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import t

from .words import column_words, written_texts

OPEN_WHOLE, CLOSED_TO, MOST = 60, 40, 250
"""Rules up to which a tree is drawn whole; to which a larger one is closed; drawn at most."""
WIDTH = 1080
ROWS_HEIGHT = 320


def tree_figure(
    tree: Tree,
    selection: Selection,
    theme: ThemeName,
    *,
    numbers: dict[int, int],
    class_names: tuple[str, ...],
    node: int | None,
    path: Explanation | None,
    part: str,
    edited: Mapping[int, Outline],
) -> tuple[FlowLayout, Drawing]:
    """Return which nodes of a tree are drawn where, and the figure.

    Parameters
    ----------
    numbers : dict of int to int
        Leaf -> number of its rule.
    node : int or None
        The picked node.
    path : Explanation or None
        Of the sample.
    part : {"training", "held_out"}
        Which rows the tree holds.
    edited : mapping from node to outline
        Nodes that were changed by hand.
    """
    visited = path and dict(zip(path.node.tolist(), path.weight.tolist(), strict=True))
    least, drawing = selection.rules.least, selection.rules.drawing
    icicle = drawing == "icicle"
    how: dict[str, object] = {"least": float(least or 0), "most": _most(tree, least)}
    if node is not None and not tree.is_leaf(node):
        how["keep"] = tuple(tree.children(node))[:1]
    chosen = select(tree, node, selection.view.depth)
    lay_out = icicle_layout if icicle else rule_layout
    layout = lay_out(tree, chosen, visited, width=WIDTH, **how)
    nodes = layout.node.tolist()
    written = nodes if icicle else layout.node[~layout.leaf].tolist()
    how |= {
        "theme": theme,
        "selected": node,
        "visited": visited,
        "depth": selection.view.depth,
        "width_hint": WIDTH,
        "class_names": class_names,
        "hover": {},
        "words": words(),
        "outlined": edited,
    }
    if drawing == "node-link":
        return layout, node_link_plot(tree, answers=(t("yes"), t("no")), **how)
    how["texts"] = written_texts(tree, written, path, class_names if icicle else None)
    if icicle:
        return layout, icicle_plot(tree, **how)
    return layout, rule_tree_plot(tree, numbers=numbers, columns=column_words(part), **how)


def _most(tree: Tree, least: int | None) -> int:
    if least is not None:
        return MOST
    return OPEN_WHOLE if tree.n_leaves <= OPEN_WHOLE else CLOSED_TO


def rows_figure(
    plane: Plane,
    division: Division,
    theme: ThemeName,
    *,
    drawn: np.ndarray,
    inside: np.ndarray,
    wrong: np.ndarray,
    highlighted: int | None,
    class_names: tuple[str, ...],
) -> Drawing:
    """Return the rows of a node in colour, all others grey.

    Parameters
    ----------
    drawn : ndarray of intp
        Rows that are drawn.
    inside, wrong : ndarray of bool, shape (n_samples,)
        Rows of the node, and those of them that it is wrong about.
    highlighted : int or None
        The sample's row.
    """
    first, second = plane.features
    x, y = plane.across.places, plane.upward.places
    held_out = np.zeros(len(x), dtype=bool)
    held_out[division.held_out_rows] = True
    parts = (x, y, division.y, held_out, wrong, np.arange(1, len(x) + 1))
    place = None if highlighted is None else int(np.flatnonzero(drawn == highlighted)[0])
    return cut_plane_plot(
        Points(*(part[drawn] for part in parts), texts=plane.texts(drawn)),
        inside[drawn],
        np.empty((0, 2)),
        theme=theme,
        names=(plane.names[first], "" if first == second else plane.names[second]),
        class_names=class_names,
        highlighted=place,
        height=ROWS_HEIGHT,
        view=plane.view,
        words=words(),
        bands=plane.bands,
    )
