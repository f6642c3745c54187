"""Where a function on a grid is positive: closed polygons, by marching squares."""

from __future__ import annotations

import numpy as np

# Corners of a cell run counter-clockwise from the lower left, edge e from corner e to e + 1.
# On the way round, a segment starts where the function turns negative and ends where it turns
# positive again, so what is positive lies on its left. Cells with two opposite positive
# corners have two segments; CUT and JOINED say how, as their middle is negative or positive.
_PLAIN = {
    1: (0, 3), 2: (1, 0), 3: (1, 3), 4: (2, 1), 6: (2, 0), 7: (2, 3), 8: (3, 2),
    9: (0, 2), 11: (1, 2), 12: (3, 1), 13: (0, 1), 14: (3, 0),
}  # fmt: skip
_CUT = {5: ((0, 3), (2, 1)), 10: ((1, 0), (3, 2))}
_JOINED = {5: ((0, 1), (2, 3)), 10: ((1, 2), (3, 0))}


def polygons_where_positive(x: np.ndarray, y: np.ndarray, values: np.ndarray) -> list[np.ndarray]:
    """Return the parts of a window where a function is positive.

    Parameters
    ----------
    x : ndarray, shape (p,)
        Rising; the window ends at both ends.
    y : ndarray, shape (q,)
        Rising.
    values : ndarray, shape (q, p)
        The function at each (x, y), finite.

    Returns
    -------
    list of ndarray, shape (k, 2)
        One polygon per connected part, counter-clockwise and not closed. A hole is joined to
        the rim by a cut of no width, so that every part is one ring.

    Notes
    -----
    Linear between grid points. O(p q) and O(k) per polygon, O(k) more per hole.
    """
    x, y = np.r_[x[0], x, x[-1]], np.r_[y[0], y, y[-1]]
    ends, points = crossings(x, y, np.pad(values, 1, constant_values=-1.0))
    rings = [points[ring] for ring in _cycles(ends)]
    rims = [ring for ring in rings if _area(ring) > 0]
    holes = [ring for ring in rings if _area(ring) < 0]
    for hole in sorted(holes, key=lambda ring: ring[:, 0].min()):
        _join(hole, rims)
    return rims


def crossings(x: np.ndarray, y: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return segments along the zero line, as pairs of points, and the points.

    Parameters are those of :func:`polygons_where_positive`.

    Returns
    -------
    ends : ndarray of intp, shape (n_segments, 2)
        Start and end of each segment; what is positive lies on its left.
    points : ndarray, shape (n_points, 2)
        Each where the zero line crosses an edge of the grid.
    """
    positive = values > 0
    case = (
        positive[:-1, :-1] + 2 * positive[:-1, 1:] + 4 * positive[1:, 1:] + 8 * positive[1:, :-1]
    ).astype(np.intp)
    row, column = np.nonzero((case > 0) & (case < 15))
    case = case[row, column]
    corners = values[row, column] + values[row, column + 1]
    middle = corners + values[row + 1, column] + values[row + 1, column + 1] > 0
    starts, stops = [], []
    for code, slot in ((code, slot) for code in range(1, 15) for slot in range(2)):
        for joined in (False, True):
            here = np.flatnonzero((case == code) & (middle == joined))
            pairs = (_JOINED if joined else _CUT).get(code, (_PLAIN.get(code),))
            if len(here) and slot < len(pairs):
                edges = _edges(row[here], column[here], values.shape)
                starts.append(edges[pairs[slot][0]])
                stops.append(edges[pairs[slot][1]])
    if not starts:
        return np.empty((0, 2), dtype=np.intp), np.empty((0, 2))
    both = np.concatenate([np.concatenate(starts), np.concatenate(stops)])
    used, place = np.unique(both, return_inverse=True)
    return place.reshape(2, -1).T, _points(used, x, y, values)


def in_chains(ends: np.ndarray) -> np.ndarray:
    """Return the segments `ends` (n, 2) of :func:`crossings`, each after the one it continues."""
    after = dict(ends.tolist())
    heads = sorted(after.keys() - set(after.values()))
    ordered = []
    while after:
        point = heads.pop() if heads else next(iter(after))
        while point in after:
            ordered.append((point, after[point]))
            point = after.pop(point)
    return np.array(ordered, dtype=np.intp).reshape(-1, 2)


def _edges(row: np.ndarray, column: np.ndarray, shape: tuple[int, int]) -> tuple[np.ndarray, ...]:
    """Return the numbers of the four edges of each cell; level edges come first."""
    n_rows, n_columns = shape
    level = row * (n_columns - 1) + column
    upright = n_rows * (n_columns - 1) + row * n_columns + column
    return level, upright + 1, level + n_columns - 1, upright


def _points(edge: np.ndarray, x: np.ndarray, y: np.ndarray, values: np.ndarray) -> np.ndarray:
    n_rows, n_columns = values.shape
    n_level = n_rows * (n_columns - 1)
    upright = edge >= n_level
    rest = np.where(upright, edge - n_level, edge)
    width = np.where(upright, n_columns, n_columns - 1)
    row, column = rest // width, rest % width
    row_end, column_end = row + upright, column + ~upright
    first, second = values[row, column], values[row_end, column_end]
    share = first / (first - second)
    return np.column_stack([
        x[column] + share * (x[column_end] - x[column]),
        y[row] + share * (y[row_end] - y[row]),
    ])  # fmt: skip


def _cycles(ends: np.ndarray) -> list[list[int]]:
    """Return the closed rings of points that the segments form."""
    after = dict(zip(ends[:, 0].tolist(), ends[:, 1].tolist(), strict=True))
    rings = []
    while after:
        first, point = after.popitem()
        ring = [first]
        while point != first:
            ring.append(point)
            point = after.pop(point)
        rings.append(ring)
    return rings


def _area(ring: np.ndarray) -> float:
    x, y = (ring - ring[0]).T
    return 0.5 * float(np.dot(x, np.roll(y, -1)) - np.dot(np.roll(x, -1), y))


def _join(hole: np.ndarray, rims: list[np.ndarray]) -> None:
    """Cut from the leftmost point of a hole straight left to the rim around it."""
    hole = np.roll(hole, -int(np.argmin(hole[:, 0])), axis=0)
    x, y = hole[0]
    best, found = -np.inf, None
    for number, rim in enumerate(rims):
        begin, end = rim, np.roll(rim, -1, axis=0)
        crossed = np.flatnonzero((begin[:, 1] > y) != (end[:, 1] > y))
        if not len(crossed):
            continue
        begin, end = begin[crossed], end[crossed]
        share = (y - begin[:, 1]) / (end[:, 1] - begin[:, 1])
        at = begin[:, 0] + share * (end[:, 0] - begin[:, 0])
        at = np.where(at <= x, at, -np.inf)
        if at.max() > best:
            best, found = at.max(), (number, int(crossed[at.argmax()]))
    if found is not None:
        number, edge = found
        rim, gate = rims[number], np.array([[best, y]])
        parts = [rim[: edge + 1], gate, hole, hole[:1], gate, rim[edge + 1 :]]
        rims[number] = np.concatenate(parts)
