"""Stability of a tree on the page *boundaries*: the findings of refits on resampled rows."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from html import escape

import numpy as np
import pandas as pd

from lastviz.inspection import LEAF, SLANTED, Stability, is_ensemble
from lastviz.plots import (
    Drawing,
    Points,
    flow_tree_plot,
    number,
    plain_split,
    split_words,
    vote_share_plot,
)
from lastviz.tree import Tree, decimals_of, digits
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute.resampling import Refits, refits
from lastviz.ui.shared.figures import AS_IT_IS, as_table, legible_depth, words
from lastviz.ui.shared.headline import show, strip
from lastviz.ui.shared.job_box import job_box
from lastviz.ui.shared.model_view import ModelView, points_of
from lastviz.ui.shared.overlaid import model_borders, places_in
from lastviz.ui.sheet import st
from lastviz.ui.text import HUNDRED, CannotShow, join_names, percent, plain, t

from .scene import Scene

SIDE = 100  # squares of the cloud along each axis
QUANTILES = (0.05, 0.5, 0.95)
MOST_FEATURES = 3  # named of a node
MOST_LACKING = 6  # classes that are named
HALF = 0.5
MOST_POINTS = 500  # rows; more would hide the cloud


# There is more of it while refits go on.
def stability_panel(scene: Scene, place: int) -> None:
    """Draw the findings of refits on one model: votes, root, nodes."""
    view = scene.views[place]
    st.markdown(f"**{plain(view.title)}**")
    is_single = isinstance(view, ModelView) and view.milliseconds is not None
    if not is_single or is_ensemble(view.estimator):
        st.info(
            t(
                "Stability is shown for single trees that predict by their leaves; the trees of a "
                "forest vote already."
            )
        )
        return
    at = None
    try:
        at = places_in(scene.work.models[place], scene.plane, SIDE)
    except CannotShow:
        st.caption(t("An axis shows categories, so the votes have no picture here."))
    plane = scene.plane
    where = f"{plane.view}|{plane.features}|{plane.at.tobytes().hex()}"
    known = refits(scene.work.models[place], at, where)
    if known.job is not None:
        job_box(known.job, f"refits{place}", known.has_news)
    if scene.work.models[place].chosen.edits:
        st.caption(t("Edits by hand are not made in the refits."))
    if known.found is not None:
        _pictures(scene, place, view, known, has_cloud=at is not None)


def _pictures(scene: Scene, place: int, view: ModelView, known: Refits, *, has_cloud: bool) -> None:
    found = known.found
    show(strip(_numbers(found)))
    st.caption(
        t(
            "Each refit learns from as many training rows, drawn with replacement. Agreement: how "
            "often two refits give one row the same class. The error is that on the rows a refit "
            "has not seen, which is a little too high; nine of ten refits lie within the interval. "
            "Shares have a standard error of at most {error} points.",
            error=percent(found.standard_error, 0),
        )
    )
    lacking = [
        t("{n} drew no row of {name}", n=number(int(n)), name=plain(scene.class_names[k]))
        for k, n in enumerate(found.n_lacking.tolist())
        if n
    ]
    if lacking:
        st.caption(
            t(
                "Of {all} refits {lacking}: such a refit can only vote for the other classes.",
                all=number(found.n_refits),
                lacking=join_names(lacking[:MOST_LACKING]),
            )
        )
    if has_cloud:
        figure = _cloud(scene, place, view, found)
        alt = t(
            "The class that most of {n} trees predict: the paler, the fewer agree; no tint means "
            "undecided. The lines are the borders of {title}.",
            n=found.n_refits,
            title=view.title,
        )
        chart(figure, key=f"votes{place}", height=figure.height, alt=alt, filename="votes")
        st.caption(plain(alt))
    _roots(view.tree, found)
    _tree_picture(scene, place, view, found)
    as_table(f"refits{place}", partial(node_table, view.tree, found))


def _numbers(found: Stability) -> list[tuple[str, str, str]]:
    low, high = found.error_interval()
    between = t("% ({low} to {high})", low=percent(low), high=percent(high))
    leaves = (int(found.n_leaves.min()), int(found.n_leaves.max()))
    cells = [(percent(found.agreement), "%", t("agreement of two refits"))]
    if not np.isnan(low):
        cells.append((percent(found.error), between, t("error out of bag")))
    cells.append((f"{leaves[0]}–{leaves[1]}", "", t("leaves")))
    cells.append((number(found.n_refits), "", t("refits")))
    return cells


def _cloud(scene: Scene, place: int, view: ModelView, found: Stability) -> Drawing:
    plane = scene.plane
    names = [plane.names[f] for f in plane.features]
    if plane.features[0] == plane.features[1]:
        names[1] = ""
    return vote_share_plot(
        found.place_votes.reshape(SIDE, SIDE, -1),
        plane.within,
        model_borders(scene.work.models[place], plane),
        _points(scene, view),
        theme=scene.theme,
        class_names=scene.class_names,
        feature_names=tuple(names),
        equal=plane.equal,
        units=plane.units,
        words=words(),
    )


def _points(scene: Scene, view: ModelView) -> Points:
    """Rows without rings, none if they are so many that they hide the cloud."""
    points = points_of(view, scene.work, scene.plane)
    if len(points) > MOST_POINTS:
        none = np.empty(0)
        return Points.plain(none, none, none)
    return replace(points, wrong=np.zeros(len(points), dtype=bool))


def _roots(tree: Tree, found: Stability) -> None:
    """Show the splits of the refits' roots, most frequent first."""
    st.markdown(f"**{t('The root of the refits')}**")
    chosen = found.features_of(0)
    table = pd.DataFrame(
        {
            t("root splits"): [_name(tree, feature) for feature in chosen],
            t("refits, %"): [round(HUNDRED * share, 1) for share in chosen.values()],
        }
    )
    quantiles = _quantile_columns([_quantiles(found, 0, feature) for feature in chosen])
    table = table.join(quantiles.dropna(axis=1, how="all"))
    st.dataframe(
        table,
        column_config=dict.fromkeys(quantiles, AS_IT_IS),
        hide_index=True,
        height=min(35 * len(table) + 40, 220),
    )


def _quantile_columns(quantiles: list[list[float]]) -> pd.DataFrame:
    names = [t("threshold, 5 %"), t("median"), t("95 %")]
    return pd.DataFrame(quantiles, columns=names)


def _name(tree: Tree, feature: int) -> str:
    if feature == LEAF:
        return t("a leaf")
    if feature == SLANTED:
        return t("several features")
    return tree.feature_names[feature]


def _quantiles(found: Stability, node: int, feature: int) -> list[float]:
    """Quantiles of the thresholds at which counterparts split a feature."""
    values = found.thresholds_of(node, feature) if feature >= 0 else np.empty(0)
    values = values[np.isfinite(values)]
    if not len(values):
        return [float("nan")] * len(QUANTILES)
    decimals = decimals_of(values)
    return [float(digits(value, decimals)) for value in np.quantile(values, QUANTILES).tolist()]


def _tree_picture(scene: Scene, place: int, view: ModelView, found: Stability) -> None:
    tree, share = view.tree, found.found
    depth = legible_depth(tree)
    rare = {
        int(node): "dashed" for node, each in zip(found.node, share, strict=True) if each < HALF
    }
    figure = flow_tree_plot(
        tree,
        theme=scene.theme,
        height=220,
        width_hint=560,
        class_names=scene.class_names,
        hover=_hover(tree, found, scene.class_names, depth),
        words=words(),
        outlined=rare,
        depth=depth,
    )
    chart(
        figure,
        key=f"refit-tree{place}",
        height=figure.height,
        alt=t(
            "The tree of {title}; {n} of its {all} nodes were found in fewer than half of the "
            "refits and are dashed.",
            title=view.title,
            n=len(rare),
            all=len(found.node),
        ),
        filename="found",
    )
    if depth is not None:
        st.caption(t("The tree is drawn down to depth {n}; the table has all nodes.", n=depth))
    st.caption(
        t(
            "Dashed: found in fewer than half of the refits. A node counts as found if a node of "
            "the refit shares at least half of the rows that the two hold together."
        )
    )


def _hover(
    tree: Tree, found: Stability, class_names: tuple[str, ...], depth: int | None
) -> dict[int, str]:
    texts = {}
    for node, share in zip(found.node.tolist(), found.found.tolist(), strict=True):
        if depth is not None and tree.depth[node] > depth:
            continue
        test = split_words(tree, node) or escape(class_names[int(tree.prediction[node])])
        head = t("<b>{test}</b><br>found in {share} % of the refits", test=test,
                 share=percent(share, 0))  # fmt: skip
        split_by = escape(_split_by(tree, found, node))
        texts[node] = f"{head}<br>{split_by}" if split_by else head
    return texts


def _split_by(tree: Tree, found: Stability, node: int) -> str:
    """Features that the counterparts of a node split, the most frequent ones."""
    chosen = list(found.features_of(node).items())[:MOST_FEATURES]
    return t(", ").join(
        t("{name} {share} %", name=_name(tree, feature), share=percent(share, 0))
        for feature, share in chosen
    )


def node_table(tree: Tree, found: Stability) -> pd.DataFrame:
    """Table of the nodes looked for: how often each was found, and its splits."""
    nodes = found.node.tolist()
    columns = {
        t("node"): nodes,
        t("depth"): tree.depth[nodes],
        t("test"): [plain_split(tree, node) or t("a leaf") for node in nodes],
        t("rows"): tree.n_node_samples[nodes],
        t("found, %"): (HUNDRED * found.found).round(1),
        t("splits in the refits"): [_split_by(tree, found, node) for node in nodes],
    }
    quantiles = [_quantiles(found, node, int(tree.feature[node])) for node in nodes]
    return pd.DataFrame(columns).join(_quantile_columns(quantiles))
