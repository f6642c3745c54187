"""Regions of a tree: exact polygons of every node in a plane through feature space."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from lastviz.estimators import TreeClassifier
from lastviz.tree import Kind, Tree

from .raster import plane_raster, raster_polygons, walk_polygons


@dataclass(frozen=True, eq=False)
class Regions:
    """The nodes of a tree that a plane meets, each with its polygon.

    The plane is spanned by two features; all others are fixed. Row i of the arrays is one
    node; parents come before their children, so the leaves up to a depth tile the plane.
    Polygons are convex and exact, except those of kernel trees: these are read off a grid, and
    a node that falls into several parts has as many rows.
    """

    features: tuple[int, int]  # the features on the horizontal and the vertical axis
    feature_names: tuple[str, str]  # their names
    bounds: tuple[float, float, float, float]  # (x_min, x_max, y_min, y_max)
    at: np.ndarray  # (n_features,), the values at which the other features are fixed
    node: np.ndarray  # (n,) intp, node number, its depth and its class index
    depth: np.ndarray  # (n,) intp, node number, its depth and its class index
    prediction: np.ndarray  # (n,) intp, node number, its depth and its class index
    # (n,) bool, whether nothing below the node is drawn: a leaf, or an inner node where rows stop
    # whose category it has not seen.
    leaf: np.ndarray
    # (n_vertices, 2), corners of all polygons, one after the other, counter-clockwise.
    vertices: np.ndarray
    offset: np.ndarray  # (n + 1,) intp, polygon i is `vertices[offset[i]:offset[i + 1]]`
    # (n, 4), (x0, y0, x1, y1): the node's split as it cuts its own polygon; NaN at leaves and where
    # the split does not cross the plane inside the polygon, or is no straight line.
    segment: np.ndarray
    # (n_segments, 4), curved splits in short segments (x0, y0, x1, y1).
    curve: np.ndarray = field(default_factory=lambda: np.empty((0, 4)))
    # (n_segments,) intp, the row to which each of them belongs, the first one of its node.
    curve_row: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.intp))

    def polygon(self, i: int) -> np.ndarray:
        """Corners of polygon `i`, shape (k, 2)."""
        return self.vertices[self.offset[i] : self.offset[i + 1]]

    def visible(self, depth: int | None = None) -> np.ndarray:
        """Rows that tile the plane when the tree is cut at `depth` (None: whole)."""
        if depth is None:
            return np.flatnonzero(self.leaf)
        return np.flatnonzero((self.depth == depth) | (self.leaf & (self.depth < depth)))

    def classes_within(
        self, bounds: tuple[float, float, float, float], depth: int | None = None
    ) -> list[int]:
        """Class indices whose regions reach into a window, rising.

        Parameters
        ----------
        bounds : tuple of float
            (x_min, x_max, y_min, y_max); a region that only touches it does not count.
        depth : int or None, default None
            As :meth:`visible`.
        """
        found = set()
        for i in self.visible(depth).tolist():
            x, y = self.polygon(i).T
            if len(x) and _overlap(x, bounds[:2]) and _overlap(y, bounds[2:]):
                found.add(int(self.prediction[i]))
        return sorted(found)


def _overlap(values: np.ndarray, window: tuple[float, float]) -> bool:
    return values.max() > window[0] and values.min() < window[1]


def regions(
    estimator: TreeClassifier,
    bounds: tuple[float, float, float, float],
    features: tuple[int, int] = (0, 1),
    at: np.ndarray | None = None,
) -> Regions:
    """Regions of a fitted tree in a plane, exact unless its splits are curves.

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
    :mod:`lastviz.inspection.regions.raster`.
    """
    return tree_regions(estimator.tree_, bounds, features, at)


def tree_regions(
    tree: Tree,
    bounds: tuple[float, float, float, float],
    features: tuple[int, int] = (0, 1),
    at: np.ndarray | None = None,
) -> Regions:
    """As :func:`regions`, for a tree."""
    _check_window(bounds)
    if not all(0 <= f < tree.n_features for f in features):
        raise ValueError(f"features must be from 0 to {tree.n_features - 1}, got {features}")
    if at is None and set(range(tree.n_features)) - set(features):
        raise ValueError("at must fix the features that are not on an axis, got None")
    at = np.zeros(tree.n_features) if at is None else np.asarray(at, dtype=np.float64)
    names = (tree.feature_names[features[0]], tree.feature_names[features[1]])
    if not (len(tree.oblique) or len(tree.kernel)):
        found = _walk_boxes(tree, bounds, features, at)
        return _regions(tree, found, bounds, features, names, at)
    across, up = np.eye(tree.n_features)[list(features)]
    origin = np.where(across + up > 0, 0.0, at)
    up = np.zeros_like(up) if features[0] == features[1] else up
    found = _walk(tree, bounds, origin, across, up)
    return _regions(tree, found, bounds, features, names, at)


def plane_regions(
    estimator: TreeClassifier,
    bounds: tuple[float, float, float, float],
    *,
    origin: np.ndarray,
    across: np.ndarray,
    up: np.ndarray,
    axes: tuple[int, int],
    names: tuple[str, str],
) -> Regions:
    """Regions of a fitted tree in any plane through feature space.

    Parameters
    ----------
    estimator : TreeClassifier
        Fitted.
    bounds : tuple of float
        (x_min, x_max, y_min, y_max), the window, in units of `across` and `up`.
    origin, across, up : ndarray, shape (n_features,)
        The plane is ``origin + x across + y up``.
    axes : tuple of int
        What becomes `features` of the answer, such as the components on the axes.
    names : tuple of str
        What the axes are called.

    Raises
    ------
    ValueError
        If the window is empty.
    """
    _check_window(bounds)
    tree = estimator.tree_
    origin, across, up = (np.asarray(v, dtype=np.float64) for v in (origin, across, up))
    found = _walk(tree, bounds, origin, across, up)
    return _regions(tree, found, bounds, axes, names, origin)


_Window = tuple[float, float, float, float]
_Found = tuple[np.ndarray, ...]


def _check_window(bounds: _Window) -> None:
    x0, x1, y0, y1 = bounds
    if not (x0 < x1 and y0 < y1):
        raise ValueError(f"bounds must be a window x_min < x_max, y_min < y_max, got {bounds}")


def _regions(
    tree: Tree,
    found: _Found,
    bounds: _Window,
    features: tuple[int, int],
    names: tuple[str, str],
    at: np.ndarray,
) -> Regions:
    node, vertices, offset, segment, *curves = found
    goes_on = np.isin(node, tree.parent[node])
    x0, x1, y0, y1 = map(float, bounds)
    return Regions(
        features=features,
        feature_names=names,
        bounds=(x0, x1, y0, y1),
        at=at,
        node=node,
        depth=tree.depth[node],
        prediction=tree.prediction[node],
        leaf=(tree.n_children[node] == 0) | ((tree.kind[node] == Kind.CATEGORIES) & ~goes_on),
        vertices=vertices,
        offset=offset,
        segment=segment,
        **dict(zip(("curve", "curve_row"), curves, strict=False)),
    )


def _walk(
    tree: Tree, window: _Window, origin: np.ndarray, across: np.ndarray, up: np.ndarray
) -> _Found:
    """Nodes, vertices, offsets and segments of any tree in any plane, and its curves."""
    if not len(tree.kernel):
        return _walk_polygons(tree, window, origin, across, up)
    found = raster_polygons(tree, plane_raster(tree, window, origin, across, up))
    segment = np.full((len(found.node), 4), np.nan)
    return found.node, found.vertices, found.offset, segment, found.curve, found.curve_row


def _walk_polygons(
    tree: Tree, window: _Window, origin: np.ndarray, across: np.ndarray, up: np.ndarray
) -> _Found:
    """Nodes, vertices, offsets and segments of a tree with splits of any direction."""
    node, polygons, segment = walk_polygons(tree, window, origin, across, up)
    vertices = np.array([corner for polygon in polygons for corner in polygon])
    offset = np.concatenate([[0], np.cumsum([len(polygon) for polygon in polygons])])
    return node, vertices, offset, segment


def _walk_boxes(tree: Tree, window: _Window, features: tuple[int, int], at: np.ndarray) -> _Found:
    """The same, faster, where every split is a threshold and so every region a box."""
    first_child, split_on = tree.first_child.tolist(), tree.feature.tolist()
    thresholds, kinds = tree.threshold.tolist(), tree.kind.tolist()
    split_row, branches = tree.split_row.tolist(), tree.categories.branch
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
        if kinds[node] == Kind.CATEGORIES:
            branch = int(branches[split_row[node], int(at[feature])])
            if branch >= 0:
                waiting.append((first + branch, box))
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
    """Parts of a box below and above a threshold, None where there is no area."""
    low, high = box[2 * axis], box[2 * axis + 1]
    if threshold >= high:
        return box, None
    if threshold <= low:
        return None, box
    if axis == 0:
        return (low, threshold, *box[2:]), (threshold, high, *box[2:])
    return (*box[:2], low, threshold), (*box[:2], threshold, high)
