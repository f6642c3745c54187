"""The price of every root: the fewest errors of a tree of depth three with each threshold first."""

from __future__ import annotations

import numpy as np
import streamlit as st

from lastviz.host.jobs import Working
from lastviz.inspection import RootPrices
from lastviz.plots import number
from lastviz.ui.compute import ahead
from lastviz.ui.compute.resampling import refits
from lastviz.ui.shared.headline import show, strip
from lastviz.ui.shared.job_box import job_box
from lastviz.ui.text import CannotShow, percent, plain, plural, t

from .lookahead import best_of_features, error_curves
from .scene import SplitScene


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
    own = None if scene.chosen is None else float(found.errors[scene.chosen])
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


def _cells(found: RootPrices, own: float | None) -> list[tuple[str, str, str]]:
    cells = [(number(found.leaf_errors), "", t("errors as a leaf"))]
    if own is not None:
        value = t("> {n}", n=number(found.most)) if np.isnan(own) else number(int(own))
        cells.append((value, "", t("chosen root, best tree below")))
    return [*cells, (number(found.fewest), "", t("best root, best tree below"))]


def sentences_of(found: RootPrices, own: float | None) -> list[str]:
    """Return what the prices say: of the chosen root, `own` its errors, and of all of them."""
    sentences = []
    if own is not None and np.isnan(own):
        sentences.append(t(
            "Every tree of depth three that begins with the chosen split makes more than {most} "
            "training errors; the best one makes {fewest}.",
            most=number(found.most), fewest=number(found.fewest),
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
            "The chosen split is a best root: a tree of depth three that begins with it makes "
            "{fewest} training errors, and none makes fewer.", fewest=number(found.fewest),
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
        "Grown again on resampled rows, {share} % of the trees that have this node split it by "
        "{feature}.", share=percent(shares.get(chosen, 0.0)), feature=scene.axis_names[chosen],
    )]  # fmt: skip
