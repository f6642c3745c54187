"""Class borders of a tree: the parts of its splits that lie between two classes."""

from __future__ import annotations

import numpy as np

from .regions import Regions

_ON_LINE = 1e-9  # of the window: a corner that lies on a split
_BESIDE = 1e-6  # of the window: how far beside a border its two sides are asked


def class_borders(regions: Regions, depth: int | None = None) -> np.ndarray:
    """Borders between regions of different classes.

    Parameters
    ----------
    regions : Regions
    depth : int or None, default None
        Where the tree is cut, as :meth:`Regions.visible`.

    Returns
    -------
    ndarray, shape (n, 4)
        Segments (x0, y0, x1, y1).

    Notes
    -----
    Every split is broken where corners of regions touch it; a piece is kept if the regions on
    its two sides have different classes. O((n_segments + n_corners) log) beside the corners near
    each segment.
    """
    shown = regions.visible(depth)
    x0, x1, y0, y1 = regions.bounds
    size, low = np.array([x1 - x0, y1 - y0]), np.array([x0, y0])
    polygons = [(regions.polygon(i) - low) / size for i in shown]
    inner = ~regions.leaf if depth is None else ~regions.leaf & (regions.depth < depth)
    straight = regions.segment[inner]
    straight = straight[np.isfinite(straight).all(axis=1)]
    curve = regions.curve[inner[regions.curve_row]] if len(regions.curve) else regions.curve
    both = [(lines.reshape(-1, 2, 2) - low) / size for lines in (straight, curve)]
    pieces = np.concatenate([_broken(both[0], np.concatenate(polygons)), both[1]])
    along = pieces[:, 1] - pieces[:, 0]
    length = np.maximum(np.linalg.norm(along, axis=1, keepdims=True), np.finfo(float).tiny)
    across = along[:, ::-1] * [-1.0, 1.0] / length * _BESIDE
    middle = pieces.mean(axis=1)
    sides = [
        _labels(middle + sign * across, polygons, regions.prediction[shown]) for sign in (1, -1)
    ]
    is_border = (sides[0] != sides[1]) & (np.minimum(*sides) >= 0)
    return (pieces[is_border] * size + low).reshape(-1, 4)


class _Sorted:
    """Points (n, 2) in both their orders, so that few are looked at for each box."""

    def __init__(self, points: np.ndarray) -> None:
        self.points = points
        self.order = [np.argsort(points[:, axis], kind="stable") for axis in (0, 1)]
        self.values = [points[order, axis] for axis, order in enumerate(self.order)]

    def within(self, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """Points inside a box, its sides included."""
        ends = [
            (np.searchsorted(values, low[axis]), np.searchsorted(values, high[axis], side="right"))
            for axis, values in enumerate(self.values)
        ]
        axis = int(ends[1][1] - ends[1][0] < ends[0][1] - ends[0][0])
        some = self.order[axis][slice(*ends[axis])]
        other = self.points[some, 1 - axis]
        return some[(other >= low[1 - axis]) & (other <= high[1 - axis])]


def _broken(segments: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Segments (n, 2, 2) broken at the corners that lie on them."""
    pieces, known = [np.empty((0, 2, 2))], _Sorted(corners)
    for start, end in segments:
        along = end - start
        square = float(along @ along)
        if square == 0.0:
            continue
        low, high = np.minimum(start, end) - _ON_LINE, np.maximum(start, end) + _ON_LINE
        gap = corners[known.within(low, high)] - start
        off = np.abs(gap[:, 0] * along[1] - gap[:, 1] * along[0]) / np.sqrt(square)
        place = (gap @ along / square)[off < _ON_LINE]
        stops = np.unique(np.r_[0.0, place[(place > _ON_LINE) & (place < 1 - _ON_LINE)], 1.0])
        points = start + stops[:, None] * along
        pieces.append(np.stack([points[:-1], points[1:]], axis=1))
    return np.concatenate(pieces)


def _labels(points: np.ndarray, polygons: list[np.ndarray], label: np.ndarray) -> np.ndarray:
    """Label of the polygon around each point (even-odd rule), -1 outside all."""
    out, known = np.full(len(points), -1, dtype=np.intp), _Sorted(points)
    for polygon, each in zip(polygons, label, strict=True):
        near = known.within(polygon.min(axis=0), polygon.max(axis=0))
        if not len(near):
            continue
        x, y = points[near, :1], points[near, 1:]
        (ax, ay), (bx, by) = polygon.T, np.roll(polygon, -1, axis=0).T
        spans = (ay > y) != (by > y)
        rise = np.where(ay == by, 1.0, by - ay)
        crossed = spans & (x < ax + (y - ay) * (bx - ax) / rise)
        out[near[crossed.sum(axis=1) % 2 == 1]] = each
    return out


def grid_borders(label: np.ndarray, bounds: tuple[float, float, float, float]) -> np.ndarray:
    """Sides between squares of a grid with different labels, shape (n, 4).

    `label` (n_rows, n_columns) has the lowest row first; `bounds` is the window that it fills.
    """
    x = np.linspace(*bounds[:2], label.shape[1] + 1)
    y = np.linspace(*bounds[2:], label.shape[0] + 1)
    column, row = np.nonzero((label[:, 1:] != label[:, :-1]).T)
    upright = np.stack([x[column + 1], y[row], x[column + 1], y[row + 1]], axis=1)
    row, column = np.nonzero(label[1:] != label[:-1])
    level = np.stack([x[column], y[row + 1], x[column + 1], y[row + 1]], axis=1)
    return np.concatenate([upright, level])
