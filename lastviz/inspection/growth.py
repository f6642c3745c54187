"""Growth of a tree, event by event."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass

import numpy as np

from lastviz.estimators import TreeClassifier
from lastviz.splitters import AnySplit, stored_split
from lastviz.tree import Action, GrowthLog, Reason, Tree


@dataclass(frozen=True, eq=False)
class GrowthFrames:
    """The states of a tree while it grows and is cut back.

    Positions carry the numbers of the grown tree. Frame 0 is the bare root; frame i stands
    after event i - 1 of the log.
    """

    log: GrowthLog
    grown: Tree
    # (n_frames, n_nodes) intp, the first child of each position, -1 at a leaf.
    first_child: np.ndarray
    # (n_frames, n_nodes) intp, the grown node whose split stands at each position, -1 at a leaf;
    # from n_nodes on, less that, which of `log.splits` stands there.
    split_of: np.ndarray

    @property
    def n_frames(self) -> int:
        """Number of frames: one more than events."""
        return len(self.first_child)

    def children(self, frame: int, position: int) -> range:
        """Positions of the children of a position in a frame."""
        first = int(self.first_child[frame, position])
        if first < 0:
            return range(0)
        split = int(self.split_of[frame, position])
        refitted = split >= self.grown.n_nodes
        return range(first, first + (2 if refitted else int(self.grown.n_children[split])))

    def split(self, frame: int, position: int) -> AnySplit | None:
        """Split that stands at a position in a frame, None at a leaf."""
        split, n = int(self.split_of[frame, position]), self.grown.n_nodes
        if split >= n:
            return self.log.splits[split - n]
        return stored_split(self.grown, split) if split >= 0 else None

    def alive(self, frame: int) -> np.ndarray:
        """Positions that exist in a frame, in rising order.

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
        elif action == Action.REFIT:
            split_of[event + 1, node] = grown.n_nodes + branch
        else:
            first_child[event + 1, node] = -1 if source < 0 else first_child[event, source]
            split_of[event + 1, node] = -1 if source < 0 else split_of[event, source]
    return GrowthFrames(log, grown, first_child, split_of)


def last_reason(estimator: TreeClassifier, node: int) -> Reason:
    """Reason for the state of a node of ``tree_``: the last event at its position."""
    position = int(np.flatnonzero(estimator.grown_tree_.key == estimator.tree_.key[node])[0])
    log = estimator.growth_log_
    return Reason(int(log.reason[np.flatnonzero(log.node == position)[-1]]))


def level_by_level(model: TreeClassifier) -> TreeClassifier:
    """Tree that was not grown here with a log that tells its nodes level by level.

    In which order it grew is not known: the log is a way to read it, not its growth. Splits have
    no score and no reason but that the file says so. O(n_nodes log n_nodes).
    """
    tree, levelled = model.tree_, copy(model)
    node = np.lexsort((np.arange(tree.n_nodes), tree.depth)).astype(np.intp)
    levelled.growth_log_ = GrowthLog(
        node=node,
        action=np.where(tree.n_children[node] > 0, Action.SPLIT, Action.LEAF).astype(np.int8),
        n_samples=tree.n_node_samples[node].astype(np.intp),
        score=np.full(len(node), np.nan),
        reason=np.full(len(node), Reason.FROM_FILE, dtype=np.int8),
        branch=np.full(len(node), -1, dtype=np.intp),
    )
    return levelled
