"""Training as steps: a fit that says how far it is."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import log2
from time import perf_counter
from typing import TypeVar

import numpy as np
import pandas as pd

from lastviz.builders import SearchProgress
from lastviz.datasets import Dataset
from lastviz.estimators import (
    ForestClassifier,
    ForestProgress,
    TreeClassifier,
    called_otherwise,
    entry_of,
    what_if,
)
from lastviz.host.jobs import Enough
from lastviz.host.memory import remembered
from lastviz.splitters import Bounds, Presorted
from lastviz.splitters.edits import Edit
from lastviz.tree import Action
from lastviz.ui.text import CannotShow, translate

from .availability import indicators_fit

NUMBERS, COLUMNS, CATEGORIES = "numbers", "columns", "categories"
"""Indicators of 0 and 1 for nominal columns; those columns as they are; every column nominal."""


def form_for(key: str, dataset: Dataset) -> str:
    """Form in which the algorithm `key` reads these data."""
    if dataset.is_regression:
        return COLUMNS
    tags = entry_of(key).cls.TAGS
    if not tags.nominal:
        return NUMBERS
    if tags.max_values is not None:
        return CATEGORIES
    return COLUMNS if "nominal" in dataset.kinds.values() else NUMBERS


def table_in(form: str, dataset: Dataset) -> pd.DataFrame:
    """Features in a form, as an estimator is given them."""
    return getattr(dataset, attribute_of(form, dataset))


def attribute_of(form: str, dataset: Dataset) -> str:
    """Name of the data set's attribute that holds its features in a form."""
    if form == NUMBERS:
        has_indicators = dataset.n_indicators > 0 and indicators_fit(dataset)
        return "encoded_X" if has_indicators else "numeric_X"
    return "categorical_X" if form == CATEGORIES else "mixed_X"


def categories_of(X: pd.DataFrame) -> tuple[tuple | None, ...]:
    """Categories of each nominal column, None for a numeric one."""
    return tuple(
        tuple(dtype.categories.tolist()) if isinstance(dtype, pd.CategoricalDtype) else None
        for dtype in X.dtypes
    )


# Estimators keep the order of the categories, so it equals their own ``encode``.
def encode_table(X: pd.DataFrame) -> np.ndarray:
    """Matrix that estimators make of it: codes for categories, NaN where missing."""
    columns = [
        np.where(X[c].isna(), np.nan, X[c].cat.codes) if known is not None else X[c].to_numpy()
        for c, known in zip(X, categories_of(X), strict=True)
    ]
    return np.column_stack(columns).astype(np.float64, copy=False)


@dataclass(frozen=True, eq=False)
class FeatureTable:
    """The features in a form, however the rows are divided."""

    # DataFrame, shape (n_samples, n_features), all rows, as the algorithm takes them: float64, or
    # categorical where it treats nominal columns as such.
    X: pd.DataFrame
    form: str  # how nominal columns stand in `X`, see `lastviz.ui.compute.training`
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
class Division(FeatureTable):
    """The features in a form, with rows to learn from and rows held out."""

    # (n_samples,) intp, class indices; the numbers (float64) where numbers are to be learnt.
    y: np.ndarray
    train_rows: np.ndarray  # intp
    held_out_rows: np.ndarray  # intp

    @property
    def rarer_class(self) -> int:
        """Rarer of two classes in the training rows, the second if they are equal."""
        counts = np.bincount(self.y[self.train_rows], minlength=2)
        return int(counts[1] <= counts[0])

    @property
    def learnt(self) -> tuple[pd.DataFrame, np.ndarray]:
        """The rows to learn from as an estimator takes them, and their classes or numbers."""
        return self.X.iloc[self.train_rows], self.y[self.train_rows]


def divide(dataset: Dataset, parts: tuple[np.ndarray, np.ndarray], table: FeatureTable) -> Division:
    """Rows of a data set in two parts, see :meth:`Dataset.split`."""
    y = dataset.y.to_numpy() if dataset.is_regression else dataset.codes
    divided = Division(table.X, table.form, table.values, y, *parts)
    # However the rows are divided, these are the same: they are worked out once.
    vars(divided).update(categories=table.categories, has_missing=table.has_missing)
    return divided


# ---------------------------------------------------------------- training


Event = TypeVar("Event")
Result = TypeVar("Result")

PAUSE = 0.02  # seconds of work between two signs of life


@dataclass(frozen=True, eq=False)
class Fitted:
    """A trained model."""

    estimator: TreeClassifier | ForestClassifier  # fitted on class indices
    # Wall-clock time of training on columns that were sorted before, without waiting.
    milliseconds: float


def training(
    estimator: TreeClassifier,
    X: pd.DataFrame,
    y: np.ndarray,
    sort: Callable[[], Presorted] | None = None,
    **beside: Presorted | pd.DataFrame | np.ndarray,
) -> Generator[float, None, Fitted]:
    """Train an estimator; yield the share that is done, return the trained model.

    `beside` is what its ``grow`` takes beside rows and classes. `sort` sorts the columns before,
    which does not count as training. An :class:`.Enough` that is thrown into it ends it with the
    best tree so far, if the estimator is fitted by then.

    A node costs about as many looks as it holds rows. How much is still to come is a guess:
    rows that have not reached a leaf are expected to pass as many nodes as in usual trees,
    0.6 times the depth of a balanced one. A search that goes on after growth says itself how many
    looks are ahead of it.
    """
    if sort is not None:
        beside["presorted"] = sort()
    rows = left = len(y)
    looked, worked = 0.0, 0.0
    begin = shown = perf_counter()
    events = explained_refusals(estimator.grow(X, y, **beside))
    for event in events:
        under_way, ahead, bounds = 0.0, 0.0, None
        if isinstance(event, SearchProgress):
            if event.node == 0 and isinstance(event.share, Bounds):
                bounds = event.share  # the search of the root is nearly all there is to do
            under_way = event.share * event.n_samples
            ahead = event.n_samples - under_way
        else:
            if event.node == 0:
                rows = left = event.n_samples  # some may be kept from growth
            looked += event.n_samples
            if event.action != Action.SPLIT:
                left -= event.n_samples
        if perf_counter() - shown > PAUSE:
            worked += perf_counter() - begin
            try:
                share = _share(looked + under_way, left, rows, ahead)
                yield share if bounds is None else bounds
            except Enough:
                begin = perf_counter()
                events.close()
                if not hasattr(estimator, "tree_"):
                    raise
                break
            begin = shown = perf_counter()
    worked += perf_counter() - begin
    return Fitted(estimator, 1000 * worked)


def forest_training(
    estimator: ForestClassifier, X: pd.DataFrame, y: np.ndarray
) -> Generator[float, None, Fitted]:
    """Train a forest, yield the share of the expected trees done, return the model."""
    worked = 0.0
    begin = perf_counter()
    for event in explained_refusals(estimator.grow(X, y)):
        if perf_counter() - begin > PAUSE:
            worked += perf_counter() - begin
            part = event.share if isinstance(event, ForestProgress) else 1.0
            yield min((event.tree + part) / event.n_expected, 1.0)
            begin = perf_counter()
    worked += perf_counter() - begin
    return Fitted(estimator, 1000 * worked)


def regrowth(
    estimator: TreeClassifier,
    X: pd.DataFrame,
    y: np.ndarray,
    edits: Sequence[Edit],
    presorted: Presorted | None,
) -> Generator[float, None, Fitted]:
    """Regrow the parts of a trained tree that edits change, and return the model."""

    def regrown() -> Generator[float, None, TreeClassifier]:
        yield 0.0
        return what_if(estimator, X, y, edits, presorted=presorted)

    begin = perf_counter()
    edited = yield from explained_refusals(regrown())
    return Fitted(edited, 1000 * (perf_counter() - begin))


def explained_refusals(events: Iterable[Event]) -> Generator[Event, None, Result]:
    """Pass on the events of a growth, turning our own refusals into sentences.

    The estimators check data and parameters at their border and say what is wrong; an error that
    another library raises inside of them is a fault of theirs or ours, and stays one.
    """
    try:
        return (yield from events)
    except ValueError as error:
        if not _is_ours(error):
            raise
        raise CannotShow(translate(error)) from error


def _is_ours(error: ValueError) -> bool:
    """Whether the error was raised by a line of this package."""
    trace = error.__traceback__
    while trace.tb_next is not None:
        trace = trace.tb_next
    return trace.tb_frame.f_globals.get("__name__", "").startswith("lastviz.")


def _share(looked: float, left: int, rows: int, ahead: float) -> float:
    to_come = max(left * max(0.6 * log2(max(rows, 2)) - looked / max(rows, 1), 1.0), ahead)
    return looked / (looked + to_come) if looked else 0.0


# A model is trained once, whatever its readers call them; `key` names it and the labels.
def with_labels_of(key: tuple, model: Fitted, divided: Division) -> Fitted:
    """Trained model whose columns and categories are called as in a division."""
    names, known = tuple(map(str, divided.X.columns)), divided.categories
    if called_otherwise(model.estimator, names, known) is model.estimator:
        return model
    return _called((*key, model.milliseconds), model, names, known)


@remembered
def _called(key: tuple, model: Fitted, names: tuple[str, ...], categories: tuple) -> Fitted:
    return replace(model, estimator=called_otherwise(model.estimator, names, categories))
