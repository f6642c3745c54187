"""C4.5, release 8."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from lastviz._params import param, with_params
from lastviz._sentences import Refusal
from lastviz.builders import Growth, ThresholdGrowth
from lastviz.criteria import CRITERIA, Offered
from lastviz.criteria.scan_kernels import GAIN, GAIN_RATIO
from lastviz.pruning import prune_error_based
from lastviz.pruning.registry import CONFIDENCE, SUBTREE_RAISING
from lastviz.splitters import (
    AnySplit,
    MixedChoice,
    RuleChoice,
    Split,
    ThresholdSplitter,
    rule_of_c45,
)
from lastviz.splitters.threshold.choice_kernels import Choice
from lastviz.tree import Kind, Missing, Tree, branch_shares

from .base import (
    CATEGORICAL_FEATURES,
    MAX_DEPTH,
    MIN_SAMPLES_LEAF,
    MIN_SAMPLES_SPLIT,
    Pruned,
    Recipe,
    Tags,
    mixed_recipe,
    threshold_family,
)
from .reading import TrainingData
from .tree_attributes import BY_TREE, ENTROPY_ALPHA, ENTROPY_IS_GAIN, M_ESTIMATE, prune_by_tree
from .tree_estimator import TreeClassifier, WeightedTreeEstimator

BY_ERRORS = ("pruning", ("error_based", "error_based_normal"))
MDL_CORRECTION = param(
    bool, True, label="Price of a threshold",
    help="Subtract log2(number of thresholds) / n from the gain.",
)  # fmt: skip
AVERAGE_GAIN = param(
    bool, True, label="Average-gain rule",
    help="Admit only features that gain at least the mean.",
    doc="The mean is that of all, less 0.001 bits.", needs=("criterion", ("gain_ratio",)),
)  # fmt: skip
SMALLEST_BRANCH = replace(
    MIN_SAMPLES_LEAF, default=2, main=True, label="Smallest branch",
    doc="At a node with n rows and K classes it is raised to min(25, max(min_samples_leaf, 0.1 n / "
        "K)).",
)  # fmt: skip


# ---- What SODT takes over, in a latent space


def choice_of_c45(estimator: TreeClassifier) -> Choice | RuleChoice:
    """Choice of a threshold by C4.5 and its kin."""
    key = estimator.criterion_column
    if CRITERIA[key].code is None:
        return RuleChoice(rule_of_c45(key), estimator.min_samples_leaf, release_8=True)
    return Choice(
        criterion=CRITERIA[key].code,
        scale=1.0,
        min_samples_leaf=estimator.min_samples_leaf,
        release_8=True,
        mdl_correction=estimator.mdl_correction,
        average_gain=estimator.average_gain,
        needs_gain=True,
        raw_scores_decide=key == "gain" and not estimator.mdl_correction,
    )


def tree_of_c45(estimator: TreeClassifier, data: TrainingData, growth: Growth) -> Tree:
    """Grown tree, of which a leaf that ties keeps the class of the node above."""
    criterion = CRITERIA[estimator.criterion_column]
    return growth.tree(data.names, data.classes, criterion, keep_parents_class=True)


def prune_by_errors(
    estimator: TreeClassifier, data: TrainingData, growth: Growth, kept: np.ndarray | None
) -> Pruned:
    """Cut the grown tree of an estimator back as its `pruning` says."""
    if estimator.pruning == "none":
        return None
    if estimator.pruning in BY_TREE:
        return prune_by_tree(estimator, estimator.pruning, kept)
    return prune_error_based(
        estimator.grown_tree_,
        growth.columns,
        data.y,
        CRITERIA[estimator.criterion_column].impurity,
        confidence=estimator.confidence,
        subtree_raising=estimator.subtree_raising,
        normal=estimator.pruning == "error_based_normal",
        collapse_only=estimator.pruning == "collapse",
        kept=kept,
    )


# ---------------------------------------------------------------- c45


_OFFERED = Offered("c45")


@with_params
class C45Classifier(WeightedTreeEstimator, TreeClassifier):
    """Quinlan's C4.5 (release 8).

    A numeric feature offers its threshold of largest information gain, less the price of
    choosing it, a nominal one a branch for each of its categories; of the features that gain
    at least the mean, the one with the largest gain ratio splits the node. The grown tree is
    cut back by error-based pruning.

    Notes
    -----
    O(n_features n_samples log n_samples) to sort, O(n_features n_samples depth) to grow,
    O(n_samples depth^2) to prune.

    Missing values are fractional cases: a feature's gain counts the rows whose value is known
    and is scaled by their share; split information counts the others as a branch of their own;
    they go down every branch with its share of the known rows' weight, in growth, pruning and
    prediction. A category that `fit` did not see is missing. A category without rows at a node
    is an empty leaf with the node's class. A nominal feature with at least 0.3 n_samples
    categories is left out of the mean gain, and each is asked once on a path.

    Deviation: a split must gain more than 0 bits after the correction; C4.5 lets a feature
    through that loses up to 0.001. A nominal feature that gains nothing counts in the mean.
    Deviation: values are told apart exactly; C4.5 takes those closer than 0.00001 as equal.

    Weka's J48 differs from C4.5, and so from this, in two points: its pruning takes the normal
    quantile z = 0.6745 for a confidence of 0.25 where C4.5 interpolates a table and has 0.6925;
    and where classes tie in a leaf it predicts the lowest, C4.5 the class of the parent.

    References
    ----------
    Quinlan, J. R. (1993). C4.5: Programs for Machine Learning. Quinlan, J. R. (1996).
    Improved use of continuous attributes in C4.5. JAIR 4, 77-90.
    """

    TAGS = Tags(nominal=True, missing=True)

    # fmt: off
    criterion: str = param(
        str, "gain_ratio", choices=_OFFERED, aliases=ENTROPY_IS_GAIN,
        label="Criterion", help="What decides between the features' best splits.",
        doc='"entropy" says "gain", too. The two statistics, of the table of branches and classes, '
            "also choose thresholds; they favour features with many values. A registered "
            "criterion, see :func:`lastviz.register_criterion`, does so too, among numeric "
            "features.",
    )
    pruning: str = param(
        str, "error_based", main=True, label="Pruning",
        choices=("error_based", "error_based_normal", "collapse", *BY_TREE, "none"),
        help="How the grown tree is cut back.",
        doc="By a limit of the error rate: C4.5's binomial one, the normal one of SODT's eq (5); "
            "by collapsing only what makes no fewer training errors than a leaf; by one of "
            ":data:`lastviz.pruning.PRUNERS` that C4.5 does not have; or not at all.",
    )
    confidence: float = replace(
        CONFIDENCE, main=True, needs=("pruning", (*BY_ERRORS[1], "replacement"))
    )
    subtree_raising: bool = replace(SUBTREE_RAISING, needs=BY_ERRORS)
    mdl_correction: bool = MDL_CORRECTION
    average_gain: bool = AVERAGE_GAIN
    threshold: str = param(
        str, "midpoint", choices=("midpoint", "value"), label="Threshold",
        help="Midway between two values, or the largest training value below that.",
    )
    max_depth: int | None = MAX_DEPTH
    min_samples_split: int = MIN_SAMPLES_SPLIT
    min_samples_leaf: int = replace(
        SMALLEST_BRANCH,
        doc=f"{SMALLEST_BRANCH.doc} A nominal split needs two branches of min_samples_leaf rows.",
    )
    categorical_features: object = CATEGORICAL_FEATURES
    m_estimate: float = M_ESTIMATE
    entropy_alpha: float = ENTROPY_ALPHA
    # fmt: on

    @property
    def criterion_column(self) -> str:
        """The criterion by which features compete."""
        return self._criterion

    def as_stored(self, split: AnySplit | None, X: np.ndarray) -> AnySplit | None:
        """Split as the tree stores it, made of the one chosen on training data `X`."""
        if not isinstance(split, Split) or self.threshold == "midpoint":
            return split
        values = self.encode(X)[:, split.feature]
        return replace(split, threshold=float(values[values <= split.threshold].max()))

    def recipe(self, data: TrainingData) -> Recipe:
        """Recipe of C4.5: thresholds alone if the data allow it, else nominal splits, too."""
        criterion, stop, n_classes = self._criterion, self._stop(), len(data.classes)
        if not data.is_plain or CRITERIA[criterion].code not in (GAIN, GAIN_RATIO):
            made = mixed_recipe(data, self._mixed_choice(data), stop, criterion, Missing.FRACTIONS)
            return replace(
                made,
                tree=partial(self._grown, data),
                prune=partial(prune_by_errors, self, data),
            )
        choice = choice_of_c45(self)
        return Recipe(
            growth=lambda: ThresholdGrowth(data.sorted, data.y, n_classes, choice, stop),
            tree=partial(self._grown, data),
            splitter=lambda: ThresholdSplitter(data.columns, data.y, n_classes, choice),
            family=lambda: threshold_family(data, choice, stop, criterion),
            prune=partial(prune_by_errors, self, data),
            growth_on=lambda rows: ThresholdGrowth(
                data.sorted.take(rows), data.y[rows], n_classes, choice, stop
            ),
        )

    def _mixed_choice(self, data: TrainingData) -> MixedChoice:
        if CRITERIA[self._criterion].code is None:
            self._check_serves(data)
        return MixedChoice(
            measure=self._criterion,
            min_samples_leaf=self.min_samples_leaf,
            release_8=True,
            mdl_correction=self.mdl_correction,
            average_gain=self.average_gain,
        )

    def _grown(self, data: TrainingData, growth: Growth) -> Tree:
        """Grown tree with its categories and the treatment of missing ones.

        A hyperplane cannot be asked in parts: a tree that was given one takes no missing values.
        """
        tree, shares, missing = tree_of_c45(self, data, growth), None, Missing.REFUSE
        if self.threshold == "value":
            tree = _cut_at_values(tree, growth.columns)
        if not (tree.kind == Kind.OBLIQUE).any():
            shares = branch_shares(tree.parent, tree.weighted_n_node_samples)
            missing = Missing.FRACTIONS
        return replace(
            tree, missing=missing, branch_weight=shares, feature_categories=data.categories
        )

    def _check_serves(self, data: TrainingData) -> None:
        """Refuse data that a criterion of two children cannot score."""
        X, names = data.X, data.names
        for name, known in zip(names, data.categories, strict=True):
            if known is not None:
                raise Refusal(
                    "criterion {criterion!r} scores two children, and C4.5 splits the nominal "
                    "column {name!r} into {n}: use CART, which splits it in two, or leave the "
                    "column out",
                    criterion=self.criterion,
                    name=str(name),
                    n=len(known),
                )
        if CRITERIA[self._criterion].smaller_is_better and np.isnan(X).any():
            name = names[int(np.flatnonzero(np.isnan(X).any(axis=0))[0])]
            raise Refusal(
                "criterion {criterion!r} is good where it is small, so it cannot be scaled by "
                "the share of known values, and column {name!r} lacks some: fill them in, or "
                "take CART",
                criterion=self.criterion,
                name=str(name),
            )


def _cut_at_values(tree: Tree, columns: np.ndarray) -> Tree:
    """Lower each threshold to the largest value of its column that is not above it."""
    threshold = tree.threshold.copy()
    for feature in np.unique(tree.feature[tree.kind == Kind.THRESHOLD]):
        here = np.flatnonzero(tree.feature == feature)
        values = np.unique(columns[feature])
        threshold[here] = values[np.searchsorted(values, threshold[here], side="right") - 1]
    return replace(tree, threshold=threshold)
