"""Regions of trees whose splits are curves: worked out on a grid, drawn as polygons."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz.tree import Kind, Tree

Polygon = list[tuple[float, float]]
_NO_SEGMENT = (np.nan, np.nan, np.nan, np.nan)
# Of the window: a split that leaves a thinner sliver on one side does not cut there.
_SLIVER = 1e-12
_ROUNDING = 4e-16


def half_planes(tree: Tree, origin: np.ndarray, across: np.ndarray, up: np.ndarray) -> np.ndarray:
    """Each node's split in a plane as (a, b, c): ``a x + b y <= c`` goes first.

    Parameters
    ----------
    tree : Tree
        Of threshold and oblique splits.
    origin, across, up : ndarray, shape (n_features,)
        The plane is ``origin + x across + y up``.

    Returns
    -------
    ndarray, shape (n_nodes, 3)
        Zeros at leaves. A split that does not look at the plane has a = b = 0.
    """
    out = np.zeros((tree.n_nodes, 3))
    oblique = np.flatnonzero(tree.kind == Kind.OBLIQUE)
    weights = tree.oblique.weights[tree.split_row[oblique]]
    offset = tree.oblique.threshold[tree.split_row[oblique]] - weights @ origin
    out[oblique] = np.column_stack([weights @ across, weights @ up, offset])
    plain = np.flatnonzero(tree.kind == Kind.THRESHOLD)
    feature = tree.feature[plain]
    offset = tree.threshold[plain] - origin[feature]
    out[plain] = np.column_stack([across[feature], up[feature], offset])
    return out


def walk_polygons(
    tree: Tree,
    window: tuple[float, float, float, float],
    origin: np.ndarray,
    across: np.ndarray,
    up: np.ndarray,
) -> tuple[np.ndarray, list[Polygon], np.ndarray]:
    """Nodes that a window of a plane meets, their polygons and split segments.

    Parents come first and corners run counter-clockwise; siblings share the corners on their
    split, so that the leaves tile the window without a gap. O(corners) a node. The plane is
    that of :func:`half_planes`.
    """
    x0, x1, y0, y1 = window
    first_child = tree.first_child.tolist()
    planes = half_planes(tree, origin, across, up).tolist()
    nodes, polygons, segments = [], [], []
    waiting: list[tuple[int, Polygon]] = [(0, [(x0, y0), (x1, y0), (x1, y1), (x0, y1)])]
    while waiting:
        node, polygon = waiting.pop()
        nodes.append(node)
        polygons.append(polygon)
        segments.append(_NO_SEGMENT)
        first = first_child[node]
        if first < 0:
            continue
        below, above, ends = cut_polygon(polygon, planes[node], window)
        if below and above:
            segments[-1] = ends
        if above:
            waiting.append((first + 1, above))
        if below:
            waiting.append((first, below))
    return np.array(nodes, dtype=np.intp), polygons, np.array(segments)


def cut_polygon(
    polygon: Polygon, plane: list[float], window: tuple[float, float, float, float]
) -> tuple[Polygon, Polygon, tuple[float, float, float, float]]:
    """Parts of a convex polygon where a x + b y <= c and where not, and the cut.

    A part without area is empty.
    """
    a, b, c = plane
    distance = [a * x + b * y - c for x, y in polygon]
    slack = _slack(plane, window)
    if max(distance) <= slack:
        return polygon, [], _NO_SEGMENT
    if min(distance) >= -slack:
        return [], polygon, _NO_SEGMENT
    below, above, ends = [], [], []
    for i, (p, d) in enumerate(zip(polygon, distance, strict=True)):
        following = (i + 1) % len(polygon)
        q, e = polygon[following], distance[following]
        if d <= slack:
            below.append(p)
        if d >= -slack:
            above.append(p)
        if abs(d) <= slack:
            ends.append(p)
        elif abs(e) > slack and (d < 0) != (e < 0):
            share = d / (d - e)
            crossing = (p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1]))
            below.append(crossing)
            above.append(crossing)
            ends.append(crossing)
    return below, above, (*ends[0], *ends[-1])


def _slack(plane: list[float], window: tuple[float, float, float, float]) -> float:
    a, b, c = plane
    x0, x1, y0, y1 = window
    across, up = abs(a) * max(abs(x0), abs(x1)), abs(b) * max(abs(y0), abs(y1))
    return max(
        _SLIVER * (abs(a) * (x1 - x0) + abs(b) * (y1 - y0)),
        _ROUNDING * (across + up + abs(c)) if a or b else 0.0,
    )


# ---- Where a function on a grid is positive: closed polygons, by marching squares

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
    """Parts of a window where a function is positive.

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
    """Segments along the zero line, as pairs of points, and the points.

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
    """Segments `ends` (n, 2) of :func:`crossings`, each after the one it continues."""
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
    """Numbers of the four edges of each cell; level edges come first."""
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
    """Closed rings of points that the segments form."""
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


# ---------------------------------------------------------------- raster


SIDE = 200
EVERYWHERE = 1e100  # larger than any decision value


@dataclass(frozen=True, eq=False)
class Raster:
    """The decision values of all kernel nodes on a grid in a plane."""

    # x, y: (side,), places of the grid points, rising, from one end of the window to the other
    x: np.ndarray
    y: np.ndarray
    # (n_splits, side, side). f of each row of the tree's table of kernel splits, at each (y, x).
    # Zero is the boundary, +1 and -1 are the margins.
    decided: np.ndarray

    def contour(self, split: int, level: float = 0.0) -> np.ndarray:
        """Segments (x0, y0, x1, y1) where f of a row of the table is at a level.

        Each segment begins where the one before it ends, as far as the line goes on.
        """
        ends, points = crossings(self.x, self.y, self.decided[split] - level)
        return points[in_chains(ends)].reshape(-1, 4)


def raster(
    tree: Tree,
    bounds: tuple[float, float, float, float],
    features: tuple[int, int] = (0, 1),
    at: np.ndarray | None = None,
    side: int = SIDE,
) -> Raster:
    """Decision values of every kernel node of a tree on a grid.

    Parameters
    ----------
    tree : Tree
        All its inner nodes are kernel nodes.
    bounds : tuple of float
        (x_min, x_max, y_min, y_max).
    features : tuple of int, default (0, 1)
        The features on the two axes; the same twice draws one feature over a dummy axis.
    at : ndarray, shape (n_features,), optional
        Where the other features are fixed; 0 if not given.
    side : int, default 200
        Grid points along each axis.

    Notes
    -----
    All nodes share their kernel values; see :meth:`KernelSplits.decide_plane`.
    """
    across, up = np.eye(tree.n_features)[list(features)]
    origin = np.where(across + up > 0, 0.0, 0.0 if at is None else at)
    up = np.zeros_like(up) if features[0] == features[1] else up
    return plane_raster(tree, bounds, origin, across, up, side)


def plane_raster(
    tree: Tree,
    bounds: tuple[float, float, float, float],
    origin: np.ndarray,
    across: np.ndarray,
    up: np.ndarray,
    side: int = SIDE,
) -> Raster:
    """As :func:`raster`, in the plane ``origin + x across + y up`` of feature space."""
    x, y = np.linspace(*bounds[:2], side), np.linspace(*bounds[2:], side)
    return Raster(x, y, tree.kernel.decide_plane(x, y, origin, across, up))


@dataclass(frozen=True, eq=False)
class RasterPolygons:
    """Nodes in a window as polygons, with their boundaries as short segments."""

    # (n,) intp, node of each polygon; a node in several parts has as many, one after the other.
    node: np.ndarray
    vertices: np.ndarray  # (n_vertices, 2)
    offset: np.ndarray  # (n + 1,) intp
    curve: np.ndarray  # (n_segments, 4), (x0, y0, x1, y1) along f = 0, where the node is reached
    # (n_segments,) intp, the polygon to whose node a segment belongs: the first of that node.
    curve_row: np.ndarray


def raster_polygons(tree: Tree, grid: Raster) -> RasterPolygons:
    """Regions of all nodes, parents first; linear between grid points."""
    reached = _reached(tree, grid)
    nodes, polygons, curves, rows = [], [], [], []
    for node, values in enumerate(reached):
        parts = polygons_where_positive(grid.x, grid.y, values) if node else [_window(grid)]
        if parts and not tree.is_leaf(node):
            curves.append(_curve(grid, int(tree.split_row[node]), values))
            rows.append(np.full(len(curves[-1]), len(nodes)))
        nodes += [node] * len(parts)
        polygons += parts
    return RasterPolygons(
        node=np.array(nodes, dtype=np.intp),
        vertices=np.concatenate(polygons),
        offset=np.cumsum([0, *map(len, polygons)]),
        curve=np.concatenate([np.empty((0, 4)), *curves]),
        curve_row=np.concatenate([np.empty(0, dtype=np.intp), *rows]),
    )


def _reached(tree: Tree, grid: Raster) -> list[np.ndarray]:
    """Function for each node that is positive just where the node is reached."""
    shape = (len(grid.y), len(grid.x))
    reached = [np.full(shape, EVERYWHERE)] * tree.n_nodes
    for node in np.flatnonzero(tree.n_children > 0):
        f, child = grid.decided[tree.split_row[node]], int(tree.first_child[node])
        second = np.where(f > 0, -f, np.maximum(-f, np.finfo(np.float64).tiny))
        reached[child] = np.minimum(reached[node], f)
        reached[child + 1] = np.minimum(reached[node], second)
    return reached


def _window(grid: Raster) -> np.ndarray:
    (x0, x1), (y0, y1) = grid.x[[0, -1]], grid.y[[0, -1]]
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])


def _curve(grid: Raster, split: int, reached: np.ndarray) -> np.ndarray:
    """Segments of f = 0 whose middle lies where the node is reached."""
    segments = grid.contour(split)
    middle = (segments[:, :2] + segments[:, 2:]) / 2
    value = 0.0
    for row, up in _beside(grid.y, middle[:, 1]):
        for column, across in _beside(grid.x, middle[:, 0]):
            value = value + up * across * reached[row, column]
    return segments[value > 0]


def _beside(places: np.ndarray, at: np.ndarray) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """Grid lines on both sides of each place, with their weights."""
    above = np.searchsorted(places, at, side="right").clip(1, len(places) - 1)
    share = (at - places[above - 1]) / (places[above] - places[above - 1])
    return (above - 1, 1.0 - share), (above, share)
