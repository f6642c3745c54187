"""What is said of columns: hints about what was guessed, and errors with their rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from lastviz._sentences import Refusal, Sentence

from .numbers import Marks, guess_marks, numbers_in

if TYPE_CHECKING:
    import pyarrow as pa

N_SHOWN = 3  # rows that a message names
MOST_LOOKED_AT = 1000  # different values among which alike ones are sought


def inexact_hint(name: str) -> str:
    """Return what is said of whole numbers that are read as names."""
    return Sentence(
        "“{name}” is read as names, since its whole numbers have more digits than a number keeps; "
        "read it as a number if the last digits do not matter.",
        name=name,
    )


def date_hint(name: str, text: pa.ChunkedArray) -> str:
    """Return what is said of dates whose day and month could be exchanged."""
    example = next(cell for cell in text.to_pylist() if cell)
    return Sentence(
        "“{name}” holds dates such as {example}, which are read day first; choose another order "
        "if the month is first.",
        name=name,
        example=example,
    )


def hints_of_names(name: str, words: list[str], marks: Marks) -> list[str]:
    """Return what somebody should know of names: numbers in another form, spellings alike."""
    import pyarrow as pa

    hints = []
    some = pa.chunked_array([pa.array(words[:MOST_LOOKED_AT], pa.string())])
    if any(word[-1:].isdigit() or word[:1].isdigit() for word in words[:MOST_LOOKED_AT]):
        other = guess_marks(some.to_pylist())
        numbers = numbers_in(some, Marks(other.decimal))
        if other.decimal != marks.decimal and not numbers.wrong.any():
            hints.append(
                Sentence(
                    "“{name}” would be numbers with a decimal comma ({example}); choose that mark "
                    "if it is one."
                    if other.decimal == ","
                    else "“{name}” would be numbers with a decimal point ({example}); choose that "
                    "mark if it is one.",
                    name=name,
                    example=words[0],
                )
            )
    hints += alike_hints(name, words)
    return hints


def alike_hints(name: str, words: Sequence[str]) -> list[str]:
    """Return a sentence if two names differ in upper and lower case alone, or in leading zeros."""
    seen: dict[str, str] = {}
    for word in words[:MOST_LOOKED_AT]:
        plain = word.casefold()
        plain = plain.lstrip("0") or plain if plain.isdigit() else plain
        other = seen.setdefault(plain, word)
        if other != word:
            return [
                Sentence(
                    "“{name}” holds both “{other}” and “{word}”, which are different values here; "
                    "write them alike if they mean the same.",
                    name=name,
                    other=other,
                    word=word,
                )
            ]
    return []


def not_numbers(
    name: str, text: pa.ChunkedArray, wrong: np.ndarray, lines: np.ndarray, file: str
) -> ValueError:
    """Return the error for cells that are no numbers in a column of numbers."""
    n = int(wrong.sum())
    return Refusal(
        "{file}: column {name!r} has {n:,} cell that is not a number ({cells}); correct or empty it"
        if n == 1
        else "{file}: column {name!r} has {n:,} cells that are not numbers ({cells}); correct or "
        "empty them",
        file=file,
        name=name,
        n=n,
        cells=_shown(text.filter(wrong).to_pylist(), lines[wrong]),
    )


def _shown(cells: Sequence[str], rows: np.ndarray) -> Sentence:
    """Return the first cells of a message with their rows."""
    first, *others = (
        Sentence("row {row}: {cell!r}", row=row, cell=cell[:40])
        for row, cell in zip(rows[:N_SHOWN], cells[:N_SHOWN], strict=True)
    )
    for each in others:
        first = Sentence("{first}, {next}", first=first, next=each)
    return Sentence("{first}, ...", first=first) if len(rows) > N_SHOWN else first


def row_list(rows: np.ndarray) -> Sentence:
    """Return the first rows of a message."""
    some = ", ".join(map(str, rows[:N_SHOWN]))
    if len(rows) == 1:
        return Sentence("row {rows}", rows=some)
    return Sentence("rows {rows}, ..." if len(rows) > N_SHOWN else "rows {rows}", rows=some)
