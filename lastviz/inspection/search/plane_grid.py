"""The points of a plane in its window, where both ranges are equally long, and on a grid."""

from __future__ import annotations

import numpy as np

from lastviz.criteria.ties_kernels import TIE

from .plane_events_kernels import KEY_BITS, DistinctPoints

GRID = (1 << 24) - 1  # steps along an axis
DECIMALS = 6  # that become whole numbers
SURE = 1e-9  # margin, in the window, of a line that doubles are sure of


def spans_of(points: np.ndarray) -> np.ndarray:
    """Return the ranges of both axes; 1 where all points agree."""
    spans = np.ptp(points, axis=0)
    return np.where(spans > 0, spans, 1.0)


def normal_of(points: np.ndarray, theta: float) -> np.ndarray:
    """Return the normal of a direction in the units of the features; exact along the axes."""
    angle = np.deg2rad(theta)
    normal = np.array([np.cos(angle), np.sin(angle)])
    normal[np.abs(normal) < TIE] = 0.0
    return normal / spans_of(points)


def on_grid(points: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the points as whole numbers below 2^24, and the margin that is sure in the window."""
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
    """Return the points of the grid sorted by x, then y, and where each one went.

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
    """Return where the bins of directions begin, as the bits of keys."""
    angle = np.deg2rad(np.arange(n_bins + 1) * (180.0 / n_bins))
    ux, uy = np.cos(angle) / points.span_x, np.sin(angle) / points.span_y
    key = -ux / (np.abs(ux) + np.abs(uy))
    return np.floor((1.0 + key) * 2.0 ** (KEY_BITS - 1)).astype(np.int64)
