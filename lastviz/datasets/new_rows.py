"""Rows without a class that a model is to judge: read, and matched with the columns it knows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from .columns import scaled
from .dataset import Dataset
from .encodings import decoded
from .readers import content_of, parse, scan
from .table_columns import stripped
from .table_format import sniff_text

__all__ = ["NewRows", "read_rows", "scaled_like"]

LIMIT_BYTES = 20 * 2**20
LIMITS = 200_000, 2000, 5_000_000  # rows, columns, values


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
        category is missing in it. Its classes mean nothing.
    unseen : dict of str to ndarray of object
        Of each nominal column that has any: the unseen category of each row, None elsewhere.
    """

    given: pd.DataFrame
    lines: np.ndarray
    dataset: Dataset
    unseen: dict[str, np.ndarray]


def read_rows(file: bytes, known: Dataset, *, name: str = "the table") -> NewRows:
    """Read a text table with one row per sample and a header row; further columns are ignored.

    Parameters
    ----------
    file : bytes
    known : Dataset
        What the rows are like: columns are matched by name.
    name : str
        What messages call the file.

    Raises
    ------
    ValueError
        If the file cannot be read, a column is missing, or a cell cannot be of its kind; the
        message names column and row.
    """
    data, _ = content_of(file, name, LIMIT_BYTES)
    text, encoding = decoded(data, None, name)
    form = replace(sniff_text(text, encoding, None, None, name), header=True)
    columns, lines = scan(text, form, name, LIMITS)
    absent = [column for column in known.feature_names if column not in columns]
    if absent:
        raise ValueError(
            f"{name} has no column {absent[0]!r}; the model needs: {', '.join(known.feature_names)}"
        )
    given, rows = parse(text, form, columns, lines, columns, name)
    given = pd.DataFrame({c: stripped(given[c]) for c in given}).reset_index(drop=True)
    X, unseen = {}, {}
    for column, kind in known.kinds.items():
        if kind == "numeric":
            X[column] = _numbers(given[column], form.decimal, rows, name)
            continue
        X[column], strange = _levels(given[column], known.orders[column])
        if strange is not None and kind == "ordinal":
            place = next(i for i, value in enumerate(strange) if value is not None)
            raise ValueError(
                f"{name}: column {column!r} holds {strange[place]!r} in row {rows[place]}; its "
                f"order has no such level, only {', '.join(map(str, known.orders[column]))}"
            )
        if strange is not None:
            unseen[column] = strange
    nobody = pd.Series([known.class_order[0]] * len(given))
    found = replace(known, X=pd.DataFrame(X), y=nobody.rename(known.y.name))
    return NewRows(given, rows, found, unseen)


def _numbers(column: pd.Series, decimal: str, rows: np.ndarray, name: str) -> pd.Series:
    marked = column.str.replace(",", ".", regex=False) if decimal == "," else column
    numbers = pd.to_numeric(marked, errors="coerce").astype(np.float64)
    wrong = ((numbers.isna() & column.notna()) | np.isinf(numbers)).to_numpy()
    if wrong.any():
        raise ValueError(
            f"{name}: column {column.name!r} holds {column[wrong].iloc[0]!r} in row "
            f"{rows[wrong][0]}, which is no number; correct or empty it"
        )
    return numbers


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
