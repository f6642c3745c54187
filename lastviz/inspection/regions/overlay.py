"""Overlay of two models in a plane: their agreement, and both predictions elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from lastviz.estimators import TreeClassifier
from lastviz.tree import Tree
from lastviz.tree.kernel_splits import walk

from .raster import SIDE, Polygon, cut_polygon, plane_raster
from .regions import Regions, tree_regions

Bounds = tuple[float, float, float, float]

PAIRS_AT_ONCE = 1_000_000  # of regions, whose boxes are compared


@dataclass(frozen=True, eq=False)
class Overlay:
    """The cells into which the regions of two models cut a window of a plane."""

    bounds: Bounds  # tuple of float, (x_min, x_max, y_min, y_max)
    # (n_vertices, 2), corners of all cells, one after the other, counter-clockwise.
    vertices: np.ndarray
    offset: np.ndarray  # (n_cells + 1,) intp, cell i is `vertices[offset[i]:offset[i + 1]]`
    nodes: np.ndarray  # (n_cells, 2) intp, the node of either tree in which a cell lies
    prediction: np.ndarray  # (n_cells, 2) intp, the class index that either says there
    area: np.ndarray  # (n_cells,) float64
    exact: bool  # False where the cells are made of the squares of a grid

    @property
    def agrees(self) -> np.ndarray:
        """Whether both predict the same, shape (n_cells,)."""
        return self.prediction[:, 0] == self.prediction[:, 1]

    @property
    def share(self) -> float:
        """Share of the window's area where they disagree."""
        x0, x1, y0, y1 = self.bounds
        return float(self.area[~self.agrees].sum() / ((x1 - x0) * (y1 - y0)))

    def cell(self, i: int) -> np.ndarray:
        """Corners of cell `i`, shape (k, 2)."""
        return self.vertices[self.offset[i] : self.offset[i + 1]]

    def pairs(self) -> dict[tuple[int, int], float]:
        """Share of the window for each pair of classes that occurs, largest first."""
        x0, x1, y0, y1 = self.bounds
        found, which = np.unique(self.prediction, axis=0, return_inverse=True)
        shares = np.bincount(which.ravel(), self.area) / ((x1 - x0) * (y1 - y0))
        order = np.argsort(-shares, kind="stable")
        return {(int(a), int(b)): float(shares[i]) for i in order for a, b in [found[i]]}


def overlay(
    first: TreeClassifier,
    second: TreeClassifier,
    bounds: Bounds,
    features: tuple[int, int] = (0, 1),
    at: np.ndarray | None = None,
) -> Overlay:
    """Agreement of two fitted trees in a plane, exact unless splits are curves.

    Parameters
    ----------
    first, second : TreeClassifier
        Fitted on the same columns and classes.
    bounds : tuple of float
        (x_min, x_max, y_min, y_max), the window.
    features : tuple of int, default (0, 1)
        The features on the two axes.
    at : ndarray, shape (n_features,), optional
        Where the other features are fixed; needed for more than two features.

    Raises
    ------
    ValueError
        As :func:`lastviz.inspection.regions`.

    Notes
    -----
    A cell is what a leaf of the one and a leaf of the other share: polygons that tile the
    window. Trees of kernel machines are asked at the middles of 200 x 200 squares.
    """
    one, two = first.tree_, second.tree_
    if not (len(one.kernel) or len(two.kernel)):
        pair = (tree_regions(tree, bounds, features, at) for tree in (one, two))
        return regions_overlay(*pair)
    nodes = [plane_nodes(tree, bounds, features, at) for tree in (one, two)]
    labels = [tree.prediction[node] for tree, node in zip((one, two), nodes, strict=True)]
    return grid_overlay(labels, bounds, nodes)


def regions_overlay(
    first: Regions, second: Regions, bounds: Bounds | None = None, depth: int | None = None
) -> Overlay:
    """Agreement of the regions of two trees.

    Parameters
    ----------
    first, second : Regions
        In the same plane, of convex polygons.
    bounds : tuple of float, optional
        A window inside both; that of `first` if not given.
    depth : int or None, default None
        Where both trees are cut, as :meth:`Regions.visible`.

    Notes
    -----
    Of the pairs of regions whose bounding boxes overlap, boxes are intersected all at once,
    other polygons cut edge by edge.
    """
    bounds = first.bounds if bounds is None else bounds
    rows = [found.visible(depth) for found in (first, second)]
    boxes = [_boxes(found, each) for found, each in zip((first, second), rows, strict=True)]
    i, j = _overlapping(*boxes, bounds)
    ends = [box[each] for box, each in zip(boxes, (i, j), strict=True)]
    low = np.maximum(np.maximum(ends[0][:, :2], ends[1][:, :2]), [bounds[0], bounds[2]])
    high = np.minimum(np.minimum(ends[0][:, 2:], ends[1][:, 2:]), [bounds[1], bounds[3]])
    corners = np.concatenate([low, high], axis=1)[:, [[0, 1], [2, 1], [2, 3], [0, 3]]]
    plain = [_are_boxes(found, each) for found, each in zip((first, second), rows, strict=True)]
    cells = list(corners)
    for k in np.flatnonzero(~(plain[0][i] & plain[1][j])).tolist():
        polygon = list(map(tuple, first.polygon(rows[0][i[k]]).tolist()))
        for clip in (second.polygon(rows[1][j[k]]), _window(bounds)):
            polygon = _clipped(polygon, clip, bounds)
        cells[k] = np.array(polygon, dtype=np.float64).reshape(-1, 2)
    area = np.array([_area(cell) for cell in cells])
    nonempty = np.flatnonzero(area > 0)
    a, b = rows[0][i[nonempty]], rows[1][j[nonempty]]
    return Overlay(
        bounds=tuple(map(float, bounds)),
        vertices=np.concatenate([cells[k] for k in nonempty]),
        offset=np.cumsum([0, *(len(cells[k]) for k in nonempty)]),
        nodes=np.column_stack([first.node[a], second.node[b]]),
        prediction=np.column_stack([first.prediction[a], second.prediction[b]]),
        area=area[nonempty],
        exact=True,
    )


def _overlapping(
    first: np.ndarray, second: np.ndarray, bounds: Bounds
) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of boxes (x and y low, x and y high) that overlap inside a window."""
    least, most = np.array([bounds[0], bounds[2]]), np.array([bounds[1], bounds[3]])
    step = max(PAIRS_AT_ONCE // max(len(second), 1), 1)
    pairs = []
    for begin in range(0, len(first), step):
        part = first[begin : begin + step]
        overlaps = np.ones((len(part), len(second)), dtype=bool)
        for axis in (0, 1):
            low = np.maximum(np.maximum.outer(part[:, axis], second[:, axis]), least[axis])
            high = np.minimum.outer(part[:, axis + 2], second[:, axis + 2])
            overlaps &= low < np.minimum(high, most[axis])
        i, j = np.nonzero(overlaps)
        pairs.append((i + begin, j))
    return tuple(map(np.concatenate, zip(*pairs, strict=True)))


def _boxes(regions: Regions, rows: np.ndarray) -> np.ndarray:
    """Bounding boxes of some regions, shape (n, 4): x and y low, x and y high."""
    starts = regions.offset[:-1]
    low = np.minimum.reduceat(regions.vertices, starts)
    high = np.maximum.reduceat(regions.vertices, starts)
    return np.concatenate([low, high], axis=1)[rows]


def _are_boxes(regions: Regions, rows: np.ndarray) -> np.ndarray:
    """Mask of the regions that are rectangles along the axes."""
    box, found = _boxes(regions, rows), np.zeros(len(rows), dtype=bool)
    for k, i in enumerate(rows.tolist()):
        corners = regions.polygon(i)
        found[k] = len(corners) == 4 and (
            np.isin(corners[:, 0], box[k, [0, 2]]).all()
            and np.isin(corners[:, 1], box[k, [1, 3]]).all()
        )
    return found


def _window(bounds: Bounds) -> np.ndarray:
    x0, x1, y0, y1 = bounds
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], dtype=np.float64)


def _clipped(polygon: Polygon, clip: np.ndarray, bounds: Bounds) -> Polygon:
    """Part of a convex polygon inside another one; empty without area."""
    for (x0, y0), (x1, y1) in zip(clip.tolist(), np.roll(clip, -1, axis=0).tolist(), strict=True):
        if not polygon:
            break
        across, up = y1 - y0, x0 - x1
        length = float(np.hypot(across, up))
        if length > 0:
            across, up = across / length, up / length
            plane = [across, up, across * x0 + up * y0]
            polygon, _, _ = cut_polygon(polygon, plane, bounds)
    return polygon


def _area(polygon: np.ndarray) -> float:
    """Area of a polygon (k, 2), measured from its first corner."""
    if len(polygon) < 3:
        return 0.0
    x, y = (polygon - polygon[0]).T
    return 0.5 * float(x @ np.roll(y, -1) - np.roll(x, -1) @ y)


def plane_nodes(
    tree: Tree,
    bounds: Bounds,
    features: tuple[int, int] = (0, 1),
    at: np.ndarray | None = None,
    side: int = SIDE,
) -> np.ndarray:
    """Node in which the middle of each square of a grid lies, shape (side, side).

    The first axis is the vertical one. Parameters are those of :func:`overlay`.
    """
    x, y = _middles(bounds[:2], side), _middles(bounds[2:], side)
    across, up = np.eye(tree.n_features)[list(features)]
    origin = np.where(across + up > 0, 0.0, 0.0 if at is None else at)
    up = np.zeros_like(up) if features[0] == features[1] else up
    if len(tree.kernel):
        grid = plane_raster(tree, (x[0], x[-1], y[0], y[-1]), origin, across, up, side)
        decided = grid.decided.reshape(len(tree.kernel), -1).T
        return walk(tree.first_child, tree.split_row, decided).reshape(side, side)
    places = origin + np.outer(np.tile(x, side), across) + np.outer(np.repeat(y, side), up)
    return tree.apply(places).reshape(side, side)


def _middles(ends: tuple[float, float], side: int) -> np.ndarray:
    edges = np.linspace(*ends, side + 1)
    return (edges[:-1] + edges[1:]) / 2.0


def grid_overlay(
    labels: list[np.ndarray], bounds: Bounds, nodes: list[np.ndarray] | None = None
) -> Overlay:
    """Agreement of two models evaluated at the centres of a grid's squares.

    Parameters
    ----------
    labels : list of two ndarray of intp, shape (n_rows, n_columns)
        What each says; the first row lies lowest.
    bounds : tuple of float
        (x_min, x_max, y_min, y_max), the window.
    nodes : list of two ndarray of intp, shape (n_rows, n_columns), optional
        Where each says it; 0 if not given.

    Notes
    -----
    Squares with the same answers that touch in a row are one cell, and so are such runs of
    equal length above each other.
    """
    nodes = [np.zeros_like(label) for label in labels] if nodes is None else nodes
    answers = np.stack([*nodes, *labels], axis=-1)
    n_rows, n_columns = labels[0].shape
    runs = []  # [first row, end row, first column, end column]
    open_runs: dict[tuple[int, int], list[int]] = {}
    for row in range(n_rows):
        changes = (answers[row, 1:] != answers[row, :-1]).any(axis=1)
        edges = [0, *(np.flatnonzero(changes) + 1).tolist(), n_columns]
        going_on = {}
        for begin, end in pairwise(edges):
            run = open_runs.get((begin, end))
            if run is not None and (answers[row, begin] == answers[row - 1, begin]).all():
                run[1] = row + 1
            else:
                run = [row, row + 1, begin, end]
                runs.append(run)
            going_on[begin, end] = run
        open_runs = going_on
    return _of_runs(np.array(runs), answers, bounds)


def _of_runs(runs: np.ndarray, answers: np.ndarray, bounds: Bounds) -> Overlay:
    x = np.linspace(*bounds[:2], answers.shape[1] + 1)
    y = np.linspace(*bounds[2:], answers.shape[0] + 1)
    low, high, left, right = y[runs[:, 0]], y[runs[:, 1]], x[runs[:, 2]], x[runs[:, 3]]
    corners = np.array([[left, low], [right, low], [right, high], [left, high]])
    here = answers[runs[:, 0], runs[:, 2]]
    return Overlay(
        bounds=tuple(map(float, bounds)),
        vertices=corners.transpose(2, 0, 1).reshape(-1, 2),
        offset=4 * np.arange(len(runs) + 1),
        nodes=here[:, :2],
        prediction=here[:, 2:],
        area=(right - left) * (high - low),
        exact=False,
    )
