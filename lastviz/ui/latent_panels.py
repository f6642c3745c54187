"""The pictures of the page *latent*: both planes, both rows of bars, the tree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from lastviz.inspection import line_across
from lastviz.plots import (
    Arrow,
    Points,
    cut_plane_plot,
    feature_html,
    flow_tree_plot,
    loadings_plot,
    number,
    padded,
    singular_values_plot,
    surroundings,
)

from . import cache, frame, latent_cache, state
from .boundary_panels import words
from .components.chart_host import chart
from .headline import show
from .latent_controls import node_words
from .latent_scene import LatentScene, latent_scene
from .latent_words import latent_headline, split_card, warnings_of
from .text import plural, t

__all__ = ["LatentPictures", "pictures", "plane_points", "prepared"]

HEIGHT, BARS, TREE = 350, 136, 130
SQUARE = 3.0  # equal units unless one side of the view is more than so many times the other
SHOWN_ARROW = 2.5  # standard deviations


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
    """Work out what the page shows; None if the model has no space, or cannot be trained."""
    if not latent_cache.has_space(state.current().models[0].key):
        return None
    try:
        scene = latent_scene()
    except ValueError:  # the page says why in its place
        return None
    view = scene.view
    names = tuple(feature_html(name) for name in scene.names)
    values = singular_values_plot(
        view.singular_values,
        view.explained_share,
        names,
        theme=frame.theme(),
        chosen=view.component,
        shown=scene.components,
        height=BARS,
        share_word=t("of the squared length"),
    )
    loadings = loadings_plot(
        view.loadings[scene.subject],
        tuple(feature_html(name) for name in view.feature_names),
        theme=frame.theme(),
        heaviest=view.heaviest(scene.subject, 2).tolist(),
        height=BARS,
    )
    return LatentPictures(scene, _original(scene), _latent(scene), values, loadings, _tree(scene))


def plane_points(
    scene: LatentScene, x: np.ndarray, y: np.ndarray, *, ringed: bool = False
) -> Points:
    """Return the rows in sight at places x, y; `ringed`: those that the cut sorts otherwise."""
    divided = cache.division(state.current())
    held_out = np.zeros(len(divided.y), dtype=bool)
    held_out[divided.held_out_rows] = True
    wrong = np.zeros(len(scene.rows), dtype=bool)
    if ringed and scene.cut is not None:
        wrong[np.flatnonzero(scene.inside)] = ~scene.cut.agrees
    rows = scene.rows
    return Points(x, y, divided.y[rows], held_out[rows], wrong, rows + 1)


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
    X = cache.division(state.current()).X.to_numpy()[scene.rows]
    x, y = _columns(X, scene.features)
    bounds = padded(x[scene.inside], y[scene.inside])
    names, units = _axis_words(scene, scene.features)
    single = scene.features[0] == scene.features[1]
    equal = not single and units[0] == units[1] and _is_square(bounds)
    line = np.empty((0, 2))
    if scene.cut is not None:
        line = scene.cut.line(surroundings(bounds, equal=equal))
    points = plane_points(scene, x, y, ringed=True)
    figure = cut_plane_plot(
        points,
        scene.inside,
        line,
        theme=frame.theme(),
        names=names,
        class_names=scene.class_names,
        dashed=scene.cut is not None and not scene.cut.lies_in,
        arrows=_arrows(scene) if X.shape[1] == 2 else (),
        lit=scene.lit,
        units=units,
        height=HEIGHT,
        equal=equal,
        view=bounds,
        words=words(),
    )
    figure.layout.uirevision = f"{cache.data_key(state.current())}|{scene.node}|{scene.features}"
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
            state.current(), 0, scene.node, around, pair, scene.at_latent
        )
    figure = cut_plane_plot(
        plane_points(scene, x, y),
        scene.inside,
        line,
        theme=frame.theme(),
        names=names,
        class_names=scene.class_names,
        regions=regions,
        lines_of=np.union1d(scene.tree.path(scene.node), scene.tree.subtree(scene.node)),
        lit=scene.lit,
        units=units,
        height=HEIGHT,
        equal=equal,
        view=bounds,
        words=words(),
    )
    figure.layout.uirevision = f"{cache.model_key(state.current(), 0)}|{scene.node}|{pair}"
    return figure


def _latent_names(scene: LatentScene) -> tuple[str, str]:
    first, second = scene.components
    return scene.names[first], "" if first == second else scene.names[second]


def _tree(scene: LatentScene) -> go.Figure:
    tree = scene.tree
    path = tree.path(scene.node) if scene.node else None
    if scene.lit is not None:
        values = cache.division(state.current()).X.to_numpy()[scene.rows[[scene.lit]]]
        path = tree.path(int(tree.apply(values)[0]))
    texts = {}
    for node in np.flatnonzero(tree.n_children > 0).tolist() if tree.n_leaves <= 60 else ():
        if node:
            texts[node] = feature_html_of_test(tree, node)
    return flow_tree_plot(
        tree,
        theme=frame.theme(),
        selected=scene.node,
        path=path,
        height=TREE,
        width_hint=1080,
        texts=texts,
        class_names=scene.class_names,
        words=words(),
    )


def feature_html_of_test(tree: object, node: int) -> str:
    """Return a node's test in its own space, short enough to stand in the tree."""
    test = node_words(tree, node).split(": ", 1)[1].rsplit(", ", 1)[0]
    name, _, threshold = test.partition(" ≤ ")
    return f"{feature_html(name)} ≤ {threshold}"


def pictures(prepared: LatentPictures) -> None:
    """Draw the numbers, both planes, the bars, the equation and the tree."""
    scene = prepared.scene
    show(latent_headline(scene))
    for sentence in warnings_of(scene):
        st.warning(sentence, icon=":material/info:")
    left, right = st.columns(2, gap="medium")
    with left:
        _heading(_original_title(scene))
        chart(
            prepared.original,
            key="latent_original",
            height=HEIGHT,
            alt=_original_alt(scene),
            on_click=_row_clicked,
            filename="original",
        )
    with right:
        _heading(_latent_title(scene))
        chart(
            prepared.latent,
            key="latent_plane",
            height=HEIGHT,
            alt=_latent_alt(scene),
            on_click=_row_clicked,
            filename="latent",
        )
    left, right = st.columns(2, gap="medium")
    with left:
        _heading(_values_title(scene))
        alt = t("Singular values, the longest first; the table below has them all")
        chart(prepared.values, key="latent_values", height=BARS, alt=alt, filename="values")
    with right:
        name = feature_html(scene.names[scene.subject])
        _heading(t("Loadings of {name}, feature by feature", name=name))
        alt = t("Weight of each feature in the component; the table below has them all")
        chart(prepared.loadings, key="latent_loadings", height=BARS, alt=alt, filename="loadings")
    show(split_card(scene, frame.theme()))
    chart(
        prepared.tree,
        key="latent_tree",
        height=TREE,
        alt=t("The tree; the frame marks the node. Click a node to walk there."),
        on_click=_node_clicked,
        filename="tree",
    )


def _heading(html: str) -> None:
    show(f'<p class="lv-heading">{html}</p>')


def _original_title(scene: LatentScene) -> str:
    names = [feature_html(scene.view.feature_names[f]) for f in dict.fromkeys(scene.features)]
    m = len(scene.view.feature_names)
    if m <= 2:
        return t("Original: the features themselves")
    if state.current().axes is None and scene.view.basis.space != "none":
        return t("Original: the two heaviest of {m} features", m=m)
    return t("Original: {names}, of {m} features", names=f" {t('and')} ".join(names), m=m)


def _latent_title(scene: LatentScene) -> str:
    first, second = (feature_html(scene.names[i]) for i in scene.components)
    if first == second:
        return t("Latent: {first}", first=first)
    title = t("Latent: {first} against {second}", first=first, second=second)
    if scene.view.component >= 0 and scene.view.component not in scene.components:
        name = feature_html(scene.names[scene.view.component])
        title += f" · {t('the split is along {name}, not seen here', name=name)}"
    return title


def _values_title(scene: LatentScene) -> str:
    if scene.view.basis.space == "ica":
        return t("Length of each component (all alike: they are scaled)")
    if scene.view.basis.space == "none":
        return t("Length of each feature")
    return t("Singular values")


def _original_alt(scene: LatentScene) -> str:
    names = [scene.view.feature_names[f] for f in dict.fromkeys(scene.features)]
    n = plural(int(np.count_nonzero(scene.inside)), "{n} row", "{n} rows")
    if scene.cut is None:
        return t("{n} of the leaf in the plane of {names}", n=n, names=", ".join(names))
    sentence = "{n} of node {node} in the plane of {names} with the line of the split"
    return t(sentence, n=n, node=scene.node, names=", ".join(names))


def _latent_alt(scene: LatentScene) -> str:
    names = ", ".join(scene.names[i] for i in dict.fromkeys(scene.components))
    if scene.view.component < 0:
        return t("The rows of the leaf in the plane of {names}", names=names)
    return t(
        "The same rows in the plane of {names}; the split is {name} ≤ {threshold}",
        names=names,
        name=scene.names[scene.view.component],
        threshold=number(scene.view.threshold),
    )


def _row_clicked(click: dict) -> None:
    """Mark the clicked row in all pictures, or no row if it was marked already."""
    if click.get("row") is not None:
        row = int(click["row"]) - 1
        state.select(lit=None if row == state.current().lit else row)


def _node_clicked(click: dict) -> None:
    if click.get("node") is not None:
        state.select_model(0, node=int(click["node"]))
