"""The one writer of CSV: whatever leaves as a table is no formula where it is opened.

Spreadsheet programs run a cell that begins like a formula, wherever its text came from: the name
of a column, a label, a premise such as ``-0.5 < x1``. Where a program takes another sign for the
one between cells, as a German Excel the semicolon, a cell begins within a text as well.
"""

from __future__ import annotations

import re
from numbers import Number
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

# Full-width signs are taken for the plain ones where Chinese or Japanese is written.
FORMULA = re.compile(r"^[=+\-@\t\n＝＋－＠]|(?<=[;,\t\n])(?=\"*[=+\-@＝＋－＠])")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def as_csv(table: pd.DataFrame, **form: object) -> str:
    """CSV of a table without its index, every cell a number or plain text.

    What a spreadsheet program would run as a formula is preceded by an apostrophe.

    Parameters
    ----------
    table : DataFrame
    **form : object
        Separator, decimal mark and line end, as pandas' own writer takes them.
    """
    import pandas as pd

    columns = {place: _harmless(table.iloc[:, place]) for place in range(table.shape[1])}
    safe = pd.DataFrame(columns, index=table.index)
    safe.columns = [harmless(title) for title in table.columns]
    return safe.to_csv(index=False, **{"lineterminator": "\n", **form})


def harmless(cell: object) -> object:
    """Cell that no spreadsheet program takes for a formula; a number stays one."""
    text = str(cell)  # what is no text may be written like a formula, as a length of time is
    if isinstance(cell, Number) or NUMBER.fullmatch(text):
        return cell
    if "\r" in text:  # which would stand bare, and end the row
        text = cell = text.replace("\r\n", "\n").replace("\r", "\n")
    return FORMULA.sub(r"'\g<0>", text) if FORMULA.search(text) else cell


def _harmless(column: pd.Series) -> pd.Series:
    from pandas.api import types

    if types.is_numeric_dtype(column) or types.is_datetime64_any_dtype(column):
        return column
    return column.astype(object).map(harmless, na_action="ignore")
