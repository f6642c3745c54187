"""REMT: trees for monotone data, split by rank mutual information."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import Tags as SklearnTags
from sklearn.utils.validation import check_is_fitted

from lastviz._params import param, with_params
from lastviz._sentences import Statement
from lastviz.builders import Growth
from lastviz.criteria import DOMINANCE
from lastviz.criteria.rank_kernels import RANK
from lastviz.splitters import ObliqueSplit, result_of
from lastviz.splitters.edits import Edit, ForcedSplit
from lastviz.splitters.threshold.choice_kernels import Choice
from lastviz.splitters.threshold.threshold import RANK_COLUMNS
from lastviz.tree import Tree, leaf_boxes, monotone_predictions

from .base import (
    CLASS_ORDER,
    MAX_DEPTH,
    MIN_SAMPLES_LEAF,
    MIN_SAMPLES_SPLIT,
    MONOTONIC_CST,
    Recipe,
    Tags,
    directions_of,
    most_on,
    threshold_recipe,
)
from .reading import TrainingData, validate_data
from .tree_estimator import TreeClassifier

MONOTONE = param(
    bool, False, label="Truly monotone",
    help="Predict with the monotone function closest around the tree.",
)  # fmt: skip


@with_params
class REMTClassifier(TreeClassifier):
    """Rank entropy based monotonic tree: ordered classes that rise with the features.

    Splits at the cut of largest rank mutual information, which is large where rows above the
    cut are also high in class. Leaves take their median class.

    Notes
    -----
    O(n_features n_samples log n_samples) to sort; a level of the tree takes O(n_features
    n_samples) and O(n_classes) per cut, where the definition by pairs takes O(n_samples^2).

    A tree is consistent with consistent training rows but need not be a monotone function;
    :func:`lastviz.inspection.monotonicity_audit` proves or refutes it.

    Deviation: equal scores (within 1e-12) go to the lower feature and threshold, where the
    paper leaves it to the order of summation.

    References
    ----------
    Hu, Q., Che, X., Zhang, L., Zhang, D., Guo, M. and Yu, D. (2012). Rank entropy-based
    decision trees for monotonic classification. IEEE TKDE 24(11), 2052-2064.
    """

    # fmt: off
    min_gain: float = param(
        float, 0.01, low=0.0, high=10.0, slider=(0.0, 0.2, 0.005), main=True,
        label="Smallest information", unit="nats",
        help="A node whose best split gains less becomes a leaf.",
        doc="That is rank mutual information, in nats.",
    )
    dominance: str = param(
        str, "ascending", choices=tuple(DOMINANCE), label="Dominance",
        help="Compare each row with those above it, with those below it, or both.",
        doc='Rows at its own place count either way; "mean" does both in turn.',
    )
    threshold: str = param(
        str, "value", choices=("value", "midpoint"), label="Threshold",
        help="At a value of the node, or midway between two of them.",
        doc="The value is the largest of the lower side.",
    )
    leaf: str = param(
        str, "median", choices=("median", "majority"), label="Class of a leaf",
        help="Its median class or its most frequent one.",
        doc="Where two middle rows differ in class, the lower one in the root and on the lower "
            "side of a split, the higher one on the upper side.",
    )
    monotone: bool = replace(
        MONOTONE,
        doc="That is halfway between the bounds that the leaves set to such a function, instead of "
            "the leaf's class: no two predictions contradict the directions any more.",
    )
    max_depth: int | None = MAX_DEPTH
    min_samples_split: int = MIN_SAMPLES_SPLIT
    min_samples_leaf: int = replace(MIN_SAMPLES_LEAF, main=True)
    monotonic_cst: object = MONOTONIC_CST
    class_order: object = CLASS_ORDER
    # fmt: on
    TAGS = Tags(ordered_classes=True)

    def __sklearn_tags__(self) -> SklearnTags:
        """Say that classes which no direction orders are not learnt, such as three blobs."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags

    @property
    def criterion_column(self) -> str:
        """The criterion by which features compete."""
        return RANK_COLUMNS[RANK + DOMINANCE[self.dominance]]

    @property
    def directions_(self) -> np.ndarray:
        """The direction of each feature, 1, -1 or 0, shape (n_features,)."""
        return directions_of(self.monotonic_cst, self.n_features_in_)

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Class shares of the training rows in the leaf, (n_samples, n_classes).

        A row gets their median class, or the envelope's with `monotone`: where another is more
        frequent, the share of the predicted one is raised until it is the largest. Deviation: the
        paper predicts classes alone.
        """
        X = self.encode(X)
        return most_on(self.tree_.class_shares(X), self.predict_codes(X))

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Class of each row of `X`; with `monotone` O(n_leaves n_features) a row."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64)
        return self.classes_[self.predict_codes(X)]

    def predict_codes(self, X: np.ndarray) -> np.ndarray:
        """Class index of each row of checked data, a place in `classes_`."""
        if self.monotone:
            return monotone_predictions(leaf_boxes(self.tree_), self.directions_, X)
        return self.tree_.predict(X)

    def grow_codes(
        self,
        X: np.ndarray,
        codes: np.ndarray,
        classes: np.ndarray,
        names: np.ndarray | None,
        n_jobs: int = 1,
    ) -> Iterator[float]:
        """Fit on data that a forest has checked.

        Yields the share of samples that have reached a leaf.

        `codes` are places in `classes`, of which some may have no row; `names` are those of
        the features, if they have any; `n_jobs` threads share the features of large nodes.
        """
        self.classes_, self.n_features_in_ = classes, X.shape[1]
        if names is not None:
            self.feature_names_in_ = names
        recipe = self.recipe(self._data(X, X, codes, None), n_jobs)
        growth = recipe.growth()
        for _ in growth.steps():
            yield growth.n_settled / len(X)
        result_of(self._finish(X, recipe, growth))

    def recipe(self, data: TrainingData, n_jobs: int = 1) -> Recipe:
        """Recipe of REMT: thresholds by rank mutual information, medians as classes."""
        directions = directions_of(self.monotonic_cst, data.X.shape[1])
        choice = Choice(
            criterion=RANK + DOMINANCE[self.dominance],
            scale=1.0,
            min_samples_leaf=self.min_samples_leaf,
            release_8=False,
            mdl_correction=False,
            average_gain=False,
            needs_gain=False,
            raw_scores_decide=True,
            least_score=float(self.min_gain),
            cut_at_value=self.threshold == "value",
        )
        made = threshold_recipe(
            data, choice, self._stop(), self.criterion_column,
            directions=directions, n_jobs=n_jobs, refusal=no_hyperplane,
        )  # fmt: skip

        def tree(growth: Growth) -> Tree:
            grown = replace(made.tree(growth), enveloped=self.monotone)
            return grown if self.leaf == "majority" else by_medians(grown, directions)

        return replace(made, tree=tree)


def no_hyperplane(edit: Edit) -> Statement | None:
    """Reason a tree of ordered classes takes no hyperplane; None for other edits."""
    if isinstance(edit, ForcedSplit) and isinstance(edit.split, ObliqueSplit):
        return Statement(
            "a tree of ordered classes has a direction for each feature, not for a hyperplane"
        )
    return None


def by_medians(tree: Tree, directions: np.ndarray) -> Tree:
    """Tree whose nodes predict their median class."""
    return replace(tree, prediction=medians(tree, directions))


def medians(tree: Tree, directions: np.ndarray) -> np.ndarray:
    """Each node's median class, the higher of two on the upper side of a split."""
    up_to = np.cumsum(tree.value, axis=1)
    n = up_to[:, -1].astype(np.intp)
    parent = tree.parent
    first = np.arange(tree.n_nodes) == tree.first_child[parent]
    direction = directions[tree.feature[parent]]
    upper = (parent >= 0) & np.where(first, direction < 0, direction > 0)
    middle = np.where(upper, n // 2 + 1, (n + 1) // 2)
    return (up_to >= middle[:, None]).argmax(axis=1)
