"""From a file to the columns of its table: the meaning of each, and the way it was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from lastviz._sentences import Refusal

from .columns import ReadColumn, cells_of, read_feature, text_of, texts_of, with_offers
from .delimited import SEPARATORS
from .hints import hint_of_columns
from .numbers import Marks, guess_marks
from .opening import open_table
from .raw import LIMITS, MISSING, Limits, RawTable, check_has_two
from .reading import AS_FOUND, ColumnFound, ColumnReading, Found, Reading
from .target import ReadTarget, levels_present, read_target, target_name

if TYPE_CHECKING:
    import pyarrow as pa

DECIMALS = {".": "decimal point", ",": "decimal comma"}
N_SNIFFED = 1000  # rows whose numbers show how numbers are written
LONGEST_SNIFFED = 40  # letters of a number


@dataclass(frozen=True, eq=False)
class ReadTable:
    """The columns of a table with their meaning."""

    file: str  # what messages call the file
    features: list[ReadColumn]
    target: ReadTarget
    found: Found

    @property
    def source(self) -> str:
        """The file and how it was read: ``"a.csv (semicolons, decimal comma, utf-8)"``."""
        return f"{self.file} ({_words(self.found)})"


def read_columns(
    file: bytes | str | PathLike | BinaryIO,
    *,
    name: str | None,
    reading: Reading,
    target: str | None,
    task: str,
    limits: Limits,
    limit_classes: int,
    known: Mapping[str, object],
) -> ReadTable:
    """Read a table; parameters as of :func:`lastviz.datasets.read_table`.

    Of what is `known` beforehand, ``kinds``, ``orders`` and ``class_order`` say how columns are
    read.
    """
    raw, file_name = table_in(file, name, reading, limits)
    target = target_name(raw.names, target, file_name, uneven=raw.uneven)
    marks = marks_of(raw, reading)
    readings = readings_of(raw, reading, marks)
    try:
        read_y = read_target(
            target,
            raw.columns[raw.names.index(target)],
            raw.lines,
            how=readings[target],
            task=task,
            class_order=known.get("class_order") or (),
            limit_classes=limit_classes,
            file=file_name,
        )
        features = [
            _feature(column, cells, raw, readings[column], known, file_name)
            for column, cells in zip(raw.names, raw.columns, strict=True)
            if column != target
        ]
    except Refusal as refusal:
        raise with_offers(refusal, raw, target, reading) from None
    if target in raw.ranked and not known.get("class_order"):
        labels = {str(label): label for label in read_y.y.unique().tolist()}
        order = tuple(labels[level] for level in raw.levels[target] if level in labels)
        read_y = replace(read_y, order=order if len(order) == len(labels) else read_y.order)
    by_name = {read.name: read.found for read in features} | {target: read_y.found}
    columns = tuple(by_name[column] for column in raw.names)
    found = _found(raw, columns, features, marks, reading, read_y)
    return ReadTable(file_name, features, read_y, found)


def readings_of(raw: RawTable, reading: Reading, marks: Marks) -> dict[str, ColumnReading]:
    """Options for reading each column.

    Those not given are as in the rest of the file.
    """
    readings = ((column, reading.column(column)) for column in raw.names)
    return {c: how if how.decimal else replace(how, decimal=marks.decimal) for c, how in readings}


def look_into(
    file: bytes | str | PathLike | BinaryIO,
    *,
    name: str | None = None,
    reading: Reading = AS_FOUND,
    limits: Limits = LIMITS,
) -> Found:
    """The way a file is read, without the meaning of its columns.

    It may hold no data to learn from.

    Raises
    ------
    ValueError
        If not even its cells can be read.
    """
    raw, _ = table_in(file, name, reading, limits)
    return _found(raw, (), (), marks_of(raw, reading), reading)


def content_of(
    file: bytes | str | PathLike | BinaryIO, name: str | None, limit_bytes: int
) -> tuple[bytes, str]:
    """Bytes of the file, and its name in messages."""
    if isinstance(file, bytes):
        data, file_name = file, name or "the table"
    elif isinstance(file, str | PathLike):
        with open(file, "rb") as opened:
            data, file_name = opened.read(limit_bytes + 1), Path(file).name
    else:
        data = file.read(limit_bytes + 1)
        file_name = Path(str(getattr(file, "name", None) or name or "the table")).name
    if len(data) > limit_bytes:
        raise Refusal("{name} is larger than {limit}; use a part of its rows or columns",
                      name=file_name, limit=f"{limit_bytes / 1e6:.3g} MB")  # fmt: skip
    return data, file_name


def table_in(
    file: bytes | str | PathLike | BinaryIO, name: str | None, reading: Reading, limits: Limits
) -> tuple[RawTable, str]:
    """Cells of a file, without rows and nameless columns that are empty, and its name.

    Raises
    ------
    ValueError
        If no table can be read from it.
    """
    data, file_name = content_of(file, name, limits.n_bytes)
    raw = open_table(data, reading, file_name, limits)
    unknown = [c for c, _ in reading.columns if c not in raw.names]
    if unknown:
        raise Refusal("{name}: there is no column {column!r} to be read in a way of its own; "
                      "choose among: {names}", name=file_name, column=unknown[0],
                      names=", ".join(raw.names))  # fmt: skip
    return _without_empty(raw, file_name, reading.without), file_name


def _without_empty(raw: RawTable, name: str, without: tuple[int, ...]) -> RawTable:
    if without:
        retained = ~np.isin(raw.lines, without)
        cells = tuple(column.filter(retained) for column in raw.columns)
        raw = replace(raw, columns=cells, lines=raw.lines[retained])
    filled = np.zeros(len(raw.lines), dtype=bool)
    retained = []
    for place, (column, cells) in enumerate(zip(raw.names, raw.columns, strict=True), start=1):
        known = (text_of(cells) if _is_text(cells) else cells).is_valid().to_numpy()
        filled |= known
        if column != f"column {place}" or known.any():
            retained.append(place - 1)
    if not filled.any():
        raise Refusal("{name} has only empty fields below its header row; fill them in", name=name)
    check_has_two(retained, name)
    if filled.all() and len(retained) == len(raw.names):
        return raw
    return replace(
        raw,
        names=tuple(raw.names[j] for j in retained),
        columns=tuple(raw.columns[j].filter(filled) for j in retained),
        lines=raw.lines[filled],
    )


def _is_text(cells: pa.ChunkedArray) -> bool:
    import pyarrow as pa

    return pa.types.is_string(cells.type)


def marks_of(raw: RawTable, reading: Reading) -> Marks:
    """Marks of the numbers of a table: as given, or as its first rows show."""
    if reading.decimal is not None:
        return Marks(reading.decimal, reading.thousands)
    if reading.thousands in (".", ","):
        return Marks("," if reading.thousands == "." else ".", reading.thousands)
    some = (cells.slice(0, N_SNIFFED) for cells in raw.columns if _is_text(cells))
    cells = (cell for column in some for cell in column.to_pylist())
    short = (cell.strip() for cell in cells if cell and len(cell) <= LONGEST_SNIFFED)
    return Marks(guess_marks(short).decimal, reading.thousands)


def _feature(
    column: str,
    cells: pa.ChunkedArray,
    raw: RawTable,
    how: ColumnReading,
    known: Mapping[str, Mapping],
    file_name: str,
) -> ReadColumn:
    kind = known.get("kinds", {}).get(column)
    if kind == "numeric":
        how = replace(how, read_as="number")
    if kind in (None, "numeric"):
        levels = raw.levels.get(column)
        if levels is None:
            return read_feature(column, cells, raw.lines, how, file_name)
        marks = MISSING if how.missing is None else how.missing
        levels = tuple(level for level in levels if level not in marks)
        as_declared = "ordinal" if column in raw.ranked else "category"
        chosen = how.read_as or as_declared
        if chosen == "ordinal":
            how = replace(how, levels=how.levels or levels)
        read = read_feature(column, cells, raw.lines, replace(how, read_as=chosen), file_name)
        read.choices = tuple(dict.fromkeys((*read.choices, as_declared)))
        if read.read_as == "category" and how.merged is None:
            read.values = levels_present(read.values, levels, raw.lines, column, file_name)
            read.order = levels
        return read
    order = known.get("orders", {}).get(column)
    text = texts_of(cells_of(cells, how))
    values = text if order is None else levels_present(text, order, raw.lines, column, file_name)
    read_as = "ordinal" if kind == "ordinal" else "category"
    reading = ColumnReading(missing=how.missing, merged=how.merged)
    return ReadColumn(column, values, read_as, (read_as,), order=order, kind=kind, reading=reading)


def _found(
    raw: RawTable,
    columns: tuple[ColumnFound, ...],
    features: Sequence[ReadColumn],
    marks: Marks,
    reading: Reading,
    read_y: ReadTarget | None = None,
) -> Found:
    thousands = [read.reading.thousands for read in features if read.reading.thousands]
    dates = [read.reading.dates for read in features if read.reading.dates is not None]
    columns_read = [*([] if read_y is None else [read_y]), *features]
    hints = [hint for read in columns_read for hint in read.hints]
    return Found(
        kind=raw.kind,
        parts=raw.parts,
        part=raw.part,
        header=raw.header,
        separator=raw.separator,
        encoding=raw.encoding,
        decimal=marks.decimal,
        thousands=thousands[0] if thousands else None,
        dates=dates[0] if dates else None,
        columns=columns,
        hints=(*raw.notes, *hint_of_columns([column.name for column in columns]), *hints),
        n_rows=len(raw.lines),
        quotes=raw.quotes,
        without=reading.without,
        repairs=tuple(repair for read in columns_read for repair in read.repairs),
    )


def _words(found: Found) -> str:
    """Text on the way a file was read: ``"semicolons, decimal comma, utf-8"``."""
    words = []
    if found.separator is None:
        words.append(found.kind if found.part is None else f"{found.kind}, {found.part}")
    else:
        words.append(SEPARATORS.get(found.separator, repr(found.separator)))
        words += [DECIMALS[found.decimal], found.encoding or ""]
        if "," in found.kind:  # compressed
            words.append(found.kind.partition(", ")[2])
    if found.header == 0 and found.kind != "ARFF":
        words.append("no header row: columns named x1, x2, ...")
    elif found.header > 1:
        words.append(f"names in row {found.header}")
    return ", ".join(words)
