"""Fold *By group* of the view *In short*: accuracy by a column's values, errors by group."""

from __future__ import annotations

import numpy as np
import pandas as pd

from lastviz._sentences import Statement
from lastviz.datasets.column_roles import SENSITIVE
from lastviz.inspection import Group, difference_interval, group_scores, value_groups
from lastviz.tree import threshold_decimals
from lastviz.ui.shared.brushing import take_brush
from lastviz.ui.shared.headline import FEW, LEVEL
from lastviz.ui.shared.widgets import bound
from lastviz.ui.sheet import st
from lastviz.ui.state import session
from lastviz.ui.text import HUNDRED, as_markdown, number, paragraph, percent, t

from .scene import RuleScene

TABLE = "group_table"
NAMED = ("group_by", "group_class")  # by a link, or by the reader


def group_fold(scene: RuleScene) -> None:
    """Draw the table by group, folded until it is wanted, which the link then says."""
    look = {"expanded": is_grouped(scene), "on_change": lambda: _turned(_column(scene))}
    box = st.expander(t("By group"), key="fold.groups", **look)
    if box.open:
        with box:
            group_panel(scene)


def is_grouped(scene: RuleScene) -> bool:
    """Whether the link has a choice of groups."""
    return any(scene.work.selection.value(name) is not None for name in NAMED)


def _turned(column: int) -> None:
    is_open = st.session_state["fold.groups"]
    session.select(group_by=column if is_open else None, group_class=None)


# A chosen row of the table can be brushed.
def group_panel(scene: RuleScene) -> None:
    """Draw the choice of a column and a class, and the table of groups."""
    full = scene.work.data.full
    left, right = st.columns(2, gap="medium")
    bound(
        left.selectbox,
        "group_by",
        t("Column"),
        [*_sensitive(scene), *(i for i in range(full.n_features) if i not in _sensitive(scene))],
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
    st.markdown(paragraph(map(as_markdown, largest_difference(scene))))
    part = t("held-out rows") if len(scene.division.held_out_rows) else t("training rows")
    st.caption(
        t("Counted on {part}. Counts cannot say why groups differ.", part=part),
        help=t("Select a group to highlight its rows."),
    )


# Of rows that the tree has learnt from, no accuracy is about others.
def largest_difference(scene: RuleScene) -> list[Statement]:
    """Verdict on the largest difference in accuracy on held-out rows, over all pairs."""
    rows, groups = _groups(scene)
    found = group_scores(groups, scene.division.y[rows], scene.found.predicted[rows], 0)
    many = found[found["n"] >= FEW]
    if len(many) < 2 or not len(scene.division.held_out_rows):
        return []
    full = scene.work.data.full
    named = full.value_labels.get(full.X.columns[_column(scene)], {})
    decimals = threshold_decimals(np.array([(group.low, group.high) for group in groups]).ravel())
    ends = many["accuracy"].idxmax(), many["accuracy"].idxmin()
    counts = [(int(many["n_right"][at]), int(many["n"][at])) for at in ends]
    n_pairs = len(many) * (len(many) - 1) // 2
    low, high = difference_interval(*counts, 1.0 - LEVEL / n_pairs)  # of all pairs together
    values = {
        "first": _name(groups[ends[0]], named, decimals),
        "second": _name(groups[ends[1]], named, decimals),
        "gap": round(HUNDRED * float(many["accuracy"][ends[0]] - many["accuracy"][ends[1]]), 1),
        "low": round(HUNDRED * low, 1),
        "high": round(HUNDRED * high, 1),
        "n": n_pairs,
    }
    apart = Statement(
        "Largest difference in accuracy: {gap} points, group {first} above group {second}; 95 % "
        "interval {low} to {high} (Newcombe's).",
        "Largest difference in accuracy: {gap} points, group {first} above group {second}; 95 % "
        "interval {low} to {high} (Newcombe's, Bonferroni over {n} pairs).",
        **values,
    )
    return [apart, *([] if low > 0.0 else [Statement("A difference this small can be chance.")])]


def _sensitive(scene: RuleScene) -> list[int]:
    """Sensitive columns, by position."""
    return [*map(scene.work.data.full.feature_names.index, scene.work.columns_with(SENSITIVE))]


def _column(scene: RuleScene) -> int:
    """Column that is chosen, by default a sensitive one, else that of the root."""
    full, wanted = scene.work.data.full, scene.work.selection.rules.group_by
    if wanted is not None and wanted < full.X.shape[1]:
        return wanted
    if sensitive := _sensitive(scene):
        return sensitive[0]
    feature = int(scene.tree.feature[0]) if scene.tree.n_children[0] else -1
    names = scene.division.X.columns
    name = names[feature] if 0 <= feature < len(names) else full.X.columns[0]
    return list(full.X.columns).index(name) if name in full.X.columns else 0


def _class(scene: RuleScene) -> int:
    """Class whose errors are counted, by default the rarest of the training rows."""
    wanted = scene.work.selection.rules.group_class
    if wanted is not None and wanted < len(scene.class_names):
        return wanted
    y = scene.division.y[scene.division.train_rows]
    counts = np.bincount(y, minlength=len(scene.class_names))
    return int(np.argmin(np.where(counts > 0, counts, len(y) + 1)))


def _groups(scene: RuleScene) -> tuple[np.ndarray, list[Group]]:
    """Rows that are counted, held-out ones if there are any, and their groups."""
    held = scene.division.held_out_rows
    rows = held if len(held) else scene.division.train_rows
    column = scene.work.data.full.X.iloc[rows, _column(scene)]
    return rows, value_groups(column.reset_index(drop=True))


def group_table(scene: RuleScene) -> pd.DataFrame:
    """Table in words."""
    rows, groups = _groups(scene)
    decimals = threshold_decimals(np.array([(group.low, group.high) for group in groups]).ravel())
    full, k = scene.work.data.full, _class(scene)
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
            t("{name}: missed", name=name): shares("missed", "n_of_class"),
            t("{name}: false alarms", name=name): shares("alarms", "n_others"),
            t("{name}: predicted", name=name): rates,
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
