"""Compressed files: what is in them comes out bounded, whatever they say of themselves."""

from __future__ import annotations

import io
import lzma
import zipfile
import zlib
from typing import BinaryIO

from lastviz._sentences import Refusal

from .raw import Limits, too_large

CHUNK = 2**20
BROKEN = (
    *(zipfile.BadZipFile, OSError, EOFError, zlib.error, lzma.LZMAError),
    *(NotImplementedError, RuntimeError),
)
NO_TABLES = ("__MACOSX/", ".DS_Store")


def unpacked(data: bytes, kind: str, name: str, limits: Limits) -> bytes:
    """Return what a file of one of the kinds "gzip", "bzip2" and "xz" holds.

    Raises
    ------
    ValueError
        If it is damaged or holds too much.
    """
    import bz2
    import gzip

    opened = {"gzip": gzip.open, "bzip2": bz2.open, "xz": lzma.open}[kind]
    try:
        with opened(io.BytesIO(data)) as file:
            return _bounded(file, name, limits)
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
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
    while part := file.read(CHUNK):
        n_bytes += len(part)
        if n_bytes > limits.n_bytes:
            raise too_large(name, limits.n_bytes)
        parts.append(part)
    return b"".join(parts)
