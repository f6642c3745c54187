"""Where the nodes of a growing tree lie: the regions of the grown tree, and what raising moves."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from lastviz.builders.table import SplitColumns
from lastviz.estimators import TreeClassifier
from lastviz.splitters import AnySplit
from lastviz.tree import Action, Kind, ObliqueSplits, Tree

from .banded import Bands, tree_banded_regions
from .regions import Regions, tree_regions


@dataclass(frozen=True, eq=False)
class Raised:
    """What changed below a node whose place a branch took, or which was split otherwise."""

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
    """Return the columns of the grown splits, followed by those of the splits that refitting made.

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
    """Return the tree as it stands: the splits of `split_of` at the positions of the grown tree."""
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
