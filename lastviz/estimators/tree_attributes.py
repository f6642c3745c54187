"""What users of scikit-learn's trees ask a fitted tree for."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_matrix
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from lastviz._params import Param
from lastviz.tree import Missing, Tree

# scikit-learn's words for what the information gain is the decrease of, beside the gain itself.
ENTROPY_IS_GAIN = (("entropy", "gain"), ("log_loss", "gain"))


class TreeAttributes:
    """Size, importances and paths of a fitted `tree_`, by scikit-learn's names."""

    PARAMS: ClassVar[tuple[Param, ...]]
    tree_: Tree

    @property
    def _criterion(self) -> str:
        """The criterion by the word that `PARAMS` offers, whatever word was given."""
        for param in self.PARAMS:
            if param.name == "criterion":
                return str(param.check(self.criterion))
        raise AttributeError(f"{type(self).__name__} has no criterion")

    @property
    def n_outputs_(self) -> int:
        """Number of things predicted: 1."""
        check_is_fitted(self)
        return 1

    def _routed(self, X: ArrayLike) -> tuple[Tree, np.ndarray]:
        """Return the tree that answers for rows, and the rows as it reads them."""
        X = self.encode(X)
        return self.tree_, X

    def get_depth(self) -> int:
        """Return the number of edges from the root to the deepest leaf of `tree_`."""
        check_is_fitted(self)
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves of `tree_`."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    @property
    def feature_importances_(self) -> np.ndarray:
        """By how much the splits of each feature lower the impurity, as shares of the sum.

        Shape (n_features,); zeros for a tree without splits. Not offered for a tree one of whose
        splits weighs several features.

        Notes
        -----
        Of each split of `tree_`, the impurity of its node times its weight less those of its
        children; the impurity is the one that `tree_` stores. Breiman et al. (1984), section
        5.3.4, without surrogate splits; the features with many thresholds or categories are
        favoured.
        """
        check_is_fitted(self)
        return feature_importances(self.tree_)

    def decision_path(self, X: ArrayLike) -> csr_matrix:
        """Return the nodes that each row of `X` visits.

        Returns
        -------
        csr_matrix of int, shape (n_samples, n_nodes)
            The root, the nodes below it down to where the row stops; where a missing value sends
            it down several branches, those of all of them.
        """
        tree, X = self._routed(X)
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
        """Return the natural logarithm of `predict_proba`; -inf for a share of 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))


def sent_to_more_rows(tree: Tree) -> Tree:
    """Return a tree of two branches that sends a missing value where most training rows went.

    Of equal branches to the second, as scikit-learn does.
    """
    first = np.maximum(tree.first_child, 0)
    rows = tree.n_node_samples
    branch = (rows[first] <= rows[np.minimum(first + 1, tree.n_nodes - 1)]).astype(np.intp)
    branch[tree.n_children == 0] = -1
    return replace(tree, missing=Missing.BRANCH, missing_branch=branch)


def feature_importances(tree: Tree) -> np.ndarray:
    """Return the share of each feature in the decrease of a tree's impurity, (n_features,).

    Raises
    ------
    AttributeError
        If a split weighs several features, so that its decrease belongs to none of them.
    """
    if len(tree.kernel) or len(tree.oblique):
        raise AttributeError(
            "feature_importances_ is for trees that split one feature at a time; splits of this "
            "one weigh several"
        )
    held = tree.impurity * tree.weighted_n_node_samples
    inside = np.bincount(tree.parent[1:], held[1:], minlength=tree.n_nodes)
    inner = np.flatnonzero(tree.n_children > 0)
    lowered = np.bincount(tree.feature[inner], (held - inside)[inner], minlength=tree.n_features)
    total = lowered.sum()
    return lowered / total if total > 0.0 else np.zeros(tree.n_features)
