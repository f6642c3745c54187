"""Room for the curves of a search, sized once for the largest node."""

from __future__ import annotations

import numpy as np

from lastviz.criteria.column_kernels import (
    BNM5,
    CSN,
    EXACT,
    GAIN,
    GAIN_RATIO,
    N_CURVES,
    PENALTY,
    SEGMENTS,
    CurveScratch,
    Options,
)
from lastviz.criteria.geometry_kernels import BLOCK, GRAM_LIMIT, NodeGeometry
from lastviz.criteria.scan_kernels import log_table
from lastviz.splitters.cells.presort import Packing

from .hybrid_kernels import HybridWorkspace
from .survivors_kernels import Survivors


def workspace_of(
    columns: np.ndarray,
    packing: Packing,
    n_classes: int,
    need: np.ndarray,
    options: Options,
    k: int = 1,
) -> HybridWorkspace:
    """Return empty curves and scratch for nodes of at most all rows.

    Parameters
    ----------
    columns : ndarray of float64, shape (n_features, n_samples)
    packing : tuple
        Layout of the cells, see :func:`lastviz.splitters.presort.pack`.
    n_classes : int
    need : ndarray of bool, shape (N_CURVES,)
        Curves that will be filled; no memory is touched for the others.
    options : Options
    k : int, default 1
        Survivors of the first stage.
    """
    m, n = columns.shape
    survivors = min(k, m * n)
    return HybridWorkspace(
        scoring=_scoring(columns, packing, n_classes, need, options),
        curves=np.empty((N_CURVES, m, n)),
        best=np.empty(m),
        bound=np.empty(m),
        position=np.empty(n, dtype=np.uint32),
        cut=np.zeros(m, dtype=np.int64),
        n_cuts=np.zeros(m, dtype=np.int64),
        survivors=Survivors(
            top=np.empty(survivors),
            group=np.empty(survivors, dtype=np.int64),
            feature=np.empty(survivors, dtype=np.int64),
            position=np.empty(survivors, dtype=np.int64),
            value=np.empty(survivors),
            other=np.empty(survivors),
        ),
    )


def _scoring(
    columns: np.ndarray, packing: Packing, n_classes: int, need: np.ndarray, options: Options
) -> CurveScratch:
    m, n = columns.shape
    entropy = need[GAIN] or need[GAIN_RATIO]
    inside = need[BNM5] or need[CSN] or (need[PENALTY] and options.penalty == EXACT)
    return CurveScratch(
        columns=columns,
        packing=packing,
        inverse=1.0 / np.maximum(np.arange(n + 1), 1),
        table=log_table(n, options.scale) if entropy else np.empty(0, dtype=np.int64),
        left=np.empty(n_classes, dtype=np.int64),
        stamp=np.empty(n_classes, dtype=np.int64),
        wanted_features=np.zeros(m, dtype=np.bool_),
        wanted_cuts=np.zeros((m, n) if need[CSN] or need[SEGMENTS] else (m, 0), dtype=np.bool_),
        geometry=_geometry(columns, n_classes, inside, need[BNM5]),
    )


def _geometry(columns: np.ndarray, n_classes: int, inside: bool, products: bool) -> NodeGeometry:
    """Return room for all rows, of no width where nothing looks inside."""
    m, n = columns.shape
    width = 4 * -(-m // 4) if inside else 0
    g = min(m - 1, n, GRAM_LIMIT) if products else 0
    values = np.zeros((n if inside else 0, width))
    if inside:
        values[:, :m] = columns.T
    return NodeGeometry(
        number=np.zeros(n_classes, dtype=np.uint32),
        sizes=np.zeros(n_classes, dtype=np.int64),
        values=values,
        x=np.zeros((n if inside else 0, width)),
        square=np.empty(n),
        place=np.empty(n, dtype=np.uint32),
        label=np.empty(n, dtype=np.uint32),
        mean=np.zeros((n_classes, width)),
        spread=np.empty(n_classes),
        low=np.empty(m),
        span=np.empty(m),
        scale=np.empty(m),
        divisor=np.empty(m),
        total=np.empty((n_classes, width)),
        child_mean=np.empty((n_classes, width)),
        sums=np.empty(n_classes),
        part=np.empty(n_classes),
        left=np.empty(n_classes, dtype=np.int64),
        moved=np.empty(n_classes + 1, dtype=np.uint32),
        is_moved=np.zeros(n_classes, dtype=np.bool_),
        held=np.empty(n_classes, dtype=np.int64),
        centre=np.empty(width),
        last=np.empty(n_classes),
        following=np.empty(n_classes),
        ahead=np.empty(n),
        along=np.empty(n),
        gram=np.empty((g, g)),
        member=np.empty(g, dtype=np.int64),
        first=np.empty(n_classes, dtype=np.int64),
        block=np.zeros((width, BLOCK)),
        products=np.empty(BLOCK),
    )
