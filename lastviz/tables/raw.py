"""A table as it stands in a file: cells of text, or of the types that the format states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from lastviz._sentences import Refusal

if TYPE_CHECKING:
    import pyarrow as pa

MISSING = (
    *("", "?", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null", "<NA>", "NaT"),
    *("#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!"),
)
"""What stands for a missing value in text."""


@dataclass(frozen=True)
class Limits:
    """The largest table that is read."""

    n_bytes: int = 100_000_000  # of the file, and of what an archive unpacks to
    rows: int = 200_000
    columns: int = 2000
    values: int = 20_000_000

    @property
    def decoded_bytes(self) -> int:
        """Bytes that all cells may take once they are decoded, each written out."""
        return 4 * self.n_bytes


LIMITS = Limits()
"""The usual ones."""


@dataclass(frozen=True, eq=False)
class RawTable:
    """A table of cells."""

    kind: str  # what the file is, in words
    names: tuple[str, ...]
    # Text (missing ones are null), or numbers, moments, truth values and categories where the
    # format knows them.
    columns: tuple[pa.ChunkedArray, ...]
    lines: np.ndarray  # (n_rows,) int64, row of the file of each sample, from 1
    header: int = 1  # row that names the columns, from 1; 0: none does
    parts: tuple[str, ...] = ()  # sheets or files, if there are several; `part` is this one
    part: str | None = None
    separator: str | None = None
    quotes: str | None = None
    encoding: str | None = None
    # Of columns whose values the file lists.
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ranked: tuple[str, ...] = ()  # those of them whose levels the file calls ordered
    notes: tuple[str, ...] = ()  # what somebody should know, a sentence each
    # Columns that not every record names: they stand where they occur first, which is no place of
    # their own.
    uneven: tuple[str, ...] = ()


def check_size(n_rows: int, n_columns: int, limits: Limits, name: str) -> None:
    """Refuse a table that is too large."""
    if n_columns > limits.columns:
        raise Refusal(
            "{name} has {n_columns:,} columns; at most {columns:,} are possible, so leave some out",
            name=name,
            n_columns=n_columns,
            columns=limits.columns,
        )
    if n_rows > limits.rows:
        raise Refusal(
            "{name} has more than {rows:,} rows; use a sample of its rows",
            name=name,
            rows=limits.rows,
        )
    if n_rows * n_columns > limits.values:
        raise Refusal(
            "{name} has {n_rows:,} rows of {n_columns:,} columns; at most {values:,} "
            "values are possible, so leave out columns or use a sample of rows",
            name=name,
            n_rows=n_rows,
            n_columns=n_columns,
            values=limits.values,
        )


def check_decoded(n_bytes: int, most: int, name: str) -> None:
    """Refuse a file that unpacks to too much."""
    if n_bytes > most:
        raise Refusal(
            "{name} unpacks to more than {n_bytes:.4g} MB; use a part of its rows or columns",
            name=name,
            n_bytes=most / 1e6,
        )


def column_names(cells: Sequence[str], name: str) -> tuple[str, ...]:
    """Names in a header row; a column without one is named by its place.

    Raises
    ------
    ValueError
        If two columns have one name, or there is one column alone.
    """
    check_has_two(cells, name)
    given = [" ".join(cell.split()) for cell in cells]
    taken = set(given)
    places: dict[str, int] = {}
    names = []
    for place, column in enumerate(given, start=1):
        named = column or _free(f"column {place}", taken)
        first = places.setdefault(named, place)
        if first != place:
            raise Refusal(
                "{name}: columns {first} and {place} are both named {named!r}; rename one",
                name=name,
                first=first,
                place=place,
                named=named,
            )
        names.append(named)
    return tuple(names)


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


def different(column: pa.ChunkedArray) -> tuple[pa.Array, np.ndarray]:
    """Different cells of a column, and the place of each row's among them.

    A missing cell has the place behind them all.
    """
    from pyarrow import compute

    coded = column.combine_chunks().dictionary_encode()
    places = compute.fill_null(coded.indices, len(coded.dictionary))
    return coded.dictionary, places.to_numpy(zero_copy_only=False)


class TextColumns:
    """Rows of text that become columns, some thousand at a time."""

    def __init__(self) -> None:
        self._parts: list[tuple] = []
        self._lengths: list[int] = []

    def add(self, rows: Sequence[Sequence[str | None]]) -> None:
        """Add rows of one length.

        It is at least that of the rows before them, which lack the new cells.
        """
        import pyarrow as pa

        if rows:
            cells = zip(*rows, strict=True)
            self._parts.append(tuple(pa.array(column, pa.string()) for column in cells))
            self._lengths.append(len(rows))

    def done(self, n_columns: int) -> tuple[pa.ChunkedArray, ...]:
        """Columns."""
        import pyarrow as pa

        long = [
            part + (pa.nulls(length, pa.string()),) * (n_columns - len(part))
            for part, length in zip(self._parts, self._lengths, strict=True)
        ]
        parts = zip(*long, strict=True) if long else [()] * n_columns
        return tuple(pa.chunked_array(part, pa.string()) for part in parts)


def check_has_two(columns: Sequence[object], name: str) -> None:
    """Refuse a table of one column.

    Raises
    ------
    ValueError
        If there are fewer than two.
    """
    if len(columns) < 2:
        raise Refusal(
            "{name} has only one column; at least one feature and the class are needed (or "
            "its separator is none of comma, semicolon, tab, bar and blank)",
            name=name,
        )
