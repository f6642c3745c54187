"""Trees and forests that were not grown here: read from a file, or taken over from scikit-learn.

They predict, and all questions about a finished tree can be asked of them; how they came to be
is not known, so nothing is replayed and nothing can be fitted again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, NoReturn

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from lastviz._params import Param
from lastviz._sentences import Refusal
from lastviz.splitters import Presorted, Splitter
from lastviz.tree import GrowthLog, Kind, Missing, Tree

from .base import Recipe, Tags
from .columns import read_known
from .forest import (
    ForestClassifier,
    ForestProgress,
    TreeGrown,
    decided_by_scores,
    decided_by_sums,
    with_most,
)
from .reading import TrainingData
from .tree_attributes import TreeAttributes
from .tree_estimator import TreeClassifier

DECISIONS = ("tree", "votes", "votes_then_supports", "median", "shares", "scores", "sums", "mean")
"""How a model decides by its trees: by its only one; by the most weighted votes, of equal ones
for the lowest class, or for the one of most class support; by the median vote; by the largest
mean of class shares, the lowest class of equal ones; by the sums of scores, one for each border
between classes, of which those above 0 are counted; by the largest sum of scores, one for each
class; by the mean of numbers."""

NO_LOG = GrowthLog.of_growth(np.zeros(0), np.zeros(0), np.zeros(1, dtype=np.intp), np.zeros(1))


class _Imported:
    """Base of imported models: no parameters, reading samples, refusing to be fitted."""

    PARAMS: ClassVar[tuple[Param, ...]] = ()

    def fit(self, X: object, y: object, **_: object) -> NoReturn:
        """Not offered: a ValueError says so."""
        raise ValueError(_not_grown(self, "cannot be fitted again"))

    def grow(self, X: object, y: object, **_: object) -> NoReturn:
        """Not offered, as :meth:`fit`."""
        raise ValueError(_not_grown(self, "cannot be grown again"))

    def encode(self, X: object) -> np.ndarray:
        """`X` as the trees read it, float64, shape (n_samples, n_features)."""
        check_is_fitted(self, "trees_")
        first = self.trees_[0]
        takes_missing = all(tree.missing != Missing.REFUSE for tree in self.trees_)
        return read_known(self, X, first.feature_categories, takes_missing=takes_missing)

    def _take(self, trees: Sequence[Tree], algorithm: str, *, named: bool) -> None:
        self.trees_ = tuple(trees)
        self.algorithm_ = algorithm
        self.n_features_in_ = trees[0].n_features
        self.categories_ = trees[0].feature_categories
        if named:
            self.feature_names_in_ = np.array(trees[0].feature_names, dtype=object)


def _not_grown(model: _Imported, what: str) -> str:
    name = getattr(model, "algorithm_", "") or "this model"
    return f"{name} was not grown here and {what}"


class ImportedTreeClassifier(_Imported, TreeClassifier):
    """A tree for classes that was not grown here.

    Attributes
    ----------
    algorithm_ : str
        What it was grown by, as its maker calls it.
    classes_, n_features_in_, feature_names_in_, tree_, grown_tree_ :
        As of every tree; `grown_tree_` is `tree_`, and `growth_log_` is empty.
    """

    TAGS: ClassVar[Tags] = Tags(nominal=True, missing=True)

    @property
    def criterion_column(self) -> str:
        """The criterion whose impurity the nodes carry, as far as is known."""
        return "gini"

    def predict_codes(self, X: np.ndarray) -> np.ndarray:
        """Class index of each row of encoded data, a place in `classes_`."""
        return self.tree_.predict(X)

    def splitter(self, X: object, y: object, presorted: Presorted | None = None) -> Splitter:
        """Not offered: how its splits were chosen is not known."""
        raise ValueError(_not_grown(self, "the search for its splits cannot be replayed"))

    def recipe(self, data: TrainingData) -> Recipe:
        """Not offered: how it grew is not known."""
        raise ValueError(_not_grown(self, "the search for its splits cannot be replayed"))


class ImportedForestClassifier(_Imported, ForestClassifier):
    """A forest for classes that was not grown here.

    Attributes
    ----------
    decision_ : str
        One of :data:`DECISIONS`.
    estimators_ : list of ImportedTreeClassifier
    tree_weights_ : ndarray of float64, shape (n_trees,)
    start_ : ndarray of float64, shape (n_classes - 1,), by "sums" (n_classes,)
        Of a decision by scores: to these each tree adds those of its nodes, its `scores_`.
    draws_ : list
        Empty: which rows grew a tree is not known.
    """

    TAGS: ClassVar[Tags] = Tags(nominal=True, missing=True, forest=True)

    @property
    def adds_scores(self) -> bool:
        """Whether its trees add up to scores instead of voting."""
        return self.decision_ in ("scores", "sums")

    def predict_proba(self, X: object) -> np.ndarray:
        """Mean of the trees' class shares, or their shares of the votes.

        Shape (n_samples, n_classes).
        """
        if self.decision_ != "shares":
            return super().predict_proba(X)
        X = self.encode(X)
        return self._mean_shares([tree.class_shares(X) for tree in self.trees_])

    def _checked(self, X: object) -> np.ndarray:
        return self.encode(X)

    @property
    def _most_votes_decide(self) -> bool:
        by_votes = self.decision_ in ("votes", "votes_then_supports")
        plain = all((t.kind <= Kind.THRESHOLD).all() and not t.asks_more for t in self.trees_)
        return by_votes and plain

    def _mean_shares(self, shares: Sequence[np.ndarray]) -> np.ndarray:
        total = np.zeros_like(shares[0])
        for each in shares:  # one after the other, as scikit-learn adds them
            total += each
        return total / len(shares)

    def _decide(
        self, label: np.ndarray, leaf: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        if self.decision_ == "shares":
            shares = self._mean_shares([each[leaf[:, t]] for t, each in enumerate(self._shares)])
            most = shares.max(axis=1, keepdims=True)
            return shares, shares >= most, np.zeros_like(shares), shares.argmax(axis=1)
        if self.decision_ == "scores":
            return decided_by_scores(self.start_, [one.scores_ for one in self.estimators_], leaf)
        if self.decision_ == "sums":
            return decided_by_sums(self.start_, [one.scores_ for one in self.estimators_], leaf)
        votes, tied = self._count_votes(label)
        supports = np.zeros_like(votes)
        if self.decision_ == "median":
            middle = np.sort(label, axis=1)[:, (label.shape[1] - 1) // 2]
            return votes, tied, supports, middle
        if self.decision_ == "votes":
            return votes, tied, supports, tied.argmax(axis=1)
        conflict = np.flatnonzero(tied.sum(axis=1) > 1)
        for t, shares in enumerate(self._shares):
            supports[conflict] += shares[leaf[conflict, t]]
        among = np.where(tied, supports, -1.0)
        return votes, tied, supports, with_most(among).argmax(axis=1)

    @property
    def _shares(self) -> list[np.ndarray]:
        """The class shares of the nodes of each tree, (n_nodes, n_classes)."""
        totals = [tree.value.sum(axis=1, keepdims=True) for tree in self.trees_]
        return [
            np.divide(tree.value, total, out=np.zeros_like(tree.value), where=total > 0)
            for tree, total in zip(self.trees_, totals, strict=True)
        ]

    def _grow(self, X: np.ndarray, codes: np.ndarray) -> Iterator[TreeGrown | ForestProgress]:
        return iter(self.fit(X, codes))

    def _tree_params(self) -> dict[str, object]:
        return {}


class ImportedTreeRegressor(_Imported, TreeAttributes, RegressorMixin, BaseEstimator):
    """Imported regression tree; attributes as :class:`ImportedTreeClassifier`."""

    TAGS: ClassVar[Tags] = Tags(nominal=True, missing=True, task="regression")


class ImportedForestRegressor(_Imported, RegressorMixin, BaseEstimator):
    """Imported regression forest: the mean of its trees, in `estimators_`."""

    TAGS: ClassVar[Tags] = Tags(nominal=True, missing=True, task="regression", forest=True)

    def predict(self, X: object) -> np.ndarray:
        """Number of each row of `X` (n_samples, n_features)."""
        X = self.encode(X)
        total = np.zeros(len(X))
        for tree in self.trees_:  # one after the other, as scikit-learn adds them
            total += tree.predict(X)
        return total / len(self.trees_)


class ImportedBoosting(_Imported, BaseEstimator):
    """A sum of trees of scores that was not grown here, as gradient boosting makes it.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
        Empty where numbers are learnt.
    start_ : ndarray of float64, shape (n_scores,)
        What the trees add to: one score for numbers and for two classes, else one for each class.
    estimators_ : list of ImportedTreeRegressor
        Round after round, in each a tree for each score. A leaf predicts what it adds, the
        learning rate included; an inner node the mean of its leaves. Its `adds_to_` says to what.
    by_exponent_ : bool
        Whether a predicted number is e to the score, not the score itself.
    first_at_0_ : bool
        Whether a score of exactly 0 stands for the first of two classes, not for the second.
    """

    TAGS: ClassVar[Tags] = Tags(nominal=True, missing=True, forest=True)

    def encode(self, X: object) -> np.ndarray:
        """`X` as the trees read it.

        Raises
        ------
        ValueError
            If a category is unknown to the trees, or a value is missing that no branch takes.
        """
        X = super().encode(X)
        for f, name in enumerate(self.trees_[0].feature_names):
            column = X[:, f]
            if self.trees_[0].feature_categories[f] is not None and (column < 0).any():
                raise Refusal("{name} holds a category that the model does not know", name=name)
            if np.isnan(column).any() and any(
                (tree.missing_branch[tree.feature == f] < 0).any() for tree in self.trees_
            ):
                raise Refusal("{name} lacks a value, and the model has no answer then", name=name)
        return X

    def decision_function(self, X: object) -> np.ndarray:
        """Scores: the start plus the contributions of the leaves of each sample of `X`.

        Shape (n_samples,) of one score, else (n_samples, n_scores). O(n n_trees depth).
        """
        X = self.encode(X)
        score = np.tile(self.start_, (len(X), 1))
        for t, tree in enumerate(self.trees_):  # one after the other, as scikit-learn adds them
            score[:, t % len(self.start_)] += tree.predict(X)
        return score[:, 0] if len(self.start_) == 1 else score

    def predict(self, X: object) -> np.ndarray:
        """Class with the highest score, or the number, of each row of `X`."""
        score = self.decision_function(X)
        if not len(self.classes_):
            return np.exp(score) if self.by_exponent_ else score
        if score.ndim == 2:
            return self.classes_[score.argmax(axis=1)]
        second = score > 0 if self.first_at_0_ else score >= 0
        return self.classes_[second.astype(int)]


AnyImported = (
    ImportedTreeClassifier
    | ImportedForestClassifier
    | ImportedTreeRegressor
    | ImportedForestRegressor
)


def imported_boosting(
    trees: Sequence[Tree],
    start: np.ndarray,
    classes: np.ndarray,
    *,
    algorithm: str,
    named: bool,
    by_exponent: bool,
    first_at_0: bool,
) -> ImportedBoosting:
    """Sum of finished trees; the parameters are the attributes of the class."""
    model = ImportedBoosting()
    model._take(trees, algorithm, named=named)
    model.estimators_ = [make_imported([tree], algorithm=algorithm, named=named) for tree in trees]
    model.start_, model.classes_ = start, classes
    scored = (c if isinstance(c, str) else f"class {c}" for c in classes[-len(start) :])
    scores = [f"the score of {each}" for each in scored] or ["the sum of all trees"]
    for t, one in enumerate(model.estimators_):
        one.adds_to_ = scores[t % len(scores)]
    model.by_exponent_, model.first_at_0_ = by_exponent, first_at_0
    return model


def make_imported(
    trees: Sequence[Tree],
    decision: str = "tree",
    *,
    weights: Sequence[float] | None = None,
    scores: Sequence[np.ndarray] | None = None,
    algorithm: str = "",
    named: bool = True,
) -> AnyImported:
    """Estimator that predicts by finished trees.

    Parameters
    ----------
    trees : sequence of Tree
        At least one; of the same features, categories and classes.
    decision : str, default "tree"
        One of :data:`DECISIONS`.
    weights : sequence of float, optional
        Of the trees' votes; 1 each if not given.
    scores : sequence of ndarray, optional
        Of a decision by scores: those of the start, then those of the nodes of each tree.
    algorithm : str, default ""
        What they were grown by.
    named : bool, default True
        Whether rows are known by the names of the features; else by their places alone.

    Raises
    ------
    ValueError
        If the trees do not belong together, or the decision does not fit them.
    """
    _check_together(trees, decision, weights)
    if decision == "tree":
        model = ImportedTreeRegressor() if trees[0].is_regression else ImportedTreeClassifier()
        _fill(model, trees[0], algorithm, named)
        return model
    model = ImportedForestRegressor() if decision == "mean" else ImportedForestClassifier()
    model._take(trees, algorithm, named=named)
    model.estimators_ = [make_imported([tree], algorithm=algorithm, named=named) for tree in trees]
    model.tree_weights_ = np.ones(len(trees)) if weights is None else np.asarray(weights, float)
    model.decision_, model.draws_ = decision, []
    if scores is not None:
        model.start_ = scores[0]
        for one, own in zip(model.estimators_, scores[1:], strict=True):
            one.scores_ = own
    if decision != "mean":
        model.classes_ = trees[0].classes
        model.directions_ = np.zeros(trees[0].n_features, dtype=np.intp)
    return model


def _fill(
    model: ImportedTreeClassifier | ImportedTreeRegressor, tree: Tree, algorithm: str, named: bool
) -> None:
    model._take([tree], algorithm, named=named)
    model.tree_ = model.grown_tree_ = tree
    model.growth_log_ = NO_LOG
    model.edits_ = model.void_edits_ = ()
    if not tree.is_regression:
        model.classes_ = tree.classes


def _check_together(trees: Sequence[Tree], decision: str, weights: Sequence[float] | None) -> None:
    if decision not in DECISIONS:
        raise ValueError(f"decision must be one of {', '.join(DECISIONS)}, got {decision!r}")
    if not len(trees) or (decision == "tree" and len(trees) > 1):
        raise ValueError(f"a decision by {decision!r} cannot be made by {len(trees)} trees")
    first = trees[0]
    for number, tree in enumerate(trees):
        same = (
            tree.feature_names == first.feature_names
            and tree.feature_categories == first.feature_categories
            and np.array_equal(tree.classes, first.classes)
        )
        if not same:
            raise ValueError(f"tree {number} knows other features or classes than tree 0")
    if decision != "tree" and (decision == "mean") != first.is_regression:
        learnt = "numbers" if first.is_regression else "classes"
        raise ValueError(f"a decision by {decision!r} does not fit trees that learnt {learnt}")
    if weights is not None and len(weights) != len(trees):
        raise ValueError(f"there are {len(weights)} weights for {len(trees)} trees")
