"""Base of all estimators of one tree: one fit, one grow, one predict, edits by hand."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from numbers import Integral
from time import perf_counter
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from lastviz._params import Param
from lastviz._random import seed_of
from lastviz._sentences import Refusal
from lastviz.builders import EditedGrowth, Grown, Growth, GrowthEvent, SearchProgress, Stop
from lastviz.pruning import cut_by_hand, kept_by_hand, void_of_pruning
from lastviz.splitters import ObliqueSplit, Presorted, Split, Splitter, result_of
from lastviz.splitters.edits import Edit, checked_edits, growth_edits, splitter_of_edited
from lastviz.tree import GrowthLog, Kind, Missing, Tree

from .base import Alternative, Pruned, Recipe, Tags, encode_ordered, shares_of
from .columns import as_table, nominal_features, read_known, read_nominal
from .reading import (
    TrainingData,
    check_belongs,
    check_classes,
    checked_weight,
    class_codes,
    goes_by_type,
    names_of,
    read_numbers,
    refuse_others,
    validate_data,
    warn_rounded,
)
from .tree_attributes import TreeAttributes

PAUSE = 0.05  # seconds between two signs of life
OTHER_X = "X must be the data that the estimator was fitted on"


class TreeEstimator(TreeAttributes, BaseEstimator, ABC):
    """Base of the estimators of one tree, for classes or numbers.

    Each says what its tree is made of, in :meth:`recipe`; what is done with that is done here.

    Attributes
    ----------
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only if `X` was a table with names.
    grown_tree_ : Tree
        Before any pruning.
    tree_ : Tree
        What predicts.
    growth_log_ : GrowthLog
    edits_, void_edits_ : tuple of Edit
        What the tree was changed by, and which of that found no node to apply to.
    seed_ : int
        `random_state`, or what was drawn in its place.
    """

    PARAMS: ClassVar[tuple[Param, ...]]
    # Parameters without a widget: what is known about the data, or threads.
    OTHER_PARAMS: ClassVar[Mapping[str, Param]] = {}
    TAGS: ClassVar[Tags] = Tags()
    # Parameter -> values, the default first: on two features the app lets cross-validation choose.
    TUNED: ClassVar[Mapping[str, tuple]] = {}
    # Parameters of a tree that can be read, where the algorithm would let it grow on and on.
    READABLE: ClassVar[Mapping[str, object]] = {"max_depth": 4}
    SCORED: ClassVar[str] = ""  # what the score of a split is, where it is not the criterion's

    grown_tree_: Tree
    tree_: Tree
    growth_log_: GrowthLog
    edits_: tuple[Edit, ...]
    void_edits_: tuple[Edit, ...]
    seed_: int

    @abstractmethod
    def recipe(self, data: TrainingData) -> Recipe:
        """Recipe of the tree on its training data."""

    @abstractmethod
    def _read(self, X: object, y: object, presorted: Presorted | None) -> TrainingData:
        """Check the training data and return them.

        Sets the attributes learnt from them: names, classes.
        """

    @abstractmethod
    def _read_again(self, X: object, y: object, presorted: Presorted | None) -> TrainingData:
        """Training data of the fitted estimator, once they are given again."""

    def _given_again(self, X: object, y: object, presorted: Presorted | None) -> TrainingData:
        """Result of :meth:`_read_again`, if there is a class or number for each sample."""
        data = self._read_again(X, y, presorted)
        if data.y.shape != (len(data.X),):
            raise ValueError(OTHER_X)
        return data

    @property
    @abstractmethod
    def criterion_column(self) -> str:
        """The criterion by which features compete, a key of CRITERIA."""

    @property
    def _criterion(self) -> str:
        """The criterion by the word that `PARAMS` offers, whatever word was given."""
        for param in self.PARAMS:
            if param.name == "criterion":
                return str(param.check(self.criterion))
        raise AttributeError(f"{type(self).__name__} has no criterion")

    def __sklearn_tags__(self):
        """Tags of scikit-learn."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.TAGS.missing
        return tags

    def _steps(
        self,
        X: object,
        y: object,
        presorted: Presorted | None,
        edits: Iterable[Edit],
        *,
        at_once: bool = False,
        **beside: object,
    ) -> Iterator[GrowthEvent | SearchProgress]:
        """Read, grow, prune, and change by hand if there is anything to change.

        Yields the events of growth, under edits those of the changed tree; growth `at_once` has
        none. What `fit` takes `beside` X and y is for :meth:`_read`.
        """
        for param in self.PARAMS:
            param.check(getattr(self, param.name))
        self.seed_ = seed_of(self.random_state) if hasattr(self, "random_state") else 0
        data = self._read(X, y, presorted, **beside)
        warn_rounded(X)
        recipe = self.recipe(data)
        growth, edits = recipe.growth(), tuple(edits)
        if at_once:
            growth.run()
        events = iter(()) if at_once else iter(growth)
        for event in events:
            try:
                if not edits or isinstance(event, SearchProgress):
                    yield event
            except GeneratorExit:
                if recipe.hurry is not None:
                    recipe.hurry(growth)
                    for rest in (events, self._finish(data.X, recipe, growth)):
                        result_of(rest)
                raise
        yield from self._finish(data.X, recipe, growth)
        if edits:
            yield from self._edit(X, y, edits, presorted)

    def grow(
        self,
        X: np.ndarray,
        y: np.ndarray,
        *,
        presorted: Presorted | None = None,
        edits: Iterable[Edit] = (),
        **beside: object,
    ) -> Iterator[GrowthEvent | SearchProgress]:
        """Fit event by event; once the last event is taken, the estimator is fitted.

        A long search of one node yields its progress in between, several times a second.
        Under edits the events are those of the changed tree. Parameters, those `beside` too, and
        errors are those of :meth:`fit`.
        """
        yield from self._steps(X, y, presorted, edits, **beside)

    def trees_of_parts(
        self, X: object, y: object
    ) -> tuple[TrainingData, Callable[[np.ndarray], Tree]] | None:
        """Training data that are read once, and the growth of trees of some of their rows.

        None where these would not be the trees that :meth:`fit` grows of the rows, which have
        other categories, gaps and shares; or where the algorithm cannot. The estimator learns the
        classes, and rows that lack one of them may break ties in another way.

        Returns
        -------
        data : TrainingData
        grow : callable
            Rows -> their tree, not pruned.
        """
        self.seed_ = seed_of(self.random_state) if hasattr(self, "random_state") else 0
        limits = [getattr(self, f"min_samples_{of}", 1) for of in ("split", "leaf")]
        data = self._read(X, y, None)
        recipe = self.recipe(data)
        counted = all(isinstance(limit, Integral) for limit in limits)
        if recipe.growth_on is None or not (data.is_plain and counted):
            return None
        return data, lambda rows: recipe.tree(recipe.growth_on(rows).run())

    def _finish(
        self, X: np.ndarray, recipe: Recipe, growth: Growth, edits: Sequence[Edit] = ()
    ) -> Iterator[SearchProgress]:
        """Take the tree of a finished growth on `X` and prune it.

        Nodes kept by edits are not pruned.
        """
        self.grown_tree_ = self.tree_ = recipe.tree(growth).with_rows(X)
        if (self.grown_tree_.kind == Kind.OBLIQUE).any():
            with np.errstate(over="ignore", invalid="ignore"):
                self.feature_spread_ = np.nan_to_num(X.std(axis=0), nan=1.0)
        self.growth_log_ = growth.log()
        self.edits_ = self.void_edits_ = ()
        if recipe.prune is None:
            return
        by_hand = kept_by_hand(self.grown_tree_, edits) if edits else None
        pruned = recipe.prune(growth, by_hand)
        if isinstance(pruned, Generator):
            pruned = yield from pruned
        self._take_pruned(X, pruned)

    def _take_pruned(self, X: np.ndarray, pruned: Pruned) -> None:
        """Set the tree that pruning leaves of one grown on `X`, if it changed anything."""
        if pruned is not None:
            tree, events = pruned
            self.tree_ = tree.with_rows(X)
            self.growth_log_ = self.growth_log_ + events

    def splitter(
        self, X: np.ndarray, y: np.ndarray, presorted: Presorted | None = None
    ) -> Splitter:
        """Splitter that grew the tree, for replay on its training data."""
        check_is_fitted(self)
        recipe = self.recipe(self._given_again(X, y, presorted))
        return splitter_of_edited(recipe.splitter(), self.edits_)

    def edited_in_steps(
        self, X: np.ndarray, y: np.ndarray, edits: Iterable[Edit], presorted: Presorted | None
    ) -> Generator[float, None, Self]:
        """Change a copy and return it; see :func:`lastviz.estimators.what_if_in_steps`."""
        check_is_fitted(self)
        changed, shown = copy(self), perf_counter()
        for event in changed._edit(X, y, edits, presorted):
            if isinstance(event, SearchProgress) and perf_counter() - shown > PAUSE:
                yield event.share
                shown = perf_counter()
        return changed

    def _edit(
        self, X: np.ndarray, y: np.ndarray, edits: Iterable[Edit], presorted: Presorted | None
    ) -> Iterator[GrowthEvent | SearchProgress]:
        """Grow and prune again under edits, event by event.

        Parts that no edit touches stay.
        """
        edits = checked_edits(edits)
        before = Grown(self.grown_tree_, self.growth_log_)
        data = self._given_again(X, y, presorted)
        _check_trained_on(self.grown_tree_, data.X, data.y)
        if not edits and not self.edits_:
            return
        recipe = self.recipe(data)
        untouched = not growth_edits(self.edits_)
        growth = EditedGrowth(recipe.family(), edits, before if untouched else None)
        yield from growth
        valid = [edit for edit in edits if edit not in growth.void]
        yield from self._finish(data.X, recipe, growth, valid)
        grown = self.grown_tree_
        self._take_pruned(data.X, cut_by_hand(grown, self.tree_, edits))
        self.edits_ = edits
        void = {*growth.void, *void_of_pruning(grown, edits)}
        self.void_edits_ = tuple(edit for edit in edits if edit in void)

    def as_stored(
        self, split: Split | ObliqueSplit | None, X: np.ndarray
    ) -> Split | ObliqueSplit | None:
        """Split as the search chooses it on the training data `X` as the tree has it."""
        return split


class WeightedTreeEstimator(TreeEstimator):
    """Base of the estimators whose `fit` takes the weights of rows."""

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
            Numbers, and categories and missing values where the algorithm takes them.
        y : array-like, shape (n_samples,)
            Classes, or numbers for a regressor.
        sample_weight : array-like, shape (n_samples,), optional
            Weights >= 0, for an optimal tree whole numbers; a row of weight 2 counts as two, one
            of weight 0 takes no part.
        presorted : Presorted, optional
            The sorted columns of `X`, to be reused; see :func:`lastviz.splitters.presort`.
        edits : iterable of Edit, default ()
            What the tree is changed by, see :func:`lastviz.what_if`.

        Raises
        ------
        ValueError
            If a parameter is out of range, `X` holds infinite values (or missing ones where
            the algorithm does not treat them), a nominal column has too many categories, weights
            do not fit, `presorted` belongs to other data, or an edit cannot be made.
        """
        for _ in self._steps(X, y, presorted, edits, at_once=True, sample_weight=sample_weight):
            pass
        return self


class TreeClassifier(ClassifierMixin, TreeEstimator):
    """Base of the classifiers that grow one tree.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    """

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        presorted: Presorted | None = None,
        edits: Iterable[Edit] = (),
        **others: object,
    ) -> Self:
        """Grow and prune a tree.

        Parameters
        ----------
        X : array-like or DataFrame, shape (n_samples, n_features)
            Finite numbers.
        y : array-like, shape (n_samples,)
            Classes.
        presorted : Presorted, optional
            The sorted columns of `X`, to be reused; see :func:`lastviz.splitters.presort`.
        edits : iterable of Edit, default ()
            What the tree is changed by, see :func:`lastviz.what_if`.
        **others : object
            Anything else is refused.

        Raises
        ------
        TypeError
            If there is anything else, such as the weights of rows.
        ValueError
            If a parameter is out of range, `X` holds missing or infinite values, `presorted`
            belongs to other data, or an edit cannot be made.
        """
        refuse_others(self, others)
        for _ in self._steps(X, y, presorted, edits, at_once=True):
            pass
        return self

    def alternative(self) -> Alternative | None:
        """Alternative value for the parameter that ended growth; None if none did.

        Of the fitted estimator; read off its growth log.
        """
        return None

    @property
    def max_depth_cuts(self) -> bool:
        """Whether a smaller `max_depth` would give this very tree, cut there.

        Of the fitted estimator. Not so where the tree was pruned afterwards or changed by hand,
        nor where the best of all open nodes is split next (`max_leaf_nodes`).
        """
        check_is_fitted(self)
        grows_by_node = getattr(self, "max_leaf_nodes", None) is None
        by_itself = self.tree_ is self.grown_tree_ and not self.edits_
        return hasattr(self, "max_depth") and grows_by_node and by_itself

    @property
    def n_classes_(self) -> int:
        """Number of classes."""
        check_is_fitted(self)
        return len(self.classes_)

    def _stop(self) -> Stop:
        """Limits of growth."""
        depth = -1 if self.max_depth is None else self.max_depth
        return Stop(depth, getattr(self, "min_samples_split", 2), max_leaf_nodes=0)

    def _targets(self, y: np.ndarray) -> np.ndarray:
        """Learn the classes in the order of their indices; return the index of each row's."""
        check_classes(y)
        if self.TAGS.ordered_classes:
            self.classes_, codes = encode_ordered(y, self.class_order)
        else:
            self.classes_, codes = np.unique(y, return_inverse=True)
        return codes

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Class shares of each row, shape (n_samples, n_classes).

        Those of its leaf, or the weighted mean over its leaves where a missing value sends it down
        several branches. Where the predicted class is not the most frequent one (C4.5 and SODT keep
        that of the node above, REMT takes the median), its share is raised until it is the largest,
        and the others shrink in proportion.
        """
        X = self.encode(X)
        return shares_of(self.tree_, X)

    def encode(self, X: np.ndarray) -> np.ndarray:
        """`X` as the tree reads it, float64, shape (n_samples, n_features).

        A nominal value is the place of its category in `categories_`, -1 if it is none of
        them; a missing value is NaN.
        """
        check_is_fitted(self)
        if not self.TAGS.nominal:
            return validate_data(self, X, reset=False, dtype=np.float64, order="C")
        takes_missing = self.grown_tree_.missing == Missing.FRACTIONS
        if any(known is not None for known in self.categories_):
            X = as_table(X, self.TAGS.missing)
        return read_known(self, X, self.categories_, takes_missing=takes_missing)

    def _nominal(self, X: object) -> np.ndarray:
        """Mask of the nominal columns, none at all if none can be."""
        if goes_by_type(self.categorical_features) and not hasattr(X, "iloc"):
            return np.zeros(0, dtype=bool)
        return nominal_features(X, self.categorical_features)

    def _read(
        self, X: object, y: object, presorted: Presorted | None, sample_weight: object = None
    ) -> TrainingData:
        given, tags = X, self.TAGS
        if not tags.nominal:
            X, y = read_numbers(self, X, y)
            return self._data(given, X, self._targets(y), presorted)
        nominal = self._nominal(X)
        if nominal.any():
            X, y, categories, weight = read_nominal(self, X, y, nominal, sample_weight)
        else:
            finite = "allow-nan" if tags.missing else True
            X, y = validate_data(self, X, y, dtype=np.float64, order="C", ensure_all_finite=finite)
            categories, weight = (None,) * X.shape[1], checked_weight(sample_weight, X)
        self.categories_, self.sample_weight_ = categories, weight
        return self._data(given, X, self._targets(y), presorted)

    def _read_again(self, X: object, y: object, presorted: Presorted | None) -> TrainingData:
        given, X = X, self.encode(X)
        weight = getattr(self, "sample_weight_", None)
        if weight is not None and len(weight) != len(X):
            raise Refusal(OTHER_X)
        return self._data(given, X, class_codes(self.classes_, y), presorted)

    def _data(
        self, given: object, X: np.ndarray, codes: np.ndarray, presorted: Presorted | None
    ) -> TrainingData:
        """Training data; a presorted table belongs to the data as `given`."""
        categories = getattr(self, "categories_", (None,) * X.shape[1])
        weight, sortable = getattr(self, "sample_weight_", None), X
        if any(known is not None for known in categories):
            with suppress(TypeError, ValueError):
                sortable = np.asarray(given, dtype=np.float64)
        check_belongs(presorted, sortable)
        names, classes = names_of(self), self.classes_
        return TrainingData(X, codes, names, classes, categories, weight, presorted)


def _check_trained_on(grown: Tree, X: np.ndarray, y: np.ndarray) -> None:
    """Refuse data other than those a tree was grown on, as far as its leaves show."""
    rows, weights = grown.samples, grown.sample_weight
    if not len(rows) or rows.max() >= len(X):
        raise ValueError(OTHER_X)
    if grown.missing != Missing.FRACTIONS and not len(grown.kernel):
        leaf, place = grown.apply(X[rows]), np.arange(len(rows))
        if not ((grown.start[leaf] <= place) & (place < grown.end[leaf])).all():
            raise ValueError(OTHER_X)
    if grown.is_regression:
        same = np.isclose(np.average(y[rows], weights=weights), grown.value[0, 0])
    else:
        counts = np.bincount(y[rows], weights, grown.value.shape[1])
        same = np.allclose(counts, grown.value[0])
    if not same:
        raise ValueError("y must be what the estimator was fitted on")
