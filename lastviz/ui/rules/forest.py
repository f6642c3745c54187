"""A whole forest on the page *rules*: which feature splits where, which tree stands for it."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from lastviz.estimators import ForestClassifier
from lastviz.host.memory import remembered
from lastviz.inspection import ForestOverview, forest_overview
from lastviz.plots import forest_overview_plot, number
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute import cache
from lastviz.ui.shared.exports import forest_exports
from lastviz.ui.shared.figures import as_table
from lastviz.ui.shared.headline import show, strip
from lastviz.ui.state import session
from lastviz.ui.text import percent, plural, t

from .scene import RuleScene


@remembered
def _overview(key: str, forest: ForestClassifier, X: np.ndarray) -> ForestOverview:
    return forest_overview(forest, X)


def forest_panel(scene: RuleScene) -> None:
    """Draw the forest as a whole, if the model is one."""
    if not isinstance(scene.model, ForestClassifier):
        return
    key = cache.model_key(scene.selection, 0)
    found = _overview(key, scene.model, scene.division.values)
    st.markdown(f"**{t('The whole forest')}**")
    show(strip(_cells(found)))
    names = tuple(scene.division.X.columns)
    figure = forest_overview_plot(found.splits, names, theme=scene.theme, depth_word=t("depth"))
    left, right = st.columns([3, 2], gap="medium")
    with left:
        chart(
            figure,
            key="forest_overview",
            height=figure.height,
            alt=t("Percentage of the rows that reach tests of each feature, by depth."),
            filename="forest",
        )
        as_table("forest_overview", partial(_table, found, names))
    with right:
        st.caption(
            t(
                "Percentage of the rows that reach a test of the feature at this depth, averaged "
                "over all trees. At depth 0 it is the share of trees with the feature at the root."
            )
        )
        best = found.representative
        st.markdown(
            t(
                "Tree {n} is most like the forest: it predicts the forest's class for {share} % "
                "of the rows. The least similar tree does for {least} %.",
                n=number(best + 1),
                share=percent(float(found.agreement[best])),
                least=percent(float(found.agreement.min())),
            )
        )
        st.button(
            t("Show tree {n}", n=number(best + 1)),
            key="representative",
            disabled=scene.place == best,
            on_click=lambda: session.select_model(0, tree=best),
        )
    selection = scene.selection
    name = f"{selection.data}-{selection.models[0].key}-forest"
    forest_exports(scene.model, name, cache.data(selection), scene.division)


def _table(found: ForestOverview, names: tuple[str, ...]) -> pd.DataFrame:
    """Return the share of the rows that tests of each feature send on, a column a depth."""
    shares = pd.DataFrame(100 * found.splits)
    shares.columns = [t("depth {n}, %", n=number(depth)) for depth in shares.columns]
    return shares.assign(**{t("feature"): names}).loc[:, [t("feature"), *shares.columns]]


def _cells(found: ForestOverview) -> list[tuple[str, str, str]]:
    nodes, depth = found.n_nodes, found.depth
    used = int(np.count_nonzero(found.trees_with))
    return [
        (number(len(nodes)), "", t("trees")),
        (number(float(f"{nodes.mean():.3g}")), "", _range(t("nodes a tree"), nodes)),
        (number(float(f"{depth.mean():.3g}")), "", _range(t("mean depth"), depth)),
        (number(used), "", plural(used, "feature asked for", "features asked for")),
        (percent(float(found.agreement.mean())), "%", t("mean agreement of a tree")),
    ]


def _range(label: str, values: np.ndarray) -> str:
    low, high = number(int(values.min())), number(int(values.max()))
    return t("{label}, {low} to {high}", label=label, low=low, high=high)
