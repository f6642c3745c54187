"""What CART's classifier and regressor share: weights, missing values, cost-complexity pruning."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from numbers import Integral
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, clone
from sklearn.utils import Bunch
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from lastviz._params import check_params
from lastviz._sentences import Refusal, Sentence
from lastviz.builders import (
    BinaryGrowth,
    Family,
    FewerFeatures,
    Growth,
    GrowthEvent,
    NodewiseGrowth,
    SearchProgress,
    SplitterFamily,
    Sprout,
    Stop,
    binary_sprout,
    nodewise_sprout,
)
from lastviz.criteria import CRITERIA
from lastviz.pruning import (
    CostComplexityPath,
    CrossValidatedPath,
    cost_complexity_path,
    cross_validate_path,
    folds,
    prune_cost_complexity,
)
from lastviz.splitters import (
    AnySplit,
    BinaryData,
    BinaryLimits,
    BinarySplitter,
    NodeContext,
    ObliqueSplit,
    Presorted,
    Splitter,
    binary_data,
)
from lastviz.splitters.binary.subset_kernels import MOST_EXACT
from lastviz.splitters.edited import splitter_of_edited
from lastviz.splitters.edits import Edit, ForcedSplit, Without
from lastviz.tree import GrowthLog, Missing, Tree

from .base import Tags, check_belongs
from .editing import Editable
from .reading import TrainingData, names_of, read_known, read_training
from .tree_attributes import TreeAttributes, sent_to_more_rows


class BinaryTreeEstimator(Editable, TreeAttributes, BaseEstimator, ABC):
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

    TAGS: ClassVar[Tags] = Tags(nominal=True, numeric_only=False, missing=True)
    OTHER_PARAMS: ClassVar[Mapping[str, object]] = {"categorical_features": "from_dtype"}

    categories_: tuple[tuple | None, ...]
    cost_complexity_path_: CostComplexityPath
    cross_validation_: CrossValidatedPath

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        presorted: Presorted | None = None,
        edits: Iterable[Edit] = (),
    ) -> Self:
        """Grow and prune a tree.

        Parameters
        ----------
        X : array-like or DataFrame, shape (n_samples, n_features)
            Numbers, and categories of any kind in the nominal columns; a missing value is NaN.
        y : array-like, shape (n_samples,)
            Classes, or numbers for a regressor.
        sample_weight : array-like, shape (n_samples,), optional
            Not negative; a row of weight 0 takes no part. Default: all 1.
        presorted : Presorted, optional
            The sorted columns of `X`, to be reused; see :func:`lastviz.splitters.presort`.
        edits : iterable of Edit, default ()
            What the tree is changed by, see :func:`lastviz.what_if`.

        Raises
        ------
        ValueError
            If a parameter is out of range, `X` holds infinite values, a nominal column has too
            many categories, the weights are negative or all 0, `presorted` belongs to other
            data, or an edit cannot be made.
        """
        self._finish(self._start(X, y, sample_weight, presorted).run())
        self._edit_at_once(X, y, edits, presorted)
        return self

    def grow(
        self,
        X: np.ndarray,
        y: np.ndarray,
        sample_weight: np.ndarray | None = None,
        *,
        presorted: Presorted | None = None,
        edits: Iterable[Edit] = (),
    ) -> Iterator[GrowthEvent | SearchProgress]:
        """Fit event by event; once the last event is taken, the estimator is fitted.

        Under edits the events are those of the changed tree. Parameters and errors are those
        of :meth:`fit`.
        """
        growth = self._start(X, y, sample_weight, presorted)
        yield from self._events(growth, X, y, edits, presorted)

    def encode(self, X: np.ndarray) -> np.ndarray:
        """Return `X` as the tree reads it, float64, shape (n_samples, n_features).

        A nominal value is the place of its category in `categories_`, -1 if it is none of
        them; a missing value is NaN, which is taken only if the training data had some.
        """
        check_is_fitted(self)
        takes_missing = self.tree_.missing == Missing.BRANCH
        return read_known(self, X, self.categories_, takes_missing=takes_missing)

    def apply(self, X: ArrayLike) -> np.ndarray:
        """Return the leaf (a node of `tree_`) of each row of `X`. O(n depth).

        Where no training row lacked a value, one without it goes where most of them went.
        """
        tree, X = self._routed(X)
        return tree.apply(X)

    def _routed(self, X: ArrayLike) -> tuple[Tree, np.ndarray]:
        check_is_fitted(self)
        takes_missing = not len(self.tree_.oblique)
        X = read_known(self, X, self.categories_, takes_missing=takes_missing)
        learnt = self.tree_.missing == Missing.BRANCH or not np.isnan(X).any()
        return self.tree_ if learnt else sent_to_more_rows(self.tree_), X

    def splitter(
        self, X: np.ndarray, y: np.ndarray, presorted: Presorted | None = None
    ) -> Splitter:
        """Return the splitter that grew the tree, for replay on its training data."""
        training = self._trained_on(X, y, presorted)
        if self._takes_fast_path(training):
            splitter = self._splitter(training.X, training.y, training.presorted)
        else:
            splitter = BinarySplitter(self._binary_data(training))
        return splitter_of_edited(splitter, self.edits_)

    def _trained_on(
        self, X: np.ndarray, y: np.ndarray, presorted: Presorted | None
    ) -> TrainingData:
        """Return the data that the fitted tree was grown on, once they are given again."""
        X = self.encode(X)
        presorted = _usable(presorted, X)
        if self.grown_tree_.samples.max() >= len(X):
            raise Refusal("X must be the data that the estimator was fitted on")
        return self._weighted(X, self._known_targets(y), presorted)

    def _weighted(self, X: np.ndarray, y: np.ndarray, presorted: Presorted | None) -> TrainingData:
        """Return encoded training data with the weights that the grown tree has of their rows."""
        weight = np.zeros(len(X))
        weight[self.grown_tree_.samples] = self.grown_tree_.sample_weight
        return TrainingData(X, y, None if (weight == 1.0).all() else weight, presorted)

    def cost_complexity_pruning_path(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Bunch:
        """Return the prices of a leaf at which pruning changes the tree, and what is left there.

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
        path = cost_complexity_path(grown.grown_tree_, self._risk)
        return Bunch(ccp_alphas=path.alpha, impurities=path.risk)

    def as_stored(self, split: AnySplit | None, X: np.ndarray) -> AnySplit | None:
        """Return a split as the search chooses it on the training data `X` as the tree has it."""
        return split

    def __sklearn_tags__(self):
        """Say that missing values are taken."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    @abstractmethod
    def _targets(self, y: np.ndarray) -> np.ndarray:
        """Learn what is predicted; return class indices, or numbers."""

    @abstractmethod
    def _known_targets(self, y: np.ndarray) -> np.ndarray:
        """Return the same for the training data once more."""

    @abstractmethod
    def _tree_of(self, growth: Growth, feature_names: tuple[str, ...]) -> Tree:
        """Return the grown tree of a finished growth."""

    def _takes_fast_path(self, training: TrainingData) -> bool:
        """Tell whether the kernels that count rows of numeric features do."""
        return False

    def _binary_data(self, training: TrainingData) -> BinaryData:
        """Return training data as the kernels of weighted sums read them."""
        return binary_data(
            training.X,
            training.y,
            criterion=self._criterion_code,
            n_classes=1 if self._learns_numbers else len(self.classes_),
            weight=training.weight,
            n_categories=self._n_categories,
            min_samples_leaf=self._least_rows(self.min_samples_leaf),
            limits=self._limits(),
            presorted=training.presorted,
        )

    def _limits(self) -> BinaryLimits:
        """Return what is not looked at and what is not split; the default if nothing is."""
        most = self.max_features_
        drawn = most < self.n_features_in_
        return BinaryLimits(
            min_weight_fraction_leaf=float(self.min_weight_fraction_leaf),
            min_impurity_decrease=float(self.min_impurity_decrease),
            max_features=most if drawn else None,
            random_state=int(self.random_state) if drawn else 0,
        )

    @property
    @abstractmethod
    def _criterion_code(self) -> int | str:
        """How the kernels name the criterion; the key of one that is a Python function."""

    def _class_weights(self, y: np.ndarray) -> np.ndarray | None:
        """Return a weight for each row from its class, None where all are 1."""
        return None

    def _stop(self) -> Stop:
        depth = -1 if self.max_depth is None else self.max_depth
        return Stop(
            depth, max(self._least_rows(self.min_samples_split), 2), self.max_leaf_nodes or 0
        )

    def _least_rows(self, given: float) -> int:
        """Return a number of rows that may be given as a share of all training rows."""
        whole = isinstance(given, Integral)
        return int(given if whole else np.ceil(given * self._n_training_rows))

    @property
    def max_features_(self) -> int:
        """How many features a node looks at."""
        most, n = self.max_features, self.n_features_in_
        if isinstance(most, str):
            return max(1, int((np.sqrt if most == "sqrt" else np.log2)(n)))
        if most is None or isinstance(most, Integral):
            return n if most is None else int(most)
        return max(1, int(most * n))

    @property
    def _learns_numbers(self) -> bool:
        return self.TAGS.task == "regression"

    @property
    def _n_categories(self) -> np.ndarray:
        """Number of categories of each feature, 0 for a numeric one."""
        return np.array([0 if known is None else len(known) for known in self.categories_])

    @property
    def notes_(self) -> tuple[str, ...]:
        """What to know about the fitted tree, in sentences; most often nothing.

        Nominal features with more categories than all subsets are tried of.
        """
        check_is_fitted(self)
        if self._learns_numbers or len(self.classes_) <= 2:
            return ()
        names = self.grown_tree_.feature_names
        return tuple(
            f"{names[f]!r} has {count} categories: with {len(self.classes_)} classes all subsets "
            f"are tried at nodes with at most {MOST_EXACT} of them; where there are more, those "
            "along the first principal component of the class shares, which may miss the best."
            for f, count in enumerate(self._n_categories.tolist())
            if count > MOST_EXACT
        )

    @property
    @abstractmethod
    def _risk(self) -> str:
        """What a leaf costs besides its price."""

    def _start(
        self,
        X: np.ndarray,
        y: np.ndarray,
        sample_weight: np.ndarray | None,
        presorted: Presorted | None,
    ) -> Growth:
        values = {param.name: getattr(self, param.name) for param in self.PARAMS}
        check_params(self.PARAMS, values)
        X, y, self.categories_ = read_training(self, X, y, numbers=self._learns_numbers)
        targets = self._targets(y)
        presorted = _usable(presorted, X)
        weight = self._weights(X, y, sample_weight)
        self._n_training_rows = len(X)
        self._training = TrainingData(X, targets, weight, presorted)
        self._grow_on = self._grower(self._training)
        return self._grow_on(None)

    def _weights(
        self, X: np.ndarray, y: np.ndarray, sample_weight: np.ndarray | None
    ) -> np.ndarray | None:
        weight = self._class_weights(y)
        if sample_weight is not None:
            own = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
            weight = own if weight is None else own * weight
        if weight is None or (weight == 1.0).all():
            return None
        if not weight.any():
            raise Refusal("every row has weight 0; give some class or row more")
        return weight

    def _grower(self, training: TrainingData) -> Callable[[np.ndarray | None], Growth]:
        """Return what begins the growth on some rows, or on all of them (None)."""
        if self._takes_fast_path(training):
            return self._threshold_grower(training)
        data, stop = self._binary_data(training), self._stop()
        _check_serves(data, stop)
        return lambda rows: _binary_growth(data if rows is None else data.take(rows), stop)

    def _finishing(self, growth: Growth) -> Iterator[SearchProgress]:
        training, grow_on = self.__dict__.pop("_training"), self.__dict__.pop("_grow_on")
        self._take_tree(growth)
        if self.ccp_cv is not None and self._has_prices:
            names = names_of(self)
            self._choose_price(training, lambda rows: self._tree_of(grow_on(rows).run(), names))
        self._take_pruned((yield from self._pruning(growth, training.X, training.y)))

    def _take_tree(self, growth: Growth) -> None:
        self.grown_tree_ = self.tree_ = self._tree_of(growth, names_of(self))
        self.growth_log_: GrowthLog = growth.log()
        self.edits_ = self.void_edits_ = ()

    def _choose_price(self, training: TrainingData, grow: Callable[[np.ndarray], Tree]) -> None:
        """Set `cross_validation_`, by which the price of a leaf is chosen."""
        path = cost_complexity_path(self.grown_tree_, self._risk)
        rows = np.arange(len(training.y))
        if training.weight is not None:
            rows = np.flatnonzero(training.weight > 0.0)
        inside = replace(
            training,
            X=training.X[rows],
            y=training.y[rows],
            weight=None if training.weight is None else training.weight[rows],
        )
        fold = folds(inside.y, self.ccp_cv, self.random_state, stratify=not self._learns_numbers)
        self.cross_validation_ = cross_validate_path(
            path, lambda part: grow(rows[part]), inside.X, inside.y, fold,
            weight=inside.weight, risk=self._risk, rule=self.ccp_rule,
        )  # fmt: skip

    @property
    def _has_prices(self) -> bool:
        """Whether the tree is cut back by the price of a leaf."""
        return True

    def _prune(
        self, growth: Growth, X: np.ndarray, y: np.ndarray, kept: np.ndarray | None = None
    ) -> tuple[Tree, GrowthLog] | None:
        if self.ccp_cv is None and self.ccp_alpha == 0.0:
            return None
        path = cost_complexity_path(self.grown_tree_, self._risk, kept=kept)
        self.cost_complexity_path_ = path
        if self.ccp_cv is None:
            step = path.step_at(self.ccp_alpha)
        else:
            step = path.step_at(self.cross_validation_.alpha[self.cross_validation_.step])
        return prune_cost_complexity(self.grown_tree_, path, step)

    def _read_again(
        self, X: np.ndarray, y: np.ndarray, presorted: Presorted | None
    ) -> tuple[np.ndarray, np.ndarray, Presorted | None]:
        training = self._trained_on(X, y, presorted)
        return training.X, training.y, training.presorted

    def _family(self, X: np.ndarray, y: np.ndarray, presorted: Presorted | None) -> Family:
        training = self._weighted(X, y, presorted)
        if self._takes_fast_path(training):
            return super()._family(X, y, presorted)
        data, stop = self._binary_data(training), self._stop()
        splitter = BinarySplitter(data)
        return SplitterFamily(
            splitter=splitter,
            columns=training.X.T,
            n_categories=self._n_categories,
            names=names_of(self),
            sprout=lambda *where: _binary_sprout(data, splitter, stop, *where),
            tree_of=lambda growth: self._tree_of(growth, names_of(self)),
            refusal=partial(self._refusal_here, training),
        )

    def _refusal_here(self, training: TrainingData, edit: Edit) -> Sentence | None:
        if isinstance(edit, Without) and self._limits().max_features is not None:
            return Sentence(
                "with max_features each node draws its features; use all features first"
            )
        oblique = isinstance(edit, ForcedSplit) and isinstance(edit.split, ObliqueSplit)
        if oblique and (self._n_categories.any() or np.isnan(training.X).any()):
            return Sentence("a hyperplane does not stand beside nominal features or missing values")
        return self._refusal(edit)


def _check_serves(data: BinaryData, stop: Stop) -> None:
    """Refuse what a criterion that is a Python function cannot do."""
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


def _binary_sprout(
    data: BinaryData,
    splitter: BinarySplitter,
    stop: Stop,
    context: NodeContext,
    max_depth: int,
    without: tuple[int, ...],
) -> Sprout:
    """Return the growth from a node on, see :class:`lastviz.builders.Family`."""
    if data.function is None:
        return binary_sprout(data, stop, context, max_depth, without)
    if without:
        splitter = FewerFeatures(splitter, without)
    return nodewise_sprout(splitter, data.label, data.n_classes, stop, context, max_depth)


def _usable(presorted: Presorted | None, X: np.ndarray) -> Presorted | None:
    """Return the sorted columns if they serve `X`: where a value is missing they are made anew."""
    if presorted is not None and np.isnan(X).any():
        return None
    check_belongs(presorted, X)
    return presorted
