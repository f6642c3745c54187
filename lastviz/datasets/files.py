"""From a file to a data set, and back; whatever is wrong is said in one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import BinaryIO

import pandas as pd

from lastviz._csv_writer import as_csv
from lastviz.tables import AS_FOUND, LIMITS, Found, Limits, Reading, ReadTable, read_columns

from .dataset import Dataset


@dataclass(frozen=True, eq=False)
class FileTable:
    """A data set and how the file was read.

    Attributes
    ----------
    dataset : Dataset
    found : Found
    """

    dataset: Dataset
    found: Found


def read_table(
    file: bytes | str | PathLike | BinaryIO,
    *,
    name: str | None = None,
    reading: Reading = AS_FOUND,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    target: str | None = None,
    task: str = "classification",
    limit_bytes: int = LIMITS.n_bytes,
    limit_rows: int = LIMITS.rows,
    limit_columns: int = LIMITS.columns,
    limit_values: int = LIMITS.values,
    limit_classes: int = 64,
    **known: object,
) -> Dataset:
    """Read a table with one row per sample; nothing in it is ever executed.

    CSV and its like, Excel (xlsx, xlsm, xls), Parquet, ARFF, JSON (a list of records or one a
    line), each also compressed by gzip or zip: the content tells which. What is not given is
    found out; :func:`read_file` tells what was.

    Parameters
    ----------
    file : bytes, path or binary file
        The table.
    name : str or None
        Name of the data set; None: the file's name without its ending.
    reading : Reading
        How it is to be read, where that is not to be found out.
    separator, decimal, encoding : str or None
        The same fields of `reading`.
    target : str or None
        The class column. None: one called class, target, label, ... or else the last.
    task : {"classification", "regression", "auto"}
        What is learnt from it: classes, numbers, or numbers where it holds too many different
        ones to be classes.
    limit_bytes, limit_rows, limit_columns, limit_values, limit_classes : int
        Larger tables are refused (100 MB, 200,000 rows, 2,000 columns, 20,000,000 values, 64
        classes).
    **known
        Fields of :class:`Dataset` that are known beforehand, such as kinds or class_order.

    Raises
    ------
    ValueError
        What is wrong, in which row (row of the file, from 1) and column, and what to do.
    """
    given = {"separator": separator, "decimal": decimal, "encoding": encoding}
    reading = replace(reading, **{key: value for key, value in given.items() if value is not None})
    limits = Limits(limit_bytes, limit_rows, limit_columns, limit_values)
    return read_file(
        file,
        name=name,
        reading=reading,
        target=target,
        task=task,
        limits=limits,
        limit_classes=limit_classes,
        **known,
    ).dataset


def read_file(
    file: bytes | str | PathLike | BinaryIO,
    *,
    name: str | None = None,
    reading: Reading = AS_FOUND,
    target: str | None = None,
    task: str = "classification",
    limits: Limits = LIMITS,
    limit_classes: int = 64,
    **known: object,
) -> FileTable:
    """Read a table as :func:`read_table` does, and tell how it was read."""
    table = read_columns(
        file,
        name=name,
        reading=reading,
        target=target,
        task=task,
        limits=limits,
        limit_classes=limit_classes,
        known=known,
    )
    about = {
        "name": name or Path(table.file).stem,
        "source": table.source,
        "reading": table.found.reading,
    }
    return FileTable(_dataset(table, {**about, **known}), table.found)


def _dataset(table: ReadTable, known: Mapping[str, object]) -> Dataset:
    """Data set made of a table.

    Properties known beforehand override those found in the table.
    """
    features, target = table.features, table.target
    parts = {
        "kinds": {read.name: read.kind for read in features},
        "orders": {read.name: read.order for read in features if read.order is not None},
        "units": {read.name: read.unit for read in features if read.unit},
    }
    for part, found in parts.items():
        parts[part] = {**found, **(known.get(part) or {})}
    if target.order and not known.get("class_order"):
        known = {**known, "class_order": target.order}
    X = pd.DataFrame({read.name: read.values for read in features})
    y = target.y.rename(target.found.name)
    return Dataset(X, y, **{**known, **parts, "task": target.task})


def to_csv(dataset: Dataset) -> bytes:
    """Data as CSV: UTF-8, commas, header row, the class last, missing = empty.

    Text that a spreadsheet program would run as a formula is preceded by an apostrophe.
    """
    return as_csv(full_table(dataset)).encode()


def full_table(dataset: Dataset) -> pd.DataFrame:
    """Features and, last, the class of a data set as one table."""
    return dataset.X.assign(**{dataset.y.name: dataset.y})
