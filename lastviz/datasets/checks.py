"""What the parts of a data set must be like to fit together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from lastviz._sentences import Refusal

if TYPE_CHECKING:
    from .dataset import Dataset

TASKS = ("classification", "regression")


def check_shape(X: pd.DataFrame, y: pd.Series) -> None:
    """Refuse features and classes that do not belong together."""
    if X.shape[1] == 0:
        raise Refusal("X has no column; at least one feature is needed")
    if len(X) == 0:
        raise Refusal("X has no row")
    if len(X) != len(y):
        raise Refusal("X has {n} rows but y has {m}", n=len(X), m=len(y))
    names = [*X.columns, y.name or "class"]
    if not all(isinstance(name, str) and name.strip() for name in names):
        raise Refusal("every column needs a name made of text, got {names}", names=names)
    if y.isna().any():
        raise Refusal("{n} rows have no class; leave them out", n=int(y.isna().sum()))
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise Refusal("two columns are named {twice!r}; rename one", twice=twice)


def check_values(dataset: Dataset) -> None:
    """Refuse classes, directions, a task or an error that cannot be."""
    if dataset.task not in TASKS:
        raise Refusal("task must be one of {tasks}, got {task!r}", tasks=TASKS, task=dataset.task)
    if dataset.is_regression:
        if dataset.class_order or not np.isfinite(dataset.y).all():
            raise Refusal("a regression has finite numbers in y and no classes")
    else:
        _check_classes(dataset)
    for column, direction in dataset.directions.items():
        if direction not in (-1, 0, 1):
            raise Refusal(
                "the direction of {column!r} must be 1, -1 or 0, got {direction}",
                column=column,
                direction=direction,
            )
    if dataset.weights is not None:
        check_weights(dataset.weights, dataset.n_samples, "weights")
    if dataset.bayes_error is not None and not 0 <= dataset.bayes_error <= 1:
        raise Refusal(
            "bayes_error must lie between 0 and 1, got {bayes_error}",
            bayes_error=dataset.bayes_error,
        )


def check_weights(weights: np.ndarray, n: int, what: str) -> None:
    """Refuse weights of `n` rows or classes that are none; say which is the first."""
    if weights.shape != (n,):
        raise Refusal(
            "{what}: {n} weights are needed, got {size}", what=what, n=n, size=weights.size
        )
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0.0)))
    if len(wrong):
        found = weights[wrong[0]]
        raise Refusal(
            "{what}: weight {place} is {found:g}; a weight is a number that is not negative"
            if np.isfinite(found)
            else "{what}: weight {place} is missing or no finite number; a weight is a number that "
            "is not negative",
            what=what,
            place=wrong[0] + 1,
            found=found,
        )
    if not weights.any():
        raise Refusal("{what}: all weights are 0, so no row would count", what=what)


def _check_classes(dataset: Dataset) -> None:
    if len(set(dataset.class_order)) < len(dataset.class_order):
        raise Refusal(
            "class_order names a class twice: {class_order}", class_order=dataset.class_order
        )
    strange = sorted(set(dataset.y.unique().tolist()) - set(dataset.class_order))
    if strange:
        raise Refusal(
            "y holds {strange!r}, which is not in {class_order}",
            strange=strange[0],
            class_order=dataset.class_order,
        )
    if len(dataset.class_order) < 2:
        raise Refusal(
            "at least two classes are needed, got {class_order}", class_order=dataset.class_order
        )
