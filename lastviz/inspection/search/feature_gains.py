"""Which features tell the classes apart by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lastviz.criteria import CRITERIA
from lastviz.estimators import CARTClassifier
from lastviz.estimators.reading import TrainingData
from lastviz.splitters import Presorted, presort

MOST_PARTS = 10


@dataclass(frozen=True, eq=False)
class FeatureCuts:
    """The best single test of each feature, by Gini gain."""

    gain: np.ndarray  # (n_features,), see `feature_gains`
    # (n_features,), of a numeric feature that gains anything, the lowest of the best; else NaN.
    threshold: np.ndarray


def feature_gains(
    data: Presorted | np.ndarray,
    y: np.ndarray,
    n_classes: int,
    categories: Sequence[tuple | None] | None = None,
    *,
    beside: int | None = None,
) -> np.ndarray:
    """Return the largest Gini gain that one test of each feature reaches on all rows.

    Parameters
    ----------
    data : Presorted or ndarray of float64, shape (n_samples, n_features)
        Numbers, codes of categories, NaN where a value is missing.
    y : ndarray of intp, shape (n_samples,)
        Class indices.
    n_classes : int
    categories : sequence of (tuple or None), optional
        The categories of nominal features, None for numeric ones; default: all are numeric.
    beside : int, optional
        A feature that is known: the mean gains in ten parts of the rows in its order, so that a
        feature which says the same gains little.

    Returns
    -------
    ndarray, shape (n_features,)
        Of a numeric feature by its best threshold, of a nominal one by a branch for each
        category; times the share of the rows whose value is known. 0 for a constant feature.
        O(n_features n_samples log n_samples).
    """
    if beside is None:
        return feature_cuts(data, y, n_classes, categories).gain
    X = data.X if isinstance(data, Presorted) else np.asarray(data, dtype=np.float64)
    order = np.argsort(X[:, beside], kind="stable")
    parts = np.array_split(order, min(MOST_PARTS, len(order)))
    return np.mean([feature_gains(X[part], y[part], n_classes, categories) for part in parts], 0)


def feature_cuts(
    data: Presorted | np.ndarray,
    y: np.ndarray,
    n_classes: int,
    categories: Sequence[tuple | None] | None = None,
) -> FeatureCuts:
    """Return the gains of :func:`feature_gains`, and the thresholds that reach them."""
    if isinstance(data, Presorted):
        return _by_thresholds(data, y, n_classes)
    X = np.asarray(data, dtype=np.float64)
    gains, thresholds = np.zeros(X.shape[1]), np.full(X.shape[1], np.nan)
    nominal = np.array([c is not None for c in categories or (None,) * X.shape[1]], dtype=bool)
    for f in np.flatnonzero(nominal):
        gains[f] = _by_categories(X[:, f], y, n_classes)
    known = ~np.isnan(X)
    complete = np.flatnonzero(~nominal & known.all(axis=0))
    if len(complete):
        found = _by_thresholds(presort(X[:, complete]), y, n_classes)
        gains[complete], thresholds[complete] = found.gain, found.threshold
    for f in np.flatnonzero(~nominal & ~known.all(axis=0)):
        here = known[:, f]
        if here.any():
            part = _by_thresholds(presort(X[here][:, [f]]), y[here], n_classes)
            gains[f], thresholds[f] = here.mean() * part.gain[0], part.threshold[0]
    return FeatureCuts(gains, thresholds)


def _by_thresholds(presorted: Presorted, y: np.ndarray, n_classes: int) -> FeatureCuts:
    data = TrainingData.of_sorted(presorted, y, n_classes)
    splitter = CARTClassifier().recipe(data).splitter()
    search = splitter.search(splitter.root())
    gains = np.zeros(presorted.X.shape[1])
    scores = search.columns["gini"]
    np.maximum.at(gains, search.feature, scores)
    thresholds = np.full(len(gains), np.nan)
    best = np.flatnonzero((scores >= gains[search.feature]) & (scores > 0))[::-1]
    thresholds[search.feature[best]] = search.threshold[best]
    return FeatureCuts(gains, thresholds)


def _by_categories(codes: np.ndarray, y: np.ndarray, n_classes: int) -> float:
    known = codes >= 0
    if not known.any():
        return 0.0
    values, place = np.unique(codes[known], return_inverse=True)
    counts = np.zeros((len(values), n_classes))
    np.add.at(counts, (place, y[known]), 1.0)
    impurity = CRITERIA["gini"].impurity
    share = counts.sum(axis=1) / counts.sum()
    decrease = float(impurity(counts.sum(axis=0)) - share @ impurity(counts))
    return float(known.mean()) * decrease
