"""Explanation of one sample's class: the tests on its path, with its values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from lastviz._sentences import Refusal
from lastviz.estimators import ForestClassifier, TreeClassifier
from lastviz.estimators.columns import read_known
from lastviz.estimators.reading import check_row
from lastviz.inspection.forest import VotesOfSample
from lastviz.inspection.forest import explain as explain_votes
from lastviz.inspection.monotonicity import codes_of
from lastviz.tree import Kind, Missing, Tree, tree_of

if TYPE_CHECKING:
    import pandas as pd

STOPS = -1
"""The branch of a node where the sample stops."""
SPREADS = -2
"""The branch of a node from which it goes on in parts, one down each branch."""


@dataclass(frozen=True, eq=False)
class Explanation:
    """The path of one sample through a tree."""

    node: np.ndarray  # (n,) intp, the nodes that it visits, in rising order: the root first
    # (n,) float64, the share of it that comes there: 1, less where a missing value sent it several
    # ways.
    weight: np.ndarray
    # (n,) float64, what the node's test looks at: the feature's value (of a nominal one the code,
    # below 0 if the category was never seen), `x @ weights` or f(x); NaN at a leaf and where the
    # value is missing.
    value: np.ndarray
    # (n,) intp, which child takes it; -1 (`STOPS`) at its end, -2 (`SPREADS`) where it goes on in
    # parts.
    branch: np.ndarray
    # (n_classes,) float64, class supports where it ends, by the weights of its ends.
    shares: np.ndarray
    # Class index; of a regression tree the number. It is what the estimator predicts: a monotone
    # envelope around the tree may give another class than the end.
    prediction: int | float

    @property
    def ends(self) -> np.ndarray:
        """The nodes where it ends, in rising order."""
        return self.node[self.branch == STOPS]

    @property
    def end_weights(self) -> np.ndarray:
        """The share of it in each of the `ends`."""
        return self.weight[self.branch == STOPS]

    @property
    def main_end(self) -> int:
        """The end that holds most of it; of equal ones the first."""
        return int(self.ends[np.argmax(self.end_weights)])


def explain(
    estimator: TreeClassifier | ForestClassifier, x: np.ndarray | pd.DataFrame
) -> Explanation | VotesOfSample:
    """Path of one sample through a fitted tree, or the votes of a forest about it.

    Parameters
    ----------
    estimator : TreeClassifier or ForestClassifier
        Fitted.
    x : array-like, shape (n_features,), or DataFrame of one row
        One sample: a table as ``fit`` took it, or the encoded numbers (a nominal value is the
        code of its category, NaN is missing).

    Raises
    ------
    ValueError
        If `x` is not one sample, holds an infinite value, or a test on its path asks for a missing
        one and the tree does not know what to do then.
    """
    if isinstance(estimator, ForestClassifier):
        return explain_votes(estimator, x)
    return _walk(estimator, encoded_sample(estimator, x))


def encoded_sample(estimator: TreeClassifier, x: np.ndarray | pd.DataFrame) -> np.ndarray:
    """One sample as the tree takes it, checked."""
    if not hasattr(estimator, "tree_") and hasattr(estimator, "trees_"):
        raise ValueError(
            "numbers and scores of many trees have no one path; ask one of the model's estimators_"
        )
    tree = tree_of(estimator)
    if tree is estimator:
        raise ValueError("give the model whose tree_ this is")
    if hasattr(x, "columns") and any(tree.feature_categories):
        x = read_known(estimator, x, tree.feature_categories, takes_missing=True)
    x = check_row(x, estimator)
    if np.isinf(x).any():
        name = tree.feature_names[int(np.flatnonzero(np.isinf(x))[0])]
        raise ValueError(f"x must hold finite numbers, but {name} is infinite")
    return x


def _walk(estimator: TreeClassifier, x: np.ndarray) -> Explanation:
    tree = estimator.tree_
    decided = tree.kernel.decide(x[None, :])[0] if len(tree.kernel) else None
    steps: list[tuple[int, float, float, int]] = []
    waiting = [(0, 1.0)]
    while waiting:
        node, weight = waiting.pop()
        value, branch = np.nan, STOPS
        if not tree.is_leaf(node):
            if tree.missing == Missing.REFUSE:
                _check_known(tree, node, x)
            value = _value(tree, node, x, decided)
            branch = _branch(tree, node, value)
        if branch >= 0:
            waiting.append((int(tree.first_child[node]) + branch, weight))
        elif branch == SPREADS:
            parts = [(child, weight * float(tree.branch_weight[child]))
                     for child in tree.children(node)]  # fmt: skip
            waiting += [part for part in parts if part[1] > 0]
        steps.append((node, weight, value, branch))
    if tree.missing == Missing.REFUSE:
        x = np.nan_to_num(x)  # what is still missing no test asks for
    nodes, weights, values, branches = zip(*sorted(steps), strict=True)
    codes = tree.predict if tree.is_regression else partial(codes_of, estimator)
    return Explanation(
        node=np.array(nodes, dtype=np.intp),
        weight=np.array(weights),
        value=np.array(values),
        branch=np.array(branches, dtype=np.intp),
        shares=np.empty(0) if tree.is_regression else tree.class_shares(x[None, :])[0],
        prediction=codes(x[None, :])[0].item(),
    )


def _check_known(tree: Tree, node: int, x: np.ndarray) -> None:
    """Refuse a sample that lacks a value which the test of a node asks for."""
    missing = np.flatnonzero(np.isnan(x))
    needed = np.intersect1d(missing, tested_features(tree, node))
    if len(needed):
        raise Refusal(
            "This tree was grown without missing values and asks for {name}: type a value, or "
            "choose an algorithm that treats missing values.",
            name=tree.feature_names[int(needed[0])],
        )


def tested_features(tree: Tree, node: int) -> np.ndarray:
    """Features that the test of a node looks at."""
    if tree.feature[node] >= 0:
        return np.array([tree.feature[node]])
    if len(tree.oblique):
        return np.flatnonzero(tree.oblique.weights[tree.split_row[node]])
    return np.arange(tree.n_features)


def used_features(tree: Tree) -> list[int]:
    """Features that any test of a tree looks at, the most asked first."""
    if len(tree.kernel):
        return list(range(tree.n_features))
    weight = np.zeros(tree.n_features)
    for node in np.flatnonzero(tree.n_children > 0).tolist():
        weight[tested_features(tree, node)] += tree.weighted_n_node_samples[node]
    order = np.argsort(-weight, kind="stable")
    return order[weight[order] > 0].tolist()


def _value(tree: Tree, node: int, x: np.ndarray, decided: np.ndarray | None) -> float:
    if tree.kind[node] == Kind.KERNEL:
        return float(decided[tree.split_row[node]])
    if tree.kind[node] == Kind.OBLIQUE:
        return _position(x, tree.oblique.weights[tree.split_row[node]])
    return float(x[tree.feature[node]])


def _position(x: np.ndarray, weights: np.ndarray) -> float:
    """Dot product x . weights, summed in the order of the features, as by the tree."""
    total = 0.0
    for value, weight in zip(x.tolist(), weights.tolist(), strict=True):
        total += value * weight if weight else 0.0
    return total


def _branch(tree: Tree, node: int, value: float) -> int:
    """Branch that a value takes, or the fate of a row that takes none."""
    row = int(tree.split_row[node])
    if tree.kind[node] == Kind.KERNEL:
        return int(not value > 0.0)
    if tree.kind[node] == Kind.OBLIQUE:
        return int(not value <= tree.oblique.threshold[row])
    if np.isnan(value) and tree.missing in (Missing.BRANCH, Missing.MAJORITY):
        return max(int(tree.sent_missing[node]), STOPS)
    unknown = SPREADS if tree.missing == Missing.FRACTIONS else STOPS
    if np.isnan(value):
        return unknown
    if tree.kind[node] == Kind.THRESHOLD:
        return int(not value <= tree.threshold[node])
    known = 0 <= value < tree.categories.branch.shape[1]
    branch = int(tree.categories.branch[row, int(value)]) if known else -1
    return branch if branch >= 0 else unknown
