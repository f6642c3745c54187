"""A small table of values in their order, which the reader changes by typing places."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pandas as pd
import streamlit as st

from .text import t

__all__ = ["moved", "order_table"]

Edits = Mapping[int, Mapping[str, object]]


def order_table(
    values: Sequence[object],
    counts: Sequence[int],
    order: tuple[int, ...],
    *,
    word: str,
    key: str,
    alt: str,
    apply: Callable[[tuple[int, ...]], None],
) -> None:
    """Draw `values` in `order`, each with its count of rows.

    Parameters
    ----------
    values, counts : sequence
        By position in their own order.
    order : tuple of int
        The positions in the order that is in force.
    word : str
        What a value is called.
    key : str
        Must name the order, so that the back button brings back an earlier table.
    alt : str
    apply : callable
        Is handed the order that the reader wants, see :func:`moved`.
    """
    rows = pd.DataFrame(
        {
            "place": range(1, len(order) + 1),
            "value": [str(values[position]) for position in order],
            "rows": [int(counts[position]) for position in order],
        }
    )
    st.data_editor(
        rows,
        key=key,
        hide_index=True,
        disabled=["value", "rows"],
        height=min(38 + 35 * len(rows), 340),
        column_config={
            "place": st.column_config.NumberColumn(
                t("Place"), min_value=1, max_value=len(order), step=1, required=True, width="small"
            ),
            "value": st.column_config.TextColumn(word),
            "rows": st.column_config.NumberColumn(t("Rows"), width="small"),
        },
        on_change=lambda: apply(moved(order, st.session_state[key]["edited_rows"])),
        alt=alt,
    )


def moved(order: tuple[int, ...], edits: Edits) -> tuple[int, ...]:
    """Return `order` with values moved to the places that the reader typed; () if unchanged."""
    changed = list(order)
    for row, edit in edits.items():
        place = edit.get("place")
        if place is not None:
            changed.remove(order[int(row)])
            changed.insert(int(place) - 1, order[int(row)])
    return () if changed == sorted(changed) else tuple(changed)
