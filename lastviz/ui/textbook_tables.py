"""Tables 5.1 and 5.2: the book's, the reader's, and what is wrong with them."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pandas as pd

from lastviz.datasets import load_dataset, regression_5_2
from lastviz.inspection import NominalTable

from .edited_tables import EMPTY, EditedPoints, EditedRows
from .text import number, t

__all__ = [
    "book_points",
    "book_rows",
    "book_table",
    "frame_of",
    "loan_columns",
    "read_points",
    "read_rows",
]

LARGEST = 1e9


@cache
def book_table() -> NominalTable:
    """Return Table 5.1, the loan applications of example 5.1."""
    dataset = load_dataset("loan")
    features = tuple(map(str, dataset.X.columns))
    categories = tuple(tuple(map(str, dataset.orders[name])) for name in features)
    codes = [dataset.X[name].cat.codes.to_numpy() for name in features]
    return NominalTable(
        features=features,
        categories=categories,
        classes=tuple(map(str, dataset.class_order)),
        codes=np.column_stack(codes).astype(np.intp),
        labels=dataset.codes.astype(np.intp),
    )


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
    """Return name and legal values of each column of Table 5.1, the class last."""
    book = book_table()
    names = zip(book.features, book.categories, strict=True)
    return [*names, (t("class"), book.classes)]


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
    ValueError
        If it has no row, or a cell is empty or holds no legal value; the message says which.
    """
    if not edited.rows:
        raise ValueError(t("Table 5.1 has no row left; add one, or go back to the book's table."))
    columns = loan_columns()
    for i, row in enumerate(edited.rows):
        for (name, legal), code in zip(columns, row, strict=True):
            if not 0 <= code < len(legal):
                sentence = "Table 5.1, row {row}: “{column}” is empty; choose one of {legal}."
                values = {"row": i + 1, "column": name, "legal": ", ".join(legal)}
                raise ValueError(t(sentence, **values))
    book, cells = book_table(), np.array(edited.rows, dtype=np.intp)
    return NominalTable(
        book.features, book.categories, book.classes, cells[:, :-1].copy(), cells[:, -1].copy()
    )


def read_points(edited: EditedPoints) -> tuple[np.ndarray, np.ndarray]:
    """Return x and y of Table 5.2.

    Raises
    ------
    ValueError
        If there is no point, or a cell is empty or no number; the message says which.
    """
    if not edited.rows:
        raise ValueError(t("Table 5.2 has no point left; add one, or go back to the book's table."))
    cells = [
        [_value(text, i, name) for text, name in zip(row, "xy", strict=True)]
        for i, row in enumerate(edited.rows)
    ]
    x, y = np.array(cells).T
    return x, y


def _value(text: str, row: int, column: str) -> float:
    place = t("Table 5.2, row {row}, {column}", row=row + 1, column=column)
    if not text:
        raise ValueError(t("{place}: the cell is empty; type a number.", place=place))
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        value = math.nan
    if not abs(value) <= LARGEST:
        sentence = "{place}: “{text}” is no number between −{most} and {most}; type one like 4.75."
        raise ValueError(t(sentence, place=place, text=text, most=number(int(LARGEST))))
    return value
