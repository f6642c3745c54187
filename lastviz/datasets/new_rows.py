"""Rows without a class that a model is to judge: read, and matched with the columns it knows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from lastviz._sentences import Refusal
from lastviz.tables import AS_FOUND, LIMITS, Reading
from lastviz.tables.columns import DATE_PARTS, read_feature, text_of, texts_of
from lastviz.tables.dates import DAYS
from lastviz.tables.numbers import Marks, numbers_in
from lastviz.tables.table import marks_of, table_in

from .columns import scaled
from .dataset import Dataset

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class NewRows:
    """Rows to be judged.

    Attributes
    ----------
    given : DataFrame
        The table as it was handed in, as text.
    lines : ndarray of intp, shape (n_samples,)
        Line of the file of each row, from 1.
    dataset : Dataset
        The rows with the columns, kinds and levels of the known data, in their order; an unseen
        category is missing in it. Its classes, or numbers to learn, mean nothing.
    unseen : dict of str to ndarray of object
        Of each nominal column that has any: the unseen category of each row, None elsewhere.
    """

    given: pd.DataFrame
    lines: np.ndarray
    dataset: Dataset
    unseen: dict[str, np.ndarray]


def read_rows(
    file: bytes, known: Dataset, *, name: str = "the table", reading: Reading = AS_FOUND
) -> NewRows:
    """Read a table with one row per sample and a header row; further columns are ignored.

    Parameters
    ----------
    file : bytes
        Of any kind that :func:`read_table` reads.
    known : Dataset
        What the rows are like: columns are matched by name.
    name : str
        What messages call the file.
    reading : Reading
        How columns of the known data were read, where that was chosen; the file itself may be
        written in another way.

    Raises
    ------
    ValueError
        If the file cannot be read, a column is missing, or a cell cannot be of its kind; the
        message names column and row.
    """
    raw, _ = table_in(file, name, AS_FOUND, LIMITS)
    if not raw.header and raw.kind == "text":
        first = replace(AS_FOUND, header=int(raw.lines[0]))
        raw, _ = table_in(file, name, first, LIMITS)
    absent = [column for column in known.feature_names if column not in raw.names]
    if absent:
        raise Refusal(
            "{name} has no column {column!r}; the model needs: {names}",
            name=name,
            column=absent[0],
            names=", ".join(known.feature_names),
        )
    marks, chosen, rows = marks_of(raw, AS_FOUND), dict(reading.columns), raw.lines
    cells = dict(zip(raw.names, raw.columns, strict=True))
    given = pd.DataFrame({c: texts_of(text_of(column)) for c, column in cells.items()})
    X, unseen = {}, {}
    for column, kind in known.kinds.items():
        read_as = "days" if known.units[column] == DAYS else chosen.get(column)
        if kind == "numeric" or read_as in DATE_PARTS:
            read_as = read_as if read_as in DATE_PARTS else "number"
            X[column] = _numbers(column, cells[column], rows, read_as, marks, name)
            continue
        X[column], strange = _levels(given[column], known.orders[column])
        if strange is not None and kind == "ordinal":
            place = next(i for i, value in enumerate(strange) if value is not None)
            raise Refusal(
                "{name}: column {column!r} holds {value!r} in row {row}; its order has no "
                "such level, only {levels}",
                name=name,
                column=column,
                value=strange[place],
                row=rows[place],
                levels=", ".join(map(str, known.orders[column])),
            )
        if strange is not None:
            unseen[column] = strange
    nothing = 0.0 if known.is_regression else known.class_order[0]
    nobody = pd.Series([nothing] * len(given))
    found = replace(known, X=pd.DataFrame(X), y=nobody.rename(known.y.name))
    return NewRows(given, rows, found, unseen)


def _numbers(
    column: str, cells: pa.ChunkedArray, rows: np.ndarray, read_as: str, marks: Marks, name: str
) -> pd.Series:
    """Return cells as numbers, or as parts of dates; months and weekdays as their words."""
    text = text_of(cells)
    if read_as == "number" and text.null_count != len(text):
        numbers = numbers_in(text, marks)
        wrong = numbers.wrong | np.isinf(numbers.values.astype(np.float64))
        if wrong.any():
            raise Refusal(
                "{name}: column {column!r} holds {value!r} in row {row}, which is no number; "
                "correct or empty it",
                name=name,
                column=column,
                value=text.filter(wrong)[0].as_py(),
                row=rows[wrong][0],
            )
    values = read_feature(column, cells, rows, read_as, marks, None, name).values
    return values.astype(np.float64) if read_as not in ("month", "weekday") else values


def _levels(column: pd.Series, order: tuple) -> tuple[pd.Series, np.ndarray | None]:
    """Return the cells as levels, and those that are none of them (None if there are none)."""
    levels = {str(level): level for level in order}
    known = column.isin(list(levels))
    strange = (column.notna() & ~known).to_numpy()
    found = column.where(known).astype(object).map(levels)
    if not strange.any():
        return found, None
    unseen = np.full(len(column), None, dtype=object)
    unseen[strange] = column[strange]
    return found, unseen


def scaled_like(rows: Dataset, reference: pd.DataFrame, how: str) -> Dataset:
    """Return new rows scaled as the known ones were; `reference` holds those before scaling."""
    numeric = [c for c, kind in rows.kinds.items() if kind == "numeric"]
    columns = {c: scaled(rows.X[c], how, like=reference[c]) for c in numeric}
    return replace(rows, X=rows.X.assign(**columns))
