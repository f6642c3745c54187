"""Tables 5.1 and 5.2: the book's, the reader's, what is wrong with them, and their editors.

An editor starts from one table and remembers what was changed since. As long as that comes to
the table of the selection it is left alone, so that the cursor stays where it is; after undo,
reset or a link it starts anew from the selection's table, under a new key.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import TypeVar

import numpy as np
import pandas as pd
import streamlit as st

from lastviz.datasets import regression_5_2
from lastviz.inspection import NominalTable
from lastviz.ui.compute.book import book_table
from lastviz.ui.state import session
from lastviz.ui.state.values import EMPTY, MOST_ROWS, EditedPoints, EditedRows
from lastviz.ui.text import CannotShow, number, plain, t

ROW, WIDTH = 35, 72  # pixels
NUMBER = "#"
Table = EditedRows | EditedPoints
Shown = TypeVar("Shown", EditedRows, EditedPoints)
Read = TypeVar("Read")


def rows_editor(shown: EditedRows, problem: str | None) -> None:
    """Draw Table 5.1 and what is wrong with it."""
    columns = {
        name: st.column_config.SelectboxColumn(name, options=list(legal), width=WIDTH)
        for name, legal in loan_columns()
    }
    _editor("loan", shown, book_rows(), problem, frame_of, _rows_of, columns)


def points_editor(shown: EditedPoints, problem: str | None) -> None:
    """Draw Table 5.2 and what is wrong with it."""
    columns = {name: st.column_config.TextColumn(name, max_chars=12) for name in "xy"}
    _editor("points", shown, book_points(), problem, _frame_of_points, _points_of, columns)


def _editor(
    name: str,
    shown: Table,
    book: Table,
    problem: str | None,
    to_frame: Callable[[Table], pd.DataFrame],
    from_words: Callable[[list[dict]], Table],
    columns: dict[str, object],
) -> None:
    """Draw a table that can be changed, what is wrong with it, and the way back to the book's."""
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
        choose(name, from_words(_changed(start, st.session_state[key])), book)

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
    if problem is not None:
        st.warning(plain(problem))
        st.caption(t("The sums are still those of the last valid table."))
    st.button(
        t("Back to the book's table"),
        key=f"textbook.{name}.reset",
        disabled=shown == book,
        on_click=lambda: session.select(**{name: None}),
    )


def last_good(
    name: str, shown: Shown, book: Shown, read: Callable[[Shown], Read]
) -> tuple[Shown, Read, str | None]:
    """Read the table that is shown; where it has a fault, the last one that had none.

    Returns the table that was read, what it says, and what is wrong with the shown one.
    """
    key = f"textbook.{name}"
    try:
        found = read(shown)
    except CannotShow as fault:
        used = st.session_state.get(key, book)
        return used, read(used), str(fault)
    st.session_state[key] = shown
    return shown, found, None


def choose(name: str, table: Table, book: Table) -> None:
    """Make a table the reader's; the book's own needs no place in the link."""
    session.select(**{name: None if table == book else table})


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
    codes = (
        tuple(legal.index(row[n]) if row.get(n) in legal else EMPTY for n, legal in columns)
        for row in rows
    )
    return EditedRows(tuple(codes))


def _points_of(rows: list[dict]) -> EditedPoints:
    cell = EditedPoints.cell
    return EditedPoints(tuple((cell(row.get("x")), cell(row.get("y"))) for row in rows))


def _frame_of_points(table: EditedPoints) -> pd.DataFrame:
    cells = [[cell or None for cell in row] for row in table.rows]
    return pd.DataFrame(cells, columns=["x", "y"], dtype=object)


LARGEST = 1e9


@cache
def book_points() -> EditedPoints:
    """Return Table 5.2 of exercise 5.2 as the reader's table is written."""
    dataset = regression_5_2()
    places = dataset.X.iloc[:, 0].tolist()
    return EditedPoints(
        tuple((f"{x:g}", f"{y:.2f}") for x, y in zip(places, dataset.y.tolist(), strict=True))
    )


@cache
def book_rows() -> EditedRows:
    """Return Table 5.1 as the reader's table is written."""
    book = book_table()
    rows = np.column_stack([book.codes, book.labels]).tolist()
    return EditedRows(tuple(map(tuple, rows)))


def loan_columns() -> list[tuple[str, tuple[str, ...]]]:
    """Return name and legal values of each column of Table 5.1, the class last, as readers say."""
    book = book_table()
    names = [*zip(book.features, book.categories, strict=True), ("class", book.classes)]
    return [(t(name), tuple(map(t, legal))) for name, legal in names]


def frame_of(rows: EditedRows) -> pd.DataFrame:
    """Return Table 5.1 in words; None stands for an empty cell."""
    columns = loan_columns()
    words = {
        name: [None if row[c] == EMPTY else legal[row[c]] for row in rows.rows]
        for c, (name, legal) in enumerate(columns)
    }
    return pd.DataFrame(words, dtype=object)


def read_rows(edited: EditedRows) -> NominalTable:
    """Return the table.

    Raises
    ------
    CannotShow
        If it has no row, or a cell is empty or holds no legal value; the message says which.
    """
    if not edited.rows:
        raise CannotShow(t("Table 5.1 has no row left; add one, or go back to the book's table."))
    columns = loan_columns()
    for i, row in enumerate(edited.rows):
        for (name, legal), code in zip(columns, row, strict=True):
            if not 0 <= code < len(legal):
                sentence = "Table 5.1, row {row}: “{column}” is empty; choose one of {legal}."
                values = {"row": i + 1, "column": name, "legal": t(", ").join(legal)}
                raise CannotShow(t(sentence, **values))
    (*features, _), (*categories, classes) = zip(*columns, strict=True)
    cells = np.array(edited.rows, dtype=np.intp)
    return NominalTable(
        tuple(features), tuple(categories), classes, cells[:, :-1].copy(), cells[:, -1].copy()
    )


def read_points(edited: EditedPoints) -> tuple[np.ndarray, np.ndarray]:
    """Return x and y of Table 5.2.

    Raises
    ------
    CannotShow
        If there is no point, or a cell is empty or no number; the message says which.
    """
    if not edited.rows:
        raise CannotShow(t("Table 5.2 has no point left; add one, or go back to the book's table."))
    cells = [
        [_value(text, i, name) for text, name in zip(row, "xy", strict=True)]
        for i, row in enumerate(edited.rows)
    ]
    x, y = np.array(cells).T
    return x, y


def _value(text: str, row: int, column: str) -> float:
    place = t("Table 5.2, row {row}, {column}", row=row + 1, column=column)
    if not text:
        raise CannotShow(t("{place}: the cell is empty; type a number.", place=place))
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        value = math.nan
    if not abs(value) <= LARGEST:
        sentence = "{place}: “{text}” is no number between −{most} and {most}; type one like 4.75."
        raise CannotShow(t(sentence, place=place, text=text, most=number(int(LARGEST))))
    return value
