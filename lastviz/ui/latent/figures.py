"""The figures of the page *latent*: both planes, both rows of bars, the tree."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from lastviz.inspection import line_across
from lastviz.plots import (
    Arrow,
    Bounds,
    Drawing,
    Points,
    ThemeName,
    cut_plane_plot,
    feature_html,
    flow_tree_plot,
    loadings_plot,
    padded,
    singular_values_plot,
    surroundings,
    without_overlaps,
)
from lastviz.plots.visuals.plane_axes import spread_out
from lastviz.ui.compute import cache, latent
from lastviz.ui.shared.figures import words
from lastviz.ui.text import t

from .scene import LatentScene, own_test

HEIGHT, BARS, TREE = 350, 136, 130
SQUARE = 3.0  # equal units unless one side of the view is more than so many times the other
SHOWN_ARROW = 1.6  # standard deviations: the head stays inside the picture
SHARES = {"svd": "of the squares about the origin", "pca": "of the variance"}
"""Of what the components of a space explain a share."""


@dataclass(frozen=True, eq=False)
class LatentPictures:
    """What the page shows: the scene and its figures."""

    scene: LatentScene
    theme: ThemeName  # {"light", "dark"}: in which the figures are drawn
    original: Drawing  # Figure, the node's rows in the plane of two features and of two components
    latent: Drawing  # Figure, the node's rows in the plane of two features and of two components
    values: Drawing  # Figure, lengths of all components, weights of all features in one of them
    loadings: Drawing  # Figure, lengths of all components, weights of all features in one of them
    tree: Drawing  # Figure


def pictures_of(scene: LatentScene, theme: ThemeName) -> LatentPictures:
    """Return the scene with its figures."""
    view = scene.view
    names = tuple(feature_html(name) for name in scene.names)
    lengths = view.singular_values
    if view.basis.excess_kurtosis is not None:  # scaled components all have one length
        lengths = np.abs(view.basis.excess_kurtosis)
    values = singular_values_plot(
        lengths,
        view.explained_share,
        names,
        theme=theme,
        chosen=view.component,
        shown=scene.components,
        height=BARS,
        share_word=t(SHARES.get(view.basis.space, "of the squared length")),
    )
    loadings = loadings_plot(
        view.loadings[scene.subject],
        tuple(feature_html(name) for name in view.feature_names),
        theme=theme,
        heaviest=view.heaviest(scene.subject, 2).tolist(),
        height=BARS,
    )
    return LatentPictures(
        scene=scene,
        theme=theme,
        original=_original(scene, theme),
        latent=_latent(scene, theme),
        values=values,
        loadings=loadings,
        tree=_tree(scene, theme),
    )


def _points(
    scene: LatentScene,
    x: np.ndarray,
    y: np.ndarray,
    texts: tuple[list[str] | None, list[str] | None] = (None, None),
    *,
    ringed: bool = False,
) -> Points:
    """Return the drawn ones of the rows in sight, which lie at x, y.

    `texts` are values that their places do not say. `ringed`: those on which the drawn line and
    the split disagree have a ring.
    """
    divided = scene.division
    held_out = np.zeros(len(divided.y), dtype=bool)
    held_out[divided.held_out_rows] = True
    wrong = np.zeros(len(scene.rows), dtype=bool)
    if ringed and scene.cut is not None:
        wrong[np.flatnonzero(scene.inside)] = ~scene.cut.agrees
    rows = scene.rows
    points = Points(x, y, divided.y[rows], held_out[rows], wrong, rows + 1, texts)
    return points.part(np.isin(np.arange(len(rows)), scene.drawn))


def _highlighted(scene: LatentScene) -> int | None:
    if scene.highlighted is None:
        return None
    return int(np.searchsorted(scene.drawn, scene.highlighted))


def _columns(values: np.ndarray, axes: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Return the columns of two axes; a single one is spread out over a dummy axis."""
    x, y = values[:, axes].T
    return x, y if axes[0] != axes[1] else spread_out(len(x))


def is_square(view: Bounds) -> bool:
    """Tell whether neither side of a view is much longer than the other."""
    width, height = view[1] - view[0], view[3] - view[2]
    return 1 / SQUARE <= width / height <= SQUARE


def _original(scene: LatentScene, theme: ThemeName) -> Drawing:
    X = scene.division.values[scene.rows]
    x, y, texts = without_overlaps(*_columns(X, scene.features))
    bounds = padded(x[scene.inside], y[scene.inside])
    names, units = _axis_words(scene, scene.features)
    single = scene.features[0] == scene.features[1]
    equal = not single and units[0] == units[1] and is_square(bounds)
    line = np.empty((0, 2))
    if scene.cut is not None:
        line = scene.cut.line(surroundings(bounds, equal=equal))
    figure = cut_plane_plot(
        _points(scene, x, y, texts, ringed=True),
        scene.inside[scene.drawn],
        line,
        theme=theme,
        names=names,
        class_names=scene.class_names,
        dashed=scene.cut is not None and not scene.cut.lies_in,
        arrows=_arrows(scene) if X.shape[1] == 2 else (),
        highlighted=_highlighted(scene),
        units=units,
        height=HEIGHT,
        equal=equal,
        view=bounds,
        words=replace(words(), wrong=t("line and split disagree")),
    )
    return figure.about(f"{cache.data_key(scene.selection)}|{scene.node}|{scene.features}")


def _axis_words(scene: LatentScene, axes: tuple[int, int]) -> tuple[tuple, tuple]:
    names = scene.view.feature_names
    units = tuple(scene.dataset.units.get(names[f], "") for f in axes)
    if axes[0] == axes[1]:
        return (names[axes[0]], ""), (units[0], "")
    return (names[axes[0]], names[axes[1]]), units


def _arrows(scene: LatentScene) -> list[Arrow]:
    """The components in the plane of two features, a few standard deviations of the rows long."""
    view = scene.view
    spread = view.coordinates[scene.rows[scene.inside]].std(axis=0)
    middle = (float(scene.at[0]), float(scene.at[1]))
    found = []
    for i, direction in enumerate(view.loadings):
        reach = SHOWN_ARROW * spread[i] * direction / max(float(direction @ direction), 1e-300)
        end = (middle[0] + float(reach[0]), middle[1] + float(reach[1]))
        found.append(Arrow(middle, end, feature_html(scene.names[i]), i == view.component))
    return found


def _latent(scene: LatentScene, theme: ThemeName) -> Drawing:
    view, pair = scene.view, scene.components
    x, y = _columns(view.coordinates[scene.rows], pair)
    bounds = padded(x[scene.inside], y[scene.inside])
    single = pair[0] == pair[1]
    is_none = view.basis.space == "none"
    names, units = _axis_words(scene, pair) if is_none else (_latent_names(scene), ("", ""))
    equal = not single and units[0] == units[1] and is_square(bounds)
    around = surroundings(bounds, equal=equal)
    line = np.empty((0, 2))
    if view.component in pair:
        across = view.component == pair[0]
        weights = np.array([1.0, 0.0] if across else [0.0, 1.0])
        line = line_across(weights, view.threshold, around)
    regions = None
    if not single:
        regions = latent.regions(scene.selection, 0, scene.node, around, pair, scene.at_latent)
    figure = cut_plane_plot(
        _points(scene, x, y),
        scene.inside[scene.drawn],
        line,
        theme=theme,
        names=names,
        class_names=scene.class_names,
        regions=regions,
        lines_of=np.union1d(scene.tree.path(scene.node), scene.tree.subtree(scene.node)),
        highlighted=_highlighted(scene),
        units=units,
        height=HEIGHT,
        equal=equal,
        view=bounds,
        words=words(),
    )
    return figure.about(f"{cache.model_key(scene.selection, 0)}|{scene.node}|{pair}")


def _latent_names(scene: LatentScene) -> tuple[str, str]:
    first, second = scene.components
    return scene.names[first], "" if first == second else scene.names[second]


def _tree(scene: LatentScene, theme: ThemeName) -> Drawing:
    tree = scene.tree
    path = tree.path(scene.node) if scene.node else None
    if scene.highlighted is not None:
        values = scene.division.values[scene.rows[[scene.highlighted]]]
        path = tree.path(int(tree.apply(values)[0]))
    named = np.flatnonzero(tree.n_children > 0).tolist() if tree.n_leaves <= 60 else ()
    texts = {node: own_test(tree, node, html=True) for node in named if node}
    return flow_tree_plot(
        tree,
        theme=theme,
        selected=scene.node,
        path=path,
        height=TREE,
        width_hint=520,
        texts=texts,
        class_names=scene.class_names,
        words=words(),
    )
