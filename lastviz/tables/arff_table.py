"""ARFF, the format of Weka: attributes with their values, then rows."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from lastviz._extras import import_extra
from lastviz._sentences import Refusal, Statement

from .encodings import as_text, encoding_of
from .raw import Limits, RawTable, TextColumns, check_size, column_names
from .reading import Reading

DATA = re.compile(r"@data\b", re.IGNORECASE)
DATE = re.compile(
    r"""^(\s*@attribute\s+(?:'[^']*'|"[^"]*"|\S+)\s+)date\b.*$""", re.IGNORECASE | re.DOTALL
)  # a date is text until its column is read
CHUNK = 5000  # rows
MOST_LETTERS = 1_000_000  # of rows that are read at a time


def looks_like_arff(data: bytes) -> bool:
    """Whether text has the declarations of ARFF."""
    begin = data[:1_000_000].replace(b"\0", b"").lower()
    return b"@attribute" in begin and (b"@relation" in begin or b"@data" in begin)


def read_arff(data: bytes, reading: Reading, name: str, limits: Limits) -> RawTable:
    """Read an ARFF file; its numbers keep their digits until they are read as numbers.

    Raises
    ------
    ValueError
        If a declaration or a row is damaged, the rows are sparse, it is too large, and where the
        package that reads ARFF is not installed.
    """
    import_extra("arff", Statement("{name} is ARFF; reading it", name=name))
    encoding = encoding_of(data, reading.encoding, name)
    text = iter(enumerate(as_text(data, encoding), start=1))
    attributes = _attributes(text, name, limits)
    names = column_names([column for column, _ in attributes], name)
    columns, lines = TextColumns(), []
    for begins, rows in _rows(text, len(names), name):
        lines += begins
        check_size(len(lines), len(names), limits, name)
        columns.add(rows)
    if not lines:
        raise Refusal("{name} has declarations but no rows below @data; add rows", name=name)
    levels = {
        column: tuple(dict.fromkeys(kind))
        for column, (_, kind) in zip(names, attributes, strict=True)
        if isinstance(kind, list)
    }
    return RawTable(
        "ARFF",
        names,
        columns.done(len(names)),
        np.array(lines, np.int64),
        0,
        encoding=encoding,
        levels=levels,
    )


def _attributes(text: Iterator[tuple[int, str]], name: str, limits: Limits) -> list[tuple]:
    """(name, type) of each attribute.

    The lines up to @data are consumed.
    """
    import arff

    header = []
    for _, written in text:
        if DATA.match(written.strip()):
            break
        header.append(DATE.sub(r"\1string\n", written))
    else:
        raise Refusal("{name} has no @data below its declarations; add it and the rows", name=name)
    n_attributes = sum(written.lstrip()[:10].lower() == "@attribute" for written in header)
    check_size(0, n_attributes, limits, name)
    if not any(written.lstrip()[:9].lower() == "@relation" for written in header):
        header.insert(0, "@relation table\n")
    try:
        return arff.ArffDecoder().decode("".join(header) + "@data\n")["attributes"]
    except arff.ArffException as error:
        raise Refusal(
            "{name}: {error}; correct the declarations", name=name, error=_reason(error)
        ) from None
    except (ValueError, IndexError, RecursionError) as error:
        raise Refusal(
            "{name} has a declaration that cannot be read ({error}); correct it",
            name=name,
            error=error,
        ) from None


def _rows(
    text: Iterator[tuple[int, str]], n: int, name: str
) -> Iterator[tuple[list[int], list[list[str | None]]]]:
    """Yield the rows of the file and their cells, some thousand at a time."""
    chunk: list[tuple[int, str]] = []
    n_letters = 0
    for line, written in text:
        n_letters += len(written)
        stripped = written.strip()
        if not stripped or stripped.startswith("%"):
            continue
        if stripped.startswith("{"):
            raise Refusal(
                "{name}: row {line} is sparse; write every value out, for example by Weka's "
                "filter SparseToNonSparse",
                name=name,
                line=line,
            )
        is_plain = "'" not in stripped and '"' not in stripped
        if is_plain and stripped.count(",") + 1 != n:
            raise _uneven(stripped, line, n, name)
        chunk.append((line, stripped))
        if len(chunk) == CHUNK or n_letters > MOST_LETTERS:
            yield _cells(chunk, n, name)
            chunk, n_letters = [], 0
    if chunk:
        yield _cells(chunk, n, name)


def _cells(
    chunk: list[tuple[int, str]], n: int, name: str
) -> tuple[list[int], list[list[str | None]]]:
    """Rows as text cell by cell, with quotation marks and escapes resolved."""
    import arff

    attributes = [f"@attribute x{j} string" for j in range(n)]
    lines, rows = [line for line, _ in chunk], []
    try:
        found = arff.ArffDecoder().decode(
            ["@relation r", *attributes, "@data", *(written for _, written in chunk)],
            return_type=arff.DENSE_GEN,
        )["data"]
        for row in found:
            if len(row) != n:
                raise arff.BadDataFormat(row)
            rows.append(row)
    except (arff.ArffException, ValueError, IndexError) as error:
        line, written = chunk[min(len(rows), len(chunk) - 1)]
        if written.count(",") + 1 != n:
            raise _uneven(written, line, n, name) from None
        raise Refusal(
            "{name}: row {line} cannot be read ({error}); correct it",
            name=name,
            line=line,
            error=_reason(error),
        ) from None
    return lines, rows


def _uneven(written: str, line: int, n: int, name: str) -> Refusal:
    return Refusal(
        "{name}: row {line} has {fields} fields instead of {n}; correct it",
        name=name,
        line=line,
        fields=written.count(",") + 1,
        n=n,
    )


def _reason(error: Exception) -> str:
    return " ".join(str(error).split())[:120].rstrip(".")
