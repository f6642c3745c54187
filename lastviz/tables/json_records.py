"""JSON: one record a line, or a list of records."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from lastviz._sentences import Refusal, Statement

from .encodings import as_text, encoding_of
from .raw import Limits, RawTable, TextColumns, check_size, column_names
from .reading import Reading

CHUNK = 5000  # records
BEGIN = 4096  # bytes that tell


BLANKS = re.compile(r"[ \t\n\r]*")


class Record(tuple):
    """The pairs of one object."""

    __slots__ = ()


DECODER = json.JSONDecoder(
    object_pairs_hook=Record,
    parse_int=str,
    parse_float=str,
    parse_constant=lambda word: None if word == "NaN" else word,
)


def looks_like_json(data: bytes) -> bool:
    """Whether text that begins with a bracket is JSON.

    It is if the next sign is one of JSON's own.
    """
    begin = data[:BEGIN].replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe").split()
    signs = b"".join(begin)[:2]
    return signs in (b'{"', b"{}", b"[{", b"[[", b"[]") or (
        signs[:1] == b"[" and (signs[1:2] == b'"' or signs[1:2].isdigit())
    )


def read_json(data: bytes, reading: Reading, name: str, limits: Limits) -> RawTable:
    """Read records; numbers keep their digits until they are read as numbers.

    Raises
    ------
    ValueError
        If it is no JSON, a record is none or holds lists or records, or it is too large.
    """
    encoding = encoding_of(data, reading.encoding, name)
    text = data.decode(encoding)
    if text.lstrip()[:1] == "[":
        kind, records = "JSON", _elements(text, name)
    else:
        kind, records = "JSON lines", _by_line(data, encoding, name)
    names, columns, lines, uneven = _collected(records, name, limits)
    return RawTable(kind, names, columns, lines, encoding=encoding, uneven=uneven)


def _elements(text: str, name: str) -> Iterator[tuple[int, Record]]:
    """Yield the elements of a list one after the other.

    All at once take ten times the room.
    """
    with _explained(name, ""):
        at, place = _behind_blanks(text, text.index("[") + 1), 0
        ends = text[at : at + 1] == "]"
        while not ends:
            element, at = DECODER.raw_decode(text, at)
            at = _behind_blanks(text, at)
            if text[at : at + 1] not in (",", "]"):
                raise json.JSONDecodeError("Expecting ',' delimiter", text, at)
            place += 1
            _check_record(element, name, Statement("record {place}", place=place))
            yield place, element
            ends = text[at] == "]"
            at = at if ends else _behind_blanks(text, at + 1)
        at = _behind_blanks(text, at + 1)
        if at < len(text):
            raise json.JSONDecodeError("Extra data", text, at)


def _behind_blanks(text: str, at: int) -> int:
    return BLANKS.match(text, at).end()


@contextmanager
def _explained(name: str, where: str) -> Iterator[None]:
    """Explain errors of JSON in a sentence.

    `where` names the row, if each row is JSON by itself.
    """
    try:
        yield
    except json.JSONDecodeError as error:
        line = where or error.lineno
        raise Refusal(
            "{name}: row {line} is no valid JSON ({msg}); correct it",
            name=name,
            line=line,
            msg=error.msg,
        ) from None
    except RecursionError:
        raise Refusal(
            "{name} holds lists within lists without end; give one plain record a row", name=name
        ) from None


def _by_line(data: bytes, encoding: str, name: str) -> Iterator[tuple[int, Record]]:
    """Yield the line and the record of each line."""
    _check_shape(as_text(data, encoding), name)
    for line, written in enumerate(as_text(data, encoding), start=1):
        if written.strip():
            with _explained(name, str(line)):
                record = DECODER.decode(written)
            _check_record(record, name, Statement("row {row}", row=line))
            yield line, record


def _check_shape(text: Iterator[str], name: str) -> None:
    """Refuse one object with lists in it, or over several lines.

    It is a file of another shape.
    """
    first = next((line for line in text if line.strip()), "").rstrip()
    try:
        value = DECODER.decode(first)
        holds_lists = isinstance(value, Record) and any(isinstance(v, list) for _, v in value)
        is_shape = holds_lists and not any(line.strip() for line in text)
    except json.JSONDecodeError as error:
        is_shape = error.pos >= len(first)  # it goes on
    except RecursionError:
        return
    if is_shape:
        raise Refusal(
            "{name} is JSON, but neither a list of records nor one record a line; pandas writes "
            'them with orient="records"',
            name=name,
        )


def _check_record(record: object, name: str, where: str) -> None:
    if not isinstance(record, Record):
        raise Refusal(
            "{name}: {where} is no record with named values; write it as one",
            name=name,
            where=where,
        )
    for key, value in record:
        if isinstance(value, list | Record):
            raise Refusal(
                "{name}: {where} holds a list or a record in {key!r}; spread it over plain columns",
                name=name,
                where=where,
                key=key,
            )


def _collected(records: Iterator[tuple[int, Record]], name: str, limits: Limits) -> tuple:
    """Names, columns, the row of each record, and which names not every record has.

    What a record does not name is missing. Records become columns some thousand at a time: as
    they are they take many times the room.
    """
    places: dict[str, int] = {}
    n_named: list[int] = []
    cells: list[list[str | None]] = []
    lines: list[int] = []
    columns = TextColumns()
    for line, record in records:
        lines.append(line)
        if len(record) != len(places) or any(key not in places for key, _ in record):
            for key, _ in record:
                if places.setdefault(key, len(places)) == len(n_named):
                    n_named.append(0)
            check_size(len(lines), len(places), limits, name)
        row: list[str | None] = [None] * len(places)
        for key, value in record:
            row[places[key]] = _text(value)
        for place in {places[key] for key, _ in record}:
            n_named[place] += 1
        cells.append(row)
        if len(cells) == CHUNK:
            check_size(len(lines), len(places), limits, name)
            columns.add([_long(row, len(places)) for row in cells])
            cells = []
    if not lines:
        raise Refusal("{name} holds no record; one a line or a list of them is needed", name=name)
    check_size(len(lines), len(places), limits, name)
    columns.add([_long(row, len(places)) for row in cells])
    names = column_names(list(places), name)
    uneven = tuple(n for n, named in zip(names, n_named, strict=True) if named < len(lines))
    return names, columns.done(len(places)), np.array(lines, np.int64), uneven


def _long(row: list[str | None], n: int) -> Sequence[str | None]:
    return row if len(row) == n else row + [None] * (n - len(row))


def _text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return "true" if value else "false"
