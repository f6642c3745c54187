"""Growing a threshold tree in latent spaces: a global one, or local ones at the top levels."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from lastviz._random import ROOT_KEY, child_keys
from lastviz._sentences import Refusal
from lastviz.criteria import Criterion
from lastviz.latent import LATENT_SPACES, LatentBasis, positions_along
from lastviz.splitters import (
    LatentFrame,
    NodeContext,
    ObliqueSplit,
    RuleChoice,
    RuleSplitter,
    Split,
)
from lastviz.splitters.edits import Edit
from lastviz.splitters.latent import frame_of, in_features
from lastviz.splitters.threshold.choice_kernels import Choice
from lastviz.splitters.threshold.threshold import ThresholdSplitter
from lastviz.tree import Action, GrowthLog, Kind, ObliqueSplits, Reason, Tree

from .family import Sprout
from .frontier_kernels import Stop
from .growth import Growth, GrowthEvent, ThresholdGrowth, assemble
from .nodewise import NodewiseGrowth


@dataclass(frozen=True, eq=False)
class _GrowthTask:
    """Node waiting to be split: samples, unlabelled ones, depth and parent's basis."""

    node: int
    rows: np.ndarray
    unlabelled: np.ndarray
    depth: int
    basis: int


@dataclass(frozen=True, eq=False)
class LatentPlace:
    """Latent space and unlabelled samples that a node inherits."""

    frame: LatentFrame | None = None  # the last space above it; None at the root
    unlabelled: np.ndarray | None = None  # intp, which rows without classes reach it; None: all


class LatentGrowth:
    """The growth of one tree: an iterator of events, then the tree.

    Parameters
    ----------
    X : ndarray, shape (n_samples, n_features)
    y : ndarray of intp, shape (n_samples,)
        Class indices.
    n_classes : int
    choice : Choice or RuleChoice
        How a split is chosen among the components' thresholds.
    stop : Stop
        When to stop; ``max_leaf_nodes`` must be 0.
    space : str
        A key of LATENT_SPACES.
    levels : int or None
        At nodes of depth 0 .. levels - 1 a basis is computed from the node's own rows,
        deeper nodes inherit the last one; None: at every node.
    start : NodeContext, optional
        Where growth begins, with what it inherits as a :class:`LatentPlace`; default: at the
        root. Depths are counted from the root.

    Attributes
    ----------
    unlabelled : ndarray, shape (n_unlabelled, n_features)
        Rows that take part in the bases only; none unless set before growth begins.

    Notes
    -----
    O(n_features^2 n_samples) for the bases of a level, O(n_features n_samples) per level of
    the tree to grow. Below the last basis one kernel grows the whole subtree.
    """

    def __init__(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        choice: Choice | RuleChoice,
        stop: Stop,
        *,
        space: str,
        levels: int | None,
        start: NodeContext | None = None,
    ) -> None:
        self._X, self._y, self._n_classes = X, y, n_classes
        self._choice, self._stop = choice, stop
        self._find: Callable[[np.ndarray], LatentBasis] = LATENT_SPACES[space].basis
        self._levels = len(X) if levels is None else levels
        self.unlabelled = np.empty((0, X.shape[1]))
        place = LatentPlace() if start is None else start.inherited
        self._frame, self._begin = place.frame, place.unlabelled
        self._bases: list[LatentBasis] = [] if self._frame is None else [self._frame.basis]
        self._rows = np.arange(len(X)) if start is None else start.rows.copy()
        self._count = 1
        size = 2 * len(self._rows) - 1
        self._parent = np.full(size, -1)
        self._depth = np.full(size, 0 if start is None else start.depth, dtype=np.intp)
        self._first_child = np.full(size, -1)
        self._component = np.full(size, -1)
        self._threshold = np.full(size, np.nan)
        self._score = np.full(size, np.nan)
        self._start = np.zeros(size, dtype=np.intp)
        self._end = np.full(size, len(self._rows))
        self._basis_id = np.zeros(size, dtype=np.intp)
        self._counts = np.zeros((size, n_classes))
        self._counts[0] = np.bincount(y[self._rows], minlength=n_classes)
        self._events: list[tuple[np.ndarray, np.ndarray]] = []

    @property
    def columns(self) -> np.ndarray:
        """The training data, shape (n_features, n_samples)."""
        return self._X.T

    def __iter__(self) -> Iterator[GrowthEvent]:
        """Grow, yielding one event after the other."""
        for nodes, reasons in self._steps():
            for node, reason in zip(nodes.tolist(), reasons.tolist(), strict=True):
                action = Action.SPLIT if reason == Reason.BEST_SPLIT else Action.LEAF
                size = int(self._end[node] - self._start[node])
                yield GrowthEvent(node, action, Reason(reason), size)

    def run(self) -> LatentGrowth:
        """Grow to the end without looking at the events."""
        for _ in self._steps():
            pass
        return self

    def _steps(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield the nodes decided about and why, in batches."""
        others = np.arange(len(self.unlabelled)) if self._begin is None else self._begin
        inherited = len(self._bases) - 1
        waiting = [_GrowthTask(0, self._rows.copy(), others, int(self._depth[0]), inherited)]
        while waiting:
            task = waiting.pop()
            reason = self._reason_not_to_search(task)
            if reason is not None:
                self._basis_id[task.node] = max(task.basis, 0)
                if not self._bases:
                    self._new_basis(task)
                yield self._log(np.array([task.node]), np.array([reason], dtype=np.int8))
                continue
            last = task.depth >= self._levels - 1
            deepest = 1
            if last:
                limit = self._stop.max_depth
                deepest = limit - task.depth if limit >= 0 else -1
            growth = self._grown_along(task, deepest)
            yield self._take(task, growth, all_events=last)
            if not last and self._first_child[task.node] >= 0:
                waiting += self._children(task)[::-1]

    def _reason_not_to_search(self, task: _GrowthTask) -> Reason | None:
        """Spare a basis where the node will be a leaf; below, the kernel says the same."""
        n = len(task.rows)
        if np.count_nonzero(self._counts[task.node]) <= 1:
            return Reason.PURE
        if 0 <= self._stop.max_depth <= task.depth:
            return Reason.MAX_DEPTH
        if n < self._stop.min_samples_split or n < 2 * self._choice.min_samples_leaf:
            return Reason.MIN_SAMPLES
        return None

    def _new_basis(self, task: _GrowthTask) -> LatentBasis:
        rows = self._X[task.rows]
        others = self.unlabelled[task.unlabelled]
        self._bases.append(self._find(np.vstack([rows, others]) if len(others) else rows))
        return self._bases[-1]

    def _grown_along(self, task: _GrowthTask, max_depth: int) -> ThresholdGrowth | NodewiseGrowth:
        """Grow from a node on in its own basis, or in the one that it inherits."""
        if task.depth < self._levels or self._frame is None:
            frame = frame_of(self._new_basis(task), self._X, task.rows)
        else:
            frame = self._frame
        here = frame.presorted.take(np.searchsorted(frame.rows, task.rows))
        stop = self._stop._replace(max_depth=max_depth)
        y, n_scale = self._y[task.rows], len(frame.rows)
        if isinstance(self._choice, RuleChoice):
            splitter = RuleSplitter(here, y, self._n_classes, self._choice)
            return NodewiseGrowth(splitter, y, self._n_classes, stop).run()
        growth = ThresholdGrowth(here, y, self._n_classes, self._choice, stop, n_scale=n_scale)
        return growth.run()

    def _take(
        self, task: _GrowthTask, growth: ThresholdGrowth | NodewiseGrowth, *, all_events: bool
    ) -> tuple[np.ndarray, np.ndarray]:
        """Append the nodes of a growth that began at `task`; return its events."""
        nodes, n = growth.nodes, growth.n_nodes
        number = np.r_[task.node, np.arange(self._count, self._count + n - 1)]
        first = self._start[task.node]
        inner = nodes.first_child[:n] >= 0
        self._first_child[number[inner]] = number[nodes.first_child[:n][inner]]
        self._parent[number[1:]] = number[nodes.parent[1:n]]
        self._depth[number] = task.depth + nodes.depth[:n]
        self._start[number] = first + nodes.start[:n]
        self._end[number] = first + nodes.end[:n]
        self._counts[number] = nodes.counts[:n]
        self._component[number[inner]] = nodes.feature[:n][inner]
        self._threshold[number[inner]] = nodes.threshold[:n][inner]
        self._score[number[inner]] = nodes.score[:n][inner]
        self._basis_id[number] = len(self._bases) - 1
        self._rows[first : first + len(task.rows)] = task.rows[growth.rows]
        self._count += n - 1
        order, reasons = growth.events
        shown = slice(None) if all_events else slice(1)
        return self._log(number[order[shown]], reasons[shown])

    def _children(self, task: _GrowthTask) -> list[_GrowthTask]:
        """Two children of a split node, each with the unlabelled rows that reach it."""
        basis = int(self._basis_id[task.node])
        others = self.unlabelled[task.unlabelled]
        component = self._component[task.node]
        direction = self._bases[basis].directions[:, [component]]
        below = positions_along(others, direction)[:, 0] <= self._threshold[task.node]
        first = int(self._first_child[task.node])
        return [
            _GrowthTask(
                child,
                self._rows[self._start[child] : self._end[child]].copy(),
                task.unlabelled[inside],
                task.depth + 1,
                basis,
            )
            for child, inside in ((first, below), (first + 1, ~below))
        ]

    def _log(self, nodes: np.ndarray, reasons: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        self._events.append((nodes, reasons))
        return nodes, reasons

    def log(self) -> GrowthLog:
        """Events so far as arrays."""
        node = np.concatenate([nodes for nodes, _ in self._events])
        reason = np.concatenate([reasons for _, reasons in self._events])
        return GrowthLog.of_growth(node, reason, self._end - self._start, self._score)

    def tree(
        self,
        feature_names: tuple[str, ...],
        classes: np.ndarray,
        criterion: Criterion,
        *,
        keep_parents_class: bool = False,
    ) -> Tree:
        """Grown tree in the original features, once the events are exhausted."""
        n = self._count
        tree = assemble(
            parent=self._parent[:n],
            first_child=self._first_child[:n],
            depth=self._depth[:n],
            start=self._start[:n],
            end=self._end[:n],
            counts=self._counts[:n],
            samples=self._rows,
            sample_weight=np.ones(len(self._rows)),
            splits=self._splits(n),
            feature_names=feature_names,
            classes=classes,
            criterion=criterion,
            keep_parents_class=keep_parents_class,
        )
        return replace(tree, bases=tuple(self._bases), basis_id=self._basis_id[:n])

    def _splits(self, n: int) -> dict[str, object]:
        inner = np.flatnonzero(self._first_child[:n] >= 0)
        kind = np.full(n, Kind.LEAF, dtype=np.int8)
        fields = {"kind": kind, "score": self._score[:n]}
        if self._bases[0].space == "none":
            kind[inner] = Kind.THRESHOLD
            return {**fields, "feature": self._component[:n], "threshold": self._threshold[:n]}
        kind[inner] = Kind.OBLIQUE
        split_row = np.full(n, -1)
        split_row[inner] = np.arange(len(inner))
        weights = np.empty((len(inner), self._X.shape[1]))
        for number, basis in enumerate(self._bases):
            here = np.flatnonzero(self._basis_id[inner] == number)
            weights[here] = basis.directions.T[self._component[inner[here]]]
        return {
            **fields,
            "feature": np.full(n, -1),
            "threshold": np.full(n, np.nan),
            "split_row": split_row,
            "oblique": ObliqueSplits(weights, self._threshold[inner]),
        }


# ---- How trees in latent spaces grow from any node


@dataclass(frozen=True, eq=False)
class LatentFamily:
    """Family of SODT; a forced threshold lies along a component of the node's space."""

    X: np.ndarray  # (n_samples, n_features)
    y: np.ndarray  # (n_samples,) intp, class indices
    n_classes: int
    choice: Choice | RuleChoice  # how a split is chosen among the components' thresholds
    unlabelled: np.ndarray  # (n_unlabelled, n_features), rows that take part in the bases only
    names: tuple[str, ...]
    # (largest depth or -1, start) -> LatentGrowth.
    begin: Callable[[int, NodeContext], LatentGrowth]
    tree_of: Callable[[Growth], Tree]  # as in `SplitterFamily`
    refusal: Callable[[Edit], str | None]  # as in `SplitterFamily`
    looks_first: bool = True

    @property
    def columns(self) -> np.ndarray:
        """The training data, shape (n_features, n_samples)."""
        return self.X.T

    @property
    def n_categories(self) -> np.ndarray:
        """Of each feature: 0, they are numbers."""
        return np.zeros(self.X.shape[1], dtype=np.intp)

    def root(self) -> NodeContext:
        """Context of the root."""
        rows = np.arange(len(self.X))
        place = LatentPlace(None, np.arange(len(self.unlabelled)))
        return NodeContext(rows, np.ones(len(rows)), 0, int(ROOT_KEY), inherited=place)

    def children(
        self, context: NodeContext, split: Split | ObliqueSplit, basis: LatentBasis | None
    ) -> list[NodeContext]:
        """Contexts of the children of a node that has a basis."""
        frame, others = self._frame(context, basis), context.inherited.unlabelled
        below = self._below(self.X[context.rows], split)
        beside = self._below(self.unlabelled[others], split)
        keys = child_keys(np.uint64(context.key), np.arange(2)).tolist()
        return [
            NodeContext(
                rows=context.rows[inside],
                weights=context.weights[inside],
                depth=context.depth + 1,
                key=key,
                side=branch,
                inherited=LatentPlace(frame, others[along]),
            )
            for branch, (inside, along, key) in enumerate(
                zip((below, ~below), (beside, ~beside), keys, strict=True)
            )
        ]

    def completed(
        self, context: NodeContext, split: Split | ObliqueSplit, basis: LatentBasis | None
    ) -> Split | ObliqueSplit:
        """Forced split as the tree stores it, with its score.

        Raises
        ------
        ValueError
            If the node's space has no such component.
        """
        frame = self._frame(context, basis)
        local = np.searchsorted(frame.rows, context.rows)
        kind = RuleSplitter if isinstance(self.choice, RuleChoice) else ThresholdSplitter
        splitter = kind(frame.presorted, self.y[frame.rows], self.n_classes, self.choice)
        here = NodeContext(local, context.weights, context.depth, context.key)
        if isinstance(split, ObliqueSplit):
            first = split.goes_first(self.X[context.rows])
            return replace(split, score=splitter.score_of(local, first))
        if split.feature >= basis.n_components:
            raise Refusal(
                "component {feature} does not exist: the space of the node has {n_components}",
                feature=split.feature,
                n_components=basis.n_components,
            )
        search, along = splitter.search(here), frame.presorted.columns[split.feature, local]
        place = search.parting_as(split.feature, split.threshold, along)
        score = search.score_of(place) if place >= 0 else math.nan
        return in_features(basis, Split(split.feature, float(split.threshold), score))

    def sprout(self, context: NodeContext, max_depth: int, without: tuple[int, ...]) -> Sprout:
        """Growth from a node on; `without` must be empty."""
        return Sprout(self.begin(max_depth, context))

    def _frame(self, context: NodeContext, basis: LatentBasis) -> LatentFrame:
        """Frame of a node: the one above it, or its own that begins there."""
        frame = context.inherited.frame
        if frame is not None and frame.basis is basis:
            return frame
        return frame_of(basis, self.X, context.rows)

    @staticmethod
    def _below(X: np.ndarray, split: Split | ObliqueSplit) -> np.ndarray:
        if isinstance(split, Split):
            return X[:, split.feature] <= split.threshold
        along = positions_along(X, np.asarray(split.weights, dtype=np.float64)[:, None])
        return along[:, 0] <= split.threshold
