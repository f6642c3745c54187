"""A criterion that looks at the rows themselves, along positions that are no feature."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lastviz.criteria import CRITERIA
from lastviz.criteria.column_kernels import (
    BNM,
    BNM5,
    NEAREST,
    PENALTY,
    Options,
    penalty_curve,
    prepare_geometry,
    second_curves,
)
from lastviz.criteria.compactness_kernels import ONE_VS_REST
from lastviz.criteria.margin_kernels import margin_curve
from lastviz.splitters.cells.presort import pack, presort

from .candidates import needed_curves
from .workspace import workspace_of

LineScores = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def line_scores(
    X: np.ndarray, y: np.ndarray, n_classes: int, criterion: str, min_samples_leaf: int = 1
) -> LineScores:
    """Return what scores the cuts along any positions of a node's rows.

    Parameters
    ----------
    X : ndarray of float64, shape (n_samples, n_features)
        The rows of the node: distances are measured over all their features.
    y : ndarray of intp, shape (n_samples,)
    n_classes : int
    criterion : str
        A key of CRITERIA that reads the order of the classes or the rows.
    min_samples_leaf : int, default 1

    Returns
    -------
    callable
        ``scores(along, order, fresh)``: positions (n_samples,), the rows in their order, whether
        each row's position differs from the one before it -> the score of the cut after each row
        but the last, larger is better; -inf where there is no cut. BNM's penalty and the segments
        are those along the positions. O(n_samples n_features) a call.

    Raises
    ------
    ValueError
        If a value is missing.
    """
    if np.isnan(X).any():
        raise ValueError(f"criterion {criterion!r} needs every value of X; impute the missing ones")
    options = Options(1.0, 1, NEAREST, ONE_VS_REST, fewest=False, root=False)
    need = needed_curves((criterion,), options)
    n, m = X.shape
    cells, packing = pack(presort(np.column_stack([X, np.zeros(n)])), y, n_classes)
    columns = np.zeros((m + 1, n))  # laid out as everywhere: kernels are compiled for that
    columns[:m] = X.T
    bench = workspace_of(columns, packing, n_classes, need, options)
    scoring, curves, counts = bench.scoring, bench.curves, np.bincount(y, minlength=n_classes)
    geometry = scoring.geometry
    scoring.wanted_features[m] = True
    # The positions are no feature: while the rows are filled in they are constant.
    present = prepare_geometry(cells, 0, n, np.arange(n), counts, need, scoring, options)
    sizes = scoring.geometry.sizes[:present]
    row = CRITERIA[criterion]
    sign = -1.0 if row.smaller_is_better else 1.0

    def scores(along: np.ndarray, order: np.ndarray, fresh: np.ndarray) -> np.ndarray:
        row_bits, _, _, top_bit = packing
        word = cells.dtype.type
        cells[m] = order.astype(word) | (y[order].astype(word) << row_bits)
        cells[m, fresh] |= top_bit
        columns[m] = along
        geometry.low[m], geometry.span[m] = along[order[0]], along[order[-1]] - along[order[0]]
        geometry.scale[m] = 1.0
        if scoring.wanted_cuts.shape[1]:
            scoring.wanted_cuts[m, : n - 1] = fresh[1:]
        if need[BNM5]:
            margin_curve(
                cells[m], 0, n, m + 1, packing, sizes, geometry, scoring.inverse, False,
                curves[BNM5, m],
            )  # fmt: skip
        if need[PENALTY]:
            penalty_curve(m, cells, 0, n, sizes, scoring, options, curves[PENALTY, m])
        second_curves(cells, 0, n, counts, sizes, need, scoring, options, curves)
        found = curves[row.code, m, : n - 1]
        if row.code == BNM:
            found = curves[BNM5, m, : n - 1] - curves[PENALTY, m, : n - 1]
        n_left = np.arange(1, n)
        is_cut = fresh[1:] & (np.minimum(n_left, n - n_left) >= min_samples_leaf)
        return np.where(is_cut & np.isfinite(found), sign * found, -np.inf)

    return scores
