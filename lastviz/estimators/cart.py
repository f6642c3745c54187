"""CART for classes."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np
from sklearn.base import RegressorMixin

from lastviz._params import param, with_params
from lastviz.criteria import CRITERIA, Offered
from lastviz.criteria.scan_kernels import GAIN, GINI
from lastviz.pruning.registry import CONFIDENCE
from lastviz.splitters import BinaryLimits
from lastviz.splitters.threshold.choice_kernels import Choice

from .base import CATEGORICAL_FEATURES, MAX_DEPTH, Recipe, Tags, threshold_recipe
from .binary_tree import (
    CCP_ALPHA,
    CCP_CV,
    CCP_RULE,
    MAX_FEATURES,
    MAX_LEAF_NODES,
    MIN_IMPURITY_DECREASE,
    MIN_SAMPLES_LEAF,
    MIN_SAMPLES_SPLIT,
    MIN_WEIGHT_FRACTION_LEAF,
    RANDOM_STATE,
    BinaryTreeEstimator,
    answering_gaps,
    binary_recipe,
)
from .reading import TrainingData
from .tree_attributes import BY_TREE, ENTROPY_ALPHA, M_ESTIMATE, prune_by_tree
from .tree_estimator import TreeClassifier

_OFFERED = Offered("cart")
_PRICED = ("pruning", ("cost_complexity",))


@with_params
class CARTClassifier(BinaryTreeEstimator, TreeClassifier):
    """CART: binary splits of largest impurity decrease, cost-complexity pruning.

    Notes
    -----
    A split that gains nothing is still made, since the next ones may gain (exclusive or).
    O(n_features n_samples log n_samples) to sort, O(n_features n_samples depth) to grow.

    A nominal feature is split into two groups of categories. Where two classes are left the
    best group is found among the prefixes by rising share of one class (Breiman et al.,
    theorem 4.5); with more, all groups of up to 10 categories are tried. Deviation: beyond,
    only prefixes along the first principal component of the class shares, each category
    weighted by its rows (Coppersmith et al.), which `notes_` says. Deviation: the textbook's
    algorithm 5.6 (Li, H., Statistical Learning Methods) tests one category against all others,
    A = a; here any group of them, as Breiman et al. do, which differs from three categories on.

    The lowest category present
    goes to the first child; a category without rows at the node stops there.

    A missing value goes to the child where that makes the split score best, found out at each
    node that has missing rows, and whether a value is missing is a test of its own (an infinite
    threshold), so that a lack that tells something is used; where a node has none, to its
    heavier child, where most rows would have gone. If no training row lacked a value, one that
    does goes to the child of more rows, as in scikit-learn. Deviation: the book sends it
    where a surrogate split says.

    The folds' trees are cut at the geometric means of the prices between which the tree of all
    rows does not change, and judged by their weighted errors.

    References
    ----------
    Breiman, L., Friedman, J. H., Olshen, R. A. and Stone, C. J. (1984). Classification and
    Regression Trees. Chapters 3 and 4. Coppersmith, D., Hong, S. J. and Hosking, J. R. M.
    (1999). Partitioning nominal attributes in decision trees. Data Mining and Knowledge
    Discovery 3, 197-217.
    """

    # fmt: off
    criterion: str = param(
        str, "gini", choices=_OFFERED, main=True,
        aliases=(("gain", "entropy"), ("log_loss", "entropy")),
        label="Impurity", help="Which impurity a split should lower most.",
        doc='"gain" and "log_loss" say "entropy", too; twoing parts the classes into two groups '
            "that differ most. By a registered criterion, see :func:`lastviz.register_criterion`, "
            "the tree grows depth first in Python, and among many categories it tries the subsets "
            "that Gini would.",
    )
    max_leaf_nodes: int | None = MAX_LEAF_NODES
    max_depth: int | None = MAX_DEPTH
    min_samples_split: float = MIN_SAMPLES_SPLIT
    min_samples_leaf: float = MIN_SAMPLES_LEAF
    min_weight_fraction_leaf: float = MIN_WEIGHT_FRACTION_LEAF
    min_impurity_decrease: float = MIN_IMPURITY_DECREASE
    max_features: float | str | None = MAX_FEATURES
    ccp_alpha: float = replace(CCP_ALPHA, needs=_PRICED)
    ccp_cv: int | None = replace(CCP_CV, needs=_PRICED)
    ccp_rule: str = replace(CCP_RULE, needs=_PRICED)
    ccp_impurity: str = param(
        str, "gini", choices=("gini", "misclassification"), needs=_PRICED,
        label="Cost of a leaf", help="What a leaf costs besides its price.",
        doc="That is a share of all rows.",
    )
    pruning: str = param(
        str, "cost_complexity", choices=("cost_complexity", *BY_TREE, "none"),
        label="Pruning", help="How the grown tree is cut back.",
        doc="At the price of a leaf, or as another one of :data:`lastviz.pruning.PRUNERS` does.",
    )
    confidence: float = replace(CONFIDENCE, needs=("pruning", ("replacement",)))
    m_estimate: float = M_ESTIMATE
    entropy_alpha: float = ENTROPY_ALPHA
    random_state: int | np.random.RandomState | None = RANDOM_STATE
    class_weight: object = param(
        object, None, type_doc='"balanced", dict or None',
        doc='Weights by class, multiplied by those of the rows. "balanced": in inverse proportion '
            "to their rows.",
    )
    categorical_features: object = CATEGORICAL_FEATURES
    # fmt: on

    @property
    def criterion_column(self) -> str:
        """The criterion by which features compete."""
        return _OFFERED.key(self._criterion)

    def recipe(self, data: TrainingData) -> Recipe:
        """Recipe of CART: thresholds by counts if the data allow it, else weighted sums."""
        criterion = _OFFERED.key(self._criterion)
        stop, min_samples_leaf, limits = self._bounds(data)
        code = CRITERIA[criterion].code
        if code in (GAIN, GINI) and limits == BinaryLimits() and data.is_plain:
            choice = Choice(
                criterion=code,
                scale=1.0,
                min_samples_leaf=min_samples_leaf,
                release_8=False,
                mdl_correction=False,
                average_gain=False,
                needs_gain=False,
                raw_scores_decide=True,
            )
            made = threshold_recipe(data, choice, stop, criterion)
        else:
            made = binary_recipe(data, criterion, stop, min_samples_leaf, limits)
        made = answering_gaps(made)
        if self.pruning in BY_TREE:
            return replace(made, prune=lambda _, kept: prune_by_tree(self, self.pruning, kept))
        return self._priced(made, data) if self.pruning == "cost_complexity" else made


# ---------------------------------------------------------------- CART for numbers


@with_params
class CARTRegressor(RegressorMixin, BinaryTreeEstimator):
    """CART for numbers: binary splits that take away most of the squared error.

    Notes
    -----
    The score is a share, without a unit, so that ties are the same in every unit of y. Sums are
    taken about each node's mean, so a large offset of y costs no digits.
    O(n_features n_samples log n_samples) to sort, O(n_features n_samples depth) to grow.
    A nominal feature is split into two groups of categories, the best of which is a prefix by
    rising mean (Breiman et al., section 8.8), so it is found whatever their number. Missing
    values, unseen categories and pruning are treated as by :class:`CARTClassifier`.

    References
    ----------
    Breiman, L., Friedman, J. H., Olshen, R. A. and Stone, C. J. (1984). Classification and
    Regression Trees. Chapter 8.
    """

    TAGS: ClassVar[Tags] = replace(BinaryTreeEstimator.TAGS, task="regression")
    # fmt: off
    criterion: str = param(
        str, "squared_error", choices=("squared_error",),
        label="Loss", help="What a split should lower most.",
        doc="A node predicts its mean; a split scores the share of the node's sum of squared "
            "errors that it takes away.",
    )
    max_leaf_nodes: int | None = MAX_LEAF_NODES
    max_depth: int | None = MAX_DEPTH
    min_samples_split: float = MIN_SAMPLES_SPLIT
    min_samples_leaf: float = MIN_SAMPLES_LEAF
    min_weight_fraction_leaf: float = MIN_WEIGHT_FRACTION_LEAF
    min_impurity_decrease: float = MIN_IMPURITY_DECREASE
    max_features: float | str | None = MAX_FEATURES
    ccp_alpha: float = replace(
        CCP_ALPHA, unit="squared units",
        doc="Each leaf has this price, in units of the mean squared error; of trees that cost as "
            "much the smallest stays.",
    )
    ccp_cv: int | None = CCP_CV
    ccp_rule: str = CCP_RULE
    random_state: int | np.random.RandomState | None = RANDOM_STATE
    categorical_features: object = CATEGORICAL_FEATURES
    # fmt: on

    @property
    def criterion_column(self) -> str:
        """The criterion by which features compete."""
        return self.criterion

    def recipe(self, data: TrainingData) -> Recipe:
        """Recipe of CART for regression: weighted sums and the price of a leaf."""
        made = binary_recipe(data, self.criterion, *self._bounds(data))
        return self._priced(answering_gaps(made), data)
