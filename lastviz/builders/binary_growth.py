"""Growing a tree of binary splits from weighted sums: depth first, or best first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from lastviz._random import ROOT_KEY
from lastviz.criteria import Criterion
from lastviz.splitters import NodeContext
from lastviz.splitters.binary.data import BinaryData, scratch_for
from lastviz.splitters.cells.presort import pack
from lastviz.tree import CategorySplits, Kind, Missing, Tree

from .binary_growth_kernels import BinaryNodes, BinaryWorkspace, grow_binary
from .frontier_kernels import FRONTIER_SIZE, Stop
from .growth import BUDGET, ThresholdGrowth, assemble, common_records, room_for_block
from .number_block_kernels import NumberBlock
from .number_growth_kernels import grow_numbers


class BinaryGrowth(ThresholdGrowth):
    """Growth of one tree of threshold and subset splits: its events, then the tree.

    Parameters
    ----------
    data : BinaryData
        The training rows; those of weight 0 take no part.
    stop : Stop
        When to stop, and in which order to go on; depths are counted from where growth begins.
    start : NodeContext, optional
        Where growth begins; default: at the root.

    Notes
    -----
    O(n_features n_samples) per level of the tree, for classes times their number.
    Numbers from complete columns of numbers have loops of their own, to the same trees.
    """

    def __init__(self, data: BinaryData, stop: Stop, start: NodeContext | None = None) -> None:
        self._stop = stop
        self._data = data
        all_data = data.begun()
        self._own_rows = np.flatnonzero(data.problem.weight > 0.0) if start is None else start.rows
        here = all_data if len(self._own_rows) == data.n_samples else all_data.take(self._own_rows)
        self._work = _workspace(here, data.least_decrease)
        self._nodes = _empty_nodes(here.n_samples, here.n_classes, stop.max_leaf_nodes)
        self._nodes.key[0] = ROOT_KEY if start is None else start.key

    @property
    def rows(self) -> np.ndarray:
        """Rows grouped by node, rising inside."""
        return self._own_rows[self._work.rows]

    def steps(self) -> Iterator[None]:
        """Grow without looking at the events, pausing about every 20 ms."""
        work, nodes, stop = self._work, self._nodes, self._stop
        plain, is_over = _is_plain_regression(self._data), False
        room = room_for_block(*work.cells.shape if plain else (0, 0))
        block = NumberBlock(room, target=np.empty(len(room.cells)), total=np.empty(len(work.cells)))
        while not is_over:
            if plain:
                grow_numbers(work, nodes, stop, block, BUDGET)
            else:
                grow_binary(work, nodes, stop, BUDGET)
            is_over = nodes.state[FRONTIER_SIZE] == 0
            yield

    def tree(
        self,
        feature_names: tuple[str, ...],
        classes: np.ndarray,
        criterion: Criterion,
        *,
        feature_categories: tuple[tuple | None, ...] | None = None,
    ) -> Tree:
        """Grown tree, once the events are exhausted.

        `classes` is empty where numbers are learnt.
        """
        nodes, count, rows = self._nodes, self.n_nodes, self.rows
        weight = nodes.weight[:count]
        numbers = self._data.is_regression
        tree = assemble(
            parent=nodes.parent[:count],
            first_child=nodes.first_child[:count],
            depth=nodes.depth[:count],
            start=nodes.start[:count],
            end=nodes.end[:count],
            counts=weight[:, None] if numbers else nodes.total[:count].copy(),
            samples=rows,
            sample_weight=self._data.problem.weight[rows],
            splits=self._split_fields(rows) | {"feature_categories": feature_categories},
            feature_names=feature_names,
            classes=classes,
            criterion=criterion,
            keep_parents_class=False,
        )
        if not numbers:
            return tree
        mean = self._data.centre + nodes.mean[:count]
        return replace(
            tree, value=mean[:, None], prediction=mean, impurity=nodes.spread[:count] / weight
        )

    def _split_fields(self, rows: np.ndarray) -> dict[str, object]:
        """Fields of the tree that describe its splits; `rows` is grouped by node."""
        nodes, count = self._nodes, self.n_nodes
        inner = nodes.first_child[:count] >= 0
        feature = np.where(inner, nodes.feature[:count], -1).astype(np.intp)
        nominal = np.flatnonzero(inner & (self._data.problem.n_categories[feature] > 0))
        kind = np.where(inner, Kind.THRESHOLD, Kind.LEAF).astype(np.int8)
        kind[nominal] = Kind.CATEGORIES
        split_row = np.full(count, -1, dtype=np.intp)
        split_row[nominal] = np.arange(len(nominal))
        fields = {
            "kind": kind,
            "feature": feature,
            "threshold": np.where(kind == Kind.THRESHOLD, nodes.threshold[:count], np.nan),
            "score": np.where(inner, nodes.score[:count], np.nan),
            "split_row": split_row,
            "categories": CategorySplits.of([self._branches(node, rows) for node in nominal]),
        }
        if self._data.problem.has_missing.any():
            branch = np.where(inner, nodes.missing_branch[:count], -1)
            fields |= {"missing": Missing.BRANCH, "missing_branch": branch.astype(np.intp)}
        return fields

    def _branches(self, node: int, rows: np.ndarray) -> np.ndarray:
        """Child of each category of a nominal node, -1 where it has no rows."""
        nodes, problem = self._nodes, self._data.problem
        codes = problem.columns[nodes.feature[node]]
        branch = np.full(problem.n_categories[nodes.feature[node]], -1, dtype=np.int16)
        for side in (0, 1):
            child = nodes.first_child[node] + side
            inside = codes[rows[nodes.start[child] : nodes.end[child]]]
            branch[inside[np.isfinite(inside)].astype(np.intp)] = side
        return branch


def _workspace(data: BinaryData, least_decrease: float) -> BinaryWorkspace:
    n, m = data.n_samples, data.n_features
    cells, packing = pack(data.presorted, data.label, data.n_classes)
    return BinaryWorkspace(
        problem=data.problem,
        cells=cells,
        packing=packing,
        label=data.label,
        rows=np.arange(n, dtype=np.int64),
        goes_first=np.empty(n, dtype=np.uint8),
        spare_cells=np.empty(n, dtype=cells.dtype),
        spare_rows=np.empty(n, dtype=np.int64),
        scratch=scratch_for(data),
        best=np.empty((2, m)),
        cut=np.zeros(m, dtype=np.int64),
        side=np.zeros(m, dtype=np.int64),
        inverse=_inverse(data),
        least_decrease=least_decrease,
        n_offered=data.n_offered,
        seed=data.limits.random_state,
        order=np.arange(m, dtype=np.int64),
        hashes=np.empty(m, dtype=np.uint64),
    )


def _is_plain_regression(data: BinaryData) -> bool:
    """Whether this is regression on complete numeric features, all of them searched."""
    problem = data.problem
    special = problem.has_missing | (problem.n_categories > 0)
    limited = problem.min_weight_leaf > 0.0 or data.n_offered < data.n_features
    return data.is_regression and not limited and not special.any()


def _inverse(data: BinaryData) -> np.ndarray:
    """Table of 1 / x for x = 0 .. n, 0 at x = 0.

    It is empty unless this is regression and every sample has weight 1.
    """
    if not data.is_regression or (data.problem.weight != 1.0).any():
        return np.empty(0)
    return np.r_[0.0, 1.0 / np.arange(1, data.n_samples + 1)]


def _empty_nodes(n: int, n_sums: int, max_leaf_nodes: int) -> BinaryNodes:
    """Empty node records of a tree on n samples."""
    records = common_records(n, max_leaf_nodes)
    size = len(records["parent"])
    return BinaryNodes(
        **records,
        side=np.zeros(size, dtype=np.int64),
        missing_branch=np.full(size, -1, dtype=np.int64),
        total=np.empty((size, n_sums)),
        weight=np.full(size, np.nan),
        mean=np.full(size, np.nan),
        spread=np.full(size, np.nan),
        key=np.full(size, ROOT_KEY),
    )
