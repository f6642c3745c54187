"""Dates as people write them, and the parts read from them: days, year, month, weekday."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from .numbers import in_digits
from .raw import different

if TYPE_CHECKING:
    import pyarrow as pa


MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

SCALES = (
    ("none", "very low", "low", "medium low", "medium", "medium high", "high", "very high"),
    ("vlow", "low", "med", "high", "vhigh"),
    ("low", "moderate", "high", "extreme"),
    ("low", "middle", "high"),
    ("never", "almost never", "rarely", "seldom", "occasionally", "sometimes", "often", "usually",
     "very often", "almost always", "always"),
    ("strongly disagree", "disagree", "somewhat disagree", "neutral", "somewhat agree", "agree",
     "strongly agree"),
    ("very dissatisfied", "dissatisfied", "neutral", "satisfied", "very satisfied"),
    ("very bad", "bad", "average", "good", "very good", "excellent"),
    ("very poor", "poor", "fair", "average", "good", "very good", "excellent"),
    ("unacceptable", "acceptable", "good", "very good"),
    ("xxs", "xs", "s", "m", "l", "xl", "xxl", "xxxl"),
    ("extra small", "small", "medium", "large", "extra large"),
    ("tiny", "small", "medium", "big", "huge"),
    ("none", "mild", "moderate", "severe", "critical"),
    ("none", "minor", "major", "critical"),
    ("freezing", "cold", "cool", "mild", "warm", "hot"),
    ("very young", "young", "middle-aged", "old", "very old"),
    ("very slow", "slow", "medium", "fast", "very fast"),
    ("first", "second", "third", "fourth", "fifth", "sixth"),
    ("1st", "2nd", "3rd", "4th", "5th", "6th"),
    ("beginner", "intermediate", "advanced", "expert"),
    ("bronze", "silver", "gold", "platinum"),
    ("primary", "secondary", "tertiary"),
    tuple(month.casefold() for month in MONTHS),
    tuple(month[:3].casefold() for month in MONTHS),
    tuple(day.casefold() for day in WEEKDAYS),
    tuple(day[:3].casefold() for day in WEEKDAYS),
    ("sehr niedrig", "niedrig", "mittel", "hoch", "sehr hoch"),
    ("gering", "mittel", "hoch"),
    ("nie", "selten", "manchmal", "oft", "häufig", "meistens", "immer"),
    ("klein", "mittel", "groß"),
    ("schlecht", "mittel", "gut", "sehr gut"),
    ("低", "中", "高"),
    ("小", "中", "大"),
    ("差", "一般", "中", "良", "好", "优"),
    ("从不", "很少", "有时", "经常", "总是"),
)  # fmt: skip
"""Words of a scale, from low to high; a column need not have all of them."""

PAIRS = (
    *(("no", "yes"), ("n", "y"), ("false", "true"), ("f", "t"), ("nein", "ja"), ("non", "oui")),
    *(("no", "sí"), ("no", "si"), ("nej", "ja"), ("não", "sim"), ("否", "是"), ("off", "on")),
    *(("absent", "present"), ("negative", "positive"), ("ne", "da"), ("нет", "да")),
)
"""No and yes."""


def in_order(words: Sequence[str]) -> tuple[str, ...] | None:
    """Words from low to high.

    None if no scale has all of them or there are fewer than two.

    Upper and lower case are alike; two words that differ in nothing else have no order.
    """
    plain = {word.casefold().replace("_", " "): word for word in words}
    if len(plain) < max(2, len(words)):
        return None
    for scale in SCALES:
        known = [word.casefold() for word in scale]
        if plain.keys() <= set(known):
            return tuple(plain[word] for word in known if word in plain)
    return None


def is_yes_no(words: Sequence[str]) -> bool:
    """Whether words are the two of a pair, in whatever upper and lower case."""
    return {word.casefold() for word in words} in [set(pair) for pair in PAIRS]


def no_and_yes(words: Sequence[str]) -> tuple[str, str]:
    """Word for no and that for yes; the order of other words is the alphabet's."""
    plain = sorted({word.casefold() for word in words})
    for pair in PAIRS:
        if set(plain) == set(pair):
            return pair
    return plain[0], plain[-1]


# ---------------------------------------------------------------- dates


DAYS = "days since 1970-01-01"
"""The unit of dates that are read as days."""
HOURS = "h"
"""The unit of clock times."""

CLOCK = (
    r"(?:[T ](?P<h>\d{1,2}):(?P<min>\d{2})(?::(?P<s>\d{2}(?:[.,]\d{1,9})?))?)?"
    r"\s?(?P<half>[AaPp]\.?[Mm]\.?)?\s?(?P<zone>Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?$"
)
FORMS = {
    "ymd": r"^(?P<y>\d{4})(?:[-/.]|年)(?P<m>\d{1,2})(?:[-/.]|月)(?P<d>\d{1,2})日?" + CLOCK,
    "xxy": r"^(?P<a>\d{1,2})[-/.](?P<b>\d{1,2})[-/.](?P<y>\d{4})" + CLOCK,
    "dNy": r"^(?P<d>\d{1,2})(?:st|nd|rd|th|\.)?[ -](?P<N>[A-Za-z]{3,9})\.?,?"
    r"[ -](?P<y>\d{4})" + CLOCK,
    "Ndy": r"^(?P<N>[A-Za-z]{3,9})\.? (?P<d>\d{1,2})(?:st|nd|rd|th)?,? (?P<y>\d{4})" + CLOCK,
    "xx2": r"^(?P<a>\d{1,2})[-/.](?P<b>\d{1,2})[-/.](?P<y>\d{2})" + CLOCK,
    "yW": r"^(?P<y>\d{4})-?W(?P<W>\d{2})(?:-?(?P<wd>[1-7]))?$",
    "yQ": r"^(?P<y>\d{4})[ -]?Q(?P<Q>[1-4])$",
    "ym": r"^(?P<y>\d{4})[-/](?P<m>\d{1,2})$",
    "Ny": r"^(?P<N>[A-Za-z]{3,9})\.?[ -](?P<y>\d{4})$",
}  # fmt: skip
CLOCK_ALONE = (
    r"^(?P<h>\d{1,3}):(?P<min>\d{2})(?::(?P<s>\d{2}(?:[.,]\d{1,9})?))?"
    r"\s?(?P<half>[AaPp]\.?[Mm]\.?)?$"
)
MONTH_OF = {
    name[:n].lower(): i for i, name in enumerate(MONTHS, 1) for n in range(3, len(name) + 1)
}
CENTURY = 70  # years of two digits from here on are of the last one
NO_ZONE = ("Z", "UTC", "GMT")


@dataclass(frozen=True, eq=False)
class Dates:
    """The dates in a column."""

    # ndarray of datetime64[us], not a time where a cell is missing; none at all (length 0) if any
    # cell is no date.
    moments: np.ndarray
    # The order in which day and month were read, None where the form says it.
    order: str | None = None
    is_doubtful: bool = False  # whether day and month could be exchanged in every cell
    # "UTC" or what is ahead of it, such as "+01:00", of which the moments are; None: no cell names
    # one.
    zone: str | None = None
    are_mixed: bool = False  # whether cells name different zones, or some none
    form: str = ""  # key in `FORMS`


NONE = Dates(np.array([], "datetime64[us]"))


def dates_in(column: pa.ChunkedArray, order: str | None, zone: str | None = None) -> Dates:
    """Dates in a column of text.

    Parameters
    ----------
    column : ChunkedArray of string
        Missing cells are null.
    order : {"dmy", "mdy", "ymd"} or None
        Order of the parts; None: by the first form that fits, day first where both do.
    zone : str or None
        The zone that moments are told in; None: the one that all cells name, UTC if they name
        different ones.
    """
    cells, codes = different(column)
    found = _moments(in_digits(cells), order, zone) if len(cells) else NONE
    if not len(found.moments):
        return NONE
    moments = np.append(found.moments, np.datetime64("NaT", "us"))[codes]
    return replace(found, moments=moments)


def _moments(cells: pa.Array, order: str | None, zone: str | None) -> Dates:
    from pyarrow import compute as pc

    for form, pattern in FORMS.items():
        if not pc.match_substring_regex(cells[:1], pattern)[0].as_py():
            continue
        parts = pc.extract_regex(cells, pattern)
        if parts.null_count:
            return NONE
        text = {f.name: pc.struct_field(parts, f.name).to_pandas() for f in parts.type}
        clock = _clock(text)
        tried = (order,) if order in ("dmy", "mdy") else ("dmy", "mdy")
        if clock is None:
            return NONE
        if form not in ("xxy", "xx2"):
            possible = {None: _made(_calendar(text), clock)}
        else:
            years = text["y"] if form == "xxy" else _centuries(text["y"])
            ends = {"dmy": ("a", "b"), "mdy": ("b", "a")}
            possible = {
                one: _made(_calendar({"y": years, "m": text[m], "d": text[d]}), clock)
                for one, (d, m) in ((one, ends[one]) for one in tried)
            }
        possible = {one: made for one, made in possible.items() if made is not None}
        if not possible:
            return NONE
        used = next(iter(possible))
        differs = len(possible) > 1 and bool((possible["dmy"] != possible["mdy"]).any())
        moments, named, mixed = _in_zone(possible[used], text.get("zone"), zone)
        return Dates(moments, used, differs, named, mixed, form)
    return NONE


def _clock(text: dict[str, pd.Series]) -> pd.Series | None:
    """Seconds since midnight, None if a clock says no such time."""
    if "h" not in text:
        return pd.Series(0.0, index=text["y"].index)
    h, minute, s = (
        pd.to_numeric(text[n].str.replace(",", "."), "coerce").fillna(0) for n in ("h", "min", "s")
    )
    half = text["half"].str.lower().str.replace(".", "")
    of_12 = half.isin(["am", "pm"])
    if (h > 24).any() or (minute > 59).any() or (s >= 61).any() or (of_12 & (h > 12)).any():
        return None
    h = h.where(~of_12, h % 12 + 12 * (half == "pm"))
    return h * 3600 + minute * 60 + s


def _in_zone(
    moments: np.ndarray, zones: pd.Series | None, zone: str | None
) -> tuple[np.ndarray, str | None, bool]:
    """Moments in one zone, that zone, and whether cells name different ones."""
    named = pd.Series([], dtype=str) if zones is None else zones.fillna("")
    if not (named != "").any():
        return moments, zone, False
    ahead = np.array([_minutes(each) for each in named])
    different_ones = set(ahead.tolist()) if (named != "").all() else {0, None}
    if zone is None:
        zone = _called(ahead[0]) if len(different_ones) == 1 else "UTC"
    shift = np.where(named != "", _minutes(zone) - ahead, 0)
    shifted = moments + (shift * 60_000_000).astype("timedelta64[us]")
    return shifted, zone, len(different_ones) > 1


def _minutes(zone: str) -> int:
    """Number of minutes by which a zone is ahead of UTC."""
    if not zone or zone in NO_ZONE:
        return 0
    digits = zone[1:].replace(":", "").ljust(4, "0")
    return (-1 if zone[0] == "-" else 1) * (60 * int(digits[:2]) + int(digits[2:]))


def _called(minutes: int) -> str:
    if not minutes:
        return "UTC"
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"


def clocks_in(column: pa.ChunkedArray) -> np.ndarray:
    """Hours that clock times or spans say: 14.5 of 14:30, 2.5 of 2:30:00.

    NaN where a cell is missing; none at all (length 0) if any cell is no time.
    """
    from pyarrow import compute as pc

    cells, codes = different(column)
    parts = pc.extract_regex(in_digits(cells), CLOCK_ALONE)
    if parts.null_count or not len(cells):
        return np.array([])
    text = {f.name: pc.struct_field(parts, f.name).to_pandas() for f in parts.type}
    first = pd.to_numeric(text["h"])
    spans = (first > 24) & (text["half"] == "")
    text["h"] = text["h"].where(~spans, "0")
    seconds = _clock(text)
    if seconds is None:
        return np.array([])
    hours = (seconds / 3600 + first.where(spans, 0)).to_numpy(np.float64)
    return np.append(hours, np.nan)[codes]


def _centuries(years: pd.Series) -> pd.Series:
    numbers = pd.to_numeric(years)
    return numbers + np.where(numbers < CENTURY, 2000, 1900)


def _calendar(text: dict[str, pd.Series]) -> pd.DataFrame:
    year, day = pd.to_numeric(text["y"]), pd.to_numeric(text["d"]) if "d" in text else 1
    if "W" in text:
        weekday = text["wd"].replace("", "1").fillna("1")
        days = pd.to_datetime(text["y"] + text["W"] + weekday, format="%G%V%u", errors="coerce")
        return pd.DataFrame({"year": days.dt.year, "month": days.dt.month, "day": days.dt.day})
    if "Q" in text:
        month = 3 * pd.to_numeric(text["Q"]) - 2
    else:
        named = "N" in text
        month = text["N"].str.lower().map(MONTH_OF) if named else pd.to_numeric(text["m"])
    return pd.DataFrame({"year": year, "month": month, "day": day})


def _made(calendar: pd.DataFrame, seconds: pd.Series) -> np.ndarray | None:
    """Moments, None if any is not in the calendar."""
    if calendar.isna().to_numpy().any():
        return None
    moments = pd.to_datetime(calendar.astype(np.int64), errors="coerce")
    if moments.isna().any():
        return None
    return moments.to_numpy("datetime64[us]") + (seconds.to_numpy() * 1e6).astype("timedelta64[us]")


def part_of_date(moments: np.ndarray, part: str) -> pd.Series:
    """Part of dates.

    "days" and "year" are numbers, "month" and "weekday" are words.

    Months and weekdays are ordered categories; what is missing stays missing.
    """
    known = ~np.isnat(moments)
    if part in ("month", "weekday"):
        dates = pd.Series(moments).dt
        place = dates.month - 1 if part == "month" else dates.day_of_week
        codes = np.where(known, place, -1).astype(np.int64)
        words = MONTHS if part == "month" else WEEKDAYS
        return pd.Series(pd.Categorical.from_codes(codes, categories=list(words), ordered=True))
    if part == "year":
        numbers = pd.Series(moments).dt.year.to_numpy(np.float64)
    else:
        numbers = moments.astype("int64") / 86_400_000_000.0
        numbers[~known] = np.nan
    integral = known.all() and (numbers == np.round(numbers)).all()
    return pd.Series(numbers.astype(np.int64) if integral else numbers)
