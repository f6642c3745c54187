"""The figures of the page *latent*: both planes, both rows of bars, the tree."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
import pandas as pd

from lastviz.inspection import Projection, line_across
from lastviz.latent import LATENT_SPACES
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
    number,
    pad_bounds,
    singular_values_plot,
    surroundings,
    without_overlaps,
)
from lastviz.plots.visuals.plane_axes import spread_out
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute import latent
from lastviz.ui.compute.work import Work, work_of
from lastviz.ui.shared.figures import as_table, words
from lastviz.ui.shared.headline import show
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.sheet import st
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection, with_param
from lastviz.ui.text import percent, plural, round_digits, t

from .scene import LatentScene, component_names, own_test, split_pair
from .words import warnings_of

HEIGHT, BARS, TREE = 350, 136, 130
SQUARE = 3.0  # equal units unless one side of the view is more than so many times the other
SHOWN_ARROW = 1.6  # standard deviations: the head stays inside the picture
SHARES = {"svd": "of the squares about the origin", "pca": "of the variance"}
"""Of what the components of a space explain a share."""


@dataclass(frozen=True, eq=False)
class LatentPictures:
    """Scene and figures of the page, each drawn when it is asked for."""

    scene: LatentScene
    theme: ThemeName

    @cached_property
    def original(self) -> Drawing:
        """The node's rows in the plane of two features."""
        return _original(self.scene, self.theme)

    @cached_property
    def latent(self) -> Drawing:
        """The node's rows in the plane of two components."""
        return _latent(self.scene, self.theme)

    @cached_property
    def values(self) -> Drawing:
        """Lengths of all components."""
        view = self.scene.view
        lengths = view.singular_values
        if view.basis.excess_kurtosis is not None:  # scaled components all have one length
            lengths = np.abs(view.basis.excess_kurtosis)
        return singular_values_plot(
            lengths,
            view.explained_share,
            tuple(map(feature_html, self.scene.names)),
            theme=self.theme,
            chosen=view.component,
            shown=self.scene.components,
            height=BARS,
            share_word=t(SHARES.get(view.basis.space, "of the squared length")),
        )

    @cached_property
    def loadings(self) -> Drawing:
        """Weights of all features in one component."""
        view, subject = self.scene.view, self.scene.subject
        return loadings_plot(
            view.loadings[subject],
            tuple(map(feature_html, view.feature_names)),
            theme=self.theme,
            heaviest=view.heaviest(subject, 2).tolist(),
            height=BARS,
        )

    @cached_property
    def tree(self) -> Drawing:
        """The tree with the node framed."""
        return _tree(self.scene, self.theme)


def _points(
    scene: LatentScene,
    x: np.ndarray,
    y: np.ndarray,
    texts: tuple[list[str] | None, list[str] | None] = (None, None),
    *,
    ringed: bool = False,
) -> Points:
    """Drawn ones of the rows in sight, which lie at x, y.

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
    """Columns of two axes; a single one is spread out over a dummy axis."""
    x, y = values[:, axes].T
    return x, y if axes[0] != axes[1] else spread_out(len(x))


def is_square(view: Bounds) -> bool:
    """Whether neither side of a view is much longer than the other."""
    width, height = view[1] - view[0], view[3] - view[2]
    return 1 / SQUARE <= width / height <= SQUARE


def _original(scene: LatentScene, theme: ThemeName) -> Drawing:
    X = scene.division.values[scene.rows]
    x, y, texts = without_overlaps(*_columns(X, scene.features))
    bounds = pad_bounds(x[scene.inside], y[scene.inside])
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
    return figure.about(f"{scene.work.data_key}|{scene.node}|{scene.features}")


def _axis_words(scene: LatentScene, axes: tuple[int, int]) -> tuple[tuple, tuple]:
    names = scene.view.feature_names
    units = tuple(scene.dataset.units.get(names[f], "") for f in axes)
    if axes[0] == axes[1]:
        return (names[axes[0]], ""), (units[0], "")
    return (names[axes[0]], names[axes[1]]), units


# They are a few standard deviations of the rows long.
def _arrows(scene: LatentScene) -> list[Arrow]:
    """Arrows of the components in the plane of two features."""
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
    bounds = pad_bounds(x[scene.inside], y[scene.inside])
    single = pair[0] == pair[1]
    is_none = view.basis.space == "none"
    names = scene.names[pair[0]], "" if single else scene.names[pair[1]]
    names, units = _axis_words(scene, pair) if is_none else (names, ("", ""))
    equal = not single and units[0] == units[1] and is_square(bounds)
    around = surroundings(bounds, equal=equal)
    line = np.empty((0, 2))
    if view.component in pair:
        across = view.component == pair[0]
        weights = np.array([1.0, 0.0] if across else [0.0, 1.0])
        line = line_across(weights, view.threshold, around)
    regions = None
    if not single:
        regions = latent.regions(scene.work.first.node(scene.node), around, pair, scene.at_latent)
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
    return figure.about(f"{scene.work.first.cache_key}|{scene.node}|{pair}")


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


# ---- Spaces beside each other: the four ways to find one, and the best pair before and after


SMALL, LARGE = 230, 320
MOST_POINTS = 1500
QUICK_ICA = 8_000  # numbers in the table; with more, ICA is worked out when it is asked for
LISTED = 6  # pairs in the table


def with_space(selection: Selection, space: str) -> Selection:
    """Selection with its first model in another latent space."""
    model = selection.models[0]
    declared = session.model_params(model.key) or ()
    param = next(param for param in declared if param.name == "latent")
    return selection.change_model(0, params=with_param(model.params, param, space))


def four_spaces(work: Work, theme: ThemeName) -> None:
    """Draw the root of the model in each of the spaces, with its error."""
    columns = st.columns(len(LATENT_SPACES), gap="small")
    for column, space in zip(columns, LATENT_SPACES, strict=True):
        with column:
            there = with_space(work.selection, space)
            if space != "ica" or _ica_is_wanted(work_of(there)):
                _one_space(work_of(there), space, theme)
    divided = work.first.division
    judged = divided.held_out_rows if len(divided.held_out_rows) else divided.train_rows
    majority = np.bincount(divided.y[divided.train_rows]).argmax()
    st.caption(
        t(
            "The root in each space: horizontal, the component that it splits; vertical, the one "
            "that separates the classes best besides it. The error is that of the complete tree "
            "on {n} rows; always predicting the majority class has an error of {base} %.",
            n=number(len(judged)),
            base=percent(1 - (divided.y[judged] == majority).mean()),
        )
    )


def _ica_is_wanted(work: Work) -> bool:
    """Independent components of many rows take seconds, so the reader asks for them."""
    X = work.first.division.X
    wanted = f"ica|{work.first.cache_key}"
    if X.size <= QUICK_ICA or st.session_state.get(wanted):
        return True
    _title(t(LATENT_SPACES["ica"].title), "")
    st.caption(t("ICA iterates; on these data it may take a minute."))
    if st.button(t("Work it out"), key="ica"):
        st.session_state[wanted] = True
        st.rerun()
    return False


def _title(name: str, note: str) -> None:
    show(f'<p class="lv-heading">{name}<small>{note}</small></p>')


def _one_space(work: Work, space: str, theme: ThemeName) -> None:
    """Draw the root in one space."""
    with st.spinner(t("Looking for the space")):
        tree = work.first.tree
    scored = latent.held_out_scores(work.first)
    view = latent.view(work.first.node(0))
    title = t(LATENT_SPACES[space].title)
    nodes = plural(tree.n_nodes, "{n} node", "{n} nodes")
    error = percent(1 - scored.accuracy)
    _title(title, t("error {error} % · {nodes}", error=error, nodes=nodes))
    best = latent.best_components(work.first.node(0)) if view.basis.n_components else None
    if best is not None:
        plane = (view.coordinates, split_pair(view, best), component_names(view))
        figure = _small(work, theme, *plane, view.component, view.threshold)
        alt = t("The rows in the space {title}, with the split of the root", title=title)
        chart(figure, key=f"space.{space}", height=SMALL, alt=alt, filename=space)
        for sentence in warnings_of(view.basis):
            st.caption(sentence)


def _small(
    work: Work,
    theme: ThemeName,
    places: np.ndarray,
    pair: tuple[int, int],
    names: tuple[str, ...],
    component: int,
    threshold: float,
    height: int = SMALL,
    rows: np.ndarray | None = None,
) -> Drawing:
    """Figure of rows in the plane of two columns, sampled if there are many."""
    divided, dataset = work.first.division, work.dataset
    rows = latent.rows_in_sight(work) if rows is None else rows
    shown = rows[np.linspace(0, len(rows) - 1, min(len(rows), MOST_POINTS)).astype(np.intp)]
    x, y = places[shown, pair[0]], places[shown, pair[1]]
    if pair[0] == pair[1]:
        y = (0.5 + 0.618 * np.arange(len(x))) % 1.0
    bounds = pad_bounds(x, y)
    equal = pair[0] != pair[1] and is_square(bounds)
    line = np.empty((0, 2))
    if component == pair[0]:
        line = line_across(np.array([1.0, 0.0]), threshold, surroundings(bounds, equal=equal))
    held = np.isin(shown, divided.held_out_rows)
    nothing = np.zeros(len(shown), dtype=bool)
    return cut_plane_plot(
        Points(x, y, divided.y[shown], held, nothing, shown + 1),
        ~nothing,
        line,
        theme=theme,
        names=(names[pair[0]], names[pair[1]] if pair[0] != pair[1] else ""),
        class_names=class_names_of(dataset),
        height=height,
        equal=equal,
        view=bounds,
        small=True,
        words=words(),
    )


def best_pairs(scene: LatentScene, theme: ThemeName) -> None:
    """Draw the pairs of features and components that separate the classes best."""
    view, rows = scene.view, scene.rows[scene.inside]
    both = {
        "features": (scene.best_features, scene.division.values, view.feature_names),
        "components": (scene.best_components, view.coordinates, scene.names),
    }
    titles = (t("Best two features"), t("Best two components"))
    for column, title, (key, found) in zip(st.columns(2), titles, both.items(), strict=True):
        best, places, names = found
        with column:
            _title(title, t("separation {value}", value=round_digits(best.separation)))
            plane = (places, best.components, names)
            figure = _small(scene.work, theme, *plane, -1, np.nan, height=LARGE, rows=rows)
            pair = t(", ").join(names[i] for i in dict.fromkeys(best.components))
            alt = t("The rows of node {node} in the plane of {names}", node=scene.node, names=pair)
            chart(figure, key=f"best.{key}", height=LARGE, alt=alt, filename="best")
            table = partial(_listed, best, names)
            as_table(f"pairs.{key}", table, title=t("The best pairs as a table"))
    st.caption(
        t(
            "Separation is the share of rows that lie nearer to the mean of their own class, the "
            "row itself left out, than to that of any other class, each axis in its standard "
            "deviation. Always naming the largest class is right for {base}.",
            base=round_digits(np.bincount(scene.division.y[rows]).max() / len(rows)),
        )
    )


def _listed(best: Projection, names: tuple[str, ...]) -> pd.DataFrame:
    across, up = np.triu_indices(len(best.separations), 1)
    order = np.argsort(-best.separations[across, up], kind="stable")[:LISTED]
    return pd.DataFrame(
        {
            t("across"): [names[i] for i in across[order]],
            t("up"): [names[i] for i in up[order]],
            t("separation"): best.separations[across, up][order].round(4),
        }
    )
