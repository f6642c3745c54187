"""The data as an algorithm reads them: as numbers, with nominal columns, or all as categories."""

from __future__ import annotations

import numpy as np
import pandas as pd

from lastviz.datasets import Dataset
from lastviz.estimators import ESTIMATORS

from .suitability import MOST_INDICATORS

__all__ = [
    "CATEGORIES",
    "COLUMNS",
    "NUMBERS",
    "attribute_of",
    "categories_of",
    "encoded",
    "form_for",
    "table_in",
]

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
    return getattr(dataset, attribute_of(form, dataset))


def attribute_of(form: str, dataset: Dataset) -> str:
    """Return which property of the data set holds its features in a form."""
    if form == NUMBERS:
        return "encoded_X" if 0 < dataset.n_indicators <= MOST_INDICATORS else "numeric_X"
    return "categorical_X" if form == CATEGORIES else "mixed_X"


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
