"""What all tree classifiers share: the border to scikit-learn, growing, predicting."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from lastviz._params import Param, check_params
from lastviz.builders import (
    FewerFeatures,
    Growth,
    GrowthEvent,
    NodewiseGrowth,
    SearchProgress,
    SplitterFamily,
    Sprout,
    Stop,
    nodewise_sprout,
)
from lastviz.criteria import CRITERIA
from lastviz.splitters import (
    NodeContext,
    ObliqueSplit,
    Presorted,
    Split,
    Splitter,
)
from lastviz.splitters.edited import splitter_of_edited
from lastviz.splitters.edits import Edit
from lastviz.tree import GrowthLog, Reason, Tree

from .editing import Editable
from .reading import names_of, read_numbers, refuse_others
from .tree_attributes import TreeAttributes

MAX_DEPTH = Param(
    "max_depth", int, None, low=1, none=True, slider=(1, 20, 1),
    label="Largest depth", help="Edges from the root to the deepest leaf; None: no limit.",
)  # fmt: skip
MIN_SAMPLES_SPLIT = Param(
    "min_samples_split", int, 2, low=2, slider=(2, 100, 1), unit="rows",
    label="Smallest node to split", help="A node with fewer rows becomes a leaf.",
)  # fmt: skip


@dataclass(frozen=True)
class Tags:
    """What an algorithm needs of its data.

    Attributes
    ----------
    nominal : bool
        Whether it splits nominal columns as such.
    indicators : bool
        Whether a nominal column makes sense to it as one column of 0 and 1 for each value.
    numeric_only : bool
        Whether every column must be numeric.
    missing : bool
        Whether it treats missing values.
    ordered_classes : bool
        Whether it needs an order of the classes.
    task : str
    max_values : int or None
        Most distinct values of a numeric column that make sense to it; None: any number.
    forest : bool
        Whether it grows many trees, in `estimators_`, and has no `tree_` of its own.
    hyperplanes : bool
        Whether it turns a hyperplane at each node, move after move, until nothing is better.
    plain : str or None
        Key of the algorithm that it is without the step that is its own; None: it has no such.
    """

    nominal: bool = False
    indicators: bool = False
    numeric_only: bool = True
    missing: bool = False
    ordered_classes: bool = False
    task: str = "classification"
    max_values: int | None = None
    forest: bool = False
    hyperplanes: bool = False
    plain: str | None = None


@dataclass(frozen=True)
class Alternative:
    """A parameter that ended the growth of many rows, and the value that would not have.

    Attributes
    ----------
    param : str
        Name of the parameter.
    value : object
        Its other value.
    reason : Reason
        Why growth ended there.
    n_samples : int
        Training rows in the leaves that were made for that reason.
    """

    param: str
    value: object
    reason: Reason
    n_samples: int


class TreeClassifier(Editable, TreeAttributes, ClassifierMixin, BaseEstimator, ABC):
    """Base of the classifiers that grow one tree.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
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
    """

    PARAMS: ClassVar[tuple[Param, ...]]
    # Parameters without a widget and their defaults: what is known about the data, or threads.
    OTHER_PARAMS: ClassVar[Mapping[str, object]] = {}
    TAGS: ClassVar[Tags] = Tags()
    # Data set -> parameter -> values, the default first: the app lets cross-validation choose.
    TUNED_ON: ClassVar[Mapping[str, Mapping[str, tuple]]] = {}

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
        self._finish(self._start(X, y, presorted).run())
        self._edit_at_once(X, y, edits, presorted)
        return self

    def grow(
        self,
        X: np.ndarray,
        y: np.ndarray,
        *,
        presorted: Presorted | None = None,
        edits: Iterable[Edit] = (),
    ) -> Iterator[GrowthEvent | SearchProgress]:
        """Fit event by event; once the last event is taken, the estimator is fitted.

        A long search of one node yields its progress in between, several times a second.
        Under edits the events are those of the changed tree. Parameters and errors are those
        of :meth:`fit`.
        """
        yield from self._events(self._start(X, y, presorted), X, y, edits, presorted)

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Return the class of each row of `X` (n_samples, n_features). O(n depth).

        Not the argmax of :meth:`predict_proba` where classes are equally frequent in a leaf and
        the algorithm keeps the class of the node above (C4.5, SODT).
        """
        leaf = self.apply(X)
        return self.classes_[self.tree_.prediction[leaf]]

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Return the class shares of the leaf of each row, shape (n_samples, n_classes)."""
        leaf = self.apply(X)
        value = self.tree_.value
        return value[leaf] / value[leaf].sum(axis=1, keepdims=True)

    def apply(self, X: ArrayLike) -> np.ndarray:
        """Return the leaf (a node of `tree_`) of each row of `X`."""
        X = self.encode(X)
        return self.tree_.apply(X)

    def encode(self, X: np.ndarray) -> np.ndarray:
        """Return `X` as the tree reads it, float64, shape (n_samples, n_features)."""
        check_is_fitted(self)
        return validate_data(self, X, reset=False, dtype=np.float64, order="C")

    def splitter(
        self, X: np.ndarray, y: np.ndarray, presorted: Presorted | None = None
    ) -> Splitter:
        """Return the splitter that grew the tree, for replay on its training data."""
        check_is_fitted(self)
        given, X = X, self.encode(X)
        check_belongs(presorted, self._sortable(given, X))
        splitter = self._splitter(X, class_codes(self.classes_, y), presorted)
        return splitter_of_edited(splitter, self.edits_)

    def as_stored(
        self, split: Split | ObliqueSplit | None, X: np.ndarray
    ) -> Split | ObliqueSplit | None:
        """Return a split as the search chooses it on the training data `X` as the tree has it."""
        return split

    def alternative(self) -> Alternative | None:
        """Return what else could have been chosen where a parameter ended growth; None if none did.

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

    @property
    @abstractmethod
    def criterion_column(self) -> str:
        """The criterion by which features compete, a key of CRITERIA."""

    @abstractmethod
    def _splitter(self, X: np.ndarray, y: np.ndarray, presorted: Presorted | None) -> Splitter:
        """Return the splitter of the tree on its training data; `y` holds class indices."""

    def _growth(self, X: np.ndarray, y: np.ndarray, presorted: Presorted | None) -> Growth:
        """Return the growth of the tree on checked data, not begun."""
        splitter = self._splitter(X, y, presorted)
        return NodewiseGrowth(splitter, y, len(self.classes_), self._stop())

    def _family(self, X: np.ndarray, y: np.ndarray, presorted: Presorted | None) -> SplitterFamily:
        splitter = self._splitter(X, y, presorted)
        return SplitterFamily(
            splitter=splitter,
            columns=X.T,
            n_categories=np.zeros(X.shape[1], dtype=np.intp),
            names=names_of(self),
            sprout=partial(self._sprout, splitter, y),
            tree_of=self._part,
            refusal=self._refusal,
        )

    def _sprout(
        self,
        splitter: Splitter,
        y: np.ndarray,
        context: NodeContext,
        max_depth: int,
        without: tuple[int, ...],
    ) -> Sprout:
        """Return the growth from a node on, see :class:`lastviz.builders.Family`."""
        if without:
            fewer = getattr(splitter, "without", partial(FewerFeatures, splitter))
            splitter = fewer(without)
        return nodewise_sprout(splitter, y, len(self.classes_), self._stop(), context, max_depth)

    def _stop(self) -> Stop:
        """Return when growth stops."""
        depth = -1 if self.max_depth is None else self.max_depth
        return Stop(depth, getattr(self, "min_samples_split", 2), max_leaf_nodes=0)

    def _tree(self, growth: Growth, feature_names: tuple[str, ...]) -> Tree:
        """Return the grown tree of a finished growth."""
        return growth.tree(feature_names, self.classes_, CRITERIA[self.criterion_column])

    def _prune(
        self, growth: Growth, X: np.ndarray, y: np.ndarray, kept: np.ndarray | None = None
    ) -> tuple[Tree, GrowthLog] | None:
        return None

    def _encode(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the classes in the order of their indices, and the class index of each row."""
        return np.unique(y, return_inverse=True)

    def _sortable(self, given: np.ndarray, X: np.ndarray) -> np.ndarray:
        """Return what the sorted columns must belong to: the data as they are read, `X`."""
        return X

    def _read(self, X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the checked training data, `X` as the tree reads it."""
        return read_numbers(self, X, y)

    def _start(self, X: np.ndarray, y: np.ndarray, presorted: Presorted | None) -> Growth:
        values = {param.name: getattr(self, param.name) for param in self.PARAMS}
        check_params(self.PARAMS, values)
        given = X
        X, y = self._read(X, y)
        check_classification_targets(y)
        self.classes_, codes = self._encode(y)
        check_belongs(presorted, self._sortable(given, X))
        self._training = (X, codes)
        return self._growth(X, codes, presorted)

    def _finishing(self, growth: Growth) -> Iterator[SearchProgress]:
        X, codes = self.__dict__.pop("_training")
        self._take_tree(growth)
        self._take_pruned((yield from self._pruning(growth, X, codes)))

    def _take_tree(self, growth: Growth) -> None:
        self.grown_tree_ = self.tree_ = self._tree(growth, names_of(self))
        self.growth_log_ = growth.log()
        self.edits_ = self.void_edits_ = ()

    def _read_again(
        self, X: np.ndarray, y: np.ndarray, presorted: Presorted | None
    ) -> tuple[np.ndarray, np.ndarray, Presorted | None]:
        given, X = X, self.encode(X)
        check_belongs(presorted, self._sortable(given, X))
        return X, class_codes(self.classes_, y), presorted

    def _part(self, growth: Growth) -> Tree:
        """Return the tree of a growth that is a part of one."""
        return growth.tree(names_of(self), self.classes_, CRITERIA[self.criterion_column])


def class_codes(classes: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the place of each class of `y` (n_samples,) among `classes`."""
    place = np.argsort(classes, kind="stable")
    return place[np.searchsorted(classes, np.asarray(y), sorter=place) % len(place)]


def check_belongs(presorted: Presorted | None, X: np.ndarray) -> None:
    """Refuse the sorted columns of other data than `X`."""
    if presorted is None or presorted.X is X or np.array_equal(presorted.X, X):
        return
    raise ValueError(
        f"presorted must belong to X: it was made from other data of shape "
        f"{presorted.X.shape}, X has shape {X.shape}; call presort(X) again"
    )
