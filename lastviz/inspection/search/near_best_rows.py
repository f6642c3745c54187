"""Rows between thresholds, and the trees of depth two of a node and of a root question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lastviz.builders.growth import assemble
from lastviz.criteria import CRITERIA
from lastviz.splitters.threshold.threshold import midpoints
from lastviz.tree import Kind, Tree

from .near_best_kernels import NEVER, depth_two, stumps_of

MOST_LEAVES = 8
NOBODY = np.zeros(0, dtype=np.int64)
NO_ROW = np.zeros(0)
NO_TREES = np.zeros((0, 4), dtype=np.int64)

Nested = int | tuple  # the class of a leaf, or (feature, threshold, tree of yes, tree of no)


@dataclass(frozen=True, eq=False)
class CodedRows:
    """Training rows, with the values of each feature in bins between the thresholds."""

    X: np.ndarray  # (n_samples, n_features) float64
    y: np.ndarray  # (n_samples,) int64, class indices
    code: np.ndarray  # (n_features, n_samples) int32, bins
    classes: np.ndarray
    feature_names: tuple[str, ...]
    price: int
    small: int  # fewest rows of a leaf

    @cached_property
    def columns(self) -> np.ndarray:
        """The values by feature, (n_features, n_samples)."""
        return np.ascontiguousarray(self.X.T)

    @property
    def every(self) -> np.ndarray:
        """All rows."""
        return np.arange(len(self.y))

    def least(self, rows: np.ndarray, budget: int, floor: int) -> int:
        """Least cost of a tree of depth two, `floor` at least, or above `budget`."""
        nothing = np.zeros((0, 4, 0), dtype=np.int64)
        return self._sweep(rows, max(budget, 0), nothing, floor=floor)

    def counts(
        self, rows: np.ndarray, budget: int, x: np.ndarray = NO_ROW, klass: int = 0
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Trees of depth two by first question, leaves and cost; least costs by feature."""
        m = len(self.code)
        counts = np.zeros((m, 4, budget + 1), dtype=np.int64)
        using, without = np.full((2, m), NEVER, dtype=np.int64)
        self._sweep(rows, budget, counts, using=using, without=without, x=x, klass=klass)
        return counts, using, without

    def first_questions(
        self, rows: np.ndarray, asked: list[tuple[int, int, int]]
    ) -> list[list[int]]:
        """First question and the number within it of trees by leaves - 1, cost and number."""
        ask = np.array([(*one, 0) for one in asked], dtype=np.int64)
        budget, out = int(ask[:, 1].max()), np.full((len(ask), 3), -1, dtype=np.int64)
        counts = np.zeros((1, 4, budget + 1), dtype=np.int64)
        using, without = np.full((2, len(self.code)), NEVER, dtype=np.int64)
        self._sweep(rows, budget, counts, using=using, without=without, asked=ask, found=out)
        return out.tolist()

    def farthest(
        self, rows: np.ndarray, budget: int, predicted: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Most rows that trees of each cost call otherwise, and their questions."""
        most = np.full(budget + 1, -1, dtype=np.int64)
        where = np.full((budget + 1, 2), -1, dtype=np.int64)
        counts = np.zeros((1, 4, budget + 1), dtype=np.int64)
        without = np.full(len(self.code), NEVER, dtype=np.int64)
        self._sweep(
            rows, budget, counts, without=without, predicted=predicted, most=most, where=where
        )
        return most, where

    def _sweep(
        self, rows: np.ndarray, budget: int, counts: np.ndarray, *, floor: int = -1,
        using: np.ndarray = NOBODY, without: np.ndarray = NOBODY, x: np.ndarray = NO_ROW,
        klass: int = 0, predicted: np.ndarray = NOBODY, most: np.ndarray = NOBODY,
        where: np.ndarray = NO_TREES, asked: np.ndarray = NO_TREES,
        found: np.ndarray = NO_TREES,
    ) -> int:  # fmt: skip
        return int(depth_two(
            self.columns, self.code, self.y, rows, len(self.classes), budget, self.price,
            self.small, floor, x, klass, predicted, counts, using, without, most, where, asked,
            found,
        ))  # fmt: skip

    def stumps(self, rows: np.ndarray) -> np.ndarray:
        """Feature, code and cost of all stumps of some rows, by their numbers."""
        kinds = len(self.classes)
        return stumps_of(self.code, self.y, rows, kinds, self.price, self.small)

    def label(self, rows: np.ndarray) -> int:
        """The commonest class of some rows."""
        return int(np.bincount(self.y[rows], minlength=len(self.classes)).argmax())

    def leaf_cost(self, rows: np.ndarray) -> int:
        """Wrong rows of a leaf."""
        return len(rows) - int(np.bincount(self.y[rows]).max())

    def answers(self, rows: np.ndarray, feature: int, code: int) -> tuple[np.ndarray, np.ndarray]:
        """Rows of either answer to a question."""
        yes = self.code[feature, rows] <= code
        return rows[yes], rows[~yes]

    def threshold(self, yes: np.ndarray, no: np.ndarray, feature: int) -> float:
        """Threshold halfway between the nearest values of a node's own rows."""
        x = self.X[:, feature]
        return float(midpoints(x[yes].max(), x[no].min()))

    def tree(self, nested: Nested) -> Tree:
        """Tree of nested questions, with these rows."""
        parent, first_child, depth, tests = [-1], [-1], [0], [nested]
        samples, start, end = self.every, [0], [len(self.y)]
        for node, test in enumerate(tests):  # which grows meanwhile
            if not isinstance(test, tuple):
                continue
            feature, threshold, *sides = test
            here = samples[start[node] : end[node]]
            yes = self.X[here, feature] <= threshold
            samples[start[node] : end[node]] = np.r_[here[yes], here[~yes]]
            middle = start[node] + np.count_nonzero(yes)
            first_child[node] = len(parent)
            parent += [node, node]
            first_child += [-1, -1]
            depth += [depth[node] + 1] * 2
            start += [start[node], middle]
            end += [middle, end[node]]
            tests += sides
        inner = [isinstance(test, tuple) for test in tests]
        asked = [
            test[:2] if inside else (-1, np.nan) for test, inside in zip(tests, inner, strict=True)
        ]
        counts = [
            np.bincount(self.y[samples[a:b]], minlength=len(self.classes))
            for a, b in zip(start, end, strict=True)
        ]
        splits = {
            "kind": np.where(inner, Kind.THRESHOLD, Kind.LEAF).astype(np.int8),
            "feature": np.array([feature for feature, _ in asked], dtype=np.intp),
            "threshold": np.array([threshold for _, threshold in asked]),
            "score": np.full(len(tests), np.nan),  # nothing scored them one by one
        }
        return assemble(
            parent=np.array(parent), first_child=np.array(first_child), depth=np.array(depth),
            start=np.array(start), end=np.array(end), counts=np.array(counts, dtype=np.float64),
            samples=samples, sample_weight=np.ones(len(samples)), splits=splits,
            feature_names=self.feature_names, classes=self.classes, criterion=CRITERIA["gini"],
            keep_parents_class=False,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class RootQuestion:
    """A root question of near-best trees, with the trees of either side."""

    feature: int
    code: int
    least: tuple[int, int]  # costs of the sides
    # Trees of the sides by leaves - 1 and cost, (4, costs); empty where they are not counted.
    sides: tuple[np.ndarray, np.ndarray] = (np.zeros((4, 0)), np.zeros((4, 0)))
    same: bool = False  # whether the sides say one class as leaves

    def pairs(self, price: int, leaves: int, cost: int) -> np.ndarray:
        """Trees by leaves - 1 and cost, (leaves, cost + 1), as whole numbers."""
        out, low = np.zeros((MOST_LEAVES, cost + 1), dtype=object), sum(self.least) + price
        if low <= cost:
            width = cost + 1 - low
            ends = [side[:, at:] for side, at in zip(self.sides, self.least, strict=True)]
            out[1:, low:] = _product(*ends, self.same, width)
        return out[:leaves]


# The counts are digits of 128 bits of two long whole numbers (Kronecker's substitution).
def _product(left: np.ndarray, right: np.ndarray, same: bool, width: int) -> np.ndarray:
    """Pairs of two sides by questions, 1 to 7, and cost."""
    long, size = [], width * MOST_LEAVES * 16
    for counts in (left[:, :width], right[:, :width]):
        digits = np.zeros((counts.shape[1], MOST_LEAVES, 2), dtype=np.uint64)
        digits[:, :4, 0] = counts.T
        long.append(int.from_bytes(digits.tobytes(), "little"))
    both = (long[0] * long[1] & (1 << 8 * size) - 1).to_bytes(size, "little")
    words = np.frombuffer(both, dtype=np.uint64).reshape(width, MOST_LEAVES, 2).astype(object)
    out = (words[..., 0] + words[..., 1] * (1 << 64)).T[: MOST_LEAVES - 1]
    out[0] *= not same
    return out


def n_thresholds_of(code: np.ndarray) -> int:
    """Number of thresholds of all features together."""
    return sum(len(np.unique(bins)) - 1 for bins in code)


def bin_feature(x: np.ndarray, most: int | None, more: Sequence[np.ndarray]) -> np.ndarray:
    """Bins of a feature between at most `most` thresholds, and `more` ones."""
    values, rank = np.unique(x, return_inverse=True)
    if most is None or len(values) - 1 <= most:
        return rank.astype(np.int32)
    at = np.quantile(x, np.arange(1, most + 1) / (most + 1), method="lower")
    lower = np.minimum(np.searchsorted(values, at), len(values) - 2)
    own = np.searchsorted(values, np.concatenate([*more, np.zeros(0)]), side="right") - 1
    cuts = np.union1d(lower, own[(own >= 0) & (own < len(values) - 1)])
    return np.searchsorted(cuts, rank, side="left").astype(np.int32)


def numbered_pair(
    left: np.ndarray, right: np.ndarray, questions: int, cost: int, t: int
) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Pair number t of the trees of two sides with `questions` - 1 in all.

    `cost` is that of both sides. Each part has its questions, its cost and its number.
    """
    for i in range(max(0, questions - len(right)), min(len(left), questions)):
        for a in range(max(0, cost + 1 - right.shape[1]), min(cost + 1, left.shape[1])):
            n_right = int(right[questions - 1 - i, cost - a])
            if t < int(left[i, a]) * n_right:
                rest = questions - 1 - i, cost - a, t % n_right
                return (i, a, t // n_right), rest
            t -= int(left[i, a]) * n_right
    raise AssertionError("t is not below the number of pairs")
