"""A whole forest on the page *rules*: which feature splits where, which tree stands for it."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from lastviz.estimators import ForestClassifier
from lastviz.export.html_report import Heading, Text, Words
from lastviz.export.slide_show import Columns
from lastviz.host.memory import remembered
from lastviz.inspection import ForestOverview, forest_overview
from lastviz.plots import forest_overview_plot, number
from lastviz.ui.compute import cache
from lastviz.ui.shared.blocks import Block, Chart, Controls, Numbers
from lastviz.ui.shared.exports import forest_exports
from lastviz.ui.shared.headline import strip
from lastviz.ui.state import session
from lastviz.ui.text import percent, plural, rounded, t

from .scene import RuleScene


@remembered
def _overview(key: str, forest: ForestClassifier, X: np.ndarray) -> ForestOverview:
    return forest_overview(forest, X)


def forest_blocks(scene: RuleScene) -> list[Block]:
    """Return the forest as a whole, if the model is one."""
    if not isinstance(scene.model, ForestClassifier):
        return []
    key = cache.model_key(scene.selection, 0)
    found = _overview(key, scene.model, scene.division.values)
    names = tuple(scene.division.X.columns)
    figure = forest_overview_plot(found.splits, names, theme=scene.theme, depth_word=t("depth"))
    alt = t("Percentage of the rows that reach tests of each feature, by depth.")
    about = t(
        "Percentage of the rows that reach a test of the feature at this depth, averaged "
        "over all trees. At depth 0 it is the share of trees with the feature at the root."
    )
    table = Numbers("forest_overview", t("As a table"), partial(_table, found, names))
    splits = [Chart(figure, alt, key="forest_overview", filename="forest"), table]
    return [
        Heading(t("The whole forest")),
        Words(strip(_cells(found))),
        Columns([splits, [Text(about), Controls(partial(_representative, scene, found))]], (3, 2)),
        Controls(partial(_exports, scene)),
    ]


def _representative(scene: RuleScene, found: ForestOverview) -> None:
    """Draw which tree is most like the forest, and the way to it."""
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


def _exports(scene: RuleScene) -> None:
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
        (rounded(nodes.mean()), "", _range(t("nodes a tree"), nodes)),
        (rounded(depth.mean()), "", _range(t("mean depth"), depth)),
        (number(used), "", plural(used, "feature asked for", "features asked for")),
        (percent(float(found.agreement.mean())), "%", t("mean agreement of a tree")),
    ]


def _range(label: str, values: np.ndarray) -> str:
    low, high = number(int(values.min())), number(int(values.max()))
    return t("{label}, {low} to {high}", label=label, low=low, high=high)
