"""The tree and the log of its growth: parallel arrays over nodes and over events, frozen.

Children of a node are adjacent and come after it, so one index and a count name them all
and a loop over falling node numbers visits children before their parent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from lastviz._sentences import Refusal

from .apply_kernels import route, route_mixed
from .basis import LatentBasis
from .codes import SPLITS, Action, Kind, Missing
from .digits import threshold_decimals
from .kernel_splits import NO_MACHINES, KernelSplits, live_classes, walk
from .routing import (
    class_indices,
    class_shares,
    first_of_most,
    largest_leaves,
    leaf_weights,
    means,
    votes_of_nodes,
)
from .validation import validate

AT_THRESHOLD = 1e-9  # shares closer to a threshold than this are at it
MOST_READ = 2000  # nodes of a tree whose thresholds somebody reads


@dataclass(frozen=True, eq=False)
class CategorySplits:
    """The nominal splits of a tree: which branch each category of the feature takes."""

    # (n_splits, largest number of categories) int16. Branch 0, 1, ... of each category code; -1
    # where the split has not seen the category. One branch a category (C4.5, ID3) and two groups of
    # categories (CART) alike.
    branch: np.ndarray

    @classmethod
    def of(cls, branches: Sequence[np.ndarray] = ()) -> CategorySplits:
        """Table whose rows are `branches`, padded with -1."""
        width = max(map(len, branches), default=0)
        table = np.full((len(branches), width), -1, dtype=np.int16)
        for row, branch in enumerate(branches):
            table[row, : len(branch)] = branch
        return cls(table)

    def __len__(self) -> int:
        return len(self.branch)

    @property
    def n_branches(self) -> np.ndarray:
        """Number of branches of each split."""
        return self.branch.max(axis=1, initial=-1).astype(np.intp) + 1


@dataclass(frozen=True, eq=False)
class ObliqueSplits:
    """The oblique splits of a tree; rows with ``X @ weights <= threshold`` go first."""

    weights: np.ndarray  # (n_splits, n_features) float64, in the original features, contiguous
    threshold: np.ndarray  # (n_splits,) float64

    @classmethod
    def none(cls, n_features: int) -> ObliqueSplits:
        """Table of a tree without oblique splits."""
        return cls(np.empty((0, n_features)), np.empty(0))

    def __len__(self) -> int:
        return len(self.threshold)


@dataclass(frozen=True, eq=False)
class ThresholdsInRows:
    """The thresholds of a tree, each with the values of training rows beside it."""

    # All of shape (n_thresholds,); NaN where a child has no rows.
    feature: np.ndarray
    threshold: np.ndarray
    below: np.ndarray  # largest value of the first child
    above: np.ndarray  # smallest value of the second child

    def decimals(self, feature: int) -> int:
        """Fewest decimals to which the thresholds of a feature part the rows as they do."""
        here = self.feature == feature
        with np.errstate(over="ignore"):  # between the largest numbers of either sign
            return threshold_decimals(self.threshold[here], self.below[here], self.above[here])


@dataclass(frozen=True, eq=False)
class Tree:
    """A decision tree."""

    # parent, depth, first_child, n_children: (n_nodes,) intp. Structure; `parent[0] == -1` and
    # `first_child == -1` at leaves. The first child takes the rows that meet the test.
    parent: np.ndarray
    depth: np.ndarray
    first_child: np.ndarray
    n_children: np.ndarray
    kind: np.ndarray  # (n_nodes,) int8, a `Kind`
    # (n_nodes,) intp, what a threshold or a nominal node asks for; -1 elsewhere.
    feature: np.ndarray
    # (n_nodes,) float64. Of a threshold node; NaN elsewhere. Infinite where the test is whether the
    # value is missing, see `asks_missing`.
    threshold: np.ndarray
    # impurity, score: (n_nodes,) float64, impurity of the node under the estimator's criterion;
    # score of its split under the selection rule (NaN at leaves)
    impurity: np.ndarray
    score: np.ndarray
    # ndarray of intp, weighted_n_node_samples : ndarray of float64. Rows of the node and the sum of
    # their weights. A node may be empty: a branch for a category that none of its parent's rows
    # has; it predicts what its parent does.
    n_node_samples: np.ndarray
    weighted_n_node_samples: np.ndarray
    # ndarray of float64, shape (n_nodes, n_classes) or (n_nodes, 1), weighted rows of each class;
    # of a regression tree the weighted mean.
    value: np.ndarray
    # (n_nodes,). Class index (intp); not always the argmax of `value` (a pruned leaf keeps its
    # class on ties). Of a regression tree the mean (float64).
    prediction: np.ndarray
    # start, end: (n_nodes,) intp, the node's slice of `samples`, which under FRACTIONS may name a
    # row several times
    start: np.ndarray
    end: np.ndarray
    # (n_nodes,) uint64, name of the node's path from the root, see `lastviz._random`.
    key: np.ndarray
    # (n_nodes,) intp, the node of the grown tree whose split this node has; -1 at a leaf made by
    # pruning.
    grown_node: np.ndarray
    # ndarray of intp, sample_weight : ndarray of float64, (row, weight) entries, grouped by leaf;
    # rows are those of the data given to fit.
    samples: np.ndarray
    sample_weight: np.ndarray
    feature_names: tuple[str, ...] = field(default=())
    # (n_classes,), empty for a regression tree.
    classes: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    # (n_nodes,) intp, row of the node's split in the table of its kind; -1 at leaves and threshold
    # nodes, and everywhere if not given.
    split_row: np.ndarray | None = None
    # The hyperplanes of oblique nodes; empty if not given. A pruned tree keeps the rows of the
    # splits that it lost.
    oblique: ObliqueSplits | None = None
    # The machines of kernel nodes. A tree that has any has no other splits, and
    # `prediction` is one of the classes in play.
    kernel: KernelSplits = NO_MACHINES
    # The latent spaces that splits were chosen in; empty if not given.
    bases: tuple[LatentBasis, ...] = ()
    # (n_nodes,) intp, which of `bases` each node was searched in, a leaf too; -1 everywhere if not
    # given.
    basis_id: np.ndarray | None = None
    # The categories of each nominal feature in the order of their codes; None for a numeric
    # feature, and for all of them if not given.
    feature_categories: tuple[tuple | None, ...] | None = None
    # The splits of nominal nodes; empty if not given. Such a tree has thresholds beside them, but
    # no splits of another kind.
    categories: CategorySplits | None = None
    missing: Missing = Missing.REFUSE
    # (n_nodes,) intp, under BRANCH: which branch of the node takes missing values; -1 elsewhere,
    # and everywhere if not given.
    missing_branch: np.ndarray | None = None
    # (n_nodes,) float64, under FRACTIONS: share of the parent's rows of known value that take this
    # branch, 0 for an empty one; NaN at the root, and everywhere if not given.
    branch_weight: np.ndarray | None = None
    # How thresholds are printed, see `decimals`: by the training data, or as a file says it.
    cuts: ThresholdsInRows | None = field(default=None, compare=False)
    known_decimals: tuple[int, ...] | None = field(default=None, compare=False)
    # Whether the model decides by the monotone envelope of the leaves, not by the leaf alone.
    enveloped: bool = False
    # (n_classes, n_classes), see `with_costs`; None: nodes predict what growing them decided.
    costs: np.ndarray | None = None

    def __post_init__(self) -> None:
        for name in ("split_row", "basis_id", "missing_branch"):
            if getattr(self, name) is None:
                object.__setattr__(self, name, np.full(self.n_nodes, -1, dtype=np.intp))
        if self.branch_weight is None:
            object.__setattr__(self, "branch_weight", np.full(self.n_nodes, np.nan))
        if self.feature_categories is None:
            object.__setattr__(self, "feature_categories", (None,) * self.n_features)
        if self.categories is None:
            object.__setattr__(self, "categories", CategorySplits.of())
        if self.oblique is None:
            object.__setattr__(self, "oblique", ObliqueSplits.none(self.n_features))
        levels = (names for names in self.feature_categories if names is not None)
        for names in (self.feature_names, self.classes, *levels):
            check_writable(names)

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves included."""
        return len(self.parent)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(np.count_nonzero(self.n_children == 0))

    @property
    def max_depth(self) -> int:
        """Number of edges from the root to the deepest leaf."""
        return int(self.depth.max())

    @property
    def n_features(self) -> int:
        """Number of columns that the tree was grown on."""
        return len(self.feature_names)

    @property
    def is_regression(self) -> bool:
        """Whether the tree predicts numbers instead of classes."""
        return len(self.classes) == 0

    @cached_property
    def decimals(self) -> tuple[int, ...]:
        """Decimals that the thresholds of each feature need for display.

        No two of them read alike. Where the training data are known, each parts the rows of its
        node as printed just as it does.
        """
        if self.known_decimals is not None:
            return self.known_decimals
        features = range(self.n_features)
        if self.cuts is None:
            return tuple(threshold_decimals(self.threshold[self.feature == f]) for f in features)
        return tuple(map(self.cuts.decimals, features))

    def with_rows(self, X: np.ndarray) -> Tree:
        """Same tree, whose thresholds know the training rows `X` (n_samples, n_features).

        Not if it has so many nodes that nobody reads them. O(n_samples depth).
        """
        if self.n_nodes > MOST_READ:
            return replace(self, cuts=None)
        node = np.flatnonzero(np.isfinite(self.threshold) & (self.first_child >= 0))
        feature, ends = self.feature[node], []
        for branch, nearest in enumerate((np.fmax, np.fmin)):
            child = self.first_child[node] + branch
            length = self.end[child] - self.start[child]
            begin, end = np.cumsum(length) - length, np.full(len(node), np.nan)
            entry = np.arange(length.sum()) + np.repeat(self.start[child] - begin, length)
            values = X[self.samples[entry], np.repeat(feature, length)]
            if len(values):
                end[length > 0] = nearest.reduceat(values, begin[length > 0])
            ends.append(end)
        return replace(self, cuts=ThresholdsInRows(feature, self.threshold[node], *ends))

    def with_costs(self, costs: np.ndarray) -> Tree:
        """Same tree, each node of which predicts the class of least expected cost.

        Parameters
        ----------
        costs : array-like of shape (n_classes, n_classes)
            Cost of a row of class i that is called class j, in row i and column j.

        Raises
        ------
        ValueError
            If the shape is another one, a cost is negative or not finite, or the tree is one of
            numbers or of machines, whose nodes have no shares of classes.

        Notes
        -----
        O(n_nodes n_classes^2). Of equally cheap classes the first is taken; a node without rows
        predicts what its parent does.
        """
        costs = np.asarray(costs, dtype=np.float64)
        if self.is_regression or len(self.kernel):
            raise ValueError("costs decide between classes by the shares of a leaf; there are none")
        if costs.shape != (len(self.classes), len(self.classes)):
            raise ValueError(f"{len(self.classes)} classes have as many rows and columns of costs")
        if not (np.isfinite(costs).all() and (costs >= 0).all()):
            raise ValueError("a cost is a number of at least 0")
        shown = replace(self, costs=costs)
        prediction = first_of_most(votes_of_nodes(shown))
        for node in np.flatnonzero((self.n_node_samples == 0) & (self.parent >= 0)):
            prediction[node] = prediction[self.parent[node]]
        return replace(shown, prediction=prediction)

    def with_threshold(self, label: int, threshold: float) -> Tree:
        """Same tree; nodes with a share of `threshold` or more predict `label`.

        Raises
        ------
        ValueError
            As :meth:`with_costs`, or if the threshold is not between 0 and 1.
        """
        if len(self.classes) != 2 or not 0 <= threshold <= 1:
            raise ValueError("a threshold between 0 and 1 separates two classes")
        costs, other = np.zeros((2, 2)), 1 - label
        # A share at the threshold is enough for the class, whatever the last digits of both; at a
        # threshold of 0 so is none.
        costs[other, label] = max(threshold - AT_THRESHOLD, 0.0)
        costs[other, other] = max(AT_THRESHOLD - threshold, 0.0)
        costs[label, other] = 1.0 - threshold + AT_THRESHOLD
        return self.with_costs(costs)

    def is_leaf(self, node: int) -> bool:
        """Whether `node` has no children."""
        return bool(self.n_children[node] == 0)

    def children(self, node: int) -> range:
        """Node numbers of the children of `node`, first branch first."""
        first = int(self.first_child[node])
        return range(first, first + int(self.n_children[node])) if first >= 0 else range(0)

    def path(self, node: int) -> list[int]:
        """Nodes from the root to `node`, both included."""
        steps = [int(node)]
        while self.parent[steps[-1]] >= 0:
            steps.append(int(self.parent[steps[-1]]))
        return steps[::-1]

    def subtree(self, node: int) -> np.ndarray:
        """All nodes below and including `node`, in rising order."""
        inside = np.zeros(self.n_nodes, dtype=bool)
        inside[node] = True
        for other in range(node + 1, self.n_nodes):
            inside[other] = inside[self.parent[other]]
        return np.flatnonzero(inside)

    def node_samples(self, node: int) -> tuple[np.ndarray, np.ndarray]:
        """Rows of `node` in rising order and their weights.

        Under FRACTIONS the parts of a row that stand below `node` are added up.
        """
        inside = slice(int(self.start[node]), int(self.end[node]))
        order = np.argsort(self.samples[inside], kind="stable")
        rows, weights = self.samples[inside][order], self.sample_weight[inside][order]
        if self.missing != Missing.FRACTIONS or not len(rows):
            return rows, weights
        first = np.flatnonzero(np.r_[True, rows[1:] != rows[:-1]])
        return rows[first], np.add.reduceat(weights, first)

    def apply(self, X: np.ndarray) -> np.ndarray:
        """Node where each row of `X` (n, n_features) stops.

        `X` is encoded: a nominal value is its category's code, one below 0 an unseen category,
        NaN a missing value. A row that is in parts in several leaves stops in that of largest
        weight, the lowest on a tie. O(n depth), with oblique splits O(n depth n_features).
        """
        X = np.ascontiguousarray(X, dtype=np.float64)
        return largest_leaves(self, X) if self.asks_more else self.apply_complete(X)

    def apply_complete(self, X: np.ndarray) -> np.ndarray:
        """Node where each row of `X` stops that neither lacks a value nor is nominal."""
        if len(self.kernel):
            return walk(self.first_child, self.split_row, self.kernel.decide(X))
        out = np.empty(len(X), dtype=np.intp)
        if len(self.oblique):
            route_mixed(
                X, self.feature, self.threshold, self.split_row, self.oblique.weights,
                self.oblique.threshold, self.first_child, out,
            )  # fmt: skip
        else:
            route(X, self.feature, self.threshold, self.first_child, out)
        return out

    @property
    def asks_more(self) -> bool:
        """Whether routing takes nominal or missing values into account."""
        return self.missing != Missing.REFUSE or len(self.categories) > 0

    def leaf_weights(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Nodes over which each row of `X` is spread, as (row, node, weight) triples.

        One node of weight 1 a row, several where a value is missing under FRACTIONS; weights
        of a row sum to 1. Sorted by row, then node. `X` is as for :meth:`apply`.
        """
        if self.asks_more:
            return leaf_weights(self, np.ascontiguousarray(X, dtype=np.float64))
        leaf = self.apply(X)
        return np.arange(len(leaf)), leaf, np.ones(len(leaf))

    def live_classes(self) -> np.ndarray:
        """Mask of the classes in play at each node, shape (n_nodes, n_classes).

        All of them, except below a kernel node, which parts classes as well as rows.
        """
        return live_classes(self.first_child, self.split_row, self.kernel, self.value.shape[1])

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Class index of each row of `X`; of a regression tree a number.

        A row that is in parts in several leaves gets the class of largest mean share there, the
        lowest on a tie, or the mean of their numbers.
        """
        if not self.asks_more:
            return self.prediction[self.apply(X)]
        X = np.ascontiguousarray(X, dtype=np.float64)
        if self.is_regression:
            return means(self, X)
        return class_indices(self, X)

    def class_shares(self, X: np.ndarray) -> np.ndarray:
        """Class shares of each row of `X`, shape (n, n_classes).

        Those of its leaf, or the weighted mean of those of its leaves. A leaf without rows
        has the whole share on the class that it predicts.
        """
        return class_shares(self, np.ascontiguousarray(X, dtype=np.float64))

    @property
    def sent_missing(self) -> np.ndarray:
        """Branch of each node that takes missing values, -1 without one, (n_nodes,)."""
        branch = self.missing_branch
        if self.missing != Missing.MAJORITY:
            return branch
        child, parent, branch = np.arange(1, self.n_nodes), self.parent[1:], branch.copy()
        rising = np.lexsort((child, self.n_node_samples[1:], parent))
        branch[parent[rising]] = (child - self.first_child[parent])[rising]  # the last one stays
        return branch

    def asks_missing(self, node: int) -> bool:
        """Whether the test of `node` is only whether its feature's value is missing.

        All values then go to the first child, rows without one to the second.
        """
        if self.missing_branch[node] != 1:
            return False
        if self.kind[node] == Kind.CATEGORIES:
            return bool((self.categories.branch[self.split_row[node]] <= 0).all())
        return bool(np.isposinf(self.threshold[node]))

    def at_depth(self, depth: int | None) -> np.ndarray:
        """Node that stands for each node when the tree is cut at `depth`.

        That is the node itself, or its ancestor at `depth` if it lies deeper; None cuts
        nothing.
        """
        representative = np.arange(self.n_nodes)
        if depth is not None:
            for level in range(depth + 1, self.max_depth + 1):
                here = np.flatnonzero(self.depth == level)
                representative[here] = representative[self.parent[here]]
        return representative

    def validate(self, X: np.ndarray | None = None) -> None:
        """Check every invariant; with the training data `X`, routing too.

        Raises
        ------
        ValueError
            Naming the invariant and the first node that breaks it.
        """
        validate(self, X)


# ---- The story of a tree: one row per event, in order, always written. Playing the growth events
# from the root rebuilds the grown tree, playing those of pruning after them the one that predicts.


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
        """Log of a growth: which nodes were decided about in which order, and why.

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
        """Log followed by the events of `other`."""
        names = ("node", "action", "n_samples", "score", "reason", "branch")
        arrays = (np.concatenate([getattr(self, n), getattr(other, n)]) for n in names)
        return GrowthLog(*arrays, self.splits or other.splits)  # a tree is refitted once

    def __len__(self) -> int:
        return len(self.node)

    @property
    def n_growth_events(self) -> int:
        """Number of SPLIT and LEAF events; those of pruning follow them."""
        return int(np.count_nonzero(self.action <= Action.LEAF))


# ---- What is asked of trees and models by everybody


def branch_shares(parent: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Each node's share of its parent's weight, NaN at the root.

    Rows of unknown value are shared out as those of known value, so it is the share of either.

    Parameters
    ----------
    parent : ndarray of intp, shape (n_nodes,)
    weight : ndarray of float64, shape (n_nodes,)
        Weight of each node's rows.
    """
    inside = np.bincount(parent[1:], weight[1:], minlength=len(parent))
    return np.r_[np.nan, weight[1:] / inside[parent[1:]]]


def check_writable(names: Sequence[object]) -> None:
    """Raise ValueError if no file can hold one of these names."""
    try:
        "".join(map(str, names)).encode()
    except UnicodeEncodeError as error:
        raise Refusal(
            "a name holds {sign!r}, half of a character, which no file can hold; write it anew",
            sign=error.object[error.start],
        ) from None


def tree_of(model: object) -> Tree:
    """Tree, or the only one of a fitted model.

    Raises
    ------
    ValueError
        If it is neither.
    """
    tree = getattr(model, "tree_", model)
    if isinstance(tree, Tree):
        return tree
    kind = type(model).__name__
    if type(model).__module__.startswith("sklearn."):
        raise ValueError(f"a {kind} must be taken over first: lastviz.from_sklearn(model)")
    if hasattr(model, "estimators_"):
        raise ValueError(f"a {kind} holds several trees: give one, model.estimators_[0].tree_")
    more = " that is not fitted: call fit first" if hasattr(model, "fit") else ""
    raise ValueError(f"a tree or a fitted model of lastviz is needed, got {kind}{more}")
