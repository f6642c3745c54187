"""Sizes and draws of MCDF's training subsets, with every number kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

FLOOR = 30  # fewest rows that the rule may choose
CAP = 4  # it chooses at most 1 / CAP of all rows


@dataclass(frozen=True, eq=False)
class SubsetPlan:
    """Numbers of eq 3 to 8 of Xu, Wang and Ren (2017).

    They stand in the order in which they arise.
    """

    n_samples: int  # N
    # (n_features,) float64, of a numeric feature scaled to 0..1: its standard deviation (eq 5, 6);
    # of a nominal one: the share of pairs of rows that differ (eq 7).
    spreads: np.ndarray
    nominal: np.ndarray  # (n_features,) bool
    sigma: float  # their mean, or their sum (eq 4)
    z: float
    error: float
    theta: float
    alpha: float
    raw: float  # z^2 sigma^2 / error^2 (eq 3)
    corrected: float | None  # Eq 8, where raw exceeds theta N
    low: int  # the bounds that the size is clipped to
    high: int  # the bounds that the size is clipped to
    size: int  # M, the rows of each subset
    # Whether the user gave M; the rule's numbers then only tell what it would have said.
    given: bool
    n_kept: int  # rows of a subset from the one before, and rows that no tree has seen
    n_fresh: int  # rows of a subset from the one before, and rows that no tree has seen
    n_expected: int  # number of trees until fewer than M rows are unseen, if none is left out


@dataclass(frozen=True, eq=False)
class Draw:
    """One subset: its draw, and the change of errors by its tree."""

    rows: np.ndarray  # (size,) intp, rising
    kept: np.ndarray  # (size,) bool, those from the subset before
    quota: np.ndarray  # (n_classes,) intp, rows of each class that were due, and that were there
    drawn: np.ndarray  # (n_classes,) intp, rows of each class that were due, and that were there
    n_unseen: int  # rows of positive weight that no earlier tree has seen
    error: float  # weighted share of errors of the tree (eq 11)
    # By which the weight of each row of `raised` was multiplied (eq 13); 1 if the error is 0, or
    # 1/2 and more.
    factor: float
    # raised, dropped: int32, rows with an error that are consistent, and inconsistent ones, whose
    # weight became 0
    raised: np.ndarray
    dropped: np.ndarray


def nominal_mask(
    categorical_features: Sequence | None, n_features: int, names: np.ndarray | None
) -> np.ndarray:
    """Mask of the nominal features.

    Raises
    ------
    ValueError
        If a feature does not exist.
    """
    mask = np.zeros(n_features, dtype=bool)
    if categorical_features is None:
        return mask
    known = {} if names is None else {name: f for f, name in enumerate(names)}
    given = np.asarray(categorical_features)
    if given.dtype == bool and given.shape == (n_features,):
        return given
    for each in given.tolist():
        f = known.get(each, each)
        if not isinstance(f, int) or isinstance(f, bool) or not 0 <= f < n_features:
            raise ValueError(
                f"categorical_features must name features of X or number them from 0 to "
                f"{n_features - 1}, got {each!r}"
            )
        mask[f] = True
    return mask


def feature_spreads(X: np.ndarray, nominal: np.ndarray) -> np.ndarray:
    """Spread of each feature (eq 5 to 7); 0 for a constant one."""
    spreads = np.zeros(X.shape[1])
    for f, column in enumerate(X.T):
        if nominal[f]:
            shares = np.unique(column, return_counts=True)[1] / len(column)
            spreads[f] = 1.0 - np.square(shares).sum()
        elif column.max() > column.min():
            # a power of two is taken out, so that nothing overflows and nothing vanishes
            column = np.ldexp(column, -np.frexp(np.abs(column).max())[1])
            low, high = column.min(), column.max()
            spreads[f] = ((column - low) / (high - low)).std()
    return spreads


def plan_subsets(
    X: np.ndarray,
    nominal: np.ndarray,
    *,
    z: float,
    error: float,
    theta: float,
    alpha: float,
    sigma: str,
    subset_size: int | None,
) -> SubsetPlan:
    """Size of the subsets and how it came about.

    Notes
    -----
    Deviation: sigma is the mean of the spreads, where eq 4 prints their sum, with which no
    reading gives the sizes that the paper reports. Deviation: the rule is clipped to 30 rows
    and a quarter of all, since eq 8 falls to 0 for small sizes and a forest needs several trees.
    """
    n = len(X)
    spreads = feature_spreads(X, nominal)
    total = float(spreads.mean() if sigma == "mean" else spreads.sum())
    raw = (z * total / error) ** 2
    corrected = 10.0 * np.floor(raw * n / ((raw + n) * 10.0)) if raw > theta * n else None
    high = max(n // CAP, 1)
    rule = raw if corrected is None else corrected
    size = int(min(max(rule, FLOOR), high)) if subset_size is None else subset_size
    n_kept = min(round(alpha * size), size - 1)
    return SubsetPlan(
        n_samples=n,
        spreads=spreads,
        nominal=nominal,
        sigma=total,
        z=z,
        error=error,
        theta=theta,
        alpha=alpha,
        raw=raw,
        corrected=corrected,
        low=FLOOR,
        high=high,
        size=size,
        given=subset_size is not None,
        n_kept=n_kept,
        n_fresh=size - n_kept,
        n_expected=1 if n < 2 * size else 2 + (n - 2 * size) // (size - n_kept),
    )


def class_quotas(counts: np.ndarray, size: int) -> np.ndarray:
    """Rows of each class among `size` (eq 9), by largest remainder.

    `counts` (n_classes,) are the rows of each class among all.
    """
    exact = counts * (size / counts.sum())
    quota = np.floor(exact).astype(np.intp)
    order = np.argsort(-(exact - quota), kind="stable")
    quota[order[: size - quota.sum()]] += 1
    return quota


def draw_rows(
    pools: list[np.ndarray], weights: np.ndarray, quota: np.ndarray, rng: np.random.Generator
) -> list[np.ndarray]:
    """Draw rows by weight without replacement, a quota from each class.

    Parameters
    ----------
    pools : list of ndarray of intp
        The rows of each class that can be drawn; their weights are positive.
    weights : ndarray, shape (n_samples,)
    quota : ndarray of intp, shape (n_classes,)
        A class with fewer rows gives all; rows of other classes take the places that are left.
    rng : numpy.random.Generator

    Returns
    -------
    list of ndarray of intp
        The rows drawn from each class, rising.

    Notes
    -----
    The smallest of Exp(1) / weight. Efraimidis and Spirakis (2006).
    """
    keys = [rng.standard_exponential(len(pool)) / weights[pool] for pool in pools]
    taken = [_smallest(key, int(want)) for key, want in zip(keys, quota, strict=True)]
    missing = int(quota.sum()) - sum(int(each.sum()) for each in taken)
    if missing > 0:
        left = np.concatenate(
            [np.where(each, np.inf, key) for each, key in zip(taken, keys, strict=True)]
        )
        more = _smallest(left, missing) & np.isfinite(left)
        ends = np.cumsum([len(pool) for pool in pools])[:-1]
        taken = [a | b for a, b in zip(taken, np.split(more, ends), strict=True)]
    return [pool[each] for pool, each in zip(pools, taken, strict=True)]


def _smallest(keys: np.ndarray, n: int) -> np.ndarray:
    """Mask of the n smallest keys, of all if there are no more."""
    if n >= len(keys):
        return np.ones(len(keys), dtype=bool)
    mask = np.zeros(len(keys), dtype=bool)
    if n > 0:
        mask[np.argpartition(keys, n - 1)[:n]] = True
    return mask
