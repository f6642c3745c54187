"""Flips in trees of hyperplanes: the nearest point of a leaf that is a polytope."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from scipy.optimize import linprog, nnls

from lastviz.tree import Kind, Tree

from .box_flips import Leeway, nothing

INSIDE = 1e-6  # distance behind a hyperplane, in units of the metric
PAIRS = 512  # pairs of features that are looked at at once
SLACK = 1e-9

Polytope = tuple[int, np.ndarray, np.ndarray, int]
"""A leaf, its G and h (see :func:`_polytope`), and how many of their rows are its borders."""


def nearest_polytope(
    tree: Tree, leeway: Leeway, wanted: int, min_samples: float
) -> dict[str, object]:
    """Fields of the flip in a tree of hyperplanes, thresholds among them."""
    leaves = np.flatnonzero((tree.n_children == 0) & (tree.prediction == wanted))
    leaves = leaves[tree.value[leaves, wanted] >= min_samples]
    free = np.flatnonzero(leeway.free)
    known = [_polytope(tree, leaf, leeway, free) for leaf in leaves.tolist()]
    found = [each for each in known if each is not None]
    fewest = leeway.metric == "l0"
    steps, leaf, proved = _fewest(found) if fewest else _closest(found, leeway.metric)
    if steps is None:
        return nothing("hyperplanes", proved=proved)
    edge = leeway.x.copy()
    moved = np.flatnonzero(np.abs(steps) > SLACK)
    edge[free[moved]] += steps[moved] / leeway.weights[free[moved]]
    edge = np.clip(edge, leeway.low, leeway.high)
    distance = float(leeway.distances(edge[None, :])[0])
    return {
        "point": edge, "edge": edge, "distance": distance, "bound": distance if proved else 0.0,
        "proved": proved, "method": "hyperplanes", "leaf": leaf, "row": None,
        "changed": tuple(np.flatnonzero(edge != leeway.x).tolist()), "low": edge, "high": edge,
        "options": {},
    }  # fmt: skip


def _polytope(tree: Tree, leaf: int, leeway: Leeway, free: np.ndarray) -> Polytope | None:
    """Leaf as rows G d >= h of length 1, d the weighted changes; None if out of reach.

    The borders of the leaf come first, then the bounds of features.
    """
    rows, ends = [], []
    for parent, child in pairwise(tree.path(leaf)):
        weights, threshold = _plane_of(tree, parent)
        position = float(leeway.x @ weights)
        sign = -1.0 if child == tree.first_child[parent] else 1.0
        rows.append(sign * weights[free] / leeway.weights[free])
        ends.append(sign * (threshold - position))
    for end, sign in ((leeway.low, 1.0), (leeway.high, -1.0)):
        bounded = np.flatnonzero(np.isfinite(end[free]))
        rows += list(sign * np.eye(len(free))[bounded])
        step = (end - leeway.x)[free] * leeway.weights[free]
        ends += (sign * step[bounded]).tolist()
    G, h = np.array(rows).reshape(len(rows), len(free)), np.array(ends)
    length = np.linalg.norm(G, axis=1)
    flat = length <= 0
    if (h[flat] > 0).any():
        return None
    G, h = G[~flat] / length[~flat, None], h[~flat] / length[~flat]
    borders = np.count_nonzero(~flat[: tree.depth[leaf]])
    h[:borders] += INSIDE
    return leaf, G, h, borders


def _plane_of(tree: Tree, node: int) -> tuple[np.ndarray, float]:
    """Weights and threshold of a node's test."""
    if tree.kind[node] == Kind.OBLIQUE:
        row = tree.split_row[node]
        return tree.oblique.weights[row], float(tree.oblique.threshold[row])
    weights = np.zeros(tree.n_features)
    weights[tree.feature[node]] = 1.0
    return weights, float(tree.threshold[node])


def _closest(found: list[Polytope], metric: str) -> tuple[np.ndarray | None, int | None, bool]:
    """Smallest changes into any of the leaves; those that cannot win are passed over."""
    dual = {"l1": np.inf, "l2": 2}[metric]
    solve = {"l1": _least_sum, "l2": _least_length}[metric]
    bound = [_bound(G, h, dual) for _, G, h, _ in found]
    best, steps, leaf = np.inf, None, None
    for place in np.argsort(bound, kind="stable").tolist():
        if bound[place] >= best:
            break
        node, G, h, _ = found[place]
        changes = solve(G, h)
        if changes is None:
            continue
        distance = float(np.abs(changes).sum() if metric == "l1" else np.linalg.norm(changes))
        if distance < best:
            best, steps, leaf = distance, changes, node
    return steps, leaf, True


def _bound(G: np.ndarray, h: np.ndarray, dual: float) -> float:
    """Distance to the farthest half-space alone, which no point of all can beat."""
    if not len(h):
        return 0.0
    return float(np.max(h / np.linalg.norm(G, ord=dual, axis=1), initial=0.0))


def _least_length(G: np.ndarray, h: np.ndarray) -> np.ndarray | None:
    """Shortest d with G d >= h (least distance programming), None if there is none."""
    n = G.shape[1]
    if not (h > 0).any():
        return np.zeros(n)
    E = np.vstack([G.T, h])
    target = np.r_[np.zeros(n), 1.0]
    multipliers, _ = nnls(E, target, maxiter=100 * max(E.shape))
    rest = E @ multipliers - target
    if -rest[-1] <= SLACK:
        return None
    d = -rest[:n] / rest[-1]
    return d if (G @ d >= h - INSIDE / 2).all() else None


def _least_sum(G: np.ndarray, h: np.ndarray) -> np.ndarray | None:
    """D of smallest sum of sizes with G d >= h, None if there is none."""
    n = G.shape[1]
    if not (h > 0).any():
        return np.zeros(n)
    solved = linprog(np.ones(2 * n), A_ub=np.hstack([-G, G]), b_ub=-h, method="highs")
    return solved.x[:n] - solved.x[n:] if solved.status == 0 else None


def _fewest(found: list[Polytope]) -> tuple[np.ndarray | None, int | None, bool]:
    """Changes of the fewest features: none, one or two; else those of smallest sum."""
    for search in (_no_feature, _one_feature, _two_features):
        best, steps, leaf = np.inf, None, None
        for node, G, h, borders in found:
            changes = search(G, h, borders)
            if changes is not None and np.abs(changes).sum() < best:
                best, steps, leaf = np.abs(changes).sum(), changes, node
        if steps is not None:
            return steps, leaf, True
    steps, leaf, _ = _closest(found, "l1")
    return steps, leaf, steps is None


def _no_feature(G: np.ndarray, h: np.ndarray, borders: int) -> np.ndarray | None:
    return None if (h > 0).any() else np.zeros(G.shape[1])


def _one_feature(G: np.ndarray, h: np.ndarray, borders: int) -> np.ndarray | None:
    """Smallest change of one feature alone with G d >= h, None if there is none."""
    with np.errstate(divide="ignore", invalid="ignore"):
        end = h[:, None] / G
    low = np.where(G > 0, end, -np.inf).max(axis=0, initial=-np.inf)
    high = np.where(G < 0, end, np.inf).min(axis=0, initial=np.inf)
    possible = (low <= high) & ((np.abs(G) > 0) | (h[:, None] <= 0)).all(axis=0)
    if not possible.any():
        return None
    step = np.where(possible, np.clip(0.0, low, np.maximum(low, high)), np.inf)
    best = int(np.abs(step).argmin())
    changes = np.zeros(G.shape[1])
    changes[best] = step[best]
    return changes


def _two_features(G: np.ndarray, h: np.ndarray, borders: int) -> np.ndarray | None:
    """Smallest change of two features with G d >= h, where one alone does not do.

    What two features reach is then a polygon within a quadrant, so one of its corners is the
    smallest. O(n_features^2 n_borders^3).
    """
    best, changes = np.inf, None
    pairs = np.transpose(np.triu_indices(G.shape[1], 1))
    for start in range(0, len(pairs), PAIRS):
        pair = pairs[start : start + PAIRS]
        corners, size = _corners(*_within(G, h, borders, pair))
        if size.size and size.min() < best:
            corner, which = np.unravel_index(size.argmin(), size.shape)
            best, changes = size[corner, which], np.zeros(G.shape[1])
            changes[pair[which]] = corners[:, corner, which]
    return changes


def _within(
    G: np.ndarray, h: np.ndarray, borders: int, pair: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Rows of G and h that two features (n_pairs, 2) alone can break.

    Their shapes are (n_rows, n_pairs, 2) and (n_rows, n_pairs): the borders of the leaf, then the
    bounds of both features, of which one that is missing stays as a row of zeros.
    """
    own = np.zeros((4, len(pair), 2))
    ends = np.full((4, len(pair)), -1.0)
    bounds, ends_of = G[borders:], h[borders:]
    for place in (0, 1):
        for row, sign in zip((2 * place, 2 * place + 1), (1, -1), strict=True):
            least = np.full(G.shape[1], np.nan)
            which, feature = np.nonzero(bounds * sign > 0)
            least[feature] = ends_of[which]
            known = np.isfinite(least[pair[:, place]])
            own[row, known, place] = sign
            ends[row, known] = least[pair[known, place]]
    split = np.stack([G[:borders, pair[:, 0]], G[:borders, pair[:, 1]]], axis=-1)
    most = np.broadcast_to(h[:borders, None], (borders, len(pair)))
    return np.concatenate([split, own]), np.concatenate([most, ends])


def _corners(A: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Corners of two borders, shape (2, n_corners, n_pairs), and sums of the changes.

    The sum is infinite outside of any border, or where two are parallel.
    """
    one, other = np.triu_indices(len(A), 1)
    (a, b), (c, d) = np.moveaxis(A[one], -1, 0), np.moveaxis(A[other], -1, 0)
    area = a * d - b * c
    with np.errstate(divide="ignore", invalid="ignore"):
        corner = np.stack(
            [ends[one] * d - ends[other] * b, a * ends[other] - c * ends[one]]
        ) / np.where(np.abs(area) > SLACK, area, np.nan)
    inside = np.isfinite(corner).all(axis=0)
    corner = np.where(inside, corner, 0.0)
    for row, end in zip(A, ends, strict=True):
        inside &= row[:, 0] * corner[0] + row[:, 1] * corner[1] >= end - SLACK
    return corner, np.where(inside, np.abs(corner).sum(axis=0), np.inf)
