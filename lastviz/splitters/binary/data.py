"""Training data as the kernels of binary splits read them, and the limits of growth on them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from lastviz.criteria import CRITERIA
from lastviz.criteria.scan_kernels import GINI
from lastviz.criteria.sums_kernels import SQUARED_ERROR
from lastviz.splitters.cells.presort import Presorted, pack, presort

from .binary_kernels import FeatureScratch, mark_first, node_sums, scan_binary
from .subset_kernels import MOST_EXACT, Categories, Node, Problem

ROUNDING = 1e-12  # of sums of weights


@dataclass(frozen=True)
class BinaryLimits:
    """Limits on the features searched and on the nodes split."""

    # Least weight of a child, as a share of the weight of all rows.
    min_weight_fraction_leaf: float = 0.0
    # Least decrease of the impurity by a split, times the node's share of all rows.
    min_impurity_decrease: float = 0.0
    # How many features, drawn anew at each node, are looked at; None: all.
    max_features: int | None = None
    random_state: int = 0  # seed of that drawing


@dataclass(frozen=True, eq=False)
class BinaryData:
    """Training data as the binary kernels read them."""

    presorted: Presorted  # the sorted columns; nominal values are codes, infinity is missing
    label: np.ndarray  # (n_samples,) intp, class indices; 0 for numbers
    n_classes: int  # 1 for numbers
    centre: float  # what was taken off the numbers, so that sums stay small
    problem: Problem
    limits: BinaryLimits
    # The key of a criterion that is a Python function; `problem` then has GINI, which says what is
    # a candidate.
    function: str | None = None

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
        """Whether the targets are numbers."""
        return self.problem.criterion == SQUARED_ERROR

    @property
    def n_offered(self) -> int:
        """Number of features searched at a node, unless none of them has a candidate."""
        most = self.limits.max_features
        return self.n_features if most is None else min(most, self.n_features)

    @property
    def least_decrease(self) -> float:
        """By how much a split must lower the impurity, times the weight of all rows."""
        return self.limits.min_impurity_decrease * self._total(self.limits.min_impurity_decrease)

    def begun(self) -> BinaryData:
        """Data with the least weight of a child as a share of these rows' weight."""
        share = self.limits.min_weight_fraction_leaf
        least = share * self._total(share) * (1.0 - ROUNDING)
        return replace(self, problem=self.problem._replace(min_weight_leaf=least))

    def _total(self, share: float) -> float:
        """Weight of all rows, if a share of it is asked for.

        The sum is exact, so it is the same with and without rows of weight 0.
        """
        return math.fsum(self.problem.weight.tolist()) if share > 0.0 else 0.0

    def take(self, rows: np.ndarray) -> BinaryData:
        """Data of some rows, renumbered 0, 1, ... . O(n_features n_samples).

        The least weight of a child stays what it is, see :meth:`begun`.
        """
        here = self.presorted.take(rows)
        problem = self.problem._replace(
            columns=here.columns,
            weight=self.problem.weight[rows],
            target=self.problem.target[rows] if self.is_regression else self.problem.target,
        )
        return replace(self, presorted=here, label=self.label[rows], problem=problem)

    def with_features(self, features: np.ndarray) -> BinaryData:
        """Data with some of their columns, numbered anew in that order."""
        here = self.presorted.with_features(features)
        problem = self.problem._replace(
            columns=here.columns,
            n_categories=self.problem.n_categories[features],
            has_missing=self.problem.has_missing[features],
        )
        return replace(self, presorted=here, problem=problem)


def binary_data(
    X: np.ndarray,
    y: np.ndarray,
    *,
    criterion: int | str,
    n_classes: int = 1,
    weight: np.ndarray | None = None,
    n_categories: np.ndarray | None = None,
    min_samples_leaf: int = 1,
    limits: BinaryLimits | None = None,
    presorted: Presorted | None = None,
) -> BinaryData:
    """Lay training data out for binary splits. O(n_features n_samples).

    Parameters
    ----------
    X : ndarray of float64, shape (n_samples, n_features)
        Nominal values as codes 0, 1, ...; NaN is missing.
    y : ndarray, shape (n_samples,)
        Class indices, or with SQUARED_ERROR numbers.
    criterion : int or str
        GINI, GAIN, TWOING or SQUARED_ERROR; or the key of a criterion that is a Python function.
    n_classes : int, default 1
    weight : ndarray of float64, shape (n_samples,), optional
        >= 0; a row of weight 0 takes no part. Default: all 1.
    n_categories : ndarray of int, shape (n_features,), optional
        0 for a numeric feature; default: all are.
    min_samples_leaf : int, default 1
        Fewest rows of a child.
    limits : BinaryLimits, optional
        Default: none.
    presorted : Presorted, optional
        The sorted columns of `X`, if no value is missing.
    """
    n, m = X.shape
    missing = np.isnan(X)
    has_missing = missing.any(axis=0)
    if presorted is None or has_missing.any():
        with np.errstate(invalid="ignore"):  # infinity less itself is no new value
            presorted = presort(np.where(missing, np.inf, X))
    function = criterion if isinstance(criterion, str) else None
    criterion = GINI if function else criterion
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
        min_weight_leaf=0.0,
    )
    label = np.zeros(n, dtype=np.intp) if numbers else np.asarray(y, dtype=np.intp)
    limits = limits or BinaryLimits()
    data = BinaryData(presorted, label, n_classes, centre, problem, limits, function)
    return data.begun()


def scratch_for(data: BinaryData) -> FeatureScratch:
    """Scratch arrays to score one feature of `data`."""
    n_sums = data.n_classes
    most = int(data.problem.n_categories.max(initial=0))
    candidates = max(data.n_samples, (1 << (MOST_EXACT - 1)) if most else 1)
    return FeatureScratch(
        curve=np.empty(candidates),
        side=np.empty(candidates, dtype=np.int8),
        left=np.empty(n_sums),
        missing=np.zeros(n_sums),
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


# ---- All candidates of one node of a tree of binary splits


class BinaryCandidates:
    """The candidates of one node: its rows, laid out for the kernels.

    Parameters
    ----------
    data : BinaryData
        The node's rows and no others.
    """

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
        """Candidates of feature `f` in the order in which they are tried.

        Those that are not admissible score -inf.
        """
        problem = self.data.problem
        every = problem._replace(min_samples_leaf=1, min_weight_leaf=0.0)
        scores, sides = self._scanned(f, every)
        cuts = np.flatnonzero(scores > -np.inf)
        if self.data.function:
            return self._scored_by_function(f, cuts, looked_at=looked_at)
        if looked_at:
            scores, admitted_sides = self._scanned(f, problem)
            sides = np.where(scores > -np.inf, admitted_sides, sides)
        else:
            scores = np.full(len(scores), -np.inf)
        return {"score": scores[cuts], **self._laid_out(f, cuts, sides[cuts])}

    def _laid_out(self, f: int, cuts: np.ndarray, sides: np.ndarray) -> dict[str, object]:
        lay_out = self._subsets if self.data.problem.n_categories[f] else self._thresholds
        return lay_out(f, cuts, sides)

    def _scored_by_function(
        self, f: int, cuts: np.ndarray, *, looked_at: bool
    ) -> dict[str, object]:
        """Score candidates by a Python function, missing rows where that makes it better."""
        row = CRITERIA[self.data.function]
        sign = -1.0 if row.smaller_is_better else 1.0
        parts, worth = [], []
        for side in (0, 1) if self.data.problem.has_missing[f] else (0,):
            part = self._laid_out(f, cuts, np.full(len(cuts), side, dtype=np.int8))
            large = self._large_enough(part) if looked_at else np.zeros(len(cuts), dtype=bool)
            first, second = part["first"][large], np.maximum(part["second"][large], 0.0)
            score, value = np.full((2, len(cuts)), -np.inf)
            score[large] = row.score(first, second)
            value[large] = np.nan_to_num(sign * score[large], nan=-np.inf)
            parts.append({**part, "score": score})
            worth.append(value)
        best, place = np.argmax(worth, axis=0), np.arange(len(cuts))
        return {
            name: tuple(parts[side][name][i] for i, side in enumerate(best.tolist()))
            if name == "branch"
            else np.array([part[name] for part in parts])[best, place]
            for name in parts[0]
        }

    def _large_enough(self, part: dict[str, object]) -> np.ndarray:
        """Mask of the candidates with enough rows and weight in both children."""
        problem, rows = self.data.problem, part["rows"]
        fewest = np.minimum(rows, self.data.n_samples - rows)
        weights = [np.asarray(part[side]).sum(axis=1) for side in ("first", "second")]
        lightest = np.minimum(*weights)
        return (fewest >= max(problem.min_samples_leaf, 1)) & (lightest >= problem.min_weight_leaf)

    def _scanned(self, f: int, problem: Problem) -> tuple[np.ndarray, np.ndarray]:
        """Score of each position of feature `f`, and where its missing rows go."""
        count, _ = scan_binary(
            self.cells[f], f, 0, self.data.n_samples, self.packing, self.node, problem,
            self.scratch,
        )  # fmt: skip
        return self.scratch.curve[:count].copy(), self.scratch.side[:count].copy()

    def _thresholds(self, f: int, cuts: np.ndarray, sides: np.ndarray) -> dict[str, object]:
        order, values = self.data.presorted.order[f], self.data.problem.columns[f]
        known = np.isfinite(values[order])
        missing = self._amounts[order[~known]].sum(axis=0)
        first = np.cumsum(self._amounts[order[known]], axis=0)[cuts]
        first += np.where(sides[:, None] == 1, missing, 0.0)
        weight = np.cumsum(self.data.problem.weight[order])[cuts]
        heavier = np.where(2.0 * weight >= self.node.weight, 0, 1)
        below, above = values[order[cuts]], values[order[np.minimum(cuts + 1, len(order) - 1)]]
        middle = below / 2 + above / 2
        between = np.where((below <= middle) & (middle < above), middle, below)
        return {
            "threshold": np.where(np.isinf(above), np.inf, between),
            "branch": (None,) * len(cuts),
            "missing": heavier if known.all() else 1 - sides.astype(np.intp),
            "rows": cuts + 1 + np.where(sides == 1, np.count_nonzero(~known), 0),
            **self._children(first),
        }

    def _subsets(self, f: int, cuts: np.ndarray, sides: np.ndarray) -> dict[str, object]:
        problem, goes_first = self.data.problem, np.zeros(self.data.n_samples, dtype=np.uint8)
        known = np.isfinite(problem.columns[f])
        codes = problem.columns[f, known].astype(np.intp)
        first, missing = np.empty((len(cuts), self._amounts.shape[1])), np.empty_like(cuts)
        branches, rows = [], np.empty_like(cuts)
        for i, cut in enumerate(cuts.tolist()):
            _, missing[i] = mark_first(
                self.cells[f], f, 0, self.data.n_samples, cut, int(sides[i]), self.packing,
                self.node, problem, self.scratch, goes_first,
            )  # fmt: skip
            branch = np.full(problem.n_categories[f], -1, dtype=np.int16)
            branch[codes] = 1 - goes_first[known]
            branches.append(branch)
            first[i] = goes_first @ self._amounts
            rows[i] = np.count_nonzero(goes_first)
        return {
            "threshold": np.full(len(cuts), np.nan),
            "branch": tuple(branches),
            "missing": missing,
            "rows": rows,
            **self._children(first),
        }

    def _children(self, first: np.ndarray) -> dict[str, np.ndarray]:
        """Contents of both children, from the sums of the first one."""
        second = self._amounts.sum(axis=0) - first
        if self.data.is_regression:
            first, second = (s[:, 1:] / s[:, :1] + self.data.centre for s in (first, second))
        return {"first": first, "second": second}
