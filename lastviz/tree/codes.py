"""Codes in a tree and its log: kinds of nodes, actions on nodes, and reasons."""

from __future__ import annotations

from enum import IntEnum


class Kind(IntEnum):
    """Kind of test by which a node sends its rows on."""

    LEAF = 0
    THRESHOLD = 1
    CATEGORIES = 2
    OBLIQUE = 3
    KERNEL = 4


class Missing(IntEnum):
    """Treatment of a row whose tested value is missing.

    REFUSE: it has no answer. FRACTIONS (C4.5): it goes down all branches, with the branches'
    shares of the rows whose value is known. BRANCH (CART): each node names the branch that it
    takes. MAJORITY (CART where no training row lacked a value): it takes the branch of most
    training rows, of equal ones the last. Only tests on the row's own path count: what another
    one would ask for may be missing. An unseen category is a missing value under FRACTIONS; else
    the row stops at the node that asks for it.
    """

    REFUSE = 0
    FRACTIONS = 1
    BRANCH = 2
    MAJORITY = 3


class Action(IntEnum):
    """Event of a node in growth or pruning."""

    SPLIT = 0
    LEAF = 1
    COLLAPSE = 2
    PRUNE = 3
    RAISE = 4
    REFIT = 5


class Reason(IntEnum):
    """Reason of an event."""

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
        """Reason in one English sentence for people."""
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
