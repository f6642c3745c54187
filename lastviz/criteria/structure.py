"""Effects of a split on the structure of the classes: segments, margins, compactness.

The definitions of one split, straight from the formulas and as slow as these; the kernels
beside this file score all candidates of a node in one sweep per feature.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

NO_SEPARATION = 1e-14  # a smaller distance between classes counts as none


def scale_to_range(X: np.ndarray) -> np.ndarray:
    """`X` (n_samples, n_features) scaled to 0..1 by its range; constant columns to 0.

    Notes
    -----
    The rows are those of the node that is split: ranges are taken anew at every node.
    """
    X = np.asarray(X, dtype=np.float64)
    low, high = X.min(axis=0), X.max(axis=0)
    with np.errstate(over="ignore"):
        scale = np.where(np.isinf(high - low), 0.5, 1.0)
    span = high * scale - low * scale
    return np.divide(X * scale - low * scale, span, out=np.zeros_like(X), where=span > 0)


def hellinger(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Hellinger distance between the classes' shares over the children.

    Parameters
    ----------
    left, right : ndarray, shape (..., n_classes)
        Class counts of the children.

    Notes
    -----
    Cieslak and Chawla (2008). With more than two classes the largest value of one class
    against the rest; 0 where only one class is present.
    """
    left, right = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    total = left + right
    rest = total.sum(axis=-1, keepdims=True) - total
    squares = np.zeros_like(total)
    for child in (left, right):
        others = child.sum(axis=-1, keepdims=True) - child
        p = np.divide(child, total, out=np.zeros_like(total), where=total > 0)
        r = np.divide(others, rest, out=np.zeros_like(total), where=rest > 0)
        squares += np.square(np.sqrt(p) - np.sqrt(r))
    both = (total > 0) & (rest > 0)
    return np.sqrt(np.where(both, squares, 0.0).max(axis=-1))


def segments(values: np.ndarray, y: np.ndarray) -> int:
    """Number of runs of equal class along `values`; equal values sorted by class."""
    along = np.asarray(y)[np.lexsort((y, values))]
    return int(len(along) > 0) + int(np.count_nonzero(along[1:] != along[:-1]))


def _children_segments(
    Z: np.ndarray, y: np.ndarray, left: np.ndarray, feature: int, minimum: bool
) -> tuple[int, int]:
    along = range(Z.shape[1]) if minimum else (feature,)
    first, second = (min(segments(Z[side, f], y[side]) for f in along) for side in (left, ~left))
    return first, second


def expected_segments(
    Z: np.ndarray, y: np.ndarray, left: np.ndarray, feature: int, *, minimum: bool = False
) -> float:
    """Expected number of segments of a split; smaller is better.

    ``sum_children |s_i| / |s| Seg(s_i)``: eq (2) of Du and Chen.

    Parameters
    ----------
    Z : ndarray, shape (n_samples, n_features)
    y : ndarray of intp, shape (n_samples,)
    left : ndarray of bool, shape (n_samples,)
        The rows of the first child.
    feature : int
        The feature that is split.
    minimum : bool, default False
        Count along the feature with the fewest segments of each child (eq 1), not along the
        feature that is split.
    """
    first, second = _children_segments(Z, y, left, feature, minimum)
    return (left.sum() * first + (~left).sum() * second) / len(y)


def segment_ratio(
    Z: np.ndarray, y: np.ndarray, left: np.ndarray, feature: int, *, minimum: bool = False
) -> float:
    """Smaller over the larger of the children's numbers of segments (eq 4)."""
    first, second = _children_segments(Z, y, left, feature, minimum)
    return min(first, second) / max(first, second)


def between_margin(
    Z: np.ndarray, y: np.ndarray, left: np.ndarray, *, squared: bool = True
) -> float:
    """Mean squared distance between the children's means of the same class.

    Parameters
    ----------
    Z : ndarray, shape (n_samples, n_features)
        The node's normalised rows.
    y : ndarray of intp, shape (n_samples,)
    left : ndarray of bool, shape (n_samples,)
    squared : bool, default True
        False: the mean distance.

    Notes
    -----
    Du and Chen (2023), eq (5). Only classes with rows in both children count; 0 if there
    is none.
    """
    terms = []
    for c in np.unique(y):
        first, second = Z[left & (y == c)], Z[~left & (y == c)]
        if len(first) and len(second):
            square = float(np.square(first.mean(axis=0) - second.mean(axis=0)).sum())
            terms.append(square if squared else np.sqrt(square))
    return float(np.mean(terms)) if terms else 0.0


def nearest_penalty(z: np.ndarray, y: np.ndarray, left: np.ndarray, threshold: float) -> float:
    """P + Q of eq (7): closeness of different classes to each other at the threshold.

    Parameters
    ----------
    z : ndarray, shape (n_samples,)
        The normalised values of the feature that is split.
    y : ndarray of intp, shape (n_samples,)
    left : ndarray of bool, shape (n_samples,)
    threshold : float
        The normalised threshold.

    Notes
    -----
    Per child: the mean over its classes of the distance of the class's nearest row plus that
    of the nearest row of any other class. 0 for a child with a single class, where the paper
    is silent.
    """
    total = 0.0
    for side in (left, ~left):
        distance, labels = np.abs(z[side] - threshold), y[side]
        present = np.unique(labels)
        if len(present) > 1:
            nearest = [distance[labels == c].min() + distance[labels != c].min() for c in present]
            total += float(np.mean(nearest))
    return total


def exact_penalty(Z: np.ndarray, y: np.ndarray, left: np.ndarray) -> float:
    """P + Q of eq (6): mean distance of each class to its nearest other class.

    Notes
    -----
    Euclidean distances over all features, per child, as the text under (6) says; 0 for a child
    with a single class. Deviation: the formula itself squares the distance; eq (7), which is to
    approximate it, does not.
    """
    total = 0.0
    for side in (left, ~left):
        rows, labels = Z[side], y[side]
        present = np.unique(labels)
        if len(present) > 1:
            gaps = rows[:, None, :] - rows[None, :, :]
            distance = np.sqrt(np.square(gaps).sum(axis=2))
            distance[labels[:, None] == labels[None, :]] = np.inf
            total += float(np.mean([distance[labels == c].min() for c in present]))
    return total


def _separation(means: np.ndarray, sizes: np.ndarray, ecoc: str) -> float:
    """Squared distances between the two sides of each dichotomy, summed."""
    q, n = len(sizes), sizes.sum()
    if q == 2 or ecoc == "one_vs_one":
        pairs = combinations(range(q), 2)
        return float(sum(np.square(means[a] - means[b]).sum() for a, b in pairs))
    centre = sizes @ means / n
    if ecoc == "one_vs_rest":
        weight = np.square(n / (n - sizes))
        return float(weight @ np.square(means - centre).sum(axis=1))
    total = 0.0
    for code in range(1, 2 ** (q - 1)):
        group = np.array([bool(code >> c & 1) for c in range(q)])
        gap = sizes[group] @ means[group] / sizes[group].sum()
        gap = gap - sizes[~group] @ means[~group] / sizes[~group].sum()
        total += float(np.square(gap).sum())
    return total


def child_compactness(Z: np.ndarray, y: np.ndarray, *, ecoc: str = "one_vs_rest") -> float:
    """Eq (11): the within-class sum of squares over the between-class distance.

    Parameters
    ----------
    Z : ndarray, shape (n_samples, n_features)
        Normalised rows of one child.
    y : ndarray of intp, shape (n_samples,)
    ecoc : {"one_vs_rest", "exhaustive", "one_vs_one"}, default "one_vs_rest"
        With three or more classes, which dichotomies are summed.

    Notes
    -----
    0 for a child with one class, infinite where the classes' means coincide.
    """
    present = np.unique(y)
    if len(present) < 2:
        return 0.0
    means = np.array([Z[y == c].mean(axis=0) for c in present])
    sizes = np.array([np.count_nonzero(y == c) for c in present])
    within = sum(np.square(Z[y == c] - m).sum() for c, m in zip(present, means, strict=True))
    between = _separation(means, sizes, ecoc)
    return float(within) / between if between > NO_SEPARATION else np.inf


def compactness(
    Z: np.ndarray, y: np.ndarray, left: np.ndarray, *, ecoc: str = "one_vs_rest"
) -> float:
    """CSN of a split, eq (14): the children's values weighted by their sample shares.

    Smaller is better. See :func:`child_compactness`.
    """
    share = np.count_nonzero(left) / len(y)
    first = child_compactness(Z[left], y[left], ecoc=ecoc)
    second = child_compactness(Z[~left], y[~left], ecoc=ecoc)
    return share * first + (1.0 - share) * second
