"""Looking for the best line of a plane: along the axes, everywhere, or in some directions."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from lastviz.criteria import CRITERIA, Criterion, admissible
from lastviz.criteria.ties_kernels import TIE, tie_floors
from lastviz.splitters import ObliqueSplit, Split
from lastviz.splitters.hybrid.line_scores import LineScores, line_scores

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
from .plane_events_kernels import sorted_events
from .plane_grid import direction_edges, merged_points, normal_of, on_grid, spans_of

Place = tuple[float, int]
Found = tuple[ObliqueSplit | Split | None, Place | None]


@dataclass(frozen=True, eq=False)
class PlaneNode:
    """The rows that lie in the plane, and what they are scored by; larger is better."""

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
        """What is known of the criterion."""
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
        """Return what the kernels score a partition by; lines need more than a margin."""
        total, n = self.counts.sum(axis=0), len(self.y)
        numbers = np.arange(n + 1, dtype=np.float64)
        nats = np.log(np.maximum(numbers, 1.0))
        bits = numbers * np.log2(np.maximum(numbers, 1.0))
        code = int(self.row.code)
        return Scale(code, total, base_of(total, code, bits), bits, nats, self.smallest, narrowest)

    def scorer(self) -> LineScores:
        """Return what scores the cuts along some positions: positions, order, fresh -> scores."""
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
    """Return which row of the picture the cut after each position belongs to."""
    return np.searchsorted(rank, np.arange(1, n_points), side="right") - 1


def line_split(
    features: tuple[int, int], n_features: int, weights: np.ndarray, threshold: float, score: float
) -> ObliqueSplit:
    """Return a line as a split of all features, its larger weight 1 or -1."""
    largest = np.abs(weights).max()
    coefficients = np.zeros(n_features)
    coefficients[list(features)] = weights / largest
    return ObliqueSplit(coefficients, float(threshold / largest), score)


def best_axis(node: PlaneNode) -> tuple[Split | None, Place | None]:
    """Return the best line parallel to an axis: of ties the first feature's, then the lowest."""
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
    """Paint all partitions by a line; return the best, the best along an axis if none is better."""
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
    """Return the line midway between some of the points and the others, in original units."""
    weights = normal / spans_of(node.points)
    along = node.points @ weights
    threshold = along[is_first].max() / 2 + along[~is_first].min() / 2
    return line_split(node.features, node.X.shape[1], weights, threshold, score)


def look_at_some(
    node: PlaneNode, cells: np.ndarray, rank: np.ndarray, n_directions: int, axis: Found
) -> Generator[float, None, Found]:
    """Paint the partitions of some directions; return the best, as `look_everywhere` does.

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
