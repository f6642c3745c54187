"""The invariants of a tree, each one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lastviz._random import ROOT_KEY, child_keys

from .codes import Kind, Missing

if TYPE_CHECKING:
    from .tree import Tree


def validate(tree: Tree, X: np.ndarray | None = None) -> None:
    """Check every invariant of `tree`; with its training data `X` also the routing.

    Raises
    ------
    ValueError
        Naming the invariant and the first node that breaks it.
    """
    _check_structure(tree)
    _check_categories(tree)
    _check_missing(tree)
    _check_oblique(tree)
    _check_kernel(tree)
    _check_rows(tree)
    _check_predictions(tree)
    if X is not None:
        _check_routing(tree, X)


def _require(holds: np.ndarray, what: str) -> None:
    broken = np.flatnonzero(~np.asarray(holds))
    if len(broken):
        raise ValueError(f"tree is broken at node {broken[0]}: {what}")


def _check_structure(tree: Tree) -> None:
    nodes = np.arange(tree.n_nodes)
    inner = tree.n_children > 0
    _require(tree.parent[:1] == -1, "the root has a parent")
    _require((tree.parent < nodes) & ((tree.parent >= 0) | (nodes == 0)), "parent not before it")
    _require((tree.first_child > nodes) == inner, "children not after their parent")
    _require((tree.kind == Kind.LEAF) == ~inner, "kind and children disagree")
    by_feature = (tree.kind == Kind.THRESHOLD) | (tree.kind == Kind.CATEGORIES)
    _require((tree.feature >= 0) == by_feature, "feature and kind disagree")
    asks_missing = np.isposinf(tree.threshold) & (tree.missing_branch == 1)
    there = np.isfinite(tree.threshold) | asks_missing
    _require(there == (tree.kind == Kind.THRESHOLD), "threshold missing")
    _require((tree.feature < tree.n_features), "feature out of range")
    child = nodes[1:]
    parent = tree.parent[1:]
    branch = child - tree.first_child[parent]
    _require(np.r_[True, (branch >= 0) & (branch < tree.n_children[parent])], "not among children")
    _require(np.r_[tree.depth[0] == 0, tree.depth[1:] == tree.depth[parent] + 1], "wrong depth")
    counted = np.bincount(parent, minlength=tree.n_nodes)
    _require(counted == tree.n_children, "number of children is wrong")
    never_pruned = np.array_equal(tree.grown_node, np.where(inner, nodes, tree.grown_node))
    if never_pruned and tree.n_nodes > 1:
        keys = np.r_[ROOT_KEY, child_keys(tree.key[parent], branch)]
        _require(tree.key == keys, "its key is not its path's")


def _check_categories(tree: Tree) -> None:
    """Check that a nominal split names its own categories and all its branches."""
    here = np.flatnonzero(tree.kind == Kind.CATEGORIES)
    branch, known = tree.categories.branch, tree.feature_categories
    if len(known) != tree.n_features:
        raise ValueError(f"tree is broken: categories of {len(known)} features")
    for node in here:
        row, categories = tree.split_row[node], known[tree.feature[node]]
        _require_at(row < len(branch), node, "its categories are not in the table")
        _require_at(categories is not None, node, "a nominal split of a numeric feature")
        used = np.unique(np.r_[branch[row, : len(categories)], tree.missing_branch[node]])
        wanted = np.arange(tree.n_children[node])
        _require_at(np.array_equal(used[used >= 0], wanted), node, "categories name other branches")
        _require_at((branch[row, len(categories) :] < 0).all(), node, "a category too many")
    if len(branch):
        _require(tree.kind <= Kind.CATEGORIES, "a split of another kind beside nominal ones")
    for node in np.flatnonzero(tree.kind == Kind.THRESHOLD):
        _require_at(known[tree.feature[node]] is None, node, "a threshold of a nominal feature")
    two = (tree.kind == Kind.LEAF) | (tree.kind == Kind.CATEGORIES) | (tree.n_children == 2)
    _require(two, "number of children is not two")


def _check_missing(tree: Tree) -> None:
    branch, weight = tree.missing_branch, tree.branch_weight
    _require(branch < np.maximum(tree.n_children, 0), "its branch for missing values is no child")
    _require((branch == -1) | (tree.missing == Missing.BRANCH), "a branch for missing values")
    if tree.missing != Missing.FRACTIONS:
        _require(np.isnan(weight), "a branch has a weight")
        return
    _require(tree.kind <= Kind.CATEGORIES, "a split that cannot part a row")
    _require(np.r_[np.isnan(weight[:1]), weight[1:] >= 0.0], "its branch has no weight")
    total = np.bincount(tree.parent[1:], weight[1:], minlength=tree.n_nodes)
    _require((tree.n_children == 0) | np.isclose(total, 1.0), "its branches' weights")


def _check_oblique(tree: Tree) -> None:
    here = tree.kind == Kind.OBLIQUE
    weights, threshold = tree.oblique.weights, tree.oblique.threshold
    in_table = np.where(here, tree.split_row < len(threshold), True)
    _require((tree.split_row >= 0) == (tree.kind > Kind.THRESHOLD), "split_row and kind disagree")
    _require(in_table, "its hyperplane is not in the table")
    if weights.shape != (len(threshold), tree.n_features):
        raise ValueError(f"tree is broken: hyperplanes of shape {weights.shape}")
    is_valid = np.isfinite(weights).all(axis=1) & weights.any(axis=1) & np.isfinite(threshold)
    plane = np.ones(tree.n_nodes, dtype=bool)
    plane[here] = is_valid[tree.split_row[here]]
    _require(plane, "its hyperplane is not finite or has no direction")
    first = 0 if tree.bases else -1
    known = (tree.basis_id >= first) & (tree.basis_id < len(tree.bases))
    _require(known, "its latent basis is not in the table")


def _check_kernel(tree: Tree) -> None:
    here, table = tree.kind == Kind.KERNEL, tree.kernel
    if not len(table):
        _require(~here, "its machine is not in the table")
        return
    _require(here | (tree.kind == Kind.LEAF), "a split of another kind beside kernel machines")
    _require(~here | (tree.split_row < len(table)), "its machine is not in the table")
    if table.vectors.shape != (len(table.rows), tree.n_features) or len(table.index) != len(
        table.dual_coef
    ):
        raise ValueError(f"tree is broken: support vectors of shape {table.vectors.shape}")
    scaling = table.scaling
    numbers = np.isfinite(scaling.offset) & np.isfinite(scaling.scale) & (scaling.scale > 0.0)
    if not numbers.all():
        raise ValueError("tree is broken: its features are not scaled by finite numbers above 0")
    sums = np.add.reduceat(np.r_[table.dual_coef, 0.0], table.start[:-1]) + table.intercept
    parted = (table.first & table.second).any(axis=1)
    sides = table.first.any(axis=1) & table.second.any(axis=1)
    is_valid = np.ones(tree.n_nodes, dtype=bool)
    is_valid[here] = (np.isfinite(sums) & ~parted & sides)[tree.split_row[here]]
    _require(is_valid, "its machine is not finite or parts no classes")
    live = tree.live_classes()
    union = table.first[tree.split_row] | table.second[tree.split_row]
    _require(~here | (union == live).all(axis=1), "its machine parts other classes than its own")


def _check_rows(tree: Tree) -> None:
    if not len(tree.samples):  # a tree that was read knows how many rows, not which
        _check_numbers_of_rows(tree)
        return
    _require(tree.start <= tree.end, "its slice of rows is upside down")
    n_rows = tree.end - tree.start
    if tree.missing == Missing.FRACTIONS:
        n_rows = np.array([len(tree.node_samples(node)[0]) for node in range(tree.n_nodes)])
    _require(n_rows == tree.n_node_samples, "n_node_samples is not its slice")
    for node in np.flatnonzero(tree.n_children > 0):
        ends = [int(tree.start[node])]
        for child in tree.children(node):
            _require_at(tree.start[child] == ends[-1], node, "children's rows leave a gap")
            ends.append(int(tree.end[child]))
        _require_at(ends[-1] == tree.end[node], node, "children do not hold all its rows")
    total = np.concatenate([[0.0], np.cumsum(tree.sample_weight)])
    weight = total[tree.end] - total[tree.start]
    _require(np.isclose(weight, tree.weighted_n_node_samples), "its weight is not its rows'")
    counted = tree.value.sum(axis=1)
    _require(np.isclose(counted, weight) | tree.is_regression, "its class counts are not its rows'")


def _check_numbers_of_rows(tree: Tree) -> None:
    """Check that the rows of children add up to those of their parent."""
    inner, n = tree.n_children > 0, tree.n_nodes
    _require(tree.start == tree.end, "it has a slice of rows that are not there")
    below = np.bincount(tree.parent[1:], tree.n_node_samples[1:], minlength=n)
    _require(~inner | (below >= tree.n_node_samples), "children do not hold all its rows")
    above = tree.n_node_samples[np.maximum(tree.parent, 0)]
    _require(tree.n_node_samples <= above, "it holds more rows than its parent")
    weight = tree.weighted_n_node_samples
    below = np.bincount(tree.parent[1:], weight[1:], minlength=n)
    _require(~inner | np.isclose(below, weight), "its weight is not its children's")
    if tree.is_regression:
        return
    _require(np.isclose(tree.value.sum(axis=1), weight), "its class counts are not its rows'")
    for counts in tree.value.T:
        below = np.bincount(tree.parent[1:], counts[1:], minlength=n)
        _require(~inner | np.isclose(below, counts), "its class counts are not its children's")


def _require_at(holds: bool, node: int, what: str) -> None:
    if not holds:
        raise ValueError(f"tree is broken at node {node}: {what}")


def _check_predictions(tree: Tree) -> None:
    """Check that predictions are most frequent classes, at leaves classes in play.

    A leaf may predict another class if somebody named it by hand.

    Where the counts tie, a prediction may be that of an ancestor.

    Where some classes are no longer in play, it is the most frequent one of the others. A tree
    of ordered classes may have the median class at every node instead. A branch of a category
    without rows predicts what its parent does, a regression tree the mean.
    """
    if not len(tree.samples) and not tree.is_regression and not len(tree.kernel):
        return  # read from a file: it may have decided by other rows than those that it counts
    empty = np.flatnonzero((tree.n_node_samples == 0) & (len(tree.kernel) == 0))
    agrees = np.ones(tree.n_nodes, dtype=bool)
    agrees[empty] = (empty > 0) & (tree.prediction[empty] == tree.prediction[tree.parent[empty]])
    _require(agrees, "it is empty and predicts otherwise than its parent")
    if tree.is_regression:
        mean = np.isclose(tree.prediction, tree.value[:, 0])
        _require(mean & (tree.value.shape[1] == 1), "its prediction is not its mean")
        return
    if tree.costs is not None:
        cheapest = tree.with_costs(tree.costs).prediction
        _require(tree.prediction == cheapest, "its prediction is not the class of least cost")
        return
    if _all_medians(tree):
        return
    value = np.where(tree.live_classes(), tree.value, -1.0)
    picked = np.take_along_axis(value, tree.prediction[:, None], axis=1)[:, 0]
    largest = value.max(axis=1)
    rounding = 1e-9 * largest if tree.missing == Missing.FRACTIONS else 0.0
    is_named = (tree.n_children == 0) & (picked >= 0.0)
    _require(
        is_named | (picked >= largest - rounding), "its prediction is not a most frequent class"
    )


def _all_medians(tree: Tree) -> bool:
    """Whether every prediction is the class of one of its node's two middle rows."""
    up_to = np.cumsum(tree.value, axis=1)
    n = up_to[:, -1:]
    lower = (up_to >= np.ceil(n / 2)).argmax(axis=1)
    upper = (up_to >= np.floor(n / 2) + 1).argmax(axis=1)
    return bool(((tree.prediction == lower) | (tree.prediction == upper)).all())


def _check_routing(tree: Tree, X: np.ndarray) -> None:
    if tree.missing == Missing.FRACTIONS:
        _check_spread(tree, X)
        return
    leaf = np.full(len(X), -1, dtype=np.intp)
    for node in np.flatnonzero(tree.n_children == 0):
        leaf[tree.samples[tree.start[node] : tree.end[node]]] = node
    grew = leaf >= 0
    wrong = np.flatnonzero(grew & (tree.apply(X) != leaf))
    if len(wrong):
        raise ValueError(
            f"tree is broken at node {leaf[wrong[0]]}: it holds row {wrong[0]}, which is routed "
            f"to node {tree.apply(X[wrong[:1]])[0]}"
        )


def _check_spread(tree: Tree, X: np.ndarray) -> None:
    """Check that a row that grew the tree stands in the leaves that it is routed to."""
    rows, weights = tree.node_samples(0)
    place, node, share = tree.leaf_weights(X[rows])
    leaf_of = np.empty(len(tree.samples), dtype=np.intp)
    for leaf in np.flatnonzero(tree.n_children == 0):
        leaf_of[tree.start[leaf] : tree.end[leaf]] = leaf
    order = np.lexsort((leaf_of, tree.samples))
    row, held = tree.samples[order], leaf_of[order]
    first = np.flatnonzero(np.r_[True, (row[1:] != row[:-1]) | (held[1:] != held[:-1])])
    row, held = row[first], held[first]
    weight = np.add.reduceat(tree.sample_weight[order], first)
    if len(held) != len(node):
        raise ValueError(
            f"tree is broken: its leaves hold {len(held)} rows, {len(node)} are routed"
        )
    here = (held == node) & (row == rows[place])
    _require_entries(here, held, "it holds a row that is routed elsewhere")
    same = np.isclose(weight, weights[place] * share, rtol=1e-6, atol=1e-12)
    _require_entries(same, held, "it holds another share of a row than is routed there")


def _require_entries(holds: np.ndarray, node: np.ndarray, what: str) -> None:
    broken = node[~holds]
    if len(broken):
        raise ValueError(f"tree is broken at node {broken[0]}: {what}")
