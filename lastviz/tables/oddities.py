"""Rows that are no samples, and marks that may be classes: what a refusal offers to try."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lastviz._sentences import Refusal, Sentence

from .columns import gaps_of, text_of
from .header import is_value
from .raw import RawTable
from .reading import Reading

AT_ENDS = 3  # rows below the names, and at the end, that may be no samples
N_SNIFFED = 1000  # rows that show what columns hold
SHOWN = 60  # letters of a row in a message


def with_offers(refusal: Refusal, raw: RawTable, target: str, reading: Reading) -> Refusal:
    """Return a refusal that says what may be at fault, and offers other readings.

    Each of its ``offers`` is a label and a reading; they are values of its sentence.
    """
    reason = refusal.sentence
    if odd := odd_rows(raw, target):
        rows, shown = ", ".join(map(str, odd)), _shown(raw, odd[0])
        is_one = len(odd) == 1
        label = Sentence("Leave out row {rows}" if is_one else "Leave out rows {rows}", rows=rows)
        offer = (label, replace(reading, without=(*reading.without, *odd)))
        return Refusal(
            "{said}. Row {rows} ({shown}) looks like units or totals: leave it out"
            if is_one
            else "{said}. Rows {rows} ({shown}, ...) look like units or totals: leave them out",
            said=reason,
            rows=rows,
            shown=shown,
            offers=(offer,),
        )
    if marks := gaps_of(raw.columns[raw.names.index(target)], reading.column(target)):
        label = Sentence("“{gap}” is a level", gap=marks[0])
        offer = (label, reading.with_column(target, missing=tuple(marks[1:])))
        return Refusal(
            "{said}. If “{mark}” is a class, read it as one",
            said=reason,
            mark=marks[0],
            offers=(offer,),
        )
    return refusal


def odd_rows(raw: RawTable, target: str) -> tuple[int, ...]:
    """Return rows at the ends of a table that hold a text where other rows hold numbers.

    A row of totals may lack the class instead, which all other rows have.
    """
    n = len(raw.lines)
    if n < 4 * AT_ENDS:
        return ()
    ends = [*range(AT_ENDS), *range(n - AT_ENDS, n)]
    odd = np.zeros(n, dtype=bool)
    for name, column in zip(raw.names, raw.columns, strict=True):
        text = text_of(column.take(ends))
        some = text_of(column.slice(AT_ENDS, min(n - 2 * AT_ENDS, N_SNIFFED))).to_pylist()
        filled = [cell for cell in some if cell is not None]
        if not filled:
            continue
        numeric = all(map(is_value, filled))
        for place, cell in zip(ends, text.to_pylist(), strict=True):
            is_text = numeric and cell is not None and not is_value(cell)
            lacks = name == target and cell is None and len(filled) == len(some)
            odd[place] |= is_text or lacks
    first, last = odd[: AT_ENDS + 1].argmin(), odd[::-1][: AT_ENDS + 1].argmin()
    return (*raw.lines[:first].tolist(), *raw.lines[n - last :].tolist())


def _shown(raw: RawTable, row: int) -> str:
    place = int(np.searchsorted(raw.lines, row))
    cells = (text_of(column.slice(place, 1))[0].as_py() for column in raw.columns)
    text = " · ".join(cell or "" for cell in cells)
    return text[:SHOWN].strip(" ·")
