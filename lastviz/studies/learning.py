"""Learning curves: scores of a study's algorithms when they learn from fewer samples."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.stats import t as student

from lastviz.datasets import Dataset

from .candidates import obstacle, version_of
from .study import AlgorithmChoice, Study
from .tasks import Task, figures_on, fold_of_rows, seed_of

SHARES = (0.1, 0.2, 0.4, 0.7, 1.0)
"""Of the training rows of a fold."""
LEAST_ROWS = 4


@dataclass(frozen=True, eq=False)
class LearningCurve:
    """Held-out scores of an algorithm over the number of its training rows."""

    name: str  # of the algorithm in its study
    n_samples: np.ndarray  # (n_shares,) intp, training rows, rounded down
    mean: np.ndarray  # (n_shares,) float64, of the metric over the folds; NaN where a fold failed
    # (n_shares,) float64, half the width of the 95 % interval of the mean, corrected for rows that
    # the whole training sets share (Nadeau and Bengio 2003); too wide for smaller ones.
    half: np.ndarray
    reason: str  # why there is no curve, or why points are missing; "" where all is well


def learning_curves_in_steps(
    study: Study, dataset: Dataset, metric: str, shares: Sequence[float] = SHARES
) -> Generator[float, None, tuple[LearningCurve, ...]]:
    """Learning curves of a study's algorithms on one data set; yield the share done.

    The folds are those of the study's first division. A smaller training set is part of every
    larger one, with each class in its share. Parameters of a grid are chosen inside the rows
    learnt from, whatever the protocol of the study.

    Parameters
    ----------
    study : Study
    dataset : Dataset
    metric : str
        Column of :data:`lastviz.studies.METRICS`.
    shares : sequence of float
        Of the training rows of a fold, rising.

    Notes
    -----
    One fit for each algorithm, fold and share; with a grid one for each point and inner fold more.
    """
    fold = fold_of_rows(dataset, study.folds, 0, study.seed)
    total = len(study.algorithms) * study.folds
    curves = []
    for a, algorithm in enumerate(study.algorithms):
        reason = obstacle(algorithm.key, dataset) or ""
        values = np.full((len(shares), study.folds), np.nan)
        for k in range(study.folds):
            yield (a * study.folds + k) / total
            if reason:
                break
            try:
                values[:, k] = _values(study, algorithm, dataset, fold, k, metric, shares)
            except ValueError as error:
                reason = str(error)
        curves.append(_curve(algorithm.name, values, fold, shares, reason))
    return tuple(curves)


def _values(
    study: Study,
    algorithm: AlgorithmChoice,
    dataset: Dataset,
    fold: np.ndarray,
    k: int,
    metric: str,
    shares: Sequence[float],
) -> list[float]:
    points = algorithm.points()
    task = Task(
        algorithm.key, points, algorithm.unlabelled, dataset.digest, study.folds, 0, k, study.seed,
        study.inner_folds if len(points) > 1 else 0, version_of(algorithm.key),
    )  # fmt: skip
    train, test = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
    seed = seed_of(task, dataset)
    order = _nested_order(dataset, train, seed)
    found = []
    for share in shares:
        rows = np.sort(order[: max(int(share * len(train)), LEAST_ROWS)])
        figures, _ = figures_on(task, dataset, rows, test, seed)
        found.append(figures.get(metric, np.nan))
    return found


def _nested_order(dataset: Dataset, train: np.ndarray, seed: int) -> np.ndarray:
    """Training rows in an order whose first n rows have each class in its share."""
    mixed = np.random.default_rng(seed).permutation(train)
    if dataset.is_regression:
        return mixed
    y = dataset.codes[mixed]
    place = np.empty(len(mixed))
    for code in np.unique(y):
        own = np.flatnonzero(y == code)
        place[own] = (np.arange(len(own)) + 0.5) / len(own)
    return mixed[np.argsort(place, kind="stable")]


def _curve(
    name: str, values: np.ndarray, fold: np.ndarray, shares: Sequence[float], reason: str
) -> LearningCurve:
    n_folds = values.shape[1]
    n_train = len(fold) * (n_folds - 1) / n_folds
    rows = np.array([max(int(share * n_train), LEAST_ROWS) for share in shares])
    spread = values.std(axis=1, ddof=1)
    of_mean = sqrt(1.0 / n_folds + 1.0 / (n_folds - 1))  # smaller training sets share fewer rows
    half = student.ppf(0.975, n_folds - 1) * spread * of_mean
    return LearningCurve(name, rows, values.mean(axis=1), half, reason)
