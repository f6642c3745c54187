"""Splits by a hyperplane that is searched for: OC1's and CART-LC's.

The search itself is a kernel that can be left and taken up again; here it is set up for a
node, and its result is turned back into the original features.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace

import numpy as np

from lastviz._random import ROOT_KEY, child_keys, node_rng
from lastviz._sentences import Refusal
from lastviz.criteria import CRITERIA, entropy_scale
from lastviz.criteria.scan_kernels import GAIN, log_table
from lastviz.criteria.ties_kernels import TIE, tie_floors
from lastviz.splitters.search import (
    NodeContext,
    ObliqueSplit,
    Split,
    Splitter,
    result_of,
    score_of_parts,
)
from lastviz.tree import Reason
from lastviz.tree.apply_kernels import positions

from .line_kernels import Classes, LineScratch, search_line
from .oblique_search_kernels import (
    AXIS_FEATURE,
    BEST_AXIS,
    BEST_MOVE,
    N_MOVES,
    PHASE,
    RESTART,
    START_RANDOM,
    SearchPlan,
    Trace,
    Walk,
    search_hyperplanes,
)
from .standardise_kernels import Space, standardise
from .trajectory import ObliqueSearch


class SomeFeatures:
    """A search in some of the columns, with results in all of them.

    Parameters
    ----------
    full : ObliqueSearchSplitter
        Of all columns; makes the contexts.
    part : ObliqueSearchSplitter
        Of the columns `features` alone.
    features : ndarray of intp
    n_features : int
        Number of all columns.
    """

    def __init__(
        self, full: Splitter, part: Splitter, features: np.ndarray, n_features: int
    ) -> None:
        self._full, self._part = full, part
        self._features = features
        self._n_features = n_features

    def root(self) -> NodeContext:
        """Context of the root."""
        return self._full.root()

    def child(self, context: NodeContext, split: Split | ObliqueSplit, branch: int) -> NodeContext:
        """Context of the first (0) or second (1) child of a split node."""
        return self._full.child(context, split, branch)

    def best(self, context: NodeContext) -> Split | ObliqueSplit | Reason:
        """Chosen split, or why the node has none."""
        return result_of(self.best_in_steps(context))

    def best_in_steps(
        self, context: NodeContext
    ) -> Generator[float, None, Split | ObliqueSplit | Reason]:
        """Search as :meth:`best` does, yielding the share that is done.

        It yields several times a second.
        """
        found = yield from self._part.best_in_steps(context)
        return found if isinstance(found, Reason) else self._in_all(found)

    def search(self, context: NodeContext) -> ObliqueSearch:
        """Every hyperplane that the search goes through, and the chosen split."""
        return result_of(self.search_in_steps(context))

    def search_in_steps(self, context: NodeContext) -> Generator[float, None, ObliqueSearch]:
        """Search as :meth:`search` does, yielding the share that is done.

        It yields several times a second.
        """
        found = yield from self._part.search_in_steps(context)
        split = None if found.split is None else self._in_all(found.split)
        return replace(found, weights=self._weights(found.weights), split=split)

    def _in_all(self, split: Split | ObliqueSplit) -> Split | ObliqueSplit:
        if isinstance(split, Split):
            return replace(split, feature=int(self._features[split.feature]))
        return replace(split, weights=self._weights(split.weights))

    def _weights(self, weights: np.ndarray) -> np.ndarray:
        out = np.zeros((*weights.shape[:-1], self._n_features))
        out[..., self._features] = weights
        return out


# ---------------------------------------------------------------- oblique search

# Values searched between two looks at the caller: some 0.05 s of work.
_BUDGET = 1_000_000
_BUCKETS = 2048  # of the radix sort's digits
_MOST_DRAWN = 1_000_000  # random numbers at a time, unless one restart needs more
_MOST_RECORDED = 10_000_000  # weights of the moves of a search


@dataclass(frozen=True)
class ObliqueMethod:
    """Parameters of the search for hyperplanes."""

    criterion: str  # a key of CRITERIA
    n_restarts: int = 1  # searches per node; the first starts from the best axis-parallel split
    n_jumps: int = 0  # random directions tried per restart, each at a local optimum
    # Each weight is searched along z + pivot for every pivot, z the standardised feature.
    pivots: tuple[float, ...] = (0.0,)
    # A feature is deleted if that costs less than this share of the most costly deletion; 0: none
    # is.
    backward_deletion: float = 0.0
    min_samples_leaf: int = 1  # fewest rows of a branch
    random_state: int = 0


class _Draws:
    """The random numbers of a node's restarts, drawn for some of them at a time.

    The numbers are those of one draw of all starts and one of all jumps after it, however many
    are drawn together. Behind the restarts of a block that is not the last stands one from no
    direction at all: it ends at once, so that a walk that gets there has found no perfect
    hyperplane, and is to go on with the next block.
    """

    def __init__(self, method: ObliqueMethod, key: int, n_features: int) -> None:
        self._method = method
        self._n_features = n_features
        self._size = max(1, _MOST_DRAWN // ((method.n_jumps + 1) * (n_features + 1)))
        self._starts = node_rng(method.random_state, key)
        self._jumps = node_rng(method.random_state, key)
        for first in range(0, method.n_restarts, self._size):
            n = min(self._size, method.n_restarts - first)
            self._jumps.normal(size=(n, n_features))  # all starts come before the first jump
        self.first = 0
        self.plan = self._block()
        self._moves_before = 0

    def _block(self) -> SearchPlan:
        method, m = self._method, self._n_features
        n = min(self._size, method.n_restarts - self.first)
        self._is_last = self.first + n == method.n_restarts
        starts = self._starts.normal(size=(n, m))
        if not self._is_last:
            starts = np.concatenate([starts, np.zeros((1, m))])
        return SearchPlan(
            n_restarts=len(starts),
            pivots=np.array(method.pivots),
            backward_deletion=float(method.backward_deletion),
            starts=starts,
            jumps=self._jumps.normal(size=(n, method.n_jumps, m + 1)),
        )

    def has_more(self, walk: Walk, trace: Trace) -> bool:
        """Whether a walk at the end of a block is to go on.

        If so, the next block is drawn.
        """
        state = walk.state
        trace.restart[self._moves_before : state[N_MOVES]] += self.first
        self._moves_before = int(state[N_MOVES])
        if self._is_last or state[RESTART] < self.plan.n_restarts:
            return False
        self.first += self.plan.n_restarts - 1
        self.plan = self._block()
        state[RESTART], state[PHASE] = 0, START_RANDOM
        return True


@dataclass(frozen=True, eq=False)
class _Setup:
    """All that the kernels work on at one node."""

    X: np.ndarray
    space: Space
    classes: Classes
    scratch: LineScratch
    walk: Walk
    draws: _Draws

    @property
    def restart(self) -> int:
        """Number of finished restarts."""
        return self.draws.first + int(self.walk.state[RESTART])


class ObliqueSearchSplitter:
    """Searches a node for its best hyperplane.

    Parameters
    ----------
    X : ndarray of float64, shape (n_samples, n_features)
        Finite.
    y : ndarray of intp, shape (n_samples,)
        Class indices.
    n_classes : int
    rows : ndarray of intp
        The rows that grow the tree, rising.
    method : ObliqueMethod

    Notes
    -----
    Each line search is exact and takes O(n log n + n n_classes) for a node of n rows.
    """

    def __init__(
        self, X: np.ndarray, y: np.ndarray, n_classes: int, rows: np.ndarray, method: ObliqueMethod
    ) -> None:
        self._X = X
        self._columns = np.ascontiguousarray(X.T)
        self._y = y.astype(np.int64)
        self._n_classes = n_classes
        self._rows = rows
        self._method = method
        self._criterion = CRITERIA[method.criterion]
        self._scale = entropy_scale(len(rows))
        entropy = self._criterion.code == GAIN
        self._table = log_table(len(rows), self._scale) if entropy else np.zeros(0, np.int64)

    def root(self) -> NodeContext:
        """Context of the root."""
        return NodeContext(self._rows, np.ones(len(self._rows)), depth=0, key=int(ROOT_KEY))

    def child(self, context: NodeContext, split: Split | ObliqueSplit, branch: int) -> NodeContext:
        """Context of the first (0) or second (1) child of a split node."""
        if isinstance(split, Split):
            first = self._columns[split.feature, context.rows] <= split.threshold
        else:
            first = _positions(self._X[context.rows], split.weights) <= split.threshold
        inside = first if branch == 0 else ~first
        key = child_keys(np.uint64(context.key), np.asarray(branch))
        return NodeContext(
            context.rows[inside], context.weights[inside], context.depth + 1, int(key), branch
        )

    def without(self, features: tuple[int, ...]) -> SomeFeatures:
        """Splitter that gives some features no weight."""
        n_features = len(self._columns)
        left = np.delete(np.arange(n_features), features)
        X = np.ascontiguousarray(self._X[:, left])
        part = ObliqueSearchSplitter(X, self._y, self._n_classes, self._rows, self._method)
        return SomeFeatures(self, part, left, n_features)

    def completed(self, context: NodeContext, split: Split | ObliqueSplit) -> Split | ObliqueSplit:
        """Split that was chosen by hand with its score."""
        inside = np.isin(context.rows, self.child(context, split, 0).rows)
        y, name = self._y[context.rows], self._method.criterion
        return replace(split, score=score_of_parts(name, y, inside, self._n_classes))

    def best(self, context: NodeContext) -> Split | ObliqueSplit | Reason:
        """Chosen split, or why the node has none."""
        return result_of(self.best_in_steps(context))

    def best_in_steps(
        self, context: NodeContext
    ) -> Generator[float, None, Split | ObliqueSplit | Reason]:
        """Search as :meth:`best` does, yielding the share that is done.

        It yields several times a second.
        """
        setup = self._setup(context)
        nothing = _trace(0, self._columns.shape[0])
        while not self._go_on(setup, nothing):
            yield setup.restart / self._method.n_restarts
        return self._settle(setup)

    def search(self, context: NodeContext) -> ObliqueSearch:
        """Every hyperplane that the search goes through, and the chosen split."""
        return result_of(self.search_in_steps(context))

    def search_in_steps(self, context: NodeContext) -> Generator[float, None, ObliqueSearch]:
        """Search as :meth:`search` does, yielding the share that is done.

        It yields several times a second.

        Notes
        -----
        The walk is deterministic, so it is gone once to count the moves and once to write them.
        """
        counting = self._setup(context)
        nothing = _trace(0, self._columns.shape[0])
        while not self._go_on(counting, nothing):
            yield 0.5 * counting.restart / self._method.n_restarts
        n_moves, m = int(counting.walk.state[N_MOVES]), self._columns.shape[0]
        if n_moves * (m + 1) > _MOST_RECORDED:
            raise Refusal(
                "n_restarts and n_jumps make this search visit {n_moves:,} hyperplanes of "
                "{m:,} weights, more than the {most:,} weights that are kept; choose "
                "fewer",
                n_moves=n_moves,
                m=m,
                most=_MOST_RECORDED,
            )
        setup = self._setup(context)
        trace = _trace(n_moves, m)
        while not self._go_on(setup, trace):
            yield 0.5 + 0.5 * setup.restart / self._method.n_restarts
        found = self._settle(setup)
        weights, threshold = original_planes(trace.weights, setup.space)
        first_of = np.searchsorted(trace.restart, trace.restart)
        return ObliqueSearch(
            restart=trace.restart,
            step=np.arange(len(first_of)) - first_of,
            kind=trace.kind,
            weights=weights,
            threshold=threshold,
            score=self._scores(trace.goodness, setup.classes.counts),
            counts=setup.classes.counts,
            winner=int(setup.walk.state[BEST_MOVE]),
            split=None if isinstance(found, Reason) else found,
        )

    def _go_on(self, setup: _Setup, trace: Trace) -> bool:
        walk, plan = setup.walk, setup.draws.plan
        is_over = search_hyperplanes(
            setup.space, setup.classes, setup.scratch, walk, plan, trace, float(_BUDGET)
        )
        return is_over and not setup.draws.has_more(walk, trace)

    def _setup(self, context: NodeContext) -> _Setup:
        n, m = len(context.rows), len(self._columns)
        space = Space(np.empty((m, n)), np.empty(m), np.empty(m))
        standardise(self._columns, context.rows, space)
        y = self._y[context.rows]
        counts = np.bincount(y, minlength=self._n_classes)
        method = self._method
        return _Setup(
            X=self._X[context.rows],
            space=space,
            classes=Classes(y, counts, self._table, self._criterion.code, method.min_samples_leaf),
            scratch=scratch_for(n, self._n_classes),
            walk=_walk(n, m),
            draws=_Draws(method, context.key, m),
        )

    def _settle(self, setup: _Setup) -> Split | ObliqueSplit | Reason:
        """Winner in the original features.

        The threshold is searched once more on the positions that routing computes, so that
        rounding cannot part growth from prediction. Where rounding has spoilt the hyperplane
        (features far from the origin) the best axis-parallel split wins.
        """
        walk = setup.walk
        feature = int(walk.state[AXIS_FEATURE])
        if feature < 0:
            return Reason.NO_CANDIDATE
        weights = original_planes(walk.best[None, :], setup.space)[0][0]
        used = np.flatnonzero(weights)
        if len(used) > 1:
            value, split = self._cut(setup, weights)
            floor = walk.goodness[BEST_AXIS]
            if value >= tie_floors(floor):
                return split if split.score > TIE else Reason.NO_GAIN
        elif len(used) == 1:
            feature = int(used[0])
        unit = np.zeros(len(weights))
        unit[feature] = 1.0
        _, split = self._cut(setup, unit)
        if split.score <= TIE:
            return Reason.NO_GAIN
        return Split(feature, split.threshold, split.score)

    def _cut(self, setup: _Setup, weights: np.ndarray) -> tuple[float, ObliqueSplit]:
        """Best split across the direction `weights`, and its goodness."""
        position = _positions(setup.X, weights)
        down = np.full(len(position), -1.0)
        value, threshold = search_line(position, down, setup.classes, setup.scratch, 0.0, np.inf)
        if value == -np.inf:
            return value, ObliqueSplit(weights, threshold, -np.inf)
        counts = setup.classes.counts
        first = setup.classes.y[position <= threshold]
        left = np.bincount(first, minlength=len(counts))
        score = float(self._criterion.score(left, counts - left))
        return value, ObliqueSplit(weights, float(threshold), score)

    def _scores(self, goodness: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """Criterion's scores of partitions of a node with these goodnesses."""
        n, row = counts.sum(), self._criterion
        if row.code == GAIN:
            node_entropy = self._table[n] - self._table[counts].sum()
            return (goodness + node_entropy) / (self._scale * n)
        if row.of_goodness is None:
            raise ValueError(f"no hyperplane search has the criterion of code {row.code}")
        return row.of_goodness(goodness, counts)


def _positions(X: np.ndarray, weights: np.ndarray) -> np.ndarray:
    out = np.empty((len(X), 1))
    positions(X, weights[:, None], out)
    return out[:, 0]


def original_planes(weights: np.ndarray, space: Space) -> tuple[np.ndarray, np.ndarray]:
    """Hyperplanes (k, m + 1) of the standardised features in the original features.

    Their weights (k, m), the largest of which is 1 or -1, and thresholds (k,).
    """
    slopes = np.where(space.scale > 0, weights[:, :-1], 0.0)
    unit = np.where(space.scale > 0, space.scale, np.inf)
    smallest = unit.min() if np.isfinite(unit).any() else 1.0
    slopes = slopes * (smallest / unit)
    largest = np.abs(slopes).max(axis=1, keepdims=True, initial=0.0)
    largest[largest == 0.0] = 1.0
    threshold = slopes @ space.centre - weights[:, -1] * smallest
    return slopes / largest, threshold / largest[:, 0]


def _trace(capacity: int, m: int) -> Trace:
    return Trace(
        restart=np.zeros(capacity, dtype=np.int64),
        kind=np.zeros(capacity, dtype=np.int64),
        weights=np.zeros((capacity, m + 1)),
        goodness=np.zeros(capacity),
    )


def scratch_for(n: int, n_classes: int) -> LineScratch:
    """Scratch arrays for line searches among `n` rows of `n_classes` classes."""
    return LineScratch(
        u=np.empty(n),
        move=np.empty(n, dtype=np.int64),
        bucket=np.empty(n, dtype=np.int64),
        first=np.empty(2 * n + 2, dtype=np.int64),
        rising=np.empty(n),
        moves=np.empty(n, dtype=np.int64),
        order=np.empty(n, dtype=np.int64),
        source=np.empty(n, dtype=np.uint64),
        target=np.empty(n, dtype=np.uint64),
        histograms=np.empty((3, _BUCKETS), dtype=np.int64),
        left=np.empty(n_classes, dtype=np.int64),
    )


def _walk(n: int, m: int) -> Walk:
    state = np.zeros(11, dtype=np.int64)
    state[[BEST_MOVE, AXIS_FEATURE]] = -1
    return Walk(
        weights=np.zeros(m + 1),
        V=np.empty(n),
        D=np.empty(n),
        trial=np.empty(n),
        best=np.zeros(m + 1),
        active=np.ones(m, dtype=np.bool_),
        goodness=np.full(3, -np.inf),
        state=state,
    )
