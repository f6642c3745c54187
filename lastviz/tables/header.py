"""Which row names the columns: titles above it are found, and tables without names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from .raw import MISSING

VALUE = re.compile(
    r"[+\-−(]?\s?[€$£¥₹]?\s?(\d[\d.,'\s]*|[.,]\d+)([eE][+-]?\d+)?\s?[%‰€$£¥₹]?\)?"  # a number
    r"|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}([T ]\d.*)?|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}( \d.*)?"  # a date
)
MOST_TITLES = 50  # rows above the names


def is_value(cell: str) -> bool:
    """Tell whether a cell holds a number or a date, in whatever form."""
    return len(cell) < 60 and VALUE.fullmatch(cell) is not None


def find_header(rows: Sequence[Sequence[str]]) -> tuple[int, bool]:
    """Return the place of the table's first row and whether it names the columns.

    Parameters
    ----------
    rows : sequence of sequence of str
        The first rows of the file that are not blank, as text without blanks at its ends.

    Notes
    -----
    A title fills one cell, or at most half of those that most rows fill; rows of the table fill
    more. The first row names the columns unless every column of numbers has a number in it, too.
    """
    start = _titles(rows)
    table = rows[start:]
    if not table:
        return 0, True
    width = len(table[0])
    columns = list(zip(*(row for row in table if len(row) == width), strict=True))
    numeric = []
    for first, *others in columns:
        filled = [cell for cell in others if cell not in MISSING]
        if all(map(is_value, filled)) and (filled or not others):
            numeric.append(is_value(first))
    return start, not numeric or not all(numeric)


def _titles(rows: Sequence[Sequence[str]]) -> int:
    """Return how many rows of title stand above the table."""
    filled = [sum(bool(cell) for cell in row) for row in rows]
    if len(filled) < 3:
        return 0
    usual = Counter(filled[min(len(filled) - 2, MOST_TITLES) :] or filled).most_common(1)[0][0]
    usual = max(usual, Counter(filled).most_common(1)[0][0])
    if usual < 2:
        return 0
    for place, n in enumerate(filled[: MOST_TITLES + 1]):
        if n > max(1, usual // 2):
            return place
    return 0
