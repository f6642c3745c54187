"""Rows to learn from and rows held out, in the form that a model reads."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from lastviz.datasets import Dataset

from .forms import NUMBERS, categories_of, encoded, table_in

__all__ = ["Division", "divide"]


@dataclass(frozen=True, eq=False)
class Division:
    """Rows to learn from and rows held out.

    Attributes
    ----------
    X : DataFrame, shape (n_samples, n_features)
        All rows, as the algorithm takes them: float64, or categorical where it treats nominal
        columns as such.
    y : ndarray of intp, shape (n_samples,)
        Class indices; the numbers (float64) where numbers are to be learnt.
    train_rows, held_out_rows : ndarray of intp
    form : str
        How nominal columns stand in `X`, see :mod:`.forms`.
    """

    X: pd.DataFrame
    y: np.ndarray
    train_rows: np.ndarray
    held_out_rows: np.ndarray
    form: str = NUMBERS

    @cached_property
    def values(self) -> np.ndarray:
        """The rows as the tree reads them, float64: codes of categories, NaN where missing."""
        return encoded(self.X)

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


def divide(dataset: Dataset, held: float, seed: int, form: str) -> Division:
    """Return the rows of a data set divided at random, see :meth:`Dataset.split`."""
    y = dataset.y.to_numpy() if dataset.is_regression else dataset.codes
    return Division(table_in(form, dataset), y, *dataset.split(held, seed), form)
