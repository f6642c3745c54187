"""Splits of nominal and numeric features, with weights and missing values.

C4.5 and ID3 on anything but complete numeric data. A nominal feature parts a node into all its
categories; what a row with an unknown value does is up to the tree's `missing`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from lastviz._random import ROOT_KEY, child_keys
from lastviz.criteria import CRITERIA, admissible, mdl_correction
from lastviz.criteria.goodness_kernels import GAIN_OVER_ENTROPY
from lastviz.criteria.scan_kernels import GAIN, GAIN_RATIO
from lastviz.splitters.rule import ChoiceRule, Stage, best_by, larger_is_better
from lastviz.splitters.search import (
    AnySplit,
    CategorySplit,
    NodeContext,
    Search,
    Split,
    score_of_parts,
)
from lastviz.splitters.threshold.choice_kernels import threshold_between
from lastviz.tree import Missing, Reason

from .multiway_kernels import (
    BY_GAIN,
    NO_CANDIDATE,
    MixedOptions,
    NodeScratch,
    choose,
    disorder_of,
    nominal_scores,
    numeric_curve,
    score_features,
)
from .parts_kernels import part_rows


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
    """All candidates of `feature` at a node with the class counts `counts`.

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
    """Branch of each category of a node's nominal split, -1 where it has none.

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
    """Deciding scores, from gains after the price of a threshold."""
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
    """Scratch of the searches of nodes with up to `n_rows` rows."""
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


# ---------------------------------------------------------------- multiway


MANY_VALUES = 0.3  # of the rows: C4.5 leaves a feature with so many categories out of the mean
ROUNDING = 1e-9  # of sums of fractional weights


@dataclass(frozen=True)
class MixedChoice:
    """Criterion and limits for the choice of a split."""

    measure: str  # what decides between features, a key of CRITERIA
    # Least weight of a branch; a nominal split needs two such branches.
    min_samples_leaf: float = 1.0
    # Whether branches of a threshold need min(25, max(min_samples_leaf, 0.1 n / K)).
    release_8: bool = False
    mdl_correction: bool = False  # as in C4.5
    average_gain: bool = False  # as in C4.5
    least_score: float = -np.inf  # splits that score less under the measure are refused
    # Whether a nominal split has a branch for a category without rows at the node.
    empty_branches: bool = True


class MixedSplitter:
    """Searches a node for its best nominal split or threshold.

    Parameters
    ----------
    table : MixedTable
    y : ndarray of intp, shape (n_samples,)
        Class indices.
    n_classes : int
    choice : MixedChoice
    sample_weight : ndarray of float64, shape (n_samples,), optional
        Rows of weight 0 take no part.
    missing : Missing, default FRACTIONS
        What becomes of rows whose value is missing: FRACTIONS or REFUSE.

    Notes
    -----
    A nominal feature is asked once on a path: `inherited` holds those that are left.
    O(n_features n log n) for a node of n rows.
    """

    def __init__(
        self,
        table: MixedTable,
        y: np.ndarray,
        n_classes: int,
        choice: MixedChoice,
        sample_weight: np.ndarray | None = None,
        missing: Missing = Missing.FRACTIONS,
    ) -> None:
        self.missing = missing
        self._table, self._y, self._n_classes = table, np.asarray(y, dtype=np.int64), n_classes
        weight = np.ones(len(y)) if sample_weight is None else sample_weight
        self._rows = np.flatnonzero(weight > 0)
        self._weights = weight[self._rows]
        complete = bool((table.codes[:, self._rows] >= 0).all())
        is_integral = complete and (self._weights == np.round(self._weights)).all()
        self._choice = choice
        self._criterion = CRITERIA[choice.measure]
        self._is_function = self._criterion.code is None
        self._options = MixedOptions(
            measure=GAIN if self._is_function else self._criterion.code,
            min_samples_leaf=float(choice.min_samples_leaf),
            release_8=choice.release_8,
            mdl_correction=choice.mdl_correction and not self._is_function,
            average_gain=choice.average_gain,
            least_score=float(choice.least_score),
            slack=0.0 if is_integral else ROUNDING,
        )
        # too many categories for the mean gain, unless all features have them
        crowded = table.n_values >= MANY_VALUES * len(self._rows)
        self._left_out = np.zeros_like(crowded) if crowded.all() else crowded
        self._room = scratch_of(table, n_classes, len(self._rows))
        self._curve = tuple(np.empty(len(y), dtype=t) for t in (np.int64, float, float, float))

    @property
    def columns(self) -> np.ndarray:
        """The training data, shape (n_features, n_samples)."""
        return self._table.X.T

    def root(self) -> NodeContext:
        """Context of the root."""
        offered = np.ones(len(self._table.codes), dtype=bool)
        return NodeContext(self._rows, self._weights, 0, int(ROOT_KEY), inherited=offered)

    def best(self, context: NodeContext) -> Split | CategorySplit | Reason:
        """Chosen split, or why the node has none."""
        if self._is_function:
            found = self.search(context)
            nothing = Reason.NO_GAIN if found.n_candidates else Reason.NO_CANDIDATE
            return found.split or nothing
        table, room = self._table, self._room
        counts = np.bincount(self._y[context.rows], context.weights, self._n_classes)
        score_features(
            table.codes, table.n_values, self._y, context.rows, context.weights, counts,
            context.inherited, self._options, room, *self._curve,
        )  # fmt: skip
        feature = choose(table.n_values, self._left_out, self._options, room)
        if feature < 0:
            return Reason.NO_CANDIDATE if feature == NO_CANDIDATE else Reason.NO_GAIN
        score = float(room.score[feature])
        if table.n_values[feature]:
            codes, n_values = table.codes[feature, context.rows], int(table.n_values[feature])
            keep = self._choice.empty_branches
            return CategorySplit(feature, branch_of_each(codes, n_values, keep_empty=keep), score)
        code = int(room.cut[feature])
        return Split(feature, self._threshold(context, feature, code), score)

    def child(self, context: NodeContext, split: Split | CategorySplit, branch: int) -> NodeContext:
        """Context of child number `branch` of a split node."""
        return self.children(context, split)[branch]

    def children(self, context: NodeContext, split: Split | CategorySplit) -> list[NodeContext]:
        """Contexts of all children of a split node.

        A row of unknown value stands in every branch that known rows take, with the share that
        these have of their weight.
        """
        nominal = isinstance(split, CategorySplit)
        n_branches = split.n_branches if nominal else 2
        taken = self._branches(context, split)
        start = np.empty(n_branches + 1, dtype=np.int64)
        none = np.empty(0)
        count = part_rows(taken, context.weights, n_branches, start, taken[:0], none)
        place, weights = np.empty(count, dtype=np.int64), np.empty(count)
        part_rows(taken, context.weights, n_branches, start, place, weights)
        rows = context.rows[place]
        inherited = context.inherited
        if nominal:
            inherited = inherited.copy()
            inherited[split.feature] = False
        keys = child_keys(np.uint64(context.key), np.arange(n_branches)).tolist()
        ends = start.tolist()
        return [
            NodeContext(rows[a:b], weights[a:b], context.depth + 1, key, branch, inherited)
            for branch, (a, b, key) in enumerate(zip(ends[:-1], ends[1:], keys, strict=True))
        ]

    def completed(self, context: NodeContext, split: Split | CategorySplit) -> AnySplit:
        """Split that was chosen by hand with its score, NaN if it is not admissible.

        A nominal split into all categories, each a branch of its own, becomes the one that a
        search offers; other groups of categories stay as they are given.
        """
        if isinstance(split, CategorySplit):
            return self._completed_groups(context, split)
        search = self.search(context)
        values = self._table.X[context.rows, split.feature]
        place = search.parting_as(split.feature, split.threshold, values)
        score = search.score_of(place) if place >= 0 else math.nan
        return Split(split.feature, float(split.threshold), score)

    def _completed_groups(self, context: NodeContext, split: CategorySplit) -> CategorySplit:
        feature, n_values = split.feature, len(split.branch)
        if len(np.unique(split.branch)) == n_values > 2 or n_values == 2:
            codes, keep = self._table.codes[feature, context.rows], self._choice.empty_branches
            branch = branch_of_each(codes, n_values, keep_empty=keep)
            search = self.search(context)
            place = np.flatnonzero(search.feature == feature)
            score = search.score_of(int(place[0])) if len(place) else math.nan
            return CategorySplit(feature, branch, score)
        taken = self._branches(context, split)
        score = math.nan
        if split.n_branches == 2 and self._criterion.score is not None:
            known = taken >= 0
            y, weights = self._y[context.rows[known]], context.weights[known]
            score = score_of_parts(
                self._choice.measure, y, taken[known] == 0, self._n_classes, weights
            )
        return CategorySplit(feature, np.asarray(split.branch, dtype=np.int16), score)

    def _branches(self, context: NodeContext, split: Split | CategorySplit) -> np.ndarray:
        """Branch that each row takes, -1 where its value is unknown."""
        values = self._table.X[context.rows, split.feature]
        if not isinstance(split, CategorySplit):
            above = (values > split.threshold).astype(np.int64)
            return np.where(np.isnan(values), -1, above)
        known = values >= 0
        branch = np.asarray(split.branch, dtype=np.int64)
        return np.where(known, branch[np.where(known, values, 0).astype(np.int64)], -1)

    def _threshold(self, context: NodeContext, feature: int, code: int) -> float:
        """Midpoint between a value and the next one that the node has."""
        codes = self._table.codes[feature, context.rows]
        above = codes[codes > code].min()
        values = self._table.values[feature]
        return float(threshold_between(values[code], values[above]))

    def search(self, context: NodeContext) -> Search:
        """All candidates of a node and the selection rule's choice among them."""
        counts = np.bincount(self._y[context.rows], context.weights, self._n_classes)
        found = [
            candidates_of(
                self._table, self._y, context, int(f), counts, self._options, self._room,
                keep_empty=self._choice.empty_branches,
            )
            for f in np.flatnonzero(context.inherited)
        ]  # fmt: skip
        found = [table for table in found if len(table.gain)]
        joined = {
            name: np.concatenate([getattr(table, name) for table in found] or [np.empty(0)])
            for name in ("gain", "score", "threshold")
        }
        by_class = {
            name: np.concatenate(
                [getattr(table, name) for table in found] or [np.empty((0, self._n_classes))]
            )
            for name in ("left_counts", "known")
        }
        feature = np.concatenate([np.full(len(t.gain), t.feature) for t in found] or [[]])
        feature = feature.astype(np.intp)
        score = joined["score"]
        if self._is_function and found:
            score = np.concatenate([self._scored(context, table) for table in found])
            score = admissible(self._choice.measure, score)
        columns = self._columns(joined["gain"], score)
        rule = self._rule()
        return Search(
            feature=feature,
            threshold=joined["threshold"],
            columns=columns,
            counts=counts,
            rule=rule,
            survivors=rule.apply(feature, columns),
            categories=tuple(c for t in found for c in t.categories),
            category_counts=tuple(c for t in found for c in t.category_counts),
            **by_class,
        )

    def _scored(self, context: NodeContext, table: Candidates) -> np.ndarray:
        """Scores of one feature's candidates by a criterion that is a function.

        It sees the rows whose value is known, and counts with their share, as the gain does.
        """
        codes = self._table.codes[table.feature, context.rows]
        classes, weights = self._y[context.rows[codes >= 0]], context.weights[codes >= 0]
        known = np.bincount(classes, weights, self._n_classes)
        out = np.full(len(table.gain), -np.inf)
        admitted = table.gain > -np.inf
        left = table.left_counts[admitted]
        out[admitted] = self._criterion.score(left, np.maximum(known - left, 0.0))
        share = known.sum() / context.weights.sum() if (codes < 0).any() else 1.0
        return np.where(admitted, out * share, out)

    def _columns(self, gain: np.ndarray, score: np.ndarray) -> dict[str, np.ndarray]:
        if self._choice.measure == "gain":
            return {"gain": gain}
        return {"gain": gain, self._choice.measure: score}

    def _rule(self) -> ChoiceRule:
        measure = self._choice.measure
        by_gain = self._criterion.code in BY_GAIN
        judged = "gain" if by_gain else larger_is_better(measure)
        stages = [Stage("best_within_feature", judged)]
        nominal = tuple(np.flatnonzero(self._table.n_values).tolist())
        positive = Stage("positive", "gain")
        if measure == "gain_ratio" and self._choice.average_gain:
            left_out = tuple(np.flatnonzero(self._left_out).tolist())
            mean = Stage("at_least_mean", "gain", nominal=nominal, left_out=left_out)
            stages += [mean, positive] if nominal else [positive, mean]
        else:
            stages.append(positive)
        if self._choice.least_score > -np.inf:
            stages.append(Stage("at_least", measure, floor=self._choice.least_score))
        return ChoiceRule((*stages, best_by(measure)))
