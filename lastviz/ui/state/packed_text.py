"""Long texts as short ones, as a link can hold them, and lists of records so and as files."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass, fields
from typing import Generic, TypeVar

from lastviz.ui.text import t

MOST_BYTES = 200_000  # once it is inflated
RAW = -15  # deflated without a header
VERSION = 1  # of files

Record = TypeVar("Record")


def packed_text(text: str) -> str:
    """Return a text as letters, digits, "-" and "_"."""
    deflate = zlib.compressobj(9, wbits=RAW)
    data = deflate.compress(text.encode()) + deflate.flush()
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def unpacked_text(packed: str) -> str:
    """Return the text that :func:`packed_text` packed; ValueError if it did not."""
    try:
        data = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        inflate = zlib.decompressobj(wbits=RAW)
        plain = inflate.decompress(data, MOST_BYTES)
    except (binascii.Error, zlib.error) as error:
        raise ValueError(str(error)) from error
    if not inflate.eof:
        raise ValueError("it is longer than it may be, or cut off")
    return plain.decode("utf-8")


@dataclass(frozen=True)
class PackedRecords(Generic[Record]):
    """How a list of records is written and read."""

    # A dataclass; its `checked` makes a record of parts from outside, or raises ValueError.
    kind: type[Record]
    format: str  # what a file calls itself and the list
    listed: str  # what a file calls itself and the list
    most: int  # records
    most_bytes: int  # of a file
    refused: str  # the sentence for a file that holds no such list

    def write(self, records: Sequence[Record]) -> str:
        """Return records as a link says them; "" without any."""
        parts = [astuple(each) for each in records]
        text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
        return packed_text(text) if records else ""

    def read(self, text: str) -> tuple[Record, ...]:
        """Return the records that :meth:`write` wrote; ValueError if it did not."""
        if not text:
            return ()
        try:
            return self._checked(json.loads(unpacked_text(text)))
        except RecursionError as error:
            raise ValueError(str(error)) from error

    def write_file(self, records: Sequence[Record]) -> str:
        """Return records as a file that people can read."""
        listed = list(map(asdict, records))
        document = {"format": self.format, "version": VERSION, self.listed: listed}
        return json.dumps(document, ensure_ascii=False, indent=1)

    def read_file(self, content: bytes) -> tuple[Record, ...]:
        """Return the records in a file.

        Raises
        ------
        ValueError
            If there are none in it: a sentence for the reader.
        """
        names = [field.name for field in fields(self.kind)]
        try:
            if len(content) > self.most_bytes:
                raise ValueError(len(content))
            found = json.loads(content.decode("utf-8"))
            if found["format"] != self.format or found["version"] != VERSION:
                raise ValueError(found["format"])
            return self._checked([[each[name] for name in names] for each in found[self.listed]])
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise ValueError(t(self.refused)) from error

    def _checked(self, parts: object) -> tuple[Record, ...]:
        if not isinstance(parts, list) or not 1 <= len(parts) <= self.most:
            raise ValueError("there are some records, and not too many")
        return tuple(map(self.kind.checked, parts))
