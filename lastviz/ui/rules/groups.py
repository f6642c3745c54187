"""By group: what the tree is right about by the values of a column, and whom its errors meet."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from lastviz.estimators import ForestClassifier
from lastviz.export.html_report import Heading, Text, Words
from lastviz.export.slide_show import Columns
from lastviz.host.memory import remembered
from lastviz.inspection import ForestOverview, Group, forest_overview, group_scores, value_groups
from lastviz.plots import forest_overview_plot
from lastviz.tree import threshold_decimals
from lastviz.ui.compute import cache
from lastviz.ui.shared.blocks import Block, Chart, Controls, Numbers
from lastviz.ui.shared.brushing import take_brush
from lastviz.ui.shared.exports import forest_exports
from lastviz.ui.shared.headline import FEW, strip
from lastviz.ui.shared.widgets import bound
from lastviz.ui.state import session
from lastviz.ui.text import number, percent, plural, rounded, t

from .scene import RuleScene

TABLE = "group_table"


def group_panel(scene: RuleScene) -> None:
    """Draw the choice of a column and a class, and the table; a chosen row can be brushed."""
    full = cache.data(scene.selection).full
    st.markdown(f"**{t('By group')}**")
    left, right = st.columns(2, gap="medium")
    bound(
        left.selectbox,
        "group_by",
        t("Column"),
        list(range(full.X.shape[1])),
        value=_column(scene),
        format_func=lambda i: full.labels.get(full.X.columns[i], full.X.columns[i]),
    )
    bound(
        right.selectbox,
        "group_class",
        t("Class"),
        range(len(scene.class_names)),
        value=_class(scene),
        format_func=scene.class_names.__getitem__,
    )
    table = group_table(scene)

    def chosen() -> None:
        picked = st.session_state[TABLE]["selection"]["rows"]
        if picked:
            rows, groups = _groups(scene)
            take_brush(tuple(rows[groups[picked[0]].rows].tolist()))

    st.dataframe(
        table,
        key=TABLE,
        hide_index=True,
        height=35 * len(table) + 40,
        on_select=chosen,
        selection_mode="single-row",
    )
    part = t("held-out rows") if len(scene.division.held_out_rows) else t("training rows")
    st.caption(
        t(
            "Counted on {part}. Groups of fewer than {few} rows show counts only. Select a group "
            "to highlight its rows in all pictures. Counts cannot say why groups differ.",
            part=part,
            few=number(FEW),
        )
    )


def _column(scene: RuleScene) -> int:
    """Return the column that is chosen, by default the one that the root asks for."""
    full, wanted = cache.data(scene.selection).full, scene.selection.rules.group_by
    if wanted is not None and wanted < full.X.shape[1]:
        return wanted
    feature = int(scene.tree.feature[0]) if scene.tree.n_children[0] else -1
    names = scene.division.X.columns
    name = names[feature] if 0 <= feature < len(names) else full.X.columns[0]
    return list(full.X.columns).index(name) if name in full.X.columns else 0


def _class(scene: RuleScene) -> int:
    """Return the class whose errors are counted, by default the rarest of the training rows."""
    wanted = scene.selection.rules.group_class
    if wanted is not None and wanted < len(scene.class_names):
        return wanted
    y = scene.division.y[scene.division.train_rows]
    counts = np.bincount(y, minlength=len(scene.class_names))
    return int(np.argmin(np.where(counts > 0, counts, len(y) + 1)))


def _groups(scene: RuleScene) -> tuple[np.ndarray, list[Group]]:
    """Return the rows that are counted, held-out ones if there are any, and their groups."""
    held = scene.division.held_out_rows
    rows = held if len(held) else scene.division.train_rows
    column = cache.data(scene.selection).full.X.iloc[rows, _column(scene)]
    return rows, value_groups(column.reset_index(drop=True))


def group_table(scene: RuleScene) -> pd.DataFrame:
    """Return the table in words."""
    rows, groups = _groups(scene)
    decimals = threshold_decimals(np.array([(group.low, group.high) for group in groups]).ravel())
    full, k = cache.data(scene.selection).full, _class(scene)
    found = group_scores(groups, scene.division.y[rows], scene.found.predicted[rows], k)
    named = full.value_labels.get(full.X.columns[_column(scene)], {})
    name, many = scene.class_names[k], found["n"] >= FEW

    def shares(part: str, of: str) -> list[str]:
        return [
            t("{n} of {all}", n=number(n), all=number(n_of))
            + (f" ({percent(n / n_of)} %)" if n_of >= FEW else "")
            for n, n_of in zip(found[part], found[of], strict=True)
        ]

    accuracy = [
        t("{share} % ({low} to {high})", share=percent(s), low=percent(low), high=percent(high))
        if enough
        else t("under {few} rows", few=number(FEW))
        for s, low, high, enough in zip(
            found["accuracy"], found["low"], found["high"], many, strict=True
        )
    ]
    rates = [
        percent(rate) + " %" if enough else ""
        for rate, enough in zip(found["rate"], many, strict=True)
    ]
    return pd.DataFrame(
        {
            t("group"): [_name(group, named, decimals) for group in groups],
            t("rows"): found["n"],
            t("right"): found["n_right"],
            t("accuracy (95 % interval)"): accuracy,
            t("{name} missed", name=name): shares("missed", "n_of_class"),
            t("false {name}", name=name): shares("alarms", "n_others"),
            t("predicted {name}", name=name): rates,
        }
    )


def _name(group: Group, named: dict, decimals: int) -> str:
    if group.is_missing:
        return t("no value")
    if group.value is not None:
        return str(named.get(str(group.value), group.value))
    if np.isnan(group.low):
        return t("other values")
    if np.isinf(group.low) and np.isinf(group.high):
        return t("all values")
    if np.isinf(group.low):
        return f"≤ {number(group.high, decimals)}"
    low = f"> {number(group.low, decimals)}"
    if np.isinf(group.high):
        return low
    return t("{low} to {high}", low=low, high=number(group.high, decimals))


# ---- A whole forest on the page *rules*: which feature splits where, which tree stands for it


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
