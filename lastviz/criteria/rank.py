"""Rank entropy and rank mutual information, from class counts in the order of the classes.

As in ``impurity.py`` the classes are on the last axis, here from low to high.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from .dominance_kernels import count_in_plane, count_with_bits, fill_checkpoints
from .rank_kernels import ASCENDING, BOTH, DESCENDING

DOMINANCE = {"ascending": ASCENDING, "descending": DESCENDING, "mean": BOTH}


def rank_entropy(counts: np.ndarray, dominance: str = "ascending") -> np.ndarray:
    """Rank entropy of class counts (..., n_classes), in nats.

    Minus the mean over the rows of log(share of the rows of its class or a higher one).

    Parameters
    ----------
    counts : ndarray, shape (..., n_classes)
        The classes from low to high.
    dominance : {"ascending", "descending", "mean"}, default "ascending"
        Whether a row's set holds the classes at or above its own, at or below, or the mean of
        both entropies.

    Notes
    -----
    0 for a pure node; the largest rank mutual information that a split can have there. Hu et
    al. (2012), definition 4.
    """
    counts = np.asarray(counts, dtype=np.float64)
    if dominance == "mean":
        return (rank_entropy(counts) + rank_entropy(counts, "descending")) / 2.0
    n = counts.sum(axis=-1, keepdims=True)
    sets = _sets(counts, dominance)
    shares = np.divide(sets, n, out=np.ones_like(sets), where=counts > 0)
    mean = np.divide(counts, n, out=np.zeros_like(counts), where=n > 0)
    return np.maximum(-(mean * np.log(shares)).sum(axis=-1), 0.0)


def rank_mutual_information(
    left: np.ndarray, right: np.ndarray, dominance: str = "ascending"
) -> np.ndarray:
    """Rank mutual information of classes and a cut, in nats.

    Parameters
    ----------
    left, right : ndarray, shape (..., n_classes)
        Class counts below and above the cut of a feature with which the class rises, the
        classes from low to high; swap them for one with which it falls.
    dominance : {"ascending", "descending", "mean"}, default "ascending"
        As for :func:`rank_entropy`.

    Notes
    -----
    From counts in O(n_classes): a row's dominance set along a cut is its own side or the whole
    node. It may be negative, where the classes fall as the feature rises. Hu et al. (2012),
    definition 7.
    """
    left, right = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    if dominance == "mean":
        down = rank_mutual_information(left, right, "descending")
        return (rank_mutual_information(left, right) + down) / 2.0
    part, both = (right if dominance == "ascending" else left), left + right
    n, n_part = both.sum(axis=-1, keepdims=True), part.sum(axis=-1, keepdims=True)
    ratio = np.ones_like(part)
    np.divide(
        n * _sets(part, dominance), n_part * _sets(both, dominance), out=ratio, where=part > 0
    )
    return (part * np.log(ratio)).sum(axis=-1) / n[..., 0]


def _sets(counts: np.ndarray, dominance: str) -> np.ndarray:
    """Number of samples of each class or a higher (lower) one."""
    if dominance == "descending":
        return np.cumsum(counts, axis=-1)
    return np.cumsum(counts[..., ::-1], axis=-1)[..., ::-1]


# ---- Who dominates whom: counting rows that are at least as large in every feature
#
# In 2 columns a sweep answers for all rows at once; beyond, bit sets answer row by row, and only
# for the rows that are asked about.


CHECKPOINTS = 64  # per column, fewer where their bit sets would not fit
LARGEST_INDEX = 1 << 29  # bytes
CHUNK = 512  # rows that a thread counts at a time


def orient(X: np.ndarray, directions: np.ndarray) -> np.ndarray:
    """Columns in which a dominating sample is never smaller, shape (n_samples, m).

    Parameters
    ----------
    X : ndarray, shape (n_samples, n_features)
    directions : ndarray of int, shape (n_features,)
        1: the feature as it is. -1: the feature turned round. 0: both, so that only rows
        of the same value can dominate each other.
    """
    X, directions = np.asarray(X, dtype=np.float64) + 0.0, np.asarray(directions)
    return np.concatenate([X[:, directions >= 0], -X[:, directions <= 0] + 0.0], axis=1)


class DominanceCounter:
    """Counts the rows that dominate given rows of one data set, themselves included.

    Parameters
    ----------
    X : ndarray, shape (n_samples, m)
        Columns in which larger dominates, see :func:`orient`; m >= 1.
    y : ndarray of intp, shape (n_samples,)
        Class indices, low to high.
    n_classes : int

    Notes
    -----
    O(n_samples n_classes log n_samples) for all rows in up to 2 columns. Beyond, an index of
    m (C + 1) n_samples / 8 bytes with C = 64 checkpoints (fewer if that exceeded 512 MB) is
    made at the first question.
    """

    def __init__(self, X: np.ndarray, y: np.ndarray, n_classes: int) -> None:
        self._X = np.asarray(X, dtype=np.float64)
        self._y = np.asarray(y, dtype=np.intp)
        self._n_classes = n_classes
        self._known: tuple[np.ndarray, np.ndarray] | None = None
        self._index: tuple | None = None

    def count(self, rows: np.ndarray, n_jobs: int = 1) -> tuple[np.ndarray, np.ndarray]:
        """Number of samples dominating each of `rows`, and of those also in class.

        Parameters
        ----------
        rows : ndarray of intp
        n_jobs : int, default 1
            Threads; the answer does not depend on it.

        Returns
        -------
        n_above, n_above_class : ndarray of int64, shape (len(rows),)
            Rows z >= x, and those of them with y_z >= y_x.
        """
        rows = np.asarray(rows, dtype=np.intp)
        if self._X.shape[1] <= 2:
            if self._known is None:
                self._known = _count_all(self._X, self._y, self._n_classes)
            return self._known[0][rows], self._known[1][rows]
        if self._index is None:
            self._index = _bit_index(self._X, self._y, self._n_classes)
        n_above, n_class = np.empty(len(rows), dtype=np.int64), np.empty(len(rows), dtype=np.int64)

        def part(start: int) -> None:
            inside = slice(start, start + CHUNK)
            count_with_bits(rows[inside], *self._index, n_above[inside], n_class[inside])

        starts = range(0, len(rows), CHUNK)
        if n_jobs == 1 or len(starts) < 2:
            for start in starts:
                part(start)
        else:
            with ThreadPoolExecutor(n_jobs) as pool:
                list(pool.map(part, starts))
        return n_above, n_class

    def inclusion(self, rows: np.ndarray, n_jobs: int = 1) -> np.ndarray:
        """Inclusion degree of `rows`: the share of their dominating rows in class too.

        Notes
        -----
        1 for a row that no dominating row of a lower class contradicts. Deviation: Xu, Wang
        and Ren (2017) divide in eq 12 by the rows of the same class or a higher one, by which
        rows of consistent data get less than 1, against their own words.
        """
        n_above, n_above_class = self.count(rows, n_jobs)
        return n_above_class / n_above


def _falling_ranks(column: np.ndarray) -> np.ndarray:
    """Rank of each value, 0 the largest, equal values sharing theirs."""
    _, place = np.unique(-column, return_inverse=True)
    return place


def _count_all(X: np.ndarray, y: np.ndarray, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    n = len(X)
    first = _falling_ranks(X[:, 0])
    second = _falling_ranks(X[:, -1])
    tree = np.zeros((second.max() + 2, n_classes), dtype=np.int64)
    above, above_class = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    order = np.argsort(first, kind="stable")
    count_in_plane(order, first, second, y, tree, above, above_class)
    return above, above_class


def _bit_index(X: np.ndarray, y: np.ndarray, n_classes: int) -> tuple:
    """Arguments of the kernel: ranks, reach, checkpoints, step, classes, their bits."""
    n, m = X.shape
    n_words = -(-n // 64)
    ranks, reach = np.empty((n, m), dtype=np.int32), np.empty((n, m), dtype=np.int32)
    order = np.empty((m, n), dtype=np.int32)
    for f in range(m):
        place = _falling_ranks(X[:, f])
        ranks[:, f] = place
        reach[:, f] = np.cumsum(np.bincount(place))[place]
        order[f] = np.argsort(place, kind="stable")
    room = LARGEST_INDEX // (8 * m * n_words) - 1
    checkpoints = int(np.clip(min(CHECKPOINTS, n), 1, max(room, 1)))
    step = -(-n // checkpoints)
    words = np.zeros((m, checkpoints + 1, n_words), dtype=np.uint64)
    fill_checkpoints(order, step, words)
    bits = np.zeros((n_classes, 64 * n_words), dtype=np.uint8)
    bits[:, :n] = y >= np.arange(n_classes)[:, None]
    at_or_above = np.packbits(bits, axis=1, bitorder="little").view("<u8")
    return ranks, reach, words, step, y, at_or_above.astype(np.uint64)
