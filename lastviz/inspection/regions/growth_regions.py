"""Where the nodes of a growing tree lie: the regions of the grown tree, and what raising moves."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from lastviz.estimators import TreeClassifier
from lastviz.tree import Action, Kind, Tree

from .banded import Bands, tree_banded_regions
from .regions import Regions, tree_regions

__all__ = ["GrowthRegions", "Raised", "growth_regions"]


@dataclass(frozen=True, eq=False)
class Raised:
    """What a branch that took its parent's place changed below it.

    Attributes
    ----------
    event : int
        Number of the event in the log.
    position : ndarray of intp, shape (n,)
        The positions concerned, by their numbers in the grown tree: the parent's and all below.
    value : ndarray of float64, shape (n, n_classes)
        Weighted rows of each class that they hold now.
    prediction : ndarray of intp, shape (n,)
    regions : Regions
        Of the whole tree after the event; ``node`` holds positions.
    """

    event: int
    position: np.ndarray
    value: np.ndarray
    prediction: np.ndarray
    regions: Regions


@dataclass(frozen=True, eq=False)
class GrowthRegions:
    """The regions of all states of a tree.

    A node keeps its region while the tree grows and is cut back, until a branch is raised:
    then its nodes take over the rows and the place of its parent.

    Attributes
    ----------
    grown : Regions
        Of the grown tree.
    raised : tuple of Raised
        In the order of the log.
    """

    grown: Regions
    raised: tuple[Raised, ...]


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
    """Return the regions of a tree in all states of its growth, for the plane of ``regions``.

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
        first_child[node] = -1 if source < 0 else first_child[source]
        split_of[node] = -1 if source < 0 else split_of[source]
        if action == Action.RAISE and most_events is not None and event >= most_events:
            last = event
        elif action == Action.RAISE:
            state = _state(grown, first_child, split_of)
            below = _below(state, int(node))
            counts = _counts(state, grown, values, codes)
            value[below] = counts[below]
            _choose(prediction, value, below)
            found = drawn(state)
            raised.append(Raised(event, below, value[below], prediction[below].copy(), found))
    if last >= 0:
        state, tree = _state(grown, first_child, split_of), estimator.tree_
        found = drawn(state)
        raised.append(Raised(last, _below(state, 0), tree.value, tree.prediction, found))
    return GrowthRegions(drawn(grown), tuple(raised))


def _state(grown: Tree, first_child: np.ndarray, split_of: np.ndarray) -> Tree:
    """Return the tree as it stands: the splits of `split_of` at the positions of the grown tree."""
    inner = split_of >= 0
    source = np.maximum(split_of, 0)
    return replace(
        grown,
        first_child=first_child.copy(),
        n_children=np.where(inner, grown.n_children[source], 0),
        kind=np.where(inner, grown.kind[source], Kind.LEAF).astype(np.int8),
        feature=np.where(inner, grown.feature[source], -1),
        threshold=np.where(inner, grown.threshold[source], np.nan),
        split_row=np.where(inner, grown.split_row[source], -1),
    )


def _below(state: Tree, position: int) -> np.ndarray:
    found = [position]
    for other in found:
        found.extend(state.children(other))
    return np.sort(np.array(found, dtype=np.intp))


def _counts(state: Tree, grown: Tree, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the weighted rows of each class at all positions that exist."""
    rows, weights = grown.node_samples(0)
    counts = np.zeros_like(grown.value)
    row, leaf, share = state.leaf_weights(X[rows])
    np.add.at(counts, (leaf, y[rows[row]]), weights[row] * share)
    for position in _below(state, 0)[::-1]:
        counts[position] += counts[list(state.children(position))].sum(axis=0)
    return counts


def _choose(prediction: np.ndarray, value: np.ndarray, positions: np.ndarray) -> None:
    """Let the largest class be predicted; on a tie what was predicted before stays."""
    largest = value[positions].max(axis=1)
    changes = positions[largest > value[positions, prediction[positions]]]
    prediction[changes] = value[changes].argmax(axis=1)
