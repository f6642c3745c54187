"""The pictures of a growth: what the player paints into, its colours, the tree beside it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lastviz.plots import (
    THEMES,
    Drawing,
    Points,
    flow_layout,
    growth_plot,
    growth_values_plot,
    split_words,
)
from lastviz.plots.visuals.theme import mix, symbol
from lastviz.tree import Tree
from lastviz.ui.compute.edit_effects import edited_in_growth
from lastviz.ui.shared.figures import words
from lastviz.ui.text import t

from .packing import packed
from .scene import GrowthScene

MOST_NAMED = 12  # leaves with the name of their class beside them
HEIGHT, TREE_WIDTH = 560, 430


def colours_of(scene: GrowthScene) -> dict[str, object]:
    """Return the colours and marks that the player paints with."""
    theme, k = THEMES[scene.theme], range(scene.tree.value.shape[1])
    plain = ("ink", "paper", "grey1", "grey2", "grey3", "grey5", "grey7", "accent")
    return {name: getattr(theme, name) for name in plain} | {
        "hue": [theme.hue(c) for c in k],
        "ribbon": [theme.ribbon(c) for c in k],
        "free": [mix(theme.hue(c), theme.paper, 0.75) for c in k],
        "symbol": [symbol(c) for c in k],
    }


def figure_of(scene: GrowthScene) -> Drawing:
    """Return the picture that the player paints into: a plane, or the values of f."""
    if scene.picture == "values":
        word = t("f")
        return growth_values_plot(scene.names, theme=scene.theme, word=word, least=HEIGHT - 200)
    plane, rows = scene.plane, scene.rows[scene.drawn]
    points = Points.plain(plane.x[rows], plane.y[rows], scene.y[scene.drawn], rows + 1)
    return growth_plot(
        replace(points, texts=plane.texts(rows)),
        theme=scene.theme,
        features=plane.titles,
        class_names=scene.names,
        curved=scene.curved,
        equal=plane.equal,
        view=plane.view,
        units=plane.units,
        height=HEIGHT,
        words=words(),
        bands=plane.bands,
    )


def tree_parts(scene: GrowthScene) -> dict[str, object]:
    """Return the tree as the player draws it: its table of nodes and where they lie."""
    tree = scene.tree
    height = 150 if tree.n_leaves <= 8 else 240 if tree.n_leaves <= 40 else 320
    return {
        "first": packed(tree.first_child.astype(np.int32)),
        "count": packed(tree.n_children.astype(np.int32)),
        "prediction": packed(tree.prediction.astype(np.int32)),
        "value": packed(tree.value.astype(np.float32)),
        "named": scene.curved and tree.n_leaves <= MOST_NAMED,
        "edited": edited_in_growth(scene.selection, 0, tree),
    } | placed(tree, TREE_WIDTH, height)


def placed(tree: Tree, width: int, height: int) -> dict[str, object]:
    """Return where the nodes of a tree lie in a drawing of this size, and their tests."""
    layout = flow_layout(tree, width=width, height=height)
    return {
        "node": layout.node.tolist(),
        "x": layout.x.round(1).tolist(),
        "y": layout.y.round(1).tolist(),
        "bar": layout.bar.round(2).tolist(),
        "scale": layout.scale,
        "width": width,
        "height": height,
        "text": [split_words(tree, int(n)) for n in layout.node],
        "hidden": layout.hidden_leaves,
    }
