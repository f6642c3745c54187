"""The column that is to be learnt: classes whose labels stay as they are, or numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from lastviz._sentences import Refusal, Statement

from .columns import (
    FEW_VALUES,
    MOST_WORDS,
    ReadColumn,
    cells_of,
    examples_of,
    gaps_of,
    read_feature,
    text_of,
    texts_of,
)
from .dates import in_order
from .hints import alike_hints, row_list
from .numbers import EXACT, Marks, numbers_in
from .reading import ColumnFound, ColumnReading, Repair

if TYPE_CHECKING:
    import pyarrow as pa

# What a class column is usually called, the most telling first; upper and lower case alike.
TARGET_NAMES = (
    *("class", "target", "label", "species", "classes", "labels", "category"),
    *("diagnosis", "outcome", "result", "klasse", "y"),
)
INTEGER = r"^(0|-?[1-9][0-9]{0,17})$"
INTEGER_WITH_POINT = r"^-?[0-9]+\.0+$"


@dataclass(frozen=True, eq=False)
class ReadTarget:
    """The target column, as it was read."""

    y: pd.Series  # class labels, all int or all str, or float64
    task: str  # {"classification", "regression"}
    order: tuple  # the classes from low to high where their words have an order, else empty
    found: ColumnFound
    hints: tuple[str, ...] = ()
    repairs: tuple[Repair, ...] = ()


def target_name(
    columns: Sequence[str], target: str | None, name: str, *, uneven: Sequence[str] = ()
) -> str:
    """Class column: `target`, else one with a telling name, else the last.

    What `uneven` names is not named by every row, and is the last only if all are.
    """
    if target is not None:
        if target not in columns:
            raise Refusal(
                "{name}: there is no column {target!r}; the columns are: {columns}",
                name=name,
                target=target,
                columns=", ".join(columns),
            )
        return target
    by_name = {column.casefold(): column for column in reversed(columns)}
    last = next((column for column in reversed(columns) if column not in uneven), columns[-1])
    return next((by_name[key] for key in TARGET_NAMES if key in by_name), last)


def read_target(
    name: str,
    column: pa.ChunkedArray,
    lines: np.ndarray,
    *,
    how: ColumnReading,
    task: str,
    class_order: Sequence,
    limit_classes: int,
    file: str,
) -> ReadTarget:
    """Read the column that is to be learnt.

    Parameters
    ----------
    how : ColumnReading
        How it is to be read; its decimal mark is given.
    task : {"classification", "regression", "auto"}
        "auto": numbers where there are too many different ones to be classes, unless it is to be
        read as a number or as a category.
    class_order : sequence
        The classes that are known beforehand; empty: those that occur.
    limit_classes : int

    Raises
    ------
    ValueError
        If a cell is missing, there is one class or too many, or it holds no numbers to learn.
    """
    import pyarrow as pa

    text = cells_of(column, how)
    is_typed = pa.types.is_integer(column.type) or pa.types.is_floating(column.type)
    numbers = _numbers(column, text, how, is_typed=is_typed)
    if task == "auto":
        most = 0 if numbers is None else _most_classes(numbers, limit_classes)
        measured = numbers is not None and len(np.unique(numbers)) > most
        of_numbers = measured if how.read_as is None else how.read_as == "number"
        task = "regression" if of_numbers else "classification"
    choices = ("category", "number") if numbers is not None else ("category",)
    examples, gaps = examples_of(column, how), gaps_of(column, how)
    if task == "regression":
        read = _numbers_to_learn(name, column, lines, how, file)
        found = replace(read.found, choices=choices)
        return ReadTarget(
            read.values.astype(np.float64), task, (), found, tuple(read.hints), tuple(read.repairs)
        )
    y = _classes(name, column, text, lines, class_order, numbers, limit_classes, file)
    words = list(map(str, y.unique().tolist()))
    order = in_order(words) if len(words) <= MOST_WORDS and not class_order else None
    reading = ColumnReading("category", missing=how.missing, merged=how.merged)
    found = ColumnFound(name, "category", choices, "", examples, reading, gaps)
    repairs = tuple(alike_hints(name, words, how.merged))
    hints = tuple(repair.hint for repair in repairs)
    return ReadTarget(y, task, order or (), found, hints, repairs)


def _numbers(
    column: pa.ChunkedArray, text: pa.ChunkedArray, how: ColumnReading, *, is_typed: bool
) -> np.ndarray | None:
    """Numbers that are known, None if any cell is none or they look like codes."""
    if is_typed:
        values = column.to_numpy().astype(np.float64)
        return values[~np.isnan(values)]
    found = numbers_in(text, Marks(how.decimal, how.thousands))
    if found.wrong.any() or found.has_codes or found.are_codes or text.null_count == len(text):
        return None
    return found.values[~np.isnan(found.values.astype(np.float64))]


def _most_classes(numbers: np.ndarray, limit_classes: int) -> int:
    """Largest number of distinct values that can be classes, fewer with decimals."""
    with_decimals = (numbers != np.round(numbers)).any()
    return min(FEW_VALUES, limit_classes) if with_decimals else limit_classes


def _numbers_to_learn(
    name: str, column: pa.ChunkedArray, lines: np.ndarray, how: ColumnReading, file: str
) -> ReadColumn:
    marks = Marks(how.decimal, how.thousands)
    try:
        read = read_feature(name, column, lines, replace(how, read_as="number"), file)
    except ValueError as error:
        if (
            "are not numbers" not in str(error)
            or np.isfinite(numbers_in(text_of(column), marks).values).any()
        ):
            raise
        raise Refusal(
            "{file}: column {name!r} holds no numbers; choose another target", file=file, name=name
        ) from None
    y = read.values
    missing = y.isna().to_numpy()
    if missing.any():
        about = Statement(
            "{file}: {n:,} row without a number in column {name!r} ({rows}); fill it in or delete "
            "the row",
            "{file}: {n:,} rows without a number in column {name!r} ({rows}); fill it in or "
            "delete the row",
            file=file, n=missing.sum(), name=name, rows=row_list(lines[missing]),
        )  # fmt: skip
        raise Refusal(about)
    if y.nunique() < 2:
        raise Refusal(
            "{file}: every row has {value} in column {name!r}; at least two different "
            "numbers are needed, or choose another target",
            file=file,
            value=y.iloc[0],
            name=name,
        )
    return read


def _classes(
    name: str,
    column: pa.ChunkedArray,
    text: pa.ChunkedArray,
    lines: np.ndarray,
    class_order: Sequence,
    numbers: np.ndarray | None,
    limit_classes: int,
    file: str,
) -> pd.Series:
    missing = text.is_null().to_numpy()
    if missing.any():
        about = Statement(
            "{file}: {n:,} row without a class in column {name!r} ({rows}); fill in the class or "
            "delete the row",
            "{file}: {n:,} rows without a class in column {name!r} ({rows}); fill in the class or "
            "delete the row",
            file=file, n=missing.sum(), name=name, rows=row_list(lines[missing]),
        )  # fmt: skip
        raise Refusal(about)
    if class_order:
        labels = levels_present(texts_of(text), class_order, lines, name, file)
    else:
        labels = _labels(column, text)
    n_classes = labels.nunique()
    if n_classes < 2:
        raise Refusal(
            "{file}: every row has the class {value!r} in column {name!r}; at least two "
            "classes are needed, or choose another class column",
            file=file,
            value=labels.iloc[0],
            name=name,
        )
    most = limit_classes if numbers is None else _most_classes(numbers, limit_classes)
    if n_classes > most:
        raise Refusal(
            "{file}: the class column {name!r} holds {n:,} different classes; at most {most} are "
            "possible, so choose another class column or group them"
            if numbers is None
            else "{file}: the class column {name!r} holds {n:,} different numbers, which look "
            "measured; at most {most} are possible, so choose another class column or group them, "
            'or learn the numbers by task="regression"',
            file=file,
            name=name,
            n=n_classes,
            most=limit_classes,
        )
    return labels


def _labels(column: pa.ChunkedArray, text: pa.ChunkedArray) -> pd.Series:
    """Class labels: whole numbers where all are written as such, else the text itself."""
    import pyarrow as pa
    from pyarrow import compute as pc

    if pa.types.is_integer(column.type):
        return pd.Series(column.to_numpy())
    if pa.types.is_floating(column.type):
        values = column.to_numpy()
        if (values == np.round(values)).all() and np.abs(values).max() <= EXACT:
            return pd.Series(values.astype(np.int64))
        return texts_of(text)
    different = pc.unique(text)
    if pc.all(pc.match_substring_regex(different, INTEGER)).as_py():
        return pd.Series(pc.cast(text, pa.int64()).to_numpy())
    if pc.all(pc.match_substring_regex(different, INTEGER_WITH_POINT)).as_py():
        values = [float(cell) for cell in different.to_pylist()]
        if len(set(values)) == len(values) and max(map(abs, values)) <= EXACT:
            return pd.Series(pc.cast(text, pa.float64()).to_numpy().astype(np.int64))
    return texts_of(text)


def levels_present(
    text: pd.Series, order: Sequence, lines: np.ndarray, name: str, file: str
) -> pd.Series:
    """Levels of `order` whose text the cells hold."""
    levels = {str(level): level for level in order}
    strange = (text.notna() & ~text.isin(list(levels))).to_numpy()
    if strange.any():
        raise Refusal(
            "{file}: column {name!r} holds {value!r} in row {row}, which is not one of "
            "{levels}; correct it",
            file=file,
            name=name,
            value=text[strange].iloc[0],
            row=lines[strange][0],
            levels=", ".join(levels),
        )
    return text.astype(object).map(levels).infer_objects()
