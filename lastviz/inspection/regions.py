"""Where a tree draws its lines: exact polygons of every node in a plane through feature space."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from lastviz.estimators import TreeClassifier
from lastviz.tree import Tree

from .polygons import walk_polygons
from .raster import raster, raster_polygons

__all__ = ["Regions", "regions"]


@dataclass(frozen=True, eq=False)
class Regions:
    """The nodes of a tree that a plane meets, each with its polygon.

    The plane is spanned by two features; all others are fixed. Row i of the arrays is one
    node; parents come before their children, so the leaves up to a depth tile the plane.
    Polygons are convex and exact, except those of kernel trees: these are read off a grid, and
    a node that falls into several parts has as many rows.

    Attributes
    ----------
    features : tuple of int
        The features on the horizontal and the vertical axis.
    feature_names : tuple of str
        Their names.
    bounds : tuple of float
        (x_min, x_max, y_min, y_max).
    at : ndarray, shape (n_features,)
        The values at which the other features are fixed.
    node, depth, prediction : ndarray of intp, shape (n,)
        Node number, its depth and its class index.
    leaf : ndarray of bool, shape (n,)
    vertices : ndarray, shape (n_vertices, 2)
        Corners of all polygons, one after the other, counter-clockwise.
    offset : ndarray of intp, shape (n + 1,)
        Polygon i is ``vertices[offset[i]:offset[i + 1]]``.
    segment : ndarray, shape (n, 4)
        (x0, y0, x1, y1): the node's split as it cuts its own polygon; NaN at leaves and where
        the split does not cross the plane inside the polygon, or is no straight line.
    curve : ndarray, shape (n_segments, 4)
        Curved splits in short segments (x0, y0, x1, y1).
    curve_row : ndarray of intp, shape (n_segments,)
        The row to which each of them belongs, the first one of its node.
    """

    features: tuple[int, int]
    feature_names: tuple[str, str]
    bounds: tuple[float, float, float, float]
    at: np.ndarray
    node: np.ndarray
    depth: np.ndarray
    prediction: np.ndarray
    leaf: np.ndarray
    vertices: np.ndarray
    offset: np.ndarray
    segment: np.ndarray
    curve: np.ndarray = field(default_factory=lambda: np.empty((0, 4)))
    curve_row: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.intp))

    def polygon(self, i: int) -> np.ndarray:
        """Return the corners of polygon `i`, shape (k, 2)."""
        return self.vertices[self.offset[i] : self.offset[i + 1]]

    def visible(self, depth: int | None = None) -> np.ndarray:
        """Return the rows that tile the plane when the tree is cut at `depth` (None: whole)."""
        if depth is None:
            return np.flatnonzero(self.leaf)
        return np.flatnonzero((self.depth == depth) | (self.leaf & (self.depth < depth)))


def regions(
    estimator: TreeClassifier,
    bounds: tuple[float, float, float, float],
    features: tuple[int, int] = (0, 1),
    at: np.ndarray | None = None,
) -> Regions:
    """Return the regions of a fitted tree in a plane, exact unless its splits are curves.

    Parameters
    ----------
    estimator : TreeClassifier
        Fitted.
    bounds : tuple of float
        (x_min, x_max, y_min, y_max), the window.
    features : tuple of int, default (0, 1)
        The features on the two axes; the same twice draws one feature over a dummy axis.
    at : ndarray, shape (n_features,), optional
        Where the other features are fixed; needed for more than two features.

    Raises
    ------
    ValueError
        If the window is empty, a feature does not exist, or `at` is missing.

    Notes
    -----
    Each node's polygon is its parent's, cut by the parent's split: exact, a box where all
    splits are thresholds, O(corners) a node. Nodes that the plane does not meet are left out.
    Kernel trees are worked out on a grid of 200 x 200 places, see
    :mod:`lastviz.inspection.raster`.
    """
    tree = estimator.tree_
    x0, x1, y0, y1 = bounds
    if not (x0 < x1 and y0 < y1):
        raise ValueError(f"bounds must be a window x_min < x_max, y_min < y_max, got {bounds}")
    if not all(0 <= f < tree.n_features for f in features):
        raise ValueError(f"features must be from 0 to {tree.n_features - 1}, got {features}")
    if at is None and set(range(tree.n_features)) - set(features):
        raise ValueError("at must fix the features that are not on an axis, got None")
    at = np.zeros(tree.n_features) if at is None else np.asarray(at, dtype=np.float64)
    if len(tree.kernel):
        return _on_a_grid(tree, (float(x0), float(x1), float(y0), float(y1)), features, at)
    walk = _walk_polygons if len(tree.oblique) else _walk_boxes
    node, vertices, offset, segment = walk(tree, (x0, x1, y0, y1), features, at)
    return Regions(
        features=features,
        feature_names=(tree.feature_names[features[0]], tree.feature_names[features[1]]),
        bounds=(float(x0), float(x1), float(y0), float(y1)),
        at=at,
        node=node,
        depth=tree.depth[node],
        prediction=tree.prediction[node],
        leaf=tree.n_children[node] == 0,
        vertices=vertices,
        offset=offset,
        segment=segment,
    )


def _on_a_grid(
    tree: Tree, window: tuple[float, float, float, float], features: tuple[int, int], at: np.ndarray
) -> Regions:
    found = raster_polygons(tree, raster(tree, window, features, at))
    return Regions(
        features=features,
        feature_names=(tree.feature_names[features[0]], tree.feature_names[features[1]]),
        bounds=window,
        at=at,
        node=found.node,
        depth=tree.depth[found.node],
        prediction=tree.prediction[found.node],
        leaf=tree.n_children[found.node] == 0,
        vertices=found.vertices,
        offset=found.offset,
        segment=np.full((len(found.node), 4), np.nan),
        curve=found.curve,
        curve_row=found.curve_row,
    )


def _walk_polygons(
    tree: Tree, window: tuple[float, float, float, float], features: tuple[int, int], at: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return nodes, vertices, offsets and segments of a tree with oblique splits."""
    node, polygons, segment = walk_polygons(tree, window, features, at)
    vertices = np.array([corner for polygon in polygons for corner in polygon])
    offset = np.concatenate([[0], np.cumsum([len(polygon) for polygon in polygons])])
    return node, vertices, offset, segment


def _walk_boxes(
    tree: Tree, window: tuple[float, float, float, float], features: tuple[int, int], at: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The same, faster, where every split is a threshold and so every region a box."""
    first_child, split_on = tree.first_child.tolist(), tree.feature.tolist()
    thresholds = tree.threshold.tolist()
    nodes, boxes, segments = [], [], []
    waiting = [(0, window)]
    while waiting:
        node, box = waiting.pop()
        nodes.append(node)
        boxes.append(box)
        segments.append(_NO_SEGMENT)
        first, feature, threshold = first_child[node], split_on[node], thresholds[node]
        if first < 0:
            continue
        if feature not in features:
            waiting.append((first if at[feature] <= threshold else first + 1, box))
            continue
        axis = features.index(feature)
        below, above = _cut(box, axis, threshold)
        if below and above:
            x0, x1, y0, y1 = box
            segments[-1] = (
                (threshold, y0, threshold, y1) if axis == 0 else (x0, threshold, x1, threshold)
            )
        if above:
            waiting.append((first + 1, above))
        if below:
            waiting.append((first, below))
    corners = np.array(boxes, dtype=np.float64)[:, [[0, 2], [1, 2], [1, 3], [0, 3]]]
    offset = 4 * np.arange(len(nodes) + 1)
    return np.array(nodes, dtype=np.intp), corners.reshape(-1, 2), offset, np.array(segments)


_NO_SEGMENT = (np.nan, np.nan, np.nan, np.nan)
_Box = tuple[float, float, float, float]


def _cut(box: _Box, axis: int, threshold: float) -> tuple[_Box | None, _Box | None]:
    """Return the parts of a box below and above a threshold, None where there is no area."""
    low, high = box[2 * axis], box[2 * axis + 1]
    if threshold >= high:
        return box, None
    if threshold <= low:
        return None, box
    if axis == 0:
        return (low, threshold, *box[2:]), (threshold, high, *box[2:])
    return (*box[:2], low, threshold), (*box[:2], threshold, high)
