"""Dates as people write them, and what is read of them: days, year, month, weekday."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from .raw import different
from .scales import MONTHS, WEEKDAYS

if TYPE_CHECKING:
    import pyarrow as pa

DAYS = "days since 1970-01-01"
"""The unit of dates that are read as days."""

CLOCK = r"(?:[T ](?P<h>\d{1,2}):(?P<min>\d{2})(?::(?P<s>\d{2}(?:[.,]\d{1,9})?))?)?\s?(?:Z|UTC)?$"
FORMS = {
    "ymd": r"^(?P<y>\d{4})(?:[-/.]|年)(?P<m>\d{1,2})(?:[-/.]|月)(?P<d>\d{1,2})日?" + CLOCK,
    "xxy": r"^(?P<a>\d{1,2})[-/.](?P<b>\d{1,2})[-/.](?P<y>\d{4})" + CLOCK,
    "dNy": r"^(?P<d>\d{1,2})(?:st|nd|rd|th|\.)?[ -](?P<N>[A-Za-z]{3,9})\.?,?"
    r"[ -](?P<y>\d{4})" + CLOCK,
    "Ndy": r"^(?P<N>[A-Za-z]{3,9})\.? (?P<d>\d{1,2})(?:st|nd|rd|th)?,? (?P<y>\d{4})" + CLOCK,
}  # fmt: skip
MONTH_OF = {
    name[:n].lower(): i for i, name in enumerate(MONTHS, 1) for n in range(3, len(name) + 1)
}


def dates_in(column: pa.ChunkedArray, order: str | None) -> tuple[np.ndarray, str | None, bool]:
    """Return the dates in a column of text.

    Parameters
    ----------
    column : ChunkedArray of string
        Missing cells are null.
    order : {"dmy", "mdy", "ymd"} or None
        Order of the parts; None: by the first form that fits, day first where both do.

    Returns
    -------
    moments : ndarray of datetime64[us]
        Not a time where a cell is missing; none at all (length 0) if any cell is no date.
    order : str or None
        The order in which day and month were read, None where the form says it.
    is_doubtful : bool
        Whether day and month could be exchanged in every cell.
    """
    cells, codes = different(column)
    found, used, doubtful = _moments(cells, order) if len(cells) else (None, None, False)
    if found is None:
        return np.array([], "datetime64[us]"), None, False
    return np.append(found, np.datetime64("NaT", "us"))[codes], used, doubtful


def _moments(cells: pa.Array, order: str | None) -> tuple[np.ndarray | None, str | None, bool]:
    from pyarrow import compute as pc

    for form, pattern in FORMS.items():
        if not pc.match_substring_regex(cells[:1], pattern)[0].as_py():
            continue
        parts = pc.extract_regex(cells, pattern)
        if parts.null_count:
            return None, None, False
        text = {f.name: pc.struct_field(parts, f.name).to_pandas() for f in parts.type}
        clock = {n: pd.to_numeric(text[n].str.replace(",", "."), "coerce").fillna(0)
                 for n in ("h", "min", "s")}  # fmt: skip
        tried = (order,) if order in ("dmy", "mdy") else ("dmy", "mdy")
        if form != "xxy":
            return _made(_calendar(text), clock), None, False
        possible = {}
        for one in tried:
            day, month = ("a", "b") if one == "dmy" else ("b", "a")
            made = _made(_calendar({"y": text["y"], "m": text[month], "d": text[day]}), clock)
            if made is not None:
                possible[one] = made
        if not possible:
            return None, None, False
        used = next(iter(possible))
        differs = len(possible) > 1 and (possible["dmy"] != possible["mdy"]).any()
        return possible[used], used, bool(differs)
    return None, None, False


def _calendar(text: dict[str, pd.Series]) -> pd.DataFrame:
    month = text["N"].str.lower().map(MONTH_OF) if "N" in text else pd.to_numeric(text["m"])
    return pd.DataFrame(
        {"year": pd.to_numeric(text["y"]), "month": month, "day": pd.to_numeric(text["d"])}
    )


def _made(calendar: pd.DataFrame, clock: dict[str, pd.Series]) -> np.ndarray | None:
    """Return moments, None if any is not in the calendar."""
    if calendar.isna().to_numpy().any():
        return None
    moments = pd.to_datetime(calendar.astype(np.int64), errors="coerce")
    if moments.isna().any() or (clock["h"] > 24).any() or (clock["min"] > 59).any():
        return None
    seconds = clock["h"] * 3600 + clock["min"] * 60 + clock["s"]
    return moments.to_numpy("datetime64[us]") + (seconds.to_numpy() * 1e6).astype("timedelta64[us]")


def part_of_date(moments: np.ndarray, part: str) -> pd.Series:
    """Return what is read of dates: "days" and "year" as numbers, "month" and "weekday" as words.

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
