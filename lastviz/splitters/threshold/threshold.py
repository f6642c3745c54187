"""Splits of the form ``x[feature] <= threshold``: all candidates of one node.

Growth uses the same scans inside its own loop (``lastviz/builders/growth_kernels.py``) and
forgets the scores; here they are kept, for replay.
"""

from __future__ import annotations

import numpy as np

from lastviz._random import ROOT_KEY, child_keys
from lastviz.criteria import CRITERIA, gain_ratio, mdl_correction, split_information
from lastviz.criteria.scan_kernels import GAIN, GAIN_RATIO, GINI
from lastviz.splitters.cells.presort import Presorted, pack
from lastviz.splitters.rule import ChoiceRule, Stage
from lastviz.splitters.search import NodeContext, Search
from lastviz.splitters.splits import Split

from .choice_kernels import Choice, smallest_branch
from .curves_kernels import candidate_counts, score_curves
from .scoring import scoring_of

__all__ = ["RANK_COLUMNS", "ThresholdSplitter", "rule_of"]

RANK_COLUMNS = {row.code: key for key, row in CRITERIA.items() if row.ordered_classes}


def rule_of(choice: Choice) -> ChoiceRule:
    """Return the rule that the choice kernels carry out."""
    if choice.criterion == GINI:
        return ChoiceRule((Stage("best_within_feature", "gini"), Stage("argmax", "gini")))
    if choice.criterion in RANK_COLUMNS:
        rmi = RANK_COLUMNS[choice.criterion]
        enough = Stage("at_least", rmi, floor=choice.least_score)
        return ChoiceRule((Stage("best_within_feature", rmi), enough, Stage("argmax", rmi)))
    if choice.criterion not in (GAIN, GAIN_RATIO):
        raise ValueError(f"no rule of thresholds has the criterion of code {choice.criterion}")
    stages = [Stage("best_within_feature", "gain")]
    if choice.needs_gain:
        stages.append(Stage("positive", "gain"))
    if choice.criterion == GAIN_RATIO:
        if choice.average_gain:
            stages.append(Stage("at_least_mean", "gain"))
        stages.append(Stage("argmax", "gain_ratio"))
    else:
        stages.append(Stage("argmax", "gain"))
    return ChoiceRule(tuple(stages))


class ThresholdSplitter:
    """Searches a node for its best threshold.

    Parameters
    ----------
    presorted : Presorted
        The training rows.
    y : ndarray of intp, shape (n_samples,)
        Class indices.
    n_classes : int
    choice : Choice
        How a split is chosen.
    directions : ndarray of int, shape (n_features,), optional
        For the rank criteria: whether the class rises (1) or falls (-1) with each feature, or
        neither is known (0); all rise if not given.
    """

    def __init__(
        self,
        presorted: Presorted,
        y: np.ndarray,
        n_classes: int,
        choice: Choice,
        directions: np.ndarray | None = None,
    ) -> None:
        self._presorted = presorted
        self._y = y
        self._n_classes = n_classes
        n, m = presorted.n_samples, len(presorted.order)
        self._scoring = scoring_of(choice, n, m, directions)
        self._choice = self._scoring.choice

    def root(self) -> NodeContext:
        """Return the context of the root."""
        n = self._presorted.n_samples
        return NodeContext(np.arange(n), np.ones(n), depth=0, key=int(ROOT_KEY))

    def child(self, context: NodeContext, split: Split, branch: int) -> NodeContext:
        """Return the context of the first (0) or second (1) child of a split node."""
        below = self._presorted.columns[split.feature, context.rows] <= split.threshold
        inside = below if branch == 0 else ~below
        key = child_keys(np.uint64(context.key), np.asarray(branch))
        return NodeContext(
            context.rows[inside], context.weights[inside], context.depth + 1, int(key), branch
        )

    def search(self, context: NodeContext) -> Search:
        """Return all candidates of a node and what the rule of choice makes of them.

        Notes
        -----
        O(n_features n_samples): the node's part of the sorted columns is filtered anew.
        """
        here = self._presorted.take(context.rows)
        y = self._y[context.rows]
        counts = np.bincount(y, minlength=self._n_classes)
        scores, n_cuts = self._scan(here, y, counts)
        feature, position = np.nonzero(here.fresh[:, 1:])
        left = np.empty((len(feature), self._n_classes), dtype=np.intp)
        candidate_counts(here.order, y, feature, position, left)
        columns = self._columns(scores[feature, position], n_cuts[feature], left, counts)
        rule = rule_of(self._choice)
        return Search(
            feature=feature,
            threshold=_thresholds(here, feature, position, self._choice.cut_at_value),
            columns=columns,
            left_counts=left,
            counts=counts,
            rule=rule,
            survivors=rule.apply(feature, columns),
        )

    def _scan(
        self, here: Presorted, y: np.ndarray, counts: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the raw scores (m, n - 1) of all cuts and each feature's number of cuts."""
        n = here.n_samples
        cells, packing = pack(here, y, self._n_classes)
        scores = np.empty((len(cells), max(n - 1, 0)))
        n_cuts = np.empty(len(cells), dtype=np.int64)
        min_leaf = smallest_branch(n, self._n_classes, self._choice)
        score_curves(
            cells, packing, counts, self._scoring.per_count, self._scoring.table,
            self._scoring.code, min_leaf, scores, n_cuts,
        )  # fmt: skip
        return scores, n_cuts

    def _columns(
        self, scores: np.ndarray, n_cuts: np.ndarray, left: np.ndarray, counts: np.ndarray
    ) -> dict[str, np.ndarray]:
        n = counts.sum()
        if self._choice.criterion == GINI:
            return {"gini": (scores - np.square(counts).sum() / n) / n}
        if self._choice.criterion in RANK_COLUMNS:
            return {RANK_COLUMNS[self._choice.criterion]: scores / n}
        gain = scores / (self._choice.scale * n)
        if self._choice.mdl_correction:
            gain = gain - mdl_correction(n_cuts, n)
        if self._choice.criterion == GAIN:
            return {"gain": gain}
        n_left = left.sum(axis=1)
        ratio = gain_ratio(gain, split_information(n_left, n - n_left))
        return {"gain": gain, "gain_ratio": ratio}


def _thresholds(
    here: Presorted, feature: np.ndarray, position: np.ndarray, at_value: bool
) -> np.ndarray:
    below = here.columns[feature, here.order[feature, position]]
    if at_value:
        return below
    return midpoints(below, here.columns[feature, here.order[feature, position + 1]])


def midpoints(below: np.ndarray, above: np.ndarray) -> np.ndarray:
    """Return the midpoints of pairs of values, below < above, so that `<=` parts them."""
    middle = below / 2 + above / 2
    return np.where((below <= middle) & (middle < above), middle, below)
