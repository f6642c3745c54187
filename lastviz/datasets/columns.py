"""The three kinds of columns and the class labels: how raw values become one of them.

numeric
    numbers, stored as int64 or float64; a missing value is NaN.
nominal
    names without an order, stored as an unordered categorical.
ordinal
    levels from low to high, stored as an ordered categorical.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import pandas as pd
from pandas.api import types

from lastviz._sentences import Refusal

KINDS = ("numeric", "nominal", "ordinal")
SCALINGS = ("none", "standard", "min-max")


def kind_of(column: pd.Series) -> str:
    """Kind that the dtype of `column` suggests."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return "ordinal" if column.dtype.ordered else "nominal"
    if types.is_numeric_dtype(column.dtype) and not types.is_bool_dtype(column.dtype):
        return "numeric"
    return "nominal"


def as_kind(column: pd.Series, kind: str, order: Sequence | None = None) -> pd.Series:
    """`column` as a :class:`Dataset` stores a column of its `kind`.

    Parameters
    ----------
    column : Series
    kind : {"numeric", "nominal", "ordinal"}
    order : sequence or None
        The levels of a nominal or ordinal column. None takes those of a categorical column,
        else the distinct values, sorted.

    Raises
    ------
    ValueError
        If the kind is unknown, a number is not one, infinite, or a level is not in `order`.
    """
    if kind == "numeric":
        return _as_numeric(column)
    if kind in KINDS:
        return _as_levels(column, order, ordered=kind == "ordinal")
    raise Refusal(
        "the kind of column {name!r} must be one of {kinds}, got {kind!r}",
        name=column.name,
        kinds=KINDS,
        kind=kind,
    )


def _as_numeric(column: pd.Series) -> pd.Series:
    if column.dtype == np.int64:
        return column
    if column.dtype == np.float64 and not np.isinf(column.to_numpy()).any():
        return column
    plain = column.astype(object) if kind_of(column) != "numeric" else column
    numbers = pd.to_numeric(plain, errors="coerce").astype(np.float64)
    wrong = numbers.isna() & plain.notna()
    if wrong.any():
        value = plain[wrong].iloc[0]
        raise Refusal(
            "column {name!r} cannot be numeric: {value!r} is not a number",
            name=column.name,
            value=value,
        )
    if np.isinf(numbers.to_numpy()).any():
        raise Refusal("column {name!r} holds infinite values; replace them", name=column.name)
    integral = types.is_integer_dtype(column.dtype) and not numbers.hasnans
    return column.astype(np.int64) if integral and numbers.abs().max() < 2**63 else numbers


def _as_levels(column: pd.Series, order: Sequence | None, *, ordered: bool) -> pd.Series:
    if types.is_bool_dtype(column.dtype):
        column = column.astype(str)
    levels = list(order) if order is not None else _levels_of(column)
    if len(set(levels)) < len(levels):
        raise Refusal(
            "the order of column {name!r} names a level twice: {levels}",
            name=column.name,
            levels=levels,
        )
    known = pd.Index(levels)  # plain levels keep numbers as numbers and text as text
    is_stored = isinstance(column.dtype, pd.CategoricalDtype) and column.dtype.ordered == ordered
    if is_stored and known.identical(column.cat.categories):
        return column
    plain = column.astype(object)
    unknown = plain[plain.notna() & ~plain.isin(levels)]
    if len(unknown):
        raise Refusal(
            "column {name!r} holds {level!r}, which is not in {levels}",
            name=column.name,
            level=unknown.iloc[0],
            levels=levels,
        )
    codes = pd.Index(levels, dtype=object).get_indexer(plain.to_numpy())
    stored = pd.Categorical.from_codes(codes, categories=known, ordered=ordered)
    return pd.Series(stored, index=column.index, name=column.name)


def _levels_of(column: pd.Series) -> list:
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.cat.categories.tolist()
    values = column.dropna().unique().tolist()
    mixed = len({isinstance(value, str) for value in values}) > 1
    return sorted(values, key=str if mixed else None)


def as_numbers(column: pd.Series) -> pd.Series:
    """Numeric or ordinal column as float64; missing values are NaN.

    Ordinal levels that are rising numbers stay those numbers; other levels become their
    places 0, 1, ... from low to high.
    """
    if kind_of(column) == "numeric":
        return column.astype(np.float64)
    levels = column.cat.categories
    rising = types.is_numeric_dtype(levels.dtype) and levels.is_monotonic_increasing
    places = levels.to_numpy(np.float64) if rising else np.arange(len(levels), dtype=np.float64)
    codes = column.cat.codes.to_numpy()
    return pd.Series(np.append(places, np.nan)[codes], index=column.index, name=column.name)


def as_categories(column: pd.Series) -> pd.Series:
    """Column whose distinct values are its categories, numbers in rising order."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column
    plain = column.map(lambda value: int(value) if float(value).is_integer() else value, "ignore")
    return plain.astype(pd.CategoricalDtype(sorted(plain.dropna().unique().tolist())))


def with_indicators(
    X: pd.DataFrame, kinds: Mapping[str, str], orders: Mapping[str, tuple]
) -> pd.DataFrame:
    """Features as numbers, nominal ones as one 0/1 column per value."""
    columns: dict[str, pd.Series] = {}
    for c, kind in kinds.items():
        if kind != "nominal":
            columns[c] = as_numbers(X[c])
            continue
        known = X[c].notna()
        for value in orders[c]:
            columns[f"{c} = {value}"] = (X[c] == value).astype(np.float64).where(known)
    return pd.DataFrame(columns, index=X.index)


def scale_column(column: pd.Series, how: str, like: pd.Series | None = None) -> pd.Series:
    """Numeric column scaled: to mean 0 and deviation 1, or to the range 0 to 1.

    `like` is the column whose mean, deviation or range count; `column` itself if not given.
    A constant column becomes 0; missing values stay missing.
    """
    if how == "none":
        return column
    measured = (column if like is None else like).astype(np.float64)
    if how == "standard":
        start, width = measured.mean(), measured.std(ddof=0)
    else:
        start, width = measured.min(), measured.max() - measured.min()
    if np.isnan(start):  # no value of it is known
        start = 0.0
    return (column.astype(np.float64) - start) / (width if width > 0 else 1.0)


def cut_into_bins(column: pd.Series, n_bins: int, like: pd.Series | None = None) -> pd.Series:
    """Numeric column cut into `n_bins` intervals of about equally many rows, ordinal.

    `like` is the column whose quantiles are the ends; `column` itself if not given. Ties can
    make fewer intervals; missing values stay missing. A level is called by its ends, each
    interval holding its upper one.
    """
    measured = column if like is None else like
    quantiles = measured.quantile(np.arange(1, n_bins) / n_bins).to_numpy(np.float64)
    cuts = np.unique(quantiles[quantiles < measured.max()])
    ends = [f"{cut:.4g}" for cut in cuts]
    if len(set(ends)) < len(ends):
        ends = [repr(float(cut)) for cut in cuts]
    between = [f"{low} to {high}" for low, high in pairwise(ends)]
    levels = [f"up to {ends[0]}", *between, f"above {ends[-1]}"] if ends else ["all"]
    places = np.searchsorted(cuts, column.to_numpy(np.float64))
    codes = np.where(column.isna(), -1, places)
    stored = pd.Categorical.from_codes(codes, categories=levels, ordered=True)
    return pd.Series(stored, index=column.index, name=column.name)


def as_labels(y: pd.Series) -> pd.Series:
    """Class labels as integers if all are whole numbers within int64, else as text."""
    if types.is_integer_dtype(y.dtype) and y.max() < 2**63:
        return y.astype(np.int64)
    if types.is_float_dtype(y.dtype) and (y == y.round()).all() and (y.abs() < 2**63).all():
        return y.astype(np.int64)
    plain = y.astype(object)
    if plain.map(type).isin([int, np.int64]).all() and plain.abs().max() < 2**63:
        return plain.astype(np.int64)
    return plain.map(str).astype("str")


# ---- Set rows aside at random so that every class gives its share and keeps at least one row


def set_aside(codes: np.ndarray, n_aside: int, random_state: int) -> np.ndarray:
    """Mask of the samples that are set aside.

    The rows of each class are put into a random order and spread evenly over (0, 1); the
    rows with the lowest places go. So the shares of the classes are met to within a row, the
    number is exact, and a larger part contains every smaller one of the same seed.

    Parameters
    ----------
    codes : ndarray of int, shape (n_samples,)
        Class index of each row.
    n_aside : int
        How many rows; at most n_samples less the number of classes that occur, because one
        row of every class stays.
    random_state : int
        Seed, >= 0.

    Returns
    -------
    ndarray of bool, shape (n_samples,)
    """
    shuffled = np.random.default_rng(random_state).permutation(len(codes))
    by_class = shuffled[np.argsort(codes[shuffled], kind="stable")]
    _, start, size = np.unique(codes[by_class], return_index=True, return_counts=True)
    number = np.arange(len(codes)) - np.repeat(start, size)
    place = (number + 0.5) / np.repeat(size, size)
    place[start + size - 1] = 2.0  # the row that each class keeps
    # The second key mixes the classes where their places are equal.
    turn = np.empty(len(codes), dtype=np.intp)
    turn[shuffled] = np.arange(len(codes))
    order = by_class[np.lexsort((turn[by_class], place))]
    aside = np.zeros(len(codes), dtype=bool)
    aside[order[: min(n_aside, len(codes) - len(size))]] = True
    return aside
