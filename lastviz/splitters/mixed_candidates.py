"""All candidates of one feature at one node, for replay: what growth forgets is kept here."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz.criteria import mdl_correction
from lastviz.criteria.goodness_kernels import GAIN_OVER_ENTROPY
from lastviz.criteria.scan_kernels import GAIN_RATIO

from .choice_kernels import threshold_between
from .mixed_kernels import (
    BY_GAIN,
    MixedOptions,
    NodeRoom,
    disorder_of,
    nominal_scores,
    numeric_curve,
)
from .mixed_table import MixedTable
from .search import NodeContext

__all__ = ["Candidates", "candidates_of"]


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
) -> Candidates:
    """Return all candidates of `feature` at a node with the class counts `counts`."""
    codes, n_values = table.codes[feature], int(table.n_values[feature])
    total, disorder = counts.sum(), disorder_of(counts, room.table)
    here = (codes, y, context.rows, context.weights, total, disorder)
    if n_values:
        gain, _, score = nominal_scores(*here, n_values, options, room)
        by_category = room.by_category[:n_values].copy()
        return Candidates(
            feature=feature,
            gain=np.array([gain]),
            score=np.array([score]),
            threshold=np.array([np.nan]),
            left_counts=by_category[:1],
            known=np.array([room.known.sum()]),
            categories=(np.arange(n_values),),
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
        known=np.full(count, room.known.sum()),
        categories=(None,) * count,
        category_counts=(None,) * count,
    )


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
