"""What figures of all pages share: the theme, their words, titles of columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

from lastviz.criteria import CRITERIA
from lastviz.datasets import Dataset
from lastviz.plots import ThemeName, Words, with_hues
from lastviz.plots.visuals.words import FIXED, column_places
from lastviz.tree import Tree
from lastviz.ui.text import t

MOST_FRAMED = 63  # nodes: more frames would hide their tree
# Columns of tables that are no criterion.
OTHER_COLUMNS = {"stage": "step 1"}


AS_IT_IS = st.column_config.NumberColumn(format="plain")  # of numbers that are rounded already
HUES = "hues"  # the session's key


def page_theme() -> str:
    """Return the theme of the reader's browser: "light" or "dark"."""
    return st.context.theme.type or "light"


def current_theme(dataset: Dataset | None = None) -> str:
    """Return the theme of figures about the data: that of the page, with the classes' hues.

    Those of `dataset`, from now on; if it is not given, those of the one that was given last.
    """
    if dataset is not None:
        st.session_state[HUES] = _hues(dataset)
    return with_hues(page_theme(), st.session_state.get(HUES, ()))


def theme_of(dataset: Dataset, name: str) -> ThemeName:
    """Return a theme, "light" or "dark", with the hues of the classes of a data set."""
    return with_hues(name, _hues(dataset))


def _hues(dataset: Dataset) -> Sequence[str | None]:
    own = dataset.class_colours
    return [own.get(str(label)) for label in dataset.class_order] if own else ()


def paper_theme() -> str:
    """Return the theme of figures that go on paper: light, with the classes' hues."""
    return with_hues("light", st.session_state.get(HUES, ()))


def as_table(key: str, rows: Callable[[], pd.DataFrame], *, title: str | None = None) -> None:
    """Offer the numbers of a figure as a table, worked out once it is opened.

    Parameters
    ----------
    key : str
        Of the figure.
    rows : callable
        Returns the table.
    title : str, optional
        Names the figures whose numbers it has.
    """
    box = st.expander(title or t("As a table"), key=f"{key}_as_table", on_change="rerun")
    if box.open:
        table = rows()
        box.dataframe(table, hide_index=True, column_config=column_formats(table))


def column_formats(table: pd.DataFrame) -> dict[str, object]:
    """Return how a table shows its numbers: with the digits that each column needs.

    Streamlit by itself cuts them to four decimals.
    """
    places = {
        name: column_places(column.to_numpy(np.float64, na_value=np.nan))
        for name, column in table.items()
        if pd.api.types.is_float_dtype(column.dtype)
    }
    return {
        name: st.column_config.NumberColumn(format=f"%.{n}f" if n <= FIXED else "scientific")
        for name, n in places.items()
    }


def arrow_table(columns: Mapping[str, object]) -> pa.Table:
    """Return columns as a table that is sent as it is; no number and masked ones stay empty.

    The way there over pandas takes ten times as long.
    """
    return pa.table({name: _arrow(column) for name, column in columns.items()})


def _arrow(column: object) -> pa.Array:
    if isinstance(column, np.ma.MaskedArray):
        return pa.array(column.data, mask=np.ma.getmaskarray(column))
    return pa.array(column, from_pandas=True)


def legible_depth(tree: Tree) -> int | None:
    """Return down to which depth a tree with a frame around its nodes is drawn; None: all of it."""
    if tree.n_nodes <= MOST_FRAMED:
        return None
    below = np.cumsum(np.bincount(tree.depth))
    return max(int(np.searchsorted(below, MOST_FRAMED, side="right")) - 1, 1)


def words() -> Words:
    """Return the words that figures use, in the language of the session."""
    return Words(
        row=t("row"),
        rows=t("rows"),
        training=t("training"),
        held_out=t("held out"),
        wrong=t("misclassified"),
        hidden=t("{leaves} more leaves below nodes with fewer than {rows} rows"),
        true_class=t("true class"),
        predicted_class=t("predicted class"),
        sampled=t("{shown} of {rows} rows"),
        others=t("other classes"),
    )


def column_title(name: str) -> str:
    """Return the short title of a column, for the head of a table or beside a curve."""
    return t(CRITERIA[name].short if name in CRITERIA else OTHER_COLUMNS[name])
