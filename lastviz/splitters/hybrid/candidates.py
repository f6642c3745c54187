"""All threshold candidates of a node with one column per criterion."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz._sentences import Refusal
from lastviz.criteria import CRITERIA, Criterion, admissible
from lastviz.criteria.column_kernels import (
    BNM,
    BNM5,
    GAIN,
    GAIN_RATIO,
    N_CURVES,
    NO_PENALTY,
    PENALTY,
    RATIO,
    SEGMENT_SUM,
    SEGMENTS,
    Options,
    first_curves,
    penalty_curve,
    prepare_geometry,
    second_curves,
)
from lastviz.criteria.margin_kernels import margin_curves
from lastviz.splitters.cells.presort import Presorted, pack
from lastviz.splitters.search import CandidateTable
from lastviz.splitters.threshold.curves_kernels import candidate_counts
from lastviz.splitters.threshold.scoring import entropy_scale

from .workspace import workspace_of

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
    """Return which curves the kernels have to fill, shape (N_CURVES,)."""
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
    """Return a column that the children's class counts say."""
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
