"""Trees of this package as trees of scikit-learn."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from sklearn.tree import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeClassifier,
    ExtraTreeRegressor,
)
from sklearn.tree._tree import NODE_DTYPE
from sklearn.tree._tree import Tree as StoredTree
from sklearn.utils.validation import check_is_fitted

from lastviz.criteria.impurity import class_entropy, gini
from lastviz.tree import Kind, Missing, Tree
from lastviz.tree.routing import shares_of_nodes

from .scikit_learn import threshold_of_single
from .tree_attributes import TreeAttributes


def to_sklearn(
    model: TreeAttributes, X: ArrayLike | None = None
) -> DecisionTreeClassifier | DecisionTreeRegressor:
    """Fitted tree of this package, changed by hand or not, as one of scikit-learn.

    It predicts what `model` predicts, and gives the same class shares where `model` gives any,
    bit for bit. Its nodes have the numbers of those of ``model.tree_``, and
    :func:`.from_sklearn` brings the tree back.

    Parameters
    ----------
    model : estimator
        Fitted, of one tree whose nodes each compare one number with a threshold.
    X : array-like, shape (n_samples, n_features), optional
        Rows, such as those that `model` was fitted on, each of which must stop at the same leaf
        in both trees: a check for values that differ little, such as times in seconds.

    Returns
    -------
    DecisionTreeClassifier or DecisionTreeRegressor
        A clone of it is an unfitted one with default parameters but for the impurity.

    Raises
    ------
    ValueError
        If `model` is none of these: a forest, a monotone envelope, a tree of hyperplanes, kernel
        machines, latent spaces or nominal columns, one that divided rows in parts among branches,
        one with a leaf whose class is not a most frequent one; or if single precision does not
        tell two of its thresholds apart, or sends a row of `X` elsewhere.
    sklearn.exceptions.NotFittedError
        If it is not fitted.

    Notes
    -----
    Deviation: scikit-learn rounds values to single precision, about 7 digits. Those that round to
    the single of a threshold cannot be told apart there; all others go as here. Of them, the
    values in `X` go as here; if it has none, the short number that the threshold is but for its
    own rounding (14.97 for 14.969999999999999), else the threshold itself. A threshold midway
    between two singles parts these.
    Deviation: in a leaf with ties whose class is not the lowest of them, the share of that class
    is larger by the last bit, since scikit-learn predicts the lowest of equal ones.
    Rows with missing values take the branch that they take here. Where a row would go down
    several, as in C4.5, or has no answer, they are refused: the tree is then scikit-learn's
    ``ExtraTreeClassifier`` with the splitter "best" and all features, a decision tree that takes
    none.
    How a split was scored and which rows grew the tree scikit-learn does not keep; an impurity
    that it does not know becomes Gini's. O(n_nodes n_classes).
    """
    if not isinstance(model, TreeAttributes):
        raise ValueError(
            f"scikit-learn's tree can hold one tree of this package, got {type(model).__name__}"
        )
    check_is_fitted(model)
    tree = model.tree_
    _check_goes_back(model, tree)
    refuses = tree.missing in (Missing.REFUSE, Missing.FRACTIONS)
    theirs, impurity = _unfitted(tree.is_regression, refuses), tree.impurity
    if not tree.is_regression:
        theirs.classes_, theirs.n_classes_ = tree.classes, np.intp(len(tree.classes))
        if np.allclose(impurity, class_entropy(tree.value)) and impurity.any():
            theirs.criterion = "entropy"
        elif not np.allclose(impurity, gini(tree.value)):
            impurity = gini(tree.value)
    theirs.n_features_in_ = theirs.max_features_ = tree.n_features
    theirs.n_outputs_ = 1
    if hasattr(model, "feature_names_in_"):
        theirs.feature_names_in_ = model.feature_names_in_
    rows = None if X is None else model.encode(X)
    theirs.tree_ = _stored(tree, impurity, _single_threshold(tree, rows))
    if X is not None and (elsewhere := theirs.apply(X) != model.apply(X)).any():
        raise ValueError(
            f"row {np.argmax(elsewhere)} of X stops at another leaf in scikit-learn, which rounds "
            "values to single precision; subtract an offset from the feature before you fit"
        )
    return theirs


def _unfitted(is_regression: bool, refuses: bool) -> DecisionTreeClassifier | DecisionTreeRegressor:
    """Tree of scikit-learn; it `refuses` missing values or takes them."""
    if refuses:
        kind = ExtraTreeRegressor if is_regression else ExtraTreeClassifier
        return kind(splitter="best", max_features=None)
    return DecisionTreeRegressor() if is_regression else DecisionTreeClassifier()


def _check_goes_back(model: TreeAttributes, tree: Tree) -> None:
    """Refuse a tree that scikit-learn cannot hold."""
    if getattr(model, "monotone", False):
        raise ValueError(
            "scikit-learn's tree cannot hold a monotone envelope: it decides by all leaves at once"
        )
    nominal = any(known is not None for known in tree.feature_categories)
    if (tree.kind > Kind.THRESHOLD).any() or len(tree.bases) or nominal:
        raise ValueError(
            "scikit-learn's tree compares one number with a threshold at each node; this one has "
            "nominal columns, hyperplanes, latent spaces or kernel machines"
        )
    rows = np.bincount(tree.parent[1:], tree.n_node_samples[1:], minlength=tree.n_nodes)
    if (rows > tree.n_node_samples).any():
        raise ValueError(
            "scikit-learn's tree sends a row without a value down one branch; this one divided "
            "such rows among several"
        )


def _stored(tree: Tree, impurity: np.ndarray, threshold: np.ndarray) -> StoredTree:
    """Tree as scikit-learn stores it, by the same node numbers."""
    inner = tree.n_children > 0
    nodes = np.zeros(tree.n_nodes, dtype=NODE_DTYPE)
    nodes["left_child"] = np.where(inner, tree.first_child, -1)
    nodes["right_child"] = np.where(inner, tree.first_child + 1, -1)
    nodes["feature"] = np.where(inner, tree.feature, -2)
    nodes["threshold"] = np.where(inner, threshold, -2.0)
    nodes["impurity"], nodes["n_node_samples"] = impurity, tree.n_node_samples
    nodes["weighted_n_node_samples"] = tree.weighted_n_node_samples
    nodes["missing_go_to_left"] = inner & (tree.sent_missing == 0)
    shares = tree.prediction[:, None] if tree.is_regression else _shares_to_predict(tree)
    n_classes = np.array([max(len(tree.classes), 1)], dtype=np.intp)
    stored = StoredTree(tree.n_features, n_classes, 1)
    stored.__setstate__(
        {
            "max_depth": tree.max_depth,
            "node_count": tree.n_nodes,
            "nodes": nodes,
            "values": np.ascontiguousarray(shares[:, None, :], dtype=np.float64),
        }
    )
    return stored


def _single_threshold(tree: Tree, rows: np.ndarray | None) -> np.ndarray:
    """Thresholds by which values in single precision are sent as the tree does.

    Parameters
    ----------
    rows : ndarray of float64, shape (n_samples, n_features), or None
        Of which those beside a threshold say where its single belongs.
    """
    threshold = tree.threshold
    with np.errstate(over="ignore", invalid="ignore"):
        single = threshold.astype(np.float32)
        before = np.nextafter(single, np.float32(-np.inf)).astype(np.float64)
        short = np.array([float(str(each)) for each in single])
        is_short = np.abs(short - threshold) <= 1e-15 * np.abs(threshold)
        beyond = (single - threshold == threshold - before) | (is_short & (short > threshold))
        for node in np.flatnonzero(tree.n_children) if rows is not None else ():
            values = rows[:, tree.feature[node]]
            known = values[values.astype(np.float32) == single[node]]
            beyond[node] = (known > threshold[node]).any() if len(known) else beyond[node]
    second = np.where(single > threshold, threshold, before)
    found = np.where(beyond, second, np.maximum(threshold, single))
    parted_at = threshold_of_single(found)
    for node in np.flatnonzero(tree.n_children):
        for above in tree.path(node)[:-1]:
            same = tree.feature[above] == tree.feature[node]
            if same and parted_at[above] == parted_at[node]:
                name = tree.feature_names[tree.feature[node]]
                raise ValueError(
                    "scikit-learn rounds values to single precision, in which two thresholds of "
                    f"{name!r} are one; subtract an offset from it before you fit"
                )
    return found


def _shares_to_predict(tree: Tree) -> np.ndarray:
    """Class shares of the nodes, larger by the last bit where ties need it."""
    shares, nodes = shares_of_nodes(tree), np.arange(tree.n_nodes)
    most = shares.max(axis=1)
    tied = (shares.argmax(axis=1) != tree.prediction) & (
        shares[nodes, tree.prediction] >= most * (1.0 - 1e-9)
    )
    shares[nodes[tied], tree.prediction[tied]] = np.nextafter(most[tied], np.inf)
    rarer = (tree.n_children == 0) & (shares.argmax(axis=1) != tree.prediction)
    if rarer.any():
        raise ValueError(
            "scikit-learn's tree predicts the most frequent class of a leaf, and leaf "
            f"{np.argmax(rarer)} of this one predicts another"
        )
    return shares
