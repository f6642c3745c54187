"""Exact polygons of the nodes of a tree with oblique splits, by cutting with half-planes."""

from __future__ import annotations

import numpy as np

from lastviz.tree import Kind, Tree

Polygon = list[tuple[float, float]]
_NO_SEGMENT = (np.nan, np.nan, np.nan, np.nan)
# Of the window: a split that leaves a thinner sliver on one side does not cut there.
_SLIVER = 1e-12
_ROUNDING = 4e-16


def half_planes(tree: Tree, origin: np.ndarray, across: np.ndarray, up: np.ndarray) -> np.ndarray:
    """Return each node's split in a plane as (a, b, c): ``a x + b y <= c`` goes first.

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
    """Return the nodes that a window of a plane meets, their polygons and split segments.

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
    """Return the parts of a convex polygon where a x + b y <= c and where not, and the cut.

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
