"""Binary splits from weighted sums: thresholds and subsets of categories, of one node.

What :class:`~lastviz.splitters.ThresholdSplitter` cannot do: rows of any weight, nominal
features, missing values, twoing, and numbers to be learnt instead of classes. Growth uses the
same kernels inside its own loop (``lastviz/builders/binary_growth_kernels.py``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from lastviz._random import ROOT_KEY, child_keys, feature_order
from lastviz.criteria import CRITERIA, admissible
from lastviz.criteria.goodness_kernels import TWOING
from lastviz.criteria.scan_kernels import GAIN, GINI
from lastviz.criteria.sums_kernels import SQUARED_ERROR
from lastviz.splitters.rule import ChoiceRule, Stage, best_by, larger_is_better
from lastviz.splitters.search import (
    AnySplit,
    CategorySplit,
    NodeContext,
    ObliqueSplit,
    Search,
    Split,
    score_of_parts,
)
from lastviz.tree import Reason

from .data import BinaryCandidates, BinaryData

COLUMNS = {row.code: key for key, row in CRITERIA.items() if row.code in (GINI, GAIN, TWOING)}
COLUMNS[SQUARED_ERROR] = "squared_error"  # of numbers, so no criterion of classes


@dataclass(frozen=True, eq=False)
class BinarySearch(Search):
    """All candidates of a node, ordered by feature, then as they are tried.

    `counts` holds the weights by class of the node and `left_counts` those of the first child;
    where numbers are learnt they hold the means.
    """

    second_counts: np.ndarray  # (n_candidates, n_classes), the same of the second child
    # (n_candidates,) intp, the child that takes rows without a value; -1 where the data have none.
    missing_branch: np.ndarray
    # (n_candidates,) float64, sum of squared errors left in the children; NaN for classes, and
    # where a candidate is not admissible.
    loss: np.ndarray

    @property
    def split(self) -> Split | CategorySplit | None:
        """The chosen candidate as a split, None if the rule admits none."""
        i = self.winner
        if i < 0:
            return None
        feature, missing = int(self.feature[i]), int(self.missing_branch[i])
        score = self.rule.score(self.columns, self.survivors)
        if self.categories[i] is not None:
            return CategorySplit(feature, self.categories[i], score, missing)
        return Split(feature, float(self.threshold[i]), score, missing)

    @property
    def right_counts(self) -> np.ndarray:
        """Class weights of the second child, or its mean, shape (n_candidates, n_classes)."""
        return self.second_counts


class BinarySplitter:
    """Searches a node for its best threshold or subset.

    Parameters
    ----------
    data : BinaryData
        The training rows.

    Notes
    -----
    Where only some features are looked at, the candidates of the others are not admissible.
    """

    size_in_rows = True

    def __init__(self, data: BinaryData) -> None:
        self._data = data

    @property
    def columns(self) -> np.ndarray:
        """The training data, shape (n_features, n_samples); infinity is missing."""
        return self._data.problem.columns

    def root(self) -> NodeContext:
        """Context of the root."""
        rows = np.flatnonzero(self._data.problem.weight > 0.0)
        return NodeContext(rows, self._data.problem.weight[rows], depth=0, key=int(ROOT_KEY))

    def child(self, context: NodeContext, split: AnySplit, branch: int) -> NodeContext:
        """Context of the first (0) or second (1) child of a split node."""
        inside = self._taken(context, split) == branch
        key = child_keys(np.uint64(context.key), np.asarray(branch))
        return NodeContext(
            context.rows[inside], context.weights[inside], context.depth + 1, int(key), branch
        )

    def _taken(self, context: NodeContext, split: AnySplit) -> np.ndarray:
        """Branch of a split that each row of a node takes."""
        if isinstance(split, ObliqueSplit):
            X = self._data.problem.columns[:, context.rows].T
            return np.where(split.goes_first(X), 0, 1)
        values = self._data.problem.columns[split.feature, context.rows]
        known = np.isfinite(values)
        goes = np.full(len(values), split.missing_branch)
        if isinstance(split, CategorySplit):
            goes[known] = split.branch[values[known].astype(np.intp)]
        else:
            goes[known] = np.where(values[known] <= split.threshold, 0, 1)
        return goes

    def completed(self, context: NodeContext, split: AnySplit) -> AnySplit:
        """Split that was chosen by hand with its score, NaN if it parts nothing.

        Rows without a value go where that scores better, to the heavier child where the node
        has none of them. A category that the node does not have stops there.
        """
        data, rows = self._data, context.rows
        if isinstance(split, ObliqueSplit):
            return replace(split, score=self._score_of(context, split))
        known = np.isfinite(data.problem.columns[split.feature, rows])
        if isinstance(split, CategorySplit):
            codes = data.problem.columns[split.feature, rows[known]].astype(np.intp)
            there = np.bincount(codes, minlength=len(split.branch)) > 0
            split = replace(split, branch=np.where(there, split.branch, -1).astype(np.int16))
        elif not np.isposinf(split.threshold):
            split = replace(split, threshold=float(split.threshold))
        options = [split]
        if np.isposinf(getattr(split, "threshold", 0.0)):
            options = [replace(split, missing_branch=1)]
        elif not known.all():
            options = [replace(split, missing_branch=branch) for branch in (0, 1)]
        elif data.problem.has_missing.any():
            first = context.weights[self._taken(context, split) == 0].sum()
            heavier = 0 if 2.0 * first >= context.weights.sum() else 1
            options = [replace(split, missing_branch=heavier)]
        scored = [replace(one, score=self._score_of(context, one)) for one in options]
        return max(scored, key=lambda one: np.nan_to_num(one.score, nan=-np.inf))

    def _score_of(self, context: NodeContext, split: AnySplit) -> float:
        """Score of a split under the criterion; NaN where a child has no row."""
        data, rows, weights = self._data, context.rows, context.weights
        first = self._taken(context, split) == 0
        if first.all() or not first.any():
            return math.nan
        if not data.is_regression:
            name = data.function or COLUMNS[data.problem.criterion]
            return score_of_parts(name, data.label[rows], first, data.n_classes, weights)
        loss = [
            float(np.dot(weights[side], np.square(y - np.average(y, weights=weights[side]))))
            for side in (first, ~first, np.ones(len(rows), dtype=bool))
            for y in (data.problem.target[rows[side]],)
        ]
        return 1.0 - (loss[0] + loss[1]) / loss[2] if loss[2] > 0.0 else math.nan

    def best(self, context: NodeContext) -> Split | CategorySplit | Reason:
        """Chosen split, or why the node has none."""
        return self.settled(self.search(context), context)

    def settled(self, found: BinarySearch, context: NodeContext) -> Split | CategorySplit | Reason:
        """Winner of the search of a node, or why it has none."""
        if found.split is not None:
            return found.split
        (scores,) = found.columns.values()
        return Reason.SMALL_DECREASE if (scores > -np.inf).any() else Reason.NO_CANDIDATE

    def search(self, context: NodeContext) -> BinarySearch:
        """All candidates of a node and the selection rule's choice among them.

        Notes
        -----
        O(n_features n_samples); each subset that is tried costs O(n_samples).
        """
        bench = BinaryCandidates(self._data.take(context.rows))
        found = self._features(context, bench)
        count = [len(part["score"]) for part in found]
        feature = np.repeat(np.arange(len(found)), count)
        name = self._data.function or COLUMNS[self._data.problem.criterion]
        scores = np.concatenate([part["score"] for part in found])
        columns = {name: admissible(name, scores) if self._data.function else scores}
        rule = self._rule(bench, name)
        first, second = (
            np.concatenate([part[which] for part in found]) for which in ("first", "second")
        )
        numbers = self._data.is_regression
        spread = bench.node.spread if numbers else np.nan
        missing = np.concatenate([part["missing"] for part in found])
        return BinarySearch(
            feature=feature,
            threshold=np.concatenate([part["threshold"] for part in found]),
            columns=columns,
            left_counts=first,
            counts=bench.value,
            rule=rule,
            survivors=rule.apply(feature, columns),
            second_counts=second,
            categories=tuple(branch for part in found for branch in part["branch"]),
            missing_branch=missing if self._data.problem.has_missing.any() else -1 + 0 * missing,
            loss=np.where(columns[name] > -np.inf, spread * (1.0 - columns[name]), np.nan),
        )

    def _features(self, context: NodeContext, bench: BinaryCandidates) -> list[dict[str, object]]:
        """Candidates of each feature; those of features not looked at score -inf."""
        data = self._data
        order = np.arange(data.n_features)
        if data.n_offered < data.n_features:
            order = feature_order(data.limits.random_state, context.key, data.n_features)
        found: list[dict[str, object]] = [{}] * data.n_features
        admitted = False
        for place, f in enumerate(order.tolist()):
            looked_at = place < data.n_offered or not admitted
            found[f] = bench.candidates(f, looked_at=looked_at)
            admitted |= bool((found[f]["score"] > -np.inf).any())
        return found

    def _rule(self, bench: BinaryCandidates, name: str) -> ChoiceRule:
        large, best = name, Stage("argmax", name)
        if self._data.function:
            large, best = larger_is_better(name), best_by(name)
        within = Stage("best_within_feature", large)
        least = self._data.least_decrease
        if least <= 0.0:
            return ChoiceRule((within, best))
        unit = bench.node.spread if self._data.is_regression else bench.node.weight
        return ChoiceRule((within, Stage("at_least", large, floor=least / unit), best))
