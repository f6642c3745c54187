"""Growing a tree node by node, depth first, with a splitter written in Python."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import ClassVar, NamedTuple, Protocol

import numpy as np

from lastviz.criteria import Criterion
from lastviz.splitters import (
    AnySplit,
    CategorySplit,
    KernelSplit,
    NodeContext,
    ObliqueSplit,
    Split,
    Splitter,
    children_of,
    kernel_table,
)
from lastviz.tree import (
    NO_MACHINES,
    Action,
    CategorySplits,
    GrowthLog,
    Kind,
    Missing,
    ObliqueSplits,
    Reason,
    Tree,
)

from .frontier_kernels import Stop
from .growth import GrowthEvent, SearchProgress, assemble

ROUNDING = 1e-9  # of sums of fractional weights


class NodeSplitter(Splitter, Protocol):
    """A splitter that growth can ask for the winner alone."""

    def best(self, context: NodeContext) -> AnySplit | Reason:
        """Chosen split, or why the node has none.

        The children of a split must hold rows, except those of categories that the node does
        not have. A splitter whose search may take long has a generator ``best_in_steps``
        besides, which yields the share that is done several times a second and returns the
        same. A splitter that sends rows of unknown value down several branches says so by its
        attribute ``missing``, one for which a node is as large as it has rows, whatever they
        weigh, by ``size_in_rows``, one whose splits are not the best has a ``reason`` for them, and
        one that makes all children at once has a method ``children(context, split)``.
        """


class ThresholdNodes(NamedTuple):
    """Nodes split by thresholds, as columns: the relevant ones of a compiled growth."""

    parent: np.ndarray
    first_child: np.ndarray
    depth: np.ndarray
    start: np.ndarray
    end: np.ndarray
    counts: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    score: np.ndarray


class NodewiseGrowth:
    """The growth of one tree: an iterator of events, then the tree.

    Parameters
    ----------
    splitter : NodeSplitter
        Its root's rows grow the tree.
    y : ndarray of intp, shape (n_samples,)
        Class indices of all rows of the data, those of the root among them.
    n_classes : int
    stop : Stop
        When to stop; ``max_leaf_nodes`` must be 0, the order is depth first.
    start : NodeContext, optional
        Where growth begins; default: at the root. Depths are counted from the root.

    Notes
    -----
    The same interface as :class:`~lastviz.builders.ThresholdGrowth`. A node is looked at when
    its turn comes: pure, too deep or too small nodes become leaves without a search.
    """

    EMPTY_CHILDREN: ClassVar[bool] = False

    def __init__(
        self,
        splitter: NodeSplitter,
        y: np.ndarray,
        n_classes: int,
        stop: Stop,
        start: NodeContext | None = None,
    ) -> None:
        if stop.max_leaf_nodes:
            raise ValueError(f"max_leaf_nodes must be 0, got {stop.max_leaf_nodes}")
        self.splitter = splitter
        self._y = y
        self._n_classes = n_classes
        self._stop = stop
        self._start = splitter.root() if start is None else start
        self._contexts: list[NodeContext] = []
        self._parent: list[int] = []
        self._first_child: list[int] = []
        self._counts: list[np.ndarray] = []
        self._missing = getattr(splitter, "missing", Missing.REFUSE)
        self._splits: dict[int, AnySplit] = {}
        self._events: list[GrowthEvent] = []

    @property
    def columns(self) -> np.ndarray:
        """The training data as the splitter reads them, shape (n_features, n_samples)."""
        return self.splitter.columns

    def __iter__(self) -> Iterator[GrowthEvent | SearchProgress]:
        """Grow the tree, yielding its events, and progress during long searches."""
        waiting = [self._add(self._start, parent=-1)]
        while waiting:
            node = waiting.pop()
            found = self._reason_not_to_search(node)
            if found is None:
                found = yield from self._search(node)
            if not isinstance(found, Reason):
                waiting += self._divide(node, found)[::-1]
            yield self._log(node, found)

    def run(self) -> NodewiseGrowth:
        """Grow to the end without looking at the events."""
        for _ in self:
            pass
        return self

    @property
    def n_nodes(self) -> int:
        """Number of nodes so far."""
        return len(self._contexts)

    @property
    def nodes(self) -> ThresholdNodes:
        """The nodes of a finished growth by thresholds, as arrays."""
        start, end = self._slices()
        inner = [self._splits.get(node) for node in range(self.n_nodes)]
        return ThresholdNodes(
            parent=np.array(self._parent),
            first_child=np.array(self._first_child),
            depth=np.array([context.depth for context in self._contexts]),
            start=start,
            end=end,
            counts=np.array(self._counts),
            feature=np.array([-1 if split is None else split.feature for split in inner]),
            threshold=np.array([np.nan if split is None else split.threshold for split in inner]),
            score=np.array([np.nan if split is None else split.score for split in inner]),
        )

    @property
    def rows(self) -> np.ndarray:
        """The rows of a finished growth, grouped by node."""
        return self._rows_by_leaf(self._slices()[0])[0]

    @property
    def events(self) -> tuple[np.ndarray, np.ndarray]:
        """The nodes decided about so far, in order, and why."""
        node = np.array([event.node for event in self._events], dtype=np.intp)
        return node, np.array([event.reason for event in self._events], dtype=np.int8)

    def log(self) -> GrowthLog:
        """Events so far as arrays."""
        nodes = range(self.n_nodes)
        score = [self._splits[n].score if n in self._splits else np.nan for n in nodes]
        size = [len(context.rows) for context in self._contexts]
        return GrowthLog.of_growth(*self.events, np.array(size), np.array(score))

    def tree(
        self,
        feature_names: tuple[str, ...],
        classes: np.ndarray,
        criterion: Criterion,
        *,
        keep_parents_class: bool = False,
    ) -> Tree:
        """Grown tree, once the events are exhausted."""
        start, end = self._slices()
        splits = SplitColumns(len(start), len(feature_names), len(classes))
        for node, split in sorted(self._splits.items()):
            splits.put(node, split)
        samples, weights = self._rows_by_leaf(start)
        return assemble(
            parent=np.array(self._parent),
            first_child=np.array(self._first_child),
            depth=np.array([context.depth for context in self._contexts]),
            start=start,
            end=end,
            n_rows=np.array([len(context.rows) for context in self._contexts]),
            counts=np.array(self._counts),
            samples=samples,
            sample_weight=weights,
            splits=splits.fields(),
            feature_names=feature_names,
            classes=classes,
            criterion=criterion,
            keep_parents_class=keep_parents_class,
        )

    def _slices(self) -> tuple[np.ndarray, np.ndarray]:
        """Start and end of each node's entries.

        A sample that is split into parts has several entries.
        """
        entries = [0 if f >= 0 else len(c.rows) for f, c in zip(
            self._first_child, self._contexts, strict=True)]  # fmt: skip
        for node in range(len(entries) - 1, 0, -1):
            entries[self._parent[node]] += entries[node]
        start = [0] * len(entries)
        for node in range(1, len(entries)):
            parent = self._parent[node]
            first = node == self._first_child[parent]
            start[node] = start[parent] if first else start[node - 1] + entries[node - 1]
        return np.array(start), np.array(start) + entries

    def _add(self, context: NodeContext, parent: int) -> int:
        """Append a node that holds the rows of `context`; return its number."""
        self._contexts.append(context)
        self._parent.append(parent)
        self._first_child.append(-1)
        classes = self._y[context.rows]
        self._counts.append(np.bincount(classes, context.weights, self._n_classes))
        return len(self._contexts) - 1

    def _divide(self, node: int, split: AnySplit) -> list[int]:
        """Append the children of a node; return their numbers."""
        context = self._contexts[node]
        children = children_of(self.splitter, context, split)
        sizes = [len(child.rows) for child in children]
        nominal = isinstance(split, CategorySplit)
        empty = min(sizes) == 0 and not (self.EMPTY_CHILDREN or nominal)
        in_parts = self._missing == Missing.FRACTIONS and sum(sizes) > len(context.rows)
        if empty or not (in_parts or sum(sizes) == len(context.rows)):
            raise RuntimeError(f"the split of node {node} parts its rows into {sizes}")
        self._first_child[node] = len(self._contexts)
        self._splits[node] = split
        return [self._add(child, node) for child in children]

    def _search(self, node: int) -> Generator[SearchProgress, None, AnySplit | Reason]:
        in_steps = getattr(self.splitter, "best_in_steps", None)
        if in_steps is None:
            return self.splitter.best(self._contexts[node])
        context = self._contexts[node]
        steps = in_steps(context)
        while True:
            try:
                yield SearchProgress(node, next(steps), len(context.rows))
            except StopIteration as finished:
                return finished.value

    def _reason_not_to_search(self, node: int) -> Reason | None:
        context = self._contexts[node]
        if not len(context.rows):
            return Reason.EMPTY
        if np.count_nonzero(self._counts[node]) <= 1:
            return Reason.PURE
        if 0 <= self._stop.max_depth <= context.depth:
            return Reason.MAX_DEPTH
        by_rows = getattr(self.splitter, "size_in_rows", False)
        size = len(context.rows) if by_rows else self._counts[node].sum()
        if size < self._stop.min_samples_split * (1.0 - ROUNDING):
            return Reason.MIN_SAMPLES
        return None

    def _log(self, node: int, found: AnySplit | Reason) -> GrowthEvent:
        leaf = isinstance(found, Reason)
        why = getattr(self.splitter, "reason", Reason.BEST_SPLIT)
        action, reason = (Action.LEAF, found) if leaf else (Action.SPLIT, why)
        event = GrowthEvent(node, action, reason, len(self._contexts[node].rows))
        self._events.append(event)
        return event

    def _rows_by_leaf(self, start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        leaves = np.flatnonzero(np.array(self._first_child) < 0)
        leaves = leaves[np.array([len(self._contexts[leaf].rows) > 0 for leaf in leaves])]
        if not len(leaves):  # the growth began at a branch that no row takes
            return self._start.rows, self._start.weights
        contexts = [self._contexts[leaf] for leaf in leaves[np.argsort(start[leaves])]]
        rows = np.concatenate([context.rows for context in contexts])
        return rows, np.concatenate([context.weights for context in contexts])


# ---- Splits of any kind as a tree stores them


class SplitColumns:
    """The splits of a tree as columns over its nodes and one table per kind.

    Parameters
    ----------
    n_nodes, n_features, n_classes : int
    """

    def __init__(self, n_nodes: int, n_features: int, n_classes: int) -> None:
        self.kind = np.full(n_nodes, Kind.LEAF, dtype=np.int8)
        self.feature = np.full(n_nodes, -1, dtype=np.intp)
        self.threshold = np.full(n_nodes, np.nan)
        self.split_row = np.full(n_nodes, -1, dtype=np.intp)
        self.score = np.full(n_nodes, np.nan)
        self.missing_branch = np.full(n_nodes, -1, dtype=np.intp)
        self.n_children = np.zeros(n_nodes, dtype=np.intp)
        self._branches: list[np.ndarray] = []
        self._n_features, self._n_classes = n_features, n_classes
        self._planes: list[ObliqueSplit] = []
        self._machines: list[KernelSplit] = []

    def put(self, node: int, split: Split | CategorySplit | ObliqueSplit | KernelSplit) -> None:
        """Store the split of `node`."""
        self.score[node] = split.score
        self.n_children[node] = 2
        if isinstance(split, ObliqueSplit):
            self.kind[node] = Kind.OBLIQUE
            self.split_row[node] = len(self._planes)
            self._planes.append(split)
        elif isinstance(split, KernelSplit):
            self.kind[node] = Kind.KERNEL
            self.split_row[node] = len(self._machines)
            self._machines.append(split)
        elif isinstance(split, CategorySplit):
            self.kind[node], self.feature[node] = Kind.CATEGORIES, split.feature
            self.split_row[node] = len(self._branches)
            self._branches.append(split.branch)
            self.n_children[node] = split.n_branches
            self.missing_branch[node] = split.missing_branch
        else:
            self.kind[node] = Kind.THRESHOLD
            self.feature[node], self.threshold[node] = split.feature, split.threshold
            self.missing_branch[node] = split.missing_branch

    def fields(self) -> dict[str, object]:
        """Keywords with which a tree stores its splits."""
        oblique = ObliqueSplits.none(self._n_features)
        if self._planes:
            weights = np.array([plane.weights for plane in self._planes])
            oblique = ObliqueSplits(weights, np.array([plane.threshold for plane in self._planes]))
        machines = NO_MACHINES
        if self._machines:
            machines = kernel_table(self._machines, self._n_classes)
        return {
            "kind": self.kind,
            "feature": self.feature,
            "threshold": self.threshold,
            "split_row": self.split_row,
            "score": self.score,
            "oblique": oblique,
            "kernel": machines,
            "categories": CategorySplits.of(self._branches),
            "missing_branch": self.missing_branch,
            "n_children": self.n_children,
        }


def predicting_live(tree: Tree) -> Tree:
    """Tree whose nodes predict the most frequent class that is still in play there.

    A leaf without rows below a kernel node predicts the class that was peeled off.
    """
    in_play = np.where(tree.live_classes(), tree.value, -1.0)
    return replace(tree, prediction=in_play.argmax(axis=1))
