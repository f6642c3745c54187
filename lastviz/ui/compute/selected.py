"""The data of a selection, each resolved once a run: as learnt from, and divided into rows.

Behind them lies the memory that all visitors share. Its keys are tuples that name data and
division, and never hold an array. All values are shared and must not be changed.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Self

import numpy as np

from lastviz.datasets import Dataset, all_datasets, guessed_roles
from lastviz.host.memory import remembered, resolved
from lastviz.inspection import feature_gains
from lastviz.splitters import Presorted, presort
from lastviz.tables import AS_FOUND, Found
from lastviz.ui.state.selection import Selection, is_table

from . import uploads
from .availability import available
from .data import Loaded, apply_steps, fitted_steps, found_in, has_seed, load
from .training import Division, FeatureTable, divide, encode_table, table_in

OF_THE_DATA = (
    "data",
    "painted",
    "params",
    "upload",
    "target",
    "reading",
    "columns",
    "kinds",
    "levels",
    "bins",
    "scaling",
    "classes",
    "ordered",
    "directions",
    "one",
    "weight",
    "class_weight",
    "labels",
)

Key = tuple[object, ...]


class SelectedData:
    """A selection and its data.

    Parameters
    ----------
    selection : Selection
    """

    def __init__(self, selection: Selection) -> None:
        self.selection = selection

    def having(self, **fields: object) -> Self:
        """The selection with other fields, see :meth:`.Selection.having`."""
        return type(self)(self.selection.having(**fields))

    def change(self, **fields: object) -> Self:
        """The selection with other fields, see :meth:`.Selection.change`."""
        return type(self)(self.selection.change(**fields))

    def change_model(self, place: int, **fields: object) -> Self:
        """Work of the selection with one model changed.

        See :meth:`.Selection.change_model`.
        """
        return type(self)(self.selection.change_model(place, **fields))

    @resolved
    def unlabelled(self) -> Self:
        """Scene without the user's labels, which names its trained models."""
        return type(self)(replace(self.selection, labels="")) if self.selection.labels else self

    @resolved
    def _available(self) -> Selection:
        return available(self.selection)

    @property
    def _content(self) -> bytes | None:
        upload = self._available.upload
        return None if upload is None else uploads.content(upload)

    @resolved
    def data(self) -> Loaded:
        """The data; the first scene's if their file is not in this session."""
        return _data(self.data_key, self._available, self._content)

    @resolved
    def dataset(self) -> Dataset:
        """The data as the algorithms are given them."""
        return self.data.dataset

    def columns_with(self, role: str) -> tuple[str, ...]:
        """Columns of the whole data in a role, by name."""
        return self.data.columns_with(role, self.selection)

    @property
    def found(self) -> Found | None:
        """Findings on the file as it was read, None without a file or if it is not here."""
        content, name = self._content, self.selection.upload and self.selection.upload.name
        if content is None:
            return None
        target = str(self.data.full.y.name)
        for reading in (self.selection.reading, AS_FOUND):
            with suppress(ValueError):
                return found_in(content, name, reading, target)
        return None

    @resolved
    def data_key(self) -> Key:
        """The fields that describe the data, as one text, and which version of them it is."""
        here = self._available
        entry = all_datasets().get(here.data)
        version = "" if entry is None else entry.version
        if here.upload is not None:
            version = uploads.identity(here.upload)
        about = [getattr(here, name) for name in OF_THE_DATA]
        if has_seed(here.data):
            about.append(here.seed)
        if here.held_by or fitted_steps(here):  # the data know which rows are held out
            about += [here.held_by, here.held, here.seed]
        return str(about), version

    @resolved
    def division_key(self) -> Key:
        """Key of the data and of their division into rows."""
        return *self.data_key, self.selection.held, self.selection.seed

    def division_in(self, form: str) -> Division:
        """Rows to learn from and rows held out, in a form of :mod:`.training`."""
        return _division((*self.division_key, form), self, form)


# ---- what all visitors share


@remembered
def _data(key: Key, selection: Selection, content: bytes | None) -> Loaded:
    as_read, notes = load(selection, content)
    after = apply_steps(as_read, selection)
    parts = after.dataset, after.plain, after.steps, after.fitted_steps, after.units
    guessed = guessed_roles(as_read) if is_table(selection.data) else {}
    return Loaded(as_read, *parts, (*notes, *after.notes), guessed)


@remembered
def _division(key: Key, work: SelectedData, form: str) -> Division:
    table = _table((*work.data_key, form), work.dataset, form)
    held, seed = work.selection.held, work.selection.seed
    return divide(work.dataset, work.dataset.split(held, seed, units=work.data.units), table)


@remembered
def _table(key: Key, dataset: Dataset, form: str) -> FeatureTable:
    X = table_in(form, dataset)
    return FeatureTable(X, form, encode_table(X))  # with all that takes room, which is measured now


@remembered
def sort_columns(key: Key, values: np.ndarray) -> Presorted:
    """Sorted columns, computed once per process for each key."""
    return presort(values)


@remembered
def sort_rows(key: Key, presorted: Presorted, rows: np.ndarray) -> Presorted:
    """Some rows of sorted columns, computed once per process for each key."""
    return presorted.take(rows)


@remembered
def gains_of(
    key: Key, columns: Presorted | np.ndarray, divided: Division, n_classes: int
) -> np.ndarray:
    """Gain of each feature by itself, computed once per process for each key."""
    return feature_gains(columns, divided.y, n_classes, divided.categories)
