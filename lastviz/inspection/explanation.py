"""Why one sample gets its class: the tests that it meets, with its values."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from lastviz.estimators import ForestClassifier, TreeClassifier
from lastviz.tree import Kind, Tree

from .forest import VotesOfSample, class_supports
from .forest import explain as explain_votes

__all__ = ["STOPS", "Explanation", "explain"]

STOPS = -1
"""The branch of a node where the sample stops."""


@dataclass(frozen=True, eq=False)
class Explanation:
    """The way of one sample through a tree.

    Attributes
    ----------
    node : ndarray of intp, shape (n,)
        The nodes that it visits, in rising order: the root first.
    weight : ndarray of float64, shape (n,)
        The share of it that comes there: 1, less where a missing value sent it several ways.
    value : ndarray of float64, shape (n,)
        What the node's test looks at: the feature's value, ``x @ weights`` or f(x); NaN at
        a leaf and where the value is missing.
    branch : ndarray of intp, shape (n,)
        Which child takes it; -1 (``STOPS``) at its end.
    shares : ndarray of float64, shape (n_classes,)
        Class supports where it ends.
    prediction : int
        Class index.
    """

    node: np.ndarray
    weight: np.ndarray
    value: np.ndarray
    branch: np.ndarray
    shares: np.ndarray
    prediction: int

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
    estimator: TreeClassifier | ForestClassifier, x: np.ndarray
) -> Explanation | VotesOfSample:
    """Return the way of one sample through a fitted tree, or the votes of a forest about it.

    Parameters
    ----------
    estimator : TreeClassifier or ForestClassifier
        Fitted.
    x : array-like, shape (n_features,)
        One sample.

    Raises
    ------
    ValueError
        If `x` is not one sample, or lacks a value that the estimator cannot do without.
    """
    if isinstance(estimator, ForestClassifier):
        return explain_votes(estimator, x)
    tree = estimator.tree_
    x = np.asarray(x, dtype=np.float64)
    if x.shape != (tree.n_features,):
        raise ValueError(f"x must be one sample of {tree.n_features} features, got shape {x.shape}")
    if not np.isfinite(x).all():
        name = tree.feature_names[int(np.flatnonzero(~np.isfinite(x))[0])]
        raise ValueError(f"x must have a finite number for each feature, but {name} has none")
    return _walk(tree, x)


def _walk(tree: Tree, x: np.ndarray) -> Explanation:
    decided = tree.kernel.decide(x[None, :])[0] if len(tree.kernel) else None
    end = int(tree.apply(x[None, :])[0])
    path = tree.path(end)
    value = np.array([_value(tree, node, x, decided) for node in path[:-1]] + [np.nan])
    branch = np.array([b - tree.first_child[a] for a, b in pairwise(path)])
    return Explanation(
        node=np.array(path, dtype=np.intp),
        weight=np.ones(len(path)),
        value=value,
        branch=np.append(branch, STOPS).astype(np.intp),
        shares=class_supports(tree)[end],
        prediction=int(tree.prediction[end]),
    )


def _value(tree: Tree, node: int, x: np.ndarray, decided: np.ndarray | None) -> float:
    if tree.kind[node] == Kind.KERNEL:
        return float(decided[tree.split_row[node]])
    if tree.kind[node] == Kind.OBLIQUE:
        return float(tree.oblique.weights[tree.split_row[node]] @ x)
    return float(x[tree.feature[node]])
