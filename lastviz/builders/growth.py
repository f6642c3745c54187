"""Growing a threshold tree: depth first, or best first up to a number of leaves."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np

from lastviz.criteria import Criterion, ScanUnits, scan_units
from lastviz.splitters.cells.presort import Presorted, pack
from lastviz.splitters.threshold.choice_kernels import Choice
from lastviz.tree import Action, GrowthLog, Kind, Reason, Tree

from .block_kernels import BLOCK_ROWS, Block
from .class_block_kernels import ClassBlock
from .frontier_kernels import BEST_SPLIT, EVENT_COUNT, FRONTIER_SIZE, NODE_COUNT, Stop
from .growth_kernels import (
    Nodes,
    Workspace,
    begin_largest,
    choose_root,
    end_split,
    fill_tables,
    grow,
    make_root,
    node_keys,
    scan_children,
    scan_root,
)

LARGE = 200_000  # cells of a node, beyond which threads save more than they cost
NO_LIMIT = np.iinfo(np.int64).max


def steps_in_threads(
    work: Workspace, nodes: Nodes, choice: Choice, stop: Stop, budget: int, n_jobs: int
) -> Iterator[None]:
    """Grow the same tree as the kernels alone would, yielding after each large node.

    Nodes are taken in the same order, and a feature's best cut does not depend on the others;
    the kernels release the GIL.
    """
    shares = _shares(work, n_jobs)
    fill_tables(work, choice)
    with ThreadPoolExecutor(n_jobs) as pool:
        if make_root(nodes, choice.min_samples_leaf, stop):
            _in_turns(pool, partial(scan_root, nodes=nodes, choice=choice), shares)
            choose_root(work, nodes, choice)
        largest = 0  # the root is for the threads, whatever its size
        while nodes.state[FRONTIER_SIZE] > 0:
            grow(work, nodes, choice, stop, budget, largest)
            if _is_large(work, nodes, largest):
                node = begin_largest(work, nodes, choice, stop)
                scan = partial(scan_children, node, nodes=nodes, choice=choice)
                _in_turns(pool, scan, shares)
                end_split(node, False, work, nodes, choice)
            largest = LARGE
            yield


def _is_large(work: Workspace, nodes: Nodes, largest: int) -> bool:
    """Whether the next node is one that the kernel leaves to the threads."""
    size = nodes.state[FRONTIER_SIZE]
    if size == 0:
        return False
    last = nodes.frontier[size - 1]
    cells = (nodes.end[last] - nodes.start[last]) * len(work.cells)
    return nodes.reason[last] == BEST_SPLIT and cells > largest


def _shares(work: Workspace, n_jobs: int) -> list[Workspace]:
    """Workspaces of the threads, sharing all arrays but those that a scan writes to."""
    return [
        work._replace(
            curve=np.empty_like(work.curve),
            left=np.empty_like(work.left),
            spare_cells=np.empty_like(work.spare_cells),
        )
        for _ in range(n_jobs)
    ]


def _in_turns(pool: ThreadPoolExecutor, scan: partial, shares: list[Workspace]) -> None:
    """Let thread j scan the features j, j + n, j + 2 n, ... of n threads."""
    step = len(shares)
    waiting = [pool.submit(scan, first, step, work) for first, work in enumerate(shares)]
    for each in waiting:
        each.result()


# ---------------------------------------------------------------- growth

# Cells read between two looks at the caller: about 20 ms of work.
BUDGET = 8_000_000


@dataclass(frozen=True)
class GrowthEvent:
    """One step of growth: a node was split or became a leaf."""

    node: int
    action: Action
    reason: Reason
    n_samples: int


@dataclass(frozen=True)
class SearchProgress:
    """Progress of a long search: the current node and the share that is done."""

    node: int
    share: float
    n_samples: int


class Growth(Protocol):
    """Interface of every growth: its events one by one or all at once, log and tree."""

    def __iter__(self) -> Iterator[GrowthEvent | SearchProgress]:
        """Grow the tree, yielding its events, and progress during long searches."""

    def run(self) -> Growth:
        """Grow to the end without looking at the events."""

    def log(self) -> GrowthLog:
        """Events so far as arrays."""


class ThresholdGrowth:
    """The growth of one tree: an iterator of events, then the tree.

    Parameters
    ----------
    presorted : Presorted
        The training rows.
    y : ndarray of intp, shape (n_samples,)
        Class indices.
    n_classes : int
    choice : Choice
        How a split is chosen; its `scale` is filled in here.
    stop : Stop
        When to stop, and in which order to go on.
    directions : ndarray of int, shape (n_features,), optional
        For the rank criteria: whether the class rises (1) or falls (-1) with each feature, or
        neither is known (0); all rise if not given.
    n_jobs : int, default 1
        Threads that share the features of large nodes; for the rank criteria, depth first. The
        tree does not depend on it.
    n_scale : int, optional
        Rows by whose number scores have their unit: those of the whole tree, where a part of
        it grows. Default: those given.

    Notes
    -----
    O(n_features n_samples) per level of the tree.
    """

    def __init__(
        self,
        presorted: Presorted,
        y: np.ndarray,
        n_classes: int,
        choice: Choice,
        stop: Stop,
        directions: np.ndarray | None = None,
        n_jobs: int = 1,
        n_scale: int | None = None,
    ) -> None:
        self._stop = stop
        self._n_jobs = min(n_jobs, len(presorted.order))
        n_scale = presorted.n_samples if n_scale is None else n_scale
        units = scan_units(choice.criterion, n_scale, len(presorted.order), directions)
        self._choice = choice._replace(scale=units.scale)
        self._work = _workspace(presorted, y, n_classes, units)
        self._nodes = empty_nodes(presorted.n_samples, n_classes, stop.max_leaf_nodes)
        self._nodes.counts[0] = np.bincount(y, minlength=n_classes)

    @property
    def n_settled(self) -> int:
        """Number of rows that have reached a leaf."""
        node, reason = self.events
        leaves = node[reason != Reason.BEST_SPLIT]
        return int((self._nodes.end[leaves] - self._nodes.start[leaves]).sum())

    @property
    def columns(self) -> np.ndarray:
        """The training data, shape (n_features, n_samples)."""
        return self._work.columns

    @property
    def nodes(self) -> Nodes:
        """The records of the nodes; the first `n_nodes` of them are in use."""
        return self._nodes

    @property
    def n_nodes(self) -> int:
        """Number of nodes so far."""
        return int(self._nodes.state[NODE_COUNT])

    @property
    def rows(self) -> np.ndarray:
        """Rows grouped by node, rising inside, shape (n_samples,)."""
        return self._work.rows

    @property
    def events(self) -> tuple[np.ndarray, np.ndarray]:
        """The nodes decided about so far, in order, and the reasons."""
        total = int(self._nodes.state[EVENT_COUNT])
        return self._nodes.event_node[:total], self._nodes.event_reason[:total]

    def __iter__(self) -> Iterator[GrowthEvent]:
        """Grow, yielding one event after the other."""
        seen = 0
        for _ in self.steps():
            total = int(self._nodes.state[EVENT_COUNT])
            for event in range(seen, total):
                node = int(self._nodes.event_node[event])
                reason = Reason(int(self._nodes.event_reason[event]))
                action = Action.SPLIT if reason is Reason.BEST_SPLIT else Action.LEAF
                n_samples = int(self._nodes.end[node] - self._nodes.start[node])
                yield GrowthEvent(node, action, reason, n_samples)
            seen = total

    def run(self) -> ThresholdGrowth:
        """Grow to the end without looking at the events."""
        for _ in self.steps():
            pass
        return self

    def steps(self) -> Iterator[None]:
        """Grow without looking at the events, pausing about every 20 ms."""
        if self._n_jobs > 1:
            parts = (self._work, self._nodes, self._choice, self._stop)
            yield from steps_in_threads(*parts, BUDGET, self._n_jobs)
            return
        is_over = False
        while not is_over:
            grow(self._work, self._nodes, self._choice, self._stop, BUDGET, NO_LIMIT)
            is_over = self._nodes.state[FRONTIER_SIZE] == 0
            yield

    def log(self) -> GrowthLog:
        """Events so far as arrays."""
        size = self._nodes.end - self._nodes.start
        return GrowthLog.of_growth(*self.events, size, self._nodes.score)

    def tree(
        self,
        feature_names: tuple[str, ...],
        classes: np.ndarray,
        criterion: Criterion,
        *,
        keep_parents_class: bool = False,
    ) -> Tree:
        """Grown tree, once the events are exhausted.

        See :func:`assemble` for `keep_parents_class`.
        """
        nodes, here = self._nodes, slice(self.n_nodes)
        inner = nodes.first_child[here] >= 0
        splits = {
            "kind": np.where(inner, Kind.THRESHOLD, Kind.LEAF).astype(np.int8),
            "feature": np.where(inner, nodes.feature[here], -1).astype(np.intp),
            "threshold": np.where(inner, nodes.threshold[here], np.nan),
            "score": np.where(inner, nodes.score[here], np.nan),
        }
        return assemble(
            parent=nodes.parent[here],
            first_child=nodes.first_child[here],
            depth=nodes.depth[here],
            start=nodes.start[here],
            end=nodes.end[here],
            counts=nodes.counts[here].astype(np.float64),
            samples=self.rows,
            sample_weight=np.ones(len(self.rows)),
            splits=splits,
            feature_names=feature_names,
            classes=classes,
            criterion=criterion,
            keep_parents_class=keep_parents_class,
        )


def _workspace(presorted: Presorted, y: np.ndarray, n_classes: int, units: ScanUnits) -> Workspace:
    n, m = presorted.n_samples, len(presorted.order)
    cells, packing = pack(presorted, y, n_classes)
    return Workspace(
        columns=presorted.columns,
        cells=cells,
        packing=packing,
        rows=np.arange(n, dtype=np.int64),
        goes_left=np.empty(n, dtype=np.uint8),
        spare_cells=np.empty(n, dtype=cells.dtype),
        spare_rows=np.empty(n, dtype=np.int64),
        curve=np.empty(n),
        left=np.empty(n_classes, dtype=np.int64),
        per_count=units.per_count,
        table=np.empty(n + 1 if units.by_logs else 0, dtype=np.int64),
        best=np.empty((2, m)),
        cut=np.zeros((2, m), dtype=np.int64),
        n_cuts=np.zeros((2, m), dtype=np.int64),
        code=units.code,
        block=_class_block(m, n, n_classes, units.by_logs),
    )


def _class_block(m: int, n: int, n_classes: int, by_logs: bool) -> ClassBlock:
    """Empty block for small subtrees of a classifier on m columns of n samples."""
    room = room_for_block(m, n)
    rows = len(room.cells)
    most = min(rows, n_classes)
    return ClassBlock(
        room=room,
        label=np.empty(rows, dtype=np.uint16),
        of_class=np.empty(n_classes, dtype=np.int64),
        present=np.empty(most, dtype=np.int64),
        tally=np.empty((2, most), dtype=np.int64),
        left=np.empty((most, m), dtype=np.uint16),
        squares=np.empty((2, m), dtype=np.int32),
        inside=np.empty(m, dtype=np.int64),
        step=np.empty(rows if by_logs else 0, dtype=np.int64),
        curve=np.empty((rows, m)),
        raw=np.empty(m),
    )


def room_for_block(m: int, n: int) -> Block:
    """Empty block for small subtrees on m columns of n samples."""
    shape = (min(BLOCK_ROWS, n), m)
    return Block(
        cells=np.empty(shape, dtype=np.uint32),
        spare=np.empty(shape, dtype=np.uint32),
        ids=np.empty(shape[0], dtype=np.int64),
        rows=np.empty(shape[0], dtype=np.int64),
        spare_rows=np.empty(shape[0], dtype=np.int64),
        goes_first=np.empty(shape[0], dtype=np.int64),
        number=np.empty(n, dtype=np.uint32),
        to=np.empty(m, dtype=np.int64),
    )


def empty_nodes(n: int, n_classes: int, max_leaf_nodes: int) -> Nodes:
    """Empty node records of a tree on n samples.

    The root is there, without its counts.
    """
    records = common_records(n, max_leaf_nodes)
    size = len(records["parent"])
    return Nodes(**records, counts=np.empty((size, n_classes), dtype=np.int64))


def common_records(n: int, max_leaf_nodes: int) -> dict[str, np.ndarray]:
    """Node records common to every growth on n samples, still empty.

    The root has all samples.
    """
    leaves = min(n, max_leaf_nodes) if max_leaf_nodes else n
    size = max(2 * leaves - 1, 1)
    from_zero = ("depth", "cut", "start", "end", "event_node")
    from_one = ("parent", "first_child", "feature")
    real = ("threshold", "score", "priority")
    records = {name: np.zeros(size, dtype=np.int64) for name in from_zero}
    records |= {name: np.full(size, -1, dtype=np.int64) for name in from_one}
    records |= {name: np.full(size, np.nan) for name in real}
    records |= {
        "reason": np.zeros(size, dtype=np.int8),
        "event_reason": np.empty(size, dtype=np.int8),
        "frontier": np.empty(size + 1, dtype=np.int64),
        "state": np.zeros(4, dtype=np.int64),
    }
    records["end"][0] = n
    return records


# ---- From a growth's records to a frozen tree


def assemble(
    *,
    parent: np.ndarray,
    first_child: np.ndarray,
    depth: np.ndarray,
    start: np.ndarray,
    end: np.ndarray,
    counts: np.ndarray,
    samples: np.ndarray,
    sample_weight: np.ndarray,
    splits: dict[str, object],
    feature_names: tuple[str, ...],
    classes: np.ndarray,
    criterion: Criterion,
    keep_parents_class: bool,
    n_rows: np.ndarray | None = None,
) -> Tree:
    """Tree of a builder's records.

    Where a node's counts tie, it predicts the lowest class, or its parent's if that is among
    them and `keep_parents_class`; an empty node predicts its parent's. `splits` holds the
    fields of the tree that describe splits; inner nodes have two children each if it does not
    say how many. `n_rows` (n_nodes,) is needed where rows stand in parts in several leaves.
    """
    parent, first_child = parent.astype(np.intp), first_child.astype(np.intp)
    depth, start, end = depth.astype(np.intp), start.astype(np.intp), end.astype(np.intp)
    inner, weight = first_child >= 0, counts.sum(axis=1)
    key = np.empty(len(parent), dtype=np.uint64)
    node_keys(parent, first_child, key)
    return Tree(
        parent=parent,
        depth=depth,
        first_child=first_child,
        impurity=criterion.impurity(counts),
        n_node_samples=(end - start if n_rows is None else n_rows).astype(np.intp),
        weighted_n_node_samples=weight,
        value=counts,
        prediction=_majority(counts, parent, depth, keep_parents_class),
        start=start,
        end=end,
        key=key,
        grown_node=np.where(inner, np.arange(len(parent)), -1),
        samples=samples.astype(np.intp),
        sample_weight=sample_weight,
        feature_names=feature_names,
        classes=classes,
        **({"n_children": np.where(inner, 2, 0)} | splits),
    )


def _majority(
    counts: np.ndarray, parent: np.ndarray, depth: np.ndarray, keep_parents_class: bool
) -> np.ndarray:
    prediction, largest = counts.argmax(axis=1), counts.max(axis=1)
    if not keep_parents_class and largest.all():
        return prediction
    for level in range(1, int(depth.max()) + 1):
        here = np.flatnonzero(depth == level)
        inherited = prediction[parent[here]]
        keeps = counts[here, inherited] == largest[here]
        keeps &= keep_parents_class | (largest[here] == 0)
        prediction[here[keeps]] = inherited[keeps]
    return prediction
