"""How a tree came to be, event by event, and two trees walked in step from the root."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz.estimators import TreeClassifier
from lastviz.tree import Action, GrowthLog, Kind, Reason, Tree

__all__ = ["Divergence", "GrowthFrames", "divergence", "growth_frames", "last_reason"]


@dataclass(frozen=True, eq=False)
class GrowthFrames:
    """The states of a tree while it grows and is cut back.

    Positions carry the numbers of the grown tree. Frame 0 is the bare root; frame i stands
    after event i - 1 of the log.

    Attributes
    ----------
    log : GrowthLog
    grown : Tree
    first_child : ndarray of intp, shape (n_frames, n_nodes)
        The first child of each position, -1 at a leaf.
    split_of : ndarray of intp, shape (n_frames, n_nodes)
        The grown node whose split stands at each position, -1 at a leaf.
    """

    log: GrowthLog
    grown: Tree
    first_child: np.ndarray
    split_of: np.ndarray

    @property
    def n_frames(self) -> int:
        """Number of frames: one more than events."""
        return len(self.first_child)

    def children(self, frame: int, position: int) -> range:
        """Return the positions of the children of a position in a frame."""
        first = int(self.first_child[frame, position])
        if first < 0:
            return range(0)
        return range(first, first + int(self.grown.n_children[self.split_of[frame, position]]))

    def alive(self, frame: int) -> np.ndarray:
        """Return the positions that exist in a frame, in rising order.

        After the last growth event they are the nodes of ``grown_tree_``, in the last frame
        those of ``tree_``, in this order.
        """
        seen = [0]
        for position in seen:
            seen.extend(self.children(frame, position))
        return np.sort(np.array(seen, dtype=np.intp))


def growth_frames(estimator: TreeClassifier) -> GrowthFrames:
    """Play the growth log of a fitted estimator.

    Notes
    -----
    O(n_events n_nodes) memory; meant for trees that people look at. The frame after the last
    growth event is ``grown_tree_``, the last one is ``tree_``.
    """
    log, grown = estimator.growth_log_, estimator.grown_tree_
    first_child = np.full((len(log) + 1, grown.n_nodes), -1, dtype=np.intp)
    split_of = first_child.copy()
    for event, (node, action, branch) in enumerate(
        zip(log.node, log.action, log.branch, strict=True)
    ):
        first_child[event + 1] = first_child[event]
        split_of[event + 1] = split_of[event]
        source = {Action.SPLIT: node, Action.RAISE: branch}.get(Action(action), -1)
        if action == Action.SPLIT:
            first_child[event + 1, node] = grown.first_child[node]
            split_of[event + 1, node] = node
        else:
            first_child[event + 1, node] = -1 if source < 0 else first_child[event, source]
            split_of[event + 1, node] = -1 if source < 0 else split_of[event, source]
    return GrowthFrames(log, grown, first_child, split_of)


def last_reason(estimator: TreeClassifier, node: int) -> Reason:
    """Return why a node of ``tree_`` is what it is: the last event at its position."""
    position = int(np.flatnonzero(estimator.grown_tree_.key == estimator.tree_.key[node])[0])
    log = estimator.growth_log_
    return Reason(int(log.reason[np.flatnonzero(log.node == position)[-1]]))


@dataclass(frozen=True, eq=False)
class Divergence:
    """Pairs of nodes at the same path, breadth first.

    Attributes
    ----------
    first, second : ndarray of intp, shape (n_pairs,)
        Nodes of either tree.
    same_rows : ndarray of bool, shape (n_pairs,)
        Whether both hold the same rows.
    same_split : ndarray of bool, shape (n_pairs,)
        Whether both are leaves, or both split the same feature so that the same rows go to
        each child (thresholds may differ inside a gap); false where the rows differ.
    """

    first: np.ndarray
    second: np.ndarray
    same_rows: np.ndarray
    same_split: np.ndarray

    @property
    def parting(self) -> int:
        """The first pair whose splits differ, -1 if the trees are alike."""
        differ = np.flatnonzero(~self.same_split)
        return int(differ[0]) if len(differ) else -1


def divergence(first: Tree, second: Tree) -> Divergence:
    """Walk two trees from the root in step and say where their splits differ.

    Parameters
    ----------
    first, second : Tree
        Grown on the same rows of the same data.

    Notes
    -----
    Pairs end where either tree has a leaf. O(n_rows depth).
    """
    pairs, same_rows, same_split = [(0, 0)], [], []
    for a, b in pairs:  # grows while it is read: breadth first
        rows = _same_rows(first, a, second, b)
        same_rows.append(rows)
        same_split.append(rows and _same_split(first, a, second, b))
        pairs.extend(zip(first.children(a), second.children(b), strict=False))
    left, right = np.array(pairs, dtype=np.intp).T
    return Divergence(left, right, np.array(same_rows), np.array(same_split))


def _same_rows(first: Tree, a: int, second: Tree, b: int) -> bool:
    if first.n_node_samples[a] != second.n_node_samples[b]:
        return False
    return np.array_equal(first.node_samples(a)[0], second.node_samples(b)[0])


def _same_split(first: Tree, a: int, second: Tree, b: int) -> bool:
    if first.is_leaf(a) or second.is_leaf(b):
        return first.is_leaf(a) and second.is_leaf(b)
    both_thresholds = first.kind[a] == second.kind[b] == Kind.THRESHOLD
    if not both_thresholds or first.feature[a] != second.feature[b]:
        return False
    pairs = zip(first.children(a), second.children(b), strict=True)
    return all(_same_rows(first, c, second, d) for c, d in pairs)
