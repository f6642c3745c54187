"""Room for the curves of a search, sized once for the largest node."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from lastviz._sentences import Refusal
from lastviz.criteria import CRITERIA, Criterion, admissible, entropy_scale
from lastviz.criteria.column_kernels import (
    BNM,
    BNM5,
    CSN,
    EXACT,
    GAIN,
    GAIN_RATIO,
    N_CURVES,
    NEAREST,
    NO_PENALTY,
    PENALTY,
    RATIO,
    SEGMENT_SUM,
    SEGMENTS,
    CurveScratch,
    Options,
    first_curves,
    penalty_curve,
    prepare_geometry,
    second_curves,
)
from lastviz.criteria.compactness_kernels import ONE_VS_REST
from lastviz.criteria.geometry_kernels import BLOCK, GRAM_LIMIT, NodeGeometry
from lastviz.criteria.margin_kernels import margin_curve, margin_curves
from lastviz.criteria.scan_kernels import log_table
from lastviz.splitters.cells.presort import Packing, Presorted, pack, presort
from lastviz.splitters.search import CandidateTable
from lastviz.splitters.threshold.curves_kernels import candidate_counts

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
    """Empty curves and scratch arrays for nodes of at most all rows.

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
    """Scratch arrays for all rows, of no width where nothing looks inside."""
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


# ---- All threshold candidates of a node with one column per criterion

# Curves that another one is made of.
_MADE_OF = {
    BNM: (BNM5, PENALTY),
    GAIN_RATIO: (GAIN,),
    SEGMENT_SUM: (SEGMENTS,),
    RATIO: (SEGMENTS,),
}


def score_candidates(
    here: Presorted,
    y: np.ndarray,
    n_classes: int,
    criteria: Sequence[str],
    options: Options,
    directions: np.ndarray | None = None,
    *,
    may_fail: bool = False,
) -> CandidateTable:
    """Score every candidate of the node `here` by some criteria.

    Parameters
    ----------
    here : Presorted
        The node's rows and no others.
    y : ndarray of intp, shape (n_samples,)
        Their classes.
    n_classes : int
    criteria : sequence of str
        Keys of CRITERIA.
    options : Options
        The scale is filled in here.
    directions : ndarray of int, shape (n_features,), optional
        For criteria of ordered classes, see :func:`lastviz.inspection.candidate_table`.
    may_fail : bool, default False
        Whether a registered criterion that fails costs its own column alone.
    """
    counts = np.bincount(y, minlength=n_classes)
    feature, position = np.nonzero(here.fresh[:, 1:])
    left = np.empty((len(feature), n_classes), dtype=np.intp)
    candidate_counts(here.order, here.fresh, y, left)
    n_left = position + 1
    small = np.minimum(n_left, here.n_samples - n_left) < options.min_leaf
    need = needed_curves(criteria, options)
    curves = _curves(here, y, counts, need, options._replace(scale=entropy_scale(len(y))))
    columns, failed = {}, {}
    for name in criteria:
        row = CRITERIA[name]
        if row.code is None:
            try:
                found = _from_counts(row, left, counts - left, feature, directions)
                columns[name] = admissible(name, np.where(small, -np.inf, found))
            except Refusal as reason:
                if not may_fail:
                    raise
                columns[name], failed[name] = np.full(len(feature), -np.inf), reason
            continue
        if row.code == BNM:
            with np.errstate(invalid="ignore"):
                found = curves[BNM5, feature, position] - curves[PENALTY, feature, position]
        elif row.code < N_CURVES:
            found = curves[row.code, feature, position]
        else:
            found = _from_counts(row, left, counts - left, feature, directions)
        columns[name] = np.where(small, -np.inf, found)
    threshold = here.columns[feature, here.order[feature, position]]
    upper = here.columns[feature, here.order[feature, position + 1]]
    return CandidateTable(feature, threshold, columns, left, counts, upper=upper, failed=failed)


def needed_curves(criteria: Sequence[str], options: Options) -> np.ndarray:
    """Mask of the curves that the kernels have to fill, shape (N_CURVES,)."""
    need = np.zeros(N_CURVES, dtype=np.bool_)
    for name in criteria:
        code = CRITERIA[name].code
        if code is not None and code < N_CURVES:
            need[[code, *_MADE_OF.get(code, ())]] = True
    need[PENALTY] &= options.penalty != NO_PENALTY
    return need


def _from_counts(
    row: Criterion,
    left: np.ndarray,
    right: np.ndarray,
    feature: np.ndarray,
    directions: np.ndarray | None,
) -> np.ndarray:
    """Column that the children's class counts say."""
    score = row.score(left, right)
    if not row.ordered_classes or directions is None:
        return score
    direction = np.asarray(directions)[feature]
    falling = row.score(right, left)
    either = np.where(direction < 0, falling, np.maximum(score, falling))
    return np.where(direction > 0, score, either)


def _curves(
    here: Presorted, y: np.ndarray, counts: np.ndarray, need: np.ndarray, options: Options
) -> np.ndarray:
    cells, packing = pack(here, y, len(counts))
    bench = workspace_of(here.columns, packing, len(counts), need, options)
    scoring, curves = bench.scoring, bench.curves
    n = here.n_samples
    if n < 2:
        return curves
    scoring.wanted_features[:] = True
    scoring.wanted_cuts[:, : n - 1] = here.fresh[:, 1:] if scoring.wanted_cuts.shape[1] else False
    if options.penalty == NO_PENALTY:
        curves[PENALTY] = 0.0
    rows = np.arange(n, dtype=np.int64)
    present = prepare_geometry(cells, 0, n, rows, counts, need, scoring, options)
    sizes = scoring.geometry.sizes[:present]
    first_curves(cells, 0, n, counts, need, scoring, options, bench.best, curves)
    if need[BNM5]:
        margin_curves(
            cells, 0, n, packing, sizes, scoring.geometry, scoring.inverse, options.root,
            curves[BNM5],
        )  # fmt: skip
    for f in range(len(cells) if need[PENALTY] else 0):
        penalty_curve(f, cells, 0, n, sizes, scoring, options, curves[PENALTY, f])
    second_curves(cells, 0, n, counts, sizes, need, scoring, options, curves)
    return curves


# ---- A criterion that looks at the rows themselves, along positions that are no feature


LineScores = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def line_scores(
    X: np.ndarray, y: np.ndarray, n_classes: int, criterion: str, min_samples_leaf: int = 1
) -> LineScores:
    """Scorer of the cuts along any positions of a node's rows.

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
