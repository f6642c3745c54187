"""Tables in text: fields between separators, one record a line."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice

import numpy as np

from lastviz._sentences import Refusal, Statement

from .encodings import as_text, encoding_of
from .raw import MISSING, Limits, RawTable, TextColumns, check_size, column_names
from .reading import QUOTES, Reading

VALUE = re.compile(
    r"[+\-−(]?\s?[€$£¥₹]?\s?(\d[\d.,'\s]*|[.,]\d+)([eE][+-]?\d+)?\s?[%‰€$£¥₹]?\)?"  # a number
    r"|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}([T ]\d.*)?|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}( \d.*)?"  # a date
)
MOST_TITLES = 50  # rows above the names


def is_value(cell: str) -> bool:
    """Whether a cell holds a number or a date, in whatever form."""
    return len(cell) < 60 and VALUE.fullmatch(cell) is not None


def find_header(rows: Sequence[Sequence[str]]) -> tuple[int, bool]:
    """Place of the table's first row and whether it names the columns.

    Parameters
    ----------
    rows : sequence of sequence of str
        The first rows of the file that are not blank, as text without blanks at its ends.

    Notes
    -----
    A title fills one cell, or at most half of those that most rows fill; rows of the table fill
    more. The first row names the columns unless every column of numbers has a number in it, too.
    """
    start = _titles(rows)
    table = rows[start:]
    if not table:
        return 0, True
    width = len(table[0])
    columns = list(zip(*(row for row in table if len(row) == width), strict=True))
    numeric = []
    for first, *others in columns:
        filled = [cell for cell in others if cell not in MISSING]
        if all(map(is_value, filled)) and (filled or not others):
            numeric.append(is_value(first))
    return start, not numeric or not all(numeric)


def _titles(rows: Sequence[Sequence[str]]) -> int:
    """Number of title rows above the table."""
    filled = [sum(bool(cell) for cell in row) for row in rows]
    if len(filled) < 3:
        return 0
    usual = Counter(filled[min(len(filled) - 2, MOST_TITLES) :] or filled).most_common(1)[0][0]
    usual = max(usual, Counter(filled).most_common(1)[0][0])
    if usual < 2:
        return 0
    for place, n in enumerate(filled[: MOST_TITLES + 1]):
        if n > max(1, usual // 2):
            return place
    return 0


# ---------------------------------------------------------------- delimited

# In this order: a table with decimal commas or with blanks after commas is still even when it
# is cut at every comma or blank, so these two come last.
SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "bars", ",": "commas", " ": "blanks"}
N_SNIFFED = 1000  # records
FIELDS_SNIFFED = 100_000  # after which no further record is looked at
LETTERS_SNIFFED = 4_000_000
CHUNK = 5000  # records that are held as Python's text at once
MOST_FIELDS = 1_000_000  # of them together
LONGEST_FIELD = 2**31 - 1
DIALECTS = {
    "double": {},
    "backslash": {"escapechar": "\\"},
    "none": {"quoting": csv.QUOTE_NONE},
}
ROW_NAMES = "row"
DECLARED = "sep="  # how Excel names the separator in the first line


def read_delimited(data: bytes, reading: Reading, name: str, limits: Limits) -> RawTable:
    """Read a table in text.

    Where a quotation mark is never closed, other ways of writing them are tried; what is found so
    is said.

    Raises
    ------
    ValueError
        If it is no text, a row has more or fewer fields than others, a quotation mark is not
        closed, or it is too large.
    """
    encoding = encoding_of(data, reading.encoding, name)
    sample = as_text(data, encoding).read(LETTERS_SNIFFED)
    declared = sample[:8].partition("\n")[0]
    if reading.separator is None and declared.startswith(DECLARED) and len(declared) == 5:
        reading = replace(reading, separator=declared[4])
    else:
        declared = ""
    quotings = _quotings(sample) if reading.quotes is None else (reading.quotes,)
    separator, quotes, is_even = _guess(sample, reading.separator, quotings)
    try:
        table = _read(data, encoding, sample, separator, quotes, reading, declared, name, limits)
    except OpenQuotes as fault:
        table = None
        for other in quotings[1:]:
            separator, quotes, _ = _guess(sample, reading.separator, (other,))
            with suppress(ValueError):
                table = _read(
                    data, encoding, sample, separator, quotes, reading, declared, name, limits
                )
                break
        if table is None:
            raise Refusal(fault.sentence) from None
    notes = list(table.notes)
    if quotes != "double" and reading.quotes is None:
        notes.insert(0, Statement(GUESSED_QUOTES[quotes]))
    if separator == " " and reading.separator is None and not is_even:
        notes.append(
            Statement(
                "Rows are cut at blanks, since no other separator fits; choose another one if "
                "that is wrong."
            )
        )
    return replace(table, encoding=encoding, quotes=quotes, notes=tuple(notes))


def _quotings(sample: str) -> tuple[str, ...]:
    """Ways of quoting to be tried: a mark that is open in one row alone is a slip."""
    open_rows = (line.count('"') % 2 for line in sample.split("\n"))
    return tuple(QUOTES) if sum(open_rows) > 1 else ("double", "backslash")


GUESSED_QUOTES = {
    "backslash": "A backslash before a quotation mark is read as part of the text, since the rows "
    "would not fit otherwise.",
    "none": "Quotation marks are read as ordinary characters, since one is never closed.",
}


class OpenQuotes(Refusal):
    """A quotation mark is not closed, or closed within a field."""


def _read(
    data: bytes,
    encoding: str,
    sample: str,
    separator: str,
    quotes: str,
    reading: Reading,
    declared: str,
    name: str,
    limits: Limits,
) -> RawTable:
    """Read a table whose rows are cut in one way."""
    header, first, n_above = _table_begins(sample, separator, quotes, reading, bool(declared))
    names: tuple[str, ...] = ()
    notes: tuple[Statement, ...] = ()
    columns = TextColumns()
    lines: list[np.ndarray] = []
    n_rows = 0
    chunks = _in_chunks(as_text(data, encoding), separator, quotes, name)
    for begins, fields in chunks:
        if begins[-1] < first:
            continue
        if begins[0] <= first:  # rows above the table, its names
            in_table = begins >= first
            fields = [row for row, keep in zip(fields, in_table, strict=True) if keep]
            begins = begins[in_table]
        if not names:
            if header:
                fields[0], notes = _with_row_names(fields)
            names = _names(fields[0], begins[0], header, name, limits)
            if header:
                fields, begins = fields[1:], begins[1:]
        _check_widths(fields, begins, len(names), name)
        n_rows += len(fields)
        check_size(n_rows, len(names), limits, name)
        columns.add(fields)
        lines.append(begins)
    if not names:
        raise Refusal(
            "{name} has no row {first}; choose another row for the names of columns",
            name=name,
            first=first,
        )
    if not n_rows:
        raise Refusal("{name} has a header row but no data; add rows below it", name=name)
    if n_above and reading.header is None:
        sentence = "The table is read from row {first} on; above it stands a title."
        notes = (*notes, Statement(sentence, first=first))
    return RawTable(
        "text",
        names,
        columns.done(len(names)),
        np.concatenate(lines),
        header,
        separator=separator,
        notes=notes,
    )


def _with_row_names(fields: list[list[str]]) -> tuple[list[str], tuple[Statement, ...]]:
    """Names of the columns, with one more for names of rows.

    There is one more where all rows have a field more than there are names.

    R writes the names of rows so, without a name of their own; other programs end each row with a
    separator.
    """
    names, rows = fields[0], fields[1:]
    if not rows or any(len(row) != len(names) + 1 for row in rows):
        return names, ()
    if not any(row[-1].strip() for row in rows):
        return [*names, ""], ()
    note = Statement(
        "Rows have one field more than there are names, so the first column is read as “{name}”.",
        name=ROW_NAMES,
    )
    return [ROW_NAMES, *names], (note,)


def _names(row: list[str], line: int, header: int, name: str, limits: Limits) -> tuple[str, ...]:
    if header and line != header:
        raise Refusal(
            "{name}: no row begins at {header}; choose another row for the names of columns",
            name=name,
            header=header,
        )
    check_size(0, len(row), limits, name)
    names = column_names(row, name)
    return names if header else tuple(f"x{j + 1}" for j in range(len(row)))


def _table_begins(
    sample: str, separator: str, quotes: str, reading: Reading, declared: bool
) -> tuple[int, int, int]:
    """Row of the names (0: none), where the table begins, and how many are above it."""
    if reading.header:
        return reading.header, reading.header, 0
    found, _ = _begin(sample, separator, quotes)
    if declared:
        found = found[1:]
    if not found:
        return 1, 1, 0
    start, has_header = find_header([[cell.strip() for cell in row] for _, row in found])
    line = found[start][0]
    return (line if has_header and reading.header is None else 0), line, start


def _begin(sample: str, separator: str, quotes: str) -> tuple[list[tuple[int, list[str]]], bool]:
    """(row, fields) of the first records, and whether their quotation marks are right."""
    found, n_fields = [], 0
    try:
        for line, fields in islice(records(sample.split("\n"), separator, quotes), N_SNIFFED):
            found.append((line, fields[:FIELDS_SNIFFED]))
            n_fields += len(fields)
            if n_fields > FIELDS_SNIFFED:
                break
    except csv.Error:  # the reader of the whole file says so with its row
        return found, len(sample) == LETTERS_SNIFFED and len(found) > 1
    return found, True


def _guess(sample: str, separator: str | None, quotings: Sequence[str]) -> tuple[str, str, bool]:
    """Separator, way of quoting, and whether all rows are even with them.

    The best are those that give most rows as many fields as usual, at least two; a separator that
    leaves a quotation mark open, or closes one within a field, is the last resort. Other ways of
    quoting than the usual one count where by that nothing but blanks fits.
    """
    best, evenness = (separator or ",", quotings[0]), -1.0
    for quotes in quotings:
        for each in SEPARATORS if separator is None else (separator,):
            found, is_right = _begin(sample, each, quotes)
            widths = Counter(len(fields) for _, fields in found)
            if not widths:
                continue
            usual, n = widths.most_common(1)[0]
            share = n / widths.total() - (0 if is_right else 1)
            if usual > 1 and share > evenness:
                best, evenness = (each, quotes), share
        if evenness > 0 and best[0] != " ":
            break
    return *best, evenness == 1.0


def records(
    lines: Iterable[str], separator: str, quotes: str = "double"
) -> Iterator[tuple[int, list[str]]]:
    """Yield (row of the file, fields) of every record that is not blank.

    Rows count from 1.

    Raises
    ------
    csv.Error
        If a quotation mark is not closed or closes in the middle of a field.
    """
    reader = _reader(lines, separator, quotes)
    line = 1
    for fields in reader:
        if _is_filled(fields):
            yield line, fields
        line = reader.line_num + 1


def _reader(lines: Iterable[str], separator: str, quotes: str) -> csv.reader:
    csv.field_size_limit(LONGEST_FIELD)
    if separator == " ":
        lines = (line.strip(" \n") + "\n" for line in lines)
    return csv.reader(
        lines, delimiter=separator, skipinitialspace=True, strict=True, **DIALECTS[quotes]
    )


def _is_filled(fields: list[str]) -> bool:
    return len(fields) > 1 or bool(fields and fields[0].strip(" \t"))


def _in_chunks(
    lines: Iterable[str], separator: str, quotes: str, name: str
) -> Iterator[tuple[np.ndarray, list[list[str]]]]:
    """Yield the first rows of records, and their fields, some thousand at a time."""
    reader = _reader(lines, separator, quotes)
    ended, n_read = 0, 1
    while n_read:
        begins, fields, n_read, n_fields = [], [], 0, 0
        try:
            for row in islice(reader, CHUNK):
                if len(row) > 1 or _is_filled(row):
                    begins.append(ended + 1)
                    fields.append(row)
                ended = reader.line_num
                n_read += 1
                n_fields += len(row)
                if n_fields > MOST_FIELDS:
                    break
        except csv.Error as error:
            raise OpenQuotes(
                "{name}: quotation marks are not closed after row {ended} ({error}); correct them",
                name=name,
                ended=ended,
                error=error,
            ) from None
        if fields:
            yield np.array(begins, dtype=np.int64), fields


def _check_widths(fields: list[list[str]], begins: np.ndarray, width: int, name: str) -> None:
    if set(map(len, fields)) == {width}:
        return
    for line, row in zip(begins, fields, strict=True):
        if len(row) != width:
            raise Refusal(
                "{name}: row {line} has {n} fields instead of {width}; correct it (a text "
                "that holds the separator needs quotation marks)",
                name=name,
                line=line,
                n=len(row),
                width=width,
            )
