"""Number of decimals a column needs so that no two different numbers read alike.

One rule for all of the app: four significant digits, and as many more as the column asks for. For
its values these are the decimals that tell neighbours apart, for the thresholds of a tree those
that keep each of them between the same rows and apart from all others.
"""

from __future__ import annotations

import math
from contextlib import suppress
from itertools import count

import numpy as np

from lastviz._recent import recently

SIGNIFICANT = 4
ALL = 17  # significant digits that tell any two numbers apart
SMALL, LARGE, HUGE = -4, 9, 16  # powers of ten from which on numbers are printed as one
LOOKED_AT = 20_000  # values of a column, evenly spaced
CLOSEST = 0.05  # share of the neighbours that may be too close: chance, where values are measured
OWN = 3  # decimals more by which values are as they were written
LONGER = 3  # decimals more for which a threshold on a row's own long value is printed above it
EXACT = 9  # significant digits at which a threshold is printed as it is where no rows tell


@recently(4096)
def places_of(value: float, decimals: int | None = None) -> int:
    """Number of decimals with which :func:`digits` prints a finite number."""
    power = _power(value)
    places = SIGNIFICANT - 1 - power
    if decimals is not None:
        places = min(max(places, decimals), ALL - 1 - power)
    short = power + 1 + places <= SIGNIFICANT
    return places if power >= (LARGE if short else HUGE) else max(places, 0)


def digits(value: float, decimals: int | None = None, *, mark: str = "") -> str:
    """A finite number with four significant digits.

    More digits if that many `decimals` require them.

    Digits before the decimal point are never rounded away below 10^9. `mark` parts thousands.

    Examples
    --------
    >>> digits(52.520041, 5), digits(1013.25, 0), digits(20095.5), digits(1.23e-9), digits(5e12)
    ('52.52004', '1013', '20096', '1.23e-09', '5e+12')
    """
    power, places = _power(value), places_of(value, decimals)
    if value and (power < SMALL or power >= HUGE or places < 0):
        head, tail = f"{value:.{power + places}e}".split("e")
        return f"{_short(head)}e{tail}"
    return _short(f"{value:{mark}.{places}f}")


@recently(4096)
def _power(value: float) -> int:
    return math.floor(math.log10(abs(value))) if value else 0


def _short(text: str) -> str:
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def decimals_of(values: np.ndarray) -> int:
    """Number of decimals that distinguish the values of a column.

    A few neighbours closer than all others do not count, unless the values are written so.
    O(n log n).

    Examples
    --------
    >>> decimals_of(np.array([20095, 20097, 20099])), decimals_of(np.array([52.52004, 52.52006]))
    (0, 5)
    """
    values = np.asarray(values, dtype=np.float64).ravel()
    step = -(-len(values) // LOOKED_AT) or 1
    found = np.unique(values[::step])
    found = found[np.isfinite(found)]
    if not len(found):
        return 0
    if (found == np.round(found)).all() and np.abs(found).max() < 2.0**53:
        integers = found[found != 0].astype(np.int64)
        return -min((_zeros(int(value)) for value in integers), default=0)
    gaps = np.diff(found)
    apart = float(np.quantile(gaps, CLOSEST, method="lower")) if len(gaps) else 0.0
    if not apart:
        return places_of(float(np.abs(found).max()))
    decimals = math.ceil(-math.log10(apart) - 1e-6)
    for own in range(decimals, decimals + OWN):
        if own <= 300 and np.allclose(np.round(found, own), found, rtol=1e-15, atol=0.0):
            return own
    return decimals


def _zeros(value: int) -> int:
    """Zeros at the end of a whole number."""
    text = str(value)
    return len(text) - len(text.rstrip("0"))


def threshold_decimals(
    thresholds: np.ndarray, low: np.ndarray | None = None, high: np.ndarray | None = None
) -> int:
    """Fewest decimals to which no two thresholds of a feature read alike.

    Parameters
    ----------
    thresholds : ndarray, shape (k,)
        Infinite ones ask whether a value is missing and do not count.
    low, high : ndarray, shape (k,), optional
        The nearest values of rows on both sides of each: ``low <= threshold < high`` holds as
        printed, too, so that whoever reads it sends each of these rows the same way. Where
        thresholds are the values of rows and have many digits, that can take nearly all of them:
        then each is only nearer to that row than to the next. Without rows a threshold of few
        digits is printed as it is.
    """
    finite = np.isfinite(thresholds)
    cuts = thresholds[finite]
    if not len(cuts):
        return 0
    different = np.unique(cuts)
    above = np.nextafter(different, np.inf)
    between = np.maximum(different[:-1] / 2.0 + different[1:] / 2.0, above[:-1])
    place = np.searchsorted(different, cuts)
    at_least = np.append(-np.inf, between)[place]
    below = np.append(between, np.inf)[place]
    if low is None:
        written = map(_written, different.tolist())
        start = max((decimals for decimals in written if decimals is not None), default=None)
    else:
        below = np.fmin(below, np.where(high[finite] > cuts, high[finite], np.inf))
        near = np.fmax(at_least, np.where(low[finite] < cuts, low[finite], cuts - (below - cuts)))
        at_least = np.fmax(at_least, np.where(low[finite] <= cuts, low[finite], -np.inf))
        start = None
    if start is None:
        start = min(1 - SIGNIFICANT + places_of(value) for value in cuts.tolist())
    found = _fewest(start, cuts, at_least, below)
    if low is not None and found > start + LONGER:
        short = _fewest(start, cuts, near, below)
        return short if found > short + LONGER else found
    return found


def _fewest(start: int, cuts: np.ndarray, at_least: np.ndarray, below: np.ndarray) -> int:
    """The fewest decimals from `start` on to which all cuts stay within their limits."""
    limits = list(zip(cuts.tolist(), at_least.tolist(), below.tolist(), strict=True))
    for decimals in count(start):
        with suppress(OverflowError):  # the largest numbers have nothing rounder above them
            if all(low <= round(cut, places_of(cut, decimals)) < high for cut, low, high in limits):
                return decimals
    raise AssertionError("17 digits tell any two numbers apart")


def _written(value: float) -> int | None:
    """Decimals of a number that has few digits, or at most one decimal; else None."""
    power, short = _power(value), f"{value:.{max(EXACT - 1, _power(value) + 1)}e}"
    if not math.isclose(float(short), value, rel_tol=2e-16, abs_tol=0.0):
        return None
    return len(short.partition("e")[0].rstrip("0").partition(".")[2]) - power
