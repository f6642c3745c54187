"""Attributes and methods of a fitted tree under the names of scikit-learn's trees."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from lastviz._params import Param
from lastviz.pruning import PRUNERS
from lastviz.pruning.registry import ALPHA, M
from lastviz.tree import GrowthLog, Kind, Tree

# scikit-learn's words for what the information gain is the decrease of, beside the gain itself.
ENTROPY_IS_GAIN = (("entropy", "gain"), ("log_loss", "gain"))


class TreeAttributes:
    """Size, importances and paths of a fitted `tree_`, by scikit-learn's names."""

    PARAMS: ClassVar[tuple[Param, ...]]
    tree_: Tree

    @property
    def n_outputs_(self) -> int:
        """Number of things predicted: 1."""
        check_is_fitted(self)
        return 1

    def apply(self, X: ArrayLike) -> np.ndarray:
        """Leaf (a node of `tree_`) of each row of `X`. O(n depth)."""
        X = self.encode(X)
        return self.tree_.apply(X)

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Class or number of each row of `X` (n_samples, n_features). O(n depth)."""
        X = self.encode(X)
        found = self.tree_.predict(X)
        return found if self.tree_.is_regression else self.classes_[found]

    def with_costs(self, costs: ArrayLike) -> Self:
        """Copy of the fitted classifier that predicts the class of least expected cost.

        Parameters
        ----------
        costs : array-like of float, shape (n_classes, n_classes)
            Cost of a row of class i that is called class j, in row i and column j; classes are in
            the order of `classes_`.

        Returns
        -------
        classifier
            Its shares are those of this one; exports and pictures of it decide by the costs, too.

        Raises
        ------
        ValueError
            If the shape is another one, a cost is negative or not finite, or the classifier does
            not decide by the shares of its leaves.

        Notes
        -----
        The expected cost of a class is the sum of the shares times their costs (Elkan 2001, eq
        1). O(n_nodes n_classes^2). Pruning is as it was.
        """
        return self._deciding("with_costs", costs)

    def with_threshold(self, label: object, threshold: float) -> Self:
        """Copy of the fitted classifier of two classes that decides at a threshold.

        Parameters
        ----------
        label : object
            One of `classes_`.
        threshold : float
            Share, between 0 and 1, from which a leaf is given `label`.

        Returns
        -------
        classifier
            As of :meth:`with_costs`.

        Raises
        ------
        ValueError
            As there, if there are not two classes, or `label` is none of them.
        """
        check_is_fitted(self)
        places = np.flatnonzero(self.tree_.classes == label)
        if not len(places):
            raise ValueError(f"{label!r} is none of the classes")
        return self._deciding("with_threshold", int(places[0]), threshold)

    @property
    def decides_by_shares(self) -> bool:
        """Whether the class shares of a leaf decide: no median, envelope or machine does."""
        check_is_fitted(self)
        by_median = getattr(self, "leaf", "majority") == "median"
        others = by_median or getattr(self, "monotone", False) or len(self.tree_.kernel)
        return not (others or self.tree_.is_regression)

    def _deciding(self, decide: str, *how: object) -> Self:
        if not self.decides_by_shares:
            raise ValueError("it does not decide by the shares of its leaves")
        other = copy(self)
        other.tree_ = getattr(self.tree_, decide)(*how)
        if self.grown_tree_ is self.tree_:
            other.grown_tree_ = other.tree_
        return other

    def get_depth(self) -> int:
        """Number of edges from the root to the deepest leaf of `tree_`."""
        check_is_fitted(self)
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """Number of leaves of `tree_`."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    @property
    def feature_importances_(self) -> np.ndarray:
        """By how much the splits of each feature lower the impurity, as shares of the sum.

        Shape (n_features,); zeros for a tree without splits. Not offered for a tree of machines,
        nor for one read from a file whose splits weigh several features.

        Notes
        -----
        Of each split of `tree_`, the impurity of its node times its weight less those of its
        children; the impurity is the one that `tree_` stores. Breiman et al. (1984), section
        5.3.4, without surrogate splits; the features with many thresholds or categories are
        favoured.

        A split that weighs several features, in an oblique tree or one in a latent space, gives
        each the share ``|w_j| s_j / sum |w_k| s_k`` of its decrease, where w are its weights and s
        the standard deviations of the features over the training rows: no share depends on units.
        Deviation: no paper on these trees defines importances; these are standardised weights.
        """
        check_is_fitted(self)
        return feature_importances(self.tree_, getattr(self, "feature_spread_", None))

    def decision_path(self, X: ArrayLike) -> csr_matrix:
        """Nodes that each row of `X` visits.

        Returns
        -------
        csr_matrix of int, shape (n_samples, n_nodes)
            The root, the nodes below it down to where the row stops; where a missing value sends
            it down several branches, those of all of them.
        """
        X, tree = self.encode(X), self.tree_
        row, node, _ = tree.leaf_weights(X)
        visited = []
        while len(row):
            visited.append(np.unique(np.column_stack([row, node]), axis=0))
            row, node = visited[-1].T
            row, node = row[tree.parent[node] >= 0], tree.parent[node][tree.parent[node] >= 0]
        pairs = np.unique(np.concatenate(visited), axis=0) if visited else np.empty((0, 2), np.intp)
        shape = (len(X), tree.n_nodes)
        return csr_matrix((np.ones(len(pairs), dtype=np.intp), tuple(pairs.T)), shape=shape)

    @available_if(lambda self: hasattr(self, "predict_proba"))
    def predict_log_proba(self, X: np.ndarray) -> np.ndarray:
        """Natural logarithm of `predict_proba`; -inf for a share of 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))


def feature_importances(tree: Tree, spread: np.ndarray | None = None) -> np.ndarray:
    """Share of each feature in the decrease of a tree's impurity, (n_features,).

    `spread` is that of each feature, (n_features,), by which hyperplanes share out theirs.

    Raises
    ------
    AttributeError
        If a split belongs to no feature, and there are no weights or spreads to share it out.
    """
    if len(tree.kernel) or (len(tree.oblique) and spread is None):
        raise AttributeError(
            "feature_importances_ is for trees that split one feature at a time or by a hyperplane "
            "in known units; splits of this one weigh several"
        )
    held = tree.impurity * tree.weighted_n_node_samples
    inside = np.bincount(tree.parent[1:], held[1:], minlength=tree.n_nodes)
    lowered = held - inside
    inner = np.flatnonzero((tree.n_children > 0) & (tree.kind != Kind.OBLIQUE))
    shares = np.zeros(tree.n_features)
    np.add.at(shares, tree.feature[inner], lowered[inner])
    for node in np.flatnonzero(tree.kind == Kind.OBLIQUE):
        weight = np.abs(tree.oblique.weights[tree.split_row[node]]) * spread
        shares += lowered[node] * weight / (weight.sum() or 1.0)
    total = shares.sum()
    return shares / total if total > 0.0 else np.zeros(tree.n_features)


# ---- Pruning by the tree alone: the parameters of ways that need no rows, and how they are called


BY_TREE = ("replacement", "pessimistic", "minimum_error", "entropy_cost", "mdl")
"""Pruners that need nothing but a tree of classes."""
OWN_NAMES = {"alpha": "entropy_alpha", "m": "m_estimate"}
"""Parameters of pruners that estimators call otherwise."""

ENTROPY_ALPHA = replace(
    ALPHA,
    name="entropy_alpha",
    default=4.0,
    label="Price of a leaf in bits",
    needs=("pruning", ("entropy_cost",)),
)
M_ESTIMATE = replace(M, name="m_estimate", needs=("pruning", ("minimum_error",)))


def prune_by_tree(
    estimator: BaseEstimator, key: str, kept: np.ndarray | None
) -> tuple[Tree, GrowthLog]:
    """Cut the grown tree of an estimator back as one of :data:`BY_TREE` does.

    `kept` are nodes that stay, see :func:`lastviz.pruning.prune_table`.
    """
    known = set(estimator.get_params(deep=False))
    params = {}
    for param in PRUNERS[key].params:
        name = OWN_NAMES.get(param.name, param.name)
        if name in known:
            params[param.name] = getattr(estimator, name)
    return PRUNERS[key].prune(estimator.grown_tree_, kept=kept, **params)
