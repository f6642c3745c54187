"""Training data as the kernels of binary splits read them, and what limits growth on them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from lastviz.criteria.scan_kernels import GINI
from lastviz.criteria.sums_kernels import SQUARED_ERROR
from lastviz.splitters.cells.presort import Presorted, presort

from .binary_kernels import FeatureScratch
from .subset_kernels import MOST_EXACT, Categories, Problem

ROUNDING = 1e-12  # of sums of weights


@dataclass(frozen=True)
class BinaryLimits:
    """What is not looked at, and what is not split."""

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
        """Whether numbers are learnt."""
        return self.problem.criterion == SQUARED_ERROR

    @property
    def n_offered(self) -> int:
        """How many features a node looks at, unless none of them has a candidate."""
        most = self.limits.max_features
        return self.n_features if most is None else min(most, self.n_features)

    @property
    def least_decrease(self) -> float:
        """By how much a split must lower the impurity, times the weight of all rows."""
        return self.limits.min_impurity_decrease * self._total(self.limits.min_impurity_decrease)

    def begun(self) -> BinaryData:
        """Return the data with the least weight of a child as a share of these rows' weight."""
        share = self.limits.min_weight_fraction_leaf
        least = share * self._total(share) * (1.0 - ROUNDING)
        return replace(self, problem=self.problem._replace(min_weight_leaf=least))

    def _total(self, share: float) -> float:
        """Return the weight of all rows, if a share of it is asked for.

        The sum is exact, so it is the same with and without rows of weight 0.
        """
        return math.fsum(self.problem.weight.tolist()) if share > 0.0 else 0.0

    def take(self, rows: np.ndarray) -> BinaryData:
        """Return the data of some rows, renumbered 0, 1, ... . O(n_features n_samples).

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
        """Return the data with some of their columns, numbered anew in that order."""
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
    """Return room to score one feature of `data`."""
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
