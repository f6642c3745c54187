"""Base of CART's classifier and regressor: weights, missing values, cost-complexity pruning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from numbers import Integral
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted

from lastviz._params import param
from lastviz._sentences import Refusal, Statement
from lastviz.builders import (
    BinaryGrowth,
    EditedGrowth,
    Family,
    FewerFeatures,
    Growth,
    NodewiseGrowth,
    Sprout,
    Stop,
    binary_sprout,
    nodewise_sprout,
)
from lastviz.criteria import CRITERIA
from lastviz.criteria.sums_kernels import SQUARED_ERROR
from lastviz.pruning import (
    CostComplexityPath,
    CrossValidatedPath,
    cost_complexity_path,
    cross_validate_path,
    folds,
    prune_cost_complexity,
)
from lastviz.splitters import (
    BinaryData,
    BinaryLimits,
    BinarySplitter,
    NodeContext,
    ObliqueSplit,
    Presorted,
    binary_data,
)
from lastviz.splitters.binary.subset_kernels import MOST_EXACT
from lastviz.splitters.edits import Edit, ForcedSplit, Without
from lastviz.tree import Missing, Tree

from .base import MIN_SAMPLES_LEAF as MIN_LEAF
from .base import MIN_SAMPLES_SPLIT as WHOLE
from .base import Pruned, Recipe, Tags, edit_refusal, family_of, seed
from .columns import read_known, read_training
from .reading import (
    TrainingData,
    check_belongs,
    check_classes,
    checked_targets,
    class_codes,
    names_of,
    weight_of,
)
from .tree_estimator import OTHER_X, WeightedTreeEstimator

NO_CLASSES = np.zeros(0, dtype=np.intp)


class BinaryTreeEstimator(WeightedTreeEstimator):
    """Base of the estimators that grow one tree of binary splits and price its leaves.

    Attributes
    ----------
    categories_ : tuple of (tuple or None)
        The categories of each nominal feature, None for a numeric one.
    cost_complexity_path_ : CostComplexityPath
        The nested trees that pruning chose from; only where it was asked for.
    cross_validation_ : CrossValidatedPath
        What each of them is expected to lose; only with `ccp_cv`.
    """

    TAGS: ClassVar[Tags] = Tags(nominal=True, missing=True)
    READABLE: ClassVar = {"ccp_cv": 10, "ccp_rule": "1se", "max_leaf_nodes": 8}

    categories_: tuple[tuple | None, ...]
    cost_complexity_path_: CostComplexityPath
    cross_validation_: CrossValidatedPath

    def encode(self, X: np.ndarray) -> np.ndarray:
        """`X` as the tree reads it, float64, shape (n_samples, n_features).

        A nominal value is the place of its category in `categories_`, -1 if it is none of
        them; a missing value is NaN.
        """
        check_is_fitted(self)
        takes_missing = self.tree_.missing != Missing.REFUSE
        return read_known(self, X, self.categories_, takes_missing=takes_missing)

    def cost_complexity_pruning_path(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Bunch:
        """Pruning path: prices of a leaf at which pruning changes the tree, impurities.

        Parameters
        ----------
        X, y, sample_weight
            As for :meth:`fit`; the estimator itself stays as it is.

        Returns
        -------
        Bunch
            ``ccp_alphas`` and ``impurities``, ndarrays of float64, rising: the values of
            `ccp_alpha` from which on the next smaller tree is left, and the cost of its leaves
            without their price (with the Gini impurity the sum of theirs, by their shares).

        Notes
        -----
        Nodes that become leaves at the same price do so in one step. scikit-learn has a step for
        each node, so that a price may stand there several times; its last one is the step here.
        """
        grown = clone(self).set_params(ccp_alpha=0.0, ccp_cv=None).fit(X, y, sample_weight)
        path = cost_complexity_path(grown.grown_tree_, self._leaf_cost)
        return Bunch(ccp_alphas=path.alpha, impurities=path.risk)

    @property
    def max_features_(self) -> int:
        """Number of features considered at a node."""
        return features_looked_at(self.max_features, self.n_features_in_)

    @property
    def notes_(self) -> tuple[str, ...]:
        """Notes on the fitted tree, in sentences; most often none.

        Nominal features with more categories than all subsets are tried of.
        """
        check_is_fitted(self)
        if self.grown_tree_.is_regression or len(self.classes_) <= 2:
            return ()
        names = self.grown_tree_.feature_names
        known = (each or () for each in self.categories_)
        return tuple(
            f"{names[f]!r} has {count} categories: with {len(self.classes_)} classes all subsets "
            f"are tried at nodes with at most {MOST_EXACT} of them; where there are more, those "
            "along the first principal component of the class shares, which may miss the best."
            for f, count in enumerate(map(len, known))
            if count > MOST_EXACT
        )

    def _read(
        self,
        X: object,
        y: object,
        presorted: Presorted | None,
        sample_weight: object = None,
    ) -> TrainingData:
        numbers, classes = self.TAGS.task == "regression", NO_CLASSES
        X, y, self.categories_ = read_training(self, X, y, numbers=numbers)
        targets = y
        if not numbers:
            check_classes(y)
            self.classes_, targets = np.unique(y, return_inverse=True)
            classes = self.classes_
        weight = weight_of(X, y, sample_weight, getattr(self, "class_weight", None))
        data = TrainingData(X, targets, names_of(self), classes, self.categories_, weight)
        return data if presorted is None else _with_sorted(data, presorted)

    def _read_again(self, X: object, y: object, presorted: Presorted | None) -> TrainingData:
        X, grown = self.encode(X), self.grown_tree_
        if grown.samples.max() >= len(X):
            raise Refusal(OTHER_X)
        if grown.is_regression:
            targets = np.asarray(checked_targets(y, classes=False), float)
        else:
            targets = class_codes(self.classes_, y)
        weight = np.zeros(len(X))
        weight[grown.samples] = grown.sample_weight
        weight = None if (weight == 1.0).all() else weight
        names, classes = grown.feature_names, grown.classes
        data = TrainingData(X, targets, names, classes, self.categories_, weight)
        return data if presorted is None else _with_sorted(data, presorted)

    def _bounds(self, data: TrainingData) -> tuple[Stop, int, BinaryLimits]:
        """Stopping rule, fewest samples of a branch, and limits of the search."""
        n, m = data.X.shape
        split, leaf, most = self.min_samples_split, self.min_samples_leaf, self.max_features
        split = int(split if isinstance(split, Integral) else np.ceil(split * n))
        leaf = int(leaf if isinstance(leaf, Integral) else np.ceil(leaf * n))
        drawn = None if most is None else features_looked_at(most, m)
        draws = drawn is not None and drawn < m
        limits = BinaryLimits(
            min_weight_fraction_leaf=float(self.min_weight_fraction_leaf),
            min_impurity_decrease=float(self.min_impurity_decrease),
            max_features=drawn if draws else None,
            random_state=self.seed_ if draws else 0,
        )
        depth = -1 if self.max_depth is None else self.max_depth
        return Stop(depth, max(split, 2), self.max_leaf_nodes or 0), leaf, limits

    def _priced(self, made: Recipe, data: TrainingData) -> Recipe:
        """Recipe whose tree is cut back by the price of a leaf, if that is not 0."""
        if self.ccp_cv is None and self.ccp_alpha == 0.0:
            return made
        return replace(made, prune=partial(self._cut_by_price, made, data))

    def _cut_by_price(
        self, made: Recipe, data: TrainingData, growth: Growth, kept: np.ndarray | None
    ) -> Pruned:
        # a tree that is changed by hand keeps the price of the one that grew by itself
        if self.ccp_cv is not None and not isinstance(growth, EditedGrowth):
            self._choose_price(data, lambda rows: made.tree(made.growth_on(rows).run()))
        path = cost_complexity_path(self.grown_tree_, self._leaf_cost, kept=kept)
        self.cost_complexity_path_ = path
        if self.ccp_cv is None:
            step = path.step_at(self.ccp_alpha)
        else:
            step = path.step_at(self.cross_validation_.alpha[self.cross_validation_.step])
        return prune_cost_complexity(self.grown_tree_, path, step)

    def _choose_price(self, data: TrainingData, grow: Callable[[np.ndarray], Tree]) -> None:
        """Set `cross_validation_`, by which the price of a leaf is chosen."""
        cost, weight = self._leaf_cost, data.weight
        rows = np.arange(len(data.y)) if weight is None else np.flatnonzero(weight > 0.0)
        X, y = data.X[rows], data.y[rows]
        fold = folds(y, self.ccp_cv, self.seed_, stratify=len(data.classes) > 0)
        self.cross_validation_ = cross_validate_path(
            cost_complexity_path(self.grown_tree_, cost), lambda part: grow(rows[part]), X, y, fold,
            weight=None if weight is None else weight[rows], risk=cost, rule=self.ccp_rule,
        )  # fmt: skip

    @property
    def _leaf_cost(self) -> str:
        """Cost of a leaf besides its price."""
        return getattr(self, "ccp_impurity", "squared_error")


def binary_recipe(
    data: TrainingData,
    criterion: str,
    stop: Stop,
    min_samples_leaf: int,
    limits: BinaryLimits,
) -> Recipe:
    """Recipe of trees that compiled loops of weighted sums grow.

    By a criterion that is a Python function they grow node by node. Whose impurity the nodes
    carry is `criterion`, of trees of numbers the squared error.
    """
    numbers = not len(data.classes)
    code = SQUARED_ERROR if numbers else CRITERIA[criterion].code
    sums = binary_data(
        data.X,
        data.y,
        criterion=criterion if code is None else code,
        n_classes=1 if numbers else len(data.classes),
        weight=data.weight,
        n_categories=data.n_categories,
        min_samples_leaf=min_samples_leaf,
        limits=limits,
        presorted=data.presorted,
    )
    _check_serves(sums, stop)

    def tree(growth: Growth) -> Tree:
        impurity = CRITERIA["gini" if numbers else criterion]
        grown = growth.tree(data.names, data.classes, impurity)
        learnt = bool((grown.missing_branch >= 0).any())
        missing = Missing.BRANCH if learnt else grown.missing
        return replace(grown, feature_categories=data.categories, missing=missing)

    def sprout(
        splitter: BinarySplitter, context: NodeContext, max_depth: int, without: tuple[int, ...]
    ) -> Sprout:
        if sums.function is None:
            return binary_sprout(sums, stop, context, max_depth, without)
        if without:
            splitter = FewerFeatures(splitter, without)
        return nodewise_sprout(splitter, sums.label, sums.n_classes, stop, context, max_depth)

    def refusal(edit: Edit) -> Statement | None:
        if isinstance(edit, Without) and limits.max_features is not None:
            return Statement(
                "with max_features each node draws its features; use all features first"
            )
        oblique = isinstance(edit, ForcedSplit) and isinstance(edit.split, ObliqueSplit)
        if oblique and (data.n_categories.any() or np.isnan(data.X).any()):
            return Statement(
                "a hyperplane does not stand beside nominal features or missing values"
            )
        return None

    def family() -> Family:
        refuses = partial(edit_refusal, stop=stop, own=refusal)
        return family_of(data, BinarySplitter(sums), sprout, tree, refuses)

    return Recipe(
        growth=lambda: _binary_growth(sums, stop),
        tree=tree,
        splitter=lambda: BinarySplitter(sums),
        family=family,
        growth_on=lambda rows: _binary_growth(sums.take(rows), stop),
    )


def answering_gaps(made: Recipe) -> Recipe:
    """Recipe whose trees send missing values on, though no training row lacked one.

    A hyperplane, which a tree may be given by hand, weighs all of its values.
    """

    def tree(growth: Growth) -> Tree:
        grown = made.tree(growth)
        if grown.missing == Missing.BRANCH:
            return grown
        missing = Missing.REFUSE if len(grown.oblique) else Missing.MAJORITY
        return replace(grown, missing=missing)

    return replace(made, tree=tree)


def features_looked_at(most: float | str | None, n_features: int) -> int:
    """Number of features considered at a node, by the parameter `max_features`."""
    if isinstance(most, str):
        return max(1, int((np.sqrt if most == "sqrt" else np.log2)(n_features)))
    if most is None or isinstance(most, Integral):
        return n_features if most is None else int(most)
    return max(1, int(most * n_features))


def _check_serves(data: BinaryData, stop: Stop) -> None:
    """Refuse parameters that a criterion written as a Python function cannot serve."""
    if data.function is None:
        return
    if stop.max_leaf_nodes:
        raise Refusal(
            "max_leaf_nodes must be None with the criterion {function!r}, got "
            "{max_leaf_nodes}: by a Python function trees grow depth first",
            function=data.function,
            max_leaf_nodes=stop.max_leaf_nodes,
        )
    if data.least_decrease > 0.0 and CRITERIA[data.function].smaller_is_better:
        raise Refusal(
            "min_impurity_decrease must be 0.0 with the criterion {function!r}, of which "
            "small values are good",
            function=data.function,
        )


def _binary_growth(data: BinaryData, stop: Stop) -> Growth:
    if data.function is None:
        return BinaryGrowth(data, stop)
    return NodewiseGrowth(BinarySplitter(data.begun()), data.label, data.n_classes, stop)


def _with_sorted(data: TrainingData, presorted: Presorted) -> TrainingData:
    """Data with their sorted columns: where a value is missing they are made anew."""
    if np.isnan(data.X).any():
        return data
    check_belongs(presorted, data.X)
    return replace(data, presorted=presorted)


# ---- The parameters that CART's classifier and regressor share


SHARE = "A fraction below 1 is a share of all rows, rounded up."
MAX_LEAF_NODES = param(
    int, None, low=2, none=True, slider=(2, 200, 1), unit="leaves",
    main=True, label="Most leaves", help="Grow best first up to so many leaves.",
    doc="The split that takes most from the tree's impurity, in a regressor from the squared error "
        "of all rows, comes next. None: depth first, until nothing is left to split.",
)  # fmt: skip
MIN_SAMPLES_SPLIT = replace(WHOLE, share=True, doc=SHARE)
MIN_SAMPLES_LEAF = replace(MIN_LEAF, main=True, share=True, doc=SHARE)
MIN_WEIGHT_FRACTION_LEAF = param(
    float, 0.0, low=0.0, high=0.5, slider=(0.0, 0.5, 0.01),
    label="Smallest share of a leaf",
    help="Least weight on each side of a split, as a share of the weight of all rows.",
)  # fmt: skip
MIN_IMPURITY_DECREASE = param(
    float, 0.0, low=0.0, slider=(0.0, 0.1, 0.001),
    label="Least decrease of the impurity",
    help="How much a split must lower the impurity, times the node's share of all rows.",
    doc="That is its share of the weight of all rows; a regressor's impurity is the mean squared "
        "error. A node without such a split becomes a leaf.",
)  # fmt: skip
MAX_FEATURES = param(
    int, None, low=1, none=True, none_word="all", choices=("sqrt", "log2"),
    slider=(1, 20, 1), unit="features", label="Features looked at",
    help="How many features, drawn anew at each node, are looked at.", share=True,
    doc='It goes on where none of them has a candidate. "sqrt" and "log2" are those of their '
        "number, a fraction below 1 is a share of it; None: all.",
)  # fmt: skip
CCP_ALPHA = param(
    float, 0.0, low=0.0, slider=(0.0, 0.1, 0.001),
    label="Price per leaf", help="Cut the tree back to where it costs least; 0: not at all.",
    doc="Each leaf has this price; of trees that cost as much the smallest stays.",
)  # fmt: skip
CCP_CV = param(
    int, None, low=2, high=50, none=True, none_word="off", slider=(2, 20, 1),
    unit="folds", label="Price found by cross-validation",
    help="Choose the price per leaf by so many folds, instead of setting it.",
    doc="`ccp_alpha` then has no effect.",
)  # fmt: skip
CCP_RULE = param(
    str, "min", choices=("min", "1se"), label="Which tree of the folds",
    help="The tree of least expected loss, or the smallest within one standard error of it.",
    doc="With `ccp_cv`. The loss are errors, a regressor's the squared error; of trees of equal "
        "loss it is the smallest.",
)  # fmt: skip
RANDOM_STATE = seed(
    "The same seed gives the same folds, and looks at the same features.",
    "Seed of folds and features",
)
