"""The least cost of a tree of some depth below a node, exactly, with bounds while it is sought."""

from __future__ import annotations

import heapq
from collections.abc import Generator
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from lastviz._sentences import Refusal
from lastviz.splitters.cells.presort import Presorted
from lastviz.splitters.search import pulsing, result_of

from .optimal_kernels import (
    MOST_CLASSES,
    MOST_ROWS,
    best_of_depth_two,
    best_stump,
    class_weights,
    divide,
    gini_order,
    pack_words,
)

MOST_DEPTH = 4
UNIT = 8  # of cost that a wrong row makes where the fewest leaves are sought: more than all splits
MOST_WEIGHT = (1 << 31) // UNIT - 1  # of a row: its cost is half of a word
NEVER = 1 << 60
SLACK = 0.5
COST = itemgetter(0)  # of two trees that cost as much the first that was found
# Rows x features squared from where a step of the search would keep people waiting.
MOST_WORK = {3: 5_000_000, 4: 500_000}
AT_ONCE = 200_000  # rows x features up to which a tree of depth two is one step


class ExactResult(NamedTuple):
    """A tree: its cost, its root and the costs of the root's children.

    A `feature` of -1 is a leaf.

    What the children cost is known of roots that :class:`ExactSearch` opened or greed chose.
    """

    cost: int
    feature: int = -1
    cut: int = 0
    below: tuple[int, int] = (0, 0)


class Bracket(NamedTuple):
    """Progress of a search: the best tree so far, and a lower bound on the cost."""

    found: ExactResult
    lower: int


class ExactSearch:
    """The search for a tree of least cost among all trees of a depth.

    Parameters
    ----------
    presorted : Presorted
        The rows of a node.
    y : ndarray of intp, shape (n_rows,)
        Class indices.
    n_classes : int
    depth : int
        Of the trees, from 1 to 4.
    price : int, default 0
        Of a leaf beyond the first, in wrong rows.
    fewest_leaves : bool, default True
        Whether of trees that cost as much the smallest is sought.
    weight : ndarray of int64, shape (n_rows,), optional
        As how many rows each counts, from 1 to `MOST_WEIGHT`; default: as one.

    Notes
    -----
    A cost counts `unit` for a wrong row and as many for each split as the price says. For the
    fewest leaves each split costs 1 besides, and the unit is 8. At depth four the proof that no
    smaller tree is as good may take 200 times as long as the search.
    Intervals of cuts wait in a heap, the one of the least lower bound first. Its middle cut is
    opened: both children are solved at the depth below. That bounds the halves on either side, and
    rules out the neighbours up to the rows by which the cut is worse than the best. A child is
    solved a little beyond what it is needed for (SLACK), so that it tells how bad the cut is.

    References
    ----------
    Brita, van der Linden and Demirovic (2025). Optimal classification trees for continuous
    feature data using dynamic programming with branch-and-bound. Mazumder, Meng and Wang (2022).
    Quant-BnB: a scalable branch-and-bound method for optimal decision trees with continuous
    features.
    """

    def __init__(
        self,
        presorted: Presorted,
        y: np.ndarray,
        n_classes: int,
        depth: int,
        price: int = 0,
        fewest_leaves: bool = True,
        weight: np.ndarray | None = None,
    ) -> None:
        m, n = presorted.n_features, presorted.n_samples
        if n >= MOST_ROWS or n_classes > MOST_CLASSES:
            raise Refusal(
                "an optimal tree reads fewer than {rows} rows and at most {classes} classes",
                rows=MOST_ROWS,
                classes=MOST_CLASSES,
            )
        self.n_classes = max(n_classes, 2)
        self.depth = depth
        self.unit = UNIT if fewest_leaves else 1
        self.price = self.unit * price + (self.unit > 1)
        self.words = np.empty((m, n), dtype=np.int64)
        weight = np.ones(n, dtype=np.int64) if weight is None else weight
        pack_words(
            presorted.order, presorted.fresh, y.astype(np.int64), self.unit * weight, self.words
        )
        self.opened: list[ExactResult] = []
        self._first = np.zeros(n, dtype=np.bool_)
        self._rank = np.zeros(n, dtype=np.int32)

    def leaf_cost(self, words: np.ndarray) -> int:
        """Cost of a node as a leaf."""
        total = class_weights(words, self.n_classes)
        return int(total.sum() - total.max())

    def divide(self, words: np.ndarray, feature: int, cut: int) -> tuple[np.ndarray, np.ndarray]:
        """Words of both sides of a cut."""
        return divide(words, feature, cut, self._first)

    def greedy(self, words: np.ndarray, depth: int) -> ExactResult:
        """Cost of the tree by Gini gain, cut back where that costs less, and its root.

        O(depth n_features n_rows).
        """
        cost = self.leaf_cost(words)
        if depth and cost and words.shape[1] > 1:
            order, at = gini_order(words, self.n_classes)
            feature, cut = int(order[0]), int(at[order[0]])
            if cut >= 0:
                sides = self.divide(words, feature, cut)
                one, two = (self.greedy(side, depth - 1).cost for side in sides)
                if one + two + self.price < cost:
                    return ExactResult(one + two + self.price, feature, cut, (one, two))
        return ExactResult(cost)

    def solve(
        self, words: np.ndarray, depth: int, limit: int = NEVER, floor: int = 0
    ) -> Generator[Bracket, None, ExactResult]:
        """Search for the least cost of a tree of `depth`.

        Yields the progress after each cut.

        A cost that is not below `limit` is a bound at or above it; the search ends at `floor`.
        """
        cost = self.leaf_cost(words)
        if depth == 0 or cost <= floor or words.shape[1] < 2 or limit <= floor:
            return ExactResult(max(floor, min(cost, limit)))
        if depth == 1:
            return ExactResult(*map(int, best_stump(words, self.n_classes, self.price)))
        if depth == 2 and words.size <= AT_ONCE:
            found = best_of_depth_two(words, self.n_classes, self.price, limit, floor, self._rank)
            return ExactResult(*map(int, found))
        return (yield from self._improve(words, depth, ExactResult(min(cost, limit)), floor))

    def improve(
        self, words: np.ndarray, depth: int, found: ExactResult
    ) -> Generator[Bracket, None, ExactResult]:
        """Search for a tree that costs less than `found`, noting the cuts opened."""
        if depth <= 1 or self.leaf_cost(words) == 0:
            better = result_of(self.solve(words, depth, found.cost))
            return better if better.cost < found.cost else found
        return (yield from self._improve(words, depth, found, 0, self.opened))

    def _improve(
        self,
        words: np.ndarray,
        depth: int,
        best: ExactResult,
        floor: int,
        opened: list[ExactResult] | None = None,
    ) -> Generator[Bracket, None, ExactResult]:
        order, gini_cut = gini_order(words, self.n_classes)
        cuts = [np.flatnonzero(line[1:] & 1) for line in words]
        moved = np.cumsum(words >> 32, axis=1)
        heap = [(0, -NEVER, f, 0, len(cuts[f]) - 1, 0, 0) for f in order.tolist() if len(cuts[f])]
        while heap and heap[0][0] < best.cost and best.cost > floor:
            lower, size, f, low, high, first, second = heapq.heappop(heap)
            here = cuts[f]
            middle = (low + high) // 2
            if size == -NEVER:
                middle = int(np.searchsorted(here, gini_cut[f]))
            cut = int(here[middle])
            slack = int(SLACK * (moved[f, here[high]] - moved[f, here[low]]))
            sides = self.divide(words, f, cut)
            one, two, exact = yield from self._open(
                sides, depth - 1, Bracket(best, lower), slack, (first, second)
            )
            root = ExactResult(one + two + self.price, f, cut, (one, two))
            if opened is not None and exact:
                opened.append(root)
            best = min(best, root, key=COST)
            near = np.abs(moved[f, here] - moved[f, cut]) <= root.cost - best.cost
            below, above = middle - 1, middle + 1
            while below >= low and near[below]:
                below -= 1
            while above <= high and near[above]:
                above += 1
            for a, b, u, v in (
                (low, below, first, max(second, two)),
                (above, high, max(first, one), second),
            ):
                if a <= b and u + v + self.price < best.cost:
                    heapq.heappush(heap, (u + v + self.price, a - b, f, a, b, u, v))
            yield Bracket(best, min(best.cost, heap[0][0] if heap else best.cost))
        return best

    def _open(
        self,
        sides: tuple[np.ndarray, np.ndarray],
        depth: int,
        outer: Bracket,
        slack: int,
        least: tuple[int, int],
    ) -> Generator[Bracket, None, tuple[int, int, bool]]:
        """Solve both children of a cut.

        Returns their costs, and whether these are exact instead of bounds.
        """
        one, two, exact = *least, False
        limit = outer.found.cost - two - self.price + slack
        found = yield from self._inner(sides[0], depth, limit, one, outer)
        one, first_is_exact = max(one, found.cost), found.cost < limit
        if one + two + self.price < outer.found.cost + slack:
            limit = outer.found.cost - one - self.price + slack
            found = yield from self._inner(sides[1], depth, limit, two, outer)
            two, exact = max(two, found.cost), first_is_exact and found.cost < limit
        return one, two, exact

    def _inner(
        self, words: np.ndarray, depth: int, limit: int, floor: int, outer: Bracket
    ) -> Generator[Bracket, None, ExactResult]:
        """Solve a child, yielding how far the search of its parent is."""
        return pulsing(self.solve(words, depth, limit, floor), outer)

    def root_costs(
        self, words: np.ndarray, feature: int, depth: int, most: int = NEVER
    ) -> Generator[None, None, np.ndarray]:
        """Compute the least cost of a tree with each cut of a feature as its root.

        Yields a pulse.

        `most` stands for it and all above. The costs of both children are staircases along the
        feature, which are halved where they are not level: solves grow with their steps, not with
        the cuts.
        """
        cuts = np.flatnonzero(words[feature, 1:] & 1)
        n, top = len(cuts), min(self.leaf_cost(words), most)
        costs = np.full((2, n), top, dtype=np.int64)
        for side in range(2):
            line = costs[side] if side == 0 else costs[1, ::-1]  # both rise
            begin = int((costs[0] >= most).sum()) if side == 1 else 0  # the first costs enough
            waiting = [(begin, n - 1, 0, top)]
            while waiting:
                low, high, least, largest = waiting.pop()
                if low > high:
                    continue
                if least == largest:
                    line[low : high + 1] = least
                    continue
                middle = (low + high) // 2
                cut = int(cuts[middle if side == 0 else n - 1 - middle])
                child = self.divide(words, feature, cut)[side]
                limit = min(largest + 1, most)
                cost = result_of(self.solve(child, depth - 1, limit, least)).cost
                line[middle] = cost = min(max(cost, least), largest)
                waiting += [(middle + 1, high, cost, largest), (low, middle - 1, least, cost)]
                yield
        return np.minimum(costs.sum(axis=0) + self.price, most)
