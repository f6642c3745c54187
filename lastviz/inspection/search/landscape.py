"""The criterion landscape of a plane: how good every split by a line is."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field

import numpy as np

from lastviz.criteria import CRITERIA, Criterion, admissible
from lastviz.criteria.ties_kernels import TIE, tie_floors
from lastviz.splitters import ObliqueSplit, Presorted, Split, result_of
from lastviz.splitters.hybrid.workspace import LineScores, line_scores

from .landscape_kernels import (
    KEY,
    MARGIN,
    POSITION,
    SCORE,
    Scale,
    ScoreImage,
    base_of,
    score_order,
    sweep,
)
from .plane_events_kernels import KEY_BITS, MOST_POINTS, DistinctPoints, sorted_events

GRID = (1 << 24) - 1  # steps along an axis
DECIMALS = 6  # that become whole numbers
SURE = 1e-9  # margin, in the window, of a line that doubles are sure of


def spans_of(points: np.ndarray) -> np.ndarray:
    """Ranges of both axes; 1 where all points agree."""
    spans = np.ptp(points, axis=0)
    return np.where(spans > 0, spans, 1.0)


def normal_of(points: np.ndarray, theta: float) -> np.ndarray:
    """Normal of a direction in the units of the features; exact along the axes."""
    angle = np.deg2rad(theta)
    normal = np.array([np.cos(angle), np.sin(angle)])
    normal[np.abs(normal) < TIE] = 0.0
    return normal / spans_of(points)


def on_grid(points: np.ndarray) -> tuple[np.ndarray, float]:
    """Points as whole numbers below 2^24, and the margin that is sure in the window."""
    low = points.min(axis=0)
    with np.errstate(over="ignore", invalid="ignore"):
        scaled = points * 10.0**DECIMALS
        rounded = np.round(scaled)
        decimal = np.abs(scaled - rounded) <= np.spacing(np.abs(scaled))
    columns, narrowest = [], SURE
    for axis in range(2):
        steps = rounded[:, axis].astype(np.float64) - np.round(low[axis] * 10.0**DECIMALS)
        if decimal[:, axis].all() and np.abs(scaled[:, axis]).max() < 2.0**53:
            divisor = np.gcd.reduce(steps.astype(np.int64))
            steps = steps // max(int(divisor), 1)
            if steps.max() <= GRID:
                columns.append(steps.astype(np.int64))
                continue
        share = (points[:, axis] - low[axis]) / spans_of(points)[axis]
        columns.append(np.round(share * GRID).astype(np.int64))
        narrowest = 2.0 / GRID
    return np.column_stack(columns), narrowest


def merged_points(grid: np.ndarray, counts: np.ndarray) -> tuple[DistinctPoints, np.ndarray]:
    """Points of the grid sorted by x, then y, and where each one went.

    Those that coincide are merged.
    """
    sites, at = np.unique(grid, axis=0, return_inverse=True)
    merged = np.zeros((len(sites), counts.shape[1]), dtype=np.int64)
    np.add.at(merged, at, counts)
    alike = np.unique(merged, axis=0, return_inverse=True)[1]
    span_x, span_y = (float(span) for span in spans_of(sites))
    x, y = (np.ascontiguousarray(sites[:, axis]) for axis in range(2))
    return DistinctPoints(x, y, merged, alike.astype(np.int64), span_x, span_y), at


def direction_edges(points: DistinctPoints, n_bins: int) -> np.ndarray:
    """Edges of the bins of directions, as the bits of keys."""
    angle = np.deg2rad(np.arange(n_bins + 1) * (180.0 / n_bins))
    ux, uy = np.cos(angle) / points.span_x, np.sin(angle) / points.span_y
    key = -ux / (np.abs(ux) + np.abs(uy))
    return np.floor((1.0 + key) * 2.0 ** (KEY_BITS - 1)).astype(np.int64)


# ---- Looking for the best line of a plane: along the axes, everywhere, or in some directions


Place = tuple[float, int]
Found = tuple[ObliqueSplit | Split | None, Place | None]


@dataclass(frozen=True, eq=False)
class PlaneNode:
    """Samples in the plane, and their score for a partition; larger is better."""

    # X, y: ndarray, shape (n_rows, n_features), (n_rows,), the rows with all their features, and
    # their classes
    X: np.ndarray
    y: np.ndarray
    plane: np.ndarray  # (n_rows, 2)
    # points, counts: ndarray, shape (n_points, 2), (n_points, n_classes), the distinct points, and
    # how many rows of each class lie there
    points: np.ndarray
    counts: np.ndarray
    features: tuple[int, int]
    criterion: str
    smallest: int  # fewest rows of a child

    @property
    def row(self) -> Criterion:
        """Entry of the criterion in the registry."""
        return CRITERIA[self.criterion]

    @property
    def sign(self) -> float:
        """-1 where small scores are good."""
        return -1.0 if self.row.smaller_is_better else 1.0

    @property
    def is_counted(self) -> bool:
        """Whether the kernels score a partition by its class counts."""
        return self.row.reads == "counts" and self.row.code is not None

    def scale(self, narrowest: float) -> Scale:
        """Tables by which the kernels score a partition.

        Lines must have more than a margin of `narrowest`.
        """
        total, n = self.counts.sum(axis=0), len(self.y)
        numbers = np.arange(n + 1, dtype=np.float64)
        nats = np.log(np.maximum(numbers, 1.0))
        bits = numbers * np.log2(np.maximum(numbers, 1.0))
        code = int(self.row.code)
        return Scale(code, total, base_of(total, code, bits), bits, nats, self.smallest, narrowest)

    def scorer(self) -> LineScores:
        """Function (positions, order, fresh) -> scores of the cuts along some positions."""
        if self.is_counted:
            scale = self.scale(0.0)

            def by_kernel(along: np.ndarray, order: np.ndarray, fresh: np.ndarray) -> np.ndarray:
                out = np.empty(len(order) - 1)
                score_order(order, fresh, self.y, scale, out)
                return out

            return by_kernel
        if self.row.reads == "counts":
            return self._by_function
        return line_scores(self.X, self.y, self.counts.shape[1], self.criterion, self.smallest)

    def _by_function(self, along: np.ndarray, order: np.ndarray, fresh: np.ndarray) -> np.ndarray:
        total = self.counts.sum(axis=0)
        left = np.cumsum(np.eye(len(total))[self.y[order]], axis=0)[:-1]
        n_left = np.arange(1, len(order))
        small = np.minimum(n_left, len(order) - n_left) < self.smallest
        scores = admissible(self.criterion, self.row.score(left, total - left))
        return np.where(fresh[1:] & ~small, self.sign * scores, -np.inf)


def _rows_of_picture(rank: np.ndarray, n_points: int) -> np.ndarray:
    """Row of the picture for the cut after each position."""
    return np.searchsorted(rank, np.arange(1, n_points), side="right") - 1


def line_split(
    features: tuple[int, int], n_features: int, weights: np.ndarray, threshold: float, score: float
) -> ObliqueSplit:
    """Line as a split of all features, its larger weight 1 or -1."""
    largest = np.abs(weights).max()
    coefficients = np.zeros(n_features)
    coefficients[list(features)] = weights / largest
    return ObliqueSplit(coefficients, float(threshold / largest), score)


def best_axis(node: PlaneNode) -> tuple[Split | None, Place | None]:
    """Best line parallel to an axis: of ties the first feature's, then the lowest."""
    found, place, best = None, None, -np.inf
    score = node.scorer()
    for axis, feature in enumerate(node.features):
        along = node.plane[:, axis]
        order = np.argsort(along, kind="stable")
        fresh = np.r_[True, np.diff(along[order]) > 0]
        scores = score(along, order, fresh)
        top = scores.max(initial=-np.inf)
        if top == -np.inf or (found is not None and tie_floors(top) <= best):
            continue
        p = int(np.argmax(scores >= tie_floors(top)))
        low, high = along[order[p]], along[order[p + 1]]
        rank = int(np.count_nonzero(node.points[:, axis] <= low))
        found = Split(int(feature), float(low / 2 + high / 2), node.sign * float(scores[p]))
        place, best = (90.0 * axis, rank), top
    return found, place


def look_everywhere(node: PlaneNode, cells: np.ndarray, rank: np.ndarray, axis: Found) -> Found:
    """Paint all partitions by a line; return the best.

    If none is better than the best along an axis, that one is returned.
    """
    grid, narrowest = on_grid(node.points)
    points, site = merged_points(grid, node.counts)
    n = len(points.x)
    words = sorted_events(points)
    to_beat = -np.inf if axis[0] is None else node.sign * axis[0].score
    best = np.array([to_beat, np.inf if axis[0] is not None else -np.inf, np.nan, -1.0])
    picture = ScoreImage(cells, direction_edges(points, len(cells)), _rows_of_picture(rank, n))
    sweep(points, words, node.scale(narrowest), picture, best)
    if best[POSITION] < 0:
        return axis
    ux, uy = -best[KEY], 1.0 - abs(best[KEY])
    order = np.argsort(ux * points.x + uy * points.y, kind="stable")
    is_first = np.zeros(n, dtype=bool)
    is_first[order[: int(best[POSITION]) + 1]] = True
    normal = np.array([ux * points.span_x, uy * points.span_y])
    score = node.sign * float(best[SCORE])
    theta = float(np.rad2deg(np.arctan2(normal[1], normal[0])))
    return _line(node, is_first[site], normal, score), (theta, int(is_first[site].sum()))


def _line(node: PlaneNode, is_first: np.ndarray, normal: np.ndarray, score: float) -> ObliqueSplit:
    """Line midway between some of the points and the others, in original units."""
    weights = normal / spans_of(node.points)
    along = node.points @ weights
    threshold = along[is_first].max() / 2 + along[~is_first].min() / 2
    return line_split(node.features, node.X.shape[1], weights, threshold, score)


def look_at_some(
    node: PlaneNode, cells: np.ndarray, rank: np.ndarray, n_directions: int, axis: Found
) -> Generator[float, None, Found]:
    """Paint partitions of some directions; return the best as `look_everywhere` does.

    Yields what share of the directions is done.
    """
    score, row = node.scorer(), _rows_of_picture(rank, len(node.points))
    spans = spans_of(node.points)
    window = (node.plane - node.points.min(axis=0)) / spans
    distinct = np.unique(node.plane, axis=0, return_index=True)[1]
    (found, place), best = axis, np.array([-np.inf, np.inf, np.nan, -1.0])
    if found is not None:
        best[SCORE] = node.sign * found.score
    for d in range(n_directions):
        theta = 180.0 * d / n_directions
        weights = normal_of(node.points, theta)
        along = window @ (weights * spans)
        order = np.argsort(along, kind="stable")
        apart = np.diff(along[order])
        scores = score(along, order, np.r_[True, apart > TIE])
        ranks = np.searchsorted(np.sort(along[distinct]), along[order[:-1]], side="right")
        at = min(int(theta * len(cells) / 180.0), len(cells) - 1)
        np.maximum.at(cells[at], row[np.minimum(ranks - 1, len(row) - 1)], scores)
        top = scores.max(initial=-np.inf)
        tied = np.flatnonzero(scores >= tie_floors(top)) if top > -np.inf else [0]
        p = int(tied[np.argmax(apart[tied])])
        is_tie = top >= tie_floors(best[SCORE]) and apart[p] > best[MARGIN]
        if tie_floors(top) > best[SCORE] or is_tie:
            best[:] = top, apart[p], theta, p
            is_first = along[distinct] <= along[order[p]]
            found = _line(node, is_first, weights * spans, node.sign * float(scores[p]))
            place = theta, int(ranks[p])
        yield (d + 1) / n_directions
    return found, place


# ---------------------------------------------------------------- landscape


BINS = 180  # of directions in the picture, one a degree
MOST_RANKS = 200  # of its other axis
DIRECTIONS = 360  # that are sampled where not all lines can be visited
NOTHING = 1e-12  # scores up to this gain nothing


@dataclass(frozen=True, eq=False)
class Landscape:
    """Scores of the splits of a node's samples by a line in a plane.

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
        """Share of the best score that a split with another one falls short of it.

        0 where the best gains nothing; only for criteria that are 0 without gain.
        """
        best = -np.inf if self.best is None else self.best.score
        return 0.0 if best <= NOTHING else (best - score) / best

    def line(self, theta: float, rank: int) -> ObliqueSplit | None:
        """Line of a direction in degrees and a rank, midway between two points.

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
    """Scores of every split of a node by a line in the plane of two features.

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
    """Do as :func:`landscape` does; some directions yield the share of them done."""
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
    """Cells of a picture, and the smallest rank of each of its rows."""
    n_ranks = min(MOST_RANKS, n_points - 1)
    rank = np.arange(n_ranks) * (n_points - 1) // n_ranks + 1
    return np.full((BINS, n_ranks), -np.inf), rank.astype(np.intp)
