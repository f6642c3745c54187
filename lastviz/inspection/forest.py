"""Decisions of a forest: votes on one sample, regions, split depths of each feature."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lastviz.estimators import ForestClassifier, TreeClassifier
from lastviz.estimators.reading import check_row
from lastviz.splitters import result_of
from lastviz.tree import Missing, Tree

from .monotonicity import codes_of, thresholds_of

FINEST = 400  # cells of an exact picture in each direction
ROWS_AT_ONCE = 16_384  # rows


def is_ensemble(estimator: ForestClassifier | TreeClassifier) -> bool:
    """Whether a model decides by more than the leaves of one tree."""
    return isinstance(estimator, ForestClassifier) or bool(getattr(estimator, "monotone", False))


@dataclass(frozen=True, eq=False)
class VotesOfSample:
    """Votes that put one sample into its class."""

    # leaf, label: (n_trees,) intp, the leaf of each tree, and the class index that it votes for
    leaf: np.ndarray
    label: np.ndarray
    # (n_trees, n_classes) float64, class supports of each tree's leaf (eq 14 of MCDF).
    tree_supports: np.ndarray
    weights: np.ndarray  # (n_trees,) float64, what each vote counts
    votes: np.ndarray  # (n_classes,) float64
    # (n_classes,) bool, the classes with the most votes: a conflict if there are several.
    tied: np.ndarray
    # (n_classes,) float64, sums of `tree_supports`, which settle a conflict of a plurality vote (eq
    # 15).
    supports: np.ndarray
    decision: int  # class index


def class_supports(tree: Tree) -> np.ndarray:
    """Share of each class among the rows of each node, (n_nodes, n_classes)."""
    total = tree.value.sum(axis=1, keepdims=True)
    return np.divide(tree.value, total, out=np.zeros_like(tree.value), where=total > 0)


def explain(forest: ForestClassifier, x: ArrayLike) -> VotesOfSample:
    """Votes of the trees of a forest on the sample `x` (n_features,).

    Raises
    ------
    ValueError
        If `x` is not one sample, or holds a missing or infinite value that the trees do not take.
    """
    x = check_row(x, forest)
    check_answered(x, [each.tree_ for each in forest.estimators_])
    found = forest.votes_of_checked(x[None, :])
    trees = [each.tree_ for each in forest.estimators_]
    each = [class_supports(tree)[leaf] for tree, leaf in zip(trees, found.leaf[0], strict=True)]
    return VotesOfSample(
        leaf=found.leaf[0],
        label=found.label[0],
        tree_supports=np.array(each),
        weights=forest.tree_weights_,
        votes=found.votes[0],
        tied=found.tied[0],
        supports=np.sum(each, axis=0),
        decision=int(found.decision[0]),
    )


def check_answered(X: np.ndarray, trees: Sequence[Tree]) -> None:
    """Refuse values without a prediction: infinite ones, and missing ones for most."""
    takes_missing = all(tree.missing != Missing.REFUSE for tree in trees)
    if np.isinf(X).any() or (np.isnan(X).any() and not takes_missing):
        what = "an infinite value" if takes_missing else "a missing or infinite value"
        raise ValueError(f"rows must not hold {what}: this model has no answer for one")


@dataclass(frozen=True, eq=False)
class ForestRegions:
    """The classes of a forest in a plane, as a grid of rectangles and as merged ones."""

    features: tuple[int, int]  # the features on the two axes
    x_edges: np.ndarray  # float64, edges of the cells, from one end of the window to the other
    y_edges: np.ndarray  # float64, edges of the cells, from one end of the window to the other
    label: np.ndarray  # (n_y, n_x) intp, class index of each cell
    # Whether the edges are all thresholds of the forest; otherwise they are evenly spaced.
    exact: bool
    # (n, 4) float64, (x0, x1, y0, y1) of rectangles that tile the window, equal neighbours merged.
    rectangles: np.ndarray
    rectangle_label: np.ndarray  # (n,) intp

    def classes_within(self, bounds: tuple[float, float, float, float]) -> list[int]:
        """Class indices whose areas reach into a window, rising.

        `bounds` is (x_min, x_max, y_min, y_max); an area that only touches it does not count.
        """
        x0, x1, y0, y1 = self.rectangles.T
        inside = (x1 > bounds[0]) & (x0 < bounds[1]) & (y1 > bounds[2]) & (y0 < bounds[3])
        return np.unique(self.rectangle_label[inside]).tolist()


def forest_regions(
    estimator: ForestClassifier | TreeClassifier,
    bounds: tuple[float, float, float, float],
    features: tuple[int, int] = (0, 1),
    at: np.ndarray | None = None,
    *,
    focus: tuple[float, float, float, float] | None = None,
) -> ForestRegions:
    """Regions of a forest, or of a tree's monotone envelope, in a plane.

    Parameters
    ----------
    estimator : ForestClassifier or TreeClassifier
        Fitted, made of trees of thresholds.
    bounds : tuple of float
        (x_min, x_max, y_min, y_max), the window.
    features : tuple of int, default (0, 1)
        The features on the two axes.
    at : ndarray, shape (n_features,), optional
        Where the other features are fixed; needed for more than two features.
    focus : tuple of float, optional
        The part of the window to look at closely where the picture is not exact; default: all.

    Raises
    ------
    ValueError
        If the window is empty, the features are wrong, or `at` is missing.

    Notes
    -----
    Exact while at most 399 thresholds of each axis lie in the window; beyond, cells of one
    400th of `focus`, and one each at its sides, with the class of their upper right corners.
    """
    return result_of(forest_regions_in_steps(estimator, bounds, features, at, focus=focus))


def forest_regions_in_steps(
    estimator: ForestClassifier | TreeClassifier,
    bounds: tuple[float, float, float, float],
    features: tuple[int, int] = (0, 1),
    at: np.ndarray | None = None,
    *,
    focus: tuple[float, float, float, float] | None = None,
) -> Generator[float, None, ForestRegions]:
    """As :func:`forest_regions`, yielding the share that is done in between."""
    n_features = estimator.n_features_in_
    x0, x1, y0, y1 = map(float, bounds)
    if not (x0 < x1 and y0 < y1):
        raise ValueError(f"bounds must be a window x_min < x_max, y_min < y_max, got {bounds}")
    if len(set(features)) != 2 or not all(0 <= f < n_features for f in features):
        raise ValueError(f"features must be two of 0 to {n_features - 1}, got {features}")
    if at is None and n_features > 2:
        raise ValueError("at must fix the features that are not on an axis, got None")
    each = getattr(estimator, "estimators_", None) or [estimator]
    cuts = thresholds_of([one.tree_ for one in each], n_features)
    fine = bounds if focus is None else focus
    x_edges, exact_x = _edges(cuts[features[0]], x0, x1, fine[:2])
    y_edges, exact_y = _edges(cuts[features[1]], y0, y1, fine[2:])
    shape = (len(y_edges) - 1, len(x_edges) - 1)
    points = np.tile(np.zeros(n_features) if at is None else at, (shape[0] * shape[1], 1))
    points[:, features[0]] = np.tile(x_edges[1:], shape[0])
    points[:, features[1]] = np.repeat(y_edges[1:], shape[1])
    label = (yield from predicted_in_steps(estimator, points)).reshape(shape)
    rectangles, of = _merged(x_edges, y_edges, label)
    return ForestRegions(features, x_edges, y_edges, label, exact_x and exact_y, rectangles, of)


def sampled_regions(
    predict: Callable[[np.ndarray], np.ndarray],
    bounds: tuple[float, float, float, float],
    features: tuple[int, int],
    at: np.ndarray,
    n_cells: int = 120,
) -> ForestRegions:
    """Regions of any model, asked at the centres of evenly spaced cells.

    Parameters
    ----------
    predict : callable
        Rows, shape (n, n_features) -> class index of each.
    bounds : tuple of float
        (x_min, x_max, y_min, y_max), the window.
    features : tuple of int
        The features on the two axes.
    at : ndarray, shape (n_features,)
        Where the other features are fixed.
    n_cells : int, default 120
        Cells in each direction.
    """
    x0, x1, y0, y1 = map(float, bounds)
    if not (x0 < x1 and y0 < y1):
        raise ValueError(f"bounds must be a window x_min < x_max, y_min < y_max, got {bounds}")
    x_edges, y_edges = np.linspace(x0, x1, n_cells + 1), np.linspace(y0, y1, n_cells + 1)
    points = np.tile(np.asarray(at, dtype=np.float64), (n_cells * n_cells, 1))
    points[:, features[0]] = np.tile((x_edges[1:] + x_edges[:-1]) / 2, n_cells)
    points[:, features[1]] = np.repeat((y_edges[1:] + y_edges[:-1]) / 2, n_cells)
    label = np.asarray(predict(points), dtype=np.intp).reshape(n_cells, n_cells)
    rectangles, of = _merged(x_edges, y_edges, label)
    return ForestRegions(features, x_edges, y_edges, label, False, rectangles, of)


def predicted_in_steps(
    estimator: ForestClassifier | TreeClassifier, X: np.ndarray
) -> Generator[float, None, np.ndarray]:
    """Class index of each row of checked data, yielding the share done in between."""
    label = np.empty(len(X), dtype=np.intp)
    for start in range(0, len(X), ROWS_AT_ONCE):
        part = slice(start, start + ROWS_AT_ONCE)
        label[part] = codes_of(estimator, X[part])
        yield min(start + ROWS_AT_ONCE, len(X)) / len(X)
    return label


def _edges(
    cuts: np.ndarray, low: float, high: float, fine: tuple[float, float]
) -> tuple[np.ndarray, bool]:
    inside = cuts[(cuts > low) & (cuts < high)]
    if len(inside) < FINEST:
        return np.r_[low, inside, high], True
    grid = np.linspace(max(low, fine[0]), min(high, fine[1]), FINEST + 1)
    return np.unique(np.r_[low, grid, high]), False


def _merged(
    x_edges: np.ndarray, y_edges: np.ndarray, label: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Merge cells to runs along x, and runs that continue the one below to rectangles."""
    growing: dict[tuple[int, int, int], int] = {}
    done: list[tuple[float, float, float, float]] = []
    labels: list[int] = []
    for row, cells in enumerate(label):
        starts = np.flatnonzero(np.r_[True, cells[1:] != cells[:-1]])
        ends = np.r_[starts[1:], len(cells)]
        runs = {(int(a), int(b), int(cells[a])) for a, b in zip(starts, ends, strict=True)}
        for run in [run for run in growing if run not in runs]:
            _close(run, growing.pop(run), row, x_edges, y_edges, done, labels)
        for run in sorted(runs):
            growing.setdefault(run, row)
    for run, first in growing.items():
        _close(run, first, len(label), x_edges, y_edges, done, labels)
    return np.array(done), np.array(labels, dtype=np.intp)


def _close(
    run: tuple[int, int, int],
    first: int,
    end: int,
    x_edges: np.ndarray,
    y_edges: np.ndarray,
    done: list[tuple[float, float, float, float]],
    labels: list[int],
) -> None:
    done.append((x_edges[run[0]], x_edges[run[1]], y_edges[first], y_edges[end]))
    labels.append(run[2])


# ---- Which feature splits how deep in the trees of a forest


@dataclass(frozen=True, eq=False)
class ForestOverview:
    """Summary of the trees of a forest."""

    n_nodes: np.ndarray  # (n_trees,) intp, size of each tree; its depth in edges
    n_leaves: np.ndarray  # (n_trees,) intp, size of each tree; its depth in edges
    depth: np.ndarray  # (n_trees,) intp, size of each tree; its depth in edges
    # (n_features, deepest) float64, share of the training rows that are sent on by a test of the
    # feature at each depth, as a mean over the trees.
    splits: np.ndarray
    trees_with: np.ndarray  # (n_features,) intp, trees that test the feature anywhere
    # (n_trees,) float64, share of the rows asked about that each tree gives the forest's class.
    agreement: np.ndarray
    representative: int  # the tree that agrees most; of equal ones the smallest, then the first


def forest_overview(forest: ForestClassifier, X: np.ndarray) -> ForestOverview:
    """Overview of a fitted forest of trees of thresholds.

    Parameters
    ----------
    forest : ForestClassifier
    X : ndarray, shape (n_samples, n_features)
        The rows on which trees and forest are compared.

    Notes
    -----
    O(n_samples n_trees depth).
    """
    trees = [each.tree_ for each in forest.estimators_]
    deepest = max(1, *(tree.max_depth for tree in trees))
    by_tree = np.array([_splits(tree, deepest) for tree in trees])
    predicted = np.stack([tree.predict(X) for tree in trees])
    decided = forest.predict_codes(np.ascontiguousarray(X, dtype=np.float64))
    agreement = (predicted == decided).mean(axis=1)
    n_nodes = np.array([tree.n_nodes for tree in trees])
    order = np.lexsort((n_nodes, -agreement))
    return ForestOverview(
        n_nodes=n_nodes,
        n_leaves=np.array([tree.n_leaves for tree in trees]),
        depth=np.array([tree.max_depth for tree in trees]),
        splits=by_tree.mean(axis=0),
        trees_with=np.count_nonzero(by_tree.sum(axis=2) > 0, axis=0),
        agreement=agreement,
        representative=int(order[0]),
    )


def _splits(tree: Tree, deepest: int) -> np.ndarray:
    inner = np.flatnonzero(tree.n_children > 0)
    share = tree.weighted_n_node_samples / (tree.weighted_n_node_samples[0] or 1.0)
    found = np.zeros((tree.n_features, deepest))
    np.add.at(found, (tree.feature[inner], tree.depth[inner]), share[inner])
    return found
