"""Flips where a model's regions are boxes: the leaves of a tree, the cells of a plane."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from lastviz.inspection.monotonicity import thresholds_of
from lastviz.tree import Kind, Tree

from .leeway import Leeway

CHUNK = 20_000  # cells whose class is asked at once


def nothing(method: str, *, proved: bool, bound: float = 0.0) -> dict[str, object]:
    """Return the fields of a flip that was not found."""
    return {
        "point": None, "edge": None, "distance": np.inf, "bound": np.inf if proved else bound,
        "proved": proved, "method": method, "leaf": None, "row": None, "changed": (),
        "low": None, "high": None, "options": {},
    }  # fmt: skip


def nearest_box(tree: Tree, leeway: Leeway, wanted: int, min_samples: float) -> dict[str, object]:
    """Return the fields of the flip in a tree of thresholds and categories.

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
    """Return the ends of each node's box, and which categories of each nominal feature it takes.

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
    """Return the category that each box wants: the sample's own if it takes it, -1 for none."""
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
    """Return the fields of the flip in a plane through the sample, exact for boxes there.

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
