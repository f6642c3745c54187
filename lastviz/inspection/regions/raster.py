"""Regions of trees whose splits are curves: worked out on a grid, drawn as polygons."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz.tree import Tree

from .contours import crossings, in_chains, polygons_where_positive

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
        """Return where f of a row of the table has a level, as segments (x0, y0, x1, y1).

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
    """Return what every kernel node of a tree says on a grid.

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
    """As :func:`raster`, in the plane ``origin + x across + y up`` through feature space."""
    x, y = np.linspace(*bounds[:2], side), np.linspace(*bounds[2:], side)
    return Raster(x, y, tree.kernel.decide_plane(x, y, origin, across, up))


@dataclass(frozen=True, eq=False)
class RasterPolygons:
    """The nodes that a window meets as polygons, and their boundaries as short segments."""

    # (n,) intp, node of each polygon; a node in several parts has as many, one after the other.
    node: np.ndarray
    vertices: np.ndarray  # (n_vertices, 2)
    offset: np.ndarray  # (n + 1,) intp
    curve: np.ndarray  # (n_segments, 4), (x0, y0, x1, y1) along f = 0, where the node is reached
    # (n_segments,) intp, the polygon to whose node a segment belongs: the first of that node.
    curve_row: np.ndarray


def raster_polygons(tree: Tree, grid: Raster) -> RasterPolygons:
    """Return the regions of all nodes, parents first; linear between grid points."""
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
    """Return, for each node, a function that is positive just where the node is reached."""
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
    """Return the segments of f = 0 whose middle lies where the node is reached."""
    segments = grid.contour(split)
    middle = (segments[:, :2] + segments[:, 2:]) / 2
    value = 0.0
    for row, up in _beside(grid.y, middle[:, 1]):
        for column, across in _beside(grid.x, middle[:, 0]):
            value = value + up * across * reached[row, column]
    return segments[value > 0]


def _beside(places: np.ndarray, at: np.ndarray) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """Return the grid lines on both sides of each place, with their weights."""
    above = np.searchsorted(places, at, side="right").clip(1, len(places) - 1)
    share = (at - places[above - 1]) / (places[above] - places[above - 1])
    return (above - 1, 1.0 - share), (above, share)
