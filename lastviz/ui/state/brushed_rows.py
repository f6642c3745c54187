"""Rows that the reader brushed, as part of a link: runs, bits, or a name for very many."""

from __future__ import annotations

import base64
import hashlib
import re
import zlib
from collections import OrderedDict
from threading import Lock

import numpy as np

from lastviz._recent import recently

from .link_texts import read_runs, write_runs

MOST_BRUSHED = 20_000
"""More rows than this are not brushed at once."""

MOST_LETTERS = 1200  # in a link; longer ones do not survive mail and chat
MOST_STORED = 256  # sets of rows that are too many for a link; the oldest go first
LARGEST_ROW = 1_000_000
BITS, NAME = "~", "!"  # what a text begins with that is no list of runs
_stored: OrderedDict[str, tuple[int, ...]] = OrderedDict()
_lock = Lock()


@recently(64)
def write_brushed(rows: tuple[int, ...]) -> str:
    """Return rising positions as ``1-3.7``, as packed bits where those are shorter.

    Of rows that are too many for a link it is a name under which this process keeps them: the
    link works here, and elsewhere says that they are gone. O(largest row).
    """
    text = write_brushed_in_full(rows)
    if len(text) <= MOST_LETTERS:
        return text
    name = hashlib.blake2b(text.encode(), digest_size=9).hexdigest()
    with _lock:
        _stored[name] = rows
        _stored.move_to_end(name)
        while len(_stored) > MOST_STORED:
            _stored.popitem(last=False)
    return NAME + name


def write_brushed_in_full(rows: tuple[int, ...]) -> str:
    """As :func:`write_brushed`, however many rows there are: for files."""
    runs = write_runs(rows)
    return runs if len(runs) <= 60 else min(runs, BITS + _packed(rows), key=len)


def read_brushed(text: str) -> tuple[int, ...]:
    """Return the positions that :func:`write_brushed` wrote.

    Raises
    ------
    ValueError
        If it did not, or if the rows are not kept any more.
    """
    if text.startswith(NAME):
        with _lock:
            found = _stored.get(text.removeprefix(NAME))
        if found is None:
            raise ValueError(text)
        return found
    rows = (
        _unpacked(text.removeprefix(BITS))
        if text.startswith(BITS)
        else read_runs(text, LARGEST_ROW)
    )
    if not 0 < len(rows) <= MOST_BRUSHED:
        raise ValueError(text)
    return rows


def row_numbers(text: str) -> tuple[int, ...]:
    """Return the positions that a reader typed, counted from one: ``3, 17, 40-52``.

    Raises
    ------
    ValueError
        If the text holds anything else, or more than :data:`MOST_BRUSHED` rows.
    """
    found: set[int] = set()
    for part in filter(None, re.split(r"[,;\s]+", re.sub(r"\s*[-–]\s*", "-", text.strip()))):
        first, _, last = part.partition("-")
        low, high = int(first), int(last or first)
        if not 1 <= low <= high <= LARGEST_ROW or high - low >= MOST_BRUSHED:
            raise ValueError(part)
        found.update(range(low - 1, high))
    if len(found) > MOST_BRUSHED:
        raise ValueError(text)
    return tuple(sorted(found))


def _packed(rows: tuple[int, ...]) -> str:
    bits = np.zeros(rows[-1] + 1, dtype=bool)
    bits[list(rows)] = True
    packed = zlib.compress(np.packbits(bits).tobytes(), 9)
    return base64.urlsafe_b64encode(packed).decode("ascii").rstrip("=")


def _unpacked(text: str) -> tuple[int, ...]:
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        unpack = zlib.decompressobj()
        content = unpack.decompress(packed, LARGEST_ROW // 8)
    except zlib.error as reason:
        raise ValueError(text) from reason
    if unpack.unconsumed_tail or not unpack.eof:
        raise ValueError(text)
    return tuple(np.flatnonzero(np.unpackbits(np.frombuffer(content, dtype=np.uint8))).tolist())
