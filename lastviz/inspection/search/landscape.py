"""The criterion landscape of a plane: how good every split by a line is."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field

import numpy as np

from lastviz.criteria import CRITERIA, Criterion
from lastviz.splitters import ObliqueSplit, Presorted, Split, result_of

from .line_search import PlaneNode, best_axis, line_split, look_at_some, look_everywhere
from .plane_events_kernels import MOST_POINTS
from .plane_grid import normal_of

BINS = 180  # of directions in the picture, one a degree
MOST_RANKS = 200  # of its other axis
DIRECTIONS = 360  # that are sampled where not all lines can be visited
NOTHING = 1e-12  # scores up to this gain nothing


@dataclass(frozen=True, eq=False)
class Landscape:
    """How good the splits of a node's rows by a line in a plane are.

    A direction is the angle of the line's normal in the window in which the ranges of both
    features are equally long: at 0 degrees the line is ``x <= t`` of the first feature, at 90 of
    the second one. A rank is the number of distinct points in the first child.
    """

    criterion: str  # key of CRITERIA
    features: tuple[int, int]  # the axes of the plane
    # (180, n_ranks), the best score of the lines whose direction and rank fall in a cell; NaN where
    # there is none.
    scores: np.ndarray
    theta: np.ndarray  # (180,), the middle of each cell, in degrees
    rank: np.ndarray  # (n_ranks,) intp, the smallest rank of each cell
    exact: bool  # whether all lines were visited, not those of some directions
    n_directions: int  # how many directions were looked at where not all were; else 0
    points: np.ndarray  # (n_points, 2), the distinct points
    point_counts: np.ndarray  # (n_points, n_classes) intp, the rows of each class at each of them
    n_missing: int  # how many rows have no value in the plane and were left out
    # The best line, parallel to an axis if such a one is as good; None if there is none.
    best: ObliqueSplit | Split | None
    axis: Split | None  # the best line parallel to an axis
    best_place: tuple[float, int] | None  # direction and rank of both
    axis_place: tuple[float, int] | None  # direction and rank of both
    n_features: int = field(repr=False, default=2)

    @property
    def n_points(self) -> int:
        """Number of distinct points."""
        return len(self.points)

    def regret(self, score: float) -> float:
        """Return the share of the best score that a split with another one falls short of it.

        0 where the best gains nothing; only for criteria that are 0 without gain.
        """
        best = -np.inf if self.best is None else self.best.score
        return 0.0 if best <= NOTHING else (best - score) / best

    def line(self, theta: float, rank: int) -> ObliqueSplit | None:
        """Return the line of a direction in degrees and a rank, midway between two points.

        None where two points of that rank have the same projection, or beyond the ranks. Its
        score is that of the criterion where class counts say it, else NaN. O(n log n).
        """
        weights = normal_of(self.points, theta)
        along = self.points @ weights
        order = np.argsort(along, kind="stable")
        if not 0 < rank < len(order):
            return None
        low, high = along[order[rank - 1]], along[order[rank]]
        if not high > low:
            return None
        left = self.point_counts[order[:rank]].sum(axis=0)
        score = _counted_score(CRITERIA[self.criterion], left, self.point_counts.sum(axis=0))
        return line_split(self.features, self.n_features, weights, low / 2 + high / 2, score)


def landscape(
    data: Presorted | np.ndarray,
    y: np.ndarray,
    rows: np.ndarray,
    n_classes: int,
    features: tuple[int, int],
    criterion: str,
    *,
    directions: int | None = None,
    min_samples_leaf: int = 1,
) -> Landscape:
    """Return how good every split of a node by a line in the plane of two features is.

    Parameters
    ----------
    data : Presorted or ndarray of float64, shape (n_samples, n_features)
        Rows without a value in the plane are left out.
    y : ndarray of intp, shape (n_samples,)
        Class indices.
    rows : ndarray of intp
        The rows of the node.
    n_classes : int
    features : tuple of (int, int)
        Two numeric features.
    criterion : str
        A key of CRITERIA. Of ordered classes the better direction of the class counts.
    directions : int, optional
        Look at so many directions only. Default: at all lines where there are at most 4,096
        distinct points and class counts say the score, else at 360 directions.
    min_samples_leaf : int, default 1
        Fewest rows of a child.

    Raises
    ------
    ValueError
        If the criterion is unknown, the features are the same or too few rows differ.

    Notes
    -----
    Coordinates are taken to a grid of 24 bits: decimals of at most 6 places exactly, else
    6e-8 of the range. All lines: O(n^2 (K + log n)), memory O(n^2) with n distinct points; some
    directions: O(directions n (K + log n)), where distances count O(directions n m). Ties go to
    the line parallel to an axis, then to the larger margin. A best score of some directions is
    a lower bound.
    """
    steps = landscape_in_steps(
        data, y, rows, n_classes, features, criterion,
        directions=directions, min_samples_leaf=min_samples_leaf,
    )  # fmt: skip
    return result_of(steps)


def landscape_in_steps(
    data: Presorted | np.ndarray,
    y: np.ndarray,
    rows: np.ndarray,
    n_classes: int,
    features: tuple[int, int],
    criterion: str,
    *,
    directions: int | None = None,
    min_samples_leaf: int = 1,
) -> Generator[float, None, Landscape]:
    """Do as :func:`landscape` does; some directions yield what share of them is done."""
    if criterion not in CRITERIA:
        raise ValueError(f"criterion must be among {', '.join(CRITERIA)}, got {criterion!r}")
    X = data.X if isinstance(data, Presorted) else np.asarray(data, dtype=np.float64)
    rows = np.sort(np.asarray(rows, dtype=np.intp))
    plane = X[np.ix_(rows, list(features))]
    known = ~np.isnan(plane).any(axis=1)
    if features[0] == features[1] or len(np.unique(plane[known], axis=0)) < 2:
        raise ValueError(
            "features must span a plane in which at least two rows differ, got "
            f"{tuple(features)} with {np.count_nonzero(known)} rows"
        )
    rows, plane = rows[known], plane[known]
    if (plane.max(axis=0) / 2 - plane.min(axis=0) / 2 > np.finfo(float).max / 2).any():
        raise ValueError("features must have finite ranges; divide them by a constant")
    points, at = np.unique(plane + 0.0, axis=0, return_inverse=True)
    counts = np.zeros((len(points), n_classes), dtype=np.int64)
    np.add.at(counts, (at, np.asarray(y)[rows]), 1)
    node = PlaneNode(
        X[rows], np.asarray(y)[rows], plane, points, counts, tuple(features), criterion,
        min_samples_leaf,
    )  # fmt: skip
    exact = directions is None and len(points) <= MOST_POINTS and node.is_counted
    n_directions = 0 if exact else directions or DIRECTIONS
    axis, axis_place = best_axis(node)
    cells, rank = _empty(len(points))
    if exact:
        best, best_place = look_everywhere(node, cells, rank, (axis, axis_place))
    else:
        some = look_at_some(node, cells, rank, n_directions, (axis, axis_place))
        best, best_place = yield from some
    return Landscape(
        criterion=criterion,
        features=node.features,
        scores=np.where(np.isfinite(cells), node.sign * cells, np.nan),
        theta=(np.arange(BINS) + 0.5) * (180.0 / BINS),
        rank=rank,
        exact=exact,
        n_directions=n_directions,
        points=points,
        point_counts=counts,
        n_missing=int(np.count_nonzero(~known)),
        best=best,
        axis=axis,
        best_place=best_place,
        axis_place=axis_place,
        n_features=X.shape[1],
    )


def _counted_score(row: Criterion, left: np.ndarray, counts: np.ndarray) -> float:
    if row.reads != "counts":
        return float("nan")
    score = row.score(left[None], (counts - left)[None])[0]
    if row.ordered_classes:
        score = max(score, row.score((counts - left)[None], left[None])[0])
    return float(score)


def _empty(n_points: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the cells of a picture, and the smallest rank of each of its rows."""
    n_ranks = min(MOST_RANKS, n_points - 1)
    rank = np.arange(n_ranks) * (n_points - 1) // n_ranks + 1
    return np.full((BINS, n_ranks), -np.inf), rank.astype(np.intp)
