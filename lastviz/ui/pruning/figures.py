"""The pictures of the page *pruning*: curve, tree, before and after; the curve's numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from lastviz.inspection import FAMILIES
from lastviz.plots import (
    Drawing,
    OtherPruner,
    Points,
    boundary_plot,
    pruned_tree_plot,
    pruning_curve_plot,
)
from lastviz.tree import Tree
from lastviz.ui.shared.figures import plane_of, regions_in, words
from lastviz.ui.shared.model_view import ModelView, points_of
from lastviz.ui.shared.node_card import node_texts
from lastviz.ui.text import HUNDRED, t

from .scene import PruningScene
from .words import curve_words, pruner_title

TREE_HEIGHT, PLANE_HEIGHT = 170, 224
WIDTH = 640  # pixels of the column with curve and tree


def curve_figure(scene: PruningScene) -> Drawing:
    """Figure of the errors against the number of leaves."""
    others = [
        OtherPruner(
            pruner_title(other.key),
            other.n_leaves,
            other.error,
            np.empty((0, 2))
            if other.trees is None
            else np.column_stack([other.trees.trees.n_leaves, other.trees.held_out]),
        )
        for other in scene.others
        if np.isfinite(other.error)
    ]
    return pruning_curve_plot(
        scene.curve,
        others,
        theme=scene.theme,
        mine=scene.at,
        chosen=scene.chosen,
        words=curve_words(scene.pruner),
    )


def tree_figure(scene: PruningScene) -> Drawing:
    """Figure of the grown tree, with the branches cut at the user's value marked."""
    return pruned_tree_plot(
        scene.tree,
        scene.cut,
        theme=scene.theme,
        selected=scene.node,
        height=TREE_HEIGHT,
        width_hint=WIDTH,
        class_names=scene.class_names,
        hover={},
        words=words(),
    )


def plane_figure(scene: PruningScene, view: ModelView, *, cut: bool) -> Drawing:
    """Regions of the grown tree, or of the reader's, in the same window."""
    work, plane = scene.work, plane_of(scene.work)
    # Trees of one family are told apart by their place, and whole trees are one.
    name = f"{scene.pruner}|{work.selection.pruning.leaf_cost}|{scene.at}" if cut else "grown"
    figure = boundary_plot(
        regions_in(work.first, plane, other=(name, view.estimator)),
        view.tree,
        _points(scene, view),
        theme=scene.theme,
        class_names=scene.class_names,
        height=PLANE_HEIGHT,
        equal=plane.equal,
        view=plane.view,
        units=plane.units,
        hover={},
        words=words(),
        bands=plane.bands,
    )
    whose = work.selection.upload.digest if work.selection.upload else work.selection.data
    return figure.about(f"{whose}|{plane.features}|{work.selection.scaling}")


# The rings are of one size before and after cutting.
def _points(scene: PruningScene, view: ModelView) -> Points:
    """Rows with rings around misclassified held-out ones, the ones that count."""
    plane = plane_of(scene.work)
    points, *both = (
        points_of(each, scene.work, plane) for each in (view, scene.view(True), scene.view(False))
    )
    most = max(np.count_nonzero(each.wrong & each.held_out) for each in both)
    return replace(points, wrong=points.wrong & points.held_out, most_wrong=most)


def texts_of(scene: PruningScene, tree: Tree, figure: Drawing) -> dict[str, object]:
    """Hover texts of the nodes of a tree in a figure."""
    drawn = [area["node"] for area in figure.areas["hits"]]
    return node_texts(tree, np.flatnonzero(tree.n_children == 0), scene.class_names, drawn)


def curve_table(scene: PruningScene) -> pd.DataFrame:
    """Leaves and errors in per cent of all trees, those of the user's pruner first."""
    parts = [_family(scene, scene.pruner)]
    for other in scene.others:
        if other.key in FAMILIES:
            parts.append(_family(scene, other.key))
        else:
            parts.append(
                _rows([pruner_title(other.key)], [None], [other.n_leaves], held_out=[other.error])
            )
    return pd.concat(parts, ignore_index=True)


def _family(scene: PruningScene, key: str) -> pd.DataFrame:
    judged = scene.families[key]
    trees, crossed = judged.trees, None if scene.crossed is None else scene.crossed[key]
    return _rows(
        [pruner_title(key)] * len(trees),
        trees.value.tolist(),  # the critical ones, unrounded
        trees.n_leaves,
        training=judged.training,
        held_out=judged.held_out,
        cross_validated=None if crossed is None else crossed.error,
        standard_error=None if crossed is None else crossed.standard_error,
    )


def _rows(titles: list[str], values: list, leaves: object, **errors: object) -> pd.DataFrame:
    names = {
        "training": t("training error, %"),
        "held_out": t("held-out error, %"),
        "cross_validated": t("cross-validated error, %"),
        "standard_error": t("standard error, %"),
    }
    unknown = np.full(len(titles), np.nan)
    found = {t("pruning"): titles, t("value"): pd.array(values, dtype="Float64"),
             t("leaves"): np.asarray(leaves)}  # fmt: skip
    for key, name in names.items():
        share = errors.get(key)
        share = unknown if share is None else np.asarray(share, dtype=np.float64)
        found[name] = np.round(HUNDRED * share, 2)
    return pd.DataFrame(found)
