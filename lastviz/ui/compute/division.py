"""Rows to learn from and rows held out, encoded as an algorithm reads them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from lastviz.datasets import Dataset
from lastviz.estimators import entry_of

from .suitability import indicators_fit

NUMBERS, COLUMNS, CATEGORIES = "numbers", "columns", "categories"
"""Indicators of 0 and 1 for nominal columns; those columns as they are; every column nominal."""


def form_for(key: str, dataset: Dataset) -> str:
    """Return the form in which the algorithm `key` reads these data."""
    tags = entry_of(key).cls.TAGS
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
        has_indicators = dataset.n_indicators > 0 and indicators_fit(dataset)
        return "encoded_X" if has_indicators else "numeric_X"
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
    return np.column_stack(columns).astype(np.float64, copy=False)


@dataclass(frozen=True, eq=False)
class Table:
    """The features in a form, however the rows are divided."""

    # DataFrame, shape (n_samples, n_features), all rows, as the algorithm takes them: float64, or
    # categorical where it treats nominal columns as such.
    X: pd.DataFrame
    form: str  # how nominal columns stand in `X`, see `lastviz.ui.compute.division`
    # (n_samples, n_features) float64, the rows as the tree reads them: codes of categories, NaN
    # where missing.
    values: np.ndarray

    @cached_property
    def categories(self) -> tuple[tuple | None, ...]:
        """The categories of each nominal column, None for a numeric one."""
        return categories_of(self.X)

    @cached_property
    def has_missing(self) -> bool:
        """Whether any value is missing."""
        return bool(np.isnan(self.values).any())

    @property
    def is_plain(self) -> bool:
        """Whether all columns are numeric and complete."""
        return not self.has_missing and all(known is None for known in self.categories)


@dataclass(frozen=True, eq=False)
class Division(Table):
    """The features in a form, with rows to learn from and rows held out."""

    # (n_samples,) intp, class indices; the numbers (float64) where numbers are to be learnt.
    y: np.ndarray
    train_rows: np.ndarray  # intp
    held_out_rows: np.ndarray  # intp

    @property
    def learnt(self) -> tuple[pd.DataFrame, np.ndarray]:
        """The rows to learn from as an estimator takes them, and their classes or numbers."""
        return self.X.iloc[self.train_rows], self.y[self.train_rows]


def divide(dataset: Dataset, held: float, seed: int, table: Table) -> Division:
    """Return the rows of a data set divided at random, see :meth:`Dataset.split`."""
    y = dataset.y.to_numpy() if dataset.is_regression else dataset.codes
    divided = Division(table.X, table.form, table.values, y, *dataset.split(held, seed))
    # However the rows are divided, these are the same: they are worked out once.
    vars(divided).update(categories=table.categories, has_missing=table.has_missing)
    return divided
