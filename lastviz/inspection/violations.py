"""Which rows of ordered data contradict each other, and which way each feature points."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
from scipy.stats import kendalltau

from lastviz.criteria.dominance import DominanceCounter, oriented
from lastviz.estimators.ordered import directions_of
from lastviz.splitters import result_of

STEP = 2000  # rows that are counted between two signs of life


@dataclass(frozen=True, eq=False)
class Violations:
    """Pairs of rows of which the dominating one is lower in class."""

    n_pairs: int  # how many there are
    # Pairs of rows of which one dominates the other; two identical rows, which dominate each other,
    # are one pair too.
    n_comparable: int
    pairs: np.ndarray  # (n, 2) intp, the first of them by row: (dominated row, dominating row)
    # (n_samples,) intp, for each row, how many rows dominate it and are lower in class.
    n_contradicting: np.ndarray
    # (n_samples,) float64, for each row, the share of the rows that dominate it (itself too) that
    # are not lower in class; 1 is consistent.
    inclusion: np.ndarray


def violations(
    X: np.ndarray,
    y: np.ndarray,
    directions: np.ndarray | None = None,
    *,
    limit: int = 1000,
) -> Violations:
    """Count and list the pairs of rows that contradict the directions.

    Parameters
    ----------
    X : array-like, shape (n_samples, n_features)
    y : ndarray of int, shape (n_samples,)
        Class indices from low to high.
    directions : sequence of {1, -1, 0}, optional
        One per feature; all 1 if not given. Rows that differ in a feature of direction 0 are
        not comparable.
    limit : int, default 1000
        Most pairs that are listed; all are counted.

    Notes
    -----
    Counting as in :class:`lastviz.criteria.dominance.DominanceCounter`; listing takes
    O(n_samples n_features) for each row that is listed.
    """
    return result_of(violations_in_steps(X, y, directions, limit=limit))


def violations_in_steps(
    X: np.ndarray,
    y: np.ndarray,
    directions: np.ndarray | None = None,
    *,
    limit: int = 1000,
) -> Generator[float, None, Violations]:
    """Count and list as :func:`violations` does; yield what share of the rows is counted."""
    X, y = np.asarray(X, dtype=np.float64), np.asarray(y, dtype=np.intp)
    columns = oriented(X, directions_of(directions, X.shape[1]))
    counter = DominanceCounter(columns, y, int(y.max(initial=0)) + 1)
    above, above_class = np.empty(len(y), dtype=np.int64), np.empty(len(y), dtype=np.int64)
    for start in range(0, len(y), STEP):
        rows = np.arange(start, min(start + STEP, len(y)))
        above[rows], above_class[rows] = counter.count(rows)
        yield (rows[-1] + 1) / len(y)
    contradicting = above - above_class
    alike = np.unique(columns, axis=0, return_counts=True)[1]
    twice = int((alike * (alike - 1) // 2).sum())  # identical rows dominate each other
    pairs: list[np.ndarray] = []
    found = 0
    for row in np.flatnonzero(contradicting):
        if found >= limit:
            break
        other = np.flatnonzero((y < y[row]) & (columns >= columns[row]).all(axis=1))
        pairs.append(np.stack([np.full(len(other), row), other], axis=1))
        found += len(other)
    listed = np.concatenate(pairs)[:limit] if pairs else np.empty((0, 2), dtype=np.intp)
    return Violations(
        n_pairs=int(contradicting.sum()),
        n_comparable=int(above.sum()) - len(y) - twice,
        pairs=listed,
        n_contradicting=contradicting.astype(np.intp),
        inclusion=above_class / above,
    )


@dataclass(frozen=True, eq=False)
class SuggestedDirections:
    """Which way each feature seems to point."""

    # (n_features,) float64, Kendall's tau-b of feature and class; 0 for a constant feature.
    tau: np.ndarray
    direction: np.ndarray  # (n_features,) intp, its sign where it is unlikely to be chance, else 0
    p_value: np.ndarray  # (n_features,) float64, of no association
    n_samples: int  # rows that they were found from


def suggest_directions(
    X: np.ndarray, y: np.ndarray, *, significance: float = 0.05
) -> SuggestedDirections:
    """Suggest a direction per feature by the sign of Kendall's tau; for a person to confirm.

    Parameters
    ----------
    X : array-like, shape (n_samples, n_features)
    y : ndarray of int, shape (n_samples,)
        Class indices from low to high.
    significance : float, default 0.05
        Features with a larger p-value get direction 0.

    Notes
    -----
    O(n_samples log n_samples) per feature. A feature's own association says little where
    features hang together, hence only a suggestion.
    """
    X, y = np.asarray(X, dtype=np.float64), np.asarray(y)
    tau, p_value = np.zeros(X.shape[1]), np.ones(X.shape[1])
    for f, column in enumerate(X.T):
        if len(column) > 1 and np.ptp(column) > 0 and np.ptp(y) > 0:
            found = kendalltau(column, y)
            tau[f], p_value[f] = found.statistic, found.pvalue
    direction = np.where(p_value <= significance, np.sign(tau), 0).astype(np.intp)
    return SuggestedDirections(tau, direction, p_value, len(y))
