"""What the parts of a data set must be like to fit together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from .dataset import Dataset

__all__ = ["check_shape", "check_values", "check_weights"]

TASKS = ("classification", "regression")


def check_shape(X: pd.DataFrame, y: pd.Series) -> None:
    """Refuse features and classes that do not belong together."""
    if X.shape[1] == 0:
        raise ValueError("X has no column; at least one feature is needed")
    if len(X) == 0:
        raise ValueError("X has no row")
    if len(X) != len(y):
        raise ValueError(f"X has {len(X)} rows but y has {len(y)}")
    names = [*X.columns, y.name or "class"]
    if not all(isinstance(name, str) and name.strip() for name in names):
        raise ValueError(f"every column needs a name made of text, got {names}")
    if y.isna().any():
        raise ValueError(f"{int(y.isna().sum())} rows have no class; leave them out")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"two columns are named {twice!r}; rename one")


def check_values(dataset: Dataset) -> None:
    """Refuse classes, directions, a task or an error that cannot be."""
    if dataset.task not in TASKS:
        raise ValueError(f"task must be one of {TASKS}, got {dataset.task!r}")
    if dataset.is_regression:
        if dataset.class_order or not np.isfinite(dataset.y).all():
            raise ValueError("a regression has finite numbers in y and no classes")
    else:
        _check_classes(dataset)
    for column, direction in dataset.directions.items():
        if direction not in (-1, 0, 1):
            raise ValueError(f"the direction of {column!r} must be 1, -1 or 0, got {direction}")
    if dataset.weights is not None:
        check_weights(dataset.weights, dataset.n_samples, "weights")
    if dataset.bayes_error is not None and not 0 <= dataset.bayes_error <= 1:
        raise ValueError(f"bayes_error must lie between 0 and 1, got {dataset.bayes_error}")


def check_weights(weights: np.ndarray, n: int, what: str) -> None:
    """Refuse weights of `n` rows or classes that are none; say which is the first."""
    if weights.shape != (n,):
        raise ValueError(f"{what}: {n} weights are needed, got {weights.size}")
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0.0)))
    if len(wrong):
        found = weights[wrong[0]]
        told = "is missing or no finite number" if not np.isfinite(found) else f"is {found:g}"
        raise ValueError(
            f"{what}: weight {wrong[0] + 1} {told}; a weight is a number that is not negative"
        )
    if not weights.any():
        raise ValueError(f"{what}: all weights are 0, so no row would count")


def _check_classes(dataset: Dataset) -> None:
    if len(set(dataset.class_order)) < len(dataset.class_order):
        raise ValueError(f"class_order names a class twice: {dataset.class_order}")
    strange = sorted(set(dataset.y.unique().tolist()) - set(dataset.class_order))
    if strange:
        raise ValueError(f"y holds {strange[0]!r}, which is not in {dataset.class_order}")
    if len(dataset.class_order) < 2:
        raise ValueError(f"at least two classes are needed, got {dataset.class_order}")
