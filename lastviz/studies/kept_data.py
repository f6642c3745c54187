"""A data set as bytes and back, the same to the last digit: Parquet, and JSON for the rest."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import replace
from io import BytesIO
from pathlib import Path, PureWindowsPath

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from lastviz._sentences import Refusal
from lastviz.datasets import Dataset, all_datasets, load_dataset, read_table
from lastviz.tables import Reading

from .published import PrintedSet, printed_set
from .study import TABLE, DataChoice, Study

ORDERED = {"mcdf"}  # papers whose classes have an order
OF_NUMBERS = {"bnm_csn"}  # papers that read columns of numbers alone
MISSING = "?"  # a missing category is a category, too


def printed_data(paper: str, name: str, draw: int = 0) -> Dataset:
    """Data set of a paper, as the paper's algorithms read it.

    Parameters
    ----------
    paper, name : str
        As they are printed.
    draw : int, default 0
        Seed of a generator; other sets are always the same.

    Raises
    ------
    ValueError
        If it is not here; see :func:`why_not_run`.
    """
    return as_printed(paper, printed_set(paper, name), draw)


def as_printed(paper: str, known: PrintedSet, draw: int = 0) -> Dataset:
    """Data set as the algorithms of a paper read it; see :func:`printed_data`."""
    key = known.key or f"folder.{known.file}"
    if key not in all_datasets():
        raise ValueError(f"there is no data set {known.name!r} here")
    seed = {"random_state": draw} if is_drawn(known) else {}
    data = load_dataset(key, **known.params, **seed)
    if known.one_class is not None:
        data = data.one_against_rest(data.class_order[known.one_class])
    if paper in ORDERED:
        return _as_they_come(data, known.symbolic)
    return _all_numbers(data) if paper in OF_NUMBERS else data


def is_read_as_it_is(paper: str, known: PrintedSet) -> bool:
    """Whether a paper's algorithms read the set's columns as any study does."""
    has_names = bool(known.file) and paper in {*ORDERED, *OF_NUMBERS}  # columns may be nominal
    return not (has_names or known.symbolic)


def is_drawn(known: PrintedSet) -> bool:
    """Whether a generator draws the set, so that each seed gives another one."""
    entry = all_datasets().get(known.key)
    return entry is not None and any(param.name == "random_state" for param in entry.PARAMS)


def _as_they_come(data: Dataset, symbolic: Collection[str]) -> Dataset:
    """Data as the paper about MCDF reads them: every class rises with every column.

    Categories count as their places, whatever they mean, and no column is turned round; symbolic
    ones become ordered levels.
    """
    levels = [c for c, kind in data.kinds.items() if kind == "nominal" or c in symbolic]
    lacking = [c for c in levels if data.X[c].isna().any()]
    X = data.X.assign(**{c: data.X[c].astype(object).fillna(MISSING) for c in lacking})
    orders = {c: order for c, order in data.orders.items() if c not in levels}
    return replace(
        data, X=X, kinds={**data.kinds, **dict.fromkeys(levels, "ordinal")}, orders=orders,
        directions=dict.fromkeys(data.X, 1), ordered=True, value_labels={},
    )  # fmt: skip


def _all_numbers(data: Dataset) -> Dataset:
    """Data with columns of numbers alone: a missing category is a category, too."""
    if all(kind != "nominal" for kind in data.kinds.values()) and not data.has_missing:
        return data
    columns = {}
    for name, kind in data.kinds.items():
        column = data.X[name]
        if kind != "nominal":
            columns[name] = data.numeric_X[name]
        elif pd.api.types.is_numeric_dtype(column.cat.categories.dtype):
            columns[name] = column.astype(float)
        else:
            levels = pd.get_dummies(column.astype(object).fillna(MISSING), dtype=float)
            columns |= {f"{name} = {level}": levels[level] for level in levels}
    return replace(
        data, X=pd.DataFrame(columns), kinds={}, orders={}, directions={}, units={}, labels={},
        value_labels={},
    )  # fmt: skip


# ---------------------------------------------------------------- kept data


FACTS = b"lastviz"
PLAIN = (
    *("kinds", "directions", "ordered", "task", "name", "description", "source", "bayes_error"),
    *("units", "labels", "value_labels", "class_colours"),
)


def pack_dataset(dataset: Dataset) -> bytes:
    """Data set as bytes for :func:`unpack_dataset`; categories go as their places."""
    facts = {part: getattr(dataset, part) for part in PLAIN}
    facts |= {
        "columns": list(dataset.feature_names),
        "orders": {column: list(levels) for column, levels in dataset.orders.items()},
        "class_order": list(dataset.class_order),
        "target": dataset.y.name,
        "reading": str(dataset.reading),
    }
    columns = {}
    for i, (name, kind) in enumerate(dataset.kinds.items()):
        values = dataset.X[name] if kind == "numeric" else dataset.X[name].cat.codes
        columns[f"x{i}"] = pa.array(values.to_numpy())
    y = dataset.y.to_numpy(np.float64) if dataset.is_regression else dataset.codes
    columns["y"] = pa.array(y)
    if dataset.weights is not None:
        columns["weight"] = pa.array(dataset.weights)
    table = pa.table(columns).replace_schema_metadata({FACTS: json.dumps(facts, default=_plain)})
    out = BytesIO()
    pq.write_table(table, out, compression="zstd")
    return out.getvalue()


def size_of(content: bytes) -> tuple[int, int]:
    """Numbers of rows and of features in bytes that :func:`pack_dataset` wrote.

    No row is read.

    Raises
    ------
    ValueError
        If the bytes are none of those.
    """
    try:
        found = pq.read_metadata(BytesIO(content))
        return found.num_rows, len(json.loads(found.metadata[FACTS])["columns"])
    except (pa.ArrowInvalid, KeyError, TypeError) as error:
        raise _unreadable(error) from None


def _unreadable(error: Exception) -> Refusal:
    return Refusal("The stored table cannot be read: {error}.", error=error)


def unpack_dataset(content: bytes) -> Dataset:
    """Data set that :func:`pack_dataset` wrote.

    Raises
    ------
    ValueError
        If the bytes are none of those.
    """
    try:
        table = pq.read_table(BytesIO(content), use_threads=False)
        facts = json.loads(table.schema.metadata[FACTS])
    except (pa.ArrowInvalid, KeyError, TypeError) as error:
        raise _unreadable(error) from None
    X = {}
    orders = {name: tuple(levels) for name, levels in facts["orders"].items()}
    for i, name in enumerate(facts["columns"]):
        values = table[f"x{i}"].to_numpy()
        if name in orders:
            ranked = facts["kinds"][name] == "ordinal"
            values = pd.Categorical.from_codes(values, list(orders[name]), ordered=ranked)
        X[name] = values
    classes = tuple(facts["class_order"])
    y = table["y"].to_numpy()
    if facts["task"] == "classification":
        y = pd.Index(classes).take(y)
    return Dataset(
        pd.DataFrame(X),
        pd.Series(y, name=facts["target"]),
        orders=orders,
        class_order=classes,
        weights=table["weight"].to_numpy() if "weight" in table.column_names else None,
        reading=Reading.parse(facts.get("reading", ""), most=len(content)),
        **{part: facts[part] for part in PLAIN},
    )


def tables_in(folders: Iterable[Path], study: Study) -> dict[str, Dataset]:
    """Tables of a study by key: its files as they were uploaded, or as they were kept.

    A table is taken only if its digest is the one that its key says.

    Parameters
    ----------
    folders : iterable of Path
        They are looked into one after the other.
    study : Study

    Raises
    ------
    ValueError
        If one is in none of them, or has changed.
    """
    folders = tuple(folders)
    tables = (choice for choice in study.datasets if choice.key.startswith(TABLE))
    return {choice.key: _table_in(folders, choice) for choice in tables}


def _table_in(folders: tuple[Path, ...], choice: DataChoice) -> Dataset:
    stored, fault = f"{choice.key}.parquet", ""
    names = [PureWindowsPath(dict(choice.table).get("file", "")).name, stored]
    for path in (folder / name for folder in folders for name in names if name):
        if not path.is_file():
            continue
        try:
            table = (
                unpack_dataset(path.read_bytes()) if path.name == stored else _as_read(path, choice)
            )
            if TABLE + table.digest == choice.key:
                return table
            fault = f"{path} does not hold the rows and columns of the study"
        except (ValueError, KeyError) as error:
            fault = f"{path} cannot be read as the table of the study: {str(error).rstrip('.')}"
    if not fault:
        where = " or ".join(map(str, folders))
        fault = f"There is no file {' or '.join(filter(None, names))} in {where}"
    raise ValueError(
        f"{fault}; put the file of {choice.name!r} beside the study file, or save its table on "
        "the page *compare*."
    )


def _as_read(path: Path, choice: DataChoice) -> Dataset:
    table = dict(choice.table)
    dataset = read_table(path, target=table.get("target"), task="auto").only_occurring_classes()
    return dataset.select(table.get("columns", dataset.feature_names))


def _plain(value: object) -> object:
    """Number of numpy as Python's."""
    return value.item()
