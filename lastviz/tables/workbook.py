"""Workbooks of Excel: the sheet with the table, the row of its names, merged cells, dates."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING

import numpy as np

from lastviz._extras import import_extra
from lastviz._sentences import Refusal, Statement

from .delimited import find_header
from .raw import Limits, RawTable, check_size, column_names
from .reading import Reading

if TYPE_CHECKING:
    import pyarrow as pa
    from python_calamine import CalamineSheet, CalamineWorkbook

N_SNIFFED = 1000  # rows
# Numbers that a cell holds as text, cell by cell, are left to what reads text.
Cell = str | float | int | bool | date | datetime | time | timedelta


def read_workbook(data: bytes, reading: Reading, name: str, limits: Limits) -> RawTable:
    """Read one sheet of a workbook: the requested one, or the first with a table.

    Raises
    ------
    ValueError
        If it is damaged, locked, too large, or no sheet holds a table, and where the package
        that reads workbooks is not installed.
    """
    book = _opened(data, name)
    try:
        titles = [sheet.name for sheet in book.sheets_metadata if _is_table(sheet)]
        if reading.part is not None and reading.part not in titles:
            raise Refusal(
                "{name} has no sheet {part!r}; choose one of: {titles}",
                name=name,
                part=reading.part,
                titles=", ".join(titles),
            )
        for title in titles if reading.part is None else [reading.part]:
            sheet = book.get_sheet_by_name(title)
            if reading.part is not None or (sheet.width > 1 and sheet.height > 1):
                return _sheet(sheet, reading, name, limits, tuple(titles))
    except ValueError:
        raise
    except Exception as error:  # calamine has errors of its own for each part of a file
        raise _damaged(name, error) from None
    raise Refusal("{name} has no sheet with a table; names and rows of data are needed", name=name)


def _opened(data: bytes, name: str) -> CalamineWorkbook:
    calamine = import_extra(
        "python_calamine", Statement("{name} is a workbook; reading it", name=name)
    )
    try:
        return calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
    except calamine.PasswordError:
        raise Refusal("{name} is locked by a password; save it without one", name=name) from None
    except Exception as error:
        raise _damaged(name, error) from None


def _damaged(name: str, error: Exception) -> ValueError:
    reason = " ".join(str(error).split())[:100]
    return Refusal(
        "{name} is no workbook that can be read ({reason}); save it again as Excel (xlsx) or CSV",
        name=name,
        reason=reason,
    )


def _is_table(sheet: object) -> bool:
    return "WorkSheet" in str(sheet.typ) and "Visible" in str(sheet.visible).split(".")[-1][:7]


def _sheet(
    sheet: CalamineSheet, reading: Reading, name: str, limits: Limits, titles: tuple[str, ...]
) -> RawTable:
    """Read a sheet; an empty row or column at its border does not count."""
    about = name
    if len(titles) > 1:
        about = Statement("{name}, sheet {sheet}", name=name, sheet=sheet.name)
    if sheet.start is None:
        raise Refusal(
            "{about} is empty; a header row and some rows of data are needed", about=about
        )
    check_size(sheet.height - 1, sheet.width, limits, about)
    first_row, first_column = sheet.start
    rows = sheet.to_python(skip_empty_area=True)
    _fill_merged(rows, sheet, first_row, first_column)
    lines = np.array([i for i, row in enumerate(rows) if any(c != "" for c in row)], np.int64)
    rows = [rows[i] for i in lines]
    lines += first_row + 1
    used = [j for j in range(len(rows[0])) if any(row[j] != "" for row in rows)]
    if len(used) < len(rows[0]):
        rows = [[row[j] for j in used] for row in rows]
    if len(rows[0]) < 2:
        raise Refusal("{about} has only one column; features and a class are needed", about=about)
    place, header = _begin(rows, lines, reading, about)
    names, below = _names(rows[place:], header, about)
    rows, lines = rows[place + below :], lines[place + below :]
    if not rows:
        raise Refusal("{about} has a header row but no data; add rows below it", about=about)
    check_size(len(rows), len(names), limits, about)
    columns = tuple(_column(cells) for cells in zip(*rows, strict=True))
    return RawTable(
        "Excel workbook",
        names,
        columns,
        lines,
        header,
        parts=titles if len(titles) > 1 else (),
        part=sheet.name if len(titles) > 1 else None,
    )


def _begin(
    rows: list[list[Cell]], lines: np.ndarray, reading: Reading, about: str
) -> tuple[int, int]:
    """Start of the table among the rows, and the row of its names.

    The latter is 0 if there is none.
    """
    if reading.header:
        if reading.header not in lines:
            raise Refusal(
                "{about}: row {header} is empty; choose another row for the names of columns",
                about=about,
                header=reading.header,
            )
        return int(np.searchsorted(lines, reading.header)), reading.header
    place, named = find_header([list(map(_text, row)) for row in rows[:N_SNIFFED]])
    return place, int(lines[place]) if named and reading.header is None else 0


def _names(rows: list[list[Cell]], header: int, about: str) -> tuple[tuple[str, ...], int]:
    """Names of the columns and how many rows they take.

    Names under a heading that several columns share are joined with it: "2023 sold".
    """
    if not header:
        return tuple(f"x{j + 1}" for j in range(len(rows[0]))), 0
    cells = list(map(_text, rows[0]))
    shared = len(set(filter(None, cells))) < sum(map(bool, cells))
    if shared and len(rows) > 2 and all(isinstance(c, str) for c in rows[1]):
        below = list(map(_text, rows[1]))
        joined = [a if a == b else f"{a} {b}".strip() for a, b in zip(cells, below, strict=True)]
        if len(set(joined)) == len(joined) and any(below):
            return column_names(joined, about), 2
    return column_names(cells, about), 1


def _fill_merged(
    rows: list[list[Cell]], sheet: CalamineSheet, first_row: int, first_column: int
) -> None:
    """Write the value of merged cells into each of them.

    A title over a row stays one cell.
    """
    width = len(rows[0]) if rows else 0
    for (top, left), (bottom, right) in sheet.merged_cell_ranges or ():
        top, bottom = top - first_row, min(bottom - first_row, len(rows) - 1)
        left, right = left - first_column, min(right - first_column, width - 1)
        if top < 0 or left < 0 or top >= len(rows) or left >= width:
            continue
        if right - left + 1 > max(1, width // 2) and width > 2:
            right = left
        value = rows[top][left]
        for row in range(top, bottom + 1):
            rows[row][left : right + 1] = [value] * (right - left + 1)


def _text(cell: Cell) -> str:
    """Cell as it reads in a sheet."""
    if isinstance(cell, str):
        return cell.strip()
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2**53:
        return str(int(cell))
    return str(cell)


def _column(cells: Sequence[Cell]) -> pa.ChunkedArray:
    """Column as the one type that all its cells are of, else as text."""
    import pyarrow as pa

    filled = [None if c == "" else c for c in cells]
    kinds = {type(c) for c in filled if c is not None}
    if kinds and kinds <= {float, int}:
        integral = None not in filled and all(float(c).is_integer() for c in filled)
        if integral and all(abs(c) <= 2**53 for c in filled):
            return pa.chunked_array([pa.array([int(c) for c in filled], pa.int64())])
        return pa.chunked_array([pa.array(filled, pa.float64())])
    if kinds and kinds <= {date, datetime}:
        moments = [None if c is None else datetime(*c.timetuple()[:6]) for c in filled]
        return pa.chunked_array([pa.array(moments, pa.timestamp("us"))])
    if timedelta in kinds and kinds <= {time, timedelta}:
        spans = [_as_span(c) if isinstance(c, time) else c for c in filled]
        return pa.chunked_array([pa.array(spans, pa.duration("us"))])
    if kinds == {bool}:
        return pa.chunked_array([pa.array(filled, pa.bool_())])
    text = [None if c is None else _text(c) for c in filled]
    return pa.chunked_array([pa.array(text, pa.string())])


def _as_span(clock: time) -> timedelta:
    """Time since midnight: a span below a day is stored as a time of day."""
    return datetime.combine(date.min, clock) - datetime.combine(date.min, time())
