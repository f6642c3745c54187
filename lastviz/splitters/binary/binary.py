"""Binary splits from weighted sums: thresholds and subsets of categories, of one node.

What :class:`~lastviz.splitters.ThresholdSplitter` cannot do: rows of any weight, nominal
features, missing values, twoing, and numbers to be learnt instead of classes. Growth uses the
same kernels inside its own loop (``lastviz/builders/binary_growth_kernels.py``).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz._random import ROOT_KEY, child_keys
from lastviz.criteria import CRITERIA
from lastviz.criteria.goodness_kernels import TWOING
from lastviz.criteria.scan_kernels import GAIN, GINI
from lastviz.criteria.sums_kernels import SQUARED_ERROR
from lastviz.splitters.cells.presort import Presorted, pack, presort
from lastviz.splitters.rule import Rule, Stage
from lastviz.splitters.search import NodeContext, Search
from lastviz.splitters.splits import CategorySplit, Split

from .binary_kernels import Scratch, mark_first, node_sums, scan_binary
from .subset_kernels import MOST_EXACT, Categories, Node, Problem

__all__ = ["BinaryData", "BinarySearch", "BinarySplitter", "binary_data", "scratch_for"]

COLUMNS = {row.code: key for key, row in CRITERIA.items() if row.code in (GINI, GAIN, TWOING)}
COLUMNS[SQUARED_ERROR] = "squared_error"  # of numbers, so no criterion of classes


@dataclass(frozen=True, eq=False)
class BinaryData:
    """Training data as the binary kernels read them.

    Attributes
    ----------
    presorted : Presorted
        The sorted columns; nominal values are codes, infinity is missing.
    label : ndarray of intp, shape (n_samples,)
        Class indices; 0 for numbers.
    n_classes : int
        1 for numbers.
    centre : float
        What was taken off the numbers, so that sums stay small.
    problem : Problem
    """

    presorted: Presorted
    label: np.ndarray
    n_classes: int
    centre: float
    problem: Problem

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return self.presorted.n_samples

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return len(self.presorted.order)

    @property
    def is_regression(self) -> bool:
        """Whether numbers are learnt."""
        return self.problem.criterion == SQUARED_ERROR

    def take(self, rows: np.ndarray) -> BinaryData:
        """Return the data of some rows, renumbered 0, 1, ... . O(n_features n_samples)."""
        here = self.presorted.take(rows)
        problem = self.problem._replace(
            columns=here.columns,
            weight=self.problem.weight[rows],
            target=self.problem.target[rows] if self.is_regression else self.problem.target,
        )
        return BinaryData(here, self.label[rows], self.n_classes, self.centre, problem)


def binary_data(
    X: np.ndarray,
    y: np.ndarray,
    *,
    criterion: int,
    n_classes: int = 1,
    weight: np.ndarray | None = None,
    n_categories: np.ndarray | None = None,
    min_samples_leaf: int = 1,
    presorted: Presorted | None = None,
) -> BinaryData:
    """Lay training data out for binary splits. O(n_features n_samples).

    Parameters
    ----------
    X : ndarray of float64, shape (n_samples, n_features)
        Nominal values as codes 0, 1, ...; NaN is missing.
    y : ndarray, shape (n_samples,)
        Class indices, or with SQUARED_ERROR numbers.
    criterion : int
        GINI, GAIN, TWOING or SQUARED_ERROR.
    n_classes : int, default 1
    weight : ndarray of float64, shape (n_samples,), optional
        >= 0; a row of weight 0 takes no part. Default: all 1.
    n_categories : ndarray of int, shape (n_features,), optional
        0 for a numeric feature; default: all are.
    min_samples_leaf : int, default 1
        Fewest rows of a child.
    presorted : Presorted, optional
        The sorted columns of `X`, if no value is missing.
    """
    n, m = X.shape
    missing = np.isnan(X)
    has_missing = missing.any(axis=0)
    if presorted is None or has_missing.any():
        with np.errstate(invalid="ignore"):  # infinity less itself is no new value
            presorted = presort(np.where(missing, np.inf, X))
    numbers = criterion == SQUARED_ERROR
    weight = np.ones(n) if weight is None else np.ascontiguousarray(weight, dtype=np.float64)
    centre = float(np.average(y, weights=weight)) if numbers else 0.0
    problem = Problem(
        columns=presorted.columns,
        n_categories=np.zeros(m, dtype=np.int64) if n_categories is None else n_categories,
        has_missing=has_missing,
        weight=weight,
        target=np.asarray(y, dtype=np.float64) - centre if numbers else np.empty(0),
        criterion=criterion,
        min_samples_leaf=min_samples_leaf,
    )
    label = np.zeros(n, dtype=np.intp) if numbers else np.asarray(y, dtype=np.intp)
    return BinaryData(presorted, label, n_classes, centre, problem)


def scratch_for(data: BinaryData) -> Scratch:
    """Return room to score one feature of `data`."""
    n_sums = data.n_classes
    most = int(data.problem.n_categories.max(initial=0))
    candidates = max(data.n_samples, (1 << (MOST_EXACT - 1)) if most else 1)
    return Scratch(
        curve=np.empty(candidates),
        side=np.empty(candidates, dtype=np.int8),
        left=np.empty(n_sums),
        gap=np.zeros(n_sums),
        both=np.empty(n_sums),
        categories=Categories(
            first=np.zeros(max(most, 2) + 1, dtype=np.int64),
            weight=np.empty(most),
            sums=np.empty((most, n_sums)),
            key=np.empty(most),
            order=np.empty(most, dtype=np.int64),
            is_first=np.zeros(max(most, 2), dtype=np.bool_),
        ),
    )


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
        Sum of squared errors left in the children; NaN for classes.
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
        found = [bench.candidates(f) for f in range(self._data.n_features)]
        count = [len(part["score"]) for part in found]
        feature = np.repeat(np.arange(len(found)), count)
        name = COLUMNS[self._data.problem.criterion]
        columns = {name: np.concatenate([part["score"] for part in found])}
        rule = Rule((Stage("best_within_feature", name), Stage("argmax", name)))
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
            loss=spread * (1.0 - columns[name]),
        )


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

    def candidates(self, f: int) -> dict[str, object]:
        """Return the admitted candidates of feature `f`, in the order in which they are tried."""
        count, _ = scan_binary(
            self.cells[f], f, 0, self.data.n_samples, self.packing, self.node, self.data.problem,
            self.scratch,
        )  # fmt: skip
        scores, sides = self.scratch.curve[:count].copy(), self.scratch.side[:count].copy()
        cuts = np.flatnonzero(scores > -np.inf)
        lay_out = self._subsets if self.data.problem.n_categories[f] else self._thresholds
        return {"score": scores[cuts], **lay_out(f, cuts, sides[cuts])}

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
        return {
            "threshold": np.where((below <= middle) & (middle < above), middle, below),
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
