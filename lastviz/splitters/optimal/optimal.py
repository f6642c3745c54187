"""Splits of the tree of fewest training errors: at each node the root of the best tree below."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass, replace
from time import monotonic as _now

import numpy as np

from lastviz._random import ROOT_KEY, child_keys
from lastviz.splitters.cells.presort import Presorted, Unsorted
from lastviz.splitters.search import NodeContext, ObliqueSplit, Split, result_of
from lastviz.splitters.threshold.threshold import midpoints
from lastviz.tree import Reason

from .exact_search import MOST_DEPTH, Bracket, ExactResult, ExactSearch

PULSE = 0.1  # seconds between two signs of life


class Bounds(float):
    """Closeness of the bounds of a search, from 0 to 1, and the bounds.

    Attributes
    ----------
    found, least : int
        Errors of the best tree so far, and those that every tree makes; with the price of leaves.
    """

    found: int
    least: int

    def __new__(cls, found: int, least: int) -> Bounds:
        """Share of `found` that is proved."""
        bounds = super().__new__(cls, least / max(found, 1))
        bounds.found, bounds.least = found, least
        return bounds


@dataclass(frozen=True, eq=False)
class OptimalSearch:
    """The roots that the search of a node opened, and the one that it chose."""

    # (n_candidates,) intp. Of the roots whose least cost was worked out, in the order in which they
    # were opened. Bounds ruled out all others: none of them costs less than the best.
    feature: np.ndarray
    threshold: np.ndarray  # (n_candidates,) float64
    # (n_candidates,) float64, training errors of the best tree with this root, with the price of
    # its leaves.
    errors: np.ndarray
    counts: np.ndarray  # (n_classes,) intp, class counts of the node
    lower: int  # no tree of this depth makes fewer errors, in the same sense
    # Its score is the share of the node's rows that the tree below saves from being wrong, less the
    # price of its leaves.
    split: Split | None

    @property
    def n_candidates(self) -> int:
        """Number of roots whose least cost is known."""
        return len(self.feature)


class OptimalSplitter:
    """Searches a node for the root of the best tree of the depth that is left.

    Parameters
    ----------
    presorted : Presorted or Unsorted
        The training rows.
    y : ndarray of intp, shape (n_samples,)
        Class indices.
    n_classes, max_depth : int
    weight : ndarray of float64, shape (n_samples,), optional
        As how many rows each counts, in whole numbers; default: as one. Rows of 0 take no part.
    price : int
        Of a leaf beyond the first, in wrong rows.
    time_limit : float or None
        Seconds after which the searches of a growth end, each with the best tree so far.
    n_steps : dict of int to int, optional
        By the key of a node the steps after which the clock ended its search, which is so repeated.
        Growth fills it in.
    features : ndarray of intp, optional
        Those that are looked at; default all.

    Attributes
    ----------
    root_bound : int
        No tree makes fewer errors, with the price of its leaves: once the root was searched.
    """

    def __init__(
        self,
        presorted: Presorted | Unsorted,
        y: np.ndarray,
        n_classes: int,
        max_depth: int,
        *,
        weight: np.ndarray | None = None,
        price: int = 0,
        time_limit: float | None = None,
        n_steps: dict[int, int] | None = None,
        features: np.ndarray | None = None,
    ) -> None:
        self.presorted, self._y, self._n_classes = presorted, y, n_classes
        self._max_depth, self._features = max_depth, features
        self._weight = np.ones(presorted.n_samples) if weight is None else weight
        self.price, self.root_bound = price, 0
        self._until = None if time_limit is None else _now() + time_limit
        self._repeats = n_steps is not None
        self.n_steps = {} if n_steps is None else n_steps
        # What the search of a parent knows of its children: no more than this needs to be found.
        self._known: dict[int, int] = {}

    @property
    def columns(self) -> np.ndarray:
        """The training data, one row per feature."""
        return self.presorted.columns

    def root(self) -> NodeContext:
        """Context of the root."""
        rows = np.flatnonzero(self._weight)
        return NodeContext(rows, self._weight[rows], depth=0, key=int(ROOT_KEY))

    def child(self, context: NodeContext, split: Split | ObliqueSplit, branch: int) -> NodeContext:
        """Context of the first (0) or second (1) child of a split node."""
        if isinstance(split, ObliqueSplit):
            below = split.goes_first(self.presorted.X[context.rows])
        else:
            below = self.presorted.columns[split.feature, context.rows] <= split.threshold
        inside = below if branch == 0 else ~below
        key = int(child_keys(np.uint64(context.key), np.asarray(branch)))
        depth = context.depth + 1
        return NodeContext(context.rows[inside], context.weights[inside], depth, key, branch)

    def best(self, context: NodeContext) -> Split | Reason:
        """Root of the best tree, or that no tree makes fewer errors than a leaf."""
        return result_of(self.best_in_steps(context))

    def best_in_steps(self, context: NodeContext) -> Generator[Bounds, None, Split | Reason]:
        """Search as :meth:`best` does; yield how near the bounds are."""
        search = yield from self.search_in_steps(context)
        return Reason.NO_FEWER_ERRORS if search.split is None else search.split

    def search(self, context: NodeContext) -> OptimalSearch:
        """Roots that were opened, and the one that was chosen."""
        return result_of(self.search_in_steps(context))

    def search_in_steps(self, context: NodeContext) -> Generator[Bounds, None, OptimalSearch]:
        """Search as :meth:`search` does; yield how near the bounds are."""
        here, search = self._search_of(context)
        at = Bracket(search.greedy(search.words, search.depth), 0)
        steps, done, woken = search.improve(search.words, search.depth, at.found), 0, _now()
        while not self._is_over(context.key, done, at.found):
            try:
                at = next(steps)
            except StopIteration as finished:
                at = Bracket(finished.value, finished.value.cost)
                break
            done += 1
            if _now() - woken > PULSE:
                yield Bounds(at.found.cost // search.unit, at.lower // search.unit)
                woken = _now()
        else:
            self.n_steps[context.key] = done
        for branch, cost in enumerate(at.found.below):
            self._known[int(child_keys(np.uint64(context.key), np.asarray(branch)))] = cost
        if not context.depth:
            self.root_bound = at.lower // search.unit
        return self._answer(context, here, search, at)

    def hurry(self) -> None:
        """End all searches from now on, each with the best tree so far.

        The time limit would do the same.
        """
        self._until = -math.inf

    def completed(self, context: NodeContext, split: Split | ObliqueSplit) -> Split | ObliqueSplit:
        """Split that was chosen by hand with its score: that of the best trees below."""
        below = [self.child(context, split, branch) for branch in range(2)]
        if not all(len(child.rows) for child in below):
            return replace(split, score=math.nan)
        cost = sum(self._least(child) for child in below) + self.price
        return replace(split, score=(self._wrong(context) - cost) / context.weights.sum())

    def _least(self, context: NodeContext) -> float:
        """Errors of the best tree of a node, with the price of its leaves."""
        if context.depth >= self._max_depth:
            return self._wrong(context)
        _, search = self._search_of(context)
        found = result_of(search.solve(search.words, search.depth))
        return found.cost // search.unit

    def _wrong(self, context: NodeContext) -> int:
        """Number of rows that a leaf misclassifies."""
        counts = np.bincount(self._y[context.rows], context.weights, self._n_classes)
        return int(counts.sum() - counts.max())

    def _search_of(self, context: NodeContext) -> tuple[Presorted, ExactSearch]:
        here = self.presorted.take(context.rows)
        if self._features is not None:
            here = here.with_features(self._features)
        depth = self._max_depth - context.depth
        search = ExactSearch(
            here, self._y[context.rows], self._n_classes, depth, self.price,
            fewest_leaves=self._max_depth < MOST_DEPTH, weight=context.weights.astype(np.int64),
        )  # fmt: skip
        return here, search

    def _is_over(self, key: int, done: int, found: ExactResult) -> bool:
        """Whether the time limit ends the search of a node.

        Also whether it did so when the tree was grown.

        It goes on until it has found again what the search of the parent knew.
        """
        if self._repeats:
            return done == self.n_steps.get(key, -1)
        late = self._until is not None and _now() >= self._until
        return late and found.cost <= self._known.get(key, found.cost)

    def _answer(
        self, context: NodeContext, here: Presorted, search: ExactSearch, at: Bracket
    ) -> OptimalSearch:
        counts = np.bincount(self._y[context.rows], context.weights, self._n_classes)
        split = None
        if at.found.feature >= 0:
            threshold = float(self._thresholds(here, [at.found])[0])
            saved = search.leaf_cost(search.words) // search.unit - at.found.cost // search.unit
            split = Split(self._feature(at.found), threshold, saved / counts.sum())
        return OptimalSearch(
            feature=np.array([self._feature(root) for root in search.opened], dtype=np.intp),
            threshold=self._thresholds(here, search.opened),
            errors=np.array([root.cost // search.unit for root in search.opened], dtype=float),
            counts=counts,
            lower=at.lower // search.unit,
            split=split,
        )

    def _feature(self, root: ExactResult) -> int:
        return root.feature if self._features is None else int(self._features[root.feature])

    def _thresholds(self, here: Presorted, roots: list[ExactResult]) -> np.ndarray:
        feature = np.array([root.feature for root in roots], dtype=np.intp)
        cut = np.array([root.cut for root in roots], dtype=np.intp)
        below, above = (here.columns[feature, here.order[feature, cut + i]] for i in (0, 1))
        return midpoints(below, above)
