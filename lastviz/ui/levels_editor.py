"""The order of the values of a feature that is not numeric, edited in place."""

from __future__ import annotations

import streamlit as st

from lastviz.datasets import Dataset

from . import state
from .order_table import order_table
from .selection import Selection
from .text import t

__all__ = ["levels_editor", "reordered"]


def levels_editor(whole: Dataset) -> None:
    """Draw the values of one feature in their order; nothing if all features are numeric."""
    selection = state.current()
    read = _as_read(whole, selection)
    features = [i for i, name in enumerate(read.feature_names) if read.kinds[name] != "numeric"]
    if not features:
        return
    name = read.feature_names
    feature = st.selectbox(
        t("Order of the values of"), features, format_func=lambda i: name[i], key="levels_of"
    )
    values = read.orders[name[feature]]
    order = dict(selection.levels).get(feature, tuple(range(len(values))))
    if len(order) != len(values):  # the notice above the page says what is wrong with the link
        order = tuple(range(len(values)))
    counts = read.X[name[feature]].value_counts()
    order_table(
        values,
        [counts.get(value, 0) for value in values],
        order,
        word=t("Value"),
        key=f"levels {selection.data} {feature} {order}",
        alt=t("Values of {feature} in their order, with their rows", feature=name[feature]),
        apply=lambda order: state.select(levels=reordered(selection, feature, order)),
    )
    if read.kinds[name[feature]] == "ordinal":
        st.caption(t("From low to high: an ordinal feature is cut along this order."))
    else:
        st.caption(t("The order in which the values are drawn; a nominal feature has no other."))


def reordered(
    selection: Selection, feature: int, order: tuple[int, ...]
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return the orders of the selection with that of one feature exchanged; () is its own."""
    orders = dict(selection.levels)
    orders.pop(feature, None)
    if order:
        orders[feature] = order
    return tuple(sorted(orders.items()))


def _as_read(whole: Dataset, selection: Selection) -> Dataset:
    names = whole.feature_names
    try:
        return whole.with_kinds({names[i]: kind for i, kind in selection.kinds})
    except (ValueError, IndexError):  # as above
        return whole
