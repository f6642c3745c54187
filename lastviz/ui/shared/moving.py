"""What the slider of an offline page goes through: the scenes at its stops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lastviz.tree import Tree
from lastviz.ui.compute import cache
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import number, t

from .view_controls import deepest_shown

MOST_STOPS = 25


@dataclass(frozen=True, eq=False)
class Moving:
    """Scenes of one page, and the tree that typed rows go through."""

    label: str  # what moves
    # sequence of (str, Selection, ndarray of intp), the value in words, the scene there, and which
    # nodes of the tree are leaves there.
    stops: Sequence[tuple[str, Selection, np.ndarray]]
    at: int  # the stop that the page shows
    tree: Tree | None = None  # None: that of the first model


def by_depth(selection: Selection) -> Moving | None:
    """Return the scenes of the depths at which trees can be shown; None without any depth."""
    deepest = min(deepest_shown(selection), MOST_STOPS - 1)
    if not deepest:
        return None
    tree, shown = cache.tree_of(selection, 0).tree_, selection.view.depth
    cuts = [*range(deepest), None]  # the last one cuts nothing
    nothing = np.empty(0, dtype=np.intp)
    stops = [
        (
            t("all") if depth is None else number(depth),
            selection.change(depth=depth),
            nothing if depth is None else np.flatnonzero(tree.depth == depth),
        )
        for depth in cuts
    ]
    return Moving(t("Show levels up to"), stops, deepest if shown is None else min(shown, deepest))
