"""Splits of the form ``x[feature] <= threshold``: all candidates of one node.

Growth uses the same scans inside its own loop (``lastviz/builders/growth_kernels.py``) and
forgets the scores; here they are kept, for replay.
"""

from __future__ import annotations

import math
import os
from dataclasses import replace
from functools import partial

import numpy as np

from lastviz._random import ROOT_KEY, child_keys
from lastviz.criteria import CRITERIA, gain_ratio, mdl_correction, scan_units, split_information
from lastviz.criteria.scan_kernels import GAIN, GAIN_RATIO, GINI, log_table
from lastviz.splitters.cells.cells_kernels import pack_cells
from lastviz.splitters.cells.presort import Presorted, Unsorted, in_shares, packing_of
from lastviz.splitters.rule import ChoiceRule, Stage
from lastviz.splitters.search import (
    AnySplit,
    NodeContext,
    ObliqueSplit,
    Search,
    Split,
    score_of_parts,
    stored_split,
)
from lastviz.tree import Reason, Tree

from .choice_kernels import Choice, smallest_branch
from .curves_kernels import candidate_counts, candidate_thresholds, score_curves

RANK_COLUMNS = {row.code: key for key, row in CRITERIA.items() if row.ordered_classes}


def rule_of(choice: Choice) -> ChoiceRule:
    """Rule that the choice kernels carry out."""
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
    presorted : Presorted or Unsorted
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
        presorted: Presorted | Unsorted,
        y: np.ndarray,
        n_classes: int,
        choice: Choice,
        directions: np.ndarray | None = None,
    ) -> None:
        self.presorted = presorted
        self._y = y
        self._n_classes = n_classes
        n = presorted.n_samples
        self._units = units = scan_units(choice.criterion, n, presorted.n_features, directions)
        self._table = log_table(n, units.scale) if units.by_logs else np.empty(0, dtype=np.int64)
        self._choice = choice._replace(scale=units.scale)

    @property
    def columns(self) -> np.ndarray:
        """The training data, shape (n_features, n_samples)."""
        return self.presorted.columns

    def root(self) -> NodeContext:
        """Context of the root."""
        n = self.presorted.n_samples
        return NodeContext(np.arange(n), np.ones(n), depth=0, key=int(ROOT_KEY))

    def child(self, context: NodeContext, split: Split | ObliqueSplit, branch: int) -> NodeContext:
        """Context of the first (0) or second (1) child of a split node."""
        if isinstance(split, ObliqueSplit):
            below = split.goes_first(self.presorted.X[context.rows])
        else:
            below = self.presorted.columns[split.feature, context.rows] <= split.threshold
        inside = below if branch == 0 else ~below
        key = child_keys(np.uint64(context.key), np.asarray(branch))
        return NodeContext(
            context.rows[inside], context.weights[inside], context.depth + 1, int(key), branch
        )

    def completed(self, context: NodeContext, split: Split | ObliqueSplit) -> Split | ObliqueSplit:
        """Split that was chosen by hand with its score, NaN if it is not admissible.

        Under the selection rule; of a hyperplane, which is no candidate, under the criterion that
        the rule reads last, NaN where that is not of class counts.
        """
        if isinstance(split, ObliqueSplit):
            first = split.goes_first(self.presorted.X[context.rows])
            return replace(split, score=self.score_of(context.rows, first))
        search = self.search(context)
        values = self.presorted.columns[split.feature, context.rows]
        place = search.parting_as(split.feature, split.threshold, values)
        score = search.score_of(place) if place >= 0 else math.nan
        return Split(split.feature, float(split.threshold), score)

    def score_of(self, rows: np.ndarray, first: np.ndarray) -> float:
        """Score of any partition of some rows under the criterion read last."""
        return score_of_parts(self._rule.columns[-1], self._y[rows], first, self._n_classes)

    @property
    def _rule(self) -> ChoiceRule:
        return rule_of(self._choice)

    def search(self, context: NodeContext) -> Search:
        """All candidates of a node and the selection rule's choice among them.

        Notes
        -----
        O(n_features n_samples): the node's part of the sorted columns is filtered anew, or its
        rows are sorted. Thresholds and counts are made when they are read.
        """
        here = self.presorted.take(context.rows)
        y = self._y[context.rows]
        counts = np.bincount(y, minlength=self._n_classes)
        scores, n_cuts = self._scan(here, y, counts)
        is_cut = here.fresh[:, 1:]
        feature = np.repeat(np.arange(len(is_cut)), np.count_nonzero(is_cut, axis=1))
        scores = scores.ravel() if len(feature) == scores.size else scores[is_cut]
        columns = self._columns(scores, feature, n_cuts, here, counts)
        rule = self._rule
        return Search(
            feature=feature,
            threshold=partial(_thresholds, here, self._choice.cut_at_value),
            columns=columns,
            left_counts=partial(_left_counts, here, y, self._n_classes),
            counts=counts,
            rule=rule,
            survivors=rule.apply(feature, columns),
        )

    def _scan(
        self, here: Presorted, y: np.ndarray, counts: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Raw scores (m, n - 1) of all cuts and each feature's number of cuts."""
        n, m = here.n_samples, here.n_features
        packing = packing_of(n, self._n_classes)
        word = packing[0].dtype
        scores = np.empty((m, max(n - 1, 0)))
        n_cuts = np.empty(m, dtype=np.int64)
        min_leaf = smallest_branch(n, self._n_classes, self._choice)
        labels, units = y.astype(word), self._units

        def scan(share: slice) -> None:
            order = here.order[share]
            cells = np.empty(order.shape, dtype=word)
            pack_cells(order, here.fresh[share], labels, packing, cells)
            score_curves(
                cells, packing, counts, units.per_count, self._table, units.code[share], min_leaf,
                scores[share], n_cuts[share],
            )  # fmt: skip

        in_shares(scan, m, n, os.cpu_count() or 1)
        return scores, n_cuts

    def _columns(
        self,
        scores: np.ndarray,
        feature: np.ndarray,
        n_cuts: np.ndarray,
        here: Presorted,
        counts: np.ndarray,
    ) -> dict[str, np.ndarray]:
        """Columns of the table; the raw `scores` become one of them."""
        n = counts.sum()
        if self._choice.criterion == GINI:
            scores -= np.square(counts).sum() / n
            scores /= n
            return {"gini": scores}
        if self._choice.criterion in RANK_COLUMNS:
            scores /= n
            return {RANK_COLUMNS[self._choice.criterion]: scores}
        scores /= self._choice.scale * n
        if self._choice.mdl_correction:
            scores -= mdl_correction(n_cuts, n)[feature]
        if self._choice.criterion == GAIN:
            return {"gain": scores}
        n_left = _positions(here) + 1
        ratio = gain_ratio(scores, split_information(n_left, n - n_left))
        return {"gain": scores, "gain_ratio": ratio}


def _positions(here: Presorted) -> np.ndarray:
    """Position among its feature's sorted rows after which each candidate cuts."""
    return np.nonzero(here.fresh[:, 1:])[1]


def _left_counts(here: Presorted, y: np.ndarray, n_classes: int) -> np.ndarray:
    left = np.empty((np.count_nonzero(here.fresh[:, 1:]), n_classes), dtype=np.intp)
    candidate_counts(here.order, here.fresh, y, left)
    return left


def _thresholds(here: Presorted, at_value: bool) -> np.ndarray:
    out = np.empty(np.count_nonzero(here.fresh[:, 1:]))
    if len(out):
        candidate_thresholds(here.columns, here.order, here.fresh, at_value, out)
    return out


def midpoints(below: np.ndarray, above: np.ndarray) -> np.ndarray:
    """Midpoints of pairs of values, below < above, so that `<=` parts them."""
    middle = below / 2 + above / 2
    return np.where((below <= middle) & (middle < above), middle, below)


# ---- The splits of a finished tree, asked for node by node on other rows


class GivenSplitter(ThresholdSplitter):
    """Splits each node as a finished tree does; searches rank thresholds as ever.

    Parameters
    ----------
    presorted, y, n_classes, choice
        As for :class:`ThresholdSplitter`.
    tree : Tree or None
        Of thresholds and hyperplanes; it may be set later, before the first split.

    Notes
    -----
    A context inherits the number of its node in the tree, -1 below a leaf of it. A split that
    sends all rows of the node to one child gives way to that of the child.
    """

    reason = Reason.GIVEN

    def __init__(
        self,
        presorted: Presorted | Unsorted,
        y: np.ndarray,
        n_classes: int,
        choice: Choice,
        tree: Tree | None,
    ) -> None:
        super().__init__(presorted, y, n_classes, choice)
        self.tree = tree

    def root(self) -> NodeContext:
        """Context of the root."""
        return replace(super().root(), inherited=0)

    def child(self, context: NodeContext, split: Split | ObliqueSplit, branch: int) -> NodeContext:
        """Context of the first (0) or second (1) child of a split node."""
        node = self._node_of(context)
        below = -1 if node < 0 or self.tree.is_leaf(node) else self.tree.first_child[node] + branch
        return replace(super().child(context, split, branch), inherited=int(below))

    def best(self, context: NodeContext) -> AnySplit | Reason:
        """Split that stands at the node, or that none does."""
        node = self._node_of(context)
        if node < 0 or self.tree.is_leaf(node):
            return Reason.GIVEN_LEAF
        return self.completed(context, stored_split(self.tree, node))

    def _node_of(self, context: NodeContext) -> int:
        """Node of the tree that splits the rows, or the leaf that they all reach."""
        node, X = context.inherited, self.presorted.X[context.rows]
        while node >= 0 and not self.tree.is_leaf(node):
            split = stored_split(self.tree, node)
            first = (
                split.goes_first(X)
                if isinstance(split, ObliqueSplit)
                else X[:, split.feature] <= split.threshold
            )
            if first.any() and not first.all():
                break
            node = int(self.tree.first_child[node]) + int(not first.any())
        return node
