"""All threshold candidates of a node with one column per criterion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz.criteria.column_kernels import (
    BNM5,
    CSN,
    GAIN,
    GAIN_RATIO,
    HELLINGER,
    NO_PENALTY,
    PENALTY,
    RATIO,
    SEGMENT_SUM,
    SEGMENTS,
    Options,
    first_curves,
    prepare_geometry,
    second_curves,
)
from lastviz.criteria.scan_kernels import GINI
from lastviz.splitters.cells.presort import Presorted, pack
from lastviz.splitters.threshold.curves_kernels import candidate_counts

from .workbench import workbench

__all__ = ["ScoredNode", "score_node"]

_COLUMNS = {
    "gini": GINI,
    "gain": GAIN,
    "gain_ratio": GAIN_RATIO,
    "hellinger": HELLINGER,
    "segments": SEGMENTS,
    "segment_sum": SEGMENT_SUM,
    "ratio": RATIO,
    "bnm5": BNM5,
    "penalty": PENALTY,
    "csn": CSN,
}


@dataclass(frozen=True, eq=False)
class ScoredNode:
    """The candidates of a node, ordered by feature, then by threshold.

    Attributes
    ----------
    feature : ndarray of intp, shape (n_candidates,)
    threshold : ndarray of float64, shape (n_candidates,)
        The largest value of the first child.
    upper : ndarray of float64, shape (n_candidates,)
        The smallest value of the second child.
    columns : dict of str to ndarray, shape (n_candidates,)
        -inf where the candidate is not admissible.
    left_counts : ndarray of intp, shape (n_candidates, n_classes)
    counts : ndarray of intp, shape (n_classes,)
    """

    feature: np.ndarray
    threshold: np.ndarray
    upper: np.ndarray
    columns: dict[str, np.ndarray]
    left_counts: np.ndarray
    counts: np.ndarray


def score_node(
    here: Presorted, y: np.ndarray, n_classes: int, need: np.ndarray, options: Options
) -> ScoredNode:
    """Score every candidate of the node `here` by every curve of `need`.

    Parameters
    ----------
    here : Presorted
        The node's rows and no others.
    y : ndarray of intp, shape (n_samples,)
        Their classes.
    n_classes : int
    need : ndarray of bool, shape (N_CURVES,)
    options : Options
        Its scale must serve at least as many rows.
    """
    counts = np.bincount(y, minlength=n_classes)
    feature, position = np.nonzero(here.fresh[:, 1:])
    left = np.empty((len(feature), n_classes), dtype=np.intp)
    candidate_counts(here.order, y, feature, position, left)
    curves = _curves(here, y, counts, need, options)
    n_left = position + 1
    small = np.minimum(n_left, here.n_samples - n_left) < options.min_leaf
    columns = {}
    for name, code in _COLUMNS.items():
        if need[code]:
            columns[name] = np.where(small, -np.inf, curves[code, feature, position])
    if "bnm5" in columns:
        with np.errstate(invalid="ignore"):
            bnm = columns["bnm5"] - columns.get("penalty", 0.0)
        columns["bnm"] = np.where(small, -np.inf, bnm)
    threshold = here.columns[feature, here.order[feature, position]]
    upper = here.columns[feature, here.order[feature, position + 1]]
    return ScoredNode(feature, threshold, upper, columns, left, counts)


def _curves(
    here: Presorted, y: np.ndarray, counts: np.ndarray, need: np.ndarray, options: Options
) -> np.ndarray:
    cells, packing = pack(here, y, len(counts))
    bench = workbench(here.columns, packing, len(counts), need, options)
    scoring, curves = bench.scoring, bench.curves
    n = here.n_samples
    if n < 2:
        return curves
    scoring.asked[:] = True
    scoring.wanted[:, : n - 1] = here.fresh[:, 1:] if scoring.wanted.shape[1] else False
    if options.penalty == NO_PENALTY:
        curves[PENALTY] = 0.0
    rows = np.arange(n, dtype=np.int64)
    prepare_geometry(cells, 0, n, rows, counts, need, scoring, options)
    first_curves(cells, 0, n, counts, need, scoring, options, bench.best, curves)
    second_curves(cells, 0, n, counts, need, scoring, options, curves)
    return curves
