"""The textbook's own table, as its sums take it."""

from __future__ import annotations

from functools import cache

import numpy as np

from lastviz.datasets import load_dataset
from lastviz.inspection import NominalTable


@cache
def book_table() -> NominalTable:
    """Table 5.1, the loan applications of example 5.1."""
    dataset = load_dataset("loan")
    features = tuple(map(str, dataset.X.columns))
    categories = tuple(tuple(map(str, dataset.orders[name])) for name in features)
    codes = [dataset.X[name].cat.codes.to_numpy() for name in features]
    return NominalTable(
        features=features,
        categories=categories,
        classes=tuple(map(str, dataset.class_order)),
        codes=np.column_stack(codes).astype(np.intp),
        labels=dataset.codes.astype(np.intp),
    )
