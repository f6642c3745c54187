"""Rows without a class that a model is to judge: read, and matched with the columns it knows."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from lastviz._sentences import Refusal
from lastviz.tables import AS_FOUND, LIMITS, ColumnReading, Reading
from lastviz.tables.columns import DATE_PARTS, ReadColumn, cells_of, read_feature, texts_of
from lastviz.tables.dates import DAYS, dates_in
from lastviz.tables.numbers import GAPS, Marks, numbers_in, spelt_as
from lastviz.tables.raw import RawTable
from lastviz.tables.table import marks_of, table_in

from .columns import scale_column
from .dataset import Dataset

if TYPE_CHECKING:
    import pyarrow as pa

BY_RECIPE, AS_WRITTEN = "as the known data", "as this file suggests"
OTHERWISE = ("column", "row", "cell", BY_RECIPE, AS_WRITTEN)
"""The columns of the table of differences."""


@dataclass(frozen=True, eq=False)
class NewRows:
    """Rows to be judged.

    Attributes
    ----------
    given : DataFrame
        The table as it was handed in, as text.
    lines : ndarray of intp, shape (n_samples,)
        Line of the file of each row, from 1.
    dataset : Dataset
        The rows with the columns, kinds and levels of the known data, in their order; an unseen
        category is missing in it. Its classes, or numbers to learn, mean nothing.
    unseen : dict of str to ndarray of object
        Of each nominal column that has any: the unseen category of each row, None elsewhere.
    differences : DataFrame
        The cells that the file by itself would have read otherwise than the known data were: with
        column, row of the file, and the two values, None where a cell has no such one.
    """

    given: pd.DataFrame
    lines: np.ndarray
    dataset: Dataset
    unseen: dict[str, np.ndarray]
    differences: pd.DataFrame


def read_rows(
    file: bytes,
    known: Dataset,
    *,
    name: str = "the table",
    reading: Reading | str | None = None,
    as_written: bool = False,
) -> NewRows:
    """Read a table with one row per sample and a header row.

    Further columns are ignored.

    Columns are read as those of the known data were. Where the file by itself suggests another
    reading, such as a decimal comma or the month first, ``differences`` says so; a column that
    cannot be read otherwise is read as the file suggests.

    Parameters
    ----------
    file : bytes
        Of any kind that :func:`read_table` reads.
    known : Dataset
        What the rows are like: columns are matched by name.
    name : str
        What messages call the file.
    reading : Reading or str, optional
        How each column is to be read, as a text too, such as ``reading_`` of a model that came as
        JSON; as the known data were if not given.
    as_written : bool, default False
        Whether marks, order of dates and zones are those that the file suggests.

    Raises
    ------
    ValueError
        If the file cannot be read, a column is missing, or a cell cannot be of its kind; the
        message names column and row.
    """
    recipe = known.reading if reading is None else reading
    if isinstance(recipe, str):
        recipe = Reading.parse(recipe, most=len(recipe))
    raw = _table(file, name, recipe)
    absent = [column for column in known.feature_names if column not in raw.names]
    if absent:
        raise Refusal(
            "{name} has no column {column!r}; the model needs: {names}",
            name=name,
            column=absent[0],
            names=", ".join(known.feature_names),
        )
    rows = raw.lines
    own = marks_of(raw, AS_FOUND).decimal
    cells = dict(zip(raw.names, raw.columns, strict=True))
    given = {c: texts_of(cells_of(column, recipe.column(c))) for c, column in cells.items()}
    X, unseen, differences = {}, {}, []
    for column, kind in known.kinds.items():
        how = recipe.column(column)
        read_as = "days" if known.units[column] == DAYS else how.read_as
        levels = known.orders.get(column, ())
        of_numbers = any(not isinstance(level, str) for level in levels)
        if kind == "numeric" or read_as in DATE_PARTS or of_numbers:
            read_as = read_as if read_as in (*DATE_PARTS, "hours") else "number"
            two = Two(column, cells[column], rows, replace(how, read_as=read_as), own, name)
            differences.append(two.differences())
            X[column] = two.values(as_written=as_written)
            if not of_numbers:
                continue
            plain = {float(level): str(level) for level in levels}
            numbers = pd.Series(X[column].astype(np.float64), dtype=object)
            text = numbers.map(lambda v, plain=plain: plain.get(v, f"{v:g}"), "ignore")
        else:
            spelling = "case" if read_as == "yes_no" else how.merged
            text = cells_of(cells[column], replace(how, merged=None))
            text = texts_of(text if spelling is None else spelt_as(text, levels, spelling))
        X[column], strange = _levels(text, levels)
        if strange is not None and kind == "ordinal":
            place = next(i for i, value in enumerate(strange) if value is not None)
            raise Refusal(
                "{name}: column {column!r} holds {value!r} in row {row}; its order has no "
                "such level, only {levels}",
                name=name,
                column=column,
                value=strange[place],
                row=rows[place],
                levels=", ".join(map(str, known.orders[column])),
            )
        if strange is not None:
            unseen[column] = strange
    nothing = 0.0 if known.is_regression else known.class_order[0]
    nobody = pd.Series([nothing] * len(rows))
    found = replace(known, X=pd.DataFrame(X), y=nobody.rename(known.y.name))
    table = pd.concat([pd.DataFrame(columns=list(OTHERWISE)), *differences], ignore_index=True)
    return NewRows(pd.DataFrame(given), rows, found, unseen, table)


def _table(file: bytes, name: str, recipe: Reading) -> RawTable:
    """Cells of a file.

    Its reading is that of the known file where its bytes leave it open.
    """
    how = AS_FOUND
    try:
        raw, _ = table_in(file, name, how, LIMITS)
    except Refusal:
        if recipe.quotes in (None, "double"):
            raise
        how = replace(how, quotes=recipe.quotes)
        raw, _ = table_in(file, name, how, LIMITS)
    if raw.encoding and recipe.encoding and not raw.encoding.startswith("utf"):
        how = replace(how, encoding=recipe.encoding)
        with suppress(ValueError):
            raw, _ = table_in(file, name, how, LIMITS)
    if not raw.header and raw.kind == "text":
        how = replace(how, encoding=raw.encoding, header=int(raw.lines[0]))
        raw, _ = table_in(file, name, how, LIMITS)
    return raw


class Two:
    """Column of numbers or dates read twice: as the known data, and as its own file.

    Parameters
    ----------
    column : str
    cells : ChunkedArray
    rows : ndarray of intp
    how : ColumnReading
        How the known data were read.
    decimal : str
        The mark that the file suggests.
    name : str
        What messages call the file.
    """

    def __init__(
        self,
        column: str,
        cells: pa.ChunkedArray,
        rows: np.ndarray,
        how: ColumnReading,
        decimal: str,
        name: str,
    ) -> None:
        self.column, self.cells, self.rows, self.name = column, cells, rows, name
        self.unit, self.zone, self.is_known = how.unit, how.zone, how != ColumnReading(how.read_as)
        grouped = "" if how.thousands == "" else None  # the marks that occurred are not all
        how = replace(how, decimal=how.decimal or decimal, thousands=grouped, levels=None)
        self.fault = None
        try:
            self.by_recipe = self._read(how)
        except Refusal as fault:
            self.by_recipe, self.fault = None, fault
        try:
            self.as_written = self._read(replace(how, decimal=decimal, dates=None))
        except Refusal:
            self.as_written = None
        if self.by_recipe is None and self.as_written is None:
            raise self.fault

    def values(self, *, as_written: bool) -> pd.Series:
        """Column, as the file suggests where it cannot be read otherwise."""
        first, second = self.by_recipe, self.as_written
        read = (second or first) if as_written else (first or second)
        values = read.values
        return values if read.kind == "ordinal" else values.astype(np.float64)

    def differences(self) -> pd.DataFrame:
        """Cells that are read otherwise, and the first one if the unit is another."""
        text = texts_of(cells_of(self.cells, ColumnReading(missing=())))
        first, second = (
            pd.Series([None] * len(text), dtype=object)
            if read is None
            else read.values.astype(object).where(read.values.notna(), None)
            for read in (self.by_recipe, self.as_written)
        )
        differ = text.notna() & ~((first == second) | (first.isna() & second.isna()))
        if self.as_written is None:
            differ[:] = False
        units = self._units()
        if not differ.any() and text.notna().any() and units[0] != units[1]:
            place = int(np.flatnonzero(text.notna())[0])
            known, found = units
            first[place] = f"{first[place]} {known}".strip()
            second[place] = f"{second[place]} {found}".strip()
            differ[place] = True
        shown = (self.column, self.rows[differ], text[differ], first[differ], second[differ])
        return pd.DataFrame(dict(zip(OTHERWISE, shown, strict=True)))

    def _units(self) -> tuple[str, str]:
        """Unit of the known numbers and of these, or the zones of moments."""
        read = self.by_recipe
        if read is None or not self.is_known or str(self.cells.type) != "string":
            return "", ""
        if read.read_as == "number":
            return self.unit or "", read.unit
        if read.read_as == "hours":
            return "", ""
        zone = dates_in(cells_of(self.cells, read.reading), read.reading.dates).zone
        return ("", "") if self.zone and zone else (self.zone or "", zone or "")

    def _read(self, how: ColumnReading) -> ReadColumn:
        text = cells_of(self.cells, how)
        if how.read_as == "number" and text.null_count != len(text):
            gaps = GAPS if how.missing is None else ()
            numbers = numbers_in(text, Marks(how.decimal, how.thousands), gaps)
            wrong = numbers.wrong | np.isinf(numbers.values.astype(np.float64))
            if wrong.any():
                raise Refusal(
                    "{name}: column {column!r} holds {value!r} in row {row}, which is no number; "
                    "correct or empty it",
                    name=self.name,
                    column=self.column,
                    value=text.filter(wrong)[0].as_py(),
                    row=self.rows[wrong][0],
                )
        return read_feature(self.column, self.cells, self.rows, how, self.name)


def _levels(column: pd.Series, order: tuple) -> tuple[pd.Series, np.ndarray | None]:
    """Cells as levels, and those that are none of them (None if there are none)."""
    levels = {str(level): level for level in order}
    known = column.isin(list(levels))
    strange = (column.notna() & ~known).to_numpy()
    found = column.where(known).astype(object).map(levels)
    if not strange.any():
        return found, None
    unseen = np.full(len(column), None, dtype=object)
    unseen[strange] = column[strange]
    return found, unseen


def scaled_like(rows: Dataset, reference: pd.DataFrame, how: str) -> Dataset:
    """New samples, scaled as the known ones were.

    `reference` holds the known ones before scaling.
    """
    numeric = [c for c, kind in rows.kinds.items() if kind == "numeric"]
    columns = {c: scale_column(rows.X[c], how, like=reference[c]) for c in numeric}
    return replace(rows, X=rows.X.assign(**columns))
