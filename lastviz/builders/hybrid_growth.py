"""Growing a hybrid tree, depth first."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lastviz.splitters.cells.presort import Presorted, pack
from lastviz.splitters.hybrid.hybrid import with_scale
from lastviz.splitters.hybrid.hybrid_kernels import HybridChoice
from lastviz.splitters.hybrid.workspace import workspace_of

from .frontier_kernels import FRONTIER_SIZE, Stop
from .growth import BUDGET, ThresholdGrowth, empty_nodes
from .growth_kernels import make_root
from .hybrid_growth_kernels import GrowthWorkspace, grow_hybrid


class HybridGrowth(ThresholdGrowth):
    """The growth of one hybrid tree: an iterator of events, then the tree.

    Parameters
    ----------
    presorted : Presorted
        The training rows.
    y : ndarray of intp, shape (n_samples,)
        Class indices.
    n_classes : int
    choice : HybridChoice
        How a split is chosen; the scale of its scores is filled in here.
    stop : Stop
        When to stop; the order is depth first.
    n_scale : int, optional
        Rows by whose number scores have their unit, see
        :class:`~lastviz.builders.ThresholdGrowth`.

    Notes
    -----
    O(n_features n_samples) per level of the tree, with BNM times the number of features that may
    hold one of the k best candidates: few where BNM weighs little, all where it decides.
    """

    def __init__(
        self,
        presorted: Presorted,
        y: np.ndarray,
        n_classes: int,
        choice: HybridChoice,
        stop: Stop,
        n_scale: int | None = None,
    ) -> None:
        n = presorted.n_samples
        self._stop = stop
        self._choice = with_scale(choice, n if n_scale is None else n_scale)
        cells, packing = pack(presorted, y, n_classes)
        self._work = GrowthWorkspace(
            columns=presorted.columns,
            cells=cells,
            packing=packing,
            rows=np.arange(n, dtype=np.int64),
            goes_left=np.empty(n, dtype=np.uint8),
            spare_cells=np.empty(n, dtype=cells.dtype),
            spare_rows=np.empty(n, dtype=np.int64),
            bench=workspace_of(
                presorted.columns, packing, n_classes, self._choice.need, self._choice.options,
                choice.k,
            ),
        )  # fmt: skip
        self._nodes = empty_nodes(n, n_classes, 0)
        self._nodes.counts[0] = np.bincount(y, minlength=n_classes)

    def steps(self) -> Iterator[None]:
        """Grow without looking at the events, pausing about every 20 ms."""
        make_root(self._nodes, self._choice.min_samples_leaf, self._stop)
        while self._nodes.state[FRONTIER_SIZE] > 0:
            grow_hybrid(self._work, self._nodes, self._choice, self._stop, BUDGET)
            yield
