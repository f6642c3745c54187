"""The tree: parallel arrays over its nodes, frozen.

Children of a node are adjacent and come after it, so one index and a count name them all
and a loop over falling node numbers visits children before their parent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property

import numpy as np

from lastviz._sentences import Refusal

from .apply_kernels import route, route_mixed
from .basis import LatentBasis
from .categories import CategorySplits
from .digits import threshold_decimals
from .kernel_splits import KernelSplits, ObliqueSplits, live_classes, walk
from .spread_kernels import BRANCH, FRACTIONS, route_known, route_nominal, spread

MAJORITY = 3  # of tree.Missing; kernels are given the branches that it means


def branch_shares(parent: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Return each node's share of its parent's weight, NaN at the root.

    Rows of unknown value are shared out as those of known value, so it is the share of either.

    Parameters
    ----------
    parent : ndarray of intp, shape (n_nodes,)
    weight : ndarray of float64, shape (n_nodes,)
        Weight of each node's rows.
    """
    inside = np.bincount(parent[1:], weight[1:], minlength=len(parent))
    return np.r_[np.nan, weight[1:] / inside[parent[1:]]]


def stops(tree: Tree, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the node where each row of X stops, and the rows that go on from there in parts."""
    majority, numeric = tree.missing == MAJORITY, not len(tree.categories)
    with np.errstate(all="ignore"):  # a sum is quicker than a look at each value
        if not tree.asks_more or (majority and numeric and not np.isnan(X.sum())):
            return tree.apply_complete(X), np.empty(0, dtype=np.intp)
    out = np.empty(len(X), dtype=np.intp)
    if tree.missing == FRACTIONS and numeric:
        n_spread = route_known(X, tree.feature, tree.threshold, tree.first_child, out)
    else:
        n_spread = route_nominal(
            X, tree.feature, tree.threshold, tree.split_row, tree.categories.branch,
            BRANCH if majority else int(tree.missing), tree.sent_missing, tree.first_child, out,
        )  # fmt: skip
    if not n_spread:
        return out, np.empty(0, dtype=np.intp)
    rows = np.flatnonzero(out < 0)
    out[rows] = -1 - out[rows]
    return out, rows


def leaf_weights(tree: Tree, X: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (row, node, weight) triples, sorted by row, then node."""
    at, rows = stops(tree, X)
    undivided = np.ones(len(X), dtype=bool)
    undivided[rows] = False
    known = np.flatnonzero(undivided)
    row, leaf, weight = _spread(tree, X, at, rows)
    row = np.concatenate([known, row])
    leaf = np.concatenate([at[known], leaf])
    weight = np.concatenate([np.ones(len(known)), weight])
    order = np.lexsort((leaf, row))
    return row[order], leaf[order], weight[order]


def largest_leaves(tree: Tree, X: np.ndarray) -> np.ndarray:
    """Return the node of largest weight of each row, the lowest of them on a tie."""
    at, rows = stops(tree, X)
    if not len(rows):
        return at
    row, leaf, weight = _spread(tree, X, at, rows)
    order = np.lexsort((leaf, -weight, row))
    row, leaf = row[order], leaf[order]
    first = np.r_[True, row[1:] != row[:-1]]
    at[row[first]] = leaf[first]
    return at


def class_shares(tree: Tree, X: np.ndarray) -> np.ndarray:
    """Return each row's class shares (n, n_classes), over its leaves by their weights.

    A leaf without rows votes for what it predicts.
    """
    at, rows = stops(tree, X)
    by_node = shares_of_nodes(tree)
    shares = by_node[at]
    if len(rows):
        shares[rows] = _mixed(tree, X, at, rows, by_node)
    return shares


def class_indices(tree: Tree, X: np.ndarray) -> np.ndarray:
    """Return what a classification tree predicts of each row.

    A row that is in parts in several leaves has the class that is most likely by the mean of
    their shares, the lowest on a tie; sums differ by rounding.
    """
    at, rows = stops(tree, X)
    out = tree.prediction[at]
    if len(rows):
        shares = _mixed(tree, X, at, rows, shares_of_nodes(tree))
        out[rows] = (shares >= shares.max(axis=1, keepdims=True) - 1e-12).argmax(axis=1)
    return out


def means(tree: Tree, X: np.ndarray) -> np.ndarray:
    """Return what a regression tree predicts of each row."""
    at, rows = stops(tree, X)
    out = tree.prediction[at]
    if len(rows):
        row, leaf, weight = _spread(tree, X, at, rows)
        out[rows] = np.bincount(row, weight * tree.prediction[leaf], len(X))[rows]
    return out


def shares_of_nodes(tree: Tree) -> np.ndarray:
    """Return the class shares of each node; one without rows has the whole of what it predicts."""
    total = tree.value.sum(axis=1, keepdims=True)
    shares = np.divide(tree.value, total, out=np.zeros_like(tree.value), where=total > 0)
    empty = np.flatnonzero(total[:, 0] <= 0)
    shares[empty, tree.prediction[empty]] = 1.0
    return shares


def _mixed(
    tree: Tree, X: np.ndarray, at: np.ndarray, rows: np.ndarray, by_node: np.ndarray
) -> np.ndarray:
    """Return the class shares of the rows that are in parts in several leaves."""
    row, leaf, weight = _spread(tree, X, at, rows)
    place = np.searchsorted(rows, row)
    parts = [np.bincount(place, weight * share[leaf], len(rows)) for share in by_node.T]
    return np.column_stack(parts)


def _spread(
    tree: Tree, X: np.ndarray, at: np.ndarray, rows: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the triples of the rows `rows`, which are in parts from their nodes `at` on."""
    if not len(rows):
        return np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp), np.empty(0)
    here, begin = X[rows], at[rows]
    tables = (
        tree.feature, tree.threshold, tree.split_row, tree.categories.branch,
        tree.branch_weight, tree.first_child, tree.n_children,
    )  # fmt: skip
    room = (np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp), np.empty(0))
    count = spread(here, begin, *tables, *room)
    room = (np.empty(count, dtype=np.intp), np.empty(count, dtype=np.intp), np.empty(count))
    spread(here, begin, *tables, *room)
    return rows[room[0]], room[1], room[2]


# ---------------------------------------------------------------- tree


class Kind(IntEnum):
    """How a node sends its rows on."""

    LEAF = 0
    THRESHOLD = 1
    CATEGORIES = 2
    OBLIQUE = 3
    KERNEL = 4


class Missing(IntEnum):
    """What becomes of a row whose value a test asks for is missing.

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
    # The machines of kernel nodes; empty if not given. A tree that has any has no other splits, and
    # `prediction` is one of the classes in play.
    kernel: KernelSplits | None = None
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
    # tuple of int, one a feature, `decimals` where the training data said so.
    known_decimals: tuple[int, ...] | None = field(default=None, compare=False)
    # Whether the model decides by the monotone envelope of the leaves, not by the leaf alone.
    enveloped: bool = False

    def __post_init__(self) -> None:
        for name in ("split_row", "basis_id", "missing_branch"):
            if getattr(self, name) is None:
                object.__setattr__(self, name, np.full(self.n_nodes, -1, dtype=np.intp))
        if self.branch_weight is None:
            object.__setattr__(self, "branch_weight", np.full(self.n_nodes, np.nan))
        if self.feature_categories is None:
            object.__setattr__(self, "feature_categories", (None,) * self.n_features)
        if self.categories is None:
            object.__setattr__(self, "categories", CategorySplits.none())
        if self.oblique is None:
            object.__setattr__(self, "oblique", ObliqueSplits.none(self.n_features))
        if self.kernel is None:
            none = KernelSplits.none(self.n_features, len(self.classes))
            object.__setattr__(self, "kernel", none)
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
        """How many decimals the thresholds of each feature need, to be read.

        No two of them read alike. Where the training data are known, each parts the rows of its
        node as printed just as it does.
        """
        if self.known_decimals is not None:
            return self.known_decimals
        by_feature = (self.threshold[self.feature == f] for f in range(self.n_features))
        return tuple(map(threshold_decimals, by_feature))

    def is_leaf(self, node: int) -> bool:
        """Tell whether `node` has no children."""
        return bool(self.n_children[node] == 0)

    def children(self, node: int) -> range:
        """Return the node numbers of the children of `node`, first branch first."""
        first = int(self.first_child[node])
        return range(first, first + int(self.n_children[node])) if first >= 0 else range(0)

    def path(self, node: int) -> list[int]:
        """Return the nodes from the root to `node`, both included."""
        steps = [int(node)]
        while self.parent[steps[-1]] >= 0:
            steps.append(int(self.parent[steps[-1]]))
        return steps[::-1]

    def subtree(self, node: int) -> np.ndarray:
        """Return all nodes below and including `node`, in rising order."""
        inside = np.zeros(self.n_nodes, dtype=bool)
        inside[node] = True
        for other in range(node + 1, self.n_nodes):
            inside[other] = inside[self.parent[other]]
        return np.flatnonzero(inside)

    def node_samples(self, node: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the rows of `node` in rising order and their weights.

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
        """Return the node where each row of `X` (n, n_features) stops.

        `X` is encoded: a nominal value is its category's code, one below 0 an unseen category,
        NaN a missing value. A row that is in parts in several leaves stops in that of largest
        weight, the lowest on a tie. O(n depth), with oblique splits O(n depth n_features).
        """
        X = np.ascontiguousarray(X, dtype=np.float64)
        return largest_leaves(self, X) if self.asks_more else self.apply_complete(X)

    def apply_complete(self, X: np.ndarray) -> np.ndarray:
        """Return the node where each row of `X` stops that neither lacks a value nor is nominal."""
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
        """Whether routing heeds nominal or missing values."""
        return self.missing != Missing.REFUSE or len(self.categories) > 0

    def leaf_weights(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return over which nodes each row of `X` is spread, as (row, node, weight) triples.

        One node of weight 1 a row, several where a value is missing under FRACTIONS; weights
        of a row sum to 1. Sorted by row, then node. `X` is as for :meth:`apply`.
        """
        if self.asks_more:
            return leaf_weights(self, np.ascontiguousarray(X, dtype=np.float64))
        leaf = self.apply(X)
        return np.arange(len(leaf)), leaf, np.ones(len(leaf))

    def live_classes(self) -> np.ndarray:
        """Return which classes are in play at each node, shape (n_nodes, n_classes).

        All of them, except below a kernel node, which parts classes as well as rows.
        """
        return live_classes(self.first_child, self.split_row, self.kernel, self.value.shape[1])

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Return the class index of each row of `X`; of a regression tree a number.

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
        """Return the class shares of each row of `X`, shape (n, n_classes).

        Those of its leaf, or the weighted mean of those of its leaves. A leaf without rows
        has the whole share on the class that it predicts.
        """
        return class_shares(self, np.ascontiguousarray(X, dtype=np.float64))

    @property
    def sent_missing(self) -> np.ndarray:
        """The branch of each node that takes missing values, -1 where none does, (n_nodes,)."""
        branch = self.missing_branch
        if self.missing != Missing.MAJORITY:
            return branch
        child, parent, branch = np.arange(1, self.n_nodes), self.parent[1:], branch.copy()
        rising = np.lexsort((child, self.n_node_samples[1:], parent))
        branch[parent[rising]] = (child - self.first_child[parent])[rising]  # the last one stays
        return branch

    def asks_missing(self, node: int) -> bool:
        """Tell whether the test of `node` is only whether its feature's value is missing.

        All values then go to the first child, rows without one to the second.
        """
        if self.missing_branch[node] != 1:
            return False
        if self.kind[node] == Kind.CATEGORIES:
            return bool((self.categories.branch[self.split_row[node]] <= 0).all())
        return bool(np.isposinf(self.threshold[node]))

    def at_depth(self, depth: int | None) -> np.ndarray:
        """Return which node stands for each node when the tree is cut at `depth`.

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
        from .validation import validate

        validate(self, X)


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
    """Return a tree, or the only one of a fitted model.

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
