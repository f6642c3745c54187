"""The story of a tree: one row per event, in order, always written.

Playing the growth events (:meth:`GrowthLog.play`) from the root rebuilds the grown tree,
playing the pruning events after them rebuilds the tree that predicts.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np


class Action(IntEnum):
    """What happened to a node."""

    SPLIT = 0
    LEAF = 1
    COLLAPSE = 2
    PRUNE = 3
    RAISE = 4
    REFIT = 5


class Reason(IntEnum):
    """Why it happened."""

    BEST_SPLIT = 0
    PURE = 1
    MAX_DEPTH = 2
    MIN_SAMPLES = 3
    NO_CANDIDATE = 4
    NO_GAIN = 5
    MAX_LEAF_NODES = 6
    NO_FEWER_ERRORS = 7
    LEAF_ESTIMATE = 8
    BRANCH_ESTIMATE = 9
    CHILD_TOO_SMALL = 10
    WEAKEST_LINK = 11
    ONE_CLASS = 12
    ENTROPY_COST = 13
    EMPTY = 14
    SMALL_DECREASE = 15
    CHOSEN_BY_HAND = 16
    LEAF_BY_HAND = 17
    CUT_BY_HAND = 18
    HELD_OUT_ERRORS = 19
    WITHIN_ONE_ERROR = 20
    DESCRIPTION_LENGTH = 21
    FROM_FILE = 22
    FEWER_SENT_WRONG = 23
    ONE_SIDE = 24
    GIVEN = 25
    GIVEN_LEAF = 26

    @property
    def sentence(self) -> str:
        """Return the reason in one English sentence for people."""
        return SENTENCES[self]


SPLITS = (Reason.BEST_SPLIT, Reason.CHOSEN_BY_HAND, Reason.GIVEN)
SENTENCES = {
    Reason.BEST_SPLIT: "This is the best split that the search found.",
    Reason.PURE: "All rows here have the same class.",
    Reason.MAX_DEPTH: "The largest depth is reached.",
    Reason.MIN_SAMPLES: "There are too few rows here to split.",
    Reason.NO_CANDIDATE: "No threshold leaves enough rows on both sides.",
    Reason.NO_GAIN: "No candidate has a positive gain, so the rule selects none.",
    Reason.MAX_LEAF_NODES: "The largest number of leaves is reached.",
    Reason.NO_FEWER_ERRORS: "The subtree makes no fewer training errors than a leaf.",
    Reason.LEAF_ESTIMATE: "A leaf is expected to make no more errors than the subtree.",
    Reason.BRANCH_ESTIMATE: "The largest branch alone is expected to make no more errors.",
    Reason.CHILD_TOO_SMALL: "The best split leaves too few rows in a child.",
    Reason.WEAKEST_LINK: "Of all subtrees it lowers the training risk least per leaf.",
    Reason.EMPTY: "No row has the category of this branch.",
    Reason.SMALL_DECREASE: "No split lowers the impurity by as much as it must.",
    Reason.ONE_CLASS: "Only one class is present here.",
    Reason.ENTROPY_COST: "A leaf costs no more: entropy of its rows plus alpha for each leaf.",
    Reason.CHOSEN_BY_HAND: "This split was chosen by hand.",
    Reason.LEAF_BY_HAND: "Growth was stopped here by hand.",
    Reason.CUT_BY_HAND: "The node was cut back by hand.",
    Reason.HELD_OUT_ERRORS: "On rows held out a leaf makes no more errors than the subtree.",
    Reason.WITHIN_ONE_ERROR: "As a leaf it makes at most one standard error more errors than the "
    "subtree.",
    Reason.FROM_FILE: "The model's file says so.",
    Reason.FEWER_SENT_WRONG: "This split sends fewer rows to the child that misclassifies them.",
    Reason.ONE_SIDE: "All rows of this node go to the same branch.",
    Reason.GIVEN: "The tree that this one starts from splits so.",
    Reason.GIVEN_LEAF: "The tree that this one starts from ends here.",
    Reason.DESCRIPTION_LENGTH: "As a leaf, classes and tree take no more bits to write down.",
}


@dataclass(frozen=True, eq=False)
class GrowthLog:
    """Events of one growth, as parallel arrays of length n_events."""

    node: np.ndarray  # intp, the node, by its number in the grown tree
    action: np.ndarray  # int8, an `Action`
    n_samples: np.ndarray  # intp, rows that the node holds at that moment
    # float64. SPLIT: the split's score under the selection rule. COLLAPSE, PRUNE, RAISE and REFIT:
    # the (estimated) errors saved; for WEAKEST_LINK the price per leaf from which on the cut is
    # worth it, for ENTROPY_COST and DESCRIPTION_LENGTH the bits saved. NaN for LEAF.
    score: np.ndarray
    reason: np.ndarray  # int8, a `Reason`
    # intp, RAISE: the child whose subtree takes this node's place, by its number in the grown tree;
    # REFIT: which of `splits` the node has from then on; else -1.
    branch: np.ndarray
    # tuple of Split or ObliqueSplit, those that took the place of grown ones; empty unless a tree
    # was refitted.
    splits: tuple[object, ...] = ()

    @classmethod
    def of_growth(
        cls, node: np.ndarray, reason: np.ndarray, n_samples: np.ndarray, score: np.ndarray
    ) -> GrowthLog:
        """Return the log of a growth: which nodes were decided about in which order, and why.

        Parameters
        ----------
        node, reason : ndarray, shape (n_events,)
            Whoever has one of SPLITS was split, all others became leaves.
        n_samples, score : ndarray, shape (n_nodes,)
            By node; the scores of leaves are not read.
        """
        node = np.asarray(node, dtype=np.intp)
        split = np.isin(reason, SPLITS)
        return cls(
            node=node,
            action=np.where(split, Action.SPLIT, Action.LEAF).astype(np.int8),
            n_samples=np.asarray(n_samples)[node].astype(np.intp),
            score=np.where(split, np.asarray(score, dtype=np.float64)[node], np.nan),
            reason=np.array(reason, dtype=np.int8),
            branch=np.full(len(node), -1, dtype=np.intp),
        )

    def __add__(self, other: GrowthLog) -> GrowthLog:
        """Return this log followed by the events of `other`."""
        names = ("node", "action", "n_samples", "score", "reason", "branch")
        arrays = (np.concatenate([getattr(self, n), getattr(other, n)]) for n in names)
        return GrowthLog(*arrays, self.splits or other.splits)  # a tree is refitted once

    def __len__(self) -> int:
        return len(self.node)

    @property
    def n_growth_events(self) -> int:
        """Number of SPLIT and LEAF events; those of pruning follow them."""
        return int(np.count_nonzero(self.action <= Action.LEAF))
