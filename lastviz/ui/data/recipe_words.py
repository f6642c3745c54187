"""The reading recipe in words: one line that says how a file and its columns were read."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lastviz.tables import DATE_ORDERS, ENCODINGS, MERGED, QUOTES, SEPARATORS, ColumnFound, Found
from lastviz.ui.text import listed, number, t

MARKS = {".": "point", ",": "comma"}
MOST_NAMED = 3  # columns of one kind


def recipe_words(found: Found) -> str:
    """Return how a file was read: what holds for all of it, then what is of single columns."""
    return " · ".join([*_of_file(found), *_of_columns(found)])


def _of_file(found: Found) -> Iterator[str]:
    yield found.kind
    if found.part is not None:
        yield found.part
    if found.separator is not None:
        yield t(SEPARATORS.get(found.separator, "“{mark}”"), mark=found.separator)
    if found.quotes not in (None, "double"):
        yield t("quotation marks: {way}", way=t(QUOTES[found.quotes]))
    yield t("decimal {mark}", mark=t(MARKS[found.decimal]))
    if found.encoding is not None:
        yield t(ENCODINGS.get(found.encoding, found.encoding))
    if found.header > 1:
        yield t("names in row {n}", n=found.header)
    if found.without:
        yield t("without rows {rows}", rows=", ".join(map(number, found.without)))


def _of_columns(found: Found) -> Iterator[str]:
    """Yield what is read in a way of its own, each with the first columns that are."""
    yield from _each(found, _missing)
    yield from _each(found, _dates)
    yield from _each(found, _decimal(found.decimal))
    yield from _each(found, _merged)


def _each(found: Found, words_of: Callable[[ColumnFound], str | None]) -> Iterator[str]:
    columns: dict[str, list[str]] = {}
    for column in found.columns:
        if words := words_of(column):
            columns.setdefault(words, []).append(column.name)
    for words, names in columns.items():
        yield t("{words} in {columns}", words=words, columns=listed(names, MOST_NAMED))


def _missing(column: ColumnFound) -> str | None:
    marks = column.reading.missing
    if marks is None:
        return t("missing: {marks}", marks=", ".join(column.gaps)) if column.gaps else None
    empty = t("empty cells alone")
    return t("missing: {marks}", marks=", ".join(marks) if marks else empty)


def _dates(column: ColumnFound) -> str | None:
    order, zone = column.reading.dates, column.reading.zone
    words = [] if order is None else [t(DATE_ORDERS[order])]
    words += [] if zone is None else [t("time zone {zone}", zone=zone)]
    return ", ".join(words) or None


def _decimal(usual: str) -> Callable[[ColumnFound], str | None]:
    def words(column: ColumnFound) -> str | None:
        mark = column.reading.decimal
        return None if mark in (None, usual) else t("decimal {mark}", mark=t(MARKS[mark]))

    return words


def _merged(column: ColumnFound) -> str | None:
    return column.reading.merged and t(MERGED[column.reading.merged])
