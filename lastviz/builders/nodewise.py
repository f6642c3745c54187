"""Growing a tree node by node, depth first, with a splitter written in Python."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import ClassVar, Protocol

import numpy as np

from lastviz.criteria import Criterion
from lastviz.splitters import NodeContext, ObliqueSplit, Split, Splitter
from lastviz.tree import Action, GrowthLog, Reason, Tree

from .growth import GrowthEvent, SearchProgress
from .growth_kernels import Stop
from .table import SplitColumns, assemble

__all__ = ["NodeSplitter", "NodewiseGrowth"]


class NodeSplitter(Splitter, Protocol):
    """A splitter that growth can ask for the winner alone."""

    def best(self, context: NodeContext) -> Split | ObliqueSplit | Reason:
        """Return the chosen split, or why the node has none.

        Both children of the split must hold rows. A splitter whose search may take long has
        a generator ``best_in_steps`` besides, which yields the share that is done several times
        a second and returns the same.
        """


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

    Notes
    -----
    The same interface as :class:`~lastviz.builders.ThresholdGrowth`. A node is looked at when
    its turn comes: pure, too deep or too small nodes become leaves without a search.
    """

    EMPTY_CHILDREN: ClassVar[bool] = False

    def __init__(self, splitter: NodeSplitter, y: np.ndarray, n_classes: int, stop: Stop) -> None:
        if stop.max_leaf_nodes:
            raise ValueError(f"max_leaf_nodes must be 0, got {stop.max_leaf_nodes}")
        self._splitter = splitter
        self._y = y
        self._n_classes = n_classes
        self._stop = stop
        self._contexts: list[NodeContext] = []
        self._parent: list[int] = []
        self._first_child: list[int] = []
        self._start: list[int] = []
        self._counts: list[np.ndarray] = []
        self._splits: dict[int, Split | ObliqueSplit] = {}
        self._events: list[GrowthEvent] = []

    def __iter__(self) -> Iterator[GrowthEvent | SearchProgress]:
        """Grow, yielding one event after the other, and signs of life during long searches."""
        waiting = [self._add(self._splitter.root(), parent=-1, start=0)]
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

    def log(self) -> GrowthLog:
        """Return the events so far as arrays."""
        node = np.array([event.node for event in self._events], dtype=np.intp)
        scores = [self._splits[n].score if n in self._splits else np.nan for n in node.tolist()]
        return GrowthLog(
            node=node,
            action=np.array([event.action for event in self._events], dtype=np.int8),
            n_samples=np.array([event.n_samples for event in self._events], dtype=np.intp),
            score=np.array(scores, dtype=np.float64),
            reason=np.array([event.reason for event in self._events], dtype=np.int8),
            branch=np.full(len(node), -1, dtype=np.intp),
        )

    def tree(
        self,
        feature_names: tuple[str, ...],
        classes: np.ndarray,
        criterion: Criterion,
        *,
        keep_parents_class: bool = False,
    ) -> Tree:
        """Return the grown tree, once the events are exhausted."""
        start = np.array(self._start)
        splits = SplitColumns(len(start), len(feature_names))
        for node, split in sorted(self._splits.items()):
            splits.put(node, split)
        samples, weights = self._rows_by_leaf(start)
        return assemble(
            parent=np.array(self._parent),
            first_child=np.array(self._first_child),
            depth=np.array([context.depth for context in self._contexts]),
            start=start,
            end=start + [len(context.rows) for context in self._contexts],
            counts=np.array(self._counts),
            samples=samples,
            sample_weight=weights,
            splits=splits.fields(),
            feature_names=feature_names,
            classes=classes,
            criterion=criterion,
            keep_parents_class=keep_parents_class,
        )

    def _add(self, context: NodeContext, parent: int, start: int) -> int:
        """Append a node that holds the rows of `context`; return its number."""
        self._contexts.append(context)
        self._parent.append(parent)
        self._first_child.append(-1)
        self._start.append(start)
        classes = self._y[context.rows]
        self._counts.append(np.bincount(classes, context.weights, self._n_classes))
        return len(self._contexts) - 1

    def _divide(self, node: int, split: Split | ObliqueSplit) -> list[int]:
        """Append the two children of a node; return their numbers."""
        context, start = self._contexts[node], self._start[node]
        children = [self._splitter.child(context, split, branch) for branch in range(2)]
        sizes = [len(child.rows) for child in children]
        empty = min(sizes) == 0 and not self.EMPTY_CHILDREN
        if empty or sum(sizes) != len(context.rows):
            raise RuntimeError(f"the split of node {node} parts its rows into {sizes}")
        self._first_child[node] = len(self._contexts)
        self._splits[node] = split
        starts = (start, start + sizes[0])
        return [self._add(c, node, at) for c, at in zip(children, starts, strict=True)]

    def _search(self, node: int) -> Generator[SearchProgress, None, Split | ObliqueSplit | Reason]:
        in_steps = getattr(self._splitter, "best_in_steps", None)
        if in_steps is None:
            return self._splitter.best(self._contexts[node])
        context = self._contexts[node]
        steps = in_steps(context)
        while True:
            try:
                yield SearchProgress(node, next(steps), len(context.rows))
            except StopIteration as finished:
                return finished.value

    def _reason_not_to_search(self, node: int) -> Reason | None:
        if np.count_nonzero(self._counts[node]) <= 1:
            return Reason.PURE
        context = self._contexts[node]
        if 0 <= self._stop.max_depth <= context.depth:
            return Reason.MAX_DEPTH
        if len(context.rows) < self._stop.min_samples_split:
            return Reason.MIN_SAMPLES
        return None

    def _log(self, node: int, found: Split | ObliqueSplit | Reason) -> GrowthEvent:
        leaf = isinstance(found, Reason)
        action, reason = (Action.LEAF, found) if leaf else (Action.SPLIT, Reason.BEST_SPLIT)
        event = GrowthEvent(node, action, reason, len(self._contexts[node].rows))
        self._events.append(event)
        return event

    def _rows_by_leaf(self, start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        leaves = np.flatnonzero(np.array(self._first_child) < 0)
        contexts = [self._contexts[leaf] for leaf in leaves[np.argsort(start[leaves])]]
        rows = np.concatenate([context.rows for context in contexts])
        return rows, np.concatenate([context.weights for context in contexts])
