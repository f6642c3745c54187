"""Which rows two models predict differently, and whether that is more than luck."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz.estimators import CARTRegressor, ForestClassifier, TreeClassifier

from .scores import mcnemar

Model = TreeClassifier | CARTRegressor | ForestClassifier


@dataclass(frozen=True, eq=False)
class RowChanges:
    """The rows whose prediction is another one under the second of two models."""

    rows: np.ndarray  # (n_changed,) intp, places in the data, rising
    before: np.ndarray  # (n_changed,), what either model predicts there
    after: np.ndarray  # (n_changed,), what either model predicts there
    # better, worse: rows that only the second model has right, and only the first; of numbers, rows
    # where the second comes nearer, and less near
    better: int
    worse: int
    # Chance of a difference at least as large between `better` and `worse` if neither model is
    # better; 1 where they are equal.
    p_value: float


def row_changes(before: Model, after: Model, X: np.ndarray, y: np.ndarray) -> RowChanges:
    """Compare two fitted models row by row.

    Parameters
    ----------
    before, after : TreeClassifier, CARTRegressor or ForestClassifier
        Fitted, both on classes or both on numbers.
    X : array-like or DataFrame, shape (n_samples, n_features)
        Rows that neither was chosen by, if the p value is to be believed: who tries many
        models on the same rows finds one that is better there by luck.
    y : array-like, shape (n_samples,)
        What is true of them.

    Raises
    ------
    ValueError
        If one model predicts classes and the other numbers, or `y` has another length.

    Notes
    -----
    The p value is exact: of the rows that only one model has right the second has half if both
    are as good, so it is that of the two-sided binomial test (McNemar 1947); of numbers the
    sign test of the absolute errors. O(n_samples depth).
    """
    if before.TAGS.task != after.TAGS.task:
        raise ValueError("one model predicts classes, the other numbers: they cannot be compared")
    truth = np.asarray(y)
    first, second = np.asarray(before.predict(X)), np.asarray(after.predict(X))
    if truth.shape != first.shape:
        raise ValueError(f"y must have {len(first)} values, one for each row, got {truth.shape}")
    if before.TAGS.task == "regression":
        lost, now = np.abs(first - truth), np.abs(second - truth)
    else:
        lost, now = first != truth, second != truth
    better, worse = int(np.count_nonzero(now < lost)), int(np.count_nonzero(now > lost))
    rows = np.flatnonzero(first != second)
    return RowChanges(rows, first[rows], second[rows], better, worse, mcnemar(better, worse))
