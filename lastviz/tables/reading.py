"""How a table is read: what somebody asks for, and what was found in the file."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from urllib.parse import parse_qsl, urlencode

from lastviz._sentences import Refusal

READ_AS: dict[str, str] = {
    "number": "number",
    "category": "category",
    "ordinal": "ordered words",
    "yes_no": "yes / no",
    "days": "date as days",
    "year": "year of a date",
    "month": "month of a date",
    "weekday": "weekday of a date",
}
"""As what a column can be read, and how it is called."""

DATE_ORDERS: dict[str, str] = {
    "dmy": "day, month, year",
    "mdy": "month, day, year",
    "ymd": "year, month, day",
}
"""Orders of the parts of a date."""

LEGAL = {
    "decimal": (".", ","),
    "thousands": ("", ".", ",", " ", "'"),
    "dates": tuple(DATE_ORDERS),
}
COLUMN = "column."  # before the name of a column in the text of a reading
LONGEST = 20_000  # letters of the text of a reading


@dataclass(frozen=True, repr=False)
class Reading:
    """How a file is to be read; what is not given is found out.

    Parameters
    ----------
    part : str or None
        Sheet of a workbook, or file of a zip archive.
    header : int or None
        Row of the file (from 1) that names the columns; 0: none does.
    separator : str or None
        Character between two fields.
    decimal : {".", ","} or None
        Decimal mark.
    thousands : {"", ".", ",", " ", "'"} or None
        Mark between groups of three digits; "": there is none, None: any that the decimal mark
        leaves.
    encoding : str or None
        Python's name of the encoding.
    dates : {"dmy", "mdy", "ymd"} or None
        Order of day, month and year.
    columns : tuple of (str, str)
        Columns by name and how each is read, one of :data:`READ_AS`.

    Raises
    ------
    ValueError
        If a part is illegal.
    """

    part: str | None = None
    header: int | None = None
    separator: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    encoding: str | None = None
    dates: str | None = None
    columns: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        """Refuse what is illegal."""
        if self.header is not None and not 0 <= self.header < 2**31:
            raise Refusal(
                "header must be a row from 1, or 0 for none, got {header!r}", header=self.header
            )
        if self.separator is not None and (len(self.separator) != 1 or self.separator in '"\n\r'):
            raise Refusal(
                "separator must be one character, got {separator!r}", separator=self.separator
            )
        for name, legal in LEGAL.items():
            value = getattr(self, name)
            if value is not None and value not in legal:
                options = " or ".join(map(repr, legal))
                raise Refusal(
                    "{name} must be {options}, got {value!r}",
                    name=name,
                    options=options,
                    value=value,
                )
        if self.decimal is not None and self.decimal == self.thousands:
            raise Refusal(
                "decimal and thousands are both {decimal!r}; change one", decimal=self.decimal
            )
        for column, read_as in self.columns:
            if read_as not in READ_AS:
                raise Refusal(
                    "column {column!r} must be read as one of {ways}, got {way!r}",
                    column=column,
                    ways=", ".join(READ_AS),
                    way=read_as,
                )

    def __repr__(self) -> str:
        """Return the call that makes it, without what is not given."""
        given = ((f.name, getattr(self, f.name), f.default) for f in fields(self))
        inside = (f"{name}={value!r}" for name, value, default in given if value != default)
        return f"Reading({', '.join(inside)})"

    def __str__(self) -> str:
        """Return it as a link says it; :meth:`parse` gives it back."""
        pairs = [
            (f.name, str(getattr(self, f.name)))
            for f in fields(self)
            if f.name != "columns" and getattr(self, f.name) is not None
        ]
        return urlencode([*pairs, *((COLUMN + name, read_as) for name, read_as in self.columns)])

    @classmethod
    def parse(cls, text: str) -> Reading:
        """Return the reading that `text` says; raises ValueError if it says none."""
        if len(text) > LONGEST:
            raise Refusal(
                "a reading has at most {most:,} letters, got {n:,}",
                most=LONGEST,
                n=len(text),
            )
        plain, columns = {}, {}
        for key, value in parse_qsl(text, keep_blank_values=True, strict_parsing=bool(text)):
            if key.startswith(COLUMN):
                columns[key.removeprefix(COLUMN)] = value
            elif key in {f.name for f in fields(cls)} - {"columns"}:
                plain[key] = int(value[:12]) if key == "header" else value
            else:
                raise Refusal("a reading has no {key!r}", key=key)
        return cls(**plain, columns=tuple(columns.items()))

    def with_column(self, name: str, read_as: str | None) -> Reading:
        """Return the reading that reads one column as something else; None: as found."""
        others = tuple((column, old) for column, old in self.columns if column != name)
        return replace(self, columns=others if read_as is None else (*others, (name, read_as)))


AS_FOUND = Reading()
"""Everything is found out."""


@dataclass(frozen=True)
class ColumnFound:
    """How a column was read.

    Attributes
    ----------
    name : str
    read_as : str
        One of :data:`READ_AS`.
    choices : tuple of str
        As what it can be read, the one found out included.
    unit : str
        Sign or word that stood beside every number, or what the numbers count; "" if none.
    examples : tuple of str
        Its first cells as they stand in the file.
    """

    name: str
    read_as: str
    choices: tuple[str, ...]
    unit: str
    examples: tuple[str, ...]


@dataclass(frozen=True)
class Found:
    """How a file was read.

    Attributes
    ----------
    kind : str
        What it is, in words.
    parts : tuple of str
        Its sheets or files, if it has several; `part` is the one that was read.
    part : str or None
    header : int
        Row that names the columns, from 1; 0: none does.
    separator, encoding : str or None
        Of text.
    decimal : {".", ","}
    thousands : str or None
        Mark between groups of digits that occurred; None: none did.
    dates : str or None
        Order of day, month and year in its dates; None: it has none, or their form says it.
    columns : tuple of ColumnFound
    hints : tuple of str
        A sentence for each guess that somebody should look at.
    n_rows : int
    """

    kind: str
    parts: tuple[str, ...]
    part: str | None
    header: int
    separator: str | None
    encoding: str | None
    decimal: str
    thousands: str | None
    dates: str | None
    columns: tuple[ColumnFound, ...]
    hints: tuple[str, ...]
    n_rows: int

    def column(self, name: str) -> ColumnFound | None:
        """Return what was found of a column, None if there is no such one."""
        return next((column for column in self.columns if column.name == name), None)
