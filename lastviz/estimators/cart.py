"""CART for classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np
from sklearn.base import RegressorMixin

from lastviz._params import Param
from lastviz.criteria import CRITERIA, Offered
from lastviz.criteria.scan_kernels import GAIN, GINI
from lastviz.pruning.registry import CONFIDENCE
from lastviz.splitters import BinaryLimits
from lastviz.splitters.threshold.choice_kernels import Choice

from .base import Recipe, Tags, threshold_recipe
from .binary_tree import (
    CCP_CV,
    CCP_RULE,
    GROWTH_PARAMS,
    RANDOM_STATE,
    BinaryTreeEstimator,
    answering_gaps,
    binary_recipe,
    ccp_alpha,
)
from .reading import TrainingData
from .tree_attributes import BY_TREE, ENTROPY_ALPHA, M_ESTIMATE, prune_by_tree
from .tree_estimator import TreeClassifier

_OFFERED = Offered("cart")
CCP_IMPURITY = Param(
    "ccp_impurity", str, "gini", choices=("gini", "misclassification"),
    label="Cost of a leaf", help="What a leaf costs besides its price.",
)  # fmt: skip


class CARTClassifier(BinaryTreeEstimator, TreeClassifier):
    """CART: binary splits of largest impurity decrease, cut back by the price of a leaf.

    Parameters
    ----------
    criterion : {"gini", "entropy", "twoing"}, default "gini"
        The impurity ("gain" and "log_loss" say "entropy", too); or twoing, which parts the classes
        into two groups that differ most; or a registered criterion, see
        :func:`lastviz.register_criterion`: the tree then grows depth first in Python, and among
        many categories it tries the subsets that Gini would.
    max_leaf_nodes : int or None, default None
        With a limit the tree grows best first: the split that lowers the tree's impurity
        most comes next. None: depth first, until nothing is left to split.
    max_depth : int or None, default None
    min_samples_split : int or float, default 2
        A fraction below 1 is a share of all rows, rounded up.
    min_samples_leaf : int or float, default 1
        Fewest rows of a branch; a fraction below 1 is a share of all rows, rounded up.
    min_weight_fraction_leaf : float, default 0.0
        Least weight of a branch, as a share of the weight of all rows.
    min_impurity_decrease : float, default 0.0
        A node becomes a leaf if no split lowers its impurity by so much, times the
        node's share of the weight of all rows.
    max_features : int, float, {"sqrt", "log2"} or None, default None
        How many features a node looks at, drawn anew at each node; it goes on where none of
        them has a candidate. "sqrt" and "log2" are those of their number, a
        fraction below 1 is a share of it; None: all.
    ccp_alpha : float, default 0.0
        Price of a leaf: the tree is cut back to the smallest one of least cost. 0: it is not.
    ccp_cv : int or None, default None
        Choose the price by so many folds; `ccp_alpha` then has no effect.
    ccp_rule : {"min", "1se"}, default "min"
        With `ccp_cv`: the smallest tree of least expected errors, or within one standard error
        of it.
    ccp_impurity : {"gini", "misclassification"}, default "gini"
        What a leaf costs besides its price, as a share of all rows.
    pruning : {"cost_complexity", "replacement", "pessimistic", "minimum_error", "entropy_cost", \
            "mdl", "none"}, default "cost_complexity"
        How the tree is cut back: at the price of a leaf, or as another one of
        :data:`lastviz.pruning.PRUNERS` does.
    confidence : float, default 0.25
        With pruning "replacement": confidence of the errors to expect, in (0, 0.5].
    m_estimate : float, default 2.0
        With pruning "minimum_error": how many rows of a leaf the shares of all rows are worth.
    entropy_alpha : float, default 4.0
        With pruning "entropy_cost": bits that a leaf costs besides the entropy of its rows.
    random_state : int, RandomState or None, default 0
        Seed of the folds, and of the features that nodes look at.
    class_weight : "balanced", dict or None, default None
        Weights by class, multiplied by those of the rows. "balanced": in inverse proportion to
        their rows.
    categorical_features : "from_dtype", None or list, default "from_dtype"
        Nominal columns: those of a DataFrame whose type is category, object, string or bool;
        none; or their numbers or names.

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

    OTHER_PARAMS: ClassVar[Mapping[str, object]] = {
        "class_weight": None,
        **BinaryTreeEstimator.OTHER_PARAMS,
    }
    PARAMS = (
        Param(
            "criterion", str, "gini", choices=_OFFERED, main=True,
            aliases=(("gain", "entropy"), ("log_loss", "entropy")),
            label="Impurity", help="Which impurity a split should lower most.",
        ),
        *GROWTH_PARAMS,
        *(
            replace(param, needs=("pruning", ("cost_complexity",)))
            for param in (ccp_alpha(""), CCP_CV, CCP_RULE, CCP_IMPURITY)
        ),
        Param(
            "pruning", str, "cost_complexity", label="Pruning",
            choices=("cost_complexity", *BY_TREE, "none"),
            help="How the grown tree is cut back.",
        ),
        replace(CONFIDENCE, needs=("pruning", ("replacement",))),
        M_ESTIMATE,
        ENTROPY_ALPHA,
        RANDOM_STATE,
    )  # fmt: skip

    def __init__(
        self,
        criterion: str = "gini",
        max_leaf_nodes: int | None = None,
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_features: float | str | None = None,
        ccp_alpha: float = 0.0,
        ccp_cv: int | None = None,
        ccp_rule: str = "min",
        ccp_impurity: str = "gini",
        pruning: str = "cost_complexity",
        confidence: float = 0.25,
        m_estimate: float = 2.0,
        entropy_alpha: float = 4.0,
        random_state: int | np.random.RandomState | None = 0,
        class_weight: object = None,
        categorical_features: object = "from_dtype",
    ) -> None:
        self.criterion = criterion
        self.max_leaf_nodes = max_leaf_nodes
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_features = max_features
        self.ccp_alpha = ccp_alpha
        self.ccp_cv = ccp_cv
        self.ccp_rule = ccp_rule
        self.ccp_impurity = ccp_impurity
        self.pruning = pruning
        self.confidence = confidence
        self.m_estimate = m_estimate
        self.entropy_alpha = entropy_alpha
        self.random_state = random_state
        self.class_weight = class_weight
        self.categorical_features = categorical_features

    @property
    def criterion_column(self) -> str:
        """The criterion by which features compete."""
        return _OFFERED.key(self._criterion)

    def recipe(self, data: TrainingData) -> Recipe:
        """Return thresholds by counts of rows where the data allow it, else weighted sums."""
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


class CARTRegressor(RegressorMixin, BinaryTreeEstimator):
    """CART for numbers: binary splits that take away most of the squared error.

    Parameters
    ----------
    criterion : {"squared_error"}, default "squared_error"
        A node predicts its mean; a split scores the share of the node's sum of squared errors
        that it takes away.
    max_leaf_nodes : int or None, default None
        With a limit the tree grows best first: the split that takes most from the squared error
        of all rows comes next. None: depth first, until nothing is left to split.
    max_depth : int or None, default None
    min_samples_split : int or float, default 2
        A fraction below 1 is a share of all rows, rounded up.
    min_samples_leaf : int or float, default 1
        Fewest rows of a branch; a fraction below 1 is a share of all rows, rounded up.
    min_weight_fraction_leaf : float, default 0.0
        Least weight of a branch, as a share of the weight of all rows.
    min_impurity_decrease : float, default 0.0
        A node becomes a leaf if no split lowers its mean squared error by so much, times the
        node's share of the weight of all rows.
    max_features : int, float, {"sqrt", "log2"} or None, default None
        How many features a node looks at, drawn anew at each node; it goes on where none of
        them has a candidate. "sqrt" and "log2" are those of their number, a
        fraction below 1 is a share of it; None: all.
    ccp_alpha : float, default 0.0
        Price of a leaf in units of the mean squared error: the tree is cut back to the smallest
        one of least cost. 0: it is not.
    ccp_cv : int or None, default None
        Choose the price by so many folds; `ccp_alpha` then has no effect.
    ccp_rule : {"min", "1se"}, default "min"
        With `ccp_cv`: the smallest tree of least expected squared error, or within one standard
        error of it.
    random_state : int, RandomState or None, default 0
        Seed of the folds, and of the features that nodes look at.
    categorical_features : "from_dtype", None or list, default "from_dtype"
        Nominal columns: those of a DataFrame whose type is category, object, string or bool;
        none; or their numbers or names.

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
    PARAMS: ClassVar[tuple[Param, ...]] = (
        Param(
            "criterion", str, "squared_error", choices=("squared_error",),
            label="Loss", help="What a split should lower most.",
        ),
        *GROWTH_PARAMS,
        ccp_alpha("squared units"),
        CCP_CV,
        CCP_RULE,
        RANDOM_STATE,
    )  # fmt: skip

    def __init__(
        self,
        criterion: str = "squared_error",
        max_leaf_nodes: int | None = None,
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_features: float | str | None = None,
        ccp_alpha: float = 0.0,
        ccp_cv: int | None = None,
        ccp_rule: str = "min",
        random_state: int | np.random.RandomState | None = 0,
        categorical_features: object = "from_dtype",
    ) -> None:
        self.criterion = criterion
        self.max_leaf_nodes = max_leaf_nodes
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_features = max_features
        self.ccp_alpha = ccp_alpha
        self.ccp_cv = ccp_cv
        self.ccp_rule = ccp_rule
        self.random_state = random_state
        self.categorical_features = categorical_features

    @property
    def criterion_column(self) -> str:
        """The criterion by which features compete."""
        return self.criterion

    def recipe(self, data: TrainingData) -> Recipe:
        """Return weighted sums and the price of a leaf."""
        made = binary_recipe(data, self.criterion, *self._bounds(data))
        return self._priced(answering_gaps(made), data)
