"""From the columns of a parsed table to features and classes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from pandas.api import types

from .columns import as_labels, kind_of
from .table_format import MISSING

__all__ = [
    "class_column",
    "feature_column",
    "levels_column",
    "looks_measured",
    "number_column",
    "stripped",
    "target_name",
]

# What a class column is usually called, the most telling first; upper and lower case alike.
TARGET_NAMES = (
    *("class", "target", "label", "species", "classes", "labels", "category"),
    *("diagnosis", "outcome", "result", "klasse", "y"),
)
N_SHOWN = 3  # rows that a message names
FEW_VALUES = 10  # a column with more different numbers looks measured


def target_name(columns: list[str], target: str | None, name: str) -> str:
    """Return the class column: `target`, else one with a telling name, else the last."""
    if target is not None:
        if target not in columns:
            raise ValueError(
                f"{name}: there is no column {target!r}; the columns are: {', '.join(columns)}"
            )
        return target
    by_name = {column.casefold(): column for column in reversed(columns)}
    return next((by_name[key] for key in TARGET_NAMES if key in by_name), columns[-1])


def feature_column(column: pd.Series, decimal: str, rows: np.ndarray, name: str) -> pd.Series:
    """Return a feature as numbers or, if it is mostly text, as text.

    Raises
    ------
    ValueError
        If a few of its cells are no numbers, or a number is infinite.
    """
    if kind_of(column) != "numeric":
        column = stripped(column)
        marked = column.str.replace(",", ".", regex=False) if decimal == "," else column
        numbers = pd.to_numeric(marked, errors="coerce").astype(np.float64)
        wrong = (numbers.isna() & column.notna()).to_numpy()
        if not _looks_numeric(numbers, wrong):
            return column
        if wrong.any():
            raise ValueError(
                f"{name}: column {column.name!r} has {_counted(wrong.sum(), 'cell')} that "
                f"{'is not a number' if wrong.sum() == 1 else 'are not numbers'} "
                f"({_shown(column[wrong], rows[wrong])}); correct or empty them"
            )
        column = numbers
    infinite = np.isinf(column.to_numpy(np.float64))
    if infinite.any():
        raise ValueError(
            f"{name}: column {column.name!r} has an infinite value in row "
            f"{rows[infinite][0]}; correct or empty it"
        )
    return column


def _looks_numeric(numbers: pd.Series, wrong: np.ndarray) -> bool:
    """A tenth of text makes no column nominal, nor a half where the numbers look measured."""
    n_wrong, n_numbers = int(wrong.sum()), int(numbers.notna().sum())
    measured = numbers.nunique() > FEW_VALUES
    return n_wrong <= (1.0 if measured else 1 / 9) * n_numbers


def levels_column(
    column: pd.Series, order: Sequence | None, rows: np.ndarray, name: str
) -> pd.Series:
    """Return a column read as text with its cells replaced by the levels of `order`."""
    column = stripped(column)
    if order is None:
        return column
    return _matched(column, order, rows, name)


def class_column(
    column: pd.Series,
    class_order: Sequence | None,
    rows: np.ndarray,
    limit_classes: int,
    name: str,
) -> pd.Series:
    """Return the class labels, checked.

    Raises
    ------
    ValueError
        If a class is missing, there is one class or too many, or the column looks measured.
    """
    missing = column.isna().to_numpy()
    if kind_of(column) != "numeric":
        column = stripped(column)
        missing = column.isna().to_numpy()
    if missing.any():
        raise ValueError(
            f"{name}: {_counted(missing.sum(), 'row')} without a class in column "
            f"{column.name!r} ({_row_list(rows[missing])}); fill in the class or delete the row"
        )
    if class_order:
        column = _matched(column, class_order, rows, name)
    n_classes = column.nunique()
    if n_classes < 2:
        raise ValueError(
            f"{name}: every row has the class {column.iloc[0]!r} in column {column.name!r}; "
            "at least two classes are needed, or choose another class column"
        )
    if n_classes > _most_classes(column, limit_classes):
        what = "numbers, which look measured" if kind_of(column) == "numeric" else "classes"
        raise ValueError(
            f"{name}: the class column {column.name!r} holds {n_classes:,} different {what}; "
            f"at most {limit_classes} are possible, so choose another class column or group them"
        )
    return as_labels(column)


def _most_classes(column: pd.Series, limit_classes: int) -> int:
    """Return how many different values can be classes: fewer of numbers with decimals."""
    with_decimals = types.is_float_dtype(column.dtype) and (column != column.round()).any()
    return min(FEW_VALUES, limit_classes) if with_decimals else limit_classes


def looks_measured(column: pd.Series, limit_classes: int) -> bool:
    """Tell whether a column holds numbers, and too many different ones to be classes."""
    if kind_of(column) != "numeric":
        return False
    known = column.dropna()
    return known.nunique() > _most_classes(known, limit_classes)


def number_column(column: pd.Series, decimal: str, rows: np.ndarray, name: str) -> pd.Series:
    """Return the numbers to learn, checked.

    Raises
    ------
    ValueError
        If the column is no numbers, one is missing or infinite, or all are equal.
    """
    column = feature_column(column, decimal, rows, name)
    if kind_of(column) != "numeric":
        raise ValueError(f"{name}: column {column.name!r} holds no numbers; choose another target")
    missing = column.isna().to_numpy()
    if missing.any():
        raise ValueError(
            f"{name}: {_counted(missing.sum(), 'row')} without a number in column "
            f"{column.name!r} ({_row_list(rows[missing])}); fill it in or delete the row"
        )
    if column.nunique() < 2:
        raise ValueError(
            f"{name}: every row has {column.iloc[0]} in column {column.name!r}; "
            "at least two different numbers are needed, or choose another target"
        )
    return column.astype(np.float64)


def stripped(column: pd.Series) -> pd.Series:
    """Return the cells as text without blanks at their ends; what is empty then is missing."""
    text = column.where(column.isna(), column.astype("str")).astype("str").str.strip()
    return text.mask(text.isin(MISSING))


def _matched(column: pd.Series, order: Sequence, rows: np.ndarray, name: str) -> pd.Series:
    """Return the levels of `order` whose text the cells hold."""
    levels = {str(level): level for level in order}
    text = column.astype("str")
    strange = (column.notna() & ~text.isin(list(levels))).to_numpy()
    if strange.any():
        raise ValueError(
            f"{name}: column {column.name!r} holds {text[strange].iloc[0]!r} in row "
            f"{rows[strange][0]}, which is not one of {', '.join(levels)}"
        )
    return text.astype(object).map(levels).infer_objects()


def _shown(cells: pd.Series, rows: np.ndarray) -> str:
    pairs = zip(rows[:N_SHOWN], cells.iloc[:N_SHOWN], strict=True)
    more = ", ..." if len(rows) > N_SHOWN else ""
    return ", ".join(f"row {row}: {cell[:40]!r}" for row, cell in pairs) + more


def _row_list(rows: np.ndarray) -> str:
    more = ", ..." if len(rows) > N_SHOWN else ""
    return f"row{'s' if len(rows) > 1 else ''} " + ", ".join(map(str, rows[:N_SHOWN])) + more


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"
