"""Parquet: columns that know their types."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from lastviz._sentences import Refusal, Statement

from .columns import text_of
from .raw import Limits, RawTable, check_size, column_names
from .reading import Reading

if TYPE_CHECKING:
    import pyarrow as pa

BATCH = 65_536  # rows that are decoded at a time
FAULTS = (OSError, OverflowError, MemoryError, UnicodeDecodeError)  # of damaged files


def read_parquet(data: bytes, _reading: Reading, name: str, limits: Limits) -> RawTable:
    """Read a Parquet file.

    Raises
    ------
    ValueError
        If it is damaged, too large, or a column holds lists or bytes.
    """
    import pyarrow as pa
    from pyarrow import parquet

    try:
        file = parquet.ParquetFile(pa.BufferReader(data))
        schema = file.schema_arrow
        check_size(file.metadata.num_rows, len(schema), limits, name)
        _check_types(schema, name)
        text = [f.name for f in schema if _is_text(f.type)]
        file = parquet.ParquetFile(pa.BufferReader(data), read_dictionary=text)
        table = file.read(use_threads=False)
        table.validate(full=True)
    except (*FAULTS, pa.ArrowException) as error:
        raise _damaged(name, error) from None
    return _raw(table, text, name, limits)


def size_of_parquet(path: Path) -> tuple[int, int]:
    """Numbers of rows and columns of a Parquet file, read from its footer alone.

    Raises
    ------
    ValueError
        If it is damaged.
    """
    import pyarrow as pa
    from pyarrow import parquet

    try:
        about = parquet.read_metadata(path)
    except (*FAULTS, pa.ArrowException) as error:
        raise _damaged(path.name, error) from None
    return about.num_rows, sum(not _is_index(name) for name in about.schema.to_arrow_schema().names)


def drawn_from_parquet(path: Path, n_rows: int) -> bytes:
    """`n_rows` evenly spaced rows of a Parquet file, as a Parquet file of their own.

    The file is decoded piece by piece, so that it may be larger than the memory. O(its rows).

    Raises
    ------
    ValueError
        If it is damaged, or a column holds lists or bytes.
    """
    import pyarrow as pa
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path, memory_map=True) as file:
            _check_types(file.schema_arrow, path.name)
            total = file.metadata.num_rows
            rows = np.linspace(0, total - 1, min(n_rows, total)).round().astype(np.int64)
            batches, begin = [], 0
            for batch in file.iter_batches(BATCH):
                end = begin + batch.num_rows
                first, last = np.searchsorted(rows, (begin, end))
                batches.append(batch.take(pa.array(rows[first:last] - begin)))
                begin = end
            table = pa.Table.from_batches(batches, file.schema_arrow)
        out = pa.BufferOutputStream()
        parquet.write_table(table, out, compression="none")
    except (*FAULTS, pa.ArrowException) as error:
        raise _damaged(path.name, error) from None
    return out.getvalue().to_pybytes()


def _damaged(name: str, error: Exception) -> ValueError:
    reason = " ".join(str(error).split())[:100]
    return Refusal(
        "{name} is no Parquet file that can be read ({reason}); save it again",
        name=name,
        reason=reason,
    )


def _is_text(kind: pa.DataType) -> bool:
    from pyarrow import types

    return types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind)


def _check_types(schema: pa.Schema, name: str) -> None:
    """Refuse columns that are no cells."""
    from pyarrow import types

    is_bytes = (
        *(types.is_binary, types.is_large_binary),
        *(types.is_binary_view, types.is_fixed_size_binary),
    )
    for field in schema:
        kind = field.type.value_type if types.is_dictionary(field.type) else field.type
        no_cells = types.is_nested(kind) or types.is_run_end_encoded(kind)
        if no_cells or types.is_dictionary(kind) or any(is_so(kind) for is_so in is_bytes):
            raise Refusal(
                "{name}: column {column!r} holds lists, records or bytes ({kind}); leave it out "
                "or spread it over plain columns",
                name=name,
                column=field.name,
                kind=field.type,
            )


def _raw(table: pa.Table, text: list[str], name: str, limits: Limits) -> RawTable:
    """Cells of a table, with the levels that its categories declare."""
    from pyarrow import compute, types

    categorical = _categories_of_pandas(table)
    table, notes = _with_index(table)
    given = tuple(table.column_names)
    names = column_names(given, name)
    check_size(table.num_rows, len(names), limits, name)
    if not table.num_rows:
        raise Refusal("{name} has columns but no data; add rows", name=name)
    levels, ranked, columns = {}, [], []
    for column_name, original, column in zip(names, given, table.columns, strict=True):
        values, declared = _plain(column, is_text=original in text)
        is_ranked = types.is_dictionary(column.type) and column.type.ordered
        if original in categorical and not declared and not types.is_dictionary(column.type):
            numbers = compute.sort_indices(different_values := compute.unique(values))
            declared = tuple(text_of(different_values.take(numbers), ()).drop_null().to_pylist())
            values, is_ranked = text_of(values, ()), categorical[original]
        columns.append(values)
        if declared:
            levels[column_name] = declared
            ranked += [column_name] if is_ranked else []
    lines = np.arange(1, table.num_rows + 1)
    return RawTable(
        "Parquet", names, tuple(columns), lines, 1, levels=levels, ranked=tuple(ranked), notes=notes
    )


def _about(table: pa.Table) -> dict:
    """Metadata that pandas wrote with a table; empty if they are of another form."""
    with suppress(ValueError, RecursionError):
        about = json.loads((table.schema.metadata or {}).get(b"pandas", b"{}"))
        if isinstance(about, dict) and all(
            isinstance(about.get(part, []), list) for part in ("columns", "index_columns")
        ):
            return about
    return {}


def _categories_of_pandas(table: pa.Table) -> dict[str, bool]:
    """Columns that pandas had as categories, each with whether they are ordered.

    Parquet keeps no categories that are numbers.
    """
    found = {}
    for each in _about(table).get("columns", []):
        if isinstance(each, dict) and each.get("pandas_type") == "categorical":
            more = each.get("metadata")
            found[str(each.get("field_name"))] = isinstance(more, dict) and bool(
                more.get("ordered")
            )
    return found


def _with_index(table: pa.Table) -> tuple[pa.Table, tuple[Statement, ...]]:
    """Table whose index, if pandas gave it a name, comes first as a column of its own.

    An index without a name is left out; where it names the rows, that is said.
    """
    import pyarrow as pa
    from pyarrow import types

    first, notes = [], ()
    for each in _about(table).get("index_columns", []):
        if isinstance(each, str) and each in table.column_names:
            column = table.column(table.column_names.index(each))
            if not _is_index(each):
                first.append((each, column))
            elif not types.is_integer(column.type):
                notes = (Statement("The names of the rows (an index without a name) are left out; "
                                  "reset the index before saving to use them."),)  # fmt: skip
        elif isinstance(each, dict) and each.get("kind") == "range" and each.get("name"):
            ends = [each.get(end) for end in ("start", "stop", "step")]
            if all(type(end) is int for end in ends) and ends[2]:
                numbers = range(*ends)
                if len(numbers) == table.num_rows:
                    column = pa.chunked_array([pa.array(numbers, pa.int64())])
                    first.append((str(each["name"]), column))
    named = {column for column, _ in first}
    others = [c for c in table.column_names if c not in named and not _is_index(c)]
    columns = [*first, *((c, table.column(table.column_names.index(c))) for c in others)]
    return pa.table([c for _, c in columns], names=[c for c, _ in columns]), notes


def _is_index(column: str) -> bool:
    return column.startswith("__index_level_") and column.endswith("__")


def _plain(column: pa.ChunkedArray, *, is_text: bool) -> tuple[pa.ChunkedArray, tuple[str, ...]]:
    """Column of text, numbers, moments or truth values, and its declared levels."""
    import pyarrow as pa
    from pyarrow import compute, types

    kind, levels = column.type, ()
    if types.is_dictionary(kind):
        if not is_text:
            column = column.unify_dictionaries()
            dictionary = column.chunk(0).dictionary if column.num_chunks else None
            if dictionary is not None and (kind.ordered or not types.is_temporal(kind.value_type)):
                levels = tuple(text_of(pa.chunked_array([dictionary]), ()).drop_null().to_pylist())
        column = compute.cast(column, kind.value_type)
        kind = kind.value_type
        if levels:
            return text_of(column, ()), levels
    if types.is_boolean(kind) or types.is_timestamp(kind) or types.is_date(kind):
        return column, levels
    if types.is_duration(kind):
        return column, levels
    if types.is_floating(kind):
        return compute.cast(column, pa.float64()), levels
    if types.is_integer(kind):
        if kind == pa.uint64():
            return compute.cast(column, pa.string()), levels
        return compute.cast(column, pa.int64()), levels
    return compute.cast(column, pa.string()), levels
