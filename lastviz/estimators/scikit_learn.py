"""Trees and forests of scikit-learn as trees of this package, to the last bit."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

import numpy as np
from sklearn.base import BaseEstimator, is_classifier
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from lastviz._random import ROOT_KEY, child_keys
from lastviz.tree import GrowthLog, Kind, Missing, Reason, Tree

from .imported import AnyImported, ImportedBoosting, imported_boosting, make_imported

TREES = (DecisionTreeClassifier, DecisionTreeRegressor)
FORESTS = (
    RandomForestClassifier, RandomForestRegressor, ExtraTreesClassifier, ExtraTreesRegressor,
)  # fmt: skip
HISTOGRAM = (HistGradientBoostingClassifier, HistGradientBoostingRegressor)
BOOSTING = (GradientBoostingClassifier, GradientBoostingRegressor, *HISTOGRAM)
KNOWN = (
    "a decision tree, an extra tree, a random forest, a forest of extra trees or a gradient "
    "boosting"
)


def from_sklearn(
    model: BaseEstimator, feature_names: Sequence[str] | None = None
) -> AnyImported | ImportedBoosting:
    """Fitted tree or ensemble of scikit-learn as an estimator of this package.

    It predicts what `model` predicts, of every row: scikit-learn rounds values to single
    precision before it compares them, and the thresholds here are the ones in double precision
    that part the same rows. A missing value takes the branch that it takes there.

    Parameters
    ----------
    model : estimator
        A fitted decision tree, extra tree, random forest, forest of extra trees or gradient
        boosting, plain or by histograms; for classes or for numbers.
    feature_names : sequence of str, optional
        One name for each feature; default: the names of the table that it was fitted on, else
        x1, x2, ...

    Returns
    -------
    ImportedTreeClassifier, ImportedForestClassifier, ImportedTreeRegressor, \
ImportedForestRegressor or ImportedBoosting

    Raises
    ------
    ValueError
        If `model` is of another kind, learns several outputs, is a boosting that begins with
        another model or splits categories, or the names do not fit.
    sklearn.exceptions.NotFittedError
        If it is not fitted.

    Notes
    -----
    A node's score is the decrease of its impurity; of a boosting by histograms, which keeps no
    impurity, the gain that it was split for. Which rows grew the tree scikit-learn does not
    keep. O(n_nodes n_classes).
    """
    if not isinstance(model, TREES + FORESTS + BOOSTING):
        raise ValueError(f"model must be {KNOWN} of scikit-learn, got {type(model).__name__}")
    check_is_fitted(model)
    if getattr(model, "n_outputs_", 1) != 1:
        raise ValueError(f"model must learn one output, it learns {model.n_outputs_}")
    names, named = _names(model, feature_names)
    classes = np.asarray(model.classes_) if is_classifier(model) else np.zeros(0, dtype=np.intp)
    takes_missing = bool(get_tags(model).input_tags.allow_nan)
    missing = Missing.BRANCH if takes_missing else Missing.REFUSE
    if isinstance(model, BOOSTING):
        stored, start = _boosted(model)
        return imported_boosting(
            [_tree(each, names, classes[:0], missing) for each in stored],
            start,
            classes,
            algorithm=type(model).__name__,
            named=named,
            by_exponent=model.loss in ("poisson", "gamma"),
            first_at_0=isinstance(model, HISTOGRAM),
        )
    forest = isinstance(model, FORESTS)
    fitted = model.estimators_ if forest else [model]
    trees = [_tree(each.tree_, names, classes, missing) for each in fitted]
    decision = ("shares" if len(classes) else "mean") if forest else "tree"
    return make_imported(trees, decision, algorithm=type(model).__name__, named=named)


def _names(
    model: BaseEstimator, feature_names: Sequence[str] | None
) -> tuple[tuple[str, ...], bool]:
    own = getattr(model, "feature_names_in_", None)
    given = own if feature_names is None else feature_names
    if given is None:
        return tuple(f"x{i + 1}" for i in range(model.n_features_in_)), False
    names = tuple(map(str, given))
    if len(names) != model.n_features_in_ or len(set(names)) < len(names):
        raise ValueError(
            f"feature_names must be {model.n_features_in_} different names, got {list(names)!r}"
        )
    return names, True


def _boosted(model: BaseEstimator) -> tuple[list[SimpleNamespace], np.ndarray]:
    """Trees of a gradient boosting, as :func:`_tree` reads them, and its start."""
    if isinstance(model, HISTOGRAM):
        if model.is_categorical_ is not None:
            raise ValueError(
                f"a {type(model).__name__} that splits categories cannot be taken over; fit it on "
                "columns of numbers, such as those of a OneHotEncoder"
            )
        rounds = [predictor for each in model._predictors for predictor in each]
        return [_of_histograms(each.nodes) for each in rounds], model._baseline_prediction[0]
    if model.init not in (None, "zero"):
        raise ValueError(
            f"a {type(model).__name__} that begins with another model is more than its trees; fit "
            "it with init=None"
        )
    start = model._raw_predict_init(np.zeros((1, model.n_features_in_), dtype=np.float32))[0]
    trees = [each.tree_ for each in model.estimators_.ravel()]
    return [_of_scores(each, model.learning_rate) for each in trees], start


def _of_scores(stored: object, rate: float) -> SimpleNamespace:
    """Tree of residuals that predicts the contributions of its leaves to a score."""
    names = (
        "children_left children_right feature threshold impurity n_node_samples "
        "weighted_n_node_samples missing_go_to_left"
    )
    made = SimpleNamespace(**{name: getattr(stored, name) for name in names.split()})
    made.value = _means_of_leaves(made, rate * stored.value[:, 0, 0])
    return made


def _of_histograms(nodes: np.ndarray) -> SimpleNamespace:
    """Tree by histograms, which compares in double precision."""
    leaf = nodes["is_leaf"].astype(bool)
    made = SimpleNamespace(
        children_left=np.where(leaf, -1, nodes["left"].astype(np.intp)),
        children_right=np.where(leaf, -1, nodes["right"].astype(np.intp)),
        feature=nodes["feature_idx"],
        threshold=nodes["num_threshold"],
        impurity=np.full(len(nodes), np.nan),
        gain=nodes["gain"],
        n_node_samples=nodes["count"],
        weighted_n_node_samples=nodes["count"].astype(np.float64),
        missing_go_to_left=nodes["missing_go_to_left"],
    )
    made.value = _means_of_leaves(made, nodes["value"])
    return made


def _means_of_leaves(stored: SimpleNamespace, added: np.ndarray) -> np.ndarray:
    """Contributions of leaves; of an inner node the weighted mean of its leaves'.

    What scikit-learn keeps at inner nodes of such trees is of another scale than its leaves.
    """
    value = added.astype(np.float64)
    weight = np.maximum(stored.weighted_n_node_samples, np.finfo(float).tiny)
    order = _in_order(stored.children_left, stored.children_right)
    for node in order[stored.children_left[order] >= 0][::-1]:
        below = [stored.children_left[node], stored.children_right[node]]
        value[node] = np.average(value[below], weights=weight[below])
    return value[:, None, None]


def growth_of(model: BaseEstimator) -> GrowthLog:
    """Order in which a scikit-learn tree split its nodes, as far as it shows.

    Parameters
    ----------
    model : DecisionTreeClassifier or DecisionTreeRegressor
        Fitted; one of a forest, too.

    Returns
    -------
    GrowthLog
        The splits alone, by the nodes of :func:`from_sklearn`: why a leaf is one scikit-learn
        does not keep. A tree that it pruned is told in the order in which it stored what was
        left.

    Notes
    -----
    Children are numbered when their parent is split, depth first and best first alike, so the
    splits in the order of their first children are those in the order of growth. O(n log n).
    """
    stored = model.tree_
    order = _in_order(stored.children_left, stored.children_right)
    left = stored.children_left[order]
    inner = np.flatnonzero(left >= 0)
    node = inner[np.argsort(left[inner], kind="stable")]
    tree = from_sklearn(model).tree_
    reason = np.full(len(node), Reason.BEST_SPLIT)
    return GrowthLog.of_growth(node, reason, tree.n_node_samples, tree.score)


@np.errstate(over="ignore")
def threshold_of_single(threshold: np.ndarray) -> np.ndarray:
    """Threshold t' with ``x <= t'`` exactly where x, in single precision, is <= t.

    Parameters
    ----------
    threshold : ndarray of float64
        Finite, or +inf where nothing is compared, or NaN: these stay.

    Notes
    -----
    The numbers that are rounded to f, the largest in single precision up to t, or to less, end
    midway between f and the next one; the midpoint itself is rounded to the even one of the two.
    """
    threshold = np.asarray(threshold, dtype=np.float64)
    finite = np.isfinite(threshold)
    single = np.where(finite, threshold, 0.0).astype(np.float32)
    below = single.astype(np.float64) > np.where(finite, threshold, 0.0)
    single = np.where(below, np.nextafter(single, np.float32(-np.inf)), single)
    single = np.clip(single, np.finfo(np.float32).min, np.finfo(np.float32).max)
    value = single.astype(np.float64)
    # From one single to the next is a power of two, also beyond the last one.
    gap = np.spacing(np.where(single < 0, np.nextafter(single, np.float32(np.inf)), single))
    gap = np.where(single < 0, np.abs(gap), gap).astype(np.float64)
    middle = value + gap / 2.0
    even = (single.view(np.int32) & 1) == 0
    return np.where(finite, np.where(even, middle, np.nextafter(middle, -np.inf)), threshold)


def _tree(stored: object, names: tuple[str, ...], classes: np.ndarray, missing: Missing) -> Tree:
    """One tree; its nodes so that siblings are adjacent."""
    order = _in_order(stored.children_left, stored.children_right)
    place = np.empty(len(order), dtype=np.intp)
    place[order] = np.arange(len(order))
    left = stored.children_left[order]
    inner, n = left >= 0, len(order)
    first_child = np.where(inner, place[left], -1)
    parent, depth = np.full(n, -1, dtype=np.intp), np.zeros(n, dtype=np.intp)
    key = np.full(n, ROOT_KEY)
    for node in np.flatnonzero(inner):
        children = first_child[node] + np.arange(2)
        parent[children], depth[children] = node, depth[node] + 1
        key[children] = child_keys(key[node], np.arange(2))
    weight = stored.weighted_n_node_samples[order]
    impurity = stored.impurity[order]
    below = np.bincount(parent[1:], (weight * impurity)[1:], minlength=n)
    share = stored.value[order][:, 0, :]
    regression = not len(classes)
    by_histograms = hasattr(stored, "gain")
    threshold = stored.threshold[order]
    threshold = threshold if by_histograms else threshold_of_single(threshold)
    gain = stored.gain[order] if by_histograms else impurity - below / weight
    goes_left = np.asarray(stored.missing_go_to_left)[order].astype(bool)
    branch = np.where(goes_left, 0, 1) if missing == Missing.BRANCH else np.full(n, -1)
    return Tree(
        parent=parent,
        depth=depth,
        first_child=first_child,
        n_children=np.where(inner, 2, 0),
        kind=np.where(inner, Kind.THRESHOLD, Kind.LEAF).astype(np.int8),
        feature=np.where(inner, stored.feature[order], -1).astype(np.intp),
        threshold=np.where(inner, threshold, np.nan),
        impurity=impurity,
        score=np.where(inner, gain, np.nan),
        n_node_samples=stored.n_node_samples[order].astype(np.intp),
        weighted_n_node_samples=weight,
        value=share if regression else _counts(share, weight),
        prediction=share[:, 0] if regression else share.argmax(axis=1),
        start=np.zeros(n, dtype=np.intp),
        end=np.zeros(n, dtype=np.intp),
        key=key,
        grown_node=np.arange(n),
        samples=np.empty(0, dtype=np.intp),
        sample_weight=np.empty(0),
        feature_names=names,
        classes=classes,
        missing=missing,
        missing_branch=np.where(inner, branch, -1).astype(np.intp),
    )


def _in_order(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Scikit-learn's node numbers, level by level; unchanged if siblings are adjacent."""
    inner = left >= 0
    if (right[inner] == left[inner] + 1).all():
        return np.arange(len(left))
    levels, here = [np.zeros(1, dtype=np.intp)], np.zeros(1, dtype=np.intp)
    while len(here):
        inner = here[left[here] >= 0]
        here = np.column_stack([left[inner], right[inner]]).ravel().astype(np.intp)
        levels.append(here)
    return np.concatenate(levels)


def _counts(share: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Class counts from shares; whole numbers where the weights are whole."""
    counts = share * weight[:, None]
    rounded = np.round(counts)
    near = np.abs(counts - rounded) <= 1e-9 * np.maximum(weight[:, None], 1.0)
    return np.where(near.all(), rounded, counts)
