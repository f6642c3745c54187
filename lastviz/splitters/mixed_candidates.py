"""All candidates of one feature at one node, for replay: what growth forgets is kept here."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz.criteria import mdl_correction

from .choice_kernels import threshold_between
from .mixed_kernels import (
    RATIO,
    RATIO_TO_ENTROPY,
    MixedOptions,
    NodeRoom,
    disorder_of,
    nominal_scores,
    numeric_curve,
)
from .mixed_table import MixedTable
from .search import NodeContext

__all__ = ["Candidates", "branch_of_each", "candidates_of"]


@dataclass(frozen=True, eq=False)
class Candidates:
    """The candidates of one feature: its thresholds, or the split into its categories.

    Attributes
    ----------
    feature : int
    gain, score : ndarray, shape (n_candidates,)
        Gain in bits less the price of a threshold, and what decides between features.
    threshold : ndarray, shape (n_candidates,)
        NaN for a nominal feature.
    left_counts : ndarray, shape (n_candidates, n_classes)
    known : ndarray, shape (n_candidates,)
        Weight of the rows whose value is known.
    categories, category_counts : tuple of (ndarray or None)
        Of a nominal feature: the branch of each category, and the class counts of each branch.
    """

    feature: int
    gain: np.ndarray
    score: np.ndarray
    threshold: np.ndarray
    left_counts: np.ndarray
    known: np.ndarray
    categories: tuple
    category_counts: tuple


def candidates_of(
    table: MixedTable,
    y: np.ndarray,
    context: NodeContext,
    feature: int,
    counts: np.ndarray,
    options: MixedOptions,
    room: NodeRoom,
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
            known=np.array([room.known.sum()]),
            categories=(branch,),
            category_counts=(by_category,),
        )
    left = np.empty((len(context.rows), len(counts)))
    cut = np.empty(len(left), dtype=np.int64)
    gain, information, score = np.empty((3, len(left)))
    count = numeric_curve(*here, options, room, cut, gain, information, score, left)
    gain, information, score = gain[:count], information[:count], score[:count]
    if options.mdl_correction and options.measure <= RATIO_TO_ENTROPY:
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
        known=np.full(count, room.known.sum()),
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
    if options.measure == RATIO:
        out = np.full(len(gain), -np.inf)
        return np.divide(gain, information, out=out, where=information > 0)
    if options.measure == RATIO_TO_ENTROPY:
        return gain * total / disorder if disorder > 0 else np.full(len(gain), -np.inf)
    return gain
