"""All trees that are nearly the best: counted exactly, numbered, drawn with equal chances."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from random import Random
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from lastviz._sentences import Refusal
from lastviz.splitters import pulsing, result_of
from lastviz.tree import Tree

from .near_best_kernels import NEVER
from .near_best_rows import (
    MOST_LEAVES,
    CodedRows,
    Nested,
    RootQuestion,
    bin_feature,
    n_thresholds_of,
    numbered_pair,
)

if TYPE_CHECKING:
    import pandas as pd

DEPTHS = (2, 3)
MOST_THRESHOLDS = 1_500
"""Thresholds of all features up to which trees of depth three are counted."""
PRICED = 0.4  # share of the time in which root questions are priced


@dataclass(frozen=True, eq=False)
class NearBestTrees:
    """All trees of some depth whose cost is near the least, as counts.

    A cost is the training rows that a tree gets wrong and its price for each leaf beyond the first.
    A tree has a number from 0 to `count` - 1, and trees with one root question have neighbouring
    numbers.
    """

    rows: CodedRows
    depth: int
    best: int  # least cost of all trees of the depth
    budget: int  # largest cost of the trees that are counted
    # (n_features, 8, budget + 1) whole numbers: trees by root feature, leaves - 1 and cost. A leaf
    # alone counts in the line of the first feature.
    table: np.ndarray
    least_using: np.ndarray  # (n_features,) int64, least cost of a tree that asks for the feature
    least_without: np.ndarray  # (n_features,) int64, of one that does not; both exact up to budget
    roots: tuple[RootQuestion, ...]  # empty at depth 2
    asked: tuple[RootQuestion, ...]  # all root questions within the budget, priced

    @property
    def n_thresholds(self) -> int:
        """Number of thresholds of all features together."""
        return n_thresholds_of(self.rows.code)

    @cached_property
    def count(self) -> int:
        """Number of trees."""
        return int(self.table.sum())

    def count_within(self, cost: int | None = None, leaves: int = MOST_LEAVES) -> int:
        """Number of trees of at most some cost and leaves."""
        return int(self.table[:, :leaves, : self.budget + 1 if cost is None else cost + 1].sum())

    @property
    def price_of_using(self) -> np.ndarray:
        """Cost above the best of a tree that asks for a feature, each.

        NaN where that is more than the tolerance: no near-best tree asks for it.
        """
        return self._price(self.least_using)

    @property
    def price_of_leaving_out(self) -> np.ndarray:
        """Cost above the best of a tree that does not ask for a feature, each.

        NaN where that is more than the tolerance: all near-best trees ask for it.
        """
        return self._price(self.least_without)

    def _price(self, least: np.ndarray) -> np.ndarray:
        return np.where(least > self.budget, np.nan, least - self.best)

    # ---- Trees by their numbers

    def tree(self, number: int) -> Tree:
        """Tree of a number from 0 to `count` - 1."""
        return self.trees([number])[0]

    def sample(
        self, n: int, random_state: int | None = None, *, cost: int | None = None,
        leaves: int = MOST_LEAVES,
    ) -> list[Tree]:  # fmt: skip
        """Draw `n` trees with replacement, all within the limits equally likely.

        `random_state` is a seed; None: the system's own.
        """
        total, random = self.count_within(cost, leaves), Random(random_state)
        if not total:
            raise Refusal("no near-best tree keeps these limits, so none can be drawn")
        numbers = [random.randrange(total) for _ in range(n)]
        return self.trees(numbers, cost=cost, leaves=leaves)

    def trees(
        self, numbers: Sequence[int], *, cost: int | None = None, leaves: int = MOST_LEAVES
    ) -> list[Tree]:
        """Trees of some numbers among those of at most some cost and leaves.

        One walk a side of a root question answers all numbers that share it.
        """
        cost, at, walks = self.budget if cost is None else min(cost, self.budget), -1, {}
        total = self.count_within(cost, leaves)
        if not all(0 <= number < total for number in numbers):
            raise Refusal("numbers of these trees must be from 0 to {last}", last=total - 1)
        ends = list(accumulate(self._within(cost, leaves), initial=0))
        for i in sorted(range(len(numbers)), key=numbers.__getitem__):
            q = bisect_right(ends, numbers[i]) - 1
            if q != at:
                at = q
                places = list(accumulate(self._counts(q, cost, leaves).ravel(), initial=0))
            place = bisect_right(places, numbers[i] - ends[q]) - 1
            n_questions, paid, number = (
                *divmod(place, cost + 1),
                numbers[i] - ends[q] - places[place],
            )
            pair = [(n_questions, paid, number)]
            if q:
                pair = numbered_pair(
                    *self.roots[q - 1].sides, n_questions, paid - self.rows.price, number
                )
            for side, part in enumerate(pair):
                walks.setdefault((q, side), []).append((i, *part))
        parts: dict[tuple[int, int], Nested] = {}
        for (q, side), some in walks.items():
            here = self._side(q)[side]
            found = self.rows.first_questions(here, [part for _, *part in some])
            for (i, questions, paid, _), (f, c, t) in zip(some, found, strict=True):
                below = self._below(here, f, c, questions, paid, t) if questions else None
                parts[i, side] = self.rows.label(here) if below is None else below
        out = []
        for i, number in enumerate(numbers):
            q = bisect_right(ends, number) - 1
            out.append(self.rows.tree(self._joined(q, parts[i, 0], parts.get((i, 1), 0))))
        return out

    def _joined(self, q: int, yes: Nested, no: Nested) -> Nested:
        """Tree of the sides of a root question; question 0 has one side, all of it."""
        if not q:
            return yes
        feature = self.roots[q - 1].feature
        return feature, self.rows.threshold(*self._side(q), feature), yes, no

    def _side(self, q: int) -> tuple[np.ndarray, ...]:
        every = self.rows.every
        return (
            self.rows.answers(every, self.roots[q - 1].feature, self.roots[q - 1].code)
            if q
            else (every,)
        )

    def _counts(self, q: int, cost: int, leaves: int) -> np.ndarray:
        """Trees by leaves - 1 and cost of a root question; 0: a leaf, at depth 2 any tree."""
        if q:
            return self.roots[q - 1].pairs(self.rows.price, leaves, cost)
        table = self.table.sum(axis=0)[:, : cost + 1]
        if self.depth == 3:
            table = np.where(np.arange(MOST_LEAVES)[:, None] == 0, table, 0)
        return table[:leaves]

    def _within(self, cost: int, leaves: int) -> list[int]:
        return [int(self._counts(q, cost, leaves).sum()) for q in range(len(self.roots) + 1)]

    def _below(self, rows: np.ndarray, f: int, c: int, questions: int, cost: int, t: int) -> Nested:
        """Tree number t of a node with a first question, of some size and cost."""
        sides = self.rows.answers(rows, f, c)
        stumps, tables = [self.rows.stumps(side) for side in sides], []
        for side, some in zip(sides, stumps, strict=True):
            leaf = np.arange(cost + 1) == self.rows.leaf_cost(side)
            tables.append(np.stack([leaf, np.bincount(some[:, 2], minlength=cost + 1)[: cost + 1]]))
        parts = numbered_pair(*tables, questions, cost - self.rows.price, t)
        below = [
            self._stump(side, some[np.flatnonzero(some[:, 2] == paid)[number]])
            if n_questions
            else self.rows.label(side)
            for side, some, (n_questions, paid, number) in zip(sides, stumps, parts, strict=True)
        ]
        return f, self.rows.threshold(*sides, f), *below

    def _stump(self, rows: np.ndarray, found: np.ndarray) -> Nested:
        feature, code, _ = found.tolist()
        yes, no = self.rows.answers(rows, feature, code)
        labels = self.rows.label(yes), self.rows.label(no)
        return feature, self.rows.threshold(yes, no, feature), *labels

    # ---- Questions to all of them

    def without(self, features: Iterable[int]) -> NearBestTrees:
        """The trees among them that do not ask for some features; see `without_in_steps`."""
        return result_of(self.without_in_steps(features))

    def without_in_steps(self, features: Iterable[int]) -> Generator[float, None, NearBestTrees]:
        """Count the trees that do not ask for some features, yielding the share done.

        The best cost and the budget stay those of all trees, so one minus the share that is left
        is the share of trees that ask for a feature, exactly.
        """
        code = self.rows.code.copy()
        code[list(features)] = 0  # a feature of one bin has no threshold
        rows = replace(self.rows, code=code)
        within = [root for root in self.asked if code[root.feature].any()]
        return (yield from _count(rows, self.depth, self.best, self.budget, within))

    def says(self, x: ArrayLike) -> tuple[int, ...]:
        """Number of trees that say each class of one row; see `says_in_steps`."""
        return result_of(self.says_in_steps(x))

    def says_in_steps(self, x: ArrayLike) -> Generator[float, None, tuple[int, ...]]:
        """Count exactly the trees that say each class of a row, yielding the share done.

        Parameters
        ----------
        x : array-like, shape (n_features,)
            Any row, of the training rows or not.

        Notes
        -----
        One more count of one side of each root question and class but the last.
        """
        x, last = np.asarray(x, dtype=np.float64), len(self.rows.classes) - 1
        found = [0] * last
        for k in range(last):
            if self.depth == 2:
                every = self.rows.every
                found[k] = int(self.rows.counts(every, self.budget, x, k)[0].sum())
                continue
            if self.rows.label(self.rows.every) == k:
                found[k] += int(self.table[:, 0].sum())
            for q, root in enumerate(self.roots, 1):
                sides = self._side(q)
                no = int(x[root.feature] > self.rows.threshold(*sides, root.feature))
                tables = list(root.sides)
                budget = tables[no].shape[1] - 1
                tables[no] = self.rows.counts(sides[no], budget, x, k)[0].sum(axis=0)
                called = replace(root, sides=tuple(tables))
                found[k] += int(called.pairs(self.rows.price, MOST_LEAVES, self.budget).sum())
                yield (k + q / len(self.roots)) / last
        return (*found, self.count - sum(found))

    def farthest(self, tree: Tree) -> tuple[int, Tree]:
        """Most differences of a near-best tree from a tree; see `farthest_in_steps`."""
        return result_of(self.farthest_in_steps(tree))

    def farthest_in_steps(self, tree: Tree) -> Generator[float, None, tuple[int, Tree]]:
        """Find the near-best tree that differs from a tree on most training rows.

        Exact: the most differences among the trees of each cost are joined as their numbers are.

        Returns
        -------
        n_rows : int
        tree : Tree
            One of the farthest.
        """
        rows, price = self.rows, self.rows.price
        predicted = tree.predict(rows.X).astype(np.int64)
        leaf = self._leaf(rows.every, predicted)
        best: tuple[int, Nested | tuple] = (-1, ())
        if leaf[0] <= self.budget and len(rows.y) >= rows.small:
            best = leaf[1], (rows.label(rows.every),)
        if self.depth == 2:
            most, where = rows.farthest(rows.every, self.budget, predicted)
            cost = int(most.argmax())
            if most[cost] > best[0]:
                best = int(most[cost]), (rows.every, cost, where[cost], most[cost])
        for q, root in enumerate(self.roots, 1):
            sides, choices = self._side(q), []
            for side, counts in zip(sides, root.sides, strict=True):
                most, where = rows.farthest(side, counts.shape[1] - 1, predicted)
                cost, differs = self._leaf(side, predicted)
                own = [(cost, differs, None)] if len(side) >= rows.small else []
                own += [(e, int(most[e]), where[e]) for e in np.flatnonzero(most >= 0).tolist()]
                choices.append(own)
            for one in choices[0]:
                for two in choices[1]:
                    useless = one[2] is None and two[2] is None and root.same
                    if one[0] + two[0] + price <= self.budget and not useless:
                        both = one[1] + two[1]
                        best = max(best, (both, (q, one, two)), key=lambda found: found[0])
            yield q / len(self.roots)
        return best[0], rows.tree(self._farthest_tree(best[1], predicted))

    def _leaf(self, rows: np.ndarray, predicted: np.ndarray) -> tuple[int, int]:
        """Cost of a leaf, and rows that it calls otherwise."""
        label = self.rows.label(rows)
        return self.rows.leaf_cost(rows), int(np.count_nonzero(predicted[rows] != label))

    def _farthest_tree(self, choice: tuple, predicted: np.ndarray) -> Nested:
        if len(choice) == 1:
            return choice[0]
        if len(choice) == 4:
            return self._farthest_below(*choice, predicted)
        q, *choices = choice
        parts = [
            self.rows.label(side) if question is None
            else self._farthest_below(side, cost, question, differs, predicted)
            for side, (cost, differs, question) in zip(self._side(q), choices, strict=True)
        ]  # fmt: skip
        return self._joined(q, *parts)

    def _farthest_below(
        self, rows: np.ndarray, cost: int, question: np.ndarray, differs: int, predicted: np.ndarray
    ) -> Nested:
        """Tree of a node with a first question and a cost that differs on so many rows."""
        f, c = question.tolist()
        sides, choices = self.rows.answers(rows, f, c), []
        for side in sides:
            own = [(*self._leaf(side, predicted), self.rows.label(side))]
            for found in self.rows.stumps(side):
                stump = self._stump(side, found)
                says = np.where(self.rows.X[side, stump[0]] <= stump[1], *stump[2:])
                own.append((int(found[2]), int(np.count_nonzero(says != predicted[side])), stump))
            choices.append(own)
        left = cost - self.rows.price
        one, two = next(
            (a[2], b[2])
            for a in choices[0]
            for b in choices[1]
            if a[0] + b[0] == left and a[1] + b[1] == differs
            if isinstance(a[2], tuple) or a[2] != b[2]
        )
        return f, self.rows.threshold(*sides, f), one, two


def near_best_trees(
    X: ArrayLike | pd.DataFrame,
    y: ArrayLike,
    *,
    max_depth: int = 3,
    tolerance: float = 0.02,
    alpha: float = 0.0,
    min_samples_leaf: int = 1,
    max_thresholds: int | None = 20,
    trees: Sequence[Tree] = (),
) -> NearBestTrees:
    """All trees of a depth within a tolerance of the best one, counted exactly.

    Parameters
    ----------
    X : array-like or DataFrame, shape (n_samples, n_features)
        Numbers without missing values.
    y : array-like, shape (n_samples,)
        Classes.
    max_depth : {2, 3}, default 3
        Questions from the root to the deepest leaf.
    tolerance : float, default 0.02
        Training rows that a tree may get wrong beyond the best one, as a share of all rows.
    alpha : float, default 0.0
        Price of a leaf beyond the first, as a share of the rows; it is rounded to whole rows.
    min_samples_leaf : int, default 1
        Fewest rows of a leaf of the trees that are counted. The best one has no such limit.
    max_thresholds : int or None, default 20
        Thresholds of a feature, at quantiles of the rows if it has more; None: all.
    trees : sequence of Tree, default ()
        Trees whose thresholds are added to those.

    Returns
    -------
    NearBestTrees

    Raises
    ------
    ValueError
        If a value is no number or missing, an argument is out of its range, or the features have
        more than 1,500 thresholds together at depth 3.

    Notes
    -----
    A tree is what it asks: a question is a feature and a cut between two neighbouring values of the
    rows that reach it, a leaf says their commonest class, of equal ones the first, and a question
    whose answers are leaves that say the same is none. Trees that ask in another order are
    different trees, even where they predict the same.

    Counts by leaves and cost are multiplied over the sides of a question and added over questions.
    Root questions are priced first, over intervals of cuts, and those beyond the budget are left
    out. Whole numbers throughout. O(n_samples n_features^2) a root question within the budget and
    for each of its sides, beside the cuts' own costs.

    References
    ----------
    Xin, Zhong, Chen, Takagi, Seltzer and Rudin (2022). Exploring the whole Rashomon set of sparse
    decision trees. Demirovic et al. (2022). MurTree, for the counts at depth 2.

    Examples
    --------
    >>> from lastviz.datasets import load_dataset
    >>> from lastviz.inspection import near_best_trees
    >>> data = load_dataset("iris")
    >>> found = near_best_trees(data.X, data.y, tolerance=0.01)
    >>> found.best, found.count
    (1, 652)
    """
    classes, codes = np.unique(np.asarray(y), return_inverse=True)
    steps = near_best_trees_in_steps(
        X, codes, classes, max_depth=max_depth, tolerance=tolerance, alpha=alpha,
        min_samples_leaf=min_samples_leaf, max_thresholds=max_thresholds, trees=trees,
    )  # fmt: skip
    return result_of(steps)


def near_best_trees_in_steps(
    X: ArrayLike | pd.DataFrame,
    y: np.ndarray,
    classes: np.ndarray,
    *,
    max_depth: int = 3,
    tolerance: float = 0.02,
    alpha: float = 0.0,
    min_samples_leaf: int = 1,
    max_thresholds: int | None = 20,
    trees: Sequence[Tree] = (),
) -> Generator[float, None, NearBestTrees]:
    """Count trees as :func:`near_best_trees` does, often yielding the share done.

    `y` are indices of `classes`.
    """
    names = tuple(map(str, getattr(X, "columns", ())))
    try:
        X = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError):
        raise Refusal("near-best trees ask for numbers only: encode the other columns") from None
    n = len(X)
    _check(X, y, max_depth, tolerance, alpha, min_samples_leaf, max_thresholds)
    code = np.stack([
        bin_feature(x, max_thresholds, [tree.threshold[tree.feature == f] for tree in trees])
        for f, x in enumerate(X.T)
    ])  # fmt: skip
    if max_depth == 3 and (here := n_thresholds_of(code)) > MOST_THRESHOLDS:
        raise Refusal(
            "these features have {here} thresholds, and trees of depth 3 are counted up to {most}: "
            "take fewer thresholds of a feature (max_thresholds), fewer features, or depth 2",
            here=here, most=MOST_THRESHOLDS,
        )  # fmt: skip
    names = names or tuple(f"x{f + 1}" for f in range(X.shape[1]))
    labels = np.ascontiguousarray(y, dtype=np.int64)
    rows = CodedRows(
        X, labels, code, np.asarray(classes), names, round(alpha * n), int(min_samples_leaf)
    )
    extra = int(tolerance * n + 1e-9)  # 0.07 * 100 is a little more than 7, 0.29 * 100 less than 29
    leaf = rows.leaf_cost(rows.every)
    if max_depth == 2:
        best = rows.least(rows.every, leaf, 0)
        return (yield from _count(rows, 2, best, best + extra, []))
    best, within = leaf, []
    for f in range(len(code)):
        steps = _price_roots(rows, f, best, extra, within)
        best = yield from pulsing(steps, PRICED * f / len(code))
    return (yield from _count(rows, 3, best, best + extra, within, PRICED))


def _check(
    X: np.ndarray, y: np.ndarray, max_depth: int, tolerance: float, alpha: float, small: int,
    most: int | None,
) -> None:  # fmt: skip
    if X.ndim != 2 or not X.size:
        raise Refusal("X must be a table of rows and features, got shape {shape}", shape=X.shape)
    if len(X) != len(y):
        raise Refusal("X has {n} rows and y has {m}: one class a row", n=len(X), m=len(y))
    if not np.isfinite(X).all():
        row, feature = np.argwhere(~np.isfinite(X))[0].tolist()
        raise Refusal(
            "near-best trees need a finite number in every cell: row {row} of column {column} has "
            "none; leave out such rows or fill them in",
            row=row, column=feature,
        )  # fmt: skip
    for name, value, is_legal, legal in (
        ("max_depth", max_depth, max_depth in DEPTHS, "2 or 3"),
        ("tolerance", tolerance, 0 <= tolerance <= 1, "from 0 to 1"),
        ("alpha", alpha, 0 <= alpha <= 1, "from 0 to 1"),
        ("min_samples_leaf", small, small >= 1, "at least 1"),
        ("max_thresholds", most, most is None or most >= 1, "at least 1, or None"),
    ):
        if not is_legal:
            words = "{name} must be {legal}, got {value}"
            raise Refusal(words, name=name, legal=legal, value=value)


def _price_roots(
    rows: CodedRows, feature: int, best: int, extra: int, within: list[RootQuestion]
) -> Generator[None, None, int]:
    """Add the root questions of a feature within the budget; the best cost so far.

    Along a feature the cost of the yes side never falls, that of the no side never rises, and both
    change by at most the rows that move. So an interval of cuts whose ends leave too much is
    dropped, and on one with equal ends nothing is left to search.
    """
    codes, count = np.unique(rows.code[feature], return_counts=True)
    codes, ends, price = codes[:-1], np.cumsum(count)[:-1], rows.price
    leaf = rows.leaf_cost(rows.every)
    todo = [(0, len(codes) - 1, 0, leaf, 0, leaf)]
    while todo:
        a, b, l0, l1, r0, r1 = todo.pop()  # first and last cut, bounds of both costs there
        if a > b or l0 + r0 + price > best + extra:
            continue
        if l0 == l1 and r0 == r1:
            within += (RootQuestion(feature, c, (l0, r0)) for c in codes[a : b + 1].tolist())
            continue
        q = (a + b) // 2
        yes, no = rows.answers(rows.every, feature, codes[q])
        # half an interval beyond the budget tells how far a bad cut is from a good one
        most = best + extra - price + int(ends[b] - ends[a]) // 2
        left, right, is_sure = l0, r0, r0 == r1
        if l0 < l1:
            left = max(rows.least(yes, min(most - r0, l1), l0), l0)
            yield None
        is_known = left <= most - r0
        if is_known and not is_sure:
            right = max(rows.least(no, min(most - left, r1), r0), r0)
            is_sure = right <= most - left
            yield None
        total = left + right + price
        if is_known and is_sure and total <= best + extra:
            best = min(best, total)
            within.append(RootQuestion(feature, int(codes[q]), (left, right)))
        far = np.flatnonzero(np.abs(ends - ends[q]) >= max(total - best - extra, 1))
        above = min(far[far > q], default=b + 1)
        below = max(far[far < q], default=a - 1)
        todo.append((above, b, left, l1, r0, right if is_sure else r1))
        todo.append((a, below, l0, left if is_known else l1, right, r1))
    return best


def _count(
    rows: CodedRows, depth: int, best: int, budget: int, priced: Sequence[RootQuestion],
    begin: float = 0.0,
) -> Generator[float, None, NearBestTrees]:  # fmt: skip
    """Count the trees of the root questions within a budget, yielding the share done."""
    m, price, every = len(rows.code), rows.price, rows.every
    table = np.zeros((m, MOST_LEAVES, budget + 1), dtype=object)
    using, without = np.full((2, m), NEVER, dtype=np.int64)
    if depth == 2:
        counts, using, without = rows.counts(every, budget)
        table[:, :4] = counts
        return NearBestTrees(rows, 2, best, budget, table, using, without, (), ())
    leaf = rows.leaf_cost(every)
    if leaf <= budget and len(every) >= rows.small:
        table[0, 0, leaf], without[:] = 1, leaf
    low = {root: sum(root.least) + price for root in priced}
    within = sorted((r for r in priced if low[r] <= budget), key=lambda r: (r.feature, r.code))
    roots = []
    for done, root in enumerate(within):
        yield begin + (1 - begin) * done / len(within)
        f, (one, two) = root.feature, root.least
        sides = rows.answers(every, f, root.code)
        if min(map(len, sides)) < rows.small:
            continue
        budgets = budget - price - two, budget - price - one
        both = [rows.counts(*part) for part in zip(sides, budgets, strict=True)]
        counts = tuple(found.sum(axis=0) for found, *_ in both)
        same = rows.label(sides[0]) == rows.label(sides[1])
        root = replace(root, sides=counts, same=same)
        new = root.pairs(price, MOST_LEAVES, budget)
        if not new.any():
            continue
        table[f] += new
        roots.append(root)
        using[f] = min(using[f], np.flatnonzero(new.any(axis=0))[0])
        (_, use_yes, no_yes), (_, use_no, no_no) = both
        one, two = (int(np.flatnonzero(side.any(axis=0))[0]) for side in counts)
        using = np.minimum(using, np.minimum(use_yes + two, use_no + one) + price)
        no_yes[f] = NEVER
        without = np.minimum(without, no_yes + no_no + price)
    return NearBestTrees(
        rows, 3, best, budget, table, using, without, tuple(roots), tuple(within)
    )  # fmt: skip
