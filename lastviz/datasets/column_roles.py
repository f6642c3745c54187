"""Roles of columns: those that name a row or a moment, and those that say who somebody is."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from lastviz.tables.dates import DAYS

from .dataset import Dataset
from .personal import is_personal

FIXED, SENSITIVE, NAMES, TIME = ROLES = ("fixed", "sensitive", "names", "time")
"""Roles: it cannot be changed, needs care, names rows, says when a row was made."""
COUNTER, IDENTIFIER, DATE, TOO_MANY = "counter", "identifier", "date", "too many"
"""Why a column is left out: it counts the rows, names them, is a date, or no tree could hold it."""

FEWEST_ROWS = 20  # fewer say too little: 1, 2, 3, ... may be what was measured
MOST_CATEGORIES = 1000  # of a nominal column that the algorithms take
FEWEST_NAMES = 20  # different values of a column that names rows, if its own name says so
NEARLY_ALL = 0.95
LOOKED_AT = 500  # different texts

_NAMED = re.compile(
    r"(^|[_\W])(id|ids|uuid|guid|key|pk|index|idx|nr|no|num|rowid|serial|iban|isbn|ssn|e-?mail)$"
    r"|^(id|uuid|guid|pk)[_\W]|^unnamed: \d+$"
    r"|^(row|record|customer|client|kunden?|account|konto|order|invoice|ticket|patient|employee"
    r"|user|member|person|policy|contract|passport|phone|telephone|personal)"
    r"[_\W]?(id|no|nr|num|number|nummer|code|key)?$",
    re.IGNORECASE,
)
_CAMEL = re.compile(r"[a-z](Id|ID|Nr|No|Key)$")
_TOKEN = re.compile(
    r"[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}"
    r"|[0-9a-f]{16,}|\S+@\S+\.\w+|https?://\S+",
    re.IGNORECASE,
)
_MONTH = r"(jan|feb|mar|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-z]*\.?"
_DATE = re.compile(
    r"(\d{4}[-/.]\d{1,2}([-/.]\d{1,2})?|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2})"
    rf"|\d{{1,2}}\.?[ -]{_MONTH}[ -]\d{{2,4}}|{_MONTH}[ -]\d{{1,2}},? \d{{4}}|{_MONTH}[ -]\d{{4}})"
    r"([T ]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?( ?[ap]m)?(Z|[+-]\d{2}:?\d{2})?)?",
    re.IGNORECASE,
)
_MOMENT = re.compile(r"(date|datum|time|stamp|zeit|[_\W](at|on))$", re.IGNORECASE)


def proposed_columns(dataset: Dataset) -> tuple[int, ...]:
    """Features to learn from unless somebody says otherwise, by position.

    All but those of :func:`left_out`; all if none would be left. O(n_samples n_features).
    """
    out = left_out(dataset)
    remaining = tuple(i for i, name in enumerate(dataset.feature_names) if name not in out)
    return remaining or tuple(range(dataset.n_features))


def guessed_roles(dataset: Dataset) -> dict[str, tuple[str, ...]]:
    """Features in each role by their names and contents, for somebody to confirm.

    Columns about who somebody is can neither be changed nor used without care; the others are
    those of :func:`left_out`.
    """
    named = {name: (name, dataset.labels.get(name, "")) for name in dataset.feature_names}
    personal = tuple(name for name, texts in named.items() if any(map(is_personal, texts)))
    reasons = {name: why for name, why in left_out(dataset).items() if name not in personal}
    rows = tuple(name for name, why in reasons.items() if why in (IDENTIFIER, COUNTER))
    times = tuple(name for name, why in reasons.items() if why == DATE)
    return dict(zip(ROLES, (personal, personal, rows, times), strict=True))


def left_out(dataset: Dataset) -> dict[str, str]:
    """Features that name rows or moments, each with the reason.

    Whole numbers of which no two are alike name rows if they count them, fill their range
    without gaps, or stand in a column that is called so; measured ones (an amount, a weight)
    do not. Texts do if nearly all differ.

    Parameters
    ----------
    dataset : Dataset

    Returns
    -------
    dict of str to {"counter", "identifier", "date", "too many"}
    """
    found = {}
    for name, kind in dataset.kinds.items():
        column = dataset.X[name]
        if dataset.units[name] == DAYS:
            reason = DATE
        elif kind == "numeric":
            reason = _of_numbers(column.to_numpy(), name)
        elif kind == "nominal":
            reason = _of_texts(column, name)
        else:
            reason = None
        if reason is not None:
            found[name] = reason
    return found


def _of_numbers(values: np.ndarray, name: str) -> str | None:
    known = values[~np.isnan(values)] if values.dtype == np.float64 else values
    if len(known) < 3 or (known.dtype == np.float64 and (known != np.floor(known)).any()):
        return None
    low, high = float(known.min()), float(known.max())
    if low == high:
        return None
    if _are_moments(known, low, high, name):
        return DATE
    named = _is_called_so(name.strip())
    if not named and (len(known) < FEWEST_ROWS or high - low < len(known) - 1):
        return None  # too few rows, or two alike for certain
    n_distinct = len(pd.unique(known))
    if named and n_distinct >= min(FEWEST_NAMES, len(known)) and n_distinct >= len(known) / 2:
        return IDENTIFIER
    if n_distinct < len(known) or len(known) < FEWEST_ROWS:
        return None
    width, steps = high - low + 1, np.diff(known)
    if width <= 4 * len(known) and ((steps > 0).all() or (steps < 0).all()):
        return COUNTER
    return IDENTIFIER if width <= 1.05 * len(known) and len(known) >= 50 else None


def _are_moments(known: np.ndarray, low: float, high: float, name: str) -> bool:
    """Whether whole numbers are dates written as 20240131, or seconds since 1970."""
    if low >= 19000101 and high <= 21001231:
        month, day = known // 100 % 100, known % 100
        if ((month >= 1) & (month <= 12) & (day >= 1) & (day <= 31)).all():
            return len(known) >= 10 or _MOMENT.search(name) is not None
    seconds = (low >= 1e8 and high < 5e9) or (low >= 1e11 and high < 5e12)
    return seconds and _MOMENT.search(name) is not None


def _of_texts(column: pd.Series, name: str) -> str | None:
    counts = np.bincount(column.cat.codes.to_numpy() + 1)[1:]
    n_known, n_distinct = int(counts.sum()), int((counts > 0).sum())
    if n_distinct < 2:
        return None
    categories = column.cat.categories
    few = categories[:: max(1, len(categories) // LOOKED_AT)].tolist()
    if not isinstance(few[0], str):
        return TOO_MANY if n_distinct > MOST_CATEGORIES else None
    if _mostly(few, _DATE):
        return DATE
    share = n_distinct / n_known
    if _mostly(few, _TOKEN) and share >= 0.5:
        return IDENTIFIER
    named = _is_called_so(name.strip())
    if named and share >= 0.5 and n_distinct >= min(FEWEST_NAMES, n_known):
        return IDENTIFIER
    if share >= NEARLY_ALL and n_known >= FEWEST_ROWS:
        return IDENTIFIER
    return TOO_MANY if n_distinct > MOST_CATEGORIES else None


def _is_called_so(name: str) -> bool:
    return _NAMED.search(name) is not None or _CAMEL.search(name) is not None


def _mostly(texts: list[str], pattern: re.Pattern) -> bool:
    return sum(pattern.fullmatch(text.strip()) is not None for text in texts) >= 0.95 * len(texts)
