"""The figures of the page *latent*: both planes, both rows of bars, the tree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from lastviz.inspection import line_across
from lastviz.plots import (
    Arrow,
    Points,
    cut_plane_plot,
    feature_html,
    flow_tree_plot,
    loadings_plot,
    padded,
    singular_values_plot,
    surroundings,
)
from lastviz.ui.compute import cache
from lastviz.ui.compute import latent as latent_cache
from lastviz.ui.shared.figures import current_theme, words
from lastviz.ui.state import session
from lastviz.ui.text import t

from .controls import node_words
from .scene import LatentScene, latent_scene

__all__ = ["BARS", "HEIGHT", "TREE", "LatentPictures", "prepared"]

HEIGHT, BARS, TREE = 350, 136, 130
SQUARE = 3.0  # equal units unless one side of the view is more than so many times the other
SHOWN_ARROW = 1.6  # standard deviations: the head stays inside the picture


@dataclass(frozen=True, eq=False)
class LatentPictures:
    """What the page shows: the scene and its figures."""

    scene: LatentScene
    original: go.Figure
    latent: go.Figure
    values: go.Figure
    loadings: go.Figure
    tree: go.Figure


def prepared() -> LatentPictures | None:
    """Work out what the page shows; None if the model has no space."""
    if not latent_cache.has_space(session.current().models[0].key):
        return None
    scene = latent_scene()
    view = scene.view
    names = tuple(feature_html(name) for name in scene.names)
    lengths = view.singular_values
    if view.basis.excess_kurtosis is not None:  # scaled components all have one length
        lengths = np.abs(view.basis.excess_kurtosis)
    values = singular_values_plot(
        lengths,
        view.explained_share,
        names,
        theme=current_theme(),
        chosen=view.component,
        shown=scene.components,
        height=BARS,
        share_word=t("of the squared length"),
    )
    loadings = loadings_plot(
        view.loadings[scene.subject],
        tuple(feature_html(name) for name in view.feature_names),
        theme=current_theme(),
        heaviest=view.heaviest(scene.subject, 2).tolist(),
        height=BARS,
    )
    return LatentPictures(scene, _original(scene), _latent(scene), values, loadings, _tree(scene))


def _points(scene: LatentScene, x: np.ndarray, y: np.ndarray, *, ringed: bool = False) -> Points:
    """Return the drawn ones of the rows in sight, which lie at x, y.

    `ringed`: those that the cut sorts otherwise are marked as wrong.
    """
    divided = cache.division(session.current())
    held_out = np.zeros(len(divided.y), dtype=bool)
    held_out[divided.held_out_rows] = True
    wrong = np.zeros(len(scene.rows), dtype=bool)
    if ringed and scene.cut is not None:
        wrong[np.flatnonzero(scene.inside)] = ~scene.cut.agrees
    drawn = scene.drawn
    rows = scene.rows[drawn]
    return Points(x[drawn], y[drawn], divided.y[rows], held_out[rows], wrong[drawn], rows + 1)


def _lit(scene: LatentScene) -> int | None:
    return None if scene.lit is None else int(np.searchsorted(scene.drawn, scene.lit))


def _columns(values: np.ndarray, axes: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Return the columns of two axes; a single one is spread out over a dummy axis."""
    x = values[:, axes[0]]
    if axes[0] != axes[1]:
        return x, values[:, axes[1]]
    golden = (np.sqrt(5.0) - 1.0) / 2.0
    return x, (0.5 + golden * np.arange(len(x))) % 1.0


def _is_square(view: tuple[float, float, float, float]) -> bool:
    width, height = view[1] - view[0], view[3] - view[2]
    return 1 / SQUARE <= width / height <= SQUARE


def _original(scene: LatentScene) -> go.Figure:
    X = cache.division(session.current()).values[scene.rows]
    x, y = _columns(X, scene.features)
    bounds = padded(x[scene.inside], y[scene.inside])
    names, units = _axis_words(scene, scene.features)
    single = scene.features[0] == scene.features[1]
    equal = not single and units[0] == units[1] and _is_square(bounds)
    line = np.empty((0, 2))
    if scene.cut is not None:
        line = scene.cut.line(surroundings(bounds, equal=equal))
    points = _points(scene, x, y, ringed=True)
    figure = cut_plane_plot(
        points,
        scene.inside[scene.drawn],
        line,
        theme=current_theme(),
        names=names,
        class_names=scene.class_names,
        dashed=scene.cut is not None and not scene.cut.lies_in,
        arrows=_arrows(scene) if X.shape[1] == 2 else (),
        lit=_lit(scene),
        units=units,
        height=HEIGHT,
        equal=equal,
        view=bounds,
        words=words(),
    )
    figure.layout.uirevision = f"{cache.data_key(session.current())}|{scene.node}|{scene.features}"
    return figure


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


def _latent(scene: LatentScene) -> go.Figure:
    view, pair = scene.view, scene.components
    x, y = _columns(view.coordinates[scene.rows], pair)
    bounds = padded(x[scene.inside], y[scene.inside])
    single = pair[0] == pair[1]
    is_none = view.basis.space == "none"
    names, units = _axis_words(scene, pair) if is_none else (_latent_names(scene), ("", ""))
    equal = not single and units[0] == units[1] and _is_square(bounds)
    around = surroundings(bounds, equal=equal)
    line = np.empty((0, 2))
    if view.component in pair:
        across = view.component == pair[0]
        weights = np.array([1.0, 0.0] if across else [0.0, 1.0])
        line = line_across(weights, view.threshold, around)
    regions = None
    if not single:
        regions = latent_cache.regions(
            session.current(), 0, scene.node, around, pair, scene.at_latent
        )
    figure = cut_plane_plot(
        _points(scene, x, y),
        scene.inside[scene.drawn],
        line,
        theme=current_theme(),
        names=names,
        class_names=scene.class_names,
        regions=regions,
        lines_of=np.union1d(scene.tree.path(scene.node), scene.tree.subtree(scene.node)),
        lit=_lit(scene),
        units=units,
        height=HEIGHT,
        equal=equal,
        view=bounds,
        words=words(),
    )
    figure.layout.uirevision = f"{cache.model_key(session.current(), 0)}|{scene.node}|{pair}"
    return figure


def _latent_names(scene: LatentScene) -> tuple[str, str]:
    first, second = scene.components
    return scene.names[first], "" if first == second else scene.names[second]


def _tree(scene: LatentScene) -> go.Figure:
    tree = scene.tree
    path = tree.path(scene.node) if scene.node else None
    if scene.lit is not None:
        values = cache.division(session.current()).values[scene.rows[[scene.lit]]]
        path = tree.path(int(tree.apply(values)[0]))
    texts = {}
    for node in np.flatnonzero(tree.n_children > 0).tolist() if tree.n_leaves <= 60 else ():
        if node:
            texts[node] = _short_test(tree, node)
    return flow_tree_plot(
        tree,
        theme=current_theme(),
        selected=scene.node,
        path=path,
        height=TREE,
        width_hint=520,
        texts=texts,
        class_names=scene.class_names,
        words=words(),
    )


def _short_test(tree: object, node: int) -> str:
    """Return a node's test in its own space, short enough to stand in the tree."""
    test = node_words(tree, node).split(": ", 1)[1].rsplit(", ", 1)[0]
    name, _, threshold = test.partition(" ≤ ")
    return f"{feature_html(name)} ≤ {threshold}"
