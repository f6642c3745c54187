"""Binary splits from weighted sums: thresholds and subsets of categories, of one node.

What :class:`~lastviz.splitters.ThresholdSplitter` cannot do: rows of any weight, nominal
features, missing values, twoing, and numbers to be learnt instead of classes. Growth uses the
same kernels inside its own loop (``lastviz/builders/binary_growth_kernels.py``).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz._random import ROOT_KEY, child_keys, feature_order
from lastviz.criteria.goodness_kernels import TWOING
from lastviz.criteria.scan_kernels import GAIN, GINI
from lastviz.criteria.sums_kernels import SQUARED_ERROR
from lastviz.splitters.cells.presort import pack
from lastviz.splitters.rule import Rule, Stage
from lastviz.splitters.search import NodeContext, Search
from lastviz.splitters.splits import CategorySplit, Split

from .binary_kernels import mark_first, node_sums, scan_binary
from .data import BinaryData, scratch_for
from .subset_kernels import Node, Problem

__all__ = ["BinarySearch", "BinarySplitter"]

COLUMNS = {GINI: "gini", GAIN: "gain", TWOING: "twoing", SQUARED_ERROR: "squared_error"}


@dataclass(frozen=True, eq=False)
class BinarySearch(Search):
    """All candidates of a node, ordered by feature, then as they are tried.

    `counts` holds the weights by class of the node and `left_counts` those of the first child;
    where numbers are learnt they hold the means.

    Attributes
    ----------
    second_counts : ndarray, shape (n_candidates, n_classes)
        The same of the second child.
    missing_branch : ndarray of intp, shape (n_candidates,)
        The child that takes rows without a value; -1 where the data have none.
    loss : ndarray of float64, shape (n_candidates,)
        Sum of squared errors left in the children; NaN for classes, and where a candidate is
        not admissible.
    """

    second_counts: np.ndarray
    missing_branch: np.ndarray
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

    def __init__(self, data: BinaryData) -> None:
        self._data = data

    def root(self) -> NodeContext:
        """Return the context of the root."""
        rows = np.flatnonzero(self._data.problem.weight > 0.0)
        return NodeContext(rows, self._data.problem.weight[rows], depth=0, key=int(ROOT_KEY))

    def child(self, context: NodeContext, split: Split | CategorySplit, branch: int) -> NodeContext:
        """Return the context of the first (0) or second (1) child of a split node."""
        values = self._data.problem.columns[split.feature, context.rows]
        known = np.isfinite(values)
        goes = np.full(len(values), split.missing_branch)
        if isinstance(split, CategorySplit):
            goes[known] = split.branch[values[known].astype(np.intp)]
        else:
            goes[known] = np.where(values[known] <= split.threshold, 0, 1)
        inside = goes == branch
        key = child_keys(np.uint64(context.key), np.asarray(branch))
        return NodeContext(
            context.rows[inside], context.weights[inside], context.depth + 1, int(key), branch
        )

    def search(self, context: NodeContext) -> BinarySearch:
        """Return all candidates of a node and what the rule of choice makes of them.

        Notes
        -----
        O(n_features n_samples); each subset that is tried costs O(n_samples).
        """
        bench = _Bench(self._data.take(context.rows))
        found = self._features(context, bench)
        count = [len(part["score"]) for part in found]
        feature = np.repeat(np.arange(len(found)), count)
        name = COLUMNS[self._data.problem.criterion]
        columns = {name: np.concatenate([part["score"] for part in found])}
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

    def _features(self, context: NodeContext, bench: _Bench) -> list[dict[str, object]]:
        """Return the candidates of each feature; those of features not looked at score -inf."""
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

    def _rule(self, bench: _Bench, name: str) -> Rule:
        within, best = Stage("best_within_feature", name), Stage("argmax", name)
        least = self._data.least_decrease
        if least <= 0.0:
            return Rule((within, best))
        unit = bench.node.spread if self._data.is_regression else bench.node.weight
        return Rule((within, Stage("at_least", name, floor=least / unit), best))


class _Bench:
    """One node laid out for the kernels."""

    def __init__(self, data: BinaryData) -> None:
        self.data = data
        self.scratch = scratch_for(data)
        self.cells, self.packing = pack(data.presorted, data.label, data.n_classes)
        total = np.zeros(data.n_classes)
        rows = np.arange(data.n_samples, dtype=np.int64)
        self.node = Node(total, *node_sums(rows, data.label, data.problem, total))
        weight = data.problem.weight
        if data.is_regression:
            self.value = np.array([data.centre + self.node.mean])
            self._amounts = np.c_[weight, weight * data.problem.target]
        else:
            self.value = total
            self._amounts = weight[:, None] * np.eye(data.n_classes)[data.label]

    def candidates(self, f: int, *, looked_at: bool) -> dict[str, object]:
        """Return the candidates of feature `f` in the order in which they are tried.

        Those that are not admissible score -inf.
        """
        problem = self.data.problem
        every = problem._replace(min_samples_leaf=1, min_weight_leaf=0.0)
        scores, sides = self._scanned(f, every)
        cuts = np.flatnonzero(scores > -np.inf)
        if looked_at:
            scores, admitted_sides = self._scanned(f, problem)
            sides = np.where(scores > -np.inf, admitted_sides, sides)
        else:
            scores = np.full(len(scores), -np.inf)
        lay_out = self._subsets if problem.n_categories[f] else self._thresholds
        return {"score": scores[cuts], **lay_out(f, cuts, sides[cuts])}

    def _scanned(self, f: int, problem: Problem) -> tuple[np.ndarray, np.ndarray]:
        """Return the score of each position of feature `f`, and where its missing rows go."""
        count, _ = scan_binary(
            self.cells[f], f, 0, self.data.n_samples, self.packing, self.node, problem,
            self.scratch,
        )  # fmt: skip
        return self.scratch.curve[:count].copy(), self.scratch.side[:count].copy()

    def _thresholds(self, f: int, cuts: np.ndarray, sides: np.ndarray) -> dict[str, object]:
        order, values = self.data.presorted.order[f], self.data.problem.columns[f]
        known = np.isfinite(values[order])
        gap = self._amounts[order[~known]].sum(axis=0)
        first = np.cumsum(self._amounts[order[known]], axis=0)[cuts]
        first += np.where(sides[:, None] == 1, gap, 0.0)
        weight = np.cumsum(self.data.problem.weight[order])[cuts]
        heavier = np.where(2.0 * weight >= self.node.weight, 0, 1)
        below, above = values[order[cuts]], values[order[np.minimum(cuts + 1, len(order) - 1)]]
        middle = below / 2 + above / 2
        between = np.where((below <= middle) & (middle < above), middle, below)
        return {
            "threshold": np.where(np.isinf(above), np.inf, between),
            "branch": (None,) * len(cuts),
            "missing": heavier if known.all() else 1 - sides.astype(np.intp),
            **self._children(first),
        }

    def _subsets(self, f: int, cuts: np.ndarray, sides: np.ndarray) -> dict[str, object]:
        problem, goes_first = self.data.problem, np.zeros(self.data.n_samples, dtype=np.uint8)
        known = np.isfinite(problem.columns[f])
        codes = problem.columns[f, known].astype(np.intp)
        first, missing = np.empty((len(cuts), self._amounts.shape[1])), np.empty_like(cuts)
        branches = []
        for i, cut in enumerate(cuts.tolist()):
            _, missing[i] = mark_first(
                self.cells[f], f, 0, self.data.n_samples, cut, int(sides[i]), self.packing,
                self.node, problem, self.scratch, goes_first,
            )  # fmt: skip
            branch = np.full(problem.n_categories[f], -1, dtype=np.int16)
            branch[codes] = 1 - goes_first[known]
            branches.append(branch)
            first[i] = goes_first @ self._amounts
        return {
            "threshold": np.full(len(cuts), np.nan),
            "branch": tuple(branches),
            "missing": missing,
            **self._children(first),
        }

    def _children(self, first: np.ndarray) -> dict[str, np.ndarray]:
        """Return what the children hold, from the sums of the first ones."""
        second = self._amounts.sum(axis=0) - first
        if self.data.is_regression:
            first, second = (s[:, 1:] / s[:, :1] + self.data.centre for s in (first, second))
        return {"first": first, "second": second}
