"""Base of the forests: the interface to scikit-learn, growing tree after tree, voting."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags as SklearnTags
from sklearn.utils.validation import check_is_fitted

from lastviz._params import Param, check_params
from lastviz._random import seed_of
from lastviz.tree import LeafBoxes, Tree, leaf_boxes, monotone_predictions
from lastviz.tree.forest_kernels import count_votes

from .base import Tags, directions_of, encode_ordered, most_on
from .reading import check_classes, read_numbers, refuse_others, validate_data, warn_rounded
from .remt import REMTClassifier

CHUNK = 4096  # rows that vote together
EQUAL = 1e-12  # sums of votes or supports closer than this are equal


@dataclass(frozen=True)
class TreeGrown:
    """One step of a forest's growth: the added tree, and the number expected."""

    tree: int
    n_expected: int


@dataclass(frozen=True)
class ForestProgress:
    """Progress while a large tree grows or is evaluated: the share that is done."""

    tree: int
    n_expected: int
    share: float


@dataclass(frozen=True, eq=False)
class ForestVotes:
    """Votes of a forest on samples, and its decisions."""

    leaf: np.ndarray  # (n_samples, n_trees) intp, the leaf of each tree
    label: np.ndarray  # (n_samples, n_trees) intp, the class index that it votes for
    votes: np.ndarray  # (n_samples, n_classes) float64, weighted votes of each class
    tied: np.ndarray  # (n_samples, n_classes) bool, the classes with the most votes
    # (n_samples, n_classes) float64, class supports, summed over the trees' leaves; zeros unless
    # the forest breaks ties by them and more than one class is tied.
    supports: np.ndarray
    decision: np.ndarray  # (n_samples,) intp


class ForestClassifier(ClassifierMixin, BaseEstimator, ABC):
    """Base of the forests of REMT trees.

    Attributes
    ----------
    estimators_ : list of REMTClassifier
        The trees, each fitted on rows of its own: ``draws_[t].rows``, whose order they number.
    draws_ : list
        How the rows of each tree were drawn, and what its errors changed.
    tree_weights_ : ndarray of float64, shape (n_trees,)
        The weight of each tree's vote.
    classes_ : ndarray, shape (n_classes,)
        From low to high.
    directions_ : ndarray of intp, shape (n_features,)
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only if `X` was a table with names.
    """

    PARAMS: ClassVar[tuple[Param, ...]]
    OTHER_PARAMS: ClassVar[Mapping[str, Param]] = {}
    TAGS: ClassVar[Tags] = Tags(ordered_classes=True, forest=True)
    adds_scores: ClassVar[bool] = False
    """Whether its trees add up to scores instead of voting."""

    def __sklearn_tags__(self) -> SklearnTags:
        """Say that classes which no direction orders are not learnt, such as three blobs."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags

    def fit(self, X: ArrayLike, y: ArrayLike, **others: object) -> Self:
        """Grow the trees, one after the other.

        Parameters
        ----------
        X : array-like or DataFrame, shape (n_samples, n_features)
            Finite numbers.
        y : array-like, shape (n_samples,)
            Ordered classes.
        **others : object
            Anything else is refused.

        Raises
        ------
        TypeError
            If there is anything else, such as the weights of rows.
        ValueError
            If a parameter is out of range, `X` holds missing or infinite values, or
            `class_order` does not name each class once.
        """
        refuse_others(self, others)
        for _ in self.grow(X, y):
            pass
        return self

    def grow(self, X: np.ndarray, y: np.ndarray) -> Iterator[TreeGrown | ForestProgress]:
        """Fit tree by tree; once the last event is taken, the estimator is fitted.

        Trees on many rows yield signs of life in between, several times a second.
        Parameters and errors are those of :meth:`fit`.
        """
        values = {param.name: getattr(self, param.name) for param in self.PARAMS}
        check_params(self.PARAMS, values)
        self.seed_ = seed_of(values.get("random_state", 0))
        given = X
        X, y = read_numbers(self, X, y)
        warn_rounded(given)
        check_classes(y)
        self.directions_ = directions_of(self.monotonic_cst, self.n_features_in_)
        self.classes_, codes = encode_ordered(y, self.class_order)
        yield from self._grow(X, codes)

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Class of each row of `X` (n_samples, n_features)."""
        check_is_fitted(self)
        return self.classes_[self.predict_codes(self._checked(X))]

    def predict_codes(self, X: np.ndarray) -> np.ndarray:
        """Class index of each row of checked data, a place in `classes_`.

        O(n_samples sum of the trees' depths) where the most votes decide; only rows whose votes
        tie are looked at leaf by leaf.
        """
        if self._most_votes_decide:
            table = node_table([each.tree_ for each in self.estimators_])
            parts = in_threads(
                lambda part: self._decided_by_votes(X[part], table), len(X), self._jobs()
            )
            return np.concatenate(parts)
        boxes = self._boxes()
        parts = in_threads(lambda part: self._votes(X[part], boxes).decision, len(X), self._jobs())
        return np.concatenate(parts)

    def votes(self, X: np.ndarray) -> ForestVotes:
        """Votes of the trees on each sample of `X`; O(n_samples n_trees) memory."""
        check_is_fitted(self)
        return self.votes_of_checked(self._checked(X))

    def votes_of_checked(self, X: np.ndarray) -> ForestVotes:
        """As :meth:`votes`, for checked data without names."""
        return self._votes(X, self._boxes())

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Share of each class in the votes of the trees, (n_samples, n_classes).

        Each counts with its weight. Where the decision is not the largest share, as with tied votes
        and medians, just as much certainty in it is mixed in as makes it the largest. Shares of
        votes say how far the trees agree; nothing makes them frequencies of the classes.
        Deviation: the papers predict classes alone.

        References
        ----------
        Breiman, L. (2001). Random forests. Machine Learning 45, 5-32: the proportion of votes.
        """
        check_is_fitted(self)
        X, boxes = self._checked(X), self._boxes()

        def shares(part: slice) -> np.ndarray:
            found = self._votes(X[part], boxes)
            return most_on(found.votes / found.votes.sum(axis=1, keepdims=True), found.decision)

        return np.concatenate(in_threads(shares, len(X), self._jobs()))

    def predict_log_proba(self, X: ArrayLike) -> np.ndarray:
        """Natural logarithm of :meth:`predict_proba`; -inf for a share of 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def _checked(self, X: ArrayLike) -> np.ndarray:
        """Samples as the trees read them."""
        return validate_data(self, X, reset=False, dtype=np.float64, order="C")

    @property
    def feature_importances_(self) -> np.ndarray:
        """Mean of the trees' `feature_importances_`, by the weights of their votes."""
        check_is_fitted(self)
        each = [one.feature_importances_ for one in self.estimators_]
        mean = np.average(each, axis=0, weights=self.tree_weights_)
        return mean / (mean.sum() or 1.0)

    @property
    def n_classes_(self) -> int:
        """Number of classes."""
        check_is_fitted(self)
        return len(self.classes_)

    @property
    def mean_depth_(self) -> float:
        """Mean over the trees of the depth of the deepest leaf, in edges."""
        return float(np.mean([each.tree_.max_depth for each in self.estimators_]))

    @abstractmethod
    def _grow(self, X: np.ndarray, codes: np.ndarray) -> Iterator[TreeGrown | ForestProgress]:
        """Grow the trees on checked data, one a step, and set the fitted attributes."""

    @abstractmethod
    def _tree_params(self) -> dict[str, object]:
        """Parameters of the trees."""

    @abstractmethod
    def _decide(
        self, label: np.ndarray, leaf: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Votes, tied classes, supports and decisions of samples."""

    def _grow_tree(
        self, X: np.ndarray, codes: np.ndarray, rows: np.ndarray, n_expected: int
    ) -> Generator[ForestProgress, None, REMTClassifier]:
        """Tree grown on some rows, which may repeat; signs of life come in between."""
        tree = REMTClassifier(
            monotonic_cst=self.monotonic_cst, class_order=self.class_order, **self._tree_params()
        )
        names = getattr(self, "feature_names_in_", None)
        number = len(self.estimators_)
        for share in tree.grow_codes(X[rows], codes[rows], self.classes_, names, self._jobs()):
            if share < 1.0:
                yield ForestProgress(number, n_expected, share)
        return tree

    @property
    def _most_votes_decide(self) -> bool:
        """Whether a class that alone has the most votes of the leaves is the decision."""
        return not getattr(self, "monotone", False)

    def _decided_by_votes(self, X: np.ndarray, table: dict[str, np.ndarray]) -> np.ndarray:
        """Decisions of :meth:`_votes`.

        The leaves are only computed for samples with ties.
        """
        votes = np.empty((len(X), len(self.classes_)))
        weight = np.asarray(self.tree_weights_, dtype=np.float64)
        count_votes(X, **table, weight=weight, votes=votes)
        tied = with_most(votes)
        decision = tied.argmax(axis=1)
        conflict = np.flatnonzero(tied.sum(axis=1) > 1)
        if len(conflict):
            decision[conflict] = self._votes(X[conflict], None).decision
        return decision

    def _boxes(self) -> list[LeafBoxes] | None:
        """Boxes of the trees where their envelopes vote, else None."""
        if not getattr(self, "monotone", False):
            return None
        return [leaf_boxes(each.tree_) for each in self.estimators_]

    def _votes(self, X: np.ndarray, boxes: list[LeafBoxes] | None) -> ForestVotes:
        trees = [each.tree_ for each in self.estimators_]
        leaf = np.stack([tree.apply(X) for tree in trees], axis=1)
        if boxes is None:
            labels = [tree.prediction[leaf[:, t]] for t, tree in enumerate(trees)]
        else:
            labels = [monotone_predictions(each, self.directions_, X) for each in boxes]
        label = np.stack(labels, axis=1)
        return ForestVotes(leaf, label, *self._decide(label, leaf))

    def _count_votes(self, label: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Weighted votes of each class, and which classes have the most."""
        votes = np.zeros((len(label), len(self.classes_)))
        rows = np.arange(len(label))
        for t, weight in enumerate(self.tree_weights_):
            votes[rows, label[:, t]] += weight
        return votes, with_most(votes)

    def _jobs(self) -> int:
        return n_threads(getattr(self, "n_jobs", None))


def with_most(votes: np.ndarray) -> np.ndarray:
    """Mask of the classes that have the most votes of a sample, up to rounding."""
    most = votes.max(axis=1, keepdims=True)
    return votes >= most - EQUAL * np.maximum(most, 1.0)


def node_table(trees: Sequence[Tree]) -> dict[str, np.ndarray]:
    """Nodes of trees of thresholds as ``count_votes`` reads them."""
    root = np.cumsum([0, *(tree.n_nodes for tree in trees[:-1])])
    leaf = np.concatenate([tree.first_child for tree in trees]) < 0
    child = np.concatenate([tree.first_child + r for tree, r in zip(trees, root, strict=True)])
    return {
        "root": root,
        "depth": np.array([tree.max_depth for tree in trees]),
        "feature": np.where(leaf, 0, np.concatenate([tree.feature for tree in trees])),
        "threshold": np.where(leaf, np.inf, np.concatenate([tree.threshold for tree in trees])),
        "child": np.where(leaf, np.arange(len(leaf)), child),
        "label": np.concatenate([tree.prediction for tree in trees]),
    }


def borders_below(scores: np.ndarray) -> np.ndarray:
    """Number of class borders below each sample, by its scores (n, n_borders)."""
    return np.count_nonzero(scores > 0.0, axis=1)


def decided_by_scores(
    start: np.ndarray, tables: Sequence[np.ndarray], leaf: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Decision of a sum of trees, in the form of a vote.

    Its class probabilities are the votes.

    `tables` hold what the nodes of each tree add to the scores. Where the probabilities of lying
    above the borders cross they are put in order, which leaves the median class as it is.
    """
    scores = _summed(start, tables, leaf)
    above = -np.sort(-expit(scores), axis=1)
    shares = -np.diff(above, axis=1, prepend=1.0, append=0.0)
    decision = borders_below(scores)
    tied = np.arange(shares.shape[1]) == decision[:, None]
    return shares, tied, np.zeros_like(shares), decision


def decided_by_sums(
    start: np.ndarray, tables: Sequence[np.ndarray], leaf: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Decision for the class of the largest sum, in the form of a vote.

    The softmax of the sums are the votes; `tables` are as of :func:`decided_by_scores`, with a
    score for each class.
    """
    scores = _summed(start, tables, leaf)
    decision = scores.argmax(axis=1)
    tied = np.arange(scores.shape[1]) == decision[:, None]
    return softmax(scores, axis=1), tied, np.zeros_like(scores), decision


def _summed(start: np.ndarray, tables: Sequence[np.ndarray], leaf: np.ndarray) -> np.ndarray:
    scores = np.tile(start, (len(leaf), 1))
    for t, table in enumerate(tables):
        scores += table[leaf[:, t]]
    return scores


def n_threads(n_jobs: int | None) -> int:
    """Number of threads that `n_jobs` means.

    Raises
    ------
    ValueError
        If it is no integer >= 1, -1 or None.
    """
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, int | np.integer) and not isinstance(n_jobs, bool):
        if n_jobs == -1:
            return os.cpu_count() or 1
        if n_jobs >= 1:
            return int(n_jobs)
    raise ValueError(f"n_jobs must be an integer >= 1, -1 (all processors) or None, got {n_jobs!r}")


def in_threads(work: Callable[[slice], np.ndarray], n_rows: int, jobs: int) -> Sequence[np.ndarray]:
    """Results of `work` on chunks of rows, in their order, whatever `jobs` is."""
    parts = [slice(start, start + CHUNK) for start in range(0, n_rows, CHUNK)]
    if jobs == 1 or len(parts) < 2:
        return [work(part) for part in parts]
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(work, parts))
