"""Simplified conditions that lead to a node, and the supports of nodes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from lastviz.inspection.forest import class_supports
from lastviz.inspection.textbook.worked_example import combinations
from lastviz.tree import Kind, Missing, Tree


@dataclass(frozen=True)
class Condition:
    """An interval of one feature: low < x <= high, either end may be open (None).

    `missing` says whether a row without a value meets it, too. Without `low`, an infinite `high`
    asks that the value is not missing; an infinite `low` asks that it is.
    """

    feature: int
    low: float | None
    high: float | None
    missing: bool = False

    @property
    def only_missing(self) -> bool:
        """Whether only samples without a value meet it."""
        return self.low == np.inf

    @property
    def only_known(self) -> bool:
        """Whether all samples with a value meet it, and no others."""
        return self.low is None and self.high == np.inf


@dataclass(frozen=True)
class NominalCondition:
    """One of some categories of a feature, by their codes in rising order.

    `missing` says whether a row without a value meets it, too; without categories it asks for
    such a row.
    """

    feature: int
    categories: tuple[int, ...]
    missing: bool = False

    @property
    def only_missing(self) -> bool:
        """Whether only samples without a value meet it."""
        return not self.categories


@dataclass(frozen=True, eq=False)
class ObliqueCondition:
    """Interval along a direction: low < x @ weights <= high; None is an open end.

    `weights` (n_features,) belongs to the original features.
    """

    weights: np.ndarray
    low: float | None
    high: float | None


@dataclass(frozen=True)
class MachineCondition:
    """The side of a kernel machine: f(x) > 0 if `branch` is 0, f(x) <= 0 if it is 1."""

    node: int
    branch: int


AnyCondition = Condition | NominalCondition | ObliqueCondition | MachineCondition


@dataclass(frozen=True, eq=False)
class Supports:
    """Support of every node of a tree."""

    support: np.ndarray  # (n_nodes,) float64, weighted rows
    share: np.ndarray  # (n_nodes,) float64, of all rows
    # (n_nodes, n_classes) float64. Class supports: the share of each class in the node (eq 14 of
    # MCDF). No columns in a regression tree.
    classes: np.ndarray
    # (n_nodes,) float64. The share of the predicted class in the node; 0 in a node without rows.
    # NaN in a regression tree, as is coverage.
    confidence: np.ndarray
    # (n_nodes,) float64, the share of the predicted class's rows that the node holds.
    coverage: np.ndarray


def supports(tree: Tree) -> Supports:
    """Support, confidence and coverage of every node. O(n_nodes n_classes)."""
    nodes, weight = np.arange(tree.n_nodes), tree.weighted_n_node_samples
    share = weight / (weight[0] or 1.0)
    if tree.is_regression:
        unknown = np.full(tree.n_nodes, np.nan)
        return Supports(weight, share, np.empty((tree.n_nodes, 0)), unknown, unknown)
    classes, label = class_supports(tree), tree.prediction
    class_total = tree.value[0, label]
    coverage = tree.value[nodes, label] / np.where(class_total > 0, class_total, 1.0)
    return Supports(weight, share, classes, classes[nodes, label], coverage)


def class_counts(tree: Tree, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Class counts of some samples at each node.

    Parameters
    ----------
    tree : Tree
        Of a classifier.
    X : ndarray, shape (n_samples, n_features)
        As for ``tree.apply``.
    y : ndarray of intp, shape (n_samples,)
        True class indices.

    Returns
    -------
    ndarray of float64, shape (n_nodes, n_classes)
        A row with a missing value that goes down several branches counts in parts. O(n depth).
    """
    row, node, weight = tree.leaf_weights(X)
    counts = np.zeros(tree.value.shape)
    np.add.at(counts, (node, np.asarray(y)[row]), weight)
    for level in range(tree.max_depth, 0, -1):
        here = np.flatnonzero(tree.depth == level)
        np.add.at(counts, tree.parent[here], counts[here])
    return counts


def conditions(tree: Tree, node: int) -> tuple[AnyCondition, ...]:
    """Conditions that must hold to reach `node`, in order of first use.

    In a tree of machines, one side of each machine above it. Else one interval per feature, and
    one per direction of oblique splits: those along the same direction, such as a component of
    one latent space, are one condition.
    """
    reached: tuple[AnyCondition, ...] = ()
    for parent, child in pairwise(tree.path(node)):
        reached = merge_conditions(
            reached, condition_of(tree, parent, child - int(tree.first_child[parent]))
        )
    return reached


def condition_of(tree: Tree, node: int, branch: int) -> AnyCondition:
    """Condition that the test of an inner node puts on a branch."""
    if tree.kind[node] == Kind.KERNEL:
        return MachineCondition(node, branch)
    if tree.kind[node] == Kind.OBLIQUE:
        row = int(tree.split_row[node])
        threshold = float(tree.oblique.threshold[row])
        ends = (None, threshold) if branch == 0 else (threshold, None)
        return ObliqueCondition(tree.oblique.weights[row], *ends)
    feature, missing = int(tree.feature[node]), int(tree.missing_branch[node]) == branch
    if tree.kind[node] == Kind.CATEGORIES:
        taken = np.flatnonzero(tree.categories.branch[tree.split_row[node]] == branch)
        return NominalCondition(feature, tuple(taken.tolist()), missing)
    threshold = float(tree.threshold[node])
    ends = (None, threshold) if branch == 0 else (threshold, None)
    return Condition(feature, *ends, missing)


def stopping_nodes(tree: Tree) -> list[int]:
    """Inner nodes at which a row may stop, the deepest first.

    It stops where its category was never seen, and where its value is missing and nothing says
    where to go. Fractions go on instead.
    """
    if tree.missing == Missing.FRACTIONS:
        return []
    stops = tree.kind == Kind.CATEGORIES
    if tree.missing == Missing.BRANCH:
        stops |= (tree.n_children > 0) & (tree.missing_branch < 0)
    nodes = np.flatnonzero(stops)
    return nodes[np.argsort(-tree.depth[nodes], kind="stable")].tolist()


def condition_steps(tree: Tree, nodes: np.ndarray) -> list[tuple[int, AnyCondition | None]]:
    """Effect of the last test before each node on the conditions of its parent.

    The conditions of a node are those of its parent with one put in a place: one that was there
    is narrowed, or a new one stands last.

    Parameters
    ----------
    tree : Tree
    nodes : ndarray of int
        Rising, and with each node its parent.

    Returns
    -------
    list of (int, condition)
        The place, counted from 0, and the condition; (-1, None) for the root.
    """
    steps: list[tuple[int, AnyCondition | None]] = []
    reached: dict[int, tuple[AnyCondition, ...]] = {}
    parents, firsts = tree.parent[nodes].tolist(), tree.first_child
    for node, parent in zip(nodes.tolist(), parents, strict=True):
        if parent < 0:
            reached[node] = ()
            steps.append((-1, None))
            continue
        new = condition_of(tree, parent, node - int(firsts[parent]))
        place = _place_of(reached[parent], new)
        reached[node] = merge_conditions(reached[parent], new)
        steps.append((place, reached[node][place]))
    return steps


def _place_of(reached: tuple[AnyCondition, ...], new: AnyCondition) -> int:
    """Position of the condition on the same subject, the number of all if none is."""
    return next((i for i, known in enumerate(reached) if _same_subject(known, new)), len(reached))


def merge_conditions(
    reached: tuple[AnyCondition, ...], new: AnyCondition
) -> tuple[AnyCondition, ...]:
    """`reached` and `new`, with conditions on the same subject merged into one."""
    place = _place_of(reached, new)
    if place == len(reached):
        return (*reached, new)
    return (*reached[:place], _both(reached[place], new), *reached[place + 1 :])


def _same_subject(one: AnyCondition, other: AnyCondition) -> bool:
    if type(one) is not type(other) or isinstance(one, MachineCondition):
        return False
    if isinstance(one, ObliqueCondition):
        return one.weights is other.weights or np.array_equal(one.weights, other.weights)
    return one.feature == other.feature


def _both(one: AnyCondition, other: AnyCondition) -> AnyCondition:
    if isinstance(one, NominalCondition):
        common = tuple(c for c in one.categories if c in other.categories)
        return replace(one, categories=common, missing=one.missing and other.missing)
    lows = [end for end in (one.low, other.low) if end is not None]
    highs = [end for end in (one.high, other.high) if end is not None]
    ends = {"low": max(lows, default=None), "high": min(highs, default=None)}
    if isinstance(one, Condition):
        ends["missing"] = one.missing and other.missing
        if ends["high"] == np.inf and ends["low"] is not None:
            ends["high"] = None  # the lower end asks for a value as it is
    return replace(one, **ends)


# ---- Whether the rules of a tree exclude each other and leave nothing out


MOST_COMBINATIONS = 200_000


@dataclass(frozen=True, eq=False)
class RuleCover:
    """Number of rules that hold for each combination of categories."""

    leaves: np.ndarray  # (n_rules,) intp, the leaf of each rule, in the order of their numbers
    covered: np.ndarray  # (n_rules,) intp, combinations that each rule holds for
    by_rules: np.ndarray  # (n_rules + 1,) intp. Combinations for which 0, 1, 2, ... rules hold.

    @property
    def n_combinations(self) -> int:
        """Number of combinations that were tried: all there are."""
        return int(self.by_rules.sum())

    @property
    def exclusive(self) -> bool:
        """Whether no two rules hold at once."""
        return not self.by_rules[2:].any()

    @property
    def complete(self) -> bool:
        """Whether some rule always holds."""
        return int(self.by_rules[0]) == 0


def rule_cover(tree: Tree) -> RuleCover:
    """Try every rule of a tree of nominal features on all category combinations.

    Raises
    ------
    ValueError
        If a feature is numeric, or there are more than :data:`MOST_COMBINATIONS`.

    Notes
    -----
    Li, Statistical Learning Methods, section 5.1.2: the rules of a tree are mutually exclusive
    and complete. The rules are tried as they are written, the tree itself is not asked.
    """
    if any(names is None for names in tree.feature_categories):
        raise ValueError("combinations can be counted where every feature is nominal")
    sizes = tuple(len(names) for names in tree.feature_categories)
    n = int(np.prod([float(size) for size in sizes]))
    if n > MOST_COMBINATIONS:
        raise ValueError(
            f"the features have {n:,} combinations of categories, more than the "
            f"{MOST_COMBINATIONS:,} that are tried"
        )
    codes = combinations(sizes)
    leaves = np.flatnonzero(tree.n_children == 0)
    holds = np.column_stack([_holds(tree, int(leaf), codes) for leaf in leaves])
    by_rules = np.bincount(holds.sum(axis=1), minlength=len(leaves) + 1)
    return RuleCover(leaves, holds.sum(axis=0), by_rules)


def _holds(tree: Tree, leaf: int, codes: np.ndarray) -> np.ndarray:
    """Mask of the combinations for which every condition of a rule holds."""
    held = np.ones(len(codes), dtype=bool)
    for condition in conditions(tree, leaf):
        assert isinstance(condition, NominalCondition)
        held &= np.isin(codes[:, condition.feature], condition.categories)
    return held
