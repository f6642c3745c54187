"""Splits of one tree of a boosted sum of trees, each leaf of which adds a score for each border."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from lastviz._on_read import OnRead
from lastviz._random import ROOT_KEY, child_keys
from lastviz.criteria.ties_kernels import TIE, tie_floors
from lastviz.splitters.search import NodeContext, Split
from lastviz.splitters.threshold.threshold import midpoints
from lastviz.tree import Reason

from .boosted_kernels import cut_gains, histograms

MOST_BINS = 255
LARGEST_STEP = 10.0


@dataclass(frozen=True, eq=False)
class BoostedSearch:
    """The admissible cuts of a node."""

    feature: np.ndarray  # (n_candidates,) intp, rising
    # threshold, gain: (n_candidates,) float64, by how much the loss of the node's rows falls, in
    # nats, as its quadratic approximation says
    threshold: np.ndarray = OnRead()
    gain: np.ndarray
    counts: np.ndarray  # (n_classes,) intp, class counts of the node
    # The first of those that gain most; its score is the gain for each row of the node.
    split: Split | None

    @property
    def n_candidates(self) -> int:
        """Number of admissible cuts."""
        return len(self.feature)


@dataclass(frozen=True, eq=False)
class Slopes:
    """Derivatives of the rows' loss in a round, and the constraints on its tree."""

    # (n_samples, 2 n_borders) float64, first derivatives of each row's loss by its scores, then
    # second ones.
    values: np.ndarray
    penalty: float  # what is added to the sum of second derivatives
    min_rows: int  # fewest rows of a leaf
    directions: np.ndarray  # (n_features,) int, 1, -1 or 0


def bin_cuts(X: np.ndarray) -> list[np.ndarray]:
    """Thresholds between the bins of each feature: at most 254, by their quantiles."""
    found = []
    for column in X.T:
        values, counts = np.unique(column, return_counts=True)
        cuts = midpoints(values[:-1], values[1:])
        if len(cuts) >= MOST_BINS:
            ends = np.searchsorted(np.cumsum(counts), len(X) * np.arange(1, MOST_BINS) / MOST_BINS)
            cuts = cuts[np.unique(np.minimum(ends, len(cuts) - 1))]
        found.append(cuts)
    return found


def bin_values(X: np.ndarray, cuts: Sequence[np.ndarray]) -> np.ndarray:
    """Bin of each value, uint8, shape (n_features, n_samples)."""
    each = [np.searchsorted(known, X[:, f]) for f, known in enumerate(cuts)]
    return np.array(each, dtype=np.uint8).reshape(len(cuts), len(X))


class BoostedSplitter:
    """Splitter by the largest decrease of the loss that keeps the tree monotone.

    A node inherits bounds, shape (2, n_borders), on the steps of all leaves below it. A cut of a
    feature with a direction parts them halfway between the steps of its children, so that no leaf
    on the one side exceeds a leaf on the other.

    Parameters
    ----------
    bins : ndarray of uint8, shape (n_features, n_samples)
        See :func:`bin_values`.
    cuts : sequence of ndarray
        See :func:`bin_cuts`.
    columns : ndarray of float64, shape (n_features, n_samples)
        The training data.
    y : ndarray of intp, shape (n_samples,)
        Class indices.
    n_classes : int
    slopes : Slopes
    """

    def __init__(
        self,
        bins: np.ndarray,
        cuts: Sequence[np.ndarray],
        columns: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        slopes: Slopes,
    ) -> None:
        self.columns = columns
        self._bins, self._cuts, self._y, self._n_classes = bins, cuts, y, n_classes
        self._slopes = slopes
        self._n_cuts = np.array([len(known) for known in cuts])
        self._looked_at = np.ones(len(cuts), dtype=bool)

    def without(self, features: Iterable[int]) -> BoostedSplitter:
        """Splitter that does not look at some features."""
        other = copy(self)
        other._looked_at = self._looked_at.copy()
        other._looked_at[list(features)] = False
        return other

    def root(self) -> NodeContext:
        """Context of the root."""
        n = len(self._y)
        wide = np.full(self._slopes.values.shape[1] // 2, LARGEST_STEP)
        return NodeContext(
            np.arange(n), np.ones(n), depth=0, key=int(ROOT_KEY), inherited=np.array([-wide, wide])
        )

    def child(self, context: NodeContext, split: Split, branch: int) -> NodeContext:
        """Context of the first (0) or second (1) child of a split node."""
        return self.children(context, split)[branch]

    def children(self, context: NodeContext, split: Split) -> list[NodeContext]:
        """Contexts of both children of a split node."""
        first = self.columns[split.feature, context.rows] <= split.threshold
        rows, low, high = (context.rows[first], context.rows[~first]), *context.inherited
        bounds, direction = [context.inherited] * 2, self._slopes.directions[split.feature]
        if direction:
            middle = sum(self._step(side, context.inherited) for side in rows) / 2.0
            bounds = [np.array([low, middle]), np.array([middle, high])][:: int(direction)]
        keys = child_keys(np.uint64(context.key), np.arange(2)).tolist()
        return [
            NodeContext(rows[i], np.ones(len(rows[i])), context.depth + 1, keys[i], i, bounds[i])
            for i in range(2)
        ]

    def step(self, context: NodeContext) -> np.ndarray:
        """Step of a leaf, shape (n_borders,)."""
        return self._step(context.rows, context.inherited)

    def best(self, context: NodeContext) -> Split | Reason:
        """Chosen split, or why the node has none."""
        found = self.search(context)
        if found.split is not None:
            return found.split
        return Reason.NO_GAIN if found.n_candidates else Reason.NO_CANDIDATE

    def search(self, context: NodeContext) -> BoostedSearch:
        """Admissible cuts of a node and the one that gains most."""
        values, m = self._slopes.values, len(self._cuts)
        sums = np.empty((m, int(self._n_cuts.max(initial=0)) + 1, values.shape[1] + 1))
        histograms(self._bins, context.rows, values, sums)
        gain = np.empty((m, max(sums.shape[1] - 1, 1)))
        cut_gains(
            sums, sums[0].sum(axis=0), self._n_cuts, self._slopes.directions, *context.inherited,
            self._slopes.penalty, self._slopes.min_rows, gain,
        )  # fmt: skip
        gain[~self._looked_at] = -np.inf
        feature, cut = np.nonzero(gain > -np.inf)
        found = gain[feature, cut]
        split = None
        if len(found) and found.max() > TIE:
            i = int(np.flatnonzero(found >= tie_floors(found.max()))[0])
            threshold = float(self._cuts[feature[i]][cut[i]])
            split = Split(int(feature[i]), threshold, float(found[i] / len(context.rows)))
        counts = np.bincount(self._y[context.rows], minlength=self._n_classes)
        return BoostedSearch(feature, partial(self._thresholds, feature, cut), found, counts, split)

    def _thresholds(self, feature: np.ndarray, cut: np.ndarray) -> np.ndarray:
        return np.array([self._cuts[f][c] for f, c in zip(feature, cut, strict=True)])

    def completed(self, context: NodeContext, split: Split) -> Split:
        """Split that was chosen by hand with its score, NaN if it is not admissible."""
        first = self.columns[split.feature, context.rows] <= split.threshold
        sides, bounds = [context.rows[first], context.rows[~first]], context.inherited
        if min(map(len, sides)) < self._slopes.min_rows:
            return replace(split, score=math.nan)
        one, two = (self._step(side, bounds) for side in sides)
        if (self._slopes.directions[split.feature] * (two - one) < -TIE).any():
            return replace(split, score=math.nan)
        gain = self._cost(context.rows, bounds) - sum(self._cost(side, bounds) for side in sides)
        return replace(split, score=float(gain / len(context.rows)))

    def _sums(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        total = self._slopes.values[rows].sum(axis=0)
        middle = len(total) // 2
        return total[:middle], total[middle:] + self._slopes.penalty

    def _step(self, rows: np.ndarray, bounds: np.ndarray) -> np.ndarray:
        slope, curvature = self._sums(rows)
        return np.minimum(np.maximum(-slope / curvature, bounds[0]), bounds[1])

    def _cost(self, rows: np.ndarray, bounds: np.ndarray) -> float:
        (slope, curvature), step = self._sums(rows), self._step(rows, bounds)
        return float((step * (slope + 0.5 * curvature * step)).sum())
