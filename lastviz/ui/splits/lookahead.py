"""What greed lost at a node: the best trees of depth two and three with each candidate first."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from lastviz.host.jobs import Working
from lastviz.inspection import Lookahead, RootPrices, TwoLevels, price_of_root
from lastviz.plots import CandidateCurves, Strip, feature_strips_plot, number
from lastviz.plots.visuals.words import exact_number
from lastviz.splitters import Split
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute import ahead
from lastviz.ui.compute.resampling import refits
from lastviz.ui.shared.headline import show, strip
from lastviz.ui.shared.job_box import job_box
from lastviz.ui.state import session
from lastviz.ui.text import CannotShow, percent, plain, plural, t

from .scene import SplitScene

MOST_CURVES = 6
MOST_ROWS = 40


def errors_ahead(scene: SplitScene) -> np.ndarray | None:
    """Return the errors two levels down of every candidate where that takes no time, else None."""
    n_classes = np.count_nonzero(scene.table.counts)
    if not ahead.is_quick(len(scene.rows), len(scene.axis_names), n_classes):
        return None
    try:
        return _lookahead(scene).errors
    except Working:
        return None


def two_levels(scene: SplitScene) -> None:
    """Draw what the greedy tree of depth two loses, and the best errors along all thresholds."""
    try:
        found = _lookahead(scene)
    except Working as working:
        job_box(working.job, "ahead")
        return
    if found.best is None:
        st.info(t("All rows of this node are the same, so no threshold separates them."))
        return
    show(_headline(found))
    st.markdown(_sentence(found))
    _trees(scene, found)
    left, right = st.columns([3, 2], gap="large")
    title = t("errors two levels down")
    with left:
        error_curves(
            scene, found.feature, found.errors, _candidate(scene, found.best),
            title=title, name="ahead",
            alt=t(
                "Training errors of the best tree of two levels along the thresholds of its root"
            ),
        )  # fmt: skip
        st.caption(t("Outward means fewer errors. Solid: the chosen split; dashed: the best root."))
    with right:
        best_of_features(scene, found.feature, found.errors, title)


def _lookahead(scene: SplitScene) -> Lookahead:
    return ahead.levels_ahead(
        scene.table_key, scene.values, scene.y, scene.rows, len(scene.table.counts)
    )


def _headline(found: Lookahead) -> str:
    cells = [
        (number(found.leaf_errors), "", t("errors as a leaf")),
        (number(found.greedy.errors), "", t("greedy, two levels")),
        (number(found.greedy_root.errors), "", t("greedy root, best children")),
        (number(found.best.errors), "", t("best root, best children")),
    ]
    return f'<div class="lv-head" role="group">{strip(cells)}</div>'


def _sentence(found: Lookahead) -> str:
    lost = found.greedy.errors - found.best.errors
    if not lost:
        words = t(
            "Greedy search costs nothing here: no tree of two levels makes fewer training errors."
        )
    else:
        words = plural(
            lost,
            "Greedy search costs **{n} training error** here: {children} at the children, "
            "{root} at the root.",
            "Greedy search costs **{n} training errors** here: {children} at the children, "
            "{root} at the root.",
            children=number(found.greedy.errors - found.greedy_root.errors),
            root=number(found.greedy_root.errors - found.best.errors),
        )
    if found.exact:
        return words
    more = t(
        "Only the {n} features with the fewest errors after one split were searched: the best "
        "tree over all features may make fewer.",
        n=number(len(found.features)),
    )
    return f"{words} {more}"


def _trees(scene: SplitScene, found: Lookahead) -> None:
    """Draw the three trees as a table."""
    named = {
        t("greedy, by Gini"): found.greedy,
        t("greedy root, best children"): found.greedy_root,
        t("best root, best children"): found.best,
    }
    rows = [
        {
            t("tree"): name,
            t("errors"): tree.errors,
            t("root"): _test(scene, tree.root),
            t("yes, then"): _test(scene, tree.first),
            t("no, then"): _test(scene, tree.second),
        }
        for name, tree in named.items()
    ]
    st.dataframe(pd.DataFrame(rows), hide_index=True, key="two_levels")
    st.caption(
        t(
            "Training errors of this node's rows with two levels of splits. Fewer of them here "
            "need not mean fewer on new rows."
        )
    )


def _test(scene: SplitScene, split: Split | None) -> str:
    if split is None:
        return t("a leaf")
    return f"{scene.axis_names[split.feature]} ≤ {exact_number(split.threshold)}"


def error_curves(
    scene: SplitScene,
    feature: np.ndarray,
    errors: np.ndarray,
    best: int | None,
    *,
    title: str,
    name: str,
    alt: str,
) -> None:
    """Draw errors along the thresholds of the features with the fewest; a click picks one.

    `feature` and `errors` are by candidate, `best` is one of them.
    """
    curves = CandidateCurves(
        scene.table.feature,
        scene.table.threshold,
        scene.names,
        scene.chosen,
        best,
        np.zeros(0, dtype=np.intp),
    )
    order = _order(feature, errors)[:MOST_CURVES]
    figure = feature_strips_plot(curves, [Strip(title, -errors)], order, theme=scene.at.theme)
    figure.about(f"{scene.table_key}|{name}")
    chart(
        figure,
        key=name,
        height=figure.height,
        alt=alt,
        on_click=partial(_clicked, scene, figure.areas["features"]),
        filename=name,
    )


def _order(feature: np.ndarray, errors: np.ndarray) -> list[int]:
    """Return the features of which errors are known, those with the fewest first."""
    known = np.unique(feature[~np.isnan(errors)]).tolist()
    fewest = {f: np.nanmin(errors[feature == f]) for f in known}
    return sorted(known, key=lambda f: (fewest[f], f))


def _candidate(scene: SplitScene, tree: TwoLevels) -> int | None:
    found = scene.table.find(tree.root.feature, tree.root.threshold)
    return found if found >= 0 else None


def _clicked(scene: SplitScene, features: dict[str, int], click: dict) -> None:
    """Pick the threshold nearest to the place that was clicked."""
    feature = features.get(click.get("axis", "x"))
    which = scene.candidates().of(feature) if feature is not None else []
    if len(which):
        nearest = which[np.argmin(np.abs(scene.table.threshold[which] - click["x"]))]
        session.select(pick=int(nearest))


def best_of_features(
    scene: SplitScene, feature: np.ndarray, errors: np.ndarray, title: str
) -> None:
    """Draw the best root of each feature as a table."""
    rows = []
    for f in _order(feature, errors)[:MOST_ROWS]:
        which = np.flatnonzero(feature == f)
        i = int(which[np.nanargmin(errors[which])])
        rows.append(
            {
                t("feature"): scene.axis_names[f],
                t("threshold"): scene.threshold_words(i),
                title: int(errors[i]),
            }
        )
    st.markdown(f"**{t('The best root of each feature')}**")
    st.dataframe(pd.DataFrame(rows), hide_index=True, key="best_roots")


def fewest_errors(scene: SplitScene) -> np.ndarray | None:
    """Return the price of every candidate as a root where that takes no time, else None."""
    if scene.basis is not None or not ahead.are_prices_quick(len(scene.rows), len(scene.names)):
        return None
    try:
        return _prices(scene).errors
    except Working:
        return None


def every_root(scene: SplitScene) -> None:
    """Draw the fewest errors along all thresholds, and what the tree's own root costs."""
    if scene.basis is not None:
        st.caption(t("Best trees are searched along the features, not in a latent space."))
        return
    try:
        found = _prices(scene)
    except Working as working:
        job_box(working.job, "prices")
        return
    except CannotShow as reason:
        st.caption(plain(str(reason)))
        return
    if not len(found.errors):
        st.info(t("All rows of this node are the same, so no threshold separates them."))
        return
    own = None if scene.chosen is None else _own_price(scene, found)
    show(f'<div class="lv-head" role="group">{strip(_cells(found, own))}</div>')
    st.markdown(plain(" ".join([*sentences_of(found, own), *stability_words(scene)])))
    title = t("fewest errors, three levels")
    left, right = st.columns([3, 2], gap="large")
    with left:
        best = int(np.nanargmin(found.errors)) if found.n_within(found.most) else None
        error_curves(
            scene, found.feature, found.errors, best, title=title, name="prices",
            alt=t(
                "Fewest training errors of a tree of depth three along the thresholds of its root"
            ),
        )  # fmt: skip
        st.caption(t("Outward means fewer errors. Solid: the chosen split; dashed: the best root."))
        if np.isnan(found.errors).any():
            st.caption(t(
                "Not drawn: roots below which every tree makes more than {most} errors.",
                most=number(found.most),
            ))  # fmt: skip
    with right:
        best_of_features(scene, found.feature, found.errors, title)


def _prices(scene: SplitScene) -> RootPrices:
    return ahead.prices_of(
        scene.table_key, scene.values, scene.y, scene.rows, len(scene.table.counts)
    )


def _own_price(scene: SplitScene, found: RootPrices) -> float:
    """Return the price of the chosen root, which is asked for however high it is."""
    own = float(found.errors[scene.chosen])
    if not np.isnan(own):
        return own
    split = scene.table.feature[scene.chosen], scene.table.threshold[scene.chosen]
    return price_of_root(scene.values, scene.y, scene.rows, len(scene.table.counts), *split)


def _cells(found: RootPrices, own: float | None) -> list[tuple[str, str, str]]:
    cells = [(number(found.leaf_errors), "", t("errors as a leaf"))]
    if own is not None:
        cells.append((number(int(own)), "", t("chosen root, best tree below")))
    return [*cells, (number(found.fewest), "", t("best root, best tree below"))]


def sentences_of(found: RootPrices, own: float | None) -> list[str]:
    """Return what the prices say: of the chosen root, `own` its errors, and of all of them."""
    sentences = []
    if own is not None and own > found.most:  # how many roots are better is not known
        sentences.append(t(
            "No tree of depth three that begins with the chosen split makes fewer than {own} "
            "training errors; the best tree makes {fewest}.",
            own=number(int(own)), fewest=number(found.fewest),
        ))  # fmt: skip
    elif own is not None and own > found.fewest:
        better = int(np.count_nonzero(found.errors < own))
        sentences.append(plural(
            better,
            "No tree of depth three that begins with the chosen split makes fewer than {own} "
            "training errors; with {n} other root {fewest} can be reached.",
            "No tree of depth three that begins with the chosen split makes fewer than {own} "
            "training errors; {n} other roots are better, the best reaches {fewest}.",
            own=number(int(own)), fewest=number(found.fewest),
        ))  # fmt: skip
    elif own is not None:
        sentences.append(t(
            "The chosen split is a best root: trees of depth "
            "three that begin with it reach the fewest training "
            "errors, {fewest}.", fewest=number(found.fewest),
        ))  # fmt: skip
    return [*sentences, t(
        "{ties} of {n} roots reach the fewest errors, {close} come within 1 % of them, {near} stay "
        "at or below {most}.",
        ties=number(found.n_within(found.fewest)), n=number(len(found.errors)),
        close=number(found.n_within(found.close)),
        near=number(found.n_within(found.near)), most=number(found.near),
    )]  # fmt: skip


def stability_words(scene: SplitScene) -> list[str]:
    """Return how often trees of other draws of the rows split the node as it is; none in a leaf.

    Nor until some of these trees are grown.
    """
    if scene.chosen is None:
        return []
    try:
        found = refits(scene.at.selection, 0, None, "").found
    except (CannotShow, Working):
        return []
    chosen = int(scene.table.feature[scene.chosen])
    shares = {} if found is None else found.features_of(scene.at.node)
    if not shares:
        return []
    return [t(
        "Grown again on resampled rows, {share} % of the {n} trees that have this node split it "
        "by {feature}.", share=percent(shares.get(chosen, 0.0)),
        n=number(found.n_found(scene.at.node)), feature=scene.axis_names[chosen],
    )]  # fmt: skip
