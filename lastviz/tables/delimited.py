"""Tables in text: fields between separators, one record a line."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

import numpy as np

from lastviz._sentences import Refusal

from .encodings import as_text, encoding_of
from .header import find_header
from .raw import Limits, RawTable, TextColumns, check_size, column_names
from .reading import Reading

# In this order: a table with decimal commas or with blanks after commas is still even when it
# is cut at every comma or blank, so these two come last.
SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "bars", ",": "commas", " ": "blanks"}
N_SNIFFED = 1000  # records
FIELDS_SNIFFED = 100_000  # after which no further record is looked at
LETTERS_SNIFFED = 4_000_000
CHUNK = 5000  # records that are held as Python's text at once
MOST_FIELDS = 1_000_000  # of them together, and of one row
LONGEST_FIELD = 2**31 - 1
DECLARED = "sep="  # how Excel names the separator in the first line


def read_delimited(data: bytes, reading: Reading, name: str, limits: Limits) -> RawTable:
    """Read a table in text.

    Raises
    ------
    ValueError
        If it is no text, a row has more or fewer fields than others, a quotation mark is not
        closed, or it is too large.
    """
    encoding = encoding_of(data, reading.encoding, name)
    sample = as_text(data, encoding).read(LETTERS_SNIFFED)
    declared = sample[:8].partition("\n")[0]
    declared_separator = (
        declared[4:5] if declared.startswith(DECLARED) and len(declared) == 5 else None
    )
    separator = reading.separator or declared_separator or _guess_separator(sample)
    header, first = _table_begins(sample, separator, reading, declared_separator is not None)
    names: tuple[str, ...] = ()
    columns = TextColumns()
    lines: list[np.ndarray] = []
    n_rows = 0
    for begins, fields in _in_chunks(as_text(data, encoding), separator, name, limits):
        if begins[-1] < first:
            continue
        if begins[0] <= first:  # rows above the table, its names
            in_table = begins >= first
            fields = [row for row, keep in zip(fields, in_table, strict=True) if keep]
            begins = begins[in_table]
        if not names:
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
    return RawTable(
        "text",
        names,
        columns.done(len(names)),
        np.concatenate(lines),
        header,
        separator=separator,
        encoding=encoding,
    )


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


def _table_begins(sample: str, separator: str, reading: Reading, declared: bool) -> tuple[int, int]:
    """Return the row of the names (0: there is none) and that where the table begins."""
    if reading.header:
        return reading.header, reading.header
    found, _ = _begin(sample, separator)
    if declared:
        found = found[1:]
    if not found:
        return 1, 1
    start, has_header = find_header([[cell.strip() for cell in row] for _, row in found])
    line = found[start][0]
    return (line if has_header and reading.header is None else 0), line


def _begin(sample: str, separator: str) -> tuple[list[tuple[int, list[str]]], bool]:
    """Return (row, fields) of the first records, and whether their quotation marks are right."""
    found, n_fields = [], 0
    try:
        for line, fields in islice(records(sample.split("\n"), separator), N_SNIFFED):
            found.append((line, fields[:FIELDS_SNIFFED]))
            n_fields += len(fields)
            if n_fields > FIELDS_SNIFFED:
                break
    except csv.Error:  # the reader of the whole file says so with its row
        return found, len(sample) == LETTERS_SNIFFED and len(found) > 1
    return found, True


def _guess_separator(sample: str) -> str:
    """Return the separator that gives most rows as many fields as usual, at least two.

    One that leaves a quotation mark open, or closes one within a field, is the last resort.
    """
    best, evenness = ",", -1.0
    for separator in SEPARATORS:
        found, is_right = _begin(sample, separator)
        widths = Counter(len(fields) for _, fields in found)
        if not widths:
            continue
        usual, n = widths.most_common(1)[0]
        share = n / widths.total() - (0 if is_right else 1)
        if usual > 1 and share > evenness:
            best, evenness = separator, share
    return best


def records(lines: Iterable[str], separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (row of the file, fields) of every record that is not blank; rows count from 1.

    Raises
    ------
    csv.Error
        If a quotation mark is not closed or closes in the middle of a field.
    """
    reader = _reader(lines, separator)
    line = 1
    for fields in reader:
        if _is_filled(fields):
            yield line, fields
        line = reader.line_num + 1


def _reader(lines: Iterable[str], separator: str) -> csv.reader:
    csv.field_size_limit(LONGEST_FIELD)
    if separator == " ":
        lines = (line.strip(" \n") + "\n" for line in lines)
    return csv.reader(lines, delimiter=separator, skipinitialspace=True, strict=True)


def _not_too_wide(lines: Iterable[str], separator: str, name: str, limits: Limits) -> Iterator[str]:
    """Yield lines, but none whose fields alone would take more room than a table."""
    for line in lines:
        if len(line) > MOST_FIELDS and (n := line.count(separator)) > MOST_FIELDS:
            check_size(0, n + 1, limits, name)
        yield line


def _is_filled(fields: list[str]) -> bool:
    return len(fields) > 1 or bool(fields and fields[0].strip(" \t"))


def _in_chunks(
    lines: Iterable[str], separator: str, name: str, limits: Limits
) -> Iterator[tuple[np.ndarray, list[list[str]]]]:
    """Yield the rows on which records begin, and their fields, some thousand at a time."""
    reader = _reader(_not_too_wide(lines, separator, name, limits), separator)
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
            raise Refusal(
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
