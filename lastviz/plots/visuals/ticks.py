"""What stands at the ticks of an axis: numbers that differ as read, dates of a column of days."""

from __future__ import annotations

import math
import re
from datetime import date, timedelta
from itertools import count

import numpy as np

from lastviz.tree import digits

from .words import numbers_of, text_width

SINCE = re.compile(r"days since (\d{4}-\d{2}-\d{2})")  # the unit of dates
MOST_DATES = 5
STEPS = 5  # about so many on an axis of numbers
LONG, FEW = 8, 3  # letters of a number from which on an axis has so many
AS_IN_THE_TABLE = ".12~f"  # without marks of thousands or powers of ten, at any zoom
MONTHS_A_STEP = (1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200)
DAYS_A_STEP = (1, 2, 7, 14)


def with_ticks(axis: dict, unit: str = "") -> dict:
    """Return the settings of a numeric axis that shows a range, its ticks legible in that unit."""
    low, high = axis["range"]
    if not (math.isfinite(high - low) and high > low):
        return axis
    first = first_day(unit)
    if first is not None:
        ticks = _dates(first, low, high)
        places, words = zip(*ticks, strict=True) if ticks else ((), ())
        return axis | {"tickvals": list(places), "ticktext": list(words)}
    text = _longest(low, high)
    if "×" not in text:
        axis |= {"tickformat": AS_IN_THE_TABLE}
    return axis | {"nticks": FEW} if len(text) > LONG else axis


def ticks_of(column: np.ndarray, unit: str = "") -> dict:
    """Return the settings of the ticks of an axis that shows a column and finds its range."""
    known = column[np.isfinite(column)]
    if not len(known):
        return {}
    axis = with_ticks({"range": [float(known.min()), float(known.max())]}, unit)
    return {name: value for name, value in axis.items() if name != "range"}


def first_day(unit: str) -> date | None:
    """Return the day from which a unit counts days; None for any other unit."""
    found = SINCE.fullmatch(unit)
    try:
        return None if found is None else date.fromisoformat(found[1])
    except ValueError:  # a reader's own unit, and no day of the calendar
        return None


def dates_of(column: list[float], first: date) -> list[str]:
    """Return days since the first as dates, with the time where there are any."""
    clock = any(value % 1.0 for value in column if math.isfinite(value))
    return [_date(value, first, clock=clock) for value in column]


def labels_width(axis: dict) -> float:
    """Return about how many pixels the labels of an axis take at most."""
    low, high = axis.get("range", (0.0, 0.0))
    if not axis.get("visible", True) or not axis.get("showticklabels", True) or not high > low:
        return 0.0
    texts = axis.get("ticktext")
    texts = [_longest(low, high)] if texts is None else texts
    return max((text_width(part) for text in texts for part in str(text).split("<br>")), default=0)


def _longest(low: float, high: float) -> str:
    largest, step = max(abs(low), abs(high)), (high - low) / STEPS
    text = digits(largest, math.ceil(-math.log10(step)))
    return ("-" if low < 0 else "") + text.replace("e", ".5×10")


def _date(value: float, first: date, *, clock: bool) -> str:
    if not math.isfinite(value):
        return "–"
    try:
        day = first + timedelta(days=math.floor(value))
    except OverflowError:
        return numbers_of([value], [value])[0]
    minutes = round(value % 1.0 * 1440)
    return f"{day} {minutes // 60:02}:{minutes % 60:02}" if clock else f"{day}"


def _dates(first: date, low: float, high: float) -> list[tuple[float, str]]:
    """Return a few round dates in days since the first, and what stands there."""
    try:
        start, end = (first + timedelta(days=math.floor(value)) for value in (low, high))
    except OverflowError:
        return []
    span = (end - start).days
    for step in DAYS_A_STEP:
        if span / step <= MOST_DATES:
            days = range(math.ceil(low), math.floor(high) + 1)
            found = [day for day in days if (day + 3) % step == 0 or step == 1]
            shown = (first + timedelta(days=day) for day in found)
            return [(day, f"{d:%m-%d}<br>{d.year}") for day, d in zip(found, shown, strict=True)]
    step = next((n for n in MONTHS_A_STEP if span / (30.44 * n) <= MOST_DATES), MONTHS_A_STEP[-1])
    begin, ticks = -(-(start.year * 12 + start.month - 1) // step) * step, []
    for month in count(begin, step):
        if not 1 <= month // 12 <= 9999:
            return ticks
        day = date(month // 12, month % 12 + 1, 1)
        if day > end:
            return ticks
        if day >= start:
            ticks.append(((day - first).days, f"{day.year}" if step % 12 == 0 else f"{day:%Y-%m}"))
    return ticks
