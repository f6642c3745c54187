"""From a CSV file to a data set, and back; whatever is wrong is said in one sentence."""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pandas as pd

from .dataset import Dataset
from .encodings import decoded
from .table_columns import (
    class_column,
    feature_column,
    levels_column,
    looks_measured,
    number_column,
    target_name,
)
from .table_format import MISSING, TableFormat, records, sniff_text

__all__ = ["read_table", "to_csv"]


def read_table(
    file: bytes | str | PathLike | BinaryIO,
    *,
    name: str | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    target: str | None = None,
    task: str = "classification",
    limit_bytes: int = 200 * 2**20,
    limit_rows: int = 200_000,
    limit_columns: int = 2000,
    limit_values: int = 20_000_000,
    limit_classes: int = 64,
    **known,
) -> Dataset:
    """Read a text table with one row per sample; nothing in it is ever executed.

    What is not given is found out (:func:`sniff_table` tells the format). A column of numbers
    is numeric, one of text nominal. Empty fields, ``?``, ``NA`` and the like are missing
    values, which only features may have.

    Parameters
    ----------
    file : bytes, path or binary file
        The table.
    name : str or None
        Name of the data set; None: the file's name without its ending.
    separator, decimal, encoding : str or None
        Given parts of the format.
    target : str or None
        The class column. None: one called class, target, label, ... or else the last.
    task : {"classification", "regression", "auto"}
        What is learnt from it: classes, numbers, or numbers where it holds too many different
        ones to be classes.
    limit_bytes, limit_rows, limit_columns, limit_values, limit_classes : int
        Larger tables are refused (20 MB, 200,000 rows, 2,000 columns, 5,000,000 values, 64
        classes).
    **known
        Fields of :class:`Dataset` that are known beforehand, such as kinds or class_order.

    Raises
    ------
    ValueError
        What is wrong, in which row (line of the file, from 1) and column, and what to do.
    """
    data, file_name = content_of(file, name, limit_bytes)
    text, encoding = decoded(data, encoding, file_name)
    form = sniff_text(text, encoding, separator, decimal, file_name)
    columns, lines = scan(text, form, file_name, (limit_rows, limit_columns, limit_values))
    target = target_name(columns, target, file_name)
    frame, rows = parse(text, form, columns, lines, _as_text(target, known), file_name)
    if task == "auto":
        task = "regression" if looks_measured(frame[target], limit_classes) else "classification"
    if task == "regression":
        y = number_column(frame[target], form.decimal, rows, file_name)
    else:
        y = class_column(frame[target], known.get("class_order"), rows, limit_classes, file_name)
    X = _features(frame.drop(columns=target), form, rows, known, file_name)
    source = f"{file_name} ({form.words})"
    known["task"] = task
    return Dataset(X, y, **{"name": name or Path(file_name).stem, "source": source, **known})


def to_csv(dataset: Dataset) -> bytes:
    """Return the data as CSV: UTF-8, commas, header row, the class last, missing = empty."""
    return dataset.X.assign(**{dataset.y.name: dataset.y}).to_csv(index=False).encode()


def content_of(
    file: bytes | str | PathLike | BinaryIO, name: str | None, limit_bytes: int
) -> tuple[bytes, str]:
    """Return the bytes of the file and what messages call it."""
    if isinstance(file, bytes):
        data, file_name = file[: limit_bytes + 1], name or "the table"
    elif isinstance(file, str | PathLike):
        with open(file, "rb") as opened:
            data, file_name = opened.read(limit_bytes + 1), Path(file).name
    else:
        data = file.read(limit_bytes + 1)
        file_name = Path(str(getattr(file, "name", None) or name or "the table")).name
    if len(data) > limit_bytes:
        limit = f"{limit_bytes / 2**20:.3g} MB"
        raise ValueError(f"{file_name} is larger than {limit}; use a part of its rows or columns")
    if not data.strip():
        raise ValueError(f"{file_name} is empty; a header row and some rows of data are needed")
    return data, file_name


def scan(
    text: str, form: TableFormat, name: str, limits: tuple[int, int, int]
) -> tuple[list[str], array]:
    """Return the names of the columns and the line on which each row of data begins.

    `limits` are the most rows, columns and values.
    """
    limit_rows, limit_columns, limit_values = limits
    columns: list[str] = []
    lines = array("q")
    line = 0
    try:
        for line, fields in records(text, form.separator):
            if not columns:
                if len(fields) > limit_columns:
                    raise ValueError(
                        f"{name} has {len(fields):,} columns; at most {limit_columns:,} are "
                        "possible, so leave some out"
                    )
                columns = _column_names(fields, form, name)
                if form.header:
                    continue
            if len(fields) != len(columns):
                raise ValueError(
                    f"{name}: row {line} has {len(fields)} fields instead of {len(columns)}; "
                    "correct it (a text that holds the separator needs quotation marks)"
                )
            lines.append(line)
            if len(lines) > limit_rows:
                raise ValueError(
                    f"{name} has more than {limit_rows:,} rows; use a sample of its rows"
                )
    except csv.Error as error:
        raise ValueError(
            f"{name}: quotation marks are not closed after row {line} ({error}); correct them"
        ) from None
    if not lines:
        raise ValueError(f"{name} has a header row but no data; add rows below it")
    if len(lines) * len(columns) > limit_values:
        raise ValueError(
            f"{name} has {len(lines):,} rows of {len(columns):,} columns; at most "
            f"{limit_values:,} values are possible, so leave out columns or use a sample of rows"
        )
    return columns, lines


def _column_names(fields: list[str], form: TableFormat, name: str) -> list[str]:
    if len(fields) < 2:
        raise ValueError(
            f"{name} has only one column; at least one feature and the class are needed "
            "(or its separator is none of comma, semicolon, tab, bar and blank)"
        )
    if not form.header:
        return [f"x{j + 1}" for j in range(len(fields))]
    columns = [field.strip() for field in fields]
    if "" in columns:
        place = columns.index("") + 1
        raise ValueError(f"{name}: column {place} has no name in the header row; give it one")
    first_place: dict[str, int] = {}
    for place, column in enumerate(columns, start=1):
        first = first_place.setdefault(column, place)
        if first != place:
            raise ValueError(
                f"{name}: columns {first} and {place} are both named {column!r}; rename one"
            )
    return columns


def _as_text(target: str, known: Mapping[str, Mapping]) -> list[str]:
    """Return the columns to read as text, because their levels are known: "1" is level 1."""
    levels = [c for c, kind in known.get("kinds", {}).items() if kind != "numeric"]
    return [*levels, target] if known.get("class_order") else levels


def parse(
    text: str, form: TableFormat, columns: list[str], lines: array, as_text: list[str], name: str
) -> tuple[pd.DataFrame, np.ndarray]:
    """Return the table, without rows in which everything is missing, and each row's line."""
    if form.separator == " ":
        text = "\n".join(line.strip(" ") for line in text.split("\n"))
    frame = pd.read_csv(
        io.StringIO(text),
        sep=form.separator,
        decimal=form.decimal,
        header=0 if form.header else None,
        names=columns,
        index_col=False,
        dtype=dict.fromkeys(as_text, str),
        na_values=MISSING,
        keep_default_na=False,
        skipinitialspace=True,
        low_memory=False,
    )
    if len(frame) != len(lines):
        raise ValueError(
            f"{name}: {len(lines)} rows were counted but {len(frame)} read; "
            "check its quotation marks"
        )
    filled = frame.notna().any(axis=1).to_numpy()
    if not filled.any():
        raise ValueError(f"{name} has only empty fields below its header row; fill them in")
    return frame[filled], np.asarray(lines)[filled]


def _features(
    frame: pd.DataFrame,
    form: TableFormat,
    rows: np.ndarray,
    known: Mapping[str, Mapping],
    name: str,
) -> pd.DataFrame:
    kinds, orders = known.get("kinds", {}), known.get("orders", {})
    X = {}
    for c in frame.columns:
        if kinds.get(c, "numeric") == "numeric":
            X[c] = feature_column(frame[c], form.decimal, rows, name)
        else:
            X[c] = levels_column(frame[c], orders.get(c), rows, name)
    return pd.DataFrame(X)
