"""How often rows count when trees are grown: a column of weights, and weights of the classes."""

from __future__ import annotations

import streamlit as st

from lastviz.datasets import Dataset
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.shared.widgets import put
from lastviz.ui.state import session
from lastviz.ui.state.link_texts import BALANCED, read_class_weight
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import plain, t

ONCE, TYPED = "", "typed"
MOST_TYPED = 12  # classes with a field each
FAULT = "weights_fault"
NONE = -1


def weights_editor(selection: Selection, full: Dataset, dataset: Dataset) -> None:
    """Draw the choice of the column of weights and, where there are classes, of their weights.

    `full` has all columns, `dataset` the classes in the order that the scene gives them.
    """
    numeric = [i for i, name in enumerate(full.feature_names) if full.kinds[name] == "numeric"]
    if len(numeric) and full.n_features > 1:
        _column(selection.weight, full, numeric)
    if not dataset.is_regression:
        _classes(selection.class_weight, dataset)
    if selection.weight is not None or selection.class_weight:
        st.caption(
            t("Weights say how often a row counts when a tree is grown and cut back. Accuracies "
              "count every row once.")
        )  # fmt: skip


def _column(chosen: int | None, full: Dataset, numeric: list[int]) -> None:
    put("weight", NONE if chosen is None else chosen)
    options = [NONE, *numeric] if chosen in (None, *numeric) else [NONE, chosen, *numeric]
    names = full.feature_names
    st.selectbox(
        t("Column of the weights"),
        options,
        key="weight",
        format_func=lambda i: (
            t("none: every row counts once") if i == NONE else full.labels.get(names[i], names[i])
        ),
        help=t("A number for each row: how often it counts. This column is then not a feature."),
        on_change=_set_column,
    )


def _set_column() -> None:
    column = st.session_state["weight"]
    session.select(weight=None if column == NONE else column)


def _classes(now: str, dataset: Dataset) -> None:
    typed = now not in (ONCE, BALANCED)
    put("class_weight", TYPED if typed else now)
    titles = {
        ONCE: t("none: every row counts once"),
        BALANCED: t("balanced: all classes count alike"),
        TYPED: t("a number for each class"),
    }
    st.selectbox(
        t("Weights of the classes"),
        [ONCE, BALANCED, *([TYPED] if typed or dataset.n_classes <= MOST_TYPED else [])],
        key="class_weight",
        format_func=titles.__getitem__,
        help=t("Give more weight to rows of a class that must not be missed."),
        on_change=_set_classes,
        args=(dataset.n_classes,),
    )
    if not typed:
        return
    weights = [float(part) for part in now.split("_")]
    if len(weights) != dataset.n_classes:
        return  # the page says what the link got wrong
    with st.container(horizontal=True, gap="small"):
        for place, name in enumerate(class_names_of(dataset)):
            key = f"class_weight_{place}"
            put(key, weights[place])
            st.number_input(
                plain(name),
                min_value=0.0,
                step=1.0,
                format="%g",
                key=key,
                on_change=_set_numbers,
                args=(len(weights),),
            )
    if FAULT in st.session_state:
        st.warning(st.session_state.pop(FAULT))


def _set_classes(n_classes: int) -> None:
    how = st.session_state["class_weight"]
    session.select(class_weight="_".join(["1"] * n_classes) if how == TYPED else how)


def _set_numbers(n_classes: int) -> None:
    numbers = [st.session_state[f"class_weight_{place}"] for place in range(n_classes)]
    try:
        session.select(class_weight=read_class_weight("_".join(f"{w:.15g}" for w in numbers)))
    except ValueError:
        st.session_state[FAULT] = t(
            "All weights were 0, so no row would count; the weights were left unchanged."
        )
