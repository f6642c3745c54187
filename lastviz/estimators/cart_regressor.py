"""CART for numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np
from sklearn.base import RegressorMixin

from lastviz._params import Param

from .base import Tags
from .binary_params import CCP_CV, CCP_RULE, GROWTH_PARAMS, RANDOM_STATE, ccp_alpha
from .binary_tree import BinaryTreeEstimator, answering_gaps, binary_recipe
from .reading import TrainingData
from .recipe import Recipe


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
