"""Numbers as people write them: thousands, percent, currencies and units beside them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from .raw import different

if TYPE_CHECKING:
    import pyarrow as pa


EXACT = 2**53
"""Whole numbers up to here are told apart as floating-point numbers."""

GAPS = ("-", "–", "—", ".", "..", "...", "n/a", "n.a.", "N.A.", "None")
"""What stands for a missing value among numbers alone."""

CURRENCIES = (
    r"US\$|R\$|[€$£¥₹₽₩]|EUR|USD|GBP|CHF|JPY|CNY|RMB|INR|CAD|AUD|SEK|NOK|DKK|PLN|CZK|HUF|TRY"
    r"|BRL|RUB"
)
SIGNS = rf"%|‰|°[CF]?|{CURRENCIES}"
UNIT = r"[A-Za-zµμΩ]{1,6}[²³]?(?:/[A-Za-zµ]{1,6}[²³]?)?"
_BLANKS = re.compile("[\u00a0\u2007\u2009\u202f]")
GROUPS = {".": r"\.", ",": ",", " ": " ", "'": "['’]"}
EXPONENT = r"(?:[eE][+-]?\d+)?"
TOO_LONG = "[0-9]{309}"  # of a number beyond the largest floating-point one
DIGITS = 15  # of a whole number that is exact without a look
CODE = "^[0-9]+[eE][0-9]+$"  # programs write a number so with a sign, a point, or both
BESIDE = re.compile(
    rf"(?:{CURRENCIES})?[\s(+−-]*(?:{CURRENCIES})?\s?"
    r"([.,]?\d[\d.,'’ \u00a0\u2009\u202f]*)\)?\D{0,9}"
)
SPACED = re.compile("['’\\s]")
LAKHS = r"\d{1,2}(?:,\d{2})+,\d{3}"  # as in India: 1,02,34,100
WRITTEN = re.compile(rf"[+-]?(?:\d+(?:[.,]\d{{3}})*(?:[.,]\d+)?|{LAKHS}(?:\.\d+)?)")


@dataclass(frozen=True)
class Marks:
    """Decimal mark and thousands mark of the numbers of a table."""

    decimal: str = "."
    # "": digits are not grouped; None: by any mark but the decimal one.
    thousands: str | None = None


@dataclass(frozen=True, eq=False)
class Numbers:
    """The numbers of a column."""

    # (n_rows,), int64 if all are whole and none is missing, else float64 with NaN.
    values: np.ndarray
    wrong: np.ndarray  # bool, the cells that are none
    unit: str = ""  # what stands beside every number
    thousands: str | None = None  # the mark between groups of digits, if any occurred
    is_doubtful: bool = False  # whether each grouped number could be one with three decimals
    # Different whole numbers beyond those that floating-point numbers tell apart.
    n_inexact: int = 0
    has_codes: bool = False  # whether whole numbers begin with a zero
    has_exponents: bool = False  # whether some are written as 1E1, as codes may be
    are_codes: bool = False  # whether all are
    are_versions: bool = False  # whether they are written as 1.9 and 1.10, as versions are
    has_other_digits: bool = False  # whether some are written in the digits of another script


def guess_marks(cells: Iterable[str]) -> Marks:
    """Decimal mark of a table.

    A mark is surely decimal if it stands once with other than three digits behind it, or behind
    the other mark; it is surely none if it stands twice. Three digits behind it may be either:
    then numbers below a thousand without any mark say that it groups.
    """
    sure = {".": 0, ",": 0}
    maybe = {".": 0, ",": 0}
    grouped = {".": 0, ",": 0}
    n_small = 0
    for cell in cells:
        found = BESIDE.fullmatch(cell)
        if found is None:
            continue
        text = SPACED.sub("", found[1])
        n_points, n_commas = text.count("."), text.count(",")
        if not n_points and not n_commas:
            n_small += text.isdigit() and len(text) <= 3
            continue
        if not WRITTEN.fullmatch(text) and not re.fullmatch(r"[+-]?[.,]\d+|\d+[.,]", text):
            continue
        if n_points and n_commas:
            mark = text[max(text.rfind("."), text.rfind(","))]
            sure[mark] += 1
        elif max(n_points, n_commas) > 1:
            grouped["." if n_points else ","] += 1
        else:
            mark = "." if n_points else ","
            before, _, behind = text.partition(mark)
            could_group = len(behind) == 3 and 1 <= len(before) <= 3 and before[0] != "0"
            (maybe if could_group else sure)[mark] += 1
    if sure[","] != sure["."]:
        return Marks("," if sure[","] > sure["."] else ".")
    if sure["."] or grouped[","] or maybe["."] >= maybe[","]:
        return Marks("," if grouped["."] and not sure["."] else ".")
    # Commas before three digits alone, as in 1,234: beside 850 they group.
    return Marks("." if n_small else ",")


def numbers_in(column: pa.ChunkedArray, marks: Marks, gaps: tuple[str, ...] = GAPS) -> Numbers:
    """Numbers in a column of text, with the cells that are none.

    Parameters
    ----------
    column : ChunkedArray of string
        Without blanks at the ends of cells; missing ones are null.
    marks : Marks
    gaps : tuple of str
        What stands for a missing value among numbers.

    Notes
    -----
    Linear in the column; only different cells are looked at one by one.
    """
    import pyarrow as pa
    from pyarrow import compute as pc

    pointed = column
    if marks.decimal == "," and not pc.any(pc.match_substring(column, ".")).as_py():
        pointed = pc.replace_substring(column, ",", ".")
    if marks.decimal == "." or pointed is not column:
        try:
            return _checked(pointed, pc.cast(pointed, pa.float64()))
        except pa.ArrowInvalid:
            pass  # something stands beside the numbers
    cells, codes = different(column)
    found = _of_different(cells, marks, gaps)
    values = np.append(found.values.astype(np.float64), np.nan)[codes]
    if found.values.dtype == np.int64 and not column.null_count:
        values = found.values[codes]
    wrong = np.append(found.wrong, False)[codes]
    return replace(found, values=values, wrong=wrong)


def _checked(column: pa.ChunkedArray, plain: pa.ChunkedArray) -> Numbers:
    """Numbers of cells that all are plain numbers, as whole numbers if they are."""
    import pyarrow as pa
    from pyarrow import compute as pc

    none = np.zeros(len(column), dtype=bool)
    values = plain.to_numpy()
    beyond = pc.match_substring_regex(column.filter(np.isinf(values)), TOO_LONG)
    if n_beyond := pc.sum(beyond).as_py():
        return Numbers(values, none, n_inexact=n_beyond)
    if pc.any(pc.match_substring_regex(column, "^[+-]?0[0-9]+$")).as_py():
        return Numbers(values, none, has_codes=True)
    if not pc.all(pc.match_substring_regex(column, "^[+-]?[0-9]+$")).as_py():
        codes = pc.match_substring_regex(column, CODE)
        some = pc.any(codes).as_py() or False
        every = some and pc.all(codes).as_py()
        versions = not some and _are_versions(column)
        return Numbers(values, none, has_exponents=some, are_codes=every, are_versions=versions)
    unsigned = pc.replace_substring_regex(column, "^\\+", "")
    n_inexact = _inexact(unsigned)
    if not column.null_count and not n_inexact:
        values = pc.cast(unsigned, pa.int64()).to_numpy()
    return Numbers(values, none, n_inexact=n_inexact)


def _inexact(column: pa.ChunkedArray) -> int:
    """Number of different whole numbers too large for floats to distinguish."""
    from pyarrow import compute as pc

    long = column.filter(pc.greater(pc.utf8_length(column), DIGITS))
    return sum(abs(int(cell)) > EXACT for cell in pc.unique(long).to_pylist() if cell)


def _are_versions(column: pa.ChunkedArray) -> bool:
    """Whether cells are numbers of versions: 1.9, 1.10.

    They end in a zero that neither rounding nor its absence leaves.

    Rounded numbers all have the same decimals, others have no zero at their ends.
    """
    from pyarrow import compute as pc

    if not pc.all(pc.match_substring_regex(column, r"^[0-9]{1,3}\.[0-9]{1,3}$")).as_py():
        return False
    cells = pc.unique(column).drop_null()
    length = {cell: len(cell.partition(".")[2]) for cell in cells.to_pylist()}
    ends = [n for cell, n in length.items() if n > 1 and cell.endswith("0")]
    return bool(ends) and min(length.values()) < min(ends)


def in_digits(cells: pa.Array, decimal: str = ".") -> pa.Array:
    """Cells with the digits of other scripts as 0 to 9.

    Their decimal mark is replaced, too.
    """
    import pyarrow as pa
    from pyarrow import compute as pc

    if pc.all(pc.string_is_ascii(cells)).as_py() is not False:
        return cells
    table = _digits() | {ord("٫"): decimal, ord("٬"): ""}
    return pa.array([cell and cell.translate(table) for cell in cells.to_pylist()], pa.string())


@cache
def _digits() -> dict[int, str]:
    beyond = (sign for sign in map(chr, range(0x660, 0x20000)) if sign.isdecimal())
    return {ord(sign): str(int(sign)) for sign in beyond}


def _of_different(cells: pa.Array, marks: Marks, gaps: tuple[str, ...]) -> Numbers:
    """Numbers in different cells, whatever stands beside them."""
    import pyarrow as pa
    from pyarrow import compute as pc

    written = in_digits(cells, marks.decimal)
    text = pc.replace_substring_regex(written, _BLANKS.pattern, " ")
    text = pc.replace_substring(text, "−", "-")
    text = pc.replace_substring_regex(text, r"^\((.+)\)$", r"-\1")
    parts = pc.extract_regex(text, _pattern(marks))
    is_number = parts.is_valid().to_numpy(zero_copy_only=False)
    gap = pc.is_in(cells, pa.array(gaps, pa.string())).to_numpy(zero_copy_only=False)
    if not is_number.any():
        return Numbers(np.full(len(cells), np.nan), ~gap)
    units, number = _parts(parts)
    unit = _one_unit(units[is_number], number[is_number])
    wrong = ~gap & ~(is_number & ((units == unit) | (number == "0")))
    found = _numbers(number, wrong, gap, unit, marks)
    return replace(found, has_other_digits=not written.equals(cells))


def _parts(parts: pa.StructArray) -> tuple[np.ndarray, np.ndarray]:
    """Units and numbers as text, "" where there is none.

    A number has a sign, digits, groups and decimals.
    """
    from pyarrow import compute as pc

    fields = {
        name: pc.fill_null(pc.struct_field(parts, name), "").to_numpy(zero_copy_only=False)
        for name in ("before", "between", "after", "word", "sign", "number")
    }
    units = fields["before"] + fields["between"] + fields["after"] + fields["word"]
    return units.astype(object), (fields["sign"] + fields["number"]).astype(object)


def _pattern(marks: Marks) -> str:
    """Regular expression of a number with anything beside it, its parts named."""
    decimal = re.escape(marks.decimal)
    grouped = [
        rf"\d{{1,3}}(?:{pattern}\d{{3}})+"
        for mark, pattern in GROUPS.items()
        if mark != marks.decimal and marks.thousands in (None, mark)
    ]
    if marks.decimal != "," and marks.thousands in (None, ","):
        grouped.append(LAKHS)
    integer_part = "|".join([*grouped, r"\d+"])
    number = rf"(?:(?:{integer_part})(?:{decimal}\d*)?|{decimal}\d+){EXPONENT}"
    return (
        rf"^(?P<before>{CURRENCIES})?\s?(?P<sign>[+-]?)\s?(?P<between>{CURRENCIES})?\s?"
        rf"(?P<number>{number})(?:\s?(?P<after>{SIGNS})|\s(?P<word>{UNIT}))?$"
    )


def _one_unit(units: np.ndarray, numbers: np.ndarray) -> str:
    """Unit that most numbers have beside them."""
    counted = numbers != "0"
    names, counts = np.unique((units[counted] if counted.any() else units).astype(str),
                              return_counts=True)  # fmt: skip
    return str(names[np.argmax(counts)])


def _numbers(
    number: np.ndarray, wrong: np.ndarray, gap: np.ndarray, unit: str, marks: Marks
) -> Numbers:
    """Distinct texts of numbers, converted to numbers."""
    import pyarrow as pa
    from pyarrow import compute as pc

    is_number = ~wrong & ~gap
    text = pa.array(number[is_number], pa.string())
    used, doubtful = None, True
    for mark in (mark for mark in " '’.," if mark != marks.decimal):
        grouped = text.filter(pc.match_substring(text, mark))
        if len(grouped):
            used = "'" if mark == "’" else mark
            once = pc.equal(pc.count_substring(grouped, mark), 1)
            no_decimals = pc.invert(pc.match_substring(grouped, marks.decimal))
            doubtful &= mark in ".," and pc.all(pc.and_(once, no_decimals)).as_py()
            text = pc.replace_substring(text, mark, "")
    if marks.decimal == ",":
        text = pc.replace_substring(text, ",", ".")
    found = _checked(pa.chunked_array([text]), pc.cast(text, pa.float64()))
    values = np.full(len(number), np.nan)
    values[is_number] = found.values
    if is_number.all():
        values = found.values
    return replace(
        found,
        values=values,
        wrong=wrong,
        unit=unit,
        thousands=used,
        is_doubtful=doubtful and used is not None,
        has_codes=found.has_codes and used is None,
        are_codes=found.are_codes and not wrong.any(),
        are_versions=found.are_versions and marks.decimal == ".",
    )


# ---- Names that people take for one: composed and decomposed letters, blanks that nobody sees

# Signs that look like another one, each before it; they count only where two names collide.
PAIRS = (
    "АAВBЕEЅSІIЈJКKМMНHОOРPСCТTУYХXаaеeѕsіiјjоoрpсcуyхx"  # Cyrillic
    "ΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXοo"  # Greek
    "‐-‑-‒-–-—-−-’'‘'ʼ'´'`'”\"“\""
)
TWINS = str.maketrans(PAIRS[::2], PAIRS[1::2])
BLANKS = re.compile(r"[\s\u2800\u3164]+")
UNSEEN = ("Cf", "Cc")  # categories of signs without a shape


def look_of(name: str) -> str:
    """Look of a name, equal for names that no eye distinguishes."""
    blanks = BLANKS.sub(" ", unicodedata.normalize("NFC", name))
    seen = (
        sign
        for sign in blanks
        if unicodedata.category(sign) not in UNSEEN and not "\ufe00" <= sign <= "\ufe0f"
    )
    return "".join(seen).strip().translate(TWINS)


def case_of(name: str) -> str:
    """Look of a name in small letters, and of a number without its leading zeros."""
    plain = look_of(name).casefold()
    return plain.lstrip("0") or plain if plain.isdigit() else plain


LOOKS = {"looks": look_of, "case": case_of}


def merged_spellings(text: pa.ChunkedArray, how: str) -> pa.ChunkedArray:
    """Names with one spelling each: that of most cells, else the first."""
    import pyarrow as pa

    cells, codes = different(text)
    words = cells.to_pylist()
    counts = np.bincount(codes, minlength=len(words) + 1)
    keys = [LOOKS[how](word) for word in words]
    best: dict[str, int] = {}
    for place, key in enumerate(keys):
        if counts[place] > counts[best.setdefault(key, place)]:
            best[key] = place
    spelt = pa.array([*(words[best[key]] for key in keys), None], pa.string())
    return pa.chunked_array([spelt.take(pa.array(codes))])


def spelt_as(text: pa.ChunkedArray, levels: Iterable[str], how: str) -> pa.ChunkedArray:
    """Names in the spelling of the levels that they look like."""
    import pyarrow as pa

    known = {LOOKS[how](level): level for level in levels}
    cells, codes = different(text)
    spelt = pa.array([*(known.get(LOOKS[how](c), c) for c in cells.to_pylist()), None], pa.string())
    return pa.chunked_array([spelt.take(pa.array(codes))])
