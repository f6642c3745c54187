"""Parquet and Feather: columns that know their types. Sizes are checked before they are decoded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from lastviz._sentences import Refusal
from lastviz.datasets.reading import Reading

from .raw import Limits, RawTable, check_size, column_names

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["drawn_from_parquet", "read_feather", "read_parquet", "size_of_parquet"]

BATCH = 65_536  # rows that are decoded at a time


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
        about, schema = file.metadata, file.schema_arrow
        check_size(about.num_rows, len(schema), limits, name)
        groups = map(about.row_group, range(about.num_row_groups))
        if sum(group.total_byte_size for group in groups) > _most_bytes(limits):
            raise _too_much(name, limits)
        _check_types(schema, name)
        text = [f.name for f in schema if pa.types.is_string(f.type) or _is_large(f.type)]
        file = parquet.ParquetFile(pa.BufferReader(data), read_dictionary=text)
        table = file.read(use_threads=False)
    except (pa.ArrowException, OSError, OverflowError, MemoryError) as error:
        raise _damaged(name, "Parquet file", error) from None
    return _raw("Parquet", table, text, name, limits)


def size_of_parquet(path: Path) -> tuple[int, int]:
    """Return how many rows and columns a Parquet file has; its footer alone is read.

    Raises
    ------
    ValueError
        If it is damaged.
    """
    import pyarrow as pa
    from pyarrow import parquet

    try:
        about = parquet.read_metadata(path)
    except (pa.ArrowException, OSError) as error:
        raise _damaged(path.name, "Parquet file", error) from None
    return about.num_rows, sum(not _is_index(name) for name in about.schema.to_arrow_schema().names)


def drawn_from_parquet(path: Path, n_rows: int) -> bytes:
    """Return `n_rows` rows of a Parquet file, evenly spaced, as a Parquet file of their own.

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
            kept, begin = [], 0
            for batch in file.iter_batches(BATCH):
                end = begin + batch.num_rows
                first, last = np.searchsorted(rows, (begin, end))
                kept.append(batch.take(pa.array(rows[first:last] - begin)))
                begin = end
            table = pa.Table.from_batches(kept, file.schema_arrow)
        out = pa.BufferOutputStream()
        parquet.write_table(table, out, compression="none")
    except (pa.ArrowException, OSError, OverflowError, MemoryError) as error:
        raise _damaged(path.name, "Parquet file", error) from None
    return out.getvalue().to_pybytes()


def read_feather(data: bytes, _reading: Reading, name: str, limits: Limits) -> RawTable:
    """Read a Feather file (Arrow's own format); raises ValueError as :func:`read_parquet`."""
    import pyarrow as pa
    from pyarrow import feather, ipc

    try:
        if data.startswith(b"FEA1"):
            table = feather.read_table(pa.BufferReader(data), use_threads=False)
            _check_types(table.schema, name)
            return _raw("Feather", table, [], name, limits)
        file = ipc.open_file(pa.BufferReader(data))
        check_size(0, len(file.schema), limits, name)
        _check_types(file.schema, name)
        batches, n_rows = [], 0
        for place in range(file.num_record_batches):
            batches.append(file.get_batch(place))
            n_rows += batches[-1].num_rows
            check_size(n_rows, len(file.schema), limits, name)
        table = pa.Table.from_batches(batches, file.schema)
        table.validate(full=True)
    except (pa.ArrowException, OSError, OverflowError, MemoryError) as error:
        raise _damaged(name, "Feather file", error) from None
    return _raw("Feather", table, [], name, limits)


def _most_bytes(limits: Limits) -> int:
    return 10 * limits.n_bytes


def _too_much(name: str, limits: Limits) -> ValueError:
    most = _most_bytes(limits) / 1e6
    return Refusal(
        "{name} unpacks to more than {most:,.0f} MB; use a part of its rows", name=name, most=most
    )


def _damaged(name: str, kind: str, error: Exception) -> ValueError:
    reason = " ".join(str(error).split())[:100]
    return Refusal(
        "{name} is no {kind} that can be read ({reason}); save it again",
        name=name,
        kind=kind,
        reason=reason,
    )


def _is_large(kind: pa.DataType) -> bool:
    from pyarrow import types

    return types.is_large_string(kind) or types.is_string_view(kind)


def _check_types(schema: pa.Schema, name: str) -> None:
    """Refuse columns that are no cells."""
    from pyarrow import types

    for field in schema:
        kind = field.type.value_type if types.is_dictionary(field.type) else field.type
        if types.is_nested(kind) or types.is_binary(kind) or types.is_large_binary(kind):
            raise Refusal(
                "{name}: column {column!r} holds lists, records or bytes ({kind}); leave it out "
                "or spread it over plain columns",
                name=name,
                column=field.name,
                kind=field.type,
            )


def _raw(kind: str, table: pa.Table, text: list[str], name: str, limits: Limits) -> RawTable:
    """Return a table without the index that pandas kept as a column of its own."""
    given = tuple(column for column in table.column_names if not _is_index(column))
    table = table.select([table.column_names.index(column) for column in given])
    names = column_names(given, name)
    check_size(table.num_rows, len(names), limits, name)
    if not table.num_rows:
        raise Refusal("{name} has columns but no data; add rows", name=name)
    levels, columns = {}, []
    for column_name, original, column in zip(names, given, table.columns, strict=True):
        values, declared = _plain(column, is_text=original in text)
        columns.append(values)
        if declared:
            levels[column_name] = declared
    lines = np.arange(1, table.num_rows + 1)
    return RawTable(kind, names, tuple(columns), lines, 1, levels=levels)


def _is_index(column: str) -> bool:
    return column.startswith("__index_level_") and column.endswith("__")


def _plain(column: pa.ChunkedArray, *, is_text: bool) -> tuple[pa.ChunkedArray, tuple[str, ...]]:
    """Return a column of text, numbers, moments or truth values, and its declared levels."""
    import pyarrow as pa
    from pyarrow import compute, types

    kind, levels = column.type, ()
    if types.is_dictionary(kind):
        if not is_text:
            column = column.unify_dictionaries()
            dictionary = column.chunk(0).dictionary if column.num_chunks else None
            if dictionary is not None and types.is_string(dictionary.type):
                levels = tuple(dictionary.to_pylist())
        column = compute.cast(column, kind.value_type)
        kind = kind.value_type
    if types.is_boolean(kind) or types.is_timestamp(kind) or types.is_date(kind):
        return column, levels
    if types.is_floating(kind):
        return compute.cast(column, pa.float64()), levels
    if types.is_integer(kind):
        if kind == pa.uint64():
            return compute.cast(column, pa.string()), levels
        return compute.cast(column, pa.int64()), levels
    return compute.cast(column, pa.string()), levels
