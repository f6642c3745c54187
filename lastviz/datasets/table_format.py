"""How a table is written: its separator, decimal mark, encoding and header are found out."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from .encodings import decoded

__all__ = ["TableFormat", "records", "sniff_table", "sniff_text"]

# In this order: a table with decimal commas or with blanks after commas is still even when it
# is cut at every comma or blank, so these two come last.
SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "bars", ",": "commas", " ": "blanks"}
DECIMALS = {".": "decimal point", ",": "decimal comma"}
MISSING = ("", "?", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null")
N_SNIFFED = 1000  # records
FIELDS_SNIFFED = 100_000  # after which no further record is looked at

NUMBER = {
    mark: re.compile(rf"[+-]?(\d+({mark}\d*)?|{mark}\d+)([eE][+-]?\d+)?") for mark in (r"\.", ",")
}
WITH_COMMA = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?")
WITH_POINT = re.compile(r"[+-]?\d*\.\d+([eE][+-]?\d+)?")


@dataclass(frozen=True)
class TableFormat:
    """How a table is written.

    Attributes
    ----------
    separator : str
        The character between two fields: ``,``, ``;``, tab, ``|`` or a blank (runs of blanks
        count as one).
    decimal : {".", ","}
        The decimal mark.
    encoding : str
        Python's name of the encoding.
    header : bool
        Whether the first row names the columns; else they are called x1, x2, ...
    """

    separator: str
    decimal: str
    encoding: str
    header: bool

    @property
    def words(self) -> str:
        """The format in words: ``"semicolons, decimal comma, utf-8, no header row: ..."``."""
        separator = SEPARATORS.get(self.separator, repr(self.separator))
        words = f"{separator}, {DECIMALS[self.decimal]}, {self.encoding}"
        return words if self.header else words + ", no header row: columns named x1, x2, ..."


def sniff_table(
    data: bytes,
    *,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    name: str = "the file",
) -> TableFormat:
    """Find out how a table is written.

    Parameters
    ----------
    data : bytes
        The content of the file.
    separator, decimal, encoding : str or None
        What is known already; None: found out.
    name : str, default "the file"
        What messages call the file.

    Raises
    ------
    ValueError
        If it is no text, or a given part is illegal.
    """
    text, encoding = decoded(data, encoding, name)
    return sniff_text(text, encoding, separator, decimal, name)


def sniff_text(
    text: str, encoding: str, separator: str | None, decimal: str | None, name: str
) -> TableFormat:
    """Find out the format of a text that is decoded already; see :func:`sniff_table`."""
    if separator is not None and (len(separator) != 1 or separator in '"\n'):
        raise ValueError(f"{name}: separator must be one character, got {separator!r}")
    if decimal is not None and decimal not in DECIMALS:
        raise ValueError(f"{name}: decimal must be '.' or ',', got {decimal!r}")
    separator = separator or _guess_separator(text)
    rows = _first_records(text, separator)
    decimal = decimal or _guess_decimal(rows)
    return TableFormat(separator, decimal, encoding, header=_has_header(rows, decimal))


def records(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (line number, fields) of every record that is not blank; lines count from 1.

    Raises
    ------
    csv.Error
        If a quotation mark is not closed or closes in the middle of a field.
    """
    if separator == " ":
        lines = (line.strip(" ") + "\n" for line in text.split("\n"))
    else:
        lines = io.StringIO(text)
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=True, strict=True)
    line = 1
    for fields in reader:
        if len(fields) > 1 or (fields and fields[0].strip(" \t")):
            yield line, fields
        line = reader.line_num + 1


def _first_records(text: str, separator: str) -> list[list[str]]:
    rows, n_fields = [], 0
    try:
        for _, fields in islice(records(text, separator), N_SNIFFED):
            rows.append(fields)
            n_fields += len(fields)
            if n_fields > FIELDS_SNIFFED:
                break
    except csv.Error:
        pass  # the reader of the whole file says so with its line
    return rows


def _guess_separator(text: str) -> str:
    """Return the separator that gives most rows as many fields as the first one, at least two."""
    best, evenness = ",", 0.0
    for separator in SEPARATORS:
        widths = Counter(map(len, rows := _first_records(text, separator)))
        if rows and len(rows[0]) > 1 and widths[len(rows[0])] / len(rows) > evenness:
            best, evenness = separator, widths[len(rows[0])] / len(rows)
    return best


def _guess_decimal(rows: list[list[str]]) -> str:
    cells = [cell.strip() for row in rows for cell in row]
    commas = sum(WITH_COMMA.fullmatch(cell) is not None for cell in cells)
    points = sum(WITH_POINT.fullmatch(cell) is not None for cell in cells)
    return "," if commas > points else "."


def _has_header(rows: list[list[str]], decimal: str) -> bool:
    """Return False if every numeric column has a number in the first row too."""
    number = NUMBER[re.escape(decimal)]
    columns = list(zip(*(row for row in rows if len(row) == len(rows[0])), strict=True))
    numeric = []
    for first, *others in columns:
        filled = [cell.strip() for cell in others if cell.strip() not in MISSING]
        if all(map(number.fullmatch, filled)) and (filled or not others):
            numeric.append(number.fullmatch(first.strip()) is not None)
    return not numeric or not all(numeric)
