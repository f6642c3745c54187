"""What the columns and classes are used as: small tables that the reader edits in place."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from lastviz.datasets import Dataset

from . import state
from .codec import FIELDS
from .link_lists import KINDS
from .order_table import order_table
from .selection import UPLOAD, Selection
from .text import t
from .widgets import control, put

__all__ = [
    "bins",
    "class_editor",
    "column_editor",
    "edited",
    "one_against_rest",
    "scaling",
    "target",
]

FAULT = "roles_fault"
ALL = -1
Edits = Mapping[int, Mapping[str, object]]


def target(whole: Dataset) -> None:
    """Draw the choice of the class column of a table of the reader's own."""
    selection = state.current()
    if selection.data != UPLOAD:
        return
    put("target", whole.y.name)
    columns = [*whole.feature_names, whole.y.name]
    st.selectbox(
        t("Column of the class"),
        columns,
        key="target",
        on_change=lambda: state.select(target=st.session_state["target"]),
    )


def column_editor(whole: Dataset) -> None:
    """Draw the table of the features: which are in use, and as what."""
    selection = state.current()
    names = whole.feature_names
    used = set(selection.columns or range(len(names)))
    kinds = dict(selection.kinds)
    rows = pd.DataFrame(
        {
            "used": [i in used for i in range(len(names))],
            "feature": names,
            "kind": [kinds.get(i, whole.kinds[name]) for i, name in enumerate(names)],
            "missing": whole.X.isna().sum().to_numpy(),
            "values": whole.X.nunique().to_numpy(),
        }
    )
    # The key holds what is chosen, so that the back button brings back an earlier table.
    key = f"columns {selection.data} {selection.columns} {selection.kinds}"
    st.data_editor(
        rows,
        key=key,
        hide_index=True,
        disabled=["feature", "missing", "values"],
        height=min(38 + 35 * len(rows), 340),
        column_config={
            "used": st.column_config.CheckboxColumn(t("Used"), width="small"),
            "feature": st.column_config.TextColumn(t("Feature")),
            "kind": st.column_config.SelectboxColumn(
                t("Kind"), options=KINDS, required=True, format_func=t
            ),
            "missing": st.column_config.NumberColumn(t("Missing"), width="small"),
            "values": st.column_config.NumberColumn(t("Different values"), width="small"),
        },
        on_change=lambda: _edit_columns(whole, st.session_state[key]["edited_rows"]),
        alt=t("Features: which are used, and as what kind"),
    )
    refused, sentence = st.session_state.get(FAULT, (None, ""))
    if refused == selection:
        st.error(sentence, icon=":material/error:")


def class_editor(whole: Dataset) -> None:
    """Draw the table of the classes in their order, which the reader can change."""
    selection = state.current()
    order = selection.classes or tuple(range(whole.n_classes))
    order_table(
        whole.class_order,
        whole.class_counts,
        order,
        word=t("Class"),
        key=f"classes {selection.data} {selection.classes}",
        alt=t("Classes in their order, with their rows"),
        apply=lambda order: state.select(classes=order),
    )


def one_against_rest(whole: Dataset) -> None:
    """Draw the choice of one class that is set against all others."""
    if whole.n_classes == 2:
        return
    one = state.current().one
    put("one", ALL if one is None else one)
    st.selectbox(
        t("One class against the rest"),
        [ALL, *range(whole.n_classes)],
        key="one",
        format_func=lambda i: t("all classes") if i == ALL else str(whole.class_order[i]),
        on_change=_set_one,
    )


def _set_one() -> None:
    one = st.session_state["one"]
    state.select(one=None if one == ALL else one)


def scaling() -> None:
    """Draw the choice of how numeric features are scaled."""
    param = FIELDS["scaling"]
    control(
        param, state.current().scaling, key="scaling", apply=lambda how: state.select(scaling=how)
    )


def bins() -> None:
    """Draw the choice of how many intervals numeric features are cut into."""
    param = FIELDS["bins"]
    control(param, state.current().bins, key="bins", apply=lambda n: state.select(bins=n))


def _edit_columns(whole: Dataset, edits: Edits) -> None:
    """Take over what was edited; a table without features or with a wrong kind is refused."""
    selection = state.current()
    try:
        state.select(**edited(whole, selection, edits))
    except ValueError as error:
        st.session_state[FAULT] = (selection, str(error))


def edited(whole: Dataset, selection: Selection, edits: Edits) -> dict[str, tuple]:
    """Return the fields `columns` and `kinds` of the selection after `edits` of the table.

    Raises
    ------
    ValueError
        If no feature would be left, or a column cannot be of its new kind.
    """
    names = whole.feature_names
    used = set(selection.columns or range(len(names)))
    kinds = dict(selection.kinds)
    for row, edit in edits.items():
        if "used" in edit:
            (used.add if edit["used"] else used.discard)(int(row))
        if "kind" in edit:
            kinds[int(row)] = edit["kind"]
    if not used:
        raise ValueError(t("At least one feature must be used."))
    kinds = {i: kind for i, kind in kinds.items() if kind != whole.kinds[names[i]]}
    whole.with_kinds({names[i]: kind for i, kind in kinds.items()})
    columns = () if len(used) == len(names) else tuple(sorted(used))
    return {"columns": columns, "kinds": tuple(sorted(kinds.items()))}
