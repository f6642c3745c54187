"""Regions of a growing tree's nodes: those of the grown tree, and the changes by raising."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from lastviz.builders.nodewise import SplitColumns
from lastviz.estimators import TreeClassifier
from lastviz.splitters import AnySplit
from lastviz.tree import Action, Kind, ObliqueSplits, Tree

from .regions import Regions, tree_regions
from .slices import cut_predictions

Bounds = tuple[float, float, float, float]
NOTHING = (np.nan, np.nan, np.nan, np.nan)


@dataclass(frozen=True)
class Band:
    """A stretch of an axis that stands for one value of a feature."""

    low: float  # where it lies on the axis
    high: float  # where it lies on the axis
    # Which columns of the tree's matrix have other values there: the feature's own, or all its
    # indicators.
    columns: tuple[int, ...]
    values: tuple[float, ...]  # those values; NaN is missing


Bands = tuple[Sequence[Band], Sequence[Band]]


@dataclass(frozen=True)
class _Box:
    """A rectangle that belongs to a node."""

    node: int
    prediction: int
    shown: bool  # at any depth: made for this one
    stops: bool
    x0: float
    x1: float
    y0: float
    y1: float


def banded_regions(
    estimator: TreeClassifier,
    bounds: Bounds,
    features: tuple[int | None, int | None],
    at: np.ndarray,
    bands: Bands,
    depth: int | None = None,
) -> Regions:
    """Regions of a fitted tree in a plane with bands, exact.

    Parameters
    ----------
    estimator : TreeClassifier
        Fitted; its splits are no curves.
    bounds : (x_min, x_max, y_min, y_max)
        The stretch of each numeric axis, and of an axis that has bands only nothing.
    features : (int or None, int or None)
        The numeric features on the axes; None where an axis has bands only.
    at : ndarray, shape (n_features,)
        Where all other features are fixed, encoded; nothing is missing.
    bands : (sequence of Band, sequence of Band)
        Of the horizontal and the vertical axis.
    depth : int or None
        Where the tree will be cut: what is predicted where a value is missing depends on it.

    Notes
    -----
    Along a band the feature has one value, so what is left is a line or a point. Where a value
    is missing and the tree spreads the row over several leaves, the colour is what it predicts
    and the node is the leaf of largest weight; such a part is a row of its own of the answer,
    drawn whatever the depth. Touching rectangles of a node are one, so a node of several
    separate categories has several rows. Splits are the borders between children, in `curve`.
    O(n_bands) walks through the tree.
    """
    return tree_banded_regions(estimator.tree_, bounds, features, at, bands, depth)


def tree_banded_regions(
    tree: Tree,
    bounds: Bounds,
    features: tuple[int | None, int | None],
    at: np.ndarray,
    bands: Bands,
    depth: int | None = None,
) -> Regions:
    """As :func:`banded_regions`, for a tree."""
    at, representative = np.asarray(at, dtype=np.float64), tree.at_depth(depth)
    plain = None
    if features[0] is not None and features[1] is not None:
        plain = tree_regions(tree, bounds, features, at)
    boxes = [
        box for piece in _pieces(tree, bounds, features, at, bands, representative) for box in piece
    ]
    found = _of_boxes(tree, _joined(boxes), bounds, at)
    return found if plain is None else _both(plain, found)


def _pieces(
    tree: Tree,
    bounds: Bounds,
    features: tuple[int | None, int | None],
    at: np.ndarray,
    bands: Bands,
    representative: np.ndarray,
) -> Iterator[list[_Box]]:
    """Yield the rectangles of every line and point of the plane."""
    across, up = bands
    for band in across:
        here = _put(at, band)
        if features[1] is not None:
            line = _line(tree, features[1], bounds[2:], here, representative)
            yield [replace(b, x0=band.low, x1=band.high, y0=b.x0, y1=b.x1) for b in line]
        for other in up:
            point = _point(tree, _put(here, other), representative)
            place = {"x0": band.low, "x1": band.high, "y0": other.low, "y1": other.high}
            yield [replace(b, **place) for b in point]
    if features[0] is not None:
        for band in up:
            line = _line(tree, features[0], bounds[:2], _put(at, band), representative)
            yield [replace(b, y0=band.low, y1=band.high) for b in line]


def _put(at: np.ndarray, band: Band) -> np.ndarray:
    here = at.copy()
    here[list(band.columns)] = band.values
    return here


def _line(
    tree: Tree, feature: int, ends: tuple[float, float], at: np.ndarray, representative: np.ndarray
) -> list[_Box]:
    """Parts of a line along a numeric feature, on the horizontal axis."""
    if np.isnan(np.delete(at, feature)).any():
        return _spread_line(tree, feature, ends, at, representative)
    found = tree_regions(tree, (*ends, 0.0, 1.0), (feature, feature), at)
    boxes = []
    for i, node in enumerate(found.node.tolist()):
        corners = found.polygon(i)[:, 0]
        stops = bool(found.leaf[i])
        place = (float(corners.min()), float(corners.max()), 0.0, 1.0)
        boxes.append(_Box(node, int(found.prediction[i]), False, stops, *place))
    return boxes


def _spread_line(
    tree: Tree, feature: int, ends: tuple[float, float], at: np.ndarray, representative: np.ndarray
) -> list[_Box]:
    """Parts of a line on which a value is missing: constant between thresholds."""
    cuts = np.unique(tree.threshold[tree.feature == feature])
    cuts = cuts[(cuts > ends[0]) & (cuts < ends[1])]
    edges = np.r_[ends[0], cuts, ends[1]]
    X = np.tile(at, (len(edges) - 1, 1))
    X[:, feature] = edges[:-1] / 2.0 + edges[1:] / 2.0
    node, label = (
        representative[tree.apply(X)].tolist(),
        cut_predictions(tree, X, representative).tolist(),
    )
    parts = zip(node, label, edges[:-1].tolist(), edges[1:].tolist(), strict=True)
    return [_Box(n, k, True, True, low, high, 0.0, 1.0) for n, k, low, high in parts]


def _point(tree: Tree, at: np.ndarray, representative: np.ndarray) -> list[_Box]:
    """Nodes that hold a point; where a value is missing, the main one."""
    X = at[None, :]
    last = int(tree.apply(X)[0])
    if np.isnan(at).any():
        label = int(cut_predictions(tree, X, representative)[0])
        return [_Box(int(representative[last]), label, True, True, 0.0, 1.0, 0.0, 1.0)]
    return [
        _Box(node, int(tree.prediction[node]), False, node == last, 0.0, 1.0, 0.0, 1.0)
        for node in tree.path(last)
    ]


def _joined(boxes: list[_Box]) -> list[_Box]:
    """Rectangles, with those of one node merged that share a whole side."""
    for low, high, other in (("x0", "x1", ("y0", "y1")), ("y0", "y1", ("x0", "x1"))):
        key = ("node", "prediction", "shown", "stops", *other, low)
        merged: list[_Box] = []
        for box in sorted(boxes, key=lambda b: tuple(getattr(b, name) for name in key)):
            same = merged and all(getattr(merged[-1], n) == getattr(box, n) for n in key[:-1])
            if same and getattr(merged[-1], high) == getattr(box, low):
                merged[-1] = replace(merged[-1], **{high: getattr(box, high)})
            else:
                merged.append(box)
        boxes = merged
    return sorted(boxes, key=lambda b: (b.shown, b.node, b.x0, b.y0))


def _of_boxes(tree: Tree, boxes: list[_Box], bounds: Bounds, at: np.ndarray) -> Regions:
    node = np.array([b.node for b in boxes], dtype=np.intp)
    shown = np.array([b.shown for b in boxes], dtype=bool)
    corners = np.array(
        [[(b.x0, b.y0), (b.x1, b.y0), (b.x1, b.y1), (b.x0, b.y1)] for b in boxes],
        dtype=np.float64,
    )
    curve, curve_row = _borders(tree, boxes)
    return Regions(
        features=(0, 1),
        feature_names=("", ""),
        bounds=tuple(map(float, bounds)),
        at=at,
        node=node,
        depth=np.where(shown, 0, tree.depth[node]),
        prediction=np.array([b.prediction for b in boxes], dtype=np.intp),
        leaf=np.array([b.stops for b in boxes], dtype=bool),
        vertices=corners.reshape(-1, 2),
        offset=4 * np.arange(len(boxes) + 1),
        segment=np.tile(NOTHING, (len(boxes), 1)),
        curve=curve,
        curve_row=curve_row,
    )


def _borders(tree: Tree, boxes: list[_Box]) -> tuple[np.ndarray, np.ndarray]:
    """Borders between rectangles of a node's children, and the node's first row."""
    first_row: dict[int, int] = {}
    parts: dict[int, list[_Box]] = {}
    for row, box in enumerate(boxes):
        if box.shown:
            continue
        first_row.setdefault(box.node, row)
        if tree.parent[box.node] >= 0:
            parts.setdefault(int(tree.parent[box.node]), []).append(box)
    segments, rows = [], []
    for parent, inside in parts.items():
        for one in inside:
            for other in inside:
                if one.node == other.node:
                    continue
                x0, x1 = max(one.x0, other.x0), min(one.x1, other.x1)
                y0, y1 = max(one.y0, other.y0), min(one.y1, other.y1)
                beside = one.x1 == other.x0 and y0 < y1
                below = one.y1 == other.y0 and x0 < x1
                if beside or below:
                    segments.append((x1, y0, x1, y1) if beside else (x0, y1, x1, y1))
                    rows.append(first_row[parent])
    return np.array(segments, dtype=np.float64).reshape(-1, 4), np.array(rows, dtype=np.intp)


def _both(plain: Regions, strips: Regions) -> Regions:
    """Regions between the strips and in them."""
    n = len(plain.vertices)
    return replace(
        plain,
        **{
            name: np.concatenate([getattr(plain, name), getattr(strips, name)])
            for name in ("node", "depth", "prediction", "leaf", "vertices", "segment")
        },
        offset=np.concatenate([plain.offset, n + strips.offset[1:]]),
    )


# ---------------------------------------------------------------- growth regions


@dataclass(frozen=True, eq=False)
class Raised:
    """Changes below a node that a branch replaced, or that was split otherwise."""

    event: int  # number of the event in the log
    # (n,) intp, the positions concerned, by their numbers in the grown tree: the parent's and all
    # below.
    position: np.ndarray
    value: np.ndarray  # (n, n_classes) float64, weighted rows of each class that they hold now
    prediction: np.ndarray  # (n,) intp
    regions: Regions  # of the whole tree after the event; `node` holds positions


@dataclass(frozen=True, eq=False)
class GrowthRegions:
    """The regions of all states of a tree.

    A node keeps its region while the tree grows and is cut back, until a branch is raised:
    then its nodes take over the rows and the place of its parent. Or until a split is refitted:
    then all below it lie otherwise.
    """

    grown: Regions  # of the grown tree
    raised: tuple[Raised, ...]  # in the order of the log


def growth_regions(
    estimator: TreeClassifier,
    X: ArrayLike,
    y: ArrayLike,
    bounds: tuple[float, float, float, float],
    features: tuple[int, int] = (0, 1),
    at: np.ndarray | None = None,
    most_events: int | None = None,
    bands: Bands | None = None,
) -> GrowthRegions:
    """Regions of a tree in all states of its growth, for the plane of ``regions``.

    Parameters
    ----------
    estimator : TreeClassifier
        Fitted.
    X : array-like, shape (n_samples, n_features)
        The very rows that it was fitted on.
    y : array-like, shape (n_samples,)
        Their class indices.
    bounds, features, at
        As for :func:`lastviz.inspection.regions`.
    most_events : int or None
        Later branches that are raised are told all at once, with the last of them: as the tree
        that predicts. None: each by itself.
    bands : (sequence of Band, sequence of Band), optional
        As for :func:`lastviz.inspection.banded_regions`.

    Notes
    -----
    O(n_nodes) for the grown tree and O(n_nodes + n_samples depth) for each raised branch.
    """
    log, grown = estimator.growth_log_, estimator.grown_tree_
    splits = _all_splits(grown, log.splits)

    def drawn(tree: Tree) -> Regions:
        if bands is None:
            return tree_regions(tree, bounds, features, at)
        return tree_banded_regions(tree, bounds, features, at, bands)

    values, codes = np.ascontiguousarray(X, dtype=np.float64), np.asarray(y)
    first_child, split_of = np.full((2, grown.n_nodes), -1, dtype=np.intp)
    value, prediction = grown.value.copy(), grown.prediction.copy()
    raised, last = [], -1
    for event, (node, action, branch) in enumerate(
        zip(log.node, log.action, log.branch, strict=True)
    ):
        source = {Action.SPLIT: node, Action.RAISE: branch}.get(Action(action), -1)
        if action == Action.SPLIT:
            first_child[node], split_of[node] = grown.first_child[node], node
            continue
        if action == Action.REFIT:
            split_of[node] = grown.n_nodes + branch
        else:
            first_child[node] = -1 if source < 0 else first_child[source]
            split_of[node] = -1 if source < 0 else split_of[source]
        moves = action in (Action.RAISE, Action.REFIT)
        if moves and most_events is not None and event >= most_events:
            last = event
        elif moves:
            state = _state(grown, splits, first_child, split_of)
            below = _below(state, int(node))
            counts = _counts(state, grown, values, codes)
            value[below] = counts[below]
            _choose(prediction, value, below)
            found = drawn(state)
            raised.append(Raised(event, below, value[below], prediction[below].copy(), found))
    if last >= 0:
        state, tree = _state(grown, splits, first_child, split_of), estimator.tree_
        found = drawn(state)
        raised.append(Raised(last, _below(state, 0), tree.value, tree.prediction, found))
    return GrowthRegions(drawn(grown), tuple(raised))


def _all_splits(grown: Tree, others: tuple[AnySplit, ...]) -> dict[str, object]:
    """Columns of the grown splits, followed by those of the refitted ones.

    The hyperplanes of both stand in one table.
    """
    names = ("n_children", "kind", "feature", "threshold", "split_row")
    if not others:
        return {name: getattr(grown, name) for name in (*names, "oblique")}
    columns = SplitColumns(len(others), grown.n_features, grown.value.shape[1])
    for number, split in enumerate(others):
        columns.put(number, split)
    more = columns.fields()
    planes, n = more["oblique"], len(grown.oblique)
    more["split_row"] = np.where(more["split_row"] < 0, -1, more["split_row"] + n)
    found = {name: np.concatenate([getattr(grown, name), more[name]]) for name in names}
    weights = np.concatenate([grown.oblique.weights, planes.weights])
    threshold = np.concatenate([grown.oblique.threshold, planes.threshold])
    return {**found, "oblique": ObliqueSplits(weights, threshold)}


def _state(
    grown: Tree, splits: dict[str, object], first_child: np.ndarray, split_of: np.ndarray
) -> Tree:
    """Tree as it stands: the splits of `split_of` at the positions of the grown tree."""
    inner = split_of >= 0
    source = np.maximum(split_of, 0)
    return replace(
        grown,
        first_child=first_child.copy(),
        n_children=np.where(inner, splits["n_children"][source], 0),
        kind=np.where(inner, splits["kind"][source], Kind.LEAF).astype(np.int8),
        feature=np.where(inner, splits["feature"][source], -1),
        threshold=np.where(inner, splits["threshold"][source], np.nan),
        split_row=np.where(inner, splits["split_row"][source], -1),
        oblique=splits["oblique"],
    )


def _below(state: Tree, position: int) -> np.ndarray:
    found = [position]
    for other in found:
        found.extend(state.children(other))
    return np.sort(np.array(found, dtype=np.intp))


def _counts(state: Tree, grown: Tree, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Weighted rows of each class at all positions that exist."""
    rows, weights = grown.node_samples(0)
    counts = np.zeros_like(grown.value)
    row, leaf, share = state.leaf_weights(X[rows])
    np.add.at(counts, (leaf, y[rows[row]]), weights[row] * share)
    for position in _below(state, 0)[::-1]:
        counts[position] += counts[list(state.children(position))].sum(axis=0)
    return counts


def _choose(prediction: np.ndarray, value: np.ndarray, positions: np.ndarray) -> None:
    """Predict the largest class in place; on a tie the earlier prediction stays."""
    largest = value[positions].max(axis=1)
    changes = positions[largest > value[positions, prediction[positions]]]
    prediction[changes] = value[changes].argmax(axis=1)
