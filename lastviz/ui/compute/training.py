"""Training as steps: a fit that says how far it is."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from math import log2
from time import perf_counter
from typing import TypeVar

import numpy as np
import pandas as pd

from lastviz.builders import SearchProgress
from lastviz.estimators import (
    ForestClassifier,
    ForestProgress,
    TreeClassifier,
    called_otherwise,
    what_if,
)
from lastviz.host.jobs import Enough
from lastviz.host.memory import remembered
from lastviz.splitters import Bounds, Presorted
from lastviz.splitters.edits import Edit
from lastviz.tree import Action
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, translated

from .division import Division

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
    """Train a forest; yield the share of the expected trees that is done, return the model."""
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
    """Grow anew what edits change in a trained tree; return the model that comes of it."""

    def regrown() -> Generator[float, None, TreeClassifier]:
        yield 0.0
        return what_if(estimator, X, y, edits, presorted=presorted)

    begin = perf_counter()
    edited = yield from explained_refusals(regrown())
    return Fitted(edited, 1000 * (perf_counter() - begin))


def explained_refusals(events: Iterable[Event]) -> Generator[Event, None, Result]:
    """Go through the events of a growth; what our own code refuses becomes a sentence.

    The estimators check data and parameters at their border and say what is wrong; an error that
    another library raises inside of them is a fault of theirs or ours, and stays one.
    """
    try:
        return (yield from events)
    except ValueError as error:
        if not _is_ours(error):
            raise
        raise CannotShow(translated(error)) from error


def _is_ours(error: ValueError) -> bool:
    """Tell whether the error was raised by a line of this package."""
    trace = error.__traceback__
    while trace.tb_next is not None:
        trace = trace.tb_next
    return trace.tb_frame.f_globals.get("__name__", "").startswith("lastviz.")


def _share(looked: float, left: int, rows: int, ahead: float) -> float:
    to_come = max(left * max(0.6 * log2(max(rows, 2)) - looked / max(rows, 1), 1.0), ahead)
    return looked / (looked + to_come) if looked else 0.0


def called(key: str, model: Fitted, divided: Division) -> Fitted:
    """Return a trained model whose columns and categories are called as in a division.

    A model is trained once, whatever its readers call them; `key` names it and the labels.
    """
    names, known = tuple(map(str, divided.X.columns)), divided.categories
    if called_otherwise(model.estimator, names, known) is model.estimator:
        return model
    return _called(f"{key}|{model.milliseconds}", model, names, known)


def unlabelled(selection: Selection) -> Selection:
    """Return the selection without the reader's labels: what names its trained models."""
    return replace(selection, labels="") if selection.labels else selection


@remembered
def _called(key: str, model: Fitted, names: tuple[str, ...], categories: tuple) -> Fitted:
    return replace(model, estimator=called_otherwise(model.estimator, names, categories))
