"""What the classifiers of nominal features and missing values share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_X_y
from sklearn.utils.validation import (
    check_array,
    check_is_fitted,
    validate_data,
)

from lastviz._sentences import Refusal, Sentence
from lastviz.builders import (
    Growth,
    NodewiseGrowth,
    SplitterFamily,
    Sprout,
    nodewise_sprout,
)
from lastviz.splitters import (
    MixedChoice,
    MixedSplitter,
    MixedTable,
    NodeContext,
    ObliqueSplit,
    Presorted,
)
from lastviz.splitters.edits import Edit, ForcedSplit
from lastviz.tree import Missing, Tree, branch_shares

from .columns import categories_of, encoded, nominal_features
from .reading import names_of, read_known, refuse_missing
from .weighted import WeightedTreeClassifier


class MixedTreeClassifier(WeightedTreeClassifier):
    """Base of the classifiers that take nominal columns, missing values or weights.

    Complete numeric data without weights grow by thresholds alone where the criterion has such
    a scan, all others node by node.

    Attributes
    ----------
    categories_ : tuple of (tuple or None)
        The categories of each nominal feature, None for a numeric one.
    """

    OTHER_PARAMS: ClassVar[Mapping[str, object]] = {"categorical_features": "from_dtype"}

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Return the class of each row of `X` (n_samples, n_features). O(n depth)."""
        X = self.encode(X)
        return self.classes_[self.tree_.predict(X)]

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Return the class shares of each row, shape (n_samples, n_classes).

        Those of its leaf, or the weighted mean over its leaves where a value is missing.
        """
        X = self.encode(X)
        return self.tree_.class_shares(X)

    def encode(self, X: np.ndarray) -> np.ndarray:
        """Return `X` as the tree reads it, float64, shape (n_samples, n_features).

        A nominal value is the place of its category in `categories_`, -1 if it is none of
        them; a missing value is NaN.
        """
        check_is_fitted(self)
        table = self._table_of(X) if any(c is not None for c in self.categories_) else X
        takes_missing = self.grown_tree_.missing == Missing.FRACTIONS
        return read_known(self, table, self.categories_, takes_missing=takes_missing)

    def __sklearn_tags__(self):
        """Return scikit-learn's tags."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.TAGS.missing
        return tags

    def _labelled(self, tree: Tree) -> Tree:
        """Return a grown tree that knows its categories and what to do where one is missing.

        A hyperplane cannot be asked in parts: a tree that was given one takes no missing values.
        """
        if len(tree.oblique):
            return replace(tree, missing=Missing.REFUSE, feature_categories=self.categories_)
        shares = None
        if self._missing == Missing.FRACTIONS:
            shares = branch_shares(tree.parent, tree.weighted_n_node_samples)
        return replace(
            tree,
            missing=self._missing,
            branch_weight=shares,
            feature_categories=self.categories_,
        )

    @abstractmethod
    def _mixed_choice(self) -> MixedChoice:
        """Return how splits are chosen where there are not only thresholds."""

    def _nominal(self, X: object) -> np.ndarray:
        """Return which columns are nominal, shape (n_features,)."""
        return nominal_features(X, self.categorical_features)

    @property
    def _has_scan(self) -> bool:
        """Whether the class above grows thresholds by the packed cells, with this criterion."""
        return False

    @property
    def _missing(self) -> Missing:
        return Missing.FRACTIONS if self.TAGS.missing else Missing.REFUSE

    @property
    def _finite(self) -> dict[str, object]:
        return {"ensure_all_finite": "allow-nan" if self.TAGS.missing else True}

    def _read(self, X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        nominal = self._nominal(X)
        if not nominal.any():
            X, y = validate_data(self, X, y, dtype=np.float64, order="C", **self._finite)
            self.categories_ = (None,) * X.shape[1]
            return X, y
        X, y = validate_data(self, self._table_of(X), y, skip_check_array=True)
        self.categories_ = categories_of(X, nominal, names_of(self), self._weight_of(X))
        matrix = encoded(X, self.categories_, names_of(self))
        self._check_known(matrix)
        return check_X_y(matrix, y, dtype=np.float64, order="C", **self._finite)

    def _table_of(self, X: object) -> object:
        """Return a DataFrame as it is, anything else as an array of two dimensions."""
        return X if hasattr(X, "iloc") else check_array(X, dtype=None, **self._finite)

    def _sortable(self, given: object, X: np.ndarray) -> np.ndarray:
        if all(known is None for known in self.categories_):
            return X
        try:
            return np.asarray(given, dtype=np.float64)
        except (TypeError, ValueError):
            return X

    def _check_known(self, matrix: np.ndarray) -> None:
        """Refuse missing values by the name of their column, where they are not treated."""
        unknown = np.flatnonzero(np.isnan(matrix).any(axis=0))
        if len(unknown) and not self.TAGS.missing:
            count = int(np.isnan(matrix[:, unknown[0]]).sum())
            refuse_missing(str(names_of(self)[unknown[0]]), count)

    def _growth(self, X: np.ndarray, y: np.ndarray, presorted: Presorted | None) -> Growth:
        weight = self._weight_of(X)
        self.sample_weight_ = weight
        if self._plain(X, weight):
            return super()._growth(X, y, presorted)
        splitter = self._mixed_splitter(X, y, weight)
        return NodewiseGrowth(splitter, y, len(self.classes_), self._stop())

    def _plain(self, X: np.ndarray, weight: np.ndarray | None) -> bool:
        """Tell whether the data are numeric, complete and unweighted."""
        numeric = self._has_scan and all(known is None for known in self.categories_)
        even = weight is None or bool((weight == 1.0).all())
        if not (numeric and even):
            return False
        with np.errstate(all="ignore"):
            suspicious = np.isnan(X.sum())
        return not (suspicious and np.isnan(X).any())

    def _mixed_splitter(
        self, X: np.ndarray, y: np.ndarray, weight: np.ndarray | None
    ) -> MixedSplitter:
        n_categories = [0 if known is None else len(known) for known in self.categories_]
        table = MixedTable(X, np.array(n_categories))
        choice = self._mixed_choice()
        return MixedSplitter(table, y, len(self.classes_), choice, weight, missing=self._missing)

    def _family(self, X: np.ndarray, y: np.ndarray, presorted: Presorted | None) -> SplitterFamily:
        if self._plain(X, self.sample_weight_):
            return super()._family(X, y, presorted)
        splitter = self._mixed_splitter(X, y, self.sample_weight_)

        def sprout(context: NodeContext, max_depth: int, without: tuple[int, ...]) -> Sprout:
            offered = context.inherited.copy()
            offered[list(without)] = False
            start = replace(context, inherited=offered)
            stop = self._stop()
            return nodewise_sprout(splitter, y, len(self.classes_), stop, start, max_depth)

        n_categories = [0 if known is None else len(known) for known in self.categories_]
        return SplitterFamily(
            splitter=splitter,
            columns=X.T,
            n_categories=np.array(n_categories, dtype=np.intp),
            names=names_of(self),
            sprout=sprout,
            tree_of=self._part,
            refusal=self._refusal_in_parts,
        )

    def _refusal_in_parts(self, edit: Edit) -> Sentence | None:
        if isinstance(edit, ForcedSplit) and isinstance(edit.split, ObliqueSplit):
            return Sentence(
                "a hyperplane does not stand beside nominal features, and neither missing values "
                "nor weights go with one"
            )
        return self._refusal(edit)

    def _splitter(self, X: np.ndarray, y: np.ndarray, presorted: Presorted | None) -> MixedSplitter:
        weight = self.sample_weight_
        if weight is not None and len(weight) != len(X):
            raise Refusal("X must be the data that the estimator was fitted on")
        if self._plain(X, weight):
            return super()._splitter(X, y, presorted)
        return self._mixed_splitter(X, y, weight)
