"""The border of the displays: a model and its rows, checked and read once."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline
from sklearn.utils import column_or_1d
from sklearn.utils.validation import check_is_fitted

from lastviz.estimators import (
    ForestClassifier,
    ImportedBoosting,
    ImportedForestRegressor,
    TreeClassifier,
    renamed_tree,
)
from lastviz.estimators.reading import check_table, checked_targets, names_of, validate_data
from lastviz.estimators.scikit_learn import BOOSTING, FORESTS, KNOWN, TREES, from_sklearn
from lastviz.inspection import feature_gains, is_ensemble, spread_by_feature
from lastviz.plots import Plane, class_titles, lay_plane, stands_on_axis
from lastviz.tree import Tree

FORM = "columns"  # the only form of the rows: as the model reads them
LARGEST = 1e200  # of a value on an axis: a window around it must not overflow
INSIDE = "; a tree inside a forest is shown by show(forest, X, y, tree=0)"
Names = Sequence[str] | Mapping[object, str]


@dataclass(frozen=True, eq=False)
class ShownModel:
    """Fitted model of this package or of scikit-learn, and the samples to show."""

    given: BaseEstimator  # as they were given
    # estimator of this package, of a forest one tree, if one was asked for.
    estimator: BaseEstimator
    X: object  # as they were given
    # (n_samples, n_features) float64, the rows as trees read them: codes of categories, NaN where
    # missing.
    values: np.ndarray
    y: np.ndarray | None  # (n_samples,), class indices (intp), or the numbers to learn
    feature_names: tuple[str, ...]  # no classes where numbers are learnt
    class_names: tuple[str, ...]  # no classes where numbers are learnt
    categories: tuple[tuple | None, ...]  # of each nominal feature

    @property
    def is_regression(self) -> bool:
        """Whether the model predicts numbers."""
        return not self.class_names

    @property
    def is_ensemble(self) -> bool:
        """Whether it predicts by more than the leaves of one tree."""
        return is_ensemble(self.estimator)

    @property
    def is_ours(self) -> bool:
        """Whether it was grown by this package, so that its growth and searches are known."""
        return len(getattr(self.estimator, "growth_log_", ())) > 0

    @property
    def adds_to(self) -> str:
        """Score that the leaves add to, of a tree of a gradient boosting; else ""."""
        return getattr(self.estimator, "adds_to_", "")

    @property
    def tree(self) -> Tree:
        """The tree that predicts."""
        return self.estimator.tree_

    def check_tree_of_classes(self, picture: str) -> None:
        """Refuse whole forests, envelopes and regression models."""
        if self.is_regression:
            raise ValueError(f"{picture} is about classes, and this model predicts numbers")
        if not hasattr(self.estimator, "tree_"):
            raise ValueError(f"{picture} is about one tree; name one of this forest in tree")

    def training_rows(self, tree: int | None) -> np.ndarray:
        """Rows on which the model, or tree `tree` of the forest, was grown.

        Raises
        ------
        ValueError
            If `X` cannot be the table that it was fitted on.
        """
        rows = np.arange(len(self.values))
        if tree is not None and hasattr(self.given, "draws_"):
            rows = self.given.draws_[tree].rows
        elif tree is not None:
            rows = self.given.estimators_samples_[tree]
        grown = self.estimator.grown_tree_
        fits = len(rows) > 0 and rows.max() < len(self.values)
        if self.is_ours:
            fits = fits and int(grown.n_node_samples[0]) <= len(rows)
        elif fits and hasattr(self.given, "tree_" if tree is None else "estimators_samples_"):
            leaf = np.flatnonzero(grown.n_children == 0)
            ends = np.bincount(grown.apply(self.values[np.unique(rows)]), minlength=grown.n_nodes)
            fits = np.array_equal(ends[leaf], grown.n_node_samples[leaf])
        if not fits:
            raise ValueError(
                "X must be the very rows that the model was fitted on; what its leaves hold is not "
                f"what the {len(self.values)} rows of X come to"
            )
        return rows

    @cached_property
    def label(self) -> np.ndarray:
        """Class indices, or an error where there is no y."""
        if self.y is None:
            raise ValueError("y must be given: this picture is about rows of known classes")
        return self.y

    def feature(self, name: int | str) -> int:
        """Index of a feature, given by number or name; ValueError if there is none."""
        if isinstance(name, str) and name in self.feature_names:
            return self.feature_names.index(name)
        if isinstance(name, int | np.integer) and 0 <= name < len(self.feature_names):
            return int(name)
        known = ", ".join(self.feature_names[:20])
        raise ValueError(
            f"{name!r} is no feature; there are the numbers 0 to {len(self.feature_names) - 1} "
            f"and the names {known}"
        )

    def check_node(self, node: int) -> None:
        """Refuse a number that is not a node of the tree."""
        if not (isinstance(node, int | np.integer) and 0 <= node < self.tree.n_nodes):
            raise ValueError(f"node must be from 0 to {self.tree.n_nodes - 1}, got {node!r}")

    def check_inner(self, node: int) -> None:
        """Refuse a node that does not split."""
        self.check_node(node)
        if self.tree.is_leaf(node):
            inner = np.flatnonzero(self.tree.n_children > 0).tolist()
            known = f"the inner nodes are {', '.join(map(str, inner[:20]))}"
            known = known if inner else "the tree is this leaf alone"
            raise ValueError(f"node {node} is a leaf, which has no split; {known}")

    def plane(self, features: Sequence[int | str] | None = None, row: int | None = None) -> Plane:
        """Plane of two features: those named, or the two that tell the classes best.

        Parameters
        ----------
        features : sequence of one or two int or str, optional
        row : int, optional
            The row through which the plane goes; default: medians and most frequent categories.
        """
        if row is not None and not 0 <= row < len(self.values):
            raise ValueError(f"row must be from 0 to {len(self.values) - 1}, got {row}")
        axes = self._telling() if features is None else self._named(features)
        tables = {FORM: (self.feature_names, self.values)}
        comparable = len(self.feature_names) > 1
        return lay_plane(FORM, tables, self.categories, axes, row=row, comparable=comparable)

    def _named(self, features: Sequence[int | str]) -> tuple[int, int]:
        if isinstance(features, int | str | np.integer):
            features = (features,)
        found = [self.feature(each) for each in features]
        if len(found) not in (1, 2):
            raise ValueError(f"features must be one or two of the model's, got {len(found)}")
        crowded = [f for f in found if not stands_on_axis(self.categories[f])]
        if crowded:
            raise ValueError(
                f"{self.feature_names[crowded[0]]!r} has too many categories to stand on an axis"
            )
        return found[0], found[-1]

    def _telling(self) -> tuple[int, int]:
        fitting = [f for f, known in enumerate(self.categories) if stands_on_axis(known)]
        if not fitting:
            raise ValueError("no feature has few enough categories to stand on an axis")
        if len(fitting) > 2:
            first = fitting[int(self._gains()[fitting].argmax())]
            more = self._gains(first)
            fitting = sorted((first, max(set(fitting) - {first}, key=lambda f: (more[f], -f))))
        return fitting[0], fitting[-1]

    def _gains(self, beside: int | None = None) -> np.ndarray:
        if self.y is not None and not self.is_regression:
            codes, n = self.y, len(self.class_names)
            return feature_gains(self.values, codes, n, self.categories, beside=beside)
        if not self.is_regression:
            found = getattr(self.estimator, "feature_importances_", None)
            if found is None:
                raise ValueError(
                    "features must be named, or y given: which two of them tell most is not known"
                )
            return found
        trees = getattr(self.estimator, "estimators_", [self.estimator])
        return np.sum([spread_by_feature(each.tree_) for each in trees], axis=0)


def read_model(
    estimator: BaseEstimator,
    X: object = None,
    y: object = None,
    *,
    feature_names: Names | None = None,
    class_names: Names | None = None,
    tree: int | None = None,
) -> ShownModel:
    """Check a model and its rows, and read them.

    Parameters
    ----------
    estimator : estimator
        A fitted tree or forest of this package or of scikit-learn; a pipeline that ends with one,
        or a search for one.
    X : array-like or DataFrame, shape (n_samples, n_features), optional
        Default: no rows.
    y : array-like, shape (n_samples,), optional
        Labels as the model knows them, or numbers.
    feature_names : sequence of str, or mapping, optional
        Default: those of the table that the model was fitted on, else x1, x2, ...; a mapping
        gives other names to some.
    class_names : sequence of str, or mapping, optional
        In the order of ``estimator.classes_``, or by class; default: the classes themselves.
    tree : int, optional
        Which tree of a forest; default: the whole. Of a gradient boosting one must be named; its
        leaves hold scores, so `y` is left out.

    Raises
    ------
    NotFittedError, ValueError
        If it is not fitted or no tree, or rows, labels or names do not fit it; which one is said.
    """
    if np.ndim(X) == 1 and np.ndim(y) == 2:
        raise ValueError("X and y have changed places: X is the table, y its labels")
    estimator, X, made_names = unwrap(estimator, X)
    ours = _as_ours(estimator)
    if X is None and y is not None:
        raise ValueError("X must be given with y: they are the same rows")
    values = np.empty((0, ours.n_features_in_)) if X is None else _rows_of(estimator, ours, X)
    classes = getattr(ours, "classes_", np.empty(0))
    if isinstance(ours, ImportedBoosting):
        if tree is None:
            raise ValueError(
                f"a {type(estimator).__name__} decides by sums of scores, which have no exact "
                f"picture; show(model, X, tree=0) shows the first of its {len(ours.trees_)} trees"
            )
        classes, y = np.empty(0), None  # a leaf's score is no label or number of a row
    ours = _tree_of(ours, tree)
    if feature_names is None and not hasattr(ours, "feature_names_in_"):
        feature_names = made_names
    names = _named("feature_names", feature_names, names_of(ours))
    if len(names) != values.shape[1] or len(set(names)) < len(names):
        raise ValueError(
            f"feature_names must be {values.shape[1]} different names, got {list(names)!r}"
        )
    if feature_names is not None:
        ours = _called(ours, names)
    titles = _named("class_names", class_names, class_titles(classes.tolist()), classes.tolist())
    if len(titles) != len(classes):
        raise ValueError(f"class_names must be {len(classes)} names, got {len(titles)}")
    label = None if y is None else _labels(y, classes, len(values))
    known = _first_tree(ours).feature_categories
    return ShownModel(estimator, ours, X, values, label, names, titles, known)


def unwrap(
    estimator: BaseEstimator, X: object
) -> tuple[BaseEstimator, object, tuple[str, ...] | None]:
    """Model in a search or at the end of a pipeline, and the rows as it is given them.

    The names of its features, too, where the steps before tell them.
    """
    names = None
    while True:
        if hasattr(estimator, "best_estimator_"):
            estimator = estimator.best_estimator_
        elif isinstance(estimator, Pipeline):
            check_is_fitted(estimator)
            before, estimator = estimator[:-1], estimator[-1]
            if not len(before):
                continue
            with suppress(AttributeError, TypeError, ValueError):  # some steps tell none
                names = tuple(map(str, before.get_feature_names_out()))
            if X is not None:
                check_table(X)
                X = before.transform(X)
                X = X.toarray() if hasattr(X, "toarray") else X
        else:
            return estimator, X, names


def _named(
    what: str, given: Names | None, known: Sequence[str], keys: Sequence[object] | None = None
) -> tuple[str, ...]:
    """Names that were given, by place or by key, else those that are known."""
    if isinstance(given, str):
        raise ValueError(f"{what} must be a sequence of names or a mapping, got {given!r}")
    keys = list(known if keys is None else keys)
    if hasattr(given, "to_dict") and set(given.index) == set(keys):  # a Series by its index
        given = given.to_dict()
    if not isinstance(given, Mapping):
        return tuple(map(str, known if given is None else given))
    strange = [key for key in given if key not in keys]
    if strange:
        raise ValueError(
            f"{what} names {strange[0]!r}, and there are {', '.join(map(repr, keys[:20]))}"
        )
    return tuple(str(given.get(key, name)) for key, name in zip(keys, known, strict=True))


def _as_ours(estimator: BaseEstimator) -> BaseEstimator:
    if isinstance(estimator, TREES + FORESTS + BOOSTING):
        return from_sklearn(estimator)
    if isinstance(estimator, TreeClassifier | ForestClassifier | ImportedForestRegressor) or (
        hasattr(type(estimator), "PARAMS") and hasattr(type(estimator), "TAGS")
    ):
        check_is_fitted(estimator)
        return estimator
    if isinstance(estimator, type):
        raise ValueError(f"estimator must be fitted; {estimator.__name__} is a class")
    if hasattr(estimator, "refit") and not estimator.refit:
        raise ValueError("a search with refit=False keeps no model; fit it with refit=True")
    raise ValueError(
        f"estimator must be a tree or a forest of lastviz, or {KNOWN} of scikit-learn, got "
        f"{type(estimator).__name__}{_inside(estimator)}"
    )


def _inside(estimator: object) -> str:
    """Hint on showing a model that combines trees in another way."""
    if isinstance(estimator, list | tuple | np.ndarray):
        return INSIDE
    each = getattr(estimator, "estimators_", None)
    if not isinstance(each, list) or not isinstance(each[0], TREES + FORESTS + BOOSTING):
        return ""
    own, inner = (getattr(one, "classes_", []) for one in (estimator, each[0]))
    drawn = getattr(estimator, "estimators_features_", [None])[0]
    every = drawn is None or np.array_equal(drawn, np.arange(estimator.n_features_in_))
    named = hasattr(estimator, "feature_names_in_") == hasattr(each[0], "feature_names_in_")
    rows = "X" if named else "np.asarray(X)"
    rows = rows if every else "np.asarray(X)[:, model.estimators_features_[0]]"
    labels = "y" if np.array_equal(own, inner) else "np.searchsorted(model.classes_, y)"
    return f"; one of its trees is shown by show(model.estimators_[0], {rows}, {labels})"


def _rows_of(given: BaseEstimator, ours: BaseEstimator, X: object) -> np.ndarray:
    """Samples as trees read them.

    Errors about them name the model as given.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "X (does not have valid|has) feature names")  # said below
        if given is not ours:
            validate_data(given, X, reset=False, skip_check_array=True)
        values = _values(ours, X)
    named = hasattr(X, "columns") and all(isinstance(name, str) for name in X.columns)
    if hasattr(given, "feature_names_in_") != named and len(values):
        warnings.warn(_about_names(given, fitted_on_names=not named), stacklevel=4)
    if np.nanmax(np.abs(values), initial=0.0) > LARGEST:
        raise ValueError(f"X reaches beyond {LARGEST:g}, which has no place on an axis: scale it")
    return values


def _about_names(model: BaseEstimator, *, fitted_on_names: bool) -> str:
    """Warning that column names are not compared; inside a forest, with the remedy."""
    name = type(model).__name__
    if fitted_on_names:
        return f"X does not have valid feature names, but {name} was fitted with feature names"
    hint = INSIDE if isinstance(model, TREES) else ""
    return f"X has feature names, but {name} was fitted without feature names{hint}"


def _values(estimator: BaseEstimator, X: object) -> np.ndarray:
    if hasattr(estimator, "encode"):
        values = estimator.encode(X)
    else:
        values = validate_data(estimator, X, reset=False, dtype=np.float64, order="C")
    unseen = np.flatnonzero((values < 0).any(axis=0) & _nominal(estimator))
    if len(unseen):
        raise ValueError(
            f"column {names_of(estimator)[unseen[0]]!r} holds a category that the model has not "
            "seen; leave such rows out"
        )
    return values


def _nominal(estimator: BaseEstimator) -> np.ndarray:
    return np.array([known is not None for known in _first_tree(estimator).feature_categories])


def _tree_of(estimator: BaseEstimator, tree: int | None) -> BaseEstimator:
    if tree is None:
        return estimator
    trees = getattr(estimator, "estimators_", None)
    if trees is None:
        raise ValueError("tree is for forests; this model is a single tree")
    if not isinstance(tree, Integral) or not 0 <= tree < len(trees):
        raise ValueError(f"tree must be a number from 0 to {len(trees) - 1}, got {tree!r}")
    return trees[tree]


def _first_tree(estimator: BaseEstimator) -> Tree:
    return getattr(estimator, "estimators_", [estimator])[0].tree_


def _called(estimator: BaseEstimator, names: tuple[str, ...]) -> BaseEstimator:
    """Model with other names of its features in its trees, for pictures."""
    made = copy(estimator)
    if hasattr(made, "estimators_"):
        made.estimators_ = [_called(each, names) for each in made.estimators_]
        return made
    for name in ("tree_", "grown_tree_"):
        tree = getattr(estimator, name)
        setattr(made, name, renamed_tree(tree, names, tree.feature_categories))
    return made


def _labels(y: object, classes: np.ndarray, n: int) -> np.ndarray:
    y = np.asarray(checked_targets(y, classes=len(classes) > 0))
    y = column_or_1d(y) if y.ndim == 2 and y.shape[1] == 1 else y
    if y.shape != (n,):
        raise ValueError(f"y must be a label or number for each of {n} rows, got shape {y.shape}")
    if not len(classes):
        numbers = np.asarray(y, dtype=np.float64)
        if not np.isfinite(numbers).all():
            raise ValueError("y must be finite numbers")
        return numbers
    place = {label: k for k, label in enumerate(classes.tolist())}
    codes = [place.get(label, -1) for label in y.tolist()]
    if -1 in codes:
        at = codes.index(-1)
        known = ", ".join(map(repr, place))
        numbered = list(place) == list(range(len(place))) and isinstance(next(iter(place)), float)
        hint = INSIDE if numbered else ""
        raise ValueError(
            f"y holds {y.tolist()[at]!r} in row {at}, which is none of the model's classes: "
            f"{known}{hint}"
        )
    return np.array(codes, dtype=np.intp)
