"""Options for reading a table, and the findings in its file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from urllib.parse import parse_qsl, urlencode

READ_AS: dict[str, str] = {
    "number": "number",
    "category": "category",
    "ordinal": "ordered words",
    "yes_no": "yes / no",
    "days": "date as days",
    "year": "year of a date",
    "month": "month of a date",
    "weekday": "weekday of a date",
    "hours": "clock time as hours",
}
"""As what a column can be read, and how it is called."""

DATE_ORDERS: dict[str, str] = {
    "dmy": "day, month, year",
    "mdy": "month, day, year",
    "ymd": "year, month, day",
}
"""Orders of the parts of a date."""

QUOTES: dict[str, str] = {
    "double": "doubled inside a text",
    "backslash": "behind a backslash inside a text",
    "none": "ordinary characters",
}
"""How quotation marks are written, and how that is called."""

MERGED: dict[str, str] = {
    "looks": "spellings that look the same",
    "case": "spellings that differ in case, too",
}
"""Which spellings of a name are one level, and how that is called."""

LEGAL = {
    "decimal": (".", ","),
    "thousands": ("", ".", ",", " ", "'"),
    "dates": tuple(DATE_ORDERS),
    "quotes": tuple(QUOTES),
    "merged": tuple(MERGED),
    "read_as": tuple(READ_AS),
}
ZONE = re.compile(r"UTC|[+-]\d{2}:\d{2}")
LONGEST = 20_000  # letters of the text of a reading in a link


def _check_legal(value: ColumnReading | Reading) -> None:
    for name in {f.name for f in fields(value)} & LEGAL.keys():
        given, legal = getattr(value, name), LEGAL[name]
        if given is not None and given not in legal:
            raise ValueError(f"{name} must be {' or '.join(map(repr, legal))}, got {given!r}")
    if value.decimal is not None and value.decimal == value.thousands:
        raise ValueError(f"decimal and thousands are both {value.decimal!r}; change one")


def _repr(value: ColumnReading | Reading) -> str:
    """Call that makes a value, without the arguments left at their defaults."""
    given = ((f.name, getattr(value, f.name), f.default) for f in fields(value))
    inside = (f"{name}={value!r}" for name, value, default in given if value != default)
    return f"{type(value).__name__}({', '.join(inside)})"


@dataclass(frozen=True, repr=False)
class ColumnReading:
    """Options for reading one column.

    Those not given are found out, or are those of the file.

    Parameters
    ----------
    read_as : str or None
        One of :data:`READ_AS`.
    decimal, thousands, dates : str or None
        As those of :class:`Reading`.
    zone : str or None
        Of its moments: "UTC", or what is ahead of it, such as "+01:00".
    unit : str or None
        Sign or word beside its numbers.
    missing : tuple of str or None
        What stands for a missing value, beside an empty cell; None: the usual marks, such as NA.
    levels : tuple of str or None
        Of ordered words, from low to high; of yes / no, no first.
    merged : {"looks", "case"} or None
        Spellings of names that are one level: those that look the same, or that differ in upper
        and lower case, too; None: each is its own.

    Raises
    ------
    ValueError
        If a part is illegal.
    """

    read_as: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    dates: str | None = None
    zone: str | None = None
    unit: str | None = None
    missing: tuple[str, ...] | None = None
    levels: tuple[str, ...] | None = None
    merged: str | None = None

    def __post_init__(self) -> None:
        """Refuse illegal options; an empty cell need not be named."""
        _check_legal(self)
        if self.zone is not None and not ZONE.fullmatch(self.zone):
            raise ValueError(f"zone must be 'UTC' or such as '+01:00', got {self.zone!r}")
        for name in ("missing", "levels"):
            if getattr(self, name) is not None:
                texts = dict.fromkeys(str(text).strip() for text in getattr(self, name))
                object.__setattr__(self, name, tuple(text for text in texts if text))

    __repr__ = _repr


@dataclass(frozen=True, repr=False)
class Reading:
    """Options for reading a file.

    Those not given are found out.

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
    quotes : {"double", "backslash", "none"} or None
        How a quotation mark inside a quoted text is written; "none": quotation marks are
        characters like others.
    without : tuple of int
        Rows of the file (from 1) that are left out, such as one of units or of totals.
    columns : tuple of (str, ColumnReading or str)
        Columns by name and how each is read; a text is its `read_as`.

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
    quotes: str | None = None
    without: tuple[int, ...] = ()
    columns: tuple[tuple[str, ColumnReading], ...] = ()

    def __post_init__(self) -> None:
        """Refuse illegal options."""
        if self.header is not None and not 0 <= self.header < 2**31:
            raise ValueError(f"header must be a row from 1, or 0 for none, got {self.header!r}")
        if self.separator is not None and (len(self.separator) != 1 or self.separator in '"\n\r'):
            raise ValueError(f"separator must be one character, got {self.separator!r}")
        _check_legal(self)
        columns = tuple(
            (name, how if isinstance(how, ColumnReading) else _read_as(name, how))
            for name, how in self.columns
        )
        columns = tuple((name, how) for name, how in columns if how != ColumnReading())
        object.__setattr__(self, "columns", columns)
        object.__setattr__(self, "without", tuple(sorted(set(self.without))))

    __repr__ = _repr

    def __str__(self) -> str:
        """Text for a link; :meth:`parse` is the inverse."""
        pairs = [
            (f.name, str(value))
            for f in fields(self)
            if f.name not in ("columns", "without") and (value := getattr(self, f.name)) is not None
        ]
        pairs += [("without", str(row)) for row in self.without]
        for name, how in self.columns:
            pairs += [(f"{key}.{name}", value) for key, value in _written(how)]
        return urlencode(pairs)

    @classmethod
    def parse(cls, text: str, most: int = LONGEST) -> Reading:
        """Reading that `text` says; raises ValueError if it says none, or is too long.

        A longer text than a link's `most` letters stands in files alone.
        """
        if len(text) > most:
            raise ValueError(f"a reading has at most {most:,} letters, got {len(text):,}")
        plain, columns = {"without": ()}, {}
        for key, value in parse_qsl(text, keep_blank_values=True, strict_parsing=bool(text)):
            part, point, name = key.partition(".")
            if point and part in IN_COLUMN:
                how, part = columns.setdefault(name, {}), IN_COLUMN[part]
                how[part] = (*how.get(part, ()), value) if part in MANY else value
            elif key == "without":
                plain[key] = (*plain[key], int(value[:12]))
            elif key in {f.name for f in fields(cls)} - {"columns"}:
                plain[key] = int(value[:12]) if key == "header" else value
            else:
                raise ValueError(f"a reading has no {key!r}")
        read = ((name, _column(name, how)) for name, how in columns.items())
        return cls(**plain, columns=tuple(read))

    def column(self, name: str) -> ColumnReading:
        """Options for reading a column; those that it leaves open are those of the file."""
        how = dict(self.columns).get(name, ColumnReading())
        decimal = how.decimal or self.decimal
        if how.decimal is None and how.thousands in (".", ","):
            decimal = "," if how.thousands == "." else "."
        thousands = self.thousands if how.thousands is None else how.thousands
        return replace(
            how,
            decimal=decimal,
            thousands=None if thousands == decimal else thousands,
            dates=how.dates or self.dates,
        )

    def in_words(self, columns: Iterable[str]) -> list[str]:
        """Line for each of some columns that says how it is read: for comments."""
        lines = []
        for name in columns:
            how = self.column(name)
            if how.read_as is None:
                continue
            words = [READ_AS[how.read_as]]
            if how.unit:
                words.append(f"unit {how.unit}")
            if how.read_as == "number":
                words += [f"decimal mark {how.decimal}"] if how.decimal else []
                words += [f"between thousands {how.thousands!r}"] if how.thousands else []
            elif how.read_as not in ("category", "ordinal", "yes_no"):
                words += [DATE_ORDERS[how.dates]] if how.dates else []
                words += [f"time zone {how.zone}"] if how.zone else []
            if how.levels:
                words.append(" < ".join(how.levels))
            if how.merged:
                words.append(f"{MERGED[how.merged]} are one")
            if how.missing is not None:
                words.append(f"missing: {', '.join(how.missing) or 'empty cells alone'}")
            lines.append(f"{name}: {', '.join(words)}")
        return lines

    def with_column(self, name: str, read_as: str | None = None, **changed: object) -> Reading:
        """Reading that reads one column in another way.

        Parameters
        ----------
        name : str
        read_as : str or None
            As what; None: as found.
        **changed : object
            Other parts of its :class:`ColumnReading`; `read_as` is left as it is if any is given.
        """
        how = dict(self.columns).get(name, ColumnReading())
        how = replace(how, **(changed or {"read_as": read_as}))
        others = tuple((column, old) for column, old in self.columns if column != name)
        return replace(self, columns=others if how == ColumnReading() else (*others, (name, how)))


# Parts of a column's reading by their name in a link, and those of several texts.
IN_COLUMN = {
    **{"column": "read_as", "level": "levels"},
    **{f.name: f.name for f in fields(ColumnReading) if f.name not in ("read_as", "levels")},
}
MANY = ("missing", "levels")


def _written(how: ColumnReading) -> Iterator[tuple[str, str]]:
    for key, part in IN_COLUMN.items():
        value = getattr(how, part)
        if part in MANY and value is not None:
            yield from ((key, text) for text in value or ("",))
        elif value is not None:
            yield key, value


def _column(name: str, how: Mapping[str, object]) -> ColumnReading:
    """Options for reading a column; an error includes its name."""
    if how.get("read_as") is not None:
        _read_as(name, how["read_as"])
    return ColumnReading(**how)


def _read_as(name: str, read_as: str) -> ColumnReading:
    if read_as not in READ_AS:
        raise ValueError(
            f"column {name!r} must be read as one of {', '.join(READ_AS)}, got {read_as!r}"
        )
    return ColumnReading(read_as)


AS_FOUND = Reading()
"""Everything is found out."""


@dataclass(frozen=True)
class ColumnFound:
    """The way a column was read."""

    name: str
    read_as: str  # one of `READ_AS`
    choices: tuple[str, ...]  # as what it can be read, the one found out included
    unit: str  # sign or word that stood beside every number, or what the numbers count; "" if none
    examples: tuple[str, ...]  # its first cells as they stand in the file
    # How it was read, nothing that matters left open: new cells are read so, too.
    reading: ColumnReading = ColumnReading()
    # The marks for a missing value that occurred in it, beside empty cells.
    gaps: tuple[str, ...] = ()


@dataclass(frozen=True)
class Repair:
    """Another way of reading a column, which a hint offers."""

    hint: str
    label: str  # what it does, in a few words
    column: str
    changes: tuple[tuple[str, object], ...]  # the parts of its `ColumnReading` that it gives


@dataclass(frozen=True)
class Found:
    """The way a file was read."""

    kind: str  # what it is, in words
    # Its sheets or files, if it has several; `part` is the one that was read.
    parts: tuple[str, ...]
    part: str | None
    header: int  # row that names the columns, from 1; 0: none does
    separator: str | None  # of text
    encoding: str | None  # of text
    decimal: str
    thousands: str | None  # mark between groups of digits that occurred; None: none did
    # Order of day, month and year in its dates; None: it has none, or their form says it.
    dates: str | None
    columns: tuple[ColumnFound, ...]
    hints: tuple[str, ...]  # a sentence for each guess that somebody should look at
    n_rows: int
    quotes: str | None = None  # of text
    without: tuple[int, ...] = ()  # rows of the file that were left out as asked for
    repairs: tuple[Repair, ...] = ()

    def column(self, name: str) -> ColumnFound | None:
        """The way a column was read, None if there is no such column."""
        return next((column for column in self.columns if column.name == name), None)

    @property
    def reading(self) -> Reading:
        """Recipe that reads the file in the same way, with nothing left to find out."""
        is_text = self.separator is not None
        return Reading(
            part=self.part,
            header=self.header if is_text or self.kind.startswith("Excel") else None,
            separator=self.separator,
            decimal=self.decimal if self.encoding is not None else None,
            encoding=self.encoding,
            quotes=self.quotes,
            without=self.without,
            columns=tuple((column.name, column.reading) for column in self.columns),
        )
