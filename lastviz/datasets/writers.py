"""From a data set to a file."""

from __future__ import annotations

import pandas as pd

from .dataset import Dataset

FORMULAS = ("=", "+", "-", "@", "\t", "\r")  # that a cell begins with


def to_csv(dataset: Dataset) -> bytes:
    """Return the data as CSV: UTF-8, commas, header row, the class last, missing = empty.

    Text that a spreadsheet program would run as a formula is preceded by an apostrophe.
    """
    table = dataset.X.assign(**{dataset.y.name: dataset.y})
    columns = {}
    for column in table:
        values = table[column]
        if values.dtype.kind not in "iuf":
            values = values.astype(object).map(harmless, na_action="ignore")
        columns[harmless(column)] = values
    return pd.DataFrame(columns).to_csv(index=False).encode()


def harmless(cell: object) -> object:
    """Return a cell that no spreadsheet program takes for a formula."""
    risky = isinstance(cell, str) and cell[:1] in FORMULAS
    return f"'{cell}" if risky and not _is_number(cell) else cell


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
