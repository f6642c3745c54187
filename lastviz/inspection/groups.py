"""What a model is right about in parts of the rows: by the values of any column."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from .scores import share_interval

if TYPE_CHECKING:
    import pandas as pd

MOST_VALUES = 6  # of a column that are groups of their own; with more, the rarest are one
PARTS = 3  # of a numeric column, with about equally many rows each


@dataclass(frozen=True, eq=False)
class Group:
    """Rows that have something in common."""

    value: object  # the value that they share; None where they share more than one
    # low, high: bounds of a part of a numeric column, NaN otherwise: above the one, up to the other
    low: float
    high: float
    rows: np.ndarray  # (n,) intp, their places in the column
    is_missing: bool = False  # whether they have no value


def value_groups(column: pd.Series) -> list[Group]:
    """Return the rows of a column by its values, each row in one group.

    Parameters
    ----------
    column : Series, shape (n,)
        Numbers are cut into three parts of about equally many rows, where they have more than six
        values; of other columns with more than six values the rarest are one group.

    Returns
    -------
    list of Group
        Rising, or by the order of the categories; rows without a value are the last.

    Notes
    -----
    O(n log n).
    """
    known = column.notna().to_numpy()
    numeric = column.dtype.kind in "iuf"
    if numeric and column[known].nunique() > MOST_VALUES:
        groups = _parts(column.to_numpy(dtype=np.float64), known)
    else:
        groups = _values(column)
    if not known.all():
        groups.append(Group(None, np.nan, np.nan, np.flatnonzero(~known), is_missing=True))
    return groups


def _parts(values: np.ndarray, known: np.ndarray) -> list[Group]:
    shares = np.arange(1, PARTS) / PARTS
    inner = np.unique(np.quantile(values[known], shares, method="inverted_cdf"))
    ends = np.concatenate([[-np.inf], inner[inner < values[known].max()], [np.inf]])
    return [
        Group(None, low, high, np.flatnonzero(known & (values > low) & (values <= high)))
        for low, high in pairwise(ends)
    ]


def _values(column: pd.Series) -> list[Group]:
    counts = column.value_counts()
    counts = counts[counts > 0]
    frequent = counts.index if len(counts) <= MOST_VALUES else counts.index[: MOST_VALUES - 1]
    ordered = hasattr(column, "cat")
    order = column.cat.categories if ordered else sorted(frequent)
    values = column.to_numpy()
    groups = [
        Group(value, np.nan, np.nan, np.flatnonzero(values == value))
        for value in order
        if value in frequent
    ]
    if len(frequent) < len(counts):
        rest = column.notna() & ~column.isin(frequent)
        groups.append(Group(None, np.nan, np.nan, np.flatnonzero(rest.to_numpy())))
    return groups


def group_scores(groups: list[Group], y: np.ndarray, predicted: np.ndarray, k: int) -> pd.DataFrame:
    """Return what a model is right about in each group, and its errors about one class.

    Parameters
    ----------
    groups : list of Group
    y, predicted : ndarray of intp, shape (n,)
        True and predicted classes, by index.
    k : int
        The class that is missed, or given by false alarm.

    Returns
    -------
    DataFrame
        A row a group: ``n``, ``n_right``, ``accuracy`` with its 95 % interval from ``low`` to
        ``high`` (Wilson's), ``n_of_class`` and how many of those are ``missed``, ``n_others`` and
        how many of those are ``alarms``, and ``rate``, the share that is predicted to be `k`.
    """
    import pandas as pd

    found = []
    for group in groups:
        true, predicted_here = y[group.rows] == k, predicted[group.rows] == k
        n, right = len(group.rows), int((y[group.rows] == predicted[group.rows]).sum())
        low, high = share_interval(right, n)
        found.append(
            {
                **{"n": n, "n_right": right, "accuracy": right / n if n else np.nan},
                **{"low": low, "high": high},
                **{"n_of_class": int(true.sum()), "missed": int((true & ~predicted_here).sum())},
                **{"n_others": int((~true).sum()), "alarms": int((~true & predicted_here).sum())},
                "rate": float(predicted_here.mean()) if n else np.nan,
            }
        )
    return pd.DataFrame(found)
