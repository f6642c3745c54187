"""All candidates of one feature at one node, for replay, and the table they are found in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz.criteria import mdl_correction
from lastviz.criteria.goodness_kernels import GAIN_OVER_ENTROPY
from lastviz.criteria.scan_kernels import GAIN_RATIO
from lastviz.splitters.search import NodeContext
from lastviz.splitters.threshold.choice_kernels import threshold_between

from .multiway_kernels import (
    BY_GAIN,
    MixedOptions,
    NodeScratch,
    disorder_of,
    nominal_scores,
    numeric_curve,
)


@dataclass(frozen=True, eq=False)
class Candidates:
    """The candidates of one feature: its thresholds, or the split into its categories."""

    feature: int
    # gain, score: (n_candidates,), gain in bits less the price of a threshold, and what decides
    # between features
    gain: np.ndarray
    score: np.ndarray
    threshold: np.ndarray  # (n_candidates,), NaN for a nominal feature
    left_counts: np.ndarray  # (n_candidates, n_classes)
    known: np.ndarray  # (n_candidates, n_classes), class counts of the rows whose value is known
    # categories, category_counts: tuple of (ndarray or None), of a nominal feature: the branch of
    # each category, and the class counts of each branch
    categories: tuple
    category_counts: tuple


def candidates_of(
    table: MixedTable,
    y: np.ndarray,
    context: NodeContext,
    feature: int,
    counts: np.ndarray,
    options: MixedOptions,
    room: NodeScratch,
    *,
    keep_empty: bool,
) -> Candidates:
    """Return all candidates of `feature` at a node with the class counts `counts`.

    `keep_empty` says whether categories without rows are branches.
    """
    codes, n_values = table.codes[feature], int(table.n_values[feature])
    total, disorder = counts.sum(), disorder_of(counts, room.table)
    here = (codes, y, context.rows, context.weights, total, disorder)
    if n_values:
        gain, _, score = nominal_scores(*here, n_values, options, room)
        branch = branch_of_each(codes[context.rows], n_values, keep_empty=keep_empty)
        by_category = room.by_category[:n_values][branch >= 0]
        return Candidates(
            feature=feature,
            gain=np.array([gain]),
            score=np.array([score]),
            threshold=np.array([np.nan]),
            left_counts=by_category[:1],
            known=room.known[None].copy(),
            categories=(branch,),
            category_counts=(by_category,),
        )
    left = np.empty((len(context.rows), len(counts)))
    cut = np.empty(len(left), dtype=np.int64)
    gain, information, score = np.empty((3, len(left)))
    count = numeric_curve(*here, options, room, cut, gain, information, score, left)
    gain, information, score = gain[:count], information[:count], score[:count]
    if options.mdl_correction and options.measure in BY_GAIN:
        admitted = gain > -np.inf
        gain[admitted] -= mdl_correction(admitted.sum(), total)
        score[admitted] = _rescored(gain[admitted], information[admitted], disorder, total, options)
    present = np.unique(codes[context.rows])
    values = table.values[feature][present[present >= 0]]
    return Candidates(
        feature=feature,
        gain=gain,
        score=score,
        threshold=np.array([threshold_between(values[i], values[i + 1]) for i in range(count)]),
        left_counts=left[:count],
        known=np.tile(room.known, (count, 1)),
        categories=(None,) * count,
        category_counts=(None,) * count,
    )


def branch_of_each(codes: np.ndarray, n_values: int, *, keep_empty: bool) -> np.ndarray:
    """Return the branch of each category of a node's nominal split, -1 where it has none.

    Parameters
    ----------
    codes : ndarray of int, shape (n_rows,)
        The categories of the node's rows, -1 where unknown.
    n_values : int
        Number of categories of the feature.
    keep_empty : bool
        Whether categories without rows are branches.
    """
    if keep_empty:
        return np.arange(n_values)
    present = np.bincount(codes[codes >= 0], minlength=n_values) > 0
    return np.where(present, np.cumsum(present) - 1, -1)


def _rescored(
    gain: np.ndarray,
    information: np.ndarray,
    disorder: float,
    total: float,
    options: MixedOptions,
) -> np.ndarray:
    """Return what decides, from gains after the price of a threshold."""
    if options.measure == GAIN_RATIO:
        out = np.full(len(gain), -np.inf)
        return np.divide(gain, information, out=out, where=information > 0)
    if options.measure == GAIN_OVER_ENTROPY:
        return gain * total / disorder if disorder > 0 else np.full(len(gain), -np.inf)
    return gain


class MixedTable:
    """Training rows as the search reads them: codes instead of values.

    Parameters
    ----------
    X : ndarray of float64, shape (n_samples, n_features)
        Encoded: a nominal value is its category's code, NaN is missing.
    n_categories : sequence of int
        Number of categories of each feature, 0 for a numeric one.

    Notes
    -----
    O(n_features n_samples log n_samples).
    """

    def __init__(self, X: np.ndarray, n_categories: np.ndarray) -> None:
        self.X = X
        self.n_values = np.asarray(n_categories, dtype=np.int64)
        self.codes = np.full(X.shape[::-1], -1, dtype=np.int32)
        self.values: list[np.ndarray] = []
        for f, column in enumerate(X.T):
            known = np.flatnonzero(column >= 0 if self.n_values[f] else ~np.isnan(column))
            if self.n_values[f]:
                self.values.append(np.empty(0))
                self.codes[f, known] = column[known]
            else:
                distinct, rank = np.unique(column[known], return_inverse=True)
                self.values.append(distinct)
                self.codes[f, known] = rank


def scratch_of(table: MixedTable, n_classes: int, n_rows: int) -> NodeScratch:
    """Return the scratch of the searches of nodes with up to `n_rows` rows."""
    m = len(table.codes)
    x = np.arange(n_rows + 1, dtype=np.float64)
    logs = np.log2(x, out=np.zeros_like(x), where=x > 0)
    return NodeScratch(
        keys=np.empty(n_rows, dtype=np.int64),
        by_category=np.empty((int(table.n_values.max(initial=0)), n_classes)),
        left=np.empty(n_classes),
        right=np.empty(n_classes),
        known=np.empty(n_classes),
        table=x * logs,
        gain=np.empty(m),
        score=np.empty(m),
        cut=np.empty(m, dtype=np.int64),
        n_cuts=np.empty(m, dtype=np.int64),
    )
