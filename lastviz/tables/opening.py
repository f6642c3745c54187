"""Kind of a file, by its first bytes, and the way from there to a table."""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import BinaryIO

from lastviz._sentences import Refusal

from .delimited import read_delimited
from .raw import Limits, RawTable, check_decoded
from .reading import Reading

Reader = Callable[[bytes, Reading, str, Limits], RawTable]

GZIP = b"\x1f\x8b"
MOST_WRAPPINGS = 2  # a compressed file in an archive
ZIP = (b"PK\x03\x04", b"PK\x05\x06")
LOCKED = 0x1  # flag of a file in an archive
# What damaged archives raise.
BROKEN = (zipfile.BadZipFile, OSError, EOFError, zlib.error, RuntimeError, ValueError)
OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# What is no table, or none that is read here: first bytes -> what it is and what to do.
REFUSED = {
    b"%PDF": "{name} is a PDF document; copy its table into a spreadsheet and save that as Excel "
    "or CSV",
    b"\x89PNG": "{name} is a picture; a table is needed, such as CSV or Excel",
    b"\xff\xd8\xff": "{name} is a picture; a table is needed, such as CSV or Excel",
    b"GIF8": "{name} is a picture; a table is needed, such as CSV or Excel",
    b"\x89HDF": "{name} is an HDF5 file; save its table as CSV or Parquet",
    b"SQLite format 3": "{name} is a database of SQLite; save one of its tables as CSV",
    b"\x93NUMPY": "{name} is an array of NumPy, without names of columns; save it as CSV with a "
    "header",
    b"ARROW1": "{name} is a Feather file; save its table as Parquet or CSV",
    b"FEA1": "{name} is a Feather file; save its table as Parquet or CSV",
    b"(\xb5/\xfd": "{name} is compressed by zstd; unpack it, or compress it by gzip",
    b"BZh": "{name} is compressed by bzip2; unpack it, or compress it by gzip",
    b"\xfd7zXZ\x00": "{name} is compressed by xz; unpack it, or compress it by gzip",
    b"7z\xbc\xaf'\x1c": "{name} is an archive of 7-Zip; unpack it, or compress it by zip",
    b"Rar!": "{name} is a RAR archive; unpack it, or compress it by zip",
    b"RDX": "{name} holds objects of R; save the table in R by write.csv",
    b"$FL2": "{name} is a file of SPSS; save it there as CSV or Excel",
    b"<stata_dta>": "{name} is a file of Stata; save it there as CSV or Excel",
    b"{\\rtf": "{name} is a text document; copy its table into a spreadsheet and save that as CSV",
    b"Obj\x01": "{name} is an Avro file; save its table as CSV or Parquet",
    b"ORC": "{name} is an ORC file; save its table as CSV or Parquet",
}
MARKUP = (b"<!doctype", b"<html", b"<?xml", b"<table", b"<svg")
PICKLES = tuple(b"\x80" + bytes([version]) for version in range(2, 6))
OTHER_DOCUMENTS = {
    "word/": "{name} is a text document; copy its table into a spreadsheet and save that as CSV",
    "ppt/": "{name} is a presentation; copy its table into a spreadsheet and save that as CSV",
    "content.xml": "{name} is an OpenDocument file; save its sheet as Excel (xlsx) or CSV",
    "xl/workbook.bin": "{name} is a binary workbook (xlsb); save it as Excel (xlsx) or CSV",
    "Index/Document.iwa": "{name} is a file of Numbers; export it as Excel (xlsx) or CSV",
}


def is_plain(data: bytes) -> bool:
    """Whether a file is as long as its content, as text is: nothing in it is packed."""
    return not data.startswith((GZIP, *ZIP, OLD_OFFICE, b"PAR1"))


def open_table(data: bytes, reading: Reading, name: str, limits: Limits) -> RawTable:
    """Table in a file, whatever kind it is of.

    Parameters
    ----------
    data : bytes
    reading : Reading
    name : str
        What messages call the file.
    limits : Limits

    Raises
    ------
    ValueError
        What is wrong and what to do, in one sentence.
    """
    table = _opened(data, reading, name, limits, MOST_WRAPPINGS)
    n_bytes = sum(column.nbytes for column in table.columns)
    check_decoded(n_bytes, limits.decoded_bytes, name)
    return table


def _opened(data: bytes, reading: Reading, name: str, limits: Limits, wrappings: int) -> RawTable:
    if not data.strip():
        raise Refusal("{name} is empty; a header row and some rows of data are needed", name=name)
    if data.startswith(GZIP):
        _check_wrappings(wrappings, name)
        inner = _unpacked(partial(gzip.open, io.BytesIO(data)), name, limits)
        table = _opened(inner, reading, name, limits, wrappings - 1)
        return replace(table, kind=f"{table.kind}, gzip")
    if data.startswith(ZIP):
        return _from_zip(data, reading, name, limits, wrappings)
    for mark, sentence in REFUSED.items():
        if data.startswith(mark):
            raise Refusal(sentence, name=name)
    if data.startswith(PICKLES) and data.rstrip().endswith(b"."):
        raise Refusal(
            "{name} holds pickled objects of Python, which are never opened here; save the "
            "table by to_csv or to_parquet",
            name=name,
        )
    return _reader(data, name)(data, reading, name, limits)


def _check_wrappings(left: int, name: str) -> None:
    if not left:
        raise Refusal(
            "{name} is packed more than twice; unpack it and hand in the table", name=name
        )


def _reader(data: bytes, name: str) -> Reader:
    """Reader of a file that is not packed.

    Heavy readers are imported here.
    """
    if data.startswith(b"PAR1"):
        from .columnar import read_parquet

        return read_parquet
    if data.startswith(OLD_OFFICE):
        from .workbook import read_workbook

        return read_workbook
    begin = data[:4096].replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe").lstrip()
    if begin[:1] in (b"[", b"{"):
        from .json_records import looks_like_json, read_json

        if looks_like_json(data):
            return read_json
    if begin[:20].lower().startswith(MARKUP):
        raise Refusal(
            "{name} is a web page or XML, not a table; open it in a spreadsheet program "
            "and save it as Excel (xlsx) or CSV",
            name=name,
        )
    if begin[:1] in (b"%", b"@"):
        from .arff_table import looks_like_arff, read_arff

        if looks_like_arff(data):
            return read_arff
    return read_delimited


def _from_zip(data: bytes, reading: Reading, name: str, limits: Limits, wrappings: int) -> RawTable:
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except BROKEN as error:
        raise _damaged(name, error) from None
    names = archive.namelist()
    if "xl/workbook.xml" in names:
        from .workbook import read_workbook

        _check_parts(archive, name)
        return read_workbook(data, reading, name, limits)
    for mark, sentence in OTHER_DOCUMENTS.items():
        if any(member.startswith(mark) for member in names):
            raise Refusal(sentence, name=name)
    _check_wrappings(wrappings, name)
    tables = [
        info.filename
        for info in archive.infolist()
        if not info.is_dir()
        and not info.filename.startswith("__MACOSX/")
        and not info.filename.endswith(".DS_Store")
    ]
    if not tables:
        raise Refusal("{name} is an archive without any file; put a table into it", name=name)
    part, inner_reading = reading.part, reading
    if part in tables:
        inner_reading = replace(reading, part=None)
    elif len(tables) == 1:
        part = tables[0]
    else:
        likely = [t for t in tables if t.lower().endswith((".csv", ".tsv", ".txt", ".xlsx"))]
        part = (likely or tables)[0]
    if archive.getinfo(part).flag_bits & LOCKED:
        raise Refusal(
            "{name} is locked by a password; unpack it and hand in the table itself", name=name
        )
    inner = _unpacked(partial(archive.open, part), name, limits)
    table = _opened(inner, inner_reading, f"{name}: {part}", limits, wrappings - 1)
    kind = f"{table.kind}, zip"
    if len(tables) == 1:
        return replace(table, kind=kind)
    return replace(table, kind=kind, parts=tuple(tables), part=part)


def _check_parts(archive: zipfile.ZipFile, name: str) -> None:
    """Refuse a workbook with a damaged part.

    Calamine reads its dates as numbers, for example.
    """
    if any(info.flag_bits & LOCKED for info in archive.infolist()):
        raise Refusal("{name} is locked by a password; save it without one", name=name)
    try:
        damaged_part = archive.testzip()
    except BROKEN as error:
        raise _damaged(name, error) from None
    if damaged_part is not None:
        raise _damaged(name, damaged_part)


def _unpacked(opened: Callable[[], BinaryIO], name: str, limits: Limits) -> bytes:
    """Content of a packed file; no more of it is unpacked than may be read."""
    try:
        with opened() as file:
            content = file.read(limits.n_bytes + 1)
    except BROKEN as error:
        raise _damaged(name, error) from None
    check_decoded(len(content), limits.n_bytes, name)
    return content


def _damaged(name: str, error: Exception | str) -> Refusal:
    reason = " ".join(str(error).split())[:100]
    return Refusal(
        "{name} is damaged and cannot be unpacked ({reason}); save or download it again",
        name=name,
        reason=reason,
    )
