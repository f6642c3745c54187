"""The data as an algorithm reads them: as numbers, with nominal columns, or all as categories."""

from __future__ import annotations

import numpy as np
import pandas as pd

from lastviz.datasets import Dataset
from lastviz.estimators import ESTIMATORS

from .suitability import MOST_INDICATORS

__all__ = ["CATEGORIES", "COLUMNS", "NUMBERS", "categories_of", "encoded", "form_for", "table_in"]

NUMBERS, COLUMNS, CATEGORIES = "numbers", "columns", "categories"
"""Indicators of 0 and 1 for nominal columns; those columns as they are; every column nominal."""


def form_for(key: str, dataset: Dataset) -> str:
    """Return the form in which the algorithm `key` reads these data."""
    tags = ESTIMATORS[key].cls.TAGS
    if not tags.nominal:
        return NUMBERS
    if tags.max_values is not None:
        return CATEGORIES
    return COLUMNS if "nominal" in dataset.kinds.values() else NUMBERS


def table_in(form: str, dataset: Dataset) -> pd.DataFrame:
    """Return the features in a form, as an estimator is given them."""
    if form == NUMBERS:
        few = dataset.n_indicators <= MOST_INDICATORS
        return dataset.encoded_X if few else dataset.numeric_X
    if form == CATEGORIES:
        return pd.DataFrame({c: _categorical(dataset.X[c]) for c in dataset.X})
    numbers = dataset.numeric_X
    return pd.DataFrame({c: numbers[c] if c in numbers else dataset.X[c] for c in dataset.X})


def _categorical(column: pd.Series) -> pd.Series:
    """Return a column whose distinct values are its categories, numbers in rising order."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column
    plain = column.map(lambda value: int(value) if float(value).is_integer() else value, "ignore")
    return plain.astype(pd.CategoricalDtype(sorted(plain.dropna().unique().tolist())))


def categories_of(X: pd.DataFrame) -> tuple[tuple | None, ...]:
    """Return the categories of each nominal column, None for a numeric one."""
    return tuple(
        tuple(dtype.categories.tolist()) if isinstance(dtype, pd.CategoricalDtype) else None
        for dtype in X.dtypes
    )


def encoded(X: pd.DataFrame) -> np.ndarray:
    """Return the matrix that estimators make of it: codes for categories, NaN where missing.

    Estimators keep the order of the categories, so it equals their own ``encode``.
    """
    columns = [
        np.where(X[c].isna(), np.nan, X[c].cat.codes) if known is not None else X[c].to_numpy()
        for c, known in zip(X, categories_of(X), strict=True)
    ]
    return np.column_stack(columns).astype(np.float64)
