"""What the cells of a column mean: numbers, dates, words with an order, or names."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from lastviz._sentences import Refusal, Sentence

from .dates import DAYS, dates_in, part_of_date
from .hints import date_hint, hints_of_names, inexact_hint, not_numbers
from .numbers import EXACT, Marks, Numbers, numbers_in
from .raw import MISSING
from .reading import READ_AS, ColumnFound
from .scales import in_order, is_yes_no, no_and_yes

if TYPE_CHECKING:
    import pyarrow as pa

DATE_PARTS = ("days", "year", "month", "weekday")
FEW_VALUES = 10  # a column with more different numbers looks measured
MOST_WORDS = 30  # of a column that may have an order
N_EXAMPLES = 3


@dataclass(eq=False)
class ReadColumn:
    """A column with its meaning.

    Attributes
    ----------
    name : str
    values : Series
        int64 or float64, or text or a categorical for names; missing values are NaN.
    read_as : str
        One of :data:`~lastviz.tables.reading.READ_AS`.
    choices : tuple of str
        As what it can be read.
    examples : tuple of str
    unit : str
    order : tuple or None
        Its levels from low to high, or no and yes.
    kind : {"numeric", "nominal", "ordinal"}
    thousands, dates : str or None
        The marks that occurred in it.
    hints : list of str
    """

    name: str
    values: pd.Series
    read_as: str
    choices: tuple[str, ...]
    examples: tuple[str, ...] = ()
    unit: str = ""
    order: tuple | None = None
    kind: str = "numeric"
    thousands: str | None = None
    dates: str | None = None
    hints: list[str] = field(default_factory=list)

    @property
    def found(self) -> ColumnFound:
        """What was found of it."""
        return ColumnFound(self.name, self.read_as, self.choices, self.unit, self.examples)


def text_of(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column as text without blanks at the ends of cells; what is empty is null."""
    import pyarrow as pa
    from pyarrow import compute as pc

    if pa.types.is_boolean(column.type):
        return pc.if_else(column, "True", "False")
    if pa.types.is_timestamp(column.type):
        column = pc.replace_substring_regex(
            pc.strftime(column, format="%Y-%m-%d %H:%M:%S"), r" 00:00:00(\.0*)?$", ""
        )
    elif not pa.types.is_string(column.type):
        column = pc.cast(column, pa.string())
    column = pc.utf8_trim_whitespace(column)
    gap = pc.is_in(column, pa.array(MISSING))
    return pc.if_else(gap, pa.scalar(None, pa.string()), column)


def texts_of(column: pa.ChunkedArray) -> pd.Series:
    """Return a column of text as pandas has it."""
    return pd.Series(column.to_numpy(), dtype="str")


def read_feature(
    name: str,
    column: pa.ChunkedArray,
    lines: np.ndarray,
    read_as: str | None,
    marks: Marks,
    dates: str | None,
    file: str,
) -> ReadColumn:
    """Find out what a column means, and read it so.

    Parameters
    ----------
    name : str
    column : ChunkedArray
        Text, numbers, moments or truth values.
    lines : ndarray of int64
        Row of the file of each cell.
    read_as : str or None
        As what it is to be read; None: found out.
    marks : Marks
    dates : str or None
        Order of the parts of dates.
    file : str
        What messages call the file.

    Raises
    ------
    ValueError
        If it cannot be read so, a number is infinite, or a few cells of a column of
        numbers are none; the message names rows.
    """
    import pyarrow as pa

    if pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
        found = _typed_numbers(name, column, read_as)
    elif pa.types.is_timestamp(column.type) or pa.types.is_date(column.type):
        moments = pa.compute.cast(column, pa.timestamp("us"), safe=False).to_numpy()
        found = _dated(name, column, moments, read_as or "days", ("category",))
    else:
        is_truth = pa.types.is_boolean(column.type)
        found = _text(name, text_of(column), lines, read_as, marks, dates, file, is_truth=is_truth)
    if read_as is not None and found.read_as != read_as:
        raise Refusal(
            "{file}: column {name!r} cannot be read as {way}; choose another way",
            file=file,
            name=name,
            way=Sentence(READ_AS[read_as]),
        )
    if found.kind == "numeric":
        _refuse_infinite(found.values, lines, name, file)
    found.examples = examples_of(column)
    return found


def _typed_numbers(name: str, column: pa.ChunkedArray, read_as: str | None) -> ReadColumn:
    choices = ("number", "category")
    if read_as == "category":
        return _names(name, text_of(column), choices)
    import pyarrow as pa
    from pyarrow import compute as pc

    if pa.types.is_floating(column.type) or column.null_count:
        is_integer = pa.types.is_integer(column.type)
        if is_integer and column.null_count < len(column) and read_as is None:
            ends = pc.min_max(column).as_py()
            if max(-ends["min"], ends["max"]) > EXACT:
                found = _names(name, text_of(column), choices)
                found.hints.append(inexact_hint(name))
                return found
        column = pc.cast(column, pa.float64(), safe=False)
    return ReadColumn(name, pd.Series(column.to_numpy()), "number", choices)


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
    read_as: str | None,
    marks: Marks,
    dates: str | None,
    file: str,
    *,
    is_truth: bool,
) -> ReadColumn:
    """Read a column of text: as numbers if all cells are, as dates, as words, else as names."""
    if text.null_count == len(text):
        empty = pd.Series(np.full(len(text), np.nan))
        return ReadColumn(name, empty, "number", ("number", "category"))
    numbers = numbers_in(text, marks)
    n_wrong, n_numbers = int(numbers.wrong.sum()), int(np.isfinite(numbers.values).sum())
    if not n_wrong and read_as in (None, "number", "category"):
        return _number_or_code(name, text, numbers, read_as)
    words = _different(text)
    choices = _choices_of_words(words)
    if n_wrong and read_as in (None, *DATE_PARTS):
        moments, order, is_doubtful = dates_in(text, dates)
        if len(moments):
            found = _dated(name, text, moments, read_as or "days", choices)
            found.dates = order
            if is_doubtful and dates is None:
                found.hints.append(date_hint(name, text))
            return found
    if read_as == "number" or (read_as is None and _looks_numeric(numbers, n_wrong, n_numbers)):
        raise not_numbers(name, text, numbers.wrong, lines, file)
    found = _words(name, text, words, read_as, choices, is_truth=is_truth)
    if found.read_as == "category" and read_as is None:
        found.hints += hints_of_names(name, words, marks)
    return found


def _number_or_code(
    name: str, text: pa.ChunkedArray, numbers: Numbers, read_as: str | None
) -> ReadColumn:
    """Read cells that all are numbers; digits that would be lost make them names."""
    choices = ("number", "category")
    hint = None
    if numbers.has_codes:
        hint = Sentence(
            "“{name}” is read as names, since numbers in it begin with a zero, as codes do; read "
            "it as a number if it is one.",
            name=name,
        )
    elif numbers.n_inexact:
        hint = inexact_hint(name)
    if read_as == "category" or (read_as is None and hint is not None):
        found = _names(name, text, choices)
        found.hints += [hint] if hint and read_as is None else []
        return found
    values = pd.Series(numbers.values)
    found = ReadColumn(name, values, "number", choices, unit=numbers.unit)
    found.thousands = numbers.thousands
    if numbers.is_doubtful:
        example = next(c for c in text.to_pylist() if c and numbers.thousands in c)
        found.hints.append(
            Sentence(
                "“{name}” holds {example}, whose mark is read as one between thousands; choose "
                "another decimal mark if it is that.",
                name=name,
                example=example,
            )
        )
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
    read_as: str | None,
    choices: tuple[str, ...],
    *,
    is_truth: bool,
) -> ReadColumn:
    """Read words: with an order, as no and yes, or as names."""
    order = in_order(words) if len(words) <= MOST_WORDS else None
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
    """Return words in the order of their numbers, if they are numbers, else of the alphabet."""
    try:
        return sorted(words, key=float)
    except ValueError:
        return sorted(words)


def _looks_numeric(numbers: Numbers, n_wrong: int, n_numbers: int) -> bool:
    """A tenth of text makes no column nominal, nor a half where the numbers look measured."""
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


def examples_of(column: pa.ChunkedArray) -> tuple[str, ...]:
    """Return the first cells of a column, as text."""
    some = text_of(column.slice(0, 50)).drop_null()
    return tuple(cell[:60] for cell in some.slice(0, N_EXAMPLES).to_pylist())
