"""Meaning of the cells of a column: numbers, dates, words with an order, or names."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from lastviz._sentences import Refusal, Statement

from .dates import DAYS, HOURS, clocks_in, dates_in, in_order, is_yes_no, no_and_yes, part_of_date
from .delimited import is_value
from .hints import (
    alike_hints,
    code_hint,
    date_hints,
    gap_hint,
    hints_of_names,
    hints_of_numbers,
    inexact_hint,
    not_numbers,
)
from .numbers import EXACT, GAPS, Marks, Numbers, merged_spellings, numbers_in
from .raw import MISSING, RawTable
from .reading import READ_AS, ColumnFound, ColumnReading, Reading, Repair

if TYPE_CHECKING:
    import pyarrow as pa


DATE_PARTS = ("days", "year", "month", "weekday")
FEW_VALUES = 10  # a column with more different numbers looks measured
MOST_WORDS = 30  # of a column that may have an order
N_EXAMPLES = 3
SECONDS = "s"


@dataclass(eq=False)
class ReadColumn:
    """A column with its meaning."""

    name: str
    # Int64 or float64, or text or a categorical for names; missing values are NaN.
    values: pd.Series
    read_as: str  # one of `READ_AS`
    choices: tuple[str, ...]  # as what it can be read
    examples: tuple[str, ...] = ()  # first cells, and marks for a missing value that occurred
    gaps: tuple[str, ...] = ()  # first cells, and marks for a missing value that occurred
    unit: str = ""
    order: tuple | None = None  # its levels from low to high, or no and yes
    kind: str = "numeric"  # {"numeric", "nominal", "ordinal"}
    # How it was read: marks, order of dates and zone are those that were found.
    reading: ColumnReading = field(default_factory=ColumnReading)
    hints: list[str] = field(default_factory=list)
    repairs: list[Repair] = field(default_factory=list)  # what some hints offer

    @property
    def found(self) -> ColumnFound:
        """Summary of the column as it was read."""
        ranked = self.order if self.read_as in ("ordinal", "yes_no") else None
        reading = replace(
            self.reading,
            read_as=self.read_as,
            unit=self.unit if self.unit and self.read_as == "number" else None,
            levels=ranked and tuple(map(str, ranked)),
        )
        return ColumnFound(
            self.name, self.read_as, self.choices, self.unit, self.examples, reading, self.gaps
        )


def text_of(column: pa.ChunkedArray, missing: tuple[str, ...] | None = None) -> pa.ChunkedArray:
    """A column as text, missing values as null.

    Blanks at the ends of cells are removed.

    Parameters
    ----------
    column : ChunkedArray
    missing : tuple of str, optional
        What stands for a missing value beside an empty cell; the usual marks if not given.
    """
    import pyarrow as pa
    from pyarrow import compute as pc

    if pa.types.is_boolean(column.type):
        return pc.if_else(column, "True", "False")
    if pa.types.is_timestamp(column.type):
        column = pc.replace_substring_regex(
            pc.strftime(column, format="%Y-%m-%d %H:%M:%S"), r" 00:00:00(\.0*)?$", ""
        )
    elif pa.types.is_duration(column.type):
        column = pc.cast(_seconds(column), pa.string())
    elif not pa.types.is_string(column.type):
        column = pc.cast(column, pa.string())
    column = pc.utf8_trim_whitespace(column)
    gap = pc.is_in(column, pa.array(MISSING if missing is None else ("", *missing)))
    return pc.if_else(gap, pa.scalar(None, pa.string()), column)


def cells_of(column: pa.ChunkedArray, how: ColumnReading) -> pa.ChunkedArray:
    """A column as text, with missing marks and spellings as they are read."""
    text = text_of(column, how.missing)
    return text if how.merged is None else merged_spellings(text, how.merged)


def texts_of(column: pa.ChunkedArray) -> pd.Series:
    """Column of text as pandas has it."""
    return pd.Series(column.to_numpy(), dtype="str")


def gaps_of(column: pa.ChunkedArray, how: ColumnReading) -> tuple[str, ...]:
    """Marks for a missing value that occur in a column of text."""
    import pyarrow as pa
    from pyarrow import compute as pc

    if not pa.types.is_string(column.type):
        return ()
    marks = tuple(filter(None, MISSING if how.missing is None else how.missing))
    cells = pc.utf8_trim_whitespace(column)
    found = pc.unique(cells.filter(pc.is_in(cells, pa.array(marks, pa.string()))))
    return tuple(found.to_pylist())


def read_feature(
    name: str, column: pa.ChunkedArray, lines: np.ndarray, how: ColumnReading, file: str
) -> ReadColumn:
    """Find out the meaning of a column, and read it accordingly.

    Parameters
    ----------
    name : str
    column : ChunkedArray
        Text, numbers, moments, durations or truth values.
    lines : ndarray of int64
        Row of the file of each cell.
    how : ColumnReading
        How it is to be read; its decimal mark is given.
    file : str
        What messages call the file.

    Raises
    ------
    ValueError
        If it cannot be read so, a number is infinite, or a few cells of a column of
        numbers are none; the message names rows.
    """
    import pyarrow as pa

    typed = ColumnReading(missing=how.missing, merged=how.merged)
    if pa.types.is_duration(column.type) and how.read_as != "category":
        found = _typed_numbers(name, _seconds(column), how)
        found.unit, found.reading = SECONDS, typed
    elif pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
        found = _typed_numbers(name, column, how)
        found.reading = typed
    elif pa.types.is_timestamp(column.type) or pa.types.is_date(column.type):
        moments = pa.compute.cast(column, pa.timestamp("us"), safe=False).to_numpy()
        found = _dated(name, column, moments, how.read_as or "days", ("category",))
        zone = getattr(column.type, "tz", None)
        found.reading = replace(typed, zone=zone and "UTC")
    else:
        is_truth = pa.types.is_boolean(column.type)
        found = _text(name, cells_of(column, how), lines, how, file, is_truth=is_truth)
    if how.read_as is not None and found.read_as != how.read_as:
        raise Refusal(
            "{file}: column {name!r} cannot be read as {way}; choose another way",
            file=file,
            name=name,
            way=Statement(READ_AS[how.read_as]),
        )
    if found.kind == "numeric":
        _refuse_infinite(found.values, lines, name, file)
    found.examples, found.gaps = examples_of(column, how), gaps_of(column, how)
    if how.missing is None and found.read_as == "category":
        _offer(found, gap_hint(name, found.gaps, found.values))
    return found


def _offer(found: ReadColumn, repair: Repair | None) -> None:
    """Add a hint and the repair that it offers, if there is one."""
    if repair is not None:
        found.hints.append(repair.hint)
        found.repairs.append(repair)


def _seconds(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Durations in seconds, as whole numbers where all are."""
    import pyarrow as pa
    from pyarrow import compute as pc

    per_second = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[column.type.unit]
    seconds = pc.divide(pc.cast(pc.cast(column, pa.int64()), pa.float64(), safe=False), per_second)
    integral = not column.null_count and pc.all(pc.equal(seconds, pc.round(seconds))).as_py()
    return pc.cast(seconds, pa.int64()) if integral else seconds


def _typed_numbers(name: str, column: pa.ChunkedArray, how: ColumnReading) -> ReadColumn:
    """Read the numbers of a typed file.

    Whole numbers that floats would merge are names unless chosen otherwise.
    """
    import pyarrow as pa
    from pyarrow import compute as pc

    choices = ("number", "category")
    is_long = False
    if pa.types.is_integer(column.type) and column.null_count < len(column):
        ends = pc.min_max(column).as_py()
        is_long = max(-ends["min"], ends["max"]) > EXACT
    if how.read_as == "category" or (is_long and how.read_as is None):
        found = _names(name, cells_of(column, how), choices)
        if how.read_as is None:
            _offer(found, inexact_hint(name))
        return found
    if pa.types.is_floating(column.type) or column.null_count or is_long:
        column = pc.cast(column, pa.float64(), safe=False)
    values = _without_gaps(column.to_numpy(), how)
    found = ReadColumn(name, pd.Series(values), "number", choices)
    for repair in hints_of_numbers(name, Numbers(values, np.zeros(0, bool)), how):
        _offer(found, repair)
    return found


def _without_gaps(values: np.ndarray, how: ColumnReading) -> np.ndarray:
    """Numbers without those that stand for a missing value."""
    gaps = [gap for gap in map(_number, how.missing or ()) if gap is not None]
    gone = np.isin(values, gaps) if gaps else None
    return values if gone is None or not gone.any() else np.where(gone, np.nan, values)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _dated(
    name: str, column: pa.ChunkedArray, moments: np.ndarray, read_as: str, others: tuple[str, ...]
) -> ReadColumn:
    choices = (*DATE_PARTS, *others)
    if read_as not in DATE_PARTS:
        return _names(name, text_of(column), choices)
    values = part_of_date(moments, read_as)
    if read_as in ("month", "weekday"):
        order = tuple(values.cat.categories)
        return ReadColumn(name, values, read_as, choices, order=order, kind="ordinal")
    return ReadColumn(name, values, read_as, choices, unit=DAYS if read_as == "days" else "year")


def _text(
    name: str,
    text: pa.ChunkedArray,
    lines: np.ndarray,
    how: ColumnReading,
    file: str,
    *,
    is_truth: bool,
) -> ReadColumn:
    """Read a column of text.

    As numbers if all cells are, as dates, as words, else as names.
    """
    read_as, marks = how.read_as, Marks(how.decimal, how.thousands)
    given = ColumnReading(missing=how.missing, merged=how.merged)
    if text.null_count == len(text):
        empty = pd.Series(np.full(len(text), np.nan))
        return ReadColumn(name, empty, "number", ("number", "category"), reading=given)
    numbers = numbers_in(text, marks, GAPS if how.missing is None else ())
    n_wrong, n_numbers = int(numbers.wrong.sum()), int(np.isfinite(numbers.values).sum())
    if not n_wrong and read_as in (None, "number", "category"):
        found = _number_or_code(name, text, numbers, how)
        thousands = numbers.thousands or how.thousands
        found.reading = replace(given, decimal=how.decimal, thousands=thousands)
        return found
    words = _different(text)
    choices = _choices_of_words(words)
    if n_wrong and read_as in (None, *DATE_PARTS):
        dates = dates_in(text, how.dates, how.zone)
        if len(dates.moments):
            found = _dated(name, text, dates.moments, read_as or "days", choices)
            found.reading = replace(given, dates=dates.order, zone=dates.zone)
            for repair in date_hints(name, dates, how, text):
                _offer(found, repair)
            return found
    if n_wrong and read_as in (None, "hours"):
        hours = clocks_in(text)
        if len(hours):
            values = pd.Series(hours)
            found = ReadColumn(name, values, "hours", ("hours", *choices), unit=HOURS)
            found.reading = given
            found.hints += [] if read_as else [
                Statement("“{name}” holds times such as {example}, which are read as hours.",
                         name=name, example=words[0])]  # fmt: skip
            return found
    if read_as == "number" or (read_as is None and _looks_numeric(numbers, n_wrong, n_numbers)):
        raise not_numbers(name, text, numbers.wrong, lines, file)
    found = _words(name, text, words, how, choices, is_truth=is_truth)
    found.reading = given
    if found.read_as == "category":
        others = hints_of_names(name, words, marks) if read_as is None else ()
        for repair in (*others, *alike_hints(name, words, how.merged)):
            _offer(found, repair)
    return found


def _number_or_code(
    name: str, text: pa.ChunkedArray, numbers: Numbers, how: ColumnReading
) -> ReadColumn:
    """Read cells that all are numbers; digits that would be lost make them names."""
    choices, hint = ("number", "category"), None
    words = _different(text) if numbers.are_versions else []
    if 2 <= len(words) <= MOST_WORDS:
        choices = (*choices, "ordinal")
    if numbers.has_codes or numbers.are_codes:
        hint = code_hint(name, text, by_zero=numbers.has_codes)
    elif numbers.n_inexact:
        hint = inexact_hint(name)
    if how.read_as == "category" or (how.read_as is None and hint is not None):
        found = _names(name, text, choices)
        if how.read_as is None:
            _offer(found, hint)
        return found
    values = pd.Series(_without_gaps(numbers.values, how))
    found = ReadColumn(name, values, "number", choices, unit=numbers.unit)
    if numbers.is_doubtful and how.read_as is None:
        example = next(c for c in text.to_pylist() if c and numbers.thousands in c)
        found.hints.append(
            Statement(
                "“{name}” holds {example}, whose mark is read as one between thousands; choose "
                "another decimal mark if it is that.",
                name=name,
                example=example,
            )
        )
    for repair in hints_of_numbers(name, numbers, how, text):
        _offer(found, repair)
    return found


def _different(text: pa.ChunkedArray) -> list[str]:
    from pyarrow import compute as pc

    return pc.unique(text).drop_null().to_pylist()


def _choices_of_words(words: list[str]) -> tuple[str, ...]:
    choices = ["category"]
    if 2 <= len(words) <= MOST_WORDS:
        choices.append("ordinal")
    if len({word.casefold() for word in words}) == 2:
        choices.append("yes_no")
    return tuple(choices)


def _words(
    name: str,
    text: pa.ChunkedArray,
    words: list[str],
    how: ColumnReading,
    choices: tuple[str, ...],
    *,
    is_truth: bool,
) -> ReadColumn:
    """Read words: with an order, as no and yes, or as names."""
    read_as = how.read_as
    order = how.levels or (in_order(words) if len(words) <= MOST_WORDS else None)
    alike = len({word.casefold() for word in words}) < len(words)
    if read_as == "yes_no" or (read_as is None and is_yes_no(words) and not alike):
        return _yes_no(name, text, words, choices)
    if "ordinal" in choices and (read_as == "ordinal" or (read_as is None and order is not None)):
        levels = order or tuple(_sorted(words))
        found = _names(name, text, choices)
        found.read_as, found.kind, found.order = "ordinal", "ordinal", levels
        return found
    return _names(name, text, choices)


def _yes_no(
    name: str, text: pa.ChunkedArray, words: list[str], choices: tuple[str, ...]
) -> ReadColumn:
    """Read two words, whose upper and lower case may differ, as no and yes."""
    found = _names(name, text, choices)
    if "yes_no" not in choices:
        return found
    pair = no_and_yes(words)
    spelt = {word.casefold(): word for word in reversed(words)}
    order = tuple(spelt[word] for word in pair)
    if len(words) > 2:
        plain = {word: spelt[word.casefold()] for word in words}
        found.values = found.values.map(plain).astype("str")
    found.read_as, found.order = "yes_no", order
    return found


def _names(name: str, text: pa.ChunkedArray, choices: tuple[str, ...]) -> ReadColumn:
    return ReadColumn(name, texts_of(text), "category", choices, kind="nominal")


def _sorted(words: list[str]) -> list[str]:
    """Words in the order of their numbers, else of the alphabet and inner numbers.

    Versions are compared part by part: where 1.10 is one, 1.9 is below it.
    """
    versions = len({len(word.partition(".")[2]) for word in words}) > 1 and any(
        len(word.partition(".")[2]) > 1 and word.endswith("0") for word in words
    )
    try:
        return sorted(words, key=_parts if versions else float)
    except ValueError:
        return sorted(words, key=_parts)


def _parts(word: str) -> list[str | int]:
    parts = re.split(r"(\d+)", word)
    return [int(part) if place % 2 else part for place, part in enumerate(parts)]


def _looks_numeric(numbers: Numbers, n_wrong: int, n_numbers: int) -> bool:
    """Whether a column is numeric in spite of some cells of text.

    A tenth of text makes no column nominal, nor a half where the numbers look measured.
    """
    measured = len(np.unique(numbers.values[np.isfinite(numbers.values)])) > FEW_VALUES
    return n_numbers > 0 and n_wrong <= (1.0 if measured else 1 / 9) * n_numbers


def _refuse_infinite(values: pd.Series, lines: np.ndarray, name: str, file: str) -> None:
    if values.dtype == np.float64 and np.isinf(values.to_numpy()).any():
        line = lines[np.isinf(values.to_numpy())][0]
        raise Refusal(
            "{file}: column {name!r} has an infinite value in row {line}; correct or empty it",
            file=file,
            name=name,
            line=line,
        )


def examples_of(column: pa.ChunkedArray, how: ColumnReading) -> tuple[str, ...]:
    """First cells of a column, as text."""
    some = text_of(column.slice(0, 50), how.missing).drop_null()
    return tuple(cell[:60] for cell in some.slice(0, N_EXAMPLES).to_pylist())


# ---- Rows that are no samples, and marks that may be classes: what a refusal offers to try


AT_ENDS = 3  # rows below the names, and at the end, that may be no samples
N_SNIFFED = 1000  # rows that show what columns hold
SHOWN = 60  # letters of a row in a message


def with_offers(refusal: Refusal, raw: RawTable, target: str, reading: Reading) -> Refusal:
    """Refusal with its possible cause and offers of other readings.

    Each of its ``offers`` is a label and a reading; they are values of its sentence.
    """
    reason = refusal.sentence
    if odd := odd_rows(raw, target):
        rows, shown = ", ".join(map(str, odd)), _shown(raw, odd[0])
        label = Statement("Leave out row {rows}", "Leave out rows {rows}", n=len(odd), rows=rows)
        offer = (label, replace(reading, without=(*reading.without, *odd)))
        about = Statement(
            "{said}. Row {rows} ({shown}) looks like units or totals: leave it out",
            "{said}. Rows {rows} ({shown}, ...) look like units or totals: leave them out",
            n=len(odd), said=reason, rows=rows, shown=shown, offers=(offer,),
        )  # fmt: skip
        return Refusal(about)
    if marks := gaps_of(raw.columns[raw.names.index(target)], reading.column(target)):
        label = Statement("“{gap}” is a level", gap=marks[0])
        offer = (label, reading.with_column(target, missing=tuple(marks[1:])))
        return Refusal(
            "{said}. If “{mark}” is a class, read it as one",
            said=reason,
            mark=marks[0],
            offers=(offer,),
        )
    return refusal


def odd_rows(raw: RawTable, target: str) -> tuple[int, ...]:
    """Rows at the ends of a table with text where other rows hold numbers.

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
