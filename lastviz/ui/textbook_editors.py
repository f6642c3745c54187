"""The tables of the page *textbook*, edited in place.

An editor starts from one table and remembers what was changed since. As long as that comes to
the table of the selection it is left alone, so that the cursor stays where it is; after undo,
reset or a link it starts anew from the selection's table, under a new key.
"""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from . import state
from .edited_tables import EMPTY, MOST_ROWS, EditedPoints, EditedRows
from .text import plain, t
from .textbook_tables import book_points, book_rows, frame_of, loan_columns
from .widgets import put

__all__ = ["points_editor", "row_editor", "rows_editor"]

ROW, WIDTH = 35, 72  # pixels
NUMBER = "#"
Table = EditedRows | EditedPoints


def rows_editor(shown: EditedRows, problem: str | None) -> None:
    """Draw Table 5.1 and what is wrong with it."""
    columns = {
        name: st.column_config.SelectboxColumn(name, options=list(legal), width=WIDTH)
        for name, legal in loan_columns()
    }
    _editor("loan", shown, book_rows(), frame_of, _rows_of, columns)
    _below("loan", shown, book_rows(), problem)


def points_editor(shown: EditedPoints, problem: str | None) -> None:
    """Draw Table 5.2 and what is wrong with it."""
    columns = {name: st.column_config.TextColumn(name, max_chars=12) for name in "xy"}
    _editor("points", shown, book_points(), _frame_of_points, _points_of, columns)
    _below("points", shown, book_points(), problem)


def row_editor(shown: EditedRows) -> None:
    """Draw choosers for the cells of one row: the way to change the table without its grid."""
    if not shown.rows:
        return
    st.markdown(f"**{t('Change a row')}**")
    row = min(st.session_state.get("textbook.row", 1), len(shown.rows))
    put("textbook.row", row)
    st.number_input(t("Row"), min_value=1, max_value=len(shown.rows), key="textbook.row")
    for c, (name, legal) in enumerate(loan_columns()):
        key = f"textbook.cell.{c}"
        code = shown.rows[row - 1][c]
        put(key, legal[code] if 0 <= code < len(legal) else None)
        st.selectbox(
            name,
            legal,
            index=None,
            key=key,
            placeholder=t("empty"),
            on_change=_choose_cell,
            args=(shown, row - 1, c, key),
        )


def _choose_cell(shown: EditedRows, row: int, column: int, key: str) -> None:
    legal, word = loan_columns()[column][1], st.session_state[key]
    rows = [list(cells) for cells in shown.rows]
    rows[row][column] = EMPTY if word is None else legal.index(word)
    _select("loan", EditedRows(tuple(map(tuple, rows))), book_rows())


def _editor(
    name: str,
    shown: Table,
    book: Table,
    to_frame: Callable[[Table], pd.DataFrame],
    from_words: Callable[[list[dict]], Table],
    columns: dict[str, object],
) -> None:
    base_key, count_key = f"textbook.{name}.base", f"textbook.{name}.count"
    count = st.session_state.get(count_key, 0)
    base = st.session_state.get(base_key)
    key = f"textbook.{name}.{count}"
    if base is None or from_words(_changed(to_frame(base), st.session_state.get(key))) != shown:
        base, count = shown, count + 1
        st.session_state[base_key], st.session_state[count_key] = base, count
        key = f"textbook.{name}.{count}"
    start = to_frame(base)
    start.insert(0, NUMBER, [str(i) for i in range(1, len(start) + 1)])
    columns = {NUMBER: st.column_config.TextColumn(NUMBER, disabled=True, width=42), **columns}

    def changed() -> None:
        _select(name, from_words(_changed(start, st.session_state[key])), book)

    st.data_editor(
        start,
        key=key,
        num_rows="dynamic",
        hide_index=True,
        column_config=columns,
        height=ROW * (len(start) + 2) + 3,
        on_change=changed,
        alt=t("The table, a row a sample; press Enter on a cell to change it"),
    )


def _below(name: str, shown: Table, book: Table, problem: str | None) -> None:
    """Say what is wrong, and offer the way back to the book's table."""
    if problem is not None:
        st.warning(plain(problem))
        st.caption(t("The sums are still those of the last table without a fault."))
    st.button(
        t("Back to the book's table"),
        key=f"textbook.{name}.reset",
        disabled=shown == book,
        on_click=lambda: state.select(**{name: None}),
    )


def _select(name: str, table: Table, book: Table) -> None:
    state.select(**{name: None if table == book else table})


def _changed(start: pd.DataFrame, changes: dict | None) -> list[dict]:
    """Return the rows of a table with what its editor says was changed."""
    rows = start.to_dict("records")
    if not changes:
        return rows
    for place, cells in changes["edited_rows"].items():
        rows[int(place)] |= cells
    deleted = set(changes["deleted_rows"])
    rows = [row for i, row in enumerate(rows) if i not in deleted]
    return [*rows, *changes["added_rows"]][:MOST_ROWS]


def _rows_of(rows: list[dict]) -> EditedRows:
    columns = loan_columns()
    return EditedRows(
        tuple(
            tuple(
                legal.index(row[name]) if row.get(name) in legal else EMPTY
                for name, legal in columns
            )
            for row in rows
        )
    )


def _points_of(rows: list[dict]) -> EditedPoints:
    cell = EditedPoints.cell
    return EditedPoints(tuple((cell(row.get("x")), cell(row.get("y"))) for row in rows))


def _frame_of_points(table: EditedPoints) -> pd.DataFrame:
    cells = [[cell or None for cell in row] for row in table.rows]
    return pd.DataFrame(cells, columns=["x", "y"], dtype=object)
