"""Nominal features and missing values as C4.5 and ID3 treat them: read, grown, answered."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import numpy as np
from sklearn.utils.validation import check_is_fitted

from lastviz._params import param, with_params
from lastviz._sentences import Refusal, Statement
from lastviz.builders import Growth, Sprout, Stop, nodewise_sprout
from lastviz.criteria import Offered
from lastviz.pruning import PRUNERS
from lastviz.pruning.registry import LITERAL
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

from .base import MAX_DEPTH, MIN_SAMPLES_SPLIT, Pruned, Recipe, Tags, splitter_recipe
from .columns import categories_of, encoded, n_features_of, nominal_features
from .gate import check_array, check_X_y, checked_weight, validate_data
from .reading import TrainingData, check_belongs, class_codes, names_of, read_known, refuse_missing
from .tree_attributes import ENTROPY_IS_GAIN
from .tree_estimator import OTHER_X, TreeClassifier
from .weighted import WeightedTreeEstimator


class MixedTreeClassifier(WeightedTreeEstimator, TreeClassifier):
    """Base of the classifiers that take nominal columns, missing values or weights.

    Complete numeric data without weights may grow by thresholds alone, all others grow node by
    node.

    Attributes
    ----------
    categories_ : tuple of (tuple or None)
        The categories of each nominal feature, None for a numeric one.
    sample_weight_ : ndarray or None, shape (n_samples,)
        The weights given to `fit`, for replay.
    """

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

    def _nominal(self, X: object) -> np.ndarray:
        """Return which columns are nominal, shape (n_features,)."""
        return nominal_features(X, self.categorical_features)

    @property
    def _missing(self) -> Missing:
        return Missing.FRACTIONS if self.TAGS.missing else Missing.REFUSE

    @property
    def _finite(self) -> dict[str, object]:
        return {"ensure_all_finite": "allow-nan" if self.TAGS.missing else True}

    def _read(
        self,
        X: object,
        y: object,
        presorted: Presorted | None,
        sample_weight: object = None,
    ) -> TrainingData:
        given, nominal = X, self._nominal(X)
        if nominal.any():
            X, y = validate_data(self, self._table_of(X), y, skip_check_array=True)
            weight, names = checked_weight(sample_weight, X), names_of(self)
            self.categories_ = categories_of(X, nominal, names, weight)
            matrix = encoded(X, self.categories_, names)
            self._check_known(matrix)
            X, y = check_X_y(matrix, y, dtype=np.float64, order="C", **self._finite)
        else:
            X, y = validate_data(self, X, y, dtype=np.float64, order="C", **self._finite)
            weight, self.categories_ = checked_weight(sample_weight, X), (None,) * X.shape[1]
        self.sample_weight_ = weight
        return self._mixed(given, X, self._targets(y), presorted)

    def _read_again(self, X: object, y: object, presorted: Presorted | None) -> TrainingData:
        given, X = X, self.encode(X)
        if self.sample_weight_ is not None and len(self.sample_weight_) != len(X):
            raise Refusal(OTHER_X)
        return self._mixed(given, X, class_codes(self.classes_, y), presorted)

    def _mixed(
        self, given: object, X: np.ndarray, codes: np.ndarray, presorted: Presorted | None
    ) -> TrainingData:
        """Return checked training data; what they were `given` as is what may have been sorted."""
        sortable = X
        if any(known is not None for known in self.categories_):
            with suppress(TypeError, ValueError):
                sortable = np.asarray(given, dtype=np.float64)
        check_belongs(presorted, sortable)
        classes, categories, weight = self.classes_, self.categories_, self.sample_weight_
        return TrainingData(X, codes, names_of(self), classes, categories, weight, presorted)

    def _table_of(self, X: object) -> object:
        """Return a DataFrame as it is, anything else as an array of two dimensions."""
        return X if hasattr(X, "iloc") else check_array(X, dtype=None, **self._finite)

    def _check_known(self, matrix: np.ndarray) -> None:
        """Refuse missing values by the name of their column, where they are not treated."""
        unknown = np.flatnonzero(np.isnan(matrix).any(axis=0))
        if len(unknown) and not self.TAGS.missing:
            count = int(np.isnan(matrix[:, unknown[0]]).sum())
            refuse_missing(str(names_of(self)[unknown[0]]), count)


def mixed_recipe(
    data: TrainingData, choice: MixedChoice, stop: Stop, criterion: str, missing: Missing
) -> Recipe:
    """Return the recipe of trees of thresholds and of a branch for each category."""
    table = MixedTable(data.X, data.n_categories)
    n_classes = len(data.classes)

    def sprout(
        splitter: MixedSplitter, context: NodeContext, max_depth: int, without: tuple[int, ...]
    ) -> Sprout:
        offered = context.inherited.copy()
        offered[list(without)] = False
        start = replace(context, inherited=offered)
        return nodewise_sprout(splitter, data.y, n_classes, stop, start, max_depth)

    def refusal(edit: Edit) -> Statement | None:
        if isinstance(edit, ForcedSplit) and isinstance(edit.split, ObliqueSplit):
            return Statement(
                "a hyperplane does not stand beside nominal features, and neither missing values "
                "nor weights go with one"
            )
        return None

    return splitter_recipe(
        data,
        lambda: MixedSplitter(table, data.y, n_classes, choice, data.weight, missing=missing),
        stop,
        criterion,
        sprout=sprout,
        refusal=refusal,
    )


def labelled(tree: Tree, categories: tuple[tuple | None, ...], missing: Missing) -> Tree:
    """Return a grown tree that knows its categories and what to do where one is missing.

    A hyperplane cannot be asked in parts: a tree that was given one takes no missing values.
    """
    if len(tree.oblique):
        missing = Missing.REFUSE
    shares = None
    if missing == Missing.FRACTIONS:
        shares = branch_shares(tree.parent, tree.weighted_n_node_samples)
    return replace(tree, missing=missing, branch_weight=shares, feature_categories=categories)


# ---- ID3, and the textbook's C4.5 of nominal features


@with_params
class ID3Classifier(MixedTreeClassifier):
    """ID3: the feature of largest information gain parts a node into all its values.

    Every distinct value of a column is a category, numbers too. With ``criterion="gain_ratio"``
    it is the textbook's C4.5.

    Notes
    -----
    O(n_features n_samples) per level. A feature is asked once on a path. A branch is made
    for each value that the node's rows have, as algorithm 5.2 says, so no leaf is empty and
    none is paid for in vain; a row with another value stops at the node that asks for it. Where
    counts tie the lowest class is predicted.

    Deviation: a split that gains nothing is not made even with ``min_gain=0``, where the text
    would make it; on exclusive-or the tree is a single leaf.

    References
    ----------
    Quinlan, J. R. (1986). Induction of decision trees. Machine Learning 1, 81-106.
    Li, H. Statistical Learning Methods, algorithms 5.2 to 5.4.
    """

    TAGS = Tags(nominal=True, max_values=20)

    # fmt: off
    criterion: str = param(
        str, "gain", choices=Offered("id3"), aliases=ENTROPY_IS_GAIN,
        main=True, label="Criterion", help="What decides between features.",
        doc='Information gain ("entropy" says the same); the gain over the split information; or '
            "the gain over the entropy of the node, as (5.10) is printed in the book's first "
            "edition, which divides all features of a node by the same number and so chooses as "
            "the gain does.",
    )
    min_gain: float = param(
        float, 0.0, low=0.0, slider=(0.0, 1.0, 0.01), main=True,
        label="Least gain", help="A node whose best feature scores less is a leaf.",
        doc="The threshold epsilon.",
    )
    entropy_alpha: float | None = param(
        float, None, low=0.0, none=True, none_word="no pruning",
        slider=(0.0, 20.0, 0.1), unit="bits", main=True, label="Price of a leaf",
        help="Cut the tree back to where entropy and price together are lowest.",
        doc="The price is that of a leaf, in bits; None: the tree is not cut back.",
    )
    literal: bool = LITERAL
    max_depth: int | None = MAX_DEPTH
    min_samples_split: int = MIN_SAMPLES_SPLIT
    # fmt: on

    @property
    def criterion_column(self) -> str:
        """The criterion by which features compete."""
        return self._criterion

    def _nominal(self, X: object) -> np.ndarray:
        return np.ones(n_features_of(X), dtype=bool)

    def recipe(self, data: TrainingData) -> Recipe:
        """Return a branch for each category that occurs, and the price of a leaf if it has one."""
        choice = MixedChoice(self._criterion, least_score=self.min_gain, empty_branches=False)
        made = mixed_recipe(data, choice, self._stop(), self._criterion, Missing.REFUSE)
        return replace(
            made,
            tree=lambda growth: labelled(made.tree(growth), data.categories, Missing.REFUSE),
            prune=None if self.entropy_alpha is None else self._pruned,
        )

    def _pruned(self, growth: Growth, kept: np.ndarray | None) -> Pruned:
        return PRUNERS["entropy_cost"].prune(
            self.grown_tree_, alpha=self.entropy_alpha, literal=self.literal, kept=kept
        )
