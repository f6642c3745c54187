"""JSON: one record a line, or a list of records."""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import BinaryIO

import numpy as np

from lastviz._sentences import Refusal, Statement

from .encodings import as_text, encoding_of
from .raw import Limits, RawTable, TextColumns, check_size, column_names, too_large
from .reading import Reading

CHUNK = 5000  # records
LONGEST_RECORD = 4_000_000  # letters
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
    """Tell whether text that begins with a bracket is JSON: the next sign is one of its own."""
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
        kind, records = "JSON", enumerate(_listed(_elements(text, name), name), start=1)
    else:
        kind, records = "JSON lines", _by_line(data, encoding, name)
    lines: list[int] = []

    def noted() -> Iterator[Record]:
        for line, record in records:
            lines.append(line)
            yield record

    names, columns, uneven = _collected(noted(), name, limits)
    lines = np.asarray(lines, np.int64)
    return RawTable(kind, names, columns, lines, encoding=encoding, uneven=uneven)


def _parsed(text: str, name: str, where: str) -> object:
    with _explained(name, where):
        return DECODER.decode(text)


def _elements(text: str, name: str) -> Iterator[object]:
    """Yield what a list holds, one after the other: all at once take ten times the room.

    None is looked at beyond the longest record, so that a long one is refused before it is made.
    """
    with _explained(name, ""):
        at = _behind_blanks(text, text.index("[") + 1)
        begin, part = at, text[at : at + LONGEST_RECORD]
        ends = part[:1] == "]"
        while not ends:
            try:
                element, end = DECODER.raw_decode(part, at - begin)
                end = _behind_blanks(part, end)
                if part[end : end + 1] not in (",", "]"):
                    raise json.JSONDecodeError("Expecting ',' delimiter", part, end)
            except json.JSONDecodeError as error:
                if begin + len(part) == len(text):
                    raise json.JSONDecodeError(error.msg, text, begin + error.pos) from None
                _check_record_length(len(text) if at == begin else 0, name)
                begin, part = at, text[at : at + LONGEST_RECORD]
                continue
            yield element
            ends, at = part[end] == "]", begin + end
            at = at if ends else _behind_blanks(text, at + 1)
        at = _behind_blanks(text, at + 1)
        if at < len(text):
            raise json.JSONDecodeError("Extra data", text, at)


def _check_record_length(n_letters: int, name: str) -> None:
    if n_letters > LONGEST_RECORD:
        raise Refusal(
            "{name} has a record of more than {most:,} letters; give one plain record a row",
            name=name,
            most=LONGEST_RECORD,
        )


def _behind_blanks(text: str, at: int) -> int:
    return BLANKS.match(text, at).end()


@contextmanager
def _explained(name: str, where: str) -> Iterator[None]:
    """Say in a sentence what is wrong with JSON; `where`: in which row, if there is one a row."""
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
            _check_record_length(len(written), name)
            record = _parsed(written, name, str(line))
            _check_record(record, name, Statement("row {row}", row=line))
            yield line, record


def _check_shape(text: Iterator[str], name: str) -> None:
    """Refuse one object with lists in it, or over several lines: a file of another shape."""
    first = next((line for line in text if line.strip()), "").rstrip()
    if len(first) > LONGEST_RECORD:
        return
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


def _listed(found: Iterable[object], name: str) -> Iterator[Record]:
    """Yield the records of a list."""
    for place, record in enumerate(found, start=1):
        _check_record(record, name, Statement("record {place}", place=place))
        yield record


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


def _collected(records: Iterator[Record], name: str, limits: Limits) -> tuple:
    """Names, columns, and which names not every record has.

    What a record does not name is missing. Records become columns some thousand at a time: as
    they are they take many times the room.
    """
    places: dict[str, int] = {}
    n_named: list[int] = []
    cells: list[list[str | None]] = []
    n_rows = 0
    columns = TextColumns()
    for record in records:
        n_rows += 1
        if len(record) != len(places) or any(key not in places for key, _ in record):
            for key, _ in record:
                if places.setdefault(key, len(places)) == len(n_named):
                    n_named.append(0)
            check_size(n_rows, len(places), limits, name)
        row: list[str | None] = [None] * len(places)
        for key, value in record:
            row[places[key]] = _text(value)
        for place in {places[key] for key, _ in record}:
            n_named[place] += 1
        cells.append(row)
        if len(cells) == CHUNK:
            check_size(n_rows, len(places), limits, name)
            columns.add([_long(row, len(places)) for row in cells])
            cells = []
    if not n_rows:
        raise Refusal("{name} holds no record; one a line or a list of them is needed", name=name)
    check_size(n_rows, len(places), limits, name)
    columns.add([_long(row, len(places)) for row in cells])
    names = column_names(list(places), name)
    uneven = tuple(n for n, named in zip(names, n_named, strict=True) if named < n_rows)
    return names, columns.done(len(places)), uneven


def _long(row: list[str | None], n: int) -> Sequence[str | None]:
    return row if len(row) == n else row + [None] * (n - len(row))


def _text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return "true" if value else "false"


# ---- Compressed files: what is in them comes out bounded, whatever they say of themselves


PACKED_CHUNK = 2**20
BROKEN = (
    *(zipfile.BadZipFile, OSError, EOFError, zlib.error),
    *(NotImplementedError, RuntimeError),
)
NO_TABLES = ("__MACOSX/", ".DS_Store")


def gunzipped(data: bytes, name: str, limits: Limits) -> bytes:
    """Content of a file that gzip compressed.

    Raises
    ------
    ValueError
        If it is damaged or holds too much.
    """
    import gzip

    try:
        with gzip.open(io.BytesIO(data)) as file:
            return _bounded(file, name, limits)
    except (OSError, EOFError, zlib.error) as error:
        raise damaged(name, error) from None


def zip_of(data: bytes, name: str) -> zipfile.ZipFile:
    """Return a zip archive, opened; raises ValueError if it is damaged."""
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise damaged(name, error) from None


def members(archive: zipfile.ZipFile) -> list[str]:
    """Return the files of an archive that may be tables."""
    names = (info.filename for info in archive.infolist() if not info.is_dir())
    return [n for n in names if not n.startswith(NO_TABLES) and not n.endswith(NO_TABLES)]


def read_member(archive: zipfile.ZipFile, member: str, name: str, limits: Limits) -> bytes:
    """Return one file of an archive.

    Raises
    ------
    ValueError
        If it is damaged, encrypted or too large.
    """
    info = archive.getinfo(member)
    if info.flag_bits & 0x1:
        raise Refusal(
            "{name} is locked by a password; unpack it and hand in the table itself", name=name
        )
    if info.file_size > limits.n_bytes:
        raise too_large(name, limits.n_bytes)
    try:
        with opened_member(archive, info, name) as file:
            return _bounded(file, name, limits)
    except BROKEN as error:
        raise damaged(name, error) from None


def opened_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> BinaryIO:
    """Return one file of an archive, opened; raises ValueError if it is damaged."""
    try:
        return archive.open(info)
    except (*BROKEN, ValueError) as error:
        raise damaged(name, error) from None


def damaged(name: str, error: Exception) -> ValueError:
    """Return the error for what cannot be unpacked."""
    reason = " ".join(str(error).split())[:100]
    return Refusal(
        "{name} is damaged and cannot be unpacked ({reason}); save or download it again",
        name=name,
        reason=reason,
    )


def _bounded(file: BinaryIO, name: str, limits: Limits) -> bytes:
    parts, n_bytes = [], 0
    while part := file.read(PACKED_CHUNK):
        n_bytes += len(part)
        if n_bytes > limits.n_bytes:
            raise too_large(name, limits.n_bytes)
        parts.append(part)
    return b"".join(parts)
