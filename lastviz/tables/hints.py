"""Messages about columns: hints on guesses, the repairs offered, and errors with their rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from lastviz._sentences import Refusal, Statement

from .numbers import EXACT, Marks, Numbers, case_of, guess_marks, look_of, numbers_in
from .reading import ColumnReading, Repair

if TYPE_CHECKING:
    import pyarrow as pa

    from .dates import Dates

N_SHOWN = 3  # rows that a message names
MOST_LOOKED_AT = 1000  # different values among which alike ones are sought
STAND_INS = {float(sign + digit * n) for sign in ("", "-") for digit in "987" for n in range(2, 6)}
"""Numbers that often stand for a missing one: 99, -999, 8888, ..."""
LONGEST_CODE = 1e20  # such as 64 bits or nanoseconds
SHORT = 3  # letters of a code, such as that of a country


def inexact_hint(name: str) -> Repair:
    """Hint on whole numbers that are read as names."""
    return Repair(
        Statement(
            "“{name}” is read as names, since its whole numbers have more digits than a number "
            "keeps; read it as a number if the last digits do not matter.",
            name=name,
        ),
        Statement("Read it as a number"),
        name,
        (("read_as", "number"),),
    )


def code_hint(name: str, text: pa.ChunkedArray, *, by_zero: bool) -> Repair:
    """Hint on codes that could be numbers."""
    example = next(cell for cell in text.to_pylist() if cell)
    hint = (
        Statement(
            "“{name}” is read as names, since numbers in it begin with a zero, as codes do; read "
            "it as a number if it is one.",
            name=name,
        )
        if by_zero
        else Statement(
            "“{name}” is read as names, since {example} may be a code: as numbers, 1E1 and 10E0 "
            "would be one value. Read it as a number if the E means an exponent.",
            name=name,
            example=example,
        )
    )
    return Repair(hint, Statement("Read it as a number"), name, (("read_as", "number"),))


def gap_hint(name: str, gaps: Sequence[str], values: pd.Series) -> Repair | None:
    """Hint on a mark for missing values that may be one of the codes in its column."""
    marks = [gap for gap in gaps if gap.isalpha()]
    words = values.dropna().unique()[:MOST_LOOKED_AT]
    codes = [word for word in words if len(word) <= SHORT and word.isalpha() and word.isupper()]
    if not marks or len(words) < 2 or len(codes) < 0.8 * len(words):
        return None
    others = tuple(gap for gap in gaps if gap != marks[0])
    return Repair(
        Statement(
            "“{gap}” in “{name}” is read as missing; it may be a level of its own among such codes "
            "as {example}.",
            gap=marks[0],
            name=name,
            example=words[0],
        ),
        Statement("“{gap}” is a level", gap=marks[0]),
        name,
        (("missing", others),),
    )


def date_hints(
    name: str, dates: Dates, how: ColumnReading, text: pa.ChunkedArray
) -> Iterator[Repair | None]:
    """Yield hints on dates: exchanged day and month, zones, parts left out."""
    example = next(cell for cell in text.to_pylist() if cell)
    if dates.is_doubtful and how.dates is None:
        other = "mdy" if dates.order == "dmy" else "dmy"
        yield Repair(
            Statement(
                "“{name}” holds dates such as {example}, which are read day first; choose another "
                "order if the month is first.",
                name=name,
                example=example,
            ),
            Statement("The month is first") if other == "mdy" else Statement("The day is first"),
            name,
            (("dates", other),),
        )
    hint = None
    if dates.zone is not None and dates.zone != "UTC" and how.zone is None:
        hint = Statement(
            "“{name}” holds moments such as {example}; they are read in the time zone {zone}.",
            name=name,
            example=example,
            zone=dates.zone,
        )
    elif dates.are_mixed and how.zone is None:
        hint = Statement(
            "“{name}” holds moments of different time zones; they are read in UTC.", name=name
        )
    elif dates.form in PARTS_OF_DATES and how.read_as is None:
        hint = Statement(PARTS_OF_DATES[dates.form], name=name, example=example)
    if hint is not None:
        yield Repair(hint, Statement("Read it as names"), name, (("read_as", "category"),))


PARTS_OF_DATES = {
    **dict.fromkeys(
        ("yW", "ym", "Ny", "yQ"),
        "“{name}” holds dates without a day such as {example}, which are read as its first day.",
    ),
    "xx2": "“{name}” holds dates with years of two digits such as {example}, which are read as "
    "1970 to 2069.",
}


def hints_of_numbers(
    name: str, numbers: Numbers, how: ColumnReading, text: pa.ChunkedArray | None = None
) -> Iterator[Repair]:
    """Yield hints on numbers: codes among them, versions, digits, a mark for missing."""
    as_names = (Statement("Read it as names"), name, (("read_as", "category"),))
    if how.read_as is None:
        if numbers.are_versions:
            yield Repair(
                Statement(
                    "“{name}” is read as numbers, among which 1.10 is 1.1 and less than 1.9; if "
                    "these are versions, read them as ordered words.",
                    name=name,
                ),
                Statement("Read it as ordered words"),
                name,
                (("read_as", "ordinal"),),
            )
        if numbers.has_exponents:
            yield Repair(
                Statement(
                    "“{name}” is read as numbers, among which 1E1 is 10; read it as names if these "
                    "are codes.",
                    name=name,
                ),
                *as_names,
            )
        if numbers.has_other_digits:
            example = next(c for c in text.to_pylist() if c and not c.isascii())
            yield Repair(
                Statement(
                    "“{name}” is read as numbers; the digits of {example} are those of another "
                    "script.",
                    name=name,
                    example=example,
                ),
                *as_names,
            )
        if not numbers.n_inexact and _are_beyond(numbers.values):
            yield Repair(
                Statement(
                    "“{name}” holds whole numbers with more digits than a number keeps, so that "
                    "some may have become one; if they are codes, save them as text in the file.",
                    name=name,
                ),
                *as_names,
            )
    if how.missing is None and (stand_in := _stand_in(numbers.values)) is not None:
        yield Repair(
            Statement(
                "“{name}” holds {value} far from its other values; such a number often stands for "
                "a missing one.",
                name=name,
                value=stand_in,
            ),
            Statement("{value} is missing", value=stand_in),
            name,
            (("missing", (stand_in,)),),
        )


def _are_beyond(values: np.ndarray) -> bool:
    """Whether some values are longer than the digits that a number keeps.

    All must be whole, and none longer than a code.

    Where they came as floating-point numbers, as from a workbook, their last digits are gone.
    """
    known = values[np.isfinite(values.astype(np.float64))]
    if known.dtype.kind != "f" or not len(known) or not (known == np.round(known)).all():
        return False
    return EXACT < np.abs(known).max() < LONGEST_CODE


def _stand_in(values: np.ndarray) -> str | None:
    """Number that stands for a missing value, if there is one.

    It is recognised by its digits and its distance.
    """
    known = values[np.isfinite(values.astype(np.float64))]
    if len(known) < N_SHOWN:
        return None
    low, high = known.min(), known.max()
    for end in (low, high):
        if float(end) not in STAND_INS:
            continue
        others = known[known != end]
        if not len(others):
            continue
        spread = float(others.max()) - float(others.min())
        distance = float(others.min()) - float(end) if end == low else float(end - others.max())
        is_alone = end < 0 <= others.min() and end <= -99
        if distance > max(spread, 1.0) or (is_alone and distance > 0.1 * spread):
            return f"{float(end):.0f}"
    return None


def hints_of_names(name: str, words: list[str], marks: Marks) -> Iterator[Repair]:
    """Yield hints on names: numbers in another form."""
    import pyarrow as pa

    some = pa.chunked_array([pa.array(words[:MOST_LOOKED_AT], pa.string())])
    if not any(word[-1:].isdigit() or word[:1].isdigit() for word in words[:MOST_LOOKED_AT]):
        return
    other = guess_marks(some.to_pylist())
    if other.decimal == marks.decimal or numbers_in(some, Marks(other.decimal)).wrong.any():
        return
    comma = other.decimal == ","
    yield Repair(
        Statement(
            "“{name}” would be numbers with another decimal mark ({example}); choose it if it is "
            "one.",
            name=name,
            example=words[0],
        ),
        Statement("The comma is decimal") if comma else Statement("The point is decimal"),
        name,
        (("decimal", other.decimal),),
    )


def alike_hints(name: str, words: Sequence[str], merged: str | None = None) -> Iterator[Repair]:
    """Yield hints on names that look the same.

    Also on names that differ in case or leading zeros alone.
    """
    if merged is None and (pair := _pair(words, look_of)) is not None:
        yield Repair(
            Statement(
                "“{name}” holds two values that look the same, “{other}”: they differ in signs "
                "that nobody sees ({one}; {two}).",
                name=name,
                other=pair[0],
                one=_differing(*pair),
                two=_differing(*reversed(pair)),
            ),
            Statement("Make them one value"),
            name,
            (("merged", "looks"),),
        )
    elif merged != "case" and (pair := _pair(words, case_of)) is not None:
        yield Repair(
            Statement(
                "“{name}” holds both “{other}” and “{word}”, which are different values here; "
                "write them alike if they mean the same.",
                name=name,
                other=pair[0],
                word=pair[1],
            ),
            Statement("Make them one value"),
            name,
            (("merged", "case"),),
        )


def hint_of_columns(names: Sequence[str]) -> Iterator[Statement]:
    """Yield a hint if two columns have names that look the same."""
    if (pair := _pair(names, look_of)) is not None:
        yield Statement(
            "Two columns have names that look the same, “{other}”: they differ in signs that "
            "nobody sees ({one}; {two}). Name one of them otherwise in the file.",
            other=pair[0],
            one=_differing(*pair),
            two=_differing(*reversed(pair)),
        )


def _pair(words: Sequence[str], key: object) -> tuple[str, str] | None:
    """First two different words of one key."""
    seen: dict[str, str] = {}
    for word in words[:MOST_LOOKED_AT]:
        other = seen.setdefault(key(word), word)
        if other != word:
            return other, word
    return None


def _differing(word: str, other: str) -> str:
    """Signs in which a word differs from another one, as codes: "U+0061 U+0301"."""
    n = next(
        (i for i, (a, b) in enumerate(zip(word, other, strict=False)) if a != b),
        min(len(word), len(other)),
    )
    end = 0
    while end < min(len(word), len(other)) - n and word[-1 - end] == other[-1 - end]:
        end += 1
    signs = word[n : len(word) - end]
    return " ".join(f"U+{ord(sign):04X}" for sign in signs[:N_SHOWN]) or "–"


def not_numbers(
    name: str, text: pa.ChunkedArray, wrong: np.ndarray, lines: np.ndarray, file: str
) -> ValueError:
    """Error for cells that are no numbers in a column of numbers."""
    about = Statement(
        "{file}: column {name!r} has {n:,} cell that is not a number ({cells}); correct or empty "
        "it",
        "{file}: column {name!r} has {n:,} cells that are not numbers ({cells}); correct or empty "
        "them",
        file=file,
        name=name,
        n=wrong.sum(),
        cells=_shown(text.filter(wrong).to_pylist(), lines[wrong]),
    )
    return Refusal(about)


def _shown(cells: Sequence[str], rows: np.ndarray) -> Statement:
    """First cells of a message with their rows."""
    first, *others = (
        Statement("row {row}: {cell!r}", row=row, cell=cell[:40])
        for row, cell in zip(rows[:N_SHOWN], cells[:N_SHOWN], strict=True)
    )
    for each in others:
        first = Statement("{first}, {next}", first=first, next=each)
    return Statement("{first}, ...", first=first) if len(rows) > N_SHOWN else first


def row_list(rows: np.ndarray) -> Statement:
    """First rows of a message."""
    some = ", ".join(map(str, rows[:N_SHOWN])) + (", ..." if len(rows) > N_SHOWN else "")
    return Statement("row {rows}", "rows {rows}", n=len(rows), rows=some)
