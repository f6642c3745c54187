"""How a table in text is written: its separator, decimal mark, encoding and header."""

from __future__ import annotations

from dataclasses import dataclass

from lastviz._sentences import Refusal

from .cell_numbers import guess_marks
from .encodings import decoded
from .files.delimited import SEPARATORS, first_records, guess_separator
from .files.header import find_header
from .reading import Reading

DECIMALS = {".": "decimal point", ",": "decimal comma"}


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
    """Find out how a table in text is written.

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
    try:
        reading = Reading(separator=separator, decimal=decimal, encoding=encoding)
    except Refusal as error:
        raise Refusal("{name}: {error}", name=name, error=error.sentence) from None
    text, encoding = decoded(data, reading.encoding, name)
    separator = reading.separator or guess_separator(text)
    rows = [[cell.strip() for cell in row] for _, row in first_records(text, separator)]
    start, header = find_header(rows)
    cells = (cell for row in rows[start:] for cell in row)
    return TableFormat(separator, decimal or guess_marks(cells).decimal, encoding, header)
