"""Measurements of one split by BNM and CSN, as points and numbers that can be drawn."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from lastviz.criteria import (
    between_margin,
    child_compactness,
    compactness,
    exact_penalty,
    nearest_penalty,
    scale_to_range,
)


@dataclass(frozen=True, eq=False)
class ClassMargin:
    """The distance between the means of one class in the two children."""

    cls: int
    left_mean: np.ndarray  # (n_features,), in original units
    right_mean: np.ndarray  # (n_features,), in original units
    square: float  # their squared distance in normalised units: the class's term of eq (5)


@dataclass(frozen=True, eq=False)
class ClassSpread:
    """Spread of the samples of one class in one child."""

    child: int  # {0, 1}
    cls: int
    n: int
    mean: np.ndarray  # (n_features,), mean and standard deviation of its rows, in original units
    deviation: np.ndarray
    # Sum of squared distances from the mean in normalised units: its part of CSN's numerator.
    within: float


@dataclass(frozen=True, eq=False)
class Dichotomy:
    """Distance of two groups of classes in one child: a part of CSN's denominator."""

    child: int  # {0, 1}
    one: tuple[int, ...]  # the classes of either group
    other: tuple[int, ...]  # the classes of either group
    one_mean: np.ndarray  # (n_features,), pooled means in original units
    other_mean: np.ndarray  # (n_features,), pooled means in original units
    square: float  # squared distance in normalised units


@dataclass(frozen=True)
class Nearest:
    """Contribution of a class to a child's penalty, before the mean over its classes."""

    child: int  # {0, 1}
    cls: int
    # own, other: rows of the data: eq (7) the nearest to the threshold of the class and of all
    # others, eq (6) the closest pair of the class and any other
    own: int
    other: int
    # own_distance, other_distance: to the threshold, in normalised units; for eq (6) the distance
    # of the pair and 0
    own_distance: float
    other_distance: float


@dataclass(frozen=True, eq=False)
class SplitGeometry:
    """One split, measured."""

    feature: int
    threshold: float
    rows: tuple[np.ndarray, np.ndarray]  # rows of the first and of the second child
    margins: tuple[ClassMargin, ...]  # their mean is `bnm5`
    nearest: tuple[Nearest, ...]  # per child, the mean of the sums is `penalty_parts`
    spreads: tuple[ClassSpread, ...]
    dichotomies: tuple[Dichotomy, ...]
    bnm5: float
    penalty_parts: tuple[float, float]  # P and Q
    bnm: float  # `bnm5 - P - Q`
    child_csn: tuple[float, float]  # within over between of each child
    csn: float  # their mean, weighted by rows


def split_geometry(
    X: np.ndarray,
    y: np.ndarray,
    rows: np.ndarray,
    feature: int,
    threshold: float,
    *,
    penalty: str = "approximate",
    ecoc: str = "one_vs_rest",
    bnm_root: bool = False,
) -> SplitGeometry:
    """Measure the split ``x[feature] <= threshold`` of a node.

    Parameters
    ----------
    X : ndarray, shape (n_samples, n_features)
    y : ndarray of intp, shape (n_samples,)
        Class indices.
    rows : ndarray of intp
        The rows of the node.
    feature : int
    threshold : float
        Is lowered to the largest value of the first child, where the criteria measure.
    penalty, ecoc, bnm_root
        As in :class:`lastviz.HybridTreeClassifier`.

    Raises
    ------
    ValueError
        If a child is empty.
    """
    rows = np.sort(np.asarray(rows, dtype=np.intp))
    here, labels = np.asarray(X, dtype=np.float64)[rows], np.asarray(y)[rows]
    left = here[:, feature] <= threshold
    if left.all() or not left.any():
        raise ValueError(
            f"threshold must leave rows on both sides of feature {feature}, got {threshold!r}"
        )
    Z = scale_to_range(here)
    nearest, parts = _penalties(Z, labels, left, rows, feature, penalty)
    bnm5 = between_margin(Z, labels, left, squared=not bnm_root)
    return SplitGeometry(
        feature=feature,
        threshold=float(here[left, feature].max()),
        rows=(rows[left], rows[~left]),
        margins=_margins(here, Z, labels, left),
        nearest=nearest,
        spreads=_spreads(here, Z, labels, left),
        dichotomies=_dichotomies(here, Z, labels, left, ecoc),
        bnm5=bnm5,
        penalty_parts=parts,
        bnm=bnm5 - sum(parts),
        child_csn=(
            child_compactness(Z[left], labels[left], ecoc=ecoc),
            child_compactness(Z[~left], labels[~left], ecoc=ecoc),
        ),
        csn=compactness(Z, labels, left, ecoc=ecoc),
    )


def _margins(
    X: np.ndarray, Z: np.ndarray, y: np.ndarray, left: np.ndarray
) -> tuple[ClassMargin, ...]:
    out = []
    for c in np.intersect1d(y[left], y[~left]):
        first, second = left & (y == c), ~left & (y == c)
        square = np.square(Z[first].mean(axis=0) - Z[second].mean(axis=0)).sum()
        out.append(
            ClassMargin(int(c), X[first].mean(axis=0), X[second].mean(axis=0), float(square))
        )
    return tuple(out)


def _spreads(
    X: np.ndarray, Z: np.ndarray, y: np.ndarray, left: np.ndarray
) -> tuple[ClassSpread, ...]:
    out = []
    for child, side in enumerate((left, ~left)):
        for c in np.unique(y[side]):
            mine = side & (y == c)
            within = np.square(Z[mine] - Z[mine].mean(axis=0)).sum()
            mean, deviation = X[mine].mean(axis=0), X[mine].std(axis=0)
            n = int(mine.sum())
            out.append(ClassSpread(child, int(c), n, mean, deviation, float(within)))
    return tuple(out)


def _divisions(present: list[int], ecoc: str) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Pairs of groups of classes whose distance CSN sums."""
    if len(present) < 2:
        return []
    if len(present) == 2 or ecoc == "one_vs_one":
        return [((a,), (b,)) for a, b in combinations(present, 2)]
    if ecoc == "one_vs_rest":
        return [((c,), tuple(o for o in present if o != c)) for c in present]
    last, others = present[-1], present[:-1]
    groups = [g for size in range(1, len(present)) for g in combinations(others, size)]
    return [(g, (*(c for c in others if c not in g), last)) for g in groups]


def _dichotomies(
    X: np.ndarray, Z: np.ndarray, y: np.ndarray, left: np.ndarray, ecoc: str
) -> tuple[Dichotomy, ...]:
    out = []
    for child, side in enumerate((left, ~left)):
        for one, other in _divisions(np.unique(y[side]).tolist(), ecoc):
            a, b = side & np.isin(y, one), side & np.isin(y, other)
            square = np.square(Z[a].mean(axis=0) - Z[b].mean(axis=0)).sum()
            means = X[a].mean(axis=0), X[b].mean(axis=0)
            out.append(Dichotomy(child, one, other, *means, float(square)))
    return tuple(out)


def _penalties(
    Z: np.ndarray, y: np.ndarray, left: np.ndarray, rows: np.ndarray, feature: int, penalty: str
) -> tuple[tuple[Nearest, ...], tuple[float, float]]:
    """Nearest rows of every class of both children, and P and Q."""
    if penalty == "none":
        return (), (0.0, 0.0)
    cut = float(Z[left, feature].max())
    out: list[Nearest] = []
    parts = []
    for child, side in enumerate((left, ~left)):
        inside = np.flatnonzero(side)
        if penalty == "exact":
            parts.append(exact_penalty(Z[inside], y[inside], np.ones(len(inside), dtype=bool)))
        else:
            all_rows = np.ones(len(inside), dtype=bool)
            parts.append(nearest_penalty(Z[inside, feature], y[inside], all_rows, cut))
        present = np.unique(y[inside])
        if len(present) > 1:
            out += [_nearest(Z, y, inside, rows, c, feature, cut, penalty, child) for c in present]
    return tuple(out), (parts[0], parts[1])


def _nearest(
    Z: np.ndarray,
    y: np.ndarray,
    inside: np.ndarray,
    rows: np.ndarray,
    c: int,
    feature: int,
    cut: float,
    penalty: str,
    child: int,
) -> Nearest:
    own, rest = inside[y[inside] == c], inside[y[inside] != c]
    if penalty == "exact":
        best = np.inf, 0, 0
        for i in own:
            square = np.square(Z[rest] - Z[i]).sum(axis=1)
            j = int(square.argmin())
            best = min(best, (float(square[j]), int(i), int(rest[j])))
        return Nearest(child, int(c), int(rows[best[1]]), int(rows[best[2]]), best[0] ** 0.5, 0.0)
    a, b = np.abs(Z[own, feature] - cut), np.abs(Z[rest, feature] - cut)
    i, j = int(a.argmin()), int(b.argmin())
    return Nearest(child, int(c), int(rows[own[i]]), int(rows[rest[j]]), float(a[i]), float(b[j]))
