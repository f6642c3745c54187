"""Flips where a model's regions are boxes: the leaves of a tree, the cells of a plane."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from lastviz.inspection.monotonicity import thresholds_of
from lastviz.tree import Kind, Tree

LARGEST = 1e150  # what may be squared
METRICS = ("l1", "l2", "l0")


@dataclass(frozen=True, eq=False)
class Leeway:
    """The changes of a sample that are allowed, and their price."""

    x: np.ndarray  # (n_features,) float64, the sample: numbers, and codes of categories
    # low, high: (n_features,) float64. What a feature may become, both ends included; x itself
    # always lies within. Both are x where a feature must stay.
    low: np.ndarray
    high: np.ndarray
    # (n_features,) float64, the price of one unit of a number, of another category.
    weights: np.ndarray
    metric: str  # {"l1", "l2", "l0"}
    # nominal, whole: (n_features,) bool, whether the feature holds codes of categories; whether it
    # takes whole numbers alone
    nominal: np.ndarray
    whole: np.ndarray

    @property
    def free(self) -> np.ndarray:
        """Mask of the features that may change."""
        return self.low < self.high

    def steps(self, points: np.ndarray) -> np.ndarray:
        """Cost of each feature's change on its way to `points` (n, n_features)."""
        moved = np.abs(points - self.x)
        return self.weights * np.where(self.nominal, moved > 0, moved)

    def distances(self, points: np.ndarray) -> np.ndarray:
        """Distance of the sample to `points` (n, n_features)."""
        steps = self.steps(points)
        if self.metric == "l1":
            return steps.sum(axis=1)
        if self.metric == "l2":
            return np.sqrt((steps**2).sum(axis=1))
        return (points != self.x).sum(axis=1).astype(np.float64)

    def by_distance(self, points: np.ndarray) -> np.ndarray:
        """Places of `points` from near to far; equal counts (l0) go by l1."""
        return np.lexsort((self.steps(points).sum(axis=1), self.distances(points)))

    def closest(self, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, ...]:
        """Closest allowed point of boxes low < z <= high, and which boxes have one.

        Parameters
        ----------
        low, high : ndarray of float64, shape (n_boxes, n_features)

        Returns
        -------
        points, lowest, highest : ndarray of float64, shape (n_boxes, n_features)
            The points, and the smallest and largest values that the boxes allow.
        reached : ndarray of bool, shape (n_boxes,)
        """
        lowest = np.maximum(np.nextafter(low, np.inf), self.low)
        highest = np.minimum(high, self.high)
        stays = (lowest <= self.x) & (self.x <= highest)
        lowest = np.where(self.whole, np.ceil(lowest), lowest)
        highest = np.where(self.whole, np.floor(highest), highest)
        # a sample that is not whole itself may stay as it is
        lowest = np.where(stays, np.minimum(lowest, self.x), lowest)
        highest = np.where(stays, np.maximum(highest, self.x), highest)
        points = np.where(stays, self.x, np.clip(self.x, lowest, highest))
        return points, lowest, highest, (lowest <= highest).all(axis=1)


def leeway_of(
    x: np.ndarray,
    categories: Sequence[tuple | None],
    *,
    metric: str = "l1",
    weights: np.ndarray | None = None,
    fixed: Iterable[int] = (),
    ranges: np.ndarray | None = None,
    directions: np.ndarray | None = None,
    whole: Iterable[int] = (),
) -> Leeway:
    """Leeway of a sample, checked; parameters are those of :func:`.flip.nearest`.

    `categories` are those of each nominal feature, None for a numeric one.
    """
    n = len(x)
    if metric not in METRICS:
        raise ValueError(f"metric must be one of {', '.join(METRICS)}, got {metric!r}")
    nominal = np.array([known is not None for known in categories], dtype=bool)
    low, high = _ends(ranges, n)
    weights = _prices(weights, low, high, nominal)
    low[nominal], high[nominal] = -np.inf, np.inf
    sign = np.zeros(n, dtype=np.intp) if directions is None else np.asarray(directions)
    if sign.shape != (n,) or not np.isin(sign, (-1, 0, 1)).all():
        raise ValueError(f"directions must be 1, -1 or 0 for each of {n} features")
    low, high = np.minimum(low, x), np.maximum(high, x)
    low = np.where((sign > 0) & ~nominal, x, low)
    high = np.where((sign < 0) & ~nominal, x, high)
    stays = feature_mask("fixed", fixed, n)
    low[stays], high[stays] = x[stays], x[stays]
    return Leeway(
        x, low, high, weights, metric, nominal, feature_mask("whole", whole, n) & ~nominal
    )


def feature_mask(name: str, features: Iterable[int], n: int) -> np.ndarray:
    """Mask of features given by their positions."""
    places = np.array(list(features), dtype=np.intp)
    if len(places) and not (places.min() >= 0 and places.max() < n):
        raise ValueError(f"{name} must hold places of features from 0 to {n - 1}, got {places}")
    mask = np.zeros(n, dtype=bool)
    mask[places] = True
    return mask


def _ends(ranges: np.ndarray | None, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of each feature, infinite without any."""
    if ranges is None:
        return np.full(n, -np.inf), np.full(n, np.inf)
    ranges = np.array(ranges, dtype=np.float64)
    if ranges.shape != (n, 2) or not (ranges[:, 0] <= ranges[:, 1]).all():
        raise ValueError(f"ranges must be a smallest and a largest value for each of {n} features")
    return ranges[:, 0].copy(), ranges[:, 1].copy()


def _prices(
    weights: np.ndarray | None, low: np.ndarray, high: np.ndarray, nominal: np.ndarray
) -> np.ndarray:
    """Price of a unit of each feature: by default the whole range costs 1."""
    if weights is None:
        width = high - low
        known = np.isfinite(width) & (width > 1.0 / LARGEST) & ~nominal
        return np.where(known, 1.0 / np.where(known, width, 1.0), 1.0)
    weights = np.array(weights, dtype=np.float64)
    if weights.shape != low.shape or not (np.isfinite(weights) & (weights > 0)).all():
        raise ValueError(f"weights must be a number > 0 for each of {len(low)} features")
    return weights


# ---------------------------------------------------------------- box flips


CHUNK = 20_000  # cells whose class is asked at once


def nothing(method: str, *, proved: bool, bound: float = 0.0) -> dict[str, object]:
    """Fields of a flip that was not found."""
    return {
        "point": None, "edge": None, "distance": np.inf, "bound": np.inf if proved else bound,
        "proved": proved, "method": method, "leaf": None, "row": None, "changed": (),
        "low": None, "high": None, "options": {},
    }  # fmt: skip


def nearest_box(tree: Tree, leeway: Leeway, wanted: int, min_samples: float) -> dict[str, object]:
    """Fields of the flip in a tree of thresholds and categories.

    O(n_nodes n_features + n_leaves n_categories).
    """
    leaf = np.flatnonzero((tree.n_children == 0) & (tree.prediction == wanted))
    leaf = leaf[tree.value[leaf, wanted] >= min_samples]
    low, high, takes = _boxes(tree)
    points, lowest, highest, reached = leeway.closest(low[leaf], high[leaf])
    for feature, allowed in takes.items():
        code = _codes(leeway, feature, allowed[leaf])
        reached &= code >= 0
        points[:, feature] = lowest[:, feature] = highest[:, feature] = code
    if not reached.any():
        return nothing("boxes", proved=True)
    leaf, points = leaf[reached], points[reached]
    best = int(leeway.by_distance(points)[0])
    edge, node = points[best], int(leaf[best])
    changed = tuple(np.flatnonzero(edge != leeway.x).tolist())
    options = {f: tuple(np.flatnonzero(takes[f][node]).tolist()) for f in changed if f in takes}
    distance = float(leeway.distances(edge[None, :])[0])
    return {
        "point": edge, "edge": edge, "distance": distance, "bound": distance, "proved": True,
        "method": "boxes", "leaf": node, "row": None, "changed": changed,
        "low": lowest[reached][best], "high": highest[reached][best], "options": options,
    }  # fmt: skip


def _boxes(tree: Tree) -> tuple[np.ndarray, np.ndarray, dict[int, np.ndarray]]:
    """Ends of each node's box, and which categories of each nominal feature it takes.

    The masks are of shape (n_nodes, n_categories), for the features that any test asks for.
    """
    low = np.full((tree.n_nodes, tree.n_features), -np.inf)
    high = np.full((tree.n_nodes, tree.n_features), np.inf)
    nominal = np.unique(tree.feature[tree.kind == Kind.CATEGORIES]).tolist()
    takes = {f: np.ones((tree.n_nodes, len(tree.feature_categories[f])), bool) for f in nominal}
    for level in range(1, tree.max_depth + 1):
        node = np.flatnonzero(tree.depth == level)
        parent = tree.parent[node]
        branch = node - tree.first_child[parent]
        low[node], high[node] = low[parent], high[parent]
        for feature, each in takes.items():
            each[node] = each[parent]
            split = (tree.kind[parent] == Kind.CATEGORIES) & (tree.feature[parent] == feature)
            taken = tree.categories.branch[tree.split_row[parent[split]], : each.shape[1]]
            each[node[split]] &= taken == branch[split, None]
        cut = tree.kind[parent] == Kind.THRESHOLD
        _narrow(high, np.minimum, tree, node[cut & (branch == 0)])
        _narrow(low, np.maximum, tree, node[cut & (branch == 1)])
    return low, high, takes


def _narrow(ends: np.ndarray, closer: np.ufunc, tree: Tree, node: np.ndarray) -> None:
    """Let the thresholds of their parents narrow boxes at one end."""
    parent = tree.parent[node]
    feature = tree.feature[parent]
    ends[node, feature] = closer(ends[node, feature], tree.threshold[parent])


def _codes(leeway: Leeway, feature: int, allowed: np.ndarray) -> np.ndarray:
    """Category that each box wants: the sample's own if it takes it, -1 for none."""
    own = int(leeway.x[feature])
    first = np.where(allowed.any(axis=1), allowed.argmax(axis=1), -1)
    other = first if leeway.free[feature] else np.full(len(allowed), -1)
    return np.where(allowed[:, own], own, other)


def nearest_cell(
    trees: list[Tree],
    classes_of: Callable[[np.ndarray], np.ndarray],
    leeway: Leeway,
    wanted: int,
    plane: Sequence[int],
) -> dict[str, object]:
    """Fields of the flip in a plane through the sample, exact for boxes there.

    It is proved where no other feature may change. Every cell between two thresholds of any of the
    trees is one class: cells are asked for theirs in rising distance. O(n_cells n_trees depth) at
    worst.

    Parameters
    ----------
    trees : list of Tree
        Of thresholds alone, all that decide.
    classes_of : callable
        Class indices of rows.
    plane : sequence of int
        The one or two features that change.
    """
    cuts = thresholds_of(trees, len(leeway.x))
    proved = set(np.flatnonzero(leeway.free).tolist()) <= set(plane)
    edges = [np.r_[-np.inf, cuts[feature], np.inf] for feature in plane]
    places = np.indices([len(each) - 1 for each in edges]).reshape(len(plane), -1)
    n_cells = places.shape[1]
    low = np.full((n_cells, len(leeway.x)), -np.inf)
    high = np.full((n_cells, len(leeway.x)), np.inf)
    low[:], high[:] = np.nextafter(leeway.x, -np.inf), leeway.x
    for feature, edge, place in zip(plane, edges, places, strict=True):
        low[:, feature], high[:, feature] = edge[place], edge[place + 1]
    points, lowest, highest, reached = leeway.closest(low, high)
    order = np.flatnonzero(reached)
    order = order[leeway.by_distance(points[order])]
    for start in range(0, len(order), CHUNK):
        part = order[start : start + CHUNK]
        right = np.flatnonzero(classes_of(points[part]) == wanted)
        if len(right):
            best = part[right[0]]
            edge = points[best]
            distance = float(leeway.distances(edge[None, :])[0])
            return {
                "point": edge, "edge": edge, "distance": distance,
                "bound": distance if proved else 0.0, "proved": proved, "method": "grid",
                "leaf": None, "row": None,
                "changed": tuple(np.flatnonzero(edge != leeway.x).tolist()),
                "low": lowest[best], "high": highest[best], "options": {},
            }  # fmt: skip
    return nothing("grid", proved=proved)
